//! BTF, the kernel's type data: a reader of its bytes, a writer, and the way into the type graph of [`ctypes`].
//!
//! [`Btf`] keeps the bytes as they are (a mapping of `/sys/kernel/btf/vmlinux`, say) with one table of type offsets beside
//! them; indexes of names are built by the first look-up. [`BtfSource`] brings types into a graph on demand. [`BtfBuilder`]
//! writes the small blobs that maps and programs carry. The format is that of the kernel's `Documentation/bpf/btf.rst`.
//!
//! Invariant: no I/O (a [`BtfLoader`] hands in the bytes), and no input makes it panic.

mod builder;
mod format;
mod index;
mod read;
mod source;
mod view;
mod world;

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod live;

pub use builder::{BtfBuilder, Field};
pub use format::{BtfKind, Error};
pub use index::Proto;
pub use read::Btf;
pub use source::{BtfLoader, BtfSource, VMLINUX};
pub use view::{Enumerator, IntEncoding, MemberView, Param, SectionVar, Type};
pub use world::{TEST_MODULE, TestWorld, testworld};
