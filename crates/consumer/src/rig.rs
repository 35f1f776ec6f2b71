//! Test rig: images and records made by hand, and an outside that remembers what it was asked.

use crate::{
    Actions, AggKey, AggSource, Consumer, Flow, KernelSym, Options, Output, Process, Result,
    Snapshot, Symbols, UserSym,
};
use image::format::{Conversion, Format, Segment, Star};
use image::{
    ActionDesc, ActionKind, AggDesc, AggFunc, AggStorage, ClauseDesc, Datum, DatumKind, Image,
    KeyDesc, KeyKind, Probe, Site,
};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;

pub(crate) fn probe(id: u32, description: &str) -> Probe {
    let mut parts = description.split(':').map(Arc::<str>::from);
    let mut part = || parts.next().unwrap_or_else(|| "".into());
    let (provider, module, function, name) = (part(), part(), part(), part());
    Probe {
        id,
        provider,
        module,
        function,
        name,
        site: Site::Begin,
        selector: 0,
        points: Default::default(),
    }
}

/// A clause on probe 0, its data laid out in order.
pub(crate) fn clause(actions: Vec<(ActionKind, Vec<DatumKind>)>) -> ClauseDesc {
    let mut at = 0u32;
    let mut place = |kind: DatumKind| {
        let size = match &kind {
            DatumKind::Int { bytes, .. } => u32::from(*bytes),
            DatumKind::Bytes { len, .. } => *len,
            DatumKind::InlineStr { cap } => *cap,
            DatumKind::VarStr | DatumKind::Stack { .. } => 4,
            DatumKind::Sym(kind) if crate::value::is_user(*kind) => 16,
            DatumKind::Sym(_) => 8,
            DatumKind::Probe(_) => 0,
        };
        let offset = at;
        at += size;
        Datum { kind, offset }
    };
    let actions = actions
        .into_iter()
        .map(|(kind, data)| ActionDesc {
            kind,
            data: data.into_iter().map(&mut place).collect(),
        })
        .collect();
    ClauseDesc {
        fixed_size: at,
        actions,
        records: true,
        probes: vec![0],
        epids: vec![1],
        line: 1,
    }
}

/// An image with one probe, `dtrace:::BEGIN`, and these clauses.
pub(crate) fn image(clauses: Vec<ClauseDesc>) -> Image {
    Image {
        probes: vec![probe(1, "dtrace:::BEGIN")],
        clauses,
        strsize: 256,
        ..Image::default()
    }
}

/// A hashed aggregation.
pub(crate) fn agg(name: &str, func: AggFunc, kinds: Vec<KeyKind>) -> AggDesc {
    let mut at = 0;
    let mut place = |kind: KeyKind| {
        let size = match &kind {
            KeyKind::Int { bytes, .. } => u32::from(*bytes),
            KeyKind::Str { cap } => *cap,
            KeyKind::Probe(_) => 4,
            KeyKind::Stack { user, frames } => (frames + u32::from(*user)) * 8,
            KeyKind::Sym(kind) if crate::value::is_user(*kind) => 16,
            KeyKind::Sym(_) => 8,
        };
        at += size;
        KeyDesc {
            kind,
            offset: at - size,
        }
    };
    let keys = kinds.into_iter().map(&mut place).collect();
    AggDesc {
        name: name.into(),
        func,
        keys,
        key_size: at,
        words: func.words(),
        storage: AggStorage::Hash(0),
    }
}

pub(crate) const INT: KeyKind = KeyKind::Int {
    bytes: 8,
    signed: true,
};
pub(crate) const STR: KeyKind = KeyKind::Str { cap: 16 };
pub(crate) const I32: DatumKind = DatumKind::Int {
    bytes: 4,
    signed: true,
};
pub(crate) const U32: DatumKind = DatumKind::Int {
    bytes: 4,
    signed: false,
};
pub(crate) const I64: DatumKind = DatumKind::Int {
    bytes: 8,
    signed: true,
};

pub(crate) fn str_key(text: &str) -> Vec<u8> {
    let mut key = text.as_bytes().to_vec();
    key.resize(16, 0);
    key
}

pub(crate) fn printa(aggs: &[u32]) -> (ActionKind, Vec<DatumKind>) {
    (
        ActionKind::Printa {
            format: None,
            aggs: aggs.to_vec(),
        },
        vec![],
    )
}

/// A format: only what tests need of the compiler's parser.
pub(crate) fn fmt(text: &str) -> Format {
    let mut segments = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        segments.push(Segment::Text(before.as_bytes().to_vec()));
        let end = after
            .find(|c: char| c.is_ascii_alphabetic() || c == '%')
            .unwrap();
        let (flags, tail) = after.split_at(end);
        let (width, prec) = flags.split_once('.').unwrap_or((flags, ""));
        let digits = |t: &str| {
            let digits = t.trim_start_matches(['#', '-', '0', '+', '\'', ' ', '@']);
            match digits {
                "" => Star::None,
                "*" => Star::Arg,
                n => Star::Fixed(n.parse().unwrap()),
            }
        };
        let size = ["ll", "l", "h", "w"]
            .into_iter()
            .find(|s| tail.starts_with(s))
            .unwrap_or("");
        segments.push(Segment::Conv(Conversion {
            alt: width.contains('#'),
            left: width.contains('-'),
            zero: width
                .trim_start_matches(['#', '-', '+', '\'', ' ', '@'])
                .starts_with('0'),
            plus: width.contains('+'),
            group: width.contains('\''),
            space: width.contains(' '),
            agg: width.contains('@'),
            width: digits(width),
            prec: digits(prec),
            conv: tail[size.len()..].chars().next().unwrap(),
            size,
        }));
        rest = &tail[size.len() + 1..];
    }
    segments.push(Segment::Text(rest.as_bytes().to_vec()));
    Format { segments }
}

/// Bytes of a record.
pub(crate) fn bytes(clause: u32, probe: u32, body: &[&[u8]]) -> Vec<u8> {
    let mut out = 1000u64.to_ne_bytes().to_vec();
    out.extend(clause.to_ne_bytes());
    out.extend(probe.to_ne_bytes());
    body.iter().for_each(|b| out.extend_from_slice(b));
    out
}

#[derive(Clone, Default)]
pub(crate) struct Shared(pub Rc<RefCell<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Aggregation values: by aggregation and key, CPU after CPU.
#[derive(Default)]
pub(crate) struct Source {
    pub values: BTreeMap<(u32, Vec<u8>), Vec<u64>>,
    pub deleted: usize,
}

impl AggSource for Source {
    fn snapshot(&mut self, agg: u32, into: &mut Snapshot) -> io::Result<()> {
        for ((_, key), values) in self.values.iter().filter(|((a, _), _)| *a == agg) {
            into.push(AggKey::Bytes(key), values);
        }
        Ok(())
    }
    fn reset(&mut self, agg: u32, key: AggKey<'_>) -> io::Result<()> {
        let AggKey::Bytes(key) = key else {
            panic!("not a hash")
        };
        self.values.remove(&(agg, key.to_vec())).unwrap();
        Ok(())
    }
    fn delete(&mut self, agg: u32, key: &[u8], last: &mut Vec<u64>) -> io::Result<bool> {
        last.extend(self.values.remove(&(agg, key.to_vec())).unwrap());
        self.deleted += 1;
        Ok(true)
    }
}

#[derive(Default)]
pub(crate) struct Log(pub Vec<String>);

impl Actions for Log {
    fn system(&mut self, command: &[u8]) {
        self.0
            .push(format!("system {}", String::from_utf8_lossy(command)));
    }
    fn freopen(&mut self, path: &[u8], _: &mut Output) -> std::result::Result<(), String> {
        self.0
            .push(format!("freopen {}", String::from_utf8_lossy(path)));
        if path == b"/nowhere/x" {
            Err("No such file or directory".into())
        } else {
            Ok(())
        }
    }
    fn ftruncate(&mut self, _: &mut Output) -> std::result::Result<(), String> {
        self.0.push("ftruncate".into());
        Ok(())
    }
    fn setopt(&mut self, name: &str, value: &str) -> std::result::Result<(), String> {
        self.0.push(format!("setopt {name} {value}"));
        Ok(())
    }
    fn message(&mut self, text: &str) {
        self.0.push(text.to_string());
    }
}

/// Symbols: kernel functions of 0x100 bytes at 0xf000, 0xf100 …; user functions likewise at 0x1000 in `libx.so` of process 7,
/// which is `liby.so` where the process word has a stamp, and `libz.so` where a time is told too.
pub(crate) struct Syms;

impl Symbols for Syms {
    fn kernel(&mut self, addr: u64) -> Option<KernelSym> {
        (0xf000..0xf300).contains(&addr).then(|| KernelSym {
            module: "vmlinux".into(),
            name: format!("kfn{}", (addr - 0xf000) / 0x100),
            offset: addr % 0x100,
            size: 0x100,
        })
    }
    fn user(&mut self, process: Process, addr: u64) -> Option<UserSym> {
        if process.pid() != 7 || !(0x1000..0x2000).contains(&addr) {
            return None;
        }
        let named = addr < 0x1200;
        let module = match (process.word >> 32, process.time) {
            (0, _) => "libx.so",
            (_, None) => "liby.so",
            (_, Some(_)) => "libz.so",
        };
        Some(UserSym {
            module: Some(module.into()),
            name: named.then(|| format!("ufn{}", (addr - 0x1000) / 0x100)),
            offset: if named { addr % 0x100 } else { addr - 0x1000 },
        })
    }
}

pub(crate) struct Rig {
    pub consumer: Consumer,
    pub out: Output,
    pub text: Shared,
    pub source: Source,
    pub log: Log,
}

impl Rig {
    pub(crate) fn new(image: Image, opts: Options) -> Rig {
        let text = Shared::default();
        Rig {
            consumer: Consumer::new(Arc::new(image), opts, Box::new(Syms)),
            out: Output::new(Box::new(text.clone())),
            text,
            source: Source::default(),
            log: Log::default(),
        }
    }

    pub(crate) fn quiet(image: Image) -> Rig {
        Rig::new(
            image,
            Options {
                quiet: true,
                ..Options::default()
            },
        )
    }

    pub(crate) fn record(&mut self, cpu: u32, bytes: &[u8]) -> Result<Flow> {
        self.consumer
            .record(cpu, bytes, &mut self.out, &mut self.source, &mut self.log)
    }

    /// Consumes a record of clause `clause` at probe 0 that must be good.
    pub(crate) fn run(&mut self, clause: u32, body: &[&[u8]]) -> Flow {
        self.record(0, &bytes(clause, 0, body)).unwrap()
    }

    pub(crate) fn finish(&mut self) {
        self.consumer
            .finish(&mut self.out, &mut self.source, &mut self.log)
            .unwrap();
    }

    /// The text since the last call.
    pub(crate) fn text(&mut self) -> String {
        self.out.flush().unwrap();
        String::from_utf8(std::mem::take(&mut self.text.0.borrow_mut())).unwrap()
    }

    pub(crate) fn set(&mut self, agg: u32, key: &[u8], values: &[u64]) {
        self.source
            .values
            .insert((agg, key.to_vec()), values.to_vec());
    }
}
