//! The assembler: instructions with labels, source notes and map references.
//!
//! Labels are created with [`Assembler::label`], placed with [`Assembler::bind`], and may be used before they are placed.
//! [`Assembler::finish`] fills in the offsets; what cannot be encoded is an error that names the instruction.

use crate::{Insn, JmpOp, Reg, Src};

/// A place in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Label(u32);

/// A two-slot `ld_imm64` that is to hold a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapRef {
    /// Index of its first slot.
    pub insn: u32,
    /// The map, by the caller's number.
    pub map: u32,
    /// `None`: the map itself; `Some(off)`: the address of byte `off` of its only value.
    pub value_off: Option<u32>,
}

/// Why a program cannot be assembled. The first two are limits that large programs can meet; the others are bugs of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmError {
    /// A jump's distance does not fit the 16 bits of its offset.
    #[error("jump at instruction {insn} is {distance} instructions long (at most 32767)")]
    JumpTooFar {
        /// The jump.
        insn: u32,
        /// Slots from the one after the jump.
        distance: i64,
    },
    /// More instructions than a 32-bit offset can reach.
    #[error("program has {0} instructions")]
    TooLong(usize),
    /// A label that was used has no place.
    #[error("instruction {insn} refers to label {label} that is not bound")]
    Unbound {
        /// The user.
        insn: u32,
        /// The label's number.
        label: u32,
    },
    /// A label was placed twice.
    #[error("label {label} is bound twice")]
    Rebound {
        /// The label's number.
        label: u32,
    },
    /// The label is not of this assembler.
    #[error("label {label} is of another program")]
    Foreign {
        /// The label's number.
        label: u32,
    },
}

/// A finished program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program<N> {
    /// Instructions.
    pub insns: Vec<Insn>,
    /// Map references, ascending.
    pub maps: Vec<MapRef>,
    /// Notes, each with the first instruction it is about, ascending.
    pub notes: Vec<(u32, N)>,
}

/// Which field of the instruction takes the distance to a label.
#[derive(Clone, Copy, Debug)]
enum Field {
    /// The 16-bit offset of a jump.
    Off,
    /// The immediate of a call or of a function address.
    Imm,
}

#[derive(Clone, Copy, Debug)]
struct Fixup {
    at: usize,
    label: Label,
    field: Field,
}

/// Collects instructions. `N` is what the caller notes of their origin (a source position).
#[derive(Clone, Debug)]
pub struct Assembler<N = ()> {
    insns: Vec<Insn>,
    places: Vec<Option<usize>>,
    fixups: Vec<Fixup>,
    maps: Vec<MapRef>,
    notes: Vec<(u32, N)>,
    rebound: Option<Label>,
}

impl<N> Default for Assembler<N> {
    fn default() -> Self {
        Assembler {
            insns: Vec::new(),
            places: Vec::new(),
            fixups: Vec::new(),
            maps: Vec::new(),
            notes: Vec::new(),
            rebound: None,
        }
    }
}

impl<N: PartialEq> Assembler<N> {
    /// An empty program.
    pub fn new() -> Self {
        Self::default()
    }

    /// Index of the next instruction.
    pub fn here(&self) -> usize {
        self.insns.len()
    }

    /// The instructions so far, labels unresolved.
    pub fn insns(&self) -> &[Insn] {
        &self.insns
    }

    /// Appends one instruction.
    pub fn emit(&mut self, insn: Insn) {
        self.insns.push(insn);
    }

    /// Appends several, such as the two slots of [`Insn::ld_imm64`].
    pub fn emit_all(&mut self, insns: impl IntoIterator<Item = Insn>) {
        self.insns.extend(insns);
    }

    /// A new label, not yet placed.
    pub fn label(&mut self) -> Label {
        self.places.push(None);
        Label((self.places.len() - 1) as u32)
    }

    /// Places a label before the next instruction.
    pub fn bind(&mut self, label: Label) {
        let here = self.here();
        match self.places.get_mut(label.0 as usize) {
            Some(place @ None) => *place = Some(here),
            Some(Some(_)) | None => self.rebound = self.rebound.or(Some(label)),
        }
    }

    /// A new label, placed before the next instruction.
    pub fn bind_new(&mut self) -> Label {
        let label = self.label();
        self.bind(label);
        label
    }

    fn emit_to(&mut self, insn: Insn, label: Label, field: Field) {
        let at = self.here();
        self.fixups.push(Fixup { at, label, field });
        self.emit(insn);
    }

    /// `if dst op src goto label`, on 64 bits.
    pub fn jmp(&mut self, op: JmpOp, dst: Reg, src: impl Into<Src>, label: Label) {
        self.emit_to(Insn::jmp(op, dst, src, 0), label, Field::Off);
    }

    /// `if dst op src goto label`, on 32 bits.
    pub fn jmp32(&mut self, op: JmpOp, dst: Reg, src: impl Into<Src>, label: Label) {
        self.emit_to(Insn::jmp32(op, dst, src, 0), label, Field::Off);
    }

    /// `goto label`.
    pub fn ja(&mut self, label: Label) {
        self.emit_to(Insn::ja(0), label, Field::Off);
    }

    /// Calls the function that starts at `label`.
    pub fn call_local(&mut self, label: Label) {
        self.emit_to(Insn::call_local(0), label, Field::Imm);
    }

    /// `dst = &function` for the function that starts at `label` (a callback).
    pub fn ld_func(&mut self, dst: Reg, label: Label) {
        let [first, second] = Insn::ld_func(dst, 0);
        self.emit_to(first, label, Field::Imm);
        self.emit(second);
    }

    /// `dst = &map` for the map that the caller numbers `map`.
    pub fn ld_map(&mut self, dst: Reg, map: u32) {
        self.map_ref(map, None);
        self.emit_all(Insn::ld_map(dst));
    }

    /// `dst = &map[0] + off`.
    pub fn ld_map_value(&mut self, dst: Reg, map: u32, off: u32) {
        self.map_ref(map, Some(off));
        self.emit_all(Insn::ld_map_value(dst, off));
    }

    fn map_ref(&mut self, map: u32, value_off: Option<u32>) {
        let insn = self.here() as u32;
        self.maps.push(MapRef {
            insn,
            map,
            value_off,
        });
    }

    /// Notes where the instructions from the next on come from. A note equal to the last is not repeated, and one
    /// about no instruction is replaced.
    pub fn note(&mut self, note: N) {
        let here = self.here() as u32;
        if self.notes.last().is_some_and(|(at, _)| *at == here) {
            self.notes.pop();
        }
        if self.notes.last().is_none_or(|(_, last)| *last != note) {
            self.notes.push((here, note));
        }
    }

    /// Fills in the offsets of jumps and calls.
    pub fn finish(mut self) -> Result<Program<N>, AsmError> {
        if i32::try_from(self.insns.len()).is_err() {
            return Err(AsmError::TooLong(self.insns.len()));
        }
        if let Some(label) = self.rebound {
            let label_known = (label.0 as usize) < self.places.len();
            let label = label.0;
            return Err(if label_known {
                AsmError::Rebound { label }
            } else {
                AsmError::Foreign { label }
            });
        }
        for fixup in std::mem::take(&mut self.fixups) {
            self.fix(fixup)?;
        }
        Ok(Program {
            insns: self.insns,
            maps: self.maps,
            notes: self.notes,
        })
    }

    fn fix(&mut self, fixup: Fixup) -> Result<(), AsmError> {
        let insn = fixup.at as u32;
        let label = fixup.label.0;
        let target = match self.places.get(label as usize) {
            None => return Err(AsmError::Foreign { label }),
            Some(None) => return Err(AsmError::Unbound { insn, label }),
            Some(Some(target)) => *target,
        };
        let distance = target as i64 - fixup.at as i64 - 1;
        let too_far = AsmError::JumpTooFar { insn, distance };
        let Some(slot) = self.insns.get_mut(fixup.at) else {
            return Err(too_far);
        };
        match fixup.field {
            Field::Off => slot.off = i16::try_from(distance).map_err(|_| too_far)?,
            Field::Imm => slot.imm = i32::try_from(distance).map_err(|_| too_far)?,
        }
        Ok(())
    }
}
