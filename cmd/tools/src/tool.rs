//! What a command is: its name, its rows of flags, and what runs it.

use cli::{ArgError, Operands, Row, Word};
use std::ffi::OsString;

/// One command.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What follows its name.
    pub synopsis: &'static str,
    /// Where its operands may stand.
    pub operands: Operands,
    /// Its flags.
    pub flags: fn() -> Vec<Row<()>>,
    /// Runs it with what was typed after its name; gives the exit status.
    pub run: fn(&'static Tool, Vec<OsString>) -> Result<u8, Stop>,
}

/// Why a command ends without having done its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// This text was asked for.
    Shown(String),
    /// A mistake on the command line; the usage text is to follow.
    Usage(String),
    /// Anything else.
    Failed(String),
}

impl From<ArgError> for Stop {
    fn from(e: ArgError) -> Stop {
        Stop::Usage(e.to_string())
    }
}

impl Tool {
    /// The usage text.
    pub fn usage(&self) -> String {
        let after = format!("\nThe manual: {}(1)\n", self.name);
        let synopsis = format!("{} {}", self.name, self.synopsis);
        cli::usage(&synopsis, &(self.flags)(), &after)
    }

    /// Splits what was typed.
    pub fn parse<F>(
        &self,
        table: &'static [Row<F>],
        typed: Vec<OsString>,
    ) -> Result<Vec<Word<F>>, Stop> {
        Ok(cli::parse(table, typed, self.operands)?)
    }
}

/// The rows of a table as [`Tool::flags`] gives them.
pub fn rows<F>(table: &'static [Row<F>]) -> Vec<Row<()>> {
    table.iter().map(Row::shown).collect()
}
