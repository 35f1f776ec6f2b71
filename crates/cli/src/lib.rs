//! Flags of commands as rows, one each: parsing, the usage text, manual pages and completions come from them.
//!
//! Invariant: nothing here prints or opens a file.

pub mod complete;
pub mod roff;

use lexopt::{Arg, Parser};
use std::ffi::OsString;
use std::fmt::Write as _;

/// One flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<F> {
    /// Which.
    pub flag: F,
    /// As typed: `-n`, `--dump`.
    pub name: &'static str,
    /// What its argument is called; empty if it takes none.
    pub arg: &'static str,
    /// One line for usage and manual.
    pub doc: &'static str,
}

impl<F> Row<F> {
    /// The row without its flag, for what only shows rows.
    pub fn shown(&self) -> Row<()> {
        Row {
            flag: (),
            name: self.name,
            arg: self.arg,
            doc: self.doc,
        }
    }
}

/// Declares the enum `Flag` and its `TABLE`, a row a line: `Name "-n" "argument" "what it does";`
#[macro_export]
macro_rules! flags {
    ($($flag:ident $name:literal $arg:literal $doc:literal;)*) => {
        /// A flag; the table documents each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Flag { $($flag),* }

        /// Every flag, in the order of the usage text.
        pub const TABLE: &[$crate::Row<Flag>] = &[
            $($crate::Row { flag: Flag::$flag, name: $name, arg: $arg, doc: $doc }),*
        ];
    };
}

/// Where operands may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operands {
    /// Between flags.
    Anywhere,
    /// The first one ends the flags: what follows is a command with its own.
    Last,
}

/// One word of a command line, or a flag with its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word<F: 'static> {
    /// A flag, and its argument if it takes one.
    Flag(&'static Row<F>, String),
    /// Anything else.
    Operand(OsString),
}

/// Why a command line is not understood; the usage text should follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgError {
    /// No such flag.
    #[error("illegal option -- {0}")]
    Illegal(String),
    /// A flag lacks its argument.
    #[error("option requires an argument -- {0}")]
    Missing(String),
    /// What the splitting of arguments says.
    #[error("{0}")]
    Other(String),
}

/// Splits what follows a command's name.
pub fn parse<F>(
    table: &'static [Row<F>],
    typed: Vec<OsString>,
    operands: Operands,
) -> Result<Vec<Word<F>>, ArgError> {
    let mut parser = Parser::from_args(typed);
    let mut words = Vec::new();
    while let Some(arg) = parser.next().map_err(|e| ArgError::Other(e.to_string()))? {
        let name = match arg {
            Arg::Value(value) => {
                words.push(Word::Operand(value));
                if operands == Operands::Last {
                    let rest = parser
                        .raw_args()
                        .map_err(|e| ArgError::Other(e.to_string()))?;
                    words.extend(rest.map(Word::Operand));
                    break;
                }
                continue;
            }
            Arg::Short(c) => format!("-{c}"),
            Arg::Long(long) => format!("--{long}"),
        };
        let bare = || name.trim_start_matches('-').to_owned();
        let row = table.iter().find(|row| row.name == name);
        let row = row.ok_or_else(|| ArgError::Illegal(bare()))?;
        let value = if row.arg.is_empty() {
            String::new()
        } else {
            let value = parser.value().map_err(|_| ArgError::Missing(bare()))?;
            value.to_string_lossy().into_owned()
        };
        words.push(Word::Flag(row, value));
    }
    Ok(words)
}

/// The usage text: how the command is called, a line a flag, and what is to follow.
pub fn usage<F>(synopsis: &str, table: &[Row<F>], after: &str) -> String {
    let mut text = format!("Usage: {synopsis}\n\n");
    for row in table {
        let left = [row.name, row.arg].join(" ");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {:<14}  {}", left.trim_end(), row.doc);
    }
    text + after
}

#[cfg(test)]
mod tests {
    use super::*;

    flags! {
        List "-l" "" "list";
        Rate "-i" "rate" "so often";
        Help "--help" "" "print this text";
    }

    fn parsed(typed: &[&str], operands: Operands) -> Result<Vec<String>, ArgError> {
        let words = parse(TABLE, typed.iter().map(OsString::from).collect(), operands)?;
        let shown = words.iter().map(|w| match w {
            Word::Flag(row, value) => format!("{:?}={value}", row.flag),
            Word::Operand(text) => text.to_string_lossy().into_owned(),
        });
        Ok(shown.collect())
    }

    #[test]
    fn operands_end_the_flags_or_do_not() {
        let typed = ["-li", "97", "sleep", "-l", "5"];
        let anywhere = parsed(&typed, Operands::Anywhere).expect("parses");
        assert_eq!(anywhere, ["List=", "Rate=97", "sleep", "List=", "5"]);
        let last = parsed(&typed, Operands::Last).expect("parses");
        assert_eq!(last, ["List=", "Rate=97", "sleep", "-l", "5"]);
        let dashes = parsed(&["-l", "--", "-i"], Operands::Last).expect("parses");
        assert_eq!(dashes, ["List=", "-i"]);
    }

    #[test]
    fn mistakes_are_named() {
        let why = |typed: &[&str]| parsed(typed, Operands::Last).err().map(|e| e.to_string());
        assert_eq!(why(&["-z"]).as_deref(), Some("illegal option -- z"));
        assert_eq!(
            why(&["-i"]).as_deref(),
            Some("option requires an argument -- i")
        );
    }

    #[test]
    fn usage_has_a_line_for_each_flag() {
        let text = usage("x [flags]", TABLE, "after\n");
        assert_eq!(
            text,
            "Usage: x [flags]\n\n  -l              list\n  -i rate         so often\n  --help          print this text\nafter\n"
        );
    }
}
