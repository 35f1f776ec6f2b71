//! Checks the invariants of the intermediate form.

use crate::{Func, Inst, L, V};

/// A broken invariant: our mistake, never the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Index of the instruction.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// Registers that have a value, as a bit set.
type Defined = Vec<u64>;

fn has(set: &Defined, v: V) -> bool {
    let word = set.get(v.0 as usize / 64).copied().unwrap_or(0);
    word >> (v.0 % 64) & 1 != 0
}

/// Walks the list once: jumps only go forward, so all ways to a label are known when it comes.
struct Checker {
    /// What is defined here; `None` where no way leads.
    here: Option<Defined>,
    /// What is defined on every way to each label.
    arriving: Vec<Option<Defined>>,
    bound: Vec<bool>,
}

impl Checker {
    fn arrive(&mut self, l: L) {
        let Some(here) = &self.here else { return };
        match &mut self.arriving[l.0 as usize] {
            Some(set) => set.iter_mut().zip(here).for_each(|(a, b)| *a &= b),
            none => *none = Some(here.clone()),
        }
    }

    fn operands(&self, inst: &Inst) -> Option<&'static str> {
        let mut bad = None;
        if let Some(here) = &self.here {
            inst.uses(&mut |v| {
                if !has(here, v) {
                    bad = Some("use before definition");
                }
            });
        }
        bad
    }

    fn step(&mut self, inst: &Inst) -> Option<&'static str> {
        let bad = self.operands(inst);
        if bad.is_some() {
            return bad;
        }
        match inst {
            Inst::Label(l) => {
                self.arrive(*l);
                self.here = self.arriving[l.0 as usize].take();
                if std::mem::replace(&mut self.bound[l.0 as usize], true) {
                    return Some("label bound twice");
                }
            }
            Inst::Jump(l) | Inst::Branch { to: l, .. } => {
                if self.bound[l.0 as usize] {
                    return Some("backward jump");
                }
                self.arrive(*l);
                if matches!(inst, Inst::Jump(_)) {
                    self.here = None;
                }
            }
            Inst::Exit => self.here = None,
            Inst::Call { args, .. } | Inst::CallLocal { args, .. } if args.len() > 5 => {
                return Some("more than five arguments");
            }
            _ => {}
        }
        if let (Some(d), Some(here)) = (inst.def(), &mut self.here)
            && let Some(word) = here.get_mut(d.0 as usize / 64)
        {
            *word |= 1 << (d.0 % 64);
        }
        None
    }
}

/// Checks that definitions come before uses on every path, that jumps go forward to labels bound once, that the end is an
/// exit, and argument counts.
pub fn check(f: &Func) -> Result<(), Broken> {
    let mut start: Defined = vec![0; f.regs as usize / 64 + 1];
    start[0] = 1;
    let mut checker = Checker {
        here: Some(start),
        arriving: vec![None; f.labels as usize],
        bound: vec![false; f.labels as usize],
    };
    for (at, inst) in f.insts.iter().enumerate() {
        if let Some(what) = checker.step(inst) {
            return Err(Broken { at, what });
        }
    }
    let unbound = |i: &Inst| match i {
        Inst::Jump(l) | Inst::Branch { to: l, .. } => !checker.bound[l.0 as usize],
        _ => false,
    };
    if let Some(at) = f.insts.iter().position(unbound) {
        let what = "jump to a label that is not bound";
        return Err(Broken { at, what });
    }
    if checker.here.is_some() {
        let (at, what) = (f.insts.len(), "runs off the end");
        return Err(Broken { at, what });
    }
    Ok(())
}
