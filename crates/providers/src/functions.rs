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
    /// Functions whose name and module match; with `listed` those that the kernel lists, also where one is named.
    pub(crate) fn find(
        &mut self,
        btf: &KernelBtf,
        text: &mut dyn KernelText,
        (module, name): (&Glob, &Glob),
        listed: bool,
    ) -> Result<FoundFunctions, String> {
        if !listed
            && let Some(exact) = name.exact()
            && let Some(found) = typed(btf, module, exact)
        {
            return Ok(found);
        }
        let listed = match self.listed.take() {
            Some(known) => known,
            None => Listed::read(text)?,
        };
        let listed = &*self.listed.insert(listed);
        let mut search = Search::new(btf, listed, module, name)?;
        search.look();
        Ok(search.finish())
    }
}

/// A name that the kernel lists.
#[derive(Clone, Copy)]
struct Place {
    /// Place in its list, of the last one so called.
    order: u32,
    /// How many it lists.
    count: u32,
}

/// The functions that one set of type data describes.
struct Described {
    types: Rc<Btf>,
    owner: Owner,
    /// What the number of each is above its type id.
    base: Option<u32>,
    /// By type, of those whose name no other bears: how often the kernel lists it, and where last. (Vectors of zeros take
    /// no memory before they are written to.)
    counts: Vec<u32>,
    orders: Vec<u32>,
}

impl Described {
    fn new(types: Rc<Btf>, owner: Owner, base: Option<u32>) -> Described {
        let zeros = vec![0; types.ids().len()];
        Described {
            types,
            owner,
            base,
            counts: zeros.clone(),
            orders: zeros,
        }
    }

    /// Notes that the kernel lists a name; false if not just one type is so called.
    fn note(&mut self, name: &str, order: u32) -> bool {
        let mut ids = self.types.functions_named(name);
        let (Some(id), None) = (ids.next(), ids.next()) else {
            return false;
        };
        let number = self.base.map(|base| base.wrapping_add(id));
        if number.is_none_or(|number| number >= UNTYPED) {
            return false;
        }
        let at = id.wrapping_sub(self.types.ids().start) as usize;
        if let (Some(count), Some(place)) = (self.counts.get_mut(at), self.orders.get_mut(at)) {
            *count += 1;
            *place = order;
        }
        true
    }
}

/// The functions whose names and modules match, from both lists.
struct Search<'a> {
    listed: &'a Listed,
    name: &'a Glob,
    /// Of the listed modules, whether they match; and the kernel proper.
    modules: Vec<bool>,
    kernel: bool,
    described: Vec<Described>,
    /// Place in `described` of the kernel proper and of the listed modules.
    of_kernel: Option<usize>,
    of_modules: Vec<Option<usize>>,
    /// Names of which there is not just one type.
    others: HashMap<(Owner, &'a str), Place>,
}

impl<'a> Search<'a> {
    fn new(
        btf: &KernelBtf,
        listed: &'a Listed,
        module: &Glob,
        name: &'a Glob,
    ) -> Result<Search<'a>, String> {
        let mut search = Search {
            listed,
            name,
            modules: listed.modules.iter().map(|m| module.matches(m)).collect(),
            kernel: module.matches(VMLINUX),
            described: Vec::new(),
            of_kernel: None,
            of_modules: vec![None; listed.modules.len()],
            others: HashMap::new(),
        };
        let vmlinux = btf.vmlinux()?;
        if search.kernel {
            search.of_kernel = Some(0);
            let kernel = Described::new(vmlinux, None, Some(0));
            search.described.push(kernel);
        }
        search.add_modules(btf, module);
        Ok(search)
    }

    /// A module of which the kernel lists nothing has a number of its own.
    fn add_modules(&mut self, btf: &KernelBtf, module: &Glob) {
        let numbers: HashMap<&str, u32> =
            self.listed.modules.iter().map(|m| &**m).zip(0..).collect();
        let others = (self.listed.modules.len() as u32..).zip(btf.modules());
        let mut wanted = others.filter(|(_, own)| module.matches(own)).peekable();
        if wanted.peek().is_none() {
            return;
        }
        let bases = bases(btf);
        for (other, own) in wanted {
            let Ok(types) = btf.module(own) else { continue };
            let number = numbers.get(own.as_str()).copied();
            if let Some(place) = number.and_then(|n| self.of_modules.get_mut(n as usize)) {
                *place = Some(self.described.len());
            }
            let base = bases.get(own).copied();
            let owner = Some(number.unwrap_or(other));
            self.described.push(Described::new(types, owner, base));
        }
    }

    /// Looks at what the kernel lists.
    fn look(&mut self) {
        for (order, owner, name) in self.listed.each() {
            let (wanted, described) = match owner {
                None => (self.kernel, self.of_kernel),
                Some(n) => {
                    let wanted = self.modules.get(n as usize);
                    let place = self.of_modules.get(n as usize);
                    (wanted.copied().unwrap_or(false), place.copied().flatten())
                }
            };
            if !wanted || !self.name.matches(name) {
                continue;
            }
            let described = described.and_then(|n| self.described.get_mut(n));
            if !described.is_some_and(|d| d.note(name, order)) {
                let new = Place { order, count: 0 };
                let place = self.others.entry((owner, name)).or_insert(new);
                place.order = order;
                place.count += 1;
            }
        }
    }

    /// Those that can be probed: what bears a name alone, is listed, and does nothing that forbids it. In the order of
    /// their numbers, because types come in that order, and behind them what is listed.
    fn finish(self) -> FoundFunctions {
        let mut found = FoundFunctions::default();
        for described in &self.described {
            for (id, name) in described.types.functions() {
                if !self.name.matches(name) {
                    continue;
                }
                let at = id.wrapping_sub(described.types.ids().start) as usize;
                match described.counts.get(at) {
                    Some(1) if unsafe_to_probe(name).is_none() => found.list.push(KernelFunction {
                        name: name.into(),
                        module: self.listed.module(described.owner).cloned(),
                        types: Some(id),
                        index: described.base.unwrap_or(0).wrapping_add(id),
                    }),
                    count => found.left_out += count.copied().unwrap_or(0).max(1) as usize,
                }
            }
        }
        let mut others: Vec<_> = self.others.into_iter().collect();
        others.sort_unstable_by_key(|(_, place)| place.order);
        for ((owner, name), place) in others {
            if place.count != 1 || unsafe_to_probe(name).is_some() {
                found.left_out += place.count as usize;
                continue;
            }
            found.list.push(KernelFunction {
                name: name.into(),
                module: self.listed.module(owner).cloned(),
                types: None,
                index: UNTYPED + place.order,
            });
        }
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
