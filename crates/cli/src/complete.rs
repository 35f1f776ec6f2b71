//! Completion of flags and their arguments in shells.

use crate::Row;
use std::fmt::Write as _;

/// How an argument is completed, by what it is called in a row.
#[derive(Clone, Debug)]
pub enum Values {
    /// Names of files.
    Files,
    /// Names of directories.
    Directories,
    /// Process ids.
    Processes,
    /// A command.
    Command,
    /// These words; those that end in `=` go on.
    Words(String),
}

/// One kind of argument.
pub struct Kind {
    /// What rows call the argument.
    pub arg: &'static str,
    /// How it is completed.
    pub values: Values,
}

/// A command whose words are completed.
pub struct Completion<'a> {
    /// Its name.
    pub command: &'a str,
    /// How the file is made.
    pub made: &'a str,
    /// Its flags.
    pub rows: &'a [Row<()>],
    /// Kinds of arguments; others are not completed.
    pub kinds: &'a [Kind],
    /// How operands are completed.
    pub operands: Values,
}

fn bash_words(values: &Values) -> String {
    match values {
        Values::Files => "COMPREPLY=($(compgen -f -- \"$word\"))".to_owned(),
        Values::Directories => "COMPREPLY=($(compgen -d -- \"$word\"))".to_owned(),
        Values::Processes => {
            "COMPREPLY=($(cd /proc && compgen -W \"$(echo [0-9]*)\" -- \"$word\"))".to_owned()
        }
        Values::Command => "COMPREPLY=($(compgen -c -- \"$word\"))".to_owned(),
        Values::Words(words) => {
            let more = "[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace";
            let go_on = words.contains('=').then_some(more);
            let take = format!("COMPREPLY=($(compgen -W \"{words}\" -- \"$word\"))");
            [Some(take.as_str()), go_on]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join("; ")
        }
    }
}

impl Completion<'_> {
    /// For bash.
    pub fn bash(&self) -> String {
        let flags: Vec<&str> = self.rows.iter().map(|r| r.name).collect();
        let function = self.command.replace('-', "_");
        let mut out = format!(
            "# Completion of {name} for bash. Made by {made}; do not edit.\n_{function}() {{\n\
             \x20   local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}\n\
             \x20   COMPREPLY=()\n    case $before in\n",
            name = self.command,
            made = self.made
        );
        for kind in self.kinds {
            let rows = self.rows.iter().filter(|r| r.arg == kind.arg);
            let names = rows.map(|r| r.name).collect::<Vec<_>>();
            if !names.is_empty() {
                // Writing to a String cannot fail.
                let _ = writeln!(
                    out,
                    "    {}) {} ;;",
                    names.join("|"),
                    bash_words(&kind.values)
                );
            }
        }
        let _ = write!(
            out,
            "    *)\n        case $word in\n\
             \x20       -*) COMPREPLY=($(compgen -W \"{flags}\" -- \"$word\")) ;;\n\
             \x20       *) {operands} ;;\n        esac ;;\n    esac\n}}\ncomplete -F _{function} {name}\n",
            flags = flags.join(" "),
            operands = bash_words(&self.operands),
            name = self.command
        );
        out
    }

    /// For zsh.
    pub fn zsh(&self) -> String {
        let mut out = format!(
            "#compdef {0}\n# Completion of {0} for zsh. Made by {1}; do not edit.\n_arguments -s \\\n",
            self.command, self.made
        );
        for row in self.rows {
            let kind = self.kinds.iter().find(|k| k.arg == row.arg);
            let action = match kind.map(|k| &k.values) {
                _ if row.arg.is_empty() => String::new(),
                Some(values) => zsh_action(row.arg, values),
                None => format!(":{}:", zsh_text(row.arg)),
            };
            let _ = writeln!(out, "  '*{}[{}]{action}' \\", row.name, zsh_text(row.doc));
        }
        let operands = match &self.operands {
            Values::Command => "'*::command:_normal'".to_owned(),
            other => format!("'*{}'", zsh_action("argument", other)),
        };
        let _ = writeln!(out, "  {operands}");
        out
    }
}

fn zsh_action(arg: &str, values: &Values) -> String {
    let arg = arg.split(['[', '=']).next().unwrap_or(arg);
    match values {
        Values::Files => format!(":{arg}:_files"),
        Values::Directories => ":directory:_files -/".to_owned(),
        Values::Processes => ":process:_pids".to_owned(),
        Values::Command => format!(":{arg}:_cmdstring"),
        Values::Words(words) => format!(":{arg}:({words})"),
    }
}

fn zsh_text(text: &str) -> String {
    text.replace('\'', "'\\''")
        .replace('[', "\\[")
        .replace(']', "\\]")
        .replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &'static str, arg: &'static str) -> Row<()> {
        Row {
            flag: (),
            name,
            arg,
            doc: "a [flag]",
        }
    }

    #[test]
    fn arguments_are_completed_by_what_they_are_called() {
        let rows = [
            row("-o", "file"),
            row("-x", "opt[=val]"),
            row("-D", "n"),
            row("-l", ""),
        ];
        let kinds = [
            Kind {
                arg: "file",
                values: Values::Files,
            },
            Kind {
                arg: "opt[=val]",
                values: Values::Words("quiet bufsize=".to_owned()),
            },
        ];
        let completion = Completion {
            command: "x",
            made: "hand",
            rows: &rows,
            kinds: &kinds,
            operands: Values::Command,
        };
        let bash = completion.bash();
        assert!(bash.contains("    -o) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"));
        assert!(bash.contains("-W \"-o -x -D -l\""));
        assert!(bash.contains("compopt -o nospace ;;\n"));
        let zsh = completion.zsh();
        assert!(zsh.contains("  '*-x[a \\[flag\\]]:opt:(quiet bufsize=)' \\\n"));
        assert!(zsh.contains("  '*-D[a \\[flag\\]]:n:' \\\n"));
        assert!(zsh.ends_with("  '*::command:_normal'\n"));
    }
}
