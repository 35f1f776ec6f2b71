//! The kernel's functions, from its type data and from what it says can be traced.
//!
//! A function with type data has their id as its number, so that its name leads to its probe without a look at the other
//! fifty thousand. Those without (compiled specially, or in assembly) are numbered behind them, in the kernel's order.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use btf::{Btf, BtfKind};

use crate::env::{FoundFunctions, FunctionParam, KernelFunction, KernelText, Signature};
use crate::fbt::unsafe_to_probe;
use crate::{Glob, KernelBtf};

/// Name of the kernel proper in descriptions.
const VMLINUX: &str = btf::VMLINUX;
/// Numbers of functions without type data begin here. What has a type beyond counts as having none.
const UNTYPED: u32 = 1 << 20;
/// Bytes of a word, in which arguments are passed.
const WORD: u32 = 8;

/// What the kernel names, in its order: all names in one text.
#[derive(Default)]
struct Listed {
    text: String,
    names: Vec<Listing>,
    /// Modules of the names, in the order in which they come first.
    modules: Vec<Arc<str>>,
}

/// One name in the kernel's list.
struct Listing {
    start: u32,
    end: u32,
    owner: Owner,
}

/// Whose a function is: the kernel's (`None`), or that of one of the listed modules.
type Owner = Option<u32>;

impl Listed {
    fn read(text: &mut dyn KernelText) -> Result<Listed, String> {
        let mut listed = Listed::default();
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut last = None;
        text.each(&mut |name, module| {
            let owner = module.map(|module| match last {
                Some(n) if listed.is_module(n, module) => n,
                Some(_) | None => {
                    let next = listed.modules.len() as u32;
                    let n = *numbers.entry(module.to_owned()).or_insert(next);
                    if n == next {
                        listed.modules.push(module.into());
                    }
                    n
                }
            });
            last = owner;
            let start = listed.text.len() as u32;
            listed.text.push_str(name);
            let end = listed.text.len() as u32;
            listed.names.push(Listing { start, end, owner });
        })?;
        Ok(listed)
    }

    fn is_module(&self, number: u32, name: &str) -> bool {
        self.modules
            .get(number as usize)
            .is_some_and(|m| **m == *name)
    }

    /// Place in the list, owner and name of all.
    fn each(&self) -> impl Iterator<Item = (u32, Owner, &str)> {
        (0..).zip(&self.names).filter_map(|(order, n)| {
            let name = self.text.get(n.start as usize..n.end as usize)?;
            Some((order, n.owner, name))
        })
    }

    fn module(&self, owner: Owner) -> Option<&Arc<str>> {
        self.modules.get(owner? as usize)
    }
}

/// Reads the functions when they are first asked for.
#[derive(Default)]
pub(crate) struct Functions {
    listed: Option<Listed>,
}

/// Where the numbers of the modules' typed functions begin: each has as many as its type data have ids.
fn bases(btf: &KernelBtf) -> HashMap<String, u32> {
    let mut next = btf.vmlinux().map_or(0, |btf| btf.ids().end);
    let mut bases = HashMap::new();
    for module in btf.modules() {
        if let Ok(types) = btf.module(module) {
            let ids = types.ids();
            bases.insert(module.clone(), next.wrapping_sub(ids.start));
            next = next.saturating_add(ids.end - ids.start);
        }
    }
    bases
}

impl Functions {
    /// Functions whose name and module match.
    pub(crate) fn find(
        &mut self,
        btf: &KernelBtf,
        text: &mut dyn KernelText,
        module: &Glob,
        name: &Glob,
    ) -> Result<FoundFunctions, String> {
        if let Some(exact) = name.exact()
            && let Some(found) = typed(btf, module, exact)
        {
            return Ok(found);
        }
        let listed = match self.listed.take() {
            Some(known) => known,
            None => Listed::read(text)?,
        };
        let listed = &*self.listed.insert(listed);
        let types = typed_owners(btf, listed, module)?;
        let mut search = Search::new(listed, module, name);
        for (types, owner) in &types {
            search.add_types(types, *owner);
        }
        Ok(search.finish(btf))
    }
}

/// The type data of what matches, and whose they are. A module of which the kernel lists nothing has a number of its own.
fn typed_owners(
    btf: &KernelBtf,
    listed: &Listed,
    module: &Glob,
) -> Result<Vec<(Rc<Btf>, Owner)>, String> {
    let vmlinux = btf.vmlinux()?;
    let numbers: HashMap<&str, u32> = listed.modules.iter().map(|m| &**m).zip(0..).collect();
    let kernel = module.matches(VMLINUX).then_some((vmlinux, None));
    let others = (listed.modules.len() as u32..).zip(btf.modules());
    let wanted = others.filter(|(_, own)| module.matches(own));
    let modules = wanted.filter_map(|(other, own)| {
        let number = numbers.get(own.as_str()).copied();
        Some((btf.module(own).ok()?, Some(number.unwrap_or(other))))
    });
    Ok(kernel.into_iter().chain(modules).collect())
}

/// What is known of a function's name.
#[derive(Default)]
struct Known {
    /// Place in the kernel's list of the last one so called.
    order: u32,
    /// How many the kernel lists.
    listed: u32,
    /// Type of the first one so called.
    types: u32,
    /// How many have types.
    typed: u32,
}

/// The functions whose names and modules match, from both lists.
struct Search<'a> {
    listed: &'a Listed,
    name: &'a Glob,
    known: HashMap<(Owner, &'a str), Known>,
}

impl<'a> Search<'a> {
    fn new(listed: &'a Listed, module: &Glob, name: &'a Glob) -> Search<'a> {
        let kernel = module.matches(VMLINUX);
        let modules: Vec<bool> = listed.modules.iter().map(|m| module.matches(m)).collect();
        let wanted = |owner: Owner| match owner {
            None => kernel,
            Some(n) => modules.get(n as usize).copied().unwrap_or(false),
        };
        let room = match name {
            Glob::Any => listed.names.len(),
            Glob::Exact(_) | Glob::Pattern(_) => 0,
        };
        let mut known: HashMap<(Owner, &str), Known> = HashMap::with_capacity(room);
        for (order, owner, own) in listed.each() {
            if wanted(owner) && name.matches(own) {
                let known = known.entry((owner, own)).or_default();
                known.order = order;
                known.listed += 1;
            }
        }
        Search {
            listed,
            name,
            known,
        }
    }

    fn add_types(&mut self, types: &'a Btf, owner: Owner) {
        for (id, own) in types.functions() {
            if self.name.matches(own) {
                let known = self.known.entry((owner, own)).or_default();
                known.types = if known.typed == 0 { id } else { known.types };
                known.typed += 1;
            }
        }
    }

    /// Those that can be probed: what bears a name alone, is listed, and does nothing that forbids it.
    fn finish(self, btf: &KernelBtf) -> FoundFunctions {
        let has_modules = self.known.keys().any(|(owner, _)| owner.is_some());
        let bases = if has_modules {
            bases(btf)
        } else {
            HashMap::new()
        };
        let mut found = FoundFunctions::default();
        found.list.reserve(self.known.len());
        for ((owner, name), known) in &self.known {
            if known.listed != 1 || unsafe_to_probe(name).is_some() {
                found.left_out += known.listed.max(1) as usize;
                continue;
            }
            let module = self.listed.module(*owner);
            let base = module.map_or(Some(0), |m| bases.get(&**m).copied());
            let only = (known.typed == 1).then_some(known.types);
            let index = only.zip(base).map(|(id, base)| base.wrapping_add(id));
            let index = index.filter(|index| *index < UNTYPED);
            found.list.push(KernelFunction {
                name: (*name).into(),
                module: module.cloned(),
                types: only.filter(|_| index.is_some()),
                index: index.unwrap_or(UNTYPED + known.order),
            });
        }
        found.list.sort_unstable_by_key(|f| f.index);
        found
    }
}

/// Functions of one name that type data describe, wherever they are. `None`: there are none, or it takes the list to
/// tell.
pub(crate) fn typed(btf: &KernelBtf, module: &Glob, name: &str) -> Option<FoundFunctions> {
    let mut found = FoundFunctions::default();
    let mut add = |types: &Btf, of: Option<&str>, base: u32| {
        let mut ids = types.functions_named(name);
        let Some(id) = ids.next() else { return true };
        if base.wrapping_add(id) >= UNTYPED {
            return false;
        }
        if unsafe_to_probe(name).is_some() {
            found.left_out += 1;
            return true;
        }
        found.list.push(KernelFunction {
            name: name.into(),
            module: of.map(Arc::from),
            types: Some(id),
            index: base.wrapping_add(id),
        });
        ids.next().is_none()
    };
    let mut certain = true;
    if module.matches(VMLINUX) {
        certain &= add(&*btf.vmlinux().ok()?, None, 0);
    }
    if module.exact() != Some(VMLINUX) {
        let wanted = btf.modules().iter().filter(|own| module.matches(own));
        let bases = bases(btf);
        for own in wanted {
            if let (Ok(types), Some(base)) = (btf.module(own), bases.get(own)) {
                certain &= add(&types, Some(own), *base);
            }
        }
    }
    let some = !found.list.is_empty() || found.left_out > 0;
    (certain && some).then_some(found)
}

/// Type id of the function with this number.
pub(crate) fn types_of(btf: &KernelBtf, index: u32, module: Option<&str>) -> Option<u32> {
    let base = match module {
        None => 0,
        Some(module) => bases(btf).get(module).copied()?,
    };
    (index < UNTYPED).then(|| index.wrapping_sub(base))
}

/// Types of the function with this id.
pub(crate) fn signature(btf: &Btf, id: u32) -> Option<Signature> {
    let function = btf.ty(id).ok().filter(|ty| ty.kind() == BtfKind::Func)?;
    let proto = btf.proto(function.target()?).ok()?;
    let mut signature = Signature {
        params: Vec::new(),
        ret: (proto.ret != 0).then_some(proto.ret),
        words: 0,
        plain: !proto.variadic && (proto.ret == 0 || passed_in_words(btf, proto.ret) == Some(1)),
    };
    for param in proto.params {
        let words = passed_in_words(btf, param.ty);
        signature.plain &= words == Some(1);
        signature.params.push(FunctionParam {
            ty: param.ty,
            word: signature.words,
            kernel_struct: points_to_struct(btf, param.ty),
        });
        signature.words = signature.words.saturating_add(words.unwrap_or(1));
    }
    Some(signature)
}

/// Whether a type is a pointer to a structure or union.
pub(crate) fn points_to_struct(btf: &Btf, id: u32) -> bool {
    let behind = |id| btf.ty(btf.strip(id).ok()?).ok();
    let pointee = behind(id)
        .filter(|ty| ty.kind() == BtfKind::Ptr)
        .and_then(|ty| behind(ty.target()?));
    pointee.is_some_and(|ty| matches!(ty.kind(), BtfKind::Struct | BtfKind::Union))
}

/// Words that a value of this type takes among the arguments; `None` if it is passed some other way. Anything but a
/// number or a pointer is not plain, however small.
fn passed_in_words(btf: &Btf, id: u32) -> Option<u8> {
    let ty = btf.ty(btf.strip(id).ok()?).ok()?;
    match ty.kind() {
        BtfKind::Ptr => Some(1),
        BtfKind::Int | BtfKind::Enum | BtfKind::Enum64 if ty.size() <= WORD => Some(1),
        BtfKind::Int | BtfKind::Struct | BtfKind::Union if ty.size() <= 2 * WORD => Some(2),
        BtfKind::Int
        | BtfKind::Enum
        | BtfKind::Enum64
        | BtfKind::Void
        | BtfKind::Array
        | BtfKind::Struct
        | BtfKind::Union
        | BtfKind::Fwd
        | BtfKind::Typedef
        | BtfKind::Volatile
        | BtfKind::Const
        | BtfKind::Restrict
        | BtfKind::Func
        | BtfKind::FuncProto
        | BtfKind::Var
        | BtfKind::Datasec
        | BtfKind::Float
        | BtfKind::DeclTag
        | BtfKind::TypeTag => None,
    }
}
