//! Tokens: keywords and punctuation as table rows, and what else the lexer gives.

use crate::ast::IntRank;
use diag::Span;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $($variant),* }
        impl $name {
            /// As written.
            pub(crate) fn text(self) -> &'static str { match self { $($name::$variant => $text),* } }
            /// From its text.
            pub(crate) fn from_text(text: &str) -> Option<$name> {
                match text { $($text => Some($name::$variant),)* _ => None }
            }
        }
    };
}

words! {
    /// Reserved words of D (reference §1.3).
    Kw {
        Auto "auto", Break "break", Case "case", Char "char", Const "const", Continue "continue", Counter "counter",
        Default "default", Do "do", Double "double", Else "else", Enum "enum", Extern "extern", Float "float", For "for",
        Goto "goto", If "if", Import "import", Inline "inline", Int "int", Long "long", Offsetof "offsetof",
        Probe "probe", Provider "provider", Register "register", Restrict "restrict", Return "return", SelfWord "self",
        Short "short", Signed "signed", Sizeof "sizeof", Static "static", String "string", Stringof "stringof",
        Struct "struct", Switch "switch", This "this", Translator "translator", Typedef "typedef", Union "union",
        Unsigned "unsigned", Userland "userland", Void "void", Volatile "volatile", While "while", Xlate "xlate",
    }
}

impl Kw {
    /// Between clauses only these are words; the others are probe specifiers there.
    pub(crate) fn is_outer(self) -> bool {
        lang::keywords::keyword(self.text()).is_some_and(|k| k.outer)
    }
}

words! {
    /// Punctuation.
    P {
        LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}", Dot ".", Arrow "->", Inc "++",
        Dec "--", Not "!", Tilde "~", Plus "+", Minus "-", Star "*", Slash "/", Percent "%", Shl "<<", Shr ">>",
        Lt "<", Le "<=", Gt ">", Ge ">=", EqEq "==", Ne "!=", And "&", Caret "^", Or "|", AndAnd "&&",
        CaretCaret "^^", OrOr "||", Question "?", Colon ":", Assign "=", PlusEq "+=", MinusEq "-=", StarEq "*=",
        SlashEq "/=", PercentEq "%=", AndEq "&=", CaretEq "^=", OrEq "|=", ShlEq "<<=", ShrEq ">>=", Comma ",",
        Semi ";", Ellipsis "...",
    }
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tok {
    /// End of the text.
    Eof,
    /// Identifier; between clauses always a type name.
    Ident(String),
    /// `@name`; `_` for a bare `@`.
    Agg(String),
    /// Integer or character constant.
    Int(u64, IntRank),
    /// String constant.
    Str(Vec<u8>),
    /// Reserved word.
    Kw(Kw),
    /// Punctuation.
    P(P),
    /// `/` that closes a predicate.
    PredEnd,
    /// Probe specifier, macros replaced.
    Spec(String),
    /// A character that starts no token.
    Bad,
}

/// A token and its position.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) span: Span,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_of_the_language_is_a_token() {
        for keyword in lang::keywords::KEYWORDS {
            let kw = Kw::from_text(keyword.name);
            assert_eq!(kw.map(Kw::text), Some(keyword.name));
            assert_eq!(kw.map(Kw::is_outer), Some(keyword.outer));
        }
    }
}
