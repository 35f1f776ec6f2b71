//! Types as C text.

use crate::{Composite, Enum, Kind, NameKind, TypeGraph, TypeId};

/// Declarators nest no deeper than this; only broken type data do.
const MAX_DEPTH: u32 = 128;

impl TypeGraph {
    /// C text of the type (`struct task_struct *`, `char [16]`, `int (*)(void)`). Pointers into the user's address space
    /// begin with `userland`.
    pub fn name(&self, id: TypeId) -> String {
        self.declare(id, "")
    }

    /// C declaration of `name` with the type (`char comm[16]`).
    pub fn declare(&self, id: TypeId, name: &str) -> String {
        let user = matches!(self.kind(id), Kind::Pointer { user: true, .. });
        let prefix = if user { "userland " } else { "" };
        format!(
            "{prefix}{}",
            self.declarator(id, name.to_owned(), MAX_DEPTH)
        )
    }

    /// Wraps the declarator `inner` in the text of `id`, from the inside out.
    fn declarator(&self, id: TypeId, inner: String, depth: u32) -> String {
        let Some(depth) = depth.checked_sub(1) else {
            return join("...", &inner);
        };
        match self.kind(id) {
            Kind::Pointer { to, .. } => self.declarator(*to, self.pointer(*to, "", inner), depth),
            Kind::Array { elem, len } => {
                let bounds = if *len == 0 {
                    "[]".to_owned()
                } else {
                    format!("[{len}]")
                };
                self.declarator(*elem, format!("{inner}{bounds}"), depth)
            }
            Kind::Func {
                ret,
                params,
                variadic,
            } => {
                let params = self.params(params, *variadic, depth);
                self.declarator(*ret, format!("{inner}({params})"), depth)
            }
            Kind::Const(to) => self.qualified(*to, "const", inner, depth),
            Kind::Volatile(to) => self.qualified(*to, "volatile", inner, depth),
            Kind::Restrict(to) => self.qualified(*to, "restrict", inner, depth),
            Kind::Void => join("void", &inner),
            Kind::Int(int) => join(&int.name, &inner),
            Kind::Float { name, .. } | Kind::Typedef { name, .. } => join(name, &inner),
            Kind::Composite(composite) => join(&tagged(composite), &inner),
            Kind::Enum(e) => join(&enum_name(e), &inner),
            Kind::Forward { kind, tag } => join(&format!("{}{tag}", keyword(*kind)), &inner),
            Kind::String => join("string", &inner),
            Kind::Dyn => join("<DYN>", &inner),
            Kind::Stack => join("stack", &inner),
            Kind::SymAddr => join("_symaddr", &inner),
            Kind::UsymAddr => join("_usymaddr", &inner),
        }
    }

    /// A qualifier stands before a name and after a star.
    fn qualified(&self, to: TypeId, word: &str, inner: String, depth: u32) -> String {
        match self.kind(to) {
            Kind::Pointer { to: pointee, .. } => {
                let inner = self.pointer(*pointee, word, inner);
                self.declarator(*pointee, inner, depth)
            }
            _ => format!("{word} {}", self.declarator(to, inner, depth)),
        }
    }

    fn pointer(&self, to: TypeId, qualifier: &str, inner: String) -> String {
        let gap = if qualifier.is_empty() || inner.is_empty() {
            ""
        } else {
            " "
        };
        let text = format!("*{qualifier}{gap}{inner}");
        match self.kind(to) {
            Kind::Array { .. } | Kind::Func { .. } => format!("({text})"),
            _ => text,
        }
    }

    fn params(&self, params: &[TypeId], variadic: bool, depth: u32) -> String {
        let mut texts: Vec<String> = params
            .iter()
            .map(|p| self.declarator(*p, String::new(), depth))
            .collect();
        if variadic {
            texts.push("...".to_owned());
        }
        if texts.is_empty() {
            "void".to_owned()
        } else {
            texts.join(", ")
        }
    }
}

fn join(base: &str, inner: &str) -> String {
    if inner.is_empty() {
        base.to_owned()
    } else {
        format!("{base} {inner}")
    }
}

fn keyword(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Plain => "",
        NameKind::Struct => "struct ",
        NameKind::Union => "union ",
        NameKind::Enum => "enum ",
    }
}

fn tagged(composite: &Composite) -> String {
    let word = keyword(TypeGraph::tag_space(composite));
    format!("{word}{}", composite.tag.as_deref().unwrap_or("(anon)"))
}

fn enum_name(e: &Enum) -> String {
    format!("enum {}", e.tag.as_deref().unwrap_or("(anon)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips() {
        let mut graph = TypeGraph::new();
        let tag = graph.add(Kind::Forward {
            kind: NameKind::Struct,
            tag: "task_struct".into(),
        });
        graph.define(NameKind::Struct, "task_struct", tag);
        for text in [
            "void *",
            "char [16]",
            "const char *",
            "char *const",
            "struct task_struct *",
            "struct task_struct **",
            "int (*)(void)",
            "int (*[4])(const char *, ...)",
            "int (*)[3]",
            "char *[2][3]",
            "void (*(*)(int, void (*)(int)))(int)",
            "volatile unsigned long",
            "userland char *",
            "uint64_t",
            "string",
            "_symaddr",
            "unsigned long long (*)(struct task_struct *)",
        ] {
            let id = graph.parse(text).expect(text);
            assert_eq!(graph.name(id), text);
        }
    }

    #[test]
    fn declarations() {
        let mut graph = TypeGraph::new();
        let mut declare = |text: &str| {
            let id = graph.parse(text).expect(text);
            graph.declare(id, "x")
        };
        assert_eq!(declare("char [16]"), "char x[16]");
        assert_eq!(declare("int (*)(void)"), "int (*x)(void)");
        assert_eq!(declare("char *const"), "char *const x");
        assert_eq!(declare("long unsigned"), "unsigned long x");
    }
}
