# Scratch memory ends.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): out of scratch space in action #2' -n 'BEGIN { n = 1000000; this->p = (char *)alloca(n); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #2' -n 'BEGIN { this->p = (char *)alloca(8); bcopy((void *)0x10, this->p, 8); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #2' -n 'BEGIN { this->p = (char *)alloca(8); bcopy(this->p, (void *)0x10, 8); } BEGIN { exit(0); }' 
exit ${failed:-0}
