//! From byte offsets to lines and columns, for all sources of a compilation.

use diag::{SourceMap, Span};

use crate::hir::Pos;

/// Where the lines of each source begin.
#[derive(Default)]
pub(crate) struct Lines {
    sources: Vec<Source>,
}

struct Source {
    starts: Vec<u32>,
    ascii: bool,
    text: String,
}

impl Lines {
    /// The lines of all sources.
    pub fn of(map: &SourceMap) -> Lines {
        let sources = map
            .sources
            .iter()
            .map(|s| {
                let breaks = s
                    .text
                    .bytes()
                    .enumerate()
                    .filter(|(_, b)| *b == b'\n')
                    .map(|(i, _)| i as u32 + 1);
                let ascii = s.text.is_ascii();
                let text = if ascii { String::new() } else { s.text.clone() };
                Source {
                    starts: std::iter::once(0).chain(breaks).collect(),
                    ascii,
                    text,
                }
            })
            .collect();
        Lines { sources }
    }

    /// Line and column, both from 1, of the start of a span.
    pub fn pos(&self, span: Span) -> Pos {
        let Some(source) = self.sources.get(span.source as usize) else {
            return Pos { line: 1, col: 1 };
        };
        let line = source.starts.partition_point(|s| *s <= span.start).max(1);
        let start = source.starts.get(line - 1).copied().unwrap_or(0);
        let bytes = span.start - start;
        let col = if source.ascii {
            bytes
        } else {
            let text = source
                .text
                .as_bytes()
                .get(start as usize..span.start as usize)
                .unwrap_or(&[]);
            String::from_utf8_lossy(text).chars().count() as u32
        };
        Pos {
            line: line as u32,
            col: col + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diag::Origin;

    #[test]
    fn lines_and_columns_count_from_one_in_characters() {
        let mut map = SourceMap::default();
        map.add(Origin::CommandLine, "ab\ncd".into());
        map.add(Origin::CommandLine, "é x".into());
        let lines = Lines::of(&map);
        let at = |source, start| {
            lines.pos(Span {
                source,
                start,
                end: start,
            })
        };
        assert_eq!(at(0, 0), Pos { line: 1, col: 1 });
        assert_eq!(at(0, 4), Pos { line: 2, col: 2 });
        assert_eq!(at(1, 3), Pos { line: 1, col: 3 });
        assert_eq!(at(9, 9), Pos { line: 1, col: 1 });
    }
}
