# Globs of probe descriptions, in each part: * ? [] [!] ranges.
. "$(dirname "$0")/../cli/lib.bash"
names() { "$DTRACE" -ln "$1" 2>/dev/null | awk 'NR > 1 { print $(NF - 1) "." $NF }' | sort | tr '\n' ' '; }
expect() { got=$(names "$1"); [ "$got" = "$2" ] || { echo "$1: $got, not $2"; exit 1; }; }
expect 'syscall::getpi?:entry' 'getpid.entry '
expect 'syscall::get[pu]id:entry' 'getpid.entry getuid.entry '
expect 'syscall::get[!ugt]id:entry' 'getpid.entry getsid.entry '
expect 'syscall::get[a-p]id:entry' 'getgid.entry getpid.entry '
expect 'sysc*:*:getpid:*' 'getpid.entry getpid.return '
expect '*:::BEGIN' 'dtrace.BEGIN '
expect 'syscall::\getpid:entry' 'getpid.entry '
expect 'd?race:::E*' 'dtrace.END dtrace.ERROR '
expect 'getpid:entry' 'getpid.entry '
expect ':::BEGIN' 'dtrace.BEGIN '
expect '::getpid:' 'getpid.entry getpid.return '
expect 'syscall::[z]*:' ''
