# A line that begins with #! is dropped wherever it stands, and counts as a line.
. "$(dirname "$0")/lib.bash"
printf '#!/usr/sbin/dtrace -s\nBEGIN\n#!anything ( { "\n{ exit(0); }\n' > "$dir/a.d"
run -qs "$dir/a.d"
ended 0
printf '#!/usr/sbin/dtrace -s\n\nBEGIN { trace(nonsense); }\n' > "$dir/b.d"
run -es "$dir/b.d"
ended 1
says 'line 3: '
