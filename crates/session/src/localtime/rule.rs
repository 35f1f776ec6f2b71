//! The rule at the end of a time zone file (POSIX `TZ`, as in `CET-1CEST,M3.5.0,M10.5.0/3`): offsets for all times after
//! the last transition listed.

const DAY: i64 = 86_400;

/// Offsets by a yearly rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Seconds east of UTC.
    standard: i64,
    /// Offset, begin and end of summer time.
    summer: Option<(i64, When, When)>,
}

/// A moment of each year, in local time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct When {
    day: Day,
    /// Seconds after midnight; may be negative or more than a day.
    time: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Day {
    /// `Mm.w.d`: weekday `d` (0 is Sunday) of week `w` (5: the last) of month `m`.
    Week { month: i64, week: i64, weekday: i64 },
    /// `Jn`: 1 to 365, 29 February never counted.
    Julian(i64),
    /// `n`: 0 to 365.
    Plain(i64),
}

impl Rule {
    /// Reads a rule.
    pub fn parse(text: &str) -> Option<Rule> {
        let mut p = Parser(text);
        p.name()?;
        let standard = -p.offset()?;
        if p.0.is_empty() {
            return Some(Rule {
                standard,
                summer: None,
            });
        }
        p.name()?;
        let summer = if p.0.starts_with(',') {
            standard + 3600
        } else {
            -p.offset()?
        };
        let (begin, end) = (p.when()?, p.when()?);
        p.0.is_empty().then_some(Rule {
            standard,
            summer: Some((summer, begin, end)),
        })
    }

    /// Seconds east of UTC at a time.
    pub fn offset(&self, secs: i64) -> i64 {
        let Some((summer, begin, end)) = self.summer else {
            return self.standard;
        };
        let year = consumer::time::utc(secs.saturating_add(self.standard)).year;
        let begins = begin.at(year) - self.standard;
        let ends = end.at(year) - summer;
        let in_summer = if begins < ends {
            (begins..ends).contains(&secs)
        } else {
            !(ends..begins).contains(&secs)
        };
        if in_summer { summer } else { self.standard }
    }
}

fn leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from 1970-01-01 to the first of January.
fn new_year(year: i64) -> i64 {
    let y = year - 1;
    y * 365 + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) - 719_162
}

/// Day of the year of the first of a month (from 1).
fn first_of(month: i64, year: i64) -> i64 {
    const DAYS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let days: i64 = DAYS
        .iter()
        .take(usize::try_from(month - 1).unwrap_or(0))
        .sum();
    days + i64::from(month > 2 && leap(year))
}

impl When {
    /// Local seconds since 1970.
    fn at(self, year: i64) -> i64 {
        let start = new_year(year);
        let day = match self.day {
            Day::Plain(n) => n,
            Day::Julian(n) => n - 1 + i64::from(n >= 60 && leap(year)),
            Day::Week {
                month,
                week,
                weekday,
            } => {
                let first = first_of(month, year);
                let next = if month == 12 {
                    365 + i64::from(leap(year))
                } else {
                    first_of(month + 1, year)
                };
                // 1970-01-01 was a Thursday.
                let skip = (weekday - (start + first + 4)).rem_euclid(7);
                let day = first + skip + (week - 1) * 7;
                if day >= next { day - 7 } else { day }
            }
        };
        (start + day) * DAY + self.time
    }
}

struct Parser<'a>(&'a str);

impl Parser<'_> {
    fn skip(&mut self, n: usize) -> Option<()> {
        self.0 = self.0.get(n..)?;
        Some(())
    }

    fn eat(&mut self, c: char) -> Option<()> {
        self.0 = self.0.strip_prefix(c)?;
        Some(())
    }

    /// `CET` or `<+01>`.
    fn name(&mut self) -> Option<()> {
        if self.0.starts_with('<') {
            let end = self.0.find('>')?;
            return self.skip(end + 1);
        }
        let len = self.0.bytes().take_while(u8::is_ascii_alphabetic).count();
        if len < 3 { None } else { self.skip(len) }
    }

    fn number(&mut self) -> Option<i64> {
        let len = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let n = self.0.get(..len.min(4))?.parse().ok()?;
        self.skip(len)?;
        Some(n)
    }

    /// `[+-]h[:m[:s]]` in seconds.
    fn offset(&mut self) -> Option<i64> {
        let negative = self.eat('-').is_some();
        if !negative {
            let _ = self.eat('+');
        }
        let mut secs = self.number()? * 3600;
        for unit in [60, 1] {
            if self.eat(':').is_some() {
                secs += self.number()? * unit;
            }
        }
        Some(if negative { -secs } else { secs })
    }

    /// `,DAY[/TIME]`.
    fn when(&mut self) -> Option<When> {
        self.eat(',')?;
        let day = if self.eat('M').is_some() {
            let month = self.number()?;
            self.eat('.')?;
            let week = self.number()?;
            self.eat('.')?;
            let weekday = self.number()?;
            let ok =
                (1..=12).contains(&month) && (1..=5).contains(&week) && (0..=6).contains(&weekday);
            ok.then_some(Day::Week {
                month,
                week,
                weekday,
            })?
        } else if self.eat('J').is_some() {
            Day::Julian(self.number()?)
        } else {
            Day::Plain(self.number()?)
        };
        let time = if self.eat('/').is_some() {
            self.offset()?
        } else {
            2 * 3600
        };
        Some(When { day, time })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(rule: &str, times: &[i64]) -> Vec<i64> {
        let rule = Rule::parse(rule).expect("a rule");
        times.iter().map(|t| rule.offset(*t)).collect()
    }

    #[test]
    fn europe_changes_at_one_utc() {
        // 2024-03-31 01:00 and 2024-10-27 01:00 UTC.
        let (begin, end) = (1_711_846_800, 1_729_990_800);
        assert_eq!(
            offsets(
                "CET-1CEST,M3.5.0,M10.5.0/3",
                &[begin - 1, begin, end - 1, end]
            ),
            [3600, 7200, 7200, 3600]
        );
    }

    #[test]
    fn the_south_has_summer_over_new_year() {
        // Sydney: from 2024-10-05 16:00 UTC, until 2024-04-06 16:00 UTC.
        let (end, begin) = (1_712_419_200, 1_728_144_000);
        let rule = "AEST-10AEDT,M10.1.0,M4.1.0/3";
        assert_eq!(
            offsets(rule, &[end - 1, end, begin - 1, begin]),
            [39_600, 36_000, 36_000, 39_600]
        );
    }

    #[test]
    fn other_forms() {
        assert_eq!(offsets("<+0330>-3:30", &[0]), [12_600]);
        assert_eq!(offsets("UTC0", &[0]), [0]);
        // Days 60 of the two countings differ in leap years: 1 March 2024 is J60 and 60.
        let first_of_march = 1_709_251_200;
        for rule in ["AAA0BBB,J60/0,J300/0", "AAA0BBB,60/0,300/0"] {
            assert_eq!(
                offsets(rule, &[first_of_march - 1, first_of_march]),
                [0, 3600],
                "{rule}"
            );
        }
        for bad in [
            "",
            "X",
            "CET",
            "CET-1CEST",
            "CET-1CEST,M13.1.0,M1.1.0",
            "CET-1CEST,M3.5.0",
            "CET-1x",
        ] {
            assert_eq!(Rule::parse(bad), None, "{bad}");
        }
    }
}
