//! Listings of programs, in the style of the kernel verifier's.
//!
//! With [`Targets::Labels`] a listing holds no positions and, given map names, no descriptors, so that one changed
//! instruction changes one line of a golden file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::Insn;
use crate::form::{Form, Names};

/// How jumps and calls show where they lead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Targets {
    /// Distance and label: `goto +4 <L3>`.
    #[default]
    Both,
    /// Label only: `goto L3`.
    Labels,
}

/// One line of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Index of the (first) slot.
    pub index: usize,
    /// The label at this place, if something leads here.
    pub label: Option<String>,
    /// The instruction.
    pub text: String,
}

/// A listing: an iterator over its lines, and with [`fmt::Display`] its text.
#[derive(Clone)]
pub struct Disasm<'a> {
    insns: &'a [Insn],
    next: usize,
    targets: Targets,
    labels: BTreeMap<usize, usize>,
    maps: BTreeMap<usize, Cow<'a, str>>,
}

/// Lists a program.
pub fn disasm(insns: &[Insn]) -> Disasm<'_> {
    Disasm {
        insns,
        next: 0,
        targets: Targets::default(),
        labels: labels(insns),
        maps: BTreeMap::new(),
    }
}

impl<'a> Disasm<'a> {
    /// Chooses how jumps show where they lead.
    #[must_use]
    pub fn targets(mut self, targets: Targets) -> Self {
        self.targets = targets;
        self
    }

    /// Names the map that the two-slot instruction at slot `insn` holds.
    #[must_use]
    pub fn map(mut self, insn: usize, name: impl Into<Cow<'a, str>>) -> Self {
        self.maps.insert(insn, name.into());
        self
    }
}

/// Slots that something leads to, numbered in order from 1.
fn labels(insns: &[Insn]) -> BTreeMap<usize, usize> {
    let mut targets = BTreeMap::new();
    let mut at = 0;
    while at < insns.len() {
        let (form, slots) = decode(insns, at);
        if let Some(to) = form.and_then(|f| distance(&f)).and_then(|d| reach(at, d)) {
            targets.insert(to, 0);
        }
        at += slots;
    }
    for (number, label) in targets.values_mut().zip(1..) {
        *number = label;
    }
    targets
}

fn decode(insns: &[Insn], at: usize) -> (Option<Form>, usize) {
    match Form::decode(insns.get(at..).unwrap_or_default()) {
        Ok((form, slots)) => (Some(form), slots),
        Err(_) => (None, 1),
    }
}

fn reach(at: usize, distance: i64) -> Option<usize> {
    usize::try_from(at as i64 + 1 + distance).ok()
}

/// How far an instruction leads, if it does.
fn distance(form: &Form) -> Option<i64> {
    match *form {
        Form::Ja { off } | Form::Jmp64 { off, .. } | Form::Jmp32 { off, .. } => Some(off.into()),
        Form::CallLocal { off } | Form::LdFunc { off, .. } => Some(off.into()),
        Form::Alu64 { .. }
        | Form::Alu32 { .. }
        | Form::Endian { .. }
        | Form::LdImm64 { .. }
        | Form::LdMap { .. }
        | Form::LdMapValue { .. }
        | Form::Ldx { .. }
        | Form::Stx { .. }
        | Form::St { .. }
        | Form::Atomic { .. }
        | Form::Call { .. }
        | Form::Exit => None,
    }
}

struct At<'d, 'a> {
    listing: &'d Disasm<'a>,
    index: usize,
}

impl Names for At<'_, '_> {
    fn target(&self, distance: i64) -> String {
        let labels = &self.listing.labels;
        let label = reach(self.index, distance).and_then(|to| labels.get(&to));
        match (self.listing.targets, label) {
            (Targets::Both, Some(n)) => format!("{distance:+} <L{n}>"),
            (Targets::Labels, Some(n)) => format!("L{n}"),
            (Targets::Both | Targets::Labels, None) => format!("{distance:+}"),
        }
    }

    fn map(&self) -> Option<Cow<'_, str>> {
        self.listing.maps.get(&self.index).cloned()
    }
}

impl Iterator for Disasm<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        let index = self.next;
        let insn = *self.insns.get(index)?;
        let (form, slots) = decode(self.insns, index);
        self.next += slots;
        let listing = &*self;
        let text = match form {
            Some(form) => form.text(&At { listing, index }),
            None => format!(
                ".insn {:#04x} {:#04x} {} {:#x}",
                insn.code, insn.regs, insn.off, insn.imm
            ),
        };
        let label = self.labels.get(&index).map(|n| format!("L{n}"));
        Some(Line { index, label, text })
    }
}

impl fmt::Display for Disasm<'_> {
    /// The whole listing, a line an instruction, labels on lines of their own; positions only with [`Targets::Both`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = self.clone();
        all.next = 0;
        for line in all {
            if let Some(label) = &line.label {
                writeln!(f, "{label}:")?;
            }
            match self.targets {
                Targets::Both => writeln!(f, "{:6}: {}", line.index, line.text)?,
                Targets::Labels => writeln!(f, "    {}", line.text)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::Assembler;
    use crate::helpers::Helper;
    use crate::{AluOp, JmpOp, Reg, Width};

    fn sample() -> Vec<Insn> {
        let mut asm: Assembler = Assembler::new();
        let (done, func, top) = (asm.label(), asm.label(), asm.label());
        asm.emit(Insn::mov(Reg::R6, Reg::R1));
        asm.emit(Insn::ldx(Width::DW, Reg::R1, Reg::R6, 16));
        asm.bind(top);
        asm.jmp(JmpOp::Eq, Reg::R1, 0, done);
        asm.emit(Insn::call(Helper::KtimeGetNs.id()));
        asm.emit(Insn::stx(Width::W, Reg::R10, -4, Reg::R0));
        asm.ld_map(Reg::R1, 0);
        asm.ld_map_value(Reg::R2, 1, 24);
        asm.emit(Insn::atomic_add(Width::DW, Reg::R2, 0, Reg::R0));
        asm.call_local(func);
        asm.jmp32(JmpOp::Sgt, Reg::R0, Reg::R1, top);
        asm.bind(done);
        asm.emit(Insn::st(Width::B, Reg::R10, -1, -3));
        asm.emit_all(Insn::ld_imm64(Reg::R3, 0x1_0000_0000));
        asm.emit(Insn::exit());
        asm.bind(func);
        asm.ld_func(Reg::R4, func);
        asm.emit(Insn::neg(Reg::R2));
        asm.emit(Insn::alu32(AluOp::Arsh, Reg::R2, 3));
        asm.emit(Insn::endian(true, 32, Reg::R2));
        asm.emit(Insn::cmpxchg(Width::DW, Reg::R1, 8, Reg::R2));
        asm.emit(Insn::fetch_add(Width::W, Reg::R1, 8, Reg::R2));
        asm.ja(done);
        asm.finish().expect("assembles").insns
    }

    #[test]
    fn golden_with_labels_only() {
        let insns = sample();
        let text = disasm(&insns)
            .targets(Targets::Labels)
            .map(5, "agg0")
            .to_string();
        let want = "    \
    r6 = r1
    r1 = *(u64 *)(r6 + 16)
L1:
    if r1 == 0 goto L2
    call bpf_ktime_get_ns#5
    *(u32 *)(r10 - 4) = r0
    r1 = map[agg0]
    r2 = map[fd:0][0] + 24
    lock *(u64 *)(r2 + 0) += r0
    call L3
    if w0 s> w1 goto L1
L2:
    *(u8 *)(r10 - 1) = -3
    r3 = 0x100000000 ll
    exit
L3:
    r4 = func L3
    r2 = -r2
    w2 s>>= 3
    r2 = be32 r2
    r0 = atomic64_cmpxchg((u64 *)(r1 + 8), r0, r2)
    r2 = atomic_fetch_add((u32 *)(r1 + 8), r2)
    goto L2
";
        assert_eq!(text, want);
    }

    #[test]
    fn lines_with_distances() {
        let insns = sample();
        let lines: Vec<Line> = disasm(&insns).collect();
        assert_eq!(lines[2].text, "if r1 == 0 goto +9 <L2>");
        assert_eq!(lines[2].label.as_deref(), Some("L1"));
        assert_eq!(lines[6].index, 7);
        assert!(
            disasm(&insns)
                .to_string()
                .contains("\n    11: if w0 s> w1 goto -10 <L1>\n")
        );
    }

    #[test]
    fn what_is_no_instruction_is_shown_as_bytes() {
        let odd = Insn {
            code: 0xff,
            regs: 0xff,
            off: -1,
            imm: -1,
        };
        let lines: Vec<Line> = disasm(&[odd, Insn::exit(), Insn::ja(-100)]).collect();
        let texts: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(
            texts,
            [".insn 0xff 0xff -1 0xffffffff", "exit", "goto -100"]
        );
    }
}
