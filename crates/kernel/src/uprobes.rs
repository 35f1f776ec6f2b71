//! Attaches a program to user-space points: one link a file, process and kind, or one perf event a point where the
//! kernel has no such links (before Linux 6.6).
//!
//! The kernel refuses a whole link for one instruction that it cannot probe. So a refused list is halved until the
//! points are found that are to blame; the others are attached.

use std::collections::BTreeMap;
use std::os::fd::{AsFd, OwnedFd};

use image::{Attachment, PointKind};
use sys::bpf::Uprobes;
use sys::{SysError, errno};

use crate::attach::Links;
use crate::error::LoadError;
use crate::features::features;
use crate::load::Program;
use crate::nops::{self, Safe};

/// A point that the kernel does not let be probed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedPoint {
    /// Index of its probe in the image.
    pub probe: u32,
    /// Why.
    pub why: Unprobed,
}

/// Why a point is not probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprobed {
    /// The kernel does not want to.
    Errno(i32),
    /// It would, and do harm to the process.
    Harmful,
}

/// Attaches a program to all of its points.
pub(crate) fn attach(program: &Program, links: &mut Links) -> Result<(), LoadError> {
    if !features().uprobe_multi() {
        return attach_each(program, links);
    }
    let mut by_file: BTreeMap<_, Vec<&Attachment>> = BTreeMap::new();
    for a in &program.attachments {
        by_file.entry(&a.point.file).or_default().push(a);
    }
    let mut by_place: BTreeMap<_, Vec<&Attachment>> = BTreeMap::new();
    for points in by_file.into_values() {
        let Safe { link, good, bad } = nops::keep(points);
        links.links.extend(link);
        links.refused.extend(bad.into_iter().map(|a| RefusedPoint {
            probe: a.probe,
            why: Unprobed::Harmful,
        }));
        for a in good {
            let place = (&a.point.file, a.point.kind, a.point.pid);
            by_place.entry(place).or_default().push(a);
        }
    }
    for points in by_place.into_values() {
        attach_list(program, &points, links)?;
    }
    Ok(())
}

/// Attaches to points of one file, process and kind.
fn attach_list(
    program: &Program,
    points: &[&Attachment],
    links: &mut Links,
) -> Result<(), LoadError> {
    let Some(first) = points.first() else {
        return Ok(());
    };
    match link(program, first, points) {
        Ok(link) => links.links.push(link),
        Err(e) if is_gone(&e) => {}
        Err(e) if !is_about_a_point(&e) => return Err(LoadError::from_call(e)),
        Err(e) if points.len() == 1 => links.refused.push(RefusedPoint {
            probe: first.probe,
            why: Unprobed::Errno(e.errno),
        }),
        Err(_) => {
            let (left, right) = points.split_at(points.len() / 2);
            attach_list(program, left, links)?;
            attach_list(program, right, links)?;
        }
    }
    Ok(())
}

fn link(
    program: &Program,
    first: &Attachment,
    points: &[&Attachment],
) -> Result<OwnedFd, SysError> {
    let offsets: Vec<u64> = points.iter().map(|a| a.point.offset).collect();
    let cookies: Vec<u64> = points.iter().map(|a| a.cookie).collect();
    let mut semaphores: Vec<u64> = points
        .iter()
        .map(|a| u64::from(a.point.semaphore))
        .collect();
    if semaphores.iter().all(|s| *s == 0) {
        semaphores.clear();
    }
    sys::bpf::link_uprobes(
        program.fd.as_fd(),
        &Uprobes {
            path: &first.point.file,
            offsets: &offsets,
            semaphores: &semaphores,
            cookies: &cookies,
            ret: first.point.kind == PointKind::Return,
            pid: first.point.pid,
        },
    )
}

/// The process ended meanwhile, and with it the path to its files: there is nothing left to trace there.
fn is_gone(e: &SysError) -> bool {
    matches!(e.errno, errno::ESRCH | errno::ENOENT)
}

/// Whether one of the points may be to blame.
fn is_about_a_point(e: &SysError) -> bool {
    matches!(
        e.errno,
        errno::EINVAL | errno::ENOTSUP | errno::ENOTSUPP | errno::EIO | errno::ENOEXEC
    )
}

fn attach_each(program: &Program, links: &mut Links) -> Result<(), LoadError> {
    if program.attachments.is_empty() {
        return Ok(());
    }
    let Some(kind) = sys::perf::uprobe_type() else {
        return Err(LoadError::Unsupported {
            missing: "probes in user-space code (CONFIG_UPROBE_EVENTS)",
            detail: String::new(),
        });
    };
    for a in &program.attachments {
        let point = sys::perf::Uprobe {
            kind,
            path: &a.point.file,
            offset: a.point.offset,
            semaphore: a.point.semaphore,
            ret: a.point.kind == PointKind::Return,
            pid: a.point.pid,
        };
        let event = match sys::perf::uprobe(&point) {
            Ok(event) => event,
            Err(e) if is_gone(&e) => continue,
            Err(e) if is_about_a_point(&e) => {
                links.refused.push(RefusedPoint {
                    probe: a.probe,
                    why: Unprobed::Errno(e.errno),
                });
                continue;
            }
            Err(e) => return Err(LoadError::from_call(e)),
        };
        let link = sys::bpf::link_perf_event(program.fd.as_fd(), event.as_fd(), a.cookie);
        links.links.push(link.map_err(LoadError::from_call)?);
        links.events.push(event);
    }
    Ok(())
}
