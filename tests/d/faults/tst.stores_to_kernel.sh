# Kernel memory cannot be written.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//; s/ (0xffff[0-9a-f]*)//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): invalid address in action #1' -n 'BEGIN { curthread->pid = 5; trace(1); } BEGIN { exit(0); }' 
exit ${failed:-0}
