//! `d_path()`.

use bpf::{AluOp, JmpOp};
use image::layout::Fault;
use ir::{Arg, V};
use sema::hir::{Expr, Pos, Space};

use crate::rt::{self, Local};
use crate::site::SiteGen;
use crate::{Result, stop};

impl SiteGen<'_> {
    /// `d_path(path[, mount])`, to `base + off`; the length with the NUL.
    pub fn path_name(&mut self, args: &[Expr], pos: Pos, base: V, off: i32) -> Result<V> {
        let mut layout = Vec::new();
        for way in rt::PATH_MEMBERS {
            let mut sum = 0;
            for (structure, member) in *way {
                let Some(offset) = self.target.facts.offset(structure, member) else {
                    return stop(
                        pos,
                        format!("this kernel gives no type data (BTF) for {structure}.{member}"),
                    );
                };
                sum += i64::from(offset);
            }
            layout.push(sum);
        }
        let from = self.int(&args[0])?;
        let mount = match args.get(1) {
            Some(e) => self.int(e)?.into(),
            None => Arg::Imm(0),
        };
        let text = self.take(rt::PATH_TEXT) as i32;
        let work = self.take(rt::PATH_WORK) as i32;
        let scratch = self.scratch();
        let (text, work) = (self.address(scratch, text), self.address(scratch, work));
        let layout = self.plan.rodata.longs(&layout);
        let layout = self.f.map_value(self.plan.rodata_map, layout);
        let args = [text.into(), work.into(), layout.into(), from.into(), mount];
        let at = self.local(Local::Path, &args);
        self.fault_if(JmpOp::Gt, at, rt::PATH_MOST, Fault::BadAddr, Some(from));
        let at = self.bounded(at, rt::PATH_MOST as u32);
        let found = self.f.alu(AluOp::Add, text, at);
        let size = Arg::Imm(self.strsize() as i32);
        Ok(self.read_str(Space::Kernel, found, base, off, size))
    }
}
