# The largest process of a control group is killed when another one wants more than the limit leaves.
# @@needs unshare
. "$(dirname "$0")/lib.bash"
. "$tests/../vminfo/group.bash"
ulimit -c 0
in_group 24 <<L
exec 2>/dev/null
$load hold 4000 9000 &
large=\$!
sleep 0.5
$load touch 3000 &
echo "\$large \$!" >$dir/pids
wait \$!
kill \$large
wait
L
script oomkills -c "unshare -m bash $dir/load"
ended 0
read -r large small <"$dir/pids"
read -r by pid uid rss size < <(printf '%s\n' "$out" | awk '$6 == "load" && $NF == "load" { print $5, $7, $8, $9, $10 }')
[ "$by $pid $uid" = "$small $large 0" ] || fail "$by, $pid, $uid: not $small, $large, 0"
between 16000 "$rss" 20000
between "$rss" "$size" 40000
prints 'vmlinux`mem_cgroup_out_of_memory'
[ "$(lines '[0-9]{4} .* load')" = 1 ] || fail "not one line"
