# Buffers in which a record, or under fill all that END records, cannot lie are refused.
. "$(dirname "$0")/../cli/lib.bash"
run -q -b 48 -x bufpolicy=fill -n 'BEGIN { trace(1); exit(0); }' -n 'END { trace(1); }' -n 'END { trace(2); }' -n 'END { trace(3); }'
ended 1
said 'dtrace: could not enable tracing: END enablings exceed size of principal buffer'
for policy in switch fill ring; do
    run -q -b 16 -x bufpolicy=$policy -n 'BEGIN { trace(1); exit(0); }'
    ended 1
    said 'dtrace: could not enable tracing: Enabling exceeds size of buffer'
    # The same program in a buffer that is large enough.
    run -q -b 32 -x bufpolicy=$policy -n 'BEGIN { trace(1); exit(0); }'
    ended 0
    said ''
    prints 1
done
