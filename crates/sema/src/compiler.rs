//! The compiler's state over all texts of one command line, and its public face.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use ctypes::{NameKind, TypeGraph, TypeId};
use diag::{Diagnostic, Region, SourceMap, Span, Tag};
use image::Probe;
use lang::{Stability, Version};
use syntax::ast;

use crate::agg::AggInfo;
use crate::defined::Brought;
use crate::derived::DerivedProbes;
use crate::hir;
use crate::inline::InlineDef;
use crate::library::{Libraries, in_library};
use crate::lines::Lines;
use crate::pragma::Pending;
use crate::provider::ProviderDef;
use crate::typed::{R, Typed};
use crate::vars::{AssocInfo, Entity, VarInfo};
use crate::world::{ArgDesc, World};
use crate::xlate::Xlator;

/// What shapes a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Sizes and limits.
    pub limits: hir::Limits,
    /// A probe description may match no probe (`-Z`).
    pub zdefs: bool,
    /// Refuse what is less stable than this (`-x amin=`).
    pub amin: Option<Stability>,
    /// Language version (`-x version=`).
    pub version: Version,
    /// There is a target process (`-c`, `-p`): `%A` accepts numbers.
    pub target: bool,
    /// Variables to make wide, from [`Compiler::wide`] of an earlier analysis of the same texts.
    pub wide: Wide,
}

/// Variables without a declaration that begin as a narrow integer and are given a wider one later: what `x = 0;` makes must
/// hold a timestamp. All have 64 bits.
pub type Wide = BTreeSet<(hir::Scope, String)>;

impl Default for Options {
    fn default() -> Options {
        Options {
            limits: hir::Limits::default(),
            zdefs: false,
            amin: None,
            version: Version::CURRENT,
            target: false,
            wide: Wide::new(),
        }
    }
}

/// What compiling one text found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddInfo {
    /// Its probe descriptions, all four fields of each.
    pub descriptions: Vec<String>,
    /// Probes matched, summed over its probe descriptions.
    pub matched: usize,
    /// It uses destructive actions.
    pub destructive: bool,
    /// Minimum attributes over everything its statements use (`-v`).
    pub stability: Stability,
}

/// State while one probe description's clause (or one definition) is analysed.
#[derive(Default)]
pub(crate) struct Context {
    /// The probes the clause is for; `None` outside of clauses.
    pub probes: Option<Rc<Vec<Probe>>>,
    /// Text of the probe description.
    pub description: String,
    /// Typed arguments of the first probes, as far as somebody asked.
    pub args: Vec<Rc<Vec<ArgDesc>>>,
    /// Names bound by an inline's or a translator's body.
    pub bindings: Vec<(String, Typed)>,
    /// Part of the clause, for messages.
    pub region: Option<Region>,
    /// Nesting of expressions, expansions included.
    pub depth: u32,
    /// Nodes made by expansions in this clause.
    pub expanded: u32,
    /// A derived probe's own text is typed: the arguments of its site.
    pub native: Option<Rc<Vec<ArgDesc>>>,
    /// The clause uses arguments that its probes have, but not in the same place: it must be analysed for each.
    pub split: bool,
    /// What the clause is depends on its probes.
    pub by_probe: bool,
    /// The only place of its probe for which the clause is analysed.
    pub place: Option<usize>,
    /// Where the program uses what a library defines: the place of all code of that definition.
    pub used_at: Option<Span>,
}

/// Semantic analysis of all texts of one command line.
pub struct Compiler<'w> {
    pub(crate) world: &'w mut dyn World,
    pub(crate) opts: Options,
    pub(crate) graph: TypeGraph,
    /// D globals: variables, associative arrays, inlines.
    pub(crate) globals: HashMap<String, Entity>,
    /// Global variables that a `binding` pragma hides from the version in use.
    pub(crate) too_new: HashSet<String>,
    pub(crate) thread: HashMap<String, Entity>,
    pub(crate) local: HashMap<String, Entity>,
    pub(crate) vars: Vec<VarInfo>,
    pub(crate) assocs: Vec<AssocInfo>,
    /// Variables made by an assignment, and declared arrays of `int`.
    pub(crate) implicit: HashSet<(hir::Scope, String)>,
    pub(crate) wide: Wide,
    pub(crate) aggs: Vec<AggInfo>,
    pub(crate) agg_names: HashMap<String, usize>,
    pub(crate) inlines: Vec<Rc<InlineDef>>,
    pub(crate) xlators: Vec<Rc<Xlator>>,
    pub(crate) providers: HashMap<String, ProviderDef>,
    pub(crate) brought: Brought,
    /// Tags and typedefs declared in D, with where they are complete.
    pub(crate) declared: HashSet<(NameKind, String)>,
    pub(crate) enumerators: HashMap<String, TypeId>,
    pub(crate) pending: Pending,
    pub(crate) cx: Context,
    pub(crate) lines: Lines,
    pub(crate) clauses: Vec<hir::Clause>,
    pub(crate) probes: BTreeMap<u32, Probe>,
    pub(crate) stability: Stability,
    pub(crate) destructive: bool,
    /// Probe descriptions of the text that is compiled.
    pub(crate) descriptions: Vec<String>,
    pub(crate) hidden: u32,
    /// How many values were to be computed once.
    pub(crate) onces: u32,
    pub(crate) libraries: Libraries,
    pub(crate) derived: DerivedProbes,
}

/// Fallbacks for types that the identifier tables name, should the kernel's type data lack them.
const FALLBACK_TYPES: [(&str, &str); 6] = [
    ("gid_t", "uint32_t"),
    ("uid_t", "uint32_t"),
    ("dev_t", "uint32_t"),
    ("processorid_t", "int"),
    ("ipaddr_t *", "uint32_t *"),
    ("struct in6_addr *", "void *"),
];

impl<'w> Compiler<'w> {
    /// A compiler that knows D's own identifiers and what `world` tells.
    pub fn new(world: &'w mut dyn World, opts: Options) -> Compiler<'w> {
        let mut graph = world.types();
        graph.set_string_bytes(u64::from(opts.limits.strsize).next_multiple_of(8).max(8));
        let mut compiler = Compiler {
            world,
            opts,
            graph,
            globals: HashMap::new(),
            too_new: HashSet::new(),
            thread: HashMap::new(),
            local: HashMap::new(),
            vars: Vec::new(),
            assocs: Vec::new(),
            implicit: HashSet::new(),
            wide: Wide::new(),
            aggs: Vec::new(),
            agg_names: HashMap::new(),
            inlines: Vec::new(),
            xlators: Vec::new(),
            providers: HashMap::new(),
            brought: Brought::default(),
            declared: HashSet::new(),
            enumerators: HashMap::new(),
            pending: Pending::default(),
            cx: Context::default(),
            lines: Lines::default(),
            clauses: Vec::new(),
            probes: BTreeMap::new(),
            stability: Stability::STABLE,
            destructive: false,
            descriptions: Vec::new(),
            hidden: 0,
            onces: 0,
            libraries: Libraries::default(),
            derived: DerivedProbes::default(),
        };
        compiler.define_null();
        compiler
    }

    /// Analyses one text. On an error nothing of its clauses is kept; its definitions may be.
    pub fn add(
        &mut self,
        unit: &ast::Unit,
        sources: &SourceMap,
    ) -> Result<AddInfo, Vec<Diagnostic>> {
        self.lines = Lines::of(sources);
        self.stability = Stability::STABLE;
        self.destructive = false;
        self.descriptions.clear();
        self.begin_pragmas();
        let kept = self.clauses.len();
        match self.items(unit) {
            Ok(matched) => Ok(AddInfo {
                descriptions: std::mem::take(&mut self.descriptions),
                matched,
                destructive: self.destructive,
                stability: self.stability,
            }),
            Err(error) => {
                self.clauses.truncate(kept);
                self.cx = Context::default();
                self.pending = Pending::default();
                Err(vec![*error])
            }
        }
    }

    fn items(&mut self, unit: &ast::Unit) -> R<usize> {
        let mut matched = 0;
        for item in &unit.items {
            self.cx = Context::default();
            match item {
                ast::Item::Clause(clause) => matched += self.clause(clause)?,
                ast::Item::Decl(decl) => self.declaration(decl)?,
                ast::Item::Inline(def) => self.inline_definition(def)?,
                ast::Item::Translator(def) => self.translator_definition(def)?,
                ast::Item::Provider(def) => self.provider_definition(def)?,
                ast::Item::Pragma(pragma) => self.pragma(pragma)?,
            }
        }
        self.check_pending()?;
        Ok(matched)
    }

    /// The typed program of all texts added.
    pub fn finish(self) -> hir::Program {
        let index: HashMap<u32, u32> = self
            .probes
            .keys()
            .enumerate()
            .map(|(i, id)| (*id, i as u32))
            .collect();
        let mut clauses = self.clauses;
        for clause in &mut clauses {
            let mut at: Vec<u32> = clause
                .probes
                .iter()
                .filter_map(|id| index.get(id).copied())
                .collect();
            at.sort_unstable();
            at.dedup();
            clause.probes = at;
        }
        let world = self.world;
        let mut derived = self.derived;
        let probes = self
            .probes
            .into_values()
            .map(|probe| {
                let raw_args = if derived.is_derived(probe.id) {
                    Vec::new()
                } else {
                    world.raw_args(&probe)
                };
                let places = derived.places_of(&probe);
                hir::EnabledProbe {
                    probe,
                    raw_args,
                    places,
                }
            })
            .collect();
        hir::Program {
            probes,
            clauses,
            vars: self.vars.into_iter().map(VarInfo::finish).collect(),
            assocs: self.assocs.into_iter().map(AssocInfo::finish).collect(),
            aggs: self.aggs.into_iter().map(AggInfo::finish).collect(),
            setups: derived.finish(&index),
            limits: self.opts.limits,
        }
    }

    /// Variables whose first value was too narrow for what they were given later; see [`Options::wide`].
    pub fn wide(&self) -> &Wide {
        &self.wide
    }

    /// Whether `name` names a type (for the lexer).
    pub fn is_type(&mut self, name: &str) -> bool {
        self.lookup_named(name).is_some()
    }

    /// The types known, for tools that show them (`-lv`).
    pub fn graph(&mut self) -> &mut TypeGraph {
        &mut self.graph
    }

    /// A diagnostic at `span` in the current part of the clause.
    pub(crate) fn error(
        &self,
        tag: Tag,
        span: Span,
        message: impl Into<String>,
    ) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(
            tag,
            span,
            self.cx.region.unwrap_or(Region::None),
            message,
        ))
    }

    /// An error result.
    pub(crate) fn fail<T>(&self, tag: Tag, span: Span, message: impl Into<String>) -> R<T> {
        Err(self.error(tag, span, message))
    }

    /// Line and column of where a span starts.
    pub(crate) fn pos(&self, span: Span) -> hir::Pos {
        let span = self.cx.used_at.filter(|_| in_library(span)).unwrap_or(span);
        self.lines.pos(span)
    }

    /// Size of a type, `string` included.
    pub(crate) fn size_of(&self, ty: TypeId) -> Option<u64> {
        if self.graph.is_string(ty) {
            Some(u64::from(self.opts.limits.strsize))
        } else {
            self.graph.size(ty)
        }
    }

    /// A type by the text of a prototype.
    pub(crate) fn proto_type(&mut self, text: &str, span: Span) -> R<TypeId> {
        self.require(text.trim_end_matches(['*', ' ']));
        let known = self.graph.parse(text);
        let fallback = FALLBACK_TYPES.iter().find(|(name, _)| *name == text);
        match known.or_else(|| fallback.and_then(|(_, to)| self.graph.parse(to))) {
            Some(ty) => Ok(ty),
            None => self.fail(
                Tag::D_UNKNOWN,
                span,
                format!("failed to resolve type {text}: Unknown type name"),
            ),
        }
    }
}
