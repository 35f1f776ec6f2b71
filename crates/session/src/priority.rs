//! The consumer's own priority.
//!
//! What it does not read in time is lost, on a machine that is busy by assumption. So it asks for the highest ordinary
//! priority while it traces: its work is bounded by what the program records. What it starts does not inherit that.

/// The highest ordinary priority (setpriority(2)).
const HIGHEST: i32 = -20;
/// What a process starts with.
const ORDINARY: i32 = 0;

/// Asks for the highest ordinary priority for this thread; without the right to it, tracing goes on as it is.
pub fn raise() {
    let _merely_later = sys::proc::nice(HIGHEST);
}

/// Runs something that starts a process, at the ordinary priority.
pub fn without<T>(f: impl FnOnce() -> T) -> T {
    let _as_it_was = sys::proc::nice(ORDINARY);
    let result = f();
    raise();
    result
}
