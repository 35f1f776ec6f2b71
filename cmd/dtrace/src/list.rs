//! `-l`: the table of probes, and with `-v` what is known of each.

use session::{Attributes, Described};
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

/// Adds the line of a probe; `names` are provider, module, function and name. A list has a hundred thousand lines and
/// more, for which formatted output would take longer than all else.
pub fn row(text: &mut String, id: u32, names: [&str; 4]) {
    let [provider, module, function, name] = names;
    // Writing to a String cannot fail.
    let _ = write!(text, "{id:>5}");
    for (column, width) in [provider, module, function].iter().zip(WIDTHS) {
        let chars = if column.is_ascii() {
            column.len()
        } else {
            column.chars().count()
        };
        let missing = width.saturating_sub(chars);
        text.extend(std::iter::repeat_n(' ', missing + 1));
        text.push_str(column);
    }
    text.push(' ');
    text.push_str(name);
    text.push('\n');
}

/// Three lines of attributes under a title.
pub fn attributes(title: &str, a: Attributes) -> String {
    let Attributes { name, data, class } = a;
    format!(
        "\n\t{title}\n\t\tIdentifier Names: {name}\n\t\tData Semantics:   {data}\n\t\tDependency Class: {class}\n"
    )
}

/// What `-lv` says below a probe's line.
pub fn described(d: &Described) -> String {
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
pub fn json(id: u32, names: [&str; 4], known: Option<&Described>) -> String {
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
