# Output of system() comes where it stands among the other output.
. "$(dirname "$0")/lib.bash"
run -wqn 'BEGIN { printf("a\n"); system("echo b"); printf("c\n"); system("echo %s; exit 3", "d"); printf("e\n"); exit(0); }'
ended 0
printed 'a
b
c
d
e'
