//! What this machine can run.

use crate::case::Need;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Why a need is not met, or `None` if it is.
pub fn missing(need: &Need, dtrace: &Path) -> Option<String> {
    match need {
        Need::Root if !is_root() => Some("needs root".into()),
        Need::Root if !std::path::Path::new("/sys/kernel/btf/vmlinux").exists() => {
            Some("the kernel has no BTF".into())
        }
        Need::Root => None,
        // Our other commands are where dtrace is.
        Need::Command(name)
            if on_path(name).is_none() && !dtrace.with_file_name(name).is_file() =>
        {
            Some(format!("needs the command {name}"))
        }
        Need::Command(_) => None,
        Need::Cpus(n) if std::thread::available_parallelism().map_or(1, usize::from) < *n => {
            Some(format!("needs {n} processors"))
        }
        Need::Cpus(_) => None,
        Need::Probe(probe) => unknown_probe(probe, dtrace),
    }
}

/// Why a probe cannot be had; asked once for each.
fn unknown_probe(probe: &str, dtrace: &Path) -> Option<String> {
    static KNOWN: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());
    if !is_root() || dtrace.as_os_str().is_empty() {
        return None;
    }
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let ask = || {
        let output = Command::new(dtrace).args(["-ln", probe]).output().ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let why = text
            .lines()
            .last()
            .unwrap_or("it cannot be listed")
            .to_owned();
        (!output.status.success()).then(|| format!("no probe {probe}: {why}"))
    };
    known.entry(probe.to_owned()).or_insert_with(ask).clone()
}

/// Effective user id 0, as /proc tells.
fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|l| l.strip_prefix("Uid:"))
        .and_then(|l| l.split_whitespace().nth(1))
        == Some("0")
}

/// Where a command is.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|dir| dir.join(name))
        .find(|p| p.is_file())
}
