# 10,000 clauses: they compile or are refused in one line; 1,000 run.
# @@timeout 60
. "$(dirname "$0")/../cli/lib.bash"
awk 'BEGIN { for (i = 0; i < 10000; i++) print "BEGIN { x" i " = " i "; }" }' > "$dir/a.d"
run -es "$dir/a.d"
case $status in 0) said '' ;; 1) one_line ;; *) fail "10,000 clauses" ;; esac
awk 'BEGIN { for (i = 0; i < 1000; i++) print "BEGIN { x += " i "; }"; print "BEGIN { printf(\"%d\", x); exit(0); }" }' > "$dir/b.d"
sed -i '1i int x;' "$dir/b.d"
run -qs "$dir/b.d"
case $status in 0) printed 499500 ;; 1) one_line ;; *) fail "1,000 clauses" ;; esac
