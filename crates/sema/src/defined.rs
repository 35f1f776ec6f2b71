//! Arguments of the probes that applications define: by the definition of their provider, which the program or a library
//! has, or which the application brings along (`.note.dtrace`).

use std::collections::HashMap;
use std::rc::Rc;

use ctypes::{Kind, TypeGraph, TypeId};
use diag::{Span, Tag};
use image::{ArgSource, Probe, Site};
use syntax::{Macros, ParseInput, SpecDepth, ast};

use crate::compiler::Compiler;
use crate::provider::ProbeDef;
use crate::typed::{R, Typed};
use crate::world::ArgDesc;

/// Number of the source of definitions that applications bring: places in them are where the program uses them.
const SOURCE: u32 = u32::MAX;

/// Probes whose applications bring definitions.
#[derive(Default)]
pub(crate) struct Brought {
    /// By provider and probe; `Err`: why the definition does not fit.
    probes: HashMap<(String, String), Result<Rc<ProbeDef>, String>>,
    /// Definitions that have been read.
    read: HashMap<Rc<str>, ()>,
}

/// The name of a provider without the number of its process; `None` for what no application defines.
fn provider_of(probe: &Probe) -> Option<&str> {
    let name = probe
        .provider
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == image::EVERY);
    (probe.site == Site::User && name != "pid").then_some(name)
}

impl Compiler<'_> {
    /// The definition that all probes of a clause have in common, if there is one.
    pub(crate) fn defined_among(&mut self, probes: &[Probe]) -> Option<Rc<ProbeDef>> {
        let (first, rest) = probes.split_first()?;
        let provider = provider_of(first)?;
        let same = |p: &Probe| provider_of(p) == Some(provider) && p.name == first.name;
        if !rest.iter().all(same) {
            return None;
        }
        self.definition(first)
    }

    /// What is known of a probe's arguments from a definition.
    pub(crate) fn definition(&mut self, probe: &Probe) -> Option<Rc<ProbeDef>> {
        let provider = provider_of(probe)?;
        if let Some(own) = self.providers.get(provider).filter(|p| p.is_defined()) {
            let found = own.probes.iter().find(|p| *p.name == *probe.name);
            return found.cloned().map(Rc::new);
        }
        if let Some(text) = self.world.interface(probe)
            && self.brought.read.insert(text.clone(), ()).is_none()
        {
            self.read_brought(provider, &text);
        }
        let key = (provider.to_owned(), probe.name.to_string());
        self.brought.probes.get(&key)?.as_ref().ok().cloned()
    }

    /// Why a definition that an application brings cannot be used: types that nobody knows here.
    pub(crate) fn unfit_definition(&self, probe: &Probe) -> Option<String> {
        let key = (provider_of(probe)?.to_owned(), probe.name.to_string());
        self.brought.probes.get(&key)?.as_ref().err().cloned()
    }

    /// Takes each probe for itself: one whose types are unknown does not spoil the others.
    fn read_brought(&mut self, provider: &str, text: &str) {
        for line in text.lines().map(str::trim) {
            let Some(rest) = line.strip_prefix("probe ") else {
                continue;
            };
            let name = rest.split('(').next().unwrap_or_default().trim();
            let key = (provider.to_owned(), name.replace("__", "-"));
            let found = self
                .brought_probe(provider, line)
                .map_err(|e| e.message.clone());
            self.brought.probes.insert(key, found.map(Rc::new));
        }
    }

    fn brought_probe(&mut self, provider: &str, line: &str) -> R<ProbeDef> {
        let unit = syntax::parse(ParseInput {
            source: SOURCE,
            text: &format!("provider {provider} {{ {line} }};"),
            library: true,
            bare_specs: false,
            depth: SpecDepth::Name,
            empty_ok: true,
            macros: &Macros::default(),
            types: self,
        });
        let unknown = Span::default();
        let unit = match unit {
            Ok(unit) => unit,
            Err(mut errors) if !errors.is_empty() => return Err(Box::new(errors.swap_remove(0))),
            Err(_) => return self.fail(Tag::D_SYNTAX, unknown, "no definition"),
        };
        match unit.items.as_slice() {
            [ast::Item::Provider(def)] if def.probes.len() == 1 => {
                self.provider_probe(provider, &def.probes[0])
            }
            _ => self.fail(Tag::D_SYNTAX, unknown, "no definition of a probe"),
        }
    }

    /// `args[n]` by a definition: the native argument that it maps, translated if the types differ.
    pub(crate) fn defined_arg(&mut self, def: &ProbeDef, n: u64, span: Span) -> R<Typed> {
        let at = usize::try_from(n).ok();
        let Some((at, output)) = at.and_then(|n| Some((n, *def.xlated.get(n)?))) else {
            let what = &self.cx.description;
            let text = format!("index {} is out of range for {what} args[ ]", n as i64);
            return self.fail(Tag::D_ARGS_IDX, span, text);
        };
        let from = def.input_of(at);
        let Some(native) = def.args.get(from).copied() else {
            return self.fail(
                Tag::D_ARGS_IDX,
                span,
                format!("args[{n}] is mapped from no argument of the probe"),
            );
        };
        let ty = userland(&mut self.graph, native);
        let value = self.arg_value(
            &ArgDesc {
                ty,
                source: ArgSource::Operand(from as u8),
                trusted: false,
            },
            span,
        );
        let integers = self.graph.is_integral(native) && self.graph.is_integral(output);
        if self.graph.same(native, output) {
            Ok(value)
        } else if integers {
            let expr = self.convert(value, output)?;
            Ok(Typed::value(output, expr, span))
        } else {
            self.translated(output, value, span)
        }
    }

    /// Types of `args[]` as `-l -v` shows them, if a definition tells.
    pub fn defined_types(&mut self, probe: &Probe) -> Option<Result<Vec<String>, String>> {
        if let Some(def) = self.definition(probe) {
            let names = def.xlated.iter().map(|ty| self.graph.name(*ty));
            return Some(Ok(names.collect()));
        }
        self.unfit_definition(probe).map(Err)
    }
}

/// A pointer of an application's points into its memory.
fn userland(graph: &mut TypeGraph, ty: TypeId) -> TypeId {
    match *graph.base(ty) {
        Kind::Pointer { to, .. } => graph.add(Kind::Pointer { to, user: true }),
        _ => ty,
    }
}
