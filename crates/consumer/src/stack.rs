//! Addresses as symbols, and stacks.

use crate::data::Frame;
use crate::host::{KernelSym, Names, NoNames, NoSymbols, Process, Symbols, UserSym};
use crate::num;
use crate::num::Spec;
use crate::value::{Frames, SymAddr};
use foldhash::{HashMap, HashMapExt};
use image::SymKind;

/// Texts of kernel addresses kept; a stack-heavy program asks for the same few thousand again and again.
const CACHE: usize = 1 << 16;

/// Functions between a kernel tracepoint and a BPF program (kernel/trace/bpf_trace.c, include/trace/bpf_probe.h).
const MACHINERY: [&str; 6] = [
    "bpf_prog_",
    "bpf_trace_run",
    "__bpf_trace_",
    "__traceiter_",
    "__bpf_prog_test_run",
    "trace_call_bpf",
];

/// The sources of names, with a cache of kernel frames (a kernel address keeps its name).
pub(crate) struct World {
    symbols: Box<dyn Symbols>,
    pub(crate) names: Box<dyn Names>,
    kernel: HashMap<u64, Box<[u8]>>,
    /// When what is printed was recorded; aggregations do not say.
    pub(crate) moment: Option<u64>,
    /// Frames of one aggregation that have been found: the same few places come again in all its stacks.
    found: HashMap<Place, Frame>,
}

/// What a frame's name depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    user: bool,
    first: bool,
    word: u64,
    pc: u64,
}

impl Default for World {
    fn default() -> World {
        World::new(Box::new(NoSymbols), Box::new(NoNames))
    }
}

impl World {
    pub(crate) fn new(symbols: Box<dyn Symbols>, names: Box<dyn Names>) -> World {
        World {
            symbols,
            names,
            kernel: HashMap::new(),
            moment: None,
            found: HashMap::new(),
        }
    }

    /// Appends ``module`function+0xoff`` or what is known of it.
    pub(crate) fn kernel_addr(&mut self, out: &mut Vec<u8>, addr: u64) {
        if let Some(text) = self.kernel.get(&addr) {
            out.extend_from_slice(text);
            return;
        }
        let start = out.len();
        match self.symbols.kernel(addr) {
            Some(sym) => {
                out.extend_from_slice(sym.module.as_bytes());
                out.push(b'`');
                out.extend_from_slice(sym.name.as_bytes());
                offset(out, sym.offset);
            }
            None => address(out, addr),
        }
        if self.kernel.len() >= CACHE {
            self.kernel.clear();
        }
        self.kernel.insert(addr, out[start..].into());
    }

    fn frame_sym(&mut self, word: u64, addr: u64) -> Option<UserSym> {
        let time = self.moment;
        self.symbols.user(Process { word, time }, addr)
    }

    fn user(&mut self, word: u64, addr: u64) -> Option<UserSym> {
        let time = self.moment;
        self.symbols.user_any(Process { word, time }, addr)
    }

    /// Appends ``object`function+0xoff`` or what is known of it.
    pub(crate) fn user_addr(&mut self, out: &mut Vec<u8>, word: u64, addr: u64) {
        let sym = self.user(word, addr).unwrap_or_default();
        user_text(out, &sym, addr);
    }

    /// The function that a return address of a process belongs to, as [`World::kernel_caller`] has it.
    fn user_caller(&mut self, word: u64, addr: u64) -> UserSym {
        let here = self.frame_sym(word, addr).unwrap_or_default();
        let inside = here.name.is_some() && here.offset > 0;
        let before = match inside {
            true => None,
            false => self.frame_sym(word, addr.wrapping_sub(1)),
        };
        match before.filter(|s| s.name.is_some()) {
            Some(mut caller) => {
                caller.offset += 1;
                caller
            }
            None => here,
        }
    }

    /// Appends an address as the action that recorded it wants.
    pub(crate) fn sym(&mut self, out: &mut Vec<u8>, sym: SymAddr) {
        let SymAddr { kind, addr, word } = sym;
        match kind {
            SymKind::Sym => match self.symbols.kernel(addr) {
                Some(s) => {
                    out.extend_from_slice(s.module.as_bytes());
                    out.push(b'`');
                    out.extend_from_slice(s.name.as_bytes());
                }
                None => address(out, addr),
            },
            SymKind::Mod => match self.symbols.kernel(addr) {
                Some(s) => out.extend_from_slice(s.module.as_bytes()),
                None => address(out, addr),
            },
            SymKind::Usym => {
                let start = self.start_of(sym);
                self.user_addr(out, word, start);
            }
            SymKind::Uaddr => self.user_addr(out, word, addr),
            SymKind::Umod => match self.user(word, addr).and_then(|s| s.module) {
                Some(module) => out.extend_from_slice(module.as_bytes()),
                None => address(out, addr),
            },
        }
    }

    /// Address of the start of the symbol, for kinds that name a whole symbol; else the address itself.
    pub(crate) fn start_of(&mut self, sym: SymAddr) -> u64 {
        let offset = match sym.kind {
            SymKind::Sym => self.symbols.kernel(sym.addr).map(|s| s.offset),
            SymKind::Usym => self
                .user(sym.word, sym.addr)
                .filter(|s| s.name.is_some())
                .map(|s| s.offset),
            SymKind::Mod | SymKind::Umod | SymKind::Uaddr => None,
        };
        sym.addr.wrapping_sub(offset.unwrap_or(0))
    }

    /// Name of the module, for kinds that name a whole module.
    pub(crate) fn module_of(&mut self, sym: SymAddr) -> Option<String> {
        match sym.kind {
            SymKind::Mod => self.symbols.kernel(sym.addr).map(|s| s.module),
            SymKind::Umod => self.user(sym.word, sym.addr).and_then(|s| s.module),
            SymKind::Sym | SymKind::Usym | SymKind::Uaddr => None,
        }
    }

    /// Appends one frame.
    pub(crate) fn frame(&mut self, out: &mut Vec<u8>, frames: Frames<'_>, pc: u64) {
        let first = frames.pcs().next() == Some(pc);
        match (frames.user, first) {
            (true, true) => {
                let sym = self.frame_sym(frames.word, pc).unwrap_or_default();
                user_text(out, &sym, pc)
            }
            (true, false) => {
                let sym = self.user_caller(frames.word, pc);
                user_text(out, &sym, pc)
            }
            (false, true) => self.kernel_addr(out, pc),
            (false, false) => self.return_addr(out, pc),
        }
    }

    /// Forgets what was found: other keys are to be looked up, at another time.
    pub(crate) fn begin_keys(&mut self) {
        self.found.clear();
    }

    /// One frame of a key as data, named as [`World::frame`] names it.
    pub(crate) fn located_key(&mut self, frames: Frames<'_>, pc: u64) -> Frame {
        let place = Place {
            user: frames.user,
            first: frames.pcs().next() == Some(pc),
            word: frames.word,
            pc,
        };
        if let Some(frame) = self.found.get(&place) {
            return frame.clone();
        }
        let frame = self.located(frames, pc);
        self.found.insert(place, frame.clone());
        frame
    }

    /// One frame as data, named as [`World::frame`] names it.
    pub(crate) fn located(&mut self, frames: Frames<'_>, pc: u64) -> Frame {
        let first = frames.pcs().next() == Some(pc);
        match (frames.user, first) {
            (true, true) => user_frame(self.frame_sym(frames.word, pc).unwrap_or_default(), pc),
            (true, false) => user_frame(self.user_caller(frames.word, pc), pc),
            (false, true) => self.kernel_place(pc),
            (false, false) => match self.kernel_caller(pc) {
                Some(caller) => kernel_frame(caller, pc),
                None => self.kernel_place(pc),
            },
        }
    }

    /// A kernel address as data.
    pub(crate) fn kernel_place(&mut self, addr: u64) -> Frame {
        match self.symbols.kernel(addr) {
            Some(sym) => kernel_frame(sym, addr),
            None => Frame {
                address: addr,
                ..Frame::default()
            },
        }
    }

    /// An address of a process as data; it may be that of a variable.
    pub(crate) fn user_place(&mut self, word: u64, addr: u64) -> Frame {
        user_frame(self.user(word, addr).unwrap_or_default(), addr)
    }

    /// The function that a return address belongs to, if it is not the one that the address is in: behind a call that does
    /// not return, the address is already the start of the next function.
    fn kernel_caller(&mut self, pc: u64) -> Option<KernelSym> {
        if self.symbols.kernel(pc)?.offset != 0 {
            return None;
        }
        let mut caller = self.symbols.kernel(pc.wrapping_sub(1))?;
        caller.offset += 1;
        Some(caller)
    }

    /// Appends the function that a return address belongs to.
    fn return_addr(&mut self, out: &mut Vec<u8>, pc: u64) {
        match self.kernel_caller(pc) {
            Some(caller) => {
                out.extend_from_slice(caller.module.as_bytes());
                out.push(b'`');
                out.extend_from_slice(caller.name.as_bytes());
                offset(out, caller.offset);
            }
            None => self.kernel_addr(out, pc),
        }
    }

    /// Whether a kernel function is part of how a tracepoint reaches a program, not of what is traced.
    pub(crate) fn is_machinery(&mut self, pc: u64) -> bool {
        self.symbols
            .kernel(pc)
            .is_some_and(|s| MACHINERY.iter().any(|m| s.name.starts_with(m)))
    }

    /// The frames of a stack without those of the tracing machinery at its top.
    pub(crate) fn traced<'a>(&mut self, frames: Frames<'a>) -> impl Iterator<Item = u64> + 'a {
        let skip = match frames.user {
            true => 0,
            false => frames.pcs().take_while(|pc| self.is_machinery(*pc)).count(),
        };
        frames.pcs().skip(skip).take(frames.most())
    }

    /// Appends a newline and one line a frame.
    pub(crate) fn stack(
        &mut self,
        out: &mut Vec<u8>,
        frames: Frames<'_>,
        indent: usize,
        spec: &Spec,
    ) {
        out.push(b'\n');
        for pc in self.traced(frames) {
            num::fill(out, b' ', indent);
            num::padded(out, spec, |out| self.frame(out, frames, pc));
            out.push(b'\n');
        }
    }
}

fn user_frame(sym: UserSym, address: u64) -> Frame {
    Frame {
        address,
        module: sym.module.map(Into::into),
        name: sym.name.map(Into::into),
        offset: sym.offset,
        user: true,
    }
}

fn kernel_frame(sym: KernelSym, address: u64) -> Frame {
    Frame {
        address,
        module: Some(sym.module.into()),
        name: Some(sym.name.into()),
        offset: sym.offset,
        user: false,
    }
}

fn user_text(out: &mut Vec<u8>, sym: &UserSym, addr: u64) {
    if let Some(module) = &sym.module {
        out.extend_from_slice(module.as_bytes());
        out.push(b'`');
    }
    match &sym.name {
        Some(name) => {
            out.extend_from_slice(name.as_bytes());
            offset(out, sym.offset);
        }
        None => address(out, addr),
    }
}

fn address(out: &mut Vec<u8>, addr: u64) {
    out.extend_from_slice(b"0x");
    num::hex(out, addr);
}

fn offset(out: &mut Vec<u8>, offset: u64) {
    if offset > 0 {
        out.extend_from_slice(b"+0x");
        num::hex(out, offset);
    }
}
