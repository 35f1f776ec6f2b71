#!/usr/sbin/dtrace -s
/*
 * kmemtop.d: which functions of the kernel ask for memory, how often and how much?
 *
 * Usage: kmemtop.d [-p PID | -c COMMAND] [lines]
 *
 * Small pieces (kmalloc and caches), whether or not they are given back soon. The 20 largest, or as told, the largest last.
 * With -p or -c: only what is done for that process and its descendants.
 *
 * Columns:
 *	FUNCTION	function that asked
 *	BYTES	bytes in all
 */

#pragma D option quiet
#pragma D option defaultargs

inline int WANTED = $target == 0 ? pid != $pid : progenyof($target);

sdt:kmem::kmalloc
/WANTED/
{
	@bytes[func((uintptr_t)args[0])] = sum(args[3]);
}

sdt:kmem::kmem_cache_alloc
/WANTED/
{
	@bytes[func((uintptr_t)args[0])] = sum(args[2]->size);
}

END
{
	trunc(@bytes, $1 ? $1 : 20);
	printf("%-50s %14s\n", "FUNCTION", "BYTES");
	printa("%-50a %@14d\n", @bytes);
}
