//! User-space points: one program for all of them. The attach cookie names probe and group; points whose arguments are
//! found in the same places share the code of their clauses.
//!
//! Unlike at other sites, a thread can be preempted within the program, and another fire the same one on the same CPU.
//! So a program has several elements of scratch memory a CPU, and each firing claims one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bpf::{AluOp, Helper, JmpOp, Width};
use image::layout::drops;
use image::{ArgSource, Attachment, Operand, Place, Site, UserPoint, user::cookie};
use ir::{Arg, Func, Inst, L, V};
use sema::hir::{ExprKind, Pos, Program, Space};

use crate::site::{Firing, SiteGen};
use crate::sites::{Group, SitePlan};
use crate::{Arch, Result, stop};
use sema::walk;

/// Firings of one program that may be under way on one CPU.
pub const LANES: u32 = 8;
/// Bit where the lane is in the hidden key of an aggregation, above the number of the program.
pub const LANE_SHIFT: i32 = 16;

/// Bit where the compilation is in that key, above the lane.
pub const GENERATION_SHIFT: u32 = 20;

/// Where the arguments are that the clauses use: (which, source, operand).
type Shape = Vec<(u32, ArgSource, Option<Operand>)>;

/// Number of a typed argument in a [`Shape`], beyond those of `arg0`….
const TYPED: u32 = 1 << 8;

/// Arguments that clauses use.
fn used_args(p: &Program, clauses: &[u32]) -> (BTreeSet<u8>, BTreeSet<u8>) {
    let (mut raw, mut typed) = (BTreeSet::new(), BTreeSet::new());
    for c in clauses {
        walk::clause(&p.clauses[*c as usize], &mut |s| {
            let walk::Seen::Expr(e) = s else { return };
            match e.kind {
                ExprKind::RawArg(n) => drop(raw.insert(n)),
                ExprKind::Arg {
                    source: ArgSource::Operand(n),
                    ..
                } => drop(typed.insert(n)),
                _ => {}
            }
        });
    }
    (raw, typed)
}

/// Groups the points of user-space probes by clauses and by where the arguments are that those use.
pub fn groups(p: &Program, by_clauses: BTreeMap<Vec<u32>, Vec<u32>>) -> Vec<Group> {
    let mut all = Vec::new();
    for (clauses, probes) in by_clauses {
        let (raw, typed) = used_args(p, &clauses);
        let mut shapes: BTreeMap<Shape, Group> = BTreeMap::new();
        for probe in probes {
            let enabled = &p.probes[probe as usize];
            for (at, point) in enabled.probe.points.iter().enumerate() {
                let operand = |s: ArgSource| match s {
                    ArgSource::Operand(n) => point.operands.get(usize::from(n)).copied(),
                    _ => None,
                };
                let raw = raw.iter().map(|n| {
                    let source = enabled.raw_args.get(usize::from(*n)).copied();
                    let source = source.unwrap_or(ArgSource::Zero);
                    (u32::from(*n), source, operand(source))
                });
                let typed = typed.iter().map(|n| {
                    let source = ArgSource::Operand(*n);
                    (TYPED + u32::from(*n), source, operand(source))
                });
                let group = shapes
                    .entry(raw.chain(typed).collect())
                    .or_insert_with(|| Group {
                        probes: Vec::new(),
                        clauses: clauses.clone(),
                        place: 0,
                        points: Vec::new(),
                        operands: point.operands.clone(),
                    });
                if group.probes.last() != Some(&probe) {
                    group.probes.push(probe);
                }
                group.points.push((probe, at as u32));
            }
        }
        all.extend(shapes.into_values());
    }
    all
}

/// Where the program of a site is to be attached.
pub fn attachments(p: &Program, site: &SitePlan) -> Result<Vec<Attachment>> {
    let mut all = Vec::new();
    if let Site::UserPlace { points, .. } = &site.site {
        let of_groups = site.groups.iter().flat_map(|g| &g.probes);
        let setups = site.before.iter().chain(&site.after);
        let of_setups = setups.filter_map(|n| p.setups.get(*n)?.probes.first());
        let probe = of_groups.chain(of_setups).next().copied();
        let attached = |point: &UserPoint| Attachment {
            point: point.clone(),
            probe: probe.unwrap_or_default(),
            cookie: 0,
        };
        return Ok(points.iter().map(attached).collect());
    }
    for (n, group) in site.groups.iter().enumerate() {
        for (probe, at) in &group.points {
            let point = p.probes[*probe as usize].probe.points[*at as usize].clone();
            let Some(cookie) = cookie::of(*probe, n as u32, point.word) else {
                return stop(
                    Pos::default(),
                    "too many probes in user-space code; enable fewer of them at once",
                );
            };
            all.push(Attachment {
                point,
                probe: *probe,
                cookie,
            });
        }
    }
    Ok(all)
}

impl SiteGen<'_> {
    /// Jumps to the group that the attach cookie names, which is one of these.
    pub fn by_point(&mut self, here: Range<usize>) -> Vec<(L, Firing)> {
        let groups = &self.site.groups[here.clone()];
        if let [group] = groups
            && let [only] = group.probes.as_slice()
        {
            let label = self.f.label();
            self.f.jump(label);
            return vec![(label, Firing::One(*only))];
        }
        let cookie = self.cookie();
        let probe = self
            .f
            .alu(AluOp::And, cookie, (1 << cookie::PROBE_BITS) - 1);
        let group = self.f.alu(AluOp::Rsh, cookie, cookie::PROBE_BITS as i32);
        let group = self.f.alu(AluOp::And, group, (1 << cookie::GROUP_BITS) - 1);
        let mut out = Vec::new();
        let last = here.end - 1;
        for (n, g) in here.zip(groups) {
            let label = self.f.label();
            if n == last {
                self.f.jump(label);
            } else {
                self.f.branch(JmpOp::Eq, group, n as i32, label);
            }
            let firing = match g.probes.as_slice() {
                [only] => Firing::One(*only),
                _ => Firing::Any(probe),
            };
            out.push((label, firing));
        }
        out
    }

    fn cookie(&mut self) -> V {
        self.f.call(Helper::GetAttachCookie, &[Func::CTX.into()])
    }

    /// The point's own number.
    pub fn point_word(&mut self) -> V {
        let cookie = self.cookie();
        self.f.alu(AluOp::Rsh, cookie, cookie::WORD_SHIFT as i32)
    }

    /// Claims an element of scratch memory. All that leaves the clauses from here on gives it back; whatever left before
    /// ends here.
    pub fn claim_scratch(&mut self, first: u32, claim: u32) {
        self.cpu();
        let (p, lane, got) = (self.f.reg(), self.f.reg(), self.f.label());
        let one = self.f.konst(1);
        let minus = self.f.konst(u64::MAX);
        for n in 0..LANES {
            self.scratch_lane(first, n, p, lane);
            let claims = self.f.reg();
            self.f.push(Inst::FetchAdd {
                d: claims,
                base: p.into(),
                off: claim as i32,
                src: one,
            });
            self.f.branch(JmpOp::Eq, claims, 0, got);
            self.f.push(Inst::AtomicAdd {
                base: p.into(),
                off: claim as i32,
                src: minus,
            });
        }
        self.drop_event(drops::Kind::Preempted);
        self.leave_unless(got);
        self.set_claimed(p, lane, claim);
    }

    /// Leaves element `n` of this CPU in `p` and its lane in `lane`.
    fn scratch_lane(&mut self, first: u32, n: u32, p: V, lane: V) {
        let cpus = self.plan.cpu_mask + 1;
        let cpu = self.cpu();
        let index = self.f.alu(AluOp::Add, cpu, ((first + n) * cpus) as i32);
        let slot = self.word_slot();
        self.f.store(slot, 0, Width::W, index);
        let map = self.f.map(self.plan.scratch);
        let key = self.f.slot_addr(slot, 0);
        let element = self.call(Helper::MapLookupElem, &[map.into(), key.into()]);
        let exit = self.exit;
        self.f.branch(JmpOp::Eq, element, 0, exit);
        self.f.copy_to(p, element);
        self.f.push(Inst::Const {
            d: lane,
            v: u64::from(n) << LANE_SHIFT,
        });
    }

    /// Ends the program here for all who left before; goes on at `got`.
    fn leave_unless(&mut self, got: L) {
        let exit = self.exit;
        self.f.bind(exit);
        self.f.push(Inst::Exit);
        self.f.bind(got);
        self.exit = self.f.label();
    }

    /// Finds the element that this firing claimed in an earlier part.
    pub fn find_scratch(&mut self, first: u32, claim: u32) {
        self.cpu();
        let me = self.call(Helper::GetCurrentPidTgid, &[]);
        let (p, lane, got) = (self.f.reg(), self.f.reg(), self.f.label());
        for n in 0..LANES {
            self.scratch_lane(first, n, p, lane);
            let owner = self.f.load(p, self.owner_offset(), Width::DW);
            self.f.branch(JmpOp::Eq, owner, me, got);
        }
        self.leave_unless(got);
        self.set_claimed(p, lane, claim);
    }

    /// A register of the thread that fired.
    fn register(&mut self, word: u8) -> V {
        self.f.load(Func::CTX, i32::from(word) * 8, Width::DW)
    }

    /// Argument `n` of the function that is being entered, from its registers or its stack, which is in `space`.
    pub fn call_arg(&mut self, n: u8, space: Space) -> Result<V> {
        // Words of struct pt_regs (arch/*/include/uapi/asm/ptrace.h).
        let (registers, stack, above): (&[u8], u8, i64) = match self.target.arch {
            Arch::X86_64 => (&[14, 13, 12, 11, 9, 8], 19, 1),
            Arch::Aarch64 => (&[0, 1, 2, 3, 4, 5, 6, 7], 31, 0),
        };
        if let Some(word) = registers.get(usize::from(n)) {
            return Ok(self.register(*word));
        }
        let sp = self.register(stack);
        let at = self.plus(sp, 8 * (i64::from(n) - registers.len() as i64 + above));
        self.checked_load(at, 8, space)
    }

    /// What the function that has returned gave.
    pub fn call_result(&mut self) -> V {
        let word = match self.target.arch {
            Arch::X86_64 => 10,
            Arch::Aarch64 => 0,
        };
        self.register(word)
    }

    /// Operand `n` of the point that fires; 0 if it has fewer.
    pub fn operand(&mut self, n: u8, pos: Pos) -> Result<V> {
        let Some(o) = self.operands().get(usize::from(n)).copied() else {
            return Ok(self.f.konst(0));
        };
        let v = match o.place {
            Place::Constant(n) => return Ok(self.f.konst(n as u64)),
            Place::Unreadable => {
                return stop(
                    pos,
                    format!(
                        "argument {n} of this probe is in a register that the kernel does not save (floating point)"
                    ),
                );
            }
            Place::Register { word, shift } => {
                let v = self.register(word);
                if shift == 0 {
                    v
                } else {
                    self.f.alu(AluOp::Rsh, v, i32::from(shift))
                }
            }
            Place::Memory {
                base,
                index,
                offset,
            } => {
                let mut at = self.register(base);
                if let Some((word, shift)) = index {
                    let i = self.register(word);
                    let i = self.f.alu(AluOp::Lsh, i, i32::from(shift));
                    at = self.f.alu(AluOp::Add, at, i);
                }
                let at = self.plus(at, offset);
                self.user_word(at, o.bytes)?
            }
        };
        Ok(self.f.ext(v, o.bytes, o.signed))
    }

    /// A number of so many bytes of the process, extended with zeros.
    fn user_word(&mut self, from: V, bytes: u8) -> Result<V> {
        let slot = self.word_slot();
        let to = self.f.slot_addr(slot, 0);
        self.f.store(slot, 0, Width::DW, 0);
        let r = self.call(
            Helper::ProbeReadUser,
            &[to.into(), Arg::Imm(i32::from(bytes)), from.into()],
        );
        self.fault_if(JmpOp::Ne, r, 0, image::layout::Fault::BadAddr, Some(from));
        Ok(self.f.load(slot, 0, Width::DW))
    }
}
