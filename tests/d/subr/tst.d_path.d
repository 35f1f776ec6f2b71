/*
 * The path of a struct path, and of where its mount is.
 * @@flags -q -xstrsize=512
 */
BEGIN
{
	printf("%d %s ", d_path(&curthread->fs->pwd) == cwd, d_path(&curthread->fs->root));
	printf("%d\n", index(cwd, d_path(&curthread->fs->pwd, 1)) == 0);
}
BEGIN { exit(0); }
