//! What cpustat and cputrack share: lists of events, columns of counts, the list of this machine's events.

use crate::tool::{Stop, Tool};
use counters::events::{ROWS, Row, SOFTWARE};
use counters::{Count, Event, Known, Set, Sets, Unit};
use std::fmt::Write as _;
use sys::errno;

/// Width of a count, its mark not included.
const WIDTH: usize = 12;

/// What both commands are asked for.
#[derive(Default)]
pub struct Lists {
    /// `-c`, as typed.
    pub texts: Vec<String>,
    /// `-t`: cycles as well.
    pub cycles: bool,
    /// `-D`: tell how they are counted.
    pub debug: bool,
}

impl Lists {
    /// The lists, for a machine with these units.
    pub fn parsed(&self, units: &[Unit]) -> Result<Vec<Set>, Stop> {
        if self.texts.is_empty() {
            return Err(Stop::Usage("no events: name them with -c".to_owned()));
        }
        let parsed = self.texts.iter().map(|text| {
            let set = Set::parse(text, units);
            let set = set.map_err(|e| Stop::Usage(format!("-c {text}: {e}")))?;
            Ok(match self.cycles {
                true => set.with_cycles(units),
                false => set,
            })
        });
        parsed.collect()
    }

    /// The same, tried on this machine; in threads if `threads`, else on CPUs.
    pub fn tried(&self, tool: &Tool, threads: bool) -> Result<Sets, Stop> {
        let lists = self.parsed(&counters::units())?;
        let mut wants = lists.iter().flat_map(|list| &list.wants);
        if let (true, Some(shared)) = (threads, wants.find(|want| want.shared)) {
            let why = "event of a unit that CPUs share, which no thread has";
            return Err(Stop::Usage(format!("{}: {why}", shared.name)));
        }
        let sets = tried(lists)?;
        if self.debug {
            for line in explained(&sets) {
                crate::complain(&format!("{}: {line}\n", tool.name));
            }
        }
        Ok(sets)
    }
}

/// Tries lists on this machine.
pub fn tried(lists: Vec<Set>) -> Result<Sets, Stop> {
    let cpu = sys::proc::online_cpus().first().copied().unwrap_or(0);
    let refused = |e| Stop::Failed(format!("cannot access performance counters: {e}"));
    Sets::tried(lists, cpu).map_err(refused)
}

/// Lists for tests, on the machine that the caller is on.
#[cfg(test)]
pub fn sets(texts: &[&str], cycles: bool, units: &[Unit]) -> Sets {
    let lists = Lists {
        texts: texts.iter().map(|text| (*text).to_owned()).collect(),
        cycles,
        debug: false,
    };
    tried(lists.parsed(units).expect("lists")).expect("they are known")
}

/// What `-D` tells of the lists, a line each.
fn explained(sets: &Sets) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, set) in sets.iter().enumerate() {
        let how = match sets.is_together(n) {
            true => "count together",
            false => "take turns if there are fewer counters",
        };
        lines.push(format!("list {n}, {}: its events {how}", set.name));
        for want in &set.wants {
            let [config, config1, config2] = want.event.words;
            let modes = match (want.attr().counts_user(), want.attr().counts_kernel()) {
                (true, false) => "user mode",
                (false, true) => "kernel",
                (true, true) | (false, false) => "both modes",
            };
            lines.push(format!(
                "  pic{} {}: type {}, config {config:#x} {config1:#x} {config2:#x}, {modes}",
                want.pic, want.name, want.event.kind
            ));
        }
    }
    lines
}

/// Titles of the columns of counts. Where lists disagree about a column's number it is its place.
pub fn titles(sets: &Sets) -> String {
    let mut text = String::new();
    if sets.iter().any(|set| set.cycles) {
        let _infallible = write!(text, " {:>WIDTH$} ", "cycles");
    }
    let widest = sets.iter().map(|set| set.events().len()).max().unwrap_or(0);
    for column in 0..widest {
        let mut pics = sets
            .iter()
            .filter_map(|set| set.events().get(column))
            .map(|want| want.pic);
        let first = pics.next().unwrap_or(0);
        let pic = if pics.all(|pic| pic == first) {
            first
        } else {
            column as u32
        };
        let _infallible = write!(text, " {:>WIDTH$} ", format!("pic{pic}"));
    }
    text.trim_end().to_owned()
}

/// A line of a table: what it begins with, the counts of a list, and which list that is if there are several.
pub fn line(head: &str, counts: &[Known], sets: &Sets, list: usize) -> String {
    let mut text = head.to_owned();
    for count in counts {
        let _infallible = match count {
            Known::Exactly(n) => write!(text, " {n:>WIDTH$} "),
            Known::Scaled(n) => write!(text, " {n:>WIDTH$}*"),
            Known::Nothing | Known::Elsewhere => write!(text, " {:>WIDTH$} ", "-"),
        };
    }
    let mut text = text.trim_end().to_owned();
    if let (true, Some(set)) = (sets.len() > 1, sets.get(list)) {
        let _infallible = write!(text, " # {}", set.name);
    }
    text.push('\n');
    text
}

/// What is known of each count.
pub fn known(counts: &[Count]) -> Vec<Known> {
    counts.iter().map(|count| count.known()).collect()
}

/// Adds what is known of the same events at another place: a sum is no better than its parts.
pub fn add(to: &mut [Known], more: &[Known]) {
    for (to, more) in to.iter_mut().zip(more) {
        *to = match (*to, *more) {
            (Known::Elsewhere, other) | (other, Known::Elsewhere) => other,
            (Known::Nothing, _) | (_, Known::Nothing) => Known::Nothing,
            (Known::Exactly(a), Known::Exactly(b)) => Known::Exactly(a.saturating_add(b)),
            (Known::Exactly(a) | Known::Scaled(a), Known::Exactly(b) | Known::Scaled(b)) => {
                Known::Scaled(a.saturating_add(b))
            }
        };
    }
}

/// Words in lines of 79 columns, below a margin.
fn wrapped(words: impl IntoIterator<Item = String>) -> String {
    let (mut text, mut column) = (String::new(), usize::MAX);
    for word in words {
        if column.saturating_add(word.len() + 1) > 78 {
            text += if text.is_empty() { "   " } else { "\n   " };
            column = 3;
        }
        text.push(' ');
        text += &word;
        column += word.len() + 1;
    }
    text.push('\n');
    text
}

fn event(row: &'static Row) -> Event {
    Event {
        kind: row.kind,
        words: [row.config, 0, 0],
        row: Some(row),
    }
}

/// The usage text with all events of this machine.
pub fn help(tool: &Tool, units: &[Unit]) -> String {
    let (mut here, mut forbidden) = (Vec::<&Row>::new(), false);
    for row in ROWS {
        match counters::is_known(&event(row)) {
            Ok(()) => here.push(row),
            Err(errno) => forbidden |= matches!(errno, errno::EPERM | errno::EACCES),
        }
    }
    let (kernel, hardware): (Vec<&Row>, Vec<&Row>) =
        here.into_iter().partition(|row| row.kind == SOFTWARE);
    let mut text = tool.usage();
    text += "\nA list of events: [picN=]EVENT[,ATTRIBUTE[N][=VALUE]]...[,[picN=]EVENT...]\n";
    if forbidden {
        text += "\nYou may not ask for all events (perf_event_paranoid): root sees them.\n";
    }
    if hardware.is_empty() && !forbidden {
        text += "\nThis machine, or this guest of it, shows no performance counters.\n";
    } else if !hardware.is_empty() {
        let generic = hardware.iter().flat_map(|row| row.aliases);
        let papi = generic.filter(|name| name.starts_with("PAPI_"));
        text += "\nGeneric events, the same on all machines:\n";
        text += &wrapped(papi.map(|name| (*name).to_owned()));
        text += "\nThe same and others by the names of Linux:\n";
        text += &wrapped(hardware.iter().map(|row| row.name.to_owned()));
        text +=
            "\nEvents by the numbers of the processor's manual:\n    rNNN 0xNNN (hexadecimal)\n";
    }
    text += "\nEvents of the kernel, which need no counter:\n";
    text += &wrapped(kernel.iter().map(|row| row.name.to_owned()));
    for unit in units.iter().filter(|unit| !unit.events.is_empty()) {
        let shared = unit.shared.is_some();
        let name = |event: &counters::PmuEvent| match shared {
            true => format!("{}/{}/", unit.name, event.name),
            false => event.name.clone(),
        };
        let whose = if shared {
            ", shared by several CPUs"
        } else {
            ""
        };
        let _infallible = write!(text, "\nEvents of the unit {}{whose}:\n", unit.name);
        text += &wrapped(unit.events.iter().map(name));
    }
    text += "\nAttributes: nouser sys";
    let cpu = units.iter().find(|unit| unit.is_cpu());
    for (term, _) in cpu.iter().flat_map(|unit| &unit.terms) {
        let _infallible = write!(text, " {term}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sys::simulated::Pmu;

    fn sets(texts: &[&str], cycles: bool) -> Sets {
        Pmu::new(8).run(|| super::sets(texts, cycles, &[]))
    }

    #[test]
    fn columns_have_the_numbers_of_counters() {
        let one = |texts: &[&str], cycles| {
            let titles = titles(&sets(texts, cycles));
            titles.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(one(&["cycles,instructions"], false), "pic0 pic1");
        assert_eq!(
            one(&["pic2=cycles,pic7=instructions"], true),
            "cycles pic2 pic7"
        );
        assert_eq!(
            one(&["pic3=cycles", "instructions,branches"], false),
            "pic0 pic1"
        );
    }

    #[test]
    fn counts_are_marked_if_they_are_not_what_was_seen() {
        let counts = [Known::Exactly(12), Known::Scaled(34), Known::Nothing];
        let one = sets(&["cycles,instructions,branches"], false);
        assert_eq!(
            line("head", &counts, &one, 0),
            "head           12            34*            -\n"
        );
        let two = sets(&["cycles", "branches"], false);
        assert_eq!(
            line("h", &[Known::Exactly(1)], &two, 1),
            "h            1 # branches\n"
        );
        let mut sum = [Known::Exactly(1), Known::Exactly(1), Known::Nothing];
        add(
            &mut sum,
            &[Known::Exactly(2), Known::Scaled(2), Known::Exactly(1)],
        );
        assert_eq!(sum, [Known::Exactly(3), Known::Scaled(3), Known::Nothing]);
        let mut sum = [Known::Elsewhere];
        add(&mut sum, &[Known::Exactly(2)]);
        assert_eq!(sum, [Known::Exactly(2)]);
    }

    #[test]
    fn help_lists_what_the_machine_has() {
        let tool = &crate::cpustat::TOOL;
        let without = Pmu::none().run(|| help(tool, &[]));
        assert!(
            without.contains("shows no performance counters")
                && without.contains(" context-switches ")
        );
        assert!(!without.contains("PAPI_tot_cyc"));
        let forbidden = Pmu::new(4).refusing(|_| Some(errno::EACCES));
        let told = forbidden.run(|| help(tool, &[]));
        assert!(told.contains("You may not ask") && !told.contains("shows no performance"));
        let some = Pmu::new(4).refusing(|asked| (asked.kind == 3).then_some(2));
        let with = some.run(|| help(tool, &[]));
        assert!(
            with.contains(" PAPI_tot_cyc ")
                && with.contains(" cpu-cycles ")
                && !with.contains("PAPI_l1_dcm")
        );
        assert!(with.lines().all(|line| line.len() < 80), "{with}");
    }
}
