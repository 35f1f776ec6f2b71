# Bad addresses: kernel, user, of strings, of members: a fault each, and the rest of the program runs.
. "$(dirname "$0")/../cli/lib.bash"
for e in '*(int *)0' '*(char *)1' '*(int64_t *)-1' '((struct task_struct *)16)->pid' 'stringof((char *)8)' '(string)(char *)8' \
    'copyinstr(0)' 'copyinstr(8)' 'copyinstr(-1)' '*(int *)copyin(0, 4)' '*(int *)copyin(0xffffffff80000000, 4)' 'copyinstr((uintptr_t)curthread)' \
    '*(int *)0xdead000000000000' 'strlen((char *)8)' 'strjoin((char *)8, "x")' 'curthread->mm->mm_users.counter + *(int *)0'; do
    run -qn "BEGIN { trace($e); printf(\"never\"); } BEGIN { printf(\"later\"); exit(0); }"
    ended 0
    printed later
    one_line
    [[ $err =~ ': invalid '(address|'user access'|'kernel access') ]] || fail "another fault"
done
run -qn 'BEGIN { tracemem(8, 16); } BEGIN { printf("later"); exit(0); }'
ended 0
printed later
run -qn 'BEGIN { *(int *)16 = 1; } BEGIN { printf("later"); exit(0); }'
case $status in 0) printed later; says 'invalid address' ;; 1) one_line ;; *) fail store ;; esac
