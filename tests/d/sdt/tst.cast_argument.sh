# An argument whose type the kernel vouches for, cast to a larger structure that begins with it.
# @@needs cc
. "$(dirname "$0")/../net/lib.bash"
run -qn 'sdt:sock::inet_sock_set_state /args[2] == 7 && args[0]->__sk_common.skc_family == 2/
    { @[((struct inet_sock *)args[0])->inet_sport != 0, args[0]->sk_protocol] = count(); }' -c "$dir/talk 4 5"
ended 0
printf '%s\n' "$out" | awk '$1 == 1 && $2 == 6 && $3 > 0 { ok = 1 } $1 == 0 && NF == 3 { exit 1 } END { exit !ok }' ||
    fail "not the ports"
run -qn 'tcp:::state-change /args[3]->tcps_state == TCP_STATE_ESTABLISHED/ { @[args[3]->tcps_snxt != 0, args[3]->tcps_mss > 0] = count(); }' \
    -c "$dir/talk 4 5"
ended 0
has '1 1 10'
