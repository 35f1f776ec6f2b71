//! Where in a function the probes of its entry, its returns and its instructions go.
//!
//! Returns have two ways. The cheap one replaces the return address on the stack, and so must not be used where something
//! reads that address: exceptions and panics look for their handlers by it, Go moves stacks, `setjmp` keeps a copy. There
//! the instructions that return are probed, which gives the offset too.

use std::sync::Arc;

use image::{Operand, Place as OperandPlace, PointKind};
use symbols::{Function, code};

use crate::{Module, Process};

/// Why there can be no probe.
pub(crate) struct Refused(pub String);

fn refused<T>(why: &str) -> Result<T, Refused> {
    Err(Refused(why.to_owned()))
}

/// A place in a module's file.
pub(crate) struct Place {
    pub offset: u64,
    pub kind: PointKind,
    pub word: u32,
    pub operands: Arc<[Operand]>,
}

/// Functions whose return address is kept elsewhere, or that come back in another way than they were called.
const KEEPERS: [&str; 10] = [
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "getcontext",
    "swapcontext",
    "makecontext",
    "__start_context",
    "vfork",
    "__morestack",
];
/// Longest function that is decoded.
const LONGEST: u64 = 16 << 20;
/// Words of `pt_regs` (x86-64) in which Go passes the first integer arguments (Go's internal ABI): rax rbx rcx rdi rsi r8
/// r9 r10 r11.
const GO_X86: [u8; 9] = [10, 5, 11, 14, 13, 9, 8, 7, 6];
/// The same on AArch64: x0 to x8.
const GO_ARM: [u8; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/// Byte offset of a function in its file, if it can be probed at all.
fn begin(module: &Module, f: &Function<'_>) -> Result<u64, Refused> {
    if f.indirect {
        return refused(
            "it is no function but chooses one when it is loaded (IFUNC); probe one of those, such as __NAME_avx2",
        );
    }
    if !matches!(module.elf.machine(), code::X86_64 | code::AARCH64) {
        return refused("it is not code of this machine's native word size");
    }
    let Some(offset) = f.file_offset else {
        return refused("its code is not in a file");
    };
    let text = module.elf.segments().iter().any(|s| {
        s.executable && (s.offset..s.offset.saturating_add(s.file_size)).contains(&offset)
    });
    if text {
        Ok(offset)
    } else {
        refused("it is not in executable code")
    }
}

fn instruction(offset: u64) -> Place {
    Place {
        offset,
        kind: PointKind::Instruction,
        word: 0,
        operands: Arc::default(),
    }
}

/// The first bytes at a place, if the kernel puts breakpoints there.
fn probed(module: &Module, place: u64) -> Result<Vec<u8>, Refused> {
    let code = module.elf.read(place, 16).unwrap_or_default();
    if code::is_probed(module.elf.machine(), &code) {
        Ok(code)
    } else {
        refused("the kernel does not probe this instruction")
    }
}

fn decoded(module: &Module, f: &Function<'_>, begin: u64) -> Result<code::Body, Refused> {
    if f.size == 0 {
        return refused("the file does not tell how long it is");
    }
    let bytes = if f.size > LONGEST {
        None
    } else {
        module.elf.read(begin, f.size).ok()
    };
    match bytes.and_then(|b| code::body(module.elf.machine(), &b)) {
        Some(body) => Ok(body),
        None => refused("it is not plain code: instructions cannot be told from data"),
    }
}

/// Its entry.
pub(crate) fn entry(module: &Module, f: &Function<'_>) -> Result<Place, Refused> {
    let begin = begin(module, f)?;
    if module.go {
        return go_entry(module, f, begin);
    }
    let start = probed(module, begin)?;
    let cheap = code::entry(module.elf.machine(), &start);
    Ok(instruction(begin + skip(module, f, begin, cheap)))
}

/// The bytes that an entry may skip: only if nothing jumps back there.
fn skip(module: &Module, f: &Function<'_>, begin: u64, cheap: code::Entry) -> u64 {
    let behind = u64::from(cheap.skip);
    if behind == 0 || f.size <= behind {
        return 0;
    }
    match decoded(module, f, begin) {
        Ok(body) if !body.targets.contains(&(cheap.skip.into())) => behind,
        Ok(_) | Err(_) => 0,
    }
}

/// Go functions begin with a check of the stack, and begin again after it has grown: the entry is behind that.
fn go_entry(module: &Module, f: &Function<'_>, begin: u64) -> Result<Place, Refused> {
    let body = decoded(module, f, begin)?;
    let words = match module.elf.machine() {
        code::AARCH64 => GO_ARM,
        _ => GO_X86,
    };
    let operand = |word| Operand {
        bytes: 8,
        signed: true,
        place: OperandPlace::Register { word, shift: 0 },
    };
    let again = body.targets.first() == Some(&0);
    let behind = if again {
        behind_check(module, f, begin, &body)
    } else {
        0
    };
    Ok(Place {
        operands: words.map(operand).into(),
        ..instruction(begin + behind)
    })
}

/// Offset behind the first conditional jump, if that is near the beginning: what a grown stack comes back to is 0.
fn behind_check(module: &Module, f: &Function<'_>, begin: u64, body: &code::Body) -> u64 {
    let bytes = module.elf.read(begin, f.size.min(64)).unwrap_or_default();
    let jump = |at: &u32| match bytes.get(*at as usize..) {
        // JBE with a short or a near target.
        Some([0x76, ..] | [0x0f, 0x86, ..]) => module.elf.machine() == code::X86_64,
        // B.LS
        Some([b0, _, _, 0x54]) => module.elf.machine() == code::AARCH64 && b0 & 0x1f == 9,
        _ => false,
    };
    let at = body.starts.iter().position(jump);
    at.and_then(|n| body.starts.get(n + 1))
        .map_or(0, |s| u64::from(*s))
}

/// Its returns.
pub(crate) fn returns(
    process: &Process,
    module: &Module,
    f: &Function<'_>,
) -> Result<Vec<Place>, Refused> {
    let begin = begin(module, f)?;
    let body = decoded(module, f, begin)?;
    returns_by(module, f, begin, &body, process.unwinds() || module.go)
}

/// The instructions that return from a function, whatever its process is.
pub(crate) fn returns_in_place(module: &Module, f: &Function<'_>) -> Result<Vec<Place>, Refused> {
    let begin = begin(module, f)?;
    let body = decoded(module, f, begin)?;
    returns_by(module, f, begin, &body, true)
}

/// The return by the return address on the stack, whatever the process is: for functions that nothing unwinds.
pub(crate) fn returns_by_stack(module: &Module, f: &Function<'_>) -> Result<Place, Refused> {
    let begin = begin(module, f)?;
    probed(module, begin)?;
    Ok(Place {
        kind: PointKind::Return,
        ..instruction(begin)
    })
}

fn returns_by(
    module: &Module,
    f: &Function<'_>,
    begin: u64,
    body: &code::Body,
    in_place: bool,
) -> Result<Vec<Place>, Refused> {
    if !in_place && KEEPERS.contains(&f.name.trim_start_matches("__libc_")) {
        return refused("its return address is kept by the program, and must not be changed");
    }
    let tails = tail_calls(module, f, body);
    if body.returns.is_empty() && (tails.is_empty() || f.name.starts_with("_dl_runtime_resolve")) {
        return refused("it has no instruction that returns");
    }
    if !in_place {
        let start = probed(module, begin)?;
        // The return address is where it was until the stack pointer moves.
        let cheap = code::entry(module.elf.machine(), &start);
        let word = match (body.returns.as_slice(), tails.as_slice()) {
            ([only], []) => *only,
            _ => 0,
        };
        return Ok(vec![Place {
            kind: PointKind::Return,
            word,
            ..instruction(begin + skip(module, f, begin, cheap))
        }]);
    }
    let all = body.returns.iter().chain(&tails);
    Ok(all
        .map(|at| Place {
            word: *at,
            ..instruction(begin + u64::from(*at))
        })
        .collect())
}

/// Jumps to the beginnings of other functions, which return in this one's stead.
fn tail_calls(module: &Module, f: &Function<'_>, body: &code::Body) -> Vec<u32> {
    let leads_to_function = |target: i64| {
        let address = f.vaddr.checked_add_signed(target);
        let found = address.and_then(|a| module.elf.lookup(a));
        found.is_some_and(|(other, offset)| {
            offset == 0 && other.vaddr != f.vaddr && !other.name.contains(".cold")
        })
    };
    let exits = body.exits.iter();
    exits
        .filter(|(_, target)| leads_to_function(*target))
        .map(|(at, _)| *at)
        .collect()
}

/// The instruction at an offset; `None` if none begins there.
pub(crate) fn offset(
    module: &Module,
    f: &Function<'_>,
    offset: u64,
) -> Result<Option<Place>, Refused> {
    let begin = begin(module, f)?;
    probed(module, begin + offset)?;
    if offset == 0 {
        return Ok(Some(instruction(begin)));
    }
    let body = decoded(module, f, begin)?;
    let among =
        |places: &[u32]| u32::try_from(offset).is_ok_and(|o| places.binary_search(&o).is_ok());
    if among(&body.exclusive) {
        return refused(
            "a breakpoint between an exclusive load and its store keeps both going round",
        );
    }
    let starts = among(&body.starts);
    Ok(starts.then(|| instruction(begin + offset)))
}

/// All of its instructions.
pub(crate) fn offsets(module: &Module, f: &Function<'_>) -> Result<Vec<(u64, Place)>, Refused> {
    let begin = begin(module, f)?;
    let body = decoded(module, f, begin)?;
    let free = |at: &&u32| body.exclusive.binary_search(at).is_err();
    let offsets = body.starts.iter().filter(free).map(|at| u64::from(*at));
    Ok(offsets
        .filter(|at| probed(module, begin + at).is_ok())
        .map(|at| (at, instruction(begin + at)))
        .collect())
}
