//! From recorded bytes to output: records, aggregations, faults and drops as text or JSON.
//!
//! Pure: no system call, no file, no clock. The caller reads rings and maps (or a recorded run), merges the CPUs by
//! time, and hands over bytes; symbols, local time and actions on the system are asked through the traits [`Symbols`],
//! [`Names`], [`AggSource`] and [`Actions`].
//!
//! Invariant: no input makes it panic; malformed records are errors and leave no partial text behind.

mod aggs;
pub mod data;
mod error;
pub mod events;
mod float;
mod flow;
mod host;
pub mod json;
mod messages;
mod num;
mod options;
mod output;
mod print;
mod printf;
mod quantize;
mod record;
mod stack;
pub mod time;
mod trace;
mod value;

pub use aggs::{AggKey, Snapshot};
pub use error::{Error, Result};
pub use host::{
    Actions, AggSource, KernelSym, Names, NoNames, NoSymbols, Process, Symbols, UserSym,
};
pub use image::layout::drops::{Counts as CpuDrops, Kind as DropKind};
pub use messages::Drop;
pub use options::{Encoding, Options, OutputForm};
pub use output::Output;
pub use time::{Tm, utc};

use aggs::{Access, AggState};
use image::Image;
use messages::FaultEvent;
use record::{Head, Outside, ProbeText};
use stack::World;
use std::sync::Arc;

/// Whether to go on after a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    Continue,
    /// `exit(status)` was recorded: stop tracing, then read what remains.
    Exit(i32),
}

impl Flow {
    /// The later exit wins.
    fn then(self, next: Flow) -> Flow {
        match next {
            Flow::Exit(_) => next,
            Flow::Continue => self,
        }
    }
}

/// The consumer of one run.
pub struct Consumer {
    image: Arc<Image>,
    state: State,
}

/// Everything that changes during a run, apart from the image so that both can be used at once.
struct State {
    opts: Options,
    world: World,
    probes: Vec<ProbeText>,
    aggs: Vec<AggState>,
    /// Counts records: the actions of one share their snapshots.
    epoch: u64,
    header_done: bool,
    flow: Vec<flow::State>,
    held: Option<(Head, Vec<u8>)>,
    /// Consumed with [`OutputForm::Data`], and not yet taken.
    records: Vec<data::Record>,
    /// Happened with [`OutputForm::Events`], and not yet taken.
    events: Vec<events::Event>,
    /// What was reported as lost, in all.
    lost: Lost,
    status: i32,
}

/// What a run has lost so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Lost {
    drops: Vec<Drop>,
    faults: u64,
}

impl Lost {
    fn add(&mut self, drop: &Drop) {
        match self.drops.iter_mut().find(|d| d.kind == drop.kind) {
            Some(known) => known.count = known.count.saturating_add(drop.count),
            None => self.drops.push(Drop {
                cpu: None,
                ..drop.clone()
            }),
        }
    }
}

impl Consumer {
    /// A consumer of what the programs of `image` record.
    pub fn new(image: Arc<Image>, opts: Options, symbols: Box<dyn Symbols>) -> Consumer {
        let state = State {
            world: World::new(symbols, Box::new(NoNames)),
            probes: image.probes.iter().map(ProbeText::new).collect(),
            aggs: (image.aggs.iter())
                .map(|_| AggState::new(opts.aggpercpu))
                .collect(),
            opts,
            epoch: 0,
            header_done: false,
            flow: Vec::new(),
            held: None,
            records: Vec::new(),
            events: Vec::new(),
            lost: Lost::default(),
            status: 0,
        };
        Consumer { image, state }
    }

    /// Uses local time and network names other than UTC and numbers.
    #[must_use]
    pub fn with_names(mut self, names: Box<dyn Names>) -> Consumer {
        self.state.world.names = names;
        self
    }

    /// Goes on with a later compilation of the same program, which has more probes.
    pub fn extend(&mut self, image: Arc<Image>) {
        let known = self.state.probes.len();
        let more = image.probes.iter().skip(known);
        self.state.probes.extend(more.map(ProbeText::new));
        self.image = image;
    }

    /// The options; they may change at any time.
    pub fn options(&mut self) -> &mut Options {
        &mut self.state.opts
    }

    /// Consumes one record. Records must arrive in the order in which they are to be shown.
    ///
    /// With `flowindent` a record may be held until the next one or [`Consumer::idle`].
    pub fn record(
        &mut self,
        cpu: u32,
        bytes: &[u8],
        out: &mut Output,
        source: &mut dyn AggSource,
        actions: &mut dyn Actions,
    ) -> Result<Flow> {
        self.state.record(
            &self.image,
            cpu,
            bytes,
            &mut Outside {
                out,
                source,
                actions,
            },
        )
    }

    /// Nothing more is to be read for now: consumes a held record.
    pub fn idle(
        &mut self,
        out: &mut Output,
        source: &mut dyn AggSource,
        actions: &mut dyn Actions,
    ) -> Result<Flow> {
        self.state.idle(
            &self.image,
            &mut Outside {
                out,
                source,
                actions,
            },
        )
    }

    /// Consumes a control event ([`image::layout::event`]); reports a fault, ignores other kinds.
    pub fn event(
        &mut self,
        bytes: &[u8],
        out: &mut Output,
        actions: &mut dyn Actions,
    ) -> Result<()> {
        let Some(event) = FaultEvent::decode(bytes)? else {
            return Ok(());
        };
        let text = event.text(&self.image);
        self.state.lost.faults += 1;
        self.state.tell(out, actions, &text, |out| {
            json::fault(out, &self.image, &event, &text)
        })
    }

    /// Reports what was newly lost; `cpus` is indexed by CPU.
    pub fn drops(
        &mut self,
        cpus: &[CpuDrops],
        out: &mut Output,
        actions: &mut dyn Actions,
    ) -> Result<()> {
        for drop in messages::collect(cpus) {
            let text = drop.text(self.state.opts.droptags);
            self.state.lost.add(&drop);
            self.state
                .tell(out, actions, &text, |out| json::drops(out, &drop, &text))?;
        }
        Ok(())
    }

    /// Takes the records that were consumed since the last call; there are none but with [`OutputForm::Data`].
    pub fn records(&mut self) -> Vec<data::Record> {
        std::mem::take(&mut self.state.records)
    }

    /// Takes what happened since the last call; nothing but with [`OutputForm::Events`].
    pub fn events(&mut self) -> Vec<events::Event> {
        std::mem::take(&mut self.state.events)
    }

    /// What was lost or is not whole since the run began, a line each.
    pub fn lost(&self) -> Vec<String> {
        let Lost { drops, faults } = &self.state.lost;
        let line = |d: &Drop| match d.kind {
            // They are there, if not whole.
            DropKind::Unwind => d.text(false),
            DropKind::Principal
            | DropKind::Aggregation
            | DropKind::Dynamic
            | DropKind::ErrorInError
            | DropKind::Event
            | DropKind::Speculative
            | DropKind::SpecBusy
            | DropKind::SpecUnavailable
            | DropKind::Foreign
            | DropKind::Preempted => format!("LOST: {}", d.text(false)),
        };
        let mut lines: Vec<_> = drops.iter().map(line).collect();
        match faults {
            0 => {}
            1 => lines.push("LOST: 1 firing by an error".to_owned()),
            n => lines.push(format!("LOST: {n} firings by errors")),
        }
        lines
    }

    /// What an aggregation (its name without `@`) holds now; `None`: there is none of that name. With `forget` the next
    /// call shows what has come since this one, with keys that are new or have changed.
    pub fn entries(
        &mut self,
        name: &str,
        forget: bool,
        source: &mut dyn AggSource,
    ) -> Result<Option<Vec<data::Entry>>> {
        let Consumer { image, state: run } = self;
        let mut named = image.aggs.iter().enumerate();
        let Some((id, desc)) = named.find(|(_, desc)| desc.name == name) else {
            return Ok(None);
        };
        run.epoch += 1;
        run.world.moment = None;
        let mut cx = Access {
            image,
            desc,
            id: id as u32,
            source,
        };
        if let Some(state) = run.aggs.get_mut(id) {
            state.refresh(&mut cx, &mut run.world, run.epoch)?;
        }
        let entries = data::entries(run, image, desc, id);
        if let Some(state) = run.aggs.get_mut(id).filter(|_| forget) {
            state.trunc(&mut cx, &[])?;
        }
        Ok(Some(entries))
    }

    /// What is at an address of the kernel.
    pub fn kernel(&mut self, address: u64) -> data::Frame {
        self.state.world.kernel_place(address)
    }

    /// The user interrupted: text output begins a new line, quiet or not.
    pub fn interrupted(&mut self, out: &mut Output) -> Result<()> {
        if self.state.opts.form == OutputForm::Text {
            out.buffer().push(b'\n');
        }
        out.flush()
    }

    /// The end of the run, after the last record: prints the aggregations that were never printed, and flushes.
    pub fn finish(
        &mut self,
        out: &mut Output,
        source: &mut dyn AggSource,
        actions: &mut dyn Actions,
    ) -> Result<Flow> {
        let flow = self.idle(out, source, actions)?;
        let Consumer { image, state: run } = self;
        run.epoch += 1;
        run.world.moment = None;
        for (id, (desc, state)) in image.aggs.iter().zip(&mut run.aggs).enumerate() {
            if !state.printed && run.opts.form.prints() {
                let mut cx = Access {
                    image,
                    desc,
                    id: id as u32,
                    source,
                };
                state.refresh(&mut cx, &mut run.world, run.epoch)?;
            }
        }
        let buf = out.buffer();
        match run.opts.form {
            OutputForm::Text => {
                buf.push(b'\n');
                aggs::print_all(buf, &mut run.world, &run.opts, image, &run.aggs);
            }
            OutputForm::Json => {
                for id in 0..image.aggs.len() {
                    if run.aggs.get(id).is_some_and(|s| !s.printed) {
                        json::aggregation(run, image, id as u32, buf);
                    }
                }
                json::end(buf, run.status);
            }
            OutputForm::Data | OutputForm::Events => {}
        }
        out.flush()?;
        Ok(flow)
    }
}

#[cfg(test)]
mod rig;
#[cfg(test)]
mod tests;
