//! C type text to types: `const char *`, `struct task_struct *`, `int (*)(void)`, ``vmlinux`pid_t``.

use crate::intrinsic;
use crate::{Kind, NameKind, TypeGraph, TypeId};

/// Declarators nest no deeper than this.
const MAX_DEPTH: u32 = 64;

impl TypeGraph {
    /// Parses and looks up a C type text such as `const char *`, `struct task_struct *`, `unsigned int`, `string`, `uid_t`.
    /// Tags and names may be scoped (``struct mod`tag``, ``mod`name``); `userland` makes the pointers user pointers; the
    /// parameters of function types may be named.
    pub fn parse(&mut self, text: &str) -> Option<TypeId> {
        let mut parser = Parser {
            graph: self,
            tokens: tokens(text)?,
            at: 0,
        };
        let id = parser.type_name(MAX_DEPTH)?;
        (parser.at == parser.tokens.len()).then_some(id)
    }
}

/// Words (scoped names are one), numbers and single punctuation; `...` is one token.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '`' || c == '<' || c == '>';
    let mut rest = text.trim_ascii();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let len = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("...") {
            3
        } else if "*()[],".contains(first) {
            1
        } else {
            return None;
        };
        let (token, tail) = rest.split_at_checked(len)?;
        found.push(token);
        rest = tail.trim_ascii_start();
    }
    Some(found)
}

/// One step of a declarator, in the order in which it applies to the base type.
enum Step {
    Pointer,
    Qualifier(fn(TypeId) -> Kind),
    Array(u64),
    Func { params: Vec<TypeId>, variadic: bool },
}

struct Parser<'g, 't> {
    graph: &'g mut TypeGraph,
    tokens: Vec<&'t str>,
    at: usize,
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> &'t str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn next(&mut self) -> &'t str {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn accept(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn type_name(&mut self, depth: u32) -> Option<TypeId> {
        let (base, user) = self.specifiers()?;
        let steps = self.declarator(depth)?;
        let mut id = base;
        for step in steps {
            let kind = match step {
                Step::Pointer => Kind::Pointer { to: id, user },
                Step::Qualifier(make) => make(id),
                Step::Array(len) => Kind::Array { elem: id, len },
                Step::Func { params, variadic } => Kind::Func {
                    ret: id,
                    params,
                    variadic,
                },
            };
            id = self.graph.add(kind);
        }
        Some(id)
    }

    /// The base type and whether `userland` was written.
    fn specifiers(&mut self) -> Option<(TypeId, bool)> {
        let mut user = false;
        let mut qualifiers: Vec<fn(TypeId) -> Kind> = Vec::new();
        let mut words: Vec<&str> = Vec::new();
        let mut named = None;
        loop {
            let token = self.peek();
            if token == "userland" {
                user = true;
            } else if let Some(make) = qualifier(token) {
                qualifiers.push(make);
            } else if intrinsic::is_base_word(token) && named.is_none() {
                words.push(token);
            } else if let (Some(kind), None, true) = (tag_keyword(token), named, words.is_empty()) {
                self.at += 1;
                named = Some(self.named(kind)?);
                continue;
            } else if is_name(token) && named.is_none() && words.is_empty() {
                named = Some(self.named(NameKind::Plain)?);
                continue;
            } else {
                break;
            }
            self.at += 1;
        }
        let mut id = match named {
            Some(id) => id,
            None => self
                .graph
                .lookup(None, NameKind::Plain, &intrinsic::canonical(words)?)?,
        };
        for make in qualifiers.into_iter().rev() {
            id = self.graph.add(make(id));
        }
        Some((id, user))
    }

    /// A name with its scope, if any.
    fn named(&mut self, kind: NameKind) -> Option<TypeId> {
        let token = self.next();
        if kind == NameKind::Plain
            && let Some(hidden) = intrinsic::hidden(token)
        {
            return Some(hidden);
        }
        let (module, name) = match token.rsplit_once('`') {
            Some((module, name)) => (Some(module), name),
            None => (None, token),
        };
        self.graph.lookup(module, kind, name)
    }

    /// An abstract declarator, or one with a name, which is dropped.
    fn declarator(&mut self, depth: u32) -> Option<Vec<Step>> {
        let depth = depth.checked_sub(1)?;
        let mut steps = Vec::new();
        while self.accept("*") {
            steps.push(Step::Pointer);
            while let Some(make) = qualifier(self.peek()) {
                steps.push(Step::Qualifier(make));
                self.at += 1;
            }
        }
        let inner = if self.peek() == "(" && self.nested() {
            self.at += 1;
            let inner = self.declarator(depth)?;
            self.accept(")").then_some(inner)?
        } else {
            if is_name(self.peek()) && depth + 1 < MAX_DEPTH {
                self.at += 1;
            }
            Vec::new()
        };
        let mut suffixes = self.suffixes(depth)?;
        suffixes.reverse();
        steps.extend(suffixes);
        steps.extend(inner);
        Some(steps)
    }

    /// Does the open parenthesis group a declarator (and not begin parameters)?
    fn nested(&self) -> bool {
        matches!(self.tokens.get(self.at + 1).copied(), Some("*" | "(" | "["))
    }

    fn suffixes(&mut self, depth: u32) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            if self.accept("[") {
                let len = if self.peek() == "]" {
                    0
                } else {
                    number(self.next())?
                };
                self.accept("]").then_some(())?;
                steps.push(Step::Array(len));
            } else if self.accept("(") {
                let (params, variadic) = self.params(depth)?;
                steps.push(Step::Func { params, variadic });
            } else {
                return Some(steps);
            }
        }
    }

    /// Parameters up to and with the closing parenthesis.
    fn params(&mut self, depth: u32) -> Option<(Vec<TypeId>, bool)> {
        let mut params = Vec::new();
        if self.accept(")") {
            return Some((params, false));
        }
        loop {
            if self.accept("...") {
                return self.accept(")").then_some((params, true));
            }
            params.push(self.type_name(depth.checked_sub(1)?)?);
            if self.accept(")") {
                if params == [TypeGraph::VOID] {
                    params.clear();
                }
                return Some((params, false));
            }
            self.accept(",").then_some(())?;
        }
    }
}

fn qualifier(token: &str) -> Option<fn(TypeId) -> Kind> {
    match token {
        "const" => Some(Kind::Const),
        "volatile" => Some(Kind::Volatile),
        "restrict" | "__restrict" => Some(Kind::Restrict),
        _ => None,
    }
}

fn tag_keyword(token: &str) -> Option<NameKind> {
    match token {
        "struct" => Some(NameKind::Struct),
        "union" => Some(NameKind::Union),
        "enum" => Some(NameKind::Enum),
        _ => None,
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '<')
}

fn number(token: &str) -> Option<u64> {
    match token
        .strip_prefix("0x")
        .or_else(|| token.strip_prefix("0X"))
    {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => token.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        let mut graph = TypeGraph::new();
        assert_eq!(graph.parse("void *"), Some(TypeGraph::VOIDPTR));
        assert_eq!(graph.parse("long unsigned int"), Some(TypeGraph::ULONG));
        assert_eq!(graph.parse("size_t"), Some(TypeGraph::SIZE));
        assert_eq!(graph.parse("<DYN>"), Some(TypeGraph::DYN));
        assert_eq!(graph.lookup(None, NameKind::Plain, "stack"), None);
        assert_eq!(
            graph.lookup(None, NameKind::Plain, "signed"),
            Some(TypeGraph::INT)
        );
        assert_eq!(
            graph.lookup(Some("D"), NameKind::Plain, "pid_t"),
            graph.lookup(None, NameKind::Plain, "pid_t")
        );
    }

    #[test]
    fn named_parameters_are_functions_still() {
        let mut graph = TypeGraph::new();
        let id = graph
            .parse("int (*)(const char *path, int flags)")
            .expect("parses");
        assert_eq!(graph.name(id), "int (*)(const char *, int)");
    }

    #[test]
    fn user_pointers() {
        let mut graph = TypeGraph::new();
        let id = graph.parse("userland char **").expect("parses");
        let Kind::Pointer { to, user: true } = *graph.kind(id) else {
            panic!("a user pointer")
        };
        assert!(matches!(graph.kind(to), Kind::Pointer { user: true, .. }));
    }

    #[test]
    fn nonsense() {
        let mut graph = TypeGraph::new();
        for text in [
            "",
            "*",
            "int int",
            "struct",
            "struct nope",
            "nope_t",
            "int [x]",
            "int (",
            "int )",
            "long float",
        ] {
            assert_eq!(graph.parse(text), None, "{text}");
        }
        assert_eq!(graph.parse(&format!("int {}", "(".repeat(100_000))), None);
        assert_eq!(graph.parse("int é"), None);
    }
}
