//! Procedure linkage tables: the stubs by which a file calls functions of others. They have no symbols, so what a stub is for is
//! found by the word that it jumps through, and the relocation that fills this word.

use std::collections::HashMap;

use object::Endianness;
use object::elf::{Rela64, Sym64};
use object::read::elf::{Rela, Sym};

use super::ElfFile;
use super::header::{entries, text};
use crate::code::{AARCH64, X86_64};

/// Bytes of a stub, where the section does not tell.
const STUB: usize = 16;
/// Relocations that put a function's address into a word: `R_X86_64_GLOB_DAT`, `R_X86_64_JUMP_SLOT`; `R_AARCH64_GLOB_DAT`,
/// `R_AARCH64_JUMP_SLOT`.
const ADDRESSES: [u32; 4] = [6, 7, 1025, 1026];

/// A stub.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stub {
    vaddr: u64,
    size: u64,
    /// `NAME@plt`.
    name: Box<str>,
}

/// The stubs of a file, by address.
#[derive(Debug, Default)]
pub(super) struct Stubs(Vec<Stub>);

impl Stubs {
    pub(super) fn of(file: &ElfFile) -> Stubs {
        let words = words(file);
        let mut all = Vec::new();
        let tables = file.sections().iter();
        for section in tables.filter(|s| s.name.starts_with(".plt")) {
            let Ok(Some(code)) = file.section_bytes(section) else {
                continue;
            };
            let size = match usize::try_from(section.entry_size) {
                Ok(size @ 8..=32) => size,
                _ => STUB,
            };
            let found = match file.machine() {
                X86_64 => x86(section.vaddr, &code, size),
                AARCH64 => aarch64(section.vaddr, &code),
                _ => Vec::new(),
            };
            let named = found.into_iter().filter_map(|(vaddr, size, word)| {
                let name = format!("{}@plt", words.get(&word)?).into();
                Some(Stub { vaddr, size, name })
            });
            all.extend(named);
        }
        all.sort_by_key(|s| s.vaddr);
        Stubs(all)
    }

    /// The stub around an address, and how far behind its start that is.
    pub(super) fn lookup(&self, vaddr: u64) -> Option<(&str, u64)> {
        let behind = self.0.partition_point(|s| s.vaddr <= vaddr);
        let stub = self.0.get(behind.checked_sub(1)?)?;
        let offset = vaddr - stub.vaddr;
        (offset < stub.size).then_some((&stub.name, offset))
    }
}

/// Names of the functions whose addresses the dynamic linker puts into words, by the words' addresses.
fn words(file: &ElfFile) -> HashMap<u64, String> {
    let mut all = HashMap::new();
    for name in [".rela.plt", ".rela.dyn"] {
        let Some(section) = file.header.section(name) else {
            continue;
        };
        let symbols = file.sections().get(section.link as usize);
        let strings = symbols.and_then(|s| file.sections().get(s.link as usize));
        let bytes = |section| file.section_bytes(section).ok().flatten();
        let (Some(table), Some(symbols), Some(strings)) = (
            bytes(section),
            symbols.and_then(bytes),
            strings.and_then(bytes),
        ) else {
            continue;
        };
        let endian = file.header.endian;
        let symbols = entries::<Sym64<Endianness>>(&symbols);
        for entry in entries::<Rela64<Endianness>>(&table) {
            if !ADDRESSES.contains(&entry.r_type(endian, false).0) {
                continue;
            }
            let symbol = entry.symbol(endian, false).and_then(|s| symbols.get(s.0));
            let name = symbol.map_or("", |s| text(&strings, s.st_name(endian)));
            if !name.is_empty() {
                all.insert(entry.r_offset(endian), name.to_owned());
            }
        }
    }
    all
}

/// Address, bytes and word of each stub.
type Found = Vec<(u64, u64, u64)>;

/// `jmp *WORD(%rip)`, in whatever surroundings.
fn x86(vaddr: u64, code: &[u8], size: usize) -> Found {
    let stub = |(n, stub): (usize, &[u8])| {
        let at = stub.windows(2).position(|w| w == [0xff, 0x25])?;
        let displacement = i32::from_le_bytes(*stub.get(at + 2..)?.first_chunk()?);
        let start = vaddr.checked_add((n * size) as u64)?;
        let next = start.checked_add(at as u64 + 6)?;
        let word = next.checked_add_signed(displacement.into())?;
        Some((start, size as u64, word))
    };
    code.chunks(size).enumerate().filter_map(stub).collect()
}

/// `adrp x16, PAGE; ldr x17, [x16, #OFFSET]`, with or without `bti c` before.
fn aarch64(vaddr: u64, code: &[u8]) -> Found {
    const BTI_C: u32 = 0xd503_245f;
    let chunks = code.chunks_exact(4);
    let all: Vec<u32> = chunks
        .filter_map(|w| Some(u32::from_le_bytes(*w.first_chunk()?)))
        .collect();
    let mut found = Found::new();
    for (n, pair) in all.windows(2).enumerate() {
        let [adrp, ldr] = pair else { continue };
        if adrp & 0x9f00_001f != 0x9000_0010 || ldr & 0xffc0_03ff != 0xf940_0211 {
            continue;
        }
        let at = vaddr.wrapping_add(4 * n as u64);
        let high = i64::from((((adrp >> 5) & 0x7_ffff) << 13) as i32 >> 13) << 2;
        let page = (at & !0xfff).wrapping_add_signed((high | i64::from((adrp >> 29) & 3)) << 12);
        let word = page.wrapping_add(u64::from((ldr >> 10) & 0xfff) * 8);
        let landing = n > 0 && all.get(n - 1) == Some(&BTI_C);
        let before = if landing { 4 } else { 0 };
        found.push((at - before, STUB as u64 + before, word));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jumps_through_words() {
        // endbr64; jmp *0x2fca(%rip); nop
        let new = [
            0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 0xca, 0x2f, 0, 0, 0x66, 0x0f, 0x1f, 0x44, 0, 0,
        ];
        assert_eq!(x86(0x1000, &new, 16), [(0x1000, 16, 0x3fd4)]);
        // push 1; jmp PLT0: of no interest.
        assert_eq!(x86(0, &[0x68, 1, 0, 0, 0, 0xe9, 0, 0, 0, 0], 16), []);
        // bti c; adrp x16,0x11000; ldr x17,[x16,#0xfd0]; add x16,x16,#0xfd0; br x17; nop
        let arm = [
            0xd503_245fu32,
            0x9000_0090,
            0xf947_ea11,
            0x913f_4210,
            0xd61f_0220,
            0xd503_201f,
        ];
        let bytes: Vec<u8> = arm.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(aarch64(0x1000, &bytes), [(0x1000, 20, 0x11fd0)]);
    }
}
