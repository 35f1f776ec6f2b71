/*
 * procfs.d: processes and threads under the names that proc(5) of Solaris gives them, from struct task_struct.
 * Where kernels differ, a member has several definitions, and the first that fits the running kernel counts.
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

typedef struct lwpsinfo {
	int pr_flag;		/* PF_* of the kernel */
	id_t pr_lwpid;		/* thread id */
	uintptr_t pr_addr;	/* address of its task_struct */
	uintptr_t pr_wchan;	/* always 0: Linux does not note what a thread waits for */
	char pr_stype;		/* always 0 */
	char pr_state;		/* SRUN, SSLEEP, ... */
	char pr_sname;		/* the same as a letter: O R S T Z I */
	char pr_nice;
	short pr_syscall;	/* system call it is in, or -1 */
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;		/* kernel priority; lower runs first */
	ushort_t pr_pctcpu;
	string pr_clname;	/* scheduling class */
	string pr_name;		/* name of the thread */
	int pr_onpro;		/* CPU it runs on or ran on last */
	int pr_bindpro;		/* CPU it is bound to, or -1 */
	int pr_bindpset;
	int pr_lgrp;
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
	ushort_t pr_pctmem;
	string pr_fname;	/* name of its first thread */
	string pr_psargs;	/* arguments, if it is the current process; else its name */
	int pr_wstat;		/* exit status for wait(2) */
	int pr_argc;
	uintptr_t pr_argv;	/* user address of its arguments */
	uintptr_t pr_envp;	/* user address of its environment */
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
	pr_stype = 0;
	pr_state = T->exit_state != 0 ? 3 : (T->__state & 12) != 0 ? 4 : T->__state != 0 ? 1 : T->on_cpu ? 6 : 2;
	pr_state = T->exit_state != 0 ? 3 : (T->state & 12) != 0 ? 4 : T->state != 0 ? 1 : T->on_cpu ? 6 : 2;
	pr_sname = T->exit_state != 0 ? 'Z' : (T->__state & 12) != 0 ? 'T' : T->__state != 0 ? 'S' : T->on_cpu ? 'O' : 'R';
	pr_sname = T->exit_state != 0 ? 'Z' : (T->state & 12) != 0 ? 'T' : T->state != 0 ? 'S' : T->on_cpu ? 'O' : 'R';
	pr_nice = T->static_prio - 120;
	pr_syscall = TASK_SYSCALL[T];
	pr_pri = T->prio;
	pr_clname = T->policy == 0 ? "TS" : T->policy == 1 ? "FIFO" : T->policy == 2 ? "RR" : T->policy == 3 ? "BATCH" :
	    T->policy == 5 ? "IDLE" : T->policy == 6 ? "DL" : "EXT";
	pr_name = T->comm;
	pr_onpro = T->thread_info.cpu;
	pr_onpro = T->cpu;
	pr_bindpro = T->nr_cpus_allowed == 1 ? T->wake_cpu : -1;
	pr_bindpset = -1;
};

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
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm * 4;
	pr_ttydev = T->signal->tty == NULL ? -1 :
	    (T->signal->tty->driver->major << 20) + T->signal->tty->driver->minor_start + T->signal->tty->index;
	pr_fname = T->group_leader->comm;
	pr_psargs = T->tgid == curthread->tgid ? execargs : T->group_leader->comm;
	pr_psargs = T->group_leader->comm;
	pr_wstat = T->exit_code;
	pr_argv = T->mm == NULL ? 0 : T->mm->arg_start;
	pr_envp = T->mm == NULL ? 0 : T->mm->env_start;
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
