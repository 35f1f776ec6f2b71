//! An interpreter, so that compiled programs can be tested without a kernel.
//!
//! Memory is a set of regions in an address space of its own; an access must lie in one of them, a store in a writable
//! one. Registers have no value until written and none in `R1`..`R5` after a call, as in the verifier. A local function
//! has a stack of its own. Helpers and maps are the test's, through [`Host`].

use crate::form::{DecodeError, Form};
use crate::{AluOp, AtomicOp, Insn, Reg, Src, Width};

/// Bytes of stack of each function, as in the kernel.
pub const STACK_SIZE: u64 = 512;

/// Functions that may be active at once, as in the kernel.
pub const MAX_FRAMES: usize = 8;

/// Addresses from here on are functions (`r1 = func L1`).
const FUNC_BASE: u64 = 0x00f0_0000_0000_0000;

/// First address that [`Memory::map`] gives.
const REGION_BASE: u64 = 0x0000_1000_0000_0000;

/// Addresses from one region's start to the next's; an overrun never lands in a neighbour.
const REGION_STRIDE: u64 = 1 << 32;

/// Why a program stopped before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Not an instruction, or a jump out of the program.
    #[error("instruction {pc}: {error}")]
    Decode {
        /// Slot.
        pc: usize,
        /// What is wrong there.
        error: DecodeError,
    },
    /// A jump to before the program.
    #[error("instruction {pc}: jump out of the program")]
    Jump {
        /// Slot.
        pc: usize,
    },
    /// A register without a value was read.
    #[error("instruction {pc}: r{} has no value", .reg.num())]
    Unset {
        /// Slot.
        pc: usize,
        /// The register.
        reg: Reg,
    },
    /// The frame pointer was written.
    #[error("instruction {pc}: the frame pointer is read only")]
    FramePointer {
        /// Slot.
        pc: usize,
    },
    /// An access outside the regions, or a store to one that is read only.
    #[error("{} of {len} bytes at {addr:#x}", if *.write { "store" } else { "load" })]
    Access {
        /// Address.
        addr: u64,
        /// Bytes.
        len: u64,
        /// A store.
        write: bool,
    },
    /// More instructions than allowed.
    #[error("did not end within the allowed number of instructions")]
    Steps,
    /// More nested calls than the kernel allows.
    #[error("more than {MAX_FRAMES} functions deep")]
    Depth,
    /// A function address that is none.
    #[error("{0:#x} is not a function")]
    NotFunction(u64),
    /// The host does not know the helper.
    #[error("helper {0} is not available")]
    Helper(u32),
    /// The host refuses: what a test wants to say.
    #[error("{0}")]
    Host(String),
}

/// What surrounds a program.
pub trait Host {
    /// Does what helper `id` does with `args` (unset registers are 0); gives R0.
    fn call(&mut self, vm: &mut Vm<'_>, id: u32, args: [u64; 5]) -> Result<u64, Fault>;

    /// Value of `r = map[fd]`, the handle that helpers then receive; the descriptor itself unless overridden.
    fn map(&mut self, fd: i32) -> Result<u64, Fault> {
        Ok(fd as u32 as u64)
    }

    /// Address of the first byte of the only value of a map.
    fn map_value(&mut self, fd: i32) -> Result<u64, Fault> {
        Err(Fault::Host(format!("map {fd} has no address")))
    }
}

/// A host without helpers and maps.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn call(&mut self, _vm: &mut Vm<'_>, id: u32, _args: [u64; 5]) -> Result<u64, Fault> {
        Err(Fault::Helper(id))
    }
}

#[derive(Clone, Debug)]
struct Region {
    base: u64,
    bytes: Vec<u8>,
    writable: bool,
}

/// The memory that a program can reach.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    regions: Vec<Region>,
    next: u64,
}

impl Memory {
    /// No memory.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds a region, gives its address.
    pub fn map(&mut self, bytes: Vec<u8>, writable: bool) -> u64 {
        let base = REGION_BASE + self.next * REGION_STRIDE;
        self.next += 1;
        self.regions.push(Region {
            base,
            bytes,
            writable,
        });
        base
    }

    /// Removes the region that starts at `base`.
    pub fn unmap(&mut self, base: u64) {
        self.regions.retain(|r| r.base != base);
    }

    fn find(&self, addr: u64, len: u64, write: bool) -> Result<(usize, usize), Fault> {
        let inside = |r: &Region| {
            let off = addr.checked_sub(r.base)?;
            let fits = off.checked_add(len)? <= r.bytes.len() as u64 && (r.writable || !write);
            fits.then_some(off as usize)
        };
        let mut found = self.regions.iter().enumerate();
        found
            .find_map(|(i, r)| Some((i, inside(r)?)))
            .ok_or(Fault::Access { addr, len, write })
    }

    /// `len` bytes at `addr`.
    pub fn read(&self, addr: u64, len: u64) -> Result<&[u8], Fault> {
        let (region, off) = self.find(addr, len, false)?;
        let bytes = self.regions.get(region).map(|r| r.bytes.as_slice());
        let found = bytes.and_then(|b| b.get(off..off + len as usize));
        found.ok_or(Fault::Access {
            addr,
            len,
            write: false,
        })
    }

    /// Stores `bytes` at `addr`.
    pub fn write(&mut self, addr: u64, bytes: &[u8]) -> Result<(), Fault> {
        let len = bytes.len() as u64;
        let (region, off) = self.find(addr, len, true)?;
        let region = self.regions.get_mut(region).map(|r| r.bytes.as_mut_slice());
        match region.and_then(|b| b.get_mut(off..off + bytes.len())) {
            Some(place) => place.copy_from_slice(bytes),
            None => {
                return Err(Fault::Access {
                    addr,
                    len,
                    write: true,
                });
            }
        }
        Ok(())
    }

    /// The bytes at `addr` up to the first NUL (not included) or the end of the region.
    pub fn read_cstr(&self, addr: u64) -> Result<&[u8], Fault> {
        let (region, off) = self.find(addr, 1, false)?;
        let bytes = self.regions.get(region).map(|r| r.bytes.as_slice());
        let rest = bytes.and_then(|b| b.get(off..)).unwrap_or_default();
        Ok(rest.split(|b| *b == 0).next().unwrap_or_default())
    }

    /// A number of `width` bytes in native order.
    pub fn load(&self, addr: u64, width: Width) -> Result<u64, Fault> {
        let bytes = self.read(addr, width.bytes().into())?;
        let mut word = [0; 8];
        let (low, _) = word.split_at_mut(bytes.len());
        low.copy_from_slice(bytes);
        Ok(u64::from_le_bytes(word))
    }

    /// Stores the low `width` bytes of `value` in native order.
    pub fn store(&mut self, addr: u64, width: Width, value: u64) -> Result<(), Fault> {
        let bytes = value.to_le_bytes();
        let (low, _) = bytes.split_at(width.bytes() as usize);
        self.write(addr, low)
    }
}

/// A program with its memory.
#[derive(Clone, Debug)]
pub struct Vm<'a> {
    insns: &'a [Insn],
    /// What it can reach; regions added here stay after a run.
    pub memory: Memory,
    steps: u64,
    depth: usize,
}

/// Registers of an active function.
struct Frame {
    pc: usize,
    regs: [Option<u64>; 10],
    stack: u64,
}

impl<'a> Vm<'a> {
    /// A program that may execute `steps` instructions in all.
    pub fn new(insns: &'a [Insn], memory: Memory, steps: u64) -> Vm<'a> {
        Vm {
            insns,
            memory,
            steps,
            depth: 0,
        }
    }

    /// Runs the program with `ctx` in R1; gives R0.
    pub fn run(&mut self, host: &mut dyn Host, ctx: u64) -> Result<u64, Fault> {
        self.function(host, 0, &[Some(ctx)])
    }

    /// Calls the function whose address a program took with `ld_func` (for helpers with callbacks); gives R0.
    pub fn call_function(
        &mut self,
        host: &mut dyn Host,
        addr: u64,
        args: &[u64],
    ) -> Result<u64, Fault> {
        let index = addr
            .checked_sub(FUNC_BASE)
            .and_then(|i| usize::try_from(i).ok());
        let pc = index
            .filter(|i| *i < self.insns.len())
            .ok_or(Fault::NotFunction(addr))?;
        let args: Vec<Option<u64>> = args.iter().copied().map(Some).collect();
        self.function(host, pc, &args)
    }

    fn function(
        &mut self,
        host: &mut dyn Host,
        pc: usize,
        args: &[Option<u64>],
    ) -> Result<u64, Fault> {
        if self.depth == MAX_FRAMES {
            return Err(Fault::Depth);
        }
        let stack = self.memory.map(vec![0; STACK_SIZE as usize], true);
        let mut regs = [None; 10];
        for (reg, arg) in regs.iter_mut().skip(1).zip(args.iter().take(5)) {
            *reg = *arg;
        }
        self.depth += 1;
        let result = self.interpret(host, &mut Frame { pc, regs, stack });
        self.depth -= 1;
        self.memory.unmap(stack);
        result
    }

    fn interpret(&mut self, host: &mut dyn Host, frame: &mut Frame) -> Result<u64, Fault> {
        loop {
            self.steps = self.steps.checked_sub(1).ok_or(Fault::Steps)?;
            let pc = frame.pc;
            let rest = self.insns.get(pc..).unwrap_or_default();
            let (form, slots) = Form::decode(rest).map_err(|error| Fault::Decode { pc, error })?;
            if form == Form::Exit {
                return frame.get(Reg::R0);
            }
            let jump = self.step(host, frame, form)?;
            frame.pc = match jump {
                None => pc + slots,
                Some(distance) => target(pc, distance)?,
            };
        }
    }

    /// Executes one instruction; gives the distance of a jump that is taken.
    fn step(
        &mut self,
        host: &mut dyn Host,
        f: &mut Frame,
        form: Form,
    ) -> Result<Option<i64>, Fault> {
        match form {
            Form::Alu64 { op, dst, src } => f.alu(op, dst, src, 64)?,
            Form::Alu32 { op, dst, src } => f.alu(op, dst, src, 32)?,
            Form::Endian { to_be, bits, dst } => f.set(dst, swap(f.get(dst)?, to_be, bits))?,
            Form::LdImm64 { dst, value } => f.set(dst, value)?,
            Form::LdMap { dst, fd } => f.set(dst, host.map(fd)?)?,
            Form::LdMapValue { dst, fd, off } => {
                f.set(dst, host.map_value(fd)?.wrapping_add(off.into()))?
            }
            Form::LdFunc { dst, off } => {
                f.set(dst, FUNC_BASE + target(f.pc, off.into())? as u64)?
            }
            Form::Ldx {
                width,
                dst,
                src,
                off,
            } => f.set(dst, self.memory.load(f.at(src, off)?, width)?)?,
            Form::Stx {
                width,
                dst,
                off,
                src,
            } => self.memory.store(f.at(dst, off)?, width, f.get(src)?)?,
            Form::St {
                width,
                dst,
                off,
                imm,
            } => self
                .memory
                .store(f.at(dst, off)?, width, i64::from(imm) as u64)?,
            Form::Atomic {
                op,
                width,
                dst,
                off,
                src,
            } => self.atomic(f, op, width, (dst, off), src)?,
            Form::Ja { off } => return Ok(Some(off.into())),
            Form::Jmp64 { op, dst, src, off } => {
                return Ok(op.eval(f.get(dst)?, f.src(src)?).then_some(off.into()));
            }
            Form::Jmp32 { op, dst, src, off } => {
                let sext = |v: u64| i64::from(v as u32 as i32) as u64;
                return Ok(op
                    .eval(sext(f.get(dst)?), sext(f.src(src)?))
                    .then_some(off.into()));
            }
            Form::Call { helper } => {
                let r0 = host.call(self, helper, f.args().map(Option::unwrap_or_default))?;
                f.returned(r0);
            }
            Form::CallLocal { off } => {
                let r0 = self.function(host, target(f.pc, off.into())?, &f.args())?;
                f.returned(r0);
            }
            // Handled by the caller, which has the result.
            Form::Exit => {}
        }
        Ok(None)
    }

    fn atomic(
        &mut self,
        f: &mut Frame,
        op: AtomicOp,
        width: Width,
        place: (Reg, i16),
        src: Reg,
    ) -> Result<(), Fault> {
        let addr = f.at(place.0, place.1)?;
        let mask = u64::MAX >> (64 - 8 * width.bytes());
        let compared = match op {
            AtomicOp::Cmpxchg => f.get(Reg::R0)? & mask,
            AtomicOp::Add
            | AtomicOp::Or
            | AtomicOp::And
            | AtomicOp::Xor
            | AtomicOp::FetchAdd
            | AtomicOp::FetchOr
            | AtomicOp::FetchAnd
            | AtomicOp::FetchXor
            | AtomicOp::Xchg => 0,
        };
        let old = self.memory.load(addr, width)?;
        let new = op.eval(old, f.get(src)? & mask, compared);
        self.memory.store(addr, width, new)?;
        if op == AtomicOp::Cmpxchg {
            f.set(Reg::R0, old)?;
        } else if op.fetches() {
            f.set(src, old)?;
        }
        Ok(())
    }
}

fn target(pc: usize, distance: i64) -> Result<usize, Fault> {
    usize::try_from(pc as i64 + 1 + distance).map_err(|_| Fault::Jump { pc })
}

/// Byte order conversion on a little-endian machine.
fn swap(v: u64, to_be: bool, bits: i32) -> u64 {
    let low = match bits {
        16 => v & 0xffff,
        32 => v & 0xffff_ffff,
        _ => v,
    };
    if to_be {
        low.swap_bytes() >> (64 - bits)
    } else {
        low
    }
}

impl Frame {
    fn get(&self, reg: Reg) -> Result<u64, Fault> {
        if reg == Reg::R10 {
            return Ok(self.stack + STACK_SIZE);
        }
        let value = self.regs.get(usize::from(reg.num())).copied().flatten();
        value.ok_or(Fault::Unset { pc: self.pc, reg })
    }

    fn set(&mut self, reg: Reg, value: u64) -> Result<(), Fault> {
        let place = self.regs.get_mut(usize::from(reg.num()));
        *place.ok_or(Fault::FramePointer { pc: self.pc })? = Some(value);
        Ok(())
    }

    fn src(&self, src: Src) -> Result<u64, Fault> {
        match src {
            Src::Reg(r) => self.get(r),
            Src::Imm(v) => Ok(i64::from(v) as u64),
        }
    }

    fn at(&self, base: Reg, off: i16) -> Result<u64, Fault> {
        Ok(self.get(base)?.wrapping_add(i64::from(off) as u64))
    }

    fn alu(&mut self, op: AluOp, dst: Reg, src: Src, bits: u32) -> Result<(), Fault> {
        let old = if op == AluOp::Mov { 0 } else { self.get(dst)? };
        let value = op.eval(old, self.src(src)?, bits);
        self.set(dst, value)
    }

    fn args(&self) -> [Option<u64>; 5] {
        let [_, a, b, c, d, e, ..] = self.regs;
        [a, b, c, d, e]
    }

    fn returned(&mut self, r0: u64) {
        self.regs[..6].fill(None);
        self.regs[0] = Some(r0);
    }
}

#[cfg(test)]
mod tests;
