//! Every option of `-x`, `#pragma D option`, `DTRACE_OPT_*` and `setopt()`, one row each, and how their values are read.
//!
//! A value is checked and normalised here (sizes to bytes, rates to nanoseconds), so that no other part parses option
//! text. What an option does is the business of whoever asks for it.

use std::fmt;

/// What kind of value an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On or off; on when no value is given.
    Flag,
    /// Bytes, with an optional binary `k m g t` suffix.
    Size,
    /// An interval in nanoseconds, written as a time or as a frequency (`10hz`).
    Rate,
    /// An integer in this range.
    Int(i64, i64),
    /// Any text.
    Text,
    /// Text, and the option may be given several times; all values count.
    List,
    /// One of these words; those with a reason are known but cannot be had.
    Enum(&'static [(&'static str, Option<&'static str>)]),
}

/// When an option takes effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// While a program is compiled.
    Compile,
    /// While it runs.
    Run,
}

/// Whether an option does anything here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It does what its row says.
    Yes,
    /// Accepted because scripts set it; the reason why there is nothing to do.
    NoEffect(&'static str),
    /// Refused, with the reason.
    Refused(&'static str),
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which.
    pub opt: Opt,
    /// Name as users write it.
    pub name: &'static str,
    /// Kind of its value.
    pub kind: Kind,
    /// Default, in the notation users write; empty: unset.
    pub default: &'static str,
    /// When it takes effect.
    pub phase: Phase,
    /// `setopt()` may change it while tracing.
    pub dynamic: bool,
    /// Whether it does anything.
    pub support: Support,
    /// One line for the manual.
    pub doc: &'static str,
}

/// A checked value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a flag.
    Flag(bool),
    /// Bytes, nanoseconds or a plain number, by [`Kind`].
    Num(i64),
    /// Text or one of the words of an enumeration.
    Text(String),
}

/// Why an option could not be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptError {
    /// No such option.
    Name,
    /// The value does not fit.
    Value,
    /// Not while tracing.
    Active,
    /// Known, but not to be had here.
    Refused(&'static str),
}

impl fmt::Display for OptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptError::Name => f.write_str("Invalid option name"),
            OptError::Value => f.write_str("Invalid value for specified option"),
            OptError::Active => f.write_str("Operation illegal when tracing is active"),
            OptError::Refused(why) => write!(f, "Option is not supported: {why}"),
        }
    }
}

impl std::error::Error for OptError {}

macro_rules! options {
    ($($opt:ident $name:literal $kind:expr, $default:literal, $phase:ident $dynamic:literal, $support:expr, $doc:literal;)*) => {
        /// An option; the table documents each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the table documents them")]
        pub enum Opt { $($opt),* }

        /// Every option, in the order of [`Opt`].
        pub const TABLE: &[Row] = &[$(Row {
            opt: Opt::$opt, name: $name, kind: $kind, default: $default, phase: Phase::$phase, dynamic: $dynamic,
            support: $support, doc: $doc,
        }),*];
    };
}

use Kind::{Enum, Flag, Int, List, Rate, Size, Text};
use Support::{NoEffect, Refused, Yes};

const NO_LINK: Support =
    NoEffect("-G writes one object, which the compiler's linker takes as it is");
const NO_TOOL: Support = Refused("-G runs no other program");
const NO_DIF: Support = NoEffect("programs are compiled to BPF, which has its own registers");
const NO_FILES: Support = Refused("type data come from the running kernel's BTF only");
const BIG: i64 = i32::MAX as i64;

options! {
    Aggpercpu "aggpercpu" Flag, "", Compile false, Yes, "print the values of each CPU too";
    Amin "amin" Text, "", Compile false, Yes, "reject what is less stable than names/data/class";
    Argref "argref" Flag, "", Compile false, Yes, "do not require every macro argument to be used";
    Core "core" Text, "", Compile false, Refused("crash dumps cannot be examined"), "load a crash dump";
    Cpp "cpp" Flag, "", Compile false, Yes, "run the C preprocessor over script files (-C)";
    Cpphdrs "cpphdrs" Flag, "", Compile false, Yes, "list the files the preprocessor includes (-H)";
    Cpppath "cpppath" Text, "cpp", Compile false, Yes, "the preprocessor to run";
    Define "define" List, "", Compile false, Yes, "define a macro for the preprocessor (-D)";
    Incdir "incdir" List, "", Compile false, Yes, "add a directory to the preprocessor's search path (-I)";
    Undef "undef" List, "", Compile false, Yes, "undefine a macro for the preprocessor (-U)";
    Cppargs "cppargs" List, "", Compile false, Yes, "pass an argument to the preprocessor as it is";
    Ctypes "ctypes" Text, "", Compile false, Refused("C types are not written out"), "write the C types used";
    Dtypes "dtypes" Text, "", Compile false, Refused("D types are not written out"), "write the D types defined";
    Debug "debug" Flag, "", Compile false, Refused("use --dump=ast,typed,ir,asm"), "print debugging messages";
    Debugassert "debugassert" Text, "", Compile false, Refused("there are no debugging assertions to choose"), "enable debugging assertions";
    Disasm "disasm" Int(0, 255), "", Compile false, Refused("use -S or --dump=asm"), "choose the listings of -S";
    Defaultargs "defaultargs" Flag, "", Compile false, Yes, "missing macro arguments read as 0 and \"\"";
    Empty "empty" Flag, "", Compile false, Yes, "allow programs without clauses";
    Errtags "errtags" Flag, "", Compile false, Yes, "show the tag of compile errors";
    Droptags "droptags" Flag, "", Compile false, Yes, "show the tag of drops";
    Verbose "verbose" Flag, "", Compile false, Yes, "list the compiled code (-S)";
    Encoding "encoding" Enum(&[("ascii", None), ("utf8", None)]), "ascii", Run false, Yes, "how aggregation pictures are drawn";
    Evaltime "evaltime" Enum(&[("exec", None), ("preinit", None), ("postinit", None), ("main", None)]), "postinit", Compile false, Yes, "where commands of -c wait until tracing has begun";
    Iregs "iregs" Int(1, 64), "", Compile false, NO_DIF, "integer registers";
    Tregs "tregs" Int(1, 64), "", Compile false, NO_DIF, "tuple registers";
    Kdefs "kdefs" Flag, "", Compile false, NoEffect("kernel symbols must always be defined"), "undefined kernel symbols are errors";
    Knodefs "knodefs" Flag, "", Compile false, Refused("kernel symbols must be defined"), "undefined kernel symbols are allowed";
    Udefs "udefs" Flag, "", Compile false, NoEffect("user symbols must always be defined"), "undefined user symbols are errors";
    Unodefs "unodefs" Flag, "", Compile false, Refused("user symbols must be defined"), "undefined user symbols are allowed";
    Late "late" Enum(&[("dynamic", None), ("static", None)]), "dynamic", Compile false, NoEffect("translators are resolved where they are used"), "when translators are resolved";
    Lazyload "lazyload" Flag, "", Compile false, NoEffect("modules are always read when first needed"), "read modules when first needed";
    Ldpath "ldpath" Text, "", Compile false, NO_TOOL, "the linker -G runs";
    Libdir "libdir" List, "", Compile false, Yes, "a directory of D libraries (-L)";
    Syslibdir "syslibdir" Text, "", Compile false, Yes, "the directory of system D libraries";
    Without "without" List, "", Compile false, Yes, "do without a tracepoint or kernel function, as on a kernel that lacks it";
    Modpath "modpath" Text, "", Compile false, NO_FILES, "where kernel modules lie";
    Procfspath "procfspath" Text, "/proc", Compile false, Refused("/proc is used as it is mounted"), "where procfs is mounted";
    Ctfpath "ctfpath" Text, "", Compile false, NO_FILES, "where type data lie";
    Dofstashpath "dofstashpath" Text, "", Compile false, Refused("there is no DOF stash"), "where DOF is kept";
    Linkmode "linkmode" Enum(&[("kernel", None), ("primary", None), ("dynamic", None), ("static", None)]), "kernel", Compile false, NO_LINK, "how -G links";
    Linktype "linktype" Enum(&[("elf", None), ("dof", Some("objects have notes instead of DOF"))]), "elf", Compile false, Yes, "what -G writes";
    Linknommap "linknommap" Flag, "", Compile false, NO_LINK, "-G does not map its objects";
    Nolibs "nolibs" Flag, "", Compile false, Yes, "do not read D libraries";
    Pgmax "pgmax" Int(0, BIG), "", Compile false, NoEffect("process data are kept as long as they are needed"), "process handles to keep";
    Pspec "pspec" Flag, "", Compile false, Yes, "read probe descriptions of scripts as on the command line";
    Setenv "setenv" List, "", Compile false, Yes, "set a variable in the environment of commands of -c";
    Unsetenv "unsetenv" List, "", Compile false, Yes, "remove a variable from the environment of commands of -c";
    Stdc "stdc" Enum(&[("a", None), ("c", None), ("s", None), ("t", None)]), "a", Compile false, Yes, "the preprocessor's ISO C conformance (-X)";
    Strip "strip" Flag, "", Compile false, NO_LINK, "-G strips debugging data";
    Sysslice "sysslice" Flag, "", Compile false, Refused("programs do not run in slices of systemd"), "trace system slices";
    Useruid "useruid" Int(0, BIG), "", Compile false, Refused("all users are equal here"), "first uid of users";
    Preallocate "preallocate" Size, "", Compile false, NoEffect("memory is reserved when tracing starts"), "memory to reserve";
    Tree "tree" Int(0, 255), "", Compile false, Refused("use --dump=ast or --dump=typed"), "dump parse trees";
    Version "version" Text, "", Compile false, Yes, "restrict the language to this version";
    Zdefs "zdefs" Flag, "", Compile false, Yes, "allow descriptions that match nothing (-Z)";
    Objcopypath "objcopypath" Text, "", Compile false, NO_TOOL, "the objcopy -G runs";

    Aggrate "aggrate" Rate, "1hz", Run true, Yes, "how often a heat map reads aggregations that the program does not print";
    Aggsize "aggsize" Size, "4m", Run false, Yes, "bytes for each aggregation";
    Bufpolicy "bufpolicy" Enum(&[("switch", None), ("fill", None), ("ring", None)]), "switch", Run false, Yes, "what happens when a buffer is full";
    Bufresize "bufresize" Enum(&[("auto", None), ("manual", None)]), "auto", Run false, Yes, "shrink buffers until they fit, or fail";
    Bufsize "bufsize" Size, "4m", Run false, Yes, "bytes of the buffer of each CPU";
    Cleanrate "cleanrate" Rate, "101hz", Run false, NoEffect("dynamic variables need no cleaning"), "how often dynamic variables are cleaned";
    Cpu "cpu" Int(0, 65535), "", Run false, Yes, "trace this CPU only";
    Dynvarsize "dynvarsize" Size, "1m", Run false, Yes, "bytes for each associative array";
    Jstackframes "jstackframes" Int(1, 127), "50", Run false, Yes, "frames of jstack()";
    Jstackstrsize "jstackstrsize" Size, "512", Run false, NoEffect("names of compiled code come from perf map files, of any length"), "bytes of strings of jstack()";
    Nspec "nspec" Int(0, 1024), "1", Run false, Yes, "number of speculations";
    Specsize "specsize" Size, "32k", Run false, Yes, "bytes of a speculation, on each CPU";
    Stackframes "stackframes" Int(1, 127), "20", Run false, Yes, "frames of stack()";
    Stackindent "stackindent" Int(0, 1024), "14", Run true, Yes, "columns before the frames of a stack";
    Statusrate "statusrate" Rate, "1hz", Run true, Yes, "how often drops and exit are looked for";
    Strsize "strsize" Size, "256", Run false, Yes, "bytes of a string, its NUL included";
    Switchrate "switchrate" Rate, "1hz", Run true, Yes, "how often buffers are read and printed";
    Temporal "temporal" Flag, "yes", Run false, Yes, "order the records of all CPUs by time";
    Ustackframes "ustackframes" Int(1, 127), "20", Run false, Yes, "frames of ustack()";
    Unwindsize "unwindsize" Size, "64m", Run false, Yes, "bytes of tables for ustack(), at most";
    Destructive "destructive" Flag, "", Run true, Yes, "allow destructive actions (-w)";
    Quiet "quiet" Flag, "", Run true, Yes, "print only what the program asks for (-q)";
    Flowindent "flowindent" Flag, "", Run true, Yes, "indent function entry and return (-F)";
    Rawbytes "rawbytes" Flag, "", Run true, Yes, "show unknown bytes as numbers, never as text";
    Agghist "agghist" Flag, "", Run true, Yes, "draw aggregations as bars";
    Aggpack "aggpack" Flag, "", Run true, Yes, "draw quantizations one a line";
    Aggzoom "aggzoom" Flag, "", Run true, Yes, "scale bars to the highest value";
    Aggsortkey "aggsortkey" Flag, "", Run true, Yes, "sort aggregations by key";
    Aggsortkeypos "aggsortkeypos" Int(0, BIG), "", Run true, Yes, "the key to sort by";
    Aggsortpos "aggsortpos" Int(0, BIG), "", Run true, Yes, "the aggregation to sort by";
    Aggsortrev "aggsortrev" Flag, "", Run true, Yes, "sort in descending order";
    Grabanon "grabanon" Flag, "", Run false, Refused("there is no anonymous tracing"), "claim anonymous state (-a)";
    Zone "zone" Text, "", Run false, Refused("Linux has no zones"), "trace one zone only";
    Maxframes "maxframes" Int(1, 127), "", Run false, NoEffect("stacks are as long as they were asked for"), "most frames of a stack";
    Lockmem "lockmem" Text, "", Run false, NoEffect("the limit is raised where the kernel still has one"), "limit of locked memory";
    Scratchsize "scratchsize" Size, "16k", Run false, Yes, "bytes that alloca() or copyin() give at most";
    Pcapsize "pcapsize" Size, "", Run false, Refused("pcap() is not available in this version"), "bytes of a captured packet";
    Printsize "printsize" Size, "", Run false, NoEffect("print() records the whole value"), "bytes print() records";
    Bpflog "bpflog" Flag, "", Run false, Yes, "show the verifier's log when a program is refused";
    Bpflogsize "bpflogsize" Size, "", Run false, NoEffect("the verifier's log grows as needed"), "bytes of the verifier's log";
    Times "times" Flag, "", Run false, Yes, "say what starting took, by step, when tracing has begun";
    Noresolve "noresolve" Flag, "", Run false, Yes, "print addresses instead of symbols";
    Progsize "progsize" Int(1, 1_000_000), "16000", Run false, Yes, "instructions of a BPF program, beyond which a probe's clauses go on in another";
    Demangle "demangle" Flag, "yes", Run false, Yes, "show names of C++ and Rust functions as their sources have them";
    Title "title" Text, "", Run false, Yes, "title of a picture (-O flame, heatmap, trace)";
    Unit "unit" Text, "", Run false, Yes, "what the values of a picture are: ns, us, ms, s, bytes, or a word";
    Quietresize "quietresize" Flag, "", Run false, Yes, "do not report buffers that were lowered";
}

impl Opt {
    /// The row of this option.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// The option of this name.
pub fn find(name: &str) -> Result<&'static Row, OptError> {
    TABLE.iter().find(|r| r.name == name).ok_or(OptError::Name)
}

impl Row {
    /// Checks and normalises a value. `None` is "no value was given".
    pub fn parse(&self, value: Option<&str>) -> Result<Value, OptError> {
        if let Support::Refused(why) = self.support {
            return Err(OptError::Refused(why));
        }
        match (self.kind, value) {
            (Kind::Flag, v) => flag(v).map(Value::Flag),
            (_, None) => Err(OptError::Value),
            (Kind::Size, Some(v)) => size(v)
                .and_then(|n| i64::try_from(n).ok())
                .map(Value::Num)
                .ok_or(OptError::Value),
            (Kind::Rate, Some(v)) => rate(v)
                .and_then(|n| i64::try_from(n).ok())
                .map(Value::Num)
                .ok_or(OptError::Value),
            (Kind::Int(low, high), Some(v)) => integer(v)
                .filter(|n| (low..=high).contains(n))
                .map(Value::Num)
                .ok_or(OptError::Value),
            (Kind::Text | Kind::List, Some("")) => Err(OptError::Value),
            (Kind::Text | Kind::List, Some(v)) => Ok(Value::Text(v.to_owned())),
            (Kind::Enum(words), Some(v)) => match words.iter().find(|(w, _)| *w == v) {
                None => Err(OptError::Value),
                Some((_, Some(why))) => Err(OptError::Refused(why)),
                Some((w, None)) => Ok(Value::Text((*w).to_owned())),
            },
        }
    }

    /// The default, as a value; `None` if it is unset.
    pub fn default_value(&self) -> Option<Value> {
        if self.default.is_empty() {
            return None;
        }
        Row {
            support: Support::Yes,
            ..*self
        }
        .parse(Some(self.default))
        .ok()
    }
}

fn flag(v: Option<&str>) -> Result<bool, OptError> {
    match v {
        None | Some("1" | "yes" | "true" | "on" | "enable" | "enabled" | "set") => Ok(true),
        Some("0" | "no" | "false" | "off" | "disable" | "disabled" | "unset") => Ok(false),
        Some(_) => Err(OptError::Value),
    }
}

/// A size: decimal digits and an optional binary suffix.
pub fn size(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    let shift = match suffix {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Nanoseconds between two events: `500ms`, `2s`, `10hz`; without suffix nanoseconds. 0 is "as fast as can be".
pub fn rate(text: &str) -> Option<u64> {
    const SECOND: u64 = 1_000_000_000;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    let n = number.parse::<u64>().ok()?;
    let unit = match suffix.to_ascii_lowercase().as_str() {
        "hz" => return Some(SECOND.checked_div(n).map_or(0, |ns| ns.max(1))),
        "" | "ns" | "nsec" => 1,
        "us" | "usec" => 1_000,
        "ms" | "msec" => 1_000_000,
        "s" | "sec" => SECOND,
        "m" | "min" => 60 * SECOND,
        "h" | "hour" => 3600 * SECOND,
        "d" | "day" => 86_400 * SECOND,
        _ => return None,
    };
    n.checked_mul(unit)
}

/// A C integer constant with an optional sign.
fn integer(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let n = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => i64::from_str_radix(hex, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    n.ok().map(|n| if negative { -n } else { n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_indexed_by_option_and_names_are_unique() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.opt as usize, i, "{}", row.name);
            assert_eq!(
                TABLE.iter().filter(|r| r.name == row.name).count(),
                1,
                "{}",
                row.name
            );
            assert!(!row.doc.is_empty());
        }
    }

    #[test]
    fn every_default_is_a_legal_value() {
        for row in TABLE.iter().filter(|r| !r.default.is_empty()) {
            assert!(
                row.default_value().is_some(),
                "{}={}",
                row.name,
                row.default
            );
        }
    }

    #[test]
    fn only_run_time_options_are_dynamic() {
        assert!(TABLE.iter().all(|r| !r.dynamic || r.phase == Phase::Run));
    }

    #[test]
    fn sizes() {
        assert_eq!(size("100"), Some(100));
        assert_eq!(size("4k"), Some(4096));
        assert_eq!(size("2M"), Some(2 << 20));
        assert_eq!(size("1g"), Some(1 << 30));
        assert_eq!(size("1t"), Some(1 << 40));
        for bad in ["", "k", "-1", "4kb", "4 k", "99999999999t", "0x10"] {
            assert_eq!(size(bad), None, "{bad}");
        }
    }

    #[test]
    fn rates() {
        assert_eq!(rate("10"), Some(10));
        assert_eq!(rate("10hz"), Some(100_000_000));
        assert_eq!(rate("10Hz"), Some(100_000_000));
        assert_eq!(rate("0hz"), Some(0));
        assert_eq!(rate("5us"), Some(5_000));
        assert_eq!(rate("250ms"), Some(250_000_000));
        assert_eq!(rate("2s"), Some(2_000_000_000));
        assert_eq!(rate("1min"), Some(60_000_000_000));
        assert_eq!(rate("1m"), rate("1min"));
        assert_eq!(rate("1d"), rate("1day"));
        for bad in ["", "hz", "10 hz", "10fortnight", "-1s", "99999999999d"] {
            assert_eq!(rate(bad), None, "{bad}");
        }
    }

    #[test]
    fn values() {
        let parse = |name: &str, v| find(name).and_then(|r| r.parse(v));
        assert_eq!(parse("nonsense", None), Err(OptError::Name));
        assert_eq!(parse("quiet", None), Ok(Value::Flag(true)));
        assert_eq!(parse("quiet", Some("no")), Ok(Value::Flag(false)));
        assert_eq!(parse("quiet", Some("perhaps")), Err(OptError::Value));
        assert_eq!(parse("bufsize", None), Err(OptError::Value));
        assert_eq!(parse("bufsize", Some("1m")), Ok(Value::Num(1 << 20)));
        assert_eq!(parse("stackframes", Some("0x10")), Ok(Value::Num(16)));
        assert_eq!(parse("stackframes", Some("0")), Err(OptError::Value));
        assert_eq!(parse("stackindent", Some("-1")), Err(OptError::Value));
        assert_eq!(
            parse("bufpolicy", Some("switch")),
            Ok(Value::Text("switch".into()))
        );
        assert_eq!(parse("bufpolicy", Some("round")), Err(OptError::Value));
        assert!(matches!(
            parse("evaltime", Some("nonsense")),
            Err(OptError::Value)
        ));
        assert!(matches!(
            parse("zone", Some("x")),
            Err(OptError::Refused(_))
        ));
    }
}
