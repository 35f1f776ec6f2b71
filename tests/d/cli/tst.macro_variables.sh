# $pid, $uid ... are those of dtrace; $target is 0 without -c and -p.
. "$(dirname "$0")/lib.bash"
run -qn 'BEGIN { printf("%d %d %d %d %d %d", $uid, $euid, $gid, $egid, $target, $ppid); exit(0); }'
ended 0
printed "$(id -ru) $(id -u) $(id -rg) $(id -g) 0 $$"
run -qn 'BEGIN { printf("%d %s", $pid == pid, $$uid); exit(0); }'
ended 0
printed "1 $(id -ru)"
