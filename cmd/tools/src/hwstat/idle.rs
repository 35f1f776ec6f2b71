//! How long CPUs have been idle, from `/proc/stat` (proc(5)).

use std::collections::BTreeMap;

/// For each CPU that is online, so many ticks of the clock: in all, and idle.
pub fn read() -> BTreeMap<u32, (u64, u64)> {
    parse(&std::fs::read_to_string("/proc/stat").unwrap_or_default())
}

fn parse(text: &str) -> BTreeMap<u32, (u64, u64)> {
    text.lines().filter_map(line).collect()
}

/// `cpuN user nice system idle iowait irq softirq steal …`; what guests take is in `user` already.
fn line(text: &str) -> Option<(u32, (u64, u64))> {
    let mut words = text.split_whitespace();
    let cpu = words.next()?.strip_prefix("cpu")?.parse().ok()?;
    let ticks: Vec<u64> = words.take(8).filter_map(|word| word.parse().ok()).collect();
    let [_, _, _, idle, waiting, ..] = ticks.as_slice() else {
        return None;
    };
    Some((cpu, (ticks.iter().sum(), idle + waiting)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_is_what_waits_too() {
        let text = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 3 40 5 6 7 8 9 10\ncpu12 1 1 1 1 1 1 1 1 0 0\nintr 5\n";
        let read = parse(text);
        assert_eq!(read.get(&0), Some(&(72, 45)));
        assert_eq!(read.get(&12), Some(&(8, 2)));
        assert_eq!(read.len(), 2);
    }
}
