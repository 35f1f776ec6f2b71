# -H lists the files included, on standard error.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
echo '#define ONE 1' > "$dir/one.h"
printf '#include "one.h"\nBEGIN { trace(ONE); exit(0); }\n' > "$dir/a.d"
run -C -H -qs "$dir/a.d"
ended 0
printed 1
says "$dir/one.h"
