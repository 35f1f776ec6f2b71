# Scripts of the book: who runs what, how long processes live, who sends signals.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'proc:::exec /progenyof($target)/ { self->parent = execname; }
    proc:::exec-success /self->parent != NULL/ { @run[self->parent, execname] = count(); self->parent = 0; }
    proc:::exec-failure /self->parent != NULL/ { self->parent = 0; }
    proc:::start /ppid == $target/ { self->start = timestamp; }
    proc:::exit /self->start/ { @life[execname, timestamp - self->start >= 200000000] = count(); self->start = 0; }
    proc:::signal-send /pid == $target && args[2] == SIGTERM/ { @sent[execname, args[1]->pr_fname] = count(); }
    END { printa("run %s %s %@d\n", @run); printa("life %s %d %@d\n", @life); printa("sent %s %s %@d\n", @sent); }' \
    -c 'bash -c "sleep 0.2; true; sleep 9 & sleep 0.2; kill \$!; wait; :"'
ended 0
[ "$(printf '%s\n' "$out" | grep . | sort)" = 'life sleep 1 3
run bash sleep 3
sent bash sleep 1' ] || fail "not what the script does"
