//! What the consumer asks of the outside, answered from the kernel, /proc and the options of the run.

use crate::files::plain;
use crate::opts::{Options, Setter};
use crate::output::Sinks;
use crate::{Front, localtime::Zone};
use consumer::{
    Actions, AggKey, AggSource, KernelSym, Names, Output, Process, Snapshot, Symbols, Tm, UserSym,
};
use image::{AggStorage, Image};
use kernel::kallsyms::Kallsyms;
use kernel::{LoadError, Loaded};
use std::cell::RefCell;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::rc::Rc;
use symbols::{Resolver, Symbol, Whose};

/// What answers for user addresses; the run feeds it, the consumer asks it.
pub type Users = Rc<RefCell<Resolver>>;

/// Names of kernel functions, read when the first one is asked for, and of user functions.
pub struct SystemSymbols {
    kernel: Option<Option<Kallsyms>>,
    users: Users,
}

impl SystemSymbols {
    /// Asks `users` for what belongs to processes.
    pub fn new(users: Users) -> SystemSymbols {
        SystemSymbols {
            kernel: None,
            users,
        }
    }
}

impl Symbols for SystemSymbols {
    fn kernel(&mut self, addr: u64) -> Option<KernelSym> {
        let table = self.kernel.get_or_insert_with(Kallsyms::load).as_ref()?;
        let found = table.lookup(addr)?;
        Some(KernelSym {
            module: found.module.to_owned(),
            name: found.name.to_owned(),
            offset: addr.saturating_sub(found.address),
            size: found.size,
        })
    }

    fn user(&mut self, process: Process, addr: u64) -> Option<UserSym> {
        let found = self.users.borrow_mut().lookup(whose(process), addr);
        found.map(shown)
    }

    fn user_any(&mut self, process: Process, addr: u64) -> Option<UserSym> {
        let found = self.users.borrow_mut().lookup_any(whose(process), addr);
        found.map(shown)
    }
}

fn whose(process: Process) -> Whose {
    Whose {
        pid: process.pid(),
        word: process.word,
        stamped: process.word != u64::from(process.pid()),
        time: process.time,
    }
}

fn shown(found: Symbol) -> UserSym {
    UserSym {
        module: found.module.map(|m| m.to_string()),
        name: found.name.map(|n| n.to_string()),
        offset: found.offset,
    }
}

/// Local time and the names of /etc/services.
#[derive(Default)]
pub struct SystemNames {
    zone: std::cell::OnceCell<Zone>,
}

impl Names for SystemNames {
    fn local(&self, secs: i64) -> Tm {
        let zone = self.zone.get_or_init(Zone::local);
        consumer::time::utc(secs.saturating_add(zone.offset(secs)))
    }

    fn service(&self, port: u16) -> Option<String> {
        let text = std::fs::read_to_string("/etc/services").ok()?;
        let wanted = port.to_string();
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().filter(|n| !n.starts_with('#'))?;
            (words.next()?.split('/').next()? == wanted).then(|| name.to_owned())
        })
    }
}

/// A time (seconds since 1970) on the clock on the wall, as ctime(3) writes it.
pub fn local_date(secs: i64) -> String {
    consumer::time::date(&SystemNames::default().local(secs))
}

/// The aggregations of a loaded image.
pub struct KernelAggs<'a> {
    /// The image in the kernel.
    pub loaded: &'a Loaded,
    /// Its description.
    pub image: &'a Image,
}

impl KernelAggs<'_> {
    fn is_hash(&self, agg: u32) -> bool {
        let storage = self.image.aggs.get(agg as usize).map(|a| a.storage);
        matches!(storage, Some(AggStorage::Hash(_)))
    }
}

fn io_error(e: LoadError) -> io::Error {
    io::Error::other(e.to_string())
}

impl AggSource for KernelAggs<'_> {
    fn snapshot(&mut self, agg: u32, into: &mut Snapshot) -> io::Result<()> {
        let read = self.loaded.aggregation(agg, |key, values| match key {
            kernel::AggKey::Bytes(key) => into.push(AggKey::Bytes(key), values),
            kernel::AggKey::Slot(slot) => into.push(AggKey::Slot(slot), values),
        });
        read.map_err(io_error)
    }

    fn reset(&mut self, agg: u32, key: AggKey<'_>) -> io::Result<()> {
        let key = match key {
            AggKey::Bytes(key) => kernel::AggKey::Bytes(key),
            AggKey::Slot(slot) => kernel::AggKey::Slot(slot),
        };
        self.loaded.reset_entry(agg, key).map_err(io_error)
    }

    fn delete(&mut self, agg: u32, key: &[u8], last: &mut Vec<u64>) -> io::Result<bool> {
        if !self.is_hash(agg) {
            return Ok(false);
        }
        let taken = self.loaded.take_entry(agg, key).map_err(io_error)?;
        last.extend(taken.unwrap_or_default());
        Ok(true)
    }
}

/// Library actions and messages.
pub struct Host<'a> {
    /// Options; `setopt()` changes them.
    pub options: &'a mut Options,
    /// Where output goes.
    pub sinks: Sinks,
    /// Where messages go.
    pub front: &'a mut dyn Front,
    /// Messages that wait for others, between [`Host::hold`] and [`Host::tell`].
    pub held: Option<Vec<String>>,
}

impl Host<'_> {
    /// From now on messages are held.
    pub fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    /// Passes on what was held.
    pub fn tell(&mut self) {
        let held = self.held.take().unwrap_or_default();
        self.front.messages(&held);
    }
}

impl Actions for Host<'_> {
    fn system(&mut self, command: &[u8]) {
        let status = crate::priority::without(|| {
            Command::new("sh")
                .arg("-c")
                .arg(OsStr::from_bytes(command))
                .status()
        });
        if let Err(e) = status {
            self.front
                .message(&format!("failed to execute sh: {}", plain(&e)));
        }
    }

    fn freopen(&mut self, path: &[u8], out: &mut Output) -> Result<(), String> {
        let sink = self.sinks.reopen(path).map_err(|e| plain(&e))?;
        out.replace(sink).map(drop).map_err(|e| e.to_string())
    }

    fn ftruncate(&mut self, _out: &mut Output) -> Result<(), String> {
        self.sinks.truncate().map_err(|e| plain(&e))
    }

    fn setopt(&mut self, name: &str, value: &str) -> Result<(), String> {
        let value = Some(value).filter(|v| !v.is_empty());
        self.options
            .set(name, value, Setter::Running)
            .map_err(|e| e.to_string())
    }

    fn message(&mut self, text: &str) {
        match &mut self.held {
            Some(held) => held.push(text.to_owned()),
            None => self.front.message(text),
        }
    }
}
