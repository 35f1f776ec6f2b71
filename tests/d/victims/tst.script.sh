# A script as the command: its interpreter is what is traced.
. "$(dirname "$0")/../cli/lib.bash"
printf '#!/bin/sh\nexit 3\n' >"$dir/script"
chmod +x "$dir/script"
run -c "$dir/script" -n 'pid$target:libc:*exit*:entry { @ = count(); } END { printa("%@d\n", @); }'
ended 0
says 'exited with status 3'
