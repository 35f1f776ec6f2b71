# -lv tells stability and types of the arguments.
. "$(dirname "$0")/lib.bash"
run -lvn syscall::read:entry
ended 0
prints '	Probe Description Attributes
		Identifier Names: '
prints '	Argument Attributes
		Identifier Names: '
prints '	Argument Types
		args[0]: unsigned int
		args[1]: userland char *
		args[2]: size_t'
run -lvn syscall::getpid:entry
prints '	Argument Types
		None'
run -lvn sdt:sched::sched_switch
prints 'args[1]: struct task_struct *'
prints 'args[2]: struct task_struct *'
