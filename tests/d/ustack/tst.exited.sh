# Of many processes that end before anything is printed, at least 99 of 100 frames have names.
# @@needs cc
# @@timeout 60
. "$(dirname "$0")/lib.bash"
chain
echo 'i=0; while [ $i -lt 300 ]; do ./chain >/dev/null; i=$((i+1)); done' >many.sh
run -qn 'syscall::write:entry /execname == "chain"/ { @[ustack(4)] = count(); }' -c 'sh many.sh'
ended 0
named=$(grep -c '`[a-z]' <<<"$out") all=$(grep -c '^ *[^ ]*[`x]' <<<"$out")
[ "$all" -ge 1150 ] && [ $((named * 100)) -ge $((all * 99)) ] || fail "$named of $all frames are named"
