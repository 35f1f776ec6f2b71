//! D libraries, read when a program first needs a name that one of them defines (reference §7, §8).
//!
//! A library fits the running kernel as far as it can: a definition that does not is left out, with the reason kept for
//! whoever asks for it, and a translator's members are only checked when they are used. So no library can break a
//! program that does not need it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use diag::{Diagnostic, Span, Tag};
use syntax::{Macros, ParseInput, SpecDepth, ast};

use crate::compiler::{Compiler, Context};
use crate::inline::InlineDef;
use crate::typed::R;
use crate::vars::Entity;
use crate::world::ProbePattern;

/// Sources of libraries are numbered from here, so that they are in no source map.
const FIRST_SOURCE: u32 = 1 << 31;

/// A library as it was found.
#[derive(Clone, Debug)]
pub struct Library {
    /// Its name in `depends_on` and in messages.
    pub name: String,
    /// Its text.
    pub text: LibraryText,
}

/// The text of a library.
#[derive(Clone, Debug)]
pub enum LibraryText {
    /// As it was written.
    Written(Cow<'static, str>),
    /// Made when it is first needed.
    Made {
        /// The names it will define.
        names: &'static [&'static str],
        /// Makes it.
        make: fn() -> String,
    },
}

/// How far a library has been read.
#[derive(Clone, PartialEq, Eq)]
enum State {
    Unread,
    /// Being read, or usable.
    Read,
    /// Unusable, and why.
    Unfit(String),
}

struct Entry {
    name: String,
    text: LibraryText,
    state: State,
}

/// All libraries, and where names come from.
#[derive(Default)]
pub(crate) struct Libraries {
    entries: Vec<Entry>,
    by_name: HashMap<String, Vec<usize>>,
    /// Definitions that do not fit, and why.
    unfit: HashMap<String, String>,
    /// Inlines that the program has used.
    used: HashSet<String>,
    /// The library being read.
    reading: Option<usize>,
}

/// Whether a span is in a library.
pub(crate) fn in_library(span: Span) -> bool {
    span.source >= FIRST_SOURCE
}

impl Libraries {
    /// Whether what is analysed now is the text of a library.
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }

    /// Why a name that libraries should define has no meaning.
    pub fn reason(&self, name: &str) -> Option<String> {
        if let Some(why) = self.unfit.get(name) {
            return Some(why.clone());
        }
        let libraries = self.by_name.get(name)?;
        libraries
            .iter()
            .find_map(|i| match &self.entries.get(*i)?.state {
                State::Unfit(why) => Some(why.clone()),
                State::Unread | State::Read => None,
            })
    }

    /// An error in a library's text: the library, the line, the message.
    pub fn describe(&self, error: &Diagnostic) -> String {
        let at = error.span.source.checked_sub(FIRST_SOURCE);
        let Some(entry) = at.and_then(|at| self.entries.get(at as usize)) else {
            return error.message.clone();
        };
        let LibraryText::Written(text) = &entry.text else {
            return format!("library {}: {}", entry.name, error.message);
        };
        let upto = text.as_bytes().get(..error.span.start as usize);
        let line = upto.map_or(1, |t| t.iter().filter(|b| **b == b'\n').count() + 1);
        format!("library {}, line {line}: {}", entry.name, error.message)
    }
}

impl Compiler<'_> {
    /// Makes libraries known; those that come first win.
    pub fn add_libraries(&mut self, libraries: Vec<Library>) {
        let known = &mut self.libraries;
        for library in libraries {
            let at = known.entries.len();
            let names = match &library.text {
                LibraryText::Written(text) => syntax::defined_names(text),
                LibraryText::Made { names, .. } => names.to_vec(),
            };
            for name in names {
                match known.by_name.get_mut(name) {
                    Some(list) if list.contains(&at) => {}
                    Some(list) => list.push(at),
                    None => {
                        known.by_name.insert(name.to_owned(), vec![at]);
                    }
                }
            }
            known.entries.push(Entry {
                name: library.name,
                text: library.text,
                state: State::Unread,
            });
        }
    }

    /// Reads the libraries that define a name.
    pub(crate) fn require(&mut self, name: &str) {
        let Some(list) = self.libraries.by_name.get(name) else {
            return;
        };
        if self.enumerators.contains_key(name) {
            return;
        }
        let unread = |i: &&usize| self.libraries.entries[**i].state == State::Unread;
        if list.iter().any(|i| unread(&i)) {
            for at in list.clone() {
                self.read_library(at);
            }
        }
    }

    fn read_library(&mut self, at: usize) {
        let Some(entry) = self.libraries.entries.get_mut(at) else {
            return;
        };
        if entry.state != State::Unread {
            return;
        }
        entry.state = State::Read;
        let text = match &entry.text {
            LibraryText::Written(text) => text.clone(),
            LibraryText::Made { make, .. } => make().into(),
        };
        let outer = self.libraries.reading.replace(at);
        let cx = std::mem::take(&mut self.cx);
        let pending = std::mem::take(&mut self.pending);
        let (stability, destructive) = (self.stability, self.destructive);
        let outcome = self.library_items(at, &text);
        (self.stability, self.destructive) = (stability, destructive);
        self.pending = pending;
        self.cx = cx;
        self.libraries.reading = outer;
        if let (Err(why), Some(entry)) = (outcome, self.libraries.entries.get_mut(at)) {
            entry.state = State::Unfit(why);
        }
    }

    fn library_items(&mut self, at: usize, text: &str) -> Result<(), String> {
        let unit = syntax::parse(ParseInput {
            source: FIRST_SOURCE + at as u32,
            text,
            library: true,
            bare_specs: false,
            depth: SpecDepth::Name,
            empty_ok: true,
            macros: &Macros::default(),
            types: self,
        });
        let unit = unit.map_err(|errors| match errors.first() {
            Some(error) => self.libraries.describe(error),
            None => String::new(),
        })?;
        self.begin_pragmas();
        for item in &unit.items {
            self.cx = Context::default();
            if let ast::Item::Pragma(p) = item
                && p.name == "depends_on"
            {
                self.library_depends(p)?;
                continue;
            }
            if let Err(error) = self.library_item(item) {
                let why = self.libraries.describe(&error);
                for name in item_names(item) {
                    self.libraries.unfit.insert(name, why.clone());
                }
            }
        }
        Ok(())
    }

    fn library_item(&mut self, item: &ast::Item) -> R<()> {
        match item {
            ast::Item::Clause(clause) => self.fail(
                Tag::D_PRAGMA_SCOPE,
                clause.span,
                "a library cannot enable probes",
            ),
            ast::Item::Decl(decl) => self.declaration(decl),
            ast::Item::Inline(def) => self.inline_definition(def),
            ast::Item::Translator(def) => self.translator_definition(def),
            ast::Item::Provider(def) => self.provider_definition(def),
            ast::Item::Pragma(pragma) => self.pragma(pragma),
        }
    }

    /// What a library needs; `Err`: why it cannot be used.
    fn library_depends(&mut self, pragma: &ast::Pragma) -> Result<(), String> {
        let words: Vec<&str> = pragma.words.iter().map(String::as_str).collect();
        let pattern = match words.as_slice() {
            ["library", name, ..] => return self.depends_on_library(name),
            ["provider", name, ..] => ProbePattern {
                provider: (*name).to_owned(),
                ..ProbePattern::default()
            },
            ["module", name, ..] => ProbePattern {
                module: (*name).to_owned(),
                ..ProbePattern::default()
            },
            _ => {
                let text = "malformed #pragma depends_on <class> <name>";
                let error = self.error(Tag::D_PRAGMA_MALFORM, pragma.span, text);
                return Err(self.libraries.describe(&error));
            }
        };
        match self.world.probes(&pattern) {
            Ok(probes) if !probes.is_empty() => Ok(()),
            Ok(_) | Err(_) => {
                let text = format!("library requires {}", words.join(" "));
                let error = self.error(Tag::D_PRAGMA_DEPEND, pragma.span, text);
                Err(self.libraries.describe(&error))
            }
        }
    }

    fn depends_on_library(&mut self, name: &str) -> Result<(), String> {
        let entries = &self.libraries.entries;
        let Some(at) = entries.iter().position(|e| e.name == name) else {
            return Err(format!("there is no library {name}"));
        };
        self.read_library(at);
        match self.libraries.entries.get(at).map(|e| &e.state) {
            Some(State::Unfit(why)) => Err(format!("it requires library {name}: {why}")),
            Some(State::Read | State::Unread) | None => Ok(()),
        }
    }

    /// A program defines a name: a library's inline gives way.
    pub(crate) fn take_name(&mut self, name: &str) {
        if self.gives_way(name) {
            self.globals.remove(name);
        }
    }

    /// Whether a name is a library's inline that the program has not used.
    pub(crate) fn gives_way(&self, name: &str) -> bool {
        let Some(Entity::Inline(at)) = self.globals.get(name) else {
            return false;
        };
        let library = self.inlines.get(*at).is_some_and(|i| i.library);
        library && !self.libraries.is_reading() && !self.libraries.used.contains(name)
    }

    /// The program uses an inline: if it is a library's, the name is no longer free.
    pub(crate) fn note_use(&mut self, def: &InlineDef, span: Span) {
        if def.library && !in_library(span) {
            self.libraries.used.insert(def.name.clone());
        }
    }

    /// An error in a library's text becomes one of the program, where it uses the library.
    pub(crate) fn where_used<T>(&self, result: R<T>, span: Span) -> R<T> {
        result.map_err(|mut error| {
            if in_library(error.span) && !in_library(span) {
                error.help = Some(self.libraries.describe(&error));
                error.span = span;
                error.region = self.cx.region.unwrap_or(diag::Region::None);
            }
            error
        })
    }
}

/// Names that an item would have defined.
fn item_names(item: &ast::Item) -> Vec<String> {
    let declared = |d: &ast::Declarator| d.name.as_ref().map(|(n, _)| n.clone());
    match item {
        ast::Item::Inline(def) => declared(&def.declr).into_iter().collect(),
        ast::Item::Decl(decl) => decl.declrs.iter().filter_map(declared).collect(),
        ast::Item::Clause(_)
        | ast::Item::Translator(_)
        | ast::Item::Provider(_)
        | ast::Item::Pragma(_) => Vec::new(),
    }
}
