# A file that is read from a disk: its name, requests and bytes.
# @@needs losetup mkfs.ext4
. "$(dirname "$0")/lib.bash"
dd if=/dev/zero of="$dir/disk" bs=1M count=16 status=none
mkfs.ext4 -q "$dir/disk" && mkdir "$dir/mnt" && mount -o loop "$dir/disk" "$dir/mnt" || exit 1
trap 'umount "$dir/mnt"; rm -rf "$dir"' EXIT
"$load" write 16 65536 "$dir/mnt/thefile" fsync
umount "$dir/mnt" && mount -o loop "$dir/disk" "$dir/mnt" || exit 1
script iofiles -c "$load read 16 65536 $dir/mnt/thefile"
ended 0
like 'load loop[0-9]+ R thefile [0-9]+ 1048576'
