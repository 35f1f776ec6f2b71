//! What happens in a run that becomes a picture ([`OutputForm::Events`](crate::OutputForm::Events)): records as they
//! would be shown, and what programs do to their aggregations.
//!
//! `printa()` shows nothing but is told, with what the aggregation holds; `clear()` and `trunc()` tell what they take
//! out. `trunc(@, n)`, `normalize()` and `denormalize()` are about how much text there is, and do nothing.

use crate::data::{self, Entry, Item};
use crate::error::Result;
use crate::record::{Step, memory};
use crate::value::Data;
use crate::{Flow, State, print};
use image::{ActionDesc, ActionKind};

/// One event, in the order in which they happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A record.
    Record(Shown),
    /// `printa()` of an aggregation.
    Printed {
        /// Which, by its place among those of the program.
        agg: usize,
        /// When (`CLOCK_MONOTONIC` ns).
        timestamp: u64,
        /// What it holds.
        entries: Vec<Entry>,
    },
    /// `clear()` or `trunc()` of an aggregation.
    Removed {
        /// Which, by its place among those of the program.
        agg: usize,
        /// What it held.
        entries: Vec<Entry>,
    },
}

/// A record that has data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Where it was recorded.
    pub cpu: u32,
    /// When (`CLOCK_MONOTONIC` ns).
    pub timestamp: u64,
    /// Clause, by its place in the program.
    pub clause: u32,
    /// Probe, by its place among those of the program.
    pub probe: u32,
    /// The values of its actions, in their order; of those that format text, the text.
    pub items: Vec<Item>,
}

/// Consumes one record: keeps what happened for [`crate::Consumer::events`].
pub(crate) fn record(run: &mut State, step: &mut Step<'_>, data: &mut Data<'_>) -> Result<Flow> {
    let mut items = Vec::new();
    let mut flow = Flow::Continue;
    for action in &step.clause.actions {
        flow = flow.then(one_action(run, step, action, data, &mut items)?);
    }
    if !items.is_empty() {
        run.events.push(Event::Record(Shown {
            cpu: step.head.cpu,
            timestamp: step.head.timestamp,
            clause: step.head.clause,
            probe: step.head.probe,
            items,
        }));
    }
    Ok(flow)
}

fn text(bytes: &[u8]) -> Item {
    Item::Text(String::from_utf8_lossy(bytes).into_owned())
}

fn one_action(
    run: &mut State,
    step: &mut Step<'_>,
    action: &ActionDesc,
    data: &mut Data<'_>,
    items: &mut Vec<Item>,
) -> Result<Flow> {
    match &action.kind {
        ActionKind::Trace | ActionKind::Stack | ActionKind::Sym => {
            for datum in &action.data {
                items.push(run.world.item(&data.read(datum)?));
            }
        }
        ActionKind::Tracemem { dynamic } => {
            items.push(Item::Bytes(memory(action, *dynamic, data)?.to_vec()));
        }
        ActionKind::Printf(format) => items.push(text(&run.formatted(action, format, data)?)),
        ActionKind::Print(ty) => {
            let mut out = Vec::new();
            for datum in &action.data {
                let v = data.read(datum)?;
                print::print(&mut out, &mut run.world, ty, v)?;
            }
            items.push(text(&out));
        }
        ActionKind::Printa { aggs, .. } => {
            for agg in aggs {
                let entries = entries(run, step, *agg)?;
                run.events.push(Event::Printed {
                    agg: *agg as usize,
                    timestamp: step.head.timestamp,
                    entries,
                });
            }
            run.mark_printed(aggs);
        }
        ActionKind::Trunc(_) if !action.data.is_empty() => skip(action, data)?,
        ActionKind::Normalize(_) | ActionKind::Denormalize(_) => skip(action, data)?,
        ActionKind::Clear(agg) | ActionKind::Trunc(agg) => {
            let entries = entries(run, step, *agg)?;
            run.events.push(Event::Removed {
                agg: *agg as usize,
                entries,
            });
            return run.effect(step, action, data);
        }
        ActionKind::Exit
        | ActionKind::System(_)
        | ActionKind::Freopen(_)
        | ActionKind::Ftruncate
        | ActionKind::Setopt => return run.effect(step, action, data),
    }
    Ok(Flow::Continue)
}

/// Reads the data of an action that is not performed: those of the next one come behind them.
fn skip(action: &ActionDesc, data: &mut Data<'_>) -> Result<()> {
    action.data.iter().try_for_each(|d| data.read(d).map(drop))
}

/// What an aggregation holds at this record.
fn entries(run: &mut State, step: &mut Step<'_>, agg: u32) -> Result<Vec<Entry>> {
    // Keys do not say when their addresses were recorded.
    let moment = run.world.moment.take();
    run.refresh(step, &[agg])?;
    let desc = step.image.aggs.get(agg as usize);
    let entries = desc.map(|desc| data::entries(run, step.image, desc, agg as usize));
    run.world.moment = moment;
    Ok(entries.unwrap_or_default())
}
