//! Probes that come while tracing: libraries that a process loads, programs that it becomes, and processes that start
//! where a pattern asks for all of them.
//!
//! Processes are looked at every now and then, more seldom where that takes long; so the first calls after a library was
//! loaded may not be seen.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Run;
use crate::compile::{self, Compilation};
use crate::world::SystemWorld;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(20);
/// Between two looks passes so many times what one takes.
const SHARE: u32 = 4;

/// What is needed to compile again.
pub struct Late<'a> {
    compilation: Compilation,
    world: &'a mut SystemWorld,
    generation: u32,
    /// When to look; `None`: no description asks for processes.
    next: Option<Instant>,
}

impl<'a> Late<'a> {
    /// For a compilation that begins to run.
    pub fn new(compilation: Compilation, world: &'a mut SystemWorld) -> Late<'a> {
        let next = world.watches().then(Instant::now);
        Late {
            compilation,
            world,
            generation: 0,
            next,
        }
    }

    /// When to look, at the latest.
    pub fn next(&self, otherwise: Instant) -> Instant {
        self.next.map_or(otherwise, |next| next.min(otherwise))
    }
}

impl Run<'_> {
    /// Looks for code that was mapped since, if it is time.
    pub(super) fn look_for_code(&mut self) {
        let now = Instant::now();
        if self.late.next.is_none_or(|next| now < next) {
            return;
        }
        if self.late.world.refresh()
            && let Err(why) = self.extend()
        {
            let text = format!(
                "failed to enable probes that were found later: {why}; no more of them are looked for"
            );
            self.host.front.message(&text);
            self.late.next = None;
            return;
        }
        let took = now.elapsed();
        self.late.next = Some(Instant::now() + LOOK.max(took * SHARE));
    }

    /// Compiles again, and adds what is new.
    fn extend(&mut self) -> Result<(), String> {
        let target = self.victims.target();
        let options = &*self.host.options;
        let late = &mut self.late;
        let program = compile::again(&late.compilation, options, late.world, target)?;
        let points = |e: &sema::hir::EnabledProbe| e.probe.points.len();
        let known: usize = self.image.probes.iter().map(|p| p.points.len()).sum();
        if program.probes.iter().map(points).sum::<usize>() == known {
            return Ok(());
        }
        late.generation += 1;
        let budget = compile::budget(options);
        let mut image = compile::image(&program, late.world, &budget, late.generation)?;
        self.loaded
            .extend(&self.image, &image)
            .map_err(|e| e.to_string())?;
        // The programs of the first compilation go on.
        image.programs.clone_from(&self.image.programs);
        image.maps.clone_from(&self.image.maps);
        image.aggs.clone_from(&self.image.aggs);
        let image = Arc::new(image);
        self.consumer.extend(Arc::clone(&image));
        self.image = image;
        self.report_refused();
        Ok(())
    }
}
