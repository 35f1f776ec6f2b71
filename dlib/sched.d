/*
 * sched.d: CPUs. What a CPU is and where it sits is asked of the running system (machine.d) when it is first needed.
 */

inline int P_OFFLINE = 1;
inline int P_ONLINE = 2;

typedef struct processor_info {
	int pi_state;		/* P_ONLINE: it runs this program */
	string pi_processor_type;	/* architecture */
	string pi_fputypes;	/* what computes with floating point */
	int pi_clock;		/* MHz, at most; 0 if the system does not tell */
} processor_info_t;

typedef struct cpuinfo {
	int cpu_id;		/* number of the CPU */
	int cpu_pset;		/* always 0: Linux has no processor sets */
	int cpu_chip;		/* package */
	int cpu_lgrp;		/* NUMA node */
	processor_info_t cpu_info;
} cpuinfo_t;

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator processor_info_t < int C > {
	pi_state = P_ONLINE;
	pi_processor_type = CPU_TYPE;
	pi_fputypes = CPU_FPU;
	pi_clock = CPU_CLOCK[C];
};

#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator cpuinfo_t < int C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = CPU_CHIP[C];
	cpu_lgrp = CPU_NODE[C];
	cpu_info = xlate <processor_info_t> (C);
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
