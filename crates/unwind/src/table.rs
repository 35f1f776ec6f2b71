//! The table of a file ([`image::layout::unwind`]).

use image::layout::unwind as layout;

use crate::Rule;
use crate::cfi::Code;

/// Bytes of code that an entry is for.
const PAGE: u64 = 1 << layout::PAGE_SHIFT;
/// Rows in an element of the pool.
const ROWS: u64 = layout::ELEMENT as u64 / 4;
/// Pages of the largest table: that is for 1 GiB of code.
const MOST_PAGES: u64 = 1 << 22;

/// A table, not yet placed in the pool.
#[derive(Debug, Default)]
pub struct Table {
    /// Number of the first page.
    first: u32,
    /// Where each page's rows begin.
    pages: Vec<u32>,
    /// Rows as stored; a page's first is for offset 0.
    rows: Vec<u32>,
}

impl Table {
    pub(crate) fn new(code: &Code) -> Table {
        let (start, end) = code.extent();
        let (first, end) = (start / PAGE, end.div_ceil(PAGE));
        let Ok(first_page) = u32::try_from(first) else {
            return Table::default();
        };
        if end - first > MOST_PAGES {
            return Table::default();
        }
        let mut table = Table {
            first: first_page,
            pages: Vec::with_capacity((end - first) as usize),
            rows: Vec::new(),
        };
        let mut at = first * PAGE;
        code.each(|start, end, rule| {
            if start > at {
                table.fill(at, start, Rule::Unknown.pack());
            }
            table.fill(start, end, rule);
            at = end;
        });
        table.fill(at, at.next_multiple_of(PAGE), Rule::Unknown.pack());
        table
    }

    /// Appends a rule for what comes next in the file.
    fn fill(&mut self, start: u64, end: u64, rule: u32) {
        let first = u64::from(self.first);
        let mut at = start;
        while at < end {
            if at / PAGE - first >= self.pages.len() as u64 {
                self.pages.push(self.rows.len() as u32);
                self.rows.push(rule << layout::ROW_RULE);
            } else if self.rows.last().map(|r| r >> layout::ROW_RULE) != Some(rule) {
                self.rows
                    .push((at % PAGE) as u32 | rule << layout::ROW_RULE);
            }
            at = (at / PAGE + 1) * PAGE;
        }
    }

    /// The rows of a page.
    fn page(&self, n: usize) -> &[u32] {
        let from = self.pages.get(n).map_or(0, |n| *n as usize);
        let to = self.pages.get(n + 1).map(|n| *n as usize);
        self.rows
            .get(from..to.unwrap_or(self.rows.len()))
            .unwrap_or_default()
    }

    /// Number of the first page.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Number of pages.
    pub fn pages(&self) -> u32 {
        self.pages.len() as u32
    }

    /// Number of rows of all pages.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The table as words of the pool, to be written at `address` (in words).
    pub fn place(&self, address: u64) -> Vec<u64> {
        let mut words = vec![0; self.pages.len()];
        // Address of the next row, in rows.
        let start = address * 2;
        let mut next = start + 2 * words.len() as u64;
        let mut rows: Vec<u32> = Vec::new();
        let base = next;
        for (n, word) in words.iter_mut().enumerate() {
            let page = self.page(n);
            if let [only] = page {
                *word = u64::from(*only >> layout::ROW_RULE);
                continue;
            }
            let n = page.len() as u64;
            if next / ROWS != (next + n - 1) / ROWS {
                next = next.next_multiple_of(ROWS);
            }
            *word = next | n << layout::ROWS;
            rows.resize((next - base) as usize, 0);
            rows.extend(page);
            next += n;
        }
        rows.resize(rows.len().next_multiple_of(2), 0);
        words.extend(rows.chunks_exact(2).map(|pair| match pair {
            [low, high] => u64::from(*low) | u64::from(*high) << 32,
            _ => 0,
        }));
        words
    }

    /// The rule for code at an offset in the file.
    pub fn rule(&self, offset: u64) -> Rule {
        let Some(page) = (offset / PAGE)
            .checked_sub(u64::from(self.first))
            .filter(|n| *n < self.pages.len() as u64)
        else {
            return Rule::Unknown;
        };
        let low = (offset % PAGE) as u32;
        let rows = self.page(page as usize).iter();
        let found = rows.rev().find(|row| **row & 0xff <= low);
        found.map_or(Rule::Unknown, |row| Rule::unpack(row >> layout::ROW_RULE))
    }
}
