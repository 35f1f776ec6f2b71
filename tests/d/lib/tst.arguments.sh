# The arguments and the environment of a process: their number, and where the process has them.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/p.d" <<'D'
syscall::write:entry /pid == $target/ {
	this->v = (uintptr_t *)copyin(curpsinfo->pr_argv, sizeof (uintptr_t) * (curpsinfo->pr_argc + 1));
	this->e = (uintptr_t *)copyin(curpsinfo->pr_envp, sizeof (uintptr_t) * 2);
	printf("%d [%s] [%s] [%s] %d, ", curpsinfo->pr_argc, copyinstr(this->v[0]), copyinstr(this->v[1]),
	    copyinstr(this->v[2]), this->v[3]);
	printf("[%s] %d, %s\n", copyinstr(this->e[0]), this->e[1], curpsinfo->pr_psargs);
	exit(0);
}
D
run -qs "$dir/p.d" -c "env -i ONE=1 /bin/echo a bc"
ended 0
printed "a bc
3 [/bin/echo] [a] [bc] 0, [ONE=1] 0, /bin/echo a bc"

# A child has those of its parent until it runs another program; of others there is the name.
cat > "$dir/q.d" <<'D'
proc:::create /pid == $target && !done++/ { printf("%d %s\n", args[0]->pr_argc, args[0]->pr_psargs); }
syscall::execve:entry /ppid == $target && !asked++/ {
	this->p = xlate <psinfo_t *> (curthread->real_parent);
	this->q = 1;
}
syscall::openat:entry /execname == "cat" && copyinstr(arg1) == "/etc/hostname"/ {
	printf("%d %s\n", (xlate <psinfo_t *> (curthread->real_parent))->pr_argc,
	    (xlate <psinfo_t *> (curthread->real_parent))->pr_psargs);
}
D
sed -i '/this->p = /d' "$dir/q.d"
run -qs "$dir/q.d" -c "sh -c 'cat /etc/hostname > /dev/null; true'"
ended 0
printed "3 sh -c cat /etc/hostname > /dev/null; true
-1 sh"
