//! From `.eh_frame` to rules for ranges of code.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EndianSlice, LittleEndian, ReaderOffset, Register,
    RegisterRule, UnwindContext, UnwindContextStorage, UnwindSection, UnwindTableRow,
};

use crate::elf::Image;
use crate::expr::{Value, evaluate};
use crate::{Cfa, Link, Machine, Rbp, Rule};

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
type Fde<'a> = gimli::FrameDescriptionEntry<Bytes<'a>>;
type Cie<'a> = gimli::CommonInformationEntry<Bytes<'a>>;

/// Room for the rules of the registers that calls preserve; rows are copied whole, so less is faster.
struct Small;

impl<T: ReaderOffset> UnwindContextStorage<T> for Small {
    type Rules = [(Register, RegisterRule<T>); 12];
    type Stack = [UnwindTableRow<T, Self>; 4];
}

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

/// A part of a function, up to the next row, and its packed rule.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// First byte, counted from the function's.
    start: u32,
    rule: u32,
}

/// The code of one function.
#[derive(Clone, Copy, Debug)]
struct Function {
    start: u64,
    end: u64,
    /// Its rows: from here on, up to those of the next.
    rows: (u32, u32),
}

/// The rules of all code of a file.
#[derive(Debug, Default)]
pub(crate) struct Code {
    functions: Vec<Function>,
    rows: Vec<Row>,
}

impl Code {
    /// Adds a function whose rows begin at number `first`.
    fn add(&mut self, start: u64, end: u64, first: usize) {
        if start < end {
            let rows = (first as u32, self.rows.len() as u32);
            self.functions.push(Function { start, end, rows });
        }
    }

    fn add_range(&mut self, r: Range) {
        let first = self.rows.len();
        let rule = r.rule.pack();
        self.rows.push(Row { start: 0, rule });
        self.add(r.start, r.end, first);
    }

    /// Ascending and disjoint; where functions overlap, the first one's rules count.
    fn order(&mut self) {
        let key = |f: &Function| (f.start, f.end);
        if !self.functions.is_sorted_by_key(key) {
            self.functions.sort_by_key(key);
        }
    }

    /// First byte and behind the last, once in order.
    pub(crate) fn extent(&self) -> (u64, u64) {
        let first = self.functions.first().map_or(0, |f| f.start);
        let end = self.functions.iter().map(|f| f.end).max();
        (first, end.unwrap_or(first))
    }

    /// Gives each range with its packed rule, ascending; nothing is known of what is between them.
    pub(crate) fn each(&self, mut give: impl FnMut(u64, u64, u32)) {
        let mut at = 0;
        for f in &self.functions {
            let rows = f.rows.0 as usize..f.rows.1 as usize;
            let rows = self.rows.get(rows).unwrap_or_default();
            let ends = rows.iter().skip(1).map(|r| f.start + u64::from(r.start));
            for (row, end) in rows.iter().zip(ends.chain([f.end])) {
                let start = (f.start + u64::from(row.start)).max(at);
                let end = end.min(f.end);
                if start < end {
                    give(start, end, row.rule);
                    at = end;
                }
            }
        }
    }
}

impl FromIterator<Range> for Code {
    fn from_iter<I: IntoIterator<Item = Range>>(ranges: I) -> Code {
        let mut code = Code::default();
        ranges.into_iter().for_each(|r| code.add_range(r));
        code.order();
        code
    }
}

/// The rules of a file's code.
pub(crate) fn code(image: &Image) -> Code {
    let mut section = EhFrame::new(&image.frames, LittleEndian);
    section.set_vendor(image.machine.vendor());
    let bases = BaseAddresses::default().set_eh_frame(image.frames_at);
    let mut reader = Reader {
        image,
        section,
        bases,
        small: UnwindContext::new_in(),
        large: UnwindContext::new(),
        by_place: BY_PLACE,
        out: Code::default(),
    };
    let bases = reader.bases.clone();
    let mut entries = reader.section.entries(&bases);
    let mut cies: Vec<(usize, Cie<'_>)> = Vec::new();
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
    let mut out = reader.out;
    image.linkage().into_iter().for_each(|r| out.add_range(r));
    out.order();
    let unknown: Vec<Range> = image.code().flat_map(|code| holes(&out, code)).collect();
    unknown.into_iter().for_each(|r| out.add_range(r));
    out.order();
    out
}

/// Large parts of some code of which nothing is known: those of compilers that keep frame pointers instead (Go, the
/// built-ins of V8), linked with code of others. What is small is left out: it is assembly, which keeps nothing.
fn holes(known: &Code, (start, end): (u64, u64)) -> Vec<Range> {
    let mut out = Vec::new();
    let mut at = start;
    let inside = known.functions.iter().filter(|f| f.end > start);
    let inside = inside.take_while(|f| f.start < end);
    for (from, to) in inside.map(|f| (f.start, f.end)).chain([(end, end)]) {
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
    small: UnwindContext<usize, Small>,
    /// For functions with rules for many registers.
    large: UnwindContext<usize>,
    /// What is left of [`BY_PLACE`].
    by_place: u64,
    out: Code,
}

impl<'a> Reader<'a> {
    /// The rules of one function.
    fn function(&mut self, fde: &Fde<'a>) {
        let Some(offset) = self.image.code_offset(fde.initial_address()) else {
            return;
        };
        let size = fde.len().min(u32::MAX.into());
        let place = Place {
            machine: self.image.machine,
            section: &self.section,
            fde,
        };
        let first = self.out.rows.len();
        let mut rules = Rules {
            rows: &mut self.out.rows,
            first,
            function: fde.initial_address(),
            by_place: &mut self.by_place,
        };
        if !place.rows(&self.bases, size, &mut self.small, &mut rules) {
            rules.rows.truncate(first);
            place.rows(&self.bases, size, &mut self.large, &mut rules);
        }
        if self.out.rows.len() > first {
            self.out.add(offset, offset.saturating_add(size), first);
        }
    }
}

/// Where the rules of a function go.
struct Rules<'a> {
    rows: &'a mut Vec<Row>,
    /// Number of its first row.
    first: usize,
    /// Its address.
    function: u64,
    /// See [`BY_PLACE`].
    by_place: &'a mut u64,
}

impl Rules<'_> {
    /// From `pc` on, this rule holds.
    fn add(&mut self, pc: u64, rule: Rule) {
        let rule = rule.pack();
        let before = self.rows.get(self.first..).and_then(<[Row]>::last);
        if before.is_none_or(|row| row.rule != rule) {
            let start = (pc - self.function) as u32;
            self.rows.push(Row { start, rule });
        }
    }
}

/// What the rules of a row are made with.
struct Place<'a, 'b> {
    machine: Machine,
    section: &'a EhFrame<Bytes<'b>>,
    fde: &'a Fde<'b>,
}

impl Place<'_, '_> {
    /// The rules of the function's first `size` bytes. Those before an instruction that is not understood hold. `false`:
    /// there was no room for the state.
    fn rows<S: UnwindContextStorage<usize>>(
        &self,
        bases: &BaseAddresses,
        size: u64,
        context: &mut UnwindContext<usize, S>,
        out: &mut Rules<'_>,
    ) -> bool {
        let full = |e| {
            matches!(
                e,
                gimli::Error::StackFull | gimli::Error::TooManyRegisterRules
            )
        };
        let mut rows = match self.fde.rows(self.section, bases, context) {
            Ok(rows) => rows,
            Err(e) => return !full(e),
        };
        let mut done = self.fde.initial_address();
        let end = done.saturating_add(size);
        loop {
            match rows.next_row() {
                Ok(Some(row)) => {
                    let (from, to) = (row.start_address(), row.end_address().min(end));
                    if from < to {
                        self.rules(row, (from, to), out);
                        done = to;
                    }
                }
                Ok(None) => break,
                Err(e) if full(e) => return false,
                Err(_) => break,
            }
        }
        if done < end {
            out.add(done, Rule::Unknown);
        }
        true
    }

    /// The rules of one row: several where they depend on the place.
    fn rules<S: UnwindContextStorage<usize>>(
        &self,
        row: &UnwindTableRow<usize, S>,
        (start, end): (u64, u64),
        out: &mut Rules<'_>,
    ) {
        let (rule, by_pc) = self.rule_at(row, start);
        out.add(start, rule);
        if !by_pc {
            return;
        }
        let known = end.min(start.saturating_add(*out.by_place));
        *out.by_place -= known - start;
        for pc in start..known {
            let (rule, _) = self.rule_at(row, pc);
            out.add(pc, rule);
        }
        if known < end {
            out.add(known, Rule::Unknown);
        }
    }

    /// What an expression gives, and whether it depends on the place.
    fn value(&self, e: gimli::UnwindExpression<usize>, pc: u64) -> Option<(Value, bool)> {
        let expression = e.get(self.section).ok()?;
        evaluate(self.machine, expression, self.fde.cie().encoding(), pc)
    }

    /// The rule at a place, and whether it depends on the place.
    fn rule_at<S: UnwindContextStorage<usize>>(
        &self,
        row: &UnwindTableRow<usize, S>,
        pc: u64,
    ) -> (Rule, bool) {
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

    fn x86<S: UnwindContextStorage<usize>>(
        &self,
        cfa: Value,
        row: &UnwindTableRow<usize, S>,
        pc: u64,
    ) -> Rule {
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
    fn aarch64<S: UnwindContextStorage<usize>>(
        &self,
        cfa: Value,
        row: &UnwindTableRow<usize, S>,
    ) -> Rule {
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
