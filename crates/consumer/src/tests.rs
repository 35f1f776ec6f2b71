//! Golden tests of whole records: columns, actions, faults, drops, the end, JSON.

use crate::rig::*;
use crate::{CpuDrops, DropKind, Error, Flow, Options, OutputForm};
use image::layout::SPARE_FRAMES;
use image::layout::event;
use image::{ActionKind, AggFunc, ClauseDesc, DatumKind, ProbeField, SymKind};

#[test]
fn default_columns() {
    let mut image = image(vec![
        clause(vec![]),
        clause(vec![(ActionKind::Trace, vec![I32])]),
        clause(vec![(ActionKind::Printf(fmt("hi\n")), vec![])]),
    ]);
    image.probes.push(probe(312, "syscall::read:entry"));
    let mut rig = Rig::new(image, Options::default());
    rig.run(0, &[]);
    rig.record(12, &bytes(1, 1, &[&42i32.to_ne_bytes()]))
        .unwrap();
    rig.run(2, &[]);
    let want = concat!(
        "CPU     ID                    FUNCTION:NAME\n",
        "  0      1                           :BEGIN \n",
        " 12    312                       read:entry        42\n",
        "  0      1                           :BEGIN hi\n\n",
    );
    assert_eq!(rig.text(), want);
}

#[test]
fn quiet_prints_only_what_actions_print() {
    let mut rig = Rig::quiet(image(vec![
        clause(vec![]),
        clause(vec![
            (ActionKind::Trace, vec![I64]),
            (ActionKind::Trace, vec![DatumKind::VarStr]),
        ]),
    ]));
    rig.run(0, &[]);
    rig.run(1, &[&5i64.to_ne_bytes(), &3u32.to_ne_bytes(), b"cat"]);
    assert_eq!(rig.text(), "5cat");
}

#[test]
fn trace_of_empty_and_inline_strings_and_probe_fields() {
    let mut rig = Rig::new(
        image(vec![clause(vec![
            (ActionKind::Trace, vec![DatumKind::VarStr]),
            (ActionKind::Trace, vec![DatumKind::InlineStr { cap: 8 }]),
            (ActionKind::Trace, vec![DatumKind::Probe(ProbeField::Name)]),
        ])]),
        Options::default(),
    );
    rig.run(0, &[&0u32.to_ne_bytes(), b"bash\0\0\0\0"]);
    let text = rig.text();
    let (_, line) = text.split_once(":BEGIN ").unwrap();
    assert_eq!(
        line,
        format!("  {:<33}  {:<33}  {:<33}\n", "", "bash", "BEGIN")
    );
}

#[test]
fn variable_parts_are_read_in_order() {
    let frames = DatumKind::Stack {
        user: false,
        frames: 4 + SPARE_FRAMES,
    };
    let mut rig = Rig::quiet(image(vec![clause(vec![
        (
            ActionKind::Printf(fmt("[%s %d %s]")),
            vec![DatumKind::VarStr, I32, DatumKind::VarStr],
        ),
        (ActionKind::Stack, vec![frames]),
        (ActionKind::Trace, vec![DatumKind::VarStr]),
    ])]));
    let len = |n: u32| n.to_ne_bytes();
    let pcs = [0xf010u64, 0xf100, 0x10, 0].map(u64::to_ne_bytes).concat();
    let fixed: Vec<u8> = [len(3), len(7), len(0), len(32), len(2)].concat();
    rig.run(0, &[&fixed, b"one", &pcs, b"zz"]);
    let want = concat!(
        "[one 7 ]\n",
        "              vmlinux`kfn0+0x10\n",
        "              vmlinux`kfn0+0x100\n",
        "              0x10\n",
        "zz"
    );
    assert_eq!(rig.text(), want);
}

#[test]
fn user_stacks_and_indent() {
    let frames = DatumKind::Stack {
        user: true,
        frames: 4,
    };
    let mut rig = Rig::new(
        image(vec![clause(vec![(ActionKind::Stack, vec![frames])])]),
        Options {
            quiet: true,
            stackindent: 2,
            ..Options::default()
        },
    );
    let words = [7u64, 0x1005, 0x1500, 0x9000]
        .map(u64::to_ne_bytes)
        .concat();
    rig.run(0, &[&32u32.to_ne_bytes(), &words]);
    assert_eq!(
        rig.text(),
        "\n  libx.so`ufn0+0x5\n  libx.so`0x1500\n  0x9000\n"
    );
    let stamped = [7 | 1 << 32, 0x1005u64].map(u64::to_ne_bytes).concat();
    rig.run(0, &[&16u32.to_ne_bytes(), &stamped]);
    assert_eq!(rig.text(), "\n  libz.so`ufn0+0x5\n");
    let dead = [8u64, 0x1005].map(u64::to_ne_bytes).concat();
    rig.run(0, &[&16u32.to_ne_bytes(), &dead]);
    assert_eq!(rig.text(), "\n  0x1005\n");
}

#[test]
fn symbols_as_statements() {
    let all = [
        SymKind::Sym,
        SymKind::Mod,
        SymKind::Usym,
        SymKind::Umod,
        SymKind::Uaddr,
    ];
    let mut rig = Rig::quiet(image(vec![clause(
        all.map(|k| (ActionKind::Sym, vec![DatumKind::Sym(k)]))
            .into_iter()
            .collect(),
    )]));
    let words = [0xf010u64, 0xf110, 0x1005, 7, 0x1500, 7, 0x1105, 7];
    rig.run(0, &[&words.map(u64::to_ne_bytes).concat()]);
    let names = [
        "vmlinux`kfn0",
        "vmlinux",
        "libx.so`ufn0",
        "libx.so",
        "libx.so`ufn1+0x5",
    ];
    assert_eq!(rig.text(), names.map(|n| format!("  {n:<50}")).concat());
}

#[test]
fn tracemem_with_a_limit() {
    let data = vec![
        DatumKind::Bytes {
            len: 20,
            chars: false,
        },
        I64,
    ];
    let mut rig = Rig::quiet(image(vec![clause(vec![(
        ActionKind::Tracemem { dynamic: true },
        data,
    )])]));
    let memory: Vec<u8> = (0..20).collect();
    rig.run(0, &[&memory, &3i64.to_ne_bytes()]);
    let want = concat!(
        "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n",
        "         0: 00 01 02                                         ...\n",
    );
    assert_eq!(rig.text(), want);
    rig.run(0, &[&memory, &100i64.to_ne_bytes()]);
    assert!(
        rig.text()
            .ends_with("        10: 10 11 12 13                                      ....\n")
    );
}

#[test]
fn exit_and_actions_on_the_outside() {
    let mut rig = Rig::quiet(image(vec![
        clause(vec![(ActionKind::Exit, vec![I32])]),
        clause(vec![(ActionKind::System(fmt("echo %d")), vec![I32])]),
        clause(vec![(
            ActionKind::Freopen(fmt("/nowhere/%s")),
            vec![DatumKind::VarStr],
        )]),
        clause(vec![(
            ActionKind::Setopt,
            vec![DatumKind::VarStr, DatumKind::VarStr],
        )]),
        clause(vec![(ActionKind::Setopt, vec![DatumKind::VarStr])]),
        clause(vec![(ActionKind::Ftruncate, vec![])]),
    ]));
    assert_eq!(rig.run(0, &[&3i32.to_ne_bytes()]), Flow::Exit(3));
    assert_eq!(rig.run(1, &[&9i32.to_ne_bytes()]), Flow::Continue);
    rig.run(2, &[&1u32.to_ne_bytes(), b"x"]);
    rig.run(
        3,
        &[&10u32.to_ne_bytes(), &4u32.to_ne_bytes(), b"switchrate10hz"],
    );
    rig.run(
        3,
        &[&7u32.to_ne_bytes(), &3u32.to_ne_bytes(), b"bufsize128"],
    );
    rig.run(4, &[&8u32.to_ne_bytes(), b"rawbytes"]);
    rig.run(5, &[]);
    let here = "error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): ";
    let want = [
        "system echo 9".to_string(),
        "freopen /nowhere/x".to_string(),
        format!("{here}couldn't freopen() \"/nowhere/x\": No such file or directory"),
        "setopt switchrate 10hz".to_string(),
        format!(
            "{here}couldn't set option \"bufsize\" to \"128\": Operation illegal when tracing is active"
        ),
        "ftruncate".to_string(),
    ];
    assert_eq!(rig.log.0, want);
    assert!(
        rig.consumer.options().rawbytes,
        "its own options it sets itself"
    );
}

fn flow_rig(opts: Options) -> Rig {
    let on = |probes: &[u32]| ClauseDesc {
        probes: probes.to_vec(),
        ..clause(vec![])
    };
    let mut image = image(vec![on(&[1, 2, 3]), on(&[4]), on(&[4]), on(&[5, 6, 7])]);
    image.probes = vec![
        probe(1, "dtrace:::BEGIN"),
        probe(2, "fbt:vmlinux:outer:entry"),
        probe(3, "fbt:vmlinux:inner:entry"),
        probe(4, "io:::start"),
        probe(5, "fbt:vmlinux:inner:return"),
        probe(6, "fbt:vmlinux:outer:return"),
        probe(7, "syscall::read:entry"),
        probe(8, "syscall::read:return"),
    ];
    Rig::new(image, opts)
}

#[test]
fn flow_indentation() {
    let mut rig = flow_rig(Options {
        flowindent: true,
        ..Options::default()
    });
    for (clause, probe) in [
        (3, 6),
        (0, 1),
        (0, 2),
        (0, 3),
        (1, 4),
        (2, 4),
        (3, 5),
        (3, 7),
    ] {
        rig.record(1, &bytes(clause, probe, &[])).unwrap();
    }
    rig.consumer
        .idle(&mut rig.out, &mut rig.source, &mut rig.log)
        .unwrap();
    let lines = [
        "CPU FUNCTION                                 ".to_string(),
        format!("  1 {:<41} ", " => read"),
        format!("  1 {:<41} ", "   -> outer"),
        format!("  1 {:<41} ", "     -> inner"),
        format!("  1 {:<41} ", "      | :start"),
        format!("  1 {:<41} ", "      | inner:return"),
        format!("  1 {:<41} ", "     <- inner"),
        format!("  1 {:<41} ", "   <- outer"),
        format!("  1 {:<41} ", " <= read"),
    ];
    assert_eq!(rig.text(), lines.join("\n") + "\n");
}

#[test]
fn a_held_return_unindents_at_the_end_of_the_batch() {
    let mut rig = flow_rig(Options {
        flowindent: true,
        ..Options::default()
    });
    rig.record(0, &bytes(0, 2, &[])).unwrap();
    rig.record(0, &bytes(1, 4, &[])).unwrap();
    assert!(!rig.text().contains("inner:return"));
    rig.consumer
        .idle(&mut rig.out, &mut rig.source, &mut rig.log)
        .unwrap();
    assert_eq!(rig.text(), format!("  0 {:<41} \n", " <- inner"));
}

#[test]
fn entry_with_two_clauses_indents_once() {
    let mut rig = flow_rig(Options {
        flowindent: true,
        ..Options::default()
    });
    for (cpu, clause, probe) in [(0, 0, 1), (0, 3, 1), (0, 0, 2), (1, 0, 2)] {
        rig.record(cpu, &bytes(clause, probe, &[])).unwrap();
    }
    let lines = [
        format!("  0 {:<41} ", " -> outer"),
        format!("  0 {:<41} ", "  | outer:entry"),
        format!("  0 {:<41} ", "   -> inner"),
        format!("  1 {:<41} ", " -> inner"),
    ];
    assert!(rig.text().ends_with(&(lines.join("\n") + "\n")));
}

/// Counts of one CPU that lost `count` of a kind.
fn lost(kind: DropKind, count: u64) -> CpuDrops {
    let mut counts = CpuDrops::default();
    counts[kind as usize] = count;
    counts
}

fn fault_event(action: u32, fault: u32, address: u64) -> Vec<u8> {
    let mut e = vec![0u8; event::SIZE as usize];
    let words = [
        (event::KIND, event::FAULTED),
        (event::CPU, 1),
        (event::ACTION, action),
        (event::FAULT, fault),
    ];
    for (at, v) in words.into_iter().chain([(event::PC, 77)]) {
        e[at as usize..at as usize + 4].copy_from_slice(&v.to_ne_bytes());
    }
    e[event::ADDRESS as usize..event::ADDRESS as usize + 8].copy_from_slice(&address.to_ne_bytes());
    e
}

#[test]
fn faults_and_drops() {
    let mut rig = Rig::quiet(image(vec![clause(vec![])]));
    let Rig {
        consumer, out, log, ..
    } = &mut rig;
    consumer.event(&fault_event(2, 1, 0x10), out, log).unwrap();
    consumer.event(&fault_event(0, 4, 0x10), out, log).unwrap();
    assert!(matches!(
        consumer.event(&[1, 0, 0, 0], out, log),
        Err(Error::Record(_))
    ));
    consumer
        .drops(&[lost(DropKind::Principal, 4)], out, log)
        .unwrap();
    let want = [
        "error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #2 at BPF pc 77",
        "error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): divide-by-zero in predicate at BPF pc 77",
        "4 drops on CPU 0",
    ];
    assert_eq!(log.0, want);
    assert_eq!(rig.text(), "");
}

#[test]
fn the_end_prints_what_was_never_printed() {
    let mut image = image(vec![clause(vec![printa(&[1])])]);
    image.aggs = vec![
        agg("b", AggFunc::Count, vec![INT]),
        agg("p", AggFunc::Sum, vec![INT]),
        agg("a", AggFunc::Quantize, vec![]),
        agg("n", AggFunc::Count, vec![]),
    ];
    let mut rig = Rig::quiet(image);
    rig.set(0, &1i64.to_ne_bytes(), &[3]);
    rig.set(1, &1i64.to_ne_bytes(), &[30]);
    rig.set(2, &[], &[0; 127]);
    rig.run(0, &[]);
    assert_eq!(rig.text(), "\n                1               30\n");
    rig.finish();
    let want = concat!(
        "\n                1                3\n",
        "\n           value  ------------- Distribution ------------- count    \n",
        "              -1 |                                         0        \n",
        "               0 |                                         0        \n",
        "               1 |                                         0        \n",
        "\n",
    );
    assert_eq!(rig.text(), want);
}

#[test]
fn malformed_records_are_errors_and_leave_nothing_behind() {
    let stack = DatumKind::Stack {
        user: true,
        frames: 4,
    };
    let mut rig = Rig::new(
        image(vec![clause(vec![
            (
                ActionKind::Printf(fmt("%d %s")),
                vec![I32, DatumKind::VarStr],
            ),
            (ActionKind::Stack, vec![stack]),
        ])]),
        Options::default(),
    );
    let good = bytes(
        0,
        0,
        &[
            &[0; 4],
            &3u32.to_ne_bytes(),
            &16u32.to_ne_bytes(),
            b"abc",
            &[1; 16],
        ],
    );
    for len in 0..good.len() {
        assert!(rig.record(0, &good[..len]).is_err(), "{len}");
        assert_eq!(rig.out.buffer(), b"", "{len}");
    }
    assert!(rig.record(0, &bytes(9, 0, &[])).is_err());
    assert!(rig.record(0, &bytes(0, 9, &[])).is_err());
    let huge = bytes(0, 0, &[&[0; 4], &u32::MAX.to_ne_bytes(), &[0; 4]]);
    assert!(rig.record(0, &huge).is_err());
    assert!(rig.record(0, &good).is_ok());
}

#[test]
fn any_bytes_are_survived() {
    let mut image = image(vec![clause(vec![
        (
            ActionKind::Printf(fmt("%*d %S %k")),
            vec![
                I32,
                I32,
                DatumKind::VarStr,
                DatumKind::Stack {
                    user: true,
                    frames: 2,
                },
            ],
        ),
        (
            ActionKind::Tracemem { dynamic: true },
            vec![
                DatumKind::Bytes {
                    len: 5,
                    chars: true,
                },
                I64,
            ],
        ),
        printa(&[0]),
        (ActionKind::Trunc(0), vec![I64]),
    ])]);
    image.aggs = vec![agg("a", AggFunc::Count, vec![STR])];
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 56) as u8
    };
    for form in [OutputForm::Text, OutputForm::Json] {
        let mut rig = Rig::new(
            image.clone(),
            Options {
                form,
                flowindent: true,
                ..Options::default()
            },
        );
        rig.set(0, &str_key("k"), &[1]);
        for _ in 0..2000 {
            let mut record = bytes(0, 0, &[]);
            record.extend((0..next() % 64).map(|_| if next() < 150 { 0 } else { next() }));
            let _ = rig.record(0, &record);
        }
        rig.text.0.borrow_mut().clear();
        rig.out.buffer().clear();
    }
}

#[test]
fn json_lines() {
    let mut image = image(vec![clause(vec![
        (ActionKind::Trace, vec![I32]),
        (
            ActionKind::Printf(fmt("%s=%d")),
            vec![DatumKind::VarStr, U32],
        ),
        printa(&[0]),
        (ActionKind::Clear(0), vec![]),
        (ActionKind::Exit, vec![I32]),
    ])]);
    image.aggs = vec![
        agg("a", AggFunc::Count, vec![STR, INT]),
        agg("q", AggFunc::Quantize, vec![]),
    ];
    let mut rig = Rig::new(
        image,
        Options {
            form: OutputForm::Json,
            ..Options::default()
        },
    );
    rig.set(
        0,
        &[str_key("sh\""), (-2i64).to_ne_bytes().to_vec()].concat(),
        &[3, 4],
    );
    let mut buckets = [0u64; 127];
    buckets[63] = 2;
    buckets[66] = 1;
    rig.set(1, &[], &buckets);
    let numbers = [-1i32, 2, -1, 5].map(i32::to_ne_bytes).concat();
    rig.run(0, &[&numbers, b"\xffx"]);
    let Rig {
        consumer, out, log, ..
    } = &mut rig;
    consumer.event(&fault_event(1, 1, 16), out, log).unwrap();
    consumer
        .drops(&[lost(DropKind::Aggregation, 1)], out, log)
        .unwrap();
    assert!(log.0.is_empty(), "messages are lines of the output");
    rig.finish();
    let begin = r#""probe":{"id":1,"provider":"dtrace","module":"","function":"","name":"BEGIN"}"#;
    let want = [
        r#"{"type":"aggregation","name":"a","function":"count","entries":[{"key":["sh\"",-2],"value":7}]}"#.to_string(),
        format!(
            r#"{{"type":"record","cpu":0,"timestamp":1000,"epid":1,{begin},"actions":[{{"action":"trace","value":-1}},{{"action":"printf","text":"{r}x=4294967295","args":["{r}x",4294967295]}},{{"action":"printa","aggregations":["a"]}},{{"action":"clear","aggregation":"a"}},{{"action":"exit","status":5}}]}}"#,
            r = '\u{fffd}'
        ),
        format!(
            r#"{{"type":"fault","cpu":1,"timestamp":0,"epid":1,{begin},"fault":"invalid address","code":1,"address":16,"action":1,"pc":77,"text":"error on enabled probe ID 1 (ID 1: dtrace:::BEGIN): invalid address (0x10) in action #1 at BPF pc 77"}}"#
        ),
        r#"{"type":"drop","kind":"aggregation","cpu":0,"count":1,"text":"1 aggregation drop on CPU 0"}"#.to_string(),
        r#"{"type":"aggregation","name":"q","function":"quantize","entries":[{"key":[],"buckets":[{"value":0,"count":2},{"value":4,"count":1}]}]}"#.to_string(),
        r#"{"type":"end","status":5}"#.to_string(),
    ];
    let text = String::from_utf8_lossy(&{
        rig.out.flush().unwrap();
        rig.text.0.borrow().clone()
    })
    .into_owned();
    assert_eq!(text, want.join("\n") + "\n");
}
