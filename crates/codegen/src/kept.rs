//! Principal buffers of the policies `fill` and `ring`, which are read at the end ([`image::layout::kept`]).
//!
//! A ring buffer of the kernel refuses what is new when it is full, so these are memory of our own: a record takes room
//! with one atomic operation, because a program may be interrupted by another on the same CPU.

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::{drops, event, kept, record};
use image::{MapDef, MapKind, MapRole, Policy, Site};
use ir::{Arg, L, V};
use sema::hir::Program;

use crate::clause::Actions;
use crate::plan::{Plan, Rings};
use crate::rt::Local;
use crate::site::SiteGen;

/// A buffer holds at least so many of the largest record, so that those who interrupt each other do not meet.
const NESTED: u32 = 4;

/// Buffers that are read at the end.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// Map index.
    map: u32,
    /// Bytes of one CPU's buffer, the slack not counted: of a ring a power of two.
    size: u32,
    /// What happens when one is full.
    policy: Policy,
}

fn entry(bytes: u32) -> u32 {
    (kept::ENTRY + bytes).next_multiple_of(8)
}

impl Kept {
    /// Plans the buffers, if the policy is not `switch`.
    pub fn plan(p: &Program, actions: &[Actions], plan: &mut Plan) {
        let largest = actions
            .iter()
            .map(|a| record::HEADER + a.fixed_size + a.variable)
            .max()
            .unwrap_or(record::HEADER);
        let asked = p.limits.bufsize.clamp(8, 1 << 30) as u32 & !7;
        let size = match p.limits.policy {
            Policy::Switch => return,
            Policy::Fill => asked,
            Policy::Ring => asked.max(NESTED * entry(largest)).next_power_of_two(),
        };
        let map = plan.add(MapDef {
            name: "kept".into(),
            role: MapRole::Kept,
            kind: MapKind::Array,
            key_size: 4,
            // The verifier must believe that the largest record fits behind the last byte.
            value_size: kept::DATA + size + entry(largest),
            max_entries: plan.cpu_mask + 1,
            mmap: true,
            init: Vec::new(),
        });
        plan.rings = Rings::Kept(Kept {
            map,
            size,
            policy: p.limits.policy,
        });
    }
}

impl SiteGen<'_> {
    /// Puts the record at `data` (`size` bytes, at most `most`) into this CPU's buffer.
    pub fn keep(&mut self, to: Kept, cpu: V, data: V, size: Arg, most: u32, done: L) {
        let slot = self.word_slot();
        self.f.store(slot, 0, Width::W, cpu);
        let (map, key) = (self.f.map(to.map), self.f.slot_addr(slot, 0));
        let buffer = self.call(Helper::MapLookupElem, &[map.into(), key.into()]);
        self.f.branch(JmpOp::Eq, buffer, 0, done);
        if to.policy == Policy::Fill {
            let filled = self.f.load(buffer, kept::FILLED as i32, Width::DW);
            self.f.branch(JmpOp::Ne, filled, 0, done);
        }
        let head = self.room(to, buffer, size, done);
        let position = self.f.alu(AluOp::Rsh, head, kept::LAST_BITS as i32);
        let place = self.f.alu(AluOp::Lsh, position, 3);
        let place = match to.policy {
            Policy::Ring => self.f.alu(AluOp::And, place, to.size as i32 - 8),
            Policy::Switch | Policy::Fill => {
                let place = self.bounded(place, to.size);
                self.f.alu(AluOp::And, place, !7)
            }
        };
        let at = self.f.alu(AluOp::Add, buffer, place);
        let before = self.f.alu(AluOp::And, head, (1 << kept::LAST_BITS) - 1);
        let (len, last) = (kept::DATA + kept::LEN, kept::DATA + kept::BEFORE);
        self.f.store(at, len as i32, Width::W, size);
        self.f.store(at, last as i32, Width::W, before);
        let into = self.address(at, (kept::DATA + kept::ENTRY) as i32);
        let size: Arg = match size {
            Arg::Imm(n) => Arg::Imm(n),
            Arg::V(v) => self.bounded(v, most).into(),
        };
        self.call(Helper::ProbeReadKernel, &[into.into(), size, data.into()]);
    }

    /// Takes room for `size` bytes; the head before that. Without room goes to `done`.
    fn room(&mut self, to: Kept, buffer: V, size: Arg, done: L) -> V {
        let words: Arg = match size {
            Arg::Imm(n) => Arg::Imm((n + kept::ENTRY as i32 + 7) >> 3),
            Arg::V(v) => {
                let v = self.f.alu(AluOp::Add, v, kept::ENTRY as i32 + 7);
                self.f.alu(AluOp::Rsh, v, 3).into()
            }
        };
        let limit = match to.policy {
            Policy::Switch | Policy::Fill => u64::from(to.size >> 3),
            Policy::Ring => u64::MAX >> kept::LAST_BITS,
        };
        let limit = self.f.konst(limit);
        let head = self.local(Local::KeptReserve, &[buffer.into(), words, limit.into()]);
        let (have, full) = (self.f.label(), self.f.label());
        if to.policy == Policy::Fill {
            self.f.branch(JmpOp::Eq, head, -2, full);
        }
        self.f.branch(JmpOp::Ne, head, -1, have);
        self.drop_event(drops::Kind::Principal);
        self.f.jump(done);
        self.f.bind(full);
        // END comes when the buffers have been read, and has all their room: what does not fit then is lost.
        if to.policy == Policy::Fill {
            if self.site.site == Site::End {
                self.drop_event(drops::Kind::Principal);
            } else {
                self.f.store(buffer, kept::FILLED as i32, Width::DW, 1);
                self.wake(event::FILLED);
            }
            self.f.jump(done);
        }
        self.f.bind(have);
        head
    }
}
