//! Values of integer, character and string constants.

use crate::ast::IntRank;

/// Why an integer constant has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntError {
    /// A digit outside the base.
    Digit(char),
    /// More than 64 bits.
    Overflow,
    /// No C type of its kind can hold the value.
    NoType(u64),
}

/// An integer constant measured at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// Bytes of the constant.
    Int(usize),
    /// Bytes of a floating-point constant, which D refuses.
    Float(usize),
}

fn run(bytes: &[u8], from: usize, ok: fn(&u8) -> bool) -> usize {
    bytes
        .get(from..)
        .unwrap_or_default()
        .iter()
        .take_while(|b| ok(b))
        .count()
}

fn at(bytes: &[u8], i: usize) -> u8 {
    bytes.get(i).copied().unwrap_or(0)
}

/// Measures the number at the start of `bytes`, which begins with a digit, or with `.` and a digit.
pub(crate) fn scan_number(bytes: &[u8]) -> Scan {
    let digits = run(bytes, 0, u8::is_ascii_digit);
    let hex = match at(bytes, 1) {
        b'x' | b'X' if at(bytes, 0) == b'0' => run(bytes, 2, u8::is_ascii_hexdigit),
        _ => 0,
    };
    let mut int = if hex > 0 { hex + 2 } else { digits };
    if int > 0 {
        int += usize::from(matches!(at(bytes, int), b'u' | b'U'));
        for _ in 0..2 {
            int += usize::from(matches!(at(bytes, int), b'l' | b'L'));
        }
    }
    let float = scan_float(bytes, digits);
    if float > int {
        Scan::Float(float)
    } else {
        Scan::Int(int)
    }
}

fn scan_float(bytes: &[u8], digits: usize) -> usize {
    let mut end = digits;
    if at(bytes, end) == b'.' {
        end += 1 + run(bytes, end + 1, u8::is_ascii_digit);
    }
    if matches!(at(bytes, end), b'e' | b'E') {
        let sign = usize::from(matches!(at(bytes, end + 1), b'+' | b'-'));
        let exp = run(bytes, end + 1 + sign, u8::is_ascii_digit);
        if exp > 0 {
            end += 1 + sign + exp;
        }
    }
    end + usize::from(matches!(at(bytes, end), b'f' | b'F' | b'l' | b'L'))
}

/// Value and type of an integer constant without sign, as [`scan_number`] measured it.
pub(crate) fn int_value(text: &str) -> Result<(u64, IntRank), IntError> {
    let body = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = text.get(body.len()..).unwrap_or_default();
    let unsigned = suffix.contains(['u', 'U']);
    let longs = suffix.chars().filter(|c| matches!(c, 'l' | 'L')).count();
    let (base, digits) = match body.strip_prefix("0x").or(body.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None if body.len() > 1 && body.starts_with('0') => (8, body),
        None => (10, body),
    };
    if let Some(bad) = digits.chars().find(|c| !c.is_digit(base)) {
        return Err(IntError::Digit(bad));
    }
    let value = u64::from_str_radix(digits, base).map_err(|_| IntError::Overflow)?;
    let rank = int_rank(value, base == 10, unsigned, longs).ok_or(IntError::NoType(value))?;
    Ok((value, rank))
}

/// The first C type that holds `value` (reference §1.2).
pub(crate) fn int_rank(value: u64, decimal: bool, unsigned: bool, longs: usize) -> Option<IntRank> {
    use IntRank::*;
    let rows = [
        (Int, i32::MAX as u64),
        (UInt, u64::from(u32::MAX)),
        (Long, i64::MAX as u64),
        (ULong, u64::MAX),
        (LongLong, i64::MAX as u64),
        (ULongLong, u64::MAX),
    ];
    let fits = |(rank, max): &&(IntRank, u64)| {
        let kind = if unsigned {
            !rank.signed()
        } else {
            rank.signed() || !decimal
        };
        kind && value <= *max
    };
    rows.iter()
        .skip(longs.min(2) * 2)
        .find(fits)
        .map(|(rank, _)| *rank)
}

/// Replaces the escapes of a string or character constant. An unknown escape keeps its backslash.
pub(crate) fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut i = 0;
    while i < raw.len() {
        let (byte, next) = (at(raw, i), at(raw, i + 1));
        if byte != b'\\' || i + 1 >= raw.len() {
            out.push(byte);
            i += 1;
            continue;
        }
        i += 2;
        match next {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' | b'"' => out.push(next),
            b'0'..=b'7' => {
                let n = run(raw, i - 1, |b| matches!(b, b'0'..=b'7')).min(3);
                out.push(digits(raw, i - 1, n, 8));
                i += n - 1;
            }
            b'x' if at(raw, i).is_ascii_hexdigit() => {
                let n = run(raw, i, u8::is_ascii_hexdigit);
                out.push(digits(raw, i, n, 16));
                i += n;
            }
            _ => out.extend([b'\\', next]),
        }
    }
    out
}

/// The low byte of a number.
fn digits(raw: &[u8], from: usize, n: usize, base: u8) -> u8 {
    let digits = raw.get(from..from + n).unwrap_or_default();
    digits.iter().fold(0u8, |v, b| {
        let digit = char::from(*b).to_digit(16).unwrap_or(0) as u8;
        v.wrapping_mul(base).wrapping_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_integer_constants() {
        use IntRank::*;
        let rows = [
            ("0", 0, Int),
            ("2147483647", 2147483647, Int),
            ("2147483648", 2147483648, Long),
            ("0x80000000", 0x8000_0000, UInt),
            ("020000000000", 0x8000_0000, UInt),
            ("0xffffffffffffffff", u64::MAX, ULong),
            ("1u", 1, UInt),
            ("4294967296u", 1 << 32, ULong),
            ("1l", 1, Long),
            ("1L", 1, Long),
            ("1ul", 1, ULong),
            ("1ll", 1, LongLong),
            ("1ULL", 1, ULongLong),
            ("010", 8, Int),
        ];
        for (text, value, rank) in rows {
            assert_eq!(int_value(text), Ok((value, rank)), "{text}");
        }
        assert_eq!(
            int_value("9223372036854775808"),
            Err(IntError::NoType(1 << 63))
        );
        assert_eq!(int_value("18446744073709551616"), Err(IntError::Overflow));
        assert_eq!(int_value("08"), Err(IntError::Digit('8')));
        assert_eq!(int_value("0128"), Err(IntError::Digit('8')));
    }

    #[test]
    fn numbers_are_measured_by_longest_match() {
        let rows = [
            ("12ab", Scan::Int(2)),
            ("0x1fgl", Scan::Int(4)),
            ("1ullx", Scan::Int(4)),
            ("7;", Scan::Int(1)),
        ];
        for (text, scan) in rows {
            assert_eq!(scan_number(text.as_bytes()), scan, "{text}");
        }
        for text in ["1.5", "1.", ".5", "1e5", "1.5e+3", "2f"] {
            assert_eq!(
                scan_number(text.as_bytes()),
                Scan::Float(text.len()),
                "{text}"
            );
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(
            unescape(br#"\a\b\f\n\r\t\v\\\""#),
            b"\x07\x08\x0c\n\r\t\x0b\\\""
        );
        assert_eq!(unescape(br"\101\0\1234"), b"A\0S4");
        assert_eq!(unescape(br"\x41\x141z\xg"), b"A\x41z\\xg");
        assert_eq!(unescape(br"\'\q\"), b"\\'\\q\\");
        assert_eq!(unescape(br"\x00041"), b"A");
    }
}
