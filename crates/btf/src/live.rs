//! Against the BTF of the running kernel, if it has any.

use std::rc::Rc;

use ctypes::{Kind, NameKind, TypeGraph};

use crate::format::BtfKind;
use crate::read::Btf;
use crate::source::{BtfLoader, BtfSource, VMLINUX};

struct Host(Rc<Btf>);

impl BtfLoader for Host {
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

fn host() -> Option<Rc<Btf>> {
    let bytes = std::fs::read("/sys/kernel/btf/vmlinux").ok()?;
    Some(Rc::new(
        Btf::parse(bytes).expect("the kernel's own BTF is sound"),
    ))
}

#[test]
fn known_relations() {
    let Some(btf) = host() else { return };
    let mut graph = TypeGraph::new();
    let source = Rc::new(BtfSource::new(Rc::new(Host(btf.clone()))));
    graph.set_source(source.clone());
    let task = graph.parse("struct task_struct").expect("task_struct");
    let mut at = |name| graph.member(task, name).expect(name).bit_offset;
    assert_eq!(at("tgid"), at("pid") + 32);
    assert_eq!(at("parent"), at("real_parent") + 64);
    assert!(at("comm").is_multiple_of(8) && at("group_leader") > at("real_parent"));
    let comm = graph.member(task, "comm").expect("comm").ty;
    assert_eq!(graph.name(comm), "char [16]");
    let list = graph.parse("struct list_head").expect("list_head");
    assert_eq!((graph.size(list), graph.align(list)), (Some(16), 8));
    let name = graph
        .lookup(None, NameKind::Struct, "qstr")
        .and_then(|id| graph.member(id, "len"));
    assert_eq!(name.map(|m| m.bit_offset), Some(32));
    let switch = btf.tracepoint_proto("sched_switch").expect("sched_switch");
    let types: Vec<_> = switch
        .params
        .iter()
        .map(|p| source.import(&mut graph, VMLINUX, p.ty).expect("imports"))
        .collect();
    assert_eq!(graph.name(types[1]), "struct task_struct *");
    assert_eq!(
        graph.enumerator("PIDTYPE_PID").map(|(value, _)| value),
        Some(0)
    );
    assert!(btf.func_exists("vfs_read") && btf.tracepoints().count() > 100);
}

/// Every structure laid out again in C order must come out as the compiler laid it out, as far as the kernel does not pack
/// or align it by attributes: a check of the layout rules and of the alignments that BTF lacks.
#[test]
fn layouts_agree_with_the_compiler() {
    let Some(btf) = host() else { return };
    let mut graph = TypeGraph::new();
    let source = Rc::new(BtfSource::new(Rc::new(Host(btf.clone()))));
    graph.set_source(source.clone());
    let (mut same, mut other) = (0, 0);
    for ty in btf
        .types()
        .filter(|ty| matches!(ty.kind(), BtfKind::Struct | BtfKind::Union))
    {
        let id = source
            .import(&mut graph, VMLINUX, ty.id())
            .expect("imports");
        let members = graph.members(id).expect("members");
        let parts = members
            .iter()
            .map(|m| (m.name.clone(), m.ty, m.bits))
            .collect();
        let laid = graph.layout(ty.kind() == BtfKind::Union, None, parts);
        let offsets =
            |members: &[ctypes::Member]| members.iter().map(|m| m.bit_offset).collect::<Vec<_>>();
        let again = offsets(
            laid.members
                .as_deref()
                .map(Vec::as_slice)
                .unwrap_or_default(),
        );
        let agrees = again == offsets(&members) && laid.size == u64::from(ty.size());
        *(if agrees { &mut same } else { &mut other }) += 1;
        assert!(matches!(graph.kind(id), Kind::Composite(c) if c.members.is_some()));
    }
    assert!(same > 20 * other, "{same} structures agree, {other} do not");
}
