//! Checks the invariants of the intermediate form.

use crate::{Func, Inst, V};

/// A broken invariant: our mistake, never the user's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Index of the instruction.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// Checks that definitions come before uses, that jumps go forward to labels bound once, and argument counts.
pub fn check(f: &Func) -> Result<(), Broken> {
    let mut defined = vec![false; f.regs as usize];
    defined[0] = true;
    let mut bound = vec![false; f.labels as usize];
    for (at, inst) in f.insts.iter().enumerate() {
        let mut bad = None;
        inst.uses(&mut |v: V| {
            if !defined.get(v.0 as usize).copied().unwrap_or(false) {
                bad = Some("use before definition");
            }
        });
        match inst {
            Inst::Label(l) => {
                if std::mem::replace(&mut bound[l.0 as usize], true) {
                    bad = Some("label bound twice");
                }
            }
            Inst::Jump(l) | Inst::Branch { to: l, .. } => {
                if bound[l.0 as usize] {
                    bad = Some("backward jump");
                }
            }
            Inst::Call { args, .. } | Inst::CallLocal { args, .. } => {
                if args.len() > 5 {
                    bad = Some("more than five arguments");
                }
            }
            _ => {}
        }
        if let Some(what) = bad {
            return Err(Broken { at, what });
        }
        if let Some(d) = inst.def() {
            defined[d.0 as usize] = true;
        }
    }
    for (at, inst) in f.insts.iter().enumerate() {
        if let Inst::Jump(l) | Inst::Branch { to: l, .. } = inst
            && !bound[l.0 as usize]
        {
            return Err(Broken {
                at,
                what: "jump to a label that is not bound",
            });
        }
    }
    Ok(())
}
