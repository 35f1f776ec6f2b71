# Calls by kind of file system and call.
. "$(dirname "$0")/lib.bash"
script fslatency -c "$load write 30 100 $dir/file fsync"
ended 0
kind=$(stat -f -c %T "$dir")
case $kind in ext2/ext3) kind=ext4 ;; esac
for call in write fsync; do
    n=$(printf '%s\n' "$out" | awk -v h="$kind, $call, us:" '$0 == h { on = 1 } on && $2 ~ /^\|/ { n += $NF } on && !NF { exit } END { print n }')
    [ "$n" = 30 ] || fail "not 30 of $call"
done
script fslatency -c "$load pingpong 5 1" pipefs
[ "$(sum '^ +[0-9]+ \|')" -ge 20 ] || fail "the pipes"
[ "$(lines "$kind, .*")" = 0 ] || fail "of another kind"
