//! JSON output (`-O json`): one object a line, for programs. The schema is stable; fields may be added.
//!
//! | `type` | other fields |
//! |---|---|
//! | `record` | `cpu`, `timestamp` (ns, monotonic), `epid`, `probe`, `actions` |
//! | `aggregation` | `name`, `function`, `entries`: objects of `key` (array) and `value` or `buckets`, `normal` if not 1 |
//! | `drop` | `kind`, `cpu` (if counted by CPU), `count`, `text` |
//! | `fault` | `cpu`, `timestamp`, `epid`, `probe`, `fault`, `code`, `address`, `action` (0: predicate), `pc`, `text` |
//! | `error` | `text`: an action of the consumer failed |
//! | `end` | `status`: what `exit()` gave, or 0 |
//!
//! `probe` is an object of `id`, `provider`, `module`, `function`, `name`. An element of `actions` has `action` (its D
//! name) and: `trace`: `value`; `tracemem`: `bytes` (hexadecimal); `printf`: `text`, `args`; `print`: `ctype`, `text`;
//! `stack`: `value`; `sym`: `value`; `printa`: `aggregations` (names; their `aggregation` lines come just before the
//! record) and `text` if there is a format; `exit`: `status`; `clear trunc normalize denormalize`: `aggregation`;
//! others nothing. Values are numbers (integers of up to 64 bits), strings, arrays of frame texts for stacks, and
//! `{"bytes": "hex"}` for other data. `buckets` lists those that are not zero: `count` and `value`, `below` or `from`.
//! Entries are in the order in which text would show them; numbers are normalised.

use crate::aggs::{self, AggView};
use crate::error::Result;
use crate::messages::{Drop, FaultEvent, epid};
use crate::num;
use crate::quantize;
use crate::record::{Step, first, memory, record_epid};
use crate::stack::World;
use crate::value::{Data, Value, until_nul};
use crate::{Flow, State, print};
use image::{ActionDesc, ActionKind, Image, Probe};

fn put(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// Appends a string literal; bytes that are not UTF-8 become U+FFFD.
fn string(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => put(out, "\\\""),
                '\\' => put(out, "\\\\"),
                '\n' => put(out, "\\n"),
                '\t' => put(out, "\\t"),
                '\r' => put(out, "\\r"),
                c if c < ' ' => put(out, &format!("\\u{:04x}", c as u32)),
                c => put(out, c.encode_utf8(&mut [0; 4])),
            }
        }
        if !chunk.invalid().is_empty() {
            put(out, "\u{fffd}");
        }
    }
    out.push(b'"');
}

fn name(out: &mut Vec<u8>, key: &str) {
    out.push(b',');
    string(out, key.as_bytes());
    out.push(b':');
}

fn text_field(out: &mut Vec<u8>, key: &str, text: &[u8]) {
    name(out, key);
    string(out, text);
}

fn number_field(out: &mut Vec<u8>, key: &str, v: u64) {
    name(out, key);
    num::udec(out, v);
}

fn probe_field(out: &mut Vec<u8>, probe: &Probe) {
    name(out, "probe");
    put(out, "{\"id\":");
    num::udec(out, u64::from(probe.id));
    text_field(out, "provider", probe.provider.as_bytes());
    text_field(out, "module", probe.module.as_bytes());
    text_field(out, "function", probe.function.as_bytes());
    text_field(out, "name", probe.name.as_bytes());
    out.push(b'}');
}

fn list<T>(
    out: &mut Vec<u8>,
    items: impl Iterator<Item = T>,
    mut each: impl FnMut(&mut Vec<u8>, T),
) {
    out.push(b'[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            out.push(b',');
        }
        each(out, item);
    }
    out.push(b']');
}

fn hex(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    bytes.iter().for_each(|b| put(out, &format!("{b:02x}")));
    out.push(b'"');
}

fn value(out: &mut Vec<u8>, world: &mut World, v: &Value<'_>) {
    match v {
        Value::Int(v) => match v.parts() {
            (true, _) => num::dec(out, v.value()),
            (false, mag) => num::udec(out, mag),
        },
        Value::Str(s) => string(out, s),
        Value::Bytes { bytes, chars: true } => string(out, until_nul(bytes)),
        Value::Bytes {
            bytes,
            chars: false,
        } => {
            put(out, "{\"bytes\":");
            hex(out, bytes);
            out.push(b'}');
        }
        Value::Stack(frames) => list(out, world.traced(*frames), |out, pc| {
            let mut text = Vec::new();
            world.frame(&mut text, *frames, pc);
            string(out, &text);
        }),
        Value::Sym(sym) => {
            let mut text = Vec::new();
            world.sym(&mut text, *sym);
            string(out, &text);
        }
    }
}

/// D name of an action.
fn action_name(kind: &ActionKind) -> &'static str {
    match kind {
        ActionKind::Trace => "trace",
        ActionKind::Tracemem { .. } => "tracemem",
        ActionKind::Printf(_) => "printf",
        ActionKind::Printa { .. } => "printa",
        ActionKind::Print(_) => "print",
        ActionKind::Stack => "stack",
        ActionKind::Sym => "sym",
        ActionKind::Exit => "exit",
        ActionKind::Clear(_) => "clear",
        ActionKind::Trunc(_) => "trunc",
        ActionKind::Normalize(_) => "normalize",
        ActionKind::Denormalize(_) => "denormalize",
        ActionKind::System(_) => "system",
        ActionKind::Freopen(_) => "freopen",
        ActionKind::Ftruncate => "ftruncate",
        ActionKind::Setopt => "setopt",
    }
}

/// Consumes one record.
pub(crate) fn record(run: &mut State, step: &mut Step<'_>, data: &mut Data<'_>) -> Result<Flow> {
    let mut line = Vec::new();
    put(&mut line, "{\"type\":\"record\"");
    number_field(&mut line, "cpu", u64::from(step.head.cpu));
    number_field(&mut line, "timestamp", step.head.timestamp);
    number_field(&mut line, "epid", u64::from(record_epid(step)));
    probe_field(&mut line, step.probe);
    name(&mut line, "actions");
    line.push(b'[');
    let mut flow = Flow::Continue;
    for (i, action) in step.clause.actions.iter().enumerate() {
        if i > 0 {
            line.push(b',');
        }
        put(&mut line, "{\"action\":");
        string(&mut line, action_name(&action.kind).as_bytes());
        flow = flow.then(one_action(run, &mut line, step, action, data)?);
        line.push(b'}');
    }
    put(&mut line, "]}\n");
    step.out.buffer().extend_from_slice(&line);
    Ok(flow)
}

fn one_action(
    run: &mut State,
    line: &mut Vec<u8>,
    step: &mut Step<'_>,
    action: &ActionDesc,
    data: &mut Data<'_>,
) -> Result<Flow> {
    match &action.kind {
        ActionKind::Trace | ActionKind::Stack | ActionKind::Sym => {
            let v = first(action, data)?;
            name(line, "value");
            value(line, &mut run.world, &v);
        }
        ActionKind::Tracemem { dynamic } => {
            let bytes = memory(action, *dynamic, data)?;
            name(line, "bytes");
            hex(line, bytes);
        }
        ActionKind::Printf(format) => {
            let mut again = data.clone();
            let args: Result<Vec<_>> = action.data.iter().map(|d| again.read(d)).collect();
            let text = run.formatted(action, format, data)?;
            text_field(line, "text", &text);
            name(line, "args");
            list(line, args?.iter(), |line, v| value(line, &mut run.world, v));
        }
        ActionKind::Print(ty) => {
            let v = first(action, data)?;
            let mut text = Vec::new();
            print::print(&mut text, &mut run.world, ty, v)?;
            text_field(line, "ctype", ty.name.as_bytes());
            text_field(line, "text", &text);
        }
        ActionKind::Printa { format, aggs } => printa(run, line, step, format.as_ref(), aggs)?,
        ActionKind::Clear(agg)
        | ActionKind::Trunc(agg)
        | ActionKind::Normalize(agg)
        | ActionKind::Denormalize(agg) => {
            let of = step.image.aggs.get(*agg as usize).map_or("", |a| &a.name);
            text_field(line, "aggregation", of.as_bytes());
            return run.effect(step, action, data);
        }
        ActionKind::Exit => {
            let flow = run.effect(step, action, data)?;
            if let Flow::Exit(status) = flow {
                name(line, "status");
                num::dec(line, i64::from(status));
            }
            return Ok(flow);
        }
        ActionKind::System(_)
        | ActionKind::Freopen(_)
        | ActionKind::Ftruncate
        | ActionKind::Setopt => {
            return run.effect(step, action, data);
        }
    }
    Ok(Flow::Continue)
}

fn printa(
    run: &mut State,
    line: &mut Vec<u8>,
    step: &mut Step<'_>,
    format: Option<&image::Format>,
    aggs: &[u32],
) -> Result<()> {
    run.refresh(step, aggs)?;
    for agg in aggs {
        aggregation(run, step.image, *agg, step.out.buffer());
    }
    name(line, "aggregations");
    let names = aggs.iter().filter_map(|a| step.image.aggs.get(*a as usize));
    list(line, names, |line, desc| string(line, desc.name.as_bytes()));
    if let Some(format) = format {
        let State {
            world,
            opts,
            aggs: states,
            ..
        } = run;
        let columns: Vec<_> = aggs
            .iter()
            .filter_map(|a| Some((step.image.aggs.get(*a as usize)?, states.get(*a as usize)?)))
            .collect();
        let mut text = Vec::new();
        aggs::print_format(&mut text, world, opts, step.image, &columns, format)?;
        text_field(line, "text", &text);
    }
    run.mark_printed(aggs);
    Ok(())
}

/// Appends a snapshot of an aggregation.
pub(crate) fn aggregation(run: &mut State, image: &Image, agg: u32, out: &mut Vec<u8>) {
    let State {
        world,
        opts,
        aggs: states,
        ..
    } = run;
    let (Some(desc), Some(state)) = (image.aggs.get(agg as usize), states.get(agg as usize)) else {
        return;
    };
    put(out, "{\"type\":\"aggregation\"");
    text_field(out, "name", desc.name.as_bytes());
    text_field(out, "function", aggs::func_name(desc.func).as_bytes());
    name(out, "entries");
    let rows = aggs::rows(image, opts, &[(desc, state)]);
    list(out, rows.iter(), |out, row| {
        put(out, "{\"key\":");
        list(out, row.keys(image), |out, v| value(out, world, &v));
        if let Some(entry) = row.cells.first().copied().flatten() {
            entry_value(out, &entry.view(desc.func));
            if entry.normal != 1 {
                number_field(out, "normal", entry.normal);
            }
            let cpus: Vec<_> = entry.by_cpu(desc.func).collect();
            if !cpus.is_empty() {
                name(out, "cpus");
                list(out, cpus.iter(), |out, (cpu, view)| {
                    put(out, &format!("{{\"cpu\":{cpu}"));
                    entry_value(out, view);
                    out.push(b'}');
                });
            }
        }
        out.push(b'}');
    });
    put(out, "}\n");
}

fn entry_value(out: &mut Vec<u8>, view: &AggView<'_>) {
    if let Some(v) = view.scalar() {
        name(out, "value");
        return match v.parts() {
            (true, _) => num::dec(out, v.value()),
            (false, mag) => num::udec(out, mag),
        };
    }
    name(out, "buckets");
    let labels = quantize::labels(view.func);
    let counts = view
        .words
        .iter()
        .map(|w| quantize::normalized(*w as i64, view.normal));
    let shown = labels
        .iter()
        .zip(view.words)
        .zip(counts)
        .filter(|((_, raw), _)| **raw != 0);
    list(out, shown, |out, ((label, _), count)| {
        let (key, v) = match label {
            quantize::Label::Value(v) => ("{\"value\":", v),
            quantize::Label::Below(v) => ("{\"below\":", v),
            quantize::Label::From(v) => ("{\"from\":", v),
        };
        put(out, key);
        num::dec(out, *v);
        name(out, "count");
        num::dec(out, count);
        out.push(b'}');
    });
}

/// Appends newly counted drops.
pub(crate) fn drops(out: &mut Vec<u8>, drop: &Drop, text: &str) {
    put(out, "{\"type\":\"drop\"");
    text_field(out, "kind", drop.name().as_bytes());
    if let Some(cpu) = drop.cpu {
        number_field(out, "cpu", u64::from(cpu));
    }
    number_field(out, "count", drop.count);
    text_field(out, "text", text.as_bytes());
    put(out, "}\n");
}

/// Appends a fault.
pub(crate) fn fault(out: &mut Vec<u8>, image: &Image, event: &FaultEvent, text: &str) {
    put(out, "{\"type\":\"fault\"");
    number_field(out, "cpu", u64::from(event.cpu));
    number_field(out, "timestamp", event.timestamp);
    let clause = image.clauses.get(event.clause as usize);
    number_field(
        out,
        "epid",
        clause.map_or(0, |c| u64::from(epid(c, event.probe))),
    );
    if let Some(probe) = image.probes.get(event.probe as usize) {
        probe_field(out, probe);
    }
    text_field(out, "fault", event.fault.text().as_bytes());
    number_field(out, "code", event.fault as u64);
    number_field(out, "address", event.address);
    number_field(out, "action", u64::from(event.action));
    number_field(out, "pc", u64::from(event.pc));
    text_field(out, "text", text.as_bytes());
    put(out, "}\n");
}

/// Appends an error of the run.
pub(crate) fn error(out: &mut Vec<u8>, text: &str) {
    put(out, "{\"type\":\"error\"");
    text_field(out, "text", text.as_bytes());
    put(out, "}\n");
}

/// Appends the last line.
pub(crate) fn end(out: &mut Vec<u8>, status: i32) {
    put(out, "{\"type\":\"end\",\"status\":");
    num::dec(out, i64::from(status));
    put(out, "}\n");
}
