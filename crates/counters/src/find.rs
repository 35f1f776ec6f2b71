//! From the name of an event to what the kernel knows it by.

use crate::events::{CACHE, HARDWARE, Modes, RAW, Row, row, same};
use crate::units::PmuEvent;
use sys::errno;

/// What an event name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// `PERF_TYPE_*`, or the number of a unit of this machine.
    pub kind: u32,
    /// `config`, `config1`, `config2`.
    pub words: [u64; 3],
    /// Its row, if it is one that every kernel names alike.
    pub row: Option<&'static Row>,
}

impl Event {
    /// What of it can be told apart by mode.
    pub fn modes(&self) -> Modes {
        self.row.map_or(Modes::Apart, |row| row.modes)
    }
}

/// `rNNN` or `0xNNN`: the number that the CPU's unit knows the event by.
fn raw(name: &str) -> Option<u64> {
    let digits = name.strip_prefix('r').or_else(|| name.strip_prefix("0x"))?;
    let plain = digits.bytes().all(|c| c.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| plain)
}

/// What a name stands for on a machine whose units have these events: a row, a raw number, or one of theirs.
pub fn find(name: &str, own: impl FnOnce() -> std::rc::Rc<[PmuEvent]>) -> Option<Event> {
    if let Some(row) = row(name) {
        return Some(Event {
            kind: row.kind,
            words: [row.config, 0, 0],
            row: Some(row),
        });
    }
    if let Some(config) = raw(name) {
        return Some(Event {
            kind: RAW,
            words: [config, 0, 0],
            row: None,
        });
    }
    let own = own();
    let found = own.iter().find(|own| same(&own.name, name))?;
    Some(Event {
        kind: found.kind,
        words: [found.config, found.config1, found.config2],
        row: None,
    })
}

/// What to add to the refusal of an event of this type: why it may be.
pub fn refusal(kind: u32, errno: i32) -> &'static str {
    let ordinary = matches!(kind, HARDWARE | CACHE | RAW);
    match errno {
        errno::ENOENT | errno::ENOTSUP if ordinary => {
            "; this machine, or this guest of it, shows no such performance counter"
        }
        errno::EBUSY | errno::ENOSPC => "; others use the performance counters",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::SOFTWARE;
    use std::rc::Rc;

    #[test]
    fn rows_come_before_raw_numbers_and_the_machines_own() {
        let own = |name: &str| -> Rc<[PmuEvent]> {
            Rc::new([PmuEvent {
                name: name.to_owned(),
                kind: 9,
                config: 0x3c,
                config1: 7,
                config2: 0,
            }])
        };
        let found = |name| find(name, || own("mem-loads")).map(|e| (e.kind, e.words));
        assert_eq!(found("PAPI_tot_ins"), Some((HARDWARE, [1, 0, 0])));
        assert_eq!(found("r1c2"), Some((RAW, [0x1c2, 0, 0])));
        assert_eq!(found("0x1c2"), Some((RAW, [0x1c2, 0, 0])));
        assert_eq!(found("MEM_loads"), Some((9, [0x3c, 7, 0])));
        for none in ["r", "r+1", "0x", "1c2", "mem", ""] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn refusals_are_explained_where_they_can_be() {
        assert!(refusal(HARDWARE, errno::ENOENT).contains("no such performance counter"));
        assert!(refusal(HARDWARE, errno::EBUSY).contains("others use"));
        assert_eq!(refusal(SOFTWARE, errno::ENOENT), "");
        assert_eq!(refusal(CACHE, errno::EACCES), "");
    }
}
