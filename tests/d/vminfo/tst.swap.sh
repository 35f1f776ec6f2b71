# A process with more memory than it may keep: its pages are written to a swap space and come back.
# @@needs python3 unshare losetup mkswap probe=vminfo:::pgswapout
. "$(dirname "$0")/../cli/lib.bash"
. "$(dirname "$0")/group.bash"
dd if=/dev/zero of="$dir/disk" bs=1M count=96 status=none
loop=$(losetup -f --show "$dir/disk") || exit 1
trap 'swapoff $loop; losetup -d $loop; rm -rf "$dir"' EXIT
mkswap "$loop" >/dev/null && swapon "$loop" || exit 1
cat >"$dir/t.py" <<'P'
import mmap
m = mmap.mmap(-1, 48 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
m.madvise(mmap.MADV_NOHUGEPAGE)
for twice in range(2):
    for n in range(0, len(m), 4096): m[n] = 1 + twice
P
in_group 24 <<<"python3 $dir/t.py"
counted() { awk '$1 == "pswpin" { i = $2 } $1 == "pswpout" { o = $2 } END { print i, o }' /proc/vmstat; }
read -r came went < <(counted)
run -qn 'int in, out, swapin, swapout, freed;
    vminfo:::anonpgin { in += arg0; } vminfo:::anonpgout { out += arg0; } vminfo:::anonfree { freed += arg0; }
    vminfo:::pgswapin { swapin += arg0; } vminfo:::pgswapout { swapout += arg0; }
    END { printf("%d %d %d %d %d\n", in, out, swapin, swapout, freed); }' -c "unshare -m bash $dir/load"
read -r came_after went_after < <(counted)
ended 0
read -r in out_ swapin swapout freed <<<"$out"
came=$((came_after - came)) went=$((went_after - went))
[ "$came" -gt 1000 ] && [ "$went" -gt 1000 ] || fail "the load did not swap: $came $went"
[ "$in" = "$swapin" ] && [ "$out_" = "$swapout" ] && [ "$freed" -gt 0 ] || fail "counters differ"
# Since Linux 6.12 a page of zeros is not written, but it comes back; the kernel does not count it then.
near() { [ "$1" -le $(($2 + $2 / 20)) ] && [ "$1" -ge $(($2 - $2 / 10)) ] || fail "$3: traced $1, the kernel counted $2"; }
near "$in" "$came" anonpgin
near "$out_" "$went" anonpgout
