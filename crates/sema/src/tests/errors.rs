//! One failing program for each tag that semantic analysis raises.

use std::collections::BTreeSet;

use diag::Tag;

use super::try_compile;
use crate::Options;

/// Programs without `BEGIN` text of their own are action lists.
pub(super) const CASES: &[(Tag, &str)] = &[
    (Tag::D_ACT_SPEC, "speculate(1); stop();"),
    (Tag::D_ADDROF_BITFIELD, "trace(&curthread->flags);"),
    (Tag::D_ADDROF_LVAL, "trace(&3);"),
    (Tag::D_ADDROF_VAR, "x = 1; trace(&x);"),
    (Tag::D_AGG_COMM, "commit(1); @a = count();"),
    (Tag::D_AGG_FUNC, "@a = 3;"),
    (Tag::D_AGG_FUNC, "@a++;"),
    (Tag::D_AGG_MDIM, "@a[1] = count(); trace(@a[1][2]);"),
    (Tag::D_AGG_NULL, "@a = count(); @a;"),
    (Tag::D_AGG_REDEF, "@a = count(); @a = sum(1);"),
    (Tag::D_AGG_SCALAR, "@a = sum(execname);"),
    (Tag::D_AGG_SPEC, "speculate(1); @a = count();"),
    (Tag::D_ARGS_IDX, "syscall::read:entry { trace(args[7]); }"),
    (Tag::D_ARGS_MULTI, "syscall:::entry { trace(args[2]); }"),
    (Tag::D_ARGS_NONE, "inline int x = args[0]; BEGIN { }"),
    (Tag::D_ARGS_TYPE, "tick-1s { trace(args[0]); }"),
    (Tag::D_ARR_BADREF, "x = 1; trace(x[1]);"),
    (Tag::D_ARR_LOCAL, "this->x[1] = 2;"),
    (Tag::D_CAST_INVAL, "trace((int)execname);"),
    (Tag::D_CG_EXPR, "x = printf(\"a\");"),
    (Tag::D_CG_EXPR, "trace(1 + stack());"),
    (Tag::D_CG_EXPR, "x = count();"),
    (Tag::D_CLEAR_AGGARG, "clear(1);"),
    (Tag::D_CLEAR_AGGBAD, "clear(@nosuch);"),
    (Tag::D_CLEAR_PROTO, "clear();"),
    (Tag::D_COMM_COMM, "commit(1); commit(1);"),
    (Tag::D_COMM_DREC, "trace(1); commit(1);"),
    (Tag::D_DECL_ARRBIG, "int x[0x7fffffffff]; BEGIN { }"),
    (Tag::D_DECL_ARRNULL, "int x[]; BEGIN { }"),
    (Tag::D_DECL_ARRSUB, "int x[-1]; BEGIN { }"),
    (Tag::D_DECL_BFCONST, "struct s { int a : 0; }; BEGIN { }"),
    (Tag::D_DECL_BFSIZE, "struct s { int a : 33; }; BEGIN { }"),
    (Tag::D_DECL_BFTYPE, "struct s { string a : 3; }; BEGIN { }"),
    (Tag::D_DECL_DYNOBJ, "struct s { int a[int]; }; BEGIN { }"),
    (Tag::D_DECL_ENCONST, "enum e { A = pid }; BEGIN { }"),
    (
        Tag::D_DECL_ENOFLOW,
        "enum e { A = 0x7fffffff, B }; BEGIN { }",
    ),
    (Tag::D_DECL_IDRED, "int x; string x; BEGIN { }"),
    (Tag::D_DECL_IDRED, "int pid; BEGIN { }"),
    (
        Tag::D_IDENT_AMBIG,
        "enum e { A }; enum e v; int A; BEGIN /v == A/ { }",
    ),
    (Tag::D_AGG_MDIM, "@a[1][2] = count();"),
    (Tag::D_KEY_TYPE, "x[stack()] = 1;"),
    (Tag::D_OP_VFPTR, "trace((void *)1 + 1);"),
    (Tag::D_DECL_IDRED, "int x[int]; int x[int, int]; BEGIN { }"),
    (Tag::D_DECL_IDRED, "int x[int]; int x[string]; BEGIN { }"),
    (Tag::D_DECL_DYNOBJ, "int x[3][int]; BEGIN { }"),
    (
        Tag::D_DECL_IDRED,
        "inline int a = 1; inline int a = 2; BEGIN { }",
    ),
    (Tag::D_DECL_IDRED, "struct s { int a; int a; }; BEGIN { }"),
    (Tag::D_DECL_INCOMPLETE, "struct nosuch x; BEGIN { }"),
    (Tag::D_DECL_LOCASSC, "this int x[int]; BEGIN { }"),
    (Tag::D_DECL_MNAME, "struct s { int; }; BEGIN { }"),
    (Tag::D_DECL_PROTO_NAME, "inline int f[int] = 1; BEGIN { }"),
    (
        Tag::D_DECL_PROTO_TYPE,
        "int x[struct task_struct]; BEGIN { }",
    ),
    (Tag::D_DECL_PROTO_VOID, "int (*f)(int, void); BEGIN { }"),
    (Tag::D_DECL_SCOPE, "trace(self->a`b);"),
    (
        Tag::D_DECL_TYPERED,
        "struct s { int a; }; struct s { int a; }; BEGIN { }",
    ),
    (Tag::D_DECL_USELESS, "int; BEGIN { }"),
    (Tag::D_DECL_VOIDOBJ, "void x; BEGIN { }"),
    (Tag::D_DECL_VOIDOBJ, "struct s { void a; }; BEGIN { }"),
    (Tag::D_DEREF_FUNC, "trace(*(int (*)(int))arg0);"),
    (Tag::D_DEREF_NONPTR, "trace(*pid);"),
    (Tag::D_DEREF_VOID, "trace(*(void *)arg0);"),
    (
        Tag::D_DIV_ZERO,
        "x = 0; trace(x / sizeof (int) % (sizeof (int) - 4));",
    ),
    (Tag::D_DREC_COMM, "commit(1); trace(1);"),
    (Tag::D_EXIT_SPEC, "speculate(1); exit(0);"),
    (Tag::D_FREOPEN_INVALID, "freopen(\".\");"),
    (Tag::D_FUNC_IDENT, "trace((pid + 1)(2));"),
    (Tag::D_FUNC_IDKIND, "trace(pid(2));"),
    (Tag::D_FUNC_UNDEF, "trace(nosuch(2));"),
    (
        Tag::D_IDENT_AMBIG,
        "int IDLE; BEGIN { trace(curthread->kind == IDLE); }",
    ),
    (Tag::D_IDENT_BADREF, "trace(strlen);"),
    (Tag::D_IDENT_UNDEF, "trace(nosuch);"),
    (Tag::D_IDENT_UNDEF, "trace(@nosuch);"),
    (Tag::D_IDENT_UNDEF, "trace(`nosuch);"),
    (Tag::D_KEY_TYPE, "a[*curthread] = 1;"),
    (Tag::D_LLQUANT_FACTOREVEN, "@ = llquantize(1, 3, 0, 6, 20);"),
    (
        Tag::D_LLQUANT_FACTORMATCH,
        "@ = llquantize(1, 10, 0, 6, 20); @ = llquantize(1, 20, 0, 6, 20);",
    ),
    (
        Tag::D_LLQUANT_FACTORNSTEPS,
        "@ = llquantize(1, 10, 0, 6, 5);",
    ),
    (
        Tag::D_LLQUANT_FACTORSMALL,
        "@ = llquantize(1, 1, 0, 6, 20);",
    ),
    (
        Tag::D_LLQUANT_FACTORTYPE,
        "@ = llquantize(1, pid, 0, 6, 20);",
    ),
    (
        Tag::D_LLQUANT_FACTORVAL,
        "@ = llquantize(1, 70000, 0, 6, 20);",
    ),
    (
        Tag::D_LLQUANT_HIGHMATCH,
        "@ = llquantize(1, 10, 0, 6, 20); @ = llquantize(1, 10, 0, 7, 20);",
    ),
    (
        Tag::D_LLQUANT_HIGHTYPE,
        "@ = llquantize(1, 10, 0, pid, 20);",
    ),
    (Tag::D_LLQUANT_HIGHVAL, "@ = llquantize(1, 10, 0, -1, 20);"),
    (
        Tag::D_LLQUANT_LOWMATCH,
        "@ = llquantize(1, 10, 0, 6, 20); @ = llquantize(1, 10, 1, 6, 20);",
    ),
    (Tag::D_LLQUANT_LOWTYPE, "@ = llquantize(1, 10, pid, 6, 20);"),
    (Tag::D_LLQUANT_LOWVAL, "@ = llquantize(1, 10, -1, 6, 20);"),
    (Tag::D_LLQUANT_MAGRANGE, "@ = llquantize(1, 10, 6, 6, 20);"),
    (
        Tag::D_LLQUANT_MAGTOOBIG,
        "@ = llquantize(1, 10, 0, 30, 20);",
    ),
    (
        Tag::D_LLQUANT_NSTEPMATCH,
        "@ = llquantize(1, 10, 0, 6, 20); @ = llquantize(1, 10, 0, 6, 10);",
    ),
    (
        Tag::D_LLQUANT_NSTEPTYPE,
        "@ = llquantize(1, 10, 0, 6, pid);",
    ),
    (
        Tag::D_LLQUANT_NSTEPVAL,
        "@ = llquantize(1, 10, 0, 6, 70000);",
    ),
    (Tag::D_LQUANT_BASETYPE, "@ = lquantize(1, pid, 5);"),
    (Tag::D_LQUANT_BASEVAL, "@ = lquantize(1, 0x100000000, 5);"),
    (Tag::D_LQUANT_LIMTYPE, "@ = lquantize(1, 1, pid);"),
    (Tag::D_LQUANT_LIMVAL, "@ = lquantize(1, 1, 0x100000000);"),
    (
        Tag::D_LQUANT_MATCHBASE,
        "@ = lquantize(1, 0, 9); @ = lquantize(1, 1, 9);",
    ),
    (
        Tag::D_LQUANT_MATCHLIM,
        "@ = lquantize(1, 0, 9); @ = lquantize(1, 0, 8);",
    ),
    (
        Tag::D_LQUANT_MATCHSTEP,
        "@ = lquantize(1, 0, 9, 1); @ = lquantize(1, 0, 9, 2);",
    ),
    (Tag::D_LQUANT_MISMATCH, "@ = lquantize(1, 9, 0);"),
    (Tag::D_LQUANT_STEPLARGE, "@ = lquantize(1, 0, 9, 10);"),
    (Tag::D_LQUANT_STEPSMALL, "@ = lquantize(1, 0, 1000000, 1);"),
    (Tag::D_LQUANT_STEPTYPE, "@ = lquantize(1, 0, 9, 0);"),
    (
        Tag::D_LQUANT_STEPVAL,
        "@ = lquantize(1, 0, 1000000, 70000);",
    ),
    (Tag::D_NORMALIZE_AGGARG, "normalize(1, 2);"),
    (Tag::D_NORMALIZE_AGGBAD, "normalize(@nosuch, 2);"),
    (Tag::D_NORMALIZE_PROTO, "@a = count(); normalize(@a);"),
    (
        Tag::D_NORMALIZE_SCALAR,
        "@a = count(); normalize(@a, execname);",
    ),
    (
        Tag::D_OFFSETOF_BITFIELD,
        "trace(offsetof(struct task_struct, flags));",
    ),
    (Tag::D_OFFSETOF_TYPE, "trace(offsetof(int, a));"),
    (Tag::D_OP_ACT, "pid ? printf(\"a\") : 1;"),
    (Tag::D_OP_ACT, "trace(1), x = 1;"),
    (Tag::D_OP_ARITH, "trace(execname * 2);"),
    (Tag::D_OP_ARITH, "trace(-execname);"),
    (
        Tag::D_OP_ARRFUN,
        "struct s { int a[3]; }; struct s v; BEGIN { v.a = v.a; }",
    ),
    (Tag::D_OP_INCOMPAT, "x = 1; x = execname;"),
    (Tag::D_OP_INCOMPAT, "trace(pid ? 1 : execname);"),
    (Tag::D_OP_INCOMPAT, "trace(execname + 1);"),
    (Tag::D_OP_INCOMPAT, "inline int s = \"x\"; BEGIN { }"),
    (Tag::D_OP_INCOMPLETE, "trace(curthread->mm->x);"),
    (Tag::D_OP_INT, "trace(~execname);"),
    (Tag::D_OP_INT, "trace(pid % execname);"),
    (Tag::D_OP_LVAL, "3 = 4;"),
    (Tag::D_OP_PTR, "trace(pid->x);"),
    (Tag::D_OP_SCALAR, "trace(!execname);"),
    (Tag::D_OP_SCALAR, "trace(execname && 1);"),
    (Tag::D_OP_SCALAR, "trace(execname ? 1 : 2);"),
    (Tag::D_OP_SOU, "trace(pid.x);"),
    (Tag::D_OP_SOU, "trace(((int *)arg0)->x);"),
    (Tag::D_OP_VFPTR, "void *p; BEGIN { p++; }"),
    (Tag::D_OP_VFPTR, "void *p; BEGIN { p += 1; }"),
    (Tag::D_OP_WRITE, "pid = 3;"),
    (Tag::D_OP_WRITE, "`jiffies = 3;"),
    (Tag::D_PDESC_INVAL, "broken:::x { }"),
    (Tag::D_PDESC_INVAL, "77 { }"),
    (Tag::D_PDESC_ZERO, "nosuch:::x { }"),
    (
        Tag::D_PRAGMA_DEPEND,
        "#pragma D depends_on provider nosuch\nBEGIN { }",
    ),
    (
        Tag::D_PRAGMA_SCOPE,
        "#pragma D attributes Stable/Stable/Common pid\nBEGIN { }",
    ),
    (
        Tag::D_PRAGMA_UNUSED,
        "#pragma D attributes Stable/Stable/Common nosuch\nBEGIN { }",
    ),
    (Tag::D_PRED_SCALAR, "BEGIN /execname/ { }"),
    (Tag::D_PRINTA_AGGARG, "printa(pid);"),
    (Tag::D_PRINTA_AGGBAD, "printa(@nosuch);"),
    (
        Tag::D_PRINTA_AGGKEY,
        "@a[1] = count(); @b = count(); printa(@a, @b);",
    ),
    (
        Tag::D_PRINTA_AGGPROTO,
        "@a[1] = count(); @b[\"x\"] = count(); printa(@a, @b);",
    ),
    (Tag::D_PRINTA_PROTO, "printa(\"%d\");"),
    (Tag::D_PRINTF_AGG_CONV, "printf(\"%@d\", 1);"),
    (Tag::D_PRINTF_ARG_EXTRA, "printf(\"%d\", 1, 2);"),
    (Tag::D_PRINTF_ARG_FMT, "printf(pid);"),
    (Tag::D_PRINTF_ARG_PROTO, "printf(\"%d\");"),
    (
        Tag::D_PRINTF_ARG_PROTO,
        "@a[1] = count(); printa(\"%d %d\", @a);",
    ),
    (Tag::D_PRINTF_ARG_TYPE, "printf(\"%d\", execname);"),
    (Tag::D_PRINTF_DYN_PROTO, "printf(\"%*d\");"),
    (Tag::D_PRINTF_DYN_TYPE, "printf(\"%*d\", execname, 1);"),
    (Tag::D_PRINTF_FMT_EMPTY, "printf(\"\");"),
    (Tag::D_PRINT_AGG, "@a = count(); print(@a);"),
    (Tag::D_PRINT_VOID, "print((void)1);"),
    (Tag::D_PROTO_ARG, "trace(strlen(1));"),
    (Tag::D_PROTO_ARG, "a[1] = 1; a[execname] = 1;"),
    (Tag::D_PROTO_ARG, "exit(\"x\");"),
    (Tag::D_PROTO_LEN, "trace();"),
    (Tag::D_PROTO_LEN, "a[1] = 1; a[1, 2] = 1;"),
    (Tag::D_PROTO_LEN, "@a[1] = count(); @a[1, 2] = count();"),
    (Tag::D_PROTO_LEN, "trace(args[1, 2]);"),
    (Tag::D_PROV_BADNAME, "provider p1 { probe x(); }; BEGIN { }"),
    (
        Tag::D_PROV_INCOMPAT,
        "provider p { probe x(); }; provider p { probe y(); }; BEGIN { }",
    ),
    (
        Tag::D_PROV_PRARGLEN,
        "provider p { probe x(MANY); }; BEGIN { }",
    ),
    (
        Tag::D_PROV_PRDUP,
        "provider p { probe x(); probe x(); }; BEGIN { }",
    ),
    (
        Tag::D_PROV_PRXLATOR,
        "provider p { probe x(int a) : (struct task_struct *a); }; BEGIN { }",
    ),
    (Tag::D_SIZEOF_BITFIELD, "trace(sizeof curthread->flags);"),
    (Tag::D_SIZEOF_TYPE, "trace(sizeof (void));"),
    (Tag::D_SPEC_COMM, "commit(1); speculate(1);"),
    (Tag::D_SPEC_DREC, "trace(1); speculate(1);"),
    (Tag::D_SPEC_SPEC, "speculate(1); speculate(1);"),
    (Tag::D_STACK_PROTO, "stack(1, 2);"),
    (Tag::D_STACK_SIZE, "stack(0);"),
    (Tag::D_STRINGOF_TYPE, "trace(stringof(*curthread));"),
    (Tag::D_SYM_NOTYPES, "trace(`untyped);"),
    (Tag::D_SYNTAX, "printf(\"%q\", 1);"),
    (Tag::D_TRACEMEM_ADDR, "tracemem(execname, 4);"),
    (Tag::D_TRACEMEM_ARGS, "tracemem(curthread, 4, 2, 1);"),
    (Tag::D_TRACEMEM_DYNSIZE, "tracemem(curthread, 4, execname);"),
    (Tag::D_TRACEMEM_SIZE, "tracemem(curthread, pid);"),
    (Tag::D_TRACE_AGG, "@a = count(); trace(@a);"),
    (Tag::D_TRACE_VOID, "trace((void)1);"),
    (Tag::D_TRUNC_AGGARG, "trunc(1);"),
    (Tag::D_TRUNC_AGGBAD, "trunc(@nosuch);"),
    (Tag::D_TRUNC_PROTO, "trunc();"),
    (Tag::D_TRUNC_SCALAR, "@a = count(); trunc(@a, execname);"),
    (Tag::D_TYPE_MEMBER, "trace(curthread->nosuch);"),
    (Tag::D_UNKNOWN, "trace(ipl);"),
    (Tag::D_PRINTF_ARG_TYPE, "printf(\"%ls\", execname);"),
    (Tag::D_USTACK_FRAMES, "ustack(0);"),
    (Tag::D_USTACK_PROTO, "ustack(1, 2, 3);"),
    (Tag::D_USTACK_STRSIZE, "ustack(1, pid);"),
    (Tag::D_VAR_UNDEF, "trace(self->nosuch);"),
    (Tag::D_VAR_UNDEF, "x += 1;"),
    (Tag::D_VAR_UNDEF, "trace(a[1]);"),
    (
        Tag::D_XLATE_MEMB,
        "translator struct o < int *I > { nosuch = 1; };",
    ),
    (
        Tag::D_XLATE_INCOMPAT,
        "translator struct o < int *I > { a = \"x\"; };",
    ),
    (
        Tag::D_XLATE_REDECL,
        "translator struct o < int *I > { a = 1; }; translator struct o < int *I > { a = 1; };",
    ),
    (Tag::D_XLATE_SOU, "translator int < int *I > { a = 1; };"),
    (
        Tag::D_XLATE_NONE,
        "BEGIN { trace((xlate <struct o *> (curthread))->a); }",
    ),
    (
        Tag::D_XLATE_NOCONV,
        "translator struct o < int *I > { a = *I; }; BEGIN { trace((xlate <struct o *> ((int *)0))->b); }",
    ),
    (
        Tag::D_CG_DYN,
        "translator struct o < int *I > { a = *I; }; BEGIN { @[1] = sum(1); xlate <struct o *> ((int *)0); }",
    ),
    (
        Tag::D_TRACE_DYN,
        "translator struct o < int *I > { a = *I; }; BEGIN { trace(xlate <struct o *> ((int *)0)); }",
    ),
    (
        Tag::D_PRINT_DYN,
        "translator struct o < int *I > { a = *I; }; BEGIN { print(xlate <struct o *> ((int *)0)); }",
    ),
    (
        Tag::D_OP_DYN,
        "translator struct o < int *I > { a = *I; }; BEGIN { trace(1 + xlate <struct o *> ((int *)0)); }",
    ),
];

/// Structure that the translator cases are about.
const PRELUDE: &str = "struct o { int a; int b; };\n";

pub(super) fn program(text: &str) -> String {
    let text = text.replace("MANY", &vec!["int"; 33].join(", "));
    let whole = [
        "BEGIN",
        "syscall:",
        "tick-",
        "nosuch:",
        "broken:",
        "77 ",
        "#pragma",
        "translator ",
    ];
    if whole.iter().any(|w| text.contains(w)) {
        format!("{PRELUDE}{text}")
    } else {
        format!("BEGIN {{ {text} }}")
    }
}

#[test]
fn wrong_programs_give_their_tags() {
    let mut wrong = Vec::new();
    for (tag, text) in CASES {
        let got = match try_compile(Options::default(), &[&program(text)]) {
            Ok(_) => "compiled".to_owned(),
            Err(e) if e.tag == *tag && !e.message.is_empty() => continue,
            Err(e) => format!("[{}] {}", e.tag.name(), e.message),
        };
        wrong.push(format!("{} {text}: {got}", tag.name()));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Messages that scripts and people know by heart.
#[test]
fn well_known_messages() {
    for (text, message) in [
        (
            "trace(foo);",
            "failed to resolve foo: Unknown variable name",
        ),
        ("x += 1;", "x has not yet been declared or assigned"),
        (
            "trace(self->x);",
            "self->x has not yet been declared or assigned",
        ),
        (
            "@a[1] = count(); @a[1, 2] = count();",
            "@a[ ] prototype mismatch: 2 keys passed, 1 expected",
        ),
        (
            "a[1] = 1; a[\"x\"] = 1;",
            "a[ ] key #1 is incompatible with prototype:\n\tprototype: int\n\t      key: string",
        ),
        (
            "trace();",
            "trace( ) prototype mismatch: 0 args passed, 1 expected",
        ),
        (
            "exit(\"x\");",
            "exit( ) argument #1 is incompatible with prototype:\n\tprototype: int\n\t argument: string",
        ),
        (
            "x = \"a\"; x = 1;",
            "operands have incompatible types: \"string\" = \"int\"",
        ),
        (
            "@a = count(); trace(@a);",
            "trace( ) may not be applied to an aggregation -- did you mean printa()?",
        ),
        (
            "nosuch:::x { }",
            "probe description nosuch:::x does not match any probes",
        ),
        (
            "printf(\"%d\");",
            "printf( ) prototype mismatch: conversion #1 (%d) is missing a corresponding value argument",
        ),
        ("nosuch(1);", "undefined function name: nosuch"),
    ] {
        let error = try_compile(Options::default(), &[&program(text)]).unwrap_err();
        assert_eq!(error.message, message);
    }
}

#[test]
fn misspelt_names_are_recognised() {
    for (text, help) in [
        ("trace(excename);", "did you mean execname?"),
        ("trace(curthread->comn);", "did you mean comm?"),
        ("pritnf(\"x\");", "did you mean printf?"),
        ("latency = 1; trace(latnecy);", "did you mean latency?"),
    ] {
        let error = try_compile(Options::default(), &[&program(text)]).unwrap_err();
        assert_eq!(error.help.as_deref(), Some(help), "{text}");
    }
}

#[test]
fn minimum_attributes_are_enforced() {
    let options = Options {
        amin: lang::Stability::parse("Evolving/Evolving/Common"),
        ..Options::default()
    };
    let error = try_compile(options, &["BEGIN { trace(curthread); }"]).unwrap_err();
    assert_eq!(error.tag, Tag::D_ATTR_MIN);
}

/// Tags that semantic analysis defines no case for: raised by other stages, or describing what cannot happen here.
const ELSEWHERE: &[Tag] = &[
    Tag::D_ARGS_XLATOR,
    Tag::D_ASRELO,
    Tag::D_ATTR_MIN,
    Tag::D_CHR_NL,
    Tag::D_CHR_NULL,
    Tag::D_CHR_OFLOW,
    Tag::D_DECL_BADCLASS,
    Tag::D_DECL_CHARATTR,
    Tag::D_DECL_CLASS,
    Tag::D_DECL_COMBO,
    Tag::D_DECL_IDENT,
    Tag::D_DECL_LONGINT,
    Tag::D_DECL_PARMCLASS,
    Tag::D_DECL_PROTO_FORM,
    Tag::D_DECL_PROTO_VARARGS,
    Tag::D_DECL_SIGNINT,
    Tag::D_DECL_VOIDATTR,
    Tag::D_EMPTY,
    Tag::D_ID_OFLOW,
    Tag::D_INT_DIGIT,
    Tag::D_INT_OFLOW,
    Tag::D_MACRO_OFLOW,
    Tag::D_MACRO_UNDEF,
    Tag::D_MACRO_UNUSED,
    Tag::D_NOREG,
    Tag::D_OP_IDENT,
    Tag::D_PRAGCTL_INVAL,
    Tag::D_PRAGERR,
    Tag::D_PRAGMA_INVAL,
    Tag::D_PRAGMA_MALFORM,
    Tag::D_PRAGMA_OPTSET,
    Tag::D_PRINTM_ADDR,
    Tag::D_PRINTM_SIZE,
    Tag::D_PROC_ALIGN,
    Tag::D_PROC_BADPID,
    Tag::D_PROC_BADPROV,
    Tag::D_PROC_CREATEFAIL,
    Tag::D_PROC_DYN,
    Tag::D_PROC_FUNC,
    Tag::D_PROC_GRAB,
    Tag::D_PROC_LIB,
    Tag::D_PROC_NAME,
    Tag::D_PROC_NODEV,
    Tag::D_PROC_OFF,
    Tag::D_PROC_USDT,
    Tag::D_REGS_IDX,
    Tag::D_STR_NL,
    Tag::D_SYM_BADREF,
    Tag::D_SYM_MODEL,
    Tag::D_TYPE_ERR,
];

#[test]
fn every_tag_has_a_case_or_belongs_elsewhere() {
    let cases: BTreeSet<Tag> = CASES.iter().map(|(t, _)| *t).collect();
    let missing: Vec<&str> = Tag::ALL
        .iter()
        .filter(|t| !cases.contains(t) && !ELSEWHERE.contains(t))
        .map(|t| t.name())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
