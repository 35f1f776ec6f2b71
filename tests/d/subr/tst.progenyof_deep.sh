# Ancestors are found however many there are in between.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/deep" <<'S'
#!/bin/sh
[ $1 = 0 ] || $0 $(($1 - 1))
exit 0
S
chmod +x "$dir/deep"
run -qn 'syscall::exit_group:entry /execname == "deep" && progenyof($target)/ { n++; } END { printf("%d\n", n); }' -c "$dir/deep 60"
ended 0
prints 61
