//! Threads that spin where nothing else runs, so that counts of the system are not those of its idle loop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

/// A thread for each CPU. They end with the process.
pub struct Soakers {
    spin: Arc<AtomicBool>,
    threads: Vec<Thread>,
}

/// Bytes of stack of each.
const STACK: usize = 64 * 1024;

impl Soakers {
    /// Starts them; they sleep.
    pub fn start(cpus: &[u32]) -> Soakers {
        let spin = Arc::new(AtomicBool::new(false));
        let start = |cpu: &u32| {
            let (cpu, spin) = (*cpu, Arc::clone(&spin));
            let builder = std::thread::Builder::new().stack_size(STACK);
            let thread = builder.spawn(move || soak(cpu, &spin)).ok()?;
            Some(thread.thread().clone())
        };
        let threads = cpus.iter().filter_map(start).collect();
        Soakers { spin, threads }
    }

    /// Lets them spin, or sleep.
    pub fn set(&self, spin: bool) {
        self.spin.store(spin, Ordering::Relaxed);
        self.threads.iter().for_each(Thread::unpark);
    }
}

fn soak(cpu: u32, spin: &AtomicBool) {
    // One that runs elsewhere, or before others, would disturb what is measured.
    if sys::proc::bind_to_cpu(cpu).is_err() || sys::proc::idle().is_err() {
        return;
    }
    loop {
        while spin.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
        std::thread::park();
    }
}
