//! The enums. The tables beside them (`globals.rs`, `options.rs`, …) give names, prototypes, stability and versions.

/// Built-in variables (the Solaris guide, "Built-in Variables"). `arg0`…`arg9`, `args[]` and `uregs[]` are separate
/// expression kinds because they carry an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the variants are the D names; the table documents them"
)]
pub enum Builtin {
    Caller,
    Cpu,
    Curcpu,
    Curthread,
    Cwd,
    Epid,
    Errno,
    Execargs,
    Execname,
    Gid,
    Id,
    Ipl,
    Pid,
    Ppid,
    Probefunc,
    Probemod,
    Probename,
    Probeprov,
    Root,
    Stackdepth,
    Threadname,
    Tid,
    Timestamp,
    Ucaller,
    Uid,
    Ustackdepth,
    Vtimestamp,
    Walltimestamp,
    Zonename,
}

/// Subroutines usable in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the variants are the D names; the table documents them"
)]
pub enum Subr {
    Alloca,
    Basename,
    Bcopy,
    Cleanpath,
    Copyin,
    Copyinstr,
    Copyinto,
    Copyout,
    Copyoutstr,
    DPath,
    DdiPathname,
    DentryPath,
    Dirname,
    Getf,
    Getmajor,
    Getminor,
    Htonl,
    Htonll,
    Htons,
    Index,
    InetNtoa,
    InetNtoa6,
    InetNtop,
    Json,
    LinkNtop,
    Lltostr,
    Memref,
    Memstr,
    Msgdsize,
    Msgsize,
    MutexOwned,
    MutexOwner,
    MutexTypeAdaptive,
    MutexTypeSpin,
    Ntohl,
    Ntohll,
    Ntohs,
    Progenyof,
    Rand,
    Rindex,
    RwIswriter,
    RwReadHeld,
    RwWriteHeld,
    Speculation,
    Strchr,
    Strjoin,
    Strlen,
    Strrchr,
    Strstr,
    Strtok,
    Strtoll,
    Substr,
    Tolower,
    Toupper,
}

/// Actions (legal only as statements).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the variants are the D names; the table documents them"
)]
pub enum Action {
    Breakpoint,
    Chill,
    Clear,
    Commit,
    Denormalize,
    Discard,
    Exit,
    Freopen,
    Ftruncate,
    Func,
    Jstack,
    Mod,
    Normalize,
    Panic,
    Pcap,
    Print,
    Printa,
    Printf,
    Printm,
    Raise,
    Setopt,
    Speculate,
    Stack,
    Stop,
    Sym,
    System,
    Trace,
    Tracemem,
    Trunc,
    Uaddr,
    Ufunc,
    Umod,
    Ustack,
    Usym,
}

/// Aggregating functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(
    missing_docs,
    reason = "the variants are the D names; the table documents them"
)]
pub enum Agg {
    Avg,
    Count,
    Llquantize,
    Lquantize,
    Max,
    Min,
    Quantize,
    Stddev,
    Sum,
}
