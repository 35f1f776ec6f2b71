//! Kernel functions: which may be probed, and by what.
//!
//! The kernel's own list is `available_filter_functions` of tracefs: what can be traced is there, and nothing else.
//! Where that cannot be read, its symbols are the next best: functions in sections that exclude probes are left out, and
//! what else cannot be probed is found out by trying.

use std::collections::HashSet;
use std::os::fd::AsFd;
use std::thread::{Builder, JoinHandle};

use bpf::{Insn, Reg};
use image::{Image, Site};
use sys::bpf::{ATTACH_TRACE_FENTRY, ProgSpec, prog_load, prog_type};
use sys::tracefs::Tracefs;

use crate::error::LoadError;
use crate::features::features;

/// Kernel functions that can be traced, one a line: `name` or `name [module]`.
const LIST: &str = "available_filter_functions";
/// What the list shows for functions that are no more.
const GONE: &str = "__ftrace_invalid_address__";

/// How this kernel lets programs probe its functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// A program for each function, with typed arguments.
    pub trampolines: bool,
    /// One program for many functions.
    pub kprobes: bool,
    /// Those many are attached at once.
    pub at_once: bool,
}

/// How functions can be probed. `Err`: why they cannot.
pub fn means() -> Result<Means, String> {
    let features = features();
    let at_once = features.function_links();
    let means = Means {
        trampolines: features.trampolines(),
        kprobes: at_once || features.kprobes(),
        at_once,
    };
    if means.trampolines || means.kprobes {
        return Ok(means);
    }
    Err(format!(
        "this kernel lets nobody probe its functions: fentry programs are refused ({}), and it has no kprobes \
         (CONFIG_KPROBES)",
        features.trampoline_error()
    ))
}

/// Whether a function takes a program of its own: it has the type `id` of the kernel's type data or of the module's.
pub fn takes_program(id: u32, module: Option<&str>) -> bool {
    let module = match module.map(sys::bpf::module_btf) {
        None => None,
        Some(Ok(Some(fd))) => Some(fd),
        Some(Ok(None) | Err(_)) => return false,
    };
    let code = crate::load::bytes(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let spec = ProgSpec {
        kind: prog_type::TRACING,
        name: "probe",
        insns: &code,
        attach_type: ATTACH_TRACE_FENTRY,
        attach_btf_id: id,
        attach_btf: module.as_ref().map(AsFd::as_fd),
        ..ProgSpec::default()
    };
    prog_load(&spec, None).is_ok()
}

/// Names all functions that can be probed, with their modules, in the kernel's order; a name that several functions have
/// comes several times. `Err`: why nobody can tell.
pub fn each(tell: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), String> {
    match listed() {
        Ok(text) => each_listed(&text, tell),
        Err(why) => {
            let file = std::fs::read_to_string(crate::kallsyms::PATH);
            let text = file.map_err(|e| format!("{why}; {}: {e}", crate::kallsyms::PATH))?;
            each_symbol(&text, tell);
        }
    }
    Ok(())
}

/// Looks, in a thread of its own, whether the kernel lists the functions that have programs of their own: type data tell of
/// some that cannot be traced, which only attaching would show.
pub(crate) struct Check(Option<JoinHandle<Option<String>>>);

impl Check {
    /// Begins to look, if the image has such programs.
    pub(crate) fn begin(image: &Image) -> Check {
        let own = |site: &Site| match site {
            Site::KernelFunction { name, module, .. } => Some((name.clone(), module.clone())),
            Site::Begin
            | Site::End
            | Site::Error
            | Site::Tick { .. }
            | Site::Profile { .. }
            | Site::Counter(_)
            | Site::SyscallEntry
            | Site::SyscallReturn
            | Site::Tracepoint { .. }
            | Site::KernelProbe { .. }
            | Site::KernelFunctions { .. }
            | Site::User
            | Site::UserPlace { .. } => None,
        };
        let sites = image.programs.iter().filter_map(|p| own(&p.site));
        let wanted: Names = sites.collect();
        if wanted.is_empty() {
            return Check(None);
        }
        // Without a thread, attaching will tell.
        Check(Builder::new().spawn(|| unlisted(wanted)).ok())
    }

    /// What was found, when it is.
    pub(crate) fn end(self) -> Result<(), LoadError> {
        let found = self.0.and_then(|thread| thread.join().ok()).flatten();
        let not_listed = |name| LoadError::Function(name, UNLISTED.to_owned());
        found.map_or(Ok(()), |name| Err(not_listed(name)))
    }
}

const UNLISTED: &str = "it is not among the functions that the kernel lets be traced";

/// Names of functions, and their modules.
type Names = HashSet<(String, Option<String>)>;

/// One of these that the kernel does not list, if it has a list that can be read.
fn unlisted(mut wanted: Names) -> Option<String> {
    let text = listed().ok()?;
    let names: HashSet<String> = wanted.iter().map(|(name, _)| name.clone()).collect();
    each_listed(&text, &mut |name, module| {
        if names.contains(name) {
            wanted.remove(&(name.to_owned(), module.map(str::to_owned)));
        }
    });
    wanted.into_iter().map(|(name, _)| name).min()
}

fn listed() -> Result<String, String> {
    let tracefs = Tracefs::open().map_err(|e| e.to_string())?;
    std::fs::read_to_string(tracefs.path(LIST)).map_err(|e| format!("{LIST} of tracefs: {e}"))
}

/// The same of a text in the form of the kernel's list.
pub fn each_listed(text: &str, tell: &mut dyn FnMut(&str, Option<&str>)) {
    for line in text.lines() {
        let (name, module) = match line.split_once([' ', '\t']) {
            None => (line, None),
            Some((name, rest)) => (name, in_brackets(rest)),
        };
        if !name.is_empty() && !name.starts_with(GONE) {
            tell(name, module);
        }
    }
}

fn in_brackets(text: &str) -> Option<&str> {
    text.trim().strip_prefix('[')?.strip_suffix(']')
}

/// Ends of sections whose functions must not be probed.
const SECTIONS: [(&str, &str); 6] = [
    ("__noinstr_text_start", "__noinstr_text_end"),
    ("__kprobes_text_start", "__kprobes_text_end"),
    ("__entry_text_start", "__entry_text_end"),
    ("__cpuidle_text_start", "__cpuidle_text_end"),
    ("__irqentry_text_start", "__irqentry_text_end"),
    ("_sinittext", "_einittext"),
];
/// Symbols that are no functions, by how they begin.
const NO_FUNCTIONS: [&str; 5] = ["__pfx_", "__cfi_", "__SCT__", "__ftrace_", ".L"];

fn each_symbol(text: &str, tell: &mut dyn FnMut(&str, Option<&str>)) {
    let symbols = || text.lines().filter_map(text_symbol);
    let is_end = |name: &str| SECTIONS.iter().any(|(s, e)| *s == name || *e == name);
    let ends: Vec<(u64, &str)> = symbols()
        .filter(|s| is_end(s.1))
        .map(|s| (s.0, s.1))
        .collect();
    let place = |wanted: &str| ends.iter().find(|s| s.1 == wanted).map(|s| s.0);
    let closed: Vec<(u64, u64)> = SECTIONS
        .iter()
        .filter_map(|(start, end)| Some((place(start)?, place(end)?)))
        .collect();
    for (address, name, module) in symbols() {
        let inside = closed.iter().any(|(s, e)| (*s..*e).contains(&address));
        let other = NO_FUNCTIONS.iter().any(|start| name.starts_with(start));
        if !inside && !other && !name.ends_with(".cold") {
            tell(name, module);
        }
    }
}

/// Address, name and module of a line of the symbol table that is about code.
fn text_symbol(line: &str) -> Option<(u64, &str, Option<&str>)> {
    let mut words = line.split_ascii_whitespace();
    let address = u64::from_str_radix(words.next()?, 16).ok()?;
    matches!(words.next()?, "t" | "T" | "w" | "W").then_some(())?;
    Some((address, words.next()?, words.next().and_then(in_brackets)))
}

#[cfg(test)]
mod tests {
    use super::*;

    type Found = Vec<(String, Option<String>)>;

    fn collect(each: impl FnOnce(&mut dyn FnMut(&str, Option<&str>))) -> Found {
        let mut found = Vec::new();
        each(&mut |name, module| found.push((name.to_owned(), module.map(str::to_owned))));
        found
    }

    fn row(name: &str, module: Option<&str>) -> (String, Option<String>) {
        (name.to_owned(), module.map(str::to_owned))
    }

    #[test]
    fn the_list_names_functions_and_modules() {
        let text = "vfs_read\nfoo.isra.0\next4_sync [ext4]\n__ftrace_invalid_address___64\nold\t[old_mod]\n";
        let found = collect(|tell| each_listed(text, tell));
        let want = [
            row("vfs_read", None),
            row("foo.isra.0", None),
            row("ext4_sync", Some("ext4")),
            row("old", Some("old_mod")),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn symbols_in_closed_sections_are_left_out() {
        let text = "ffffffff81000000 T vfs_read\nffffffff81000010 D data\nffffffff81000020 T __noinstr_text_start\n\
                    ffffffff81000020 t hidden\nffffffff81000040 T __noinstr_text_end\nffffffff81000050 t part.cold\n\
                    ffffffff81000060 t __pfx_x\nffffffffc0000000 t ext4_sync\t[ext4]\n";
        let found = collect(|tell| each_symbol(text, tell));
        let want = [
            row("vfs_read", None),
            row("__noinstr_text_end", None),
            row("ext4_sync", Some("ext4")),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn there_are_means_or_there_is_a_reason() {
        match means() {
            Ok(means) => assert!(means.trampolines || means.kprobes),
            Err(why) => assert!(why.contains("fentry") && why.contains("kprobes"), "{why}"),
        }
    }
}
