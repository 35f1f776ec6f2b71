/*
 * The path of a struct path, and of where its mount is; a bad address is a fault.
 * @@flags -q -xstrsize=512
 */
BEGIN
{
	printf("%d %s ", d_path(&curthread->fs->pwd) == cwd, d_path(&curthread->fs->root));
	printf("%d\n", index(cwd, d_path(&curthread->fs->pwd, 1)) == 0);
	trace(d_path((struct path *)8));
}
ERROR { printf("%d %x\n", arg4 == DTRACEFLT_BADADDR, arg5); exit(0); }
