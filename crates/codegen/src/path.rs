//! `d_path()` and `dentry_path()`.

use bpf::{AluOp, JmpOp};
use image::layout::Fault;
use ir::{Arg, V};
use sema::hir::{Expr, Pos, Space};

use crate::rt::{self, Local};
use crate::site::SiteGen;
use crate::{Result, stop};

impl SiteGen<'_> {
    /// `d_path(path[, mount])`, or if `of_entry` `dentry_path(entry[, mount])`, to `base + off`; the length with the
    /// NUL.
    pub fn path_name(
        &mut self,
        of_entry: bool,
        args: &[Expr],
        pos: Pos,
        base: V,
        off: i32,
    ) -> Result<V> {
        let mut layout = Vec::new();
        for ways in rt::PATH_MEMBERS {
            let Some(offset) = ways.iter().find_map(|way| self.offset_of(way)) else {
                let name = |(structure, member): &(&str, &str)| format!("{structure}.{member}");
                let member = ways.first().and_then(|way| way.first()).map(name);
                let member = member.unwrap_or_default();
                return stop(
                    pos,
                    format!("this kernel gives no type data (BTF) for {member}"),
                );
            };
            layout.push(offset);
        }
        let from = self.int(&args[0])?;
        layout.push(i64::from(of_entry));
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

    /// The sum of the offsets of members, if all are there.
    fn offset_of(&self, way: &[(&str, &str)]) -> Option<i64> {
        let offset =
            |(structure, member): &(&str, &str)| self.target.facts.offset(structure, member);
        way.iter().map(|m| offset(m).map(i64::from)).sum()
    }
}
