# Every stage can be shown without privileges.
# @@needs nothing
for stage in ast typed ir asm; do
    out=$("$DTRACE" --dump=$stage -n 'syscall::read:entry { @[execname] = count(); }') || exit 1
    [ "$(echo "$out" | wc -l)" -gt 3 ] || { echo "$stage: $out"; exit 1; }
done
"$DTRACE" --dump=nonsense -n BEGIN 2>/dev/null
[ $? = 2 ]
