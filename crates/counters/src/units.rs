//! Events of the CPU's own performance-monitoring units, from `/sys/bus/event_source/devices`.
//!
//! `UNIT/type` is the unit's number, `UNIT/events/NAME` holds terms (`event=0x3c,umask=0x01`), and `UNIT/format/TERM`
//! tells which bits of which configuration word a term fills (`config:0-7,32-35`); see
//! `Documentation/ABI/testing/sysfs-bus-event_source-devices-{events,format}` of the kernel.

use std::fs;
use std::path::{Path, PathBuf};

const DEVICES: &str = "/sys/bus/event_source/devices";

/// An event of the CPU's own performance-monitoring unit, as the kernel names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PmuEvent {
    /// Name.
    pub name: String,
    /// Number of the unit, a perf event type.
    pub kind: u32,
    /// Event of the unit.
    pub config: u64,
    /// More of it.
    pub config1: u64,
    /// More of it.
    pub config2: u64,
}

/// A performance-monitoring unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Name in sysfs.
    pub name: String,
    /// A perf event type.
    pub kind: u32,
    /// It is shared by several CPUs (a memory controller); these read it.
    pub shared: Option<Vec<u32>>,
    /// It is of these CPUs only: the processor has cores of several kinds.
    pub cores: Option<Vec<u32>>,
    /// Terms of its events, and the bits that they fill (`config:0-7,32-35`).
    pub terms: Vec<(String, String)>,
    /// Its events by name.
    pub events: Vec<PmuEvent>,
}

impl Unit {
    /// Sets the bits of a term in an event's words; `None` if the unit has no such term or the value does not fit.
    pub fn set(&self, words: &mut [u64; 3], term: &str, value: u64) -> Option<()> {
        let (_, bits) = self.terms.iter().find(|(name, _)| name == term)?;
        let (word, bits) = bits.split_once(':')?;
        let word = words.get_mut(WORDS.iter().position(|w| *w == word)?)?;
        let (all, set) = (spread(u64::MAX, bits)?, spread(value, bits)?);
        let fits = 1_u64
            .checked_shl(all.count_ones())
            .is_none_or(|limit| value < limit);
        *word = *word & !all | set;
        fits.then_some(())
    }

    /// Whether it is a CPU's own, which raw numbers are of: `cpu` on x86, `armv8_…` on Arm.
    pub fn is_cpu(&self) -> bool {
        matches!(self.name.as_str(), "cpu" | "cpu_core" | "cpu_atom")
            || self.name.starts_with("armv")
    }
}

/// All units of this machine, by name.
pub fn units() -> Vec<Unit> {
    let mut paths = directory(Path::new(DEVICES));
    paths.sort();
    paths.iter().filter_map(|path| unit(path)).collect()
}

/// Events of all units that count on every CPU, by unit and name. What is shared by several CPUs cannot be told apart by
/// CPU, nor sampled.
pub fn own_events(units: &[Unit]) -> Vec<PmuEvent> {
    let own = units.iter().filter(|unit| unit.shared.is_none());
    own.flat_map(|unit| unit.events.iter().cloned()).collect()
}

fn directory(path: &Path) -> Vec<PathBuf> {
    // A unit without events has no such directory.
    let entries = fs::read_dir(path).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}

fn name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_str()?.to_owned())
}

fn text(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}

fn unit(path: &Path) -> Option<Unit> {
    let kind = text(&path.join("type"))?.parse().ok()?;
    let mut terms: Vec<(String, String)> = directory(&path.join("format"))
        .iter()
        .filter_map(|file| Some((name(file)?, text(file)?)))
        .collect();
    terms.sort();
    let mut files = directory(&path.join("events"));
    files.sort();
    let format = |term: &str| Some(terms.iter().find(|(name, _)| name == term)?.1.clone());
    let event = |file: &PathBuf| {
        let name = name(file)?;
        // `NAME.unit` and `NAME.scale` are facts about an event.
        let fact = name.ends_with(".unit") || name.ends_with(".scale");
        let words = words(&text(file).filter(|_| !fact)?, &format)?;
        let [config, config1, config2] = words;
        Some(PmuEvent {
            name,
            kind,
            config,
            config1,
            config2,
        })
    };
    let events = files.iter().filter_map(event).collect();
    let cpus = |file: &str| text(&path.join(file)).map(|list| sys::proc::parse_cpu_list(&list));
    Some(Unit {
        name: name(path)?,
        kind,
        shared: cpus("cpumask"),
        cores: cpus("cpus"),
        events,
        terms,
    })
}

/// The configuration words of an event's terms; `None` if a term is unknown.
fn words(terms: &str, format: &dyn Fn(&str) -> Option<String>) -> Option<[u64; 3]> {
    let mut words = [0; 3];
    for term in terms.split(',').filter(|term| !term.is_empty()) {
        let (name, value) = term.split_once('=').unwrap_or((term, "1"));
        let value = number(value)?;
        let text = format(name).or_else(|| is_word(name).then(|| format!("{name}:0-63")))?;
        let (word, bits) = text.trim().split_once(':')?;
        let word = words.get_mut(WORDS.iter().position(|w| *w == word)?)?;
        *word |= spread(value, bits)?;
    }
    Some(words)
}

const WORDS: [&str; 3] = ["config", "config1", "config2"];

fn is_word(name: &str) -> bool {
    WORDS.contains(&name)
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Puts the low bits of a value where `0-7,32-35` says.
fn spread(mut value: u64, bits: &str) -> Option<u64> {
    let mut out = 0;
    for range in bits.split(',') {
        let (low, high) = range.split_once('-').unwrap_or((range, range));
        let (low, high): (u32, u32) = (low.parse().ok()?, high.parse().ok()?);
        let width = high.checked_sub(low).filter(|_| high < 64)? + 1;
        let mask = u64::MAX >> (64 - width);
        out |= (value & mask) << low;
        value = value.checked_shr(width).unwrap_or(0);
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_fill_their_bits() {
        let format = |term: &str| {
            let text = match term {
                "event" => "config:0-7,32-35\n",
                "umask" => "config:8-15\n",
                "edge" => "config:18\n",
                "ldlat" => "config1:0-15\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        let table = [
            ("event=0x3c", Some([0x3c, 0, 0])),
            ("event=0x1c2,umask=0x03,edge", Some([0x1_0004_03c2, 0, 0])),
            ("event=0xcd,umask=1,ldlat=3", Some([0x1cd, 3, 0])),
            ("config=0x11", Some([0x11, 0, 0])),
            ("event=?", None),
            ("other=1", None),
        ];
        for (terms, expected) in table {
            assert_eq!(words(terms, &format), expected, "{terms}");
        }
    }

    #[test]
    fn attributes_replace_their_bits() {
        let unit = Unit {
            name: "cpu".to_owned(),
            terms: vec![
                ("edge".to_owned(), "config:18".to_owned()),
                ("umask".to_owned(), "config:8-15".to_owned()),
            ],
            ..Unit::default()
        };
        let mut words = [0x1_12c2, 0, 0];
        assert_eq!(unit.set(&mut words, "umask", 3), Some(()));
        assert_eq!(unit.set(&mut words, "edge", 1), Some(()));
        assert_eq!(words, [0x5_03c2, 0, 0]);
        for (term, value) in [("umask", 0x100), ("edge", 2), ("inv", 1)] {
            assert_eq!(unit.set(&mut words.clone(), term, value), None, "{term}");
        }
    }
}
