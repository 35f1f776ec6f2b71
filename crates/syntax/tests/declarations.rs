//! Declarations, inlines, translators and providers.

mod common;
use common::{decl, dump, error};
use diag::Tag;

#[test]
fn declarations() {
    let rows = [
        ("int x;", "int x"),
        ("self int x, *y;", "self int x, y *"),
        ("this string s;", "this string s"),
        ("self foo_t *p;", "self foo_t p *"),
        ("unsigned long long int x;", "unsigned long long int x"),
        ("long x;", "long x"),
        (
            "const volatile char *const restrict p;",
            "const volatile char p *const restrict",
        ),
        ("userland char *p;", "userland char p *"),
        ("int a[10];", "int a [10]"),
        ("int a[];", "int a []"),
        ("int a[int, string];", "int a [int, string]"),
        (
            "string a[foo_t *, struct s *];",
            "string a [foo_t *, struct s *]",
        ),
        ("self string a[int];", "self string a [int]"),
        ("int *x[3];", "int x [3] *"),
        ("int (*x)[3];", "int x * [3]"),
        ("int (*f)(int, char *);", "int f * (int, char *)"),
        (
            "int (*(*f)(void))(int x, ...);",
            "int f * (void) * (int x, ...)",
        ),
        ("int f(foo_t);", "int f (foo_t)"),
        ("int (f)(int);", "int f (int)"),
        ("extern int vmlinux`x;", "extern int vmlinux`x"),
        (
            "struct s { int a; char b[4], *c; foo_t d : 3; };",
            "struct s { int a; char b [4], c *; foo_t d : 3; }",
        ),
        (
            "struct s { struct { int x; }; union u { int y; } z; int : 4; };",
            "struct s { struct { int x; }; union u { int y; } z; int : 4; }",
        ),
        ("struct s *p;", "struct s p *"),
        ("union u;", "union u"),
        ("enum e { A, B = 1 << 2, C, };", "enum e { A, B = 4, C }"),
        ("enum { X } v;", "enum { X } v"),
        (
            "typedef struct { int x; } t;",
            "typedef struct { int x; } t",
        ),
        ("int a[sizeof (int) * 2];", "int a [(* (sizeof <int>) 2)]"),
        ("self x;", "self untyped x"),
        ("signed char c;", "signed char c"),
        ("short int s;", "short int s"),
        ("_Bool b;", "_Bool b"),
        ("long double d;", "long double d"),
    ];
    for (text, expect) in rows {
        assert_eq!(decl(text), expect, "{text}");
    }
}

#[test]
fn abstract_declarators() {
    let rows = [
        ("(int *[3])x", "(cast <int [3] *> x)"),
        ("(void (*)(int, ...))x", "(cast <void * (int, ...)> x)"),
        ("(int ())x", "(cast <int ()> x)"),
        ("(char (*)[2])x", "(cast <char * [2]> x)"),
    ];
    for (text, expect) in rows {
        assert_eq!(common::stmt(text), expect, "{text}");
    }
}

/// Text, tag and message of what the parser refuses.
const REFUSED: &[(&str, Tag, &str)] = &[
    (
        "extern static int x;",
        Tag::D_DECL_CLASS,
        "only one storage class allowed in a declaration",
    ),
    (
        "static int x;",
        Tag::D_DECL_BADCLASS,
        "specified storage class not appropriate in D",
    ),
    (
        "auto int x;",
        Tag::D_DECL_BADCLASS,
        "specified storage class not appropriate in D",
    ),
    ("int char x;", Tag::D_DECL_COMBO, "invalid type combination"),
    (
        "short long x;",
        Tag::D_DECL_COMBO,
        "invalid type combination",
    ),
    (
        "long long long x;",
        Tag::D_DECL_COMBO,
        "invalid type combination",
    ),
    (
        "signed unsigned x;",
        Tag::D_DECL_COMBO,
        "invalid type combination",
    ),
    (
        "int struct s x;",
        Tag::D_DECL_COMBO,
        "invalid type combination",
    ),
    (
        "long char x;",
        Tag::D_DECL_CHARATTR,
        "invalid type declaration: short and long may not be used with char type",
    ),
    (
        "unsigned void *x;",
        Tag::D_DECL_VOIDATTR,
        "invalid type declaration: attributes may not be used with void type",
    ),
    (
        "unsigned double x;",
        Tag::D_DECL_SIGNINT,
        "invalid type declaration: signed and unsigned may only be used with integer type",
    ),
    (
        "long string x;",
        Tag::D_DECL_LONGINT,
        "invalid type declaration: long and long long may only be used with integer or floating-point type",
    ),
    ("int;", Tag::D_DECL_USELESS, "useless declaration"),
    ("typedef int;", Tag::D_DECL_USELESS, "useless declaration"),
    (
        "inline int = 1;",
        Tag::D_DECL_USELESS,
        "inline declaration requires a name",
    ),
    (
        "inline static int x = 1;",
        Tag::D_DECL_BADCLASS,
        "specified storage class not appropriate for inline declaration",
    ),
    (
        "self nope_t x;",
        Tag::D_DECL_IDENT,
        "old-style declaration or incorrect type specified",
    ),
    (
        "int f(static int);",
        Tag::D_DECL_PARMCLASS,
        "inappropriate storage class for function or associative array parameter",
    ),
    (
        "int a[static int];",
        Tag::D_DECL_PARMCLASS,
        "inappropriate storage class for function or associative array parameter",
    ),
    (
        "int a[int, ...];",
        Tag::D_DECL_PROTO_VARARGS,
        "associative array prototype may not use a variable-length argument list",
    ),
    (
        "int a`b;",
        Tag::D_DECL_SCOPE,
        "D scoping operator may not be used in a declaration name (a`b)",
    ),
    (
        "struct s { int a`b; };",
        Tag::D_DECL_SCOPE,
        "D scoping operator may not be used in a member name (a`b)",
    ),
    (
        "enum e { a`b };",
        Tag::D_DECL_SCOPE,
        "D scoping operator may not be used in an enumerator name (a`b)",
    ),
    (
        "struct s { nope_t x; };",
        Tag::D_SYNTAX,
        "syntax error near \"nope_t\"",
    ),
    ("struct;", Tag::D_SYNTAX, "syntax error near \";\""),
    ("int x = 1;", Tag::D_SYNTAX, "syntax error near \"=\""),
    ("int x", Tag::D_SYNTAX, "syntax error near end of input"),
    ("int *;", Tag::D_SYNTAX, "syntax error near \";\""),
    ("import x;", Tag::D_SYNTAX, "syntax error near \"import\""),
];

#[test]
fn refused_declarations() {
    for (text, tag, message) in REFUSED {
        assert_eq!(error(text), (*tag, (*message).to_owned()), "{text}");
    }
}

#[test]
fn inlines() {
    assert_eq!(dump("inline int X = 1 + 1;"), "inline int X = 2\n");
    assert_eq!(
        dump("inline string f[int fd, string k] = fd == 0 ? k : \"\";"),
        "inline string f [int fd, string k] = (?: (== fd 0) k \"\")\n"
    );
    assert_eq!(error("inline int x;").1, "syntax error near \";\"");
    assert_eq!(
        error("inline int x = 1, y = 2;").1,
        "syntax error near \",\""
    );
}

#[test]
fn translators() {
    let text = dump(
        "translator psinfo_t < proc_t *p > {\n  pr_pid = p->pid;\n  pr_fname = stringof(p->comm);\n  string = 1;\n};",
    );
    let expect = "translator psinfo_t < proc_t * p >\n  pr_pid = (->pid p)\n  \
                  pr_fname = (stringof (->comm p))\n  string = 1\n";
    assert_eq!(text, expect);
    assert_eq!(
        dump("translator struct a < int x > { };"),
        "translator struct a < int x >\n"
    );
    assert_eq!(
        error("translator struct a < int > { };").1,
        "syntax error near \">\""
    );
    assert_eq!(
        error("translator struct a < int x > { }\nBEGIN {}").1,
        "syntax error near \"BEGIN\""
    );
    assert_eq!(
        error("translator nope < int x > { };").1,
        "syntax error near \"nope\""
    );
}

#[test]
fn providers() {
    let text = dump(
        "provider myprov {\n probe start(int, char *s) : (string);\n probe a__b();\n probe stop(void);\n};",
    );
    let expect = "provider myprov\n  probe start(int, char s *) : (string)\n  probe a__b()\n  probe stop(void)\n";
    assert_eq!(text, expect);
    let bad = |text: &str| {
        let (tag, message) = error(text);
        assert_eq!(tag, Tag::D_PROV_BADNAME);
        message
    };
    assert_eq!(
        bad("provider p1 {};"),
        "provider name may not end with a digit: p1"
    );
    assert_eq!(
        bad("provider a`b {};"),
        "provider name may not contain scoping operator: a`b"
    );
    assert_eq!(
        bad("provider p { probe a`b(); };"),
        "probe name may not contain scoping operator: a`b"
    );
    let long = "x".repeat(64);
    assert!(
        bad(&format!("provider p {{ probe {long}(); }};"))
            .starts_with("probe name may not exceed 63 characters")
    );
    assert_eq!(
        error("provider p { probe x(...); };").0,
        Tag::D_DECL_PROTO_VARARGS
    );
    assert_eq!(
        error("provider p { int x; };").1,
        "syntax error near \"int\""
    );
}
