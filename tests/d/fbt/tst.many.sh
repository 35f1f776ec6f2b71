# Many functions share one program: each call is that of its own probe, with the arguments and results by the calling
# convention, and nothing is left when the tracer ends.
# @@needs probe=fbt::vfs_read:entry
# @@timeout 240
set -e
out=$(mktemp)
trap 'rm -f "$out"' EXIT
$DTRACE -q -c 'dd if=/dev/zero of=/dev/null bs=16 count=100 status=none' -n '
fbt::vfs_*:entry /pid == $target/ { self->depth[probefunc]++; @in[probefunc] = count(); }
fbt::vfs_*:entry /pid == $target && probefunc == "vfs_read" && arg2 == 16/ { self->mine = 1; @size["size", arg2] = count(); }
fbt::vfs_*:return /self->mine && probefunc == "vfs_read"/ { @ret["ret", arg1] = count(); self->mine = 0; }
END { printa("%s %d %@u\n", @size); printa("%s %d %@u\n", @ret); trunc(@in); }' >"$out" 2>&1 || { cat "$out"; exit 1; }
grep -qx 'size 16 100' "$out" && grep -qx 'ret 16 100' "$out" || { cat "$out"; exit 1; }
