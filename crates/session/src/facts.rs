//! What the code generator must know of the running kernel.

use crate::world::SystemWorld;
use std::cell::OnceCell;

use btf::{Btf, BtfKind};
use codegen::{Arch, Facts, Namespace};

/// Nesting of anonymous structures that is followed.
const DEPTH: u32 = 8;

/// Offsets from the kernel's BTF, which is opened when one is asked for.
pub struct KernelFacts<'a>(&'a SystemWorld, OnceCell<Option<Namespace>>);

impl KernelFacts<'_> {
    /// Facts of the running kernel; without BTF there are none.
    pub fn of(world: &SystemWorld) -> KernelFacts<'_> {
        KernelFacts(world, OnceCell::new())
    }
}

impl Facts for KernelFacts<'_> {
    fn offset(&self, structure: &str, member: &str) -> Option<u32> {
        let btf = &self.0.vmlinux()?;
        let mut id = btf.find(BtfKind::Struct, structure)?;
        let mut bits = 0;
        for name in member.split('.') {
            let (offset, ty) = find(btf, id, name, DEPTH)?;
            bits += offset;
            id = ty;
        }
        Some(bits / 8)
    }

    fn page_shift(&self) -> u32 {
        sys::mem::page_size().trailing_zeros()
    }

    fn namespace(&self) -> Option<Namespace> {
        *self.1.get_or_init(|| self.find_namespace())
    }
}

impl KernelFacts<'_> {
    fn find_namespace(&self) -> Option<Namespace> {
        let inode = kernel::namespace::inode()?;
        let (pid, level) = (
            self.offset("task_struct", "thread_pid")?,
            self.offset("pid", "level")?,
        );
        // In vain where nothing can be traced, as for a listing of code.
        let level = kernel::namespace::level(pid, level).ok()?;
        (level > 0).then_some(Namespace { level, inode })
    }
}

/// Bit offset and type of a member, also in anonymous structures.
fn find(btf: &Btf, id: u32, member: &str, depth: u32) -> Option<(u32, u32)> {
    let ty = btf.ty(btf.strip(id).ok()?).ok()?;
    let members: Vec<_> = ty.members().collect();
    if let Some(found) = members.iter().find(|m| m.name == member) {
        return Some((found.bit_offset, found.ty));
    }
    if depth == 0 {
        return None;
    }
    let anonymous = members.iter().filter(|m| m.name.is_empty());
    anonymous
        .filter_map(|m| {
            let (offset, ty) = find(btf, m.ty, member, depth - 1)?;
            Some((m.bit_offset + offset, ty))
        })
        .next()
}

/// Architecture of this machine.
pub fn arch() -> Arch {
    if cfg!(target_arch = "aarch64") {
        Arch::Aarch64
    } else {
        Arch::X86_64
    }
}
