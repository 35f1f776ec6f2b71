/*
 * The path of a struct path, of where its mount is, and of an entry alone.
 * @@flags -q -xstrsize=512
 */
BEGIN
{
	printf("%d %s ", d_path(&curthread->fs->pwd) == cwd, d_path(&curthread->fs->root));
	printf("%d\n", index(cwd, d_path(&curthread->fs->pwd, 1)) == 0);
}
BEGIN
{
	this->pwd = curthread->fs->pwd.dentry;
	printf("%d %d %d\n", dentry_path(this->pwd) == cwd, dentry_path(this->pwd, 1) == d_path(&curthread->fs->pwd, 1),
	    dentry_path(curthread->fs->root.dentry) == d_path(&curthread->fs->root));
}
BEGIN { exit(0); }
