//! The flags of `dtrace`, one row each; parsing, the usage text and the manual's table come from here.

use cli::Row;

cli::flags! {
    Name "-n" "text" "enable probes by [[provider:]module:]function:]name, then [/predicate/] [{ action }]";
    Provider "-P" "text" "enable the probes of a provider, then as -n";
    Module "-m" "text" "enable probes by [provider:]module, then as -n";
    Function "-f" "text" "enable probes by [[provider:]module:]function, then as -n";
    Id "-i" "text" "enable a probe by its id, then as -n";
    Script "-s" "file" "enable the program in a file; operands are its arguments $1, $2, ...";
    Command "-c" "command" "run a command and end when it ends; $target is its process id";
    Pid "-p" "pid" "follow a process and end when it ends; $target is its process id";
    List "-l" "" "list the probes instead of enabling them";
    Compile "-e" "" "stop after compiling";
    Quiet "-q" "" "print only what the program asks for";
    Output "-o" "file" "append output to a file";
    Format "-O" "format" "form of the output: text, json (one object a line), or a picture: flame, heatmap (SVG) or trace (timeline, JSON)";
    Option "-x" "opt[=val]" "set an option";
    Verbose "-v" "" "report stability; with -l also the types of arguments";
    Listing "-S" "" "list the compiled code";
    Destructive "-w" "" "allow destructive actions";
    Flow "-F" "" "indent function entry and return";
    Zero "-Z" "" "allow descriptions that match no probe";
    Bufsize "-b" "size" "set the size of the trace buffer of each CPU";
    Cpp "-C" "" "run the C preprocessor over script files";
    Define "-D" "name[=def]" "define a macro for the preprocessor";
    Undef "-U" "name" "undefine a macro for the preprocessor";
    Include "-I" "dir" "add a directory to the preprocessor's search path";
    Headers "-H" "" "list the files the preprocessor includes";
    Conformance "-X" "a|c|s|t" "set the preprocessor's ISO C conformance";
    Library "-L" "dir" "add a directory of D libraries";
    Version "-V" "" "print the version";
    Model32 "-3" "2" "accepted for compatibility (-32)";
    Model64 "-6" "4" "accepted for compatibility (-64)";
    Raw "-B" "" "not supported: dump raw buffers";
    Header "-h" "" "write the header (NAME.h, or -o) with which an application has the probes of a provider";
    Link "-G" "" "write the object (NAME.o, or -o) to link with an application's objects, the operands";
    Anonymous "-A" "" "not supported: anonymous tracing at boot";
    Claim "-a" "" "not supported: claim anonymous tracing";
    Dump "--dump" "stage" "print a stage of compilation (ast, typed, ir, asm) and stop";
    Explain "--explain" "tag" "explain an error by its D_ tag";
    Help "--help" "" "print this text";
}

impl Flag {
    /// The row of this flag.
    pub fn row(self) -> &'static Row<Flag> {
        &TABLE[self as usize]
    }
}

/// The usage text.
pub fn usage() -> String {
    cli::usage(
        "dtrace [flags] [argument ...]",
        TABLE,
        "\nExample: dtrace -n 'syscall:::entry { @[execname] = count(); }'\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_indexed_by_flag_and_names_are_unique() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.flag as usize, i);
            let first = TABLE.iter().find(|r| r.name == row.name);
            assert_eq!(first.map(|r| r.flag), Some(row.flag));
            assert!(usage().contains(row.doc));
        }
    }

    /// The manual's tables, from the rows.
    fn tables() -> String {
        use lang::options::{Kind, Phase, Support};
        let cell = |text: &str| text.replace('|', "\\|");
        let mut text = String::from("## Flags\n\n| flag | meaning |\n|---|---|\n");
        for row in TABLE {
            let left = [row.name, row.arg].join(" ");
            text.push_str(&format!(
                "| `{}` | {} |\n",
                cell(left.trim_end()),
                cell(row.doc)
            ));
        }
        text.push_str("\n## Options\n\n| option | value | default | when | meaning |\n|---|---|---|---|---|\n");
        for row in lang::options::TABLE {
            let kind = match row.kind {
                Kind::Flag => "flag".to_owned(),
                Kind::Size => "size".to_owned(),
                Kind::Rate => "rate".to_owned(),
                Kind::Int(low, high) => format!("{low} to {high}"),
                Kind::Text => "text".to_owned(),
                Kind::List => "text, may repeat".to_owned(),
                Kind::Enum(words) => words.iter().map(|(w, _)| *w).collect::<Vec<_>>().join(", "),
            };
            let when = match (row.phase, row.dynamic) {
                (Phase::Compile, _) => "compile",
                (Phase::Run, false) => "run",
                (Phase::Run, true) => "run, `setopt()`",
            };
            let note = match row.support {
                Support::Yes => String::new(),
                Support::NoEffect(why) => format!(" (no effect: {why})"),
                Support::Refused(why) => format!(" (refused: {why})"),
            };
            let (name, default) = (row.name, row.default);
            text.push_str(&format!(
                "| `{name}` | {kind} | {default} | {when} | {}{} |\n",
                cell(row.doc),
                cell(&note)
            ));
        }
        text
    }

    #[test]
    fn manual_has_the_tables_as_they_are() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/DTRACE.md");
        let manual = std::fs::read_to_string(path).expect("docs/DTRACE.md");
        let (head, _) = manual.split_once("## Flags\n").expect("a section on flags");
        let want = format!("{head}{}", tables());
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(path, &want).expect("docs/DTRACE.md can be written");
        } else {
            assert!(
                manual == want,
                "run `UPDATE=1 cargo test -p dtrace` to bring docs/DTRACE.md up to date"
            );
        }
    }
}
