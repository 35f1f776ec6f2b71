# Root without capabilities: one line; with those of BPF alone, it works or says what is missing.
# @@needs setpriv
. "$(dirname "$0")/../cli/lib.bash"
with() { what="$*"; local caps=$1; shift; setpriv --bounding-set="$caps" --inh-caps=-all "$DTRACE" "$@" >"$dir/.out" 2>"$dir/.err" </dev/null; status=$?; out=$(cat "$dir/.out") err=$(cat "$dir/.err"); }
with -all -qn 'BEGIN { exit(0); }'
ended 1
one_line
says 'DTrace requires additional privileges'
with -all,+bpf -qn 'BEGIN { exit(0); } syscall:::entry { @ = count(); }'
case $status in 0) said '' ;; 1) one_line ;; *) fail "with CAP_BPF" ;; esac
with -all,+bpf,+perfmon -qn 'BEGIN { exit(0); } syscall:::entry { @ = count(); }'
case $status in 0) said '' ;; 1) one_line ;; *) fail "with CAP_BPF and CAP_PERFMON" ;; esac
