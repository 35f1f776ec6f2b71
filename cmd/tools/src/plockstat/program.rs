//! The sections of the report, and the D program that finds out what they say.

use super::Args;
use std::fmt::Write;

/// A section of the report.
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Name of its aggregations, with `n` and `t` behind: how long each time, and all together.
    pub name: &'static str,
    /// It is about locks that are held, not about waiting for them.
    pub hold: bool,
    /// Probe at which the time begins, its condition, and the variable that holds it.
    begin: (&'static str, &'static str, &'static str),
    /// Probe at which it ends, and its condition.
    end: (&'static str, &'static str),
}

/// In the order of the report.
pub const SECTIONS: &[Section] = &[
    Section {
        title: "Mutex hold",
        name: "mutex_hold",
        hold: true,
        begin: ("mutex-acquire", "arg1 == 0", "self->mutex[arg0]"),
        end: ("mutex-release", "arg1 == 0"),
    },
    Section {
        title: "Mutex block",
        name: "mutex_block",
        hold: false,
        begin: ("mutex-block", "", "self->mutex_block"),
        end: ("mutex-blocked", "arg1 != 0"),
    },
    Section {
        title: "Mutex spin",
        name: "mutex_spin",
        hold: false,
        begin: ("mutex-spin", "", "self->mutex_spin"),
        end: ("mutex-spun", "arg1 != 0"),
    },
    Section {
        title: "Mutex unsuccessful spin",
        name: "mutex_vain",
        hold: false,
        begin: ("mutex-spin", "", "self->mutex_vain"),
        end: ("mutex-spun", "arg1 == 0"),
    },
    Section {
        title: "R/W reader hold",
        name: "reader_hold",
        hold: true,
        begin: ("rw-acquire", "arg1 == 0", "self->reader[arg0]"),
        end: ("rw-release", "arg1 == 0"),
    },
    Section {
        title: "R/W writer hold",
        name: "writer_hold",
        hold: true,
        begin: ("rw-acquire", "arg1 == 1", "self->writer[arg0]"),
        end: ("rw-release", "arg1 == 1"),
    },
    Section {
        title: "R/W reader block",
        name: "reader_block",
        hold: false,
        begin: ("rw-block", "arg1 == 0", "self->reader_block"),
        end: ("rw-blocked", "arg1 == 0 && arg2 != 0"),
    },
    Section {
        title: "R/W writer block",
        name: "writer_block",
        hold: false,
        begin: ("rw-block", "arg1 == 1", "self->writer_block"),
        end: ("rw-blocked", "arg1 == 1 && arg2 != 0"),
    },
];

/// Frames that the C library's own functions take above the caller.
const OWN_FRAMES: u32 = 3;

/// The sections that were asked for.
pub fn sections(args: &Args) -> impl Iterator<Item = &'static Section> {
    let (hold, contention) = (args.hold, args.contention);
    SECTIONS
        .iter()
        .filter(move |s| if s.hold { hold } else { contention })
}

/// The program.
pub fn text(args: &Args) -> String {
    let mut text = String::new();
    let frames = args.depth.unwrap_or(1) + OWN_FRAMES;
    for Section {
        name, begin, end, ..
    } in sections(args)
    {
        let (probe, when, var) = begin;
        let when = if when.is_empty() {
            String::new()
        } else {
            format!(" /{when}/")
        };
        let (over, got) = end;
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "plockstat$target:::{probe}{when}\n{{\n\t{var} = timestamp;\n}}\n\
             plockstat$target:::{over} /{got} && {var} != 0/\n{{\n\
             \tthis->time = timestamp - {var};\n\
             \t@{name}n[uaddr(arg0), ustack({frames})] = quantize(this->time);\n\
             \t@{name}t[uaddr(arg0), ustack({frames})] = sum(this->time);\n\
             \t{var} = 0;\n}}\n",
        );
    }
    if let Some(seconds) = args.seconds {
        let _ = write!(text, "tick-{seconds}s\n{{\n\texit(0);\n}}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_those_asked_for() {
        let mut args = Args {
            hold: true,
            ..Args::default()
        };
        assert_eq!(sections(&args).count(), 3);
        assert!(!text(&args).contains("block") && !text(&args).contains("tick"));
        args.contention = true;
        args.seconds = Some(3);
        assert_eq!(sections(&args).count(), SECTIONS.len());
        assert!(text(&args).contains("tick-3s"));
    }
}
