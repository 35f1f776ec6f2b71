# Operations on a file are seen with the file and what they gave, however the kernel shows them.
# @@needs python3
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/t.py" <<'P'
import os, sys
fd = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
for _ in range(3):
    os.write(fd, b"x" * 100)
os.lseek(fd, 0, os.SEEK_SET)
for _ in range(4):
    os.read(fd, 90)
os.fsync(fd)
os.close(fd)
os.listdir(os.path.dirname(sys.argv[1]))
P
run -qn 'fsinfo:::open, fsinfo:::close, fsinfo:::read, fsinfo:::write, fsinfo:::fsync, fsinfo:::seek
    /pid == $target && args[0]->fi_name == "some_file"/ { @[probename, args[1]] = count(); }
    fsinfo:::readdir /pid == $target && args[0]->fi_pathname == $$1 && args[1] >= 0/ { @d = count(); }
    END { printa("%s %d %@d\n", @); printa("readdir %@d\n", @d); }' -c "python3 $dir/t.py $dir/some_file" "$dir"
ended 0
for line in 'open 0 1' 'write 100 3' 'seek 0 1' 'read 90 3' 'read 30 1' 'fsync 0 1' 'close 0 1'; do
    printf '%s\n' "$out" | grep -Fxq "$line" || fail "lacks: $line"
done
prints readdir
