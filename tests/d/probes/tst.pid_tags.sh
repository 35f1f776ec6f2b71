# What is wrong with the description of a process's probe is said with its tag.
. "$(dirname "$0")/../cli/lib.bash"
while read -r tag probe; do
    run -xerrtags -qn "pid$probe { }" -c 'sleep 0.1'
    ended 1
    one_line
    says "[$tag]"
done <<'X'
D_PROC_BADPID 0:a.out:main:entry
D_PROC_BADPID x:a.out:main:entry
D_PROC_NAME $target:libc.so.6:write:nonsense
D_PROC_LIB $target:libc.so.6:-:1
D_PROC_GRAB 4194305:a.out:main:entry
X
