//! Stacks merged into a tree.

use foldhash::{HashMap, HashMapExt};

/// A frame, and what is above it.
struct Node {
    name: u32,
    /// Of it and of all above it.
    total: u128,
    children: Vec<u32>,
}

/// Paths from a root, merged.
pub struct Tree {
    nodes: Vec<Node>,
    /// By parent and name.
    known: HashMap<(u32, u32), u32>,
}

/// A frame where it is to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Name, by number.
    pub name: u32,
    /// Frames below it.
    pub depth: u32,
    /// What it has.
    pub total: u128,
    /// What is left of it.
    pub before: u128,
}

impl Tree {
    /// A root without anything above it.
    pub fn new(name: u32) -> Tree {
        Tree {
            nodes: vec![Node {
                name,
                total: 0,
                children: Vec::new(),
            }],
            known: HashMap::new(),
        }
    }

    /// Adds a value to all frames of a path, which begins above the root.
    pub fn add(&mut self, path: &[u32], value: u128) {
        let mut at = 0u32;
        self.count(at, value);
        for name in path {
            at = self.child(at, *name);
            self.count(at, value);
        }
    }

    fn count(&mut self, node: u32, value: u128) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.total = node.total.saturating_add(value);
        }
    }

    fn child(&mut self, parent: u32, name: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let child = *self.known.entry((parent, name)).or_insert(next);
        if child == next {
            self.nodes.push(Node {
                name,
                total: 0,
                children: Vec::new(),
            });
            if let Some(parent) = self.nodes.get_mut(parent as usize) {
                parent.children.push(next);
            }
        }
        child
    }

    /// What the root has.
    pub fn total(&self) -> u128 {
        self.nodes.first().map_or(0, |root| root.total)
    }

    /// All frames, each before those above it; those above one frame by their rank.
    pub fn placed(&self, rank: &[u32]) -> Vec<Placed> {
        let rank_of = |node: &u32| {
            let node = self.nodes.get(*node as usize);
            node.and_then(|n| rank.get(n.name as usize)).copied()
        };
        let mut placed = Vec::with_capacity(self.nodes.len());
        // Node, depth, what is left of it.
        let mut todo = vec![(0u32, 0u32, 0u128)];
        let mut children = Vec::new();
        while let Some((id, depth, before)) = todo.pop() {
            let Some(node) = self.nodes.get(id as usize) else {
                continue;
            };
            placed.push(Placed {
                name: node.name,
                depth,
                total: node.total,
                before,
            });
            children.clone_from(&node.children);
            children.sort_by_cached_key(rank_of);
            let mut left = before;
            let from = todo.len();
            for child in &children {
                todo.push((*child, depth + 1, left));
                left += self.nodes.get(*child as usize).map_or(0, |c| c.total);
            }
            if let Some(added) = todo.get_mut(from..) {
                added.reverse();
            }
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_beginnings_are_one_frame() {
        let mut tree = Tree::new(0);
        tree.add(&[1, 2], 5);
        tree.add(&[1, 3], 2);
        tree.add(&[1], 1);
        tree.add(&[2, 1], 4);
        tree.add(&[1, 2], 10);
        // 3 before 2.
        let placed = tree.placed(&[0, 1, 9, 3]);
        let rows: Vec<_> = placed
            .iter()
            .map(|p| (p.name, p.depth, p.total, p.before))
            .collect();
        assert_eq!(
            rows,
            [
                (0, 0, 22, 0),
                (1, 1, 18, 0),
                (3, 2, 2, 0),
                (2, 2, 15, 2),
                (2, 1, 4, 18),
                (1, 2, 4, 18),
            ]
        );
        assert_eq!(tree.total(), 22);
    }
}
