#!/usr/sbin/dtrace -s
/*
 * pagecache.d: which files fill the page cache, and whose doing is it?
 *
 * Usage: pagecache.d [-p PID | -c COMMAND]
 *
 * Memory of files that were not in memory yet: read from a disk, or new. What is there already costs nothing and is not
 * seen. With -p or -c: only that process and its descendants.
 *
 * Columns:
 *	COMM	command
 *	FS	kind of file system
 *	FILE	name of the file, - for what the file system keeps for itself
 *	ADDED	additions to the cache; each a page, or several together
 */

#pragma D option quiet

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

sdt:filemap::mm_filemap_add_to_page_cache
/WANTED && args[0]->mapping != NULL && args[0]->mapping->host != NULL/
{
	this->inode = args[0]->mapping->host;
	this->name = this->inode->i_dentry.first == NULL ? "-" :
	    stringof(((struct dentry *)((uintptr_t)this->inode->i_dentry.first - offsetof (struct dentry, d_u)))->d_name.name);
	@added[execname, stringof(this->inode->i_sb->s_type->name), this->name] = count();
}

END
{
	printf("%-15s %-10s %-40s %8s\n", "COMM", "FS", "FILE", "ADDED");
	printa("%-15s %-10s %-40s %@8d\n", @added);
}
