# cppargs reaches the preprocessor as it is; cpphdrs lists what is included, as -H does. @@needs cpp
. "$(dirname "$0")/lib.bash"
printf '#define ONE 1\n' >"$dir/one.h"
printf '#include "one.h"\nBEGIN { trace(ONE + TWO); exit(0); }\n' >"$dir/a.d"
run -q -C -x cppargs=-DTWO=2 -s "$dir/a.d"
ended 0
printed 3
run -q -C -x cpphdrs -x define=TWO=3 -s "$dir/a.d"
ended 0
printed 4
says one.h
