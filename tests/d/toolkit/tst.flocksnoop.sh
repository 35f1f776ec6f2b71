# A lock that a child waits 30 ms for, and one by fcntl.
# @@needs perl
. "$(dirname "$0")/lib.bash"
script flocksnoop -c "$load flock 2 30 $dir/file"
ended 0
[ "$(lines "[0-9]+ [0-9]+ load flock exclusive (2[5-9]|[3-9][0-9]|[1-9][0-9]{2,})[0-9]{3} 0 $dir/file")" -ge 1 ] || fail "no wait"
[ "$(lines "[0-9]+ [0-9]+ load flock unlock [0-9]+ 0 $dir/file")" = 4 ] || fail "not 4 given back"
script flocksnoop -c "perl -e 'use Fcntl; open(F, q(>), q($dir/file)); \$l = pack(q(s s x4 q q i x4), F_WRLCK, 0, 0, 0, 0); fcntl(F, F_SETLK, \$l)'"
like "[0-9]+ [0-9]+ perl fcntl exclusive [0-9]+ 0 $dir/file"
