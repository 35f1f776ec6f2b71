/* at most 115 instructions */
sdt:::sched_switch { @[args[2]->comm] = count(); }
