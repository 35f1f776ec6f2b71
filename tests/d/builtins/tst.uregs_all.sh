# Every register by its name: a program in assembly sets all of them to known values and makes a system call.
# @@needs cc
. "$(dirname "$0")/../cli/lib.bash"
case $(uname -m) in
aarch64)
    names="$(seq -s ' ' -f 'X%g' 0 30)"
    same='R_FP:R_X29 R_LR:R_X30 R_R0:R_X0 R_R1:R_X1 R_SP:R_X27 R_PC:R_X26'
    # Equal and not less: Z and C. The lowest bits are the mode, 0 is the user's.
    flags='(uregs[R_PSTATE] >> 28) == 6 && (uregs[R_PS] & 15) == 0'
    cat >"$dir/set.S" <<'S'
.globl _start
_start:
.irp n,0,1,2,3,4,5,6,7,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,28,29,30
    mov x\n, #1000 + \n
.endr
    mov x8, #173
    mov x27, sp
    adr x26, after
    cmp x1, x1
    svc #0
after:
    mov x0, #0
    mov x8, #93
    svc #0
S
    ;;
x86_64)
    names='RBX RDX RSI RDI RBP R8 R9 R10 R14 R15'
    same='R_FP:R_RBP R_PC:R_R13 R_RIP:R_R13 R_SP:R_R12 R_RSP:R_R12 R_PS:R_RFL R_R1:R_RDX'
    flags='(uregs[R_RFL] & 0x44) == 0x44'
    {
        echo '.globl _start'
        echo '_start:'
        n=1000
        for name in $names; do
            echo "    mov \$$n, %$(echo "$name" | tr A-Z a-z)"
            n=$((n + 1))
        done
        cat <<'S'
    mov %rsp, %r12
    lea after(%rip), %r13
    mov $110, %eax
    cmp %rsp, %rsp
    syscall
after:
    mov $60, %eax
    xor %edi, %edi
    syscall
S
    } >"$dir/set.S"
    ;;
*) fail "no registers are known of $(uname -m)" ;;
esac
cc -nostdlib -static -o "$dir/set" "$dir/set.S" || fail cc
n=1000 body=
for name in $names; do
    case $name in
    X8) want=173 ;;
    X26 | X27) want="uregs[R_$name]" ;;
    *) want=$n ;;
    esac
    body="$body if (uregs[R_$name] != $want) { printf(\"$name %x\\n\", uregs[R_$name]); }"
    n=$((n + 1))
done
for pair in $same; do
    body="$body if (uregs[${pair%:*}] != uregs[${pair#*:}]) { printf(\"${pair%:*} %x\\n\", uregs[${pair%:*}]); }"
done
run -qn "syscall::getppid:entry /pid == \$target/ { $body printf(\"flags %d\\n\", $flags); }" -c "$dir/set"
ended 0
printed 'flags 1'
