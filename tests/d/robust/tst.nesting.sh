# 200 parentheses are taken, 300 taken or refused in one line; 100,000 of anything are refused, not crashed on.
. "$(dirname "$0")/../cli/lib.bash"
many() { awk -v s="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'; }
run -qn "BEGIN { printf(\"%d\", $(many '(' 200)pid > 0$(many ')' 200)); exit(0); }"
ended 0
printed 1
run -qn "BEGIN { printf(\"%d\", $(many '(' 300)pid > 0$(many ')' 300)); exit(0); }"
case $status in 0) printed 1 ;; 1) one_line ;; *) fail "300 parentheses" ;; esac
for open in '(' '-' '!' '~' '*' '(int)' 'x[' 'sizeof ' '&' '1+(' '1?' '1?1:' 'if (1) ' 'strlen(' '@a[' '{'; do
    echo "BEGIN { x = $(many "$open" 100000)" > "$dir/a.d"
    run -es "$dir/a.d"
    ended 1
    [ ${#err} -lt 2000 ] || fail "a long message"
done
echo "$(many 'struct s { ' 100000)" > "$dir/a.d"
run -es "$dir/a.d"
ended 1
echo "int $(many '*' 100000) x; BEGIN { }" > "$dir/a.d"
run -es "$dir/a.d"
case $status in 0 | 1) ;; *) fail stars ;; esac
echo "int x$(many '[1]' 100000);" > "$dir/a.d"
run -es "$dir/a.d"
case $status in 0 | 1) ;; *) fail brackets ;; esac
