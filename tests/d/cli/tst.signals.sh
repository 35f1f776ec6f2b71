# SIGINT and SIGTERM end the run: END fires, aggregations are printed, status 0; SIGINT starts with a newline.
. "$(dirname "$0")/lib.bash"
for sig in INT TERM; do
    start -qn 'BEGIN { printf("ready\n"); @["kept"] = count(); } END { printf("end\n"); }'
    wait_for ready
    finish $sig
    ended 0
    said ''
    printed "$(printf 'ready\n\nend\n\n  %-50s %16d' kept 1)"
done
