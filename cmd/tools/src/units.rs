//! Numbers as reports show and take them.

use crate::tool::Stop;
use std::ffi::OsString;
use std::time::Duration;

/// A whole number that a flag was given.
pub fn number<N: std::str::FromStr>(flag: &str, text: &str) -> Result<N, Stop> {
    text.parse()
        .map_err(|_| Stop::Usage(format!("invalid number for {flag}: {text}")))
}

/// The same, but not 0.
pub fn above_0<N: std::str::FromStr + PartialOrd + From<u8>>(
    flag: &str,
    text: &str,
) -> Result<N, Stop> {
    let n: N = number(flag, text)?;
    if n > N::from(0) {
        Ok(n)
    } else {
        Err(Stop::Usage(format!("invalid number for {flag}: {text}")))
    }
}

/// An interval in seconds, with a fraction perhaps.
pub fn seconds(text: &str) -> Result<Duration, Stop> {
    let given: Option<f64> = text.parse().ok();
    given
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .filter(|d| !d.is_zero())
        .ok_or_else(|| Stop::Usage(format!("invalid interval: {text}")))
}

/// The operands `[interval [count]]`.
pub fn pace(operands: &[OsString]) -> Result<(Option<Duration>, Option<u64>), Stop> {
    let texts: Vec<_> = operands.iter().map(|o| o.to_string_lossy()).collect();
    let count = |text: &str| match number::<u64>("the count", text)? {
        0 => Err(Stop::Usage("invalid count: 0".to_owned())),
        n => Ok(n),
    };
    match texts.as_slice() {
        [] => Ok((None, None)),
        [every] => Ok((Some(seconds(every)?), None)),
        [every, times] => Ok((Some(seconds(every)?), Some(count(times)?))),
        [_, _, other, ..] => Err(Stop::Usage(format!("unexpected argument: {other}"))),
    }
}

/// Added to each time of a change: more than 6 days of ns. Changes are counted in what is above: while sums that belong together
/// are read one after the other, some thousand changes may come.
pub const BIAS: i64 = 1 << 50;

/// Splits a sum of times that begin and end stays, each with a bias, into how often what it counts goes on (less how often it
/// went on before), and ns.
pub fn unbias(sum: i64) -> (i64, i64) {
    let ended = sum.wrapping_add(BIAS / 2).div_euclid(BIAS);
    (-ended, sum.wrapping_sub(ended.wrapping_mul(BIAS)))
}

/// A part of a whole in per cent; 0 of nothing.
pub fn percent(part: f64, whole: f64) -> f64 {
    if whole > 0.0 {
        100.0 * part / whole
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_and_counts() {
        let pace = |texts: &[&str]| pace(&texts.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(pace(&[]), Ok((None, None)));
        let half = Some(Duration::from_millis(500));
        assert_eq!(pace(&["0.5", "3"]), Ok((half, Some(3))));
        for bad in [
            ["0", "1"],
            ["x", "1"],
            ["-1", "1"],
            ["1", "0"],
            ["nan", "1"],
        ] {
            assert!(matches!(pace(&bad), Err(Stop::Usage(_))), "{bad:?}");
        }
        assert!(pace(&["1", "2", "3"]).is_err());
    }
}
