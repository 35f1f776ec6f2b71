# Loads from where nothing is.
fault() { # wanted, then program and options
    want=$1
    shift
    got=$("$DTRACE" -q "$@" 2>&1 >/dev/null | sed 's/ at BPF pc [0-9]*$//')
    [ "$got" = "dtrace: error on enabled probe ID $want" ] || { echo "got    <$got>"; echo "wanted <dtrace: error on enabled probe ID $want>"; failed=1; }
}
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #1' -n 'BEGIN { trace(*(int *)0x10); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x0) in action #1' -n 'BEGIN { trace(*(char *)NULL); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x1008) in action #1' -n 'struct s { long a; long b; }; BEGIN { trace(((struct s *)0x1000)->b); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x20) in action #1' -n 'BEGIN { trace(stringof((char *)0x20)); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x30) in action #1' -n 'BEGIN { tracemem(0x30, 8); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x8) in action #1' -n 'BEGIN { trace(d_path((struct path *)8)); } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0x4) in action #2' -n 'int a[4]; BEGIN { this->i = 4; a[this->i] = 1; } BEGIN { exit(0); }' 
fault '1 (ID 1: dtrace:::BEGIN): invalid address (0xffffffffffffffff) in action #2' -n 'int a[4]; BEGIN { this->i = -1; trace(a[this->i]); } BEGIN { exit(0); }' 
exit ${failed:-0}
