//! Start to exit of a program that does nothing: wall clock and peak memory.

use crate::Result;
use crate::measure::or_note;
use crate::report::{Bar, Row, median};
use crate::tool::{Env, Script, Tool};

const SCRIPT: Script = Script {
    d: "BEGIN { exit(0); }",
    bt: "BEGIN { exit(); }",
};
const RUNS: usize = 15;
const MB: f64 = 1e6;

pub fn rows(env: &Env) -> Result<Vec<Row>> {
    let mut wall = Row::new("BEGIN { exit(0); }: wall (ms)", Bar::AtMost(20.0));
    let mut rss = Row::new("BEGIN { exit(0); }: peak RSS (MB)", Bar::AtMost(25.0));
    let ours = or_note("startup", runs(env, Tool::Dtrace));
    let theirs = or_note("startup", runs(env, Tool::Bpftrace));
    (wall.ours, rss.ours) = ours.unzip();
    (wall.bpftrace, rss.bpftrace) = theirs.unzip();
    Ok(vec![wall, rss])
}

fn runs(env: &Env, tool: Tool) -> Result<Option<(f64, f64)>> {
    let (mut walls, mut peaks) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let Some(done) = env.run(tool, SCRIPT)? else {
            return Ok(None);
        };
        walls.push(done.wall.as_secs_f64() * 1e3);
        peaks.push(done.peak_rss as f64 / MB);
    }
    Ok(median(walls).zip(median(peaks)))
}
