//! Shell-like patterns of probe descriptions: `*`, `?`, `[..]`, `[!..]` and `\`.
//!
//! Matching backtracks to the last `*` only, so its cost is bounded by pattern length times text length.

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// This character.
    Char(char),
    /// `?`.
    One,
    /// `*`.
    Many,
    /// `[..]`, `[!..]`.
    Set {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Token {
    fn accepts(&self, c: char) -> bool {
        match self {
            Token::Char(own) => *own == c,
            Token::One | Token::Many => true,
            Token::Set { negated, ranges } => {
                ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated
            }
        }
    }
}

/// A compiled pattern of one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Glob {
    /// Empty or `*`: matches everything.
    Any,
    /// No globbing characters: matches only itself.
    Exact(String),
    /// Anything else.
    Pattern(Tokens),
}

/// The elements of a [`Glob::Pattern`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens(Vec<Token>);

impl Glob {
    /// Compiles a pattern. An unclosed `[` stands for itself.
    pub fn new(text: &str) -> Glob {
        if text.is_empty() {
            return Glob::Any;
        }
        let tokens = tokens(&text.chars().collect::<Vec<_>>());
        if tokens == [Token::Many] {
            return Glob::Any;
        }
        let literal: Option<String> = tokens
            .iter()
            .map(|token| match token {
                Token::Char(c) => Some(*c),
                Token::One | Token::Many | Token::Set { .. } => None,
            })
            .collect();
        match literal {
            Some(text) => Glob::Exact(text),
            None => Glob::Pattern(Tokens(tokens)),
        }
    }

    /// Whether `text` matches as a whole.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            Glob::Any => true,
            Glob::Exact(own) => own == text,
            Glob::Pattern(tokens) => tokens.matches(text),
        }
    }

    /// Whether a name matches with whatever digits behind it or without any, so that numbers of processes do not matter.
    pub fn ignores_numbers(&self) -> bool {
        match self {
            Glob::Any => true,
            Glob::Exact(_) => false,
            Glob::Pattern(Tokens(tokens)) => {
                let plain = |t: &Token| match t {
                    Token::Char(c) => !c.is_ascii_digit(),
                    Token::Many => true,
                    Token::One | Token::Set { .. } => false,
                };
                tokens.last() == Some(&Token::Many) && tokens.iter().all(plain)
            }
        }
    }

    /// The only text that matches, if there is just one.
    pub fn exact(&self) -> Option<&str> {
        match self {
            Glob::Exact(text) => Some(text),
            Glob::Any | Glob::Pattern(_) => None,
        }
    }

    /// Number of globbing elements.
    pub fn globs(&self) -> usize {
        match self {
            Glob::Any | Glob::Exact(_) => 0,
            Glob::Pattern(Tokens(tokens)) => tokens
                .iter()
                .filter(|t| !matches!(t, Token::Char(_)))
                .count(),
        }
    }
}

impl Tokens {
    fn matches(&self, text: &str) -> bool {
        let (mut at, mut rest) = (0, text.chars());
        // Where to resume after the last `*`: the token behind it and the text it has not swallowed yet.
        let mut resume = None;
        loop {
            let here = rest.clone();
            let Some(c) = rest.next() else { break };
            match self.0.get(at) {
                Some(Token::Many) => {
                    at += 1;
                    rest = here;
                    resume = Some((at, rest.clone()));
                }
                Some(token) if token.accepts(c) => at += 1,
                Some(_) | None => {
                    let Some((token, swallowed)) = &mut resume else {
                        return false;
                    };
                    swallowed.next();
                    at = *token;
                    rest = swallowed.clone();
                }
            }
        }
        self.0.iter().skip(at).all(|token| *token == Token::Many)
    }
}

fn tokens(text: &[char]) -> Vec<Token> {
    let mut out = Vec::new();
    let mut rest = text;
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            ('\\', [quoted, tail @ ..]) => {
                out.push(Token::Char(*quoted));
                rest = tail;
            }
            ('*', _) => {
                if out.last() != Some(&Token::Many) {
                    out.push(Token::Many);
                }
            }
            ('?', _) => out.push(Token::One),
            ('[', _) => match set(tail) {
                Some((token, tail)) => {
                    out.push(token);
                    rest = tail;
                }
                None => out.push(Token::Char('[')),
            },
            (c, _) => out.push(Token::Char(*c)),
        }
    }
    out
}

/// Parses a set behind its `[`; `None` if it is not closed.
fn set(text: &[char]) -> Option<(Token, &[char])> {
    let (negated, mut rest) = match text {
        ['!', tail @ ..] => (true, tail),
        _ => (false, text),
    };
    let mut ranges = Vec::new();
    loop {
        match rest {
            // A `]` right at the start is an ordinary member.
            [']', tail @ ..] if !ranges.is_empty() => {
                return Some((Token::Set { negated, ranges }, tail));
            }
            _ => {}
        }
        let (low, tail) = member(rest)?;
        match tail {
            ['-', after @ ..] if after.first().is_some_and(|c| *c != ']') => {
                let (high, tail) = member(after)?;
                ranges.push((low, high));
                rest = tail;
            }
            _ => {
                ranges.push((low, low));
                rest = tail;
            }
        }
    }
}

fn member(text: &[char]) -> Option<(char, &[char])> {
    match text {
        ['\\', quoted, tail @ ..] => Some((*quoted, tail)),
        [c, tail @ ..] => Some((*c, tail)),
        [] => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, yes: &[&str], no: &[&str]) {
        let glob = Glob::new(pattern);
        for text in yes {
            assert!(glob.matches(text), "{pattern} should match {text:?}");
        }
        for text in no {
            assert!(!glob.matches(text), "{pattern} should not match {text:?}");
        }
    }

    #[test]
    fn patterns() {
        check("", &["", "x"], &[]);
        check("*", &["", "x"], &[]);
        check("read", &["read"], &["", "pread", "readv"]);
        check("*read*", &["read", "pread64", "readv"], &["rea", "write"]);
        check("re?d", &["read", "reed"], &["red", "readd"]);
        check("p*d*v", &["preadv", "pdv", "pwdxv"], &["pread", "preadv2"]);
        check("[rw]*", &["read", "write"], &["open", ""]);
        check("[!rw]*", &["open"], &["read", ""]);
        check("[a-c]x", &["ax", "bx", "cx"], &["dx", "a"]);
        check("[]a]", &["]", "a"], &["b"]);
        check("[a-]", &["a", "-"], &["b"]);
        check("[ab", &["[ab"], &["a"]);
        check("a\\*", &["a*"], &["ab"]);
        check("a\\", &["a\\"], &["a"]);
        check("**a**", &["a", "bab"], &["b"]);
    }

    #[test]
    fn exact_only_without_globs() {
        assert_eq!(Glob::new("a\\*b").exact(), Some("a*b"));
        assert_eq!(Glob::new("a*b").exact(), None);
        assert_eq!(Glob::new("").exact(), None);
        assert_eq!(Glob::new("a?[bc]**").globs(), 3);
    }

    #[test]
    fn hostile_pattern_is_not_exponential() {
        let glob = Glob::new(&"a*".repeat(60));
        assert!(!glob.matches(&"ab".repeat(30)));
        let glob = Glob::new(&("a*".repeat(60) + "b"));
        assert!(!glob.matches(&"a".repeat(5000)));
    }
}
