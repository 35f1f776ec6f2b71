//! The executable: size, static or not, and whether it runs where there is nothing but /proc and /sys.

use std::path::Path;
use std::process::Command;

use crate::measure::or_note;
use crate::report::{Bar, Row};
use crate::tool::Env;
use crate::{Result, elf, fail};

const MB: f64 = 1e6;

/// In a mount namespace of its own, so that nothing needs undoing: `$1` an empty folder, `$2` the executable.
const IN_CHROOT: &str = r#"
set -e
mount -t tmpfs tmpfs "$1"
mkdir "$1/proc" "$1/sys"
mount --rbind /proc "$1/proc"
mount --rbind /sys "$1/sys"
cp "$2" "$1/dtrace"
exec chroot "$1" /dtrace -q -n 'syscall:::entry { @[execname] = count(); } tick-100ms { exit(0); }'
"#;

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let mut size = Row::new("executable (MB)", Bar::AtMost(12.0));
    let mut linked = Row::new("executable is static (1 = yes)", Bar::Exactly(1.0));
    let mut chroot = Row::new("runs in an empty chroot (1 = yes)", Bar::Exactly(1.0));
    if let Some(path) = &env.dtrace {
        let file = std::fs::read(path)?;
        size.ours = Some(file.len() as f64 / MB);
        linked.ours = elf::is_static(&file).map(|yes| f64::from(u8::from(yes)));
        let ran = or_note("binary", in_chroot(env, path).map(Some));
        chroot.ours = Some(if ran.is_some() { 1.0 } else { 0.0 });
    }
    Ok(vec![size, linked, chroot])
}

fn in_chroot(env: &Env, path: &Path) -> Result<()> {
    let root = env.dir.join("root");
    std::fs::create_dir_all(&root)?;
    let output = Command::new("unshare")
        .args([
            "-m",
            "--propagation",
            "private",
            "sh",
            "-c",
            IN_CHROOT,
            "sh",
        ])
        .args([&root, path])
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return fail(format!("chroot: {}: {}", output.status, said.trim()));
    }
    if output.stdout.iter().all(u8::is_ascii_whitespace) {
        return fail("chroot: no output");
    }
    Ok(())
}
