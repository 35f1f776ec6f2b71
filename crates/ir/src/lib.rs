//! The intermediate form between the typed program and BPF instructions.
//!
//! A program is a straight list of instructions over virtual registers, with labels. Jumps only go forward: D has no
//! loops, and what loops inside (string subroutines) is a call to a function written in assembly ([`local`]). So the list
//! order is a topological order, a value's live range is the interval from its first definition to its last use, and
//! linear scan needs no iteration.
//!
//! ```text
//! builder (codegen) -> Func -> passes::optimize -> alloc::allocate -> emit::emit -> bpf::Insn
//! ```
//!
//! Invariants, checked by [`verify::check`] between passes: every use has a definition before it in the list, every
//! label is bound once and only jumped to from before, a helper call has at most five arguments.

pub mod alloc;
pub mod emit;
pub mod func;
pub mod local;
pub mod passes;
pub mod text;
pub mod verify;

pub use emit::Emitted;
pub use func::{Arg, Base, Func, Inst, L, Pos, Slot, V};
pub use local::LocalFn;
