//! Macro arguments and variables: `$1`, `$$1`, `$pid`, `$$pid`, in expressions and inside probe specifiers.

use crate::ast::IntRank;
use crate::literal::{self, IntError, Scan};

/// What `$…` may stand for.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    /// `$0` (script name), `$1`, …
    pub args: Vec<String>,
    /// `$pid`, `$target`, … without the `$`.
    pub ints: Vec<(String, i64)>,
    /// A missing `$N` is 0, a missing `$$N` is `""`.
    pub default_args: bool,
}

impl Macros {
    /// An integer macro.
    pub fn int(&self, name: &str) -> Option<i64> {
        self.ints.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
    }
}

/// What a macro became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expansion {
    Int(u64, IntRank),
    Ident(String),
    Str(Vec<u8>),
}

/// Why a macro has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MacroError {
    /// `$foo` is not known.
    Variable,
    /// `$5` was not given.
    Argument,
    /// The argument is an integer that does not work: its text and why.
    Constant(String, IntError),
}

/// A `$…` word cut into its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    /// `$$…`.
    pub(crate) string: bool,
    /// Digits or a name.
    pub(crate) name: &'a str,
    /// Bytes of all of it.
    pub(crate) len: usize,
}

impl Word<'_> {
    /// The index of a positional argument.
    pub(crate) fn index(&self) -> Option<usize> {
        if self.name.starts_with(|c: char| c.is_ascii_digit()) {
            Some(self.name.parse().unwrap_or(usize::MAX))
        } else {
            None
        }
    }
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The macro word at the start of a text that begins with `$`; `None` for a lone `$`.
pub(crate) fn word(text: &str) -> Option<Word<'_>> {
    let string = text.starts_with("$$");
    let from = if string { 2 } else { 1 };
    let rest = text.get(from..)?.as_bytes();
    let ok: fn(&&u8) -> bool = match rest.first()? {
        b'0'..=b'9' => |b| b.is_ascii_digit(),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => |b| is_name(**b),
        _ => return None,
    };
    let n = rest.iter().take_while(ok).count();
    Some(Word {
        string,
        name: text.get(from..from + n)?,
        len: from + n,
    })
}

/// The value of a macro in an expression.
pub(crate) fn expand(macros: &Macros, word: Word<'_>) -> Result<Expansion, MacroError> {
    let Some(index) = word.index() else {
        let value = macros.int(word.name).ok_or(MacroError::Variable)?;
        return Ok(if word.string {
            Expansion::Str(value.to_string().into_bytes())
        } else {
            from_int(value)
        });
    };
    match (macros.args.get(index), word.string) {
        (Some(text), true) => Ok(Expansion::Str(string(text))),
        (Some(text), false) => argument(text),
        (None, true) if macros.default_args => Ok(Expansion::Str(Vec::new())),
        (None, false) if macros.default_args => Ok(Expansion::Int(0, IntRank::Int)),
        (None, _) => Err(MacroError::Argument),
    }
}

fn from_int(value: i64) -> Expansion {
    let rank = literal::int_rank(value.unsigned_abs(), true, false, 0).unwrap_or(IntRank::Long);
    Expansion::Int(value as u64, rank)
}

fn string(text: &str) -> Vec<u8> {
    let inner = text
        .strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text);
    literal::unescape(inner.as_bytes())
}

fn argument(text: &str) -> Result<Expansion, MacroError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let starts = |ok: fn(char) -> bool| digits.starts_with(ok);
    let whole =
        !digits.is_empty() && literal::scan_number(digits.as_bytes()) == Scan::Int(digits.len());
    if starts(|c| c.is_ascii_digit()) && whole {
        let (value, rank) =
            literal::int_value(digits).map_err(|e| MacroError::Constant(text.to_owned(), e))?;
        let value = if text.starts_with('-') {
            value.wrapping_neg()
        } else {
            value
        };
        return Ok(Expansion::Int(value, rank));
    }
    let ident = |c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '`');
    let rest = |c: char| ident(c) || c.is_ascii_digit();
    if text.starts_with(ident) && text.chars().all(rest) {
        return Ok(Expansion::Ident(text.to_owned()));
    }
    Ok(Expansion::Str(string(text)))
}

/// Replaces the macros inside a probe specifier; notes the arguments it used. `Err(())`: one is not defined.
pub(crate) fn expand_spec(
    macros: &Macros,
    text: &str,
    mut used: impl FnMut(usize),
) -> Result<String, ()> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let word = word(tail).ok_or(())?;
        match word.index() {
            Some(index) => {
                used(index);
                out.push_str(macros.args.get(index).ok_or(())?);
            }
            None => out.push_str(&macros.int(word.name).ok_or(())?.to_string()),
        }
        rest = &tail[word.len..];
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(args: &[&str]) -> Macros {
        let args = args.iter().map(|a| (*a).to_owned()).collect();
        Macros {
            args,
            ints: vec![("target".into(), 42), ("uid".into(), -1)],
            default_args: false,
        }
    }

    fn value(arg: &str) -> Result<Expansion, MacroError> {
        let m = macros(&["s.d", arg]);
        expand(&m, word("$1").ok_or(MacroError::Variable)?)
    }

    #[test]
    fn arguments_become_integers_identifiers_or_strings() {
        assert_eq!(value("12"), Ok(Expansion::Int(12, IntRank::Int)));
        assert_eq!(
            value("-5"),
            Ok(Expansion::Int((-5i64) as u64, IntRank::Int))
        );
        assert_eq!(value("+0x10ul"), Ok(Expansion::Int(16, IntRank::ULong)));
        assert_eq!(value("foo"), Ok(Expansion::Ident("foo".into())));
        assert_eq!(value("/tmp"), Ok(Expansion::Str(b"/tmp".to_vec())));
        assert_eq!(value("foo.c"), Ok(Expansion::Str(b"foo.c".to_vec())));
        assert_eq!(value("\"a\\n\""), Ok(Expansion::Str(b"a\n".to_vec())));
        assert_eq!(value(""), Ok(Expansion::Str(Vec::new())));
        assert!(matches!(
            value("99999999999999999999"),
            Err(MacroError::Constant(_, IntError::Overflow))
        ));
    }

    #[test]
    fn strings_and_defaults() {
        let mut m = macros(&["s.d", "7"]);
        let get = |m: &Macros, w: &str| expand(m, word(w).ok_or(MacroError::Variable)?);
        assert_eq!(get(&m, "$$1"), Ok(Expansion::Str(b"7".to_vec())));
        assert_eq!(get(&m, "$$target"), Ok(Expansion::Str(b"42".to_vec())));
        assert_eq!(get(&m, "$uid"), Ok(Expansion::Int(u64::MAX, IntRank::Int)));
        assert_eq!(get(&m, "$2"), Err(MacroError::Argument));
        assert_eq!(get(&m, "$nope"), Err(MacroError::Variable));
        m.default_args = true;
        assert_eq!(get(&m, "$2"), Ok(Expansion::Int(0, IntRank::Int)));
        assert_eq!(get(&m, "$$2"), Ok(Expansion::Str(Vec::new())));
        assert_eq!(get(&m, "$nope"), Err(MacroError::Variable));
    }

    #[test]
    fn macros_in_specifiers() {
        let m = macros(&["s.d", "libc"]);
        let mut used = Vec::new();
        assert_eq!(
            expand_spec(&m, "pid$target:$1::", |i| used.push(i)),
            Ok("pid42:libc::".into())
        );
        assert_eq!(used, [1]);
        assert_eq!(expand_spec(&m, "pid$nope:::", |_| ()), Err(()));
        assert_eq!(expand_spec(&m, "a:::$", |_| ()), Err(()));
    }
}
