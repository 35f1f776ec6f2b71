//! No-ops of five bytes, which Linux 6.18 and later turn into calls when a probe on them fires first (x86-64).
//!
//! Problem: the first kernels with this leave the code that is called out of children (`fork(2)`), which keep the call and
//! die of it. Whether this kernel does is tried on a file of our own. Choice: where it does, each such place is run once
//! in this process where no call could be made from it; the kernel then does not try again as long as that probe is there,
//! and the place stays a breakpoint, which costs more and kills nobody.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;

use bpf::{Insn, Reg};
use image::{Attachment, PointKind};
use sys::SysError;
use sys::bpf::{ATTACH_UPROBE_MULTI, ProgSpec, Uprobes, link_uprobes, prog_load, prog_type};
use sys::trial::{NOP, Trial};

use crate::features::{encode, features};

/// The mapping that calls go to.
const CALLED: &str = "[uprobes-trampoline]";
/// `VmFlags` of what children do not get.
const NOT_FOR_CHILDREN: &str = " dc";

/// Does nothing, in this process only, at these places of a file.
fn link(path: &str, places: &[(u64, u32)]) -> Result<OwnedFd, SysError> {
    let code = encode(&[Insn::mov(Reg::R0, 0), Insn::exit()]);
    let program = prog_load(
        &ProgSpec {
            kind: prog_type::KPROBE,
            name: "dtrace_nop",
            insns: &code,
            attach_type: ATTACH_UPROBE_MULTI,
            ..ProgSpec::default()
        },
        None,
    )?;
    let offsets: Vec<u64> = places.iter().map(|(offset, _)| *offset).collect();
    let mut semaphores: Vec<u64> = places.iter().map(|(_, s)| u64::from(*s)).collect();
    if semaphores.iter().all(|s| *s == 0) {
        semaphores.clear();
    }
    link_uprobes(
        program.as_fd(),
        &Uprobes {
            path,
            offsets: &offsets,
            semaphores: &semaphores,
            cookies: &vec![0; places.len()],
            ret: false,
            pid: Some(std::process::id()),
        },
    )
}

/// Whether children of probed processes die of such calls. Where nobody can tell, they may.
pub(crate) fn kill_children() -> bool {
    if !cfg!(target_arch = "x86_64") || !features().uprobe_multi() {
        return false;
    }
    try_calls().unwrap_or(true)
}

fn try_calls() -> Result<bool, SysError> {
    let file = sys::trial::file()?;
    let trial = Trial::new(1, false)?;
    trial.place(0, file.as_fd(), 0)?;
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    let _link = link(&path, &[(0, 0)])?;
    trial.run(0, 0)?;
    if !trial.is_call(0, 0)? {
        return Ok(false);
    }
    let about = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let mut lines = about.lines().skip_while(|l| !l.ends_with(CALLED));
    let flags = lines.find(|l| l.starts_with("VmFlags:"));
    Ok(flags.is_none_or(|f| f.contains(NOT_FOR_CHILDREN)))
}

/// Whether the kernel might make a call of this place.
fn is_candidate(file: &File, a: &Attachment) -> bool {
    let mut code = [0; NOP.len()];
    let page = sys::mem::page_size() as u64;
    a.point.kind == PointKind::Instruction
        && a.point.offset % page + NOP.len() as u64 <= page
        && file.read_exact_at(&mut code, a.point.offset).is_ok()
        && code == NOP
}

/// Keeps the kernel from making calls of these places, all of one file, as long as what this gives is there. `Ok(None)`:
/// there is no need to.
pub(crate) fn keep(points: &[&Attachment]) -> Result<Option<OwnedFd>, SysError> {
    let Some(path) = points.first().map(|a| &a.point.file) else {
        return Ok(None);
    };
    // What cannot be read has no probes either.
    let Ok(file) = File::open(&**path) else {
        return Ok(None);
    };
    let mut places: Vec<(u64, u32)> = points
        .iter()
        .filter(|a| is_candidate(&file, a))
        .map(|a| (a.point.offset, a.point.semaphore))
        .collect();
    places.sort_unstable();
    places.dedup_by_key(|(offset, _)| *offset);
    if places.is_empty() || !features().calls_kill_children() {
        return Ok(None);
    }
    let trial = Trial::new(places.len(), true)?;
    for (n, (offset, _)) in places.iter().enumerate() {
        trial.place(n, file.as_fd(), *offset)?;
    }
    let link = link(path, &places)?;
    for (n, (offset, _)) in places.iter().enumerate() {
        trial.run(n, *offset)?;
        if trial.is_call(n, *offset)? {
            return Err(SysError::new("keeping a no-op", sys::errno::EBUSY));
        }
    }
    Ok(Some(link))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_can_be_told() {
        if !sys::proc::may_trace() {
            println!("NOT RUN: needs root");
            return;
        }
        // Whatever the answer, it is one and stays.
        assert_eq!(kill_children(), features().calls_kill_children());
    }
}
