# lockstat -I on a CPU that is busy for a known time: as many interrupts as the rate says, where the CPU was.
# @@needs python3
# @@timeout 90
. "$(dirname "$0")/lib.bash"
cat >"$dir/busy.py" <<'P'
import os, sys, time
os.nice(-20)
cpu = max(os.sched_getaffinity(0))
os.sched_setaffinity(0, {cpu})
zero, buffer, end = open('/dev/zero', 'rb', 0), bytearray(1 << 20), time.monotonic() + 2
while time.monotonic() < end:
    if sys.argv[1] == 'user':
        for n in range(20000): pass
    else:
        zero.readinto(buffer)
# What the thread had of its CPU: user, kernel.
open(sys.argv[2], 'w').write('%f %f' % os.times()[:2])
P
cpu=$(python3 -c 'import os; print(max(os.sched_getaffinity(0)))')
run lockstat -i 200 -I python3 "$dir/busy.py" user "$dir/own"
ended 0
said ''
printf '%s\n' "$out" | sed -n 2p | grep -Eq '^Profiling interrupt: [0-9]+ events in [0-9]+\.[0-9]{3} seconds \([0-9]+ events/sec\)$' || fail "no title"
printf '%s\n' "$out" | sed -n 4,5p >"$dir/head"
printf '%s\n%s\n' 'Count indv cuml rcnt     nsec CPU+PIL                Caller' "$(printf -- '-%.0s' {1..79})" | cmp - "$dir/head" || fail "header"
printf '%s\n' "$out" | awk -v cpu="cpu[$cpu]" -v own="$(cat "$dir/own")" '
    NR == 2 { events = $3; seconds = $6; rate = substr($8, 2) }
    /^ *[0-9]+ +[0-9]+%/ { n += $1; if (index($6, cpu) == 1) { on += $1; if ($7 == "(usermode)") user += $1 } }
    END { if (n != events || rate < events / seconds - 1 || rate > events / seconds + 1) exit 3  # the rows are all events
          if (on < 1.7 * 200 || on > (seconds + 0.1) * 200) exit 4  # the busy CPU has one each 5 ms
          split(own, w, " "); if (user < 0.7 * w[1] * 200) exit 5 }' || fail "user: $?"
run lockstat -kI -i 200 -p python3 "$dir/busy.py" kernel "$dir/own"
ended 0
printf '%s\n' "$out" | awk -v cpu="cpu[$cpu]" -v own="$(cat "$dir/own")" '
    NF != 6 || $1 != 56 { exit 1 }
    index($3, cpu) == 1 { on += $2; if ($4 != "(usermode)") kernel += $2 }
    $4 ~ /\+0x/ { exit 2 }
    END { if (on < 1.7 * 200) exit 4; split(own, w, " "); if (kernel < 0.7 * w[2] * 200 || w[2] < 0.1) exit 5 }' || fail "kernel: $?"
run lockstat -kgIW -i 200 python3 "$dir/busy.py" kernel "$dir/own"
ended 0
prints 'Count genr cuml rcnt     nsec Hottest CPU+PIL        Caller'
# Reading is in the stacks of most samples of the kernel.
printf '%s\n' "$out" | grep -Eq '^ *[0-9]+ +[0-9]+% ---- 1\.00 +[0-9]+ cpu\[[0-9]+\][^ ]* +vfs_read$' || fail "no vfs_read"
