//! The kernel's symbol table, read when the first symbol is asked for.
//!
//! `/proc/kallsyms` has more than a hundred thousand lines, so they are read as a stream into one table of 16-byte
//! entries and one arena of names. Addresses that the kernel hides (`kernel.kptr_restrict`) read as zero: then there
//! is no table, because a wrong name is worse than none. Symbols of variables may be missing; that depends on the
//! kernel's configuration.

use std::io::{BufRead, BufReader, Read};

/// Where the table comes from.
pub const PATH: &str = "/proc/kallsyms";
const MODULES: &str = "/proc/modules";
/// Name of the kernel proper in `module'function`.
pub const VMLINUX: &str = "vmlinux";
/// Bytes that the last symbol before a gap may have when the end of its module is not known.
const GAP: u64 = 64 * 1024;

/// A symbol, as found by address or name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// `vmlinux`, or the module.
    pub module: &'a str,
    /// Name.
    pub name: &'a str,
    /// Address.
    pub address: u64,
    /// Bytes to the next symbol.
    pub size: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    address: u64,
    name: u32,
    len: u8,
    /// How good a name it is among those of one address: the least wins.
    rank: u8,
    module: u16,
}

#[derive(Clone, Debug)]
struct Module {
    name: String,
    /// First address and the one after the last, if /proc/modules tells.
    range: Option<(u64, u64)>,
}

/// The symbol table.
#[derive(Clone, Debug)]
pub struct Kallsyms {
    entries: Vec<Entry>,
    names: Vec<u8>,
    modules: Vec<Module>,
}

impl Kallsyms {
    /// Reads the running kernel's table; `None` if it cannot be read or hides its addresses.
    pub fn load() -> Option<Kallsyms> {
        let file = std::fs::File::open(PATH).ok()?;
        let modules = std::fs::read_to_string(MODULES).unwrap_or_default();
        Kallsyms::parse(file, &modules)
    }

    /// Reads a table in the format of `/proc/kallsyms`, with the text of `/proc/modules`.
    pub fn parse(source: impl Read, modules: &str) -> Option<Kallsyms> {
        let vmlinux = Module {
            name: VMLINUX.to_string(),
            range: None,
        };
        let mut table = Kallsyms {
            entries: Vec::new(),
            names: Vec::new(),
            modules: vec![vmlinux],
        };
        let mut source = BufReader::with_capacity(1 << 16, source);
        let mut line = Vec::with_capacity(256);
        loop {
            line.clear();
            if source.read_until(b'\n', &mut line).ok()? == 0 {
                break;
            }
            table.add(&line);
        }
        if table.entries.iter().all(|e| e.address == 0) {
            return None;
        }
        // Nearly sorted as the kernel writes it; of several names for one address only the best stays.
        table.entries.sort_by_key(|e| (e.address, e.rank));
        table.entries.dedup_by_key(|e| e.address);
        table.entries.shrink_to_fit();
        table.place_modules(modules);
        Some(table)
    }

    fn add(&mut self, line: &[u8]) -> Option<()> {
        let mut words = line
            .split(|b| matches!(b, b' ' | b'\t' | b'\n'))
            .filter(|w| !w.is_empty());
        let address = hex(words.next()?)?;
        let kind = *words.next()?.first()?;
        let name = words.next()?;
        let module = match words.next() {
            Some(word) => self.module(word.strip_prefix(b"[")?.strip_suffix(b"]")?)?,
            None => 0,
        };
        // Absolute symbols are numbers, not places.
        if matches!(kind, b'a' | b'A') {
            return None;
        }
        let entry = Entry {
            address,
            name: u32::try_from(self.names.len()).ok()?,
            len: u8::try_from(name.len()).ok()?,
            rank: rank(kind, name),
            module,
        };
        self.names.extend_from_slice(name);
        self.entries.push(entry);
        Some(())
    }

    fn module(&mut self, name: &[u8]) -> Option<u16> {
        // The lines of a module stand together, so it is the last one or a new one.
        let known = self.modules.iter().rposition(|m| m.name.as_bytes() == name);
        let index = known.unwrap_or_else(|| {
            let name = String::from_utf8_lossy(name).into_owned();
            self.modules.push(Module { name, range: None });
            self.modules.len() - 1
        });
        u16::try_from(index).ok()
    }

    fn place_modules(&mut self, text: &str) {
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            let (Some(name), Some(size)) = (words.next(), words.next()) else {
                continue;
            };
            let base = words
                .nth(3)
                .and_then(|w| w.strip_prefix("0x"))
                .and_then(|w| hex(w.as_bytes()));
            let (Some(base), Ok(size)) = (base.filter(|b| *b != 0), size.parse::<u64>()) else {
                continue;
            };
            let range = Some((base, base.saturating_add(size)));
            match self.modules.iter_mut().find(|m| m.name == name) {
                Some(module) => module.range = range,
                None => self.modules.push(Module {
                    name: name.to_string(),
                    range,
                }),
            }
        }
    }

    /// Number of addresses that have a name.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no symbol.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The symbol that contains an address; the offset is `address - symbol.address`.
    pub fn lookup(&self, address: u64) -> Option<Symbol<'_>> {
        let after = self.entries.partition_point(|e| e.address <= address);
        let symbol = self.symbol(after.checked_sub(1)?)?;
        (address - symbol.address < symbol.size).then_some(symbol)
    }

    /// Module of an address, even where no symbol contains it.
    pub fn module_of(&self, address: u64) -> Option<&str> {
        let in_range = |m: &&Module| {
            m.range
                .is_some_and(|(low, high)| (low..high).contains(&address))
        };
        match self.modules.iter().find(in_range) {
            Some(module) => Some(&module.name),
            None => self.lookup(address).map(|s| s.module),
        }
    }

    /// The first symbol of this name, in `module` if given.
    pub fn find(&self, name: &str, module: Option<&str>) -> Option<Symbol<'_>> {
        (0..self.entries.len())
            .filter(|index| {
                self.entries
                    .get(*index)
                    .is_some_and(|e| self.name(e) == name)
            })
            .filter_map(|index| self.symbol(index))
            .find(|symbol| module.is_none_or(|m| symbol.module == m))
    }

    fn name(&self, entry: &Entry) -> &str {
        let start = entry.name as usize;
        let bytes = self
            .names
            .get(start..start + usize::from(entry.len))
            .unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    fn symbol(&self, index: usize) -> Option<Symbol<'_>> {
        let entry = self.entries.get(index)?;
        let module = self.modules.get(usize::from(entry.module))?;
        let next = self.entries.get(index + 1);
        let end = match next {
            Some(next) if next.module == entry.module => next.address,
            _ => {
                let end = module
                    .range
                    .map_or(entry.address.saturating_add(GAP), |(_, end)| end);
                next.map_or(end, |next| next.address.min(end))
            }
        };
        Some(Symbol {
            module: &module.name,
            name: self.name(entry),
            address: entry.address,
            size: end.saturating_sub(entry.address),
        })
    }
}

/// Global before weak before local, and plain names before those the linker made up.
fn rank(kind: u8, name: &[u8]) -> u8 {
    let binding = match kind {
        b'W' | b'w' | b'V' | b'v' => 1,
        kind if kind.is_ascii_uppercase() => 0,
        _ => 2,
    };
    let underscores = name.iter().take_while(|b| **b == b'_').count().min(15) as u8;
    let generated = u8::from(name.contains(&b'.') || name.starts_with(b"__pfx_"));
    generated << 7 | underscores << 2 | binding
}

fn hex(word: &[u8]) -> Option<u64> {
    if word.is_empty() || word.len() > 16 {
        return None;
    }
    word.iter().try_fold(0u64, |value, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            _ => return None,
        };
        Some(value << 4 | u64::from(digit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ffffffff81000000 T _text\nffffffff81000000 T startup_64\nffffffff81000100 t vfs_helper\n\
        ffffffff81000200 T vfs_read\nffffffff81000300 A an_absolute\nffffffff82000000 D jiffies\n\
        ffffffffc0001000 t ext4_one\t[ext4]\nffffffffc0001040 T ext4_two\t[ext4]\n\
        ffffffffc0005000 t lone\t[bpf]\n";
    const MODULES: &str =
        "ext4 8192 1 - Live 0xffffffffc0001000\nhidden 4096 0 - Live 0x0000000000000000\n";

    fn table() -> Kallsyms {
        Kallsyms::parse(TEXT.as_bytes(), MODULES).unwrap_or(Kallsyms {
            entries: Vec::new(),
            names: Vec::new(),
            modules: Vec::new(),
        })
    }

    fn name(table: &Kallsyms, address: u64) -> Option<(&str, &str, u64)> {
        table
            .lookup(address)
            .map(|s| (s.module, s.name, address - s.address))
    }

    #[test]
    fn addresses_become_names() {
        let t = table();
        assert_eq!(
            name(&t, 0xffffffff81000000),
            Some(("vmlinux", "startup_64", 0))
        );
        assert_eq!(
            name(&t, 0xffffffff810001ff),
            Some(("vmlinux", "vfs_helper", 0xff))
        );
        assert_eq!(
            name(&t, 0xffffffff81000304),
            Some(("vmlinux", "vfs_read", 0x104))
        );
        assert_eq!(name(&t, 0xffffffffc0001044), Some(("ext4", "ext4_two", 4)));
        assert_eq!(name(&t, 0xffffffff80ffffff), None);
        assert_eq!(name(&t, 0), None);
    }

    #[test]
    fn the_last_symbol_of_a_module_ends_with_it() {
        let t = table();
        assert_eq!(t.lookup(0xffffffffc0001040).map(|s| s.size), Some(0x1fc0));
        assert_eq!(t.lookup(0xffffffffc0003000), None);
        assert_eq!(t.lookup(0xffffffff82000000 + GAP), None);
        assert_eq!(t.module_of(0xffffffffc0002fff), Some("ext4"));
        assert_eq!(t.module_of(0xffffffffc0003000), None);
    }

    #[test]
    fn names_become_addresses() {
        let t = table();
        assert_eq!(
            t.find("vfs_read", None).map(|s| (s.address, s.size)),
            Some((0xffffffff81000200, 0xfffe00))
        );
        assert_eq!(t.find("ext4_one", Some("ext4")).map(|s| s.size), Some(0x40));
        assert!(t.find("ext4_one", Some("vmlinux")).is_none() && t.find("vfs_rea", None).is_none());
    }

    #[test]
    fn hidden_addresses_and_garbage_make_no_table() {
        assert!(
            Kallsyms::parse(
                "0000000000000000 T a\n0000000000000000 T b\n".as_bytes(),
                ""
            )
            .is_none()
        );
        assert!(Kallsyms::parse("".as_bytes(), "").is_none());
        assert!(Kallsyms::parse("\n\u{0}\nxyz\nffff T\n1 T a [b\n".as_bytes(), "").is_none());
    }
}
