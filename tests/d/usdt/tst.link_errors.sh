# What -h and -G cannot do, they say in one line, and write nothing.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
provider
cd "$dir" || exit 1
echo 'int main(void) { return 0; }' >none.c
cc -c none.c && cc -o none none.c
refused() { ended "$1"; one_line; says "$2"; [ ! -e myserv.o ] && [ ! -e myserv.h ] || fail "left a file"; }
run -G -s myserv.d none.o
refused 1 "failed to link script myserv.d: No probe sites found for declared provider"
run -G -s myserv.d none.c; refused 1 "none.c: not an object file"
run -G -s myserv.d none; refused 1 "none: not a relocatable ELF object"
run -G -s myserv.d missing.o; refused 1 "failed to open missing.o: No such file or directory"
run -h -n 'BEGIN { }'; refused 2 "-h needs one script"
run -h -s myserv.d -n 'BEGIN { }'; refused 2 "-h needs one script"
run -h -n 'BEGIN { }' -o x.h; refused 1 "no provider is defined"
run -h -s myserv.d -o nowhere/x.h; refused 1 "failed to write nowhere/x.h: No such file or directory"
echo 'provider p { probe a(double x); };' >f.d
run -h -s f.d; refused 1 'p:::a argument #1 is a double: only integers and pointers can be passed'
echo 'provider p1 { probe a(); };' >f.d
run -h -s f.d; refused 1 'provider name may not end with a digit: p1'
# A probe that the application has and the definition lacks.
run -h -s myserv.d -o app.h; ended 0
printf '#include "app.h"\nint main(void) { MYSERV_IDLE(); return 0; }\n' >app.c
cc -c app.c
echo 'provider myserv { probe other(); };' >other.d
run -G -s other.d app.o
ended 1; one_line; says "app.o: probe myserv:::idle is not declared"
# What has no code yet, and what is many objects.
cat >lto.c <<'C'
extern void __dtrace_myserv___idle(void);
int main(void) { __dtrace_myserv___idle(); return 0; }
C
cc -O2 -flto -fno-fat-lto-objects -c lto.c
run -G -s myserv.d -o out.o lto.o
ended 1; one_line; says "lto.o: compiled for link-time optimisation, it has no code yet"
cc -c lto.c && ar rc lib.a lto.o
run -G -s myserv.d -o out.o lib.a
ended 1; one_line; says "lib.a: an archive: name the objects in it"
