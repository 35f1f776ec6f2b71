//! `--dump` and `-S`: the stages of a compilation as text.

use crate::compile::Compilation;
use image::{Image, ProgramDef};
use std::fmt::Write;

/// A stage of compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Syntax trees.
    Ast,
    /// The typed program.
    Typed,
    /// The optimised intermediate form.
    Ir,
    /// BPF instructions.
    Asm,
}

impl Stage {
    /// Every stage, in the order in which they happen.
    pub const ALL: [Stage; 4] = [Stage::Ast, Stage::Typed, Stage::Ir, Stage::Asm];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Ast => "ast",
            Stage::Typed => "typed",
            Stage::Ir => "ir",
            Stage::Asm => "asm",
        }
    }

    /// The stage of that name.
    pub fn parse(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// Syntax trees of all texts.
pub fn ast(compilation: &Compilation) -> String {
    compilation
        .texts
        .iter()
        .map(|t| syntax::dump(&t.unit))
        .collect()
}

/// The typed program.
pub fn typed(compilation: &Compilation) -> String {
    let mut text = sema::dump(&compilation.program);
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// All programs as instructions, with source lines and the names of maps.
pub fn asm(image: &Image) -> String {
    let mut text = String::new();
    for program in &image.programs {
        listing(image, program, &mut text);
    }
    text
}

fn listing(image: &Image, program: &ProgramDef, text: &mut String) {
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nprogram {} ({:?}): {} instructions",
        program.name,
        program.site,
        program.insns.len()
    );
    let mut asm = bpf::disasm(&program.insns);
    for reloc in &program.relocs {
        let name = image
            .maps
            .get(reloc.map as usize)
            .map_or("?", |m| m.name.as_str());
        let label = match reloc.value_off {
            Some(offset) => format!("{name}+{offset}"),
            None => name.to_owned(),
        };
        asm = asm.map(reloc.insn as usize, label);
    }
    let _ = write!(text, "{asm}");
    if !text.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_have_names() {
        for stage in Stage::ALL {
            assert_eq!(Stage::parse(stage.name()), Some(stage));
        }
        assert_eq!(Stage::parse("llvm"), None);
    }
}
