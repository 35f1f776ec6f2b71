//! The run-time library in the interpreter, against plain reference functions.

mod rt_common;

use rt_common::*;

const ROUNDS: usize = 2000;

#[test]
fn strcmp_matches() {
    check(Local::Strcmp, ROUNDS, |r| {
        let cap = r.cap();
        let (a, b) = (r.text(cap), r.near(cap));
        case(vec![In::Mem(a), In::Mem(b), In::Num(cap as u64)])
    });
}

#[test]
fn chr_and_rchr_match() {
    for f in [Local::Chr, Local::Rchr] {
        check(f, ROUNDS, |r| {
            let cap = r.cap();
            let (s, c) = (r.text(cap), r.byte());
            case(vec![In::Mem(s), In::Num(c.into()), In::Num(cap as u64)])
        });
    }
}

#[test]
fn find_and_rfind_match() {
    for f in [Local::Find, Local::Rfind] {
        check(f, 4 * ROUNDS, |r| {
            let (cs, ct) = (r.cap(), r.cap());
            let s = r.text(cs);
            let t = r.part(&s, ct);
            let start = r.below(cs + 1) * r.below(2);
            let start = if f == Local::Rfind { cs - start } else { start };
            case(vec![
                In::Mem(s),
                In::Mem(t),
                In::Num(cs as u64),
                In::Num(ct as u64),
                In::Num(start as u64),
            ])
        });
    }
}

/// The most steps: everything matches but a byte in the middle.
#[test]
fn find_is_exact_where_it_takes_the_most_steps() {
    for (cap, step) in [(16, 1), (17, 1), (64, 3), (257, 16), (1024, 341)] {
        for t_len in (1..cap).step_by(step) {
            for mid in [0, 1, t_len / 2, t_len - 1] {
                for found in [false, true] {
                    for f in [Local::Find, Local::Rfind] {
                        let mut t = vec![b'a'; cap];
                        t[mid] = b'b';
                        t[t_len] = 0;
                        let mut s = vec![b'a'; cap];
                        if found {
                            s[cap - t_len..].copy_from_slice(&t[..t_len]);
                        }
                        let start = if f == Local::Find { 0 } else { cap as u64 };
                        agree(
                            f,
                            &case(vec![
                                In::Mem(s),
                                In::Mem(t),
                                In::Num(cap as u64),
                                In::Num(cap as u64),
                                In::Num(start),
                            ]),
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn case_matches() {
    check(Local::Case, ROUNDS, |r| {
        let cap = r.cap();
        let s = r.any_text(cap);
        let upper = r.below(2) as u64;
        case(vec![In::Mem(s), In::Num(cap as u64), In::Num(upper)])
    });
}

#[test]
fn toll_matches() {
    check(Local::Toll, 4 * ROUNDS, |r| {
        let cap = r.cap();
        let base = r.base();
        let s = r.number_text(cap, base);
        case(vec![In::Mem(s), In::Num(cap as u64), In::Num(base)])
    });
}

#[test]
fn toll_saturates_as_c() {
    let cases: [(&str, u64, i64); 12] = [
        ("9223372036854775807", 10, i64::MAX),
        ("9223372036854775808", 10, i64::MAX),
        ("-9223372036854775808", 10, i64::MIN),
        ("-9223372036854775809", 10, i64::MIN),
        ("99999999999999999999", 10, i64::MAX),
        ("0x7fffffffffffffff", 16, i64::MAX),
        ("-0X8000000000000000", 16, i64::MIN),
        ("0xg", 16, 0),
        ("- 5", 10, 0),
        ("\t\n\x0b\x0c\r +17z", 10, 17),
        ("zz", 36, 35 * 36 + 35),
        ("0x10", 10, 0),
    ];
    for (text, base, want) in cases {
        let mut s = text.as_bytes().to_vec();
        s.push(0);
        let cap = s.len() as u64;
        let got = agree(
            Local::Toll,
            &case(vec![In::Mem(s), In::Num(cap), In::Num(base)]),
        );
        assert_eq!(got as i64, want, "{text:?} in base {base}");
    }
}

#[test]
fn lltostr_matches() {
    for base in 2..=36 {
        for v in [
            0,
            1,
            7,
            8,
            9,
            10,
            35,
            36,
            u64::MAX,
            1 << 63,
            i64::MAX as u64,
        ] {
            agree(
                Local::Lltostr,
                &case(vec![In::Mem(vec![0xee; 72]), In::Num(v), In::Num(base)]),
            );
        }
    }
    check(Local::Lltostr, ROUNDS, |r| {
        let v = r.number();
        let base = r.base();
        case(vec![In::Mem(vec![0xee; 72]), In::Num(v), In::Num(base)])
    });
}

#[test]
fn spans_match() {
    for f in [Local::Span, Local::Cspan] {
        check(f, ROUNDS, |r| {
            let (cs, ct) = (r.cap(), r.cap());
            let (s, set) = (r.any_text(cs), r.any_text(ct));
            let start = r.below(length(&s) + 1);
            case(vec![
                In::Mem(s),
                In::Mem(set),
                In::Num(cs as u64),
                In::Num(ct as u64),
                In::Num(start as u64),
            ])
        });
    }
}

#[test]
fn cleanpath_matches() {
    check(Local::Cleanpath, 4 * ROUNDS, |r| {
        let cap = r.cap();
        let s = r.path(cap);
        case(vec![
            In::Mem(vec![0xee; cap]),
            In::Mem(s),
            In::Num(cap as u64),
        ])
    });
}

#[test]
fn cleanpath_knows_paths() {
    for (path, want) in [
        ("/a//b/./c/../d", "/a/b/d"),
        ("/../..//x", "/x"),
        ("/a/b/../../../c", "/c"),
        ("a/../b", "/b"),
        ("/a/..", "/a/.."),
        ("/a/.", "/a/."),
        ("/a/", "/a/"),
        ("/.../..x/.y", "/.../..x/.y"),
        ("", ""),
    ] {
        let mut s = path.as_bytes().to_vec();
        s.resize(64, 0);
        let c = case(vec![In::Mem(vec![0; 64]), In::Mem(s), In::Num(64)]);
        let len = agree(Local::Cleanpath, &c) as usize;
        let (_, memory) = interpret(Local::Cleanpath, &c);
        assert_eq!(&memory[0][..len], want.as_bytes(), "{path}");
    }
}

#[test]
fn trim_matches() {
    check(Local::Trim, ROUNDS, |r| {
        let cap = r.cap();
        let s = r.path(cap);
        case(vec![In::Mem(s), In::Num(cap as u64)])
    });
}
