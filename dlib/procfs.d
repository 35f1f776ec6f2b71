/*
 * procfs.d: processes and threads under the names that proc(5) of Solaris gives them, from struct task_struct.
 * Where kernels differ, a member has several definitions, and the first that fits the running kernel counts. A text in the
 * place of a number is the reason why there is none.
 */

#pragma D depends_on library regs.d

inline int SSLEEP = 1;
inline int SRUN = 2;
inline int SZOMB = 3;
inline int SSTOP = 4;
inline int SIDL = 5;
inline int SONPROC = 6;
inline int SWAIT = 7;

inline int PR_MODEL_UNKNOWN = 0;
inline int PR_MODEL_ILP32 = 1;
inline int PR_MODEL_LP64 = 2;

/* Bits of pr_flag: PF_* of the kernel. */
inline int PR_ISSYS = 0x00200000;
inline int PR_FORKNOEXEC = 0x00000040;
inline int PR_IDLE = 0x00000002;

/* What a thread waits for (pr_stype): a lock of a program (futex), or anything else. */
inline int SOBJ_NONE = 0;
inline int SOBJ_MUTEX = 1;
inline int SOBJ_RWLOCK = 2;
inline int SOBJ_CV = 3;
inline int SOBJ_SEMA = 4;
inline int SOBJ_USER = 5;
inline int SOBJ_USER_PI = 6;
inline int SOBJ_SHUTTLE = 7;

typedef struct lwpsinfo {
	int pr_flag;		/* PF_* of the kernel */
	id_t pr_lwpid;		/* thread id */
	uintptr_t pr_addr;	/* address of its task_struct */
	uintptr_t pr_wchan;	/* always 0: Linux does not note what a thread waits for */
	char pr_stype;		/* SOBJ_USER or SOBJ_CV of a thread that sleeps, else 0 */
	char pr_state;		/* SRUN, SSLEEP, ... */
	char pr_sname;		/* the same as a letter: O R S T Z I */
	char pr_nice;
	short pr_syscall;	/* system call it is in, or -1 */
	char pr_oldpri;		/* priority as /proc/PID/stat has it; lower runs first */
	char pr_cpu;		/* per cent of a CPU that it used of late, as the scheduler reckons */
	int pr_pri;		/* kernel priority; lower runs first */
	ushort_t pr_pctcpu;	/* the same, of 0x8000 */
	string pr_clname;	/* scheduling class */
	string pr_name;		/* name of the thread */
	int pr_onpro;		/* CPU it runs on or ran on last */
	int pr_bindpro;		/* CPU it is bound to, or -1 */
	int pr_bindpset;
	int pr_lgrp;		/* NUMA node where its memory is, or of its CPU */
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;		/* PF_* of the kernel */
	int pr_nlwp;		/* threads */
	int pr_nzomb;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uint_t pr_uid;		/* real user */
	uint_t pr_euid;		/* effective user */
	uint_t pr_gid;
	uint_t pr_egid;
	uintptr_t pr_addr;	/* address of the task_struct of its first thread */
	size_t pr_size;		/* KiB of address space */
	size_t pr_rssize;	/* KiB in memory */
	uint64_t pr_ttydev;	/* controlling terminal, or -1 */
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;	/* share of the machine's memory, of 0x8000 */
	string pr_fname;	/* name of its first thread */
	string pr_psargs;	/* arguments, if they are those of the current process; else its name */
	int pr_wstat;		/* exit status for wait(2) */
	int pr_argc;		/* number of its arguments, if it has those of the current process; else -1 */
	uintptr_t pr_argv;	/* user address of the addresses of its arguments */
	uintptr_t pr_envp;	/* the same of its environment, if it has that of the current process; else 0 */
	char pr_dmodel;		/* PR_MODEL_ILP32 or PR_MODEL_LP64 */
	int pr_taskid;
	int pr_projid;
	int pr_poolid;
	int pr_zoneid;
	int pr_contract;
	lwpsinfo_t pr_lwp;	/* its first thread */
} psinfo_t;

#pragma D attributes Stable/Stable/Common translator
#pragma D binding "1.0" translator
/* A thread that gives its CPU away sleeps already: scripts ask in sched:::off-cpu. */
translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = T->flags;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = T->exit_state != 0 || T->__state == 0 ? 0 : TASK_SYSCALL[T] == SYSCALL_FUTEX ? 5 : 3;
	pr_stype = T->exit_state != 0 || T->state == 0 ? 0 : TASK_SYSCALL[T] == SYSCALL_FUTEX ? 5 : 3;
	pr_state = T->exit_state != 0 ? 3 : (T->__state & 12) != 0 ? 4 : T->__state != 0 ? 1 : T->on_cpu ? 6 : 2;
	pr_state = T->exit_state != 0 ? 3 : (T->state & 12) != 0 ? 4 : T->state != 0 ? 1 : T->on_cpu ? 6 : 2;
	pr_sname = T->exit_state != 0 ? 'Z' : (T->__state & 12) != 0 ? 'T' : T->__state != 0 ? 'S' : T->on_cpu ? 'O' : 'R';
	pr_sname = T->exit_state != 0 ? 'Z' : (T->state & 12) != 0 ? 'T' : T->state != 0 ? 'S' : T->on_cpu ? 'O' : 'R';
	pr_nice = T->static_prio - 120;
	pr_syscall = TASK_SYSCALL[T];
	pr_oldpri = T->prio - 100;
	pr_cpu = T->se.avg.util_avg * 100 / 1024;
	pr_cpu = "this kernel does not reckon the load of threads";
	pr_pri = T->prio;
	pr_pctcpu = T->se.avg.util_avg * 32;
	pr_pctcpu = "this kernel does not reckon the load of threads";
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FIFO" : T->policy == 2 ? "RR" : T->policy == 3 ? "BATCH" :
	    T->policy == 5 ? "IDLE" : T->policy == 6 ? "DL" : "EXT";
	pr_name = T->comm;
	pr_onpro = T->thread_info.cpu;
	pr_onpro = T->cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->wake_cpu : -1;
	pr_bindpset = -1;
	pr_lgrp = T->numa_preferred_nid >= 0 ? T->numa_preferred_nid : CPU_NODE[T->thread_info.cpu];
	pr_lgrp = CPU_NODE[T->thread_info.cpu];
	pr_lgrp = CPU_NODE[T->cpu];
};

typedef struct task_memory {
	int64_t tm_resident;	/* pages in memory */
	int tm_copy;		/* it has the arguments and environment of the current process */
	int tm_argc;
	int tm_word;		/* bytes of a pointer */
} task_memory_t;

/* What the kernel counts for each CPU (up to 32 pages of a kind) is not in tm_resident. */
translator task_memory_t < struct task_struct *T > {
	tm_resident = T->mm == NULL ? 0 : MM_COUNT[T->mm->rss_stat[0].count] + MM_COUNT[T->mm->rss_stat[1].count] +
	    MM_COUNT[T->mm->rss_stat[3].count];
	tm_resident = T->mm == NULL ? 0 : MM_COUNT[T->mm->rss_stat.count[0].counter] +
	    MM_COUNT[T->mm->rss_stat.count[1].counter] + MM_COUNT[T->mm->rss_stat.count[3].counter];
	/* A child has those of its parent until it runs another program. */
	tm_copy = T->mm != NULL && (T->tgid == curthread->tgid ||
	    (T->flags & PR_FORKNOEXEC) != 0 && T->real_parent->tgid == curthread->tgid);
	tm_argc = *(userland int *)T->mm->start_stack;
	tm_word = (T->thread_info.flags & TASK_IS_32BIT) != 0 ? 4 : 8;
};

/* Such a counter may be less than 0 for a while. */
inline int64_t MM_COUNT[int64_t n] = n > 0 ? n : 0;
inline task_memory_t *TASK_MEMORY[struct task_struct *T] = xlate <task_memory_t *> (T);

#pragma D attributes Stable/Stable/Common translator
#pragma D binding "1.0" translator
translator psinfo_t < struct task_struct *T > {
	pr_flag = T->flags;
	pr_nlwp = T->signal->nr_threads;
	pr_nzomb = 0;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = T->signal->pids[2]->numbers[0].nr;
	pr_sid = T->signal->pids[3]->numbers[0].nr;
	pr_uid = T->real_cred->uid.val;
	pr_euid = T->real_cred->euid.val;
	pr_gid = T->real_cred->gid.val;
	pr_egid = T->real_cred->egid.val;
	pr_addr = (uintptr_t)T->group_leader;
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm * MEM_PAGE_KIB;
	pr_rssize = TASK_MEMORY[T]->tm_resident * MEM_PAGE_KIB;
	pr_pctcpu = "Linux keeps it for threads only: see pr_lwp and curlwpsinfo";
	pr_pctmem = TASK_MEMORY[T]->tm_resident * 0x8000 / MEM_PAGES;
	pr_ttydev = T->signal->tty == NULL ? -1 :
	    (T->signal->tty->driver->major << 20) + T->signal->tty->driver->minor_start + T->signal->tty->index;
	pr_fname = T->group_leader->comm;
	pr_psargs = TASK_MEMORY[T]->tm_copy ? execargs : T->group_leader->comm;
	pr_psargs = T->group_leader->comm;
	pr_wstat = T->exit_code;
	pr_argc = T->mm == NULL ? 0 : TASK_MEMORY[T]->tm_copy ? TASK_MEMORY[T]->tm_argc : -1;
	pr_argv = T->mm == NULL ? 0 : T->mm->start_stack + TASK_MEMORY[T]->tm_word;
	pr_envp = TASK_MEMORY[T]->tm_copy ?
	    T->mm->start_stack + TASK_MEMORY[T]->tm_word * (TASK_MEMORY[T]->tm_argc + 2) : 0;
	pr_dmodel = (T->thread_info.flags & TASK_IS_32BIT) != 0 ? 1 : 2;
	pr_taskid = 0;
	pr_projid = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_lwp = xlate <lwpsinfo_t> (T->group_leader);
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curpsinfo
#pragma D binding "1.0" curpsinfo

inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *> (curthread);
#pragma D attributes Stable/Stable/Common curlwpsinfo
#pragma D binding "1.0" curlwpsinfo
