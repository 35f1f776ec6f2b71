/* at most 130 instructions */
sdt:::sched_switch { @[args[2]->comm] = count(); }
