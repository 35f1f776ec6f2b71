//! Histograms: `quantize()`, `lquantize()` and `llquantize()` bodies, packed lines, and the bars of `agghist`.
//!
//! All three functions reduce to [`Buckets`]: counts with a label each, of which a first and a last are shown.

use crate::num::{self, Spec};
use crate::options::{Encoding, Options};
use image::AggFunc;
use image::layout::{QUANTIZE_BUCKETS, QUANTIZE_ZERO, llquantize_bounds, quantize_value};

/// Columns of a bar.
const BAR: usize = 40;
/// With `aggzoom` the highest bar is this part of the columns.
const ZOOM: f64 = 0.95;

/// What a bucket's label says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Label {
    Value(i64),
    Below(i64),
    From(i64),
}

impl Label {
    fn text(self, out: &mut Vec<u8>) {
        let v = match self {
            Label::Value(v) => v,
            Label::Below(v) => {
                out.extend_from_slice(b"< ");
                v
            }
            Label::From(v) => {
                out.extend_from_slice(b">= ");
                v
            }
        };
        num::dec(out, v);
    }

    /// The smallest value in the bucket, or (true) the first one above it.
    pub(crate) fn bound(self) -> (i64, bool) {
        match self {
            Label::Value(v) | Label::From(v) => (v, false),
            Label::Below(v) => (v, true),
        }
    }

    /// The number it stands for in a weighted sum.
    pub(crate) fn weight(self) -> i64 {
        match self {
            Label::Value(v) => v,
            Label::Below(v) => v.saturating_sub(1),
            Label::From(v) => v.saturating_add(1),
        }
    }
}

/// Labels of a function's buckets, in order; empty for functions without.
pub(crate) fn labels(func: AggFunc) -> Vec<Label> {
    match func {
        AggFunc::Quantize => (0..QUANTIZE_BUCKETS)
            .map(|b| Label::Value(quantize_value(b)))
            .collect(),
        AggFunc::Lquantize { base, limit, step } => {
            let (base, step) = (i64::from(base), i64::from(step.max(1)));
            let levels = ((i64::from(limit) - base) / step).max(0);
            let mut labels = vec![Label::Below(base)];
            labels.extend((0..levels).map(|l| Label::Value(base + l * step)));
            labels.push(Label::From(base + levels * step));
            labels
        }
        AggFunc::Llquantize {
            factor,
            low,
            high,
            nsteps,
        } => {
            let bounds = llquantize_bounds(factor, low, high, nsteps);
            let mut labels = vec![Label::Below(bounds.first().copied().unwrap_or(0))];
            let last = bounds.len().saturating_sub(1);
            labels.extend(bounds.iter().enumerate().map(|(i, v)| {
                if i == last {
                    Label::From(*v)
                } else {
                    Label::Value(*v)
                }
            }));
            labels
        }
        AggFunc::Count
        | AggFunc::Sum
        | AggFunc::Min
        | AggFunc::Max
        | AggFunc::Avg
        | AggFunc::Stddev => Vec::new(),
    }
}

/// First and last bucket with a count.
pub(crate) fn occupied(data: &[u64]) -> Option<(usize, usize)> {
    Some((
        data.iter().position(|v| *v != 0)?,
        data.iter().rposition(|v| *v != 0)?,
    ))
}

/// First and last bucket to print: one more on either side; a few if all are zero.
fn range(func: AggFunc, data: &[u64]) -> (usize, usize) {
    let end = data.len().saturating_sub(1);
    match (occupied(data), func) {
        (Some((first, last)), _) => (first.saturating_sub(1), (last + 1).min(end)),
        (None, AggFunc::Quantize) => (QUANTIZE_ZERO as usize - 1, QUANTIZE_ZERO as usize + 1),
        (None, AggFunc::Llquantize { .. }) => (0, 1.min(end)),
        (None, _) => (0, 2.min(end)),
    }
}

/// What bars are measured by.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scale {
    pub total: f64,
    pub positives: bool,
    pub negatives: bool,
}

impl Scale {
    /// Adds one value to the measure.
    pub(crate) fn add(&mut self, v: i64, zoom: bool) {
        let height = v.unsigned_abs() as f64;
        if zoom {
            self.total = self.total.max(height / ZOOM);
        } else {
            self.total += height;
        }
        self.positives |= v > 0;
        self.negatives |= v < 0;
    }

    pub(crate) fn of(values: impl Iterator<Item = i64>, zoom: bool) -> Scale {
        let mut scale = Scale::default();
        values.for_each(|v| scale.add(v, zoom));
        scale
    }

    fn part(&self, v: i64, columns: usize) -> f64 {
        if self.total > 0.0 {
            v.unsigned_abs() as f64 * columns as f64 / self.total
        } else {
            0.0
        }
    }

    fn columns(&self, v: i64, columns: usize) -> usize {
        ((self.part(v, columns) + 0.5) as usize).min(columns)
    }
}

/// Signed division as normalisation does it.
pub(crate) fn normalized(v: i64, normal: u64) -> i64 {
    match i64::try_from(normal) {
        Ok(1) => v,
        Ok(n) if n != 0 => v.wrapping_div(n),
        Ok(_) | Err(_) => 0,
    }
}

/// The header line of histograms, preceded by a newline. `key` is the width of the keys for `agghist`.
pub(crate) fn header(out: &mut Vec<u8>, key: Option<usize>) {
    out.push(b'\n');
    match key {
        None => num::text(out, &Spec::width(16), b"value"),
        Some(width) => num::text(out, &Spec::width(width), b"key"),
    }
    out.extend_from_slice(b"  ------------- Distribution ------------- count    \n");
}

/// Bar and count of one line, with its newline.
pub(crate) fn bar(out: &mut Vec<u8>, opts: &Options, scale: &Scale, v: i64, normal: u64) {
    match (scale.positives, scale.negatives) {
        (_, false) if opts.encoding == Encoding::Utf8 => block_bar(out, scale, v),
        (_, false) => {
            let stars = scale.columns(v, BAR);
            out.push(b'|');
            num::fill(out, b'@', stars);
            num::fill(out, b' ', BAR - stars);
        }
        (false, true) => {
            let stars = scale.columns(v, BAR);
            num::fill(out, b' ', BAR - stars);
            num::fill(out, b'@', stars);
            out.push(b'|');
        }
        (true, true) => {
            let half = BAR / 2;
            let stars = scale.columns(v, half);
            let (left, right) = if v <= 0 { (stars, 0) } else { (0, stars) };
            num::fill(out, b' ', half - left);
            num::fill(out, b'@', left);
            out.push(b'|');
            num::fill(out, b'@', right);
            num::fill(out, b' ', half - right);
        }
    }
    out.push(b' ');
    let start = out.len();
    num::dec(out, normalized(v, normal));
    num::fill(out, b' ', 9usize.saturating_sub(out.len() - start));
    out.push(b'\n');
}

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A bar of eighths: U+2588 is a full column, U+2589…U+258F are seven to one eighths.
fn block_bar(out: &mut Vec<u8>, scale: &Scale, v: i64) {
    let part = scale.part(v, BAR);
    let whole = (part as usize).min(BAR);
    let eighths = if whole == BAR {
        0
    } else {
        ((part - whole as f64) * 8.0) as u32
    };
    out.push(b'|');
    for _ in 0..whole {
        push_char(out, '\u{2588}');
    }
    if eighths > 0 {
        push_char(out, char::from_u32(0x2590 - eighths).unwrap_or(' '));
    }
    num::fill(out, b' ', BAR - whole - usize::from(eighths > 0));
}

/// A whole histogram with its header; `data` are the buckets.
pub(crate) fn histogram(
    out: &mut Vec<u8>,
    opts: &Options,
    func: AggFunc,
    data: &[u64],
    normal: u64,
) {
    let labels = labels(func);
    let zeros;
    let data = if data.is_empty() {
        zeros = vec![0; labels.len()];
        &zeros
    } else {
        data
    };
    let (first, last) = range(func, data);
    let shown = data.get(first..=last).unwrap_or_default();
    let scale = Scale::of(shown.iter().map(|v| *v as i64), opts.aggzoom);
    header(out, None);
    for (label, v) in labels.iter().skip(first).zip(shown) {
        num::padded(out, &Spec::width(16), |out| label.text(out));
        out.push(b' ');
        bar(out, opts, &scale, *v as i64, normal);
    }
}

/// Which buckets a packed print shows, the same for all its entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pack {
    first: usize,
    last: usize,
    min: usize,
    max: usize,
}

fn label_width(label: Option<&Label>) -> usize {
    let mut text = Vec::new();
    if let Some(label) = label {
        label.text(&mut text);
    }
    // Not narrower than the heading.
    text.len().max(3)
}

impl Pack {
    /// Over all entries of an aggregation.
    pub(crate) fn of<'a>(func: AggFunc, entries: impl Iterator<Item = &'a [u64]>) -> Pack {
        let labels = labels(func);
        let end = labels.len().saturating_sub(1);
        let mut seen: Option<(usize, usize)> = None;
        for (first, last) in entries.filter_map(occupied) {
            let (low, high) = seen.unwrap_or((first, last));
            seen = Some((low.min(first), high.max(last)));
        }
        let (first, last) = match seen {
            Some((first, last)) => (first.saturating_sub(1), (last + 1).min(end)),
            None => range(func, &vec![0; labels.len()]),
        };
        let (min, max) = match func {
            AggFunc::Quantize => (
                label_width(labels.get(first)),
                label_width(labels.get(last)),
            ),
            AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. } => (7, 8),
            AggFunc::Count
            | AggFunc::Sum
            | AggFunc::Min
            | AggFunc::Max
            | AggFunc::Avg
            | AggFunc::Stddev => (0, 0),
        };
        Pack {
            first,
            last,
            min,
            max,
        }
    }

    /// The header line, preceded by a newline; `key` is the width of the keys.
    pub(crate) fn header(&self, out: &mut Vec<u8>, key: usize) {
        out.push(b'\n');
        if key > 0 {
            num::text(out, &Spec::width(key), b"key");
        }
        out.push(b' ');
        num::text(out, &Spec::width(self.min), b"min");
        out.extend_from_slice(b" .");
        num::fill(out, b'-', self.last - self.first + 1);
        out.extend_from_slice(b". ");
        num::text(out, &Spec::left(self.max), b"max");
        out.extend_from_slice(b" | count\n");
    }

    /// One entry in one line.
    pub(crate) fn line(
        &self,
        out: &mut Vec<u8>,
        opts: &Options,
        func: AggFunc,
        data: &[u64],
        normal: u64,
    ) {
        let labels = labels(func);
        let shown = data.get(self.first..=self.last).unwrap_or_default();
        let scale = Scale::of(shown.iter().map(|v| *v as i64), opts.aggzoom);
        out.push(b' ');
        num::padded(out, &Spec::width(self.min), |out| {
            if let Some(label) = labels.get(self.first) {
                label.text(out);
            }
        });
        out.extend_from_slice(b" :");
        for v in shown {
            packed_bucket(out, opts.encoding, &scale, *v as i64);
        }
        out.extend_from_slice(b": ");
        num::padded(out, &Spec::left(self.max), |out| {
            if let Some(label) = labels.get(self.last) {
                label.text(out);
            }
        });
        out.extend_from_slice(b" | ");
        let count = shown
            .iter()
            .fold(0i64, |sum, v| sum.wrapping_add(*v as i64));
        num::dec(out, normalized(count, normal));
        out.push(b'\n');
    }
}

fn packed_bucket(out: &mut Vec<u8>, encoding: Encoding, scale: &Scale, v: i64) {
    const UP: &[u8; 8] = b"__xxxxXX";
    const DOWN: &[u8; 6] = b"vvvvVV";
    match (v, encoding) {
        (0, _) => out.push(b' '),
        (..0, _) => out.push(DOWN[scale.columns(v, DOWN.len() - 1)]),
        (1.., Encoding::Ascii) => out.push(UP[scale.columns(v, UP.len() - 1)]),
        (1.., Encoding::Utf8) => {
            push_char(
                out,
                char::from_u32(0x2581 + scale.columns(v, 7) as u32).unwrap_or(' '),
            );
        }
    }
}
