# A process in mount and pid namespaces of its own: its files and its perf map are found in its root.
# @@needs cc
# @@timeout 60
# @@needs unshare
. "$(dirname "$0")/lib.bash"
chain
mkdir inside
cat >contained.sh <<C
mount -t tmpfs none $PWD/inside || exit 9
cp chain inside/contained
./inside/contained 2 >/dev/null
sleep 0.5
./inside/contained 2 >/dev/null
C
unshare -m -p --fork true 2>/dev/null || { echo "no namespaces here"; exit 0; }
run -qn 'syscall::write:entry /execname == "contained"/ { @[ustack(2)] = count(); ustack(2); }' \
    -c 'unshare -m -p --fork --mount-proc bash contained.sh'
ended 0
[ "$(grep -c '^ *contained`inner+0x' <<<"$out")" = 6 ] || fail "functions of a program that exists in a container only"
