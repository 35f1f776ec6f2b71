/*
 * regs.d for arm64: indices into uregs[] (words of struct user_pt_regs), and what else depends on the machine.
 */

inline int R_X0 = 0;
#pragma D binding "1.0" R_X0
inline int R_X1 = 1;
#pragma D binding "1.0" R_X1
inline int R_X2 = 2;
#pragma D binding "1.0" R_X2
inline int R_X3 = 3;
#pragma D binding "1.0" R_X3
inline int R_X4 = 4;
#pragma D binding "1.0" R_X4
inline int R_X5 = 5;
#pragma D binding "1.0" R_X5
inline int R_X6 = 6;
#pragma D binding "1.0" R_X6
inline int R_X7 = 7;
#pragma D binding "1.0" R_X7
inline int R_X8 = 8;
#pragma D binding "1.0" R_X8
inline int R_X9 = 9;
#pragma D binding "1.0" R_X9
inline int R_X10 = 10;
#pragma D binding "1.0" R_X10
inline int R_X11 = 11;
#pragma D binding "1.0" R_X11
inline int R_X12 = 12;
#pragma D binding "1.0" R_X12
inline int R_X13 = 13;
#pragma D binding "1.0" R_X13
inline int R_X14 = 14;
#pragma D binding "1.0" R_X14
inline int R_X15 = 15;
#pragma D binding "1.0" R_X15
inline int R_X16 = 16;
#pragma D binding "1.0" R_X16
inline int R_X17 = 17;
#pragma D binding "1.0" R_X17
inline int R_X18 = 18;
#pragma D binding "1.0" R_X18
inline int R_X19 = 19;
#pragma D binding "1.0" R_X19
inline int R_X20 = 20;
#pragma D binding "1.0" R_X20
inline int R_X21 = 21;
#pragma D binding "1.0" R_X21
inline int R_X22 = 22;
#pragma D binding "1.0" R_X22
inline int R_X23 = 23;
#pragma D binding "1.0" R_X23
inline int R_X24 = 24;
#pragma D binding "1.0" R_X24
inline int R_X25 = 25;
#pragma D binding "1.0" R_X25
inline int R_X26 = 26;
#pragma D binding "1.0" R_X26
inline int R_X27 = 27;
#pragma D binding "1.0" R_X27
inline int R_X28 = 28;
#pragma D binding "1.0" R_X28
inline int R_X29 = 29;
#pragma D binding "1.0" R_X29
inline int R_X30 = 30;
#pragma D binding "1.0" R_X30
inline int R_FP = 29;
#pragma D binding "1.0" R_FP
inline int R_LR = 30;
#pragma D binding "1.0" R_LR
inline int R_SP = 31;
#pragma D binding "1.0" R_SP
inline int R_PC = 32;
#pragma D binding "1.0" R_PC
inline int R_PSTATE = 33;
#pragma D binding "1.0" R_PSTATE
inline int R_PS = 33;
#pragma D binding "1.0" R_PS
inline int R_R0 = 0;
#pragma D binding "1.0" R_R0
inline int R_R1 = 1;
#pragma D binding "1.0" R_R1
inline int O_DIRECTORY = 040000;
#pragma D binding "1.1" O_DIRECTORY
inline int O_NOFOLLOW = 0100000;
#pragma D binding "1.1" O_NOFOLLOW
inline int O_DIRECT = 0200000;
#pragma D binding "1.1" O_DIRECT
inline int O_LARGEFILE = 0400000;
#pragma D binding "1.1" O_LARGEFILE

/* Set in thread_info.flags of threads of 32-bit programs. */
inline ulong_t TASK_IS_32BIT = 0x400000;

typedef struct task_registers {
	short tr_syscall;
} task_registers_t;

/* The registers with which a thread entered the kernel lie at the end of its stack. */
translator task_registers_t < struct task_struct *T > {
	tr_syscall = ((struct pt_regs *)((uintptr_t)T->stack + 16384 - sizeof (struct pt_regs)))->syscallno;
};

inline int SYSCALL_FUTEX = 98;

/* The system call that a thread is in, or -1. */
inline short TASK_SYSCALL[struct task_struct *T] = (xlate <task_registers_t> (T)).tr_syscall;
