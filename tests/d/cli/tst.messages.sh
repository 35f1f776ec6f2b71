# Messages of the command, word for word.
# @@needs nothing
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
check() { # status, message, arguments
    want_status=$1 want=$2
    shift 2
    got=$("$DTRACE" "$@" 2>&1 </dev/null)
    status=$?
    if [ $status != "$want_status" ] || [ "$(echo "$got" | head -1)" != "$want" ]; then
        echo "dtrace $*: $status: $got"
        echo "wanted $want_status: $want"
        failed=1
    fi
}
echo 'BEGIN { exit(0); ' > open.d
echo 'BEGIN { exit(0); }' > good.d
head -c 64 /bin/sh > binary.d
check 1 'dtrace: failed to open none.d: No such file or directory' -s none.d
check 1 'dtrace: failed to compile script binary.d: the file is binary, not D text' -s binary.d
check 1 'dtrace: no probes specified' -q
check 2 'dtrace: only one of the [-AGhlV] options can be specified at a time' -lV
check 2 'dtrace: illegal option -- j' -j
check 2 'dtrace: option requires an argument -- n' -n
check 1 'dtrace: failed to set -x nonsense: Invalid option name' -x nonsense -n BEGIN
check 1 'dtrace: failed to set -x bufsize: Invalid value for specified option' -x bufsize=x -n BEGIN
check 1 'dtrace: invalid probe specifier BEGIN { trace(foo) }: in action list: failed to resolve foo: Unknown variable name' -en 'BEGIN { trace(foo) }'
check 1 'dtrace: invalid probe specifier syscall::raed:entry: probe description syscall::raed:entry does not match any probes' -en syscall::raed:entry
check 1 "dtrace: failed to compile script good.d: line 1: extraneous argument 'x' (\$1 is not referenced)" -es good.d x
check 0 '' -es good.d
exit ${failed:-0}
