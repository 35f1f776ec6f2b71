//! The running kernel as an [`Env`].

use crate::tracefs::Groups;
use crate::{Arch, Env, Group, Param, Tracepoint};
use std::rc::Rc;

/// The running kernel.
#[derive(Default)]
pub struct LinuxEnv {
    groups: Groups,
}

impl LinuxEnv {
    /// Nothing is opened yet.
    pub fn new() -> LinuxEnv {
        LinuxEnv::default()
    }
}

impl Env for LinuxEnv {
    fn arch(&self) -> Arch {
        Arch::HOST
    }

    fn tracepoints(&mut self) -> Result<Rc<[Tracepoint]>, String> {
        Err("kernel BTF is not read yet".to_owned())
    }

    fn tracepoint(&mut self, _: &str) -> Result<Option<Tracepoint>, String> {
        Err("kernel BTF is not read yet".to_owned())
    }

    fn params(&mut self, _: &str, _: Option<&str>) -> Result<Vec<Param>, String> {
        Err("kernel BTF is not read yet".to_owned())
    }

    fn group(&mut self, name: &str, hint: Option<&str>) -> Group {
        self.groups.of(name, hint)
    }

    fn load_groups(&mut self) {
        self.groups.load();
    }
}
