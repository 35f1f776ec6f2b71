/* at most 100 instructions */
sdt:::sched_switch { @[args[1]->pid] = count(); }
