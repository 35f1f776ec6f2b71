//! Arguments of statically defined probes, as the assembler would write them: `-4@%eax 8@8(%rsp) 4@$5 8@sym(%rip)`, on
//! AArch64 `-4@x0 8@[sp, 16] 4@5`. The number before the `@` is the size in bytes, negative for signed values.

use std::collections::HashMap;

use image::{Operand, Place};
use symbols::ElfFile;
use symbols::code::{AARCH64, X86_64};

/// Words of x86-64's `struct pt_regs` by the register's 64-bit name without `r` (`r8` to `r15` apart).
const X86: [(&str, u8); 9] = [
    ("bp", 4),
    ("bx", 5),
    ("ax", 10),
    ("cx", 11),
    ("dx", 12),
    ("si", 13),
    ("di", 14),
    ("ip", 16),
    ("sp", 19),
];
/// Word of `%rip`.
const RIP: u8 = 16;

/// Addresses of a file's symbols, read when the first is asked for.
pub(super) struct Symbols<'a> {
    elf: &'a ElfFile,
    known: Option<HashMap<String, u64>>,
}

impl<'a> Symbols<'a> {
    pub fn new(elf: &'a ElfFile) -> Symbols<'a> {
        Symbols { elf, known: None }
    }

    fn address(&mut self, name: &str) -> Option<u64> {
        let elf = self.elf;
        let known = self.known.get_or_insert_with(|| all(elf));
        known.get(name).copied()
    }
}

/// Names of a file's symbol tables with their values.
fn all(elf: &ElfFile) -> HashMap<String, u64> {
    /// Bytes of an entry of a 64-bit symbol table.
    const ENTRY: usize = 24;
    let mut known = HashMap::new();
    for name in [".dynsym", ".symtab"] {
        let Some(table) = elf.sections().iter().find(|s| s.name == name) else {
            continue;
        };
        let strings = elf.sections().get(table.link as usize);
        let bytes = elf.read(table.offset, table.size).ok();
        let names = strings.and_then(|s| elf.read(s.offset, s.size).ok());
        let (Some(bytes), Some(names)) = (bytes, names) else {
            continue;
        };
        for symbol in bytes.chunks_exact(ENTRY) {
            let at = symbol.first_chunk::<4>().map(|b| u32::from_le_bytes(*b));
            let value = symbol.get(8..).and_then(|b| b.first_chunk::<8>());
            let text = at.and_then(|at| names.get(at as usize..)?.split(|b| *b == 0).next());
            if let (Some(text), Some(value)) = (text, value) {
                let text = String::from_utf8_lossy(text).into_owned();
                known.insert(text, u64::from_le_bytes(*value));
            }
        }
    }
    known
}

/// Parses the arguments of the probe at `place` (an address in the file's own numbering). What cannot be understood is an
/// argument that cannot be read.
pub(super) fn parse_all(
    machine: u16,
    text: &str,
    place: u64,
    symbols: &mut Symbols<'_>,
) -> Vec<Operand> {
    let mut address = |name: &str| symbols.address(name);
    split(text)
        .into_iter()
        .map(|arg| parse(machine, arg, place, &mut address))
        .collect()
}

/// Splits at the blanks before a size; others are part of an argument.
fn split(text: &str) -> Vec<&str> {
    let mut args = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest
            .match_indices(' ')
            .map(|(at, _)| at)
            .find(|at| begins(rest.get(at + 1..).unwrap_or_default()));
        let (arg, behind) = rest.split_at(end.unwrap_or(rest.len()));
        args.push(arg.trim_end());
        rest = behind.trim_start();
    }
    args
}

/// Whether an argument begins here.
fn begins(text: &str) -> bool {
    let size = text.split('@').next().unwrap_or_default();
    size.len() < text.len() && width(size).is_some()
}

/// Bytes, whether signed, whether floating.
fn width(text: &str) -> Option<(u8, bool, bool)> {
    let (text, signed) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let (text, float) = match text.strip_suffix('f') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let bytes = text.parse().ok().filter(|n| matches!(n, 1 | 2 | 4 | 8))?;
    Some((bytes, signed, float))
}

fn parse(
    machine: u16,
    text: &str,
    place: u64,
    symbol: &mut dyn FnMut(&str) -> Option<u64>,
) -> Operand {
    let (size, what) = match text.split_once('@') {
        Some((size, what)) => (width(size), what),
        // Very old notes have no sizes.
        None => (Some((8, false, false)), text),
    };
    let (bytes, signed, float) = size.unwrap_or((8, false, false));
    let found = match machine {
        _ if size.is_none() => None,
        X86_64 => x86(what.trim(), place, symbol),
        AARCH64 => arm(what.trim(), symbol),
        _ => None,
    };
    let found = found.filter(|p| !float || matches!(p, Place::Memory { .. }));
    Operand {
        bytes,
        signed,
        place: found.unwrap_or(Place::Unreadable),
    }
}

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    let value = value as i64;
    Some(if negative {
        value.wrapping_neg()
    } else {
        value
    })
}

/// Word and shift of a general register, by any of its names.
fn x86_register(text: &str) -> Option<(u8, u8)> {
    let name = text.strip_prefix('%')?;
    if let Some(rest) = name.strip_prefix('r') {
        let digits = rest.trim_end_matches(['d', 'w', 'b']);
        // r8 to r15 are words 9 to 6 and 3 to 0 (arch/x86/include/uapi/asm/ptrace.h).
        match digits.parse::<u8>() {
            Ok(n @ 8..=11) => return Some((17 - n, 0)),
            Ok(n @ 12..=15) => return Some((15 - n, 0)),
            Ok(_) => return None,
            Err(_) => {}
        }
    }
    let pair = |name: &str| X86.iter().find(|(n, _)| *n == name).map(|(_, w)| *w);
    if let Some(word) = pair(name.trim_start_matches(['r', 'e'])).or_else(|| pair(name)) {
        return Some((word, 0));
    }
    if let Some(word) = name.strip_suffix('l').and_then(pair) {
        return Some((word, 0));
    }
    let word = |letter: &str| pair(&format!("{letter}x"));
    match (name.strip_suffix('l'), name.strip_suffix('h')) {
        (Some(letter), _) => Some((word(letter)?, 0)),
        (_, Some(letter)) => Some((word(letter)?, 8)),
        (None, None) => None,
    }
}

fn x86(text: &str, place: u64, symbol: &mut dyn FnMut(&str) -> Option<u64>) -> Option<Place> {
    if let Some(constant) = text.strip_prefix('$') {
        return number(constant).map(Place::Constant);
    }
    if text.starts_with('%') && !text.contains('(') && !text.contains(':') {
        let (word, shift) = x86_register(text)?;
        return Some(Place::Register { word, shift });
    }
    let (displacement, inside) = text.strip_suffix(')')?.split_once('(')?;
    let mut parts = inside.split(',').map(str::trim);
    let (base, index, scale) = (parts.next()?, parts.next(), parts.next());
    let (base, _) = x86_register(base)?;
    if base == RIP {
        let target = sum(displacement, symbol)?;
        // The register holds the address of the probe itself when its program runs.
        return Some(Place::Memory {
            base,
            index: None,
            offset: target.wrapping_sub(place as i64),
        });
    }
    let offset = match displacement {
        "" => 0,
        text => number(text).or_else(|| sum(text, symbol))?,
    };
    let index = match index {
        None => None,
        Some(register) => {
            let scale: u8 = scale.unwrap_or("1").parse().ok()?;
            let shift = [1, 2, 4, 8].iter().position(|s| *s == scale)?;
            Some((x86_register(register)?.0, shift as u8))
        }
    };
    Some(Place::Memory {
        base,
        index,
        offset,
    })
}

/// `symbol`, `symbol+8`, `8+symbol`.
fn sum(text: &str, symbol: &mut dyn FnMut(&str) -> Option<u64>) -> Option<i64> {
    let mut total = 0i64;
    let mut named = false;
    for term in text.replace('-', "+-").split('+').filter(|t| !t.is_empty()) {
        let value = match number(term) {
            Some(n) => n,
            None => {
                named = true;
                symbol(term)? as i64
            }
        };
        total = total.wrapping_add(value);
    }
    named.then_some(total)
}

/// Word of a general register of AArch64.
fn arm_register(text: &str) -> Option<u8> {
    if text == "sp" {
        return Some(31);
    }
    let digits = text.strip_prefix(['x', 'w'])?;
    digits.parse().ok().filter(|n| *n <= 30)
}

fn arm(text: &str, symbol: &mut dyn FnMut(&str) -> Option<u64>) -> Option<Place> {
    if let Some(inside) = text.strip_prefix('[') {
        let mut parts = inside.strip_suffix(']')?.split(',').map(str::trim);
        let base = arm_register(parts.next()?)?;
        let (mut index, mut offset) = (None, 0);
        if let Some(second) = parts.next() {
            match arm_register(second) {
                Some(word) => {
                    let shift = match parts.next() {
                        None => 0,
                        Some(text) => {
                            number(text.strip_prefix("lsl")?.trim().trim_start_matches('#'))?
                        }
                    };
                    index = Some((word, u8::try_from(shift).ok()?));
                }
                None => offset = arm_offset(second.trim_start_matches('#'), symbol)?,
            }
        }
        return Some(Place::Memory {
            base,
            index,
            offset,
        });
    }
    if let Some(word) = arm_register(text) {
        return Some(Place::Register { word, shift: 0 });
    }
    if matches!(text, "xzr" | "wzr") {
        return Some(Place::Constant(0));
    }
    number(text.trim_start_matches('#')).map(Place::Constant)
}

/// `16`; `:lo12:symbol`, the low bits of its address, of which the register has the others.
fn arm_offset(text: &str, symbol: &mut dyn FnMut(&str) -> Option<u64>) -> Option<i64> {
    let Some(name) = text.strip_prefix(":lo12:") else {
        return number(text);
    };
    let address = symbol(name).map(|a| a as i64).or_else(|| sum(name, symbol));
    address.map(|a| a & 0xfff)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x(text: &str) -> (u8, bool, Place) {
        let mut symbol = |name: &str| (name == "sym").then_some(0x5000);
        let o = parse(X86_64, text, 0x1000, &mut symbol);
        (o.bytes, o.signed, o.place)
    }

    fn register(word: u8, shift: u8) -> Place {
        Place::Register { word, shift }
    }

    fn memory(base: u8, index: Option<(u8, u8)>, offset: i64) -> Place {
        Place::Memory {
            base,
            index,
            offset,
        }
    }

    #[test]
    fn every_form_of_x86() {
        assert_eq!(x("-4@%eax"), (4, true, register(10, 0)));
        assert_eq!(x("8@%r15"), (8, false, register(0, 0)));
        assert_eq!(x("4@%r8d").2, register(9, 0));
        assert_eq!(x("2@%r11w").2, register(6, 0));
        assert_eq!(x("1@%ah").2, register(10, 8));
        assert_eq!(x("1@%sil").2, register(13, 0));
        assert_eq!(x("1@%bl").2, register(5, 0));
        assert_eq!(x("2@%di").2, register(14, 0));
        assert_eq!(x("8@%rbp").2, register(4, 0));
        assert_eq!(x("8@8(%rsp)").2, memory(19, None, 8));
        assert_eq!(x("8@-0x10(%rbp)").2, memory(4, None, -16));
        assert_eq!(x("8@(%rdi)").2, memory(14, None, 0));
        assert_eq!(x("4@16(%rax,%rbx,4)").2, memory(10, Some((5, 2)), 16));
        assert_eq!(x("4@(%r12,%r9)").2, memory(3, Some((8, 0)), 0));
        assert_eq!(x("4@$5").2, Place::Constant(5));
        assert_eq!(x("-4@$-1").2, Place::Constant(-1));
        assert_eq!(x("8@sym(%rip)").2, memory(16, None, 0x4000));
        assert_eq!(x("8@sym+8(%rip)").2, memory(16, None, 0x4008));
        assert_eq!(x("8@8+sym(%rip)").2, memory(16, None, 0x4008));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for text in [
            "8f@%xmm0",
            "8@other(%rip)",
            "16@%xmm1",
            "8@%fs:0(%rax)",
            "4@foo",
            "8@%rfoo",
        ] {
            assert_eq!(x(text).2, Place::Unreadable, "{text}");
        }
    }

    #[test]
    fn forms_of_arm() {
        let mut symbol = |name: &str| (name == "sym").then_some(0x5ff8);
        let mut a = |text| parse(AARCH64, text, 0, &mut symbol).place;
        assert_eq!(a("8@x19"), register(19, 0));
        assert_eq!(a("-4@w0"), register(0, 0));
        assert_eq!(a("8@[sp, 16]"), memory(31, None, 16));
        assert_eq!(a("8@[x0]"), memory(0, None, 0));
        assert_eq!(a("4@[x1, x2, lsl 2]"), memory(1, Some((2, 2)), 0));
        assert_eq!(a("-4@[sp, 12]"), memory(31, None, 12));
        assert_eq!(a("8@[x29, -16]"), memory(29, None, -16));
        assert_eq!(a("8@[x0, x1]"), memory(0, Some((1, 0)), 0));
        assert_eq!(a("8@[x0, #:lo12:sym]"), memory(0, None, 0xff8));
        assert_eq!(a("8@[x0, #:lo12:sym+8]"), memory(0, None, 0));
        assert_eq!(a("8@[x0, #:lo12:other]"), Place::Unreadable);
        assert_eq!(a("8@[x0, w1, sxtw 3]"), Place::Unreadable);
        assert_eq!(a("4@5"), Place::Constant(5));
        assert_eq!(a("4@-5"), Place::Constant(-5));
        assert_eq!(a("8@xzr"), Place::Constant(0));
        assert_eq!(a("4@s0"), Place::Unreadable);
    }

    #[test]
    fn blanks_within_arguments() {
        assert_eq!(
            split("8@[sp, 16] -4@w0 4@5"),
            ["8@[sp, 16]", "-4@w0", "4@5"]
        );
        assert_eq!(split(" -4@%eax  8@sym(%rip) "), ["-4@%eax", "8@sym(%rip)"]);
        assert!(split("").is_empty());
    }
}
