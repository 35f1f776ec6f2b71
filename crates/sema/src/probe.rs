//! Probe descriptions and the typed arguments of the probes they match.

use std::rc::Rc;

use diag::{Span, Tag};
use image::{Probe, Site};
use lang::Global;
use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::{Expr, ExprKind, IntTy, Space, Ty};
use crate::typed::{R, Typed};
use crate::world::{ArgDesc, Derived, NoProbes, ProbePattern};

/// The probes of a description.
pub(crate) struct Matched {
    pub description: String,
    pub probes: Vec<Probe>,
    /// The function that was asked for by its name, or by another name.
    function: Option<String>,
}

impl Matched {
    /// Whether a probe was asked for by another name than its own: one of Solaris, or one that the architecture lacks.
    fn is_alias(&self, probe: &Probe) -> bool {
        let asked = self.function.as_ref();
        is_of_call(probe) && asked.is_some_and(|asked| **asked != *probe.function)
    }

    /// The function that the description names, if it is no pattern.
    pub fn function(&self) -> Option<&str> {
        self.function.as_deref()
    }
}

/// Whether a probe is the beginning or the end of a system call.
pub(crate) fn is_of_call(probe: &Probe) -> bool {
    matches!(probe.site, Site::SyscallEntry | Site::SyscallReturn)
}

/// Leaves out what other descriptions of the clause ask for besides by another name: `open` and `openat` are the same call where
/// there is no other `open`, and what happens once is to be seen once.
pub(crate) fn without_twins(all: &mut [Matched]) {
    let own = |found: &Matched| -> Vec<u32> {
        let named = found.probes.iter().filter(|p| !found.is_alias(p));
        named.map(|p| p.id).collect()
    };
    let mut seen: std::collections::HashSet<u32> = all.iter().flat_map(own).collect();
    for found in all {
        let mut probes = std::mem::take(&mut found.probes);
        probes.retain(|probe| !found.is_alias(probe) || seen.insert(probe.id));
        found.probes = probes;
    }
}

impl ProbePattern {
    /// Splits a description at its colons, from the right. `None`: more than three colons.
    pub fn parse(text: &str) -> Option<ProbePattern> {
        let mut fields = text.rsplit(':').map(str::to_owned);
        let name = fields.next().unwrap_or_default();
        let function = fields.next().unwrap_or_default();
        let module = fields.next().unwrap_or_default();
        let provider = fields.next().unwrap_or_default();
        fields.next().is_none().then_some(ProbePattern {
            provider,
            module,
            function,
            name,
        })
    }
}

impl Compiler<'_> {
    pub(crate) fn match_spec(&mut self, spec: &ast::Spec) -> R<Matched> {
        match spec {
            ast::Spec::Text(text, span) => self.match_text(text, *span),
            ast::Spec::Id(id, span) => self.match_id(*id, *span),
        }
    }

    fn match_id(&mut self, id: u64, span: Span) -> R<Matched> {
        let Ok(short) = u32::try_from(id) else {
            return self.fail(
                Tag::D_PDESC_INVAL,
                span,
                format!("identifier {id} exceeds maximum probe id"),
            );
        };
        match self.world.probe_by_id(short) {
            Some(probe) => Ok(Matched {
                description: describe(&probe),
                probes: vec![probe],
                function: None,
            }),
            None => {
                let text = format!("invalid probe identifier {id}: Unknown probe identifier");
                self.fail(Tag::D_PDESC_INVAL, span, text)
            }
        }
    }

    fn match_text(&mut self, text: &str, span: Span) -> R<Matched> {
        let Some(pattern) = ProbePattern::parse(text) else {
            let text =
                format!("invalid probe description \"{text}\": Overspecified probe description");
            return self.fail(Tag::D_PDESC_INVAL, span, text);
        };
        let ProbePattern {
            provider,
            module,
            function,
            name,
        } = &pattern;
        let description = format!("{provider}:{module}:{function}:{name}");
        let probes = match self.world.probes(&pattern) {
            Ok(probes) => probes,
            Err(NoProbes {
                tag: Some(tag),
                text,
            }) => return self.fail(tag, span, text),
            Err(NoProbes {
                tag: None,
                text: why,
            }) => {
                let text = format!("invalid probe description \"{text}\": {why}");
                return self.fail(Tag::D_PDESC_INVAL, span, text);
            }
        };
        if probes.is_empty() && !self.opts.zdefs {
            let text = format!("probe description {description} does not match any probes");
            return self.fail(Tag::D_PDESC_ZERO, span, text);
        }
        let named = !function.is_empty() && !function.contains(['*', '?', '[', '\\']);
        Ok(Matched {
            description,
            probes,
            function: named.then(|| function.clone()),
        })
    }

    /// `args[n]`.
    pub(crate) fn probe_arg(&mut self, g: &Global, keys: &[ast::Expr], span: Span) -> R<Typed> {
        let [key] = keys else {
            let plural = if keys.len() == 1 { "" } else { "s" };
            let text = format!(
                "args[ ] prototype mismatch: {} arg{plural} passed, 1 expected",
                keys.len()
            );
            return self.fail(Tag::D_PROTO_LEN, span, text);
        };
        let key = self.expr(key)?;
        let Some(index) = key.constant().filter(|_| self.is_integer(&key)) else {
            let text = format!(
                "args[ ] argument #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: {}",
                self.name_of(&key)
            );
            return self.fail(Tag::D_PROTO_ARG, key.span, text);
        };
        self.used(g.name, g.stability, span)?;
        self.cx.by_probe = true;
        if let Some(native) = self.cx.native.clone() {
            return self.native_arg(&native, index, span);
        }
        let Some(probes) = self.cx.probes.clone() else {
            return self.fail(
                Tag::D_ARGS_NONE,
                span,
                "args[ ] may not be referenced outside of a probe clause",
            );
        };
        if let Some(def) = self.defined_among(&probes) {
            return self.defined_arg(&def, index, span);
        }
        let (native, members) = match self.derived_among(&probes, span)? {
            Some((probe, derived)) => self.derived_arg(&probe, &derived, index, span)?,
            None => {
                let arg = self.common_arg(&probes, index, span)?;
                (self.arg_value(&arg, span), None)
            }
        };
        match self.common_translation(&probes, index as usize, span)? {
            Some(ty) => {
                let to = self.proto_type(ty, span)?;
                self.translated_at(to, native, members, span)
            }
            None => Ok(native),
        }
    }

    /// `args[n]` in a derived probe's own text.
    fn native_arg(&mut self, native: &[ArgDesc], index: u64, span: Span) -> R<Typed> {
        let at = usize::try_from(index).ok();
        match at.and_then(|n| native.get(n)).cloned() {
            Some(arg) => Ok(self.arg_value(&arg, span)),
            None => {
                let text = format!("its site has no argument {index}");
                self.fail(Tag::D_ARGS_IDX, span, text)
            }
        }
    }

    /// The probe of a clause that uses arguments, if it is derived. Where the clause has several probes, or the
    /// probe several places, it must be analysed for each.
    pub(crate) fn derived_among(
        &mut self,
        probes: &[Probe],
        span: Span,
    ) -> R<Option<(Probe, Rc<Derived>)>> {
        for probe in probes {
            let Some(derived) = self.derivation(probe, span)? else {
                continue;
            };
            let known = !derived.is_scattered() || self.cx.place.is_some();
            if probes.len() == 1 && known {
                return Ok(Some((probe.clone(), derived)));
            }
            self.cx.split = true;
            return self.unstable_set(span);
        }
        Ok(None)
    }

    fn unstable_set<T>(&self, span: Span) -> R<T> {
        let what = &self.cx.description;
        let text = format!(
            "args[ ] may not be referenced because probe description {what} matches an unstable set of probes"
        );
        self.fail(Tag::D_ARGS_MULTI, span, text)
    }

    /// The argument that all probes of the description have in common.
    fn common_arg(&mut self, probes: &Rc<Vec<Probe>>, index: u64, span: Span) -> R<ArgDesc> {
        let at = usize::try_from(index).unwrap_or(usize::MAX);
        let mut first: Option<Option<ArgDesc>> = None;
        for n in 0..probes.len() {
            let arg = self.args_of(probes, n, index, span)?.get(at).cloned();
            let Some(known) = &first else {
                first = Some(arg);
                continue;
            };
            if !self.same_arg(known.as_ref(), arg.as_ref()) {
                return self.unstable_set(span);
            }
        }
        match first.flatten() {
            Some(arg) => Ok(arg),
            None => {
                let text = format!(
                    "index {} is out of range for {} args[ ]",
                    index as i64, self.cx.description
                );
                self.fail(Tag::D_ARGS_IDX, span, text)
            }
        }
    }

    /// The type that an argument is translated to, if it is: the same for all probes of the description.
    fn common_translation(
        &mut self,
        probes: &[Probe],
        index: usize,
        span: Span,
    ) -> R<Option<&'static str>> {
        let mut types = probes.iter().map(|p| self.world.translation(p, index));
        let first = types.next().flatten();
        if types.all(|t| t == first) {
            return Ok(first);
        }
        self.unstable_set(span)
    }

    /// Typed arguments of the `n`th probe of the clause, asked for once.
    fn args_of(
        &mut self,
        probes: &[Probe],
        n: usize,
        index: u64,
        span: Span,
    ) -> R<Rc<Vec<ArgDesc>>> {
        if let Some(known) = self.cx.args.get(n) {
            return Ok(known.clone());
        }
        match self.world.args(&probes[n], &mut self.graph) {
            Ok(args) => {
                let args = Rc::new(args);
                self.cx.args.push(args.clone());
                Ok(args)
            }
            Err(why) => {
                let text = format!("failed to resolve native type for args[{index}]: {why}");
                self.fail(Tag::D_ARGS_TYPE, span, text)
            }
        }
    }

    fn same_arg(&self, a: Option<&ArgDesc>, b: Option<&ArgDesc>) -> bool {
        match (a, b) {
            (Some(a), Some(b)) => {
                a.source == b.source && a.trusted == b.trusted && self.graph.same(a.ty, b.ty)
            }
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub(crate) fn arg_value(&mut self, arg: &ArgDesc, span: Span) -> Typed {
        let pos = self.pos(span);
        let kind = ExprKind::Arg {
            source: arg.source,
            trusted: arg.trusted,
        };
        let expr = match self.hir_ty(arg.ty) {
            Ty::Str => {
                let addr = Box::new(Expr {
                    kind,
                    ty: Ty::Int(IntTy::U64),
                    pos,
                });
                // A program's own probe points into the program.
                let own = matches!(arg.source, image::ArgSource::Operand(_));
                let space = if own { Space::User } else { Space::Kernel };
                let kind = ExprKind::StringOf {
                    addr,
                    offset: 0,
                    space,
                    max: None,
                };
                Expr {
                    kind,
                    ty: Ty::Str,
                    pos,
                }
            }
            ty => Expr { kind, ty, pos },
        };
        Typed::value(arg.ty, expr, span)
    }
}

fn describe(probe: &Probe) -> String {
    format!(
        "{}:{}:{}:{}",
        probe.provider, probe.module, probe.function, probe.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_split_from_the_right() {
        let p = |t| {
            ProbePattern::parse(t).map(|p| [p.provider, p.module, p.function, p.name].join("|"))
        };
        assert_eq!(p("BEGIN").as_deref(), Some("|||BEGIN"));
        assert_eq!(p("read:entry").as_deref(), Some("||read|entry"));
        assert_eq!(
            p("syscall::read:entry").as_deref(),
            Some("syscall||read|entry")
        );
        assert_eq!(p("syscall:::").as_deref(), Some("syscall|||"));
        assert_eq!(p("a:b:c:d:e"), None);
    }
}
