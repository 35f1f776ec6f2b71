//! Every global identifier of D as one row: name, kind, prototype in D syntax, stability, the version that introduced
//! it, and why it is refused where it is. Source: the Solaris guide and the identifier tables of the implementations
//! (reference §6).
//!
//! A prototype is a type for variables and `return(args)` for functions; `@` is an argument of any type, `[T]` an
//! optional one, `...` any number more.

use crate::vocab::{Action as A, Agg as G, Builtin as B, Subr as S};
use crate::{Action, Agg, Builtin, Class, Level, Stability, Subr, Version};

/// What an identifier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GlobalKind {
    /// A built-in variable.
    Builtin(Builtin),
    /// `arg0` … `arg9`.
    Arg(u8),
    /// `args[]`.
    Args,
    /// `uregs[]`.
    Uregs,
    /// A subroutine.
    Subr(Subr),
    /// An action.
    Action(Action),
    /// An aggregating function.
    Agg(Agg),
    /// `self`.
    SelfPtr,
    /// `this`.
    ThisPtr,
    /// Exists in other implementations only: programs may define it themselves.
    Foreign,
}

impl GlobalKind {
    /// The kind as messages name it.
    pub fn describe(self) -> &'static str {
        match self {
            GlobalKind::Builtin(_) | GlobalKind::Arg(_) | GlobalKind::Foreign => "scalar",
            GlobalKind::Args | GlobalKind::Uregs => "array",
            GlobalKind::Subr(_) | GlobalKind::Action(_) => "function",
            GlobalKind::Agg(_) => "aggregating function",
            GlobalKind::SelfPtr | GlobalKind::ThisPtr => "pointer",
        }
    }
}

/// One identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// Name in D.
    pub name: &'static str,
    /// What it is.
    pub kind: GlobalKind,
    /// Prototype in D syntax; empty for arrays and pointers.
    pub proto: &'static str,
    /// Stability attributes.
    pub stability: Stability,
    /// First language version that has it.
    pub since: Version,
    /// Why programs that use it are refused, if they are.
    pub refused: Option<&'static str>,
}

const STABLE: Stability = Stability::STABLE;
const EVOLVING: Stability = Stability::EVOLVING;
const CURTHREAD: Stability = Stability {
    name: Level::Stable,
    data: Level::Private,
    class: Class::Common,
};

const fn row(
    name: &'static str,
    kind: GlobalKind,
    proto: &'static str,
    stability: Stability,
    since: (u8, u16, u16),
    refused: Option<&'static str>,
) -> Global {
    Global {
        name,
        kind,
        proto,
        stability,
        since: Version(since.0, since.1, since.2),
        refused,
    }
}

use GlobalKind::{
    Action as Act, Agg as Aggf, Arg, Args, Builtin as Var, Foreign, SelfPtr, Subr as Sub, ThisPtr,
    Uregs,
};

/// Every identifier, sorted by name.
pub const GLOBALS: &[Global] = &[
    row(
        "alloca",
        Sub(S::Alloca),
        "void *(size_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("arg0", Arg(0), "int64_t", STABLE, (1, 0, 0), None),
    row("arg1", Arg(1), "int64_t", STABLE, (1, 0, 0), None),
    row("arg2", Arg(2), "int64_t", STABLE, (1, 0, 0), None),
    row("arg3", Arg(3), "int64_t", STABLE, (1, 0, 0), None),
    row("arg4", Arg(4), "int64_t", STABLE, (1, 0, 0), None),
    row("arg5", Arg(5), "int64_t", STABLE, (1, 0, 0), None),
    row("arg6", Arg(6), "int64_t", STABLE, (1, 0, 0), None),
    row("arg7", Arg(7), "int64_t", STABLE, (1, 0, 0), None),
    row("arg8", Arg(8), "int64_t", STABLE, (1, 0, 0), None),
    row("arg9", Arg(9), "int64_t", STABLE, (1, 0, 0), None),
    row("args", Args, "", STABLE, (1, 0, 0), None),
    row("avg", Aggf(G::Avg), "void(@)", STABLE, (1, 0, 0), None),
    row(
        "basename",
        Sub(S::Basename),
        "string(const char *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "bcopy",
        Sub(S::Bcopy),
        "void(void *, void *, size_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "breakpoint",
        Act(A::Breakpoint),
        "void()",
        STABLE,
        (1, 0, 0),
        Some("Linux has no kernel debugger that a tracing program may enter"),
    ),
    row(
        "caller",
        Var(B::Caller),
        "uintptr_t",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("chill", Act(A::Chill), "void(int)", STABLE, (1, 0, 0), None),
    row(
        "cleanpath",
        Sub(S::Cleanpath),
        "string(const char *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("clear", Act(A::Clear), "void(...)", STABLE, (1, 0, 0), None),
    row(
        "commit",
        Act(A::Commit),
        "void(int)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "copyin",
        Sub(S::Copyin),
        "void *(uintptr_t, size_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "copyinstr",
        Sub(S::Copyinstr),
        "string(uintptr_t, [size_t])",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "copyinto",
        Sub(S::Copyinto),
        "void(uintptr_t, size_t, void *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "copyout",
        Sub(S::Copyout),
        "void(void *, uintptr_t, size_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "copyoutstr",
        Sub(S::Copyoutstr),
        "void(char *, uintptr_t, size_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("count", Aggf(G::Count), "void()", STABLE, (1, 0, 0), None),
    row("cpu", Var(B::Cpu), "int", STABLE, (1, 6, 3), None),
    row(
        "curcpu",
        Var(B::Curcpu),
        "cpuinfo_t *",
        STABLE,
        (1, 0, 0),
        Some("a D library defines it, and none was read (-xnolibs)"),
    ),
    row(
        "curthread",
        Var(B::Curthread),
        "struct task_struct *",
        CURTHREAD,
        (1, 0, 0),
        None,
    ),
    row(
        "cwd",
        Var(B::Cwd),
        "string",
        STABLE,
        (1, 0, 0),
        Some("a D library defines it, and none was read (-xnolibs)"),
    ),
    row(
        "d_path",
        Sub(S::DPath),
        "string(struct path *, [int])",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "ddi_pathname",
        Sub(S::DdiPathname),
        "string(void *, int64_t)",
        EVOLVING,
        (1, 0, 0),
        Some("Solaris device nodes do not exist on Linux"),
    ),
    row(
        "denormalize",
        Act(A::Denormalize),
        "void(...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "dentry_path",
        Sub(S::DentryPath),
        "string(struct dentry *, [int])",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "dirname",
        Sub(S::Dirname),
        "string(const char *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "discard",
        Act(A::Discard),
        "void(int)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("epid", Var(B::Epid), "uint_t", STABLE, (1, 0, 0), None),
    row("errno", Var(B::Errno), "int", STABLE, (1, 0, 0), None),
    row(
        "execargs",
        Var(B::Execargs),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "execname",
        Var(B::Execname),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("exit", Act(A::Exit), "void(int)", STABLE, (1, 0, 0), None),
    row(
        "freopen",
        Act(A::Freopen),
        "void(@, ...)",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "ftruncate",
        Act(A::Ftruncate),
        "void()",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "func",
        Act(A::Func),
        "_symaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "getf",
        Sub(S::Getf),
        "struct file *(int)",
        STABLE,
        (1, 10, 0),
        None,
    ),
    row(
        "getmajor",
        Sub(S::Getmajor),
        "uint_t(dev_t)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "getminor",
        Sub(S::Getminor),
        "uint_t(dev_t)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row("gid", Var(B::Gid), "gid_t", STABLE, (1, 0, 0), None),
    row(
        "htonl",
        Sub(S::Htonl),
        "uint32_t(uint32_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row(
        "htonll",
        Sub(S::Htonll),
        "uint64_t(uint64_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row(
        "htons",
        Sub(S::Htons),
        "uint16_t(uint16_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row("id", Var(B::Id), "uint_t", STABLE, (1, 0, 0), None),
    row(
        "index",
        Sub(S::Index),
        "int(const char *, const char *, [int])",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "inet_ntoa",
        Sub(S::InetNtoa),
        "string(ipaddr_t *)",
        STABLE,
        (1, 5, 0),
        None,
    ),
    row(
        "inet_ntoa6",
        Sub(S::InetNtoa6),
        "string(struct in6_addr *)",
        STABLE,
        (1, 5, 0),
        None,
    ),
    row(
        "inet_ntop",
        Sub(S::InetNtop),
        "string(int, void *)",
        STABLE,
        (1, 5, 0),
        None,
    ),
    row(
        "ipl",
        Var(B::Ipl),
        "uint_t",
        STABLE,
        (1, 0, 0),
        Some(
            "Linux has no interrupt priority levels, and its preemption count is out of the reach of BPF",
        ),
    ),
    row(
        "jailname",
        Foreign,
        "string",
        STABLE,
        (1, 13, 0),
        Some("jails exist only on FreeBSD"),
    ),
    row(
        "jid",
        Foreign,
        "int",
        STABLE,
        (1, 13, 0),
        Some("jails exist only on FreeBSD"),
    ),
    row(
        "json",
        Sub(S::Json),
        "string(const char *, const char *)",
        STABLE,
        (1, 11, 0),
        None,
    ),
    row(
        "jstack",
        Act(A::Jstack),
        "stack(...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "link_ntop",
        Sub(S::LinkNtop),
        "string(int, void *)",
        STABLE,
        (1, 5, 0),
        None,
    ),
    row(
        "llquantize",
        Aggf(G::Llquantize),
        "void(@, int32_t, int32_t, int32_t, int32_t, ...)",
        STABLE,
        (1, 7, 0),
        None,
    ),
    row(
        "lltostr",
        Sub(S::Lltostr),
        "string(int64_t, [int])",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "lquantize",
        Aggf(G::Lquantize),
        "void(@, int32_t, int32_t, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("max", Aggf(G::Max), "void(@)", STABLE, (1, 0, 0), None),
    row(
        "memref",
        Sub(S::Memref),
        "uintptr_t *(void *, size_t)",
        STABLE,
        (1, 1, 0),
        Some("it exists only on FreeBSD"),
    ),
    row(
        "memstr",
        Sub(S::Memstr),
        "string(void *, char, size_t)",
        STABLE,
        (1, 0, 0),
        Some("it exists only on FreeBSD"),
    ),
    row("min", Aggf(G::Min), "void(@)", STABLE, (1, 0, 0), None),
    row(
        "mod",
        Act(A::Mod),
        "_symaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "msgdsize",
        Sub(S::Msgdsize),
        "size_t(mblk_t *)",
        STABLE,
        (1, 0, 0),
        Some("STREAMS messages do not exist on Linux"),
    ),
    row(
        "msgsize",
        Sub(S::Msgsize),
        "size_t(mblk_t *)",
        STABLE,
        (1, 0, 0),
        Some("STREAMS messages do not exist on Linux"),
    ),
    row(
        "mutex_owned",
        Sub(S::MutexOwned),
        "int(struct mutex *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "mutex_owner",
        Sub(S::MutexOwner),
        "struct task_struct *(struct mutex *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "mutex_type_adaptive",
        Sub(S::MutexTypeAdaptive),
        "int(struct mutex *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "mutex_type_spin",
        Sub(S::MutexTypeSpin),
        "int(struct mutex *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "normalize",
        Act(A::Normalize),
        "void(...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "ntohl",
        Sub(S::Ntohl),
        "uint32_t(uint32_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row(
        "ntohll",
        Sub(S::Ntohll),
        "uint64_t(uint64_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row(
        "ntohs",
        Sub(S::Ntohs),
        "uint16_t(uint16_t)",
        EVOLVING,
        (1, 3, 0),
        None,
    ),
    row(
        "panic",
        Act(A::Panic),
        "void()",
        STABLE,
        (1, 0, 0),
        Some("a tracing program cannot panic a Linux kernel"),
    ),
    row(
        "pcap",
        Act(A::Pcap),
        "void(void *, int)",
        STABLE,
        (1, 6, 4),
        Some("packets are not recorded as such: use tracemem() and the translators of net.d"),
    ),
    row("pid", Var(B::Pid), "pid_t", STABLE, (1, 0, 0), None),
    row("ppid", Var(B::Ppid), "pid_t", STABLE, (1, 0, 0), None),
    row("print", Act(A::Print), "void(@)", STABLE, (1, 9, 0), None),
    row(
        "printa",
        Act(A::Printa),
        "void(@, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "printf",
        Act(A::Printf),
        "void(@, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "printm",
        Act(A::Printm),
        "void(size_t, uintptr_t *)",
        STABLE,
        (1, 0, 0),
        Some("it exists only on FreeBSD"),
    ),
    row(
        "probefunc",
        Var(B::Probefunc),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "probemod",
        Var(B::Probemod),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "probename",
        Var(B::Probename),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "probeprov",
        Var(B::Probeprov),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "progenyof",
        Sub(S::Progenyof),
        "int(pid_t)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "quantize",
        Aggf(G::Quantize),
        "void(@, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("raise", Act(A::Raise), "void(int)", STABLE, (1, 0, 0), None),
    row("rand", Sub(S::Rand), "int()", STABLE, (1, 0, 0), None),
    row(
        "regs",
        Foreign,
        "",
        STABLE,
        (1, 0, 0),
        Some("a probe of Linux has no registers of its own to show: use uregs[]"),
    ),
    row(
        "rindex",
        Sub(S::Rindex),
        "int(const char *, const char *, [int])",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "root",
        Var(B::Root),
        "string",
        STABLE,
        (1, 0, 0),
        Some("a D library defines it, and none was read (-xnolibs)"),
    ),
    row(
        "rw_iswriter",
        Sub(S::RwIswriter),
        "int(struct rw_semaphore *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "rw_read_held",
        Sub(S::RwReadHeld),
        "int(struct rw_semaphore *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row(
        "rw_write_held",
        Sub(S::RwWriteHeld),
        "int(struct rw_semaphore *)",
        EVOLVING,
        (1, 0, 0),
        None,
    ),
    row("self", SelfPtr, "", STABLE, (1, 0, 0), None),
    row(
        "setopt",
        Act(A::Setopt),
        "void(const char *, [const char *])",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "speculate",
        Act(A::Speculate),
        "void(int)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "speculation",
        Sub(S::Speculation),
        "int()",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "stack",
        Act(A::Stack),
        "stack(...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "stackdepth",
        Var(B::Stackdepth),
        "uint32_t",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "stddev",
        Aggf(G::Stddev),
        "void(@)",
        STABLE,
        (1, 6, 0),
        None,
    ),
    row("stop", Act(A::Stop), "void()", STABLE, (1, 0, 0), None),
    row(
        "strchr",
        Sub(S::Strchr),
        "string(const char *, char)",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "strjoin",
        Sub(S::Strjoin),
        "string(const char *, const char *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "strlen",
        Sub(S::Strlen),
        "size_t(const char *)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "strrchr",
        Sub(S::Strrchr),
        "string(const char *, char)",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "strstr",
        Sub(S::Strstr),
        "string(const char *, const char *)",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "strtok",
        Sub(S::Strtok),
        "string(const char *, const char *)",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row(
        "strtoll",
        Sub(S::Strtoll),
        "int64_t(const char *, [int])",
        STABLE,
        (1, 11, 0),
        None,
    ),
    row(
        "substr",
        Sub(S::Substr),
        "string(const char *, int, [int])",
        STABLE,
        (1, 1, 0),
        None,
    ),
    row("sum", Aggf(G::Sum), "void(@)", STABLE, (1, 0, 0), None),
    row(
        "sx_exclusive_held",
        Foreign,
        "int(void *)",
        EVOLVING,
        (1, 0, 0),
        Some("it exists only on FreeBSD"),
    ),
    row(
        "sx_isexclusive",
        Foreign,
        "int(void *)",
        EVOLVING,
        (1, 0, 0),
        Some("it exists only on FreeBSD"),
    ),
    row(
        "sx_shared_held",
        Foreign,
        "int(void *)",
        EVOLVING,
        (1, 0, 0),
        Some("it exists only on FreeBSD"),
    ),
    row(
        "sym",
        Act(A::Sym),
        "_symaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "system",
        Act(A::System),
        "void(@, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("this", ThisPtr, "", STABLE, (1, 0, 0), None),
    row(
        "threadname",
        Var(B::Threadname),
        "string",
        STABLE,
        (1, 13, 0),
        None,
    ),
    row("tid", Var(B::Tid), "id_t", STABLE, (1, 0, 0), None),
    row(
        "timestamp",
        Var(B::Timestamp),
        "uint64_t",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "tolower",
        Sub(S::Tolower),
        "string(const char *)",
        STABLE,
        (1, 8, 0),
        None,
    ),
    row(
        "toupper",
        Sub(S::Toupper),
        "string(const char *)",
        STABLE,
        (1, 8, 0),
        None,
    ),
    row("trace", Act(A::Trace), "void(@)", STABLE, (1, 0, 0), None),
    row(
        "tracemem",
        Act(A::Tracemem),
        "void(@, size_t, ...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row("trunc", Act(A::Trunc), "void(...)", STABLE, (1, 0, 0), None),
    row(
        "uaddr",
        Act(A::Uaddr),
        "_usymaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "ucaller",
        Var(B::Ucaller),
        "uint64_t",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "ufunc",
        Act(A::Ufunc),
        "_usymaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row("uid", Var(B::Uid), "uid_t", STABLE, (1, 0, 0), None),
    row(
        "umod",
        Act(A::Umod),
        "_usymaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row("uregs", Uregs, "", STABLE, (1, 0, 0), None),
    row(
        "ustack",
        Act(A::Ustack),
        "stack(...)",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "ustackdepth",
        Var(B::Ustackdepth),
        "uint32_t",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "usym",
        Act(A::Usym),
        "_usymaddr(uintptr_t)",
        STABLE,
        (1, 2, 0),
        None,
    ),
    row(
        "vmregs",
        Foreign,
        "",
        STABLE,
        (1, 12, 0),
        Some("virtual machine registers are not available on Linux"),
    ),
    row(
        "vtimestamp",
        Var(B::Vtimestamp),
        "uint64_t",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "walltimestamp",
        Var(B::Walltimestamp),
        "int64_t",
        STABLE,
        (1, 0, 0),
        None,
    ),
    row(
        "zonename",
        Var(B::Zonename),
        "string",
        STABLE,
        (1, 0, 0),
        None,
    ),
];

/// The identifier with this name.
pub fn global(name: &str) -> Option<&'static Global> {
    GLOBALS
        .binary_search_by(|g| g.name.cmp(name))
        .ok()
        .map(|i| &GLOBALS[i])
}

impl Builtin {
    /// Its row.
    pub fn row(self) -> Option<&'static Global> {
        GLOBALS.iter().find(|g| g.kind == GlobalKind::Builtin(self))
    }
}

impl Subr {
    /// Its row.
    pub fn row(self) -> Option<&'static Global> {
        GLOBALS.iter().find(|g| g.kind == GlobalKind::Subr(self))
    }
}

impl Action {
    /// Its row.
    pub fn row(self) -> Option<&'static Global> {
        GLOBALS.iter().find(|g| g.kind == GlobalKind::Action(self))
    }

    /// Whether it changes the system traced or acts outside of tracing (needs `-w`).
    pub fn is_destructive(self) -> bool {
        matches!(
            self,
            A::Breakpoint | A::Chill | A::Freopen | A::Panic | A::Raise | A::Stop | A::System
        )
    }

    /// Whether it puts data into the principal buffer.
    pub fn records(self) -> bool {
        !matches!(
            self,
            A::Breakpoint
                | A::Chill
                | A::Commit
                | A::Discard
                | A::Panic
                | A::Raise
                | A::Speculate
                | A::Stop
        )
    }
}

impl Subr {
    /// Whether it changes the process traced (needs `-w`).
    pub fn is_destructive(self) -> bool {
        matches!(self, S::Copyout | S::Copyoutstr)
    }
}

impl Agg {
    /// Its row.
    pub fn row(self) -> Option<&'static Global> {
        GLOBALS.iter().find(|g| g.kind == GlobalKind::Agg(self))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |r| r.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_name() {
        for g in GLOBALS {
            assert_eq!(global(g.name), Some(g), "{} is out of order", g.name);
            assert!(g.since <= Version::CURRENT, "{}", g.name);
        }
        assert_eq!(global("nosuch"), None);
        assert_eq!(GLOBALS.len(), 147);
    }

    #[test]
    fn functions_have_call_prototypes_and_variables_have_types() {
        for g in GLOBALS {
            let call = g.proto.contains('(') && g.proto.ends_with(')');
            match g.kind {
                GlobalKind::Subr(_) | GlobalKind::Action(_) | GlobalKind::Agg(_) => {
                    assert!(call, "{}", g.name)
                }
                GlobalKind::Builtin(_) | GlobalKind::Arg(_) => {
                    assert!(!call && !g.proto.is_empty(), "{}", g.name)
                }
                GlobalKind::Args
                | GlobalKind::Uregs
                | GlobalKind::SelfPtr
                | GlobalKind::ThisPtr
                | GlobalKind::Foreign => {}
            }
        }
    }

    #[test]
    fn enums_lead_back_to_their_rows() {
        assert_eq!(B::Execname.row().map(|r| r.name), Some("execname"));
        assert_eq!(S::Strjoin.row().map(|r| r.name), Some("strjoin"));
        assert_eq!(A::Ufunc.row().map(|r| r.name), Some("ufunc"));
        assert_eq!(G::Llquantize.name(), "llquantize");
    }
}
