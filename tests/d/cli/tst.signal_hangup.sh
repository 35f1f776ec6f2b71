# A hang-up ends it, too.
. "$(dirname "$0")/lib.bash"
start -qn 'BEGIN { printf("ready\n"); } END { printf("end\n"); }'
wait_for ready
finish HUP
case $status in 0 | 129) ;; *) fail "hang-up" ;; esac
