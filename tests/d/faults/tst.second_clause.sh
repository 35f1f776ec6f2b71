# The enabling is that of the clause.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '2 (ID 1: dtrace:::BEGIN): divide-by-zero in action #1' -n 'BEGIN { x = 0; } BEGIN { trace(1 / x); } BEGIN { exit(0); }' 
exit ${failed:-0}
