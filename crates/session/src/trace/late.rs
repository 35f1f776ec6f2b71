//! Probes that come while tracing: libraries that a process loads, programs that it becomes, and files with probes that a
//! process maps where a pattern asks for all of them.
//!
//! The kernel tells what is mapped, started and run, so what is new is attached a few milliseconds later; first calls may not
//! be seen. Where it does not tell, processes are looked at every now and then, more seldom where that takes long.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::{Duration, Instant};

use symbols::events::Watch;

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
    /// What tells of processes; `None`: nobody asks, or the kernel does not tell.
    watch: Option<Watch>,
    /// When to look; `None`: no need to.
    next: Option<Instant>,
}

impl<'a> Late<'a> {
    /// For a compilation that begins to run.
    pub fn new(compilation: Compilation, world: &'a mut SystemWorld) -> Late<'a> {
        let watches = world.watches();
        Late {
            compilation,
            world,
            generation: 0,
            watch: watches.then(|| Watch::open_prompt().ok()).flatten(),
            // What came since the compilation, nobody has told of.
            next: watches.then(Instant::now),
        }
    }

    /// When to look, at the latest.
    pub fn next(&self, otherwise: Instant) -> Instant {
        self.next.map_or(otherwise, |next| next.min(otherwise))
    }

    /// What is readable when there is something to look at.
    pub fn fds(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.watch.iter().flat_map(Watch::fds)
    }

    /// Whether there may be more probes than before.
    fn has_news(&mut self) -> bool {
        let now = Instant::now();
        let due = self.next.is_some_and(|next| next <= now);
        let told = self.watch.as_mut().map(Watch::take).unwrap_or_default();
        if due {
            let news = self.world.refresh();
            self.next = match self.watch {
                Some(_) => None,
                None => Some(Instant::now() + LOOK.max(now.elapsed() * SHARE)),
            };
            return news;
        }
        !told.is_empty() && self.world.heard(&told)
    }

    fn stop(&mut self) {
        self.watch = None;
        self.next = None;
    }
}

impl Run<'_> {
    /// Looks for code that was mapped since.
    pub(super) fn look_for_code(&mut self) {
        if self.late.has_news()
            && let Err(why) = self.extend()
        {
            let text = format!(
                "failed to enable probes that were found later: {why}; no more of them are looked for"
            );
            self.host.front.message(&text);
            self.late.stop();
        }
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
