# Strings that are not there.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #1' -n 'BEGIN { trace(copyinstr(0x10)); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x18) in action #1' -n 'BEGIN { trace(strjoin("a", stringof((char *)0x18))); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x18) in action #1' -n 'BEGIN { @[stringof((char *)0x18)] = count(); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x18) in predicate' -n 'BEGIN /stringof((char *)0x18) == "x"/ { trace(1); } BEGIN { exit(0); }' 
exit ${failed:-0}
