/*
 * signal.d: signals as Linux numbers them on x86 and arm64, and the reasons (si_code) that go with them.
 */

inline int SIGHUP = 1;
#pragma D binding "1.0" SIGHUP
inline int SIGINT = 2;
#pragma D binding "1.0" SIGINT
inline int SIGQUIT = 3;
#pragma D binding "1.0" SIGQUIT
inline int SIGILL = 4;
#pragma D binding "1.0" SIGILL
inline int SIGTRAP = 5;
#pragma D binding "1.0" SIGTRAP
inline int SIGABRT = 6;
#pragma D binding "1.0" SIGABRT
inline int SIGBUS = 7;
#pragma D binding "1.0" SIGBUS
inline int SIGFPE = 8;
#pragma D binding "1.0" SIGFPE
inline int SIGKILL = 9;
#pragma D binding "1.0" SIGKILL
inline int SIGUSR1 = 10;
#pragma D binding "1.0" SIGUSR1
inline int SIGSEGV = 11;
#pragma D binding "1.0" SIGSEGV
inline int SIGUSR2 = 12;
#pragma D binding "1.0" SIGUSR2
inline int SIGPIPE = 13;
#pragma D binding "1.0" SIGPIPE
inline int SIGALRM = 14;
#pragma D binding "1.0" SIGALRM
inline int SIGTERM = 15;
#pragma D binding "1.0" SIGTERM
inline int SIGSTKFLT = 16;
#pragma D binding "1.0" SIGSTKFLT
inline int SIGCHLD = 17;
#pragma D binding "1.0" SIGCHLD
inline int SIGCONT = 18;
#pragma D binding "1.0" SIGCONT
inline int SIGSTOP = 19;
#pragma D binding "1.0" SIGSTOP
inline int SIGTSTP = 20;
#pragma D binding "1.0" SIGTSTP
inline int SIGTTIN = 21;
#pragma D binding "1.0" SIGTTIN
inline int SIGTTOU = 22;
#pragma D binding "1.0" SIGTTOU
inline int SIGURG = 23;
#pragma D binding "1.0" SIGURG
inline int SIGXCPU = 24;
#pragma D binding "1.0" SIGXCPU
inline int SIGXFSZ = 25;
#pragma D binding "1.0" SIGXFSZ
inline int SIGVTALRM = 26;
#pragma D binding "1.0" SIGVTALRM
inline int SIGPROF = 27;
#pragma D binding "1.0" SIGPROF
inline int SIGWINCH = 28;
#pragma D binding "1.0" SIGWINCH
inline int SIGIO = 29;
#pragma D binding "1.0" SIGIO
inline int SIGPWR = 30;
#pragma D binding "1.0" SIGPWR
inline int SIGSYS = 31;
#pragma D binding "1.0" SIGSYS
inline int SIGIOT = 6;
#pragma D binding "1.0" SIGIOT
inline int SIGCLD = 17;
#pragma D binding "1.0" SIGCLD
inline int SIGPOLL = 29;
#pragma D binding "1.0" SIGPOLL
inline int ILL_OPC = 1;
#pragma D binding "1.0" ILL_OPC
inline int ILL_OPN = 2;
#pragma D binding "1.0" ILL_OPN
inline int ILL_ADR = 3;
#pragma D binding "1.0" ILL_ADR
inline int ILL_TRP = 4;
#pragma D binding "1.0" ILL_TRP
inline int ILL_PRVOPC = 5;
#pragma D binding "1.0" ILL_PRVOPC
inline int ILL_PRVREG = 6;
#pragma D binding "1.0" ILL_PRVREG
inline int ILL_COPROC = 7;
#pragma D binding "1.0" ILL_COPROC
inline int ILL_BADSTK = 8;
#pragma D binding "1.0" ILL_BADSTK
inline int FPE_INTDIV = 1;
#pragma D binding "1.0" FPE_INTDIV
inline int FPE_INTOVF = 2;
#pragma D binding "1.0" FPE_INTOVF
inline int FPE_FLTDIV = 3;
#pragma D binding "1.0" FPE_FLTDIV
inline int FPE_FLTOVF = 4;
#pragma D binding "1.0" FPE_FLTOVF
inline int FPE_FLTUND = 5;
#pragma D binding "1.0" FPE_FLTUND
inline int FPE_FLTRES = 6;
#pragma D binding "1.0" FPE_FLTRES
inline int FPE_FLTINV = 7;
#pragma D binding "1.0" FPE_FLTINV
inline int FPE_FLTSUB = 8;
#pragma D binding "1.0" FPE_FLTSUB
inline int SEGV_MAPERR = 1;
#pragma D binding "1.0" SEGV_MAPERR
inline int SEGV_ACCERR = 2;
#pragma D binding "1.0" SEGV_ACCERR
inline int BUS_ADRALN = 1;
#pragma D binding "1.0" BUS_ADRALN
inline int BUS_ADRERR = 2;
#pragma D binding "1.0" BUS_ADRERR
inline int BUS_OBJERR = 3;
#pragma D binding "1.0" BUS_OBJERR
inline int TRAP_BRKPT = 1;
#pragma D binding "1.0" TRAP_BRKPT
inline int TRAP_TRACE = 2;
#pragma D binding "1.0" TRAP_TRACE
inline int CLD_EXITED = 1;
#pragma D binding "1.0" CLD_EXITED
inline int CLD_KILLED = 2;
#pragma D binding "1.0" CLD_KILLED
inline int CLD_DUMPED = 3;
#pragma D binding "1.0" CLD_DUMPED
inline int CLD_TRAPPED = 4;
#pragma D binding "1.0" CLD_TRAPPED
inline int CLD_STOPPED = 5;
#pragma D binding "1.0" CLD_STOPPED
inline int CLD_CONTINUED = 6;
#pragma D binding "1.0" CLD_CONTINUED
inline int POLL_IN = 1;
#pragma D binding "1.0" POLL_IN
inline int POLL_OUT = 2;
#pragma D binding "1.0" POLL_OUT
inline int POLL_MSG = 3;
#pragma D binding "1.0" POLL_MSG
inline int POLL_ERR = 4;
#pragma D binding "1.0" POLL_ERR
inline int POLL_PRI = 5;
#pragma D binding "1.0" POLL_PRI
inline int POLL_HUP = 6;
#pragma D binding "1.0" POLL_HUP

typedef struct dt_siginfo {
	int si_signo;
	int si_errno;
	int si_code;		/* SI_*, ILL_*, FPE_*, SEGV_*, BUS_*, TRAP_*, CLD_*, POLL_* */
	pid_t si_pid;		/* who sent it, or whose child ended */
	uid_t si_uid;
	int si_status;		/* of a child */
	uintptr_t si_addr;	/* of a fault */
	long si_band;		/* of SIGPOLL */
	int si_fd;
	int si_int;		/* value of sigqueue(3) */
	uintptr_t si_ptr;
} siginfo_t;

/* NULL and 1 stand for signals of processes and of the kernel that say no more. */
#pragma D attributes Evolving/Evolving/Common translator
#pragma D binding "1.0" translator
translator siginfo_t < struct kernel_siginfo *S > {
	si_signo = (uintptr_t)S <= 1 ? 0 : S->si_signo;
	si_errno = (uintptr_t)S <= 1 ? 0 : S->si_errno;
	si_code = (uintptr_t)S <= 1 ? (uintptr_t)S * 0x80 : S->si_code;
	si_pid = (uintptr_t)S <= 1 ? 0 : S->_sifields._kill._pid;
	si_uid = (uintptr_t)S <= 1 ? 0 : S->_sifields._kill._uid;
	si_status = (uintptr_t)S <= 1 ? 0 : S->_sifields._sigchld._status;
	si_addr = (uintptr_t)S <= 1 ? 0 : (uintptr_t)S->_sifields._sigfault._addr;
	si_band = (uintptr_t)S <= 1 ? 0 : S->_sifields._sigpoll._band;
	si_fd = (uintptr_t)S <= 1 ? 0 : S->_sifields._sigpoll._fd;
	si_int = (uintptr_t)S <= 1 ? 0 : S->_sifields._rt._sigval.sival_int;
	si_ptr = (uintptr_t)S <= 1 ? 0 : (uintptr_t)S->_sifields._rt._sigval.sival_ptr;
};
