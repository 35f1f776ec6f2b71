# A program whose probes are in DTrace's own object format, which is not read, is told of by name.
# @@needs cc
. "$(dirname "$0")/lib.bash"
cd "$dir" || exit 1
cat >dof.c <<'C'
#include <unistd.h>
__attribute__((used, section(".SUNW_dof"))) static const char dof[] = "\177DOF\2\1\2\2\0\0store\0start\0";
int main(void) { pause(); return 0; }
C
cc -o dof dof.c || fail "cc"
./dof & app=$!
trap 'kill $app; rm -rf "$dir"' EXIT
sleep 0.2
run -p $app -n 'store$target:::start'
ended 1; says "the probes of store in process $app are in DTrace's own format (DOF), which is not read"
run -p $app -n 'shop$target:::start'
ended 1; says "does not match any probes"
