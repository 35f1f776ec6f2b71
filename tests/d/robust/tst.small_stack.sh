# @@timeout 60
# Nesting ends in a program or in an error that says so, also with a stack of 2 MiB.
ulimit -s 2048
times() { local i; for ((i = 0; i < $2; i++)); do printf '%s' "$1"; done; }

# A program with n of the opening text, what is inside, and n of the closing one.
compile() {
	printf '%s' "int x; int a[int]; BEGIN { $(times "$2" "$1")$3$(times "$4" "$1"); }" |
		$DTRACE -e -s /dev/stdin 2>&1
}
fits() {
	compile "$@" || { echo "$1 of '$2' do not compile"; exit 1; }
}
refused() {
	out=$(compile "$@")
	status=$?
	case "$status $out" in
	"1 "*"nesting deeper than 256 levels" | "1 "*"expression deeper than 600 levels" | "1 "*"nested too deeply") ;;
	*) echo "$1 of '$2': status $status, ${out: -200}"; exit 1 ;;
	esac
}

fits 64 'if (x) { ' 'x = 1;' '}'
fits 120 'a[' '1' ']'
fits 250 'x + (' 'x' ')'
fits 250 '- ' 'x' ''
fits 250 'x = ' '1' ''
fits 590 'x + ' 'x' ''
fits 590 'x ? x : ' 'x' ''
fits 590 'x, ' 'x' ''
fits 590 'x == ' 'x' ''
fits 580 '' '(uint64_t)curthread' '->parent'
fits 700 'if (x == 1) x = 2; else ' 'x = 3;' ''
for n in 1000 20000
do
	refused $n 'if (x) { ' 'x = 1;' '}'
	refused $n 'a[' '1' ']'
	refused $n '(' 'x' ')'
	refused $n 'x + ' 'x' ''
	refused $n 'x ? ' 'x' ' : x'
	refused $n 'x, ' 'x' ''
	refused $n '!' 'x' ''
	refused $n '' 'curthread' '->parent'
done
