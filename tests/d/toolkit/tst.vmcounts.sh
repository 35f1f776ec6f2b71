# First touches of pages are counted.
# @@needs probe=vminfo:::as_fault
. "$(dirname "$0")/lib.bash"
script vmcounts -c "$load touch 1500"
ended 0
n=$(printf '%s\n' "$out" | awk '$1 == "as_fault" && $2 == "load" { print $3 }')
[ "${n:-0}" -ge 1500 ] || fail "$n only"
script vmcounts -c "$load sleep 1 1200" 1
[ "$(lines 'COUNTER COMM COUNT')" = 2 ] || fail "not two reports"
