# Signals: who sends which to whom, who handles it, and what is thrown away.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'proc:::signal-send /pid == $target && args[2] != SIGCHLD/ { printf("send %d %d %d\n", args[2], args[1]->pr_pid == $target, args[0]->pr_lwpid == $target); }
    proc:::signal-discard /pid == $target && args[2] != SIGCHLD/ { printf("discard %d\n", args[2]); }
    proc:::signal-handle /pid == $target && args[0] != SIGCHLD/ { printf("handle %d %d %d %d\n", args[0], args[1]->si_signo, args[1]->si_pid == $target, args[2] != NULL); }' \
    -c 'bash -c "trap : USR1; kill -USR1 \$\$; kill -WINCH \$\$; trap \"\" USR2; kill -USR2 \$\$"'
printed 'send 10 1 1
handle 10 10 1 1
discard 28
discard 12'
