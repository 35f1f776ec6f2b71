# Little locked memory, few descriptors, little address space: it works or says so in one line.
. "$(dirname "$0")/../cli/lib.bash"
limited() { what="ulimit $1"; (eval "ulimit $1"; "$DTRACE" -qn 'BEGIN { printf("works"); exit(0); } syscall:::entry, profile-97 { @[probefunc] = count(); }' >"$dir/.out" 2>"$dir/.err"); status=$?; out=$(cat "$dir/.out") err=$(cat "$dir/.err"); }
limited '-l 0'
ended 0
printed works
limited '-n 16'
case $status in 0) printed works ;; 1) one_line ;; *) fail "few descriptors" ;; esac
limited '-n 64'
case $status in 0) printed works ;; 1) one_line ;; *) fail "few descriptors" ;; esac
limited '-c 0'
ended 0
