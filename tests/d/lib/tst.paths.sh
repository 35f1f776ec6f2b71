# Paths however deep, across mounts, of a process with a root of its own, of deleted files and of what has none.
# @@needs unshare chroot
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
dir=$(realpath "$dir")
fail() { echo "$*"; exit 1; }

# What reading file descriptor 0 is said to read.
cat > "$dir/p.d" <<'END'
#pragma D option quiet
#pragma D option strsize=2k
syscall::read:entry
/execname == "wc" && arg0 == 0/
{
	printf("%s|%s|%s|%s|%s|%s\n", fds[0].fi_pathname, fds[0].fi_dirname, fds[0].fi_name, fds[0].fi_mount, cwd, root);
	exit(0);
}
END
# what, expected, command
check() {
	got=$(timeout 20 "$DTRACE" -o "$dir/out" -s "$dir/p.d" -c "$3" >/dev/null 2>"$dir/err"; grep '|' "$dir/out"; cat "$dir/err"; rm -f "$dir/out")
	[ "$got" = "$2" ] || fail "$1: <$got>, not <$2>"
}

# Sixty directories.
deep=$dir
for n in $(seq 60); do deep=$deep/name_of_directory_$n; done
mkdir -p "$deep" && echo x > "$deep/file" || exit 1
top=$(stat -c %m "$dir")
check deep "$deep/file|$deep|file|$top|$deep|/" "sh -c \"cd $deep && exec wc < file\""

# A file system on another, and a directory of that in a third place.
mkdir "$dir/a" "$dir/b"
cat > "$dir/mounts" <<END
mount -t tmpfs none $dir/a && mkdir -p $dir/a/c/d $dir/a/m && echo x > $dir/a/c/d/file && mount -t tmpfs none $dir/a/m &&
mount --bind $dir/a/c $dir/b && cd $dir/a/m && exec wc < $dir/b/d/file
END
check mounted "$dir/b/d/file|$dir/b/d|file|$dir/b|$dir/a/m|/" "unshare -m sh $dir/mounts"

# From outside of a changed root the whole path is seen.
mkdir "$dir/jail"
cat > "$dir/chroot" <<END
mount --bind / $dir/jail && cd $dir/jail && exec chroot $dir/jail sh -c 'cd /usr && exec wc < /etc/passwd'
END
check chroot "$dir/jail/etc/passwd|$dir/jail/etc|passwd|$dir/jail|$dir/jail/usr|$dir/jail" "unshare -m sh $dir/chroot"

echo x > "$dir/gone"
check deleted "$dir/gone (deleted)|$dir|gone|$top|/|/" "sh -c \"cd / && exec 3<$dir/gone && rm $dir/gone && exec wc <&3\""
check pipe '<unknown>|.|<unknown>|<unknown>|/|/' "sh -c 'cd / && echo x | exec wc'"
# What is not mounted anywhere any more has no path.
mkdir "$dir/l"
cat > "$dir/lazy" <<END
mount -t tmpfs none $dir/l && echo x > $dir/l/file && exec 3< $dir/l/file && umount -l $dir/l && cd / && exec wc <&3
END
check lazy '<unknown>|.|file|<unknown>|/|/' "unshare -m sh $dir/lazy"
check 'the root' '/|/|/|/|/|/' "sh -c 'cd / && exec wc < / 2>/dev/null'"
