# Division and remainder by zero.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #2' -n 'BEGIN { x = 0; trace(5 / x); exit(0); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #2' -n 'BEGIN { x = (int64_t)0; trace(5 % x); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in action #2' -n 'BEGIN { x = (uint64_t)0; trace(5 / x); } BEGIN { exit(0); }' 
exit ${failed:-0}
