//! The D program of prstat.

use crate::units::BIAS;
use std::fmt::Write as _;

/// Numbers of states in the program.
const USR: &str = "1";
const SYS: &str = "2";
const TRP: &str = "3";
const SLP: &str = "7";
const LAT: &str = "8";

/// A change of the current thread.
struct Change<'a> {
    probe: &'a str,
    /// What must be true besides.
    when: &'a str,
    /// Comes before.
    first: &'a str,
    /// What state it was in if this is the first that is seen of it.
    implied: &'a str,
    /// What state it was in if it is known.
    from: &'a str,
    /// Which state begins.
    to: &'a str,
    /// Comes after.
    then: &'a str,
}

/// What the kernel tells of page faults of processes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// That one begins, and whether for code or for data.
    pub told: bool,
    /// When it begins and ends.
    pub timed: bool,
}

/// The function in which faults are handled, of processes and of the kernel.
pub const HANDLER: &str = "fbt:vmlinux:handle_mm_fault";

/// Time in page faults of processes.
const TRAPS: [Change<'_>; 2] = [
    Change {
        probe: "fbt:vmlinux:handle_mm_fault:entry",
        when: "self->s == 1",
        first: "",
        implied: USR,
        from: USR,
        to: TRP,
        then: "self->run = 3;",
    },
    Change {
        probe: "fbt:vmlinux:handle_mm_fault:return",
        when: "self->s == 3",
        first: "",
        implied: TRP,
        from: TRP,
        to: USR,
        then: "self->run = 1;",
    },
];

const CHANGES: &[Change<'_>] = &[
    Change {
        probe: "syscall:::entry",
        when: "",
        first: "",
        implied: USR,
        from: "self->s",
        to: SYS,
        then: "self->run = 2; self->fault = 0; @n[pid, tid, 2] = count();",
    },
    Change {
        probe: "syscall:::return",
        when: "",
        first: "",
        implied: SYS,
        from: "self->s",
        to: USR,
        then: "self->run = 1; self->lock = 0;",
    },
    Change {
        probe: "sched:::sleep",
        when: "",
        // A thread that is stopped or traced (4, 8) waits for no page.
        first: "self->run = self->run != 0 ? self->run : 2; \
                this->to = self->lock ? 6 : self->run != 2 && self->fault && (curthread->__state & 12) == 0 ? self->fault : 7;",
        implied: "self->run",
        from: "self->s",
        to: "this->to",
        then: "asleep[tid] = this->to; @n[pid, tid, 0] = count();",
    },
    Change {
        probe: "sched:::preempt",
        when: "",
        first: "self->run = self->run != 0 ? self->run : (curthread->flags & 0x200000) != 0 ? 2 : 1;",
        implied: "self->run",
        from: "self->s",
        to: LAT,
        then: "@n[pid, tid, 1] = count();",
    },
    Change {
        probe: "sched:::on-cpu",
        // The first time of a thread may be told twice.
        when: "self->s == 0 || self->s > 3",
        first: "self->run = self->run != 0 ? self->run : 2;",
        implied: SLP,
        from: "(asleep[tid] != 0 ? asleep[tid] : 8)",
        to: "self->run",
        then: "asleep[tid] = 0;",
    },
];

/// The program.
pub fn text(pids: &[u64], faults: Faults, base: i64) -> String {
    let bias = BIAS - base;
    let chosen: Vec<String> = pids.iter().map(|pid| format!("pid == {pid}")).collect();
    let chosen = match chosen.is_empty() {
        true => "tid != 0".to_owned(),
        false => format!("({})", chosen.join(" || ")),
    };
    let mut text = String::from(
        "uint64_t begun;\nint asleep[int];\nself int s, run, lock, fault;\nBEGIN { begun = timestamp; }\n\
         sdt:::signal_deliver { @n[pid, tid, 3] = count(); }\n",
    );
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "syscall::futex:entry /{chosen} && ((arg1 & 127) == 0 || (arg1 & 127) == 6 || (arg1 & 127) == 9 || (arg1 & 127) == 11 || (arg1 & 127) == 13)/ {{ self->lock = 1; }}"
    );
    if faults.told {
        let _ = writeln!(
            text,
            "sdt:::page_fault_user /{chosen}/ {{ self->fault = (args[2] & 16) != 0 ? 4 : 5; }}"
        );
    }
    let traps = TRAPS.iter().filter(|_| faults.timed);
    for change in CHANGES.iter().chain(traps) {
        text += &change_text(change, &chosen, bias);
    }
    let _ = write!(
        text,
        "sdt:::sched_wakeup\n/asleep[args[0]->pid] != 0/\n{{\n\
         \tthis->now = timestamp;\n\
         \t@t[(pid_t)args[0]->tgid, (id_t)args[0]->pid, asleep[args[0]->pid]] = sum((int64_t)(this->now + {bias}));\n\
         \t@t[(pid_t)args[0]->tgid, (id_t)args[0]->pid, {LAT}] = sum(-(int64_t)(this->now + {bias}));\n\
         \tasleep[args[0]->pid] = 0;\n}}\n"
    );
    text
}

/// The clause of a change.
fn change_text(change: &Change<'_>, chosen: &str, bias: i64) -> String {
    let Change {
        probe,
        when,
        first,
        implied,
        from,
        to,
        then,
    } = change;
    let when = match when.is_empty() {
        true => String::new(),
        false => format!(" && ({when})"),
    };
    format!(
        "{probe}\n/{chosen}{when}/\n{{\n\
         \tthis->now = timestamp;\n\
         \t{first}\n\
         \tthis->from = self->s != 0 ? {from} : {implied};\n\
         \tthis->began = (uint64_t)curthread->start_time > begun ? (uint64_t)curthread->start_time : begun;\n\
         \t@t[pid, tid, this->from] = sum(self->s != 0 ? (int64_t)(this->now + {bias}) : (int64_t)(this->now - this->began));\n\
         \t@t[pid, tid, {to}] = sum(-(int64_t)(this->now + {bias}));\n\
         \tself->s = {to};\n\
         \t{then}\n}}\n"
    )
}
