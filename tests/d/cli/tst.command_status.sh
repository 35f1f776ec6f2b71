# How -c commands end is told; a command that does not exist is an error.
fail() { echo "$*"; exit 1; }
err=$("$DTRACE" -n 'END {}' -c 'sh -c "exit 3"' 2>&1 >/dev/null | tail -1)
echo "$err" | grep -q '^dtrace: pid [0-9]* exited with status 3$' || fail "$err"
err=$("$DTRACE" -n 'END {}' -c true 2>&1 >/dev/null | tail -1)
echo "$err" | grep -q '^dtrace: pid [0-9]* has exited$' || fail "$err"
err=$("$DTRACE" -qn 'END {}' -c /no/such/command 2>&1) && fail "no error"
[ "$err" = "dtrace: failed to execute /no/such/command: No such file or directory" ] || fail "$err"
# A command does not run if its program does not compile.
file=$(mktemp -u)
"$DTRACE" -n 'BEGIN { nonsense }' -c "touch $file" 2>/dev/null && fail "no error"
[ ! -e "$file" ] || fail "the command ran"
