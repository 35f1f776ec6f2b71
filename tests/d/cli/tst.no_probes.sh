# Nothing to do is an error.
# @@needs nothing
. "$(dirname "$0")/lib.bash"
for a in -q -e -w -F 'operand' '-x quiet'; do
    # shellcheck disable=SC2086
    run $a
    ended 1
    said 'dtrace: no probes specified'
done
