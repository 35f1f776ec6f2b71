# verbose lists the code, as -S does.
. "$(dirname "$0")/../cli/lib.bash"
run -q -x verbose -n 'BEGIN { exit(0); }'
ended 0
listing=$err
run -q -S -n 'BEGIN { exit(0); }'
said "$listing"
says exit
