//! Golden tests of `print()`.

use crate::rig::*;
use image::print::PrintShape;
use image::{ActionKind, DatumKind, PrintMember, PrintType};

fn int(name: &str, bytes: u8) -> PrintType {
    PrintType {
        name: name.into(),
        shape: PrintShape::Int {
            bytes,
            signed: true,
            char_like: name == "char",
        },
    }
}

fn member(name: &str, bit_offset: u32, bits: u32, ty: PrintType) -> PrintMember {
    PrintMember {
        name: name.into(),
        bit_offset,
        bits,
        ty,
    }
}

fn array(elem: PrintType, stride: u32, len: u32) -> PrintType {
    let name = format!("{} [{len}]", elem.name);
    PrintType {
        name,
        shape: PrintShape::Array {
            elem: Box::new(elem),
            stride,
            len,
        },
    }
}

fn show(ty: PrintType, bytes: &[u8]) -> String {
    let data = vec![DatumKind::Bytes {
        len: bytes.len() as u32,
        chars: false,
    }];
    let mut rig = Rig::quiet(image(vec![clause(vec![(ActionKind::Print(ty), data)])]));
    rig.run(0, &[bytes]);
    rig.text()
}

#[test]
fn scalars() {
    assert_eq!(
        show(int("int", 4), &(-1i32).to_ne_bytes()),
        "int 0xffffffff"
    );
    assert_eq!(show(int("long", 8), &0u64.to_ne_bytes()), "long 0");
    assert_eq!(show(int("char", 1), b"c"), "char 'c'");
    assert_eq!(show(int("char", 1), b"\0"), "char '\\0'");
    assert_eq!(show(int("char", 1), b"\n"), "char '\\012'");
    let names = vec![("RED".to_string(), 0), ("BLUE".to_string(), -1)];
    let colour = || PrintType {
        name: "enum colour".into(),
        shape: PrintShape::Enum {
            bytes: 4,
            names: names.clone(),
        },
    };
    assert_eq!(show(colour(), &(-1i32).to_ne_bytes()), "enum colour BLUE");
    assert_eq!(show(colour(), &5i32.to_ne_bytes()), "enum colour 5");
    let float = |bytes| PrintType {
        name: "f".into(),
        shape: PrintShape::Float { bytes },
    };
    assert_eq!(show(float(4), &1.5f32.to_ne_bytes()), "f +1.5000000e+00");
    assert_eq!(
        show(float(8), &(-1.5f64).to_ne_bytes()),
        "f -1.5000000000000000E+00"
    );
    let pointer = |function| PrintType {
        name: "p".into(),
        shape: PrintShape::Pointer { function },
    };
    assert_eq!(
        show(pointer(true), &0xf100u64.to_ne_bytes()),
        "p vmlinux`kfn1"
    );
    assert_eq!(show(pointer(false), &0xf100u64.to_ne_bytes()), "p 0xf100");
    let other = |shape| PrintType {
        name: "x".into(),
        shape,
    };
    assert_eq!(show(other(PrintShape::Forward), &[0]), "x <forward decl>");
    assert_eq!(
        show(other(PrintShape::Unknown), &[0]),
        "x <unknown encoding>"
    );
}

#[test]
fn structures_nest() {
    let inner = PrintType {
        name: "struct point".into(),
        shape: PrintShape::Struct {
            members: vec![member("x", 0, 0, int("int", 4))],
        },
    };
    let outer = PrintType {
        name: "struct shape".into(),
        shape: PrintShape::Struct {
            members: vec![
                member("name", 0, 0, array(int("char", 1), 1, 4)),
                member("low", 32, 3, int("unsigned int", 4)),
                member("high", 35, 5, int("unsigned int", 4)),
                member("p", 64, 0, inner.clone()),
                member("v", 96, 0, array(int("short", 2), 2, 2)),
                member("a", 128, 0, array(inner, 4, 2)),
            ],
        },
    };
    let mut bytes = b"ab\0\0".to_vec();
    bytes.extend((0b1000_1101u32).to_le_bytes());
    bytes.extend(7i32.to_ne_bytes());
    bytes.extend([1i16, 2].map(i16::to_ne_bytes).concat());
    bytes.extend([3i32, 4].map(i32::to_ne_bytes).concat());
    let want = concat!(
        "struct shape {\n",
        "    char [4] name = \"ab\"\n",
        "    unsigned int low:3 = 0x5\n",
        "    unsigned int high:5 = 0x11\n",
        "    struct point p = {\n",
        "        int x = 0x7\n",
        "    }\n",
        "    short [2] v = [ 0x1, 0x2 ]\n",
        "    struct point [2] a = [\n",
        "        struct point {\n",
        "            int x = 0x3\n",
        "        },\n",
        "        struct point {\n",
        "            int x = 0x4\n",
        "        }\n",
        "    ]\n",
        "}",
    );
    assert_eq!(show(outer, &bytes), want);
}

#[test]
fn short_data_is_an_error() {
    let data = vec![DatumKind::Bytes {
        len: 2,
        chars: false,
    }];
    let mut rig = Rig::quiet(image(vec![clause(vec![(
        ActionKind::Print(int("int", 4)),
        data,
    )])]));
    assert!(rig.record(0, &bytes(0, 0, &[&[1, 2]])).is_err());
}
