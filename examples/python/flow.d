#!/usr/sbin/dtrace -Zs
/*
 * flow.d: the flow of a Python program through its functions, with the microseconds that each took, callees included.
 * Functions of the interpreter's own library are passed over.
 *
 *     dtrace -Zs flow.d -c 'python3 -m flow --wait PROGRAM.py'
 */

#pragma D option quiet
#pragma D option strsize=128

self int depth;

python$target:::function-entry
/strstr(copyinstr(arg0), "/lib/python") == NULL && strchr(copyinstr(arg0), '<') == NULL/
{
	printf("%*s-> %s (%s:%d)\n", 2 * self->depth, "", copyinstr(arg1), basename(copyinstr(arg0)), arg2);
	self->depth++;
	self->since[self->depth] = timestamp;
}

python$target:::function-return
/self->depth && strstr(copyinstr(arg0), "/lib/python") == NULL && strchr(copyinstr(arg0), '<') == NULL/
{
	this->us = (timestamp - self->since[self->depth]) / 1000;
	self->since[self->depth] = 0;
	self->depth--;
	printf("%*s<- %s %d us\n", 2 * self->depth, "", copyinstr(arg1), this->us);
}
