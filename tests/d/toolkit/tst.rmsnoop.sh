# What is renamed and removed.
. "$(dirname "$0")/lib.bash"
script rmsnoop -c "$load files 2 $dir 1"
ended 0
for n in 0 1; do
    like ".* load rename[a-z0-9]* 0 $dir/made$n -> $dir/named$n"
    like ".* load unlink(at)? 0 $dir/named$n"
done
script rmsnoop -c "rm -f $dir/none"
[ "$(lines ".* rm unlink[a-z]* 2 $dir/none")" = 1 ] || fail "what is not there"
