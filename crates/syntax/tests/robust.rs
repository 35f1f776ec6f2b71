//! Any input ends in a tree or an error: deep nesting, long programs, damaged programs.

mod common;
use common::{error, script};
use diag::Tag;
use std::time::{Duration, Instant};
use syntax::{Macros, NoTypes, ParseInput, SpecDepth};

/// Programs that the damage starts from.
const CORPUS: [&str; 8] = [
    "#!/usr/sbin/dtrace -s\n#pragma D option quiet\nBEGIN { printf(\"%s\\n\", $$1); }\n",
    "syscall::read:entry /pid == $target && execname == \"cat\"/ { self->ts = timestamp; @[execname, 'ab'] = count(); }",
    "struct s { int a : 3; char *b[4]; union { int c; }; };\nself struct s *x;\nint y[int, string];\n",
    "inline int OPT = 0x1f;\ninline string f[int a] = a == 0 ? \"x\" : \"y\";\nBEGIN { OPT ? printf(\"a\") : 1; }",
    "translator psinfo_t < proc_t *p > { pr_pid = p->pid; };\nBEGIN { trace(xlate <psinfo_t>(curthread)->pr_pid); }",
    "provider p { probe a(int, char *) : (string); };",
    "BEGIN { if (x) { trace(1); } else if (y) trace(2); else { this->z[1] = (char)sizeof (int) ; } }",
    "typedef unsigned long long u_t; enum { A = 1, B }; int (*f)(int, ...);\n12, tick-1s / *p++ / 2 / { ++`x; m`y--; }",
];

#[test]
fn deep_nesting_is_refused_not_fatal() {
    let deep = |open: &str, n: usize, inner: &str, close: &str| {
        format!(
            "BEGIN {{ x = {}{inner}{}; }}",
            open.repeat(n),
            close.repeat(n)
        )
    };
    assert!(script(&deep("(", 200, "1", ")")).is_ok());
    for (open, inner, close) in [
        ("(", "1", ")"),
        ("-", "x", ""),
        ("!", "x", ""),
        ("(int)", "x", ""),
        ("a[", "1", "]"),
        ("f(", "1", ")"),
        ("sizeof ", "x", ""),
        ("sizeof (", "x", ")"),
        ("stringof ", "x", ""),
        ("++", "x", ""),
        ("a = ", "1", ""),
        ("a ? ", "b", " : c"),
        ("a ? b : ", "c", ""),
        ("1 + 2 * (", "1", ")"),
        ("x + ", "1", ""),
        ("x, ", "1", ""),
        ("a||b^^c&&d|e^f&g==h<i<<j+k*(", "1", ")"),
        ("(int (*)(", "x", "))y"),
        ("xlate <foo_t>(", "1", ")"),
    ] {
        for n in [300, 20_000] {
            let result = script(&deep(open, n, inner, close));
            let tag = result.err().map(|d| d[0].tag);
            assert!(matches!(tag, None | Some(Tag::D_SYNTAX)), "{open}");
            assert!(tag.is_some() || n == 300, "{open} {n}");
        }
    }
    assert_eq!(
        error(&deep("(", 300, "1", ")")).1,
        "nesting deeper than 256 levels"
    );
    for (head, tail) in [("if (a) { ", "x;"), ("if (a) ", "c;")] {
        assert_eq!(
            error(&format!("BEGIN {{ {}{tail} }}", head.repeat(5000))).0,
            Tag::D_SYNTAX
        );
    }
    for (head, tail) in [
        ("struct { ", ""),
        ("int (*", ""),
        ("int (*f)(", ""),
        ("int a[struct {", ""),
    ] {
        assert_eq!(
            error(&format!("{}{tail}", head.repeat(5000))).0,
            Tag::D_SYNTAX,
            "{head}"
        );
    }
    assert_eq!(
        error(&format!("int {}x;", "*".repeat(300))).0,
        Tag::D_SYNTAX
    );
}

#[test]
fn long_programs_take_linear_time() {
    let start = Instant::now();
    let clauses =
        "syscall::read:entry /pid == 1/ { @[execname] = count(); self->x = timestamp; }\n"
            .repeat(10_000);
    assert_eq!(script(&clauses).map(|u| u.items.len()).ok(), Some(10_000));
    let statements = format!("BEGIN {{ {} }}", "trace(1 + 2);".repeat(80_000));
    assert!(script(&statements).is_ok());
    for text in [
        format!("BEGIN {{ {} }}", "a.".repeat(500_000)),
        format!("BEGIN {{ {} }}", "a .".repeat(300_000)),
        format!("BEGIN {{ \"{}\" }}", "\\q".repeat(500_000)),
        format!("BEGIN {{ x{} }}", " / ".repeat(300_000)),
        "/* */ ".repeat(200_000),
        "#pragma x\n".repeat(100_000),
        " ".repeat(1_000_000),
        "$".repeat(1_000_000),
        "(".repeat(1_000_000),
        "BEGIN,".repeat(200_000),
        "BEGIN {} #".repeat(100_000),
    ] {
        let _ = script(&text);
    }
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "{:?}",
        start.elapsed()
    );
}

/// A small generator of pseudo-random numbers (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

const PIECES: [&str; 30] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "/",
    "/*",
    "*/",
    "\"",
    "'",
    "\\",
    "\n#",
    "$1",
    "$$",
    "@",
    "`",
    ";",
    ",",
    "? :",
    "->",
    "self",
    "int ",
    "struct ",
    "0x",
    "9999999999",
    "...",
    "\u{e9}",
    "\0",
    "if (",
];

fn damage(random: &mut Random, text: &mut Vec<u8>) {
    let at = random.below(text.len());
    let end = (at + 1 + random.below(8)).min(text.len());
    match random.below(6) {
        0 => text.push(random.below(256) as u8),
        1 => drop(text.drain(at..end)),
        2 => {
            if let Some(byte) = text.get_mut(at) {
                *byte = random.below(256) as u8;
            }
        }
        3 => drop(text.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
        4 => text.truncate(at),
        _ => {
            let other = CORPUS[random.below(CORPUS.len())].as_bytes();
            let from = random.below(other.len());
            text.splice(at..at, other[from..].iter().copied());
        }
    }
}

#[test]
fn damaged_programs_never_panic() {
    let seed = 0x9e37_79b9_7f4a_7c15;
    let (mut random, start) = (Random(seed), Instant::now());
    let macros = Macros {
        args: vec!["x.d".into(), "a b".into()],
        ints: vec![("target".into(), 1)],
        default_args: true,
    };
    let (mut good, mut bad) = (0, 0);
    while start.elapsed() < Duration::from_millis(1500) {
        let mut bytes = CORPUS[random.below(CORPUS.len())].as_bytes().to_vec();
        for _ in 0..random.below(8) {
            damage(&mut random, &mut bytes);
        }
        let text = String::from_utf8_lossy(&bytes);
        syntax::scan_options(0, &text);
        let input = ParseInput {
            source: 0,
            text: &text,
            library: random.below(2) == 0,
            bare_specs: random.below(2) == 0,
            depth: [SpecDepth::Name, SpecDepth::Provider][random.below(2)],
            empty_ok: random.below(2) == 0,
            macros: &macros,
            types: &mut NoTypes,
        };
        match syntax::parse(input) {
            Ok(unit) => {
                good += 1;
                syntax::dump(&unit);
            }
            Err(errors) => {
                bad += 1;
                let span = errors[0].span;
                assert!(
                    span.start <= span.end && span.end as usize <= text.len(),
                    "{text:?} {span:?}"
                );
                assert!(
                    text.is_char_boundary(span.start as usize)
                        && text.is_char_boundary(span.end as usize),
                    "{text:?}"
                );
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} {bad} of seed {seed:#x}");
}
