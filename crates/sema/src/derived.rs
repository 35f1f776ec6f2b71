//! Probes derived from places in the kernel: their conditions, arguments and set-up code are D text that providers give,
//! typed here as if it stood in the program.
//!
//! In such a text `args[n]` and `argN` are those of the *site*, and variables whose names begin with [`RESERVED`] are the
//! texts' own: no program can name them. A text may have several forms for different kernels; the first that fits counts.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use diag::{Span, Tag};
use image::Probe;
use syntax::{Macros, ParseInput, SpecDepth, ast};

use crate::compiler::Compiler;
use crate::hir::{self, Expr, ExprKind, IntTy, Ty};
use crate::typed::{R, Typed};
use crate::types::int;
use crate::world::{ArgDesc, Derived, PlaceDesc, SetupDesc, ValueDesc};

/// Number of the texts' source: that of a library that does not exist, so that their places are where they are used.
const SOURCE: u32 = u32::MAX;

/// What names of the texts' own variables begin with.
pub(crate) const RESERVED: &str = "__dt_";

/// What is known of derived probes so far.
#[derive(Default)]
pub(crate) struct DerivedProbes {
    /// By probe id; `None`: it is a place of its own.
    known: HashMap<u32, Option<Rc<Derived>>>,
    parsed: HashMap<String, Rc<Vec<ast::Stmt>>>,
    declared: HashSet<String>,
    /// Places of the enabled ones by probe id.
    places: HashMap<u32, Vec<hir::Place>>,
    /// Set-ups with the ids of the probes that need them, by key.
    setups: Vec<(String, hir::Setup)>,
}

impl DerivedProbes {
    /// Where an enabled probe fires.
    pub fn places_of(&mut self, probe: &Probe) -> Vec<hir::Place> {
        let plain = || hir::Place {
            site: probe.site.clone(),
            task: image::Task::Current,
            when: None,
        };
        self.places
            .remove(&probe.id)
            .unwrap_or_else(|| vec![plain()])
    }

    /// Whether a probe is known to be derived.
    pub fn is_derived(&self, id: u32) -> bool {
        matches!(self.known.get(&id), Some(Some(_)))
    }

    /// The set-ups of the enabled probes, their probes as `index` numbers them.
    pub fn finish(self, index: &HashMap<u32, u32>) -> Vec<hir::Setup> {
        let renumbered = |(_, mut setup): (String, hir::Setup)| {
            let probes = setup.probes.iter().filter_map(|id| index.get(id).copied());
            setup.probes = probes.collect();
            setup
        };
        self.setups.into_iter().map(renumbered).collect()
    }
}

/// Members of an argument's translation that its site knows better than the translator.
#[derive(Debug)]
pub(crate) struct SiteMembers {
    probe: Probe,
    args: Vec<ArgDesc>,
    texts: Vec<(&'static str, Vec<String>)>,
}

impl Derived {
    /// Whether its arguments are in another place wherever it fires.
    pub(crate) fn is_scattered(&self) -> bool {
        self.places.windows(2).any(|p| p[0].values != p[1].values)
    }
}

impl Compiler<'_> {
    /// What a probe is derived from, if it is.
    pub(crate) fn derivation(&mut self, probe: &Probe, span: Span) -> R<Option<Rc<Derived>>> {
        if let Some(known) = self.derived.known.get(&probe.id) {
            return Ok(known.clone());
        }
        match self.world.derived(probe, &mut self.graph) {
            Ok(found) => {
                let found = found.map(Rc::new);
                self.derived.known.insert(probe.id, found.clone());
                Ok(found)
            }
            Err(why) => self.unfit(probe, &why, span),
        }
    }

    /// A clause enables a probe: if that is derived, its conditions and set-ups become code.
    pub(crate) fn enable_derived(&mut self, probe: &Probe, span: Span) -> R<()> {
        let Some(derived) = self.derivation(probe, span)? else {
            return Ok(());
        };
        if self.derived.places.contains_key(&probe.id) {
            return Ok(());
        }
        for text in derived.setups.iter().flat_map(|s| &s.declares) {
            self.derived_declaration(probe, text, span)?;
        }
        for setup in &derived.setups {
            self.derived_setup(probe, setup, span)?;
        }
        let mut places = Vec::with_capacity(derived.places.len());
        for place in &derived.places {
            places.push(self.derived_place(probe, place, span)?);
        }
        self.derived.places.insert(probe.id, places);
        Ok(())
    }

    fn derived_declaration(&mut self, probe: &Probe, text: &str, span: Span) -> R<()> {
        if !self.derived.declared.insert(text.to_owned()) {
            return Ok(());
        }
        let unit = match self.parse_text(text) {
            Ok(unit) => unit,
            Err(why) => return self.unfit(probe, &why, span),
        };
        let outer = self.cx.native.replace(Rc::default());
        for item in &unit.items {
            if let ast::Item::Decl(decl) = item {
                self.declaration(decl)?;
            }
        }
        self.cx.native = outer;
        Ok(())
    }

    fn derived_place(&mut self, probe: &Probe, place: &PlaceDesc, span: Span) -> R<hir::Place> {
        let when = if place.when.is_empty() {
            None
        } else {
            let value = self.native(probe, &place.args, &place.when, span)?;
            Some(self.code(value)?)
        };
        Ok(hir::Place {
            site: place.site.clone(),
            task: place.task,
            when,
        })
    }

    fn derived_setup(&mut self, probe: &Probe, setup: &SetupDesc, span: Span) -> R<()> {
        let known = self.derived.setups.iter_mut().find(|s| s.0 == setup.key);
        if let Some((_, known)) = known {
            known.probes.push(probe.id);
            return Ok(());
        }
        let place = self.derived_place(probe, &setup.place, span)?;
        let body = self.first_fit(
            probe,
            &setup.place.args,
            &setup.body,
            span,
            |c, statements| {
                let mut body = Vec::with_capacity(statements.len());
                for s in statements {
                    let ast::Stmt::Expr(e) = s else {
                        return c.fail(Tag::D_UNKNOWN, span, "a set-up is a list of expressions");
                    };
                    let kind = c.statement(e)?;
                    let pos = c.pos(e.span);
                    body.push(hir::Stmt { kind, pos });
                }
                Ok(body)
            },
        )?;
        let compiled = hir::Setup {
            place,
            after: setup.after,
            body,
            probes: vec![probe.id],
        };
        self.derived.setups.push((setup.key.clone(), compiled));
        Ok(())
    }

    /// `args[n]` of a derived probe, and what its site knows of the translation.
    pub(crate) fn derived_arg(
        &mut self,
        probe: &Probe,
        derived: &Derived,
        n: u64,
        span: Span,
    ) -> R<(Typed, Option<Rc<SiteMembers>>)> {
        let at = usize::try_from(n).ok();
        let Some((at, ty)) = at.and_then(|n| Some((n, derived.args.get(n)?))) else {
            let what = &self.cx.description;
            let text = format!("index {} is out of range for {what} args[ ]", n as i64);
            return self.fail(Tag::D_ARGS_IDX, span, text);
        };
        let ty = self.proto_type(ty, span)?;
        let (place, texts) = self.argument_at(derived, at);
        let value = self.native(probe, place, &texts.value, span)?;
        let expr = self.convert(value, ty)?;
        let members = (!texts.members.is_empty()).then(|| {
            Rc::new(SiteMembers {
                probe: probe.clone(),
                args: place.to_vec(),
                texts: texts.members,
            })
        });
        Ok((Typed::value(ty, expr, span), members))
    }

    /// A member of a translation, where the probe's site tells it.
    pub(crate) fn site_member(
        &mut self,
        of: &SiteMembers,
        name: &str,
        span: Span,
    ) -> R<Option<Typed>> {
        let Some((_, texts)) = of.texts.iter().find(|(own, _)| *own == name) else {
            return Ok(None);
        };
        self.native(&of.probe, &of.args, texts, span).map(Some)
    }

    /// The texts of an argument at the place for which the clause is analysed, and the arguments of the site there.
    fn argument_at<'d>(&self, derived: &'d Derived, n: usize) -> (&'d [ArgDesc], ValueDesc) {
        let none = ValueDesc {
            value: Vec::new(),
            raw: Vec::new(),
            members: Vec::new(),
        };
        match derived.places.get(self.cx.place.unwrap_or(0)) {
            Some(place) => (&place.args, place.values.get(n).cloned().unwrap_or(none)),
            None => (&[], none),
        }
    }

    /// `argN` of a derived probe, as a word.
    pub(crate) fn derived_raw_arg(
        &mut self,
        probe: &Probe,
        derived: &Derived,
        n: u8,
        ty: ctypes::TypeId,
        span: Span,
    ) -> R<Typed> {
        let zero = int(0, IntTy::I64, self.pos(span));
        let at = usize::from(n);
        if at >= derived.args.len() {
            return Ok(Typed::value(ty, zero, span));
        }
        let (place, arg) = self.argument_at(derived, at);
        let texts = if arg.raw.is_empty() {
            arg.value
        } else {
            arg.raw
        };
        let value = self.native(probe, place, &texts, span)?;
        let expr = if self.is_string(&value) {
            zero
        } else {
            self.convert(value, ty)?
        };
        Ok(Typed::value(ty, expr, span))
    }

    /// `argN` in a derived probe's own texts: a word of the site.
    pub(crate) fn site_word(
        &mut self,
        native: &[ArgDesc],
        n: u8,
        ty: ctypes::TypeId,
        span: Span,
    ) -> Typed {
        let source = native
            .get(usize::from(n))
            .map_or(image::ArgSource::Zero, |a| a.source);
        let kind = ExprKind::Arg {
            source,
            trusted: false,
        };
        let expr = Expr {
            kind,
            ty: Ty::Int(IntTy::I64),
            pos: self.pos(span),
        };
        Typed::value(ty, expr, span)
    }

    /// The value of a text that is one expression.
    fn native(
        &mut self,
        probe: &Probe,
        args: &[ArgDesc],
        texts: &[String],
        span: Span,
    ) -> R<Typed> {
        self.first_fit(probe, args, texts, span, |c, statements| match statements {
            [ast::Stmt::Expr(e)] => c.expr(e),
            _ => c.fail(
                Tag::D_UNKNOWN,
                span,
                "a condition or argument is one expression",
            ),
        })
    }

    /// Types the first of a text's forms that fits the kernel.
    fn first_fit<T>(
        &mut self,
        probe: &Probe,
        args: &[ArgDesc],
        texts: &[String],
        span: Span,
        typed: impl Fn(&mut Self, &[ast::Stmt]) -> R<T>,
    ) -> R<T> {
        let mut why = "it is not described".to_owned();
        for text in texts {
            let statements = match self.parsed(text) {
                Ok(statements) => statements,
                Err(error) => {
                    why = error;
                    continue;
                }
            };
            let outer = (
                self.cx.native.replace(Rc::new(args.to_vec())),
                self.cx.used_at.replace(span),
                std::mem::take(&mut self.cx.bindings),
            );
            let value = typed(self, &statements);
            (self.cx.native, self.cx.used_at, self.cx.bindings) = outer;
            match value {
                Ok(value) => return Ok(value),
                Err(error) => why = error.message,
            }
        }
        self.unfit(probe, &why, span)
    }

    fn parsed(&mut self, text: &str) -> Result<Rc<Vec<ast::Stmt>>, String> {
        if let Some(known) = self.derived.parsed.get(text) {
            return Ok(known.clone());
        }
        let unit = self.parse_text(&format!("BEGIN {{ {text}; }}"))?;
        let body = unit.items.into_iter().find_map(|item| match item {
            ast::Item::Clause(clause) => clause.body,
            ast::Item::Decl(_)
            | ast::Item::Inline(_)
            | ast::Item::Translator(_)
            | ast::Item::Provider(_)
            | ast::Item::Pragma(_) => None,
        });
        let body = Rc::new(body.unwrap_or_default());
        self.derived.parsed.insert(text.to_owned(), body.clone());
        Ok(body)
    }

    fn parse_text(&mut self, text: &str) -> Result<ast::Unit, String> {
        let unit = syntax::parse(ParseInput {
            source: SOURCE,
            text,
            library: false,
            bare_specs: false,
            depth: SpecDepth::Name,
            empty_ok: false,
            macros: &Macros::default(),
            types: self,
        });
        unit.map_err(|errors| match errors.into_iter().next() {
            Some(error) => error.message,
            None => String::new(),
        })
    }

    fn unfit<T>(&self, probe: &Probe, why: &str, span: Span) -> R<T> {
        let Probe { provider, name, .. } = probe;
        let text = format!("probe {provider}:::{name} does not fit this kernel: {why}");
        self.fail(Tag::D_PDESC_INVAL, span, text)
    }
}
