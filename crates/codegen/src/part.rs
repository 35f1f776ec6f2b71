//! Lowering of one part of a split site: how it takes up what the part before it left, and how it goes on.
//!
//! What a firing carries from part to part is in scratch memory: its time, which segment and probe it is, the
//! speculation and the length of the record of a clause that is cut, and whether the rest of that is to be skipped
//! because of a fault or a false predicate.

use std::ops::Range;

use bpf::{Helper, JmpOp, Width};
use image::Site;
use ir::{Arg, Func, Inst, L};

use sema::hir::{Place, Program};

use crate::Result;
use crate::site::{Firing, SiteGen};
use crate::sites::SitePlan;
use crate::split::At;

/// Bytes of what is carried over.
pub const CARRIED: u32 = 56;
/// In what is carried over (u64 words): time of the firing.
const TIME: i32 = 0;
/// Index of the probe.
const PROBE: i32 = 8;
/// Number of the segment.
const SEGMENT: i32 = 16;
/// What to skip: [`NOTHING`], [`CLAUSE_PART`], [`CLAUSE`], [`SEGMENT_REST`].
const SKIP: i32 = 24;
/// Speculation that the clause records into.
const SPEC: i32 = 32;
/// Length of the variable part of the record.
const VARIABLE: i32 = 40;
/// Thread whose firing has claimed this element of scratch memory, where that must be claimed.
const OWNER: i32 = 48;

/// Nothing is to be skipped.
const NOTHING: i32 = 0;
/// The clause part that is cut.
const CLAUSE_PART: i32 = 1;
/// The D clause that is cut.
const CLAUSE: i32 = 2;
/// All clauses of the probe, because of a condition of its own.
const SEGMENT_REST: i32 = 3;

/// Which part of a site is being lowered.
#[derive(Clone, Copy)]
pub struct Which<'a> {
    /// Where each part begins.
    pub cuts: &'a [At],
    /// Number of this one.
    pub n: usize,
    /// Map of the parts; the first is not in it.
    pub map: u32,
    /// What the part before it left open.
    pub open: Open,
}

/// What is known at the cut of a clause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Open {
    /// The record has a variable part already.
    pub variable: bool,
    /// End of the clause's own allocations.
    pub arena_end: u32,
    /// Where in scratch the record is.
    pub record: u32,
    /// Where scratch is free.
    pub bump: u32,
}

/// Position in a segment: clause (part) and statement.
pub type Cut = (usize, usize);

/// The whole of a segment.
pub const WHOLE: (Cut, Cut) = ((0, 0), (usize::MAX, 0));

impl Which<'_> {
    fn from(&self) -> At {
        self.cuts.get(self.n).copied().unwrap_or_default()
    }

    fn to(&self) -> Option<At> {
        self.cuts.get(self.n + 1).copied()
    }

    /// Part in which a segment begins.
    fn home(&self, segment: usize) -> usize {
        let start = At::segment(segment);
        self.cuts.partition_point(|c| *c <= start).max(1) - 1
    }

    /// What this part has of a segment: from where, and up to where.
    fn range(&self, segment: usize) -> (Cut, Cut) {
        let cut = |at: At| (at.clause as usize, at.stmt as usize);
        let (from, to) = (self.from(), self.to());
        let begin = if from.segment as usize == segment {
            cut(from)
        } else {
            WHOLE.0
        };
        let end = match to {
            Some(at) if at.segment as usize == segment => cut(at),
            Some(_) | None => WHOLE.1,
        };
        (begin, end)
    }

    /// Its clauses, and whether it could be cut again.
    pub fn contents(&self, site: &SitePlan, p: &Program) -> (Vec<u32>, bool) {
        let segments = site.segments();
        let mut clauses = Vec::new();
        let mut statements = 0;
        for n in self.segments(segments.len()) {
            let (from, to) = self.range(n);
            let list = &site.groups[segments[n].group].clauses;
            for (k, c) in list.iter().enumerate() {
                if (k + 1, 0) <= from || (k, 0) >= to {
                    continue;
                }
                clauses.push(*c);
                let all = p.clauses[*c as usize].body.len().max(1);
                let first = if from.0 == k { from.1 } else { 0 };
                let end = if to.0 == k { to.1 } else { all };
                statements += end.saturating_sub(first).max(1);
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        (clauses, statements > 1)
    }

    /// The segments of which this part has something, of `count`.
    fn segments(&self, count: usize) -> Range<usize> {
        let end = match self.to() {
            None => count,
            Some(at) => at.segment as usize + usize::from((at.clause, at.stmt) != (0, 0)),
        };
        self.from().segment as usize..end
    }
}

impl SiteGen<'_> {
    /// Whether this is what the site fires: all of it, or the first part.
    pub fn first(&self) -> bool {
        self.part.is_none_or(|w| w.n == 0)
    }

    /// The segments that a firing goes through one after the other, as far as this part has them.
    pub fn sequence(&mut self) -> Result<()> {
        let count = self.segments.len();
        let here = self.part.map_or(0..count, |w| w.segments(count));
        let site = self.site;
        if self.first() {
            for n in &site.before {
                self.setup(*n)?;
                self.leave();
            }
        }
        for n in here {
            if let Some(probe) = self.segments[n].probe {
                self.firing = Firing::One(probe);
            }
            let next = self.segment(n)?;
            let cut = self.part.is_some_and(|w| w.range(n).1 != WHOLE.1);
            if !cut {
                self.end_segment(next);
            }
        }
        match self.part {
            Some(w) if w.n + 1 < w.cuts.len() => {
                self.go_on(w.n + 1);
                self.leave();
            }
            Some(_) | None => {
                for n in &site.after {
                    self.setup(*n)?;
                    self.leave();
                }
            }
        }
        Ok(())
    }

    /// Where a segment ends: what it claimed is given back. `next`: where it goes if a condition says that the probe does not
    /// fire, which is before anything is claimed unless the condition itself needs it.
    fn end_segment(&mut self, next: Option<L>) {
        if !self.needs.conditions {
            self.leave();
        }
        if let Some(next) = next {
            self.f.bind(next);
        }
        self.leave();
    }

    /// One of the segments, which the dispatch chose.
    pub fn chosen(&mut self, n: usize) -> Result<()> {
        if let Some(w) = self.part
            && w.n == 0
            && w.home(n) > 0
        {
            if self.site.site != Site::User {
                self.forget_prologue();
                self.fetch_needs(true);
                self.hand_on_probe(n);
            }
            self.go_on(w.home(n));
            return Ok(());
        }
        let next = self.segment(n)?;
        if let Some(w) = self.part
            && w.range(n).1 != WHOLE.1
        {
            self.hand_on_probe(n);
            self.go_on(w.n + 1);
        }
        if let Some(next) = next {
            self.f.bind(next);
        }
        self.leave();
        Ok(())
    }

    /// A later part: finds out which segment it is, and goes on with it.
    pub fn resumed(&mut self) -> Result<()> {
        let Some(w) = self.part else { return Ok(()) };
        if self.segments.iter().any(|s| s.probe.is_some()) {
            return self.sequence();
        }
        let here = w.segments(self.segments.len());
        let entries = if self.site.site == Site::User {
            self.by_point(here.clone())
        } else {
            self.by_segment(here.clone())
        };
        for (n, (label, firing)) in here.zip(entries) {
            self.f.bind(label);
            self.firing = firing;
            self.chosen(n)?;
            let exit = self.exit;
            self.f.jump(exit);
        }
        Ok(())
    }

    /// Jumps to the segment that the part before this one named.
    fn by_segment(&mut self, here: Range<usize>) -> Vec<(L, Firing)> {
        self.forget_prologue();
        self.fetch_needs(false);
        let segment = self.carried(SEGMENT);
        let probe = self.carried(PROBE);
        let last = here.end.saturating_sub(1);
        let mut out = Vec::new();
        for n in here {
            let label = self.f.label();
            if n == last {
                self.f.jump(label);
            } else {
                self.f.branch(JmpOp::Eq, segment, n as i32, label);
            }
            let group = &self.site.groups[self.segments[n].group];
            let firing = match group.probes.as_slice() {
                [only] => Firing::One(*only),
                _ => Firing::Any(probe),
            };
            out.push((label, firing));
        }
        out
    }

    /// The clauses of a segment that are in this part. What it gives is where it goes, in the end, if a condition says
    /// that the probe does not fire.
    fn segment(&mut self, n: usize) -> Result<Option<L>> {
        let (from, to) = self.part.map_or(WHOLE, |w| w.range(n));
        self.at = At::segment(n);
        self.mark(true);
        let (site, program) = (self.site, self.p);
        let n = self.segments[n].group;
        let group = &site.groups[n];
        let places = group.probes.first().map(|i| &program.probes[*i as usize]);
        let Some(place) = places.and_then(|e| e.places.get(group.place)) else {
            return crate::lower::internal("a probe without a place");
        };
        self.forget_prologue();
        self.group = n;
        self.task = place.task;
        let cut = to != WHOLE.1;
        let next = if from == WHOLE.0 {
            self.fresh(place, &group.clauses, cut)?
        } else {
            self.fetch_needs(false);
            if self.needs.time {
                self.time = Some(self.carried(TIME));
            }
            let next = place.when.as_ref().map(|_| self.f.label());
            if let Some(next) = next {
                let skip = self.carried(SKIP);
                self.f.branch(JmpOp::Eq, skip, SEGMENT_REST, next);
            }
            next
        };
        self.clauses_within(&group.clauses, from, to)?;
        if let (Some(next), true) = (next, cut) {
            let go = self.f.label();
            self.f.jump(go);
            self.f.bind(next);
            self.hand_on(SKIP, SEGMENT_REST);
            self.f.bind(go);
            return Ok(None);
        }
        Ok(next)
    }

    /// A firing begins. `cut`: it goes on in another part.
    fn fresh(&mut self, place: &Place, clauses: &[u32], cut: bool) -> Result<Option<L>> {
        // A condition that needs nothing comes first.
        let early = self.needs.conditions;
        if early {
            self.fetch_needs(true);
        }
        let next = match &place.when {
            Some(when) => Some(self.condition(when, clauses)?),
            None => None,
        };
        if !early {
            self.fetch_needs(true);
        }
        if self.needs.time {
            let time = self.f.call(Helper::KtimeGetNs, &[]);
            self.time = Some(time);
            if cut {
                self.hand_on(TIME, time);
            }
        }
        if next.is_some() && cut {
            self.hand_on(SKIP, NOTHING);
        }
        self.clear_locals();
        Ok(next)
    }

    fn hand_on(&mut self, what: i32, value: impl Into<Arg>) {
        let at = self.carried_at as i32 + what;
        let scratch = self.scratch();
        self.f.store(scratch, at, Width::DW, value);
    }

    fn carried(&mut self, what: i32) -> ir::V {
        let at = self.carried_at as i32 + what;
        let scratch = self.scratch();
        self.f.load(scratch, at, Width::DW)
    }

    fn hand_on_probe(&mut self, segment: usize) {
        self.hand_on(SEGMENT, segment as i32);
        if let Firing::Any(probe) = self.firing {
            self.hand_on(PROBE, probe);
        }
    }

    /// Jumps to another part.
    fn go_on(&mut self, part: usize) {
        let Some(w) = self.part else { return };
        let map = self.f.map(w.map);
        let args = vec![Func::CTX.into(), map.into(), Arg::Imm(part as i32 - 1)];
        self.f.push(Inst::Call {
            d: None,
            helper: Helper::TailCall,
            args,
        });
        let exit = self.exit;
        self.f.jump(exit);
    }

    /// A firing has claimed an element of scratch memory, or gives it back: it is how the next part finds that.
    pub fn own(&mut self, owned: bool) {
        if self.part.is_none() {
            return;
        }
        let owner: Arg = if owned {
            self.call(Helper::GetCurrentPidTgid, &[]).into()
        } else {
            Arg::Imm(0)
        };
        self.hand_on(OWNER, owner);
    }

    /// Offset in scratch of who has claimed an element.
    pub fn owner_offset(&self) -> i32 {
        self.carried_at as i32 + OWNER
    }

    /// Notes a place where the site may be cut.
    pub fn mark(&mut self, clause: bool) {
        if self.part.is_none() && self.fault_args.is_none() {
            self.marks.push(crate::split::Mark {
                at: self.at,
                clause,
                inst: self.f.insts.len(),
            });
        }
    }

    /// Takes up a D clause that is cut: its speculation, and whether the rest of it is skipped.
    pub fn resume_clause(&mut self, speculates: bool, after: L) {
        if speculates {
            self.spec = Some(self.carried(SPEC));
        }
        let skip = self.carried(SKIP);
        self.f.branch(JmpOp::Eq, skip, CLAUSE, after);
    }

    /// Takes up a part of a clause that is cut.
    pub fn resume_clause_part(&mut self, next: L) {
        let open = self.part.map(|w| w.open).unwrap_or_default();
        self.state.arena_end = open.arena_end;
        self.state.record = open.record;
        self.bump = open.bump;
        let skip = self.carried(SKIP);
        self.f.branch(JmpOp::Eq, skip, CLAUSE_PART, next);
        if open.variable {
            self.state.variable = Some(self.carried(VARIABLE));
        }
    }

    /// Leaves a part of a clause at a cut; the rest of it is skipped where `next` is jumped to.
    pub fn leave_clause_part(&mut self, next: L, go: L) {
        self.open = Open {
            variable: self.state.variable.is_some(),
            arena_end: self.state.arena_end,
            record: self.state.record,
            bump: self.bump,
        };
        self.leave_open(go);
        self.f.bind(next);
        self.hand_on(SKIP, CLAUSE_PART);
        self.f.jump(go);
    }

    /// Carries on with what is not skipped.
    fn leave_open(&mut self, go: L) {
        if let Some(v) = self.state.variable {
            self.hand_on(VARIABLE, v);
        }
        if let Some(v) = self.spec {
            self.hand_on(SPEC, v);
        }
        self.hand_on(SKIP, NOTHING);
        self.f.jump(go);
    }

    /// Leaves a D clause at a cut between its parts.
    pub fn leave_between(&mut self, go: L) {
        self.state.variable = None;
        self.leave_open(go);
    }

    /// The rest of the D clause is skipped where `after` is jumped to.
    pub fn leave_clause(&mut self, after: L, go: L) {
        self.f.bind(after);
        self.hand_on(SKIP, CLAUSE);
        self.f.bind(go);
    }
}
