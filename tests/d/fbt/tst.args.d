/* Arguments have the types of the function's own; fields load through the pointers.
 * @@needs probe=fbt::vfs_read:entry
 * @@flags -q
 * @@trigger dd if=/dev/zero of=/dev/null bs=16 count=7 status=none
 * @@timeout 120
 */
fbt::vfs_read:entry
/pid == $target && arg2 == 16/
{
	@[stringof(args[0]->f_path.dentry->d_name.name), probefunc, probemod, probename] = count();
}
