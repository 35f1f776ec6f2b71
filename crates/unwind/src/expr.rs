//! DWARF expressions, as far as frames use them: a register plus a number, or the memory there.

use gimli::{EndianSlice, Expression, LittleEndian, Operation};

use crate::Machine;

/// Values on the stack of an expression.
const DEEPEST: usize = 16;

/// The stack of an expression; an allocation for each place of a procedure linkage table would cost more than the rest.
struct Stack {
    values: [Value; DEEPEST],
    len: usize,
}

impl Default for Stack {
    fn default() -> Stack {
        Stack {
            values: [Value::Number(0); DEEPEST],
            len: 0,
        }
    }
}

impl Stack {
    fn push(&mut self, value: Value) -> Option<()> {
        *self.values.get_mut(self.len)? = value;
        self.len += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<Value> {
        self.len = self.len.checked_sub(1)?;
        self.values.get(self.len).copied()
    }
}

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number.
    Number(i64),
    /// The stack pointer plus a number.
    Sp(i64),
    /// The frame pointer plus a number.
    Fp(i64),
    /// The word at the stack pointer plus a number.
    AtSp(i64),
    /// The word at the frame pointer plus a number.
    AtFp(i64),
}

/// The value of an expression, and whether it depends on the program counter, which is `pc`. `None` for what is not
/// understood.
pub(crate) fn evaluate(
    machine: Machine,
    expression: Expression<EndianSlice<'_, LittleEndian>>,
    encoding: gimli::Encoding,
    pc: u64,
) -> Option<(Value, bool)> {
    let mut stack = Stack::default();
    let mut by_pc = false;
    let mut operations = expression.operations(encoding);
    while let Some(operation) = operations.next().ok()? {
        let value = match operation {
            Operation::RegisterOffset {
                register, offset, ..
            } => {
                if register == machine.stack_pointer() {
                    Value::Sp(offset)
                } else if register == machine.frame_pointer() {
                    Value::Fp(offset)
                } else if register == machine.return_address() {
                    by_pc = true;
                    Value::Number((pc as i64).wrapping_add(offset))
                } else {
                    return None;
                }
            }
            Operation::UnsignedConstant { value } => Value::Number(i64::try_from(value).ok()?),
            Operation::SignedConstant { value } => Value::Number(value),
            Operation::PlusConstant { value } => {
                plus(stack.pop()?, Value::Number(i64::try_from(value).ok()?))?
            }
            Operation::Plus => plus(stack.pop()?, stack.pop()?)?,
            Operation::And => numbers(&mut stack, |a, b| Some(a & b))?,
            Operation::Ge => numbers(&mut stack, |a, b| Some(i64::from(a >= b)))?,
            Operation::Shl => numbers(&mut stack, |a, b| a.checked_shl(u32::try_from(b).ok()?))?,
            Operation::Deref { .. } => match stack.pop()? {
                Value::Sp(n) => Value::AtSp(n),
                Value::Fp(n) => Value::AtFp(n),
                Value::Number(_) | Value::AtSp(_) | Value::AtFp(_) => return None,
            },
            _ => return None,
        };
        stack.push(value)?;
    }
    Some((stack.pop()?, by_pc))
}

fn plus(a: Value, b: Value) -> Option<Value> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.checked_add(b).map(Value::Number),
        (Value::Sp(a), Value::Number(b)) | (Value::Number(a), Value::Sp(b)) => {
            a.checked_add(b).map(Value::Sp)
        }
        (Value::Fp(a), Value::Number(b)) | (Value::Number(a), Value::Fp(b)) => {
            a.checked_add(b).map(Value::Fp)
        }
        (Value::Sp(_) | Value::Fp(_) | Value::AtSp(_) | Value::AtFp(_), _)
        | (Value::Number(_), Value::AtSp(_) | Value::AtFp(_)) => None,
    }
}

/// An operation on two numbers; the second was pushed last.
fn numbers(stack: &mut Stack, f: impl Fn(i64, i64) -> Option<i64>) -> Option<Value> {
    match (stack.pop()?, stack.pop()?) {
        (Value::Number(b), Value::Number(a)) => f(a, b).map(Value::Number),
        (Value::Sp(_) | Value::Fp(_) | Value::AtSp(_) | Value::AtFp(_), _)
        | (Value::Number(_), _) => None,
    }
}
