//! The run-time library of string subroutines, as local BPF functions.
//!
//! A string is a pointer to memory that the program owns and a capacity: so many bytes may be read. It ends at its
//! first NUL, or at its capacity if there is none. Capacities must be constants where the function is called, so that
//! the verifier, which follows every loop to its end, knows how far that is.
//!
//! How the functions stay cheap to verify, on kernels from 5.15:
//! * Whatever a function returns is a number of which the verifier knows nothing, so that all ways out of a loop look
//!   the same to it and only one is followed into the caller. The difference of two pointers is such a number.
//! * In a loop only its counter is known; positions are not, so that paths meet again at the loop's head.
//! * Where paths would join in a loop there is arithmetic and no branch: the verifier keeps few of a loop's states, so
//!   it would walk the rest of the loop again. (A sign is not masked with a constant: newer verifiers look at both
//!   cases of that.)
//! * A jump that continues is taken, and one that leaves falls through: the verifier follows that first, and then
//!   does not hold the states of all iterations while it checks the caller.

mod code;
mod find;
mod inet;
mod number;
mod path;
mod span;
mod spec;
mod text;
pub mod unwind;

use ir::LocalFn;

/// Declares the functions: a row is a documented name and what emits it.
macro_rules! locals {
    ($($(#[$doc:meta])* $name:ident = $emit:path;)*) => {
        /// A function, as an index into [`LOCALS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Local {
            $($(#[$doc])* $name,)*
        }

        /// What emits each function, by [`Local`].
        pub const LOCALS: &[LocalFn] = &[$($emit),*];
    };
}

locals! {
    /// `(a, b, cap)`: -1, 0 or 1 as `a` is less than, equal to or greater than `b`, by unsigned bytes.
    Strcmp = text::strcmp;
    /// `(s, c, cap)`: index of the first byte `c` (0 to 255; 0 finds the NUL), or -1.
    Chr = text::chr;
    /// `(s, c, cap)`: index of the last byte `c` (0 to 255; 0 finds the NUL), or -1.
    Rchr = text::rchr;
    /// `(s, t, cap_s, cap_t, start)`: least index from `start` (not negative) on where `t` is in `s`, or -1. An empty
    /// `t` is at `start`, or at the end of `s` if that is before.
    Find = find::find;
    /// `(s, t, cap_s, cap_t, start)`: greatest index up to `start` where `t` is in `s`, or -1. An empty `t` is at
    /// `start`, or at the end of `s` if that is before.
    Rfind = find::rfind;
    /// `(dst, cap, upper)`: changes ASCII letters in place, to upper case unless `upper` is 0; the string's length.
    Case = text::case;
    /// `(s, cap, base)`: the number in base 2 to 36 that the text begins with, as C's `strtoll`.
    Toll = number::toll;
    /// `(dst, value, base)`: writes a number in base 2 to 36 and a NUL to 72 bytes; the length without the NUL. Base
    /// 10 is signed; 16 has the prefix `0x`, 8 has `0` (but 0 is `0`).
    Lltostr = number::lltostr;
    /// `(s, set, cap_s, cap_set, start)`: least index from `start` on whose byte is not in `set`; the NUL never is.
    Span = span::span;
    /// `(s, set, cap_s, cap_set, start)`: least index from `start` on whose byte is in `set` or the NUL.
    Cspan = span::cspan;
    /// `(dst, src, cap)`: writes the path without `//`, `/./` and `/x/../` and a NUL to `cap` bytes; the length
    /// without the NUL. Stops where fewer than five bytes would be left.
    Cleanpath = path::cleanpath;
    /// `(s, cap)`: length without the slashes at the end.
    Trim = text::trim;
    /// `(s, n, cap)`: replaces the NULs before the last of `n` bytes by spaces.
    Spaces = text::spaces;
    /// `(dst, src)`: writes the four bytes at `src` as a dotted quad and a NUL to 64 bytes; its length.
    Ntoa = inet::ntoa;
    /// `(dst, src)`: writes the sixteen bytes at `src` as an IPv6 address and a NUL to 64 bytes; its length.
    Ntoa6 = inet::ntoa6;
    /// `(dst, src, n)`: writes the first `n` of the twenty bytes at `src` in hexadecimal with colons and a NUL to 64
    /// bytes; the length.
    Mac = inet::mac;
    /// `(states, n)`: id of a speculation of `n`, now active; 0 if none is free, less if some are being committed.
    SpecTake = spec::take;
    /// `(state, time, clause)`: an active speculation is to be read by the consumer.
    SpecCommit = spec::commit;
    /// `(state)`: an active speculation is free again, its buffers empty.
    SpecDiscard = spec::discard;
    /// `(state, buffer, size, limit)`: offset of `size` bytes in the buffer of `limit` bytes, in which the caller now
    /// counts as a writer; -1 if the speculation is not active, -2 if there is no room.
    SpecReserve = spec::reserve;
}

/// The function after those of [`LOCALS`]: [`unwind::walk`], which depends on kernel and image.
pub const UNWIND: u32 = LOCALS.len() as u32;

const fn most(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

/// Most stack that one of them uses, in bytes.
pub const STACK: u32 = most(
    most(find::STACK, span::STACK),
    most(most(number::STACK, path::STACK), inet::STACK),
);
