//! What the aggregating functions must hold after one value (reference §11): written down from the description, not from
//! the compiler.

/// An aggregating function with its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Func {
    /// `quantize`
    Quantize,
    /// `lquantize`: base, limit, step.
    Lquantize(i32, i32, u16),
    /// `llquantize`: factor, low, high, steps.
    Llquantize(u16, u16, u16, u16),
    /// `stddev`
    Stddev,
    /// `avg`
    Avg,
    /// `min` or `max`
    Extreme(bool),
}

impl Func {
    /// The text of a call on `value`.
    pub fn call(self, value: &str) -> String {
        match self {
            Func::Quantize => format!("quantize({value})"),
            Func::Lquantize(b, l, s) => format!("lquantize({value}, {b}, {l}, {s})"),
            Func::Llquantize(f, l, h, n) => format!("llquantize({value}, {f}, {l}, {h}, {n})"),
            Func::Stddev => format!("stddev({value})"),
            Func::Avg => format!("avg({value})"),
            Func::Extreme(least) => format!("{}({value})", if least { "min" } else { "max" }),
        }
    }

    /// The words of the aggregation after these values, in a value of `len` words.
    pub fn model(self, values: &[i64], len: usize) -> Vec<u64> {
        let mut words = vec![0u64; len];
        for v in values {
            match self {
                Func::Quantize => words[quantize(*v)] += 1,
                Func::Lquantize(b, l, s) => words[lquantize(*v, b, l, s)] += 1,
                Func::Llquantize(f, l, h, n) => words[llquantize(*v, f, l, h, n)] += 1,
                Func::Avg | Func::Stddev => {
                    words[0] += 1;
                    words[1] = words[1].wrapping_add(*v as u64);
                }
                Func::Extreme(_) => {}
            }
        }
        match self {
            Func::Stddev => {
                let square = |v: &i64| u128::from(v.unsigned_abs()) * u128::from(v.unsigned_abs());
                let sum = values.iter().map(square).fold(0u128, u128::wrapping_add);
                (words[2], words[3]) = (sum as u64, (sum >> 64) as u64);
            }
            Func::Extreme(least) => {
                let most = if least {
                    values.iter().min()
                } else {
                    values.iter().max()
                };
                words[0] = 1;
                words[1] = *most.unwrap_or(&0) as u64;
            }
            Func::Quantize | Func::Lquantize(..) | Func::Llquantize(..) | Func::Avg => {}
        }
        words
    }
}

/// Bucket of a power of two: 63 is zero, those below are negative.
fn quantize(v: i64) -> usize {
    match v {
        0 => 63,
        1.. => 64 + (63 - v.leading_zeros() as usize),
        _ => {
            // The first bucket whose value is not below v: the greatest power of two not above |v|.
            let power = 63 - v.unsigned_abs().leading_zeros() as usize;
            62 - power.min(62)
        }
    }
}

fn lquantize(v: i64, base: i32, limit: i32, step: u16) -> usize {
    let (base, limit, step) = (i64::from(base), i64::from(limit), i64::from(step));
    let levels = (limit - base) / step;
    let level = if v < base {
        return 0;
    } else {
        (i128::from(v) - i128::from(base)) / i128::from(step)
    };
    if level < i128::from(levels) {
        level as usize + 1
    } else {
        levels as usize + 1
    }
}

/// Walks the orders as the description says.
fn llquantize(v: i64, factor: u16, low: u16, high: u16, steps: u16) -> usize {
    let (factor, steps) = (i128::from(factor), i128::from(steps));
    let (v, mut this) = (i128::from(v), factor.pow(low.into()));
    if v < this {
        return 0;
    }
    let (mut base, mut last) = (1, this);
    this *= factor;
    for _ in low..=high {
        let buckets = this.min(steps);
        if v < this {
            return (base + (v - last) / (this / buckets)) as usize;
        }
        base += buckets - buckets / factor;
        last = this;
        this *= factor;
    }
    base as usize
}
