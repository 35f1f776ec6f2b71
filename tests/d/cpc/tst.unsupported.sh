# An event that this machine cannot count is one clear line, whatever else it counts; where it can, it counts.
. "$(dirname "$0")/../cli/lib.bash"
refused=0 counted=0
for event in PAPI_l3_tcm PAPI_l1_dcm PAPI_tlb_dm node-load-misses r7fff; do
    run -qn "cpc:::$event-all-5000 { @ = count(); } tick-100ms { exit(0); }"
    if [ "$status" = 0 ]; then
        counted=$((counted + 1))
        continue
    fi
    ended 1
    one_line
    says "event $event cannot be sampled: "
    refused=$((refused + 1))
done
# Every machine refuses an event that no processor has (raw numbers are the processor's own).
run -qn 'cpc:::no_such_event-all-5000 { } tick-100ms { exit(0); }'
ended 1
says 'does not match any probes'
[ $((refused + counted)) = 5 ] || fail "neither counted nor refused"
