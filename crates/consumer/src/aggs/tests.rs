//! Golden tests of aggregations: values, order, joining, histograms, and what `clear()` and its family do.

use crate::rig::*;
use crate::{Encoding, Options};
use image::layout::QUANTIZE_ZERO;
use image::{
    ActionKind, AggDesc, AggFunc, AggStorage, ClauseDesc, Image, KeyKind, ProbeField, SymKind,
};

/// An image whose clause 0 is `printa()` of all aggregations, one each.
fn program(aggs: Vec<AggDesc>, more: Vec<ClauseDesc>) -> Image {
    let all = (0..aggs.len() as u32).map(|a| printa(&[a])).collect();
    let mut clauses = vec![clause(all)];
    clauses.extend(more);
    Image {
        aggs,
        ..image(clauses)
    }
}

fn formatted(text: &str, aggs: &[u32]) -> ClauseDesc {
    clause(vec![(
        ActionKind::Printa {
            format: Some(fmt(text)),
            aggs: aggs.to_vec(),
        },
        vec![],
    )])
}

/// What `printa()` of one unkeyed aggregation with these words prints.
fn shown(func: AggFunc, opts: Options, words: &[u64]) -> String {
    let mut rig = Rig::new(
        program(vec![agg("a", func, vec![])], vec![]),
        Options {
            quiet: true,
            ..opts
        },
    );
    rig.set(0, &[], words);
    rig.run(0, &[]);
    rig.text()
}

fn scalar(func: AggFunc, words: &[u64]) -> String {
    shown(func, Options::default(), words).trim().to_string()
}

#[test]
fn values_are_merged_over_cpus() {
    let neg = |v: i64| v as u64;
    assert_eq!(
        shown(AggFunc::Count, Options::default(), &[1, 2, 3]),
        "\n                6\n"
    );
    assert_eq!(scalar(AggFunc::Sum, &[neg(-5), 1, 2, 1]), "-3");
    assert_eq!(scalar(AggFunc::Sum, &[0, 1, 0, 0]), "0");
    assert_eq!(scalar(AggFunc::Min, &[1, 7, 0, 0, 1, neg(-2)]), "-2");
    assert_eq!(scalar(AggFunc::Max, &[1, neg(-7), 0, 0, 1, neg(-2)]), "-2");
    assert_eq!(scalar(AggFunc::Avg, &[2, 7, 1, 3]), "3");
    assert_eq!(scalar(AggFunc::Avg, &[2, neg(-7)]), "-3");
    assert_eq!(scalar(AggFunc::Avg, &[0, 0]), "0");
}

#[test]
fn standard_deviation_is_integer_and_128_bits_wide() {
    assert_eq!(scalar(AggFunc::Stddev, &[3, 15, 107, 0]), "3");
    let v = 1u128 << 40;
    let square = v * v;
    let words =
        |n: u64, sum: i64, squares: u128| [n, sum as u64, squares as u64, (squares >> 64) as u64];
    assert_eq!(
        scalar(AggFunc::Stddev, &words(2, 0, 2 * square)),
        (1u64 << 40).to_string()
    );
    // The carry between the halves must survive merging.
    let both = [
        words(1, v as i64, square - 1),
        words(1, -(v as i64), square + 1),
    ]
    .concat();
    assert_eq!(scalar(AggFunc::Stddev, &both), (1u64 << 40).to_string());
}

#[test]
fn keys_in_their_default_form() {
    let kinds = vec![
        STR,
        KeyKind::Int {
            bytes: 4,
            signed: true,
        },
        KeyKind::Int {
            bytes: 2,
            signed: false,
        },
        KeyKind::Int {
            bytes: 1,
            signed: true,
        },
        INT,
        KeyKind::Sym(SymKind::Sym),
        KeyKind::Stack {
            user: false,
            frames: 3 + image::layout::SPARE_FRAMES,
        },
    ];
    let mut rig = Rig::quiet(program(vec![agg("a", AggFunc::Count, kinds)], vec![]));
    let mut key = str_key("bash");
    key.extend((-3i32).to_ne_bytes());
    key.extend(0xffffu16.to_ne_bytes());
    key.extend((-1i8).to_ne_bytes());
    key.extend(77i64.to_ne_bytes());
    key.extend(
        [0xf008u64, 0xf101, 0xf200, 0, 0, 0, 0]
            .map(u64::to_ne_bytes)
            .concat(),
    );
    rig.set(0, &key, &[9]);
    rig.run(0, &[]);
    let want = format!(
        "\n  {:<50}       -3 65535  -1               77  {:<50}\n{i}vmlinux`kfn1+0x1\n{i}vmlinux`kfn1+0x100\n                9\n",
        "bash",
        "vmlinux`kfn0",
        i = " ".repeat(14)
    );
    assert_eq!(rig.text(), want);
}

/// A process that ran another program has keys of its own; all addresses of a function are one key, all stacks are not.
#[test]
fn keys_of_processes() {
    let kinds = vec![
        KeyKind::Sym(SymKind::Usym),
        KeyKind::Sym(SymKind::Umod),
        KeyKind::Stack {
            user: true,
            frames: 2,
        },
    ];
    let mut rig = Rig::quiet(program(vec![agg("a", AggFunc::Count, kinds)], vec![]));
    let stamped = 7 | 1 << 32;
    for (word, at, pc) in [
        (7, 0x1004, 0x1004),
        (7, 0x1008, 0x1004),
        (stamped, 0x1004, 0x1004),
        (7, 0x1008, 0x1108),
    ] {
        let key: Vec<u8> = [at, word, at, word, word, pc, 0x1200]
            .map(u64::to_ne_bytes)
            .concat();
        rig.set(0, &key, &[1]);
    }
    rig.run(0, &[]);
    let text = rig.text();
    let words: Vec<&str> = text.split_whitespace().collect();
    let want = [
        [
            "libx.so`ufn0",
            "libx.so",
            "libx.so`ufn1+0x8",
            "libx.so`ufn1+0x100",
            "1",
        ],
        [
            "liby.so`ufn0",
            "liby.so",
            "liby.so`ufn0+0x4",
            "liby.so`ufn1+0x100",
            "1",
        ],
        [
            "libx.so`ufn0",
            "libx.so",
            "libx.so`ufn0+0x4",
            "libx.so`ufn1+0x100",
            "2",
        ],
    ];
    assert_eq!(words, want.concat(), "{text}");
}

fn by_name(rig: &mut Rig, agg: u32, entries: &[(&str, u64)]) {
    for (name, v) in entries {
        rig.set(agg, &str_key(name), &[*v]);
    }
}

/// First column of each line.
fn names(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|l| l.split_whitespace().next())
        .collect()
}

#[test]
fn order_and_its_options() {
    let order = |set: fn(&mut Options)| {
        let mut opts = Options {
            quiet: true,
            ..Options::default()
        };
        set(&mut opts);
        let mut rig = Rig::new(
            program(vec![agg("a", AggFunc::Sum, vec![STR])], vec![]),
            opts,
        );
        by_name(
            &mut rig,
            0,
            &[("b", 2), ("a", 2), ("d", -1i64 as u64), ("c", 10)],
        );
        rig.run(0, &[]);
        names(&rig.text()).concat()
    };
    assert_eq!(order(|_| {}), "dabc", "by value, ties by key");
    assert_eq!(order(|o| o.aggsortrev = true), "cbad");
    assert_eq!(order(|o| o.aggsortkey = true), "abcd");
    assert_eq!(
        order(|o| (o.aggsortkey, o.aggsortrev) = (true, true)),
        "dcba"
    );
}

#[test]
fn key_position() {
    let opts = Options {
        quiet: true,
        aggsortkey: true,
        aggsortkeypos: 1,
        ..Options::default()
    };
    let mut rig = Rig::new(
        program(vec![agg("a", AggFunc::Count, vec![STR, INT, INT])], vec![]),
        opts,
    );
    for (name, x, y) in [("b", 1i64, 1i64), ("a", 1, 2), ("c", -1, 5), ("a", 1, 1)] {
        rig.set(
            0,
            &[
                str_key(name),
                x.to_ne_bytes().to_vec(),
                y.to_ne_bytes().to_vec(),
            ]
            .concat(),
            &[1],
        );
    }
    rig.run(0, &[]);
    let text = rig.text();
    let rows: Vec<String> = text
        .lines()
        .skip(1)
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows, ["c -1 5 1", "a 1 1 1", "b 1 1 1", "a 1 2 1"]);
}

#[test]
fn joined_aggregations_print_zero_for_missing_entries() {
    let aggs = vec![
        agg("c", AggFunc::Count, vec![STR]),
        agg("m", AggFunc::Min, vec![STR]),
    ];
    let joined = vec![
        clause(vec![printa(&[0, 1])]),
        formatted("%s=%@d,%@d,%@d;", &[0, 1]),
    ];
    let mut rig = Rig::quiet(program(aggs, joined));
    by_name(&mut rig, 0, &[("both", 5), ("left", 1)]);
    rig.set(1, &str_key("both"), &[1, 70]);
    rig.set(1, &str_key("right"), &[1, -9i64 as u64]);
    rig.run(1, &[]);
    let row = |name: &str, a: &str, b: &str| format!("  {name:<50} {a:>16} {b:>16}\n");
    let want = format!(
        "\n{}{}{}",
        row("right", "0", "-9"),
        row("left", "1", "0"),
        row("both", "5", "70")
    );
    assert_eq!(rig.text(), want);
    rig.run(2, &[]);
    assert_eq!(rig.text(), "right=0,-9,-9;left=1,0,0;both=5,70,70;");
    rig.consumer.options().aggsortpos = 1;
    rig.run(2, &[]);
    assert_eq!(rig.text(), "right=0,-9,-9;left=1,0,0;both=5,70,70;");
    rig.set(1, &str_key("both"), &[1, -70i64 as u64]);
    rig.run(2, &[]);
    assert_eq!(rig.text(), "both=5,-70,-70;right=0,-9,-9;left=1,0,0;");
}

#[test]
fn formats_bind_keys_and_values() {
    let aggs = vec![agg("a", AggFunc::Sum, vec![STR, INT])];
    let mut rig = Rig::quiet(program(
        aggs,
        vec![
            formatted("[%-6s|%4d|%@8d]\n", &[0]),
            formatted("%@u ", &[0]),
        ],
    ));
    rig.set(
        0,
        &[str_key("ls"), 3i64.to_ne_bytes().to_vec()].concat(),
        &[-1i64 as u64],
    );
    rig.run(1, &[]);
    assert_eq!(rig.text(), "[ls    |   3|      -1]\n");
    rig.run(2, &[]);
    assert_eq!(rig.text(), "18446744073709551615 ");
}

#[test]
fn histograms_expand_in_formats() {
    let mut rig = Rig::quiet(program(
        vec![agg("q", AggFunc::Quantize, vec![STR])],
        vec![formatted("%s:%@d!\n", &[0])],
    ));
    let mut buckets = [0; 127];
    buckets[63] = 1;
    rig.set(0, &str_key("k"), &buckets);
    rig.run(1, &[]);
    let want = concat!(
        "k:\n           value  ------------- Distribution ------------- count    \n",
        "              -1 |                                         0        \n",
        "               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n",
        "               1 |                                         0        \n!\n",
    );
    assert_eq!(rig.text(), want);
}

fn quantized(counts: &[(i32, i64)]) -> Vec<u64> {
    let mut buckets = vec![0; 127];
    for (at, count) in counts {
        buckets[(QUANTIZE_ZERO as i32 + at) as usize] = *count as u64;
    }
    buckets
}

const HEADER: &str = "\n           value  ------------- Distribution ------------- count    \n";

#[test]
fn quantize_with_values_of_both_signs() {
    let got = shown(
        AggFunc::Quantize,
        Options::default(),
        &quantized(&[(-2, 1), (0, 2), (1, 5)]),
    );
    let want = [
        "\n",
        HEADER,
        "              -4 |                                         0        \n",
        "              -2 |@@@@@                                    1        \n",
        "              -1 |                                         0        \n",
        "               0 |@@@@@@@@@@                               2        \n",
        "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@                5        \n",
        "               2 |                                         0        \n",
        "\n",
    ];
    assert_eq!(got, want.concat());
}

#[test]
fn quantize_with_counts_of_both_signs() {
    let got = shown(
        AggFunc::Quantize,
        Options::default(),
        &quantized(&[(1, -1), (2, 3)]),
    );
    let want = [
        "\n",
        HEADER,
        "               0 |                                         0        \n"
            .replacen(
                "|                                         ",
                "                    |                     ",
                1,
            )
            .as_str(),
        "               1                @@@@@|                     -1       \n",
        "               2                     |@@@@@@@@@@@@@@@      3        \n",
        "               4                     |                     0        \n",
        "\n",
    ]
    .concat();
    assert_eq!(got, want);
    let got = shown(
        AggFunc::Quantize,
        Options::default(),
        &quantized(&[(1, -1), (2, -3)]),
    );
    assert!(
        got.contains("\n               1                               @@@@@@@@@@| -1       \n")
    );
    assert!(
        got.contains("\n               2           @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -3       \n")
    );
}

#[test]
fn quantize_at_the_ends() {
    let got = shown(
        AggFunc::Quantize,
        Options::default(),
        &quantized(&[(-63, 1), (63, 1)]),
    );
    let lines: Vec<&str> = got.lines().collect();
    assert!(
        lines[3].starts_with("-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@ "),
        "{}",
        lines[3]
    );
    assert!(
        lines[129].starts_with("4611686018427387904 |@@@@@@@@@@@@@@@@@@@@ "),
        "{}",
        lines[129]
    );
    assert_eq!(lines.len(), 131);
}

#[test]
fn linear_buckets_under_and_over() {
    let func = AggFunc::Lquantize {
        base: -10,
        limit: 10,
        step: 10,
    };
    let got = shown(func, Options::default(), &[1, 0, 2, 1]);
    let want = [
        "\n",
        HEADER,
        "           < -10 |@@@@@@@@@@                               1        \n",
        "             -10 |                                         0        \n",
        "               0 |@@@@@@@@@@@@@@@@@@@@                     2        \n",
        "           >= 10 |@@@@@@@@@@                               1        \n",
        "\n",
    ];
    assert_eq!(got, want.concat());
    let zero = shown(func, Options::default(), &[0; 4]);
    assert_eq!(names(&zero)[1..], ["<", "-10", "0"]);
}

#[test]
fn log_linear_buckets() {
    let func = AggFunc::Llquantize {
        factor: 10,
        low: 0,
        high: 1,
        nsteps: 10,
    };
    let bounds = image::layout::llquantize_bounds(10, 0, 1, 10);
    let mut words = vec![0u64; func.words() as usize];
    words[0] = 1;
    words[1] = 2;
    let got = shown(func, Options::default(), &words);
    let want = [
        "\n",
        HEADER,
        "             < 1 |@@@@@@@@@@@@@                            1        \n",
        "               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@              2        \n",
        "               2 |                                         0        \n",
        "\n",
    ];
    assert_eq!(got, want.concat());
    let last = words.len() - 1;
    words.fill(0);
    words[last] = 1;
    let got = shown(func, Options::default(), &words);
    let end = bounds[bounds.len() - 1];
    assert_eq!(end, 100);
    assert!(
        got.ends_with("          >= 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n\n")
    );
    assert_eq!(
        names(&shown(func, Options::default(), &vec![0; words.len()]))[1..],
        ["<", "1"]
    );
}

#[test]
fn zoom_and_blocks() {
    let zoomed = shown(
        AggFunc::Quantize,
        Options {
            aggzoom: true,
            ..Options::default()
        },
        &quantized(&[(1, 1), (2, 1), (3, 1), (4, 1)]),
    );
    assert_eq!(
        zoomed
            .matches(" |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@   1 ")
            .count(),
        4,
        "95% each: {zoomed}"
    );
    let blocks = shown(
        AggFunc::Quantize,
        Options {
            encoding: Encoding::Utf8,
            ..Options::default()
        },
        &quantized(&[(1, 3), (2, 61)]),
    );
    let line = |v: &str| {
        blocks
            .lines()
            .find(|l| l.trim_start().starts_with(v))
            .unwrap()
            .to_string()
    };
    assert_eq!(
        line("1 "),
        format!("               1 |█▉{} 3        ", " ".repeat(38))
    );
    assert_eq!(
        line("2 "),
        format!("               2 |{}▏  61       ", "█".repeat(38))
    );
}

#[test]
fn packed_histograms() {
    let opts = Options {
        quiet: true,
        aggpack: true,
        ..Options::default()
    };
    let mut rig = Rig::new(
        program(vec![agg("q", AggFunc::Quantize, vec![STR])], vec![]),
        opts,
    );
    rig.set(0, &str_key("one"), &quantized(&[(1, 1)]));
    rig.set(0, &str_key("two"), &quantized(&[(3, 2), (5, 2)]));
    rig.run(0, &[]);
    let want = concat!(
        "\n\n              key min .-------. max | count\n",
        "              one   0 : X     : 32  | 1\n",
        "              two   0 :   x x : 32  | 4\n",
    );
    assert_eq!(rig.text(), want);
    let mut opts = Options {
        aggpack: true,
        encoding: Encoding::Utf8,
        ..Options::default()
    };
    assert!(shown(AggFunc::Quantize, opts.clone(), &quantized(&[(1, 1)])).contains(": █ :"));
    opts.encoding = Encoding::Ascii;
    let func = AggFunc::Lquantize {
        base: 0,
        limit: 100,
        step: 10,
    };
    let mut words = [0; 12];
    words[11] = 3;
    assert!(shown(func, opts, &words).ends_with("      90 : X: >= 100   | 3\n"));
}

#[test]
fn bars_for_counts() {
    let opts = Options {
        quiet: true,
        agghist: true,
        ..Options::default()
    };
    let mut rig = Rig::new(
        program(vec![agg("c", AggFunc::Count, vec![STR])], vec![]),
        opts,
    );
    by_name(&mut rig, 0, &[("a", 1), ("b", 3)]);
    rig.run(0, &[]);
    let want = concat!(
        "\n\n              key  ------------- Distribution ------------- count    \n",
        "                a |@@@@@@@@@@                               1        \n",
        "                b |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n",
    );
    assert_eq!(rig.text(), want);
}

#[test]
fn histograms_sort_by_weighted_sum() {
    let mut rig = Rig::quiet(program(
        vec![agg("q", AggFunc::Quantize, vec![STR])],
        vec![formatted("%s ", &[0])],
    ));
    rig.set(0, &str_key("many"), &quantized(&[(1, 10)]));
    rig.set(0, &str_key("big"), &quantized(&[(10, 1)]));
    rig.set(0, &str_key("neg"), &quantized(&[(-3, 1)]));
    rig.set(0, &str_key("nul"), &quantized(&[(0, 1)]));
    rig.run(1, &[]);
    assert_eq!(rig.text(), "neg nul many big ");
}

/// Clause 1 prints, then does `action` to aggregation 0.
fn then(func: AggFunc, action: ActionKind, data: Vec<image::DatumKind>) -> Rig {
    let second = clause(vec![
        (
            ActionKind::Printa {
                format: Some(fmt("%s=%@d ")),
                aggs: vec![0],
            },
            vec![],
        ),
        (action, data),
        (
            ActionKind::Printa {
                format: Some(fmt("(%s=%@d)")),
                aggs: vec![0],
            },
            vec![],
        ),
    ]);
    Rig::quiet(program(vec![agg("a", func, vec![STR])], vec![second]))
}

#[test]
fn clear_keeps_keys_and_counts_from_there() {
    let mut rig = then(AggFunc::Count, ActionKind::Clear(0), vec![]);
    by_name(&mut rig, 0, &[("x", 5)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=5 (x=0)");
    by_name(&mut rig, 0, &[("x", 7)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=2 (x=0)");
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=0 (x=0)");
}

#[test]
fn clear_of_extremes_resets_the_kernel() {
    let mut rig = then(AggFunc::Min, ActionKind::Clear(0), vec![]);
    rig.set(0, &str_key("x"), &[1, 3]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=3 (x=0)");
    assert!(rig.source.values.is_empty());
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=0 (x=0)");
    rig.set(0, &str_key("x"), &[1, 9]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=9 (x=0)");
}

#[test]
fn clear_of_deviations_borrows_between_halves() {
    let mut rig = then(AggFunc::Stddev, ActionKind::Clear(0), vec![]);
    rig.set(0, &str_key("x"), &[1, 5, u64::MAX, 0]);
    rig.run(1, &[]);
    rig.text();
    // 1, 5 and 9 were added: 15 and 107, which carries.
    rig.set(0, &str_key("x"), &[4, 20, 106, 1]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=3 (x=0)");
}

#[test]
fn trunc_hides_keys_until_they_change() {
    let mut rig = then(AggFunc::Count, ActionKind::Trunc(0), vec![]);
    by_name(&mut rig, 0, &[("x", 5), ("y", 6)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=5 y=6 ");
    by_name(&mut rig, 0, &[("y", 8)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "y=2 ");
    for _ in 0..20 {
        rig.run(1, &[]);
    }
    assert_eq!(rig.text(), "");
    assert_eq!(rig.source.deleted, 2, "stale keys leave the hash");
    by_name(&mut rig, 0, &[("x", 1)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=1 ");
}

/// A source whose keys change between the snapshot and their deletion.
struct Racing(Source);

impl crate::AggSource for Racing {
    fn snapshot(&mut self, agg: u32, into: &mut crate::Snapshot) -> std::io::Result<()> {
        self.0.snapshot(agg, into)
    }
    fn reset(&mut self, agg: u32, key: crate::AggKey<'_>) -> std::io::Result<()> {
        self.0.reset(agg, key)
    }
    fn delete(&mut self, agg: u32, key: &[u8], last: &mut Vec<u64>) -> std::io::Result<bool> {
        self.0.values.get_mut(&(agg, key.to_vec())).unwrap()[0] += 3;
        self.0.delete(agg, key, last)
    }
}

#[test]
fn what_comes_between_snapshot_and_deletion_is_not_lost() {
    let mut rig = then(AggFunc::Count, ActionKind::Trunc(0), vec![]);
    let mut source = Racing(Source::default());
    source.0.values.insert((0, str_key("x")), vec![5]);
    let record = bytes(1, 0, &[]);
    while source.0.deleted == 0 {
        rig.consumer
            .record(0, &record, &mut rig.out, &mut source, &mut rig.log)
            .unwrap();
    }
    assert_eq!(rig.text(), "x=5 ");
    source.0.values.insert((0, str_key("x")), vec![1]);
    rig.consumer
        .record(0, &record, &mut rig.out, &mut source, &mut rig.log)
        .unwrap();
    assert_eq!(rig.text(), "x=4 ");
}

#[test]
fn trunc_keeps_the_top_or_the_bottom() {
    for (n, want) in [
        (2i64, "(b=3)(c=4)"),
        (-1, "(d=1)"),
        (0, ""),
        (9, "(d=1)(a=3)(b=3)(c=4)"),
        (i64::MIN, "(d=1)(a=3)(b=3)(c=4)"),
    ] {
        let mut rig = then(AggFunc::Count, ActionKind::Trunc(0), vec![I64]);
        by_name(&mut rig, 0, &[("a", 3), ("b", 3), ("c", 4), ("d", 1)]);
        rig.run(1, &[&n.to_ne_bytes()]);
        assert_eq!(rig.text(), format!("d=1 a=3 b=3 c=4 {want}"), "{n}");
    }
}

#[test]
fn trunc_of_extremes() {
    let mut rig = then(AggFunc::Max, ActionKind::Trunc(0), vec![]);
    rig.set(0, &str_key("x"), &[1, 3]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=3 ");
    rig.run(1, &[]);
    assert_eq!(rig.text(), "");
    rig.set(0, &str_key("x"), &[1, 2]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=2 ");
}

#[test]
fn normalisation_belongs_to_the_entries_there_are() {
    let mut rig = then(AggFunc::Sum, ActionKind::Normalize(0), vec![I64]);
    by_name(&mut rig, 0, &[("x", -7i64 as u64)]);
    rig.run(1, &[&2i64.to_ne_bytes()]);
    assert_eq!(rig.text(), "x=-7 (x=-3)");
    by_name(&mut rig, 0, &[("y", 10)]);
    rig.run(1, &[&5i64.to_ne_bytes()]);
    assert_eq!(rig.text(), "x=-3 y=10 (x=-1)(y=2)");
    let zero = rig.record(0, &bytes(1, 0, &[&0i64.to_ne_bytes()]));
    assert!(matches!(zero, Err(crate::Error::BadNormal)));
    let mut rig = then(AggFunc::Sum, ActionKind::Denormalize(0), vec![]);
    by_name(&mut rig, 0, &[("x", 8)]);
    rig.run(1, &[]);
    assert_eq!(rig.text(), "x=8 (x=8)");
}

#[test]
fn normalised_averages_deviations_and_histograms() {
    let shown = |func: AggFunc, words: &[u64]| {
        let mut rig = then(func, ActionKind::Normalize(0), vec![I64]);
        rig.set(0, &str_key("x"), words);
        rig.run(1, &[&10i64.to_ne_bytes()]);
        rig.text().split_once('(').unwrap().1.to_string()
    };
    assert_eq!(shown(AggFunc::Avg, &[2, 90]), "x=4)");
    assert_eq!(shown(AggFunc::Stddev, &[3, 150, 10_700, 0]), "x=3)");
    let histogram = shown(AggFunc::Quantize, &quantized(&[(1, 25)]));
    assert!(
        histogram
            .contains("               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n")
    );
}

#[test]
fn keys_that_print_alike_are_one() {
    let aggs = vec![
        agg(
            "f",
            AggFunc::Count,
            vec![KeyKind::Probe(ProbeField::Function)],
        ),
        agg("s", AggFunc::Count, vec![KeyKind::Sym(SymKind::Sym)]),
        agg("u", AggFunc::Count, vec![KeyKind::Sym(SymKind::Umod)]),
        agg("x", AggFunc::Count, vec![KeyKind::Sym(SymKind::Uaddr)]),
    ];
    let mut image = program(aggs, vec![]);
    image.probes.push(probe(2, "syscall::read:entry"));
    image.probes.push(probe(3, "syscall::read:return"));
    let mut rig = Rig::quiet(image);
    for (i, v) in [(1u32, 4u64), (2, 5)] {
        rig.set(0, &i.to_ne_bytes(), &[v]);
        rig.set(1, &(0xf000 + u64::from(i)).to_ne_bytes(), &[v]);
        let user = [0x1000 + u64::from(i), 7].map(u64::to_ne_bytes).concat();
        rig.set(2, &user, &[v]);
        rig.set(3, &user, &[v]);
    }
    rig.run(0, &[]);
    let line = |name: &str, v: &str| format!("  {name:<50} {v:>16}\n");
    let want = [
        "\n".to_string(),
        line("read", "9"),
        "\n".to_string(),
        line("vmlinux`kfn0", "9"),
        "\n".to_string(),
        line("libx.so", "9"),
        "\n".to_string(),
        line("libx.so`ufn0+0x1", "4"),
        line("libx.so`ufn0+0x2", "5"),
    ];
    assert_eq!(rig.text(), want.concat());
}

/// A source of slots: number and value.
struct Slots(Vec<(u32, u64)>);

impl crate::AggSource for Slots {
    fn snapshot(&mut self, _: u32, into: &mut crate::Snapshot) -> std::io::Result<()> {
        self.0
            .iter()
            .for_each(|(slot, v)| into.push(crate::AggKey::Slot(*slot), &[*v]));
        Ok(())
    }
    fn reset(&mut self, _: u32, _: crate::AggKey<'_>) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn slots_are_probes() {
    let storage = AggStorage::Slots {
        map: 0,
        offset: 0,
        slots: 3,
        stride: 8,
        cpu_stride: 24,
    };
    let keys = vec![
        KeyKind::Probe(ProbeField::Function),
        KeyKind::Probe(ProbeField::Name),
    ];
    let mut image = program(
        vec![AggDesc {
            storage,
            key_size: 0,
            ..agg("f", AggFunc::Count, keys)
        }],
        vec![],
    );
    image.probes.push(probe(2, "syscall::read:entry"));
    image.probes.push(probe(3, "syscall::write:entry"));
    let mut rig = Rig::quiet(image);
    let mut source = Slots(vec![(0, 0), (1, 4), (2, 3)]);
    let record = bytes(0, 0, &[]);
    rig.consumer
        .record(0, &record, &mut rig.out, &mut source, &mut rig.log)
        .unwrap();
    let line = |f: &str, v: &str| format!("  {f:<50}  {:<50} {v:>16}\n", "entry");
    assert_eq!(
        rig.text(),
        format!("\n{}{}", line("write", "3"), line("read", "4"))
    );
}
