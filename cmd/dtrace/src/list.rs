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

/// The line of a probe.
pub fn row(id: u32, provider: &str, module: &str, function: &str, name: &str) -> String {
    format!("{id:>5} {provider:>10} {module:>17} {function:>33} {name}\n")
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
    text.push('\n');
    text
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
        assert_eq!(
            row(12, "syscall", "", "openat", "entry"),
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
        });
        assert!(text.contains("\n\tArgument Types\n\t\targs[0]: int\n\t\targs[1]: char *\n\n"));
        assert!(
            described(&Described {
                probe: a,
                args: a,
                types: Ok(vec![])
            })
            .contains("\t\tNone\n")
        );
    }
}
