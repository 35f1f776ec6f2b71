//! `-l`: the table of probes, and with `-v` what is known of each.

use session::{Attributes, Described, Probe};
use std::fmt::Write;

/// The header line.
pub fn header() -> String {
    format!(
        "{:>5} {:>10} {:>17} {:>33} {}\n",
        "ID", "PROVIDER", "MODULE", "FUNCTION", "NAME"
    )
}

/// Widths of a line's columns: all to the right, the name without.
const WIDTHS: [usize; 3] = [10, 17, 33];

/// Bytes that a line usually takes.
const LINE: usize = 96;
/// As many as a column is wide, and one more.
const SPACES: &str = "                                  ";

/// Adds the line of a probe; `names` are provider, module, function and name. A list has a hundred thousand lines and
/// more, for which formatted output would take longer than all else.
fn row(text: &mut String, id: u32, names: [&str; 4]) {
    let [provider, module, function, name] = names;
    text.reserve(LINE);
    let mut digits = [b' '; 10];
    let mut rest = id;
    let mut width = 0;
    for digit in digits.iter_mut().rev() {
        if rest == 0 && width > 0 {
            break;
        }
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        width += 1;
    }
    let shown = digits.get(10 - width.max(5)..).unwrap_or_default();
    text.extend(std::str::from_utf8(shown));
    for (column, width) in [provider, module, function].iter().zip(WIDTHS) {
        let chars = if column.is_ascii() {
            column.len()
        } else {
            column.chars().count()
        };
        let missing = width.saturating_sub(chars);
        text.push_str(SPACES.get(..=missing).unwrap_or(SPACES));
        text.push_str(column);
    }
    text.push(' ');
    text.push_str(name);
    text.push('\n');
}

/// Lines of probes.
pub fn rows(text: &mut String, probes: &[Probe]) {
    text.reserve(probes.len() * LINE);
    for p in probes {
        row(text, p.id, names(p));
    }
}

/// A probe with what is known of it, as text or JSON.
pub fn told(probe: &Probe, known: Option<&Described>, as_json: bool) -> String {
    if as_json {
        return json(probe.id, names(probe), known);
    }
    let mut text = String::new();
    row(&mut text, probe.id, names(probe));
    text.extend(known.map(described));
    text
}

/// Provider, module, function and name.
fn names(probe: &Probe) -> [&str; 4] {
    [&probe.provider, &probe.module, &probe.function, &probe.name]
}

/// Three lines of attributes under a title.
pub fn attributes(title: &str, a: Attributes) -> String {
    let Attributes { name, data, class } = a;
    format!(
        "\n\t{title}\n\t\tIdentifier Names: {name}\n\t\tData Semantics:   {data}\n\t\tDependency Class: {class}\n"
    )
}

/// What `-lv` says below a probe's line.
fn described(d: &Described) -> String {
    let mut text = attributes("Probe Description Attributes", d.probe)
        + &attributes("Argument Attributes", d.args);
    text.push_str("\n\tArgument Types\n");
    match &d.types {
        Ok(types) if types.is_empty() => text.push_str("\t\tNone\n"),
        Ok(types) => {
            for (n, ty) in types.iter().enumerate() {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "\t\targs[{n}]: {ty}");
            }
        }
        Err(why) => {
            let _ = writeln!(text, "\t\tunknown: {why}");
        }
    }
    if d.stepped {
        text.push_str("\n\tThe kernel single-steps the instruction: 20 times the cost\n");
    }
    text.push('\n');
    text
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn attributes_json(a: Attributes) -> String {
    format!(
        "{{\"name\":{},\"data\":{},\"class\":{}}}",
        quoted(a.name),
        quoted(a.data),
        quoted(a.class)
    )
}

/// A probe as one line of JSON; `names` are provider, module, function and name.
fn json(id: u32, names: [&str; 4], known: Option<&Described>) -> String {
    let [provider, module, function, name] = names.map(quoted);
    let mut text = format!(
        "{{\"type\":\"probe\",\"id\":{id},\"provider\":{provider},\"module\":{module},\"function\":{function},\"name\":{name}"
    );
    if let Some(d) = known {
        let (probe, args) = (attributes_json(d.probe), attributes_json(d.args));
        text += &format!(",\"stability\":{probe},\"args_stability\":{args}");
        text += &match &d.types {
            Ok(types) => {
                let types: Vec<String> = types.iter().map(|t| quoted(t)).collect();
                format!(",\"args\":[{}]", types.join(","))
            }
            Err(why) => format!(",\"args_unknown\":{}", quoted(why)),
        };
        if d.stepped {
            text += ",\"stepped\":true";
        }
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use session::Session;
    use session::world::SystemWorld;
    use std::path::Path;

    /// Functions of a kernel of today, modules included.
    const FUNCTIONS: usize = 45_000;
    /// Nanoseconds.
    const BAR: u64 = 150_000_000;

    /// What `-l` costs where each function of the kernel can be probed, but for what the kernel takes to name them. They
    /// are those of `KERNEL_FUNCTIONS`, a file like `available_filter_functions`, with the type data in `KERNEL_TYPES`, or
    /// else symbols of this kernel. (`cargo test --release -p dtrace everything -- --nocapture` says how long it took.)
    #[test]
    fn everything_is_listed_fast() {
        let functions = match std::env::var_os("KERNEL_FUNCTIONS") {
            Some(path) => std::fs::read_to_string(path).unwrap(),
            None => symbols(),
        };
        let types = std::env::var_os("KERNEL_TYPES");
        let tries = if cfg!(debug_assertions) { 1 } else { 5 };
        let mut best = u64::MAX;
        for _ in 0..tries {
            let functions = functions.clone();
            let begin = sys::time::thread_cpu_ns();
            let world = SystemWorld::saved(types.as_deref().map(Path::new), functions);
            let mut session = Session::of(world);
            session.begin_list();
            let probes = session.probes().unwrap();
            let mut text = header();
            rows(&mut text, &probes);
            best = best.min(sys::time::thread_cpu_ns() - begin);
            let lines = text.lines().count();
            assert!(lines > FUNCTIONS, "{lines}");
            eprintln!("{lines} lines, {} us of CPU time", best / 1000);
        }
        assert!(cfg!(debug_assertions) || best < BAR, "{best} ns");
    }

    /// Text symbols of this kernel, a line each.
    fn symbols() -> String {
        let text = std::fs::read_to_string("/proc/kallsyms").unwrap();
        let name = |line: &str| {
            let mut words = line.split([' ', '\t']);
            let is_text = words.nth(1)?.eq_ignore_ascii_case("t");
            is_text.then_some(format!("{}\n", words.next()?))
        };
        text.lines().filter_map(name).take(FUNCTIONS).collect()
    }

    #[test]
    fn columns() {
        assert_eq!(
            header(),
            "   ID   PROVIDER            MODULE                          FUNCTION NAME\n"
        );
        let mut text = String::new();
        row(&mut text, 12, ["syscall", "", "openat", "entry"]);
        assert_eq!(
            text,
            "   12    syscall                                              openat entry\n"
        );
    }

    #[test]
    fn types_of_arguments() {
        let a = Attributes {
            name: "Stable",
            data: "Stable",
            class: "ISA",
        };
        let text = described(&Described {
            probe: a,
            args: a,
            types: Ok(vec!["int".into(), "char *".into()]),
            stepped: true,
        });
        assert!(text.contains(
            "\n\tArgument Types\n\t\targs[0]: int\n\t\targs[1]: char *\n\n\tThe kernel single-steps"
        ));
        assert!(
            described(&Described {
                probe: a,
                args: a,
                types: Ok(vec![]),
                stepped: false,
            })
            .contains("\t\tNone\n")
        );
    }
}
