# 1,000 connections: each is seen once at both ends, by its own port.
# @@timeout 60
. "$(dirname "$0")/lib.bash"
run -qn 'tcp:::connect-established { @a[args[3]->tcps_lport] = count(); }
    tcp:::accept-established { @b[args[3]->tcps_rport] = count(); }
    END { printa("connect %d %@d\n", @a); printa("accept %d %@d\n", @b); }' -c "$dir/talk 4 1000"
ended 0
printf '%s\n' "$out" | awk '
    $1 == "connect" { c++; port[$2] = $3; if ($3 != 1) bad = 1 }
    $1 == "accept" { a++; if (port[$2] != $3) bad = 1 }
    END { exit bad || c != 1000 || a != 1000 }' || fail "not 1,000 connections"
