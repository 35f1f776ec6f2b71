//! From counts to SVG.

use super::{Cell, Column, Level, Map, Panel};
use crate::About;
use crate::Unit;
use crate::page::{CHAR, MARGIN, Page, WIDTH};
use crate::text;
use crate::unit::{grouped, percent};
use std::fmt::Write;

/// Pixels left of the cells, for values.
const LEFT: u32 = 110;
/// Pixels of the cells in all.
const ROOM: u32 = WIDTH - LEFT - MARGIN;
/// Columns become one where there are more.
const MOST_COLUMNS: usize = 540;
/// Keys with a panel of their own; those with less to show share the last one.
const MOST_PANELS: usize = 24;
/// Pixels that the rows of a panel take together, about.
const HEIGHT: u32 = 300;
pub const SCRIPT: &str = concat!(include_str!("../common.js"), include_str!("heatmap.js"));
/// From few to many.
const COLORS: [[f64; 3]; 3] = [[255., 236., 170.], [242., 112., 44.], [84., 6., 66.]];

/// The picture of these maps, one under the other.
pub fn svg(about: &About, maps: &[Map]) -> String {
    let mut page = Page::new(about);
    let mut drawn = false;
    for map in maps {
        page.take(6);
        match Drawing::new(map) {
            Some(drawing) => {
                drawing.draw(&mut page);
                drawn = true;
            }
            None => page.line("", &format!("{}: nothing was recorded", map.heading)),
        }
    }
    page.finish(&about.title, "{}", if drawn { SCRIPT } else { "" })
}

/// Of a scale from few (0) to many (1).
fn color(at: f64) -> String {
    let at = at.clamp(0.0, 1.0) * 2.0;
    let (from, to, part) = if at < 1.0 {
        (COLORS[0], COLORS[1], at)
    } else {
        (COLORS[1], COLORS[2], at - 1.0)
    };
    let [r, g, b] = [0, 1, 2].map(|i| (from[i] + (to[i] - from[i]) * part).round() as u8);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Time since tracing began.
fn seconds(ns: u64) -> String {
    let text = format!("{:.3}", ns as f64 / 1e9);
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

fn value(unit: &Unit, v: i64) -> String {
    match unit {
        Unit::Things(_) if v < 0 => format!("-{}", grouped(u128::from(v.unsigned_abs()))),
        Unit::Things(_) => grouped(u128::from(v.unsigned_abs())),
        Unit::Time(_) if v == 0 => "0".to_owned(),
        Unit::Time(_) | Unit::Bytes => unit.show(i128::from(v)),
    }
}

impl Level {
    pub(super) fn text(self, unit: &Unit) -> String {
        match (self.low, self.high) {
            (Some(low), Some(high)) if low.checked_add(1) == Some(high) => value(unit, low),
            (Some(low), Some(high)) => format!("{} to {}", value(unit, low), value(unit, high)),
            (None, Some(high)) => format!("below {}", value(unit, high)),
            (Some(low), None) => format!("{} and more", value(unit, low)),
            (None, None) => "all values".to_owned(),
        }
    }
}

/// A map being drawn.
struct Drawing<'a> {
    map: &'a Map,
    panels: Vec<Panel>,
    columns: Vec<Column>,
    /// Columns that became one.
    merged: usize,
    /// The lowest and the highest level that has something.
    bottom: usize,
    top: usize,
    most: i64,
    row: u32,
}

/// Makes one of every `by` columns.
fn merge(map: &Map, by: usize) -> (Vec<Column>, Vec<Panel>) {
    let group = |c: &[Column]| {
        let (first, last) = (c.first()?, c.last()?);
        Some(Column {
            from: first.from,
            to: last.to,
        })
    };
    let columns = map.columns.chunks(by).filter_map(group).collect();
    let panels = map.panels.iter().map(|panel| {
        let mut merged = Panel {
            title: panel.title.clone(),
            ..Panel::default()
        };
        panel.cells.iter().for_each(|cell| {
            merged.add(Cell {
                column: cell.column / by,
                ..*cell
            });
        });
        merged.settle();
        merged
    });
    (columns, panels.collect())
}

impl Panel {
    fn add(&mut self, cell: Cell) {
        self.cells.push(cell);
    }

    /// Makes one of the cells that have the same place.
    fn settle(&mut self) {
        self.cells.sort_by_key(|c| (c.column, c.level));
        self.cells.dedup_by(|next, kept| {
            let same = (next.column, next.level) == (kept.column, kept.level);
            if same {
                kept.count = kept.count.saturating_add(next.count);
            }
            same
        });
        self.total = self.cells.iter().map(|c| i128::from(c.count)).sum();
    }
}

/// Most first; what is beyond the last panel shares it.
fn arrange(mut panels: Vec<Panel>) -> Vec<Panel> {
    panels.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.title.cmp(&b.title)));
    if panels.len() > MOST_PANELS {
        let rest = panels.split_off(MOST_PANELS - 1);
        let mut others = Panel {
            title: format!("{} others", grouped(rest.len() as u128)),
            ..Panel::default()
        };
        others.cells = rest.into_iter().flat_map(|p| p.cells).collect();
        others.settle();
        panels.push(others);
    }
    panels
}

impl<'a> Drawing<'a> {
    /// `None`: there is nothing to draw.
    fn new(map: &'a Map) -> Option<Drawing<'a>> {
        let merged = map.columns.len().div_ceil(MOST_COLUMNS).max(1);
        let (columns, panels) = merge(map, merged);
        let panels = arrange(panels);
        let cells = || panels.iter().flat_map(|p| &p.cells);
        let bottom = cells().map(|c| c.level).min()?;
        let top = cells().map(|c| c.level).max()?;
        let rows = (top - bottom + 1) as u32;
        Some(Drawing {
            most: cells().map(|c| c.count).max()?.max(1),
            row: (HEIGHT / rows).clamp(5, 18),
            map,
            columns,
            merged,
            bottom,
            top,
            panels,
        })
    }

    fn draw(&self, page: &mut Page) {
        let total: i128 = self.panels.iter().map(|p| p.total).sum();
        let (columns, count) = (self.map.columns.len(), grouped(total.unsigned_abs()));
        let plural = if columns == 1 { "" } else { "s" };
        let heading = format!(
            "{}: {count} values in {} column{plural}",
            self.map.heading,
            grouped(columns as u128)
        );
        page.line("", &heading);
        if self.merged > 1 {
            let note = format!("each column drawn is {} of those", self.merged);
            page.line("small", &note);
        }
        self.legend(page);
        for panel in &self.panels {
            page.line("", &panel.title);
            self.panel(page, panel);
        }
    }

    fn shade(&self, count: i64) -> f64 {
        let of = |n: i64| (1.0 + n as f64).ln();
        match self.most {
            1 => 0.0,
            most => (of(count) - of(1)) / (of(most) - of(1)),
        }
    }

    /// Which colours are how many.
    fn legend(&self, page: &mut Page) {
        let y = page.take(20);
        let mut counts: Vec<i64> = (0..7)
            .map(|i| (self.most as f64).powf(f64::from(i) / 6.0).round() as i64)
            .collect();
        counts.dedup();
        let mut x = f64::from(LEFT);
        for count in counts {
            let text = grouped(u128::from(count.unsigned_abs()));
            // Writing to a String cannot fail.
            let _ = writeln!(
                page.body(),
                "<rect x=\"{x:.0}\" y=\"{}\" width=\"14\" height=\"12\" fill=\"{}\"/><text x=\"{:.0}\" y=\"{}\" class=\"small\">{text}</text>",
                y + 2,
                color(self.shade(count)),
                x + 18.0,
                y + 12
            );
            x += 18.0 + CHAR * (text.len() as f64 + 2.0);
        }
    }

    /// Where a time is.
    fn x(&self, ns: u64) -> f64 {
        let end = self.columns.last().map_or(1, |c| c.to).max(1);
        f64::from(LEFT) + ns as f64 * f64::from(ROOM) / end as f64
    }

    fn panel(&self, page: &mut Page, panel: &Panel) {
        let rows = (self.top - self.bottom + 1) as u32;
        let top = page.take(rows * self.row);
        let bottom = top + rows * self.row;
        let body = page.body();
        // Writing to a String cannot fail.
        let _ = writeln!(
            body,
            "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{ROOM}\" height=\"{}\" fill=\"#f6f6f6\"/>",
            bottom - top
        );
        self.values(body, bottom);
        let mut totals = vec![0i64; self.columns.len()];
        for cell in &panel.cells {
            if let Some(total) = totals.get_mut(cell.column) {
                *total = total.saturating_add(cell.count);
            }
        }
        for cell in &panel.cells {
            let total = totals.get(cell.column).copied().unwrap_or(0);
            self.cell(body, cell, total, bottom);
        }
        self.times(body, bottom);
        page.take(34);
    }

    fn cell(&self, body: &mut String, cell: &Cell, total: i64, bottom: u32) {
        let (Some(column), Some(level)) = (
            self.columns.get(cell.column),
            self.map.levels.get(cell.level),
        ) else {
            return;
        };
        let (x, end) = (self.x(column.from), self.x(column.to));
        let y = bottom - (cell.level - self.bottom + 1) as u32 * self.row;
        // Writing to a String cannot fail.
        let _ = write!(
            body,
            "<rect class=\"cell\" x=\"{x:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{}\"><title>",
            (end - x).max(1.0),
            self.row,
            color(self.shade(cell.count))
        );
        let part = |n: i64| u128::from(n.unsigned_abs());
        let text = format!(
            "{} to {}: {}: {} ({} of the column)",
            seconds(column.from),
            seconds(column.to),
            level.text(&self.map.unit),
            grouped(part(cell.count)),
            percent(part(cell.count), part(total))
        );
        text::xml(body, &text);
        body.push_str("</title></rect>\n");
    }

    /// The axis of values: where buckets begin.
    fn values(&self, body: &mut String, bottom: u32) {
        let every = 16u32.div_ceil(self.row) as usize;
        for (i, level) in (self.bottom..=self.top).enumerate().step_by(every) {
            let Some(level) = self.map.levels.get(level) else {
                continue;
            };
            let y = bottom - i as u32 * self.row;
            let (text, y) = match level.low {
                Some(low) => (value(&self.map.unit, low), y),
                None => (level.text(&self.map.unit), y),
            };
            // Writing to a String cannot fail.
            let _ = write!(
                body,
                "<line x1=\"{}\" x2=\"{LEFT}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#999\"/><text x=\"{}\" y=\"{}\" text-anchor=\"end\">",
                LEFT - 5,
                LEFT - 8,
                y + 4
            );
            text::xml(body, &text);
            body.push_str("</text>\n");
        }
    }

    /// The axis of time.
    fn times(&self, body: &mut String, bottom: u32) {
        let end = self.columns.last().map_or(1, |c| c.to).max(1);
        let mut step = 1_000_000u64;
        for factor in [2, 5, 10].iter().cycle() {
            if self.x(step) - self.x(0) >= 90.0 {
                break;
            }
            step = match factor {
                5 => step / 2 * 5,
                _ => step.saturating_mul(2),
            };
        }
        for time in (0..=end).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
            let x = self.x(time);
            // Writing to a String cannot fail.
            let _ = writeln!(
                body,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{bottom}\" y2=\"{}\" stroke=\"#999\"/><text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
                bottom + 5,
                bottom + 18,
                if time == 0 { "start" } else { "middle" },
                seconds(time)
            );
        }
    }
}
