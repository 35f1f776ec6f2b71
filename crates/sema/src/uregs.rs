//! `uregs[]`: the saved user registers of the thread, by the constants `R_…`.
//!
//! An index is a word of the kernel's `struct pt_regs` (`arch/*/include/uapi/asm/ptrace.h`).

use ctypes::TypeGraph;
use diag::{Span, Tag};
use lang::Global;
use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, IntTy, Ty};
use crate::typed::{R, Typed};

/// Names and indices on x86-64, those that are the same everywhere first.
#[cfg(not(target_arch = "aarch64"))]
const NAMES: &[(&str, u64)] = &[
    ("R_PC", 16),
    ("R_SP", 19),
    ("R_FP", 4),
    ("R_PS", 18),
    ("R_R0", 10),
    ("R_R1", 12),
    ("R_R15", 0),
    ("R_R14", 1),
    ("R_R13", 2),
    ("R_R12", 3),
    ("R_RBP", 4),
    ("R_RBX", 5),
    ("R_R11", 6),
    ("R_R10", 7),
    ("R_R9", 8),
    ("R_R8", 9),
    ("R_RAX", 10),
    ("R_RCX", 11),
    ("R_RDX", 12),
    ("R_RSI", 13),
    ("R_RDI", 14),
    ("R_RIP", 16),
    ("R_CS", 17),
    ("R_RFL", 18),
    ("R_RSP", 19),
    ("R_SS", 20),
    ("R_EBP", 4),
    ("R_EBX", 5),
    ("R_EAX", 10),
    ("R_ECX", 11),
    ("R_EDX", 12),
    ("R_ESI", 13),
    ("R_EDI", 14),
    ("R_EIP", 16),
    ("R_EFL", 18),
    ("R_ESP", 19),
];

/// Names and indices on 64-bit Arm, where `R_X0` to `R_X30` are the first.
#[cfg(target_arch = "aarch64")]
const NAMES: &[(&str, u64)] = &[
    ("R_PC", 32),
    ("R_SP", 31),
    ("R_FP", 29),
    ("R_PS", 33),
    ("R_R0", 0),
    ("R_R1", 1),
    ("R_LR", 30),
    ("R_PSTATE", 33),
];

/// The constant of this name.
pub(crate) fn register(name: &str) -> Option<u64> {
    let known = NAMES.iter().find(|(n, _)| *n == name).map(|(_, i)| *i);
    if cfg!(target_arch = "aarch64") {
        let general = name.strip_prefix("R_X").and_then(|n| n.parse().ok());
        return known.or(general.filter(|n| *n <= 30));
    }
    known
}

impl Compiler<'_> {
    /// `uregs[index]`
    pub(crate) fn user_register(
        &mut self,
        g: &'static Global,
        keys: &[ast::Expr],
        span: Span,
    ) -> R<Typed> {
        self.supported(g, span)?;
        let [key] = keys else {
            let plural = if keys.len() == 1 { "" } else { "s" };
            let text = format!(
                "uregs[ ] prototype mismatch: {} arg{plural} passed, 1 expected",
                keys.len()
            );
            return self.fail(Tag::D_PROTO_LEN, span, text);
        };
        let key = self.expr(key)?;
        if !self.is_integer(&key) {
            let text = format!(
                "uregs[ ] argument #1 is incompatible with prototype:\n\tprototype: integer\n\t argument: {}",
                self.name_of(&key)
            );
            return self.fail(Tag::D_PROTO_ARG, key.span, text);
        }
        self.used(g.name, g.stability, span)?;
        let index = self.scalar(key)?;
        let value = Expr {
            kind: ExprKind::UserReg(Box::new(index)),
            ty: Ty::Int(IntTy::U64),
            pos: self.pos(span),
        };
        Ok(Typed::value(TypeGraph::ULONG, value, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_have_their_words() {
        assert!(register("R_PC").is_some() && register("R_SP").is_some());
        assert_eq!(register("R_NONE"), None);
        assert!(NAMES.iter().all(|(_, i)| *i < 34));
    }
}
