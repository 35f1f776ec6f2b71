//! From trees to SVG.

use super::Graph;
use super::names::Kind;
use super::tree::Placed;
use crate::About;
use crate::page::{CHAR, MARGIN, Page, WIDTH};
use crate::text;
use crate::unit::{grouped, percent};
use std::fmt::Write;

/// Pixels of a row of frames.
const ROW: u32 = 17;
/// Pixels of the narrowest frame that is drawn.
const NARROWEST: f64 = 0.5;
/// Pixels between a frame's edge and its name.
const PAD: f64 = 3.0;
pub const SCRIPT: &str = concat!(include_str!("../common.js"), include_str!("flame.js"));

/// The picture of these graphs, one under the other.
pub fn svg(about: &About, graphs: &[Graph]) -> String {
    let mut page = Page::new(about);
    let mut data = String::from("{\"graphs\":[");
    let mut drawn = false;
    for (n, graph) in graphs.iter().enumerate() {
        page.take(6);
        if graph.tree.total() == 0 {
            page.line("", &format!("{}: nothing was recorded", graph.heading));
            negative(&mut page, graph);
            continue;
        }
        if drawn {
            data.push(',');
        }
        drawn = true;
        Drawing::new(graph).draw(n, &mut page, &mut data);
    }
    data.push_str("]}");
    let script = if drawn { SCRIPT } else { "" };
    page.finish(&about.title, &data, script)
}

/// Says what has no width.
fn negative(page: &mut Page, graph: &Graph) {
    let (count, sum) = graph.negative;
    if count > 0 {
        let plural = if count == 1 { "" } else { "s" };
        page.line(
            "small",
            &format!(
                "Not drawn: {count} stack{plural} below zero, {} in all",
                graph.unit.show(sum)
            ),
        );
    }
}

/// A graph being drawn.
struct Drawing<'a> {
    graph: &'a Graph,
    labels: Vec<String>,
    full: Vec<String>,
    colors: Vec<String>,
    frames: Vec<Placed>,
    /// Pixels for one.
    scale: f64,
}

impl<'a> Drawing<'a> {
    fn new(graph: &'a Graph) -> Drawing<'a> {
        let labels = graph.names.labels();
        let full: Vec<_> = graph.names.all().iter().map(|n| n.full()).collect();
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        order.sort_by_cached_key(|n| {
            let n = *n as usize;
            (
                labels.get(n),
                full.get(n),
                graph.names.all().get(n).map(|n| n.kind),
            )
        });
        let mut rank = vec![0; labels.len()];
        for (place, name) in order.iter().enumerate() {
            if let Some(rank) = rank.get_mut(*name as usize) {
                *rank = place as u32;
            }
        }
        Drawing {
            frames: graph.tree.placed(&rank),
            scale: f64::from(WIDTH - 2 * MARGIN) / graph.tree.total() as f64,
            colors: graph.names.all().iter().map(|n| n.color()).collect(),
            graph,
            labels,
            full,
        }
    }

    /// Appends it to the page, and its data for the script.
    fn draw(&self, n: usize, page: &mut Page, data: &mut String) {
        page.line("", &self.graph.summary());
        negative(page, self.graph);
        self.cut(page);
        self.legend(page);
        let deepest = self.frames.iter().map(|f| f.depth).max().unwrap_or(0);
        let height = (deepest + 1).saturating_mul(ROW);
        let top = page.take(height);
        let mut body = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(body, "<g class=\"graph\" id=\"g{n}\">");
        for frame in self.frames.iter().filter(|f| self.width(f) >= NARROWEST) {
            self.frame(&mut body, frame, top + (deepest - frame.depth) * ROW);
        }
        body.push_str("</g>\n");
        page.body().push_str(&body);
        page.take(4);
        self.data(n, top, height, data);
    }

    fn width(&self, frame: &Placed) -> f64 {
        frame.total as f64 * self.scale
    }

    fn frame(&self, body: &mut String, frame: &Placed, y: u32) {
        let name = frame.name as usize;
        let (Some(label), Some(full), Some(color)) = (
            self.labels.get(name),
            self.full.get(name),
            self.colors.get(name),
        ) else {
            return;
        };
        let x = f64::from(MARGIN) + frame.before as f64 * self.scale;
        let width = self.width(frame);
        // Writing to a String cannot fail.
        let _ = write!(body, "<g class=\"frame\"><title>");
        text::xml(body, full);
        let _ = write!(
            body,
            " ({}, {})</title><rect x=\"{x:.1}\" y=\"{y}\" width=\"{:.1}\" height=\"{}\" fill=\"{color}\"/>",
            self.graph.unit.show(frame.total as i128),
            percent(frame.total, self.graph.tree.total()),
            (width - 0.4).max(0.1),
            ROW - 1
        );
        let room = ((width - 2.0 * PAD) / CHAR) as usize;
        if room >= 3 {
            let _ = write!(body, "<text x=\"{:.1}\" y=\"{}\">", x + PAD, y + 12);
            text::xml(body, &text::cut(label, room));
            body.push_str("</text>");
        }
        body.push_str("</g>\n");
    }

    /// Says how much is too narrow to be drawn.
    fn cut(&self, page: &mut Page) {
        let (mut count, mut total, mut inside) = (0u128, 0u128, None);
        for frame in &self.frames {
            if inside.is_some_and(|depth| frame.depth > depth) {
                count += 1;
                continue;
            }
            inside = None;
            if self.width(frame) < NARROWEST {
                count += 1;
                total += frame.total;
                inside = Some(frame.depth);
            }
        }
        if count > 0 {
            let (plural, are) = if count == 1 { ("", "is") } else { ("s", "are") };
            let part = percent(total, self.graph.tree.total());
            page.line(
                "small cut",
                &format!(
                    "{} frame{plural} ({part} of all) {are} too narrow to be drawn; where scripts run, click to zoom in",
                    grouped(count)
                ),
            );
        }
    }

    /// Says which colours mean what, if there are several kinds of frames.
    fn legend(&self, page: &mut Page) {
        let mut kinds: Vec<Kind> = self.graph.names.all().iter().map(|n| n.kind).collect();
        kinds.retain(|k| !k.name().is_empty());
        kinds.sort_unstable();
        kinds.dedup();
        let y = page.take(20);
        let mut x = f64::from(MARGIN);
        for kind in kinds {
            let (name, color) = (kind.name(), kind.color("legend"));
            // Writing to a String cannot fail.
            let _ = writeln!(
                page.body(),
                "<rect x=\"{x:.0}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{color}\"/><text x=\"{:.0}\" y=\"{}\" class=\"small\">{name}</text>",
                y + 2,
                x + 16.0,
                y + 12
            );
            x += 16.0 + CHAR * (name.len() as f64 + 2.0);
        }
    }

    /// Appends what the script needs: names once; for each frame its depth, name and value.
    fn data(&self, n: usize, top: u32, height: u32, data: &mut String) {
        // Writing to a String cannot fail.
        let _ = write!(
            data,
            "{{\"id\":\"g{n}\",\"top\":{top},\"height\":{height},\"unit\":"
        );
        self.graph.unit.json(data);
        data.push_str(",\"names\":[");
        let rows = self.labels.iter().zip(&self.full).zip(&self.colors);
        for (i, ((label, full), color)) in rows.enumerate() {
            data.push_str(if i > 0 { ",[" } else { "[" });
            text::json_shown(data, label);
            data.push(',');
            text::json_shown(data, full);
            let _ = write!(data, ",\"{color}\"]");
        }
        data.push_str("],\"frames\":[");
        for (i, frame) in self.frames.iter().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            let _ = write!(
                data,
                "{comma}{},{},{}",
                frame.depth, frame.name, frame.total
            );
        }
        data.push_str("]}");
    }
}
