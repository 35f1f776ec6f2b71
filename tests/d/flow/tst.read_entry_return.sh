# -F indents and shows arrows.
out=$("$DTRACE" -Fn 'syscall::getppid:entry,syscall::getppid:return /pid == $target/ {}' \
    -c "python3 -c 'import os; os.getppid()'" 2>/dev/null)
echo "$out" | grep -q '^CPU FUNCTION' || { echo "$out"; exit 1; }
echo "$out" | grep -q '=> getppid' && echo "$out" | grep -q '<= getppid' || { echo "$out"; exit 1; }
