//! The D program of prstat.

use crate::units::BIAS;
use std::fmt::Write as _;

/// Numbers of states in the program.
const USR: &str = "1";
const SYS: &str = "2";
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
        first: "self->run = self->run != 0 ? self->run : 2; \
                this->to = self->lock ? 6 : self->run == 1 && self->fault ? self->fault : 7;",
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
        when: "self->s != 1 && self->s != 2",
        first: "self->run = self->run != 0 ? self->run : 2;",
        implied: SLP,
        from: "(asleep[tid] != 0 ? asleep[tid] : 8)",
        to: "self->run",
        then: "asleep[tid] = 0;",
    },
];

/// The program; `faults`: the kernel tells of page faults of processes.
pub fn text(pids: &[u64], faults: bool, base: i64) -> String {
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
    if faults {
        let _ = writeln!(
            text,
            "sdt:::page_fault_user /{chosen}/ {{ self->fault = (args[2] & 16) != 0 ? 4 : 5; }}"
        );
    }
    for change in CHANGES {
        let Change {
            probe,
            when,
            first,
            implied,
            from,
            to,
            then,
        } = change;
        let when = if when.is_empty() {
            String::new()
        } else {
            format!(" && {when}")
        };
        let _ = write!(
            text,
            "{probe}\n/{chosen}{when}/\n{{\n\
             \tthis->now = timestamp;\n\
             \t{first}\n\
             \tthis->from = self->s != 0 ? {from} : {implied};\n\
             \tthis->began = (uint64_t)curthread->start_time > begun ? (uint64_t)curthread->start_time : begun;\n\
             \t@t[pid, tid, this->from] = sum(self->s != 0 ? (int64_t)(this->now + {bias}) : (int64_t)(this->now - this->began));\n\
             \t@t[pid, tid, {to}] = sum(-(int64_t)(this->now + {bias}));\n\
             \tself->s = {to};\n\
             \t{then}\n}}\n"
        );
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
