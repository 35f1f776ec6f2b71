//! calibrate(1): runs a loop whose number of instructions is known, and what it does to caches, so that what performance
//! counters say can be compared.

use crate::tool::{Stop, Tool, rows};
use crate::units::{number, seconds};
use cli::{Operands, Word};
use std::ffi::OsString;
use std::time::{Duration, Instant};
use sys::calibrate::{Loop, Work};
use sys::event::Signals;

pub const TOOL: Tool = Tool {
    name: "calibrate",
    summary: "known work for performance counters: registers, bytes in order, bytes anywhere",
    synopsis: "[flags] registers|sequential|scattered",
    operands: Operands::Anywhere,
    flags: || rows(TABLE),
    run: start,
};

cli::flags! {
    Millions "-n" "number" "run so many million instructions, not a time";
    Seconds "-t" "seconds" "run so long: 10 seconds if neither is given";
    Memory "-m" "mbytes" "read so much memory, a power of two: more than caches hold";
    Help "-h" "" "print this text";
}

/// Kinds of work by name.
const WORKS: [(&str, Work); 3] = [
    ("registers", Work::Registers),
    ("sequential", Work::Sequential),
    ("scattered", Work::Scattered),
];
/// Between two looks at the clock: a part of a second, and so many instructions that looking does not count.
const LAP: u64 = 1 << 20;
const SIGNALS: [i32; 2] = [2, 15];

/// What the command line asks for.
struct Asked {
    work: Work,
    /// Turns to make.
    turns: u64,
    /// Time to take.
    time: Duration,
    /// log2 of the bytes to read.
    memory: u32,
}

fn asked(tool: &Tool, typed: Vec<OsString>) -> Result<Asked, Stop> {
    let (mut millions, mut time, mut memory, mut works) = (None, None, None, Vec::new());
    for word in tool.parse(TABLE, typed)? {
        let (row, value) = match word {
            Word::Operand(text) => {
                works.push(work(&text.to_string_lossy())?);
                continue;
            }
            Word::Flag(row, value) => (row, value),
        };
        match row.flag {
            Flag::Millions => millions = Some(number::<u64>("-n", &value)?),
            Flag::Seconds => time = Some(seconds(&value)?),
            Flag::Memory => memory = Some(mebibytes(&value)?),
            Flag::Help => return Err(Stop::Shown(tool.usage())),
        }
    }
    let [work] = works.as_slice() else {
        return Err(Stop::Usage(
            "one of registers, sequential and scattered is needed".to_owned(),
        ));
    };
    let instructions = millions.map(|m| m.saturating_mul(1_000_000));
    let turns = instructions.map(|n| n.div_ceil(work.instructions()));
    let time = match (turns, time) {
        (_, Some(time)) => time,
        (Some(_), None) => Duration::MAX,
        (None, None) => Duration::from_secs(10),
    };
    Ok(Asked {
        work: *work,
        turns: turns.unwrap_or(u64::MAX),
        time,
        memory: memory.unwrap_or_else(|| enough(largest_cache())),
    })
}

/// log2 of the bytes that `-m` asks for.
fn mebibytes(text: &str) -> Result<u32, Stop> {
    let n: u64 = number("-m", text)?;
    if n.is_power_of_two() && n <= 1 << 20 {
        Ok(20 + n.trailing_zeros())
    } else {
        let why = format!("-m takes a power of two, 1048576 at most: {text}");
        Err(Stop::Usage(why))
    }
}

/// log2 of memory of which a cache of so many KiB holds half at most: 256 MiB at least, 16 GiB at most.
fn enough(cache: u64) -> u32 {
    let twice = cache.saturating_mul(2 << 10).max(256 << 20);
    twice.min(16 << 30).next_power_of_two().trailing_zeros()
}

/// KiB of the largest cache that the kernel knows of; 0 if it knows of none.
fn largest_cache() -> u64 {
    let sizes = (0..8).filter_map(|n| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{n}/size");
        let text = std::fs::read_to_string(path).ok()?;
        text.trim().strip_suffix('K')?.parse().ok()
    });
    sizes.max().unwrap_or(0)
}

fn work(name: &str) -> Result<Work, Stop> {
    let named = WORKS.iter().find(|(known, _)| *known == name);
    named
        .map(|(_, work)| *work)
        .ok_or_else(|| Stop::Usage(format!("no such work: {name}")))
}

fn start(tool: &'static Tool, typed: Vec<OsString>) -> Result<u8, Stop> {
    let asked = asked(tool, typed)?;
    let failed = |e: sys::SysError| Stop::Failed(e.to_string());
    let signals = Signals::new(&SIGNALS).map_err(failed)?;
    let mut it = Loop::new(asked.work, asked.memory).map_err(failed)?;
    let lap = LAP / asked.work.instructions();
    let (began, mut made) = (Instant::now(), 0);
    while made < asked.turns && began.elapsed() < asked.time {
        let turns = lap.min(asked.turns - made);
        it.run(turns);
        made += turns;
        if signals.next().map_err(failed)?.is_some() {
            break;
        }
    }
    let took = began.elapsed();
    // The loops would have no result if nobody wanted it.
    std::hint::black_box(it.result());
    Err(Stop::Shown(report(asked.work, asked.memory, made, took)))
}

fn report(work: Work, memory: u32, turns: u64, took: Duration) -> String {
    let instructions = turns * work.instructions();
    let ns = took.as_nanos() as f64 / instructions.max(1) as f64;
    let mut text = format!(
        "{instructions} instructions in user mode ({turns} turns of {}), {:.3} s, {ns:.3} ns each\n",
        work.instructions(),
        took.as_secs_f64()
    );
    match work {
        Work::Registers => {}
        Work::Sequential | Work::Scattered => {
            let bytes = turns * work.bytes();
            let each = took.as_nanos() as f64 / bytes.max(1) as f64;
            text += &format!(
                "{bytes} bytes read, of {} MiB, {each:.3} ns each\n",
                (1u64 << memory) >> 20
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &str) -> Result<Asked, Stop> {
        asked(
            &TOOL,
            words.split_whitespace().map(OsString::from).collect(),
        )
    }

    #[test]
    fn how_much_is_asked_for() {
        let a = typed("-n 3 -m 64 sequential").unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!(
            (a.work, a.memory, a.time),
            (Work::Sequential, 26, Duration::MAX)
        );
        assert_eq!(
            a.turns, 157_895,
            "three million by 19, and one that is not whole"
        );
        let a = typed("registers").unwrap_or_else(|e| panic!("{e:?}"));
        assert_eq!((a.turns, a.time), (u64::MAX, Duration::from_secs(10)));
        assert_eq!(
            [0, 1 << 17, 300 << 10, 1 << 40].map(enough),
            [28, 28, 30, 34]
        );
        for wrong in [
            "",
            "-n 1",
            "registers scattered",
            "random",
            "-m 3 scattered",
            "-n x registers",
            "-t 0 registers",
        ] {
            assert!(matches!(typed(wrong), Err(Stop::Usage(_))), "{wrong}");
        }
    }

    #[test]
    fn reports() {
        let text = report(Work::Sequential, 28, 1_000_000, Duration::from_millis(19));
        assert_eq!(
            text,
            "19000000 instructions in user mode (1000000 turns of 19), 0.019 s, 1.000 ns each\n\
             8000000 bytes read, of 256 MiB, 2.375 ns each\n"
        );
        assert_eq!(
            report(Work::Registers, 12, 0, Duration::ZERO)
                .lines()
                .count(),
            1
        );
    }
}
