//! Functions written in assembly that programs call.
//!
//! A function whose arguments are described is emitted once for each set of constant arguments, as a *global* function:
//! the verifier checks such a function by itself, once, whatever number of calls there are, and takes its result for any
//! number. It knows of an argument what its description says, so the constants are put into their registers at the
//! function's beginning. A function without a description is checked at each call, with what is known there.

use bpf::asm::{Assembler, Label};
use bpf::{Insn, JmpOp, Reg};

use crate::Pos;

/// Registers of arguments, in order.
pub const ARGUMENTS: [Reg; 5] = [Reg::R1, Reg::R2, Reg::R3, Reg::R4, Reg::R5];

/// Longer strings are walked in parts of so many bytes.
pub const PART: i32 = 256;

/// What an argument of a global function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// Address of as much memory, readable and writable, as the constant argument of this index says.
    Mem(usize),
    /// Address of so many bytes of memory, readable and writable.
    Bytes(u32),
    /// A constant wherever the function is called.
    Const,
    /// Any number.
    Num,
}

/// Emits the body of a function where the assembler is.
#[derive(Clone, Copy, Debug)]
pub enum Emit {
    /// It calls no other.
    Leaf(fn(&mut Assembler<Pos>)),
    /// It calls others.
    Node(fn(&mut Body<'_>)),
}

/// A function written in assembly.
#[derive(Clone, Copy, Debug)]
pub struct LocalFn {
    /// Name as the kernel shows it.
    pub name: &'static str,
    /// What its arguments are; empty if it is checked at each call.
    pub params: &'static [Param],
    /// Bytes of stack, with those of what it calls.
    pub stack: u32,
    /// How many more those are where a string may be longer than [`PART`].
    pub large: u32,
    /// Its body.
    pub emit: Emit,
}

/// A function as it was emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its first instruction.
    pub insn: u32,
    /// Its name.
    pub name: String,
    /// Of a global function, its arguments: bytes of memory that one is the address of, or `None` for a number.
    pub params: Option<Vec<Option<u32>>>,
}

/// Why a call cannot be emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotConstant(pub &'static str);

struct Instance {
    func: u32,
    consts: Vec<i32>,
    label: Label,
}

/// The functions that a program calls.
pub struct Instances<'a> {
    locals: &'a [LocalFn],
    list: Vec<Instance>,
}

/// A function's body in the making.
pub struct Body<'a> {
    /// Where it goes.
    pub asm: &'a mut Assembler<Pos>,
    /// What the caller of [`crate::emit::emit`] knows and functions may ask for.
    pub facts: &'a [u32],
    /// Its constant arguments, in order.
    pub consts: &'a [i32],
    calls: &'a mut Instances<'static>,
    inner: &'a mut Vec<Function>,
}

impl Body<'_> {
    /// Constant argument `n`.
    pub fn constant(&self, n: usize) -> i32 {
        self.consts.get(n).copied().unwrap_or(0)
    }

    /// Calls function `func` with its constant arguments, in order; the others are in their registers.
    pub fn call(&mut self, func: u32, consts: &[i32]) {
        let params = self.calls.locals[func as usize].params.iter();
        let constant = params
            .zip(ARGUMENTS)
            .filter(|(p, _)| **p == Param::Const)
            .map(|(_, r)| r);
        for (r, v) in constant.zip(consts) {
            self.asm.emit(Insn::mov(r, *v));
        }
        let label = self.calls.instance(self.asm, func, consts.to_vec());
        self.asm.call_local(label);
    }

    /// Begins a function of this one's own here, which is checked where it is called (a callback: by itself).
    pub fn begin(&mut self, name: &str, label: Label) {
        self.asm.bind(label);
        self.inner.push(Function {
            insn: self.asm.here() as u32,
            name: name.to_owned(),
            params: None,
        });
    }
}

impl Instances<'static> {
    /// None so far, of these.
    pub fn new(locals: &'static [LocalFn]) -> Instances<'static> {
        Instances {
            locals,
            list: Vec::new(),
        }
    }

    fn instance(&mut self, asm: &mut Assembler<Pos>, func: u32, consts: Vec<i32>) -> Label {
        if let Some(i) = self
            .list
            .iter()
            .find(|i| i.func == func && i.consts == consts)
        {
            return i.label;
        }
        let label = asm.label();
        self.list.push(Instance {
            func,
            consts,
            label,
        });
        label
    }

    /// Calls a function with arguments of which these are constant.
    pub fn call(
        &mut self,
        asm: &mut Assembler<Pos>,
        func: u32,
        args: &[Option<i32>],
    ) -> Result<(), NotConstant> {
        let def = &self.locals[func as usize];
        let consts = def
            .params
            .iter()
            .zip(args)
            .filter(|(p, _)| **p == Param::Const)
            .map(|(_, a)| a.ok_or(NotConstant(def.name)))
            .collect::<Result<_, _>>()?;
        let label = self.instance(asm, func, consts);
        asm.call_local(label);
        Ok(())
    }

    /// Most bytes of stack that one of the functions called so far uses, if there is one.
    pub fn stack(&self) -> Option<u32> {
        let stack = |i: &Instance| {
            let def = &self.locals[i.func as usize];
            let walks = def.params.iter().any(|p| matches!(p, Param::Mem(_)));
            let large = walks && i.consts.iter().any(|c| *c > PART);
            def.stack + if large { def.large } else { 0 }
        };
        self.list.iter().map(stack).max()
    }

    /// Emits what was called, and what that calls.
    pub fn emit(mut self, asm: &mut Assembler<Pos>, facts: &[u32]) -> Vec<Function> {
        let (mut done, mut inner) = (Vec::new(), Vec::new());
        while let Some(i) = self.list.get(done.len()) {
            let def = self.locals[i.func as usize];
            let (label, consts) = (i.label, i.consts.clone());
            let sizes = (!def.params.is_empty()).then(|| sizes(def.params, &consts));
            asm.bind(label);
            done.push(Function {
                insn: asm.here() as u32,
                name: format!("{}_{}", def.name, done.len()),
                params: sizes,
            });
            entry(asm, def.params, &consts);
            match def.emit {
                Emit::Leaf(f) => f(asm),
                Emit::Node(f) => f(&mut Body {
                    asm,
                    facts,
                    consts: &consts,
                    calls: &mut self,
                    inner: &mut inner,
                }),
            }
        }
        done.extend(inner);
        done.sort_by_key(|f| f.insn);
        done
    }
}

fn sizes(params: &[Param], consts: &[i32]) -> Vec<Option<u32>> {
    let value = |n: usize| {
        let before = params.iter().take(n).filter(|p| **p == Param::Const);
        consts.get(before.count()).copied().unwrap_or(0)
    };
    params
        .iter()
        .map(|p| match p {
            Param::Mem(n) => u32::try_from(value(*n)).ok(),
            Param::Bytes(n) => Some(*n),
            Param::Const | Param::Num => None,
        })
        .collect()
}

/// Puts constants where they belong; to the verifier an address may be NULL, so that is compared.
fn entry(asm: &mut Assembler<Pos>, params: &[Param], consts: &[i32]) {
    let mut consts = consts.iter();
    for (p, r) in params.iter().zip(ARGUMENTS) {
        match p {
            Param::Const => asm.emit(Insn::mov(r, consts.next().copied().unwrap_or(0))),
            Param::Mem(_) | Param::Bytes(_) => {
                let given = asm.label();
                asm.jmp(JmpOp::Ne, r, 0, given);
                asm.emit(Insn::mov(Reg::R0, 0));
                asm.emit(Insn::exit());
                asm.bind(given);
            }
            Param::Num => {}
        }
    }
}
