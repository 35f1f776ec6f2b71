# On a terminal a message says how to mend what it is about.
# @@needs script
. "$(dirname "$0")/lib.bash"
# program, hint
hint() {
	got=$(script -qec "timeout 20 \"$DTRACE\" -qn '$1'" /dev/null < /dev/null 2>&1 | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g')
	case $got in
	*"help: $2"*) ;;
	*) fail "$1: $got" ;;
	esac
}
hint 'BEGIN { system("true"); }' '-w allows them'
hint 'BEGIN { a[1] = count(); }' 'the name of an aggregation begins with @: @a[...] = ...;'
hint 'BEGIN { a = sum(2); }' 'the name of an aggregation begins with @: @a = ...;'
hint 'BEGIN { trace(count()); }' 'its result goes to an aggregation: @name[keys] = count(...);'
hint 'BEGIN /x = "sh"/ { trace(1); }' '= assigns; == compares'
hint 'BEGIN /execname = "sh"/ { trace(1); }' '= assigns; == compares'
hint 'BEGIN /execname == 1/ { trace(1); }' 'a string is compared with a string, "1"'
hint 'BEGIN /pid == execname/ { trace(1); }' 'lltostr() makes a string of a number'
hint 'BEGIN { trace($1); }' 'arguments follow the options on the command line'
hint 'BEGIN { trace(1);' 'the { of line 1 is not closed'
hint 'BEGIN {
	if (1) {
		trace(1);
}' 'the { of line 1 is not closed'
hint 'BEGIN { @a = quantise(1); }' 'did you mean quantize?'
hint 'kprobe:vfs_read { @ = count(); }' 'did you mean fbt::vfs_read:entry?'
hint 'tracepoint:syscalls:sys_enter_open' 'did you mean syscall::open:entry?'
hint 'BEGIN { trace(curthread->t_pri); }' 'that is a name of Solaris; on Linux: curlwpsinfo->pr_pri'
hint 'BEGIN { trace(`lbolt); }' 'that is a name of Solaris; on Linux: `jiffies'
hint 'sdt:::taskq-enqueue' 'that is a name of Solaris; on Linux: sdt:::workqueue_queue_work'
hint 'mib:::udpHCInDatagrams' 'that is a name of Solaris; on Linux: mib:::udpInDatagrams'
hint 'fbt::fop_read:entry' 'that is a name of Solaris; on Linux: fbt::vfs_read:, or fsinfo:::read'
hint 'sched::resume:on-cpu' 'did you mean sched:::on-cpu?'
hint 'profile:hz:99 { @ = count(); }' 'did you mean profile-99?'
hint 'pid$target:::entry' '$target is the process of -c or -p'
hint '#pragma D option quite
BEGIN' 'did you mean quiet?'
