//! The reserved words of D (reference §1.3).

/// What the grammar does with a keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeywordUse {
    /// Has a place in the grammar.
    Used,
    /// Has one, and is also accepted as a member name after `.`, `->` and in `offsetof`.
    Member,
    /// Reserved; no grammar rule accepts it.
    Reserved,
}

/// One keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// The word.
    pub name: &'static str,
    /// Its use.
    pub usage: KeywordUse,
    /// Between clauses it begins a declaration (the lexer leaves the probe description state).
    pub outer: bool,
}

const fn kw(name: &'static str, usage: KeywordUse, outer: bool) -> Keyword {
    Keyword { name, usage, outer }
}

use KeywordUse::{Member, Reserved, Used};

/// Every keyword, sorted.
pub const KEYWORDS: &[Keyword] = &[
    kw("auto", Used, true),
    kw("break", Reserved, false),
    kw("case", Reserved, false),
    kw("char", Used, true),
    kw("const", Used, true),
    kw("continue", Reserved, false),
    kw("counter", Reserved, true),
    kw("default", Reserved, false),
    kw("do", Reserved, false),
    kw("double", Used, true),
    kw("else", Used, false),
    kw("enum", Used, true),
    kw("extern", Used, true),
    kw("float", Used, true),
    kw("for", Reserved, false),
    kw("goto", Reserved, false),
    kw("if", Used, false),
    kw("import", Reserved, true),
    kw("inline", Used, true),
    kw("int", Used, true),
    kw("long", Used, true),
    kw("offsetof", Used, false),
    kw("probe", Member, false),
    kw("provider", Member, true),
    kw("register", Used, true),
    kw("restrict", Used, true),
    kw("return", Reserved, false),
    kw("self", Member, true),
    kw("short", Used, true),
    kw("signed", Used, true),
    kw("sizeof", Used, false),
    kw("static", Used, true),
    kw("string", Member, true),
    kw("stringof", Member, false),
    kw("struct", Used, true),
    kw("switch", Reserved, false),
    kw("this", Used, true),
    kw("translator", Member, true),
    kw("typedef", Used, true),
    kw("union", Used, true),
    kw("unsigned", Used, true),
    kw("userland", Member, true),
    kw("void", Used, true),
    kw("volatile", Used, true),
    kw("while", Reserved, false),
    kw("xlate", Member, false),
];

/// The keyword with this name.
pub fn keyword(name: &str) -> Option<Keyword> {
    KEYWORDS
        .binary_search_by(|k| k.name.cmp(name))
        .ok()
        .map(|i| KEYWORDS[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_in_the_sorted_table() {
        for k in KEYWORDS {
            assert_eq!(keyword(k.name), Some(*k), "{}", k.name);
        }
        assert_eq!(keyword("execname"), None);
    }
}
