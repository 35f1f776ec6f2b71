# Programs that start, with their arguments and parents, and one that cannot be.
. "$(dirname "$0")/lib.bash"
script execsnoop -c "$load exec /bin/sh -c '/bin/ls /dev/null; /bin/ls /dev/zero; /nonexistent 2>/dev/null; :'"
ended 0
like 'TIME_ms UID PPID PID ERR ARGS'
shell=$(printf '%s\n' "$out" | awk '$6 == "/bin/sh" { print $4 }')
like "[0-9]+ [0-9]+ $shell [0-9]+ 0 /bin/ls /dev/null"
like "[0-9]+ [0-9]+ $shell [0-9]+ 0 /bin/ls /dev/zero"
like "[0-9]+ [0-9]+ $shell [0-9]+ 2 /nonexistent"
