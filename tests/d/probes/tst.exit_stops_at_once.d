/* After exit() no clause of a later firing runs on that CPU, those of the same firing do. @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=17 count=1000 status=none
 */
int n, same, late, done;

syscall::write:entry
/pid == $target && done/
{
	late++;
}

syscall::write:entry
/pid == $target && arg2 == 17 && ++n == 10/
{
	done = 1;
	exit(0);
}

syscall::write:entry
/pid == $target && done/
{
	same++;
}

END
{
	printf("%d %d %d\n", n, same, late);
}
