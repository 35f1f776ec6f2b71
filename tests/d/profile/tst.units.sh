# All units are taken; others, and rates of none, are not.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
for u in 1 1hz 97hz 300000ns 300000nsec 300us 300usec 1ms 1msec 1s 1sec 1m 1min 1h 1hour 1d 1day; do
    run -en "tick-$u { }"; ended 0
    run -en "profile-$u { }"; ended 0
done
for u in 0 0hz 1x -1 1.5s 1week '' 99999999999999999999s; do
    run -en "tick-$u { }"
    ended 1
    one_line
    says 'does not match any probes'
done
