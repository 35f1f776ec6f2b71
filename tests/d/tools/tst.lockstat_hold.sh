# How long mutexes are held: where the kernel shows it, times that are possible; elsewhere one line a reason.
# @@timeout 90
. "$(dirname "$0")/lib.bash"
run lockstat -H -e 33 ls /
if [ "$status" = 0 ]; then
    says 'lockstat: not shown: Spin lock hold: '
    prints 'Adaptive mutex hold: '
    prints 'R/W reader hold: '
    printf '%s\n' "$out" | awk '/^ *[0-9]+ +[0-9]+%/ { n++; if ($5 <= 0 || $5 > 10e9 || $4 < 1) exit 1 } END { exit n < 3 }' || fail "times"
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
