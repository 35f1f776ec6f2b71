# Requests and bytes of a disk are those that the block layer counts itself; start and done are pairs.
# @@needs losetup mkfs.ext4
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
dd if=/dev/zero of="$dir/disk" bs=1M count=16 status=none
loop=$(losetup --direct-io=on -f --show "$dir/disk" 2>/dev/null || losetup -f --show "$dir/disk") || exit 1
trap 'losetup -d $loop; rm -rf "$dir"' EXIT
name=${loop#/dev/}
cat >"$dir/load" <<SH
awk '\$3 == "$name" { print "before", \$4, \$6, \$8, \$10 }' /proc/diskstats
for n in 3 700 12 55 9 400; do
    dd if=$loop of=/dev/null bs=16k count=50 skip=\$n iflag=direct status=none
done
dd if=/dev/zero of=$loop bs=32k count=100 oflag=direct status=none
awk '\$3 == "$name" { print "after", \$4, \$6, \$8, \$10 }' /proc/diskstats
SH
run -qn 'io:::start /args[1]->dev_statname == $$1/
    { @n[args[0]->b_flags & B_READ ? "read" : "write", probename] = count();
      @b[args[0]->b_flags & B_READ ? "read" : "write", probename] = sum(args[0]->b_bcount);
      @who[execname] = count(); at[arg0] = args[0]->b_blkno + 1; }
    io:::done /args[1]->dev_statname == $$1/
    { @n[args[0]->b_flags & B_READ ? "read" : "write", probename] = count();
      @b[args[0]->b_flags & B_READ ? "read" : "write", probename] = sum(args[0]->b_bcount);
      @pairs[at[arg0] == args[0]->b_blkno + 1 ? "pair" : "no pair"] = count(); at[arg0] = 0; }
    io:::done /args[1]->dev_statname == $$1 && (args[0]->b_error || !(args[0]->b_flags & B_DONE))/ { @wrong["wrong"] = count(); }
    END { printa("count %s %s %@d\n", @n); printa("bytes %s %s %@d\n", @b); printa("%s %@d\n", @pairs); printa("by %s %@d\n", @who);
          printa("%s %@d\n", @wrong); }' -c "sh $dir/load" "$name"
ended 0
printf '%s\n' "$out" | awk '
    $1 == "before" { r = $2; rs = $3; w = $4; ws = $5 }
    $1 == "after" { want["count", "read"] = $2 - r; want["bytes", "read"] = ($3 - rs) * 512
        want["count", "write"] = $4 - w; want["bytes", "write"] = ($5 - ws) * 512 }
    $1 == "count" || $1 == "bytes" { lines++; if (want[$1, $2] != $4 || $4 == 0) bad = 1 }
    $1 == "pair" { pairs = $2 }
    $1 == "by" && $2 == "dd" { dd = $3 }
    $1 == "no" || $1 == "wrong" { bad = 1 }
    END { exit bad || lines != 8 || pairs != want["count", "read"] + want["count", "write"] || dd != pairs }' ||
    fail "not what /proc/diskstats counts"
