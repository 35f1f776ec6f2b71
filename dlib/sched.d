/*
 * sched.d: CPUs. Where a CPU sits is asked of the running system (cpus.d) when it is first needed.
 */

typedef struct cpuinfo {
	int cpu_id;		/* number of the CPU */
	int cpu_pset;		/* always 0: Linux has no processor sets */
	int cpu_chip;		/* package */
	int cpu_lgrp;		/* NUMA node */
} cpuinfo_t;

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = CPU_CHIP[C];
	cpu_lgrp = CPU_NODE[C];
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> (cpu);
#pragma D attributes Evolving/Evolving/Common curcpu
#pragma D binding "1.0" curcpu

inline int chip = curcpu->cpu_chip;
#pragma D attributes Evolving/Evolving/Common chip
#pragma D binding "1.0" chip

inline int lgrp = curcpu->cpu_lgrp;
#pragma D attributes Evolving/Evolving/Common lgrp
#pragma D binding "1.0" lgrp

inline int pset = 0;
#pragma D attributes Evolving/Evolving/Common pset
#pragma D binding "1.0" pset
