//! The run-time options that decide how output looks.

use crate::num::MAX_FIELD;
use lang::options::{self, Opt, OptError, Value};

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
    /// Nothing: records are kept to be taken (see [`crate::data`]).
    Data,
    /// Nothing: what happens is kept to be taken (see [`crate::events`]).
    Events,
}

impl OutputForm {
    /// Whether aggregations are printed that the program has not printed.
    pub(crate) fn prints(self) -> bool {
        match self {
            OutputForm::Text | OutputForm::Json => true,
            OutputForm::Data | OutputForm::Events => false,
        }
    }
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
    /// `aggpercpu`: each CPU's values too; from the start of the run.
    pub aggpercpu: bool,
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
            aggpercpu: false,
            agghist: false,
            encoding: Encoding::Ascii,
            droptags: false,
            thousands: Some(b','),
            target: 0,
        }
    }
}

/// Puts a value into its field.
type Setter = fn(&mut Options, &Value);

fn flag(v: &Value) -> bool {
    matches!(v, Value::Flag(true))
}

fn number(v: &Value) -> usize {
    match v {
        Value::Num(n) => usize::try_from(*n).unwrap_or(0),
        Value::Flag(_) | Value::Text(_) => 0,
    }
}

/// The options that are the consumer's own.
const SETTERS: &[(Opt, Setter)] = &[
    (Opt::Quiet, |o, v| o.quiet = flag(v)),
    (Opt::Flowindent, |o, v| o.flowindent = flag(v)),
    (Opt::Rawbytes, |o, v| o.rawbytes = flag(v)),
    (Opt::Stackindent, |o, v| {
        o.stackindent = number(v).min(MAX_FIELD)
    }),
    (Opt::Aggsortkey, |o, v| o.aggsortkey = flag(v)),
    (Opt::Aggsortkeypos, |o, v| o.aggsortkeypos = number(v)),
    (Opt::Aggsortpos, |o, v| o.aggsortpos = number(v)),
    (Opt::Aggsortrev, |o, v| o.aggsortrev = flag(v)),
    (Opt::Aggzoom, |o, v| o.aggzoom = flag(v)),
    (Opt::Aggpack, |o, v| o.aggpack = flag(v)),
    (Opt::Agghist, |o, v| o.agghist = flag(v)),
    (Opt::Aggpercpu, |o, v| o.aggpercpu = flag(v)),
    (Opt::Droptags, |o, v| o.droptags = flag(v)),
    (Opt::Encoding, |o, v| {
        o.encoding = if *v == Value::Text("utf8".to_string()) {
            Encoding::Utf8
        } else {
            Encoding::Ascii
        };
    }),
];

impl Options {
    /// Sets an option to a checked value; false if it is not one of the consumer's.
    pub fn apply(&mut self, opt: Opt, value: &Value) -> bool {
        match SETTERS.iter().find(|(o, _)| *o == opt) {
            Some((_, set)) => {
                set(self, value);
                true
            }
            None => false,
        }
    }

    /// `setopt()`: sets a dynamic option by name; `Ok(false)` if it may be set but is not one of the consumer's.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, OptError> {
        let row = options::find(name)?;
        if !row.dynamic {
            return Err(OptError::Active);
        }
        let value = row.parse(Some(value))?;
        Ok(self.apply(row.opt, &value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name() {
        let mut opts = Options::default();
        assert_eq!(opts.set("quiet", "1"), Ok(true));
        assert!(opts.quiet);
        assert_eq!(opts.set("quiet", "off"), Ok(true));
        assert!(!opts.quiet);
        assert_eq!(opts.set("stackindent", "4"), Ok(true));
        assert_eq!(opts.stackindent, 4);
        assert_eq!(opts.set("stackindent", "x"), Err(OptError::Value));
        assert_eq!(opts.set("bufsize", "4m"), Err(OptError::Active));
        assert_eq!(opts.set("nonsense", "1"), Err(OptError::Name));
        assert_eq!(opts.set("switchrate", "10hz"), Ok(false));
        assert!(opts.apply(Opt::Encoding, &Value::Text("utf8".into())));
        assert_eq!(opts.encoding, Encoding::Utf8);
    }

    #[test]
    fn defaults_are_those_of_the_table() {
        let (mut set, unset) = (Options::default(), Options::default());
        for (opt, _) in SETTERS {
            if let Some(value) = opt.row().default_value() {
                set.apply(*opt, &value);
            }
        }
        assert_eq!(format!("{set:?}"), format!("{unset:?}"));
    }
}
