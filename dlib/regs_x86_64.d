/*
 * regs.d for x86: indices into uregs[] (words of struct pt_regs), and what else depends on the machine.
 */

inline int R_R15 = 0;
#pragma D binding "1.0" R_R15
inline int R_R14 = 1;
#pragma D binding "1.0" R_R14
inline int R_R13 = 2;
#pragma D binding "1.0" R_R13
inline int R_R12 = 3;
#pragma D binding "1.0" R_R12
inline int R_RBP = 4;
#pragma D binding "1.0" R_RBP
inline int R_RBX = 5;
#pragma D binding "1.0" R_RBX
inline int R_R11 = 6;
#pragma D binding "1.0" R_R11
inline int R_R10 = 7;
#pragma D binding "1.0" R_R10
inline int R_R9 = 8;
#pragma D binding "1.0" R_R9
inline int R_R8 = 9;
#pragma D binding "1.0" R_R8
inline int R_RAX = 10;
#pragma D binding "1.0" R_RAX
inline int R_RCX = 11;
#pragma D binding "1.0" R_RCX
inline int R_RDX = 12;
#pragma D binding "1.0" R_RDX
inline int R_RSI = 13;
#pragma D binding "1.0" R_RSI
inline int R_RDI = 14;
#pragma D binding "1.0" R_RDI
inline int R_TRAPNO = 15;
#pragma D binding "1.0" R_TRAPNO
inline int R_RIP = 16;
#pragma D binding "1.0" R_RIP
inline int R_CS = 17;
#pragma D binding "1.0" R_CS
inline int R_RFL = 18;
#pragma D binding "1.0" R_RFL
inline int R_RSP = 19;
#pragma D binding "1.0" R_RSP
inline int R_SS = 20;
#pragma D binding "1.0" R_SS
inline int R_PC = 16;
#pragma D binding "1.0" R_PC
inline int R_SP = 19;
#pragma D binding "1.0" R_SP
inline int R_FP = 4;
#pragma D binding "1.0" R_FP
inline int R_PS = 18;
#pragma D binding "1.0" R_PS
inline int R_R0 = 10;
#pragma D binding "1.0" R_R0
inline int R_R1 = 12;
#pragma D binding "1.0" R_R1
inline int R_EBP = 4;
#pragma D binding "1.0" R_EBP
inline int R_EBX = 5;
#pragma D binding "1.0" R_EBX
inline int R_EDX = 12;
#pragma D binding "1.0" R_EDX
inline int R_ECX = 11;
#pragma D binding "1.0" R_ECX
inline int R_EAX = 10;
#pragma D binding "1.0" R_EAX
inline int R_EDI = 14;
#pragma D binding "1.0" R_EDI
inline int R_ESI = 13;
#pragma D binding "1.0" R_ESI
inline int R_EIP = 16;
#pragma D binding "1.0" R_EIP
inline int R_EFL = 18;
#pragma D binding "1.0" R_EFL
inline int R_UESP = 19;
#pragma D binding "1.0" R_UESP
inline int R_ESP = 19;
#pragma D binding "1.0" R_ESP
inline int O_DIRECT = 040000;
#pragma D binding "1.1" O_DIRECT
inline int O_LARGEFILE = 0100000;
#pragma D binding "1.1" O_LARGEFILE
inline int O_DIRECTORY = 0200000;
#pragma D binding "1.1" O_DIRECTORY
inline int O_NOFOLLOW = 0400000;
#pragma D binding "1.1" O_NOFOLLOW

/* Set in thread_info.flags of threads of 32-bit programs. */
inline ulong_t TASK_IS_32BIT = 0x20000000;

typedef struct task_registers {
	short tr_syscall;
} task_registers_t;

/* The registers with which a thread entered the kernel lie at the end of its stack. */
translator task_registers_t < struct task_struct *T > {
	tr_syscall = ((struct pt_regs *)((uintptr_t)T->stack + 16384 - sizeof (struct fred_info) - sizeof (struct pt_regs)))->orig_ax;
	tr_syscall = ((struct pt_regs *)((uintptr_t)T->stack + 16384 - sizeof (struct pt_regs)))->orig_ax;
};

inline int SYSCALL_FUTEX = 202;

/* The system call that a thread is in, or -1. */
inline short TASK_SYSCALL[struct task_struct *T] = (xlate <task_registers_t> (T)).tr_syscall;
