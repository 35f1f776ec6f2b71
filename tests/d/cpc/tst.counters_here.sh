# Hardware counters count where the machine has them; where it has none, one line says so and nothing else breaks.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'cpc:::PAPI_tot_cyc-all-1000000 { @ = count(); } tick-1s { exit(0); }'
if ls /sys/bus/event_source/devices | grep -qE '^(cpu|cpu_core|armv[0-9].*)$'; then
    ended 0
    [ "$(printf '%s\n' "$out" | tr -d ' ')" -gt 0 ] || fail "no cycles"
else
    ended 1
    one_line
    case $err in *"event PAPI_tot_cyc cannot be sampled: "*"no such performance counter"*) ;; *) fail "wrong line" ;; esac
    run -l -n 'cpc:::cpu-cycles-*'
    ended 1
fi
run -l -P cpc; ended 0
printf '%s\n' "$out" | grep -q 'page-faults-all-100$' || fail "page faults are not listed"
