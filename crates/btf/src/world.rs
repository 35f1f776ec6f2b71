//! A kernel in miniature, for tests whose results must not depend on the host's: x86-64, with the names of the real one and
//! a few of their members, not at their real offsets.
//!
//! Add to the tables below; ids and offsets then shift, so tests must go by names.

use std::collections::HashMap;
use std::rc::Rc;

use crate::builder::{BtfBuilder, Field};
use crate::format::Error;
use crate::read::Btf;
use crate::source::BtfLoader;

/// Name of the one module of the test world. It has `struct testmod_dev`, `testmod_open()` and the tracepoint `testmod_event`.
pub const TEST_MODULE: &str = "testmod";

/// Integers: name, bytes, encoding (1 signed, 2 character, 4 boolean).
const INTS: &[(&str, u32, u32)] = &[
    ("char", 1, 1),
    ("signed char", 1, 1),
    ("unsigned char", 1, 0),
    ("short int", 2, 1),
    ("short unsigned int", 2, 0),
    ("int", 4, 1),
    ("unsigned int", 4, 0),
    ("long int", 8, 1),
    ("long unsigned int", 8, 0),
    ("long long int", 8, 1),
    ("long long unsigned int", 8, 0),
    ("_Bool", 1, 4),
];

/// Enumerations: tag and items.
const ENUMS: &[(&str, &[(&str, i32)])] = &[
    (
        "pid_type",
        &[
            ("PIDTYPE_PID", 0),
            ("PIDTYPE_TGID", 1),
            ("PIDTYPE_PGID", 2),
            ("PIDTYPE_SID", 3),
            ("PIDTYPE_MAX", 4),
        ],
    ),
    (
        "migrate_reason",
        &[("MR_NONE", -1), ("MR_COMPACTION", 0), ("MR_SYSCALL", 3)],
    ),
];

/// Typedefs of what is above.
const TYPEDEFS: &[(&str, &str)] = &[
    ("u8", "unsigned char"),
    ("u16", "short unsigned int"),
    ("u32", "unsigned int"),
    ("__u32", "unsigned int"),
    ("u64", "long long unsigned int"),
    ("s64", "long long int"),
    ("pid_t", "int"),
    ("uid_t", "unsigned int"),
    ("gid_t", "unsigned int"),
    ("dev_t", "u32"),
    ("umode_t", "short unsigned int"),
    ("fmode_t", "unsigned int"),
    ("size_t", "long unsigned int"),
    ("ssize_t", "long int"),
    ("loff_t", "long long int"),
    ("time64_t", "s64"),
    ("bool", "_Bool"),
];

type Members = &'static [(&'static str, &'static str)];

/// Structures and unions, those held by value before their holders. `@name` is anonymous; `name:3` is a bit-field.
const COMPOSITES: &[(&str, Members)] = &[
    (
        "struct list_head",
        &[
            ("next", "struct list_head *"),
            ("prev", "struct list_head *"),
        ],
    ),
    (
        "struct timespec64",
        &[("tv_sec", "time64_t"), ("tv_nsec", "long int")],
    ),
    ("struct @kuid", &[("val", "uid_t")]),
    ("struct @kgid", &[("val", "gid_t")]),
    ("struct @hash_len", &[("hash", "u32"), ("len", "u32")]),
    (
        "union @qstr",
        &[("", "struct @hash_len"), ("hash_len", "u64")],
    ),
    (
        "struct qstr",
        &[("", "union @qstr"), ("name", "const unsigned char *")],
    ),
    (
        "struct super_block",
        &[("s_dev", "dev_t"), ("s_id", "char [32]")],
    ),
    (
        "struct inode",
        &[
            ("i_mode", "umode_t"),
            ("i_sb", "struct super_block *"),
            ("i_ino", "long unsigned int"),
            ("i_size", "loff_t"),
        ],
    ),
    (
        "struct dentry",
        &[
            ("d_flags", "unsigned int"),
            ("d_parent", "struct dentry *"),
            ("d_name", "struct qstr"),
            ("d_inode", "struct inode *"),
            ("d_iname", "unsigned char [40]"),
        ],
    ),
    (
        "struct path",
        &[("mnt", "struct vfsmount *"), ("dentry", "struct dentry *")],
    ),
    (
        "struct vfsmount",
        &[("mnt_root", "struct dentry *"), ("mnt_flags", "int")],
    ),
    (
        "struct file",
        &[
            ("f_mode", "fmode_t"),
            ("f_flags", "unsigned int"),
            ("f_path", "struct path"),
            ("f_inode", "struct inode *"),
            ("f_pos", "loff_t"),
            ("f_op", "const struct file_operations *"),
        ],
    ),
    (
        "struct cred",
        &[
            ("uid", "kuid_t"),
            ("gid", "kgid_t"),
            ("euid", "kuid_t"),
            ("egid", "kgid_t"),
        ],
    ),
    (
        "struct mm_struct",
        &[
            ("arg_start", "long unsigned int"),
            ("arg_end", "long unsigned int"),
        ],
    ),
    (
        "union sigval",
        &[("sival_int", "int"), ("sival_ptr", "void __user *")],
    ),
    (
        "struct thread_info",
        &[("flags", "long unsigned int"), ("cpu", "u32")],
    ),
    (
        "struct task_struct",
        &[
            ("thread_info", "struct thread_info"),
            ("__state", "unsigned int"),
            ("flags", "unsigned int"),
            ("prio", "int"),
            ("static_prio", "int"),
            ("policy", "unsigned int"),
            ("tasks", "struct list_head"),
            ("mm", "struct mm_struct *"),
            ("exit_state", "int"),
            ("exit_code", "int"),
            ("sched_reset_on_fork:1", "unsigned int"),
            ("sched_contributes_to_load:1", "unsigned int"),
            ("jobctl_bits:9", "unsigned int"),
            ("in_execve:1", "unsigned int"),
            ("pid", "pid_t"),
            ("tgid", "pid_t"),
            ("real_parent", "struct task_struct *"),
            ("parent", "struct task_struct *"),
            ("children", "struct list_head"),
            ("sibling", "struct list_head"),
            ("group_leader", "struct task_struct *"),
            ("start_time", "u64"),
            ("start_boottime", "u64"),
            ("real_cred", "const struct cred *"),
            ("cred", "const struct cred *"),
            ("comm", "char [16]"),
            ("clear_child_tid", "int __user *"),
            ("pid_kind", "enum pid_type"),
            ("last_sigval", "union sigval"),
        ],
    ),
    (
        "struct pt_regs",
        &[
            ("r15", "long unsigned int"),
            ("r14", "long unsigned int"),
            ("r13", "long unsigned int"),
            ("r12", "long unsigned int"),
            ("bp", "long unsigned int"),
            ("bx", "long unsigned int"),
            ("r11", "long unsigned int"),
            ("r10", "long unsigned int"),
            ("r9", "long unsigned int"),
            ("r8", "long unsigned int"),
            ("ax", "long unsigned int"),
            ("cx", "long unsigned int"),
            ("dx", "long unsigned int"),
            ("si", "long unsigned int"),
            ("di", "long unsigned int"),
            ("orig_ax", "long unsigned int"),
            ("ip", "long unsigned int"),
            ("cs", "long unsigned int"),
            ("flags", "long unsigned int"),
            ("sp", "long unsigned int"),
            ("ss", "long unsigned int"),
        ],
    ),
    (
        "struct linux_binprm",
        &[
            ("file", "struct file *"),
            ("filename", "const char *"),
            ("argc", "int"),
        ],
    ),
];

/// Typedefs of the anonymous structures.
const LATE_TYPEDEFS: &[(&str, &str)] = &[("kuid_t", "struct @kuid"), ("kgid_t", "struct @kgid")];

/// Tracepoints: kernel name and parameters.
const TRACEPOINTS: &[(&str, Members)] = &[
    (
        "sched_switch",
        &[
            ("preempt", "bool"),
            ("prev", "struct task_struct *"),
            ("next", "struct task_struct *"),
            ("prev_state", "unsigned int"),
        ],
    ),
    ("sched_wakeup", &[("p", "struct task_struct *")]),
    (
        "sched_process_fork",
        &[
            ("parent", "struct task_struct *"),
            ("child", "struct task_struct *"),
        ],
    ),
    (
        "sched_process_exec",
        &[
            ("p", "struct task_struct *"),
            ("old_pid", "pid_t"),
            ("bprm", "struct linux_binprm *"),
        ],
    ),
    ("sched_process_exit", &[("p", "struct task_struct *")]),
    (
        "sys_enter",
        &[("regs", "struct pt_regs *"), ("id", "long int")],
    ),
    (
        "sys_exit",
        &[("regs", "struct pt_regs *"), ("ret", "long int")],
    ),
];

/// Functions: name, return type, parameters.
const FUNCS: &[(&str, &str, Members)] = &[
    (
        "vfs_read",
        "ssize_t",
        &[
            ("file", "struct file *"),
            ("buf", "char __user *"),
            ("count", "size_t"),
            ("pos", "loff_t *"),
        ],
    ),
    (
        "vfs_write",
        "ssize_t",
        &[
            ("file", "struct file *"),
            ("buf", "const char __user *"),
            ("count", "size_t"),
            ("pos", "loff_t *"),
        ],
    ),
    ("schedule", "void", &[]),
    ("wake_up_process", "int", &[("p", "struct task_struct *")]),
];

/// Per-CPU variables.
const VARS: Members = &[
    ("current_task", "struct task_struct *"),
    ("cpu_number", "int"),
];

/// What the module adds.
const MODULE_COMPOSITES: &[(&str, Members)] = &[(
    "struct testmod_dev",
    &[
        ("owner", "struct task_struct *"),
        ("opens", "int"),
        ("dev", "dev_t"),
    ],
)];
const MODULE_TRACEPOINTS: &[(&str, Members)] = &[(
    "testmod_event",
    &[("dev", "struct testmod_dev *"), ("code", "int")],
)];
const MODULE_FUNCS: &[(&str, &str, Members)] =
    &[("testmod_open", "int", &[("dev", "struct testmod_dev *")])];

/// A type that is written after the structures.
enum Derived {
    Ptr(u32),
    Array(u32, u32),
    Const(u32),
    User(u32),
    Typedef(String, u32),
    Proto(u32, Vec<(&'static str, u32)>),
    Func(&'static str, u32),
    Var(&'static str, u32),
    Section(Vec<(u32, u32, u32)>),
}

/// Turns the tables into BTF. Structures get their ids before anything refers to them, so that pointers may go round.
#[derive(Default)]
struct World {
    builder: BtfBuilder,
    ids: HashMap<String, u32>,
    /// Size and alignment.
    layouts: HashMap<u32, (u32, u32)>,
    derived: Vec<Derived>,
    first_derived: u32,
}

impl World {
    fn named(&mut self, name: &str, id: u32, layout: (u32, u32)) {
        self.ids.insert(name.to_owned(), id);
        self.layouts.insert(id, layout);
    }

    fn layout(&self, id: u32) -> (u32, u32) {
        self.layouts.get(&id).copied().unwrap_or((0, 1))
    }

    fn basics(&mut self) {
        for (name, bytes, encoding) in INTS {
            let id = self.builder.int_encoded(name, *bytes, *encoding, bytes * 8);
            self.named(name, id, (*bytes, *bytes));
        }
        for (tag, items) in ENUMS {
            let signed = items.iter().any(|(_, value)| *value < 0);
            let id = self.builder.enumeration(tag, signed, items);
            self.named(&format!("enum {tag}"), id, (4, 4));
        }
        let id = self.builder.forward("file_operations", false);
        self.named("struct file_operations", id, (0, 1));
        for (name, to) in TYPEDEFS {
            let to = self.ids.get(*to).copied().unwrap_or(0);
            let id = self.builder.typedef(name, to);
            self.named(name, id, self.layout(to));
        }
    }

    fn add(&mut self, text: &str, derived: Derived, layout: (u32, u32)) -> u32 {
        let id = self.first_derived + self.derived.len() as u32;
        self.derived.push(derived);
        self.named(text, id, layout);
        id
    }

    /// Id of a type by text: name, `const` before it, then `__user *`, `*` or `[n]`.
    fn ty(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        if let Some((elem, len)) = text.strip_suffix(']').and_then(|t| t.rsplit_once(" [")) {
            let (elem, len) = (self.ty(elem), len.parse().unwrap_or(0));
            let (size, align) = self.layout(elem);
            return self.add(text, Derived::Array(elem, len), (size * len, align));
        }
        if let Some(to) = text.strip_suffix(" *") {
            let to = self.ty(to);
            return self.add(text, Derived::Ptr(to), (8, 8));
        }
        if let Some(to) = text.strip_suffix(" __user") {
            let to = self.ty(to);
            return self.add(text, Derived::User(to), self.layout(to));
        }
        if let Some(to) = text.strip_prefix("const ") {
            let to = self.ty(to);
            return self.add(text, Derived::Const(to), self.layout(to));
        }
        // `void`.
        0
    }

    fn composites(&mut self, rows: &[(&'static str, Members)], late: &[(&str, &str)]) {
        let first = self.builder.next_id();
        self.first_derived = first + rows.len() as u32;
        for (id, (name, _)) in (first..).zip(rows) {
            self.ids.insert((*name).to_owned(), id);
        }
        for (name, to) in late {
            let to_id = self.ty(to);
            self.add(name, Derived::Typedef((*name).to_owned(), to_id), (4, 4));
        }
        for (name, members) in rows {
            self.composite(name, members);
        }
    }

    fn composite(&mut self, name: &str, members: Members) {
        let is_union = name.starts_with("union ");
        let (mut at, mut end, mut most) = (0u32, 0, 1);
        let mut fields = Vec::new();
        for (member, text) in members {
            let ty = self.ty(text);
            let (size, align) = self.layout(ty);
            let (name, bits) = member.split_once(':').unwrap_or((member, "0"));
            let bits: u8 = bits.parse().unwrap_or(0);
            // The tables hold no bit-field that would cross its unit.
            let unit = if bits > 0 { 1 } else { align * 8 };
            let start = if is_union {
                0
            } else {
                at.next_multiple_of(unit)
            };
            at = start + if bits > 0 { u32::from(bits) } else { size * 8 };
            end = end.max(at);
            most = most.max(align);
            fields.push(Field {
                name,
                ty,
                bit_offset: start,
                bits,
            });
        }
        let size = end.div_ceil(8).next_multiple_of(most);
        let tag = name
            .split_once(' ')
            .map(|(_, tag)| tag)
            .filter(|tag| !tag.starts_with('@'))
            .unwrap_or("");
        let id = if is_union {
            self.builder.union(tag, size, &fields)
        } else {
            self.builder.structure(tag, size, &fields)
        };
        self.layouts.insert(id, (size, most));
    }

    fn proto(&mut self, ret: &str, first: Option<(&'static str, &str)>, params: Members) -> u32 {
        let ret = self.ty(ret);
        let params = first.into_iter().chain(params.iter().copied());
        let params = params.map(|(name, text)| (name, self.ty(text))).collect();
        self.add("(proto)", Derived::Proto(ret, params), (0, 1))
    }

    fn functions(
        &mut self,
        tracepoints: &[(&str, Members)],
        funcs: &[(&'static str, &str, Members)],
    ) {
        for (name, params) in tracepoints {
            let proto = self.proto("void", Some(("__data", "void *")), params);
            let ptr = self.add("(pointer)", Derived::Ptr(proto), (8, 8));
            let name = format!("btf_trace_{name}");
            self.add(&name, Derived::Typedef(name.clone(), ptr), (8, 8));
        }
        for (name, ret, params) in funcs {
            let proto = self.proto(ret, None, params);
            self.add("(function)", Derived::Func(name, proto), (0, 1));
        }
    }

    fn variables(&mut self) {
        let mut vars = Vec::new();
        for (name, text) in VARS {
            let ty = self.ty(text);
            let (size, _) = self.layout(ty);
            let id = self.add("(variable)", Derived::Var(name, ty), (size, 1));
            vars.push((id, vars.len() as u32 * 8, size));
        }
        self.add("(section)", Derived::Section(vars), (0, 1));
    }

    fn finish(&mut self) -> Vec<u8> {
        let index = self.ids.get("unsigned int").copied().unwrap_or(0);
        for derived in std::mem::take(&mut self.derived) {
            let b = &mut self.builder;
            match derived {
                Derived::Ptr(to) => b.ptr(to),
                Derived::Array(elem, len) => b.array(elem, index, len),
                Derived::Const(to) => b.constant(to),
                Derived::User(to) => b.type_tag("user", to),
                Derived::Typedef(name, to) => b.typedef(&name, to),
                Derived::Proto(ret, params) => b.func_proto(ret, &params),
                Derived::Func(name, proto) => b.func(name, proto, 0),
                Derived::Var(name, ty) => b.var(name, ty, 1),
                Derived::Section(vars) => b.datasec(".data..percpu", vars.len() as u32 * 8, &vars),
            };
        }
        self.builder.finish()
    }
}

/// The kernel and the module of the test world.
fn build() -> Result<(Rc<Btf>, Rc<Btf>), Error> {
    let mut world = World::default();
    world.basics();
    world.composites(COMPOSITES, LATE_TYPEDEFS);
    world.functions(TRACEPOINTS, FUNCS);
    world.variables();
    let kernel = Rc::new(Btf::parse(world.finish())?);
    world.builder = BtfBuilder::split(&kernel);
    world.composites(MODULE_COMPOSITES, &[]);
    world.functions(MODULE_TRACEPOINTS, MODULE_FUNCS);
    let module = Rc::new(Btf::parse_split(world.finish(), kernel.clone())?);
    Ok((kernel, module))
}

/// The test world as a loader.
#[derive(Debug)]
pub struct TestWorld {
    kernel: Rc<Btf>,
    module: Rc<Btf>,
}

impl BtfLoader for TestWorld {
    fn vmlinux(&self) -> Option<Rc<Btf>> {
        Some(self.kernel.clone())
    }

    fn module(&self, name: &str) -> Option<Rc<Btf>> {
        (name == TEST_MODULE).then(|| self.module.clone())
    }

    fn modules(&self) -> Vec<String> {
        vec![TEST_MODULE.to_owned()]
    }
}

/// The test world: a miniature kernel and one module.
///
/// # Panics
/// If the tables of this file are not sound, which its tests rule out.
pub fn testworld() -> TestWorld {
    match build() {
        Ok((kernel, module)) => TestWorld { kernel, module },
        Err(error) => unreachable!("the test world is sound: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use ctypes::{Kind, NameKind, TypeGraph};

    use super::*;
    use crate::source::{BtfSource, VMLINUX};

    fn graph() -> (TypeGraph, Rc<BtfSource>) {
        let mut graph = TypeGraph::new();
        let source = Rc::new(BtfSource::new(Rc::new(testworld())));
        graph.set_source(source.clone());
        (graph, source)
    }

    fn member(graph: &mut TypeGraph, ty: &str, name: &str) -> (u64, Option<u8>, String) {
        let id = graph.parse(ty).expect(ty);
        let found = graph.member(id, name).expect(name);
        (found.bit_offset, found.bits, graph.declare(found.ty, name))
    }

    #[test]
    fn structures() {
        let (mut graph, _) = graph();
        let task = graph.parse("struct task_struct").expect("task_struct");
        assert!(
            matches!(graph.kind(task), Kind::Composite(c) if c.members.is_none() && c.align == 8)
        );
        assert_eq!(
            member(&mut graph, "struct task_struct", "comm").2,
            "char comm[16]"
        );
        assert_eq!(
            member(&mut graph, "struct task_struct", "real_parent").2,
            "struct task_struct *real_parent"
        );
        assert_eq!(
            member(&mut graph, "struct task_struct", "cred").2,
            "const struct cred *cred"
        );
        assert_eq!(
            member(&mut graph, "struct task_struct", "clear_child_tid").2,
            "userland int *clear_child_tid"
        );
        let (first, width, text) = member(&mut graph, "struct task_struct", "sched_reset_on_fork");
        assert_eq!(
            (width, text.as_str()),
            (Some(1), "unsigned int sched_reset_on_fork")
        );
        assert_eq!(
            member(&mut graph, "struct task_struct", "jobctl_bits").0,
            first + 2
        );
        assert_eq!(
            member(&mut graph, "struct pt_regs", "di"),
            (14 * 64, None, "unsigned long di".to_owned())
        );
    }

    #[test]
    fn through_anonymous_members() {
        let (mut graph, _) = graph();
        assert_eq!(
            member(&mut graph, "struct qstr", "len"),
            (32, None, "u32 len".to_owned())
        );
        let name = member(&mut graph, "struct qstr", "name");
        assert_eq!((name.0, name.2.as_str()), (64, "const unsigned char *name"));
        assert_eq!(member(&mut graph, "struct cred", "egid").2, "kgid_t egid");
    }

    #[test]
    fn one_import_for_all_ways() {
        let (mut graph, source) = graph();
        let task = graph.parse("struct task_struct *").expect("a pointer");
        let world = testworld();
        let kernel = world.vmlinux().expect("a kernel");
        let proto = kernel
            .tracepoint_proto("sched_switch")
            .expect("sched_switch");
        let names: Vec<_> = proto.params.iter().map(|p| p.name).collect();
        assert_eq!(names, ["preempt", "prev", "next", "prev_state"]);
        assert_eq!(
            source.import(&mut graph, VMLINUX, proto.params[1].ty),
            Ok(task)
        );
        let bool_ty = source
            .import(&mut graph, VMLINUX, proto.params[0].ty)
            .expect("bool");
        assert_eq!(
            (graph.name(bool_ty).as_str(), graph.size(bool_ty)),
            ("bool", Some(1))
        );
        let parent = graph.member(task, "pid");
        assert_eq!(parent, None, "a pointer has no members");
    }

    #[test]
    fn module_types() {
        let (mut graph, source) = graph();
        let dev = graph
            .lookup(Some(TEST_MODULE), NameKind::Struct, "testmod_dev")
            .expect("scoped");
        assert_eq!(
            graph.lookup(None, NameKind::Struct, "testmod_dev"),
            Some(dev)
        );
        assert_eq!(
            graph.lookup(Some(VMLINUX), NameKind::Struct, "testmod_dev"),
            None
        );
        assert_eq!(
            graph.lookup(Some("nomod"), NameKind::Struct, "testmod_dev"),
            None
        );
        let owner = graph.member(dev, "owner").expect("owner").ty;
        assert_eq!(Some(owner), graph.parse("struct task_struct *"));
        let world = testworld();
        let module = world.module(TEST_MODULE).expect("the module");
        assert_eq!(module.tracepoints().collect::<Vec<_>>(), ["testmod_event"]);
        let proto = module
            .tracepoint_proto("testmod_event")
            .expect("testmod_event");
        assert_eq!(
            source.import(&mut graph, TEST_MODULE, proto.params[1].ty),
            Ok(TypeGraph::INT)
        );
        assert!(module.func_exists("vfs_read") && module.func_exists("testmod_open"));
        assert_eq!(
            source.import(&mut graph, "nomod", 1),
            Err(Error::Module("nomod".into()))
        );
    }

    #[test]
    fn functions_and_variables() {
        let (mut graph, source) = graph();
        let world = testworld();
        let kernel = world.vmlinux().expect("a kernel");
        let mut text = |id| {
            let id = source.import(&mut graph, VMLINUX, id).expect("imports");
            graph.name(id)
        };
        let proto = kernel.func_proto("vfs_read").expect("vfs_read");
        assert_eq!(text(proto.ret), "ssize_t");
        assert_eq!(text(proto.params[1].ty), "userland char *");
        assert_eq!(
            text(kernel.var("current_task").expect("a variable")),
            "struct task_struct *"
        );
        assert!(!kernel.func_exists("sys_enter") && !kernel.func_exists(""));
        assert_eq!(kernel.tracepoints().count(), TRACEPOINTS.len());
    }

    #[test]
    fn enumerators_and_forwards() {
        let (mut graph, _) = graph();
        let (value, ty) = graph.enumerator("PIDTYPE_SID").expect("an enumerator");
        assert_eq!((value, graph.name(ty).as_str()), (3, "enum pid_type"));
        assert_eq!(
            graph.enumerator("MR_NONE").map(|(value, _)| value),
            Some(-1)
        );
        assert_eq!(graph.enumerator("NO_SUCH"), None);
        let ops = graph.parse("struct file_operations").expect("declared");
        assert!(matches!(
            graph.kind(ops),
            Kind::Forward {
                kind: NameKind::Struct,
                ..
            }
        ));
        assert_eq!(graph.members(ops), None);
    }
}
