//! Constant folding while parsing (reference §4.4). It is visible: `CONST ? a : b` *is* the chosen branch.
//!
//! Folded values are whole 64-bit results, as D computes them at run time too (§3.3): `2147483647 + 1` has type `int` and
//! the value 2147483648 until it is stored or printed.

use crate::ast::{BinaryOp, IntRank, UnaryOp};

/// An integer constant.
pub(crate) type Int = (u64, IntRank);

/// Conversion rank: bits, plus one if unsigned; the later type wins a tie.
fn promote(a: IntRank, b: IntRank) -> IntRank {
    let rank = |r: IntRank| {
        (
            r.bits() + u8::from(!r.signed()),
            matches!(r, IntRank::LongLong | IntRank::ULongLong),
        )
    };
    if rank(a) < rank(b) { b } else { a }
}

/// A prefix operator on a constant; `None` if it cannot fold (`&`, `*`).
pub(crate) fn unary(op: UnaryOp, (value, rank): Int) -> Option<Int> {
    match op {
        UnaryOp::Addr | UnaryOp::Deref => None,
        UnaryOp::Plus => Some((value, rank)),
        UnaryOp::Neg => Some((value.wrapping_neg(), rank)),
        UnaryOp::BitNot => Some((!value, rank)),
        UnaryOp::Not => Some((u64::from(value == 0), IntRank::Int)),
    }
}

/// A binary operator on two constants; `None`: division by zero.
pub(crate) fn binary(op: BinaryOp, (l, lrank): Int, (r, rrank): Int) -> Option<Int> {
    use BinaryOp::*;
    let rank = promote(lrank, rrank);
    let (sl, sr, signed) = (l as i64, r as i64, rank.signed());
    let less = |a: u64, b: u64| {
        if signed {
            (a as i64) < (b as i64)
        } else {
            a < b
        }
    };
    let truth = |t: bool| (u64::from(t), IntRank::Int);
    Some(match op {
        Mul => (l.wrapping_mul(r), rank),
        Div | Mod if r == 0 => return None,
        Div => (
            if signed {
                sl.wrapping_div(sr) as u64
            } else {
                l / r
            },
            rank,
        ),
        Mod => (
            if signed {
                sl.wrapping_rem(sr) as u64
            } else {
                l % r
            },
            rank,
        ),
        Add => (l.wrapping_add(r), rank),
        Sub => (l.wrapping_sub(r), rank),
        Shl => (l.wrapping_shl(r as u32), rank),
        Shr => (
            if signed {
                sl.wrapping_shr(r as u32) as u64
            } else {
                l.wrapping_shr(r as u32)
            },
            rank,
        ),
        And => (l & r, rank),
        Xor => (l ^ r, rank),
        Or => (l | r, rank),
        Lt => truth(less(l, r)),
        Gt => truth(less(r, l)),
        Le => truth(!less(r, l)),
        Ge => truth(!less(l, r)),
        Eq => truth(l == r),
        Ne => truth(l != r),
        LAnd => truth(l != 0 && r != 0),
        LXor => truth((l != 0) ^ (r != 0)),
        LOr => truth(l != 0 || r != 0),
    })
}
