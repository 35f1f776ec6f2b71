# A counter of context switches that overflows at each fires as often as the scheduler's own tracepoint. The kernel passes over
# samples that come while another tracer's program is interrupted on the CPU, so that a busy machine needs several tries.
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
for _ in $(seq 20); do
    run -qn 'cpc:::context-switches-all-1 { @a = count(); } sdt:::sched_switch { @b = count(); }
        tick-300ms { exit(0); } END { printa("%@d ", @a); printa("%@d\n", @b); }'
    ended 0
    # Between the two one CPU may switch once more when tracing begins or ends.
    printf '%s\n' "$out" | awk -v n="$(nproc)" '
        NF == 2 && $1 > 10 { d = $1 - $2; if (d < 0) d = -d; ok = d <= 2 * n } END { exit !ok }' && exit 0
done
fail "never the same number"
