//! `%e %f %g` as C prints them. D has no floating-point expressions, but translated data may hold such values.

use crate::num::{self, Spec};

/// The value in `bytes`: a float of 4 or 8 bytes, or an x87 one in 10, 12 or 16.
pub(crate) fn decode(bytes: &[u8]) -> Option<f64> {
    match bytes.len() {
        4 => bytes
            .try_into()
            .ok()
            .map(|b| f64::from(f32::from_ne_bytes(b))),
        8 => bytes.try_into().ok().map(f64::from_ne_bytes),
        10 | 12 | 16 => extended(bytes),
        _ => None,
    }
}

/// An 80-bit x87 value, rounded to a double.
fn extended(bytes: &[u8]) -> Option<f64> {
    let mantissa = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    let top = u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?);
    let sign = if top & 0x8000 != 0 { -1.0 } else { 1.0 };
    let exponent = i32::from(top & 0x7fff);
    if exponent == 0x7fff {
        return Some(if mantissa << 1 == 0 {
            sign * f64::INFINITY
        } else {
            f64::NAN
        });
    }
    // In two steps, so that neither factor overflows before the product does.
    let shift = exponent - 16383 - 63;
    let half = shift / 2;
    Some(sign * mantissa as f64 * 2f64.powi(half) * 2f64.powi(shift - half))
}

/// `d.ddde±dd` with the mantissa digits `prec` after the point.
fn scientific(v: f64, prec: usize, alt: bool) -> String {
    let text = format!("{v:.prec$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    let point = if alt && prec == 0 { "." } else { "" };
    format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
}

fn trim(text: &str) -> &str {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

fn general(v: f64, prec: usize, alt: bool) -> String {
    let prec = prec.max(1);
    let rounded = format!("{v:.*e}", prec - 1);
    let exponent: i64 = rounded
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    if exponent < -4 || exponent >= prec as i64 {
        let text = scientific(v, prec - 1, alt);
        if alt {
            return text;
        }
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", trim(mantissa));
    }
    let text = format!("{v:.*}", (prec as i64 - 1 - exponent).max(0) as usize);
    if alt { text } else { trim(&text).to_string() }
}

/// Appends a value by conversion `e E f g G`.
pub(crate) fn print(out: &mut Vec<u8>, spec: &Spec, conv: char, v: f64) {
    let prec = spec.prec.unwrap_or(6);
    let mag = v.abs();
    let mut text = if !v.is_finite() {
        if v.is_nan() {
            "nan".to_string()
        } else {
            "inf".to_string()
        }
    } else if conv.eq_ignore_ascii_case(&'e') {
        scientific(mag, prec, spec.alt)
    } else if conv == 'f' {
        format!("{mag:.prec$}")
    } else {
        general(mag, prec, spec.alt)
    };
    if conv.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let sign: &str = match (v.is_sign_negative() && !v.is_nan(), spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    };
    let pad = spec.width.saturating_sub(sign.len() + text.len());
    let zeros = spec.zero && !spec.left && v.is_finite();
    if !spec.left && !zeros {
        num::fill(out, b' ', pad);
    }
    out.extend_from_slice(sign.as_bytes());
    if zeros {
        num::fill(out, b'0', pad);
    }
    out.extend_from_slice(text.as_bytes());
    if spec.left {
        num::fill(out, b' ', pad);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(conv: char, spec: Spec, v: f64) -> String {
        let mut out = Vec::new();
        print(&mut out, &spec, conv, v);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn as_c_prints_them() {
        let plain = Spec::default();
        assert_eq!(show('f', plain, 1.5), "1.500000");
        assert_eq!(show('e', plain, -12345.678), "-1.234568e+04");
        assert_eq!(show('E', plain, 1e-300), "1.000000E-300");
        assert_eq!(show('g', plain, 100_000.0), "100000");
        assert_eq!(show('g', plain, 1_000_000.0), "1e+06");
        assert_eq!(show('g', plain, 0.0001), "0.0001");
        assert_eq!(show('g', plain, 0.0), "0");
        assert_eq!(
            show(
                'f',
                Spec {
                    zero: true,
                    prec: Some(2),
                    ..Spec::width(8)
                },
                -2.5
            ),
            "-0002.50"
        );
        assert_eq!(
            show(
                'f',
                Spec {
                    plus: true,
                    prec: Some(1),
                    ..Spec::left(7)
                },
                2.5
            ),
            "+2.5   "
        );
        assert_eq!(show('g', plain, f64::NEG_INFINITY), "-inf");
    }

    #[test]
    fn extended_precision() {
        let mut one = [0u8; 16];
        one[7] = 0x80;
        one[8..10].copy_from_slice(&0x3fffu16.to_le_bytes());
        assert_eq!(decode(&one), Some(1.0));
        one[9] |= 0x80;
        assert_eq!(decode(&one), Some(-1.0));
        assert_eq!(decode(&[0; 3]), None);
    }
}
