# A script of 1 MB compiles or is refused, in reasonable time.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
awk 'BEGIN { print "BEGIN\n{"; for (i = 0; i < 30000; i++) print "\t/* a comment that makes this long */"; print "\texit(0);\n}" }' > "$dir/a.d"
[ "$(stat -c %s "$dir/a.d")" -gt 1000000 ] || fail "not 1 MB"
run -es "$dir/a.d"
ended 0
awk 'BEGIN { printf "BEGIN { x = 1"; for (i = 0; i < 100000; i++) printf " + 1111111"; print "; }" }' > "$dir/b.d"
run -es "$dir/b.d"
case $status in 0) said '' ;; 1) one_line ;; *) fail "a long sum" ;; esac
awk 'BEGIN { printf "BEGIN { trace(\""; for (i = 0; i < 1000000; i++) printf "a"; print "\"); }" }' > "$dir/c.d"
run -es "$dir/c.d"
case $status in 0) said '' ;; 1) [ ${#err} -lt 1000 ] && one_line ;; *) fail "a long string" ;; esac
awk 'BEGIN { for (i = 0; i < 20000; i++) print "inline int a" i " = " i ";"; print "BEGIN { trace(a19999); exit(0); }" }' > "$dir/d.d"
run -es "$dir/d.d"
ended 0
