# How long mutexes are held: where the kernel shows it, times that are possible; elsewhere one line a reason.
# @@timeout 90
. "$(dirname "$0")/lib.bash"
run lockstat -H -e 33 ls /
if [ "$status" = 0 ]; then
    says 'lockstat: not shown: Spin lock hold: '
    prints 'Adaptive mutex hold: '
    prints 'R/W reader hold: '
    printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+%/ { n++; if ($5 <= 0 || $5 > 10e9 || $4 < 1) exit 1 } END { exit n < 3 }' || fail "times"
    # -A is waiting and holding; events by number; the parts of the whole; a duration that few holds reach.
    run lockstat -A -D 2 ls /
    ended 0
    prints 'Adaptive mutex hold: '
    run lockstat -e 34,35 -P ls /
    ended 0
    prints 'R/W writer hold: '
    [[ $out != *mutex* ]] || fail "not 34 and 35 only"
    printf '%s\n' "$out" | awk '/ events in / { sum = 0 } /^ *[0-9]+ +[0-9]+%/ { sum += $2; if (sum > 130) exit 1 }' || fail "more than the whole"
    run lockstat -H -e 32 -d 1000000 ls /
    ended 0
    printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+%/ && $5 < 1000000 { exit 1 }' || fail "-d: shorter times"
else
    ended 1
    printed ''
    says 'lockstat: not shown: Adaptive mutex hold: this kernel has no lockstat:::adaptive-acquire: '
    says 'lockstat: not shown: Spin lock hold: '
    run lockstat -A true
    ended 0
    says 'lockstat: not shown: Adaptive mutex hold: '
fi
run lockstat -E true
[ "$status" = 0 ] || says 'lockstat: not shown: Adaptive mutex not acquired: '
