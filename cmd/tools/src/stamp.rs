//! `-T u|d`: when a report was made, in a line above it.

use crate::tool::Stop;
use std::time::{SystemTime, UNIX_EPOCH};

/// How the time is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stamp {
    /// Not at all.
    #[default]
    None,
    /// Seconds since 1970.
    Seconds,
    /// Local time, in words.
    Date,
}

impl Stamp {
    /// What a flag was given.
    pub fn parse(flag: &str, text: &str) -> Result<Stamp, Stop> {
        match text {
            "u" => Ok(Stamp::Seconds),
            "d" => Ok(Stamp::Date),
            _ => Err(Stop::Usage(format!(
                "invalid format for {flag}: {text} (u: seconds since 1970, d: a date)"
            ))),
        }
    }

    /// The line for a report that is made now; empty if none is wanted.
    pub fn line(self) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let secs = now.map_or(0, |t| t.as_secs());
        match self {
            Stamp::None => String::new(),
            Stamp::Seconds => format!("{secs}\n"),
            Stamp::Date => session::local_date(secs as i64) + "\n",
        }
    }
}
