# Sourced after lib.bash by tests that need a disk: leaves $file, a new file on a file system of its own.
dd if=/dev/zero of="$dir/disk" bs=1M count=96 status=none
loop=$(losetup -f --show "$dir/disk") || exit 1
mkdir "$dir/mnt"
trap 'umount "$dir/mnt" 2>/dev/null; losetup -d $loop; rm -rf "$dir"' EXIT
mkfs.ext4 -q "$loop" && mount "$loop" "$dir/mnt" || exit 1
file=$dir/mnt/file
: >"$file"
