# A function that uses the CPU is seen in proportion to its time.
. "$(dirname "$0")/lib.bash"
script hotuser -c "$load burn 300"
ended 0
n=$(printf '%s\n' "$out" | awk '$2 == "load`burn" { print $3 }')
between 240 "${n:-0}" 330
like 'COMM FUNCTION SAMPLES'
