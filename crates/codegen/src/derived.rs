//! Derived probes: the condition under which a firing of the site is one of the probe, and the hidden set-up code.
//!
//! A fault in either means that nobody can tell whether the probe fired. It is reported as a fault of the probe's first
//! clause, in its predicate: a firing may be missing, and that is said.

use ir::L;
use sema::hir::{Expr, StmtKind};

use crate::clause::ClauseState;
use crate::site::{Firing, SiteGen};
use crate::{Result, lower};

impl SiteGen<'_> {
    /// Goes to the label that it gives unless the condition holds. `clauses` are those of the probe.
    pub fn condition(&mut self, when: &Expr, clauses: &[u32]) -> Result<L> {
        let next = self.f.label();
        let early = self.used.scratch || self.used.cpu;
        (self.used.scratch, self.used.cpu) = (false, false);
        self.begin_aside(clauses.first().copied());
        self.note(when.pos);
        self.thread_for_predicate(when);
        self.branch_false(when, next)?;
        self.end_aside(next)?;
        self.used.conditions |= self.used.scratch || self.used.cpu;
        if early {
            // Not known which of the two it was: both are cheap.
            (self.used.scratch, self.used.cpu) = (true, true);
        }
        Ok(next)
    }

    /// Runs a set-up.
    pub fn setup(&mut self, n: usize) -> Result<()> {
        let program = self.p;
        let setup = &program.setups[n];
        let Some(probe) = setup.probes.first().copied() else {
            return Ok(());
        };
        let clauses = (0..program.clauses.len() as u32)
            .find(|c| program.clauses[*c as usize].probes.contains(&probe));
        self.firing = Firing::One(probe);
        self.forget_prologue();
        self.task = setup.place.task;
        self.fetch_needs(true);
        let next = match &setup.place.when {
            Some(when) => self.condition(when, clauses.as_slice())?,
            None => self.f.label(),
        };
        self.begin_aside(clauses);
        self.thread_for_body(&setup.body);
        for stmt in &setup.body {
            self.note(stmt.pos);
            match &stmt.kind {
                StmtKind::Expr(e) => self.effect(e)?,
                StmtKind::Record { .. }
                | StmtKind::Exit(_)
                | StmtKind::Aggregate { .. }
                | StmtKind::Raise(_)
                | StmtKind::Stop
                | StmtKind::Chill(_)
                | StmtKind::Speculate(_)
                | StmtKind::Commit(_)
                | StmtKind::Discard(_) => return lower::internal("a set-up with an action"),
            }
            self.state.slots_used.clear();
        }
        self.end_aside(next)?;
        self.f.bind(next);
        Ok(())
    }

    /// What follows belongs to no clause; its faults are those of clause `owner`.
    fn begin_aside(&mut self, owner: Option<u32>) {
        self.bump = self.persistent;
        self.state = ClauseState::aside(owner.unwrap_or_default());
        self.aside = true;
        let fault = self.fault_exit();
        self.state.fault = Some(fault);
    }

    /// Ends it; faults are reported and go on at `next`.
    fn end_aside(&mut self, next: L) -> Result<()> {
        self.aside = false;
        let Some(fault) = self.state.fault.filter(|_| self.state.faulted) else {
            return Ok(());
        };
        let go_on = self.f.label();
        self.f.jump(go_on);
        self.f.bind(fault.label);
        self.report_fault(fault)?;
        self.f.jump(next);
        self.f.bind(go_on);
        Ok(())
    }
}
