//! Events of the CPU's own performance-monitoring units, from `/sys/bus/event_source/devices`.
//!
//! `UNIT/type` is the unit's number, `UNIT/events/NAME` holds terms (`event=0x3c,umask=0x01`), and `UNIT/format/TERM`
//! tells which bits of which configuration word a term fills (`config:0-7,32-35`); see
//! `Documentation/ABI/testing/sysfs-bus-event_source-devices-{events,format}` of the kernel.

use crate::PmuEvent;
use std::fs;
use std::path::Path;

const DEVICES: &str = "/sys/bus/event_source/devices";

/// Events of all units that count on every CPU, by unit and name.
pub(crate) fn events() -> Vec<PmuEvent> {
    let mut units: Vec<_> = directory(Path::new(DEVICES));
    units.sort();
    units.iter().flat_map(|unit| of_unit(unit)).collect()
}

fn directory(path: &Path) -> Vec<std::path::PathBuf> {
    // A unit without events has no such directory.
    let entries = fs::read_dir(path).into_iter().flatten();
    entries.flatten().map(|entry| entry.path()).collect()
}

fn of_unit(unit: &Path) -> Vec<PmuEvent> {
    // What is shared by several CPUs (memory controllers, power) cannot be told apart by CPU, nor sampled.
    if unit.join("cpumask").exists() {
        return Vec::new();
    }
    let kind = fs::read_to_string(unit.join("type")).ok();
    let Some(kind) = kind.and_then(|text| text.trim().parse().ok()) else {
        return Vec::new();
    };
    let mut files = directory(&unit.join("events"));
    files.sort();
    let format = |term: &str| fs::read_to_string(unit.join("format").join(term)).ok();
    let events = files.iter().filter_map(|file| {
        let name = file.file_name()?.to_str()?.to_owned();
        let words = words(fs::read_to_string(file).ok()?.trim(), &format)?;
        let [config, config1, config2] = words;
        Some(PmuEvent {
            name,
            kind,
            config,
            config1,
            config2,
        })
    });
    // `NAME.unit` and `NAME.scale` are facts about an event.
    events
        .filter(|event| !event.name.ends_with(".unit") && !event.name.ends_with(".scale"))
        .collect()
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
}
