//! Paths of directory entries: from the last name to the first, and from a mount to where it is mounted.
//!
//! What cannot be the path is `<unknown>`: pseudo files, trees that are not mounted, names that change meanwhile.

use bpf::AluOp::{And, Rsh};
use bpf::JmpOp::{Eq, Ge, Gt, Ne, Slt};
use bpf::Reg::{self, R0, R1, R2, R3, R4, R5, R6, R7, R8, R9};
use bpf::asm::Label;
use bpf::{Helper, Insn};
use ir::local::Body;

use super::Local;
use super::code::Code;

/// Longest path, without its end and what is appended to it.
pub(super) const MOST: i32 = 4096;
/// Names and mounts that are followed.
const STEPS: i32 = 1024;
/// Mounts of a file system that are looked at.
const MOUNTS: i32 = 256;
/// Longest name (`NAME_MAX`).
const NAME: i32 = 255;
/// Room for a path, what is appended to it, and a name behind its last possible place, which only the verifier sees.
pub(super) const TEXT: u32 = MOST as u32 + NAME as u32 + 33;

// Working memory: where the text begins, the mount (`struct vfsmount *`) and the entry that come next, what was read, and
// what is kept over a call.
const POS: i16 = 0;
const MOUNT: i16 = 8;
const ENTRY: i16 = 16;
const VALUE: i16 = 24;
const KEEP: i16 = 32;
const KEEP2: i16 = 40;
// Of a search for an entry's mount: the next one and where they end, the root that it must have, its number.
const NEXT: i16 = 48;
const END: i16 = 56;
const ROOT: i16 = 64;
const NUMBER: i16 = 72;
/// Its size.
pub(super) const WORK: u32 = 80;

/// What the functions must know of the kernel's structures: a row is a member, as the way to it from a structure, or by what
/// name older kernels have it.
macro_rules! members {
    ($($name:ident = $($($structure:literal . $member:literal)+)|+ $(else $zero:ident)?;)*) => {
        #[derive(Clone, Copy)]
        #[repr(i16)]
        enum Member {
            $($name,)*
        }

        /// The offsets that `Path` is given, in this order: of each the ways to it, best first, as sums of the offsets
        /// of members. A way without members is 0.
        pub(crate) const MEMBERS: &[&[&[(&str, &str)]]] =
            &[$(&[$(&[$(($structure, $member)),+]),+ $(, $zero)?]),*];
    };
}

const ZERO: &[(&str, &str)] = &[];

members! {
    PathMount = "path"."mnt";
    PathEntry = "path"."dentry";
    MountRoot = "vfsmount"."mnt_root";
    MountBase = "mount"."mnt";
    MountParent = "mount"."mnt_parent";
    MountPoint = "mount"."mnt_mountpoint";
    MountSpace = "mount"."mnt_ns";
    MountNumber = "mount"."mnt_id";
    // Since Linux 6.18 a file system points to its mounts, before that to members of theirs.
    MountNext = "mount"."mnt_next_for_sb" | "mount"."mnt_instance" "list_head"."next";
    MountBack = "mount"."mnt_instance" else ZERO;
    EntryParent = "dentry"."d_parent";
    EntryName = "dentry"."d_name" "qstr"."name";
    EntryLength = "dentry"."d_name" "qstr"."len";
    EntryHash = "dentry"."d_hash" "hlist_bl_node"."pprev";
    EntrySuper = "dentry"."d_sb";
    SuperFlags = "super_block"."s_flags";
    SuperRoot = "super_block"."s_root";
    SuperMounts = "super_block"."s_mounts";
}

/// Behind those offsets: 0 if the path is that of a `struct path`, else that of a `struct dentry`.
const OF_ENTRY: i16 = 8 * MEMBERS.len() as i16;
/// Bytes of all that.
pub(super) const LAYOUT: u32 = OF_ENTRY as u32 + 8;

/// `SB_NOUSER`: the file system has no names.
const NO_NAMES: i32 = 31;
const UNKNOWN: &[u8] = b"<unknown>\0";
const DELETED: &[u8] = b" (deleted)\0";

/// Results of a step: go on, the path is whole, it is none, a bad address.
const DONE: i32 = 1;
const NONE: i32 = -1;
const FAULT: i32 = -2;

fn code<'a>(b: &'a mut Body<'_>) -> Code<'a> {
    Code(&mut *b.asm)
}

fn give(c: &mut Code<'_>, n: i32) {
    c.any_zero(R0);
    c.add(R0, n);
    c.exit();
}

/// Offset of a member.
fn offset(c: &mut Code<'_>, d: Reg, member: Member) {
    c.ld(d, R8, 8 * member as i16);
}

/// Reads a member of the structure at R3; R0 becomes its value, which is also at `VALUE`.
fn read(c: &mut Code<'_>, member: Member, size: i32, fault: Label) {
    c.mov(R0, 0);
    c.st(R7, VALUE, R0);
    offset(c, R4, member);
    c.add(R3, R4);
    c.mov(R1, R7);
    c.add(R1, i32::from(VALUE));
    c.mov(R2, size);
    c.0.emit(Insn::call(Helper::ProbeReadKernel.id()));
    c.jmp(Ne, R0, 0, fault);
    c.ld(R0, R7, VALUE);
}

/// Writes a text at a constant place.
fn write(c: &mut Code<'_>, at: i32, text: &[u8]) {
    for (n, byte) in text.iter().enumerate() {
        c.stb_imm(R6, at as i16 + n as i16, *byte);
    }
}

/// `path(dst, work, layout, path, mount)`
pub(super) fn path(b: &mut Body<'_>) {
    let (entry, named, known, none, fault, out) = (
        b.asm.label(),
        b.asm.label(),
        b.asm.label(),
        b.asm.label(),
        b.asm.label(),
        b.asm.label(),
    );
    let c = &mut code(b);
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R8, R3);
    c.mov(R9, R4);
    c.st(R7, KEEP, R5);
    let of_path = c.label();
    c.ld(R0, R8, OF_ENTRY);
    c.jmp(Eq, R0, 0, of_path);
    search(b, none, fault);

    let c = &mut code(b);
    c.ld(R3, R7, MOUNT);
    c.ja(known);
    c.at(of_path);
    c.mov(R3, R9);
    read(c, Member::PathMount, 8, fault);
    c.st(R7, MOUNT, R0);
    c.mov(R3, R0);
    c.at(known);
    c.ld(R4, R7, KEEP);
    c.jmp(Eq, R4, 0, entry);
    read(c, Member::MountRoot, 8, fault);
    c.ja(named);
    c.at(entry);
    c.mov(R0, R9);
    c.ld(R4, R8, OF_ENTRY);
    c.jmp(Ne, R4, 0, named);
    c.mov(R3, R9);
    read(c, Member::PathEntry, 8, fault);
    c.at(named);
    c.st(R7, ENTRY, R0);
    c.mov(R9, R0);
    c.mov(R3, R9);
    read(c, Member::EntrySuper, 8, fault);
    c.mov(R3, R0);
    read(c, Member::SuperFlags, 8, fault);
    c.op(Rsh, R0, NO_NAMES);
    c.op(And, R0, 1);
    c.jmp(Ne, R0, 0, none);
    ending(c, fault);
    walk(b, none, out);

    let c = &mut code(b);
    c.at(none);
    write(c, 0, UNKNOWN);
    give(c, 0);
    c.at(out);
    whole(c, none, fault);
    c.at(fault);
    give(c, FAULT);
}

/// What the steps gave becomes the result.
fn whole(c: &mut Code<'_>, none: Label, fault: Label) {
    let whole = c.label();
    c.jmp(Eq, R0, FAULT, fault);
    c.jmp(Slt, R0, 0, none);
    // Without a name it is the root.
    c.ld(R0, R7, POS);
    c.jmp(Ne, R0, MOST, whole);
    write(c, MOST, b"/\0");
    c.at(whole);
    c.any_zero(R1);
    c.add(R0, R1);
    c.exit();
}

/// Which of the mounts of an entry's (R9) file system is meant: the oldest that has all of it and is in a name space.
fn search(b: &mut Body<'_>, none: Label, fault: Label) {
    let (top, out) = (b.asm.label(), b.asm.label());
    let c = &mut code(b);
    c.mov(R3, R9);
    read(c, Member::EntrySuper, 8, fault);
    c.st(R7, KEEP2, R0);
    offset(c, R4, Member::SuperMounts);
    c.add(R4, R0);
    c.st(R7, END, R4);
    c.mov(R3, R0);
    read(c, Member::SuperMounts, 8, fault);
    c.st(R7, NEXT, R0);
    c.ld(R3, R7, KEEP2);
    read(c, Member::SuperRoot, 8, fault);
    c.st(R7, ROOT, R0);
    c.mov(R0, 0);
    c.st(R7, MOUNT, R0);
    // The entry is kept while its register counts.
    c.st(R7, ENTRY, R9);
    c.mov(R9, MOUNTS);
    c.at(top);
    c.jmp(Eq, R9, 0, out);
    c.mov(R1, R7);
    c.mov(R2, R8);
    b.call(Local::PathFind as u32, &[]);
    let c = &mut code(b);
    c.must(Eq, R0, 0, out);
    c.sub(R9, 1);
    c.ja(top);
    c.at(out);
    c.ld(R9, R7, ENTRY);
    c.jmp(Slt, R0, 0, fault);
    c.ld(R0, R7, MOUNT);
    c.jmp(Eq, R0, 0, none);
}

/// `find(work, layout)`: looks at the next mount; 0 unless that was the last.
pub(super) fn find(b: &mut Body<'_>) {
    let c = &mut code(b);
    let (on, better, last, fault) = (c.label(), c.label(), c.label(), c.label());
    c.mov(R7, R1);
    c.mov(R8, R2);
    c.ld(R9, R7, NEXT);
    c.jmp(Eq, R9, 0, last);
    c.ld(R4, R7, END);
    c.jmp(Eq, R9, R4, last);
    offset(c, R4, Member::MountBack);
    c.sub(R9, R4);
    c.mov(R3, R9);
    read(c, Member::MountNext, 8, fault);
    c.st(R7, NEXT, R0);
    c.mov(R3, R9);
    read(c, Member::MountSpace, 8, fault);
    // 0 or an error code: mounted nowhere.
    c.sub(R0, 1);
    c.mov(R1, -4097);
    c.jmp(Ge, R0, R1, on);
    c.mov(R3, R9);
    offset(c, R4, Member::MountBase);
    c.add(R3, R4);
    read(c, Member::MountRoot, 8, fault);
    c.ld(R4, R7, ROOT);
    c.jmp(Ne, R0, R4, on);
    c.mov(R3, R9);
    read(c, Member::MountNumber, 4, fault);
    c.ld(R4, R7, MOUNT);
    c.jmp(Eq, R4, 0, better);
    c.ld(R4, R7, NUMBER);
    c.jmp(Ge, R0, R4, on);
    c.at(better);
    c.st(R7, NUMBER, R0);
    offset(c, R4, Member::MountBase);
    c.add(R9, R4);
    c.st(R7, MOUNT, R9);
    c.at(on);
    give(c, 0);
    c.at(last);
    give(c, DONE);
    c.at(fault);
    give(c, FAULT);
}

/// What the path ends with: nothing, or that the entry (R9) is deleted: in no hash, without being a root.
fn ending(c: &mut Code<'_>, fault: Label) {
    let there = c.label();
    c.mov(R0, MOST);
    c.st(R7, POS, R0);
    c.stb_imm(R6, MOST as i16, 0);
    c.mov(R3, R9);
    read(c, Member::EntryHash, 8, fault);
    c.jmp(Ne, R0, 0, there);
    c.mov(R3, R9);
    read(c, Member::EntryParent, 8, fault);
    c.jmp(Eq, R0, R9, there);
    write(c, MOST, DELETED);
    c.at(there);
}

/// Steps until there is a result.
fn walk(b: &mut Body<'_>, none: Label, out: Label) {
    let top = b.asm.label();
    let c = &mut code(b);
    c.mov(R9, STEPS);
    c.at(top);
    c.jmp(Eq, R9, 0, none);
    c.mov(R1, R6);
    c.mov(R2, R7);
    c.mov(R3, R8);
    b.call(Local::PathStep as u32, &[]);
    let c = &mut code(b);
    c.must(Eq, R0, 0, out);
    c.sub(R9, 1);
    c.ja(top);
}

/// `step(dst, work, layout)`
pub(super) fn step(b: &mut Body<'_>) {
    let c = &mut code(b);
    let (name, none, fault) = (c.label(), c.label(), c.label());
    c.mov(R6, R1);
    c.mov(R7, R2);
    c.mov(R8, R3);
    c.ld(R9, R7, ENTRY);
    c.ld(R3, R7, MOUNT);
    read(c, Member::MountRoot, 8, fault);
    c.jmp(Ne, R0, R9, name);
    mounted(c, none, fault);
    c.at(name);
    named(c, none, fault);
    c.at(none);
    give(c, NONE);
    c.at(fault);
    give(c, FAULT);
}

/// At the root of a mount: goes on where that is mounted.
fn mounted(c: &mut Code<'_>, none: Label, fault: Label) {
    let on = c.label();
    c.ld(R9, R7, MOUNT);
    offset(c, R4, Member::MountBase);
    c.sub(R9, R4);
    c.mov(R3, R9);
    read(c, Member::MountParent, 8, fault);
    c.jmp(Ne, R0, R9, on);
    // The top, which belongs to a name space unless it is detached.
    c.mov(R3, R9);
    read(c, Member::MountSpace, 8, fault);
    c.sub(R0, 1);
    // 0 or an error code.
    c.mov(R1, -4097);
    c.jmp(Ge, R0, R1, none);
    give(c, DONE);
    c.at(on);
    offset(c, R4, Member::MountBase);
    c.add(R0, R4);
    c.st(R7, MOUNT, R0);
    c.mov(R3, R9);
    read(c, Member::MountPoint, 8, fault);
    c.st(R7, ENTRY, R0);
    give(c, 0);
}

/// Puts the entry's name (R9) before the text and goes to its parent.
fn named(c: &mut Code<'_>, none: Label, fault: Label) {
    c.mov(R3, R9);
    read(c, Member::EntryParent, 8, fault);
    c.jmp(Eq, R0, R9, none);
    c.st(R7, ENTRY, R0);
    c.mov(R3, R9);
    read(c, Member::EntryName, 8, fault);
    c.st(R7, KEEP, R0);
    c.mov(R3, R9);
    read(c, Member::EntryLength, 4, fault);
    c.mov(R9, R0);
    c.jmp(Eq, R9, 0, none);
    c.jmp(Gt, R9, NAME, none);
    c.ld(R5, R7, POS);
    c.jmp(Gt, R5, MOST, none);
    // What its NUL is written over.
    c.addr(R4, R6, R5);
    c.ldb(R4, R4);
    c.st(R7, KEEP2, R4);
    c.sub(R5, R9);
    c.sub(R5, 1);
    c.jmp(Gt, R5, MOST, none);
    c.st(R7, POS, R5);
    c.addr(R1, R6, R5);
    c.stb_imm(R1, 0, b'/');
    c.add(R1, 1);
    c.mov(R2, R9);
    c.add(R2, 1);
    c.ld(R3, R7, KEEP);
    c.0.emit(Insn::call(Helper::ProbeReadKernelStr.id()));
    // A name of another length is one that has just changed.
    c.jmp(Slt, R0, 0, fault);
    c.sub(R0, 1);
    c.jmp(Ne, R0, R9, none);
    c.ld(R5, R7, POS);
    c.add(R5, R9);
    c.add(R5, 1);
    c.jmp(Gt, R5, MOST, none);
    c.addr(R1, R6, R5);
    c.ld(R4, R7, KEEP2);
    c.stb(R1, 0, R4);
    give(c, 0);
}
