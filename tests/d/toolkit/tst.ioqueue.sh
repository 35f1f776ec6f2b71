# A program that waits for each request has one at a time.
# @@needs losetup
. "$(dirname "$0")/lib.bash"
disk
script ioqueue -c "$load disk r 30 4096 65536 $loop"
ended 0
printf '%s\n' "$out" | awk -v d="$name, requests:" '$0 == d { on = 1 } on && $1 == 1 { exit $NF != 30 } on && !NF { exit 1 }' ||
    fail "not 30 times one"
