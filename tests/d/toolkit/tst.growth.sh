# A mapping of 4000 KiB.
. "$(dirname "$0")/lib.bash"
script growth -c "$load touch 1000"
ended 0
[ "$(with_frame 'load`more' KiB)" = 4000 ] || fail "not 4000 KiB"
