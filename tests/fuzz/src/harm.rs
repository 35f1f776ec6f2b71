//! What may not happen whatever the text: a panic, a long wait, an error that is our own fault.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::Outcome;

/// No text may take longer (this is a machine with other work).
pub const LONGEST: Duration = Duration::from_secs(1);

/// What is wrong with how a text was handled, if anything.
pub fn fault(compile: impl FnOnce() -> Outcome) -> Option<String> {
    let start = Instant::now();
    let outcome = match catch_unwind(AssertUnwindSafe(compile)) {
        Ok(outcome) => outcome,
        Err(cause) => {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            return Some(format!("panic: {}", text.unwrap_or_default()));
        }
    };
    if start.elapsed() > LONGEST {
        return Some(format!("took {:?}", start.elapsed()));
    }
    match outcome.error() {
        Some(d) if d.message.contains("internal error") => Some(d.message.clone()),
        Some(d) if d.message.is_empty() => Some("an error without a message".into()),
        Some(_) => None,
        None => matches!(outcome, Outcome::Rejected(_) | Outcome::Unlowered(_))
            .then(|| "refused without an error".into()),
    }
}
