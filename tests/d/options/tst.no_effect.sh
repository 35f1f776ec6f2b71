# Options that scripts set and that have nothing to do here are taken, and change nothing.
. "$(dirname "$0")/../cli/lib.bash"
for o in iregs=8 tregs=8 kdefs udefs late=static lazyload pgmax=4 preallocate=1m cleanrate=10hz jstackstrsize=1k maxframes=9 lockmem=unlimited linkmode=kernel linknommap strip printsize=1k bpflogsize=1m evaltime=exec demangle=no bpflog; do
    run -q -x $o -n 'BEGIN { printf("%d", 6 * 7); exit(0); }'
    ended 0
    said ''
    printed 42
done
run -q -x iregs=0 -n BEGIN
ended 1
said 'dtrace: failed to set -x iregs: Invalid value for specified option'
