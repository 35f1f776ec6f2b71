//! A rule: how the caller's registers are found from those of a frame, and its 24 bits.

use image::layout::unwind as layout;

/// Where a frame begins (the canonical frame address); on x86-64 the word below it is the return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cfa {
    /// Bytes from the stack pointer (`rsp`, `sp`).
    Sp(i64),
    /// Bytes from the frame pointer (`rbp`, `x29`).
    Fp(i64),
    /// The word so many bytes from `rbp` is its address (functions that align their stack), and `rbp` points to the
    /// caller's.
    AtFp(i64),
}

/// Where 64-bit Arm's code has put `x29` and its return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The return address is still in `x30`, and `x29` was not changed.
    Register,
    /// Both are in memory, `x29` so many bytes from the beginning of the frame, the return address behind it.
    Pair(i64),
    /// The return address is in memory, so many bytes from the beginning of the frame; `x29` was not changed.
    Only(i64),
}

/// Where the caller's `rbp` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rbp {
    /// Unchanged.
    Same,
    /// In memory, so many bytes from the beginning of the frame.
    At(i64),
    /// Not known.
    Lost,
}

/// How the caller of code is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing is known, or it cannot be expressed.
    Unknown,
    /// An ordinary frame.
    Frame(Cfa, Rbp),
    /// The same on 64-bit Arm.
    Linked(Cfa, Link),
    /// The return from a signal handler.
    Signal,
    /// The code keeps frame pointers.
    Pointer,
    /// The outermost frame.
    End,
}

/// Greatest distance field.
const DISTANCE_MAX: i64 = (1 << (layout::RULE_BITS - layout::DISTANCE)) - 1;

impl Rule {
    /// The rule as stored; what does not fit is [`Rule::Unknown`].
    pub fn pack(self) -> u32 {
        match self {
            Rule::Unknown => layout::UNKNOWN,
            Rule::Signal => layout::SIGNAL,
            Rule::Pointer => layout::POINTER,
            Rule::End => layout::END,
            Rule::Frame(cfa, rbp) => frame(cfa, rbp).unwrap_or(layout::UNKNOWN),
            Rule::Linked(cfa, link) => linked(cfa, link).unwrap_or(layout::UNKNOWN),
        }
    }

    /// The rule that `bits` are.
    pub fn unpack(bits: u32) -> Rule {
        let kind = bits & ((1 << layout::KIND_BITS) - 1);
        let saved = bits >> layout::KIND_BITS & ((1 << layout::RBP_BITS) - 1);
        let far = (i64::from(bits >> layout::DISTANCE) - i64::from(layout::DISTANCE_BIAS)) * 8;
        let rbp = match saved {
            layout::RBP_SAME => Rbp::Same,
            layout::RBP_LOST => Rbp::Lost,
            words => Rbp::At(-8 * (i64::from(words) + 1)),
        };
        match kind {
            layout::RSP => Rule::Frame(Cfa::Sp(far), rbp),
            layout::RBP => Rule::Frame(Cfa::Fp(far), rbp),
            layout::AT_RBP => Rule::Frame(Cfa::AtFp(far), rbp),
            layout::SIGNAL => Rule::Signal,
            layout::END => Rule::End,
            layout::POINTER => Rule::Pointer,
            layout::LINKED => unpack_linked(bits),
            _ => Rule::Unknown,
        }
    }
}

fn frame(cfa: Cfa, rbp: Rbp) -> Option<u32> {
    let (kind, far) = match cfa {
        Cfa::Sp(n) => (layout::RSP, n),
        Cfa::Fp(n) => (layout::RBP, n),
        Cfa::AtFp(n) => (layout::AT_RBP, n),
    };
    let distance = words(far)? + i64::from(layout::DISTANCE_BIAS);
    if !(0..=DISTANCE_MAX).contains(&distance) {
        return None;
    }
    let saved = match rbp {
        Rbp::Same => layout::RBP_SAME,
        Rbp::At(n) => match words(n)? {
            down @ -31..=-2 => (-down - 1) as u32,
            _ => layout::RBP_LOST,
        },
        Rbp::Lost => layout::RBP_LOST,
    };
    Some((distance as u32) << layout::DISTANCE | saved << layout::KIND_BITS | kind)
}

fn words(bytes: i64) -> Option<i64> {
    (bytes % 8 == 0).then_some(bytes / 8)
}

/// A field of `bits` bits that counts in `unit` bytes.
fn field(bytes: i64, unit: i64, bits: u32) -> Option<u32> {
    let n = (bytes % unit == 0).then_some(bytes / unit)?;
    u32::try_from(n).ok().filter(|n| *n < 1 << bits)
}

const INDEX_BITS: u32 = layout::LINK_DISTANCE - layout::LINK_INDEX;
const DISTANCE_BITS: u32 = layout::RULE_BITS - layout::LINK_DISTANCE;
/// Stack pointers of 64-bit Arm are multiples of this.
const PAIR: i64 = 16;

fn linked(cfa: Cfa, link: Link) -> Option<u32> {
    let (base, far) = match cfa {
        Cfa::Sp(n) => (0, n),
        Cfa::Fp(n) => (layout::LINK_FP, n),
        Cfa::AtFp(_) => return None,
    };
    let distance = field(far, PAIR, DISTANCE_BITS)?;
    let place = |at: i64, unit, low, high| {
        let up = field(far + at, unit, INDEX_BITS).map(|n| (low, n));
        up.or_else(|| field(-at, unit, INDEX_BITS).map(|n| (high, n)))
    };
    let (mode, index) = match link {
        Link::Register => (layout::LINK_ONLY_HIGH, 0),
        Link::Pair(at) => place(at, PAIR, layout::LINK_PAIR_LOW, layout::LINK_PAIR_HIGH)?,
        Link::Only(at) if at >= 0 => return None,
        Link::Only(at) => place(at, 8, layout::LINK_ONLY_LOW, layout::LINK_ONLY_HIGH)?,
    };
    let place = mode << layout::LINK_MODE | index << layout::LINK_INDEX;
    Some(distance << layout::LINK_DISTANCE | place | base | layout::LINKED)
}

fn unpack_linked(bits: u32) -> Rule {
    let far = i64::from(bits >> layout::LINK_DISTANCE) * PAIR;
    let index = i64::from(bits >> layout::LINK_INDEX & ((1 << INDEX_BITS) - 1));
    let cfa = match bits & layout::LINK_FP {
        0 => Cfa::Sp(far),
        _ => Cfa::Fp(far),
    };
    let link = match bits >> layout::LINK_MODE & 3 {
        layout::LINK_ONLY_HIGH if index == 0 => Link::Register,
        layout::LINK_ONLY_HIGH => Link::Only(-index * 8),
        layout::LINK_ONLY_LOW => Link::Only(index * 8 - far),
        layout::LINK_PAIR_HIGH => Link::Pair(-index * PAIR),
        _ => Link::Pair(index * PAIR - far),
    };
    Rule::Linked(cfa, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_survive_packing() {
        for rule in [
            Rule::Unknown,
            Rule::Signal,
            Rule::End,
            Rule::Pointer,
            Rule::Frame(Cfa::Sp(8), Rbp::Same),
            Rule::Frame(Cfa::Sp(0x7_0000), Rbp::At(-16)),
            Rule::Frame(Cfa::Fp(16), Rbp::At(-240)),
            Rule::Frame(Cfa::AtFp(-8), Rbp::Same),
            Rule::Frame(Cfa::AtFp(-512), Rbp::Lost),
            Rule::Linked(Cfa::Sp(0), Link::Register),
            Rule::Linked(Cfa::Sp(48), Link::Pair(-48)),
            Rule::Linked(Cfa::Sp(272), Link::Pair(-16)),
            Rule::Linked(Cfa::Sp(0xfff0), Link::Pair(-16)),
            Rule::Linked(Cfa::Sp(0xfff0), Link::Pair(-0xff00)),
            Rule::Linked(Cfa::Fp(96), Link::Pair(-96)),
            Rule::Linked(Cfa::Sp(32), Link::Only(-24)),
            Rule::Linked(Cfa::Sp(0x8000), Link::Only(-16)),
            Rule::Linked(Cfa::Sp(0x8000), Link::Only(-0x8000)),
        ] {
            assert_eq!(Rule::unpack(rule.pack()), rule);
            assert!(rule.pack() < 1 << layout::RULE_BITS);
        }
    }

    #[test]
    fn what_does_not_fit_is_unknown() {
        for cfa in [Cfa::Sp(1 << 20), Cfa::Sp(12), Cfa::Fp(-520)] {
            assert_eq!(Rule::Frame(cfa, Rbp::Same).pack(), layout::UNKNOWN);
        }
        let odd = [
            (Cfa::Sp(1 << 16), Link::Register),
            (Cfa::Sp(24), Link::Pair(-24)),
            (Cfa::Sp(8192), Link::Pair(-4096)),
            (Cfa::Sp(64), Link::Only(8)),
            (Cfa::AtFp(0), Link::Register),
        ];
        for (cfa, link) in odd {
            assert_eq!(Rule::Linked(cfa, link).pack(), layout::UNKNOWN);
        }
        let far = Rule::Frame(Cfa::Sp(8), Rbp::At(-8 * 40));
        assert_eq!(Rule::unpack(far.pack()), Rule::Frame(Cfa::Sp(8), Rbp::Lost));
    }
}
