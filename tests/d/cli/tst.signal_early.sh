# A signal in the first moments leaves no process and no error but the signal's own.
. "$(dirname "$0")/lib.bash"
for delay in 0 0.002 0.005 0.01 0.02; do
    start -qn 'BEGIN { x = 1; } syscall:::entry { @ = count(); }'
    sleep $delay
    finish TERM
    case $status in 0 | 143) ;; *) fail "after $delay s" ;; esac
    said ''
done
