//! The order in which entries are printed, and the joining of several aggregations by key.

use super::key::{self, Keys};
use super::state::rank;
use super::{AggState, Entry};
use crate::options::{Options, OutputForm};
use crate::quantize;
use foldhash::{HashMap, HashMapExt};
use image::{AggDesc, Image};
use std::borrow::Cow;
use std::cmp::Ordering;

/// One line to print: a key, and for each aggregation its entry if it has one.
pub(crate) struct Row<'a> {
    key: &'a [u8],
    /// The aggregation that the key comes from; others may store theirs otherwise.
    desc: &'a AggDesc,
    pub cells: Vec<Option<&'a Entry>>,
    ranks: Vec<(i128, i128)>,
}

impl<'a> Row<'a> {
    /// The components of its key.
    pub(crate) fn keys(&self, image: &'a Image) -> Keys<'a> {
        Keys::new(image, self.desc, self.key)
    }
}

/// The entries of the aggregations, joined by key and in printing order.
pub(crate) fn rows<'a>(
    image: &'a Image,
    opts: &Options,
    aggs: &[(&'a AggDesc, &'a AggState)],
) -> Vec<Row<'a>> {
    let mut rows = joined(image, aggs);
    if opts.form == OutputForm::Events {
        // Pictures have orders of their own.
        return rows;
    }
    let Some((desc, _)) = aggs.first() else {
        return rows;
    };
    for (column, (desc, _)) in aggs.iter().enumerate() {
        let labels = quantize::labels(desc.func);
        let zero = vec![0u64; desc.func.words() as usize];
        for row in &mut rows {
            let cell = row.cells.get(column).copied().flatten();
            row.ranks
                .push(rank(desc.func, &labels, cell.map_or(&zero, |e| &e.value)));
        }
    }
    let columns = aggs.len();
    let first = if opts.aggsortpos < columns {
        opts.aggsortpos
    } else {
        0
    };
    let keypos = if opts.aggsortkeypos < desc.keys.len() {
        opts.aggsortkeypos
    } else {
        0
    };
    rows.sort_by(|a, b| {
        let by_key = || key::compare(a.keys(image), b.keys(image), keypos);
        let by_value = || compare_ranks(&a.ranks, &b.ranks, first);
        let order = if opts.aggsortkey {
            by_key().then_with(by_value)
        } else {
            by_value().then_with(by_key)
        };
        if opts.aggsortrev {
            order.reverse()
        } else {
            order
        }
    });
    rows
}

/// Column `first`, then the others in order.
fn compare_ranks(a: &[(i128, i128)], b: &[(i128, i128)], first: usize) -> Ordering {
    a.get(first).cmp(&b.get(first)).then_with(|| a.cmp(b))
}

fn joined<'a>(image: &'a Image, aggs: &[(&'a AggDesc, &'a AggState)]) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = Vec::new();
    if let [(desc, state)] = aggs {
        let row = |e: &'a Entry| Row {
            key: &e.key,
            desc,
            cells: vec![Some(e)],
            ranks: Vec::with_capacity(1),
        };
        return state.visible().map(row).collect();
    }
    let alike = aggs.windows(2).all(|pair| match pair {
        [(a, _), (b, _)] => key::alike(a, b),
        _ => true,
    });
    let mut by_key: HashMap<Cow<'a, [u8]>, usize> = HashMap::new();
    for (column, (desc, state)) in aggs.iter().enumerate() {
        for entry in state.visible() {
            let common = if alike {
                Cow::Borrowed(&*entry.key)
            } else {
                Cow::Owned(key::common(Keys::new(image, desc, &entry.key)))
            };
            let at = *by_key.entry(common).or_insert_with(|| {
                rows.push(Row {
                    key: &entry.key,
                    desc,
                    cells: vec![None; aggs.len()],
                    ranks: Vec::new(),
                });
                rows.len() - 1
            });
            if let Some(cell) = rows.get_mut(at).and_then(|row| row.cells.get_mut(column)) {
                *cell = Some(entry);
            }
        }
    }
    rows
}

/// Indices of the entries that `trunc(@a, n)` keeps: the `n` largest, or for negative `n` the smallest.
pub(crate) fn top(image: &Image, desc: &AggDesc, state: &AggState, n: i64) -> Vec<usize> {
    let labels = quantize::labels(desc.func);
    let visible = state.entries.iter().enumerate().filter(|(_, e)| !e.hidden);
    let mut ranked: Vec<_> = visible
        .map(|(i, e)| (rank(desc.func, &labels, &e.value), i, e))
        .collect();
    ranked.sort_by(|(a, _, x), (b, _, y)| {
        let by_key = || {
            key::compare(
                Keys::new(image, desc, &x.key),
                Keys::new(image, desc, &y.key),
                0,
            )
        };
        let order = a.cmp(b).then_with(by_key);
        if n < 0 { order } else { order.reverse() }
    });
    let n = usize::try_from(n.unsigned_abs()).unwrap_or(usize::MAX);
    ranked.into_iter().take(n).map(|(_, i, _)| i).collect()
}
