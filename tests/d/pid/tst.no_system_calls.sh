# Probing a program's functions adds no system calls to what it is seen to do.
# @@needs cc
. "$(dirname "$0")/lib.bash"
target
run -qn 'pid$target:a.out:add:return { @n["returns"] = count(); } syscall::u*probe*:entry { @n["syscalls"] = count(); }
    syscall:::entry /probefunc == "uretprobe" || probefunc == "uprobe"/ { @n["syscalls"] = count(); } END { printa("%s %@d\n", @n); }' -c "$dir/target" -Z
ended 0
printed 'returns 1'
run -qn 'pid$target:a.out::return { n++; } syscall:::entry /pid == $target/ { calls++; }
    syscall:::return /pid == $target/ { returns++; } END { printf("%d %d\n", n > 2, calls - returns); }' -c "$dir/target"
# exit_group does not return.
printed '1 1'
