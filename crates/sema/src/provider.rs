//! `provider` definitions: checked and kept for those who list or build them (reference §22.1).

use std::collections::HashMap;

use ctypes::TypeId;
use diag::{Span, Tag};
use lang::Stability;
use syntax::ast;

use crate::compiler::Compiler;
use crate::library::in_library;
use crate::typed::R;

/// A provider of the program, as those need it who build it into an application (`dtrace -h`, `dtrace -G`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name.
    pub name: String,
    /// Its definition and its attributes as D text.
    pub text: String,
    /// Its probes in order.
    pub probes: Vec<InterfaceProbe>,
}

/// A probe of an [`Interface`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceProbe {
    /// Name as C writes it (`request__start`).
    pub name: String,
    /// Native arguments.
    pub args: Vec<InterfaceArg>,
}

/// An argument of an [`InterfaceProbe`]: an integer or a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceArg {
    /// Size: 1, 2, 4 or 8.
    pub bytes: u8,
    /// A signed integer.
    pub signed: bool,
    /// A pointer.
    pub pointer: bool,
}

/// Longest provider and probe names, the NUL counted.
const MAX_NAME: usize = 64;
/// Most arguments of a probe.
const MAX_ARGS: usize = 32;

/// A provider as D text defines it.
#[derive(Clone, Debug, Default)]
pub struct ProviderDef {
    /// Its probes in order.
    pub probes: Vec<ProbeDef>,
    /// Attributes by component (`provider`, `module`, `function`, `name`, `args`).
    pub stability: HashMap<String, Stability>,
    defined: bool,
    /// It is a library's.
    library: bool,
}

/// A probe of a provider definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeDef {
    /// Name as D shows it (`__` is `-`).
    pub name: String,
    /// Types of the native arguments.
    pub args: Vec<TypeId>,
    /// Types of the translated arguments.
    pub xlated: Vec<TypeId>,
    /// Names of the native and of the translated arguments, empty where there is none.
    names: [Vec<String>; 2],
    has_output: bool,
}

impl ProviderDef {
    /// Whether its probes have been defined (not only attributes given).
    pub(crate) fn is_defined(&self) -> bool {
        self.defined
    }
}

impl ProbeDef {
    /// Index of the native argument that an output argument comes from: the one of its name, or that at its place.
    pub(crate) fn input_of(&self, output: usize) -> usize {
        let [names, xlated] = &self.names;
        let name = xlated.get(output).filter(|name| !name.is_empty());
        name.and_then(|name| names.iter().position(|own| own == name))
            .unwrap_or(output)
    }
}

impl Compiler<'_> {
    /// The provider definitions so far, by name.
    pub fn provider_definitions(&self) -> impl Iterator<Item = (&str, &ProviderDef)> {
        self.providers
            .iter()
            .filter(|(_, p)| p.defined)
            .map(|(n, p)| (n.as_str(), p))
    }

    /// The providers that the program (no library) defines, by name. `Err`: what no probe site can pass.
    pub fn interfaces(&self) -> Result<Vec<Interface>, String> {
        let mut own: Vec<_> = self
            .provider_definitions()
            .filter(|(_, def)| !def.library)
            .collect();
        own.sort_by_key(|(name, _)| *name);
        own.into_iter()
            .map(|(name, def)| self.interface(name, def))
            .collect()
    }

    fn interface(&self, provider: &str, def: &ProviderDef) -> Result<Interface, String> {
        let mut probes = Vec::new();
        for probe in &def.probes {
            let mut args = Vec::new();
            for (i, ty) in probe.args.iter().enumerate() {
                let arg = self.interface_arg(*ty).ok_or_else(|| {
                    format!(
                        "{provider}:::{} argument #{} is a {}: only integers and pointers can be passed",
                        probe.name,
                        i + 1,
                        self.graph.name(*ty)
                    )
                })?;
                args.push(arg);
            }
            let name = probe.name.replace('-', "__");
            probes.push(InterfaceProbe { name, args });
        }
        Ok(Interface {
            name: provider.to_owned(),
            text: self.interface_text(provider, def),
            probes,
        })
    }

    fn interface_arg(&self, ty: TypeId) -> Option<InterfaceArg> {
        let pointer = self.graph.pointee(ty).is_some() || self.graph.is_string(ty);
        if pointer {
            return Some(InterfaceArg {
                bytes: 8,
                signed: false,
                pointer,
            });
        }
        let bytes = self.graph.size(ty)?;
        let whole = self.graph.is_integral(ty) && matches!(bytes, 1 | 2 | 4 | 8);
        whole.then_some(InterfaceArg {
            bytes: bytes as u8,
            signed: self.graph.is_signed(ty),
            pointer,
        })
    }

    fn interface_text(&self, provider: &str, def: &ProviderDef) -> String {
        let list = |types: &[TypeId], names: &[String]| {
            let declared = types.iter().enumerate().map(|(i, ty)| {
                self.graph
                    .declare(*ty, names.get(i).map_or("", String::as_str))
            });
            declared.collect::<Vec<_>>().join(", ")
        };
        let mut text = format!("provider {provider} {{\n");
        for probe in &def.probes {
            let [names, xlated] = &probe.names;
            text += &format!(
                "\tprobe {}({})",
                probe.name.replace('-', "__"),
                list(&probe.args, names)
            );
            if probe.has_output {
                text += &format!(" : ({})", list(&probe.xlated, xlated));
            }
            text += ";\n";
        }
        text += "};\n";
        let mut attributes: Vec<_> = def.stability.iter().collect();
        attributes.sort_by_key(|(component, _)| component.as_str());
        for (component, stability) in attributes {
            text += &format!("#pragma D attributes {stability} provider {provider} {component}\n");
        }
        text
    }

    pub(crate) fn provider_attributes(
        &mut self,
        provider: &str,
        component: Option<&str>,
        stability: Stability,
    ) {
        let def = self.providers.entry(provider.to_owned()).or_default();
        def.stability
            .insert(component.unwrap_or("provider").to_owned(), stability);
    }

    pub(crate) fn provider_definition(&mut self, def: &ast::Provider) -> R<()> {
        self.provider_name(&def.name, def.span)?;
        let mut probes: Vec<ProbeDef> = Vec::new();
        for probe in &def.probes {
            let found = self.provider_probe(&def.name, probe)?;
            if probes.iter().any(|p| p.name == found.name) {
                let text = format!("probe redeclared: {}:{}", def.name, found.name);
                return self.fail(Tag::D_PROV_PRDUP, probe.span, text);
            }
            probes.push(found);
        }
        if let Some(known) = self.providers.get(&def.name).filter(|p| p.defined) {
            self.same_interface(&def.name, &known.probes, &probes, def.span)?;
        }
        let known = self.providers.entry(def.name.clone()).or_default();
        known.probes = probes;
        known.defined = true;
        known.library = in_library(def.span);
        Ok(())
    }

    fn provider_name(&self, name: &str, span: Span) -> R<()> {
        let bad = |text: String| self.fail(Tag::D_PROV_BADNAME, span, text);
        if name.contains('`') {
            return bad(format!(
                "provider name may not contain scoping operator: {name}"
            ));
        }
        if name.len() >= MAX_NAME {
            return bad(format!(
                "provider name may not exceed {} characters: {name}",
                MAX_NAME - 1
            ));
        }
        if name.ends_with(|c: char| c.is_ascii_digit()) {
            return bad(format!("provider name may not end with a digit: {name}"));
        }
        Ok(())
    }

    pub(crate) fn provider_probe(
        &mut self,
        provider: &str,
        probe: &ast::ProviderProbe,
    ) -> R<ProbeDef> {
        let name = probe.name.replace("__", "-");
        let bad = |c: &Self, text: String| c.fail(Tag::D_PROV_BADNAME, probe.span, text);
        if name.contains('`') {
            return bad(
                self,
                format!("probe name may not contain scoping operator: {name}"),
            );
        }
        if name.len() >= MAX_NAME {
            return bad(
                self,
                format!(
                    "probe name may not exceed {} characters: {name}",
                    MAX_NAME - 1
                ),
            );
        }
        let args = self.prototype(&probe.args)?;
        let xlated = match &probe.xlated {
            Some(params) => self.prototype(params)?,
            None => args.clone(),
        };
        for (what, count) in [("input", args.len()), ("output", xlated.len())] {
            if count > MAX_ARGS {
                let text = format!(
                    "probe {name} {what} prototype exceeds {MAX_ARGS} parameters: {count} params used"
                );
                return self.fail(Tag::D_PROV_PRARGLEN, probe.span, text);
            }
        }
        if let Some(params) = &probe.xlated {
            self.mapped(provider, probe, params, (&args, &xlated))?;
        }
        let names = [Some(&probe.args), probe.xlated.as_ref()].map(|params| {
            let params = params.into_iter().flatten();
            params
                .map(|p| {
                    p.declr
                        .name
                        .as_ref()
                        .map_or_else(String::new, |n| n.0.clone())
                })
                .collect()
        });
        Ok(ProbeDef {
            name,
            args,
            xlated,
            names,
            has_output: probe.xlated.is_some(),
        })
    }

    /// Every output argument must come from an input of the same name, by a translator if the types differ.
    fn mapped(
        &self,
        provider: &str,
        probe: &ast::ProviderProbe,
        params: &[ast::Param],
        types: (&[TypeId], &[TypeId]),
    ) -> R<()> {
        let (args, xlated) = types;
        for (i, (param, to)) in params.iter().zip(xlated).enumerate() {
            let name = param.declr.name.as_ref().map(|(n, _)| n);
            let by_name = name.and_then(|n| {
                probe
                    .args
                    .iter()
                    .position(|a| a.declr.name.as_ref().is_some_and(|(m, _)| m == n))
            });
            let Some(from) = args.get(by_name.unwrap_or(i)) else {
                continue;
            };
            let output = self.graph.pointee(*to).unwrap_or(*to);
            let translator = || {
                self.xlators
                    .iter()
                    .any(|x| self.graph.same(x.output, output) && self.graph.same(x.input, *from))
            };
            let scalars = self.graph.is_integral(*from) && self.graph.is_integral(*to);
            if !scalars && !self.graph.same(*from, *to) && !translator() {
                let text = format!(
                    "translator for {provider}:{} output argument #{} from {} to {} is not defined",
                    probe.name.replace("__", "-"),
                    i + 1,
                    self.graph.name(*from),
                    self.graph.name(*to)
                );
                return self.fail(Tag::D_PROV_PRXLATOR, probe.span, text);
            }
        }
        Ok(())
    }

    /// A provider may be declared again only as it was.
    fn same_interface(
        &self,
        provider: &str,
        old: &[ProbeDef],
        new: &[ProbeDef],
        span: Span,
    ) -> R<()> {
        let bad = |text: String| self.fail(Tag::D_PROV_INCOMPAT, span, text);
        for probe in old {
            let name = &probe.name;
            let Some(now) = new.iter().find(|p| p.name == *name) else {
                return bad(format!(
                    "provider interface mismatch: {provider}\n\t current: probe {provider}:{name} not defined\n\tprevious: probe {provider}:{name} defined"
                ));
            };
            let word = |p: &ProbeDef| if p.has_output { "an" } else { "no" };
            if now.has_output != probe.has_output {
                return bad(format!(
                    "provider interface mismatch: {provider}\n\t current: probe {provider}:{name} has {} output prototype\n\tprevious: probe {provider}:{name} has {} output prototype",
                    word(now),
                    word(probe)
                ));
            }
            for (what, x, y) in [
                ("input", &now.args, &probe.args),
                ("output", &now.xlated, &probe.xlated),
            ] {
                self.same_arguments(
                    &format!("probe {provider}:{name} {what} prototype"),
                    x,
                    y,
                    span,
                )?;
            }
        }
        if let Some(extra) = new.iter().find(|p| !old.iter().any(|o| o.name == p.name)) {
            let name = &extra.name;
            return bad(format!(
                "provider interface mismatch: {provider}\n\t current: probe {provider}:{name} defined\n\tprevious: probe {provider}:{name} not defined"
            ));
        }
        Ok(())
    }

    fn same_arguments(&self, what: &str, now: &[TypeId], old: &[TypeId], span: Span) -> R<()> {
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        if now.len() != old.len() {
            let text = format!(
                "{what} mismatch:\n\t current: {} arg{}\n\tprevious: {} arg{}",
                now.len(),
                plural(now.len()),
                old.len(),
                plural(old.len())
            );
            return self.fail(Tag::D_PROV_INCOMPAT, span, text);
        }
        match now
            .iter()
            .zip(old)
            .position(|(a, b)| !self.graph.same(*a, *b))
        {
            Some(i) => {
                let text = format!(
                    "{what} argument #{} mismatch:\n\t current: {}\n\tprevious: {}",
                    i + 1,
                    self.graph.name(now[i]),
                    self.graph.name(old[i])
                );
                self.fail(Tag::D_PROV_INCOMPAT, span, text)
            }
            None => Ok(()),
        }
    }
}
