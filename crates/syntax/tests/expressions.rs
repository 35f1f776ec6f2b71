//! Expressions, statements and folding, from the statements of the reference.

mod common;
use common::{error, stmt};
use diag::Tag;

fn all(rows: &[(&str, &str)]) {
    for (text, expect) in rows {
        assert_eq!(stmt(text), *expect, "{text}");
    }
}

#[test]
fn character_constants_pack_bytes() {
    all(&[
        (r"'a'", "97"),
        ("'ab'", "24930"),
        (r"'\n'", "10"),
        (r"'\''", "23591"),
        (r"'\q'", "23665"),
        (r"'\0'", "0"),
        (r"'\x41'", "65"),
        ("'abcdefgh'", "7017280452245743464l"),
        (r"x = '\'' == 0x5c27", "(= x 1)"),
    ]);
    assert_eq!(error("BEGIN { '' }").0, Tag::D_CHR_NULL);
    assert_eq!(error("BEGIN { 'abcdefghi' }").0, Tag::D_CHR_OFLOW);
    assert_eq!(error("BEGIN { 'a\n' }").0, Tag::D_CHR_NL);
    assert_eq!(error(r"BEGIN { '\377bcdefgh' }").0, Tag::D_INT_OFLOW);
}

#[test]
fn string_constants() {
    all(&[
        (r#"trace("a\tb\"c")"#, r#"(call trace "a\tb\"c")"#),
        (
            r#"trace("\q /* no comment */")"#,
            r#"(call trace "\\q /* no comment */")"#,
        ),
        (r#"trace("")"#, r#"(call trace "")"#),
    ]);
    assert_eq!(error("BEGIN { trace(\"a\n\") }").0, Tag::D_STR_NL);
    assert_eq!(error("BEGIN { trace(\"a").0, Tag::D_SYNTAX);
    assert_eq!(error(r#"BEGIN { trace("a\"#).0, Tag::D_SYNTAX);
    assert_eq!(
        error("BEGIN { trace(\"a\" \"b\") }").1,
        "syntax error near \"\"b\"\""
    );
}

#[test]
fn integer_constants() {
    all(&[
        ("0x10", "16"),
        ("010", "8"),
        ("4294967295", "4294967295l"),
        ("0xffffffff", "4294967295u"),
        ("1ull", "1ull"),
    ]);
    assert_eq!(
        error("BEGIN { 08 }"),
        (
            Tag::D_INT_DIGIT,
            "constant 08 contains invalid digit 8".into()
        )
    );
    let text = "constant 99999999999999999999 results in integer overflow";
    assert_eq!(
        error("BEGIN { 99999999999999999999 }"),
        (Tag::D_INT_OFLOW, text.into())
    );
    let text =
        "integer constant 0x8000000000000000 cannot be represented in any built-in integral type";
    assert_eq!(
        error("BEGIN { 9223372036854775808 }"),
        (Tag::D_INT_OFLOW, text.into())
    );
    let text = "floating-point constants are not permitted";
    for float in ["1.5", ".5", "1e9", "1f"] {
        assert_eq!(
            error(&format!("BEGIN {{ {float} }}")),
            (Tag::D_SYNTAX, text.into()),
            "{float}"
        );
    }
    assert_eq!(error("BEGIN { 1abc }").1, "syntax error near \"abc\"");
}

#[test]
fn constants_fold() {
    all(&[
        ("x = 1 + 2 * 3 - 4 / 2", "(= x 5)"),
        ("x = -1 < 1u", "(= x 0)"),
        ("x = -1 < 1l", "(= x 1)"),
        ("x = -8 >> 1", "(= x -4)"),
        ("x = ~0", "(= x -1)"),
        ("x = !5", "(= x 0)"),
        ("x = 1 ^^ 1", "(= x 0)"),
        ("x = 0 || 2", "(= x 1)"),
        ("x = 1u + 1", "(= x 2u)"),
        ("x = 5 * 1000000000", "(= x 5000000000)"),
        ("x = 1l + 1ll", "(= x 2ll)"),
        ("x = 7 % 4 == 3", "(= x 1)"),
        ("x = 1 << 40l", "(= x 1099511627776l)"),
        ("x = 1 + y", "(= x (+ 1 y))"),
    ]);
    let zero = (
        Tag::D_DIV_ZERO,
        "expression contains division by zero".to_owned(),
    );
    assert_eq!(error("BEGIN { x = 1 / 0; }"), zero);
    assert_eq!(error("BEGIN { x = 1 % (2 - 2); }"), zero);
    assert_eq!(stmt("x = y / 0"), "(= x (/ y 0))");
}

#[test]
fn a_constant_condition_is_its_branch() {
    all(&[
        ("1 ? printf(\"x\") : 1", "(call printf \"x\")"),
        ("0 ? printf(\"x\") : 1", "1"),
        (
            "1 == 1 ? @count[pid] = count() : 1",
            "(= (index @count pid) (call count))",
        ),
        ("x ? 1 : 0 ? 2 : 3", "(?: x 1 3)"),
        ("a ? b : c ? d : e", "(?: a b (?: c d e))"),
        ("a ? b ? c : d : e", "(?: a (?: b c d) e)"),
        ("NULL", "0"),
        ("LIB_ONE ? a : b", "a"),
    ]);
}

#[test]
fn inlines_fold_at_once() {
    let text = "inline int OPT = 0; inline int TWO = OPT + 2; inline int V = pid; inline int f[int x] = 3;\n\
                BEGIN { OPT ? printf(\"a\") : 1; x = TWO * 2; x = V; x = f; x = a->OPT; int[TWO]; }";
    let text = text.replace("int[TWO]; ", "");
    let dump = common::dump(&text);
    assert!(
        dump.ends_with("    1\n    (= x 4)\n    (= x V)\n    (= x f)\n    (= x (->OPT a))\n"),
        "{dump}"
    );
    assert_eq!(
        common::dump("inline int N = 4; int a[N * 2];"),
        "inline int N = 4\ndecl int a [8]\n"
    );
}

#[test]
fn precedence_and_associativity() {
    all(&[
        ("a + b * c - d", "(- (+ a (* b c)) d)"),
        ("a || b ^^ c && d", "(|| a (^^ b (&& c d)))"),
        ("a | b ^ c & d", "(| a (^ b (& c d)))"),
        ("a == b < c", "(== a (< b c))"),
        ("a << b + c", "(<< a (+ b c))"),
        ("a - b - c", "(- (- a b) c)"),
        ("a = b = c", "(= a (= b c))"),
        ("a += b ? c : d", "(+= a (?: b c d))"),
        ("a = 1, b = 2", "(, (= a 1) (= b 2))"),
        ("-a * !b", "(* (- a) (! b))"),
        ("*p++ = 1", "(= (* (post++ p)) 1)"),
        ("++*p", "(pre++ (* p))"),
        ("--x; x--", "(pre-- x) | (post-- x)"),
        ("&a->b", "(& (->b a))"),
        (
            "a <<= 1; a >>= 2; a ^= 3; a &= 4; a |= 5",
            "(<<= a 1) | (>>= a 2) | (^= a 3) | (&= a 4) | (|= a 5)",
        ),
        ("a / b", "(/ a b)"),
        ("a /= b", "(/= a b)"),
    ]);
}

#[test]
fn postfix_forms() {
    all(&[
        ("self->x = this->y", "(= (->x self) (->y this))"),
        ("a[1, \"k\"].m->n", "(->n (.m (index a 1 \"k\")))"),
        (
            "@[execname] = count()",
            "(= (index @_ execname) (call count))",
        ),
        ("@a = sum(1)", "(= @a (call sum 1))"),
        ("vmlinux`jiffies", "vmlinux`jiffies"),
        ("`sym", "`sym"),
        ("nf.ko9`tab + `x", "(+ nf.ko9`tab `x)"),
        ("v->counter", "(->counter v)"),
        ("v->self.string", "(.string (->self v))"),
        ("f()()", "(call (call f))"),
    ]);
    assert_eq!(error("BEGIN { a[]; }").1, "syntax error near \"]\"");
    assert_eq!(error("BEGIN { a-> ; }").1, "syntax error near \";\"");
}

#[test]
fn types_in_expressions() {
    all(&[
        ("(int)x + 1", "(+ (cast <int> x) 1)"),
        ("(foo_t *)x", "(cast <foo_t *> x)"),
        ("(struct foo *)arg0", "(cast <struct foo *> arg0)"),
        ("(unsigned long long)x", "(cast <unsigned long long> x)"),
        ("(int (*)(int))x", "(cast <int * (int)> x)"),
        ("(uint64_t)-1", "(cast <uint64_t> -1)"),
        ("(string)x", "(cast <string> x)"),
        ("(vmlinux`bar_t)x", "(cast <vmlinux`bar_t> x)"),
        ("(x) + 1", "(+ x 1)"),
        ("(both) + (both + 1)", "(cast <both> (+ (+ both 1)))"),
        ("sizeof (int)", "(sizeof <int>)"),
        ("sizeof (struct s)", "(sizeof <struct s>)"),
        ("sizeof (x)[0]", "(sizeof (index x 0))"),
        ("sizeof x", "(sizeof x)"),
        ("stringof(x)", "(stringof x)"),
        ("stringof x + 1", "(+ (stringof x) 1)"),
        ("stringof (x)->y", "(stringof (->y x))"),
        ("offsetof(struct s, m)", "(offsetof <struct s> m)"),
        ("offsetof(foo_t, string)", "(offsetof <foo_t> string)"),
        ("xlate <psinfo_t *>(p)->pr_pid", "(xlate <psinfo_t *> p)"),
    ]
    .map(|(text, expect)| {
        let arrow = text.contains("pr_pid");
        (
            text,
            if arrow {
                "(->pr_pid (xlate <psinfo_t *> p))"
            } else {
                expect
            },
        )
    }));
    assert_eq!(error("BEGIN { (int)x = 1; }").1, "syntax error near \"=\"");
    assert_eq!(
        error("BEGIN { x ? a : b = 1; }").1,
        "syntax error near \"=\""
    );
    assert_eq!(error("BEGIN { a + b = 1; }").1, "syntax error near \"=\"");
}

#[test]
fn macros_in_expressions() {
    all(&[
        ("$1 + $target", "54"),
        ("x = $2", "(= x foo)"),
        ("$$1; $$target; $3", "\"12\" | \"42\" | \"/tmp\""),
    ]);
    let text = "macro argument $9 is not defined";
    assert_eq!(error("BEGIN { $9; }"), (Tag::D_MACRO_UNDEF, text.into()));
    let text = "macro variable $nope is not defined";
    assert_eq!(error("BEGIN { $nope; }"), (Tag::D_MACRO_UNDEF, text.into()));
    let used = common::script("BEGIN { $2; } END /$$1 != \"\"/ {}").map(|u| u.args_used);
    assert_eq!(used.ok(), Some(vec![false, true, true, false]));
}

#[test]
fn statements() {
    all(&[
        (";; ; x ;;", "x"),
        ("if (a) b; else c", "if a | b | else | c"),
        (
            "if (a) { b; c } else if (d) e; else { }",
            "if a | b | c | else if d | e",
        ),
        ("if (a) ;", "if a"),
        ("if (a) if (b) c; else d", "if a | if b | c | else | d"),
    ]);
    assert_eq!(common::stmt("a; b"), "a | b");
    for word in [
        "while", "for", "do", "return", "goto", "switch", "break", "continue", "case", "default",
    ] {
        assert_eq!(
            error(&format!("BEGIN {{ {word} (1) x; }}")).1,
            format!("syntax error near \"{word}\"")
        );
    }
}
