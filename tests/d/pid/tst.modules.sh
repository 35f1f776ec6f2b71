# A module by its file name, that without what follows the first dot, a.out, and patterns.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
target
count() { run -q -c "$dir/target" -n "pid\$target:$1:$2:entry { @ = count(); } END { printa(\"%@d\", @); }"; }
for module in a.out target 'tar*' '' '*get'; do
    count "$module" add; ended 0; printed 1
done
for module in libc libc.so.6 'libc*'; do
    run -l -c "$dir/target" -n "pid\$target:$module:usleep:entry"
    ended 0; prints 'libc.so.6                            usleep entry'
done
run -l -c "$dir/target" -n 'pid$target:a.out:[an]*:entry'
prints ' add entry'; prints ' nothing entry'
[[ $out != *' eight '* ]] || fail "a pattern matched too much"
