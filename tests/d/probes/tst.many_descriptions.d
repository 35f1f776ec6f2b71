/* A clause with several descriptions is compiled for each: probefunc and args differ. @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=512 count=2 status=none
 */
syscall::read:return,
syscall::write:return
/pid == $target && arg0 == 512/
{
	@[probefunc, arg0] = count();
}
