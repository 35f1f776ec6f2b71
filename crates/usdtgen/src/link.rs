//! The object of `dtrace -G`.

use crate::machine::Machine;
use crate::{notes, semaphore};
use object::read::{Object as _, ObjectSection as _, ObjectSymbol as _};
use object::write::{
    Comdat, Object, Relocation, SectionId, StandardSection, Symbol, SymbolId, SymbolSection,
};
use object::{BinaryFormat, ComdatKind, Endianness, ObjectKind, SectionKind, elf};
use object::{SymbolFlags, SymbolKind, SymbolScope};
use sema::{Interface, InterfaceProbe};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Why there is no object.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// No site at all.
    #[error("No probe sites found for declared provider")]
    NoProbes,
    /// The objects have a probe that the provider's definition lacks.
    #[error("{}: probe {provider}:::{probe} is not declared", object.display())]
    Undeclared {
        /// Object with the site.
        object: PathBuf,
        /// Provider.
        provider: String,
        /// Probe.
        probe: String,
    },
    /// A file that no application is linked from.
    #[error("{}: {why}", object.display())]
    Object {
        /// The file.
        object: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The object could not be put together.
    #[error("failed to write the object: {0}")]
    Write(#[from] object::write::Error),
}

/// What the application's objects have.
#[derive(Default)]
struct Sites {
    machine: Option<Machine>,
    /// Provider and probe of sites.
    sites: BTreeSet<(String, String)>,
    /// Symbols of old headers that are called.
    called: BTreeSet<String>,
}

/// Makes the object for an application of these objects (path and contents).
pub fn link(providers: &[Interface], objects: &[(PathBuf, Vec<u8>)]) -> Result<Vec<u8>, LinkError> {
    let mut found = Sites::default();
    for (path, bytes) in objects {
        found.read(providers, path, bytes)?;
    }
    let machine = found.machine.ok_or(LinkError::NoProbes)?;
    let mut out = Output::new(machine);
    let mut any = false;
    for provider in providers {
        out.interface(provider);
        for probe in &provider.probes {
            let site = found
                .sites
                .contains(&(provider.name.clone(), probe.name.clone()));
            let called = found.called.contains(&fire(provider, probe));
            any |= site || called;
            out.probe(provider, probe, &found)?;
        }
    }
    if !any {
        return Err(LinkError::NoProbes);
    }
    Ok(out.object.write()?)
}

/// What becomes an object only when the program is linked.
const LTO: &str = "compiled for link-time optimisation, it has no code yet (compile with -ffat-lto-objects or without -flto; \
    the header of dtrace -h needs no -G)";

/// What is wrong with a file that is no object but often taken for one.
fn foreign(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        // LLVM's bitcode, bare and with a header.
        [b'B', b'C', 0xc0, 0xde, ..] | [0xde, 0xc0, 0x17, 0x0b, ..] => Some(LTO),
        _ if bytes.starts_with(b"!<arch>\n") => Some("an archive: name the objects in it"),
        _ => None,
    }
}

/// The function of old headers.
fn fire(provider: &Interface, probe: &InterfaceProbe) -> String {
    format!("__dtrace_{}___{}", provider.name, probe.name)
}

fn enabled(provider: &Interface, probe: &InterfaceProbe) -> String {
    format!("__dtraceenabled_{}___{}", provider.name, probe.name)
}

impl Sites {
    fn read(
        &mut self,
        providers: &[Interface],
        path: &Path,
        bytes: &[u8],
    ) -> Result<(), LinkError> {
        let bad = |why: &str| LinkError::Object {
            object: path.to_owned(),
            why: why.to_owned(),
        };
        if let Some(why) = foreign(bytes) {
            return Err(bad(why));
        }
        let file = object::File::parse(bytes).map_err(|_| bad("not an object file"))?;
        if file.format() != BinaryFormat::Elf || file.kind() != ObjectKind::Relocatable {
            return Err(bad("not a relocatable ELF object"));
        }
        let machine = Machine::of(file.architecture())
            .filter(|_| file.is_64() && file.is_little_endian())
            .ok_or_else(|| bad("an object of a machine that is not supported"))?;
        if self.machine.is_some_and(|other| other != machine) {
            return Err(bad("an object of another machine than those before it"));
        }
        // Its code is made when the program is linked, and so are the notes of its sites.
        if file.symbols().any(|s| s.name() == Ok("__gnu_lto_slim")) {
            return Err(bad(LTO));
        }
        self.machine = Some(machine);
        let declared = |provider: &str, probe: &str| {
            let own = providers.iter().find(|p| p.name == provider);
            own.map(|p| p.probes.iter().any(|known| known.name == probe))
        };
        // A section of notes for each group of functions.
        for section in file.sections().filter(|s| s.name() == Ok(".note.stapsdt")) {
            let data = section.data().map_err(|_| bad("damaged notes"))?;
            for (provider, probe) in notes::sites(data) {
                match declared(&provider, &probe) {
                    Some(true) => {
                        self.sites.insert((provider, probe));
                    }
                    Some(false) => {
                        return Err(LinkError::Undeclared {
                            object: path.to_owned(),
                            provider,
                            probe,
                        });
                    }
                    None => {}
                }
            }
        }
        for symbol in file.symbols().filter(|s| s.is_undefined()) {
            let name = symbol.name().unwrap_or_default();
            let call = name
                .strip_prefix("__dtrace_")
                .or_else(|| name.strip_prefix("__dtraceenabled_"));
            let Some((provider, probe)) = call.and_then(|rest| rest.split_once("___")) else {
                continue;
            };
            if declared(provider, probe) == Some(false) {
                return Err(LinkError::Undeclared {
                    object: path.to_owned(),
                    provider: provider.to_owned(),
                    probe: probe.to_owned(),
                });
            }
            self.called.insert(name.to_owned());
        }
        Ok(())
    }
}

/// The object in the making.
struct Output {
    machine: Machine,
    object: Object<'static>,
    semaphores: SectionId,
    /// `_.stapsdt.base`, once a note needs it.
    base: Option<SymbolId>,
}

impl Output {
    fn new(machine: Machine) -> Output {
        let mut object = Object::new(
            BinaryFormat::Elf,
            machine.architecture(),
            Endianness::Little,
        );
        let semaphores = object.add_section(Vec::new(), b".probes".to_vec(), SectionKind::Data);
        // Without it the linker makes the stack executable.
        object.add_section(Vec::new(), b".note.GNU-stack".to_vec(), SectionKind::Other);
        Output {
            machine,
            object,
            semaphores,
            base: None,
        }
    }

    fn symbol(&mut self, name: &str, kind: SymbolKind, section: SymbolSection) -> Symbol {
        Symbol {
            name: name.as_bytes().to_vec(),
            value: 0,
            size: 0,
            kind,
            // Within the program or library that the object becomes a part of.
            scope: SymbolScope::Linkage,
            weak: false,
            section,
            flags: SymbolFlags::None,
        }
    }

    fn interface(&mut self, provider: &Interface) {
        let section =
            self.object
                .add_section(Vec::new(), b".note.dtrace".to_vec(), SectionKind::Note);
        self.object.section_mut(section).flags = object::SectionFlags::Elf {
            sh_type: elf::SHT_NOTE,
            sh_flags: elf::SHF_ALLOC,
        };
        self.object
            .append_section_data(section, &notes::interface(&provider.text), 4);
    }

    fn probe(
        &mut self,
        provider: &Interface,
        probe: &InterfaceProbe,
        found: &Sites,
    ) -> Result<(), LinkError> {
        let name = semaphore(&provider.name, &probe.name);
        let section = SymbolSection::Section(self.semaphores);
        let symbol = self.symbol(&name, SymbolKind::Data, section);
        let counter = self.object.add_symbol(symbol);
        self.object
            .add_symbol_data(counter, self.semaphores, &[0, 0], 2);
        let function = fire(provider, probe);
        if found.called.contains(&function) {
            let site = self.function(&function, self.machine.fire());
            self.note(provider, probe, (site, counter))?;
        }
        let function = enabled(provider, probe);
        if found.called.contains(&function) {
            let (code, fixups) = self.machine.enabled();
            let at = self.function(&function, code);
            let text = self.object.section_id(StandardSection::Text);
            let start = self.object.symbol(at).value;
            for (offset, flags, addend) in fixups {
                self.relocate(text, start + offset, counter, addend, flags)?;
            }
        }
        Ok(())
    }

    fn function(&mut self, name: &str, code: &[u8]) -> SymbolId {
        let text = self.object.section_id(StandardSection::Text);
        let symbol = self.symbol(name, SymbolKind::Text, SymbolSection::Section(text));
        let id = self.object.add_symbol(symbol);
        self.object.add_symbol_data(id, text, code, 16);
        id
    }

    fn relocate(
        &mut self,
        section: SectionId,
        offset: u64,
        symbol: SymbolId,
        addend: i64,
        flags: object::RelocationFlags,
    ) -> Result<(), LinkError> {
        let relocation = Relocation {
            offset,
            symbol,
            addend,
            flags,
        };
        Ok(self.object.add_relocation(section, relocation)?)
    }

    fn note(
        &mut self,
        provider: &Interface,
        probe: &InterfaceProbe,
        (site, counter): (SymbolId, SymbolId),
    ) -> Result<(), LinkError> {
        let base = self.base();
        let notes =
            self.object
                .add_section(Vec::new(), b".note.stapsdt".to_vec(), SectionKind::Note);
        let args = self.machine.arguments(&probe.args);
        let (bytes, addresses) = notes::site(&provider.name, &probe.name, &args);
        let at = self.object.append_section_data(notes, &bytes, 4);
        let absolute = self.machine.absolute();
        for (n, symbol) in (0..).zip([site, base, counter]) {
            self.relocate(notes, at + addresses as u64 + 8 * n, symbol, 0, absolute)?;
        }
        Ok(())
    }

    /// `_.stapsdt.base`, which all objects of a program share.
    fn base(&mut self) -> SymbolId {
        const SECTION: &[u8] = b".stapsdt.base";
        if let Some(base) = self.base {
            return base;
        }
        let section =
            self.object
                .add_section(Vec::new(), SECTION.to_vec(), SectionKind::ReadOnlyData);
        self.object.section_mut(section).flags = object::SectionFlags::Elf {
            sh_type: elf::SHT_PROGBITS,
            sh_flags: elf::SHF_ALLOC | elf::SHF_GROUP,
        };
        let mut group = self.symbol(
            ".stapsdt.base",
            SymbolKind::Label,
            SymbolSection::Section(section),
        );
        group.scope = SymbolScope::Compilation;
        let group = self.object.add_symbol(group);
        self.object.add_comdat(Comdat {
            kind: ComdatKind::Any,
            sections: vec![section],
            symbol: group,
        });
        let mut symbol = self.symbol(
            "_.stapsdt.base",
            SymbolKind::Data,
            SymbolSection::Section(section),
        );
        symbol.weak = true;
        let base = self.object.add_symbol(symbol);
        self.object.add_symbol_data(base, section, &[0], 1);
        self.base = Some(base);
        base
    }
}
