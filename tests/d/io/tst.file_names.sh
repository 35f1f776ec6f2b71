# Requests of a file system's files tell the file; waiting for them is seen in the thread that waits.
# @@needs losetup mkfs.ext4
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
dd if=/dev/zero of="$dir/disk" bs=1M count=32 status=none
mkfs.ext4 -q "$dir/disk" && mkdir "$dir/mnt" && mount -o loop "$dir/disk" "$dir/mnt" || exit 1
trap 'umount "$dir/mnt"; rm -rf "$dir"' EXIT
cat >"$dir/load" <<SH
dd if=/dev/zero of="$dir/mnt/thefile" bs=32k count=100 conv=fsync status=none
echo 1 >/proc/sys/vm/drop_caches
cat "$dir/mnt/thefile" >/dev/null
SH
run -qn 'io:::start, io:::done /args[2]->fi_name == "thefile"/
    { @[probename, args[2]->fi_fs, args[0]->b_flags & B_READ ? "read" : "write"] = sum(args[0]->b_bcount); }
    io:::wait-start { self->at = timestamp; }
    io:::wait-done /self->at && (execname == "cat" || execname == "dd")/ { @w["waits", execname] = count(); }
    io:::wait-done { self->at = 0; }
    END { printa("%s %s %s %@d\n", @); printa("%s %s %@d\n", @w); }' -c "sh $dir/load"
ended 0
for line in "start ext4 write 3276800" "done ext4 write 3276800" "start ext4 read 3276800" "done ext4 read 3276800"; do
    printf '%s\n' "$out" | grep -Fxq "$line" || fail "lacks: $line"
done
printf '%s\n' "$out" | grep -q '^waits dd [1-9]' || fail "dd never waited"

# Its whole path, by the oldest of the mounts, whichever it was opened by; who waits does not know.
mkdir -p "$dir/mnt/some/folder" "$dir/bound" && mount --bind "$dir/mnt" "$dir/bound" || exit 1
trap 'umount "$dir/bound" "$dir/mnt"; rm -rf "$dir"' EXIT
run -qn 'io:::start, io:::done /args[2]->fi_name == "other"/
    { @[probename, args[2]->fi_pathname, args[2]->fi_dirname, args[2]->fi_mount] = count(); }
    io:::wait-done { @w[args[2]->fi_pathname, args[2]->fi_mount] = count(); }
    END { printa("%s %s %s %s\n", @); printa("waited %s %s\n", @w); }' \
    -c "dd if=/dev/zero of=$dir/bound/some/folder/other bs=32k count=10 conv=fsync status=none"
ended 0
for name in start done; do
    printf '%s\n' "$out" | grep -Fxq "$name $dir/mnt/some/folder/other $dir/mnt/some/folder $dir/mnt" || fail "no path at $name"
done
printf '%s\n' "$out" | grep -Fxq "waited <none> <none>" || fail "nobody waited"
