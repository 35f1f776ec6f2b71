//! What the consumer asks of the outside: symbols, names, aggregation values, and actions on the system.
//!
//! Invariant: everything that touches the system goes through these traits; the rest of the crate is pure.

use crate::aggs::{AggKey, Snapshot};
use crate::output::Output;
use crate::time::{self, Tm};
use std::io;

/// A kernel symbol that holds an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSym {
    /// Module, `vmlinux` for the kernel itself.
    pub module: String,
    /// Function or object name.
    pub name: String,
    /// Bytes from the symbol's start to the address.
    pub offset: u64,
    /// Bytes of the symbol, 0 if unknown.
    pub size: u64,
}

/// What is known about an address of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserSym {
    /// Base name of the object mapped there.
    pub module: Option<String>,
    /// Function.
    pub name: Option<String>,
    /// Bytes from the function's start (from the object's load address if only the module is known).
    pub offset: u64,
}

/// A process as a record or an aggregation key names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Process {
    /// The word that was recorded: [`image::layout::process`]. Without a stamp, whatever has that number now.
    pub word: u64,
    /// When it was recorded (`CLOCK_MONOTONIC` ns); aggregations do not say.
    pub time: Option<u64>,
}

impl Process {
    /// Its number.
    pub fn pid(self) -> u32 {
        image::layout::process::pid(self.word)
    }
}

/// Names of addresses.
pub trait Symbols {
    /// The kernel symbol at `addr`, if any.
    fn kernel(&mut self, addr: u64) -> Option<KernelSym>;
    /// What code a process has at `addr`, if anything is known.
    fn user(&mut self, process: Process, addr: u64) -> Option<UserSym>;
    /// The same where the address may be that of a variable.
    fn user_any(&mut self, process: Process, addr: u64) -> Option<UserSym> {
        self.user(process, addr)
    }
}

/// No symbols at all: every address prints as a number.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSymbols;

impl Symbols for NoSymbols {
    fn kernel(&mut self, _addr: u64) -> Option<KernelSym> {
        None
    }

    fn user(&mut self, _process: Process, _addr: u64) -> Option<UserSym> {
        None
    }
}

/// Local time and network names, for `%Y %T %P %I`.
pub trait Names {
    /// Broken-down local time of `secs` since the epoch.
    fn local(&self, secs: i64) -> Tm {
        time::utc(secs)
    }
    /// Service name of a port in host byte order.
    fn service(&self, _port: u16) -> Option<String> {
        None
    }
    /// Host name of an address in text form.
    fn host(&self, _addr: &str) -> Option<String> {
        None
    }
}

/// UTC, and numbers instead of names.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoNames;

impl Names for NoNames {}

/// Access to the kernel's aggregation values. They are cumulative; the consumer subtracts what it has cleared.
pub trait AggSource {
    /// Appends the current value of every key of aggregation `agg` to `into`, which is empty and of the right shape.
    /// For [`image::AggStorage::Slots`], slots that are all zero may be left out.
    fn snapshot(&mut self, agg: u32, into: &mut Snapshot) -> io::Result<()>;

    /// Makes the value of one key as if it had never been set (for `min()` and `max()`, which cannot be subtracted).
    /// For a hash, removing the key is as good.
    fn reset(&mut self, agg: u32, key: AggKey<'_>) -> io::Result<()>;

    /// Takes one key out of a hash, appending the values it had at that moment to `last` (all CPUs, in the order of
    /// [`Snapshot::push`]; nothing if the key was not there). Returns false, and appends nothing, if this cannot be done in one step: the key then stays.
    fn delete(&mut self, _agg: u32, _key: &[u8], _last: &mut Vec<u64>) -> io::Result<bool> {
        Ok(false)
    }
}

/// Library actions that need the outside, and the channel for messages.
pub trait Actions {
    /// `system()`: run the command by the shell. The output has been flushed.
    fn system(&mut self, command: &[u8]);
    /// `freopen()`: replace the sink of `out` (flushed) by the file, opened for append; empty: the original one.
    /// The error is the reason alone.
    fn freopen(&mut self, path: &[u8], out: &mut Output) -> Result<(), String>;
    /// `ftruncate()`: truncate the file behind `out` (flushed).
    fn ftruncate(&mut self, out: &mut Output) -> Result<(), String>;
    /// `setopt()` of an option that is not the consumer's own. The error is the reason alone.
    fn setopt(&mut self, name: &str, value: &str) -> Result<(), String>;
    /// A fault, drop or library error: one line for the standard error, without `dtrace: ` and newline.
    fn message(&mut self, text: &str);
}
