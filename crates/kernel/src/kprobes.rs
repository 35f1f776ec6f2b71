//! Attaching one program to many kernel functions: by one link where the kernel can, else by a kprobe event for each.
//!
//! A function that the kernel will not have probed is left out and counted; only if that is so for all of them is it an
//! error.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};

use image::{Image, Site};
use sys::SysError;
use sys::bpf::Functions;
use sys::perf::KernelPlace;

use crate::error::{LoadError, bad_image};
use crate::features::features;
use crate::load::Program;

/// Links that are tried to find the functions that spoil one.
const TRIES: usize = 600;

/// One kernel function of a program that has many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Its name, after `module:` if it is not in the kernel proper.
    pub(crate) name: String,
    /// Index of its probe in the image.
    pub(crate) cookie: u64,
}

/// The functions of a site's program.
pub(crate) fn places(image: &Image, site: &Site) -> Vec<Place> {
    let full = |name: &str, module: Option<&str>| match module {
        None | Some("" | btf::VMLINUX) => name.to_owned(),
        Some(module) => format!("{module}:{name}"),
    };
    if let Site::KernelProbe { name, module } = site {
        let name = full(name, module.as_deref());
        return vec![Place { name, cookie: 0 }];
    }
    if !matches!(site, Site::KernelFunctions { .. }) {
        return Vec::new();
    }
    let probes = image.probes.iter().enumerate();
    probes
        .filter(|(_, probe)| probe.site == *site)
        .map(|(index, probe)| Place {
            name: full(&probe.function, Some(&probe.module)),
            cookie: index as u64,
        })
        .collect()
}

/// Attaches a program to its functions. Gives the number of those left out.
pub(crate) fn attach(program: &Program, links: &mut Vec<OwnedFd>) -> Result<usize, LoadError> {
    let ret = match &program.site {
        Site::KernelFunctions { ret } => *ret,
        Site::KernelProbe { .. } => false,
        site => return Err(bad_image(format!("{site:?} is no set of functions"))),
    };
    let mut job = Job {
        program,
        ret,
        links,
        tries: TRIES,
        failed: Vec::new(),
    };
    if features().function_links() {
        job.by_link(&program.places)?;
    } else {
        job.one_by_one()?;
    }
    let failed = job.failed;
    match failed.first() {
        Some((name, error)) if failed.len() == program.places.len() => Err(LoadError::Function(
            name.clone(),
            sys::error::text(error.errno),
        )),
        _ => Ok(failed.len()),
    }
}

struct Job<'a> {
    program: &'a Program,
    ret: bool,
    links: &'a mut Vec<OwnedFd>,
    tries: usize,
    failed: Vec<(String, SysError)>,
}

impl Job<'_> {
    /// One link for all. If the kernel refuses it, some of them cannot be probed: halves find out which.
    fn by_link(&mut self, places: &[Place]) -> Result<(), LoadError> {
        if places.is_empty() {
            return Ok(());
        }
        let error = match self.link(places) {
            Ok(link) => {
                self.links.push(link);
                return Ok(());
            }
            Err(error) => error,
        };
        self.tries = self.tries.saturating_sub(1);
        match places {
            [only] => {
                self.failed.push((only.name.clone(), error));
                Ok(())
            }
            _ if error.is_privilege() || self.tries == 0 => Err(LoadError::from_call(error)),
            _ => {
                let (low, high) = places.split_at(places.len() / 2);
                self.by_link(low)?;
                self.by_link(high)
            }
        }
    }

    fn link(&self, places: &[Place]) -> Result<OwnedFd, SysError> {
        let names: Vec<CString> = places
            .iter()
            .filter_map(|place| CString::new(bare(&place.name)).ok())
            .collect();
        let cookies: Vec<u64> = places.iter().map(|place| place.cookie).collect();
        let names = Functions::Names(&names);
        sys::bpf::link_functions(self.program.fd.as_fd(), names, &cookies, self.ret)
    }

    fn one_by_one(&mut self) -> Result<(), LoadError> {
        let Some(source) = sys::perf::kprobe_source() else {
            return Err(LoadError::Unsupported {
                missing: "kprobes (CONFIG_KPROBE_EVENTS)",
                detail: String::new(),
            });
        };
        for place in &self.program.places {
            let event = sys::perf::kprobe(source, KernelPlace::Name(&place.name), self.ret);
            let event = match event {
                Ok(event) => event,
                Err(error) if error.is_privilege() => return Err(LoadError::from_call(error)),
                Err(error) => {
                    self.failed.push((place.name.clone(), error));
                    continue;
                }
            };
            let program = self.program.fd.as_fd();
            let link = sys::bpf::link_perf_event(program, event.as_fd(), place.cookie)
                .map_err(LoadError::from_call)?;
            // The link keeps the event.
            self.links.push(link);
        }
        Ok(())
    }
}

fn bare(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, name)| name)
}
