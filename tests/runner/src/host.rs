//! What this machine can run.

use crate::case::Need;
use std::path::PathBuf;

/// Why a need is not met, or `None` if it is.
pub fn missing(need: &Need) -> Option<String> {
    match need {
        Need::Root if !is_root() => Some("needs root".into()),
        Need::Root if !std::path::Path::new("/sys/kernel/btf/vmlinux").exists() => {
            Some("the kernel has no BTF".into())
        }
        Need::Root => None,
        Need::Command(name) if on_path(name).is_none() => Some(format!("needs the command {name}")),
        Need::Command(_) => None,
    }
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
