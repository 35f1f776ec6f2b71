/* at most 110 instructions */
sdt:::sched_switch { @[args[1]->pid] = count(); }
