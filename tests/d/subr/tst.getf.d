/* Open files by their numbers; numbers of none. @@flags -q */
BEGIN
{
	printf("%d %d %d\n", getf(0) != NULL && getf(0) == curthread->files->fdt->fd[0], getf(-1) == NULL, getf(1 << 20) == NULL);
	printf("%d\n", getf(0)->f_inode == curthread->files->fdt->fd[0]->f_inode);
	exit(0);
}
