//! Flame graphs as a parser of XML sees them, and one that was looked at.

use super::draw::SCRIPT;
use super::*;
use crate::golden::{about, entry, frame, kernel, of_class, same, user};
use roxmltree::Document;

fn graph(entries: &[Entry]) -> Graph {
    let labels = vec![String::new(), "pid ".to_owned()];
    let mut graph = Graph::new(
        "@[execname, pid, stack()]".into(),
        Unit::named("samples"),
        labels,
    );
    graph.add(entries);
    graph
}

fn text(s: &str) -> Item {
    Item::Text(s.to_owned())
}

/// What each frame says of itself.
fn titles(svg: &str) -> Vec<String> {
    let picture = Document::parse(svg).expect("well-formed");
    let frames = of_class(&picture, "frame");
    let title = |f: &roxmltree::Node<'_, '_>| {
        f.first_element_child()
            .and_then(|t| t.text())
            .map(str::to_owned)
    };
    frames.iter().filter_map(title).collect()
}

#[test]
fn one_that_was_looked_at() {
    let entries = [
        entry(
            vec![
                text("sh"),
                Item::Int(7),
                kernel(&["vfs_read", "do_syscall_64"]),
                user(&["read", "main"]),
            ],
            60,
        ),
        entry(
            vec![
                text("sh"),
                Item::Int(7),
                kernel(&[]),
                user(&["parse<a, b>", "main"]),
            ],
            30,
        ),
        entry(
            vec![text("sh"), Item::Int(8), kernel(&["idle"]), user(&[])],
            9,
        ),
        entry(
            vec![
                text("java"),
                Item::Int(9),
                Item::Stack(vec![
                    frame("", "LHello;::run", true),
                    frame("libjvm.so", "", true),
                ]),
            ],
            1,
        ),
    ];
    let svg = svg(&about(&["LOST: 12 drops"]), &[graph(&entries)]);
    same("flame.svg", &svg, SCRIPT);
    assert!(svg.contains("LOST: 12 drops"));
}

#[test]
fn user_stacks_carry_kernel_stacks_and_keys_carry_both() {
    let entries = [entry(
        vec![
            text("sh"),
            Item::Int(7),
            kernel(&["vfs_read", "entry"]),
            user(&["read", "main"]),
        ],
        4,
    )];
    let titles = titles(&svg(&about(&[]), &[graph(&entries)]));
    let rest = " (4 samples, 100.0 %)";
    let names = [
        "all",
        "sh",
        "pid 7",
        "app`main",
        "app`read",
        "vmlinux`entry",
        "vmlinux`vfs_read",
    ];
    assert_eq!(titles, names.map(|n| format!("{n}{rest}")));
}

#[test]
fn nothing_is_lost_of_what_is_too_narrow() {
    let wide = entry(vec![kernel(&["busy"])], 9_000_000);
    let narrow = (0..1000).map(|i| entry(vec![kernel(&[&format!("f{i}"), "rare"])], 1));
    let entries: Vec<_> = narrow.chain([wide]).collect();
    let svg = svg(&about(&[]), &[graph(&entries)]);
    let titles = titles(&svg);
    assert_eq!(
        titles.first().map(String::as_str),
        Some("all (9,001,000 samples, 100.0 %)")
    );
    assert_eq!(titles.len(), 2, "{titles:?}");
    assert!(
        svg.contains(">1,001 frames (0.01 % of all) are too narrow to be drawn;"),
        "{svg}"
    );
    // The script has all of them.
    let data = svg
        .split("id=\"data\">")
        .nth(1)
        .and_then(|s| s.split("</script>").next());
    let numbers = data
        .and_then(|d| d.split("\"frames\":[").nth(1))
        .expect("data");
    assert_eq!(
        numbers.trim_end_matches("]}]}").split(',').count(),
        3 * 1003
    );
}

#[test]
fn nothing_recorded_is_a_picture_too() {
    let negative = [
        entry(vec![kernel(&["kfree"])], -5),
        entry(vec![kernel(&["kmalloc"])], 0),
    ];
    let svg = svg(&about(&[]), &[graph(&negative)]);
    let picture = Document::parse(&svg).expect("well-formed");
    assert!(of_class(&picture, "frame").is_empty());
    assert!(svg.contains("nothing was recorded"));
    assert!(svg.contains("Not drawn: 1 stack below zero, -5 samples in all"));
    assert!(!svg.contains("<script"));
}

#[test]
fn names_hold_anything() {
    let name = "]]></script><script>alert(1)</script>&\u{1}\"'`\u{202e}\u{fffe}";
    let entries = [entry(vec![text(name), Item::Int(1), kernel(&[name])], 3)];
    let all = svg(&about(&[name]), &[graph(&entries)]);
    let picture = Document::parse(&all).expect("well-formed");
    let scripts = picture
        .descendants()
        .filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "script")));
    assert_eq!(scripts.count(), 2, "data and program");
    assert_eq!(of_class(&picture, "frame").len(), 4);
}

#[test]
fn several_graphs_are_one_file() {
    let one = graph(&[entry(vec![kernel(&["a"])], 1)]);
    let none = graph(&[]);
    let two = graph(&[entry(vec![kernel(&["b"])], 2)]);
    let all = svg(&about(&[]), &[one, none, two]);
    let picture = Document::parse(&all).expect("well-formed");
    let graphs: Vec<_> = of_class(&picture, "graph")
        .iter()
        .filter_map(|g| g.attribute("id").map(str::to_owned))
        .collect();
    assert_eq!(graphs, ["g0", "g2"]);
    let rects = picture
        .descendants()
        .filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "rect")));
    let bottom = rects
        .filter_map(|r| {
            Some(
                r.attribute("y")?.parse::<u32>().ok()?
                    + r.attribute("height")?.parse::<u32>().ok()?,
            )
        })
        .max();
    let height = picture
        .root_element()
        .attribute("height")
        .and_then(|h| h.parse::<u32>().ok());
    assert!(bottom < height, "{bottom:?} {height:?}");
}

#[test]
fn the_same_data_make_the_same_text() {
    let entries: Vec<_> = (0..200)
        .map(|i| {
            entry(
                vec![kernel(&[&format!("g{}", i % 17), &format!("f{}", i % 5)])],
                i,
            )
        })
        .collect();
    let mut other = entries.clone();
    other.reverse();
    let draw = |e: &[Entry]| {
        let text = svg(&about(&[]), &[graph(e)]);
        // Names are numbered as they come.
        titles(&text)
    };
    assert_eq!(draw(&entries), draw(&other));
}
