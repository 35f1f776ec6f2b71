//! A parsed `printf()` format. The compiler parses and checks it; the consumer only follows it.

/// A format: literal text and conversions in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Format {
    /// Pieces in order.
    pub segments: Vec<Segment>,
}

/// One piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Text as is (`%%` already resolved). Bytes, as D strings are.
    Text(Vec<u8>),
    /// A conversion.
    Conv(Conversion),
}

/// A width or precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Star {
    /// Not given.
    #[default]
    None,
    /// A number in the format.
    Fixed(u32),
    /// `*`: the next argument.
    Arg,
}

/// One conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// `#`.
    pub alt: bool,
    /// `-`.
    pub left: bool,
    /// `0`.
    pub zero: bool,
    /// `+`.
    pub plus: bool,
    /// `'`.
    pub group: bool,
    /// space.
    pub space: bool,
    /// `@`: consumes an aggregation's value.
    pub agg: bool,
    /// Field width.
    pub width: Star,
    /// Precision.
    pub prec: Star,
    /// Conversion without its size prefix: `d i u o x X c C s S p a A Y T k P I e E f g G`.
    pub conv: char,
    /// Size prefix as written (`h`, `l`, `ll`, `L`, `w` or empty).
    pub size: &'static str,
}
