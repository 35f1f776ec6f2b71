# A fault in a predicate is said to be there.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): divide-by-zero in predicate' -n 'int x; BEGIN /1 / x/ { trace(1); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in predicate' -n 'BEGIN / *(int *)0x10/ { trace(1); } BEGIN { exit(0); }' 
exit ${failed:-0}
