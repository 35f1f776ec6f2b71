//! A rule: how the caller's registers are found from those of a frame, and its 24 bits.

use image::layout::unwind as layout;

/// Where a frame begins (the canonical frame address): the word below it is the return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cfa {
    /// Bytes from `rsp`.
    Rsp(i64),
    /// Bytes from `rbp`.
    Rbp(i64),
    /// The word so many bytes from `rbp` is its address (functions that align their stack), and `rbp` points to the
    /// caller's.
    AtRbp(i64),
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
            layout::RSP => Rule::Frame(Cfa::Rsp(far), rbp),
            layout::RBP => Rule::Frame(Cfa::Rbp(far), rbp),
            layout::AT_RBP => Rule::Frame(Cfa::AtRbp(far), rbp),
            layout::SIGNAL => Rule::Signal,
            layout::END => Rule::End,
            layout::POINTER => Rule::Pointer,
            _ => Rule::Unknown,
        }
    }
}

fn frame(cfa: Cfa, rbp: Rbp) -> Option<u32> {
    let (kind, far) = match cfa {
        Cfa::Rsp(n) => (layout::RSP, n),
        Cfa::Rbp(n) => (layout::RBP, n),
        Cfa::AtRbp(n) => (layout::AT_RBP, n),
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
            Rule::Frame(Cfa::Rsp(8), Rbp::Same),
            Rule::Frame(Cfa::Rsp(0x7_0000), Rbp::At(-16)),
            Rule::Frame(Cfa::Rbp(16), Rbp::At(-240)),
            Rule::Frame(Cfa::AtRbp(-8), Rbp::Same),
            Rule::Frame(Cfa::AtRbp(-512), Rbp::Lost),
        ] {
            assert_eq!(Rule::unpack(rule.pack()), rule);
            assert!(rule.pack() < 1 << layout::RULE_BITS);
        }
    }

    #[test]
    fn what_does_not_fit_is_unknown() {
        for cfa in [Cfa::Rsp(1 << 20), Cfa::Rsp(12), Cfa::Rbp(-520)] {
            assert_eq!(Rule::Frame(cfa, Rbp::Same).pack(), layout::UNKNOWN);
        }
        let far = Rule::Frame(Cfa::Rsp(8), Rbp::At(-8 * 40));
        assert_eq!(
            Rule::unpack(far.pack()),
            Rule::Frame(Cfa::Rsp(8), Rbp::Lost)
        );
    }
}
