# All ancestors count, however many there are: a process under sixty others.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/nest.sh" <<'S'
if [ "$1" -gt 0 ]; then sh "$0" $(($1 - 1)); else cat /dev/null; fi
true
S
$DTRACE -qn 'syscall::exit_group:entry
/execname == "cat"/
{
	@[pid == $target, progenyof($target), progenyof(1), progenyof(4194303)] = count();
}
END { printa("%d %d %d %d\n", @); }' -c "sh $dir/nest.sh 60" > "$dir/out" 2>&1
grep -qx '0 1 1 0' "$dir/out" || { cat "$dir/out"; exit 1; }
