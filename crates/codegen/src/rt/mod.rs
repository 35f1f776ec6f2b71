//! The run-time library of string subroutines, as BPF functions.
//!
//! A string is a pointer to memory that the program owns and a capacity: so many bytes may be read. It ends at its
//! first NUL, or at its capacity if there is none. Capacities must be constants where the function is called, so that
//! the verifier, which follows every loop to its end, knows how far that is. There is an instance of a function for each
//! capacity it is called with, which the verifier checks once ([`ir::local`]). Loops over long strings are cut ([`part`]).
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
mod json;
mod kept;
mod number;
mod part;
mod path;
mod progeny;
mod span;
mod spec;
mod text;
mod tree;
pub mod unwind;
mod wait;

use ir::local::Emit::{Leaf, Node};
use ir::local::LocalFn;
use ir::local::Param::{Bytes, Const, Mem, Num};

/// Declares the functions: a row is a documented name, what its arguments are, its stack and what emits it.
macro_rules! locals {
    ($($(#[$doc:meta])* $name:ident($($param:expr),*) stack $stack:expr, $emit:expr;)*) => {
        /// A function, as an index into [`LOCALS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Local {
            $($(#[$doc])* $name,)*
        }

        /// What emits each function, by [`Local`].
        pub const LOCALS: &[LocalFn] = &[$(LocalFn {
            name: stringify!($name),
            params: &[$($param),*],
            stack: $stack,
            large: part::STACK,
            emit: $emit,
        }),*];
    };
}

/// Working memory of `json()`.
pub const JSON_WORK: u32 = json::WORK;
/// Room for what `Path` writes, its working memory, the longest path, and the members whose offsets it is given.
pub const PATH_TEXT: u32 = tree::TEXT;
/// See [`PATH_TEXT`].
pub const PATH_WORK: u32 = tree::WORK;
/// See [`PATH_TEXT`].
pub const PATH_MOST: i32 = tree::MOST;
/// See [`PATH_TEXT`].
pub const PATH_MEMBERS: &[&[&[(&str, &str)]]] = tree::MEMBERS;
/// Room for the longest text of an address.
const ADDRESS_TEXT: u32 = 64;
/// Room for the text of a number.
const NUMBER_TEXT: u32 = 72;

locals! {
    /// `(a, b, cap)`: -1, 0 or 1 as `a` is less than, equal to or greater than `b`, by unsigned bytes.
    Strcmp(Mem(2), Mem(2), Const) stack 0, Node(text::strcmp);
    /// `(s, c, cap)`: index of the first byte `c` (0 to 255; 0 finds the NUL), or -1.
    Chr(Mem(2), Num, Const) stack 0, Node(text::chr);
    /// `(s, c, cap)`: index of the last byte `c` (0 to 255; 0 finds the NUL), or -1.
    Rchr(Mem(2), Num, Const) stack 0, Node(text::rchr);
    /// `(s, t, cap_s, cap_t, start)`: least index from `start` (not negative) on where `t` is in `s`, or -1. An empty
    /// `t` is at `start`, or at the end of `s` if that is before.
    Find(Mem(2), Mem(3), Const, Const, Num) stack find::STACK, Node(find::find);
    /// `(s, t, cap_s, cap_t, start)`: greatest index up to `start` where `t` is in `s`, or -1. An empty `t` is at
    /// `start`, or at the end of `s` if that is before.
    Rfind(Mem(2), Mem(3), Const, Const, Num) stack find::STACK, Node(find::rfind);
    /// `(dst, cap, upper)`: changes ASCII letters in place, to upper case unless `upper` is 0; the string's length.
    Case(Mem(1), Const, Num) stack 0, Node(text::case);
    /// `(s, cap, base)`: the number in base 2 to 36 that the text begins with, as C's `strtoll`.
    Toll(Mem(1), Const, Num) stack number::STACK, Node(number::toll);
    /// `(dst, value, base)`: writes a number in base 2 to 36 and a NUL to 72 bytes; the length without the NUL. Base
    /// 10 is signed; 16 has the prefix `0x`, 8 has `0` (but 0 is `0`).
    Lltostr(Bytes(NUMBER_TEXT), Num, Num) stack number::STACK, Leaf(number::lltostr);
    /// `(s, set, cap_s, cap_set, start)`: least index from `start` on whose byte is not in `set`; the NUL never is.
    Span(Mem(2), Mem(3), Const, Const, Num) stack span::STACK, Node(span::span);
    /// `(s, set, cap_s, cap_set, start)`: least index from `start` on whose byte is in `set` or the NUL.
    Cspan(Mem(2), Mem(3), Const, Const, Num) stack span::STACK, Node(span::cspan);
    /// `(dst, src, cap)`: writes the path without `//`, `/./` and `/x/../` and a NUL to `cap` bytes; the length
    /// without the NUL. Stops where fewer than five bytes would be left.
    Cleanpath(Mem(2), Mem(2), Const) stack 0, Node(path::cleanpath);
    /// `(s, cap)`: length without the slashes at the end.
    Trim(Mem(1), Const) stack 0, Node(text::trim);
    /// `(s, n, cap)`: replaces the NULs before the last of `n` bytes by spaces.
    Spaces(Mem(2), Num, Const) stack 0, Node(text::spaces);
    /// `(dst, src)`: writes the four bytes at `src` as a dotted quad and a NUL to 64 bytes; its length.
    Ntoa(Bytes(ADDRESS_TEXT), Bytes(4)) stack inet::STACK, Leaf(inet::ntoa);
    /// `(dst, src)`: writes the sixteen bytes at `src` as an IPv6 address and a NUL to 64 bytes; its length.
    Ntoa6(Bytes(ADDRESS_TEXT), Bytes(16)) stack inet::STACK, Leaf(inet::ntoa6);
    /// `(dst, src, n)`: writes the first `n` of the twenty bytes at `src` in hexadecimal with colons and a NUL to 64
    /// bytes; the length.
    Mac(Bytes(ADDRESS_TEXT), Bytes(20), Num) stack inet::STACK, Leaf(inet::mac);
    /// `(s, path, work, cap_s, cap_path)`: where in the JSON text `s` the value is that `path` (`a.b[2].c`) names, strings
    /// without their quotes: its first index, and in the upper half the index behind it; -1 if there is none.
    Json(Mem(3), Mem(4), Bytes(json::WORK), Const, Const) stack json::STACK, Node(json::json);
    /// `(s, path, work, cap_s, cap_path)`: a step of [`Local::Json`]: 1 at the value's beginning, 0 before, -1 if there is
    /// none.
    JsonStep(Mem(3), Mem(4), Bytes(json::WORK), Const, Const) stack json::STEP_STACK, Node(json::step);
    /// `(s, path, work, cap_s, cap_path)`: [`Local::JsonStep`] again and again, until it gives something but 0.
    JsonSteps(Mem(3), Mem(4), Bytes(json::WORK), Const, Const) stack 32 + json::STEP_STACK, Node(|b| part::again(b, Local::JsonStep, 3));
    /// `(s, path, work, cap_s, cap_path)`: index behind the name in `path` that the key is equal to, or -1.
    JsonKey(Mem(3), Mem(4), Bytes(json::WORK), Const, Const) stack 0, Node(json::key);
    /// `(s, cap, start, comma)`: index of the bracket that closes what is open at `start`, or of the comma before it if
    /// `comma` is 1, or of the NUL.
    JsonSkip(Mem(1), Const, Num, Num) stack 0, Node(json::skip);
    /// `(s, cap, start)`: index of the quote that ends the string which goes on at `start`, or -1.
    JsonQuote(Mem(1), Const, Num) stack 0, Node(json::quote);
    /// `(path, cap, start)`: the number at `start`, and in the upper half the index behind the `]` that follows it; -1
    /// without one.
    JsonIndex(Mem(1), Const, Num) stack 0, Node(json::index);
    /// `(dst, work, layout, path, mount)`: writes the path from the root of the name space that a `struct path` stands for
    /// (or a `struct dentry`, as the layout says, by the oldest mount of its file system), or that its mount is at unless
    /// `mount` is 0, and a NUL to `dst`; where in that it begins, or -2 for a bad address.
    Path(Bytes(tree::TEXT), Bytes(tree::WORK), Bytes(tree::LAYOUT), Num, Num) stack 64, Node(tree::path);
    /// `(work, layout)`: [`Local::Path`] looks at a mount of an entry's file system.
    PathFind(Bytes(tree::WORK), Bytes(tree::LAYOUT)) stack 0, Node(tree::find);
    /// `(dst, work, layout)`: a step of [`Local::Path`].
    PathStep(Bytes(tree::TEXT), Bytes(tree::WORK), Bytes(tree::LAYOUT)) stack 0, Node(tree::step);
    /// `(task, process, parent, tgid)`: 1 if the task's process or one of its ancestors has that number, else 0. `parent` and
    /// `tgid` are the offsets of these members.
    Progeny(Num, Num, Num, Num) stack progeny::STACK, Node(progeny::progeny);
    /// `(until)`: returns when the clock is there.
    Wait(Num) stack 64, Node(wait::wait);
    /// `(until)`: as [`Local::Wait`], for a while; 0 if the clock is not there yet.
    WaitMore(Num) stack 32, Node(wait::more);
    /// `(until)`: as [`Local::WaitMore`], for less.
    WaitSome(Num) stack 0, Node(wait::some);
    /// `(states, n, mask)`: id of a speculation of `n`, now active; 0 if none is free, less if some wait for the consumer.
    /// The mask is here and below that of a speculation's slots.
    SpecTake() stack 0, Leaf(spec::take);
    /// `(state, time, clause, mask)`: an active speculation is free again, its slot to be read by the consumer.
    SpecCommit() stack 0, Leaf(spec::commit);
    /// `(state)`: an active speculation is free again, its buffers empty.
    SpecDiscard() stack 0, Leaf(spec::discard);
    /// `(state, buffer, size, limit, word)`: offset of `size` bytes in the buffer of `limit` bytes, in which the caller now
    /// counts as a writer; -1 if the state word is not the given one or not active, -2 if there is no room.
    SpecReserve() stack 0, Leaf(spec::reserve);
    /// `(state)`: walks the user stack to [`unwind::FRAMES_AT`] of the state; [`unwind::COUNT`] and
    /// [`unwind::INCOMPLETE`], or [`unwind::FOREIGN`]. The facts are [`unwind::Facts`].
    Unwind(Bytes(unwind::SIZE)) stack unwind::STACK, Node(unwind::walk);
    /// `(buffer, words, limit)`: takes `words` of a kept buffer that ends after `limit` words; its head before that, or
    /// -1 if other programs were in the way all the time, -2 if there is no room.
    KeptReserve() stack 0, Leaf(kept::reserve);
    /// `(s, state, cap)`: a part of a loop of [`Local::Chr`].
    ChrPart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &text::CHR));
    /// `(s, state, cap)`: a part of a loop of [`Local::Rchr`].
    RchrPart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &text::RCHR));
    /// `(s, state, cap)`: a part of a loop of [`Local::Trim`].
    TrimPart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &text::TRIM));
    /// `(s, state, cap)`: a part of a loop of [`Local::Case`].
    CasePart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &text::CASE));
    /// `(s, state, cap)`: a part of a loop of [`Local::Spaces`].
    SpacesPart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &text::SPACES));
    /// `(s, state, cap)`: a part of a loop of [`Local::Toll`].
    TollSpace(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &number::SPACE));
    /// `(s, state, cap)`: a part of a loop of [`Local::Toll`].
    TollDigit(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &number::DIGIT));
    /// `(s, state, cap)`: a part of a loop of [`Local::Span`].
    SpanFill(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &span::FILL));
    /// `(s, state, cap)`: a part of a loop of [`Local::Span`].
    SpanWalk(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &span::WALK));
    /// `(s, state, cap)`: a part of a loop of [`Local::Find`].
    FindTail(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &find::TAIL));
    /// `(s, state, cap)`: a part of a loop of [`Local::Find`].
    FindLength(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &find::LENGTH));
    /// `(s, state, cap)`: a part of a loop of [`Local::Find`].
    FindShort(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &find::SHORT_FIRST));
    /// `(s, state, cap)`: a part of a loop of [`Local::Rfind`].
    RfindShort(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &find::SHORT_LAST));
    /// `(s, state, cap)`: a part of a loop of [`Local::JsonSkip`].
    JsonSkipPart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &json::SKIP));
    /// `(s, state, cap)`: a part of a loop of [`Local::JsonQuote`].
    JsonQuotePart(Mem(2), Bytes(part::STATE), Const) stack 0, Node(|b| part::part(b, &json::QUOTE));
    /// `(s, t, state, cap_s, cap_t)`: a part of a loop of [`Local::Strcmp`].
    StrcmpPart(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::part(b, &text::STRCMP));
    /// `(s, t, state, cap_s, cap_t)`: a part of a loop of [`Local::Cleanpath`].
    CleanpathPart(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::part(b, &path::CLEAN));
    /// `(s, t, state, cap_s, cap_t)`: a part of a loop of [`Local::Find`].
    FindLong(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::part(b, &find::LONG_FIRST));
    /// `(s, t, state, cap_s, cap_t)`: a part of a loop of [`Local::Rfind`].
    RfindLong(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::part(b, &find::LONG_LAST));
    /// `(s, t, state, cap_s, cap_t)`: a part of a loop of [`Local::JsonKey`].
    JsonKeyPart(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::part(b, &json::KEY));
    /// `(s, t, state, cap_s, cap_t)`: [`Local::FindLong`] again and again.
    FindMore(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::again(b, Local::FindLong, 3));
    /// `(s, t, state, cap_s, cap_t)`: [`Local::RfindLong`] again and again.
    RfindMore(Mem(3), Mem(4), Bytes(part::STATE), Const, Const) stack 0, Node(|b| part::again(b, Local::RfindLong, 3));
}
