//! Local time: how far the clock on the wall is from UTC, from the system's time zone file (TZif, RFC 8536).
//!
//! The C library is linked statically and its own time zone code is out of reach without `unsafe`. The transitions of
//! the file are used; for times after the last one, the rule at its end.

mod rule;

use rule::Rule;

use std::path::{Path, PathBuf};

/// A time zone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zone {
    /// Seconds east of UTC before the first transition.
    first: i64,
    /// Time of each transition, and the seconds east of UTC from then on.
    transitions: Vec<(i64, i64)>,
    /// For times after the last transition.
    rule: Option<Rule>,
}

impl Zone {
    /// The zone of `$TZ` or of the system; UTC if there is none.
    pub fn local() -> Zone {
        let tz = std::env::var("TZ").ok();
        let path = match &tz {
            Some(tz) => zone_file(tz),
            None => Some(PathBuf::from("/etc/localtime")),
        };
        let bytes = path.and_then(|p| std::fs::read(p).ok());
        bytes
            .and_then(|b| parse(&b))
            // No such file: `$TZ` may be a rule itself (POSIX, "Environment Variables").
            .or_else(|| tz.as_deref().and_then(Zone::of_rule))
            .unwrap_or_default()
    }

    /// The zone that a rule such as `EST5` or `CET-1CEST,M3.5.0,M10.5.0` describes.
    fn of_rule(text: &str) -> Option<Zone> {
        Rule::parse(text).map(|rule| Zone {
            rule: Some(rule),
            ..Zone::default()
        })
    }

    /// Seconds east of UTC at a time (seconds since 1970).
    pub fn offset(&self, secs: i64) -> i64 {
        if let Some(rule) = &self.rule
            && self.transitions.last().is_none_or(|(at, _)| *at <= secs)
        {
            return rule.offset(secs);
        }
        let after = self.transitions.partition_point(|(at, _)| *at <= secs);
        after
            .checked_sub(1)
            .and_then(|n| self.transitions.get(n))
            .map_or(self.first, |(_, offset)| *offset)
    }
}

fn zone_file(tz: &str) -> Option<PathBuf> {
    let name = tz.strip_prefix(':').unwrap_or(tz);
    if name.is_empty() || name == "UTC" {
        return None;
    }
    Some(Path::new("/usr/share/zoneinfo").join(name))
}

/// Counts in a header: transitions, types, characters, leap seconds, standard and UT indicators.
struct Header {
    times: usize,
    types: usize,
    rest: usize,
}

fn header(bytes: &[u8], time_size: usize) -> Option<Header> {
    let count =
        |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let (utc, std, leap, times, types, chars) = (
        count(20)?,
        count(24)?,
        count(28)?,
        count(32)?,
        count(36)?,
        count(40)?,
    );
    let rest = chars + leap * (time_size + 4) + std + utc;
    (times < 1 << 16 && types < 256).then_some(Header { times, types, rest })
}

fn parse(bytes: &[u8]) -> Option<Zone> {
    if bytes.get(..4)? != b"TZif" {
        return None;
    }
    let old = header(bytes, 4)?;
    let body = 44;
    if *bytes.get(4)? < b'2' {
        return block(bytes.get(body..)?, &old, 4);
    }
    let skip = body + old.times * 5 + old.types * 6 + old.rest;
    let bytes = bytes.get(skip..)?;
    let new = header(bytes, 8)?;
    let mut zone = block(bytes.get(body..)?, &new, 8)?;
    let end = body + new.times * 9 + new.types * 6 + new.rest;
    let footer = bytes.get(end..).and_then(|f| std::str::from_utf8(f).ok());
    zone.rule = footer.and_then(|f| Rule::parse(f.trim_matches('\n')));
    Some(zone)
}

fn block(bytes: &[u8], h: &Header, time_size: usize) -> Option<Zone> {
    let index_at = h.times * time_size;
    let types_at = index_at + h.times;
    let offset = |n: usize| {
        let at = types_at + n * 6;
        Some(i64::from(i32::from_be_bytes(
            bytes.get(at..at + 4)?.try_into().ok()?,
        )))
    };
    let time = |n: usize| {
        let raw = bytes.get(n * time_size..(n + 1) * time_size)?;
        Some(match time_size {
            4 => i64::from(i32::from_be_bytes(raw.try_into().ok()?)),
            _ => i64::from_be_bytes(raw.try_into().ok()?),
        })
    };
    let transition = |n: usize| Some((time(n)?, offset(usize::from(*bytes.get(index_at + n)?))?));
    Some(Zone {
        first: offset(0)?,
        transitions: (0..h.times).map(transition).collect::<Option<_>>()?,
        rule: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, times: &[(i64, u8)], offsets: &[i32]) -> Vec<u8> {
        let head = |times: usize, types: usize| {
            let mut h = b"TZif".to_vec();
            h.push(version);
            h.extend([0; 15]);
            for n in [0, 0, 0, times, types, 0] {
                h.extend((n as u32).to_be_bytes());
            }
            h
        };
        let mut bytes = if version == 0 { Vec::new() } else { head(0, 0) };
        bytes.extend(head(times.len(), offsets.len()));
        for (t, _) in times {
            if version == 0 {
                bytes.extend((*t as i32).to_be_bytes())
            } else {
                bytes.extend(t.to_be_bytes())
            }
        }
        bytes.extend(times.iter().map(|(_, i)| *i));
        for o in offsets {
            bytes.extend(o.to_be_bytes());
            bytes.extend([0, 0]);
        }
        bytes
    }

    #[test]
    fn transitions_of_both_versions() {
        for version in [0, b'2'] {
            let zone =
                parse(&file(version, &[(1000, 1), (2000, 0)], &[3600, 7200])).expect("a zone");
            assert_eq!(
                [0, 1000, 1999, 2000, 9999].map(|t| zone.offset(t)),
                [3600, 7200, 7200, 3600, 3600]
            );
        }
    }

    #[test]
    fn the_rule_counts_after_the_last_transition() {
        let mut bytes = file(b'2', &[(1000, 1)], &[3600, 7200]);
        bytes.extend(b"\nAAA-5\n");
        let zone = parse(&bytes).expect("a zone");
        assert_eq!([999, 1000].map(|t| zone.offset(t)), [3600, 18_000]);
    }

    #[test]
    fn broken_files_are_no_zone() {
        let good = file(b'2', &[(1000, 1)], &[0, 60]);
        // The last two bytes are an index into names, which are not read.
        for len in 0..good.len() - 2 {
            assert_eq!(parse(good.get(..len).unwrap_or_default()), None, "{len}");
        }
        assert_eq!(parse(&file(b'2', &[(1000, 9)], &[0])), None);
        assert_eq!(Zone::default().offset(5), 0);
    }
}
