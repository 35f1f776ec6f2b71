//! Kernel functions between the providers, which describe them, and the kernel, which probes them.

use image::{ArgSource, Site};
use kernel::functions;
use providers::{FunctionMeans, KernelText};
use sema::hir::Program;

/// More than so many functions share one program, if the kernel attaches that one to all of them at once.
const FEW: usize = 16;
/// More than so many share one if it must be attached one by one, which takes the kernel longer than to make programs.
const MANY: usize = 256;
/// Raw arguments D can name.
const RAW_ARGS: u8 = 10;

/// The running kernel's functions.
pub struct RunningKernel;

impl KernelText for RunningKernel {
    fn means(&mut self) -> Result<FunctionMeans, String> {
        functions::means().map(|means| FunctionMeans {
            trampolines: means.trampolines,
            kprobes: means.kprobes,
            at_once: means.at_once,
        })
    }

    fn each(&mut self, tell: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), String> {
        functions::each(tell)
    }

    fn takes_program(&mut self, id: u32, module: Option<&str>) -> bool {
        functions::takes_program(id, module)
    }
}

/// The functions of a text in the form of `available_filter_functions`, as if a kernel had them that lets all be probed.
pub struct SavedKernel(pub String);

impl KernelText for SavedKernel {
    fn means(&mut self) -> Result<FunctionMeans, String> {
        Ok(FunctionMeans {
            trampolines: true,
            kprobes: true,
            at_once: true,
        })
    }

    fn each(&mut self, tell: &mut dyn FnMut(&str, Option<&str>)) -> Result<(), String> {
        functions::each_listed(&self.0, tell);
        Ok(())
    }

    fn takes_program(&mut self, _: u32, _: Option<&str>) -> bool {
        true
    }
}

/// Lets functions share one program if they are many. What the user should know of it: where the kernel attaches such a
/// program to one after the other, it takes a while for each.
pub fn share(program: &mut Program, means: Option<FunctionMeans>) -> Option<String> {
    let own = |site: &Site| matches!(site, Site::KernelFunction { .. });
    let count = program.probes.iter().filter(|p| own(&p.probe.site)).count();
    let most = match means {
        Some(means) if means.at_once => FEW,
        Some(means) if means.kprobes => MANY,
        Some(_) | None => return None,
    };
    let many = |site: &Site| own(site) || matches!(site, Site::KernelFunctions { .. });
    let all = program
        .probes
        .iter()
        .filter(|p| many(&p.probe.site))
        .count();
    let slow = means.is_some_and(|means| !means.at_once) && all > MANY;
    let note = slow.then(|| {
        format!(
            "{all} functions are enabled one by one, and so released: this kernel has no kprobe.multi (CONFIG_FPROBE)"
        )
    });
    if count <= most {
        return note;
    }
    for enabled in &mut program.probes {
        let Site::KernelFunction { ret, .. } = enabled.probe.site else {
            continue;
        };
        enabled.probe.site = Site::KernelFunctions { ret };
        enabled.raw_args = if ret {
            vec![ArgSource::Zero, ArgSource::FuncRet { words: 0 }]
        } else {
            (0..RAW_ARGS).map(ArgSource::FuncArg).collect()
        };
    }
    note
}
