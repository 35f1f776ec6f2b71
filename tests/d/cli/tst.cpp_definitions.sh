# -C with -D, -U, -I; what dtrace itself defines.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
mkdir "$dir/inc"
echo '#define FROM_INC 5' > "$dir/inc/five.h"
cat > "$dir/a.d" <<'D'
#include <five.h>
#ifndef __unix
#error __unix
#endif
#ifndef __SUNW_D
#error __SUNW_D
#endif
#if __SUNW_D_VERSION != 0x0100d000
#error __SUNW_D_VERSION
#endif
#if defined(__linux) != WANT_LINUX
#error __linux
#endif
BEGIN { printf("%d %s %d", FROM_INC, TEXT, ONE); exit(0); }
D
run -C -I "$dir/inc" -D 'TEXT="word"' -D ONE -D WANT_LINUX=0 -U __linux -qs "$dir/a.d"
ended 0
printed '5 word 1'
run -C -I"$dir/inc" '-DTEXT="word"' -DONE=2 -DWANT_LINUX=1 -qs "$dir/a.d"
ended 0
printed '5 word 2'
run -x cpp -x incdir="$dir/inc" -x define='TEXT="x"' -x define=ONE=3 -x define=WANT_LINUX=0 -x undef=__linux -qs "$dir/a.d"
ended 0
printed '5 x 3'
