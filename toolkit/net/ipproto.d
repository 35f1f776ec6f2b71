#!/usr/sbin/dtrace -s
/*
 * ipproto.d: which protocols are spoken on which network interface, and with whom?
 *
 * Usage: ipproto.d
 *
 * What the network device cuts into packets or joins is one packet here.
 *
 * Columns:
 *	IF	network interface
 *	DIR	->: sent, <-: received
 *	SOURCE	address that packets come from
 *	DEST	address that they go to
 *	PROTO	protocol above IP
 *	PACKETS	how many
 *	BYTES	bytes in them after the header of IP
 */

#pragma D option quiet
#pragma D option aggsortpos=1

ip:::send, ip:::receive
{
	this->dir = probename == "send" ? "->" : "<-";
	this->proto = args[2]->ip_ver == 4 ? args[4]->ipv4_protostr : args[5]->ipv6_nextstr;
	@packets[args[3]->if_name, this->dir, args[2]->ip_saddr, args[2]->ip_daddr, this->proto] = count();
	@bytes[args[3]->if_name, this->dir, args[2]->ip_saddr, args[2]->ip_daddr, this->proto] = sum(args[2]->ip_plength);
}

END
{
	printf("%-10s %-3s %-24s %-24s %-7s %8s %12s\n", "IF", "DIR", "SOURCE", "DEST", "PROTO", "PACKETS", "BYTES");
	printa("%-10s %-3s %-24s %-24s %-7s %@8d %@12d\n", @packets, @bytes);
}
