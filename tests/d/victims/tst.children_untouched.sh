# Output, input and status of the command are the user's; arguments arrive as typed.
. "$(dirname "$0")/../cli/lib.bash"
out=$(echo input | "$DTRACE" -qn END -c 'cat' 2>"$dir/.err")
[ "$out" = input ] || fail "standard input is not the user's"
run -qn END -c "sh -c 'echo to-stderr >&2; echo to-stdout'"
printed to-stdout
said to-stderr
