//! The kernel's functions, from its type data and from what it says can be traced.
//!
//! A function with type data has their id as its number, so that its name leads to its probe without a look at the other
//! fifty thousand. Those without (compiled specially, or in assembly) are numbered behind them, in the kernel's order.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

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

/// All functions that can be probed.
struct All {
    /// By module (`None` first), then in the kernel's order: name, number, type id.
    list: Vec<KernelFunction>,
    /// Names that cannot be probed for being several or for what they do, with their module.
    refused: Vec<(String, Option<Rc<str>>)>,
}

/// Reads the functions when they are first asked for.
#[derive(Default)]
pub(crate) struct Functions {
    all: Option<Rc<All>>,
}

/// The type of a function by its name, if only one has it.
fn only(btf: &Btf, name: &str) -> Option<u32> {
    let mut found = btf.functions_named(name);
    let first = found.next()?;
    found.next().is_none().then_some(first)
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
        if let (Some(exact), None) = (name.exact(), &self.all)
            && let Some(found) = typed(btf, module, exact)
        {
            return Ok(found);
        }
        let all = self.all(btf, text)?;
        let matches = |own: &str, of: Option<&str>| {
            name.matches(own) && module.matches(of.unwrap_or(VMLINUX))
        };
        let list: Vec<KernelFunction> = all
            .list
            .iter()
            .filter(|f| matches(&f.name, f.module.as_deref()))
            .cloned()
            .collect();
        let refused = all.refused.iter();
        let refused = refused.filter(|(own, of)| matches(own, of.as_deref()));
        Ok(FoundFunctions {
            left_out: refused.count(),
            list,
        })
    }

    fn all(&mut self, btf: &KernelBtf, text: &mut dyn KernelText) -> Result<Rc<All>, String> {
        if let Some(all) = &self.all {
            return Ok(Rc::clone(all));
        }
        let all = Rc::new(All::read(btf, text)?);
        self.all = Some(Rc::clone(&all));
        Ok(all)
    }
}

/// Functions of one name that type data describe, wherever they are. `None`: there are none, or it takes the list to
/// tell.
fn typed(btf: &KernelBtf, module: &Glob, name: &str) -> Option<FoundFunctions> {
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
            name: name.to_owned(),
            module: of.map(str::to_owned),
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

impl All {
    fn read(btf: &KernelBtf, text: &mut dyn KernelText) -> Result<All, String> {
        let vmlinux = btf.vmlinux()?;
        let mut names: Vec<(String, Option<Rc<str>>)> = Vec::with_capacity(1 << 16);
        let mut last: Option<Rc<str>> = None;
        text.each(&mut |name, module| {
            if last.as_deref() != module {
                last = module.map(Rc::from);
            }
            names.push((name.to_owned(), last.clone()));
        })?;
        let mut times: HashMap<(&str, Option<&str>), u32> = HashMap::with_capacity(names.len());
        for (name, module) in &names {
            *times.entry((name, module.as_deref())).or_default() += 1;
        }
        let bases = bases(btf);
        let mut list = Vec::with_capacity(names.len());
        let mut refused = Vec::new();
        for (order, (name, module)) in (0..).zip(&names) {
            let several = times.get(&(name, module.as_deref())) != Some(&1);
            if several || unsafe_to_probe(name).is_some() {
                refused.push((name.clone(), module.clone()));
                continue;
            }
            let (types, base) = match module.as_deref() {
                None => (only(&vmlinux, name), 0),
                Some(of) => {
                    let types = btf.module(of).ok();
                    let id = types.and_then(|types| only(&types, name));
                    (id, bases.get(of).copied().unwrap_or(0))
                }
            };
            let types = types.filter(|id| base.wrapping_add(*id) < UNTYPED);
            list.push(KernelFunction {
                name: name.clone(),
                module: module.as_deref().map(str::to_owned),
                types,
                index: types.map_or(UNTYPED + order, |id| base.wrapping_add(id)),
            });
        }
        list.sort_by_key(|f| f.index);
        refuse_unlisted(&vmlinux, None, &times, &mut refused);
        for module in btf.modules() {
            if let Ok(types) = btf.module(module) {
                refuse_unlisted(&types, Some(module), &times, &mut refused);
            }
        }
        Ok(All { list, refused })
    }
}

/// What has type data but is not among what can be traced is left out.
fn refuse_unlisted(
    types: &Btf,
    module: Option<&str>,
    listed: &HashMap<(&str, Option<&str>), u32>,
    refused: &mut Vec<(String, Option<Rc<str>>)>,
) {
    let of: Option<Rc<str>> = module.map(Rc::from);
    let mut seen = HashSet::new();
    for name in types.func_names() {
        if !listed.contains_key(&(name, module)) && seen.insert(name) {
            refused.push((name.to_owned(), of.clone()));
        }
    }
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
