//! Golden tests of every conversion.

use crate::error::Error;
use crate::host::Names;
use crate::rig::*;
use crate::time::{Tm, utc};
use crate::{NoNames, NoSymbols, Options};
use image::{ActionKind, DatumKind, SymKind};

fn show(text: &str, data: Vec<DatumKind>, body: &[&[u8]]) -> String {
    let mut rig = Rig::quiet(image(vec![clause(vec![(
        ActionKind::Printf(fmt(text)),
        data,
    )])]));
    rig.run(0, body);
    rig.text()
}

fn int(text: &str, v: i64, bytes: u8, signed: bool) -> String {
    show(
        text,
        vec![DatumKind::Int { bytes, signed }],
        &[&v.to_le_bytes()[..bytes.into()]],
    )
}

fn string(text: &str, s: &str) -> String {
    show(
        text,
        vec![DatumKind::VarStr],
        &[&(s.len() as u32).to_ne_bytes(), s.as_bytes()],
    )
}

#[test]
fn integers_follow_their_type() {
    assert_eq!(int("%d", -1, 4, true), "-1");
    assert_eq!(int("%d", -1, 4, false), "4294967295");
    assert_eq!(int("%i", -1, 8, false), "18446744073709551615");
    assert_eq!(int("%u", -1, 4, true), "4294967295");
    assert_eq!(int("%x", -1, 4, true), "ffffffff");
    assert_eq!(int("%X", -1, 2, true), "FFFF");
    assert_eq!(int("%#x", 255, 8, true), "0xff");
    assert_eq!(int("%o", 8, 1, true), "10");
    assert_eq!(int("%lld", -5, 8, true), "-5");
    assert_eq!(int("%hd", -5, 2, true), "-5");
    assert_eq!(int("%p", 0xffff_8000, 8, false), "ffff8000");
    assert_eq!(int("[%8d]", 42, 4, true), "[      42]");
    assert_eq!(int("[%-8d]", 42, 4, true), "[42      ]");
    assert_eq!(int("[%08d]", -42, 4, true), "[-0000042]");
    assert_eq!(int("[%+.4d]", 42, 4, true), "[+0042]");
    assert_eq!(int("[%+u]", 42, 4, true), "[42]");
    assert_eq!(int("%'d", 1_234_567, 8, true), "1,234,567");
    assert_eq!(int("%d%%", 7, 4, true), "7%");
}

#[test]
fn dynamic_width_and_precision() {
    let three = |w: i32| [w, 2, 7].map(i32::to_ne_bytes).concat();
    assert_eq!(
        show("[%*.*d]", vec![I32, I32, I32], &[&three(5)]),
        "[   07]"
    );
    assert_eq!(
        show("[%*.*d]", vec![I32, I32, I32], &[&three(-5)]),
        "[07   ]"
    );
    let huge = show(
        "%*d",
        vec![I32, I32],
        &[&[i32::MAX, 7].map(i32::to_ne_bytes).concat()],
    );
    assert_eq!(huge.len(), crate::num::MAX_FIELD);
}

#[test]
fn characters_and_strings() {
    assert_eq!(int("[%c]", 0x41, 4, true), "[A]");
    assert_eq!(int("[%3c]", 0x41, 4, true), "[  A]");
    assert_eq!(int("[%C]", 10, 4, true), "[\\n]");
    assert_eq!(int("[%C]", 0x7f, 4, true), "[\\177]");
    assert_eq!(int("%wc", 0xe9, 4, true), "é");
    assert_eq!(string("[%8s]", "abc"), "[     abc]");
    assert_eq!(string("[%-8.2s]", "abc"), "[ab      ]");
    assert_eq!(
        string("[%.0s]", "abc"),
        "[abc]",
        "precision 0 is no precision"
    );
    assert_eq!(string("%S", "a\nb"), "a\\nb\\0");
    assert_eq!(string("%S", "\"\\\t\x01"), "\\\"\\\\\\t\\001\\0");
    let chars = |len| vec![DatumKind::Bytes { len, chars: true }];
    assert_eq!(show("[%s]", chars(6), &[b"ab\0cd\0"]), "[ab]");
    assert_eq!(
        show("[%S]", chars(2), &[b"ab"]),
        "[ab]",
        "no NUL, none shown"
    );
    let wide: Vec<u8> = [0x48u32, 0xe9, 0, 0x48].map(u32::to_ne_bytes).concat();
    assert_eq!(
        show(
            "[%ls]",
            vec![DatumKind::Bytes {
                len: 16,
                chars: false
            }],
            &[&wide]
        ),
        "[Hé]"
    );
}

#[test]
fn addresses_and_stacks() {
    assert_eq!(int("%a", 0xf004, 8, false), "vmlinux`kfn0+0x4");
    assert_eq!(int("%a", 0xf100, 8, false), "vmlinux`kfn1");
    assert_eq!(int("[%-6a]", 0x4, 8, false), "[0x4   ]");
    assert_eq!(int("%A", 0x1004, 8, false), "0x1004", "no target");
    let two = |a: u64, b: u64| [a, b].map(u64::to_ne_bytes).concat();
    assert_eq!(
        show(
            "%A",
            vec![DatumKind::Sym(SymKind::Uaddr)],
            &[&two(0x1004, 7)]
        ),
        "libx.so`ufn0+0x4"
    );
    assert_eq!(
        show(
            "%A",
            vec![DatumKind::Sym(SymKind::Usym)],
            &[&two(0x1004, 7)]
        ),
        "libx.so`ufn0"
    );
    let stack = || {
        vec![DatumKind::Stack {
            user: false,
            frames: 2 + image::layout::SPARE_FRAMES,
        }]
    };
    let body: &[&[u8]] = &[&16u32.to_ne_bytes(), &two(0xf004, 0xf100)];
    assert_eq!(
        show("<%k>", stack(), body),
        "<\n              vmlinux`kfn0+0x4\n              vmlinux`kfn0+0x100\n>",
        "a return address behind a function's last call is that function's"
    );
    let at_start: &[&[u8]] = &[&16u32.to_ne_bytes(), &two(0xf100, 0xf104)];
    assert_eq!(
        show("<%k>", stack(), at_start),
        "<\n              vmlinux`kfn1\n              vmlinux`kfn1+0x4\n>",
        "a sample may be at a function's start"
    );
    assert_eq!(
        show("<%-2k>", stack(), body),
        "<\n  vmlinux`kfn0+0x4\n  vmlinux`kfn0+0x100\n>"
    );
}

struct Zone;
impl Names for Zone {
    fn local(&self, secs: i64) -> Tm {
        Tm {
            zone: "CET".into(),
            ..utc(secs + 3600)
        }
    }
    fn service(&self, port: u16) -> Option<String> {
        (port == 80).then(|| "http".into())
    }
    fn host(&self, addr: &str) -> Option<String> {
        (addr == "127.0.0.1").then(|| "localhost".into())
    }
}

#[test]
fn times_ports_and_hosts() {
    let ns = 123_787_200_999_999_999i64;
    assert_eq!(int("[%Y]", ns, 8, true), "[1973 Dec  3 17:20:00]");
    assert_eq!(int("%T", ns, 8, true), "Mon, 03 Dec 1973 17:20:00 UTC");
    assert_eq!(int("%P", 8080, 2, false), "8080");
    assert_eq!(string("[%10I]", "1.2.3.4"), "[   1.2.3.4]");
    let data = vec![
        I64,
        DatumKind::Int {
            bytes: 2,
            signed: false,
        },
        DatumKind::VarStr,
    ];
    let mut rig = Rig::quiet(image(vec![clause(vec![(
        ActionKind::Printf(fmt("%T %P %I")),
        data,
    )])]));
    rig.consumer = rig.consumer.with_names(Box::new(Zone));
    rig.run(
        0,
        &[
            &ns.to_ne_bytes(),
            &80u16.to_ne_bytes(),
            &9u32.to_ne_bytes(),
            b"127.0.0.1",
        ],
    );
    assert_eq!(rig.text(), "Mon, 03 Dec 1973 18:20:00 CET http localhost");
}

#[test]
fn floats() {
    let data = || {
        vec![DatumKind::Bytes {
            len: 8,
            chars: false,
        }]
    };
    assert_eq!(show("%.2f", data(), &[&1.005f64.to_ne_bytes()]), "1.00");
    assert_eq!(
        show("[%10.3e]", data(), &[&1234.5f64.to_ne_bytes()]),
        "[ 1.234e+03]"
    );
}

#[test]
fn a_conversion_that_does_not_fit_is_an_error() {
    for (text, data, body) in [
        ("%d", DatumKind::VarStr, &0u32.to_ne_bytes()),
        ("%s", I32, &0u32.to_ne_bytes()),
        ("%k", I32, &0u32.to_ne_bytes()),
        ("%@d", I32, &0u32.to_ne_bytes()),
        ("%d %d", I32, &0u32.to_ne_bytes()),
        ("%q", I32, &0u32.to_ne_bytes()),
    ] {
        let mut rig = Rig::quiet(image(vec![clause(vec![(
            ActionKind::Printf(fmt(text)),
            vec![data],
        )])]));
        let got = rig.record(0, &bytes(0, 0, &[body]));
        assert!(matches!(got, Err(Error::Image(_))), "{text}");
    }
}

#[test]
fn the_fast_path_allocates_nothing_visible() {
    let world = &mut super::World::new(Box::new(NoSymbols), Box::new(NoNames));
    struct Two(u32);
    impl<'a> super::Args<'a> for Two {
        fn next(&mut self) -> crate::Result<super::Value<'a>> {
            self.0 += 1;
            Ok(if self.0 % 2 == 1 {
                super::Value::Int(super::Int::i64(42))
            } else {
                super::Value::Str(b"bash")
            })
        }
        fn agg(&mut self) -> crate::Result<crate::aggs::AggView<'a>> {
            Err(Error::Image("none"))
        }
    }
    let (format, opts, mut out) = (fmt("%d %s\n"), Options::default(), Vec::with_capacity(64));
    let room = out.capacity();
    for _ in 0..100 {
        out.clear();
        super::format(&mut out, world, &opts, &format, &mut Two(0)).unwrap();
    }
    assert_eq!(out, b"42 bash\n");
    assert_eq!(out.capacity(), room);
}
