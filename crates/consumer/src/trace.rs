//! `trace()` and `tracemem()` values, and the default form of keys.

use crate::num::{self, Spec};
use crate::options::Options;
use crate::stack::World;
use crate::value::{Int, Value};

/// Columns before a dump's offsets.
const MARGIN: usize = 5;

/// Widths of one place where values are printed.
#[derive(Clone, Copy)]
pub(crate) struct Widths {
    /// Width of a string, left-aligned after two spaces, or right-aligned after one.
    string: usize,
    right: bool,
    quiet: bool,
}

impl Widths {
    /// `trace()`.
    pub(crate) fn trace(quiet: bool) -> Widths {
        Widths {
            string: 33,
            right: false,
            quiet,
        }
    }

    /// A key of an aggregation.
    pub(crate) fn key() -> Widths {
        Widths {
            string: 50,
            right: false,
            quiet: false,
        }
    }

    /// A key beside a packed or histogram value.
    pub(crate) fn packed() -> Widths {
        Widths {
            string: 16,
            right: true,
            quiet: false,
        }
    }
}

/// Width of an integer column by the size of its type.
pub(crate) fn int_width(bytes: u8) -> usize {
    match bytes {
        1 => 3,
        2 => 5,
        4 => 8,
        _ => 16,
    }
}

fn integer(out: &mut Vec<u8>, v: Int, quiet: bool) {
    let width = if quiet { 0 } else { int_width(v.bytes) };
    if !quiet {
        out.push(b' ');
    }
    let (neg, mag) = v.parts();
    num::int(out, &Spec::width(width), num::Radix::Dec, neg, mag);
}

fn string(out: &mut Vec<u8>, text: &[u8], w: Widths) {
    if w.quiet {
        out.extend_from_slice(text);
        return;
    }
    if w.right {
        out.push(b' ');
        num::text(out, &Spec::width(w.string), text);
    } else {
        out.extend_from_slice(b"  ");
        num::text(out, &Spec::left(w.string), text);
    }
}

fn printable(b: u8) -> bool {
    matches!(b, 0x20..=0x7e | b'\t'..=b'\r' | 0x07 | 0x08)
}

/// What an array of characters holds.
enum Looks<'a> {
    Terminated(&'a [u8]),
    Full,
    Binary,
}

fn looks(bytes: &[u8]) -> Looks<'_> {
    let len = bytes
        .iter()
        .position(|b| !printable(*b))
        .unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(len);
    if rest.is_empty() {
        Looks::Full
    } else if rest.iter().all(|b| *b == 0) {
        Looks::Terminated(text)
    } else {
        Looks::Binary
    }
}

fn char_array(out: &mut Vec<u8>, bytes: &[u8], w: Widths) {
    match looks(bytes) {
        Looks::Terminated(text) => string(out, text, w),
        Looks::Full => string(out, bytes, Widths { quiet: false, ..w }),
        Looks::Binary => dump(out, bytes),
    }
}

/// Prints a value in its default form. `strsize` is what a raw string occupies.
pub(crate) fn value(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    w: Widths,
    strsize: u32,
    v: Value<'_>,
) {
    match v {
        Value::Int(v) => integer(out, v, w.quiet),
        Value::Str(s) if opts.rawbytes => {
            let mut bytes = s.to_vec();
            bytes.resize(s.len().max(strsize as usize), 0);
            dump(out, &bytes);
        }
        Value::Str(s) => string(out, s, w),
        Value::Bytes { bytes, .. } if opts.rawbytes => dump(out, bytes),
        Value::Bytes { bytes, chars: true } => char_array(out, bytes, w),
        Value::Bytes {
            bytes,
            chars: false,
        } => dump(out, bytes),
        Value::Stack(frames) => world.stack(out, frames, opts.stackindent, &Spec::default()),
        Value::Sym(sym) => symbol(out, world, w, sym),
    }
}

/// `sym()` and its family: `  %-50s` wherever they stand.
fn symbol(out: &mut Vec<u8>, world: &mut World, w: Widths, sym: crate::value::SymAddr) {
    if w.right {
        out.push(b' ');
        num::padded(out, &Spec::width(w.string), |out| world.sym(out, sym));
    } else {
        out.extend_from_slice(b"  ");
        num::padded(out, &Spec::left(50), |out| world.sym(out, sym));
    }
}

/// The raw dump: 16 bytes a row with offsets and characters.
pub(crate) fn dump(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'\n');
    num::fill(out, b' ', MARGIN + 6);
    for digit in b"0123456789abcdef" {
        out.extend_from_slice(&[b' ', b' ', *digit]);
    }
    out.extend_from_slice(b"  0123456789abcdef\n");
    for (row, chunk) in bytes.chunks(16).enumerate() {
        num::fill(out, b' ', MARGIN);
        num::int(
            out,
            &Spec::width(5),
            num::Radix::Hex,
            false,
            row as u64 * 16,
        );
        out.push(b':');
        for b in chunk {
            out.push(b' ');
            num::int(
                out,
                &Spec {
                    zero: true,
                    ..Spec::width(2)
                },
                num::Radix::Hex,
                false,
                u64::from(*b),
            );
        }
        num::fill(out, b' ', 3 * (16 - chunk.len()) + 2);
        out.extend(
            chunk
                .iter()
                .map(|b| if (0x20..=0x7e).contains(b) { *b } else { b'.' }),
        );
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(v: Value<'_>, quiet: bool) -> String {
        let mut out = Vec::new();
        value(
            &mut out,
            &mut World::default(),
            &Options::default(),
            Widths::trace(quiet),
            256,
            v,
        );
        String::from_utf8(out).unwrap()
    }

    fn int(bits: u64, bytes: u8, signed: bool) -> Value<'static> {
        Value::Int(Int {
            bits,
            bytes,
            signed,
        })
    }

    #[test]
    fn integers_by_size_and_sign() {
        assert_eq!(show(int(u64::MAX, 8, true), false), "               -1");
        assert_eq!(
            show(int(u64::MAX, 8, false), false),
            " 18446744073709551615"
        );
        assert_eq!(show(int(0xffff_fff6, 4, true), false), "      -10");
        assert_eq!(show(int(0xffff_fff6, 4, false), false), " 4294967286");
        assert_eq!(show(int(7, 2, true), false), "     7");
        assert_eq!(show(int(200, 1, true), false), " -56");
        assert_eq!(show(int(200, 1, false), false), " 200");
        assert_eq!(show(int(0xffff_fff6, 4, true), true), "-10");
    }

    #[test]
    fn strings() {
        assert_eq!(show(Value::Str(b"cat"), false), format!("  {:<33}", "cat"));
        assert_eq!(show(Value::Str(b""), false), " ".repeat(35));
        assert_eq!(show(Value::Str(b"cat"), true), "cat");
    }

    #[test]
    fn arrays_of_characters() {
        let full = Value::Bytes {
            bytes: b"abc",
            chars: true,
        };
        assert_eq!(show(full, false), format!("  {:<33}", "abc"));
        assert_eq!(show(full, true), format!("  {:<33}", "abc"));
        let ended = Value::Bytes {
            bytes: b"ab\0\0",
            chars: true,
        };
        assert_eq!(show(ended, true), "ab");
        let binary = Value::Bytes {
            bytes: b"ab\0c",
            chars: true,
        };
        assert!(show(binary, true).contains("    0: 61 62 00 63  "));
    }

    #[test]
    fn raw_strings_fill_strsize() {
        let mut out = Vec::new();
        let opts = Options {
            rawbytes: true,
            ..Options::default()
        };
        value(
            &mut out,
            &mut World::default(),
            &opts,
            Widths::trace(false),
            16,
            Value::Str(b"hi"),
        );
        let text = String::from_utf8(out).unwrap();
        assert!(
            text.ends_with(
                ":  68 69 00 00 00 00 00 00 00 00 00 00 00 00 00 00  hi..............\n"
                    .replacen(":  ", ": ", 1)
                    .as_str()
            )
        );
    }

    #[test]
    fn dump_with_a_partial_last_row() {
        let bytes: Vec<u8> = (0x41..0x41 + 18).collect();
        let mut out = Vec::new();
        dump(&mut out, &bytes);
        let want = concat!(
            "\n",
            "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n",
            "         0: 41 42 43 44 45 46 47 48 49 4a 4b 4c 4d 4e 4f 50  ABCDEFGHIJKLMNOP\n",
            "        10: 51 52                                            QR\n",
        );
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }
}
