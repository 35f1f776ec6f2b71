# Slips of a new user: each one clear line.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
for text in 'syscall::opnat:entry' 'sycall:::entry' 'BEGIN { trace(exename); }' 'BEGIN { trace(curthread->pidd); }' 'BEGIN { printf("%d", execname); }' \
    'BEGIN { printf("%s"); }' 'BEGIN { trace(foo()); }' 'BEGIN { exit 0; }' 'BEGIN { trace(1) ' 'tick-5 sec { }' 'BEGIN { x == 1; }' 'BEGIN { @a = cuont(); }' \
    'profile-97hz { @[stak()] = count(); }' 'BEGIN { struct nope x; }' 'BEGIN { trace(sizeof (struct nope)); }'; do
    run -en "$text"
    ended 1
    printed ''
    says 'dtrace: invalid probe specifier '
    [ "$(printf '%s\n' "$err" | wc -l)" -le 4 ] || fail "more than one message"
done
