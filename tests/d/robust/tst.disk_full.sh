# The disk fills under -o: one line, status 1, and what fitted is there.
# @@needs unshare
# @@timeout 30
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.sh" <<'S'
mount -t tmpfs -o size=64k none "$1/small" || exit 99
"$DTRACE" -qo "$1/small/out" -n 'tick-1ms { printf("%0500d\n", n++); }' 2> "$1/.err"
echo $? > "$1/status"
head -c 501 "$1/small/out" > "$1/first"
S
mkdir "$dir/small"
unshare -m sh "$dir/t.sh" "$dir" || { [ $? = 99 ] && exit 0; fail unshare; }
status=$(cat "$dir/status") err=$(cat "$dir/.err") out=$(cat "$dir/first") what='a full disk'
ended 1
one_line
says 'No space left on device'
printed "$(printf '%0500d' 0)"
