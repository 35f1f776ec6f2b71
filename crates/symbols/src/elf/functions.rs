//! The functions of a file: one list sorted by address, one text with all names.

use object::Endianness;
use object::elf::{self, Sym32, Sym64};
use object::pod::Pod;
use object::read::elf::Sym;

use super::Class;
use super::header::{Header, entries, text};

/// A function of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Name as the file has it (mangled, without a symbol version).
    pub name: &'a str,
    /// Address in the file's own numbering.
    pub vaddr: u64,
    /// Bytes; 0 if the file does not say.
    pub size: u64,
    /// Where its first byte is in the file.
    pub file_offset: Option<u64>,
    /// Not a function itself but what chooses one when the file is loaded (`STT_GNU_IFUNC`).
    pub indirect: bool,
}

impl<'a> Function<'a> {
    pub(super) fn located(self, to_offset: impl Fn(u64) -> Option<u64>) -> Function<'a> {
        Function {
            file_offset: to_offset(self.vaddr),
            ..self
        }
    }
}

/// What an entry of a symbol table stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    /// A function.
    Function,
    /// An indirect function.
    Indirect,
    /// A place in the text without a type: names an address, but is no function to list.
    Label,
}

/// A name at an address. The order of the fields is the order of the list; of several names at one address the first is
/// shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    vaddr: u64,
    sort: Sort,
    /// Leading underscores, which mark aliases for internal use.
    underscores: u8,
    /// 0 global, 1 weak, 2 local.
    binding: u8,
    len: u32,
    name: u32,
    /// First address behind it.
    end: u64,
    size: u64,
}

/// Which symbols are collected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Functions, and places in the text.
    #[default]
    Code,
    /// Variables.
    Data,
}

/// Collects the symbols of several tables.
#[derive(Default)]
pub(super) struct Builder {
    wanted: Wanted,
    names: String,
    entries: Vec<Entry>,
}

/// All functions of a file.
#[derive(Debug)]
pub(super) struct Functions {
    names: String,
    entries: Vec<Entry>,
    /// For each entry the greatest `end` of it and those before it.
    reach: Vec<u64>,
}

impl Builder {
    pub(super) fn new(wanted: Wanted) -> Builder {
        Builder {
            wanted,
            ..Builder::default()
        }
    }

    /// Adds a symbol table. `complete`: it is meant to have all functions, so that one without a size may be taken to
    /// reach to the next symbol.
    pub(super) fn add(&mut self, header: &Header, table: &[u8], names: &[u8], complete: bool) {
        let first = self.entries.len();
        match header.class {
            Class::Elf32 => self.add_all::<Sym32<Endianness>>(header, table, names, complete),
            Class::Elf64 => self.add_all::<Sym64<Endianness>>(header, table, names, complete),
        }
        if complete {
            self.close_open_ends(first);
        }
    }

    fn add_all<S: Sym<Endian = Endianness> + Pod>(
        &mut self,
        header: &Header,
        table: &[u8],
        names: &[u8],
        complete: bool,
    ) {
        for symbol in entries::<S>(table) {
            self.add_symbol(header, symbol, names, complete);
        }
    }

    fn add_symbol<S: Sym<Endian = Endianness>>(
        &mut self,
        header: &Header,
        symbol: &S,
        names: &[u8],
        complete: bool,
    ) {
        let endian = header.endian;
        let (value, size) = (
            symbol.st_value(endian).into(),
            symbol.st_size(endian).into(),
        );
        let sort = match (self.wanted, symbol.st_type()) {
            (Wanted::Code, elf::STT_FUNC) => Sort::Function,
            (Wanted::Code, elf::STT_GNU_IFUNC) => Sort::Indirect,
            (Wanted::Code, elf::STT_NOTYPE) if complete => Sort::Label,
            (Wanted::Data, elf::STT_OBJECT) if size > 0 => Sort::Function,
            (Wanted::Code | Wanted::Data, _) => return,
        };
        // Reserved numbers are absolute values and common blocks.
        let section = match symbol.st_shndx(endian) {
            elf::SHN_UNDEF => return,
            // More sections than 16 bits can number: `.symtab_shndx` would say; such files are object files.
            elf::SHN_XINDEX => None,
            n if n.0 >= elf::SHN_LORESERVE => return,
            n => header.sections.get(usize::from(n.0)),
        };
        let code = self.wanted == Wanted::Code;
        if code && section.is_some_and(|s| !s.executable) {
            return;
        }
        let name = text(names, symbol.st_name(endian));
        let name = name.split('@').next().unwrap_or_default();
        // `$x`, `$d` and the like mark code and data on ARM and RISC-V.
        if name.is_empty() || (sort == Sort::Label && name.starts_with(['$', '.'])) {
            return;
        }
        let (Ok(at), Ok(len)) = (u32::try_from(self.names.len()), u32::try_from(name.len())) else {
            return;
        };
        self.names.push_str(name);
        let section_end = section.map_or(value, |s| s.vaddr.saturating_add(s.size));
        let end = match (size, complete) {
            (0, true) => section_end,
            (size, _) => value.saturating_add(size),
        };
        let underscores = name.bytes().take_while(|b| *b == b'_').count();
        self.entries.push(Entry {
            vaddr: value,
            sort,
            underscores: u8::try_from(underscores).unwrap_or(u8::MAX),
            binding: match symbol.st_bind() {
                elf::STB_GLOBAL => 0,
                elf::STB_WEAK => 1,
                _ => 2,
            },
            len,
            name: at,
            end,
            size,
        });
    }

    /// Functions without a size end where the next one begins.
    fn close_open_ends(&mut self, first: usize) {
        let Some(added) = self.entries.get_mut(first..) else {
            return;
        };
        added.sort_unstable();
        let mut next = u64::MAX;
        let mut here = u64::MAX;
        for entry in added.iter_mut().rev() {
            if entry.vaddr != here {
                next = here;
                here = entry.vaddr;
            }
            if entry.size == 0 {
                entry.end = entry.end.min(next);
            }
        }
    }

    pub(super) fn build(mut self) -> Functions {
        let names = &self.names;
        let name = |e: &Entry| slice(names, e);
        self.entries.sort_unstable_by(|a, b| {
            let rank = |e: &Entry| (e.vaddr, e.sort, e.underscores, e.binding, e.len);
            (rank(a), name(a), b.size).cmp(&(rank(b), name(b), a.size))
        });
        // The same symbol in several tables; the one that says a size comes first.
        self.entries
            .dedup_by(|b, a| (a.vaddr, a.len) == (b.vaddr, b.len) && name(a) == name(b));
        let mut reach = 0;
        let reach = self.entries.iter().map(|e| {
            reach = e.end.max(reach);
            reach
        });
        Functions {
            reach: reach.collect(),
            entries: self.entries,
            names: self.names,
        }
    }
}

fn slice<'a>(names: &'a str, entry: &Entry) -> &'a str {
    let from = entry.name as usize;
    names
        .get(from..from + entry.len as usize)
        .unwrap_or_default()
}

impl Functions {
    fn function(&self, entry: &Entry) -> Function<'_> {
        Function {
            name: slice(&self.names, entry),
            vaddr: entry.vaddr,
            size: entry.size,
            file_offset: None,
            indirect: entry.sort == Sort::Indirect,
        }
    }

    pub(super) fn functions(&self) -> impl Iterator<Item = Function<'_>> {
        let listed = self.entries.iter().filter(|e| e.sort != Sort::Label);
        listed.map(|e| self.function(e))
    }

    /// The innermost function around an address; a place without a type only where there is no function.
    pub(super) fn lookup(&self, vaddr: u64) -> Option<Function<'_>> {
        let behind = self.entries.partition_point(|e| e.vaddr <= vaddr);
        let mut found: Option<&Entry> = None;
        for (entry, reach) in self.entries.iter().zip(&self.reach).take(behind).rev() {
            if *reach <= vaddr && entry.vaddr != vaddr {
                break;
            }
            if entry.end <= vaddr && entry.vaddr != vaddr {
                continue;
            }
            match found {
                None => found = Some(entry),
                Some(f) if f.vaddr == entry.vaddr => found = Some(entry),
                Some(f) if f.sort == Sort::Label && entry.sort != Sort::Label => {
                    found = Some(entry);
                }
                Some(f) if f.sort == Sort::Label => {}
                Some(_) => break,
            }
        }
        found.map(|e| self.function(e))
    }
}
