#!/usr/sbin/dtrace -s
/*
 * netdrops.d: where in the kernel are packets thrown away, and why?
 *
 * Usage: netdrops.d
 *
 * Some are normal: what nobody listens for, copies for sniffers that are not there. The reason is told when it is first
 * met. Needs Linux 5.17.
 *
 * Columns:
 *	WHERE	function of the kernel that gave it up
 *	REASON	number of the reason
 *	PACKETS	how many
 */

#pragma D option quiet
#pragma D option switchrate=10hz

BEGIN
{
	printf("Tracing packets that are dropped. End with Ctrl-C.\n");
}

sdt:skb::kfree_skb
/!met[args[2]]/
{
	met[args[2]] = 1;
	printf("reason %d: ", args[2]);
	print(args[2]);
	printf("\n");
}

sdt:skb::kfree_skb
{
	@packets[func((uintptr_t)args[1]), (int)args[2]] = count();
}

END
{
	printf("%-50s %6s %10s\n", "WHERE", "REASON", "PACKETS");
	printa("%-50a %6d %@10d\n", @packets);
}
