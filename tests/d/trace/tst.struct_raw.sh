# A structure is dumped.
"$DTRACE" -n 'struct s { int a; int b; char c[4]; }; this struct s v; BEGIN { this->v.a = 1; this->v.b = 0x41424344; this->v.c[0] = 1; this->v.c[1] = 2; this->v.c[2] = 3; this->v.c[3] = 4; trace(this->v); exit(0); }' 2>/dev/null | sed 's/^...\( .*:\(BEGIN\|END\|ERROR\) \)/CPU\1/'
