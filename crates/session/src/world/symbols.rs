//! Symbols of the kernel by name: `/proc/kallsyms`, and the types of a few variables that type data leave out.

use btf::{TEST_MODULE, VMLINUX};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

const KALLSYMS: &str = "/proc/kallsyms";
/// A kernel that lists its variables at all lists more than this.
const VARIABLES_MIN: usize = 1000;
const UNKNOWN: &str = "Unknown symbol name";

/// Types of variables of the kernel, for BTF describes per-CPU ones only. Source: the kernel's headers, the same from 5.15
/// on.
const TYPES: &[(&str, &str)] = &[
    ("avenrun", "unsigned long [3]"),
    ("high_memory", "void *"),
    ("init_mm", "struct mm_struct"),
    ("init_net", "struct net"),
    ("init_pid_ns", "struct pid_namespace"),
    ("init_task", "struct task_struct"),
    ("init_user_ns", "struct user_namespace"),
    ("init_uts_ns", "struct uts_namespace"),
    ("jiffies", "unsigned long"),
    ("jiffies_64", "u64"),
    ("loops_per_jiffy", "unsigned long"),
    ("max_pfn", "unsigned long"),
    ("nr_threads", "int"),
    ("panic_timeout", "int"),
    ("saved_command_line", "char *"),
    ("total_forks", "unsigned long"),
];

/// C type of a variable of the kernel proper.
pub(super) fn known_type(name: &str) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(own, _)| *own == name)
        .map(|(_, ty)| *ty)
}

/// Where a kernel symbol is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// `None`: in the kernel proper.
    pub module: Option<String>,
    /// Address, 0 if it is hidden.
    pub address: u64,
    /// It is a function.
    pub function: bool,
}

/// A symbol table. Errors are texts for the user.
pub(super) trait Symbols {
    /// Whether the kernel has such a module.
    fn has_module(&self, module: &str) -> bool;
    /// The symbol, in any module if `module` is `None`; the kernel proper comes first.
    fn find(&self, module: Option<&str>, name: &str) -> Result<Place, String>;
}

/// The running kernel's.
pub(super) struct Kallsyms;

impl Symbols for Kallsyms {
    fn has_module(&self, module: &str) -> bool {
        module == VMLINUX || Path::new("/sys/module").join(module).exists()
    }

    fn find(&self, module: Option<&str>, name: &str) -> Result<Place, String> {
        let told = |error| format!("cannot read {KALLSYMS}: {error}");
        let file = File::open(KALLSYMS).map_err(told)?;
        let (found, variables) =
            search(BufReader::with_capacity(1 << 16, file), module, name).map_err(told)?;
        match found {
            Some(place) if place.address == 0 => {
                Err("kernel addresses are hidden from this user (kernel.kptr_restrict)".to_owned())
            }
            Some(place) => Ok(place),
            None if variables < VARIABLES_MIN => Err(format!(
                "{UNKNOWN} (this kernel lists no variables: CONFIG_KALLSYMS_ALL is not set)"
            )),
            None => Err(UNKNOWN.to_owned()),
        }
    }
}

/// Finds the first symbol of that name in the text of kallsyms, which has the kernel proper's before the modules', and
/// counts the variables on the way.
fn search(
    mut table: impl BufRead,
    module: Option<&str>,
    name: &str,
) -> std::io::Result<(Option<Place>, usize)> {
    let mut line = String::new();
    let mut variables = 0;
    while table.read_line(&mut line)? > 0 {
        if let Some((kind, own, owner)) = split(&line) {
            variables += usize::from(matches!(kind, "b" | "B" | "d" | "D"));
            if own == name && module.is_none_or(|module| module == owner.unwrap_or(VMLINUX)) {
                return Ok((Some(place(&line, kind, owner)), variables));
            }
        }
        line.clear();
    }
    Ok((None, variables))
}

/// Type, name and module of a line `ADDRESS TYPE NAME[<tab>[MODULE]]`.
fn split(line: &str) -> Option<(&str, &str, Option<&str>)> {
    let mut fields = line.split_ascii_whitespace().skip(1);
    let (kind, name) = (fields.next()?, fields.next()?);
    Some((
        kind,
        name,
        fields.next().map(|owner| owner.trim_matches(['[', ']'])),
    ))
}

fn place(line: &str, kind: &str, owner: Option<&str>) -> Place {
    let address = line.split_ascii_whitespace().next().unwrap_or_default();
    Place {
        module: owner.map(str::to_owned),
        address: u64::from_str_radix(address, 16).unwrap_or(0),
        function: matches!(kind, "t" | "T" | "w" | "W"),
    }
}

/// The symbols of the fixed kernel.
pub(super) struct FixedSymbols;

/// Name, module, address, whether it is a function.
const FIXED: [(&str, Option<&str>, u64, bool); 6] = [
    ("vfs_read", None, 0xffff_ffff_8120_0000, true),
    ("schedule", None, 0xffff_ffff_8110_0000, true),
    ("current_task", None, 0x1000, false),
    ("init_task", None, 0xffff_ffff_8280_0000, false),
    ("jiffies", None, 0xffff_ffff_8280_1000, false),
    (
        "testmod_open",
        Some(TEST_MODULE),
        0xffff_ffff_c000_0000,
        true,
    ),
];

impl Symbols for FixedSymbols {
    fn has_module(&self, module: &str) -> bool {
        [VMLINUX, TEST_MODULE].contains(&module)
    }

    fn find(&self, module: Option<&str>, name: &str) -> Result<Place, String> {
        let row = FIXED.iter().find(|(own, owner, ..)| {
            *own == name && module.is_none_or(|module| module == owner.unwrap_or(VMLINUX))
        });
        let (_, owner, address, function) = row.ok_or(UNKNOWN)?;
        Ok(Place {
            module: owner.map(str::to_owned),
            address: *address,
            function: *function,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kallsyms_text() {
        let table = "0000000000000000 A fixed\nffffffff81000000 T _text\nffffffff82000000 D jiffies\n\
                     ffffffffc0000000 t f\t[nf]\n";
        let find = |module, name| {
            let (place, variables) = search(table.as_bytes(), module, name).unwrap();
            (place.map(|p| (p.address, p.function)), variables)
        };
        assert_eq!(
            find(None, "_text"),
            (Some((0xffff_ffff_8100_0000, true)), 0)
        );
        assert_eq!(
            find(Some("vmlinux"), "jiffies"),
            (Some((0xffff_ffff_8200_0000, false)), 1)
        );
        assert_eq!(
            find(Some("nf"), "f"),
            (Some((0xffff_ffff_c000_0000, true)), 1)
        );
        assert_eq!(find(Some("nf"), "jiffies"), (None, 1));
    }
}
