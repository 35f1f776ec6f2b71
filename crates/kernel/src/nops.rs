//! No-ops of five bytes, which Linux 6.18 turns into calls when a probe on them fires first (x86-64).
//!
//! Problem: such a call pushes a return address over what a leaf function keeps below its stack pointer (the red zone), and
//! the code that it leads to is not there in children (`fork(2)`), which die. Choice: each such place is run once in this
//! process, where no call could be made from it; the kernel then does not try again as long as that probe is there, and
//! the place stays a breakpoint, which costs more and harms nobody.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileExt;

use bpf::{Insn, Reg};
use image::{Attachment, PointKind};
use sys::SysError;
use sys::bpf::{ATTACH_UPROBE_MULTI, ProgSpec, Uprobes, link_uprobes, prog_load, prog_type};
use sys::trial::{NOP, Trial};

use crate::features::{encode, features};

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

/// Whether the kernel might make a call of this place.
fn is_candidate(file: &File, a: &Attachment) -> bool {
    let mut code = [0; NOP.len()];
    let page = sys::mem::page_size() as u64;
    a.point.kind == PointKind::Instruction
        && a.point.offset % page + NOP.len() as u64 <= page
        && file.read_exact_at(&mut code, a.point.offset).is_ok()
        && code == NOP
}

/// Points of one file.
pub(crate) struct Safe<'a> {
    /// Must be there as long as they are probed.
    pub link: Option<OwnedFd>,
    /// Those that can be probed.
    pub good: Vec<&'a Attachment>,
    /// Those of which the kernel would make harmful calls.
    pub bad: Vec<&'a Attachment>,
}

/// Keeps the kernel from making calls of these places, all of one file.
pub(crate) fn keep(points: Vec<&Attachment>) -> Safe<'_> {
    let file = points.first().map(|a| File::open(&*a.point.file));
    // What cannot be read has no probes either.
    let Some(Ok(file)) = file.filter(|_| cfg!(target_arch = "x86_64")) else {
        return Safe {
            link: None,
            good: points,
            bad: Vec::new(),
        };
    };
    let (mut nops, mut good): (Vec<_>, Vec<_>) =
        points.into_iter().partition(|a| is_candidate(&file, a));
    if nops.is_empty() || !features().harmful_calls() {
        good.append(&mut nops);
    }
    match pin(&file, &nops) {
        Ok(link) => {
            good.append(&mut nops);
            Safe {
                link,
                good,
                bad: Vec::new(),
            }
        }
        Err(_) => Safe {
            link: None,
            good,
            bad: nops,
        },
    }
}

/// Lets the kernel fail at each of these places once.
fn pin(file: &File, nops: &[&Attachment]) -> Result<Option<OwnedFd>, SysError> {
    let Some(path) = nops.first().map(|a| &a.point.file) else {
        return Ok(None);
    };
    let mut places: Vec<(u64, u32)> = nops
        .iter()
        .map(|a| (a.point.offset, a.point.semaphore))
        .collect();
    places.sort_unstable();
    places.dedup_by_key(|(offset, _)| *offset);
    let trial = Trial::new(places.len())?;
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
