# Expressions as deep as the parser takes them: what waits does not fit the stack. At the usual size of a program, and
# with every statement in one of its own.
# @@timeout 240
. "$(dirname "$0")/../cli/lib.bash"
# nest COUNT OPEN CORE CLOSE: OPEN and CLOSE around the core; # is the level, from the inside 1.
nest() {
    awk -v n="$1" -v open="$2" -v core="$3" -v close_="$4" 'BEGIN {
        for (i = n; i > 0; i--) { s = open; gsub(/#/, i, s); printf "%s", s }
        printf "%s", core
        for (i = 1; i <= n; i++) { s = close_; gsub(/#/, i, s); printf "%s", s }
    }'
}
# gives VALUE EXPRESSION: x is 1, y is 0, and each element of a that was not assigned is 0.
n=0
gives() {
    n=$((n + 1))
    echo "BEGIN { x = 1; y = 0; a[0] = 0; b[0, 0] = 0; p = (int *)alloca(8); *p = 0; self->c[0] = 0;
        printf(\"$n: %d\\n\", $2); }" >> "$dir/a.d"
    want="$want${want:+
}$n: $1"
}
string() {
    n=$((n + 1))
    echo "BEGIN { x = 1; printf(\"$n: %s\\n\", $2); }" >> "$dir/a.d"
    want="$want${want:+
}$n: $1"
}
gives 28920 "$(nest 240 'x * # + (' 0 ')')"
gives 28920 "$(nest 240 '(' 0 '+ x * #)')"
gives 500 "$(nest 500 'x + ' 0 '')"
gives 120 "$(nest 240 'x * # - (' 0 ')')"
gives 240 "$(nest 240 '(x + ' 0 ')')"
gives 0 "$(nest 120 'a[#] + (' 0 ')')"
gives 7 "$(nest 120 'a[' 5 '] + 7')"
gives 0 "$(nest 100 'b[#, ' x ']')"
gives 1 "$(nest 120 '(y += ' x ')')"
gives 1 "$(nest 120 '(a[#] += ' x ')')"
gives 1 "$(nest 120 '(self->c[#] += ' x ')')"
gives 1 "$(nest 60 '(*p += ' x ')')"
gives 770 "$(nest 120 'x * 77 == # ? # * 10 : (' 0 ')')"
gives 2770 "$(nest 300 'x * 277 == # ? # * 10 : ' 0 '')"
gives 7 "$(nest 120 'x == 1 ? (' 7 ') : #')"
gives 127 "$(nest 120 '(x == 0 ? # : 1 + ' 7 ')')"
gives 1 "$(nest 200 '(x == ' x ')')"
gives 1 "$(nest 200 '(x ^^ ' x ')')"
gives 1 "$(nest 100 '(x && (y || ' x '))')"
gives 1 "$(nest 120 '(1000 / (999 + ' x '))')"
gives 80 "$(nest 80 '(strlen(probename) - 4 + ' 0 ')')"
gives 5 "$(nest 60 'index("abcdef", "f", ' pid ' > 0)')"
gives 1 "$(nest 60 'strlen(substr("abcdef", ' x '))')"
gives 0 "$(nest 60 '(probename > "A" && strstr(probename, probename) == lltostr(' 3 '))')"
string s770 "$(nest 100 'x * 77 == # ? "s#0" : ' '"no"' '')"
string 321abc "$(nest 3 'strjoin("#", ' '"abc"' ')')"
string ABC "$(nest 60 'toupper(tolower(' '"abc"' '))')"
string bc "$(nest 40 'substr(strjoin("x", ' '"bc"' '), 1)')"
echo 'BEGIN { exit(0); }' >> "$dir/a.d"
for size in 16000 1; do
    run -qs "$dir/a.d" -x progsize=$size
    ended 0
    said ''
    printed "$want"
done
