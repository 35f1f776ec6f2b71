//! Numbers and padding as C's printf writes them, into a byte buffer and without allocation.

/// Widths and precisions beyond this are cut to it: a field is never larger than a page of text.
pub(crate) const MAX_FIELD: usize = 1 << 16;

/// Flags, width and precision of one conversion, after `*` has been replaced.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spec {
    pub alt: bool,
    pub left: bool,
    pub zero: bool,
    pub plus: bool,
    pub space: bool,
    /// Separator between groups of three digits.
    pub group: Option<u8>,
    pub width: usize,
    pub prec: Option<usize>,
}

impl Spec {
    pub(crate) const fn width(width: usize) -> Spec {
        Spec {
            alt: false,
            left: false,
            zero: false,
            plus: false,
            space: false,
            group: None,
            width,
            prec: None,
        }
    }

    pub(crate) const fn left(width: usize) -> Spec {
        Spec {
            left: true,
            ..Spec::width(width)
        }
    }
}

/// Base of an integer conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Radix {
    Dec,
    Oct,
    Hex,
    HexUpper,
}

const PAIRS: &[u8; 200] = b"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// Digits of `v`, at the end of `buf`.
fn decimal(mut v: u64, buf: &mut [u8; 24]) -> &[u8] {
    let mut at = buf.len();
    while v >= 100 {
        let pair = (v % 100) as usize * 2;
        v /= 100;
        at -= 2;
        buf[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    }
    if v >= 10 {
        let pair = v as usize * 2;
        at -= 2;
        buf[at..at + 2].copy_from_slice(&PAIRS[pair..pair + 2]);
    } else {
        at -= 1;
        buf[at] = b'0' + v as u8;
    }
    &buf[at..]
}

fn power_of_two(mut v: u64, shift: u32, digits: &[u8; 16], buf: &mut [u8; 24]) -> usize {
    let mut at = buf.len();
    loop {
        at -= 1;
        buf[at] = digits[(v & ((1 << shift) - 1)) as usize];
        v >>= shift;
        if v == 0 {
            return at;
        }
    }
}

/// Appends `n` copies of `byte`.
#[inline]
pub(crate) fn fill(out: &mut Vec<u8>, byte: u8, n: usize) {
    out.resize(out.len() + n, byte);
}

/// Appends an unsigned decimal.
#[inline]
pub(crate) fn udec(out: &mut Vec<u8>, v: u64) {
    let mut buf = [0; 24];
    out.extend_from_slice(decimal(v, &mut buf));
}

/// Appends a signed decimal.
#[inline]
pub(crate) fn dec(out: &mut Vec<u8>, v: i64) {
    if v < 0 {
        out.push(b'-');
    }
    udec(out, v.unsigned_abs());
}

/// Appends lower-case hexadecimal without prefix.
#[inline]
pub(crate) fn hex(out: &mut Vec<u8>, v: u64) {
    let mut buf = [0; 24];
    let at = power_of_two(v, 4, b"0123456789abcdef", &mut buf);
    out.extend_from_slice(&buf[at..]);
}

/// Appends a signed decimal right-aligned in `width`.
#[inline]
pub(crate) fn dec_wide(out: &mut Vec<u8>, v: i64, width: usize) {
    let mut buf = [0; 24];
    let digits = decimal(v.unsigned_abs(), &mut buf);
    let len = digits.len() + usize::from(v < 0);
    fill(out, b' ', width.saturating_sub(len));
    if v < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits);
}

/// Appends a signed (`neg`, `mag`) or unsigned integer as the conversion says.
pub(crate) fn int(out: &mut Vec<u8>, spec: &Spec, radix: Radix, neg: bool, mag: u64) {
    let mut buf = [0; 24];
    let mut prefix: &[u8] = b"";
    let mut extra = 0;
    let digits: &[u8] = match radix {
        Radix::Dec => decimal(mag, &mut buf),
        Radix::Oct => {
            let at = power_of_two(mag, 3, b"0123456789abcdef", &mut buf);
            extra = usize::from(spec.alt && mag != 0);
            &buf[at..]
        }
        Radix::Hex | Radix::HexUpper => {
            let upper = radix == Radix::HexUpper;
            if spec.alt && mag != 0 {
                prefix = if upper { b"0X" } else { b"0x" };
            }
            let table = if upper {
                b"0123456789ABCDEF"
            } else {
                b"0123456789abcdef"
            };
            let at = power_of_two(mag, 4, table, &mut buf);
            &buf[at..]
        }
    };
    let sign: &[u8] = match (neg, spec.plus, spec.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        (false, false, false) => b"",
    };
    let group = spec.group.filter(|_| radix == Radix::Dec);
    let commas = if group.is_some() {
        (digits.len() - 1) / 3
    } else {
        0
    };
    let mut zeros = spec
        .prec
        .unwrap_or(0)
        .saturating_sub(digits.len())
        .max(extra);
    let len = sign.len() + prefix.len() + zeros + digits.len() + commas;
    let mut pad = spec.width.saturating_sub(len);
    if spec.zero && !spec.left && spec.prec.is_none() {
        zeros += pad;
        pad = 0;
    }
    if !spec.left {
        fill(out, b' ', pad);
    }
    out.extend_from_slice(sign);
    out.extend_from_slice(prefix);
    fill(out, b'0', zeros);
    match group {
        None => out.extend_from_slice(digits),
        Some(comma) => grouped(out, digits, comma),
    }
    if spec.left {
        fill(out, b' ', pad);
    }
}

fn grouped(out: &mut Vec<u8>, digits: &[u8], comma: u8) {
    for (i, digit) in digits.iter().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(comma);
        }
        out.push(*digit);
    }
}

/// Appends text cut to the precision and padded to the width.
#[inline]
pub(crate) fn text(out: &mut Vec<u8>, spec: &Spec, text: &[u8]) {
    let text = match spec.prec {
        Some(prec) => text.get(..prec).unwrap_or(text),
        None => text,
    };
    let pad = spec.width.saturating_sub(text.len());
    if !spec.left {
        fill(out, b' ', pad);
    }
    out.extend_from_slice(text);
    if spec.left {
        fill(out, b' ', pad);
    }
}

/// Pads what `body` appends, which must not shrink the buffer.
pub(crate) fn padded(out: &mut Vec<u8>, spec: &Spec, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    body(out);
    if let Some(prec) = spec.prec {
        out.truncate(out.len().min(start + prec));
    }
    let pad = spec.width.saturating_sub(out.len() - start);
    fill(out, b' ', pad);
    if !spec.left && pad > 0 {
        out[start..].rotate_right(pad);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(spec: Spec, radix: Radix, v: i64) -> String {
        let mut out = Vec::new();
        int(&mut out, &spec, radix, v < 0, v.unsigned_abs());
        String::from_utf8(out).unwrap()
    }

    fn spec(flags: &str, width: usize, prec: Option<usize>) -> Spec {
        let has = |c| flags.contains(c);
        let group = has('\'').then_some(b',');
        let (alt, left, zero, plus, space) = (has('#'), has('-'), has('0'), has('+'), has(' '));
        Spec {
            alt,
            left,
            zero,
            plus,
            space,
            group,
            width,
            prec,
        }
    }

    #[test]
    fn integers_as_c_prints_them() {
        let rows = [
            ("", 0, None, Radix::Dec, 0, "0"),
            ("", 0, None, Radix::Dec, i64::MIN, "-9223372036854775808"),
            ("0", 6, None, Radix::Dec, -42, "-00042"),
            ("0", 6, Some(4), Radix::Dec, -42, " -0042"),
            ("+-", 6, None, Radix::Dec, 42, "+42   "),
            (" ", 0, None, Radix::Dec, 42, " 42"),
            ("#", 0, None, Radix::Hex, 255, "0xff"),
            ("#", 0, None, Radix::Hex, 0, "0"),
            ("#0", 8, None, Radix::HexUpper, 255, "0X0000FF"),
            ("#", 0, None, Radix::Oct, 8, "010"),
            ("'", 0, None, Radix::Dec, 1_234_567, "1,234,567"),
            ("'", 8, None, Radix::Dec, 999, "     999"),
        ];
        for (flags, width, prec, radix, v, want) in rows {
            assert_eq!(
                show(spec(flags, width, prec), radix, v),
                want,
                "{flags} {width} {v}"
            );
        }
    }

    #[test]
    fn digits_in_pairs() {
        for v in [1, 9, 10, 99, 100, 101, 9_999, 10_000, 123_456_789, u64::MAX] {
            let mut out = Vec::new();
            udec(&mut out, v);
            assert_eq!(String::from_utf8(out).unwrap(), v.to_string());
        }
    }
}
