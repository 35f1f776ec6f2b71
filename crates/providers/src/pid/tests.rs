//! Against this very process, which has the C library in itself.

use std::rc::Rc;

use super::*;
use crate::{KernelBtf, LinuxEnv, Pattern, Registry};

fn find(rest: &str) -> Result<Vec<Probe>, (Tag, String)> {
    let mut env = LinuxEnv::new(
        Rc::new(KernelBtf::of(&btf::testworld())),
        Box::new(crate::testing::Text),
    );
    let text = format!("pid{}:{rest}", std::process::id());
    Registry::new()
        .find(&Pattern::parse(&text), &mut env)
        .map_err(|e| match e {
            Error::Process { tag, text } => (tag, text),
            other => (Tag::D_UNKNOWN, other.to_string()),
        })
}

fn tag(rest: &str) -> Tag {
    find(rest).map_or_else(|(tag, _)| tag, |p| panic!("{rest}: {} probes", p.len()))
}

#[test]
fn entries_and_returns() {
    let entry = find("a.out:malloc:entry").unwrap();
    let [entry] = entry.as_slice() else {
        panic!("{entry:?}")
    };
    assert_eq!(&*entry.provider, format!("pid{}", std::process::id()));
    assert_eq!(entry.points.len(), 1);
    assert_eq!(entry.points[0].pid, Some(std::process::id()));
    let globbed = find("a.out:mallo[c]:entry").unwrap();
    assert_eq!(globbed[0].points, entry.points);
    let own = std::env::current_exe().unwrap();
    for module in [own.to_str().unwrap(), &entry.module] {
        let named = find(&format!("{module}:malloc:entry")).unwrap();
        assert_eq!(named[0].points, entry.points);
    }
    assert!(!find("a.out:malloc:return").unwrap().is_empty());
}

#[test]
fn instructions() {
    let all = find("a.out:malloc:").unwrap();
    let names: Vec<&str> = all.iter().map(|p| &*p.name).collect();
    assert!(names.contains(&"entry") && names.contains(&"return") && names.contains(&"0"));
    let last = names.last().copied().unwrap_or_default();
    let one = find(&format!("a.out:malloc:{last}")).unwrap();
    assert_eq!(one[0].points, all[all.len() - 1].points);
}

#[test]
fn errors_have_tags() {
    assert_eq!(tag("a.out:no_such_function:entry"), Tag::D_PROC_FUNC);
    assert_eq!(tag("a.out:malloc:enter"), Tag::D_PROC_NAME);
    assert_eq!(tag("a.out:malloc:ffff"), Tag::D_PROC_OFF);
    assert_eq!(tag("libc:-:1000"), Tag::D_PROC_LIB);
    assert_eq!(tag("a.out:-:*"), Tag::D_PROC_NAME);
    assert_eq!(tag("a.out:-:entry"), Tag::D_PROC_NAME);
    assert_eq!(tag("a.out:-:10"), Tag::D_PROC_CREATEFAIL);
    assert!(find("a.out:no_such*:entry").unwrap().is_empty());
}

#[test]
fn numbers_of_processes() {
    assert_eq!(number("pid12"), Some(12));
    for text in ["pid", "pid0", "pid+1", "pid1x", "pod1"] {
        assert_eq!(number(text), None, "{text}");
    }
    assert!(!Pid::new(NextId::default()).answers(&Glob::new("pid*")));
    assert!(Pid::new(NextId::default()).answers(&Glob::new("pid")));
}
