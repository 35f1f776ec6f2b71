# The statements of the clause are counted.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #3' -n 'BEGIN { x = 0; trace(1); trace(5 / x); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #4' -n 'BEGIN { x = 0; trace(1); printf("%d", 2); printf("%d", 5 / x); } BEGIN { exit(0); }' 
exit ${failed:-0}
