//! What C headers bring into a D program: functions are taken out of preprocessed text.
//!
//! D calls no C function, and headers have what D's grammar has not (`static inline` bodies) or what D has itself (`raise()`).
//! Macros, types and variables stay. Only text that comes from other files than the script is touched, and every line stays a
//! line, so that messages name the right one.

/// Blanks the functions of all files but the one that the text begins with.
pub(crate) fn without_functions(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut script = None;
    let mut item = Item::default();
    let mut within = false;
    for line in text.split_inclusive(|b| *b == b'\n') {
        if let Some(file) = marked(line) {
            let first = *script.get_or_insert(file);
            let header = file != first && !file.starts_with(b"<");
            if within && !header {
                item.end(&mut out);
            }
            within = header;
            if item.is_empty() {
                item.end(&mut out);
                out.extend_from_slice(line);
            } else {
                // In the middle of a declaration: it must stay where it is.
                item.text.extend_from_slice(line);
                item.marks = true;
            }
        } else if within {
            line.iter().for_each(|b| item.take(*b, &mut out));
        } else {
            out.extend_from_slice(line);
        }
    }
    item.end(&mut out);
    out
}

/// The file that a line mark (`# 12 "file" …`) names.
fn marked(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"# ")?;
    let start = rest.iter().position(|b| *b == b'"')? + 1;
    let name = rest.get(start..)?;
    name.get(..name.iter().position(|b| *b == b'"')?)
}

/// A declaration of a header as far as it was read.
#[derive(Default)]
struct Item {
    text: Vec<u8>,
    depth: usize,
    /// The last visible character outside of all brackets, and before the last `{` there.
    last: u8,
    before_body: u8,
    marks: bool,
    quoted: Quoted,
}

/// Whether a text or character constant goes on.
#[derive(Default)]
enum Quoted {
    #[default]
    Not,
    /// It ends with this.
    By(u8),
    /// As that, and the next character means itself.
    Escaped(u8),
}

impl Item {
    fn is_empty(&self) -> bool {
        self.text.iter().all(u8::is_ascii_whitespace)
    }

    fn take(&mut self, byte: u8, out: &mut Vec<u8>) {
        self.text.push(byte);
        if self.quotes(byte) {
            return;
        }
        match byte {
            b'{' | b'(' | b'[' => {
                if byte == b'{' && self.depth == 0 {
                    self.before_body = self.last;
                }
                self.depth += 1;
            }
            b'}' | b')' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.last = byte;
                    if byte == b'}' && self.before_body == b')' {
                        self.drop(out);
                    }
                }
            }
            b';' if self.depth == 0 => {
                if self.last == b')' && !self.is_typedef() {
                    self.drop(out);
                } else {
                    self.end(out);
                }
            }
            b if self.depth == 0 && !b.is_ascii_whitespace() => self.last = b,
            _ => {}
        }
    }

    /// Whether a character is one of a constant, in which brackets are none.
    fn quotes(&mut self, byte: u8) -> bool {
        let (quoted, within) = match (&self.quoted, byte) {
            (Quoted::Not, b'"' | b'\'') => (Quoted::By(byte), true),
            (Quoted::Not, _) => return false,
            (Quoted::By(end), b'\\') => (Quoted::Escaped(*end), true),
            (Quoted::By(end), _) if *end == byte || byte == b'\n' => (Quoted::Not, true),
            (Quoted::By(_), _) => return true,
            (Quoted::Escaped(end), _) => (Quoted::By(*end), true),
        };
        self.quoted = quoted;
        within
    }

    fn is_typedef(&self) -> bool {
        self.text.trim_ascii_start().starts_with(b"typedef")
    }

    /// Leaves its lines, empty.
    fn drop(&mut self, out: &mut Vec<u8>) {
        if self.marks {
            let lines = self.text.split_inclusive(|b| *b == b'\n');
            for line in lines {
                match marked(line) {
                    Some(_) => out.extend_from_slice(line),
                    None => out.extend(line.iter().filter(|b| **b == b'\n')),
                }
            }
        } else {
            out.extend(self.text.iter().filter(|b| **b == b'\n'));
        }
        *self = Item::default();
    }

    /// Leaves it as it is.
    fn end(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.text);
        *self = Item::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(text: &str) -> String {
        String::from_utf8(without_functions(text.as_bytes())).expect("text")
    }

    #[test]
    fn functions_of_headers_go_and_lines_stay() {
        let text = "# 1 \"x.d\"\n# 1 \"/h.h\" 1\nstruct a {\n int b;\n};\nextern int raise (int\n  __sig);\n\
                    static inline int f(int x)\n{\n return (x);\n}\ntypedef int (*fp)(int);\nextern int v;\n# 2 \"x.d\" 2\n\
                    BEGIN { raise(9); }\n";
        let want = "# 1 \"x.d\"\n# 1 \"/h.h\" 1\nstruct a {\n int b;\n};\n\n\n\n\n\n\ntypedef int (*fp)(int);\n\
                    extern int v;\n# 2 \"x.d\" 2\nBEGIN { raise(9); }\n";
        let got = filtered(text);
        assert_eq!(got.lines().count(), text.lines().count());
        assert_eq!(got.replace(" \n", "\n"), want);
    }

    #[test]
    fn brackets_in_constants_are_none() {
        let text = "# 1 \"x.d\"\n# 1 \"h\" 1\nint f(int c) { return c == '{' || c == '\\''; }\n\
                    int g(void) { return \"\\\"({\"[0]; }\nint v;\n# 2 \"x.d\" 2\nBEGIN\n";
        assert_eq!(
            filtered(text),
            "# 1 \"x.d\"\n# 1 \"h\" 1\n\n\nint v;\n# 2 \"x.d\" 2\nBEGIN\n"
        );
    }

    #[test]
    fn the_script_is_left_alone() {
        let text =
            "# 1 \"x.d\"\nint f(int);\n# 1 \"<command-line>\"\n# 1 \"x.d\"\nBEGIN { x = (1); }\n";
        assert_eq!(filtered(text), text);
    }

    #[test]
    fn marks_within_a_function_stay() {
        let text = "# 1 \"x.d\"\n# 1 \"h\" 1\nint f(int a,\n# 7 \"h\"\n int b);\nint v;\n# 2 \"x.d\" 2\nBEGIN\n";
        assert_eq!(
            filtered(text),
            "# 1 \"x.d\"\n# 1 \"h\" 1\n\n# 7 \"h\"\n\nint v;\n# 2 \"x.d\" 2\nBEGIN\n"
        );
    }
}
