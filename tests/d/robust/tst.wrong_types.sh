# Wrong types everywhere: each one error, no crash.
# @@needs nothing
. "$(dirname "$0")/../cli/lib.bash"
while IFS= read -r body; do
    run -en "BEGIN { $body; }"
    ended 1
    [ "${err#dtrace: invalid probe specifier}" != "$err" ] || fail "begins otherwise"
done <<'D'
trace("a" + 1)
trace("a" - "b")
trace(1 << "a")
trace(!stack())
x = stack()
trace(curthread + curthread)
trace(*curthread + 1)
trace(curthread.pid)
trace(curthread->pid->pid)
trace(execname * 2)
self = 1
this = 1
trace(self)
trace(args)
trace(args[-1])
strlen = 1
trace(strlen)
trace(count())
x = count()
@a = count(1)
@a = avg()
@a = avg(1, 2)
@a = quantize()
@a = lquantize(1)
@a[count()] = count()
@a = @b
@a + 1
x = @a
printf
printf()
printf(1, 2)
printf("%s", pid)
printf("%d", execname)
printf("%Y", "x")
printf("%c", "x")
printf("%k", 1)
printf("%p", "x")
exit()
exit("a")
exit(1, 2)
stack("a")
copyin("a", 1)
copyinstr("a")
copyin(1)
bcopy(1, 2)
alloca("a")
strjoin(1, 2)
substr(1, 1)
strtok(1, 2)
index("a")
lltostr("a")
basename(1)
inet_ntoa("a")
pid = "a"
execname = "a"
timestamp = 0
arg0 = 1
trace((struct task_struct)1)
trace((string)curthread->se)
trace(sizeof (nonsense))
trace(offsetof(struct task_struct, nonsense))
tracemem("a", "b")
tracemem(1, -1)
print(count())
normalize(@a, 0, 0)
trunc(1)
clear("a")
setopt(1)
system(1)
freopen(1)
stringof()
1 = 1
"a" = "b"
pid++
++"a"
-curthread
~curthread
curthread * 2
trace(-execname)
trace(pid ? "a" : 1)
trace(1 && "a")
xlate < int > (1)
D
