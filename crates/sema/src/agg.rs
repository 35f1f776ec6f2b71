//! Aggregations: assignment, functions and their constant parameters, key signatures (reference §11).

use ctypes::{TypeGraph, TypeId};
use diag::{Span, Tag};
use image::{AggFunc, ProbeField};
use lang::{Agg, Builtin, Global, GlobalKind};
use syntax::ast::{self, ExprKind as Ast};

use crate::compiler::Compiler;
use crate::hir::{self, AggId, Expr, ExprKind, IntTy, KeyTy, StmtKind, Ty};
use crate::typed::{Form, R, Typed};

/// Bytes of a thread's name, NUL included.
const COMM: u32 = 16;

/// Strings known to be shorter than this are stored as short keys.
const SHORT: usize = 128;

/// An aggregation as known so far.
pub(crate) struct AggInfo {
    pub name: String,
    /// The function of its first assignment; `None` if only named so far.
    pub func: Option<AggFunc>,
    pub agg: Agg,
    pub line: u32,
    /// D types of its keys.
    pub keys: Vec<TypeId>,
    /// The widest encoding of each key over all uses.
    pub key_tys: Vec<KeyTy>,
}

impl AggInfo {
    /// As code sees it.
    pub fn finish(self) -> hir::Agg {
        hir::Agg {
            name: self.name,
            func: self.func.unwrap_or(AggFunc::Count),
            keys: self.key_tys,
        }
    }
}

/// How a key value would be stored if it were the only use.
pub(crate) fn key_ty(key: &Expr) -> KeyTy {
    match (&key.kind, key.ty) {
        (ExprKind::Builtin(Builtin::Execname | Builtin::Threadname), _) => KeyTy::ShortStr(COMM),
        (ExprKind::Builtin(Builtin::Probeprov), _) => KeyTy::Probe(ProbeField::Provider),
        (ExprKind::Builtin(Builtin::Probemod), _) => KeyTy::Probe(ProbeField::Module),
        (ExprKind::Builtin(Builtin::Probefunc), _) => KeyTy::Probe(ProbeField::Function),
        (ExprKind::Builtin(Builtin::Probename), _) => KeyTy::Probe(ProbeField::Name),
        (ExprKind::Str(text), _) if text.len() < SHORT => KeyTy::ShortStr(text.len() as u32 + 1),
        // A char array need not end in a NUL.
        (ExprKind::StringOf { max: Some(max), .. }, _) if (*max as usize) < SHORT => {
            KeyTy::ShortStr(max + 1)
        }
        (_, Ty::Int(i)) => KeyTy::Int(i),
        (_, Ty::Stack { user, frames }) => KeyTy::Stack { user, frames },
        (_, Ty::Sym(kind)) => KeyTy::Sym(kind),
        (_, Ty::Str | Ty::Void | Ty::Bytes { .. }) => KeyTy::Str,
    }
}

/// The encoding that holds both.
pub(crate) fn widest(a: KeyTy, b: KeyTy) -> KeyTy {
    match (a, b) {
        _ if a == b => a,
        (KeyTy::Int(x), KeyTy::Int(y)) if x.bytes == y.bytes => KeyTy::Int(IntTy {
            bytes: x.bytes,
            signed: x.signed && y.signed,
        }),
        (KeyTy::Int(x), KeyTy::Int(y)) => KeyTy::Int(if x.bytes > y.bytes { x } else { y }),
        (KeyTy::ShortStr(x), KeyTy::ShortStr(y)) => KeyTy::ShortStr(x.max(y)),
        (KeyTy::Stack { user, frames: x }, KeyTy::Stack { frames: y, .. }) => KeyTy::Stack {
            user,
            frames: x.max(y),
        },
        (KeyTy::Sym(_), _) | (KeyTy::Stack { .. }, _) | (KeyTy::Int(_), _) => a,
        (KeyTy::Str | KeyTy::ShortStr(_) | KeyTy::Probe(_), _) => KeyTy::Str,
    }
}

/// A parameter of `llquantize()`: its words in messages and its tags.
struct LlParam {
    what: &'static str,
    ty: Tag,
    val: Tag,
    matching: Tag,
}

const LL_PARAMS: [LlParam; 4] = [
    LlParam {
        what: "factor",
        ty: Tag::D_LLQUANT_FACTORTYPE,
        val: Tag::D_LLQUANT_FACTORVAL,
        matching: Tag::D_LLQUANT_FACTORMATCH,
    },
    LlParam {
        what: "low magnitude",
        ty: Tag::D_LLQUANT_LOWTYPE,
        val: Tag::D_LLQUANT_LOWVAL,
        matching: Tag::D_LLQUANT_LOWMATCH,
    },
    LlParam {
        what: "high magnitude",
        ty: Tag::D_LLQUANT_HIGHTYPE,
        val: Tag::D_LLQUANT_HIGHVAL,
        matching: Tag::D_LLQUANT_HIGHMATCH,
    },
    LlParam {
        what: "linear steps per magnitude",
        ty: Tag::D_LLQUANT_NSTEPTYPE,
        val: Tag::D_LLQUANT_NSTEPVAL,
        matching: Tag::D_LLQUANT_NSTEPMATCH,
    },
];

/// `@name[keys] = func(args)` taken apart.
pub(crate) struct AggStmt<'a> {
    pub name: &'a str,
    pub keys: &'a [ast::Expr],
    pub value: &'a ast::Expr,
    pub span: Span,
}

/// The aggregation that the left side of an assignment names.
pub(crate) fn agg_stmt(e: &ast::Expr) -> Option<AggStmt<'_>> {
    let Ast::Assign(None, target, value) = &e.kind else {
        return None;
    };
    let (name, keys): (&str, &[ast::Expr]) = match &target.kind {
        Ast::Agg(name) => (name, &[]),
        Ast::Index(base, keys) => match &base.kind {
            Ast::Agg(name) => (name, keys),
            _ => return None,
        },
        _ => return None,
    };
    Some(AggStmt {
        name,
        keys,
        value,
        span: e.span,
    })
}

impl Compiler<'_> {
    /// An aggregation as an operand.
    pub(crate) fn agg_ref(&mut self, name: &str, span: Span) -> R<Typed> {
        match self.agg_names.get(name) {
            Some(at) => Ok(Typed {
                ty: TypeGraph::DYN,
                form: Form::Agg(*at),
                span,
            }),
            None => self.fail(
                Tag::D_IDENT_UNDEF,
                span,
                format!("failed to resolve @{name}: Unknown variable name"),
            ),
        }
    }

    /// Types `@name[keys] = func(args)`.
    pub(crate) fn aggregate(&mut self, stmt: &AggStmt<'_>) -> R<StmtKind> {
        let (g, args) = match (self.callee(stmt.value), &stmt.value.kind) {
            (Some(g), Ast::Call(_, args)) => (g, args),
            _ => {
                if let Ast::Call(callee, _) = &stmt.value.kind
                    && let Ast::Ident(name) = &callee.kind
                    && self.builtin(name).is_none()
                    && !self.globals.contains_key(name)
                {
                    let text = format!("undefined function name: {name}");
                    let error = self.error(Tag::D_FUNC_UNDEF, stmt.span, text);
                    return Err(self.suggest(error, name, |g| matches!(g.kind, GlobalKind::Agg(_))));
                }
                return self.not_aggregating(stmt);
            }
        };
        let GlobalKind::Agg(agg) = g.kind else {
            return self.not_aggregating(stmt);
        };
        self.supported(g, stmt.span)?;
        self.used(g.name, g.stability, stmt.span)?;
        self.check_count(g, args.len(), stmt.value.span)?;
        self.not_redefined(stmt, agg)?;
        let mut typed = args.iter().map(|a| self.expr(a)).collect::<R<Vec<_>>>()?;
        let func = self.function(agg, &mut typed, stmt)?;
        let keys = stmt
            .keys
            .iter()
            .map(|k| self.recordable(k))
            .collect::<R<Vec<_>>>()?;
        let at = self.declare_agg(stmt, agg, func, &keys)?;
        let (value, incr) = self.agg_value(g, agg, typed)?;
        let keys = self.agg_keys(at, keys)?;
        Ok(StmtKind::Aggregate {
            agg: AggId(at as u32),
            keys,
            value,
            incr,
        })
    }

    fn not_aggregating<T>(&self, stmt: &AggStmt<'_>) -> R<T> {
        let text = format!(
            "@{} must be assigned the result of an aggregating function",
            stmt.name
        );
        self.fail(Tag::D_AGG_FUNC, stmt.span, text)
    }

    fn not_redefined(&self, stmt: &AggStmt<'_>, agg: Agg) -> R<()> {
        let Some(known) = self
            .agg_names
            .get(stmt.name)
            .and_then(|at| self.aggs.get(*at))
        else {
            return Ok(());
        };
        if known.agg == agg {
            return Ok(());
        }
        let name = stmt.name;
        let text = format!(
            "aggregation redefined: @{name}\n\t current: @{name} = {}( )\n\tprevious: @{name} = {}( ) : line {}",
            agg.name(),
            known.agg.name(),
            known.line
        );
        self.fail(Tag::D_AGG_REDEF, stmt.span, text)
    }

    /// Checks the keys against earlier uses, or makes the aggregation.
    fn declare_agg(
        &mut self,
        stmt: &AggStmt<'_>,
        agg: Agg,
        func: AggFunc,
        keys: &[Typed],
    ) -> R<usize> {
        if let Some(at) = self.agg_names.get(stmt.name).copied() {
            self.same_parameters(self.aggs[at].func, func, stmt.span)?;
            let want = self.aggs[at].keys.clone();
            self.check_agg_keys(stmt, &want, keys)?;
            return Ok(at);
        }
        let mut types = Vec::new();
        for (i, key) in keys.iter().enumerate() {
            types.push(self.agg_key_type(key, i)?);
        }
        let info = AggInfo {
            name: stmt.name.to_owned(),
            func: Some(func),
            agg,
            line: self.pos(stmt.span).line,
            keys: types,
            key_tys: Vec::new(),
        };
        self.aggs.push(info);
        let at = self.aggs.len() - 1;
        self.agg_names.insert(stmt.name.to_owned(), at);
        Ok(at)
    }

    fn agg_key_type(&mut self, key: &Typed, index: usize) -> R<TypeId> {
        if [TypeGraph::STACK, TypeGraph::SYMADDR, TypeGraph::USYMADDR].contains(&key.ty) {
            return Ok(key.ty);
        }
        self.key_type(key, index, "aggregation")
    }

    fn check_agg_keys(&mut self, stmt: &AggStmt<'_>, want: &[TypeId], keys: &[Typed]) -> R<()> {
        let name = format!("@{}[ ]", stmt.name);
        for (i, key) in keys.iter().enumerate() {
            self.agg_key_type(key, i)?;
        }
        if want.len() == keys.len()
            && keys
                .iter()
                .zip(want)
                .all(|(k, w)| self.argument_fits(*w, k))
        {
            return Ok(());
        }
        let special = [TypeGraph::STACK, TypeGraph::SYMADDR, TypeGraph::USYMADDR];
        let plain = keys.iter().filter(|k| special.contains(&k.ty)).count() == 0;
        if want.len() != keys.len() || plain {
            return self.check_keys(&name, want, keys, "aggregation", stmt.span);
        }
        let (i, key) = keys
            .iter()
            .enumerate()
            .find(|(i, k)| !self.argument_fits(want[*i], k))
            .unwrap_or((0, &keys[0]));
        let text = format!(
            "{name} key #{} is incompatible with prototype:\n\tprototype: {}\n\t{:>9}: {}",
            i + 1,
            self.graph.name(want[i]),
            "key",
            self.name_of(key)
        );
        self.fail(Tag::D_PROTO_ARG, key.span, text)
    }

    /// The keys as code; widens the encodings.
    fn agg_keys(&mut self, at: usize, keys: Vec<Typed>) -> R<Vec<Expr>> {
        let mut code = Vec::with_capacity(keys.len());
        for key in keys {
            let stringy = self.is_strcompat(&key) && !self.graph.is_pointer(key.ty);
            code.push(if stringy {
                self.string(key)?
            } else {
                self.datum(key)?
            });
        }
        let known = &mut self.aggs[at].key_tys;
        if known.len() == code.len() {
            for (k, c) in known.iter_mut().zip(&code) {
                *k = widest(*k, key_ty(c));
            }
        } else {
            *known = code.iter().map(key_ty).collect();
        }
        Ok(code)
    }

    /// The value aggregated and the increment.
    fn agg_value(
        &mut self,
        g: &Global,
        agg: Agg,
        mut args: Vec<Typed>,
    ) -> R<(Option<Expr>, Option<Expr>)> {
        let fixed = match agg {
            Agg::Count => return Ok((None, None)),
            Agg::Sum | Agg::Avg | Agg::Min | Agg::Max | Agg::Stddev | Agg::Quantize => 1,
            Agg::Lquantize => 4.min(args.len()),
            Agg::Llquantize => 5,
        };
        let mut rest = args.split_off(fixed.min(args.len()));
        if rest.len() > 1 {
            let most = fixed + 1;
            let text = format!(
                "{}( ) prototype mismatch: {} args passed, at most {most} expected",
                g.name,
                fixed + rest.len()
            );
            return self.fail(Tag::D_PROTO_LEN, rest[1].span, text);
        }
        args.truncate(1);
        let Some(value) = args.pop() else {
            return Ok((None, None));
        };
        if !self.is_scalar(&value) {
            let text = format!("{}( ) argument #1 must be of scalar type", g.name);
            return self.fail(Tag::D_AGG_SCALAR, value.span, text);
        }
        let incr = match rest.pop() {
            Some(incr) if !self.is_scalar(&incr) => {
                let text = format!(
                    "{}( ) increment value (argument #{}) must be of scalar type",
                    g.name,
                    fixed + 1
                );
                return self.fail(Tag::D_PROTO_ARG, incr.span, text);
            }
            Some(incr) => Some(self.code(incr)?),
            None => None,
        };
        Ok((Some(self.code(value)?), incr))
    }

    fn function(&mut self, agg: Agg, args: &mut [Typed], stmt: &AggStmt<'_>) -> R<AggFunc> {
        Ok(match agg {
            Agg::Count => AggFunc::Count,
            Agg::Sum => AggFunc::Sum,
            Agg::Min => AggFunc::Min,
            Agg::Max => AggFunc::Max,
            Agg::Avg => AggFunc::Avg,
            Agg::Stddev => AggFunc::Stddev,
            Agg::Quantize => AggFunc::Quantize,
            Agg::Lquantize => self.lquantize(args, stmt.span)?,
            Agg::Llquantize => self.llquantize(args, stmt.span)?,
        })
    }

    /// A signed integer constant.
    fn int_constant(&self, e: &Typed) -> Option<i64> {
        e.constant()
            .filter(|_| self.is_integer(e))
            .map(|v| v as i64)
    }

    fn lquantize(&mut self, args: &[Typed], span: Span) -> R<AggFunc> {
        let [_, base, limit, ..] = args else {
            return self.fail(Tag::D_PROTO_LEN, span, "lquantize( ) prototype mismatch");
        };
        let Some(base) = self.int_constant(base) else {
            return self.fail(
                Tag::D_LQUANT_BASETYPE,
                span,
                "lquantize( ) argument #1 must be an integer constant",
            );
        };
        let Some(limit) = self.int_constant(limit) else {
            return self.fail(
                Tag::D_LQUANT_LIMTYPE,
                span,
                "lquantize( ) argument #2 must be an integer constant",
            );
        };
        let Ok(base) = i32::try_from(base) else {
            return self.fail(
                Tag::D_LQUANT_BASEVAL,
                span,
                "lquantize( ) argument #1 must be a 32-bit quantity",
            );
        };
        let Ok(limit) = i32::try_from(limit) else {
            return self.fail(
                Tag::D_LQUANT_LIMVAL,
                span,
                "lquantize( ) argument #2 must be a 32-bit quantity",
            );
        };
        if base >= limit {
            let text = "lquantize( ) base (argument #1) must be less than limit (argument #2)";
            return self.fail(Tag::D_LQUANT_MISMATCH, span, text);
        }
        let step = match args.get(3) {
            None => 1,
            Some(step) => self.lquantize_step(step, span)?,
        };
        let levels = (i64::from(limit) - i64::from(base)) / i64::from(step);
        if levels == 0 {
            let text = "lquantize( ) step (argument #3) too large: must have at least one quantization level";
            return self.fail(Tag::D_LQUANT_STEPLARGE, span, text);
        }
        if levels > i64::from(u16::MAX) {
            let text = "lquantize( ) step (argument #3) too small: number of quantization levels must be a 16-bit quantity";
            return self.fail(Tag::D_LQUANT_STEPSMALL, span, text);
        }
        Ok(AggFunc::Lquantize { base, limit, step })
    }

    fn lquantize_step(&self, step: &Typed, span: Span) -> R<u32> {
        match self.int_constant(step) {
            Some(n) if n > i64::from(u16::MAX) => self.fail(
                Tag::D_LQUANT_STEPVAL,
                span,
                "lquantize( ) argument #3 must be a 16-bit quantity",
            ),
            Some(n) if n > 0 => Ok(n as u32),
            Some(_) | None => self.fail(
                Tag::D_LQUANT_STEPTYPE,
                span,
                "lquantize( ) argument #3 must be a non-zero positive integer constant",
            ),
        }
    }

    fn llquantize(&mut self, args: &[Typed], span: Span) -> R<AggFunc> {
        let mut values = [0u32; 4];
        for (i, param) in LL_PARAMS.iter().enumerate() {
            let what = format!("llquantize( ) argument #{} ({})", i + 1, param.what);
            let Some(v) = args.get(i + 1).and_then(|a| self.int_constant(a)) else {
                return self.fail(
                    param.ty,
                    span,
                    format!("{what} must be an integer constant"),
                );
            };
            let Ok(v) = u16::try_from(v) else {
                return self.fail(
                    param.val,
                    span,
                    format!("{what} must be an unsigned 16-bit quantity"),
                );
            };
            values[i] = u32::from(v);
        }
        let [factor, low, high, nsteps] = values;
        self.llquantize_bounds(factor, low, high, nsteps, span)?;
        Ok(AggFunc::Llquantize {
            factor,
            low,
            high,
            nsteps,
        })
    }

    fn llquantize_bounds(
        &self,
        factor: u32,
        low: u32,
        high: u32,
        nsteps: u32,
        span: Span,
    ) -> R<()> {
        if factor < 2 {
            let text = "llquantize( ) factor (argument #1) must be two or more";
            return self.fail(Tag::D_LLQUANT_FACTORSMALL, span, text);
        }
        if low >= high {
            let text = "llquantize( ) high magnitude (argument #3) must be greater than low magnitude (argument #2)";
            return self.fail(Tag::D_LLQUANT_MAGRANGE, span, text);
        }
        if factor > nsteps {
            let text = "llquantize( ) factor (argument #1) must be less than or equal to the number of linear steps \
                        per magnitude (argument #4)";
            return self.fail(Tag::D_LLQUANT_FACTORNSTEPS, span, text);
        }
        let mut power = u64::from(factor);
        while power < u64::from(nsteps) {
            power *= u64::from(factor);
        }
        if !nsteps.is_multiple_of(factor) || !power.is_multiple_of(u64::from(nsteps)) {
            let text = "llquantize( ) factor (argument #1) must evenly divide the number of steps per magnitude \
                        (argument #4), and the number of steps per magnitude must evenly divide a power of the factor";
            return self.fail(Tag::D_LLQUANT_FACTOREVEN, span, text);
        }
        if i64::from(factor).checked_pow(high + 1).is_none() {
            let text = format!(
                "llquantize( ) factor ({factor}) raised to power of high magnitude ({high}) plus 1 overflows 64-bits"
            );
            return self.fail(Tag::D_LLQUANT_MAGTOOBIG, span, text);
        }
        Ok(())
    }

    /// The constant parameters must agree over all uses of a name.
    fn same_parameters(&self, known: Option<AggFunc>, func: AggFunc, span: Span) -> R<()> {
        let differ = |tag, what: &str, x: i64, y: i64| {
            if x == y {
                return Ok(());
            }
            let text =
                format!("{what} doesn't match previous declaration: expected {x}, found {y}");
            self.fail(tag, span, text)
        };
        match (known, func) {
            (
                Some(AggFunc::Lquantize { base, limit, step }),
                AggFunc::Lquantize {
                    base: b,
                    limit: l,
                    step: s,
                },
            ) => {
                differ(
                    Tag::D_LQUANT_MATCHBASE,
                    "lquantize( ) base (argument #1)",
                    base.into(),
                    b.into(),
                )?;
                differ(
                    Tag::D_LQUANT_MATCHLIM,
                    "lquantize( ) limit (argument #2)",
                    limit.into(),
                    l.into(),
                )?;
                differ(
                    Tag::D_LQUANT_MATCHSTEP,
                    "lquantize( ) step (argument #3)",
                    step.into(),
                    s.into(),
                )
            }
            (
                Some(AggFunc::Llquantize {
                    factor,
                    low,
                    high,
                    nsteps,
                }),
                AggFunc::Llquantize {
                    factor: f,
                    low: l,
                    high: h,
                    nsteps: n,
                },
            ) => {
                let pairs = [(factor, f), (low, l), (high, h), (nsteps, n)];
                for (i, (param, (x, y))) in LL_PARAMS.iter().zip(pairs).enumerate() {
                    let what = format!("llquantize( ) {} (argument #{})", param.what, i + 1);
                    differ(param.matching, &what, x.into(), y.into())?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_widen_to_what_holds_both() {
        assert_eq!(
            widest(KeyTy::Int(IntTy::I32), KeyTy::Int(IntTy::U64)),
            KeyTy::Int(IntTy::U64)
        );
        assert_eq!(
            widest(KeyTy::ShortStr(16), KeyTy::ShortStr(16)),
            KeyTy::ShortStr(16)
        );
        assert_eq!(widest(KeyTy::ShortStr(16), KeyTy::Str), KeyTy::Str);
        assert_eq!(
            widest(KeyTy::Probe(ProbeField::Function), KeyTy::ShortStr(16)),
            KeyTy::Str
        );
        assert_eq!(
            widest(
                KeyTy::Probe(ProbeField::Function),
                KeyTy::Probe(ProbeField::Name)
            ),
            KeyTy::Str
        );
    }
}
