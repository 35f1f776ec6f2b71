//! Whether the process was started with a standard output. Rust's runtime opens /dev/null in place of one that is closed,
//! so this is noted before it runs.

use std::sync::atomic::{AtomicBool, Ordering};

static CLOSED: AtomicBool = AtomicBool::new(false);

extern "C" fn note() {
    // SAFETY: plain numbers; F_GETFD only looks.
    if unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFD) } == -1 {
        CLOSED.store(true, Ordering::Relaxed);
    }
}

// SAFETY: what stands in this section is called once, before main, as a C function; `note` needs no runtime.
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE: extern "C" fn() = note;

/// Whether descriptor 1 was open when the process began.
pub fn stdout_was_open() -> bool {
    !CLOSED.load(Ordering::Relaxed)
}
