//! The names that a text defines, found without compiling it: what an index of D libraries is made of.
//!
//! Too many names do no harm (the library is read for nothing), so that this need not be a parser: it knows comments,
//! strings, control lines, and what stands at the top of a text or in an enumeration.

/// A word of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word<'a> {
    Name(&'a str),
    Mark(u8),
}

struct Words<'a> {
    text: &'a str,
    at: usize,
    line_start: bool,
}

impl<'a> Words<'a> {
    fn skip_to(&mut self, end: &str, from: usize) {
        let rest = self.text.get(from..).unwrap_or("");
        self.at = rest
            .find(end)
            .map_or(self.text.len(), |n| from + n + end.len());
    }

    /// Past a string or character constant.
    fn skip_quoted(&mut self, quote: u8) {
        let bytes = self.text.as_bytes();
        self.at += 1;
        while let Some(b) = bytes.get(self.at) {
            self.at += if *b == b'\\' { 2 } else { 1 };
            if *b == quote {
                break;
            }
        }
    }

    fn name(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or("");
        let in_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'`';
        let len = rest.bytes().position(|b| !in_name(b)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or("")
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            let b = *bytes.get(self.at)?;
            let first = std::mem::replace(&mut self.line_start, b == b'\n');
            match b {
                b'/' if bytes.get(self.at + 1) == Some(&b'*') => self.skip_to("*/", self.at + 2),
                b'#' if first => {
                    self.skip_to("\n", self.at);
                    self.line_start = true;
                }
                b'"' | b'\'' => self.skip_quoted(b),
                b if b.is_ascii_whitespace() => {
                    self.at += 1;
                    self.line_start |= first;
                }
                b if b.is_ascii_alphabetic() || b == b'_' => return Some(Word::Name(self.name())),
                _ => {
                    self.at += 1;
                    return Some(Word::Mark(b));
                }
            }
        }
    }
}

/// Where in a definition the scan is.
#[derive(Default)]
struct Scan<'a> {
    names: Vec<&'a str>,
    depth: u32,
    /// The last name of the definition before its `=`, `[`, `<` or body.
    last: Option<&'a str>,
    /// `struct`, `union` or `enum` came just before `last`.
    tagged: bool,
    after_tag_word: bool,
    /// In the items of an enumeration, and an item begins.
    items: Option<bool>,
    is_enum: bool,
    /// The value or the body has begun: names no longer count.
    done: bool,
}

impl<'a> Scan<'a> {
    fn name(&mut self, name: &'a str) {
        if let (Some(true), 1) = (self.items, self.depth) {
            self.names.push(name);
            self.items = Some(false);
        }
        if self.depth > 0 || self.done {
            return;
        }
        let tag_word = matches!(name, "struct" | "union" | "enum");
        if tag_word {
            self.is_enum = name == "enum";
        } else {
            self.tagged = self.after_tag_word;
            self.last = Some(name);
        }
        self.after_tag_word = tag_word;
    }

    fn keep(&mut self) {
        self.names.extend(self.last.take());
    }

    fn finish(&mut self) {
        let names = std::mem::take(&mut self.names);
        *self = Scan {
            names,
            ..Scan::default()
        };
    }

    fn mark(&mut self, mark: u8) {
        match mark {
            b'{' | b'(' => {
                if self.depth == 0 && mark == b'{' && !self.done {
                    if self.tagged {
                        self.keep();
                    }
                    self.items = self.is_enum.then_some(true);
                }
                self.depth += 1;
            }
            b'}' | b')' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.items = None;
                }
            }
            b',' if self.depth == 1 && self.items.is_some() => self.items = Some(true),
            b'=' | b'[' | b'<' if self.depth == 0 && !self.done => {
                self.keep();
                self.done = true;
            }
            b';' if self.depth == 0 => {
                if !self.done {
                    self.keep();
                }
                self.finish();
            }
            _ => {}
        }
    }
}

/// Names that a text defines: inlines, variables, types and their tags, enumerators, and the types that its translators
/// give.
pub fn defined_names(text: &str) -> Vec<&str> {
    let mut scan = Scan::default();
    let words = Words {
        text,
        at: 0,
        line_start: true,
    };
    for word in words {
        match word {
            Word::Name(name) => scan.name(name),
            Word::Mark(mark) => scan.mark(mark),
        }
    }
    scan.names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_defined_at_the_top() {
        let text = "#!/usr/sbin/dtrace -s\n/* inline int NOT = 1; */\n#pragma D binding \"1.0\" A\n\
            inline int A = B + 1;\n inline string f[int n, string k] = \"x; y\";\n\
            struct point { int x; struct { int z; } in; };\ntypedef struct pair { int l, r; } pair_t;\n\
            enum color { RED, GREEN = 3, BLUE };\ntypedef unsigned int my_t; int counter;\n\
            translator pair_t < struct task_struct *T > { l = T->pid; };\ntypedef void *addr_t;";
        let want = [
            "A", "f", "point", "pair", "pair_t", "color", "RED", "GREEN", "BLUE", "my_t",
            "counter", "pair_t", "addr_t",
        ];
        let mut found = defined_names(text);
        found.retain(|n| *n != "in");
        assert_eq!(found, want);
    }

    #[test]
    fn broken_texts_end() {
        for text in ["", "}}}", "{{{", "\"", "/*", "inline", "'\\", "#", "a\"\\"] {
            let _ = defined_names(text);
        }
        assert_eq!(defined_names("inline int A = \"é\";"), ["A"]);
    }
}
