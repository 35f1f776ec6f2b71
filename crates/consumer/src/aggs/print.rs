//! `printa()` and the print at the end.

use super::{AggState, AggView, Keys, Row, rows};
use crate::error::{Error, Result};
use crate::num;
use crate::options::Options;
use crate::printf::{self, Args};
use crate::quantize::{self, Pack, Scale};
use crate::stack::World;
use crate::trace::{self, Widths};
use crate::value::Value;
use image::format::Format;
use image::{AggDesc, AggFunc, Image, KeyKind};

/// Aggregations of one print.
pub(crate) type Columns<'a> = [(&'a AggDesc, &'a AggState)];

/// How the values of one aggregation are drawn.
enum Style {
    Plain,
    /// `aggpack`.
    Packed(Pack),
    /// `agghist`.
    Bars(Scale),
}

fn style(opts: &Options, aggs: &Columns<'_>) -> Style {
    let [(desc, state)] = aggs else {
        return Style::Plain;
    };
    match desc.func {
        AggFunc::Count | AggFunc::Sum if opts.agghist => {
            let value = |e: &super::Entry| e.value.first().copied().unwrap_or(0) as i64;
            Style::Bars(Scale::of(state.visible().map(value), opts.aggzoom))
        }
        AggFunc::Quantize | AggFunc::Lquantize { .. } | AggFunc::Llquantize { .. }
            if opts.aggpack =>
        {
            Style::Packed(Pack::of(
                desc.func,
                state.visible().map(|e| e.value.as_slice()),
            ))
        }
        AggFunc::Count
        | AggFunc::Sum
        | AggFunc::Min
        | AggFunc::Max
        | AggFunc::Avg
        | AggFunc::Stddev
        | AggFunc::Quantize
        | AggFunc::Lquantize { .. }
        | AggFunc::Llquantize { .. } => Style::Plain,
    }
}

/// Width of all keys beside a packed value.
fn packed_width(desc: &AggDesc) -> usize {
    let width = |kind: &KeyKind| match kind {
        KeyKind::Int { bytes, .. } => trace::int_width(*bytes),
        KeyKind::Str { .. } | KeyKind::Probe(_) | KeyKind::Stack { .. } | KeyKind::Sym(_) => 16,
    };
    desc.keys.iter().map(|k| width(&k.kind) + 1).sum()
}

/// Prints without a format, one line (or histogram) an entry. Returns how many entries were printed.
pub(crate) fn print_default(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    image: &Image,
    aggs: &Columns<'_>,
) -> usize {
    let rows = rows(image, opts, aggs);
    let Some((desc, _)) = aggs.first() else {
        return 0;
    };
    let style = style(opts, aggs);
    let widths = match &style {
        Style::Plain => Widths::key(),
        Style::Packed(_) | Style::Bars(_) => Widths::packed(),
    };
    if !rows.is_empty() {
        match &style {
            Style::Plain => {}
            Style::Packed(pack) => pack.header(out, packed_width(desc)),
            Style::Bars(_) => quantize::header(out, Some(packed_width(desc))),
        }
    }
    for row in &rows {
        for key in row.keys(image) {
            trace::value(out, world, opts, widths, image.strsize, key);
        }
        print_cells(out, opts, aggs, &style, row);
    }
    rows.len()
}

fn print_cells(
    out: &mut Vec<u8>,
    opts: &Options,
    aggs: &Columns<'_>,
    style: &Style,
    row: &Row<'_>,
) {
    let mut cells = aggs
        .iter()
        .zip(&row.cells)
        .map(|((desc, _), cell)| view(desc, *cell));
    match style {
        Style::Plain => {
            for ((desc, _), cell) in aggs.iter().zip(&row.cells) {
                view(desc, *cell).print(out, opts);
                for (cpu, value) in cell.iter().flat_map(|e| e.by_cpu(desc.func)) {
                    out.extend_from_slice(format!("\n    [CPU {cpu}]").as_bytes());
                    value.print(out, opts);
                }
            }
            out.push(b'\n');
        }
        Style::Packed(pack) => {
            if let Some(cell) = cells.next() {
                pack.line(out, opts, cell.func, cell.words, cell.normal);
            }
        }
        Style::Bars(scale) => {
            if let Some(cell) = cells.next() {
                num::fill(out, b' ', 1);
                let value = cell.words.first().copied().unwrap_or(0) as i64;
                quantize::bar(out, opts, scale, value, cell.normal);
            }
        }
    }
}

/// The value of a cell; one that is missing counts as zero.
pub(crate) fn view<'a>(desc: &AggDesc, cell: Option<&'a super::Entry>) -> AggView<'a> {
    match cell {
        Some(entry) => entry.view(desc.func),
        None => AggView {
            func: desc.func,
            words: &[],
            normal: 1,
        },
    }
}

/// Prints every aggregation that `printa()` never printed.
pub(crate) fn print_all(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    image: &Image,
    states: &[AggState],
) {
    let mut unprinted: Vec<_> = image
        .aggs
        .iter()
        .zip(states)
        .filter(|(_, state)| !state.printed)
        .collect();
    if opts.aggsortrev {
        unprinted.reverse();
    }
    for column in unprinted {
        print_default(out, world, opts, image, &[column]);
    }
}

/// Prints by a format, once an entry. Returns how many entries were printed.
pub(crate) fn print_format(
    out: &mut Vec<u8>,
    world: &mut World,
    opts: &Options,
    image: &Image,
    aggs: &Columns<'_>,
    format: &Format,
) -> Result<usize> {
    let rows = rows(image, opts, aggs);
    for row in &rows {
        let mut args = RowArgs {
            keys: row.keys(image),
            aggs,
            row,
            next: 0,
        };
        printf::format(out, world, opts, format, &mut args)?;
    }
    Ok(rows.len())
}

/// The keys and values of a row as arguments; the last aggregation repeats.
struct RowArgs<'a, 'r> {
    keys: Keys<'a>,
    aggs: &'r Columns<'a>,
    row: &'r Row<'a>,
    next: usize,
}

impl<'a> Args<'a> for RowArgs<'a, '_> {
    fn next(&mut self) -> Result<Value<'a>> {
        self.keys.next().ok_or(Error::Image(
            "a printa format has more conversions than keys",
        ))
    }

    fn agg(&mut self) -> Result<AggView<'a>> {
        let at = self.next.min(self.aggs.len().saturating_sub(1));
        self.next += 1;
        let (desc, _) = self
            .aggs
            .get(at)
            .ok_or(Error::Image("printa without an aggregation"))?;
        Ok(view(desc, self.row.cells.get(at).copied().flatten()))
    }
}
