//! A small world: a few probes, a handful of kernel types, two kernel symbols.

use ctypes::{Enum, Kind, NameKind, TypeGraph, TypeId};
use image::{ArgSource, Probe, Site};

use crate::world::{ArgDesc, ProbePattern, Symbol, World};

pub(super) struct FakeWorld;

fn probe(id: u32, names: [&str; 4], site: Site, selector: u32) -> Probe {
    let [provider, module, function, name] = names.map(Into::into);
    Probe {
        id,
        provider,
        module,
        function,
        name,
        site,
        selector,
        points: Default::default(),
    }
}

pub(super) fn all_probes() -> Vec<Probe> {
    let syscall = |id, function, entry| {
        let (name, site) = if entry {
            ("entry", Site::SyscallEntry)
        } else {
            ("return", Site::SyscallReturn)
        };
        probe(id, ["syscall", "vmlinux", function, name], site, id)
    };
    let switch = Site::Tracepoint {
        name: "sched_switch".into(),
        module: None,
    };
    vec![
        probe(1, ["dtrace", "", "", "BEGIN"], Site::Begin, 0),
        probe(2, ["dtrace", "", "", "END"], Site::End, 0),
        syscall(10, "read", true),
        syscall(11, "read", false),
        syscall(12, "openat", true),
        probe(20, ["sdt", "sched", "", "sched_switch"], switch, 0),
        probe(
            30,
            ["profile", "", "", "tick-1s"],
            Site::Tick {
                period_ns: 1_000_000_000,
            },
            0,
        ),
    ]
}

fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        _ if pattern.is_empty() => true,
        Some((head, tail)) => text.starts_with(head) && text.ends_with(tail),
        None => pattern == text,
    }
}

impl World for FakeWorld {
    fn types(&mut self) -> TypeGraph {
        let mut graph = TypeGraph::new();
        let task = graph.add(Kind::Forward {
            kind: NameKind::Struct,
            tag: "task_struct".into(),
        });
        graph.define(NameKind::Struct, "task_struct", task);
        let task_ptr = graph.pointer_to(task);
        let comm = graph.parse("char [16]").unwrap();
        let mm = graph.add(Kind::Forward {
            kind: NameKind::Struct,
            tag: "mm_struct".into(),
        });
        let mm_ptr = graph.pointer_to(mm);
        let items = vec![("IDLE".to_owned(), 0), ("BUSY".to_owned(), 1)];
        let kind = graph.add(Kind::Enum(Enum {
            tag: Some("kind".into()),
            bytes: 4,
            signed: false,
            items: items.into(),
        }));
        let members = vec![
            ("pid".into(), TypeGraph::INT, None),
            ("comm".into(), comm, None),
            ("flags".into(), TypeGraph::UINT, Some(3)),
            ("state".into(), TypeGraph::UINT, Some(5)),
            ("parent".into(), task_ptr, None),
            ("mm".into(), mm_ptr, None),
            ("kind".into(), kind, None),
        ];
        let composite = graph.layout(false, Some("task_struct".into()), members);
        graph.replace(task, Kind::Composite(composite));
        graph
    }

    fn probes(&mut self, p: &ProbePattern) -> Result<Vec<Probe>, crate::world::NoProbes> {
        if p.provider == "broken" {
            return Err("the provider is out of order".to_owned().into());
        }
        let fits = |x: &Probe| {
            glob(&p.provider, &x.provider)
                && glob(&p.module, &x.module)
                && glob(&p.function, &x.function)
                && glob(&p.name, &x.name)
        };
        Ok(all_probes().into_iter().filter(fits).collect())
    }

    fn probe_by_id(&mut self, id: u32) -> Option<Probe> {
        all_probes().into_iter().find(|p| p.id == id)
    }

    fn args(&mut self, probe: &Probe, graph: &mut TypeGraph) -> Result<Vec<ArgDesc>, String> {
        let mut arg = |text: &str, source| {
            let ty: TypeId = graph.parse(text).ok_or("no type")?;
            Ok::<_, String>(ArgDesc {
                ty,
                source,
                trusted: matches!(source, ArgSource::CtxWord(_)),
            })
        };
        match probe.id {
            10 => Ok(vec![
                arg("int", ArgSource::SyscallArg(0))?,
                arg("userland char *", ArgSource::SyscallArg(1))?,
                arg("size_t", ArgSource::SyscallArg(2))?,
            ]),
            12 => Ok(vec![
                arg("int", ArgSource::SyscallArg(0))?,
                arg("userland const char *", ArgSource::SyscallArg(1))?,
            ]),
            20 => Ok(vec![
                arg("_Bool", ArgSource::CtxWord(0))?,
                arg("struct task_struct *", ArgSource::CtxWord(1))?,
                arg("struct task_struct *", ArgSource::CtxWord(2))?,
            ]),
            11 => Ok(vec![arg("struct task_struct *", ArgSource::SyscallRet)?]),
            30 => Err("no type data".into()),
            _ => Ok(Vec::new()),
        }
    }

    fn translation(&mut self, probe: &Probe, n: usize) -> Option<&'static str> {
        (probe.id == 11 && n == 0).then_some("who_t *")
    }

    fn raw_args(&mut self, probe: &Probe) -> Vec<ArgSource> {
        match probe.id {
            10 | 12 => (0..6).map(ArgSource::SyscallArg).collect(),
            11 => vec![ArgSource::SyscallRet, ArgSource::SyscallRet],
            _ => Vec::new(),
        }
    }

    fn symbol(
        &mut self,
        module: Option<&str>,
        name: &str,
        graph: &mut TypeGraph,
    ) -> Result<Symbol, String> {
        let ty = match (module, name) {
            (None | Some("vmlinux"), "jiffies") => Some(TypeGraph::ULONG),
            (_, "untyped") => None,
            (_, "do_exit") => graph.parse("void (int)"),
            (_, "init_task") => graph.parse("struct task_struct"),
            _ => return Err("Unknown symbol name".into()),
        };
        Ok(Symbol {
            address: 0x1000,
            ty,
            function: name == "do_exit",
        })
    }
}
