# Known numbers of system calls by two processes at once are counted exactly.
# @@timeout 60
# @@needs python3
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
cat > "$dir/calls.py" <<'PY'
import os
for i in range(50000):
    os.getppid()
PY
cat > "$dir/both.sh" <<SH
python3 $dir/calls.py &
python3 $dir/calls.py
wait
SH
out=$("$DTRACE" -qn 'syscall::getppid:entry /execname == "python3"/ { @ = count(); } END { printa("%@d", @); }' \
    -c "sh $dir/both.sh")
[ "$(echo $out)" = 100000 ] || { echo "counted <$out>"; exit 1; }
