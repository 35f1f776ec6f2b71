//! From a C type to the shape that `print()` shows.

use ctypes::{Kind, TypeId};
use image::print::{PrintMember, PrintShape, PrintType};

use crate::compiler::Compiler;

/// Structures nest at most this deep.
const MAX_DEPTH: u32 = 16;
/// Members described at most, over the whole type.
const MAX_NODES: u32 = 20_000;

impl Compiler<'_> {
    /// The shape of a type.
    pub(crate) fn print_type(&mut self, ty: TypeId) -> PrintType {
        let mut budget = MAX_NODES;
        self.shape(ty, MAX_DEPTH, &mut budget)
    }

    fn shape(&mut self, ty: TypeId, depth: u32, budget: &mut u32) -> PrintType {
        let name = self.graph.name(ty);
        if depth == 0 || *budget == 0 {
            return PrintType {
                name,
                shape: PrintShape::Unknown,
            };
        }
        *budget -= 1;
        let shape = match self.graph.base(ty).clone() {
            // What is declared as unsigned char holds bytes, not text.
            Kind::Int(i) => PrintShape::Int {
                bytes: i.bytes,
                signed: i.signed,
                char_like: i.char_like
                    && self.graph.name(self.graph.resolve(ty)) != "unsigned char",
            },
            Kind::Float { bytes, .. } => PrintShape::Float {
                bytes: u8::try_from(bytes).unwrap_or(u8::MAX),
            },
            Kind::Pointer { to, .. } => PrintShape::Pointer {
                function: matches!(self.graph.base(to), Kind::Func { .. }),
            },
            Kind::Func { .. } => PrintShape::Pointer { function: true },
            Kind::Enum(e) => PrintShape::Enum {
                bytes: e.bytes,
                names: e.items.to_vec(),
            },
            Kind::String => PrintShape::Str,
            Kind::Array { elem, len } => PrintShape::Array {
                stride: self
                    .graph
                    .stored_size(elem)
                    .and_then(|n| u32::try_from(n).ok())
                    .unwrap_or(0),
                len: u32::try_from(len).unwrap_or(u32::MAX),
                elem: Box::new(self.shape(elem, depth - 1, budget)),
            },
            Kind::Composite(_) => self.members_shape(ty, depth, budget),
            Kind::Forward { .. } => PrintShape::Forward,
            Kind::Void | Kind::Dyn | Kind::Stack | Kind::SymAddr | Kind::UsymAddr => {
                PrintShape::Unknown
            }
            // `base` strips these.
            Kind::Typedef { .. } | Kind::Const(_) | Kind::Volatile(_) | Kind::Restrict(_) => {
                PrintShape::Unknown
            }
        };
        PrintType { name, shape }
    }

    fn members_shape(&mut self, ty: TypeId, depth: u32, budget: &mut u32) -> PrintShape {
        let Some(members) = self.graph.members(ty) else {
            return PrintShape::Forward;
        };
        let members = members
            .iter()
            .map(|m| PrintMember {
                name: m.name.clone(),
                bit_offset: u32::try_from(m.bit_offset).unwrap_or(u32::MAX),
                bits: u32::from(m.bits.unwrap_or(0)),
                ty: self.shape(m.ty, depth - 1, budget),
            })
            .collect();
        PrintShape::Struct { members }
    }
}
