# exit says whether a process ended by itself or by a signal.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'inline int MINE = progenyof($target);
    proc:::exit /MINE && pid != $target/ { @[args[0] == CLD_EXITED ? "exited" : args[0] == CLD_KILLED ? "killed" : "dumped"] = count(); }
    END { printa("%s %@d\n", @); }' \
    -c 'bash -c "ulimit -c 0; (exit 3); (exit 0); sleep 9 & kill \$!; sleep 9 & kill -9 \$!; sleep 9 & kill -INT \$!; kill \$!; wait" '
[ "$(printf '%s\n' "$out" | sort)" = 'exited 2
killed 3' ] || fail "reasons"
