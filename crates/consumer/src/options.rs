//! The run-time options that decide how output looks.

/// Encoding of bars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// `@`, `_`, `x`, `X`.
    #[default]
    Ascii,
    /// Block elements U+2581…U+258F.
    Utf8,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputForm {
    /// Text, as `dtrace` prints it.
    #[default]
    Text,
    /// One JSON object a line (see [`crate::json`]).
    Json,
}

/// Options of the consumer. `Default` is what `dtrace` does when nothing is set.
#[derive(Clone, Debug)]
pub struct Options {
    /// Text or JSON; not an option of D.
    pub form: OutputForm,
    /// `quiet`: only what actions print.
    pub quiet: bool,
    /// `flowindent`.
    pub flowindent: bool,
    /// `rawbytes`: strings and byte arrays are dumped.
    pub rawbytes: bool,
    /// `stackindent`: columns before a stack frame.
    pub stackindent: usize,
    /// `aggsortkey`: sort by key first.
    pub aggsortkey: bool,
    /// `aggsortkeypos`: key component compared first.
    pub aggsortkeypos: usize,
    /// `aggsortpos`: which aggregation of a joined print decides.
    pub aggsortpos: usize,
    /// `aggsortrev`: reverse order.
    pub aggsortrev: bool,
    /// `aggzoom`: bars relative to the largest value.
    pub aggzoom: bool,
    /// `aggpack`: one line for each `quantize()` entry.
    pub aggpack: bool,
    /// `agghist`: bars for `count()` and `sum()`.
    pub agghist: bool,
    /// `encoding`.
    pub encoding: Encoding,
    /// `droptags`: drops begin with their tag.
    pub droptags: bool,
    /// Separator for `%'`; `None` where the locale has none.
    pub thousands: Option<u8>,
    /// `$target`, the process of `%A` addresses that carry none.
    pub target: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            form: OutputForm::Text,
            quiet: false,
            flowindent: false,
            rawbytes: false,
            stackindent: 14,
            aggsortkey: false,
            aggsortkeypos: 0,
            aggsortpos: 0,
            aggsortrev: false,
            aggzoom: false,
            aggpack: false,
            agghist: false,
            encoding: Encoding::Ascii,
            droptags: false,
            thousands: Some(b','),
            target: 0,
        }
    }
}

/// A value an option cannot take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Invalid value for specified option")]
pub struct BadValue;

const YES: [&str; 8] = ["", "1", "yes", "on", "enable", "enabled", "set", "true"];
const NO: [&str; 8] = [
    "unset", "0", "no", "off", "disable", "disabled", "none", "false",
];

fn flag(value: &str) -> Result<bool, BadValue> {
    let value = value.to_ascii_lowercase();
    if YES.contains(&value.as_str()) {
        Ok(true)
    } else if NO.contains(&value.as_str()) {
        Ok(false)
    } else {
        Err(BadValue)
    }
}

fn number(value: &str, unset: usize) -> Result<usize, BadValue> {
    match value {
        "unset" => Ok(unset),
        _ => value.parse().map_err(|_| BadValue),
    }
}

impl Options {
    /// Sets an option by its D name; false if it is not one of the consumer's.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, BadValue> {
        match name {
            "quiet" => self.quiet = flag(value)?,
            "flowindent" => self.flowindent = flag(value)?,
            "rawbytes" => self.rawbytes = flag(value)?,
            "stackindent" => self.stackindent = number(value, 14)?.min(crate::num::MAX_FIELD),
            "aggsortkey" => self.aggsortkey = flag(value)?,
            "aggsortkeypos" => self.aggsortkeypos = number(value, 0)?,
            "aggsortpos" => self.aggsortpos = number(value, 0)?,
            "aggsortrev" => self.aggsortrev = flag(value)?,
            "aggzoom" => self.aggzoom = flag(value)?,
            "aggpack" => self.aggpack = flag(value)?,
            "agghist" => self.agghist = flag(value)?,
            "droptags" => self.droptags = flag(value)?,
            "encoding" => {
                self.encoding = match value {
                    "ascii" => Encoding::Ascii,
                    "utf8" => Encoding::Utf8,
                    _ => return Err(BadValue),
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name() {
        let mut opts = Options::default();
        assert_eq!(opts.set("quiet", ""), Ok(true));
        assert!(opts.quiet);
        assert_eq!(opts.set("quiet", "off"), Ok(true));
        assert!(!opts.quiet);
        assert_eq!(opts.set("stackindent", "4"), Ok(true));
        assert_eq!(opts.stackindent, 4);
        assert_eq!(opts.set("stackindent", "x"), Err(BadValue));
        assert_eq!(opts.set("bufsize", "4m"), Ok(false));
    }
}
