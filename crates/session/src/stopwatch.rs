//! What starting took (`-xtimes`): the time of each step, and the CPU time of all.

use std::fmt::Write;
use std::time::{Duration, Instant};

/// Measures the steps of a start.
#[derive(Debug)]
pub struct Stopwatch {
    last: Instant,
    last_cpu: Duration,
    laps: Vec<Lap>,
}

#[derive(Debug)]
struct Lap {
    step: &'static str,
    wall: Duration,
    cpu: Duration,
}

impl Default for Stopwatch {
    fn default() -> Stopwatch {
        Stopwatch {
            last: Instant::now(),
            last_cpu: Duration::ZERO,
            laps: Vec::new(),
        }
    }
}

impl Stopwatch {
    /// A step is done; `cpu` is what the process has used until now.
    pub fn lap(&mut self, step: &'static str, cpu: Duration) {
        let now = Instant::now();
        let wall = now - std::mem::replace(&mut self.last, now);
        let cpu = cpu.saturating_sub(std::mem::replace(&mut self.last_cpu, cpu));
        self.laps.push(Lap { step, wall, cpu });
    }

    /// All steps: milliseconds that passed, and in parentheses those of CPU time of all threads.
    pub fn report(&self) -> String {
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let all: Duration = self.laps.iter().map(|lap| lap.wall).sum();
        let mut text = format!("started in {:.1} ms ({:.1})", ms(all), ms(self.last_cpu));
        for (n, lap) in self.laps.iter().enumerate() {
            let before = if n == 0 { ':' } else { ',' };
            let (wall, cpu) = (ms(lap.wall), ms(lap.cpu));
            // Writing to a string does not fail.
            let _ = write!(text, "{before} {} {wall:.1} ({cpu:.1})", lap.step);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_their_order_with_their_cpu_time() {
        let mut watch = Stopwatch::default();
        watch.lap("compile", Duration::from_micros(1_200));
        watch.lap("load", Duration::from_micros(4_800));
        let text = watch.report();
        let steps: Vec<&str> = text.split([':', ',']).collect();
        assert!(steps[0].ends_with("(4.8)"), "{text}");
        assert!(
            steps[1].starts_with(" compile ") && steps[1].ends_with(" (1.2)"),
            "{text}"
        );
        assert!(
            steps[2].starts_with(" load ") && steps[2].ends_with(" (3.6)"),
            "{text}"
        );
    }
}
