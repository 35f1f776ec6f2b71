//! What was typed.

use lexopt::{Arg, Parser, ValueExt};
use std::ffi::OsString;

/// What to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Trace, and report.
    #[default]
    Trace,
    /// Print the D program.
    Program,
    /// Print how to use the command.
    Help,
}

/// Whose locks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Of a process that runs.
    Pid(i32),
    /// Of a command and its arguments.
    Command(Vec<String>),
}

/// The command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// What to do.
    pub mode: Mode,
    /// Report how long threads wait for locks, or fail to get them.
    pub contention: bool,
    /// Report how long locks are held.
    pub hold: bool,
    /// Most lines of a section.
    pub most: Option<usize>,
    /// Frames of each stack, with histograms; none: callers only.
    pub depth: Option<u32>,
    /// Seconds after which it ends by itself.
    pub seconds: Option<u32>,
    /// Say when tracing begins.
    pub verbose: bool,
    /// Options of tracing, in order.
    pub options: Vec<(String, Option<String>)>,
    /// Whose locks.
    pub target: Option<Target>,
}

/// A flag: name, argument, meaning.
pub struct Row(pub char, pub &'static str, pub &'static str);

/// All flags.
pub const FLAGS: &[Row] = &[
    Row(
        'A',
        "",
        "how long threads wait, and how long locks are held: -C -H",
    ),
    Row(
        'C',
        "",
        "how long threads wait and spin for locks (without -H the default)",
    ),
    Row('H', "", "how long locks are held"),
    Row('e', "secs", "end after so many seconds"),
    Row('h', "", "print this"),
    Row('n', "count", "at most so many lines of each section"),
    Row('p', "pid", "the locks of this process"),
    Row(
        's',
        "depth",
        "distributions of times, and stacks of so many frames",
    ),
    Row('v', "", "say when tracing begins"),
    Row('V', "", "print the D program and end"),
    Row('x', "opt[=val]", "set an option of dtrace(1)"),
];

/// How to use the command.
pub fn usage() -> String {
    let mut text = String::from(
        "Usage: plockstat [-ACHhvV] [-n count] [-s depth] [-e secs] [-x opt[=val]] command [arg ...]\n\
         \x20      plockstat [-ACHhvV] [-n count] [-s depth] [-e secs] [-x opt[=val]] -p pid\n\n",
    );
    for Row(name, arg, doc) in FLAGS {
        let left = format!("-{name} {arg}");
        text.push_str(&format!("  {:<13}  {doc}\n", left.trim_end()));
    }
    text
}

impl Args {
    /// Reads the words behind the command's name.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Args, String> {
        let mut parser = Parser::from_args(words);
        let mut args = Args::default();
        while let Some(arg) = parser.next().map_err(|e| e.to_string())? {
            match arg {
                Arg::Short(flag) => args.flag(flag, &mut parser)?,
                Arg::Long("help") => args.mode = Mode::Help,
                Arg::Value(first) => {
                    let rest = parser.raw_args().map_err(|e| e.to_string())?;
                    let words = std::iter::once(first).chain(rest).map(|word| {
                        word.into_string()
                            .map_err(|word| format!("argument is not text: {}", word.display()))
                    });
                    args.aim(Target::Command(words.collect::<Result<_, _>>()?))?;
                }
                Arg::Long(_) => return Err(arg.unexpected().to_string()),
            }
        }
        if !args.contention && !args.hold {
            args.contention = true;
        }
        match (args.mode, &args.target) {
            (Mode::Trace, None) => Err("neither a command nor -p is given".to_owned()),
            (Mode::Trace | Mode::Program | Mode::Help, _) => Ok(args),
        }
    }

    fn flag(&mut self, flag: char, parser: &mut Parser) -> Result<(), String> {
        match flag {
            'A' => (self.contention, self.hold) = (true, true),
            'C' => self.contention = true,
            'H' => self.hold = true,
            'h' => self.mode = Mode::Help,
            'V' => self.mode = Mode::Program,
            'v' => self.verbose = true,
            'e' => self.seconds = Some(number(flag, parser)?),
            'n' => self.most = Some(number::<u32>(flag, parser)? as usize),
            's' => self.depth = Some(number(flag, parser)?),
            'p' => {
                let pid = number::<u32>(flag, parser)?;
                let pid = i32::try_from(pid).map_err(|_| format!("no process: {pid}"))?;
                self.aim(Target::Pid(pid))?;
            }
            'x' => {
                let text = value(flag, parser)?;
                let option = match text.split_once('=') {
                    Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                    None => (text, None),
                };
                self.options.push(option);
            }
            other => return Err(format!("unknown flag -{other}")),
        }
        Ok(())
    }

    fn aim(&mut self, target: Target) -> Result<(), String> {
        match self.target.replace(target) {
            None => Ok(()),
            Some(_) => Err("one command or one process can be traced".to_owned()),
        }
    }
}

fn value(flag: char, parser: &mut Parser) -> Result<String, String> {
    let value = parser.value().map_err(|e| e.to_string())?;
    value
        .string()
        .map_err(|_| format!("argument of -{flag} is not text"))
}

/// A number above 0.
fn number<T: std::str::FromStr + PartialOrd + From<u8>>(
    flag: char,
    parser: &mut Parser,
) -> Result<T, String> {
    let text = value(flag, parser)?;
    let number = text.parse().ok().filter(|n| *n > T::from(0));
    number.ok_or_else(|| format!("invalid argument of -{flag}: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Args, String> {
        Args::parse(words.iter().map(OsString::from))
    }

    #[test]
    fn commands_keep_their_own_flags() {
        let args = parse(&["-H", "-s5", "ls", "-l", "-p"]).expect("a command line");
        let command = ["ls", "-l", "-p"].map(str::to_owned).to_vec();
        assert_eq!(args.target, Some(Target::Command(command)));
        assert_eq!(
            (args.hold, args.contention, args.depth),
            (true, false, Some(5))
        );
    }

    #[test]
    fn contention_is_the_default() {
        let args = parse(&["-p", "12", "-xbufsize=1m"]).expect("a command line");
        assert_eq!((args.hold, args.contention), (false, true));
        assert_eq!(args.target, Some(Target::Pid(12)));
        assert_eq!(
            args.options,
            [("bufsize".to_owned(), Some("1m".to_owned()))]
        );
    }

    #[test]
    fn mistakes_are_told() {
        for words in [
            &["-p", "0"][..],
            &["-n", "x", "ls"],
            &["-z"],
            &[],
            &["-p", "1", "ls"],
        ] {
            assert!(parse(words).is_err(), "{words:?}");
        }
        assert!(
            FLAGS
                .iter()
                .all(|Row(name, ..)| usage().contains(&format!("  -{name}")))
        );
    }

    #[test]
    fn the_manual_page_has_every_flag() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../man/plockstat.1");
        let page = std::fs::read_to_string(path).expect("man/plockstat.1");
        for Row(name, ..) in FLAGS {
            assert!(
                page.contains(&format!("\n.BR \\-{name}"))
                    || page.contains(&format!("\n.BI \\-{name} ")),
                "-{name}"
            );
        }
    }
}
