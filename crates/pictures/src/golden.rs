//! Help for tests: pictures that were looked at, to compare with. `UPDATE=1` writes them anew.

use consumer::data::{Entry, Frame, Item, Measure};
use std::path::PathBuf;
use std::sync::Arc;

/// Compares a picture, its script left out, with the file of this name.
pub fn same(name: &str, picture: &str, script: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name);
    let have = match script {
        "" => picture.to_owned(),
        script => {
            assert!(picture.contains(script), "the script is not in {name}");
            picture.replace(script, "/* script */\n")
        }
    };
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &have).expect("a golden file can be written");
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have == want,
        "{name} is not as it was; UPDATE=1 writes it anew, then look at it"
    );
}

/// A frame; `kernel` has no `user`.
pub fn frame(module: &str, name: &str, user: bool) -> Frame {
    Frame {
        address: 0x1000 + name.len() as u64,
        module: Some(module.into()).filter(|m: &Arc<str>| !m.is_empty()),
        name: Some(name.into()).filter(|n: &Arc<str>| !n.is_empty()),
        offset: name.len() as u64,
        user,
    }
}

/// A stack of a process, the innermost function first.
pub fn user(names: &[&str]) -> Item {
    Item::Stack(names.iter().map(|n| frame("app", n, true)).collect())
}

/// A stack of the kernel, the innermost function first.
pub fn kernel(names: &[&str]) -> Item {
    Item::Stack(names.iter().map(|n| frame("vmlinux", n, false)).collect())
}

/// An entry with a number.
pub fn entry(key: Vec<Item>, value: i64) -> Entry {
    Entry {
        key,
        value: Measure::Number(value),
    }
}

/// What is around it.
pub fn about(lost: &[&str]) -> crate::About {
    crate::About {
        title: "a <title> & \"more\"".to_owned(),
        made: "2026-11-22 06:40:00, 10.0 s, on host (Linux 6.18)".to_owned(),
        lost: lost.iter().map(|l| (*l).to_owned()).collect(),
    }
}

/// The elements of a picture with this class, in order.
pub fn of_class<'a>(
    picture: &'a roxmltree::Document<'a>,
    class: &'a str,
) -> Vec<roxmltree::Node<'a, 'a>> {
    let all = picture.descendants();
    all.filter(|n| {
        n.attribute("class")
            .is_some_and(|c| c.split(' ').any(|c| c == class))
    })
    .collect()
}
