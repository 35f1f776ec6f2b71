//! Walks the workspace and collects what breaks the house rules. `allow.txt` lists what is too long today; an entry that
//! is no longer needed, or a tenth larger than needed, is itself a fault, so the list can only shrink.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::layers::Manifest;
use crate::source;

/// Text that must not appear in any committed file: paths of one machine.
const BANNED: &[&str] = &["/root/", "/home/", "/work/", "/tmp/target"];
/// Folders with code and text of ours.
const FOLDERS: &[&str] = &["crates", "cmd", "xtask", "bench", "tests", "docs"];

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Every fault, one line each.
pub fn all(root: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        walk(&root.join(folder), &mut files);
    }
    files.sort();
    let mut faults = Vec::new();
    let mut lengths = BTreeMap::new();
    for file in &files {
        let path = file
            .strip_prefix(root)
            .unwrap_or(file)
            .to_string_lossy()
            .into_owned();
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        faults.extend(banned(&path, &text));
        if path.ends_with("Cargo.toml") {
            faults.extend(Manifest::parse(&text).faults());
        }
        if path.ends_with(".rs") {
            faults.extend(source::faults(&path, &text));
            for long in source::long(&text) {
                lengths.insert(format!("{path} {}", long.what), long.lines);
            }
        }
    }
    let allow = fs::read_to_string(root.join("xtask/allow.txt")).unwrap_or_default();
    faults.extend(against(&allow, &lengths));
    faults
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|n| n != "target") {
                walk(&path, files);
            }
        } else {
            files.push(path);
        }
    }
}

fn banned(path: &str, text: &str) -> Vec<String> {
    if path == "xtask/src/tidy.rs" {
        return Vec::new();
    }
    let hits = text
        .lines()
        .enumerate()
        .filter(|(_, l)| BANNED.iter().any(|b| l.contains(b)));
    hits.map(|(n, _)| format!("{path}:{}: path of one machine", n + 1))
        .collect()
}

/// Compares what is too long with the list of what may be.
fn against(allow: &str, lengths: &BTreeMap<String, usize>) -> Vec<String> {
    let mut allowed = BTreeMap::new();
    for line in allow
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'))
    {
        if let Some((what, n)) = line.rsplit_once(' ') {
            allowed.insert(what.to_owned(), n.parse::<usize>().unwrap_or(0));
        }
    }
    let mut faults = Vec::new();
    for (what, lines) in lengths {
        match allowed.get(what) {
            None => faults.push(format!("{what}: {lines} lines are too many")),
            Some(n) if lines > n => faults.push(format!("{what}: grew from {n} to {lines} lines")),
            Some(n) if lines + lines / 10 < *n => faults.push(format!(
                "{what}: lower its entry in xtask/allow.txt to {lines}"
            )),
            Some(_) => {}
        }
    }
    let stale = allowed.keys().filter(|k| !lengths.contains_key(*k));
    faults.extend(stale.map(|k| format!("{k}: remove its entry from xtask/allow.txt")));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_is_tidy() {
        let faults = all(&root());
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }

    #[test]
    fn allow_list_only_shrinks() {
        let lengths = BTreeMap::from([("a fn f".to_owned(), 80), ("b file".to_owned(), 1100)]);
        assert_eq!(against("a fn f 80\nb file 1100\n", &lengths).len(), 0);
        assert_eq!(against("a fn f 79\nb file 1100\n", &lengths).len(), 1);
        assert_eq!(against("a fn f 89\nb file 1100\n", &lengths).len(), 1);
        assert_eq!(against("a fn f 80\n", &lengths).len(), 1);
        assert_eq!(
            against("a fn f 80\nb file 1100\nc fn g 90\n", &lengths).len(),
            1
        );
    }
}
