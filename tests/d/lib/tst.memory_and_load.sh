# What a process has in memory, and how much of a CPU its thread uses, compared with what the kernel tells the process itself.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/a.sh" <<'A'
text=$(printf '%30000000s' x)
for ((i = 0; i < 100000; i++)); do :; done
read -r _ pages _ < /proc/self/statm
read -r _ total _ < /proc/meminfo
echo $pages $total
A
cat > "$dir/p.d" <<'D'
syscall::write:entry /pid == $target/ {
	printf("%d %d %d %d %d\n", curpsinfo->pr_rssize, curpsinfo->pr_pctmem, curlwpsinfo->pr_pctcpu, curlwpsinfo->pr_cpu,
	    curpsinfo->pr_size);
	exit(0);
}
D
run -qs "$dir/p.d" -c "bash $dir/a.sh"
ended 0
read -r pages total rss memory load cpu size < <(tr '\n' ' ' < <(echo "$out"))
want=$((pages * $(getconf PAGESIZE) / 1024))
near() { [ $(($1 - $2)) -le "$3" ] && [ $(($2 - $1)) -le "$3" ]; }
near "$rss" "$want" $((want / 10)) || fail "in memory: $rss KiB, not $want"
[ "$size" -ge "$rss" ] || fail "size $size"
near "$memory" $((rss * 32768 / total)) 2 || fail "share of memory: $memory"
[ "$load" -gt 300 ] && [ "$load" -le 32768 ] || fail "share of a CPU: $load"
near "$cpu" $((load * 100 / 32768)) 1 || fail "per cent: $cpu"
