//! Checks on one Rust file: header, size, length of functions, places for `unsafe` and for printing.

/// Longest function, in lines.
pub const MAX_FN: usize = 70;
/// Longest file, in lines.
pub const MAX_FILE: usize = 1000;

/// Folders whose code may use `unsafe`.
const UNSAFE_IN: &[&str] = &["crates/sys/", "crates/usdt/src/", "bench/"];
/// Folders whose code may print.
const PRINT_IN: &[&str] = &[
    "cmd/",
    "xtask/",
    "bench/",
    "tests/",
    "crates/usdt/examples/",
];

/// A long function or file.
#[derive(Debug, PartialEq, Eq)]
pub struct Long {
    /// `fn NAME` or `file`.
    pub what: String,
    /// Lines.
    pub lines: usize,
}

/// Functions and files above the limits. Relies on rustfmt's indentation.
pub fn long(text: &str) -> Vec<Long> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    if lines.len() > MAX_FILE {
        found.push(Long {
            what: "file".into(),
            lines: lines.len(),
        });
    }
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let close = format!("{}}}", &line[..indent]);
        let end = lines[start..]
            .iter()
            .position(|l| **l == close || (l.starts_with(&close) && l.trim() == "};"));
        if let Some(len) =
            end.filter(|_| !line.trim_end().ends_with(';') && !line.trim_end().ends_with('}'))
            && len + 1 > MAX_FN
        {
            found.push(Long {
                what: format!("fn {name}"),
                lines: len + 1,
            });
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    for word in [
        "pub(crate) ",
        "pub(super) ",
        "pub ",
        "const ",
        "unsafe ",
        "async ",
        "extern \"C\" ",
    ] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    let name = rest.strip_prefix("fn ")?;
    Some(
        name.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
            .unwrap_or(name),
    )
}

/// Everything else that is wrong with a file.
pub fn faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if !text.starts_with("//! ") {
        faults.push(format!(
            "{path}:1: must start with a `//!` line that says what it is"
        ));
    }
    let mut printing = !PRINT_IN.iter().any(|p| path.starts_with(p)) && !path.contains("/tests");
    let unsafe_ok = UNSAFE_IN.iter().any(|p| path.starts_with(p));
    for (n, line) in text.lines().enumerate() {
        let at = format!("{path}:{}", n + 1);
        let code = line.trim_start();
        if line.ends_with(' ') || line.contains('\t') && !line.contains('"') {
            faults.push(format!("{at}: tab or space at the end"));
        }
        if code.starts_with("//") {
            continue;
        }
        // What follows are tests, whose output `cargo test` keeps.
        printing &= code != "#[cfg(test)]";
        if printing
            && ["println!", "eprintln!", "print!(", "dbg!("]
                .iter()
                .any(|p| code.starts_with(p))
        {
            faults.push(format!("{at}: only commands print"));
        }
        if !unsafe_ok
            && ["unsafe {", "unsafe fn", "unsafe impl"]
                .iter()
                .any(|p| code.contains(p))
            && !code.contains('"')
        {
            faults.push(format!("{at}: unsafe belongs into crates/sys"));
        }
        if code.starts_with("#[ignore") {
            faults.push(format!("{at}: no ignored tests; assert what happens now"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_functions_are_found() {
        let body = "        x();\n".repeat(MAX_FN);
        let text = format!(
            "//! X.\nimpl A {{\n    pub fn long(&self) {{\n{body}    }}\n    fn short() {{\n    }}\n}}\n"
        );
        assert_eq!(
            long(&text),
            [Long {
                what: "fn long".into(),
                lines: MAX_FN + 2
            }]
        );
    }

    #[test]
    fn faults_are_found() {
        let text = format!(
            "fn f() {{\n    {}ln!(\"x\");\n    un{} {{ g() }}\n}}\n",
            "print", "safe"
        );
        assert_eq!(faults("crates/kernel/src/x.rs", &text).len(), 3);
        assert_eq!(faults("crates/sys/src/x.rs", &text).len(), 2);
        assert_eq!(faults("cmd/dtrace/src/x.rs", &text).len(), 2);
        assert_eq!(faults("bench/src/x.rs", &text).len(), 1);
        let tests = format!(
            "//! X.\n#[cfg(test)]\nfn f() {{\n    {}ln!(\"x\");\n}}\n",
            "print"
        );
        assert_eq!(faults("crates/kernel/src/x.rs", &tests).len(), 0);
    }
}
