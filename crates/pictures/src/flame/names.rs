//! Names of frames: what makes two frames the same, how they are called, and their colours.

use consumer::data::Frame;
use foldhash::{HashMap, HashMapExt};

/// What a frame is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// All that was counted.
    Root,
    /// A key beside the stacks.
    Key,
    /// A function of a process.
    User,
    /// A function that was compiled at run time.
    Jit,
    /// A function of the kernel.
    Kernel,
    /// Code whose function is not known.
    Unknown,
}

/// A range of colours: the two ends.
type Range = [[u8; 3]; 2];

/// What the legend calls a kind, and its colours. Told apart by people who see few colours, too.
const KINDS: [(Kind, &str, Range); 6] = [
    (Kind::Root, "", [[222, 222, 222], [222, 222, 222]]),
    (Kind::Key, "key", [[226, 222, 234], [200, 194, 214]]),
    (Kind::User, "user", [[168, 212, 246], [104, 168, 228]]),
    (
        Kind::Jit,
        "compiled at run time",
        [[176, 224, 170], [110, 190, 120]],
    ),
    (Kind::Kernel, "kernel", [[252, 196, 118], [240, 144, 76]]),
    (Kind::Unknown, "unknown", [[236, 236, 220], [220, 220, 200]]),
];

impl Kind {
    fn row(self) -> &'static (Kind, &'static str, Range) {
        &KINDS[self as usize]
    }

    /// What the legend calls it.
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// The colour of a name: always the same.
    pub fn color(self, name: &str) -> String {
        // FNV-1a, its high and low half folded into a byte.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        let at = ((hash >> 32) ^ hash) as u32 & 0xff;
        let [from, to] = self.row().2;
        let mix = |a: u8, b: u8| (u32::from(a) * (255 - at) + u32::from(b) * at) / 255;
        let [r, g, b] = [0, 1, 2].map(|i| mix(from[i], to[i]));
        format!("#{r:02x}{g:02x}{b:02x}")
    }
}

/// What makes frames the same: offsets do not count, nor addresses of code without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity<'a> {
    kind: Kind,
    module: &'a str,
    name: &'a str,
}

/// The kernel itself, as a module.
const KERNEL: &str = "vmlinux";
const UNKNOWN: &str = "[unknown]";

impl<'a> Identity<'a> {
    /// What has a name only.
    pub fn word(kind: Kind, name: &'a str) -> Identity<'a> {
        Identity {
            kind,
            module: "",
            name,
        }
    }

    /// A place in code.
    pub fn of(frame: &'a Frame) -> Identity<'a> {
        let module = frame.module.as_deref().unwrap_or("");
        let kind = match (&frame.name, frame.user) {
            (None, _) => Kind::Unknown,
            (Some(_), false) => Kind::Kernel,
            (Some(_), true) if module.is_empty() => Kind::Jit,
            (Some(_), true) => Kind::User,
        };
        Identity {
            kind,
            module,
            name: frame.name.as_deref().unwrap_or(UNKNOWN),
        }
    }
}

/// One name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// What it is of.
    pub kind: Kind,
    /// Kernel module or mapped file; empty: none.
    module: Box<str>,
    /// Function, or text of a key.
    name: Box<str>,
}

impl Name {
    /// ``module`function``, as stacks print it.
    pub fn full(&self) -> String {
        match &*self.module {
            "" => self.name.to_string(),
            module => format!("{module}`{}", self.name),
        }
    }

    /// The colour.
    pub fn color(&self) -> String {
        self.kind.color(&self.name)
    }
}

/// All names of a graph, by number.
#[derive(Default)]
pub struct Names {
    all: Vec<Name>,
    /// By hash of the identity, then compared.
    ids: HashMap<u64, Vec<u32>>,
    /// What was last seen at an address, of the kernel or of any process.
    last: HashMap<(u64, bool), u32>,
    hasher: std::hash::RandomState,
}

impl Names {
    fn is(&self, id: u32, identity: &Identity<'_>) -> bool {
        self.all.get(id as usize).is_some_and(|n| {
            n.kind == identity.kind && *n.module == *identity.module && *n.name == *identity.name
        })
    }

    /// The number of a frame's name. The same addresses come again and again.
    pub fn of(&mut self, frame: &Frame) -> u32 {
        let identity = Identity::of(frame);
        let place = (frame.address, frame.user);
        if let Some(id) = self.last.get(&place).filter(|id| self.is(**id, &identity)) {
            return *id;
        }
        let id = self.id(&identity);
        self.last.insert(place, id);
        id
    }

    /// The number of a name, new if it was not there.
    pub fn id(&mut self, identity: &Identity<'_>) -> u32 {
        use std::hash::BuildHasher;
        let hash = self.hasher.hash_one(identity);
        let known = self.ids.get(&hash).into_iter().flatten();
        if let Some(id) = known.copied().find(|id| self.is(*id, identity)) {
            return id;
        }
        let id = self.all.len() as u32;
        self.all.push(Name {
            kind: identity.kind,
            module: identity.module.into(),
            name: identity.name.into(),
        });
        self.ids.entry(hash).or_default().push(id);
        id
    }

    /// Every name, by number.
    pub fn all(&self) -> &[Name] {
        &self.all
    }

    /// What is written into the frames, by number: the function alone where that says which one it is. Modules of the
    /// kernel stand before their functions, as in stacks; files do where several have a function of that name.
    pub fn labels(&self) -> Vec<String> {
        let mut modules: HashMap<&str, &str> = HashMap::new();
        let mut ambiguous: Vec<&str> = Vec::new();
        for name in self.all.iter().filter(|n| n.kind == Kind::User) {
            let first = modules.entry(&name.name).or_insert(&name.module);
            if **first != *name.module {
                ambiguous.push(&name.name);
            }
        }
        ambiguous.sort_unstable();
        let label = |name: &Name| match name.kind {
            Kind::Root | Kind::Key | Kind::Jit => name.name.to_string(),
            Kind::Unknown => name.full(),
            Kind::Kernel if *name.module == *KERNEL => name.name.to_string(),
            Kind::Kernel => name.full(),
            Kind::User if ambiguous.binary_search(&&*name.name).is_ok() => name.full(),
            Kind::User => name.name.to_string(),
        };
        self.all.iter().map(label).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_in_the_order_of_their_table() {
        for (i, (kind, _, _)) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, i);
        }
        assert_eq!(
            Kind::Kernel.color("vfs_read"),
            Kind::Kernel.color("vfs_read")
        );
        assert_ne!(Kind::Kernel.color("vfs_read"), Kind::User.color("vfs_read"));
    }

    #[test]
    fn modules_stand_where_they_are_needed() {
        let mut names = Names::default();
        let frame = |module: &str, name: Option<&str>, user| Frame {
            module: Some(module.into()).filter(|m: &std::sync::Arc<str>| !m.is_empty()),
            name: name.map(Into::into),
            user,
            address: 4096,
            offset: 3,
        };
        let frames = [
            frame("libc.so.6", Some("read"), true),
            frame("app", Some("main"), true),
            frame("libz.so.1", Some("read"), true),
            frame("vmlinux", Some("read"), false),
            frame("ext4", Some("ext4_read"), false),
            frame("libz.so.1", None, true),
            frame("", Some("LHello;"), true),
            frame("", None, true),
        ];
        let ids: Vec<_> = frames.iter().map(|f| names.id(&Identity::of(f))).collect();
        assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
        let labels = [
            "libc.so.6`read",
            "main",
            "libz.so.1`read",
            "read",
            "ext4`ext4_read",
            "libz.so.1`[unknown]",
            "LHello;",
            "[unknown]",
        ];
        assert_eq!(names.labels(), labels);
        assert_eq!(names.all()[6].kind, Kind::Jit);
    }
}
