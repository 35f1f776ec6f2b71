# raise() signals the traced process in the call it makes; the end is told.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
run -wn 'syscall::getppid:entry /pid == $target/ { raise(15); }' -c "python3 -c 'import os, time; os.getppid(); time.sleep(5); print(\"survived\")'"
ended 0
says 'terminated by SIGTERM'
[[ $out != *survived* ]] || fail survived
