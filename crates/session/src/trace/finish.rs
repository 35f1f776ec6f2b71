//! The end of a run, and the reports of what was lost.

use super::{Run, TraceError, aborted};
use crate::host::KernelAggs;
use crate::read::Next;
use image::Site;

impl Run<'_> {
    /// Stops tracing, reads all that was recorded, runs END, prints the rest. Gives the exit status.
    pub(super) fn finish(mut self) -> Result<i32, TraceError> {
        let exiting = self.loaded.exiting();
        let (mut status, cpu) = (self.loaded.exit_status(), self.loaded.exit_cpu());
        self.loaded.close();
        self.closed = Some(sys::time::monotonic_ns());
        self.loaded.detach();
        self.drain(true)?;
        self.idle()?;
        self.run_site(&Site::End, exiting.then_some(cpu))?;
        self.drain(true)?;
        self.idle()?;
        let exited_in_end = self.loaded.exiting();
        if exited_in_end {
            status = self.loaded.exit_status();
        }
        self.report_drops()?;
        self.give_records()?;
        self.give(|reader, view| reader.finish(view).map(|()| Next::Stop))?;
        let mut source = KernelAggs {
            loaded: &self.loaded,
            image: &self.image,
        };
        self.consumer
            .finish(&mut self.out, &mut source, &mut self.host)?;
        let told = if exiting || exited_in_end {
            Some(status)
        } else {
            self.exited
        };
        Ok(told.unwrap_or(0))
    }

    /// Reports what was lost since the last time.
    pub(super) fn report_drops(&mut self) -> Result<(), TraceError> {
        let by_cpu = self.loaded.drops();
        self.consumer
            .drops(&by_cpu, &mut self.out, &mut self.host)?;
        for (program, missed) in self.image.programs.iter().zip(self.loaded.missed_firings()) {
            if missed > 0 {
                self.missed += missed;
                let plural = if missed == 1 { "" } else { "s" };
                let text = format!(
                    "{missed} firing{plural} missed at {}: its program was running on the CPU already",
                    place(&program.site)
                );
                self.out.flush().map_err(aborted)?;
                self.host.front.message(&text);
            }
        }
        Ok(())
    }
}

/// What messages call a site.
fn place(site: &Site) -> String {
    let text = match site {
        Site::Begin => "BEGIN",
        Site::End => "END",
        Site::Error => "ERROR",
        Site::Tick { .. } => "tick",
        Site::Profile { .. } => "profile",
        Site::Counter(_) => "a performance counter",
        Site::SyscallEntry => "the entry of system calls",
        Site::SyscallReturn => "the return of system calls",
        Site::Tracepoint { name, .. }
        | Site::KernelFunction { name, .. }
        | Site::KernelProbe { name, .. } => name,
        Site::KernelFunctions { .. } => "kernel functions",
        Site::User | Site::UserPlace { .. } => "points of processes",
    };
    text.to_owned()
}
