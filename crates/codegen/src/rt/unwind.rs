//! Walking the user stack of the current thread by tables ([`image::layout::unwind`]).
//!
//! Nothing here takes a lock or waits, so that it works wherever programs run, interrupts off included: mappings are
//! found in the process's tree of them as the kernel's own lookups under RCU do it, and what is read may be torn by
//! another thread that maps or unmaps at this moment; then the ranges do not fit, and the walk ends.
//!
//! All state is in working memory ([`SIZE`] bytes), because BPF's stack is small; frames are found by a callback of
//! `bpf_loop()`, so that the verifier checks one step.

use bpf::AluOp::{And, Lsh, Or, Rsh, Sub};
use bpf::JmpOp::{Eq, Ge, Gt, Le, Lt, Ne};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9, R10};
use bpf::asm::Label;
use bpf::{Helper, Insn, Width};
use image::layout::{event, unwind as layout};
use ir::local::Body;

use super::code::Code;

mod arm;

/// Most frames of a stack.
pub const DEPTH: u32 = 127;

/// In the result: number of frames.
pub const COUNT: i32 = 0xff;
/// In the result: a table was missing, and frame pointers were followed.
pub const INCOMPLETE: i32 = 0x100;
/// The result where the thread is not in 64-bit user code.
pub const FOREIGN: i32 = -1;

// Offsets in the state. First the frame that is looked at.
const PC: i16 = 0;
const SP: i16 = 8;
const BP: i16 = 16;
/// 1 if the program counter is where the thread goes on, 0 if it is a return address, behind its call.
const EXACT: i16 = 24;
const MM: i16 = 32;
/// Frames so far.
const N: i16 = 40;
const MISSING: i16 = 48;
/// Next place of the cache to be overwritten.
const NEXT: i16 = 56;
/// Where the kernel makes functions return to whose return a program wants to see; 0 if nowhere.
const TRAMPOLINE: i16 = 120;
/// The returns that are wanted, of the callers of what was seen so far.
const RETURNS: i16 = 144;
/// 64-bit Arm: the return address of the first frame, and the bits of addresses.
const LINK: i16 = 152;
const MASK: i16 = 160;
// The mapping: first and last address, what leads to offsets in the file, its table.
const MAPPING: i16 = 64;
const START: i16 = 64;
const END: i16 = 72;
const BIAS: i16 = 80;
const TABLE: i16 = 88;
const FIRST: i16 = 96;
const PAGES: i16 = 104;
const STATE: i16 = 112;
const MAPPING_WORDS: i16 = 7;
/// Frame pointer and return address as read.
const WORDS: i16 = 128;
/// A node of the tree of mappings, registers, an event.
const NODE: i16 = 192;
const NODE_SIZE: i32 = 256;
// On the stack of the search for a mapping: older verifiers want keys and values of maps there.
const LEVEL: i16 = -8;
const KEY: i16 = -32;
const ENTRY: i16 = -56;
/// The mappings seen in this walk.
const CACHE: i16 = 448;
const CACHE_STRIDE: i16 = 64;
const CACHED: i16 = 8;
const FRAMES: i16 = 960;

/// Where the frames are.
pub const FRAMES_AT: u32 = FRAMES as u32;
/// Bytes of the state.
pub const SIZE: u32 = FRAMES as u32 + DEPTH * 8;
/// Stack of the three functions, as the kernel counts it.
pub const STACK: u32 = 32 + 32 + 64;

/// Declares what the functions must know, as a structure and as words.
macro_rules! facts {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What the functions must know of the kernel and the image.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Facts {
            $($(#[$doc])* pub $name: u32,)*
        }

        impl Facts {
            /// As a list of words.
            pub fn words(self) -> Vec<u32> {
                vec![$(self.$name),*]
            }

            /// From [`Facts::words`].
            fn of(words: &[u32]) -> Facts {
                let mut words = words.iter().copied();
                Facts {
                    $($name: words.next().unwrap_or(0),)*
                }
            }
        }
    };
}

facts! {
    /// Map of files.
    files,
    /// Pool of tables.
    pool,
    /// Ring of control events.
    events,
    /// Not 0 on 64-bit Arm.
    arm,
    /// Bytes of a page, as a shift.
    page_shift,
    /// `mm_struct.task_size`.
    task_size,
    /// `task_struct.mm`.
    mm,
    /// `mm_struct.mm_mt.ma_root`.
    root,
    /// `mm_struct.context.vdso`.
    vdso,
    /// `vm_area_struct.vm_start`, behind which `vm_end` is.
    vm_start,
    /// `vm_area_struct.vm_flags`.
    vm_flags,
    /// `vm_area_struct.vm_pgoff`.
    vm_pgoff,
    /// `vm_area_struct.vm_file`.
    vm_file,
    /// `file.f_inode`.
    f_inode,
    /// `inode.i_ino`.
    i_ino,
    /// `inode.i_size`.
    i_size,
    /// `inode.i_sb`.
    i_sb,
    /// `super_block.s_dev`.
    s_dev,
    /// `mm_struct.uprobes_state.xol_area`; 0 if the kernel has no user-space probes.
    xol_area,
    /// `xol_area.vaddr`.
    xol_vaddr,
    /// `task_struct.utask`.
    utask,
    /// `uprobe_task.return_instances`.
    returns,
    /// `return_instance.stack`.
    return_stack,
    /// `return_instance.orig_ret_vaddr`.
    return_address,
    /// `return_instance.next`.
    return_next,
}

impl Facts {
    fn is_arm(&self) -> bool {
        self.arm != 0
    }
}

/// `__USER_CS` (`arch/x86/include/asm/segment.h`).
const USER_CS: i32 = 0x33;
/// `struct pt_regs`.
const REGS_SIZE: i32 = 168;
const REGS_BP: i16 = 32;
const REGS_IP: i16 = 128;
const REGS_CS: i16 = 136;
const REGS_SP: i16 = 152;
/// Signal frames: places of `rbp`, `rsp`, `rip` in `struct ucontext`.
const CONTEXT_BP: i32 = 120;
const CONTEXT_SP: i16 = 160 - 120;
const CONTEXT_IP: i16 = 168 - 120;
/// `BPF_NOEXIST`, `BPF_RB_FORCE_WAKEUP`.
const NOEXIST: i32 = 1;
const FORCE_WAKEUP: i32 = 2;
/// `VM_EXEC`.
const VM_EXEC: i32 = 4;
/// Frames of code without tables are taken to be no larger.
const LARGEST_FRAME: i32 = 1 << 20;
/// Levels of the tree of mappings; a process with all the mappings that it may have has 6.
const LEVELS: i32 = 8;
/// Returns that the kernel watches in one thread (`MAX_URETPROBE_DEPTH`).
const MOST_RETURNS: i32 = 64;
// enum maple_type.
const LEAF: i32 = 1;
const ARANGE: i32 = 3;
/// `mov $15,%rax; syscall` (`rt_sigreturn`), the first eight bytes.
const SIGRETURN: u64 = 0x0f00_0000_0fc0_c748;

/// `walk(state)`: [`COUNT`] and [`INCOMPLETE`], or [`FOREIGN`].
pub fn walk(body: &mut Body<'_>) {
    let facts = &Facts::of(body.facts);
    let (step_at, mapping_at) = (body.asm.label(), body.asm.label());
    let returned_at = (facts.xol_area != 0).then(|| body.asm.label());
    start(&mut Code(body.asm), facts, step_at);
    body.begin("unwind_step", step_at);
    step(&mut Code(body.asm), facts, mapping_at, returned_at);
    if let Some(at) = returned_at {
        body.begin("unwind_returned", at);
        returned(&mut Code(body.asm), facts);
    }
    body.begin("unwind_mapping", mapping_at);
    mapping(&mut Code(body.asm), facts);
}

/// The function that is called: takes the registers and steps.
fn start(c: &mut Code<'_>, facts: &Facts, step_at: Label) {
    let foreign = c.label();
    c.mov(R6, R1);
    for word in [N, MISSING, NEXT, START, END, TRAMPOLINE, RETURNS] {
        c.set(R6, word, 0);
    }
    for n in 0..CACHED {
        c.set(R6, CACHE + n * CACHE_STRIDE, 0);
        c.set(R6, CACHE + n * CACHE_STRIDE + 8, 0);
    }
    c.set(R6, EXACT, 1);
    c.call(Helper::GetCurrentTaskBtf);
    c.mov(R7, R0);
    c.mov(R1, R0);
    c.call(Helper::TaskPtRegs);
    if facts.is_arm() {
        arm::registers(c, foreign);
    } else {
        registers(c, foreign);
    }
    read_kernel(c, MM, 8, R7, facts.mm, foreign);
    c.ld(R1, R6, MM);
    c.must(Ne, R1, 0, foreign);
    if facts.is_arm() {
        arm::mask(c, facts, foreign);
    }
    if facts.xol_area != 0 {
        trampoline(c, facts, foreign);
    }
    c.st(R10, -8, R6);
    c.mov(R1, DEPTH as i32);
    c.0.ld_func(R2, step_at);
    c.mov(R3, R10);
    c.add(R3, -8);
    c.mov(R4, 0);
    c.call(Helper::Loop);
    c.ld(R0, R6, N);
    c.ld(R1, R6, MISSING);
    c.op(Or, R0, R1);
    c.exit();
    c.at(foreign);
    c.mov(R0, FOREIGN);
    c.exit();
}

/// The registers of the thread, whose `struct pt_regs` R0 is.
fn registers(c: &mut Code<'_>, foreign: Label) {
    read_kernel(c, NODE, REGS_SIZE, R0, 0, foreign);
    c.ld(R1, R6, NODE + REGS_CS);
    c.must(Eq, R1, USER_CS, foreign);
    for (from, to) in [(REGS_IP, PC), (REGS_SP, SP), (REGS_BP, BP)] {
        c.ld(R1, R6, NODE + from);
        c.st(R6, to, R1);
    }
}

/// Notes the trampoline of returning functions, if the process has one. R7 is the task.
fn trampoline(c: &mut Code<'_>, facts: &Facts, foreign: Label) {
    let none = c.label();
    c.ld(R8, R6, MM);
    read_kernel(c, WORDS, 8, R8, facts.xol_area, foreign);
    c.ld(R8, R6, WORDS);
    c.jmp(Eq, R8, 0, none);
    read_kernel(c, TRAMPOLINE, 8, R8, facts.xol_vaddr, foreign);
    read_kernel(c, WORDS, 8, R7, facts.utask, foreign);
    c.ld(R8, R6, WORDS);
    c.jmp(Eq, R8, 0, none);
    read_kernel(c, RETURNS, 8, R8, facts.returns, foreign);
    c.at(none);
}

/// `returned(state, place)`: the address that belongs where the trampoline's is on the stack, 0 if that is not known.
fn returned(c: &mut Code<'_>, facts: &Facts) {
    let (unknown, found) = (c.label(), c.label());
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R9, MOST_RETURNS);
    c.ld(R8, R6, RETURNS);
    let top = c.here();
    c.must(Ne, R8, 0, unknown);
    read_kernel(c, WORDS, 8, R8, facts.return_stack, unknown);
    c.ld(R1, R6, WORDS);
    c.must(Ne, R1, R7, found);
    read_kernel(c, WORDS, 8, R8, facts.return_next, unknown);
    c.ld(R8, R6, WORDS);
    c.sub(R9, 1);
    c.jmp(Ne, R9, 0, top);
    c.at(unknown);
    c.any_zero(R0);
    c.exit();
    c.at(found);
    c.st(R6, RETURNS, R8);
    read_kernel(c, WORDS, 8, R8, facts.return_address, unknown);
    c.ld(R0, R6, WORDS);
    c.exit();
}

/// Reads `size` bytes at `base + off` in the kernel to a place of the state. Base may be R0 or R6 to R9.
fn read_kernel(c: &mut Code<'_>, to: i16, size: i32, base: Reg, off: u32, failed: Label) {
    c.mov(R3, base);
    if off != 0 {
        c.add(R3, off as i32);
    }
    read(c, Helper::ProbeReadKernel, to, size, failed);
}

/// Reads `size` bytes at user address `base + off` to a place of the state.
fn read_user(c: &mut Code<'_>, to: i16, size: i32, base: Reg, off: i32, failed: Label) {
    c.mov(R3, base);
    if off != 0 {
        c.add(R3, off);
    }
    read(c, Helper::ProbeReadUser, to, size, failed);
}

/// Reads from R3. Places below zero are on the stack.
fn read(c: &mut Code<'_>, helper: Helper, to: i16, size: i32, failed: Label) {
    place(c, R1, to);
    c.mov(R2, size);
    c.call(helper);
    c.must(Eq, R0, 0, failed);
}

/// Where a step goes on.
#[derive(Clone, Copy)]
struct Exits {
    /// There is a rule.
    apply: Label,
    /// Nothing is known of the code.
    unknown: Label,
    /// The code keeps frame pointers.
    by_pointer: Label,
    /// There is no caller.
    stop: Label,
}

/// `step(index, &state)`: notes one frame and finds its caller; 1 when there is none. R6 is the state.
fn step(c: &mut Code<'_>, facts: &Facts, mapping_at: Label, returned_at: Option<Label>) {
    let (stop, missing, record, located) = (c.label(), c.label(), c.label(), c.label());
    let exits = Exits {
        apply: c.label(),
        unknown: c.label(),
        by_pointer: c.label(),
        stop,
    };
    c.ld(R6, R2, 0);
    c.ld(R7, R6, N);
    c.must(Lt, R7, DEPTH as i32, stop);
    c.ld(R8, R6, PC);
    c.sub(R8, 1);
    c.ld(R1, R6, EXACT);
    c.add(R8, R1);
    c.ld(R1, R6, START);
    c.jmp(Lt, R8, R1, missing);
    c.ld(R1, R6, END);
    c.jmp(Lt, R8, R1, record);
    c.at(missing);
    c.mov(R1, R6);
    c.mov(R2, R8);
    c.0.call_local(mapping_at);
    c.jmp(Eq, R0, 0, record);
    // Only where the thread is may be anywhere; an address that is not of code is no return address.
    c.must(Eq, R7, 0, stop);
    note(c);
    c.ja(stop);
    c.at(record);
    note(c);
    c.ld(R1, R6, STATE);
    c.jmp(Eq, R1, layout::READY as i32, located);
    c.jmp(Eq, R1, layout::NONE as i32, exits.by_pointer);
    // Better than nothing, though callers that keep no frame pointers are left out: it is counted.
    c.set(R6, MISSING, INCOMPLETE);
    c.ja(exits.by_pointer);
    c.at(located);
    find(c, facts, exits);
    if facts.is_arm() {
        arm::frame(c, returned_at, exits);
    } else {
        frame(c, returned_at, exits);
    }
    follow_pointer(c, facts, exits);
    c.at(stop);
    c.mov(R0, 1);
    c.exit();
}

/// Notes the program counter as frame R7.
fn note(c: &mut Code<'_>) {
    c.ld(R1, R6, PC);
    c.mov(R2, R7);
    c.op(Lsh, R2, 3);
    c.add(R2, R6);
    c.st(R2, FRAMES, R1);
    c.mov(R1, R7);
    c.add(R1, 1);
    c.st(R6, N, R1);
}

/// Finds the rule for address R8, to R8 at `apply`.
fn find(c: &mut Code<'_>, facts: &Facts, exits: Exits) {
    let (rows, stop) = (c.label(), exits.stop);
    c.ld(R9, R6, BIAS);
    c.add(R9, R8);
    c.mov(R8, R9);
    c.op(Rsh, R8, layout::PAGE_SHIFT as i32);
    c.ld(R1, R6, FIRST);
    c.op(Sub, R8, R1);
    c.ld(R1, R6, PAGES);
    c.jmp(Ge, R8, R1, exits.unknown);
    c.ld(R1, R6, TABLE);
    c.add(R8, R1);
    element(c, facts, R8, layout::ELEMENT_SHIFT, stop);
    c.op(And, R8, (1 << layout::ELEMENT_SHIFT) - 1);
    c.op(Lsh, R8, 3);
    c.add(R0, R8);
    c.ld(R8, R0, 0);
    c.mov(R7, R8);
    c.op(Rsh, R7, layout::ROWS as i32);
    c.jmp(Ne, R7, 0, rows);
    c.ja(exits.apply);
    c.at(rows);
    c.op(Lsh, R8, 32);
    c.op(Rsh, R8, 32);
    element(c, facts, R8, layout::ELEMENT_SHIFT + 1, stop);
    search(c);
}

/// R0 becomes the element of the pool for address `at`, which counts in units of which an element has 2 to the `shift`.
fn element(c: &mut Code<'_>, facts: &Facts, at: Reg, shift: u32, stop: Label) {
    c.mov(R1, at);
    c.op(Rsh, R1, (shift + layout::CHUNK_SHIFT) as i32);
    c.stw(R10, -4, R1);
    c.0.ld_map(R1, facts.pool);
    c.mov(R2, R10);
    c.add(R2, -4);
    c.call(Helper::MapLookupElem);
    c.must(Ne, R0, 0, stop);
    c.mov(R1, at);
    c.op(Rsh, R1, shift as i32);
    c.op(And, R1, (1 << layout::CHUNK_SHIFT) - 1);
    c.stw(R10, -4, R1);
    c.mov(R1, R0);
    c.mov(R2, R10);
    c.add(R2, -4);
    c.call(Helper::MapLookupElem);
    c.must(Ne, R0, 0, stop);
}

/// Searches the R7 rows from R8 on (of which the low bits count) in the element at R0 for the last one not behind the
/// low byte of R9; R8 becomes its rule.
fn search(c: &mut Code<'_>) {
    let mask = (layout::ELEMENT / 4 - 1) as i32;
    c.mov(R4, R0);
    c.mov(R2, R8);
    c.op(And, R2, mask);
    c.op(And, R9, 0xff);
    c.any_zero(R3);
    for shift in (0..8).rev() {
        // Both negative: the row is one of them, and not behind.
        c.mov(R1, R3);
        c.add(R1, 1 << shift);
        row(c, R8, R1, mask);
        c.op(And, R8, 0xff);
        c.op(Sub, R8, R9);
        c.sub(R8, 1);
        c.op(Sub, R1, R7);
        c.op(And, R8, R1);
        c.op(Rsh, R8, 63);
        c.op(Lsh, R8, shift);
        c.add(R3, R8);
    }
    row(c, R8, R3, mask);
    c.op(Rsh, R8, layout::ROW_RULE as i32);
}

/// `d` = row `n` behind R2 in the element at R4. Uses R5.
fn row(c: &mut Code<'_>, d: Reg, n: Reg, mask: i32) {
    c.mov(R5, n);
    c.add(R5, R2);
    c.op(And, R5, mask);
    c.op(Lsh, R5, 2);
    c.add(R5, R4);
    c.0.emit(Insn::ldx(Width::W, d, R5, 0));
}

/// Applies rule R8: the registers become the caller's.
fn frame(c: &mut Code<'_>, returned_at: Option<Label>, exits: Exits) {
    let stop = exits.stop;
    let (rsp, rbp, at_rbp, signal, pop) = (c.label(), c.label(), c.label(), c.label(), c.label());
    c.at(exits.apply);
    c.mov(R9, R8);
    c.op(Rsh, R9, layout::DISTANCE as i32);
    c.sub(R9, layout::DISTANCE_BIAS as i32);
    c.op(Lsh, R9, 3);
    c.mov(R7, R8);
    c.op(Rsh, R7, layout::KIND_BITS as i32);
    c.op(And, R7, (1 << layout::RBP_BITS) - 1);
    c.op(And, R8, (1 << layout::KIND_BITS) - 1);
    c.jmp(Eq, R8, layout::RSP as i32, rsp);
    c.jmp(Eq, R8, layout::RBP as i32, rbp);
    c.jmp(Eq, R8, layout::AT_RBP as i32, at_rbp);
    c.jmp(Eq, R8, layout::SIGNAL as i32, signal);
    c.jmp(Eq, R8, layout::UNKNOWN as i32, exits.unknown);
    c.jmp(Eq, R8, layout::POINTER as i32, exits.by_pointer);
    c.ja(stop);
    c.at(rsp);
    c.ld(R1, R6, SP);
    c.add(R9, R1);
    c.ja(pop);
    c.at(rbp);
    c.ld(R1, R6, BP);
    c.add(R9, R1);
    c.ja(pop);
    c.at(at_rbp);
    c.ld(R8, R6, BP);
    c.add(R9, R8);
    read_user(c, WORDS, 8, R9, 0, stop);
    c.ld(R9, R6, WORDS);
    read_user(c, BP, 8, R8, 0, stop);
    c.at(pop);
    leave(c, returned_at, stop);
    unknown_code(c, SIGRETURN, exits.unknown, signal, stop);
    c.at(signal);
    c.ld(R1, R6, SP);
    c.mov(R9, R1);
    read_user(c, NODE, 56, R9, CONTEXT_BP, stop);
    for (from, to) in [(0, BP), (CONTEXT_SP, SP), (CONTEXT_IP, PC)] {
        c.ld(R1, R6, NODE + from);
        c.st(R6, to, R1);
    }
    c.set(R6, EXACT, 1);
    c.mov(R0, 0);
    c.exit();
}

/// Leaves the frame that begins at R9; R7 says where it saved `rbp`.
fn leave(c: &mut Code<'_>, returned_at: Option<Label>, stop: Label) {
    let (have, lost, near, real) = (c.label(), c.label(), c.label(), c.label());
    // The callers' frames are above.
    c.ld(R1, R6, SP);
    c.must(Gt, R9, R1, stop);
    c.jmp(Eq, R7, 1, near);
    read_user(c, WORDS + 8, 8, R9, -8, stop);
    c.jmp(Eq, R7, layout::RBP_SAME as i32, have);
    c.jmp(Eq, R7, layout::RBP_LOST as i32, lost);
    c.add(R7, 1);
    c.op(Lsh, R7, 3);
    c.mov(R8, R9);
    c.op(Sub, R8, R7);
    read_user(c, BP, 8, R8, 0, stop);
    c.ja(have);
    c.at(lost);
    c.set(R6, BP, 0);
    c.ja(have);
    c.at(near);
    read_user(c, WORDS, 16, R9, -16, stop);
    c.ld(R1, R6, WORDS);
    c.st(R6, BP, R1);
    c.at(have);
    c.ld(R0, R6, WORDS + 8);
    if let Some(at) = returned_at {
        c.ld(R1, R6, TRAMPOLINE);
        c.jmp(Ne, R0, R1, real);
        c.mov(R1, R6);
        c.mov(R2, R9);
        c.sub(R2, 8);
        c.0.call_local(at);
    }
    c.at(real);
    c.must(Ne, R0, 0, stop);
    c.st(R6, PC, R0);
    c.st(R6, SP, R9);
    c.set(R6, EXACT, 0);
    c.mov(R0, 0);
    c.exit();
}

/// Code of which nothing is known may still be the return from a signal handler, whose first bytes are `sigreturn`.
fn unknown_code(c: &mut Code<'_>, sigreturn: u64, unknown: Label, signal: Label, stop: Label) {
    c.at(unknown);
    c.ld(R9, R6, PC);
    read_user(c, WORDS, 8, R9, 0, stop);
    c.ld(R1, R6, WORDS);
    c.0.emit_all(Insn::ld_imm64(R2, sigreturn));
    c.jmp(Eq, R1, R2, signal);
    c.ja(stop);
}

/// The caller by the frame pointer, which must be where a frame can be.
fn follow_pointer(c: &mut Code<'_>, facts: &Facts, exits: Exits) {
    let unknown = exits.unknown;
    c.at(exits.by_pointer);
    c.ld(R9, R6, BP);
    c.ld(R1, R6, SP);
    c.must(Ge, R9, R1, unknown);
    c.mov(R2, R9);
    c.op(Sub, R2, R1);
    c.must(Le, R2, LARGEST_FRAME, unknown);
    c.mov(R2, R9);
    c.op(And, R2, 7);
    c.must(Eq, R2, 0, unknown);
    read_user(c, WORDS, 16, R9, 0, unknown);
    c.add(R9, 16);
    c.ld(R0, R6, WORDS + 8);
    if facts.is_arm() {
        arm::strip(c);
    }
    c.must(Ne, R0, 0, unknown);
    c.st(R6, PC, R0);
    c.st(R6, SP, R9);
    c.ld(R1, R6, WORDS);
    c.st(R6, BP, R1);
    c.set(R6, EXACT, 0);
    c.mov(R0, 0);
    c.exit();
}

/// `mapping(state, address)`: finds the mapping of code at the address; not 0 if there is none.
fn mapping(c: &mut Code<'_>, facts: &Facts) {
    let (hit, none) = (c.label(), c.label());
    c.mov(R6, R1);
    c.mov(R7, R2);
    for n in 0..CACHED {
        let next = c.label();
        c.mov(R8, R6);
        c.add(R8, i32::from(CACHE + n * CACHE_STRIDE));
        c.ld(R1, R8, 0);
        c.jmp(Lt, R7, R1, next);
        c.ld(R1, R8, END - START);
        c.jmp(Lt, R7, R1, hit);
        c.at(next);
    }
    descend(c, facts, none);
    area(c, facts, none);
    table(c, facts, none);
    remember(c);
    c.at(hit);
    for n in 0..MAPPING_WORDS {
        c.ld(R1, R8, n * 8);
        c.st(R6, MAPPING + n * 8, R1);
    }
    c.any_zero(R0);
    c.exit();
    c.at(none);
    c.any_zero(R0);
    c.add(R0, 1);
    c.exit();
}

/// R8 becomes the `vm_area_struct` that the tree has for address R7 (`lib/maple_tree.c`).
fn descend(c: &mut Code<'_>, facts: &Facts, none: Label) {
    let (arange, search, arrived) = (c.label(), c.label(), c.label());
    c.ld(R8, R6, MM);
    read_kernel(c, WORDS, 8, R8, facts.root, none);
    c.ld(R8, R6, WORDS);
    // The root is marked as a node by its low bits.
    c.mov(R1, R8);
    c.op(And, R1, 3);
    c.must(Eq, R1, 2, none);
    c.mov(R1, LEVELS);
    c.st(R10, LEVEL, R1);
    let level = c.here();
    // Below the address of a node is its type.
    c.mov(R9, R8);
    c.op(Rsh, R9, 3);
    c.op(And, R9, 15);
    c.op(Rsh, R8, 8);
    c.op(Lsh, R8, 8);
    c.jmp(Eq, R9, ARANGE, arange);
    read_kernel(c, NODE, NODE_SIZE, R8, 0, none);
    c.ja(search);
    c.at(arange);
    // Nine pivots, then ten slots: to the places that the other kinds have them at.
    for n in 10..16 {
        c.set(R6, NODE + n * 8, 0);
    }
    read_kernel(c, NODE + 8, 72, R8, 8, none);
    read_kernel(c, NODE + 128, 80, R8, 80, none);
    c.at(search);
    pivot(c);
    c.must(Ne, R9, LEAF, arrived);
    c.ld(R1, R10, LEVEL);
    c.sub(R1, 1);
    c.st(R10, LEVEL, R1);
    c.jmp(Ne, R1, 0, level);
    c.ja(none);
    c.at(arrived);
    c.must(Ne, R8, 0, none);
}

/// R8 becomes what the node that was read has for address R7: the slot after the pivots below it. Pivots are the last
/// bytes of pages; those that are not used are 0.
fn pivot(c: &mut Code<'_>) {
    c.mov(R2, R7);
    c.op(Rsh, R2, 12);
    c.any_zero(R3);
    for shift in (0..4).rev() {
        c.mov(R1, R3);
        c.add(R1, (1 << shift) - 1);
        c.op(And, R1, 15);
        c.op(Lsh, R1, 3);
        c.add(R1, R6);
        c.ld(R1, R1, NODE + 8);
        c.sub(R1, 1);
        c.op(Rsh, R1, 12);
        c.op(Sub, R1, R2);
        c.op(Rsh, R1, 63);
        c.op(Lsh, R1, shift);
        c.add(R3, R1);
    }
    c.op(And, R3, 15);
    c.op(Lsh, R3, 3);
    c.add(R3, R6);
    c.ld(R8, R3, NODE + 128);
}

/// Reads `vm_area_struct` R8: its range, which must have address R7, and that it is code; R8 becomes its file.
fn area(c: &mut Code<'_>, facts: &Facts, none: Label) {
    read_kernel(c, START, 16, R8, facts.vm_start, none);
    c.ld(R1, R6, START);
    c.must(Le, R1, R7, none);
    c.ld(R1, R6, END);
    c.must(Gt, R1, R7, none);
    read_kernel(c, WORDS, 8, R8, facts.vm_flags, none);
    c.ld(R1, R6, WORDS);
    c.op(And, R1, VM_EXEC);
    c.must(Ne, R1, 0, none);
    read_kernel(c, BIAS, 8, R8, facts.vm_pgoff, none);
    c.ld(R1, R6, BIAS);
    c.op(Lsh, R1, facts.page_shift as i32);
    c.ld(R2, R6, START);
    c.op(Sub, R1, R2);
    c.st(R6, BIAS, R1);
    read_kernel(c, WORDS, 8, R8, facts.vm_file, none);
    c.ld(R8, R6, WORDS);
}

/// Finds the table of file R8, or asks for it.
fn table(c: &mut Code<'_>, facts: &Facts, none: Label) {
    let (file, vdso, look, found, done) = (c.label(), c.label(), c.label(), c.label(), c.label());
    c.jmp(Ne, R8, 0, file);
    c.ld(R9, R6, MM);
    read_kernel(c, WORDS, 8, R9, facts.vdso, none);
    c.ld(R1, R6, WORDS);
    c.ld(R2, R6, START);
    c.jmp(Eq, R1, R2, vdso);
    // Single instructions of probed code, out of their place.
    c.ld(R1, R6, TRAMPOLINE);
    c.must(Ne, R1, R2, none);
    c.set(R6, STATE, layout::NONE as i32);
    c.ja(done);
    c.at(vdso);
    c.neg(R2);
    c.st(R6, BIAS, R2);
    c.set(R10, KEY, 0);
    c.set(R10, KEY + 8, 0);
    c.set(R10, KEY + 16, 0);
    c.0.emit(Insn::st(Width::W, R10, KEY + 16, layout::VDSO as i32));
    c.ja(look);
    c.at(file);
    read_kernel(c, WORDS, 8, R8, facts.f_inode, none);
    c.ld(R8, R6, WORDS);
    read_kernel(c, KEY, 8, R8, facts.i_ino, none);
    read_kernel(c, KEY + 8, 8, R8, facts.i_size, none);
    read_kernel(c, WORDS, 8, R8, facts.i_sb, none);
    c.ld(R9, R6, WORDS);
    c.set(R10, KEY + 16, 0);
    read_kernel(c, KEY + 16, 4, R9, facts.s_dev, none);
    c.at(look);
    c.0.ld_map(R1, facts.files);
    place(c, R2, KEY);
    c.call(Helper::MapLookupElem);
    c.jmp(Ne, R0, 0, found);
    ask(c, facts, done);
    c.at(found);
    for (from, to) in [
        (layout::STATE, STATE),
        (layout::FIRST, FIRST),
        (layout::PAGES, PAGES),
    ] {
        c.0.emit(Insn::ldx(Width::W, R1, R0, from as i16));
        c.st(R6, to, R1);
    }
    c.ld(R1, R0, layout::ADDRESS as i16);
    c.st(R6, TABLE, R1);
    c.at(done);
}

/// `d` = address of a place of the state, or of the stack.
fn place(c: &mut Code<'_>, d: Reg, at: i16) {
    c.mov(d, if at < 0 { R10 } else { R6 });
    c.add(d, i32::from(at));
}

/// Adds the file to the map as one whose table is asked for, and wakes the consumer, if nobody else has just now.
fn ask(c: &mut Code<'_>, facts: &Facts, done: Label) {
    c.set(R6, STATE, layout::ASKED as i32);
    c.call(Helper::GetCurrentPidTgid);
    c.op(Rsh, R0, 32);
    c.set(R10, ENTRY, 0);
    c.set(R10, ENTRY + 8, 0);
    c.stw(R10, ENTRY + layout::PID as i16, R0);
    c.ld(R1, R6, START);
    c.st(R10, ENTRY + layout::ADDRESS as i16, R1);
    c.0.ld_map(R1, facts.files);
    place(c, R2, KEY);
    place(c, R3, ENTRY);
    c.mov(R4, NOEXIST);
    c.call(Helper::MapUpdateElem);
    c.jmp(Ne, R0, 0, done);
    for n in 0..event::SIZE as i16 / 8 {
        c.set(R6, NODE + n * 8, 0);
    }
    c.0.emit(Insn::st(
        Width::W,
        R6,
        NODE + event::KIND as i16,
        event::TABLE as i32,
    ));
    c.0.ld_map(R1, facts.events);
    place(c, R2, NODE);
    c.mov(R3, event::SIZE as i32);
    c.mov(R4, FORCE_WAKEUP);
    c.call(Helper::RingbufOutput);
    c.ja(done);
}

/// Puts the mapping in the cache; R8 becomes its place.
fn remember(c: &mut Code<'_>) {
    c.ld(R1, R6, NEXT);
    c.mov(R8, R1);
    c.add(R1, 1);
    c.st(R6, NEXT, R1);
    c.op(And, R8, i32::from(CACHED) - 1);
    c.op(Lsh, R8, CACHE_STRIDE.trailing_zeros() as i32);
    c.add(R8, R6);
    c.add(R8, i32::from(CACHE));
    for n in 0..MAPPING_WORDS {
        c.ld(R1, R6, MAPPING + n * 8);
        c.st(R8, n * 8, R1);
    }
}
