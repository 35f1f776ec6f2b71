//! Draws a flame graph of many distinct stacks and says how long that took: `many COUNT [FILE]`.

use consumer::data::{Entry, Frame, Item, Measure};
use pictures::{About, Unit, flame};
use std::io::Write;
use std::time::Instant;

/// Frames of each stack: two ways at each of sixteen, below a few that all have.
fn stack(n: u64) -> Item {
    let frame = |at: u64, name: String| Frame {
        address: 0x40_0000 + 64 * at,
        module: Some("tree".into()),
        name: Some(name.into()),
        offset: 0x1c,
        user: true,
    };
    let turns = (0..16).map(|bit| {
        frame(
            2 * bit + (n >> bit & 1),
            format!("turn_{bit}_{}", n >> bit & 1),
        )
    });
    let below = ["go", "main", "__libc_start_call_main", "_start"];
    let below = (100..)
        .zip(below)
        .map(|(at, name)| frame(at, name.to_owned()));
    Item::Stack(turns.chain(below).collect())
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let count: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(50_000);
    let file = args.next();
    let entry = |n| Entry {
        key: vec![Item::Text("tree".to_owned()), stack(n)],
        value: Measure::Number(1 + (n % 7) as i64),
    };
    let entries: Vec<Entry> = (0..count).map(entry).collect();
    let begun = Instant::now();
    let samples = Unit::named("samples");
    let mut graph = flame::Graph::new("@[execname, ustack()]".to_owned(), samples, Vec::new());
    graph.add(&entries);
    let merged = begun.elapsed();
    let text = flame::svg(&About::default(), &[graph]);
    let drawn = begun.elapsed() - merged;
    writeln!(
        std::io::stdout(),
        "{count} stacks: {:.0} ms to merge, {:.0} ms to draw, {:.1} MB",
        merged.as_secs_f64() * 1e3,
        drawn.as_secs_f64() * 1e3,
        text.len() as f64 / 1e6
    )?;
    match file {
        Some(file) => std::fs::write(file, text),
        None => Ok(()),
    }
}
