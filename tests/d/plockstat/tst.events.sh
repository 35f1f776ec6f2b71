# What threads do with their mutexes and reader/writer locks: taken, given back, waited for, refused, each as often as it was.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
locks
run -q -c "$dir/locks" -n 'plockstat$target:::
{ @[probename, usym(arg0), (int)arg1] = count(); }
END { printa("%s %A %d %@d\n", @); }'
ended 0
got=$(printf '%s\n' "$out" | grep ' locks`' | sed 's/locks`//' | sort)
[ "$got" = "mutex-acquire again 0 1
mutex-acquire again 1 2
mutex-acquire checked 0 1
mutex-acquire plain 0 15
mutex-acquire spinning 0 2
mutex-block plain 0 2
mutex-block spinning 0 1
mutex-blocked plain 0 1
mutex-blocked plain 1 1
mutex-blocked spinning 1 1
mutex-error checked 1 1
mutex-error checked 35 1
mutex-error plain 110 1
mutex-release again 0 1
mutex-release again 1 2
mutex-release checked 0 1
mutex-release plain 0 15
mutex-release spinning 0 2
mutex-spin spinning 0 1
mutex-spun spinning 0 1
rw-acquire rw 0 1
rw-acquire rw 1 1
rw-block rw 0 1
rw-blocked rw 0 1
rw-release rw 0 1
rw-release rw 1 1" ] || fail "events: $got"
