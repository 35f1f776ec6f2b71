# `user` fires in user mode only (arg0 is 0, arg1 is not), `kernel` in the kernel only.
. "$(dirname "$0")/../cli/lib.bash"
(while :; do :; done) & user=$!
(while :; do head -c 10000000 /dev/zero; done >/dev/null) & kernel=$!
run -qn 'cpc:::cpu-clock-user-1000000 { @["user", arg0 != 0, arg1 != 0] = count(); }
    cpc:::cpu_clock-kernel-1000000 { @["kernel", arg0 != 0, arg1 != 0] = count(); }
    tick-1s { exit(0); }'
kill $user $kernel
ended 0
printf '%s\n' "$out" | awk 'NF == 4 { seen[$1 $2 $3] = $4 }
    END { n = 0; for (k in seen) n++; exit !(n == 2 && seen["user01"] > 100 && seen["kernel10"] > 20) }' ||
    fail "samples in the wrong mode"
