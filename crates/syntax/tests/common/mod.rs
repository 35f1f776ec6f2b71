//! Helpers of the tests: parse a text in the ways the command does, look at the dump or at the error line.
#![allow(dead_code, reason = "every test binary uses some of these")]

use diag::{Diagnostic, Origin, SourceMap, Tag};
use syntax::{Macros, ParseInput, SpecDepth, TypeNames, ast};

/// Type names of a small world.
pub struct World;

impl TypeNames for World {
    fn is_type(&mut self, name: &str) -> bool {
        matches!(
            name,
            "foo_t" | "proc_t" | "psinfo_t" | "vmlinux`bar_t" | "both"
        )
    }
    fn int_inline(&mut self, name: &str) -> Option<(u64, ast::IntRank)> {
        (name == "LIB_ONE").then_some((1, ast::IntRank::Int))
    }
}

pub fn macros() -> Macros {
    let args = ["s.d", "12", "foo", "/tmp"].map(str::to_owned).to_vec();
    Macros {
        args,
        ints: vec![("target".into(), 42), ("pid".into(), 7)],
        default_args: false,
    }
}

pub fn parse_with(
    text: &str,
    bare_specs: bool,
    depth: SpecDepth,
) -> Result<ast::Unit, Vec<Diagnostic>> {
    let (macros, mut types) = (macros(), World);
    syntax::parse(ParseInput {
        source: 0,
        text,
        library: false,
        bare_specs,
        depth,
        empty_ok: false,
        macros: &macros,
        types: &mut types,
    })
}

/// As a script.
pub fn script(text: &str) -> Result<ast::Unit, Vec<Diagnostic>> {
    parse_with(text, false, SpecDepth::Name)
}

/// The dump of a script.
pub fn dump(text: &str) -> String {
    match script(text) {
        Ok(unit) => syntax::dump(&unit),
        Err(d) => panic!("{text}: {}", d[0].message),
    }
}

/// The dump of one statement of a clause.
pub fn stmt(text: &str) -> String {
    let dump = dump(&format!("BEGIN {{ {text}; }}"));
    let body = dump.split("  body\n").nth(1).unwrap_or_default();
    body.lines().map(str::trim).collect::<Vec<_>>().join(" | ")
}

/// The dump of one declaration.
pub fn decl(text: &str) -> String {
    dump(text)
        .trim_end()
        .strip_prefix("decl ")
        .unwrap_or_default()
        .to_owned()
}

/// Tag and text of the error of a script.
pub fn error(text: &str) -> (Tag, String) {
    match script(text) {
        Ok(unit) => panic!("accepted {text}:\n{}", syntax::dump(&unit)),
        Err(d) => (d[0].tag, d[0].message.clone()),
    }
}

/// The error line of command-line text.
pub fn line(text: &str) -> String {
    let mut map = SourceMap::default();
    map.add(Origin::CommandLine, text.to_owned());
    match parse_with(text, true, SpecDepth::Name) {
        Ok(unit) => panic!("accepted {text}:\n{}", syntax::dump(&unit)),
        Err(d) => diag::render::message(&map, &d[0], false),
    }
}

/// The text that the error of a script points at.
pub fn blamed(text: &str) -> &str {
    match script(text) {
        Ok(unit) => panic!("accepted {text}:\n{}", syntax::dump(&unit)),
        Err(d) => &text[d[0].span.start as usize..d[0].span.end as usize],
    }
}
