//! Names of code that was compiled at run time, from `/tmp/perf-PID.map`.
//!
//! Format (`tools/perf/Documentation/jit-interface.txt` of Linux): a line for each function, `START SIZE name`, numbers
//! in hexadecimal without prefix. The file only grows; a later line replaces what it overlaps.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::process;

/// Most bytes of a file that are read: a hundred times what large programs write.
const MOST: u64 = 1 << 30;
/// Bytes read at a time.
const PIECE: usize = 1 << 20;
/// How long a file that was not there is not looked for again.
const PATIENCE: Duration = Duration::from_millis(500);

/// The file of one process.
#[derive(Debug, Default)]
pub struct PerfMap {
    file: Option<File>,
    missed: Option<Instant>,
    read: u64,
    rest: Vec<u8>,
    functions: BTreeMap<u64, (u64, Box<str>)>,
}

/// A function of a perf map file: name and how far behind its start an address is.
pub type Found<'a> = (&'a str, u64);

impl PerfMap {
    /// Opens the file of a process while there is one, so that it can be read when that has ended. The process names the
    /// file by its own number in its own root; without process, it is looked for by `pid` here.
    pub fn open(&mut self, pid: u32) {
        if self.file.is_some() || self.missed.is_some_and(|m| m.elapsed() < PATIENCE) {
            return;
        }
        let path = match process::own_pid(pid) {
            Ok(own) => process::root(pid).join(format!("tmp/perf-{own}.map")),
            Err(_gone) => PathBuf::from(format!("/tmp/perf-{pid}.map")),
        };
        // Who may make files in /tmp must not choose what is read.
        let plain = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_file());
        self.file = plain.then(|| process::open_same(&path, 0).ok()).flatten();
        self.missed = self.file.is_none().then(Instant::now);
    }

    /// The function around an address; reads what was added if it is not known.
    pub fn find(&mut self, pid: u32, address: u64) -> Option<Found<'_>> {
        if self.known(address).is_none() {
            self.open(pid);
            self.refresh();
        }
        self.known(address)
    }

    fn known(&self, address: u64) -> Option<Found<'_>> {
        let (start, (size, name)) = self.functions.range(..=address).next_back()?;
        let offset = address - start;
        (offset < *size).then_some((name.as_ref(), offset))
    }

    fn refresh(&mut self) {
        let Some(file) = self.file.take() else {
            return;
        };
        let mut piece = vec![0; PIECE];
        while self.read < MOST {
            let Ok(len @ 1..) = file.read_at(&mut piece, self.read) else {
                break;
            };
            self.read += len as u64;
            self.take(piece.get(..len).unwrap_or_default());
        }
        self.file = Some(file);
    }

    /// Takes bytes of the file; an unfinished last line is kept for later.
    fn take(&mut self, bytes: &[u8]) {
        let mut text = std::mem::take(&mut self.rest);
        text.extend_from_slice(bytes);
        let end = text.iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        for line in text.get(..end).unwrap_or_default().split(|b| *b == b'\n') {
            if let Some((start, size, name)) = parse(line) {
                self.add(start, size, name);
            }
        }
        self.rest = text.split_off(end);
    }

    fn add(&mut self, start: u64, size: u64, name: &str) {
        let end = start.saturating_add(size);
        let below = self.functions.range(..start).next_back();
        let below = below
            .filter(|(s, (n, _))| s.saturating_add(*n) > start)
            .map(|(s, _)| *s);
        let inside: Vec<u64> = self.functions.range(start..end).map(|(s, _)| *s).collect();
        for old in below.into_iter().chain(inside) {
            self.functions.remove(&old);
        }
        self.functions.insert(start, (size, name.into()));
    }
}

fn parse(line: &[u8]) -> Option<(u64, u64, &str)> {
    let text = std::str::from_utf8(line).ok()?;
    let mut words = text.splitn(3, ' ');
    let mut hex = || {
        let word = words.next()?;
        u64::from_str_radix(word.strip_prefix("0x").unwrap_or(word), 16).ok()
    };
    let (start, size) = (hex()?, hex()?);
    let name = words.next()?.trim();
    (size > 0 && !name.is_empty()).then_some((start, size, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_replace_what_they_overlap() {
        let mut map = PerfMap::default();
        map.take(b"1000 100 first one\n0x1100 80 second\nrubbish\n2000 0 empty\n10");
        map.take(b"c0 60 third\n3000 10 unfinished");
        let name = |m: &PerfMap, a| m.known(a).map(|(n, o)| (n.to_owned(), o));
        assert_eq!(name(&map, 0x1000), None);
        assert_eq!(name(&map, 0x10c4), Some(("third".into(), 4)));
        assert_eq!(name(&map, 0x1130), None);
        assert_eq!(name(&map, 0x2000), None);
        assert_eq!(name(&map, 0x3001), None);
        map.take(b"\n");
        assert_eq!(name(&map, 0x3001), Some(("unfinished".into(), 1)));
        assert_eq!(name(&map, 0x3010), None);
    }

    #[test]
    fn the_file_of_this_process() {
        let pid = std::process::id();
        let path = format!("/tmp/perf-{pid}.map");
        std::fs::write(&path, "5000 10 early\n").unwrap();
        let mut map = PerfMap::default();
        let early = map.find(pid, 0x5008).map(|(n, _)| n.to_owned());
        std::fs::write(&path, "5000 10 early\n6000 10 late\n").unwrap();
        let late = map.find(pid, 0x6000).map(|(n, _)| n.to_owned());
        std::fs::remove_file(&path).unwrap();
        assert_eq!((early, late), (Some("early".into()), Some("late".into())));
    }
}
