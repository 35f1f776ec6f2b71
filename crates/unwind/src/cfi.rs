//! From `.eh_frame` to rules for ranges of code.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EndianSlice, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection, UnwindTableRow,
};

use crate::elf::Image;
use crate::expr::{Value, evaluate};
use crate::{Cfa, Link, Machine, Rbp, Rule};

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
type Fde<'a> = gimli::FrameDescriptionEntry<Bytes<'a>>;

/// Bytes of code of one file, at most, whose rules depend on the place (procedure linkage tables).
const BY_PLACE: u64 = 1 << 22;
/// Code without rules of so many bytes keeps frame pointers.
const LARGE: u64 = 1 << 16;
/// Offset of `rsp` in the frame that the kernel makes for a signal handler (`arch/x86/include/uapi/asm/sigcontext.h`).
const SIGNAL_RSP: i64 = 160;

/// A rule for code from one offset in the file to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// First byte.
    pub(crate) start: u64,
    /// Behind the last.
    pub(crate) end: u64,
    /// The rule.
    pub(crate) rule: Rule,
}

/// All ranges, ascending; nothing is known of what is between them.
pub(crate) fn ranges(image: &Image) -> Vec<Range> {
    let mut section = EhFrame::new(&image.frames, LittleEndian);
    section.set_vendor(image.machine.vendor());
    let bases = BaseAddresses::default().set_eh_frame(image.frames_at);
    let mut reader = Reader {
        image,
        section,
        bases,
        context: UnwindContext::new(),
        by_place: BY_PLACE,
        out: Vec::new(),
    };
    let bases = reader.bases.clone();
    let mut entries = reader.section.entries(&bases);
    let mut cies: Vec<(usize, gimli::CommonInformationEntry<Bytes<'_>>)> = Vec::new();
    // What comes after a broken entry cannot be found; what came before it is good.
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let parsed = partial.parse(|section, bases, offset| {
            let at = offset.0;
            if let Some((_, cie)) = cies.iter().rev().find(|(o, _)| *o == at) {
                return Ok(cie.clone());
            }
            let cie = section.cie_from_offset(bases, offset)?;
            cies.push((at, cie.clone()));
            Ok(cie)
        });
        if let Ok(fde) = parsed {
            reader.function(&fde);
        }
    }
    let known = ordered(reader.out.into_iter().chain(image.linkage()).collect());
    let unknown = image.code().flat_map(|code| holes(&known, code));
    let unknown: Vec<Range> = unknown.collect();
    ordered(known.into_iter().chain(unknown).collect())
}

/// Large parts of some code of which nothing is known: those of compilers that keep frame pointers instead (Go, the
/// built-ins of V8), linked with code of others. What is small is left out: it is assembly, which keeps nothing.
fn holes(known: &[Range], (start, end): (u64, u64)) -> Vec<Range> {
    let mut out = Vec::new();
    let mut at = start;
    let next = known.partition_point(|r| r.end <= start);
    let inside = known.iter().skip(next).take_while(|r| r.start < end);
    for (from, to) in inside.map(|r| (r.start, r.end)).chain([(end, end)]) {
        if from.saturating_sub(at) >= LARGE {
            out.push(Range {
                start: at,
                end: from,
                rule: Rule::Pointer,
            });
        }
        at = at.max(to);
    }
    out
}

struct Reader<'a> {
    image: &'a Image,
    section: EhFrame<Bytes<'a>>,
    bases: BaseAddresses,
    context: UnwindContext<usize>,
    /// What is left of [`BY_PLACE`].
    by_place: u64,
    out: Vec<Range>,
}

impl<'a> Reader<'a> {
    /// The rules of one function. Those before an instruction that is not understood hold.
    fn function(&mut self, fde: &Fde<'a>) {
        let Some(offset) = self.image.code_offset(fde.initial_address()) else {
            return;
        };
        let delta = offset.wrapping_sub(fde.initial_address());
        let Ok(mut rows) = fde.rows(&self.section, &self.bases, &mut self.context) else {
            return;
        };
        let (mut out, mut end) = (Vec::new(), fde.initial_address());
        while let Ok(Some(row)) = rows.next_row() {
            end = row.end_address().min(fde.end_address());
            let (start, end) = (row.start_address(), end);
            if start < end {
                let left = &mut self.by_place;
                let at = Place {
                    machine: self.image.machine,
                    section: &self.section,
                    fde,
                };
                at.rules(row, (start, end), left, &mut out);
            }
        }
        if end < fde.end_address() {
            out.push(Range {
                start: end,
                end: fde.end_address(),
                rule: Rule::Unknown,
            });
        }
        self.out.extend(out.into_iter().map(|r| Range {
            start: r.start.wrapping_add(delta),
            end: r.end.wrapping_add(delta),
            rule: r.rule,
        }));
    }
}

/// What the rules of a row are made with.
struct Place<'a, 'b> {
    machine: Machine,
    section: &'a EhFrame<Bytes<'b>>,
    fde: &'a Fde<'b>,
}

impl Place<'_, '_> {
    /// The rules of one row: several where they depend on the place.
    fn rules(
        &self,
        row: &UnwindTableRow<usize>,
        (start, end): (u64, u64),
        left: &mut u64,
        out: &mut Vec<Range>,
    ) {
        let (rule, by_pc) = self.rule_at(row, start);
        if !by_pc {
            out.push(Range { start, end, rule });
            return;
        }
        let (mut from, mut current) = (start, rule);
        let end = end.min(start.saturating_add(*left));
        *left -= end - start;
        for pc in start..end {
            let (rule, _) = self.rule_at(row, pc);
            if rule != current {
                out.push(Range {
                    start: from,
                    end: pc,
                    rule: current,
                });
                (from, current) = (pc, rule);
            }
        }
        out.push(Range {
            start: from,
            end,
            rule: current,
        });
    }

    /// What an expression gives, and whether it depends on the place.
    fn value(&self, e: gimli::UnwindExpression<usize>, pc: u64) -> Option<(Value, bool)> {
        let expression = e.get(self.section).ok()?;
        evaluate(self.machine, expression, self.fde.cie().encoding(), pc)
    }

    /// The rule at a place, and whether it depends on the place.
    fn rule_at(&self, row: &UnwindTableRow<usize>, pc: u64) -> (Rule, bool) {
        let found = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                self.cfa(*register, *offset).map(|value| (value, false))
            }
            CfaRule::Expression(e) => self.value(*e, pc),
        };
        let Some((cfa, by_pc)) = found else {
            return (Rule::Unknown, false);
        };
        let rule = match self.machine {
            Machine::X86_64 => self.x86(cfa, row, pc),
            Machine::Aarch64 => self.aarch64(cfa, row),
        };
        (rule, by_pc)
    }

    fn cfa(&self, register: Register, offset: i64) -> Option<Value> {
        if register == self.machine.stack_pointer() {
            Some(Value::Sp(offset))
        } else if register == self.machine.frame_pointer() {
            Some(Value::Fp(offset))
        } else {
            None
        }
    }

    fn x86(&self, cfa: Value, row: &UnwindTableRow<usize>, pc: u64) -> Rule {
        if self.fde.is_signal_trampoline() {
            let known = cfa == Value::AtSp(SIGNAL_RSP);
            return if known { Rule::Signal } else { Rule::Unknown };
        }
        match row.register(self.machine.return_address()) {
            Some(RegisterRule::Offset(-8)) => {}
            // No rule is the same as no return address, which is how the first function of a thread is marked.
            None | Some(RegisterRule::Undefined) => return Rule::End,
            Some(_) => return Rule::Unknown,
        }
        let saved = row.register(self.machine.frame_pointer());
        let at_fp = |e| self.value(e, pc).map(|(v, _)| v) == Some(Value::Fp(0));
        match (cfa, saved) {
            (Value::AtFp(n), Some(RegisterRule::Expression(e))) if at_fp(e) => {
                Rule::Frame(Cfa::AtFp(n), Rbp::Same)
            }
            (Value::Sp(n), saved) => Rule::Frame(Cfa::Sp(n), rbp(saved)),
            (Value::Fp(n), saved) => Rule::Frame(Cfa::Fp(n), rbp(saved)),
            (Value::Number(_) | Value::AtSp(_) | Value::AtFp(_), _) => Rule::Unknown,
        }
    }

    /// `x29` and the return address are together in memory or in their registers, but for functions that save only the
    /// latter. What signs return addresses is no matter: the bits are taken off.
    fn aarch64(&self, cfa: Value, row: &UnwindTableRow<usize>) -> Rule {
        if self.fde.is_signal_trampoline() {
            return Rule::Signal;
        }
        let cfa = match cfa {
            Value::Sp(n) => Cfa::Sp(n),
            Value::Fp(n) => Cfa::Fp(n),
            Value::Number(_) | Value::AtSp(_) | Value::AtFp(_) => return Rule::Unknown,
        };
        let same = |rule| matches!(rule, None | Some(RegisterRule::SameValue));
        let saved = row.register(self.machine.frame_pointer());
        match (saved, row.register(self.machine.return_address())) {
            (_, Some(RegisterRule::Undefined)) => Rule::End,
            (Some(RegisterRule::Offset(at)), Some(RegisterRule::Offset(link)))
                if link == at + 8 =>
            {
                // No frame begins where it has saved something: it is the frame record of a signal's victim.
                match (cfa, at) {
                    (Cfa::Fp(0), 0) => Rule::Signal,
                    (_, at) => Rule::Linked(cfa, Link::Pair(at)),
                }
            }
            (saved, Some(RegisterRule::Offset(at))) if same(saved.clone()) => {
                Rule::Linked(cfa, Link::Only(at))
            }
            (saved, link) if same(saved.clone()) && same(link.clone()) => {
                Rule::Linked(cfa, Link::Register)
            }
            (_, _) => Rule::Unknown,
        }
    }
}

fn rbp(saved: Option<RegisterRule<usize>>) -> Rbp {
    match saved {
        None | Some(RegisterRule::SameValue) => Rbp::Same,
        Some(RegisterRule::Offset(n)) => Rbp::At(n),
        Some(_) => Rbp::Lost,
    }
}

/// Ascending and disjoint; where functions overlap, the first one's rules count.
fn ordered(mut ranges: Vec<Range>) -> Vec<Range> {
    ranges.sort_by_key(|r| (r.start, r.end));
    let mut end = 0;
    ranges.retain_mut(|r| {
        r.start = r.start.max(end);
        let keep = r.start < r.end;
        end = end.max(r.end);
        keep
    });
    ranges
}
