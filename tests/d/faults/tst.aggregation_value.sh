# The value of an aggregation may fault.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x18) in action #1' -n 'BEGIN { @ = sum(*(int *)0x18); } BEGIN { exit(0); }' 
exit ${failed:-0}
