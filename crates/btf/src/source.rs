//! Kernel BTF as a source of types: look-up over the kernel and its modules, import on demand.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ctypes::{Composite, Enum, Int, Kind, Member, NameKind, TypeGraph, TypeId, TypeSource};

use crate::format::{BtfKind, Error};
use crate::read::Btf;
use crate::view::Type;

/// Name of the kernel proper among the modules.
pub const VMLINUX: &str = "vmlinux";

/// Chains of types by value or pointer go no deeper without a structure between.
const MAX_DEPTH: u32 = 64;

/// Where the kernel's BTF comes from. Each is asked for at most once.
pub trait BtfLoader {
    /// The kernel's own.
    fn vmlinux(&self) -> Option<Rc<Btf>>;
    /// A module's, upon the kernel's.
    fn module(&self, name: &str) -> Option<Rc<Btf>>;
    /// Names of the modules that have BTF.
    fn modules(&self) -> Vec<String>;
}

/// A type of one of the opened BTF data: place in the list of modules (high half), id (low half).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key(u64);

impl Key {
    fn new(place: u32, id: u32) -> Key {
        Key(u64::from(place) << 32 | u64::from(id))
    }

    fn place(self) -> u32 {
        (self.0 >> 32) as u32
    }

    fn id(self) -> u32 {
        self.0 as u32
    }

    fn with(self, id: u32) -> Key {
        Key::new(self.place(), id)
    }
}

/// Brings BTF types into one graph: what was imported before is not imported again, so each graph needs a source of its own.
pub struct BtfSource {
    loader: Rc<dyn BtfLoader>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Opened data by module; the kernel's are first. `None`: there are none.
    opened: Vec<(String, Option<Rc<Btf>>)>,
    imported: HashMap<Key, TypeId>,
    aligns: HashMap<Key, u64>,
}

impl BtfSource {
    /// A source for one graph.
    pub fn new(loader: Rc<dyn BtfLoader>) -> BtfSource {
        BtfSource {
            loader,
            state: RefCell::default(),
        }
    }

    /// Place of a module's data, opening them if need be.
    fn open(&self, module: &str) -> Option<(u32, Rc<Btf>)> {
        if self.state.borrow().opened.is_empty() {
            let kernel = self.loader.vmlinux();
            self.state
                .borrow_mut()
                .opened
                .push((VMLINUX.to_owned(), kernel));
        }
        let place = self
            .state
            .borrow()
            .opened
            .iter()
            .position(|(name, _)| name == module);
        let place = place.unwrap_or_else(|| {
            let btf = self.loader.module(module);
            let opened = &mut self.state.borrow_mut().opened;
            opened.push((module.to_owned(), btf));
            opened.len() - 1
        });
        self.at(place as u32).map(|btf| (place as u32, btf))
    }

    fn at(&self, place: u32) -> Option<Rc<Btf>> {
        self.state.borrow().opened.get(place as usize)?.1.clone()
    }

    /// The data that hold a type, and its key there: a module's data pass ids of the kernel's on.
    fn owner(&self, key: Key) -> Result<(Rc<Btf>, Key), Error> {
        let btf = self.at(key.place()).ok_or(Error::Id(key.id()))?;
        if key.id() >= btf.ids().start || key.id() == 0 || btf.base().is_none() {
            return Ok((btf, key));
        }
        let base = self.at(0).ok_or(Error::Id(key.id()))?;
        Ok((base, Key::new(0, key.id())))
    }

    /// Imports the type `id` of a module's BTF ([`VMLINUX`] for the kernel). Structures come as stubs.
    pub fn import(&self, graph: &mut TypeGraph, module: &str, id: u32) -> Result<TypeId, Error> {
        let (place, _) = self
            .open(module)
            .ok_or_else(|| Error::Module(module.to_owned()))?;
        self.bring(graph, Key::new(place, id), MAX_DEPTH)
    }

    fn bring(&self, graph: &mut TypeGraph, key: Key, depth: u32) -> Result<TypeId, Error> {
        if key.id() == 0 {
            return Ok(TypeGraph::VOID);
        }
        let (btf, key) = self.owner(key)?;
        if let Some(done) = self.state.borrow().imported.get(&key) {
            return Ok(*done);
        }
        let depth = depth.checked_sub(1).ok_or(Error::Circular(key.id()))?;
        let ty = btf.ty(key.id())?;
        let id = self.convert(graph, key, ty, depth)?;
        self.state.borrow_mut().imported.insert(key, id);
        Ok(id)
    }

    fn convert(
        &self,
        graph: &mut TypeGraph,
        key: Key,
        ty: Type<'_>,
        depth: u32,
    ) -> Result<TypeId, Error> {
        let target = key.with(ty.target().unwrap_or(0));
        let kind = match ty.kind() {
            BtfKind::Void => return Ok(TypeGraph::VOID),
            BtfKind::Int => return int(graph, ty),
            BtfKind::Float => return Ok(float(graph, ty)),
            BtfKind::Ptr => return self.pointer(graph, target, depth),
            BtfKind::Array => {
                let elem = self.bring(graph, target, depth)?;
                Kind::Array {
                    elem,
                    len: u64::from(ty.array_len().unwrap_or(0)),
                }
            }
            BtfKind::Struct | BtfKind::Union => Kind::Composite(self.stub(key, ty)),
            BtfKind::Enum | BtfKind::Enum64 => Kind::Enum(enumeration(ty)),
            BtfKind::Fwd => return Ok(self.forward(graph, key, ty)),
            BtfKind::Typedef => {
                let to = self.bring(graph, target, depth)?;
                Kind::Typedef {
                    name: ty.name().to_owned(),
                    to,
                }
            }
            BtfKind::Volatile => Kind::Volatile(self.bring(graph, target, depth)?),
            BtfKind::Const => Kind::Const(self.bring(graph, target, depth)?),
            BtfKind::Restrict => Kind::Restrict(self.bring(graph, target, depth)?),
            BtfKind::FuncProto => self.function(graph, key, depth)?,
            BtfKind::Func | BtfKind::Var | BtfKind::TypeTag => {
                return self.bring(graph, target, depth);
            }
            BtfKind::Datasec | BtfKind::DeclTag => return Err(Error::Unusable(key.id())),
        };
        Ok(graph.add(kind))
    }

    /// A pointer; the type tag `user` between it and its pointee makes it a user pointer.
    fn pointer(&self, graph: &mut TypeGraph, mut to: Key, depth: u32) -> Result<TypeId, Error> {
        let mut user = false;
        for _ in 0..MAX_DEPTH {
            let (btf, key) = self.owner(to)?;
            let ty = btf.ty(key.id())?;
            if ty.kind() != BtfKind::TypeTag {
                let to = self.bring(graph, key, depth)?;
                return Ok(graph.add(Kind::Pointer { to, user }));
            }
            user |= ty.name() == "user" && !ty.flag();
            to = key.with(ty.target().unwrap_or(0));
        }
        Err(Error::Circular(to.id()))
    }

    fn function(&self, graph: &mut TypeGraph, key: Key, depth: u32) -> Result<Kind, Error> {
        let (btf, _) = self.owner(key)?;
        let proto = btf.proto(key.id())?;
        let ret = self.bring(graph, key.with(proto.ret), depth)?;
        let params = proto
            .params
            .iter()
            .map(|p| self.bring(graph, key.with(p.ty), depth))
            .collect::<Result<_, _>>()?;
        Ok(Kind::Func {
            ret,
            params,
            variadic: proto.variadic,
        })
    }

    fn stub(&self, key: Key, ty: Type<'_>) -> Composite {
        Composite {
            is_union: ty.kind() == BtfKind::Union,
            tag: (!ty.name().is_empty()).then(|| ty.name().to_owned()),
            size: u64::from(ty.size()),
            align: self.align(key, MAX_DEPTH),
            members: None,
            origin: Some(key.0),
        }
    }

    /// A forward declaration, or the definition if there is one in the module or the kernel.
    fn forward(&self, graph: &mut TypeGraph, key: Key, ty: Type<'_>) -> TypeId {
        let kind = if ty.flag() {
            NameKind::Union
        } else {
            NameKind::Struct
        };
        let defined = self
            .at(key.place())
            .and_then(|btf| definition(&btf, kind, ty.name()));
        let defined = defined.and_then(|id| self.bring(graph, key.with(id), MAX_DEPTH).ok());
        defined.unwrap_or_else(|| {
            graph.add(Kind::Forward {
                kind,
                tag: ty.name().to_owned(),
            })
        })
    }

    /// Alignment of a type, which BTF does not tell: that of its parts, unless its size or their places say that it is packed.
    fn align(&self, key: Key, depth: u32) -> u64 {
        let (Ok((btf, key)), Some(depth)) = (self.owner(key), depth.checked_sub(1)) else {
            return 1;
        };
        let Ok(ty) = btf.ty(key.id()) else { return 1 };
        let power = |bytes: u32| {
            if bytes.is_power_of_two() {
                u64::from(bytes.min(16))
            } else {
                1
            }
        };
        match ty.kind() {
            BtfKind::Int | BtfKind::Float | BtfKind::Enum | BtfKind::Enum64 => power(ty.size()),
            BtfKind::Ptr => 8,
            BtfKind::Struct | BtfKind::Union => self.composite_align(key, ty, depth),
            BtfKind::Array
            | BtfKind::Typedef
            | BtfKind::Volatile
            | BtfKind::Const
            | BtfKind::Restrict
            | BtfKind::Var
            | BtfKind::TypeTag => self.align(key.with(ty.target().unwrap_or(0)), depth),
            BtfKind::Void
            | BtfKind::Fwd
            | BtfKind::Func
            | BtfKind::FuncProto
            | BtfKind::Datasec
            | BtfKind::DeclTag => 1,
        }
    }

    fn composite_align(&self, key: Key, ty: Type<'_>, depth: u32) -> u64 {
        if let Some(known) = self.state.borrow().aligns.get(&key) {
            return *known;
        }
        // What a circular structure finds of itself.
        self.state.borrow_mut().aligns.insert(key, 1);
        let mut most = 1;
        for member in ty.members() {
            let align = self.align(key.with(member.ty), depth);
            let placed =
                member.bits.is_some() || u64::from(member.bit_offset).is_multiple_of(align * 8);
            if placed {
                most = align.max(most);
            }
        }
        let align = if u64::from(ty.size()).is_multiple_of(most) {
            most
        } else {
            1
        };
        self.state.borrow_mut().aligns.insert(key, align);
        align
    }

    /// Finds a type in one module's data, and what they extend.
    fn find_in(
        &self,
        graph: &mut TypeGraph,
        module: &str,
        kind: NameKind,
        name: &str,
        own: bool,
    ) -> Option<TypeId> {
        let (place, btf) = self.open(module)?;
        let id = find(&btf, kind, name, own)?;
        self.bring(graph, Key::new(place, id), MAX_DEPTH).ok()
    }

    /// Names of the modules whose data are open already.
    fn open_modules(&self) -> Vec<String> {
        self.state
            .borrow()
            .opened
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    }
}

impl TypeSource for BtfSource {
    fn lookup(
        &self,
        graph: &mut TypeGraph,
        module: Option<&str>,
        kind: NameKind,
        name: &str,
    ) -> Option<TypeId> {
        if let Some(module) = module {
            return self.find_in(graph, module, kind, name, false);
        }
        let kernel = self.find_in(graph, VMLINUX, kind, name, false);
        let defined =
            |graph: &TypeGraph, id: &TypeId| !matches!(graph.kind(*id), Kind::Forward { .. });
        if kernel.as_ref().is_some_and(|id| defined(graph, id)) {
            return kernel;
        }
        let in_modules = self.loader.modules().iter().find_map(|module| {
            let found = self.find_in(graph, module, kind, name, true)?;
            (kernel.is_none() || defined(graph, &found)).then_some(found)
        });
        in_modules.or(kernel)
    }

    fn complete(&self, graph: &mut TypeGraph, id: TypeId, origin: u64) {
        let Kind::Composite(stub) = graph.kind(id).clone() else {
            return;
        };
        let Ok((btf, key)) = self.owner(Key(origin)) else {
            return;
        };
        let Ok(ty) = btf.ty(key.id()) else { return };
        let members = ty.members().map(|member| Member {
            name: member.name.to_owned(),
            // A member of a type that cannot be had keeps its place, without a size.
            ty: self
                .bring(graph, key.with(member.ty), MAX_DEPTH)
                .unwrap_or(TypeGraph::VOID),
            bit_offset: u64::from(member.bit_offset),
            bits: member.bits,
        });
        let members = Some(Rc::new(members.collect()));
        graph.replace(id, Kind::Composite(Composite { members, ..stub }));
    }

    /// Looks in the kernel and in the modules opened so far: an unknown name is no reason to open them all.
    fn enumerator(&self, graph: &mut TypeGraph, name: &str) -> Option<(i64, TypeId)> {
        self.open(VMLINUX)?;
        self.open_modules().iter().find_map(|module| {
            let (place, btf) = self.open(module)?;
            let id = btf.enum_with(name)?;
            let value = btf
                .ty(id)
                .ok()?
                .enumerators()
                .find(|e| e.name == name)?
                .value;
            Some((
                value,
                self.bring(graph, Key::new(place, id), MAX_DEPTH).ok()?,
            ))
        })
    }
}

/// Id of the definition of a tag.
fn definition(btf: &Btf, kind: NameKind, name: &str) -> Option<u32> {
    find(btf, kind, name, false).filter(|id| btf.ty(*id).is_ok_and(|ty| ty.kind() != BtfKind::Fwd))
}

/// Id of a type by C name: definitions before forward declarations.
fn find(btf: &Btf, kind: NameKind, name: &str, own: bool) -> Option<u32> {
    let kinds: &[BtfKind] = match kind {
        NameKind::Plain => &[BtfKind::Typedef, BtfKind::Int, BtfKind::Float],
        NameKind::Struct => &[BtfKind::Struct],
        NameKind::Union => &[BtfKind::Union],
        NameKind::Enum => &[BtfKind::Enum, BtfKind::Enum64],
    };
    let get = |kind| {
        if own {
            btf.find_own(kind, name)
        } else {
            btf.find(kind, name)
        }
    };
    let forward = || {
        let wanted = match kind {
            NameKind::Plain | NameKind::Enum => return None,
            NameKind::Struct => false,
            NameKind::Union => true,
        };
        get(BtfKind::Fwd).filter(|id| btf.ty(*id).is_ok_and(|ty| ty.flag() == wanted))
    };
    kinds.iter().find_map(|kind| get(*kind)).or_else(forward)
}

/// C's base types are the graph's own; others are kept as described.
fn int(graph: &mut TypeGraph, ty: Type<'_>) -> Result<TypeId, Error> {
    let encoding = ty.int().ok_or(Error::Unusable(ty.id()))?;
    let bytes = u8::try_from(ty.size())
        .ok()
        .filter(|b| matches!(b, 1 | 2 | 4 | 8 | 16));
    let bytes = bytes.ok_or(Error::Unusable(ty.id()))?;
    // D's `char` is signed whatever the kernel was compiled with.
    let own = graph
        .base_type(ty.name())
        .filter(|id| match graph.kind(*id) {
            Kind::Int(own) => {
                own.bytes == bytes && (own.signed == encoding.signed || ty.name() == "char")
            }
            _ => false,
        });
    Ok(own.unwrap_or_else(|| {
        graph.add(Kind::Int(Int {
            name: ty.name().to_owned(),
            bytes,
            signed: encoding.signed,
            char_like: encoding.char_like || ty.name().contains("char"),
            boolean: encoding.boolean,
        }))
    }))
}

fn float(graph: &mut TypeGraph, ty: Type<'_>) -> TypeId {
    let own = graph
        .base_type(ty.name())
        .filter(|id| graph.size(*id) == Some(u64::from(ty.size())));
    own.unwrap_or_else(|| {
        graph.add(Kind::Float {
            name: ty.name().to_owned(),
            bytes: ty.size(),
        })
    })
}

fn enumeration(ty: Type<'_>) -> Enum {
    Enum {
        tag: (!ty.name().is_empty()).then(|| ty.name().to_owned()),
        bytes: u8::try_from(ty.size()).unwrap_or(4),
        signed: ty.enum_signed(),
        items: Rc::new(
            ty.enumerators()
                .map(|e| (e.name.to_owned(), e.value))
                .collect(),
        ),
    }
}
