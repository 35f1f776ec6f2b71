//! `#pragma D attributes`, `binding` and `depends_on`: what they say about later definitions (reference §9).

use std::collections::HashMap;
use std::rc::Rc;

use diag::{Span, Tag};
use lang::{Stability, Version};
use syntax::ast;

use crate::compiler::Compiler;
use crate::hir::Scope;
use crate::typed::R;
use crate::vars::{Entity, VarName};
use crate::world::ProbePattern;

/// Pragmas that wait for the definition they are about.
#[derive(Default)]
pub(crate) struct Pending {
    by_name: HashMap<String, Waiting>,
    translator: Waiting,
    first_inline: usize,
}

#[derive(Clone, Copy, Default)]
struct Waiting {
    stability: Option<Stability>,
    since: Option<Version>,
    /// The last pragma about it: its name for messages and where it stands.
    pragma: Option<(&'static str, Span)>,
}

/// What a pragma says.
#[derive(Clone, Copy)]
enum Says {
    Stability(Stability),
    Since(Version),
}

impl Waiting {
    fn note(&mut self, says: Says, span: Span) {
        match says {
            Says::Stability(s) => {
                self.stability = Some(s);
                self.pragma = Some(("attributes", span));
            }
            Says::Since(v) => {
                self.since = Some(v);
                self.pragma = Some(("binding", span));
            }
        }
    }

    fn take(self) -> (Stability, Version) {
        (
            self.stability.unwrap_or(Stability::STABLE),
            self.since.unwrap_or(Version::FIRST),
        )
    }
}

impl Compiler<'_> {
    /// A new text begins: pragmas may modify what it defines, not what earlier texts did.
    pub(crate) fn begin_pragmas(&mut self) {
        self.pending = Pending {
            first_inline: self.inlines.len(),
            ..Pending::default()
        };
    }

    pub(crate) fn pragma(&mut self, pragma: &ast::Pragma) -> R<()> {
        let words: Vec<&str> = pragma.words.iter().map(String::as_str).collect();
        match pragma.name.as_str() {
            "attributes" => self.attributes(&words, pragma.span),
            "binding" => self.binding(&words, pragma.span),
            "depends_on" => self.depends_on(&words, pragma.span),
            other => self.fail(
                Tag::D_PRAGMA_INVAL,
                pragma.span,
                format!("invalid D pragma: {other}"),
            ),
        }
    }

    fn attributes(&mut self, words: &[&str], span: Span) -> R<()> {
        let [attributes, name, rest @ ..] = words else {
            let text = "malformed #pragma attributes <attributes> <ident>";
            return self.fail(Tag::D_PRAGMA_MALFORM, span, text);
        };
        let Some(stability) = Stability::parse(attributes) else {
            let text = "invalid attributes specified by #pragma attributes";
            return self.fail(Tag::D_PRAGMA_INVAL, span, text);
        };
        if let ("provider", [provider, ..]) = (*name, rest) {
            self.provider_attributes(provider, rest.get(1).copied(), stability);
            return Ok(());
        }
        self.apply(name, Says::Stability(stability), span)
    }

    fn binding(&mut self, words: &[&str], span: Span) -> R<()> {
        let [version, name, ..] = words else {
            return self.fail(
                Tag::D_PRAGMA_MALFORM,
                span,
                "malformed #pragma binding \"version\" <ident>",
            );
        };
        let Some(version) = Version::parse(version.trim_matches('"')) else {
            let text = "invalid version string specified by #pragma binding";
            return self.fail(Tag::D_PRAGMA_INVAL, span, text);
        };
        self.apply(name, Says::Since(version), span)
    }

    fn apply(&mut self, name: &str, says: Says, span: Span) -> R<()> {
        if name == "translator" {
            self.pending.translator.note(says, span);
            return Ok(());
        }
        let var = VarName {
            scope: Scope::Global,
            name,
        };
        let foreign = |c: &Self| {
            let text = "cannot modify entity defined outside program scope";
            let pragma = match says {
                Says::Stability(_) => "attributes",
                Says::Since(_) => "binding",
            };
            c.fail(
                Tag::D_PRAGMA_SCOPE,
                span,
                format!("#pragma {pragma} {text}"),
            )
        };
        match self.entity(var) {
            Some(Entity::Inline(at)) if at >= self.pending.first_inline => {
                if let Some(def) = Rc::get_mut(&mut self.inlines[at]) {
                    match says {
                        Says::Stability(s) => def.stability = s,
                        Says::Since(v) => def.since = v,
                    }
                }
                Ok(())
            }
            Some(Entity::Inline(_)) => foreign(self),
            Some(Entity::Var(_) | Entity::Assoc(_)) => {
                match says {
                    // A variable's attributes are its data's; nothing depends on them.
                    Says::Stability(_) => {}
                    Says::Since(v) if v > self.opts.version => {
                        self.too_new.insert(name.to_owned());
                    }
                    Says::Since(_) => {
                        self.too_new.remove(name);
                    }
                }
                Ok(())
            }
            None if self.builtin(name).is_some() => foreign(self),
            None => {
                self.pending
                    .by_name
                    .entry(name.to_owned())
                    .or_default()
                    .note(says, span);
                Ok(())
            }
        }
    }

    /// Refuses a variable that `#pragma D binding` hides from the version in use.
    pub(crate) fn old_enough(&self, var: VarName<'_>, span: Span) -> R<()> {
        if var.scope != Scope::Global || !self.too_new.contains(var.name) {
            return Ok(());
        }
        let text = format!("failed to resolve {}: Unknown variable name", var.name);
        self.fail(Tag::D_IDENT_UNDEF, span, text)
    }

    /// What pragmas said about a name that is now defined.
    pub(crate) fn take_pending(&mut self, name: &str) -> (Stability, Version) {
        self.pending.by_name.remove(name).unwrap_or_default().take()
    }

    /// What pragmas said about the next translator.
    pub(crate) fn take_pending_translator(&mut self) -> (Stability, Version) {
        std::mem::take(&mut self.pending.translator).take()
    }

    /// Nothing may wait at the end of a text.
    pub(crate) fn check_pending(&mut self) -> R<()> {
        let named = self.pending.by_name.iter();
        let mut left: Vec<(&'static str, Span)> = named
            .filter(|(n, _)| !self.globals.contains_key(*n))
            .filter_map(|(_, w)| w.pragma)
            .collect();
        left.extend(self.pending.translator.pragma);
        left.sort_by_key(|(_, span)| span.start);
        match left.first() {
            Some((name, span)) => self.fail(
                Tag::D_PRAGMA_UNUSED,
                *span,
                format!("unused #pragma {name}"),
            ),
            None => Ok(()),
        }
    }

    fn depends_on(&mut self, words: &[&str], span: Span) -> R<()> {
        let [class, name, ..] = words else {
            return self.fail(
                Tag::D_PRAGMA_MALFORM,
                span,
                "malformed #pragma depends_on <class> <name>",
            );
        };
        let mut pattern = ProbePattern::default();
        match *class {
            "provider" => pattern.provider = (*name).to_owned(),
            "module" => pattern.module = (*name).to_owned(),
            "library" => {
                let text = "main program may not explicitly depend on a library";
                return self.fail(Tag::D_PRAGMA_DEPEND, span, text);
            }
            other => {
                let text = format!("invalid class {other} specified by #pragma depends_on");
                return self.fail(Tag::D_PRAGMA_INVAL, span, text);
            }
        }
        match self.world.probes(&pattern) {
            Ok(probes) if !probes.is_empty() => Ok(()),
            Ok(_) | Err(_) => self.fail(
                Tag::D_PRAGMA_DEPEND,
                span,
                format!("program requires {class} {name}"),
            ),
        }
    }
}
