//! `printf()` conversions, for records and for the entries of `printa()`.
//!
//! The format has been parsed and checked by the compiler. A conversion that does not fit its datum is an error of the
//! image, not undefined behaviour as in C.

use crate::aggs::AggView;
use crate::error::{Error, Result};
use crate::float;
use crate::num::{self, MAX_FIELD, Radix, Spec};
use crate::options::Options;
use crate::stack::World;
use crate::time;
use crate::value::{Int, Value, until_nul};
use image::format::{Conversion, Format, Segment, Star};

/// Where the arguments come from.
pub(crate) trait Args<'a> {
    /// The next argument.
    fn next(&mut self) -> Result<Value<'a>>;
    /// The next aggregation's value.
    fn agg(&mut self) -> Result<AggView<'a>>;
}

const MISFIT: Error = Error::Image("a conversion does not fit its argument");

/// Appends the text of a format.
pub(crate) fn format<'a>(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    format: &Format,
    args: &mut impl Args<'a>,
) -> Result<()> {
    for segment in &format.segments {
        match segment {
            Segment::Text(text) => out.extend_from_slice(text),
            Segment::Conv(conv) => conversion(out, world, opts, conv, args)?,
        }
    }
    Ok(())
}

fn field(star: Star, args: &mut impl FnMut() -> Result<i64>) -> Result<Option<i64>> {
    Ok(match star {
        Star::None => None,
        Star::Fixed(n) => Some(i64::from(n)),
        Star::Arg => Some(args()?),
    })
}

fn spec<'a>(conv: &Conversion, opts: &Options, args: &mut impl Args<'a>) -> Result<Spec> {
    let mut star = || match args.next()? {
        Value::Int(v) => Ok(v.extended()),
        Value::Bytes { .. } | Value::Str(_) | Value::Stack(_) | Value::Sym(_) => Err(MISFIT),
    };
    let width = field(conv.width, &mut star)?.unwrap_or(0);
    let prec = field(conv.prec, &mut star)?.unwrap_or(0);
    Ok(Spec {
        alt: conv.alt,
        left: conv.left || width < 0,
        zero: conv.zero,
        plus: conv.plus,
        space: conv.space,
        group: if conv.group { opts.thousands } else { None },
        width: (width.unsigned_abs() as usize).min(MAX_FIELD),
        // A precision of 0 has always been ignored by D.
        prec: usize::try_from(prec)
            .ok()
            .filter(|p| *p > 0)
            .map(|p| p.min(MAX_FIELD)),
    })
}

fn conversion<'a>(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    conv: &Conversion,
    args: &mut impl Args<'a>,
) -> Result<()> {
    if conv.conv == '%' {
        out.push(b'%');
        return Ok(());
    }
    if plain(conv) {
        let v = args.next()?;
        return plain_value(out, world, opts, conv, v);
    }
    let spec = spec(conv, opts, args)?;
    if !conv.agg {
        let v = args.next()?;
        return value(out, world, opts, conv, &spec, v);
    }
    let agg = args.agg()?;
    match agg.scalar() {
        Some(v) => value(out, world, opts, conv, &spec, Value::Int(v)),
        None => {
            agg.histogram(out, opts);
            Ok(())
        }
    }
}

/// Whether the conversion has nothing but its letter.
fn plain(conv: &Conversion) -> bool {
    let flags = conv.alt | conv.left | conv.zero | conv.plus | conv.group | conv.space | conv.agg;
    !flags && conv.width == Star::None && conv.prec == Star::None && conv.size.is_empty()
}

/// The commonest conversions without detour.
fn plain_value(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    conv: &Conversion,
    v: Value<'_>,
) -> Result<()> {
    match (conv.conv, &v) {
        ('d' | 'i', Value::Int(v)) if v.signed => num::dec(out, v.extended()),
        ('d' | 'i' | 'u', Value::Int(v)) => num::udec(out, v.bits),
        ('x', Value::Int(v)) => num::hex(out, v.bits),
        ('s', Value::Str(s)) => out.extend_from_slice(s),
        (
            _,
            Value::Int(_) | Value::Bytes { .. } | Value::Str(_) | Value::Stack(_) | Value::Sym(_),
        ) => {
            return value(out, world, opts, conv, &Spec::default(), v);
        }
    }
    Ok(())
}

fn as_int(v: Value<'_>) -> Result<Int> {
    match v {
        Value::Int(v) => Ok(v),
        Value::Sym(sym) => Ok(Int {
            bits: sym.addr,
            bytes: 8,
            signed: false,
        }),
        Value::Bytes { .. } | Value::Str(_) | Value::Stack(_) => Err(MISFIT),
    }
}

fn value(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    conv: &Conversion,
    spec: &Spec,
    v: Value<'_>,
) -> Result<()> {
    match conv.conv {
        'd' | 'i' => {
            let (neg, mag) = as_int(v)?.parts();
            num::int(out, spec, Radix::Dec, neg, mag);
        }
        'u' => num::int(out, &unsigned(spec), Radix::Dec, false, as_int(v)?.bits),
        'o' => num::int(out, &unsigned(spec), Radix::Oct, false, as_int(v)?.bits),
        'x' | 'p' => num::int(out, &unsigned(spec), Radix::Hex, false, as_int(v)?.bits),
        'X' => num::int(
            out,
            &unsigned(spec),
            Radix::HexUpper,
            false,
            as_int(v)?.bits,
        ),
        'c' if conv.size.is_empty() => num::text(
            out,
            &Spec {
                prec: None,
                ..*spec
            },
            &[as_int(v)?.bits as u8],
        ),
        'c' => {
            let c = as_int(v)?.bits as u32;
            num::padded(out, spec, |out| wide(out, c));
        }
        'C' => {
            let c = as_int(v)?.bits as u8;
            num::padded(out, spec, |out| escape(out, c));
        }
        's' if conv.size.is_empty() => num::text(out, spec, bytes(&v)?.0),
        's' => wide_string(out, spec, bytes_whole(&v)?),
        'S' => escaped(out, spec, &v)?,
        'a' | 'A' | 'k' => address(out, world, opts, conv, spec, v)?,
        'Y' | 'T' => {
            let ns = as_int(v)?.bits as i64;
            let tm = world.names.local(ns.div_euclid(1_000_000_000));
            let print = if conv.conv == 'Y' {
                time::year_first
            } else {
                time::rfc822
            };
            num::padded(out, spec, |out| print(out, &tm));
        }
        'P' | 'I' => network(out, world, conv, spec, v)?,
        'e' | 'E' | 'f' | 'g' | 'G' => float::print(out, spec, conv.conv, as_float(v)?),
        _ => return Err(Error::Image("unknown printf conversion")),
    }
    Ok(())
}

/// C ignores `+` and space for unsigned conversions.
fn unsigned(spec: &Spec) -> Spec {
    Spec {
        plus: false,
        space: false,
        ..*spec
    }
}

fn as_float(v: Value<'_>) -> Result<f64> {
    let decoded = match v {
        Value::Bytes { bytes, .. } => float::decode(bytes),
        Value::Int(Int { bits, bytes: 8, .. }) => Some(f64::from_bits(bits)),
        Value::Int(Int { bits, bytes: 4, .. }) => Some(f64::from(f32::from_bits(bits as u32))),
        Value::Int(_) | Value::Str(_) | Value::Stack(_) | Value::Sym(_) => None,
    };
    decoded.ok_or(MISFIT)
}

/// The text of a string or array, and whether a NUL ends it.
fn bytes<'a>(v: &Value<'a>) -> Result<(&'a [u8], bool)> {
    match v {
        Value::Str(s) => Ok((s, true)),
        Value::Bytes { bytes, .. } => {
            let text = until_nul(bytes);
            Ok((text, text.len() < bytes.len()))
        }
        Value::Int(_) | Value::Stack(_) | Value::Sym(_) => Err(MISFIT),
    }
}

fn bytes_whole<'a>(v: &Value<'a>) -> Result<&'a [u8]> {
    match v {
        Value::Str(b) | Value::Bytes { bytes: b, .. } => Ok(b),
        Value::Int(_) | Value::Stack(_) | Value::Sym(_) => Err(MISFIT),
    }
}

fn wide(out: &mut Vec<u8>, c: u32) {
    let c = char::from_u32(c).unwrap_or('\u{fffd}');
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn wide_string(out: &mut Vec<u8>, spec: &Spec, bytes: &[u8]) {
    num::padded(out, spec, |out| {
        let chars = bytes
            .chunks_exact(4)
            .filter_map(|c| c.try_into().ok())
            .map(u32::from_ne_bytes);
        chars.take_while(|c| *c != 0).for_each(|c| wide(out, c));
    });
}

/// Appends a character as a C literal would hold it.
pub(crate) fn escape(out: &mut Vec<u8>, c: u8) {
    let letter = match c {
        0 => b'0',
        0x07 => b'a',
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x0b => b'v',
        b'"' | b'\\' => c,
        0x20..=0x7e => {
            out.push(c);
            return;
        }
        _ => {
            out.extend_from_slice(&[b'\\', b'0' + (c >> 6), b'0' + (c >> 3 & 7), b'0' + (c & 7)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

/// `%S`: the NUL that ends the text is shown too.
fn escaped(out: &mut Vec<u8>, spec: &Spec, v: &Value<'_>) -> Result<()> {
    let (text, ended) = bytes(v)?;
    num::padded(out, spec, |out| {
        text.iter().for_each(|c| escape(out, *c));
        if ended {
            escape(out, 0);
        }
    });
    Ok(())
}

fn address(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    conv: &Conversion,
    spec: &Spec,
    v: Value<'_>,
) -> Result<()> {
    match (conv.conv, v) {
        ('k', Value::Stack(frames)) if spec.left && spec.width > 0 => {
            world.stack(out, frames, spec.width, &Spec { width: 0, ..*spec });
        }
        ('k', Value::Stack(frames)) => world.stack(out, frames, opts.stackindent, spec),
        ('a' | 'A', Value::Sym(sym)) => num::padded(out, spec, |out| world.sym(out, sym)),
        ('a', Value::Int(addr)) => num::padded(out, spec, |out| world.kernel_addr(out, addr.bits)),
        ('A', Value::Int(addr)) => num::padded(out, spec, |out| {
            world.user_addr(out, u64::from(opts.target), addr.bits)
        }),
        (
            _,
            Value::Int(_) | Value::Bytes { .. } | Value::Str(_) | Value::Stack(_) | Value::Sym(_),
        ) => {
            return Err(MISFIT);
        }
    }
    Ok(())
}

fn network(
    out: &mut Vec<u8>,
    world: &mut World,
    conv: &Conversion,
    spec: &Spec,
    v: Value<'_>,
) -> Result<()> {
    if conv.conv == 'P' {
        let port = as_int(v)?.bits as u16;
        match world.names.service(port) {
            Some(name) => num::text(out, spec, name.as_bytes()),
            None => num::padded(out, spec, |out| num::udec(out, u64::from(port))),
        }
        return Ok(());
    }
    let (text, _) = bytes(&v)?;
    let name = std::str::from_utf8(text)
        .ok()
        .and_then(|t| world.names.host(t));
    num::text(out, spec, name.as_deref().map_or(text, str::as_bytes));
    Ok(())
}

#[cfg(test)]
#[path = "printf_tests.rs"]
mod tests;
