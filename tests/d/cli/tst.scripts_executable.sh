# Scripts name dtrace in their first line, with flags and arguments.
. "$(dirname "$0")/lib.bash"
script() { cat > "$dir/$1"; chmod +x "$dir/$1"; }
script plain.d <<D
#!$DTRACE -s
BEGIN { trace("plain"); exit(0); }
D
script quiet.d <<D
#!$DTRACE -qs
/* a comment */
BEGIN { printf("%s %d", "$$0", \$1); exit(0); }
D
script flags.d <<D
#!$DTRACE -Zqs

#pragma D option defaultargs
nonsense:::entry { }
BEGIN { printf("[%s] %d", \$\$1, \$2); exit(3); }
D
"$dir/plain.d" > "$dir/out" 2> "$dir/err" || fail "plain.d: $?"
out=$(cat "$dir/out") err=$(cat "$dir/err")
prints ':BEGIN   plain'
said "dtrace: script '$dir/plain.d' matched 1 probe"
out=$("$dir/quiet.d" 7)
[ "${out##* }" = 7 ] || fail quiet.d
out=$("$dir/flags.d" word)
[ $? = 3 ] || fail flags.d status
printed '[word] 0'
out=$("$dir/flags.d")
printed '[] 0'
cp "$dir/quiet.d" "$dir/no-suffix"
out=$("$dir/no-suffix" 8)
[ "${out##* }" = 8 ] || fail no-suffix
