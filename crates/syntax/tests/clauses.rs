//! Clauses, predicates, specifiers, comments and control lines.

mod common;
use common::{blamed, dump, error, line, parse_with, script};
use diag::Tag;
use syntax::SpecDepth;
use syntax::ast::{Item, Spec};

const NO_BODY: &str = "expected predicate and/or actions following probe description";
const NO_ACTIONS: &str = "expected actions { } following probe description and predicate";

#[test]
fn specifiers() {
    let text = dump(
        "syscall::read*:entry,\n syscall::write:[er]*, 12, tick-1s, pid$target:a.out::-, ::f[!a]?:x {}",
    );
    let expect = "clause\n  spec syscall::read*:entry\n  spec syscall::write:[er]*\n  spec id 12\n  spec tick-1s\n  \
                  spec pid42:a.out::-\n  spec ::f[!a]?:x\n  body\n";
    assert_eq!(text, expect);
    assert!(dump("fbt:$2:$1:entry{}").contains("spec fbt:foo:12:entry"));
    let undefined =
        "invalid probe description \"pid$nope:::\": Undefined macro variable in probe description";
    assert_eq!(
        error("pid$nope::: {}"),
        (Tag::D_PDESC_INVAL, undefined.into())
    );
    let over = "invalid probe description \"a:b:c:d:e\": Overspecified probe description";
    assert_eq!(error("a:b:c:d:e {}"), (Tag::D_PDESC_INVAL, over.into()));
    let id = "identifier 4294967296 exceeds maximum probe id";
    assert_eq!(error("4294967296 {}"), (Tag::D_PDESC_INVAL, id.into()));
}

#[test]
fn words_between_clauses_are_specifiers_unless_they_are_types() {
    assert!(dump("if, sizeof, probe, xlate {}").contains("spec xlate"));
    assert_eq!(dump("foo_t x;"), "decl foo_t x\n");
    assert_eq!(
        dump("uint32_t x; vmlinux`bar_t y;"),
        "decl uint32_t x\ndecl vmlinux`bar_t y\n"
    );
    assert_eq!(
        dump("typedef int my_t; my_t x;"),
        "decl typedef int my_t\ndecl my_t x\n"
    );
    assert_eq!(error("nope_t x;"), (Tag::D_SYNTAX, NO_BODY.into()));
}

#[test]
fn bare_specifiers_are_for_the_command_line() {
    assert_eq!(error("BEGIN"), (Tag::D_SYNTAX, NO_BODY.into()));
    assert_eq!(error("BEGIN END {}"), (Tag::D_SYNTAX, NO_BODY.into()));
    assert_eq!(error("BEGIN /1/"), (Tag::D_SYNTAX, NO_ACTIONS.into()));
    assert_eq!(
        line("BEGIN /1/"),
        format!("in predicate: {NO_ACTIONS}").replace("in predicate: ", "")
    );
    let unit = parse_with("BEGIN, END", true, SpecDepth::Name).map(|u| syntax::dump(&u));
    assert_eq!(
        unit.ok().as_deref(),
        Some("clause\n  spec BEGIN\n  spec END\n  no body\n")
    );
}

#[test]
fn flags_bound_the_fields() {
    let specs = |text: &str, depth| match parse_with(text, true, depth) {
        Ok(unit) => match unit.items.as_slice() {
            [Item::Clause(c)] => match c.specs.as_slice() {
                [Spec::Text(text, _)] => text.clone(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        },
        Err(d) => d[0].message.clone(),
    };
    assert_eq!(
        specs("syscall/pid == 1/{ trace(1) }", SpecDepth::Provider),
        "syscall:::"
    );
    assert_eq!(specs("fbt:ext4", SpecDepth::Module), "fbt:ext4::");
    assert_eq!(specs("read{}", SpecDepth::Function), "read:");
    let over = "invalid probe description \"a:b\": Overspecified probe description";
    assert_eq!(specs("a:b", SpecDepth::Provider), over);
    assert_eq!(
        specs("12", SpecDepth::Module),
        "probe identifier 12 not permitted when specifying module"
    );
}

#[test]
fn predicates_against_division() {
    let predicate = |text: &str| {
        let dump = dump(text);
        dump.lines()
            .find_map(|l| l.strip_prefix("  predicate "))
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(predicate("BEGIN /x/ {}"), "x");
    assert_eq!(predicate("BEGIN/x/{}"), "x");
    assert_eq!(predicate("BEGIN /x/ /* c */ {}"), "x");
    assert_eq!(predicate("BEGIN /x / 2 == 1/\n\n{}"), "(== (/ x 2) 1)");
    assert_eq!(predicate("BEGIN / *p == 1/ {}"), "(== (* p) 1)");
    assert_eq!(predicate("BEGIN /a, b/ {}"), "(, a b)");
    assert_eq!(predicate("BEGIN /x /= 2/ {}"), "(/= x 2)");
    assert_eq!(
        error("BEGIN /*p == 1/ {}").1,
        "end-of-file encountered before matching */"
    );
    assert_eq!(
        error("BEGIN /*p == 1*/ END {}"),
        (Tag::D_SYNTAX, NO_BODY.into())
    );
    assert_eq!(error("BEGIN // {}").1, "syntax error near \"/\"");
    assert_eq!(
        error("BEGIN /(x/ {}").1,
        "closing ) expected in predicate before /"
    );
    assert_eq!(
        error("BEGIN /a[x/ {}").1,
        "closing ] expected in predicate before /"
    );
    assert_eq!(predicate("BEGIN /x/ y/ {}"), "(/ x y)");
    assert_eq!(error("BEGIN { x / ; }").1, "syntax error near \"/\"");
}

#[test]
fn unbalanced_closers() {
    assert_eq!(error("BEGIN { trace(1)); }").1, "extra ) in input stream");
    assert_eq!(error("BEGIN { a] }").1, "extra ] in input stream");
    assert_eq!(error("BEGIN { } }").1, "extra } in input stream");
    assert_eq!(error("BEGIN { trace(1; }").1, "syntax error near \";\"");
    assert_eq!(error("BEGIN {").1, "syntax error near end of input");
    assert_eq!(error("BEGIN { #x }").1, "syntax error near \"#\"");
    assert_eq!(error("BEGIN { \u{e9} }").1, "syntax error near \"\u{e9}\"");
}

#[test]
fn comments_and_blanks() {
    assert_eq!(
        dump("/* a */ BEGIN /* b\n */ { /**/ x /* \" */; }"),
        "clause\n  spec BEGIN\n  body\n    x\n"
    );
    assert_eq!(
        error("/* a /* b */ BEGIN {}").1,
        "/* encountered inside a comment"
    );
    assert_eq!(
        error("BEGIN { x } /* a").1,
        "end-of-file encountered before matching */"
    );
    assert_eq!(error("BEGIN { x; // no\n }").1, "syntax error near \"/\"");
    assert_eq!(
        dump("BEGIN\\\n{ x \\\n + y }").lines().last(),
        Some("    (+ x y)")
    );
    assert_eq!(
        dump("#!/usr/sbin/dtrace -s\n#!again\nBEGIN\r\n{\r\n}\r\n"),
        "clause\n  spec BEGIN\n  body\n"
    );
}

#[test]
fn empty_programs() {
    for text in ["", "  \n", "/* x */", "#pragma D option quiet\n"] {
        assert_eq!(
            error(text),
            (Tag::D_EMPTY, "empty D program translation unit".into())
        );
    }
}

#[test]
fn control_lines() {
    let unit = script(
        "#pragma D option quiet\n#pragma D attributes Stable/Stable/Common x\nint x;\nBEGIN {\n\
         #pragma D option strsize=9\n}\n# 4 \"y.d\"\n#pragma D depends_on module m\n",
    );
    let text = unit.map(|u| syntax::dump(&u)).unwrap_or_default();
    let expect = "option quiet\noption strsize=9\npragma attributes Stable/Stable/Common x\ndecl int x\n\
                  clause\n  spec BEGIN\n  body\npragma depends_on module m\n";
    assert_eq!(text, expect);
    assert_eq!(error("#include <x>\nBEGIN {}").0, Tag::D_PRAGCTL_INVAL);
    assert_eq!(blamed("BEGIN {}\n  #error no"), "#error no");
    assert_eq!(
        error("#pragma D option a b\nBEGIN {}").0,
        Tag::D_PRAGMA_MALFORM
    );
}

#[test]
fn messages_of_the_command_line_name_the_region() {
    assert_eq!(
        line("BEGIN { trace( }"),
        "in action list: syntax error near \"}\""
    );
    assert_eq!(
        line("BEGIN /1 +/ { }"),
        "in predicate: syntax error near \"/\""
    );
    assert_eq!(
        line("BEGIN { x } a:b:c:d:e"),
        "invalid probe description \"a:b:c:d:e\": Overspecified probe description"
    );
    assert_eq!(line("BEGIN { x } @"), "syntax error near \"@\"");
    assert_eq!(
        line("BEGIN { trace(1)"),
        "in action list: syntax error near end of input"
    );
}

#[test]
fn spans_blame_the_culprit() {
    assert_eq!(blamed("BEGIN { x = 1 / 0; }"), "/");
    assert_eq!(blamed("BEGIN { while (1) x; }"), "while");
    assert_eq!(blamed("BEGIN { trace($9); }"), "$9");
    assert_eq!(blamed("BEGIN { 08 }"), "08");
    assert_eq!(blamed("BEGIN, END\nint x;"), "BEGIN, END");
    assert_eq!(blamed("static int x;"), "static");
}

#[test]
fn slips_of_c_programmers_get_a_hint() {
    let help = |text: &str| match script(text) {
        Ok(_) => None,
        Err(d) => d[0].help.clone(),
    };
    for text in ["BEGIN { x; // no\n }", "// no\nBEGIN {}"] {
        assert_eq!(
            help(text).as_deref(),
            Some("comments are written /* ... */"),
            "{text}"
        );
    }
    assert!(help("BEGIN { while (1) x; }").is_some_and(|h| h.contains("neither loops")));
    assert!(help("nope_t x;").is_some_and(|h| h.ends_with("no type named nope_t is known")));
    assert_eq!(help("BEGIN { trace( }"), None);
}
