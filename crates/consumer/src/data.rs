//! What was recorded and aggregated as data, for commands that make tables of their own of it.

use crate::aggs::{self, AggView};
use crate::error::{Error, Result};
use crate::quantize::{self, Label};
use crate::record::Step;
use crate::stack::World;
use crate::value::{Data, Value};
use crate::{Flow, State};
use image::{ActionKind, AggDesc, AggFunc, Image, SymKind};
use std::sync::Arc;

/// One value of a record or of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A string; bytes that are not UTF-8 are U+FFFD.
    Text(String),
    /// Memory.
    Bytes(Vec<u8>),
    /// A stack, the innermost frame first.
    Stack(Vec<Frame>),
    /// What `sym()`, `usym()` and the like recorded.
    Symbol(Frame),
}

impl Item {
    /// The number, as a word; 0 of what is none.
    pub fn word(&self) -> u64 {
        match self {
            Item::Int(v) => *v as u64,
            Item::Uint(v) => *v,
            Item::Symbol(frame) => frame.address,
            Item::Text(_) | Item::Bytes(_) | Item::Stack(_) => 0,
        }
    }

    /// The text; empty of what is none.
    pub fn text(&self) -> &str {
        match self {
            Item::Text(text) => text,
            Item::Int(_) | Item::Uint(_) | Item::Bytes(_) | Item::Stack(_) | Item::Symbol(_) => "",
        }
    }

    /// The frames; none of what is no stack.
    pub fn frames(&self) -> &[Frame] {
        match self {
            Item::Stack(frames) => frames,
            Item::Int(_) | Item::Uint(_) | Item::Text(_) | Item::Bytes(_) | Item::Symbol(_) => &[],
        }
    }
}

/// A place in code, with the name that it has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Address.
    pub address: u64,
    /// Kernel module (`vmlinux` for the kernel itself) or base name of a mapped file.
    pub module: Option<Arc<str>>,
    /// Function.
    pub name: Option<Arc<str>>,
    /// Bytes from its start.
    pub offset: u64,
    /// It is in a process, not in the kernel.
    pub user: bool,
}

impl Frame {
    /// `function+0xoff`, or the address.
    pub fn place(&self) -> String {
        match &self.name {
            Some(name) if self.offset > 0 => format!("{name}+0x{:x}", self.offset),
            Some(name) => name.to_string(),
            None => format!("0x{:x}", self.address),
        }
    }

    /// ``module`function+0xoff``; without the module if that is the kernel itself.
    pub fn full_place(&self) -> String {
        match &self.module {
            Some(module) if **module != *"vmlinux" => format!("{module}`{}", self.place()),
            Some(_) | None => self.place(),
        }
    }
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it was recorded.
    pub cpu: u32,
    /// When (`CLOCK_MONOTONIC` ns).
    pub timestamp: u64,
    /// Name of the probe, its last component.
    pub probe: String,
    /// The values of its actions, in the order of the program.
    pub items: Vec<Item>,
}

/// The value of one key, normalised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// `count sum min max stddev`.
    Number(i64),
    /// `avg`.
    Average {
        /// How many values.
        count: u64,
        /// Their sum.
        sum: i64,
    },
    /// `quantize lquantize llquantize`: the buckets that are not empty, lowest first.
    Buckets(Vec<Bucket>),
}

impl Measure {
    /// The number; the sum of an average; how many values a histogram has.
    pub fn number(&self) -> i64 {
        match self {
            Measure::Number(v) => *v,
            Measure::Average { sum, .. } => *sum,
            Measure::Buckets(buckets) => buckets.iter().map(|b| b.count).sum(),
        }
    }
}

/// A bucket of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The smallest value in it, or (`below`) the first one above it.
    pub value: i64,
    /// It is the bucket of all that is lower.
    pub below: bool,
    /// How much was counted.
    pub count: i64,
}

/// One key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The components of the key.
    pub key: Vec<Item>,
    /// The value.
    pub value: Measure,
}

impl World {
    pub(crate) fn item(&mut self, v: &Value<'_>) -> Item {
        match v {
            Value::Int(v) => match v.parts() {
                (true, _) => Item::Int(v.value()),
                (false, mag) if v.signed => Item::Int(mag as i64),
                (false, mag) => Item::Uint(mag),
            },
            Value::Str(s) => Item::Text(String::from_utf8_lossy(s).into_owned()),
            Value::Bytes { bytes, .. } => Item::Bytes(bytes.to_vec()),
            Value::Stack(frames) => {
                let pcs = self.traced(*frames);
                let key = self.moment.is_none();
                let frame = |pc| match key {
                    true => self.located_key(*frames, pc),
                    false => self.located(*frames, pc),
                };
                let mut stack = Vec::with_capacity(frames.pcs().count());
                stack.extend(pcs.map(frame));
                Item::Stack(stack)
            }
            Value::Sym(sym) => Item::Symbol(match sym.kind {
                SymKind::Sym | SymKind::Mod => self.kernel_place(sym.addr),
                SymKind::Usym | SymKind::Umod | SymKind::Uaddr => {
                    self.user_place(sym.word, sym.addr)
                }
            }),
        }
    }
}

/// The buckets of a histogram's function, lowest first, all of them and empty; none of other functions.
pub fn scale(func: AggFunc) -> Vec<Bucket> {
    let bucket = |label: &Label| {
        let (value, below) = label.bound();
        Bucket {
            value,
            below,
            count: 0,
        }
    };
    quantize::labels(func).iter().map(bucket).collect()
}

fn measure(view: &AggView<'_>) -> Measure {
    if let (AggFunc::Avg, [count, sum, ..]) = (view.func, view.words) {
        return Measure::Average {
            count: *count,
            sum: quantize::normalized(*sum as i64, view.normal),
        };
    }
    if let Some(v) = view.scalar() {
        return Measure::Number(v.value());
    }
    let labels = quantize::labels(view.func);
    let shown = labels.iter().zip(view.words).filter(|(_, raw)| **raw != 0);
    Measure::Buckets(
        shown
            .map(|(label, raw)| {
                let (value, below) = label.bound();
                let count = quantize::normalized(*raw as i64, view.normal);
                Bucket {
                    value,
                    below,
                    count,
                }
            })
            .collect(),
    )
}

/// Consumes one record: keeps its values for [`crate::Consumer::records`].
pub(crate) fn record(run: &mut State, step: &mut Step<'_>, data: &mut Data<'_>) -> Result<Flow> {
    let mut items = Vec::new();
    let mut flow = Flow::Continue;
    for action in &step.clause.actions {
        match &action.kind {
            ActionKind::Trace
            | ActionKind::Tracemem { .. }
            | ActionKind::Printf(_)
            | ActionKind::Print(_)
            | ActionKind::Stack
            | ActionKind::Sym => {
                for datum in &action.data {
                    items.push(run.world.item(&data.read(datum)?));
                }
            }
            ActionKind::Printa { .. } => {
                return Err(Error::Image("printa() in a program whose data are read"));
            }
            ActionKind::Exit
            | ActionKind::Clear(_)
            | ActionKind::Trunc(_)
            | ActionKind::Normalize(_)
            | ActionKind::Denormalize(_)
            | ActionKind::System(_)
            | ActionKind::Freopen(_)
            | ActionKind::Ftruncate
            | ActionKind::Setopt => flow = flow.then(run.effect(step, action, data)?),
        }
    }
    run.records.push(Record {
        cpu: step.head.cpu,
        timestamp: step.head.timestamp,
        probe: step.probe.name.to_string(),
        items,
    });
    Ok(flow)
}

/// The entries of an aggregation as its last snapshot shows them, in the order in which text would show them.
pub(crate) fn entries(run: &mut State, image: &Image, desc: &AggDesc, agg: usize) -> Vec<Entry> {
    let State {
        world,
        opts,
        aggs: states,
        ..
    } = run;
    let Some(state) = states.get(agg) else {
        return Vec::new();
    };
    world.begin_keys();
    let rows = aggs::rows(image, opts, &[(desc, state)]);
    let entry = |row: aggs::Row<'_>| {
        let value = row.cells.first().copied().flatten()?;
        let key = row.keys(image).map(|v| world.item(&v));
        Some(Entry {
            key: key.collect(),
            value: measure(&value.view(desc.func)),
        })
    };
    rows.into_iter().filter_map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let mut frame = Frame {
            address: 0xabc,
            ..Frame::default()
        };
        assert_eq!(frame.full_place(), "0xabc");
        frame.module = Some("ext4".into());
        frame.name = Some("f".into());
        frame.offset = 16;
        assert_eq!(
            (frame.place(), frame.full_place()),
            ("f+0x10".into(), "ext4`f+0x10".into())
        );
    }
}
