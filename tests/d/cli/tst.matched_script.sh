# Scripts are named by their file in the notice, with all probes of all clauses.
. "$(dirname "$0")/lib.bash"
cat > "$dir/a.d" <<'D'
BEGIN { exit(0); }
END { }
syscall::read:, syscall::write: { @ = count(); }
D
cd "$dir" || exit 1
run -s a.d
ended 0
said "dtrace: script 'a.d' matched 6 probes"
run -qs a.d
said ''
echo 'BEGIN { exit(0); }' > one.d
run -s one.d
said "dtrace: script 'one.d' matched 1 probe"
