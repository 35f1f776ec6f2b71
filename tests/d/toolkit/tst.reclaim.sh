# Of a file that is larger than its control group may keep, all but that must be given back, by who writes it.
# @@needs unshare losetup mkfs.ext4
. "$(dirname "$0")/lib.bash"
. "$tests/../io/disk.bash"
. "$tests/../vminfo/group.bash"
in_group 24 <<L
dd if=/dev/zero of=$file bs=1M count=60 2>/dev/null
L
script reclaim -c "unshare -m bash $dir/load"
ended 0
has 'KSWAPD WAKES SCANNED PAGES BUSY_ms'
read -r count pages total max < <(printf '%s\n' "$out" | awk '$2 == "dd" && $3 == "cgroup" { print $4, $5, $6, $7 }')
# 36 MiB at least, 60 at most.
between $((36 << 8)) "${pages:-0}" $((60 << 8))
between 1 "$count" "$pages"
between 1 "$max" "$total"
[ "$(lines '[0-9]+ dd memory .*')" = 0 ] || fail "the machine is not short of memory"
