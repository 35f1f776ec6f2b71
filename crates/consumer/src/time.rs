//! Broken-down time and the two time formats of printf, `%Y` and `%T`.

use crate::num;

/// Broken-down time, as C's `struct tm` (but the full year).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tm {
    /// Year, e.g. 1973.
    pub year: i64,
    /// Month, 0…11.
    pub month: u32,
    /// Day of the month, 1…31.
    pub day: u32,
    /// Hour, 0…23.
    pub hour: u32,
    /// Minute, 0…59.
    pub min: u32,
    /// Second, 0…60.
    pub sec: u32,
    /// Day of the week, Sunday is 0.
    pub wday: u32,
    /// Day of the year, 0…365.
    pub yday: u32,
    /// Abbreviation of the time zone.
    pub zone: String,
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

fn leap(year: i64) -> bool {
    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
}

/// UTC of `secs` since the epoch, in the proleptic Gregorian calendar.
pub fn utc(secs: i64) -> Tm {
    let days = secs.div_euclid(86400);
    let rest = secs.rem_euclid(86400) as u32;
    // Count from 0000-03-01, so that the leap day is the last of its year; 400 years are 146097 days.
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let doe = shifted.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let month = if mp < 10 { mp + 2 } else { mp - 10 };
    let year = yoe + era * 400 + i64::from(month < 2);
    let yday = if month < 2 {
        doy - 306
    } else {
        doy + 59 + i64::from(leap(year))
    };
    Tm {
        year,
        month: month as u32,
        day: (doy - (153 * mp + 2) / 5 + 1) as u32,
        hour: rest / 3600,
        min: rest / 60 % 60,
        sec: rest % 60,
        wday: (days + 4).rem_euclid(7) as u32,
        yday: yday as u32,
        zone: "UTC".to_string(),
    }
}

fn two(out: &mut Vec<u8>, v: u32) {
    out.extend_from_slice(&[b'0' + (v / 10 % 10) as u8, b'0' + (v % 10) as u8]);
}

fn clock(out: &mut Vec<u8>, tm: &Tm) {
    two(out, tm.hour);
    out.push(b':');
    two(out, tm.min);
    out.push(b':');
    two(out, tm.sec);
}

fn name(table: &[&'static str], index: u32) -> &'static str {
    table.get(index as usize).copied().unwrap_or("???")
}

/// `%Y`: `1973 Dec  3 17:20:00`.
pub(crate) fn year_first(out: &mut Vec<u8>, tm: &Tm) {
    num::dec(out, tm.year);
    out.push(b' ');
    out.extend_from_slice(name(&MONTHS, tm.month).as_bytes());
    out.push(b' ');
    num::dec_wide(out, i64::from(tm.day), 2);
    out.push(b' ');
    clock(out, tm);
}

/// As ctime(3): `Mon Dec  3 17:20:00 1973`.
pub fn date(tm: &Tm) -> String {
    let (day, month) = (name(&DAYS, tm.wday), name(&MONTHS, tm.month));
    let Tm {
        year,
        day: of_month,
        hour,
        min,
        sec,
        ..
    } = tm;
    format!("{day} {month} {of_month:2} {hour:02}:{min:02}:{sec:02} {year}")
}

/// `%T`: `Mon, 03 Dec 1973 17:20:00 UTC`. The year is that of the ISO week.
pub(crate) fn rfc822(out: &mut Vec<u8>, tm: &Tm) {
    out.extend_from_slice(name(&DAYS, tm.wday).as_bytes());
    out.extend_from_slice(b", ");
    two(out, tm.day);
    out.push(b' ');
    out.extend_from_slice(name(&MONTHS, tm.month).as_bytes());
    out.push(b' ');
    num::dec(out, iso_year(tm));
    out.push(b' ');
    clock(out, tm);
    out.push(b' ');
    out.extend_from_slice(tm.zone.as_bytes());
}

/// Year of the ISO 8601 week: that of its Thursday.
fn iso_year(tm: &Tm) -> i64 {
    let from_monday = (i64::from(tm.wday) + 6) % 7;
    let thursday = i64::from(tm.yday) - from_monday + 3;
    if thursday < 0 {
        tm.year - 1
    } else if thursday >= 365 + i64::from(leap(tm.year)) {
        tm.year + 1
    } else {
        tm.year
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(secs: i64) -> (String, String) {
        let (mut a, mut b) = (Vec::new(), Vec::new());
        year_first(&mut a, &utc(secs));
        rfc822(&mut b, &utc(secs));
        (String::from_utf8(a).unwrap(), String::from_utf8(b).unwrap())
    }

    #[test]
    fn known_dates() {
        assert_eq!(texts(123_787_200).0, "1973 Dec  3 17:20:00");
        assert_eq!(texts(123_787_200).1, "Mon, 03 Dec 1973 17:20:00 UTC");
        assert_eq!(texts(0).1, "Thu, 01 Jan 1970 00:00:00 UTC");
        assert_eq!(texts(951_782_400).0, "2000 Feb 29 00:00:00");
        assert_eq!(utc(951_782_400).yday, 59);
        assert_eq!(utc(978_220_800).yday, 365);
        assert_eq!(texts(-1).0, "1969 Dec 31 23:59:59");
    }

    #[test]
    fn year_of_the_iso_week() {
        assert_eq!(
            iso_year(&utc(1_104_537_600)),
            2004,
            "2005-01-01 is in week 53 of 2004"
        );
        assert_eq!(
            iso_year(&utc(1_230_681_600)),
            2009,
            "2008-12-31 is in week 1 of 2009"
        );
    }
}
