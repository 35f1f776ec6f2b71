//! Pseudo-random numbers, and how long a fuzzer runs.

use std::time::{Duration, Instant};

/// A small generator (splitmix64).
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    /// The same numbers for the same seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635)
    }

    /// The next number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let v = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let v = (v ^ (v >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        v ^ (v >> 31)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.word() % n.max(1) as u64) as usize
    }

    /// True once in `n` times.
    pub fn chance(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }

    /// A number, with those at the edges of the integer types more often.
    pub fn number(&mut self) -> i64 {
        const EDGES: [i64; 9] = [
            0,
            1,
            -1,
            2,
            i64::MAX,
            i64::MIN,
            u32::MAX as i64,
            i32::MAX as i64,
            i32::MIN as i64,
        ];
        match self.below(5) {
            0 => EDGES[self.below(EDGES.len())],
            1 => (self.word() % 256) as i64 - 128,
            2 => {
                let power = 1i64 << self.below(63);
                let near = power + self.below(3) as i64 - 1;
                if self.chance(2) { -near } else { near }
            }
            3 => (self.word() as i64) >> self.below(64),
            _ => self.word() as i64,
        }
    }
}

/// The seeds of one run, until its time is over.
pub struct Run {
    next: u64,
    end: Instant,
    only: bool,
    ran: u64,
}

impl Run {
    /// As `FUZZ_SECONDS` and `FUZZ_SEED` say; `seconds` otherwise.
    pub fn new(seconds: u64) -> Run {
        let var = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
        let seconds = var("FUZZ_SECONDS").unwrap_or(seconds);
        let start = var("FUZZ_START").unwrap_or_else(|| {
            let now = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
            now.as_nanos() as u64 >> 10 & 0xffff_ffff
        });
        let seed = var("FUZZ_SEED");
        Run {
            next: seed.unwrap_or(start),
            end: Instant::now() + Duration::from_secs(seconds),
            only: seed.is_some(),
            ran: 0,
        }
    }
}

impl Iterator for Run {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let over = if self.only {
            self.ran > 0
        } else {
            Instant::now() >= self.end
        };
        if over {
            return None;
        }
        self.ran += 1;
        self.next += 1;
        Some(self.next - 1)
    }
}
