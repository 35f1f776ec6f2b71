//! Heat maps as a parser of XML sees them, and one that was looked at.

use super::draw::SCRIPT;
use super::*;
use crate::golden::{about, of_class, same};
use roxmltree::Document;

const SECOND: u64 = 1_000_000_000;

fn entry(key: &str, buckets: &[(i64, i64)]) -> Entry {
    let bucket = |(value, count): &(i64, i64)| Bucket {
        value: *value,
        below: false,
        count: *count,
    };
    Entry {
        key: vec![Item::Text(key.to_owned())],
        value: Measure::Buckets(buckets.iter().map(bucket).collect()),
    }
}

fn map(func: AggFunc) -> Map {
    Map::new(
        "@[execname] = quantize()".into(),
        Unit::Time(1),
        vec![String::new()],
        func,
        5 * SECOND,
    )
}

/// What the cells say.
fn cells(svg: &str) -> Vec<String> {
    let picture = Document::parse(svg).expect("well-formed");
    let cells = of_class(&picture, "cell");
    cells
        .iter()
        .filter_map(|c| c.first_element_child()?.text().map(str::to_owned))
        .collect()
}

#[test]
fn one_that_was_looked_at() {
    let mut map = map(AggFunc::Quantize);
    map.printed(
        6 * SECOND,
        &[
            entry("sh", &[(1024, 3), (2048, 100)]),
            entry("cat", &[(1 << 20, 1)]),
        ],
    );
    map.printed(7 * SECOND, &[entry("sh", &[(1024, 3), (2048, 4000)])]);
    let text = svg(&about(&["LOST: 3 aggregation drops"]), &[map]);
    same("heatmap.svg", &text, SCRIPT);
}

#[test]
fn columns_have_what_is_new() {
    let mut cumulative = map(AggFunc::Quantize);
    cumulative.printed(6 * SECOND, &[entry("a", &[(8, 5)])]);
    cumulative.printed(7 * SECOND, &[entry("a", &[(8, 5), (16, 2)])]);
    cumulative.printed(8 * SECOND, &[entry("a", &[(8, 9), (16, 2)])]);
    let mut cleared = map(AggFunc::Quantize);
    for (time, counts) in [(6, (8, 5)), (7, (16, 2)), (8, (8, 4))] {
        cleared.printed(time * SECOND, &[entry("a", &[counts])]);
        cleared.removed(&[entry("a", &[counts])]);
    }
    let want = [
        "0 s to 1 s: 8 ns to 16 ns: 5 (100.0 % of the column)",
        "1 s to 2 s: 16 ns to 32 ns: 2 (100.0 % of the column)",
        "2 s to 3 s: 8 ns to 16 ns: 4 (100.0 % of the column)",
    ];
    assert_eq!(cells(&svg(&about(&[]), &[cumulative])), want);
    assert_eq!(cells(&svg(&about(&[]), &[cleared])), want);
}

#[test]
fn what_comes_between_printing_and_clearing_is_in_the_next_column() {
    let mut map = map(AggFunc::Quantize);
    map.printed(6 * SECOND, &[entry("a", &[(8, 5)])]);
    map.removed(&[entry("a", &[(8, 7)])]);
    map.finish(7 * SECOND, &[]);
    let cells = cells(&svg(&about(&[]), &[map]));
    assert_eq!(cells.len(), 2);
    assert!(
        cells[1].starts_with("1 s to 2 s: 8 ns to 16 ns: 2"),
        "{cells:?}"
    );
}

#[test]
fn many_columns_are_drawn_together_and_many_keys_share_a_panel() {
    let mut map = map(AggFunc::Lquantize {
        base: 0,
        limit: 10,
        step: 1,
    });
    for second in 0..1300u64 {
        let count = second as i64 + 1;
        let keys = (0..30).map(|k| entry(&format!("key {k}"), &[(3, count)]));
        map.printed((6 + second) * SECOND, &keys.collect::<Vec<_>>());
    }
    let text = svg(&about(&[]), &[map]);
    assert!(text.contains("39,000 values in 1,300 columns"));
    assert!(text.contains("each column drawn is 3 of those"));
    assert!(text.contains(">7 others<"));
    let sum: u64 = cells(&text)
        .iter()
        .filter_map(|c| {
            c.split(": ")
                .nth(2)?
                .split(' ')
                .next()?
                .replace(',', "")
                .parse::<u64>()
                .ok()
        })
        .sum();
    assert_eq!(sum, 39_000);
}

#[test]
fn buckets_are_ranges() {
    let names = |func: AggFunc, values: &[(i64, bool)]| -> Vec<String> {
        let scale = data::scale(func);
        let levels = levels(func, &scale);
        let of = |v: &(i64, bool)| scale.iter().position(|b| (b.value, b.below) == *v);
        let unit = Unit::Things(String::new());
        values
            .iter()
            .filter_map(of)
            .map(|i| levels[i].text(&unit))
            .collect()
    };
    assert_eq!(
        names(
            AggFunc::Quantize,
            &[(-4, false), (-1, false), (0, false), (1, false), (4, false)]
        ),
        ["-7 to -3", "-1", "0", "1", "4 to 8"]
    );
    let lquantize = AggFunc::Lquantize {
        base: 10,
        limit: 30,
        step: 10,
    };
    assert_eq!(
        names(
            lquantize,
            &[(10, true), (10, false), (20, false), (30, false)]
        ),
        ["below 10", "10 to 20", "20 to 30", "30 and more"]
    );
}

#[test]
fn nothing_recorded_is_a_picture_too() {
    let text = svg(&about(&[]), &[map(AggFunc::Quantize)]);
    assert!(Document::parse(&text).is_ok());
    assert!(text.contains("nothing was recorded"));
}
