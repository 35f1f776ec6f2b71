/* Clauses of one probe fire in the order of the text, through every description. @@flags -q */
dtrace:::BEGIN { printf("1"); }
BEGIN, END { printf("2"); }
*:::BEGIN { printf("3"); }
dtrace:::B* { printf("4"); }
:::BEGIN { printf("5\n"); exit(0); }
