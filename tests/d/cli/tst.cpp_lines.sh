# Behind the preprocessor, errors name the file and line as written.
# @@needs cpp
. "$(dirname "$0")/lib.bash"
printf '#define X 1\n\nBEGIN\n{\n\ttrace(nonsense);\n}\n' > "$dir/a.d"
run -C -es "$dir/a.d"
ended 1
said "dtrace: failed to compile script $dir/a.d: \"$dir/a.d\", line 5: failed to resolve nonsense: Unknown variable name"
printf 'BEGIN\n{\n\ttrace(1) trace(2);\n}\n' > "$dir/inc.h"
printf '#include "inc.h"\n' > "$dir/b.d"
run -C -es "$dir/b.d"
ended 1
says "\"$dir/inc.h\", line 3: syntax error near \"trace\""
