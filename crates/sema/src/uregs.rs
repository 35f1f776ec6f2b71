//! `uregs[]`: the saved user registers of the thread, by the constants `R_…` of the library `regs.d`.
//!
//! An index is a word of the kernel's `struct pt_regs` (`arch/*/include/uapi/asm/ptrace.h`).

use ctypes::TypeGraph;
use diag::{Span, Tag};
use lang::Global;
use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, IntTy, Ty};
use crate::typed::{R, Typed};

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
