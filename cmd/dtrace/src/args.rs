//! What was typed. Two passes as dtrace(1) has them: the first sorts out the mode and the texts, the second sets options
//! in order, after those of the environment.

use crate::flags::{Flag, TABLE};
use cli::{Operands, Word};
use session::Picture;
use std::ffi::OsString;
use std::path::PathBuf;

/// What to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Trace.
    #[default]
    Exec,
    /// `-l`.
    List,
    /// `-V`.
    Version,
    /// `-h`.
    Header,
    /// `-G`.
    Link,
    /// `-A`.
    Anonymous,
    /// `--help`.
    Help,
    /// `--explain`.
    Explain,
}

/// A program text, in command-line order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Text {
    /// `-n -P -m -f -i`: which, and the text.
    Probe(Flag, String),
    /// `-s`.
    Script(PathBuf),
}

/// A victim, in command-line order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `-c`.
    Command(String),
    /// `-p`.
    Pid(i32),
}

/// Form of the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Text.
    #[default]
    Text,
    /// Objects, one a line.
    Json,
    /// A picture of it.
    Picture(Picture),
}

/// Forms by the word of `-O`.
pub const FORMS: [(&str, Form); 5] = [
    ("text", Form::Text),
    ("json", Form::Json),
    ("flame", Form::Picture(Picture::Flame)),
    ("heatmap", Form::Picture(Picture::Heatmap)),
    ("trace", Form::Picture(Picture::Trace)),
];

/// The command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// What to do.
    pub mode: Mode,
    /// Program texts.
    pub texts: Vec<Text>,
    /// `-c` and `-p`.
    pub targets: Vec<Target>,
    /// `$1`….
    pub operands: Vec<String>,
    /// Options to set, in order; `-q` and the like are written as the options they stand for.
    pub options: Vec<(String, Option<String>)>,
    /// `-o`.
    pub output: Option<PathBuf>,
    /// `-O`.
    pub form: Form,
    /// `-v`.
    pub verbose: bool,
    /// `-e`.
    pub compile_only: bool,
    /// `--dump`.
    pub dump: Option<String>,
    /// `--explain`.
    pub explain: Option<String>,
}

/// Why the command line is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgError {
    /// Print the message and the usage text, exit 2.
    Usage(String),
    /// Print the message only, exit 2.
    Plain(String),
    /// The flag is known but cannot be had: exit 1.
    Refused(String),
}

impl From<cli::ArgError> for ArgError {
    fn from(e: cli::ArgError) -> ArgError {
        ArgError::Usage(e.to_string())
    }
}

impl Args {
    /// Parses what follows the command's name.
    pub fn parse(typed: Vec<OsString>) -> Result<Args, ArgError> {
        let words = cli::parse(TABLE, split_interpreter_line(typed), Operands::Anywhere)?;
        let mut args = Args::default();
        let mut modes = Vec::new();
        for word in words {
            match word {
                Word::Operand(value) => args.operands.push(text(value)),
                Word::Flag(row, value) => modes.extend(args.take(row.flag, value)?),
            }
        }
        modes.dedup();
        if modes.len() > 1 {
            return Err(ArgError::Plain(
                "only one of the [-AGhlV] options can be specified at a time".into(),
            ));
        }
        args.mode = modes.first().copied().unwrap_or_default();
        if let (Mode::List, Form::Picture(_)) = (args.mode, args.form) {
            return Err(ArgError::Plain(
                "-O flame, heatmap and trace draw what was traced: not with -l".into(),
            ));
        }
        if matches!(args.mode, Mode::List | Mode::Link | Mode::Header) {
            args.set("zdefs", None);
        }
        Ok(args)
    }

    fn set(&mut self, option: &str, value: Option<String>) {
        self.options.push((option.to_owned(), value));
    }

    /// Takes one flag; gives the mode it asks for.
    fn take(&mut self, flag: Flag, value: String) -> Result<Option<Mode>, ArgError> {
        match flag {
            Flag::Name | Flag::Provider | Flag::Module | Flag::Function | Flag::Id => {
                self.texts.push(Text::Probe(flag, value));
            }
            Flag::Script => self.texts.push(Text::Script(value.into())),
            Flag::Command => self.targets.push(Target::Command(value)),
            Flag::Pid => match value.trim().parse() {
                Ok(pid) if pid > 0 => self.targets.push(Target::Pid(pid)),
                _ => return Err(ArgError::Plain(format!("invalid pid: {value}"))),
            },
            Flag::List => return Ok(Some(Mode::List)),
            Flag::Version => return Ok(Some(Mode::Version)),
            Flag::Header => return Ok(Some(Mode::Header)),
            Flag::Link => return Ok(Some(Mode::Link)),
            Flag::Anonymous => return Ok(Some(Mode::Anonymous)),
            Flag::Help => return Ok(Some(Mode::Help)),
            Flag::Explain => {
                self.explain = Some(value);
                return Ok(Some(Mode::Explain));
            }
            Flag::Claim => {
                return Err(ArgError::Refused(
                    "-a is not supported: there is no anonymous tracing".into(),
                ));
            }
            Flag::Raw => {
                return Err(ArgError::Refused(
                    "-B is not supported: use -O json for output that programs read".into(),
                ));
            }
            Flag::Compile => self.compile_only = true,
            Flag::Output => self.output = Some(value.into()),
            Flag::Format => self.format(&value)?,
            Flag::Option => {
                let (name, value) = value
                    .split_once('=')
                    .map_or((value.as_str(), None), |(n, v)| (n, Some(v.to_owned())));
                self.set(name, value);
            }
            Flag::Verbose => self.verbose = true,
            Flag::Quiet => self.set("quiet", None),
            Flag::Listing => self.set("verbose", None),
            Flag::Destructive => self.set("destructive", None),
            Flag::Flow => self.set("flowindent", None),
            Flag::Zero => self.set("zdefs", None),
            Flag::Bufsize => self.set("bufsize", Some(value)),
            Flag::Cpp => self.set("cpp", None),
            Flag::Headers => self.set("cpphdrs", None),
            Flag::Define => self.set("define", Some(value)),
            Flag::Undef => self.set("undef", Some(value)),
            Flag::Include => self.set("incdir", Some(value)),
            Flag::Library => self.set("libdir", Some(value)),
            Flag::Conformance => self.set("stdc", Some(value)),
            Flag::Model32 | Flag::Model64 => {
                if value != flag.row().arg {
                    return Err(ArgError::Usage(format!(
                        "illegal option -- {}{value}",
                        flag.row().name.trim_start_matches('-')
                    )));
                }
            }
            Flag::Dump => self.dump = Some(value),
        }
        Ok(None)
    }

    fn format(&mut self, value: &str) -> Result<(), ArgError> {
        let Some((_, form)) = FORMS.iter().find(|(word, _)| *word == value) else {
            let words = FORMS.map(|(word, _)| word).join(", ");
            return Err(ArgError::Plain(format!(
                "invalid output format: {value} ({words})"
            )));
        };
        self.form = *form;
        Ok(())
    }
}

fn text(value: OsString) -> String {
    value.to_string_lossy().into_owned()
}

/// The kernel hands over all that follows the interpreter's path in `#!/usr/sbin/dtrace -x quiet -s` as one argument;
/// take it apart if it stands so in the script that follows.
fn split_interpreter_line(typed: Vec<OsString>) -> Vec<OsString> {
    let line = match typed.as_slice() {
        [first, script, ..]
            if first.to_string_lossy().starts_with('-')
                && first.to_string_lossy().contains(' ') =>
        {
            first_line(script).filter(|l| {
                l.starts_with("#!") && l.trim_end().ends_with(first.to_string_lossy().trim_end())
            })
        }
        _ => None,
    };
    if line.is_none() {
        return typed;
    }
    let mut rest = typed.into_iter();
    let first = rest.next().map(text).unwrap_or_default();
    first
        .split_whitespace()
        .map(OsString::from)
        .chain(rest)
        .collect()
}

fn first_line(path: &OsString) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path)
        .ok()?
        .take(512)
        .read_to_end(&mut bytes)
        .ok()?;
    String::from_utf8_lossy(&bytes)
        .lines()
        .next()
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &[&str]) -> Result<Args, ArgError> {
        Args::parse(line.iter().map(OsString::from).collect())
    }

    #[test]
    fn texts_and_operands_keep_their_order() {
        let args =
            parse(&["-n", "BEGIN", "one", "-qs", "x.d", "two", "-P", "syscall"]).expect("parses");
        assert_eq!(
            args.texts,
            [
                Text::Probe(Flag::Name, "BEGIN".into()),
                Text::Script("x.d".into()),
                Text::Probe(Flag::Provider, "syscall".into())
            ]
        );
        assert_eq!(args.operands, ["one", "two"]);
        assert_eq!(args.options, [("quiet".into(), None)]);
    }

    #[test]
    fn options_are_split_at_the_first_equals_sign() {
        let args = parse(&["-x", "define=A=1", "-xquiet", "-b", "4k", "-32"]).expect("parses");
        let want = [
            ("define", Some("A=1")),
            ("quiet", None),
            ("bufsize", Some("4k")),
        ];
        assert_eq!(
            args.options,
            want.map(|(n, v)| (n.to_owned(), v.map(str::to_owned)))
        );
    }

    #[test]
    fn modes_exclude_each_other() {
        assert_eq!(
            parse(&["-lV"]),
            Err(ArgError::Plain(
                "only one of the [-AGhlV] options can be specified at a time".into()
            ))
        );
        let args = parse(&["-l", "-l"]).expect("parses");
        assert_eq!(
            (args.mode, args.options),
            (Mode::List, vec![("zdefs".to_owned(), None)])
        );
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            parse(&["-j"]),
            Err(ArgError::Usage("illegal option -- j".into()))
        );
        assert_eq!(
            parse(&["-n"]),
            Err(ArgError::Usage("option requires an argument -- n".into()))
        );
        assert_eq!(
            parse(&["-33"]),
            Err(ArgError::Usage("illegal option -- 33".into()))
        );
        assert!(matches!(parse(&["-p", "x"]), Err(ArgError::Plain(_))));
        assert!(matches!(parse(&["-O", "xml"]), Err(ArgError::Plain(_))));
        assert!(matches!(parse(&["-a"]), Err(ArgError::Refused(_))));
    }

    #[test]
    fn interpreter_lines_with_several_flags_are_split() {
        let path = std::env::temp_dir().join(format!("dtrace-args-{}.d", std::process::id()));
        std::fs::write(
            &path,
            "#!/usr/sbin/dtrace -x quiet -s\nBEGIN { exit(0); }\n",
        )
        .expect("a scratch file");
        let path = path.to_string_lossy().into_owned();
        let args = parse(&["-x quiet -s", &path, "arg"]);
        std::fs::remove_file(&path).expect("it was there");
        let args = args.expect("parses");
        assert_eq!(
            (args.texts, args.operands),
            (vec![Text::Script(path.into())], vec!["arg".to_owned()])
        );
    }
}
