//! The one place through which every system call of the crate goes, so that tests can make any of them fail.
//!
//! A hook belongs to a thread and may only *fail* a call: a made-up success (a mapping that is none) could not be sound.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::SysError;

/// Decides about a call by its name: `Some(errno)` fails it.
pub type Hook = Box<dyn FnMut(&'static str) -> Option<i32>>;

/// Set once a hook was ever installed, so that the common path costs one load.
static HOOKED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static HOOK: RefCell<Option<Hook>> = const { RefCell::new(None) };
}

struct Restore(Option<Hook>);

impl Drop for Restore {
    fn drop(&mut self) {
        let old = self.0.take();
        HOOK.with(|h| *h.borrow_mut() = old);
    }
}

/// Runs `body` with `hook` asked before every system call of this thread.
pub fn with_hook<R>(hook: Hook, body: impl FnOnce() -> R) -> R {
    HOOKED.store(true, Ordering::Relaxed);
    let _restore = Restore(HOOK.with(|h| h.borrow_mut().replace(hook)));
    body()
}

/// Runs `body` with its `n`-th system call (from 1) failing with `errno`; also says whether there was an n-th call.
pub fn fail_nth<R>(n: usize, errno: i32, body: impl FnOnce() -> R) -> (R, bool) {
    let seen = std::rc::Rc::new(std::cell::Cell::new(0usize));
    let counter = seen.clone();
    let result = with_hook(
        Box::new(move |_| {
            counter.set(counter.get() + 1);
            (counter.get() == n).then_some(errno)
        }),
        body,
    );
    (result, seen.get() >= n)
}

/// The error that a test wants this call to end in.
pub(crate) fn refused(name: &'static str) -> Option<i32> {
    if !HOOKED.load(Ordering::Relaxed) {
        return None;
    }
    HOOK.with(|h| h.try_borrow_mut().ok()?.as_mut()?(name))
}

/// Makes a system call.
///
/// # Safety
/// The arguments must be valid for the call: pointers point to memory of the kind and size that the kernel expects.
pub(crate) unsafe fn call(
    name: &'static str,
    nr: libc::c_long,
    args: [usize; 6],
) -> Result<usize, SysError> {
    if let Some(errno) = refused(name) {
        return Err(SysError::new(name, errno));
    }
    let [a, b, c, d, e, f] = args;
    // SAFETY: the caller vouches for the arguments.
    let result = unsafe { libc::syscall(nr, a, b, c, d, e, f) };
    if result < 0 {
        return Err(SysError::new(name, last_errno()));
    }
    Ok(result as usize)
}

/// Error number of the last failed `libc` call of this thread.
pub(crate) fn last_errno() -> i32 {
    std::io::Error::last_os_error()
        .raw_os_error()
        .unwrap_or(libc::EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn getpid() -> Result<usize, SysError> {
        // SAFETY: getpid takes no arguments.
        unsafe { call("getpid", libc::SYS_getpid, [0; 6]) }
    }

    #[test]
    fn the_nth_call_fails_and_only_it() {
        let (results, hit) = fail_nth(2, libc::ENOMEM, || [getpid(), getpid(), getpid()]);
        assert!(hit && results[0].is_ok() && results[2].is_ok());
        assert_eq!(results[1], Err(SysError::new("getpid", libc::ENOMEM)));
        assert!(getpid().is_ok());
        assert!(!fail_nth(3, libc::ENOMEM, getpid).1);
    }
}
