//! Broken BTF must give errors, never panics: bytes of the test world changed at random, and types that hold themselves.

use std::rc::Rc;

use ctypes::{NameKind, TypeGraph, TypeId};

use crate::builder::{BtfBuilder, Field};
use crate::read::Btf;
use crate::source::{BtfLoader, BtfSource, VMLINUX};

struct Only(Rc<Btf>);

impl BtfLoader for Only {
    fn vmlinux(&self) -> Option<Rc<Btf>> {
        Some(self.0.clone())
    }

    fn module(&self, _: &str) -> Option<Rc<Btf>> {
        None
    }

    fn modules(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A small blob with every kind in it.
fn blob() -> Vec<u8> {
    let mut b = BtfBuilder::new();
    let int = b.int("int", 4, true);
    let next = b.next_id();
    let ptr = b.ptr(next + 1);
    let fields = [
        Field {
            name: "next",
            ty: ptr,
            bit_offset: 0,
            bits: 0,
        },
        Field {
            name: "flag",
            ty: int,
            bit_offset: 64,
            bits: 3,
        },
    ];
    let node = b.structure("node", 16, &fields);
    let user = b.type_tag("user", node);
    let user = b.ptr(user);
    let proto = b.func_proto(int, &[("__data", ptr), ("n", user), ("", 0)]);
    b.func("walk", proto, 1);
    let traced = b.ptr(proto);
    b.typedef("btf_trace_walk", traced);
    b.enumeration("e", true, &[("A", -1)]);
    b.enumeration64("f", false, &[("B", 1 << 33)]);
    let held = b.constant(node);
    let held = b.volatile(held);
    let held = b.restrict(held);
    let array = b.array(held, int, 3);
    b.union(
        "u",
        48,
        &[Field {
            name: "",
            ty: array,
            bit_offset: 0,
            bits: 0,
        }],
    );
    let var = b.var("v", array, 1);
    b.datasec(".data", 48, &[(var, 0, 48)]);
    b.forward("nobody", false);
    b.float("double", 8);
    b.decl_tag("tag", node, Some(1));
    b.finish()
}

/// Everything that can be asked.
fn exercise(btf: Btf) {
    let btf = Rc::new(btf);
    let mut graph = TypeGraph::new();
    let source = Rc::new(BtfSource::new(Rc::new(Only(btf.clone()))));
    graph.set_source(source.clone());
    for id in btf.ids() {
        if let Ok(ty) = source.import(&mut graph, VMLINUX, id) {
            describe(&mut graph, ty);
        }
        let _ = btf.proto(id);
    }
    let _ = (
        btf.func_proto("walk"),
        btf.tracepoint_proto("walk"),
        btf.tracepoints().count(),
        btf.var("v"),
    );
    let _ = (graph.enumerator("A"), graph.enumerator("nope"));
    for kind in [
        NameKind::Plain,
        NameKind::Struct,
        NameKind::Union,
        NameKind::Enum,
    ] {
        let _ = (
            graph.lookup(None, kind, "node"),
            graph.lookup(Some(VMLINUX), kind, "u"),
        );
    }
}

fn describe(graph: &mut TypeGraph, ty: TypeId) {
    let _ = (
        graph.name(ty),
        graph.size(ty),
        graph.align(ty),
        graph.rank(ty),
        graph.same(ty, TypeGraph::INT),
    );
    let _ = (graph.member(ty, "flag"), graph.member(ty, "none"));
    for member in graph.members(ty).iter().flat_map(|m| m.iter()) {
        let _ = (graph.name(member.ty), graph.same(ty, member.ty));
    }
}

/// A small generator of random numbers (xorshift); its seed is printed by a failing test's message of the round.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[test]
fn changed_bytes() {
    let good = blob();
    exercise(Btf::parse(good.clone()).expect("sound"));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut opened = 0;
    for _ in 0..4000 {
        let mut bad = good.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bad.len());
            bad[at] = if random.below(2) == 0 {
                random.below(256) as u8
            } else {
                random.below(24) as u8
            };
        }
        if let Ok(btf) = Btf::parse(bad) {
            opened += 1;
            exercise(btf);
        }
    }
    assert!(
        opened > 1000,
        "the changes must leave something to read: {opened}"
    );
}

#[test]
fn truncated() {
    let good = blob();
    for len in 0..good.len() {
        assert!(Btf::parse(Vec::from(&good[..len])).is_err(), "{len}");
    }
}

#[test]
fn circular() {
    let mut b = BtfBuilder::new();
    let int = b.int("int", 4, true);
    let alias = b.next_id();
    b.typedef("round", alias + 1);
    b.constant(alias);
    let ptr = b.ptr(b.next_id());
    let tag = b.type_tag("user", b.next_id());
    let holder = b.structure(
        "holder",
        8,
        &[Field {
            name: "self",
            ty: b.next_id(),
            bit_offset: 0,
            bits: 0,
        }],
    );
    let array = b.array(b.next_id(), int, 2);
    let proto = b.func_proto(b.next_id(), &[("p", b.next_id())]);
    let anonymous = b.structure(
        "",
        4,
        &[Field {
            name: "",
            ty: b.next_id(),
            bit_offset: 0,
            bits: 0,
        }],
    );
    let btf = Rc::new(Btf::parse(b.finish()).expect("formally sound"));
    let mut graph = TypeGraph::new();
    let source = Rc::new(BtfSource::new(Rc::new(Only(btf))));
    graph.set_source(source.clone());
    for id in [alias, alias + 1, ptr, tag, array, proto, 1000] {
        assert!(source.import(&mut graph, VMLINUX, id).is_err(), "{id}");
    }
    for id in [holder, anonymous] {
        let ty = source
            .import(&mut graph, VMLINUX, id)
            .expect("a structure is a stub first");
        assert_eq!(graph.member(ty, "absent"), None);
    }
}
