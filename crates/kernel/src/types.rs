//! The kernel's type data where the caller has not opened them already, and the data that our own maps carry.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use btf::{Btf, BtfBuilder, BtfLoader, Field};
use image::FunctionDef;
use sys::mem::TypeData;

const DIRECTORY: &str = "/sys/kernel/btf";

/// File with the type data of a module.
pub fn path(module: &str) -> PathBuf {
    Path::new(DIRECTORY).join(module)
}

/// Type data read from the kernel's files.
#[derive(Debug, Default)]
pub struct Files {
    vmlinux: OnceCell<Option<Rc<Btf>>>,
}

impl BtfLoader for Files {
    fn vmlinux(&self) -> Option<Rc<Btf>> {
        let open = || {
            Btf::parse(TypeData::open(&path(btf::VMLINUX)).ok()?)
                .ok()
                .map(Rc::new)
        };
        self.vmlinux.get_or_init(open).clone()
    }

    fn module(&self, name: &str) -> Option<Rc<Btf>> {
        let base = self.vmlinux()?;
        Btf::parse_split(TypeData::open(&path(name)).ok()?, base)
            .ok()
            .map(Rc::new)
    }

    fn modules(&self) -> Vec<String> {
        let names = std::fs::read_dir(DIRECTORY).into_iter().flatten().flatten();
        names
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name != btf::VMLINUX)
            .collect()
    }
}

/// Type data of a task storage map: the blob and the ids of key (`int`) and value (a structure of `value_size` bytes).
pub fn task_storage(value_size: u32) -> (Vec<u8>, u32, u32) {
    let mut types = BtfBuilder::new();
    let key = types.int("int", 4, true);
    let byte = types.int("unsigned char", 1, false);
    let bytes = types.array(byte, key, value_size);
    let member = Field {
        name: "bytes",
        ty: bytes,
        bit_offset: 0,
        bits: 0,
    };
    let value = types.structure("thread", value_size, &[member]);
    (types.finish(), key, value)
}

/// `linkage` of a function: checked where it is called, or by itself.
const STATIC: u32 = 0;
const GLOBAL: u32 = 1;

/// Type data of a program with functions: the blob, and a `struct bpf_func_info` for the program itself and each function.
pub fn functions(list: &[FunctionDef]) -> (Vec<u8>, Vec<u8>) {
    let mut types = BtfBuilder::new();
    let int = types.int("int", 4, true);
    let long = types.int("long", 8, true);
    let byte = types.int("unsigned char", 1, false);
    let proto = types.func_proto(int, &[]);
    let main = types.func("main", proto, STATIC);
    let mut info = Vec::new();
    let mut note = |insn: u32, id: u32| {
        info.extend(insn.to_ne_bytes());
        info.extend(id.to_ne_bytes());
    };
    note(0, main);
    let mut memory = std::collections::BTreeMap::new();
    for f in list {
        let Some(params) = &f.params else {
            let id = types.func(&f.name, proto, STATIC);
            note(f.insn, id);
            continue;
        };
        let mut described = Vec::new();
        for param in params {
            let Some(bytes) = param else {
                described.push(("number", long));
                continue;
            };
            let pointer = memory.entry(*bytes).or_insert_with(|| {
                let ty = types.array(byte, int, *bytes);
                let member = Field {
                    name: "bytes",
                    ty,
                    bit_offset: 0,
                    bits: 0,
                };
                let block = types.structure(&format!("memory_{bytes}"), *bytes, &[member]);
                types.ptr(block)
            });
            described.push(("memory", *pointer));
        }
        let proto = types.func_proto(long, &described);
        let id = types.func(&f.name, proto, GLOBAL);
        note(f.insn, id);
    }
    (types.finish(), info)
}
