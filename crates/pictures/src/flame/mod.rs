//! Flame graphs of aggregations with stacks among their keys.
//!
//! Every entry is a path from the root: keys that are no stacks, in their order; then user stacks, then kernel stacks,
//! each from its outermost frame. Equal beginnings are one frame, whatever the offsets were, as wide as all that is above
//! it. The whole tree is in the file: what is too narrow to be drawn is drawn when one zooms in.

mod draw;
mod names;
mod tree;

pub use draw::svg;

use crate::Unit;
use consumer::data::{Entry, Frame, Item};
use names::{Identity, Kind, Names};
use tree::Tree;

/// The graph of one aggregation.
pub struct Graph {
    /// What stands over it.
    heading: String,
    unit: Unit,
    /// What is put before keys: `pid ` before numbers of processes.
    labels: Vec<String>,
    names: Names,
    tree: Tree,
    /// Entries with something to draw.
    stacks: u64,
    /// Entries below zero, which have no width, and their sum.
    negative: (u64, i128),
}

impl Graph {
    /// An empty graph. `labels` are put before keys, by their place.
    pub fn new(heading: String, unit: Unit, labels: Vec<String>) -> Graph {
        let mut names = Names::default();
        let root = names.id(&Identity::word(Kind::Root, "all"));
        Graph {
            heading,
            unit,
            labels,
            names,
            tree: Tree::new(root),
            stacks: 0,
            negative: (0, 0),
        }
    }

    /// Adds entries of the aggregation.
    pub fn add(&mut self, entries: &[Entry]) {
        let mut path = Vec::new();
        for entry in entries {
            let value = i128::from(entry.value.number());
            match value {
                0 => continue,
                ..0 => {
                    self.negative.0 += 1;
                    self.negative.1 += value;
                    continue;
                }
                1.. => {}
            }
            path.clear();
            self.path(&entry.key, &mut path);
            self.stacks += 1;
            self.tree.add(&path, value.unsigned_abs());
        }
    }

    /// The frames of a key, from the root on.
    fn path(&mut self, key: &[Item], path: &mut Vec<u32>) {
        for (i, item) in key.iter().enumerate() {
            let label = self.labels.get(i).map_or("", String::as_str);
            let text = match item {
                Item::Stack(_) => continue,
                Item::Symbol(frame) => {
                    path.push(self.names.of(frame));
                    continue;
                }
                Item::Int(_) | Item::Uint(_) | Item::Text(_) | Item::Bytes(_) => {
                    format!("{label}{}", crate::text::item(item))
                }
            };
            path.push(self.names.id(&Identity::word(Kind::Key, &text)));
        }
        let stacks = key.iter().map(Item::frames).filter(|f| !f.is_empty());
        let (user, kernel): (Vec<_>, Vec<_>) =
            stacks.partition(|frames| frames.first().is_some_and(|f| f.user));
        if user.is_empty() && kernel.is_empty() {
            path.push(self.names.id(&Identity::word(Kind::Unknown, "[no stack]")));
        }
        for side in [user, kernel] {
            for (i, frames) in side.into_iter().enumerate() {
                if i > 0 {
                    path.push(self.names.id(&Identity::word(Kind::Key, "--")));
                }
                self.frames(frames, path);
            }
        }
    }

    fn frames(&mut self, frames: &[Frame], path: &mut Vec<u32>) {
        let outermost_first = frames.iter().rev();
        path.extend(outermost_first.map(|f| self.names.of(f)));
    }

    /// What is known of it in one line.
    fn summary(&self) -> String {
        let total = self.unit.show(self.tree.total() as i128);
        let plural = if self.stacks == 1 { "" } else { "s" };
        let stacks = crate::unit::grouped(u128::from(self.stacks));
        format!("{}: {total} in {stacks} stack{plural}", self.heading)
    }
}

#[cfg(test)]
mod tests;
