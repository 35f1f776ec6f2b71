# What becomes of a process, in order: made, started, running a program, gone.
. "$(dirname "$0")/../cli/lib.bash"
run -qn 'proc:::exec /pid != $target && progenyof($target)/ { printf("exec %s %d\n", args[0], arg0 != 0); }
    proc:::lwp-create /pid == $target/ { printf("lwp-create %d\n", args[0]->pr_lwpid == args[1]->pr_pid); }
    proc:::create /pid == $target/ { printf("create %d\n", args[0]->pr_ppid == $target); }
    proc:::exec-failure, proc:::exit /pid != $target && progenyof($target)/ { printf("%s %d\n", probename, args[0]); }
    proc:::lwp-start, proc:::start, proc:::exec-success, proc:::lwp-exit /pid != $target && progenyof($target)/ { printf("%s\n", probename); }' \
    -c 'bash -c "/bin/true; /no/such/program; true" '
says 'No such file'
printed 'lwp-create 1
create 1
lwp-start
start
exec /bin/true 1
exec-success
lwp-exit
exit 1
lwp-create 1
create 1
lwp-start
start
exec /no/such/program 1
exec-failure 2
lwp-exit
exit 1'
