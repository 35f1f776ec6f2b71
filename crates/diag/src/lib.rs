//! Source positions, the table of `D_*` tags, and diagnostics with their renderers.
//!
//! Invariant: a diagnostic is data; only [`render`] turns it into text. Tags are the stable contract, texts may improve.

pub mod render;
pub mod suggest;
pub mod tags;
pub use tags::Tag;

/// A position in one of the sources of a compilation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Index of the source in the [`SourceMap`].
    pub source: u32,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

impl Span {
    /// From the start of `self` to the end of `to` (same source).
    pub fn to(self, to: Span) -> Span {
        Span {
            source: self.source,
            start: self.start,
            end: to.end.max(self.start),
        }
    }
}

/// Where a piece of D text came from; decides how messages name their position (reference §16).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// `-n -P -m -f -i` text: messages name the region (`in action list: `).
    CommandLine,
    /// A script: messages name the line (`line N: `).
    Script(String),
    /// A library file: messages name file and line.
    Library(String),
}

/// One D text.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it came from.
    pub origin: Origin,
    /// The text. Not necessarily UTF-8 in the file; invalid bytes were reported before.
    pub text: String,
}

/// All texts of one compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    /// Texts by [`Span::source`].
    pub sources: Vec<Source>,
}

impl SourceMap {
    /// Adds a text, gives its index.
    pub fn add(&mut self, origin: Origin, text: String) -> u32 {
        self.sources.push(Source { origin, text });
        (self.sources.len() - 1) as u32
    }

    /// Line and column (from 1, in characters) of a byte offset.
    pub fn line_col(&self, source: u32, offset: u32) -> (u32, u32) {
        let Some(s) = self.sources.get(source as usize) else {
            return (1, 1);
        };
        let upto = &s.text.as_bytes()[..(offset as usize).min(s.text.len())];
        let line = upto.iter().filter(|b| **b == b'\n').count() as u32 + 1;
        let start = upto.iter().rposition(|b| *b == b'\n').map_or(0, |p| p + 1);
        let col = String::from_utf8_lossy(&upto[start..]).chars().count() as u32 + 1;
        (line, col)
    }
}

/// Which part of a clause a message is about, for command-line text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// Probe description or outside any clause: no words.
    None,
    /// `in predicate: `
    Predicate,
    /// `in action list: `
    Actions,
}

/// One error.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Stable tag.
    pub tag: Tag,
    /// Text, as dtrace words it (may hold newlines).
    pub message: String,
    /// Where.
    pub span: Span,
    /// In which part of a clause.
    pub region: Region,
    /// `#line`/`cpp` position that overrides the source's own: file and line.
    pub line_override: Option<(String, u32)>,
    /// How to mend it, if we can tell.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without help.
    pub fn new(tag: Tag, span: Span, region: Region, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            tag,
            message: message.into(),
            span,
            region,
            line_override: None,
            help: None,
        }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }
}
