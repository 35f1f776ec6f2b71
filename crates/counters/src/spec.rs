//! Lists of events as `-c` takes them: `[picN=]EVENT[,ATTRIBUTE[N][=VALUE]]…[,[picN=]EVENT…]`.
//!
//! `sys` counts in the kernel too, `nouser` no longer in user mode, which is what is counted otherwise; other attributes are
//! terms of the event's unit (`umask=0x3`). With a number an attribute is of that counter's event, without of all of them. (Syntax:
//! `cpustat(1M)`, `cputrack(1)`.) `UNIT/EVENT/` is an event of a unit that several CPUs share.

use crate::events::{CACHE, HARDWARE, Modes, RAW};
use crate::find::{Event, find};
use crate::units::{Unit, own_events};
use sys::perf::Attr;

/// Counters have numbers below this.
const PICS: u32 = 64;

/// One event of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Want {
    /// As typed.
    pub name: String,
    /// The number of its column.
    pub pic: u32,
    /// What it stands for.
    pub event: Event,
    /// Count in user mode.
    pub user: bool,
    /// Count in the kernel.
    pub kernel: bool,
    /// It is counted for several CPUs at once, by one of those that count it.
    pub shared: bool,
    /// CPUs that count it, with the unit of each kind of core; none: all alike.
    pub cores: Vec<Cores>,
}

/// Some CPUs, and which of several units theirs is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores {
    /// The CPUs.
    pub cpus: Vec<u32>,
    /// The unit's number, where an event of all units is meant; 0 where the event says it.
    pub unit: u32,
}

/// A list of events, which are counted together if they can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Set {
    /// The list as typed.
    pub name: String,
    /// The events, by number; the first is the cycles if `cycles`.
    pub wants: Vec<Want>,
    /// Cycles are counted besides.
    pub cycles: bool,
}

/// What is wrong with a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nobody knows that.
    #[error("no such event or attribute: {0}")]
    Unknown(String),
    /// `picN` twice.
    #[error("counter {0} has two events")]
    Repeated(u32),
    /// `picN=` without an event, or with too high a number.
    #[error("{0} is no counter and its event (pic0=EVENT)")]
    Pic(String),
    /// An attribute of a counter that has no event.
    #[error("{0} is of a counter without event")]
    NoEvent(String),
    /// No number.
    #[error("invalid value of {0}")]
    Value(String),
    /// The event's unit has no such attribute, or the value is too large for it.
    #[error("event {event} does not take the attribute {attribute}")]
    Attribute {
        /// The event.
        event: String,
        /// The attribute, as typed.
        attribute: String,
    },
    /// No mode is left.
    #[error("event {0} would be counted neither in user mode (nouser) nor in the kernel (no sys)")]
    Neither(String),
    /// `nouser` of an event that knows no modes.
    #[error("event {0} cannot be counted in one mode only: leave nouser out")]
    Modeless(String),
    /// No event at all.
    #[error("no event in the list")]
    Empty,
}

impl Want {
    /// An event on a machine with these units, counted in user mode only; its column has number 0.
    pub fn new(name: &str, event: Event, units: &[Unit]) -> Want {
        let (shared, cores) = cores(&event, units);
        Want {
            name: name.to_owned(),
            pic: 0,
            event,
            user: true,
            kernel: false,
            shared,
            cores,
        }
    }

    /// How the kernel is asked for it.
    pub fn attr(&self) -> Attr {
        self.attr_of(0)
    }

    /// The same of one of several units.
    pub(crate) fn attr_of(&self, unit: u32) -> Attr {
        let [config, config1, config2] = self.event.words;
        // The upper half of the number of a generic event tells the unit (Linux 5.13).
        let config = config | u64::from(unit) << 32;
        let attr = Attr::counting(self.event.kind, [config, config1, config2]);
        match (self.event.modes(), self.shared) {
            (Modes::Apart, false) => attr.only(self.user, self.kernel),
            (Modes::Apart, true) | (Modes::Kernel | Modes::Whole, _) => attr,
        }
    }

    /// Processor cycles in both modes, on the cores of a list's other events.
    fn cycles(units: &[Unit]) -> Want {
        let event = Event {
            kind: HARDWARE,
            words: [0; 3],
            row: crate::events::row("cpu-cycles"),
        };
        Want {
            kernel: true,
            ..Want::new("cpu-cycles", event, units)
        }
    }

    fn check(&self) -> Result<(), SpecError> {
        let modeless = self.shared || self.event.modes() == Modes::Whole;
        match (modeless, self.user, self.kernel) {
            (true, false, _) => Err(SpecError::Modeless(self.name.clone())),
            (false, false, false) if self.event.modes() == Modes::Apart => {
                Err(SpecError::Neither(self.name.clone()))
            }
            (true | false, _, _) => Ok(()),
        }
    }

    /// Sets an attribute; `None` if its unit has no such.
    fn set(&mut self, term: &str, value: u64, units: &[Unit]) -> Option<()> {
        match term {
            "nouser" => self.user = false,
            "sys" => self.kernel = true,
            _ => unit_of(&self.event, units)?.set(&mut self.event.words, term, value)?,
        }
        Some(())
    }
}

/// The unit that an event is of.
fn unit_of<'a>(event: &Event, units: &'a [Unit]) -> Option<&'a Unit> {
    let own = units.iter().find(|unit| unit.kind == event.kind);
    let cpu = units.iter().find(|unit| unit.is_cpu());
    let found = if event.kind == RAW { own.or(cpu) } else { own };
    found.filter(|_| event.row.is_none())
}

/// An attribute before it is known whose.
struct Attribute<'a> {
    typed: &'a str,
    term: &'a str,
    pic: Option<u32>,
    value: u64,
}

/// Splits a number off the end of a word.
fn numbered(word: &str) -> (&str, Option<u32>) {
    let head = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = word.get(head.len()..).and_then(|n| n.parse().ok());
    (head, number)
}

/// A number as `strtoll(3)` reads it.
fn value(text: &str) -> Option<u64> {
    match (text.strip_prefix("0x"), text.strip_prefix('0')) {
        (Some(hex), _) => u64::from_str_radix(hex, 16).ok(),
        (None, Some(octal)) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        (None, _) => text.parse().ok(),
    }
}

/// The attribute that a word is, if it is one of any unit's.
fn attribute<'a>(typed: &'a str, units: &[Unit]) -> Result<Option<Attribute<'a>>, SpecError> {
    let (word, given) = typed
        .split_once('=')
        .map_or((typed, None), |(word, given)| (word, Some(given)));
    let known = |term: &str| {
        let mut terms = units.iter().flat_map(|unit| &unit.terms);
        matches!(term, "nouser" | "sys") || terms.any(|(name, _)| name == term)
    };
    let (term, pic) = match numbered(word) {
        _ if known(word) => (word, None),
        (term, Some(pic)) if known(term) => (term, Some(pic)),
        (_, _) => return Ok(None),
    };
    let value = given.map_or(Some(1), value);
    let value = value.ok_or_else(|| SpecError::Value(typed.to_owned()))?;
    Ok(Some(Attribute {
        typed,
        term,
        pic,
        value,
    }))
}

/// The kinds of cores of a processor that has several.
fn kinds(units: &[Unit]) -> Vec<Cores> {
    let cores = units.iter().filter(|unit| unit.is_cpu());
    let kinds = cores.filter_map(|unit| {
        Some(Cores {
            cpus: unit.cores.clone()?,
            unit: unit.kind,
        })
    });
    let kinds: Vec<Cores> = kinds.collect();
    if kinds.len() > 1 { kinds } else { Vec::new() }
}

/// The CPUs that count an event.
fn cores(event: &Event, units: &[Unit]) -> (bool, Vec<Cores>) {
    if matches!(event.kind, HARDWARE | CACHE) {
        return (false, kinds(units));
    }
    let Some(unit) = unit_of(event, units) else {
        return (false, Vec::new());
    };
    let only = |cpus: &Vec<u32>| Cores {
        cpus: cpus.clone(),
        unit: 0,
    };
    match (&unit.shared, kinds(units).is_empty()) {
        (Some(readers), _) => (true, vec![only(readers)]),
        (None, false) => (false, unit.cores.iter().map(only).collect()),
        (None, true) => (false, Vec::new()),
    }
}

/// An event of a unit, as `UNIT/EVENT/`.
fn of_unit(name: &str, units: &[Unit]) -> Option<Event> {
    let (unit, event) = name.strip_suffix('/')?.split_once('/')?;
    let unit = units.iter().find(|known| known.name == unit)?;
    let event = unit.events.iter().find(|known| known.name == event)?;
    Some(Event {
        kind: event.kind,
        words: [event.config, event.config1, event.config2],
        row: None,
    })
}

impl Set {
    /// Reads a list for a machine with these units.
    pub fn parse(text: &str, units: &[Unit]) -> Result<Set, SpecError> {
        let (mut wants, mut attributes) = (Vec::<Want>::new(), Vec::new());
        for word in text.split(',').filter(|word| !word.is_empty()) {
            if let Some(attribute) = attribute(word, units)? {
                attributes.push(attribute);
                continue;
            }
            let next = wants.iter().map(|want| want.pic + 1).max().unwrap_or(0);
            let (name, pic) = match word.split_once('=') {
                Some((counter, name)) => (name, pic(counter, name, word)?),
                None => (word, next),
            };
            if wants.iter().any(|want| want.pic == pic) {
                return Err(SpecError::Repeated(pic));
            }
            let generic = || find(name, || own_events(units).into());
            let event = of_unit(name, units).or_else(generic);
            let event = event.ok_or_else(|| SpecError::Unknown(name.to_owned()))?;
            wants.push(Want {
                pic,
                ..Want::new(name, event, units)
            });
        }
        wants.sort_by_key(|want| want.pic);
        let mut set = Set {
            name: text.to_owned(),
            wants,
            cycles: false,
        };
        for attribute in &attributes {
            set.apply(attribute, units)?;
        }
        set.wants.iter().try_for_each(Want::check)?;
        if set.wants.is_empty() {
            return Err(SpecError::Empty);
        }
        Ok(set)
    }

    fn apply(&mut self, attribute: &Attribute<'_>, units: &[Unit]) -> Result<(), SpecError> {
        let mut any = false;
        for want in &mut self.wants {
            if attribute.pic.is_none_or(|pic| pic == want.pic) {
                any = true;
                let set = want.set(attribute.term, attribute.value, units);
                set.ok_or_else(|| SpecError::Attribute {
                    event: want.name.clone(),
                    attribute: attribute.typed.to_owned(),
                })?;
            }
        }
        match any || self.wants.is_empty() {
            true => Ok(()),
            false => Err(SpecError::NoEvent(attribute.typed.to_owned())),
        }
    }

    /// The same, counting cycles besides.
    pub fn with_cycles(mut self, units: &[Unit]) -> Set {
        self.cycles = true;
        self.wants.insert(0, Want::cycles(units));
        self
    }

    /// The event that speaks for the list.
    pub(crate) fn first(&self) -> &Want {
        // Parsing sees to it that there is one.
        &self.wants[0]
    }

    /// The events that were asked for.
    pub fn events(&self) -> &[Want] {
        self.wants.get(usize::from(self.cycles)..).unwrap_or(&[])
    }

    /// Whether nothing in user mode is counted.
    pub fn is_system_only(&self) -> bool {
        self.events().iter().all(|want| want.kernel && !want.user)
    }
}

/// The number of `picN`.
fn pic(counter: &str, name: &str, word: &str) -> Result<u32, SpecError> {
    match numbered(counter) {
        ("pic", Some(pic)) if pic < PICS && !name.is_empty() => Ok(pic),
        ("pic", _) => Err(SpecError::Pic(word.to_owned())),
        (_, _) => Err(SpecError::Unknown(word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::PmuEvent;

    fn units() -> Vec<Unit> {
        let event = |name: &str, kind, config| PmuEvent {
            name: name.to_owned(),
            kind,
            config,
            config1: 0,
            config2: 0,
        };
        vec![
            Unit {
                name: "cpu".to_owned(),
                kind: RAW,
                terms: vec![
                    ("edge".to_owned(), "config:18".to_owned()),
                    ("umask".to_owned(), "config:8-15".to_owned()),
                ],
                events: vec![event("mem-loads", RAW, 0x1cd)],
                ..Unit::default()
            },
            Unit {
                name: "uncore_imc_0".to_owned(),
                kind: 12,
                shared: Some(vec![0, 8]),
                events: vec![event("cas_count_read", 12, 0x304)],
                ..Unit::default()
            },
        ]
    }

    /// Each event: its number, its name, and the modes.
    fn parsed(text: &str) -> Result<Vec<(u32, String, bool, bool)>, SpecError> {
        let set = Set::parse(text, &units())?;
        let shown = set.wants.into_iter();
        Ok(shown.map(|w| (w.pic, w.name, w.user, w.kernel)).collect())
    }

    fn row(pic: u32, name: &str, user: bool, kernel: bool) -> (u32, String, bool, bool) {
        (pic, name.to_owned(), user, kernel)
    }

    #[test]
    fn events_take_the_next_counter_or_the_one_named() {
        let (tot, cyc) = ("PAPI_tot_ins", "PAPI_tot_cyc");
        let both = Ok(vec![row(0, tot, true, false), row(1, cyc, true, false)]);
        assert_eq!(parsed("PAPI_tot_ins,PAPI_tot_cyc"), both);
        assert_eq!(parsed("pic0=PAPI_tot_ins,pic1=PAPI_tot_cyc"), both);
        assert_eq!(parsed("pic1=PAPI_tot_cyc,pic0=PAPI_tot_ins"), both);
        let after = parsed("pic12=r1c2,PAPI_tot_ins");
        assert_eq!(
            after,
            Ok(vec![
                row(12, "r1c2", true, false),
                row(13, tot, true, false)
            ])
        );
    }

    #[test]
    fn attributes_are_of_all_events_or_of_one() {
        let all = parsed("cycles,instructions,sys");
        assert_eq!(
            all,
            Ok(vec![
                row(0, "cycles", true, true),
                row(1, "instructions", true, true)
            ])
        );
        let one = parsed("instructions,instructions,nouser1,sys1");
        assert_eq!(
            one,
            Ok(vec![
                row(0, "instructions", true, false),
                row(1, "instructions", false, true)
            ])
        );
        let set = Set::parse("mem-loads,r3c,umask0=0x20,edge1,edge0=01", &units());
        let words: Vec<_> = set
            .iter()
            .flat_map(|s| &s.wants)
            .map(|w| w.event.words)
            .collect();
        assert_eq!(words, [[0x4_20cd, 0, 0], [0x4_003c, 0, 0]]);
        assert!(Set::parse("instructions,nouser,sys", &units()).is_ok_and(|s| s.is_system_only()));
    }

    #[test]
    fn mistakes_are_named() {
        let why = |text: &str| {
            parsed(text)
                .err()
                .map(|e| e.to_string())
                .unwrap_or_default()
        };
        let table = [
            ("nonsense", "no such event or attribute: nonsense"),
            ("foo=1", "no such event or attribute: foo=1"),
            ("pic0=cycles,pic0=cycles", "counter 0 has two events"),
            ("pic0=", "pic0= is no counter and its event (pic0=EVENT)"),
            (
                "pic99=cycles",
                "pic99=cycles is no counter and its event (pic0=EVENT)",
            ),
            ("cycles,sys3", "sys3 is of a counter without event"),
            ("r3c,umask=x", "invalid value of umask=x"),
            (
                "r3c,umask=256",
                "event r3c does not take the attribute umask=256",
            ),
            (
                "cycles,umask=1",
                "event cycles does not take the attribute umask=1",
            ),
            (
                "task-clock,nouser,sys",
                "event task-clock cannot be counted in one mode only: leave nouser out",
            ),
            ("", "no event in the list"),
            ("sys", "no event in the list"),
        ];
        for (text, expected) in table {
            assert_eq!(why(text), expected, "{text}");
        }
        assert!(why("cycles,nouser").starts_with("event cycles would be counted neither"));
    }

    #[test]
    fn the_kernels_own_events_have_their_own_modes() {
        let counted = |text: &str| {
            let set = Set::parse(text, &units()).ok()?;
            let attr = set.wants.first()?.attr();
            Some((attr.counts_user(), attr.counts_kernel()))
        };
        assert_eq!(counted("cycles"), Some((true, false)));
        assert_eq!(counted("page-faults,sys,nouser"), Some((false, true)));
        // They happen in the kernel: counting them in user mode would give 0.
        assert_eq!(counted("context-switches"), Some((true, true)));
        assert_eq!(counted("context-switches,nouser"), Some((true, true)));
        assert_eq!(counted("task-clock"), Some((true, true)));
        assert_eq!(counted("uncore_imc_0/cas_count_read/"), Some((true, true)));
        let shared = Set::parse("uncore_imc_0/cas_count_read/", &units());
        assert_eq!(
            shared.map(|s| (s.wants[0].shared, s.wants[0].cores[0].cpus.clone())),
            Ok((true, vec![0, 8]))
        );
    }
}
