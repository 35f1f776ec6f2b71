//! Records: prefix columns, then each action's text or effect.

use crate::aggs::{self, Access, AggState};
use crate::error::{Error, Result};
use crate::flow::{self, Kind};
use crate::host::{Actions, AggSource};
use crate::messages::{epid, library_error};
use crate::num::{self, Spec};
use crate::options::OutputForm;
use crate::output::Output;
use crate::printf::{self, Args};
use crate::trace::{self, Widths};
use crate::value::{Data, Value, u32_at, u64_at};
use crate::{Flow, State, data, events, json, print};
use image::layout::record;
use image::{ActionDesc, ActionKind, ClauseDesc, Datum, Image, Probe};

/// A record's header.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub cpu: u32,
    pub timestamp: u64,
    pub clause: u32,
    pub probe: u32,
}

impl Head {
    fn parse(cpu: u32, bytes: &[u8]) -> Option<Head> {
        Some(Head {
            cpu,
            timestamp: u64_at(bytes, record::TIMESTAMP as usize)?,
            clause: u32_at(bytes, record::CLAUSE as usize)?,
            probe: u32_at(bytes, record::PROBE as usize)?,
        })
    }
}

/// What a caller lends for one record.
pub(crate) struct Outside<'a> {
    pub out: &'a mut Output,
    pub source: &'a mut dyn AggSource,
    pub actions: &'a mut dyn Actions,
}

/// One record being consumed, and everything outside that its actions may touch.
pub(crate) struct Step<'a> {
    pub image: &'a Image,
    pub head: Head,
    pub clause: &'a ClauseDesc,
    pub probe: &'a Probe,
    pub out: &'a mut Output,
    pub source: &'a mut dyn AggSource,
    pub actions: &'a mut dyn Actions,
}

/// The data of an action as conversion arguments.
struct RecordArgs<'d, 'a> {
    data: &'d mut Data<'a>,
    datums: std::slice::Iter<'d, Datum>,
}

impl<'a> Args<'a> for RecordArgs<'_, 'a> {
    #[inline]
    fn next(&mut self) -> Result<Value<'a>> {
        let Some(datum) = self.datums.next() else {
            return Err(Error::Image("a format has more conversions than arguments"));
        };
        self.data.read(datum)
    }

    fn agg(&mut self) -> Result<aggs::AggView<'a>> {
        Err(Error::Image("an aggregation conversion outside printa()"))
    }
}

/// Reads an action's only (or first) datum.
pub(crate) fn first<'a>(action: &ActionDesc, data: &mut Data<'a>) -> Result<Value<'a>> {
    data.read(
        action
            .data
            .first()
            .ok_or(Error::Image("an action lacks its datum"))?,
    )
}

fn integer(action: &ActionDesc, data: &mut Data<'_>) -> Result<crate::value::Int> {
    match first(action, data)? {
        Value::Int(v) => Ok(v),
        Value::Bytes { .. } | Value::Str(_) | Value::Stack(_) | Value::Sym(_) => {
            Err(Error::Image("an action's datum is not an integer"))
        }
    }
}

/// The bytes that `tracemem()` shows.
pub(crate) fn memory<'a>(
    action: &ActionDesc,
    dynamic: bool,
    data: &mut Data<'a>,
) -> Result<&'a [u8]> {
    let mut bytes: &'a [u8] = &[];
    let mut limit = u64::MAX;
    for datum in &action.data {
        match data.read(datum)? {
            Value::Bytes { bytes: b, .. } | Value::Str(b) => bytes = b,
            Value::Int(v) if dynamic => limit = v.value() as u64,
            Value::Int(_) | Value::Stack(_) | Value::Sym(_) => {
                return Err(Error::Image("tracemem() of no memory"));
            }
        }
    }
    let len = usize::try_from(limit)
        .unwrap_or(usize::MAX)
        .min(bytes.len());
    Ok(bytes.get(..len).unwrap_or(bytes))
}

impl State {
    /// See [`crate::Consumer::record`].
    pub(crate) fn record(
        &mut self,
        image: &Image,
        cpu: u32,
        bytes: &[u8],
        outside: &mut Outside<'_>,
    ) -> Result<Flow> {
        let Some(head) = Head::parse(cpu, bytes) else {
            return Err(Error::Record("shorter than its header"));
        };
        if !self.opts.flowindent && self.held.is_none() {
            return self.consume(image, head, bytes, true, outside);
        }
        let held = match self.held.take() {
            Some((was, held)) => {
                let more =
                    was.cpu == head.cpu && was.probe == head.probe && was.clause != head.clause;
                self.consume(image, was, &held, !more, outside)
            }
            None => Ok(Flow::Continue),
        };
        if self.must_wait(image, head) {
            self.held = Some((head, bytes.to_vec()));
            return held;
        }
        let this = self.consume(image, head, bytes, true, outside);
        Ok(held?.then(this?))
    }

    /// See [`crate::Consumer::idle`].
    pub(crate) fn idle(&mut self, image: &Image, outside: &mut Outside<'_>) -> Result<Flow> {
        match self.held.take() {
            Some((head, bytes)) => self.consume(image, head, &bytes, true, outside),
            None => Ok(Flow::Continue),
        }
    }

    /// Whether the record's indentation depends on the next one: a return probe with clauses yet to come.
    fn must_wait(&self, image: &Image, head: Head) -> bool {
        let mut later = image.clauses.iter().skip(head.clause as usize + 1);
        let probe = self.probes.get(head.probe as usize);
        self.opts.flowindent
            && probe.is_some_and(|p| p.kind == Kind::Return)
            && later.any(|c| c.records && c.probes.contains(&head.probe))
    }

    fn consume(
        &mut self,
        image: &Image,
        head: Head,
        bytes: &[u8],
        last: bool,
        outside: &mut Outside<'_>,
    ) -> Result<Flow> {
        let Some(clause) = image.clauses.get(head.clause as usize) else {
            return Err(Error::Record("of an unknown clause"));
        };
        let Some(probe) = image.probes.get(head.probe as usize) else {
            return Err(Error::Record("of an unknown probe"));
        };
        let body = bytes.get(record::HEADER as usize..).unwrap_or_default();
        let mut values = Data::new(image, clause, head.probe, body)?;
        self.epoch += 1;
        self.world.moment = Some(head.timestamp);
        let Outside {
            out,
            source,
            actions,
        } = outside;
        let mark = out.mark();
        let mut step = Step {
            image,
            head,
            clause,
            probe,
            out,
            source: *source,
            actions: *actions,
        };
        let done = match self.opts.form {
            OutputForm::Text => self.text_record(&mut step, &mut values, last),
            OutputForm::Json => json::record(self, &mut step, &mut values),
            OutputForm::Data => data::record(self, &mut step, &mut values),
            OutputForm::Events => events::record(self, &mut step, &mut values),
        };
        if done.is_err() {
            out.rewind(mark);
            return done;
        }
        if let Ok(Flow::Exit(status)) = done {
            self.status = status;
        }
        out.checkpoint()?;
        done
    }

    fn text_record(
        &mut self,
        step: &mut Step<'_>,
        data: &mut Data<'_>,
        last: bool,
    ) -> Result<Flow> {
        if !self.opts.quiet {
            self.prefix(step, last);
        }
        let mut flow = Flow::Continue;
        for action in &step.clause.actions {
            flow = flow.then(self.text_action(step, action, data)?);
        }
        if !self.opts.quiet {
            step.out.buffer().push(b'\n');
        }
        Ok(flow)
    }

    fn prefix(&mut self, step: &mut Step<'_>, last: bool) {
        let out = step.out.buffer();
        let head = step.head;
        if !self.header_done {
            self.header_done = true;
            if self.opts.flowindent {
                out.extend_from_slice(b"CPU ");
                num::text(out, &Spec::left(41), b"FUNCTION");
                out.push(b'\n');
            } else {
                out.extend_from_slice(b"CPU     ID                    FUNCTION:NAME\n");
            }
        }
        num::dec_wide(out, i64::from(head.cpu), 3);
        out.push(b' ');
        let Some(text) = self.probes.get(head.probe as usize) else {
            return;
        };
        if !self.opts.flowindent {
            out.extend_from_slice(&text.columns);
            return;
        }
        let cpu = head.cpu as usize;
        if self.flow.len() <= cpu {
            self.flow
                .resize(cpu.min(MAX_CPU) + 1, flow::State::default());
        }
        let Some(state) = self.flow.get_mut(cpu.min(MAX_CPU)) else {
            return;
        };
        let line = state.step(step.probe, text.kind, (head.clause, head.probe), last);
        num::padded(out, &Spec::left(41), |out| {
            num::fill(out, b' ', line.indent);
            out.extend_from_slice(line.prefix.as_bytes());
            out.extend_from_slice(step.probe.function.as_bytes());
            if line.full {
                out.push(b':');
                out.extend_from_slice(step.probe.name.as_bytes());
            }
        });
        out.push(b' ');
    }

    fn text_action(
        &mut self,
        step: &mut Step<'_>,
        action: &ActionDesc,
        data: &mut Data<'_>,
    ) -> Result<Flow> {
        let strsize = step.image.strsize;
        match &action.kind {
            ActionKind::Trace | ActionKind::Stack | ActionKind::Sym => {
                let widths = Widths::trace(self.opts.quiet);
                let v = first(action, data)?;
                trace::value(
                    step.out.buffer(),
                    &mut self.world,
                    &self.opts,
                    widths,
                    strsize,
                    v,
                );
            }
            ActionKind::Tracemem { dynamic } => {
                let bytes = memory(action, *dynamic, data)?;
                trace::dump(step.out.buffer(), bytes);
            }
            ActionKind::Printf(format) => {
                let mut args = RecordArgs {
                    data,
                    datums: action.data.iter(),
                };
                printf::format(
                    step.out.buffer(),
                    &mut self.world,
                    &self.opts,
                    format,
                    &mut args,
                )?;
                for datum in args.datums.by_ref() {
                    args.data.read(datum)?;
                }
            }
            ActionKind::Print(ty) => {
                let v = first(action, data)?;
                print::print(step.out.buffer(), &mut self.world, ty, v)?;
            }
            ActionKind::Printa { format, aggs } => self.printa(step, format.as_ref(), aggs)?,
            ActionKind::Exit
            | ActionKind::Clear(_)
            | ActionKind::Trunc(_)
            | ActionKind::Normalize(_)
            | ActionKind::Denormalize(_)
            | ActionKind::System(_)
            | ActionKind::Freopen(_)
            | ActionKind::Ftruncate
            | ActionKind::Setopt => return self.effect(step, action, data),
        }
        Ok(Flow::Continue)
    }

    /// Performs an action that prints nothing.
    pub(crate) fn effect(
        &mut self,
        step: &mut Step<'_>,
        action: &ActionDesc,
        data: &mut Data<'_>,
    ) -> Result<Flow> {
        match &action.kind {
            ActionKind::Exit => return Ok(Flow::Exit(integer(action, data)?.value() as i32)),
            ActionKind::Clear(agg) => self.with_agg(step, *agg, |state, cx| state.clear(cx))?,
            ActionKind::Trunc(agg) => {
                let keep = if action.data.is_empty() {
                    0
                } else {
                    integer(action, data)?.extended()
                };
                self.with_agg(step, *agg, |state, cx| {
                    let keep = aggs::top(cx.image, cx.desc, state, keep);
                    state.trunc(cx, &keep)
                })?;
            }
            ActionKind::Normalize(agg) => {
                let normal = integer(action, data)?.value() as u64;
                if normal == 0 {
                    return Err(Error::BadNormal);
                }
                self.with_agg(step, *agg, |state, _| {
                    state.normalize(normal);
                    Ok(())
                })?;
            }
            ActionKind::Denormalize(agg) => self.with_agg(step, *agg, |state, _| {
                state.normalize(1);
                Ok(())
            })?,
            ActionKind::System(format) => {
                let command = self.formatted(action, format, data)?;
                step.out.flush()?;
                step.actions.system(&command);
            }
            ActionKind::Freopen(format) => {
                let path = self.formatted(action, format, data)?;
                step.out.flush()?;
                if let Err(why) = step.actions.freopen(&path, step.out) {
                    let path = String::from_utf8_lossy(&path);
                    self.complain(step, &format!("couldn't freopen() \"{path}\": {why}"))?;
                }
            }
            ActionKind::Ftruncate => {
                step.out.flush()?;
                if let Err(why) = step.actions.ftruncate(step.out) {
                    self.complain(step, &format!("couldn't ftruncate() output: {why}"))?;
                }
            }
            ActionKind::Setopt => self.setopt(step, action, data)?,
            ActionKind::Trace
            | ActionKind::Tracemem { .. }
            | ActionKind::Printf(_)
            | ActionKind::Printa { .. }
            | ActionKind::Print(_)
            | ActionKind::Stack
            | ActionKind::Sym => {}
        }
        Ok(Flow::Continue)
    }

    fn setopt(
        &mut self,
        step: &mut Step<'_>,
        action: &ActionDesc,
        data: &mut Data<'_>,
    ) -> Result<()> {
        let mut text = [String::new(), "1".to_string()];
        for (datum, text) in action.data.iter().zip(&mut text) {
            *text = match data.read(datum)? {
                Value::Str(s) => String::from_utf8_lossy(s).into_owned(),
                Value::Bytes { bytes, .. } => {
                    String::from_utf8_lossy(crate::value::until_nul(bytes)).into_owned()
                }
                Value::Int(_) | Value::Stack(_) | Value::Sym(_) => {
                    return Err(Error::Image("setopt() of something else than strings"));
                }
            };
        }
        let [name, value] = text;
        let done = match self.opts.set(&name, &value) {
            Ok(true) => Ok(()),
            Ok(false) => step.actions.setopt(&name, &value),
            Err(e) => Err(e.to_string()),
        };
        match done {
            Ok(()) => Ok(()),
            Err(why) => self.complain(
                step,
                &format!("couldn't set option \"{name}\" to \"{value}\": {why}"),
            ),
        }
    }

    /// Reports a library error of the present record.
    fn complain(&mut self, step: &mut Step<'_>, what: &str) -> Result<()> {
        let text = library_error(step.image, step.head.clause, step.head.probe, what);
        self.tell(step.out, step.actions, &text, |out| json::error(out, &text))
    }

    /// Sends a message: as JSON with the data, or as text to the standard error after the data before it.
    pub(crate) fn tell(
        &self,
        out: &mut Output,
        actions: &mut dyn Actions,
        text: &str,
        json: impl FnOnce(&mut Vec<u8>),
    ) -> Result<()> {
        match self.opts.form {
            OutputForm::Json => json(out.buffer()),
            OutputForm::Text | OutputForm::Data | OutputForm::Events => {
                out.flush()?;
                actions.message(text);
            }
        }
        Ok(())
    }

    /// The text of a format, in memory of its own.
    pub(crate) fn formatted(
        &mut self,
        action: &ActionDesc,
        format: &image::Format,
        data: &mut Data<'_>,
    ) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut args = RecordArgs {
            data,
            datums: action.data.iter(),
        };
        printf::format(&mut text, &mut self.world, &self.opts, format, &mut args)?;
        for datum in args.datums.by_ref() {
            args.data.read(datum)?;
        }
        Ok(text)
    }

    /// Does something with an aggregation as this record sees it.
    pub(crate) fn with_agg(
        &mut self,
        step: &mut Step<'_>,
        agg: u32,
        act: impl FnOnce(&mut AggState, &mut Access<'_>) -> Result<()>,
    ) -> Result<()> {
        const UNKNOWN: Error = Error::Image("an action names an unknown aggregation");
        let desc = step.image.aggs.get(agg as usize).ok_or(UNKNOWN)?;
        let state = self.aggs.get_mut(agg as usize).ok_or(UNKNOWN)?;
        let mut cx = Access {
            image: step.image,
            desc,
            id: agg,
            source: step.source,
        };
        state.refresh(&mut cx, &mut self.world, self.epoch)?;
        act(state, &mut cx)
    }

    /// Takes snapshots of the aggregations of a `printa()`.
    pub(crate) fn refresh(&mut self, step: &mut Step<'_>, aggs: &[u32]) -> Result<()> {
        aggs.iter()
            .try_for_each(|agg| self.with_agg(step, *agg, |_, _| Ok(())))
    }

    fn printa(
        &mut self,
        step: &mut Step<'_>,
        format: Option<&image::Format>,
        aggs: &[u32],
    ) -> Result<()> {
        // Keys do not say when their addresses were recorded.
        let moment = self.world.moment.take();
        self.refresh(step, aggs)?;
        let State {
            world,
            opts,
            aggs: states,
            ..
        } = self;
        let out = step.out.buffer();
        let columns: Vec<_> = aggs
            .iter()
            .filter_map(|a| Some((step.image.aggs.get(*a as usize)?, states.get(*a as usize)?)))
            .collect();
        let printed = match format {
            Some(format) => aggs::print_format(out, world, opts, step.image, &columns, format)?,
            None => {
                out.push(b'\n');
                aggs::print_default(out, world, opts, step.image, &columns)
            }
        };
        if printed > 0 {
            self.mark_printed(aggs);
        }
        self.world.moment = moment;
        Ok(())
    }

    pub(crate) fn mark_printed(&mut self, aggs: &[u32]) {
        for agg in aggs {
            if let Some(state) = self.aggs.get_mut(*agg as usize) {
                state.printed = true;
            }
        }
    }
}

/// CPUs beyond this share one indentation.
const MAX_CPU: usize = 8191;

/// What is printed of a probe, made once.
pub(crate) struct ProbeText {
    /// Id and `function:name` columns.
    columns: Vec<u8>,
    kind: Kind,
}

impl ProbeText {
    pub(crate) fn new(probe: &Probe) -> ProbeText {
        let mut columns = Vec::new();
        num::dec_wide(&mut columns, i64::from(probe.id), 6);
        columns.push(b' ');
        let name = format!("{}:{}", probe.function, probe.name);
        num::text(&mut columns, &Spec::width(32), name.as_bytes());
        columns.push(b' ');
        ProbeText {
            columns,
            kind: flow::kind(probe),
        }
    }
}

/// Enabled-probe id of a record.
pub(crate) fn record_epid(step: &Step<'_>) -> u32 {
    epid(step.clause, step.head.probe)
}
