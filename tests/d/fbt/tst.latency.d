/* Entry and return of one function, each with a program of its own: every call is seen, with its result.
 * @@needs probe=fbt::vfs_read:entry
 * @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=16 count=100 status=none
 * @@timeout 120
 */
fbt::vfs_read:entry
/pid == $target && args[2] == 16/
{
	self->t = timestamp;
	@calls["calls"] = count();
}

fbt::vfs_read:return
/self->t/
{
	@latency = quantize((timestamp - self->t) / 1000);
	@returns["returns", args[1], arg1, arg0] = count();
	self->t = 0;
}

END
{
	printa("%s %@u\n", @calls);
	printa("%s %d %d %d %@u\n", @returns);
	clear(@latency);
	trunc(@latency);
}
