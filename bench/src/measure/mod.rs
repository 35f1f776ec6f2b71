//! The measurements, a module each. A tool that is missing or fails leaves its cell empty; what it said goes to stderr.

use crate::report::Row;
use crate::tool::Env;
use crate::{Result, note};

mod binary;
mod bulk;
mod cost;
mod exact;
mod records;
mod scripts;
mod size;
mod startup;
mod switches;
mod user;

/// A named measurement.
pub type Measure = (&'static str, fn(&Env) -> Result<Vec<Row>>);

/// All, in the order of the table.
pub const ALL: &[Measure] = &[
    ("startup", startup::rows),
    ("scripts", scripts::rows),
    ("bulk", bulk::rows),
    ("cost", cost::rows),
    ("switches", switches::rows),
    ("user", user::rows),
    ("size", size::rows),
    ("records", records::rows),
    ("exact", exact::rows),
    ("binary", binary::rows),
];

/// A value, or a note on stderr why there is none.
fn or_note<T>(what: &str, result: Result<Option<T>>) -> Option<T> {
    result.unwrap_or_else(|error| {
        note(format!("{what}: {error}"));
        None
    })
}
