//! The running kernel's BTF files, opened when they are first needed and kept.

use btf::{Btf, BtfLoader, VMLINUX};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use sys::mem::TypeData;

/// Where the kernel shows its type data, one file a module.
const DIRECTORY: &str = "/sys/kernel/btf";

/// The type data of the kernel and its modules.
pub struct KernelBtf {
    directory: PathBuf,
    vmlinux: OnceCell<Result<Rc<Btf>, String>>,
    modules: RefCell<HashMap<String, Result<Rc<Btf>, String>>>,
    names: OnceCell<Vec<String>>,
}

impl Default for KernelBtf {
    fn default() -> KernelBtf {
        KernelBtf::at(Path::new(DIRECTORY))
    }
}

impl KernelBtf {
    /// BTF of the running kernel. Nothing is opened yet.
    pub fn new() -> KernelBtf {
        KernelBtf::default()
    }

    /// BTF files in another directory.
    pub fn at(directory: &Path) -> KernelBtf {
        KernelBtf {
            directory: directory.to_owned(),
            vmlinux: OnceCell::new(),
            modules: RefCell::default(),
            names: OnceCell::new(),
        }
    }

    /// The type data that a loader has, read at once.
    pub fn of(loader: &dyn BtfLoader) -> KernelBtf {
        let gone = |name: &str| format!("there are no type data of {name}");
        let names = loader.modules();
        let module = |name: &String| (name.clone(), loader.module(name).ok_or_else(|| gone(name)));
        KernelBtf {
            directory: PathBuf::new(),
            vmlinux: OnceCell::from(loader.vmlinux().ok_or_else(|| gone(VMLINUX))),
            modules: RefCell::new(names.iter().map(module).collect()),
            names: OnceCell::from(names),
        }
    }

    /// Type data of the kernel proper. `Err`: a text for the user.
    pub fn vmlinux(&self) -> Result<Rc<Btf>, String> {
        let open = || self.open(VMLINUX, Btf::parse);
        self.vmlinux.get_or_init(open).clone()
    }

    /// Type data of a module.
    pub fn module(&self, name: &str) -> Result<Rc<Btf>, String> {
        if name == VMLINUX {
            return self.vmlinux();
        }
        if let Some(known) = self.modules.borrow().get(name) {
            return known.clone();
        }
        let base = self.vmlinux()?;
        let opened = self.open(name, |bytes| Btf::parse_split(bytes, base));
        self.modules
            .borrow_mut()
            .insert(name.to_owned(), opened.clone());
        opened
    }

    /// Names of the modules that have type data, sorted; vmlinux is not among them.
    pub fn modules(&self) -> &[String] {
        self.names.get_or_init(|| {
            let entries = fs::read_dir(&self.directory)
                .into_iter()
                .flatten()
                .flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            let mut names: Vec<String> = names.filter(|name| name != VMLINUX).collect();
            names.sort_unstable();
            names
        })
    }

    /// Whether anything has been opened.
    pub fn untouched(&self) -> bool {
        self.vmlinux.get().is_none() && self.names.get().is_none()
    }

    fn open(
        &self,
        name: &str,
        parse: impl FnOnce(TypeData) -> Result<Btf, btf::Error>,
    ) -> Result<Rc<Btf>, String> {
        if name.is_empty() || name.starts_with('.') || name.contains('/') {
            return Err(format!("{name:?} is not the name of a module"));
        }
        let path = self.directory.join(name);
        let told = |why: &dyn std::fmt::Display| {
            format!("cannot read type data in {}: {why}", path.display())
        };
        let bytes = TypeData::open(&path).map_err(|error| told(&error))?;
        parse(bytes).map(Rc::new).map_err(|error| told(&error))
    }
}

impl BtfLoader for KernelBtf {
    fn vmlinux(&self) -> Option<Rc<Btf>> {
        self.vmlinux().ok()
    }

    fn module(&self, name: &str) -> Option<Rc<Btf>> {
        self.module(name).ok()
    }

    fn modules(&self) -> Vec<String> {
        self.modules().to_vec()
    }
}
