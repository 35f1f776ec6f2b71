//! Libraries: read when needed, usable as far as they fit.

use super::{FakeWorld, add};
use crate::{Compiler, Library, LibraryText, Options, dump};
use diag::{Diagnostic, Tag};

fn with(libraries: &[(&str, &'static str)], program: &str) -> Result<String, Diagnostic> {
    let mut world = FakeWorld;
    let mut compiler = Compiler::new(&mut world, Options::default());
    let library = |(name, text): &(&str, &'static str)| Library {
        name: (*name).to_owned(),
        text: LibraryText::Written((*text).into()),
    };
    compiler.add_libraries(libraries.iter().map(library).collect());
    add(&mut compiler, program).map_err(|mut e| e.remove(0))?;
    Ok(dump(&compiler.finish()))
}

const WHO: (&str, &str) = (
    "who.d",
    "typedef struct who { int id; int gone; int newer; } who_t;\n\
     translator who_t < struct task_struct *T > { id = T->pid; gone = T->nosuch;\n newer = T->nosuch; newer = T->pid; };\n\
     inline who_t *me = xlate <who_t *> (curthread);",
);

#[test]
fn a_name_brings_its_library() {
    let dump = with(&[WHO], "BEGIN { trace(me->id); trace(me->newer); }").unwrap();
    assert_eq!(
        dump.matches("(load:i32 curthread:u64 +0)").count(),
        2,
        "{dump}"
    );
    let dump = with(&[WHO], "BEGIN { trace((xlate <who_t> (curthread)).id); }").unwrap();
    assert!(dump.contains("(load:i32 curthread:u64 +0)"), "{dump}");
}

#[test]
fn what_does_not_fit_is_missing_for_its_users_only() {
    let error = with(&[WHO], "BEGIN { trace(me->gone); }").unwrap_err();
    assert_eq!(error.tag, Tag::D_XLATE_NOCONV);
    assert_eq!(error.span.source, 0);
    let help = error.help.unwrap_or_default();
    assert!(
        help.starts_with("library who.d, line 2: nosuch is not"),
        "{help}"
    );
    let broken = (
        "broken.d",
        "inline int A = 1;\ninline int B = nosuch; inline int C = 2;\n",
    );
    assert!(with(&[broken], "BEGIN { trace(A + C); }").is_ok());
    let error = with(&[broken], "BEGIN { trace(B); }").unwrap_err();
    assert_eq!(error.tag, Tag::D_IDENT_UNDEF);
    let help = error.help.unwrap_or_default();
    assert!(
        help.starts_with("library broken.d, line 2: failed to resolve nosuch"),
        "{help}"
    );
    let no_d = ("no.d", "inline int A = 1; ] inline int B = 2;");
    assert!(with(&[no_d], "BEGIN { trace(1); }").is_ok());
    assert!(with(&[no_d], "BEGIN { trace(B); }").is_err());
}

#[test]
fn dependencies_are_honoured() {
    let a = ("a.d", "#pragma D depends_on library b.d\ninline int A = B;");
    let b = (
        "b.d",
        "#pragma D depends_on provider dtrace\n#pragma D depends_on library a.d\ninline int B = 7;",
    );
    let dump = with(&[a, b], "BEGIN { trace(A); }").unwrap();
    assert!(dump.contains("trace(7:i32)"), "{dump}");
    for missing in ["provider nosuch", "library nosuch.d", "module nosuch"] {
        let text = format!("#pragma D depends_on {missing}\ninline int A = 1;");
        let c = ("c.d", &*Box::leak(text.into_boxed_str()));
        let error = with(&[c], "BEGIN { trace(A); }").unwrap_err();
        assert!(error.help.unwrap_or_default().contains("nosuch"));
    }
}

#[test]
fn probe_arguments_are_translated() {
    let dump = with(&[WHO], "syscall::read:return { trace(args[0]->id); }").unwrap();
    assert!(dump.contains("trace((load:i32 "), "{dump}");
    let error = with(&[], "syscall::read:return { trace(args[0]->id); }").unwrap_err();
    assert_eq!(error.tag, Tag::D_UNKNOWN);
}

#[test]
fn programs_may_take_the_names() {
    let lib = ("l.d", "inline int A = 1; inline int AA = A;");
    let dump = with(&[lib], "inline int A = 5; BEGIN { trace(A); }").unwrap();
    assert!(dump.contains("trace(5:i32)"), "{dump}");
    assert!(with(&[lib], "int A; BEGIN { A = 3; }").is_ok());
    let dump = with(&[lib], "enum { A = 4 }; BEGIN { trace(AA + A); }").unwrap();
    assert!(dump.contains("trace(5:"), "{dump}");
}
