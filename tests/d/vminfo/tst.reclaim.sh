# A control group that reads more than it may keep: pages scanned, freed and read are as many as the kernel counts.
# @@needs unshare losetup mkfs.ext4
. "$(dirname "$0")/../cli/lib.bash"
. "$(dirname "$0")/../io/disk.bash"
. "$(dirname "$0")/group.bash"
in_group 24 <<L
dd if=/dev/zero of=$file bs=1M count=60 2>/dev/null
sync $file
cat $file >/dev/null
L
# counted: pages scanned, pages freed, KiB read, as the kernel counts them since it started.
counted() {
    awk '/^pgscan_(file|anon) / { s += $2 } /^pgsteal_(file|anon) / { f += $2 } /^pgpgin / { r = $2 } END { print s, f, r }' /proc/vmstat
}
read -r scanned freed kib < <(counted)
run -qn 'int requests, pages, scanned, freed, files;
    vminfo:::pgin { requests += arg0; } vminfo:::pgpgin { pages += arg0; } vminfo:::scan { scanned += arg0; }
    vminfo:::dfree { freed += arg0; } vminfo:::fsfree { files += arg0; }
    END { printf("traced %d %d %d %d %d\n", requests, pages, scanned, freed, files); }' -c "unshare -m bash $dir/load"
read -r scanned_after freed_after kib_after < <(counted)
ended 0
read -r _ requests pages traced_scanned traced_freed files <<<"$out"
[ "$requests" -gt 0 ] && [ "$requests" -le "$pages" ] || fail "requests"
[ "$pages" -ge $((40 << 8)) ] && [ $((pages * 4)) -le $((kib_after - kib + 4 * requests)) ] ||
    fail "read $((kib_after - kib)) KiB"
# What was reclaimed before tracing began or after it ended is in the kernel's counts only; pages that lists by generations
# (CONFIG_LRU_GEN) put aside are in its tracepoint only.
near() { [ "$1" -gt 0 ] && [ "$1" -le $(($2 + $2 / 100)) ] && [ "$1" -ge $(($2 - $2 / 10)) ] || fail "$3: traced $1, the kernel counted $2"; }
near "$traced_scanned" $((scanned_after - scanned)) scan
near "$traced_freed" $((freed_after - freed)) dfree
[ "$files" -gt 0 ] && [ "$files" -le "$traced_freed" ] || fail "fsfree"
