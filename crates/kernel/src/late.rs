//! Probes that are found while tracing: code that a process maps later.
//!
//! The program text is compiled again with the probes that there are now. What it remembers is in the maps, so the new
//! programs get those of the old ones and only constants and working memory of their own; they are attached to the new
//! points, next to the old programs.

use image::{Image, MapRole, Site};

use crate::attach::Targets;
use crate::error::{LoadError, bad_image};
use crate::load::{Loaded, Program, load_program, place_part};
use crate::maps::{self, LoadedMap, MapOptions};
use crate::uprobes;

/// Programs of a later compilation, and the maps that they do not share.
#[derive(Debug)]
pub(crate) struct Late {
    // Order matters: programs go before the maps.
    _programs: Vec<Program>,
    _maps: Vec<LoadedMap>,
}

/// Whether every compilation has its own.
fn is_own(role: MapRole) -> bool {
    matches!(role, MapRole::Rodata | MapRole::Scratch | MapRole::Parts)
}

impl Loaded {
    /// Adds what `new`, a later compilation of the program of `old`, attaches to more user-space points.
    pub fn extend(&mut self, old: &Image, new: &Image) -> Result<(), LoadError> {
        let same = old
            .probes
            .iter()
            .zip(&new.probes)
            .all(|(a, b)| a.id == b.id);
        if !same || new.probes.len() < old.probes.len() || new.clauses.len() != old.clauses.len() {
            return Err(bad_image("a later compilation does not continue the first"));
        }
        let maps = self.shared_maps(old, new)?;
        let mut programs = Vec::new();
        for (index, def) in new.programs.iter().enumerate() {
            if def.site == Site::User {
                let mut program = load_program(index, def, new, &maps, &Targets::default())?;
                program
                    .attachments
                    .retain(|a| !self.attached.contains(&(a.probe, a.point.clone())));
                if let Some(part) = def.part {
                    place_part(part, &program, &maps)?;
                }
                programs.push(program);
            }
        }
        let events = self.links.events.len();
        for program in programs.iter().filter(|p| p.fires) {
            uprobes::attach(program, &mut self.links)?;
            let points = program.attachments.iter();
            self.attached
                .extend(points.map(|a| (a.probe, a.point.clone())));
        }
        for event in self.links.events.iter().skip(events) {
            sys::perf::enable(std::os::fd::AsFd::as_fd(event))?;
        }
        self.late.push(Late {
            _programs: programs,
            _maps: maps,
        });
        Ok(())
    }

    fn shared_maps(&self, old: &Image, new: &Image) -> Result<Vec<LoadedMap>, LoadError> {
        let options = MapOptions {
            cpus: self.cpus,
            lazy_aggregations: false,
        };
        let one = |def: &image::MapDef| {
            let place = old.maps.iter().position(|m| m.role == def.role);
            let known = place.filter(|_| !is_own(def.role));
            let Some((known, was)) =
                known.and_then(|n| Some((self.maps.get(n)?, old.maps.get(n)?)))
            else {
                return maps::create(def, options);
            };
            if (was.key_size, was.value_size) != (def.key_size, def.value_size) {
                return Err(bad_image(format!("map {} has changed", def.name)));
            }
            Ok(known.share()?)
        };
        new.maps.iter().map(one).collect()
    }
}
