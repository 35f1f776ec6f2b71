# curpsinfo: the process as ps(1) and /proc know it.
. "$(dirname "$0")/../cli/lib.bash"
cat > "$dir/p.d" <<'D'
syscall::write:entry /pid == $target/ {
	printf("%d %d %d %d %d %d %d %d %s %d\n", curpsinfo->pr_pid == pid, curpsinfo->pr_ppid == ppid,
	    curpsinfo->pr_pgid, curpsinfo->pr_sid, curpsinfo->pr_uid == uid, curpsinfo->pr_gid == gid, curpsinfo->pr_nlwp,
	    curpsinfo->pr_dmodel == PR_MODEL_LP64, curpsinfo->pr_fname, curpsinfo->pr_lwp.pr_lwpid == pid);
	exit(0);
}
D
run -qs "$dir/p.d" -c "sh -c 'cut -d\" \" -f5,6 /proc/self/stat > $dir/ids; echo x > /dev/null'"
ended 0
group=$(cat "$dir/ids")
printed "1 1 $group 1 1 1 1 sh 1"
