//! Random programs that are nearly always well typed: every kind of probe, variable, expression, action and aggregation.

use crate::Rng;

/// Integer types.
const INTS: [&str; 10] = [
    "char", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t",
    "long",
];

/// A probe description, the expressions that only it has, and whether user memory may be looked at.
struct Site {
    spec: &'static str,
    ints: &'static [&'static str],
    strings: &'static [&'static str],
}

const fn site(
    spec: &'static str,
    ints: &'static [&'static str],
    strings: &'static [&'static str],
) -> Site {
    Site {
        spec,
        ints,
        strings,
    }
}

const SITES: [Site; 22] = [
    site("BEGIN", &["arg0"], &[]),
    site("BEGIN", &["arg9"], &[]),
    site("END", &["arg1"], &[]),
    site(
        "dtrace:::ERROR",
        &["arg1", "arg2", "arg3", "arg4", "arg5"],
        &[],
    ),
    site(
        "syscall:::entry",
        &["arg0", "arg1", "arg5"],
        &["copyinstr(arg0)"],
    ),
    site(
        "syscall::read:entry",
        &[
            "arg0",
            "args[0]",
            "args[2]",
            "(uint64_t)args[1]",
            "*(char *)copyin(arg1, 8)",
        ],
        &["copyinstr(arg1, 16)", "stringof((char *)copyin(arg1, 32))"],
    ),
    site(
        "syscall::write:entry,syscall::read:entry",
        &["arg0", "arg2"],
        &["copyinstr(arg1)"],
    ),
    site(
        "syscall::openat:entry",
        &["args[0]", "args[2]", "arg3"],
        &[
            "copyinstr(arg1)",
            "copyinstr((uintptr_t)args[1])",
            "basename(copyinstr(arg1))",
        ],
    ),
    site(
        "syscall::read:return",
        &["arg0", "arg1", "errno", "args[0]"],
        &[],
    ),
    site("syscall:::return", &["arg0", "errno"], &[]),
    site("syscall::*at:entry", &["arg0", "arg4"], &[]),
    site("profile-97", &["arg0", "arg1"], &[]),
    site("profile:::profile-1ms", &["arg0", "arg1"], &[]),
    site("tick-10ms", &["arg0", "arg1"], &[]),
    site("profile:::tick-1s", &["arg0"], &[]),
    site(
        "sdt:::sched_switch",
        &[
            "args[0]",
            "args[1]->pid",
            "args[2]->prio",
            "args[1]->se.vruntime",
            "args[2]->tgid",
            "(uint64_t)args[1]->mm",
            "args[1]->real_parent->pid",
            "args[2]->comm[1]",
            "arg0",
            "arg1",
            "arg3",
        ],
        &["args[1]->comm", "stringof(args[2]->comm)"],
    ),
    site(
        "sdt:::sched_wakeup",
        &["args[0]->pid", "arg0"],
        &["args[0]->comm"],
    ),
    site(
        "sdt:::sched_process_exec",
        &["args[0]->pid", "args[1]", "arg1"],
        &["stringof(args[2]->filename)", "args[0]->comm"],
    ),
    site(
        "sdt:::sched_process_exit",
        &["args[0]->exit_code", "arg0"],
        &["args[0]->comm"],
    ),
    site(
        "sdt:::sched_process_fork",
        &["args[0]->pid", "args[1]->pid"],
        &["args[1]->comm"],
    ),
    site(
        "sdt:::sched_stat_runtime",
        &["args[0]->pid", "args[1]", "arg1"],
        &["args[0]->comm"],
    ),
    site("sdt:::sys_enter", &["arg0", "arg1", "args[1]"], &[]),
];

/// Integers that every probe has.
const BUILTINS: [&str; 19] = [
    "pid",
    "tid",
    "uid",
    "gid",
    "ppid",
    "cpu",
    "epid",
    "id",
    "timestamp",
    "vtimestamp",
    "walltimestamp",
    "stackdepth",
    "caller",
    "curthread->pid",
    "curthread->prio",
    "(uint64_t)curthread",
    "curthread->se.sum_exec_runtime",
    "curthread->real_parent->tgid",
    "rand()",
];

const STRINGS: [&str; 10] = [
    "execname",
    "probefunc",
    "probename",
    "probemod",
    "probeprov",
    "zonename",
    "threadname",
    "curthread->comm",
    "stringof(curthread->comm)",
    "stringof(curthread->real_parent->comm)",
];

const LITERALS: [&str; 14] = [
    "0",
    "1",
    "2",
    "7",
    "63",
    "64",
    "255",
    "-1",
    "4096",
    "0x7fffffff",
    "0xffffffffu",
    "4294967296",
    "0x7fffffffffffffff",
    "'a'",
];

const BINARY: [&str; 19] = [
    "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&",
    "||", "^^",
];

const ASSIGN: [&str; 10] = ["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

const TEXTS: [&str; 10] = [
    "\"\"",
    "\"a\"",
    "\"/usr/lib//x/../y\"",
    "\"hello, world\"",
    "\"0x1f\"",
    "\" 42 \"",
    "\"-17\"",
    "\"A b C\"",
    "\"{\\\"a\\\":[1,2]}\"",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
];

/// An associative array: name, key kinds (`i` or `s`), whether its elements are strings.
type Array = (String, &'static str, bool);

/// Makes one program.
struct Gen {
    rng: Rng,
    text: String,
    ints: Vec<String>,
    strings: Vec<String>,
    arrays: Vec<Array>,
    aggs: Vec<(String, &'static str, String)>,
    site: usize,
    destructive: bool,
    fuel: u32,
}

/// Aggregating functions with the rest of their arguments.
const AGGS: [(&str, &str); 14] = [
    ("count", ""),
    ("sum", ""),
    ("min", ""),
    ("max", ""),
    ("avg", ""),
    ("stddev", ""),
    ("quantize", ""),
    ("quantize", ", arg0"),
    ("lquantize", ", 0, 100, 10"),
    ("lquantize", ", -1000, 1000, 7"),
    ("lquantize", ", -5, 6000, 1, 3"),
    ("llquantize", ", 10, 0, 6, 20"),
    ("llquantize", ", 2, 1, 20, 4"),
    ("lquantize", ", 0, 3"),
];

/// A program of about this size, from this seed. `destructive`: it may stop and signal processes.
pub fn random(seed: u64, destructive: bool) -> String {
    let mut rng = Rng::new(seed);
    let fuel = [8, 20, 40, 80][rng.below(4)];
    let mut g = Gen {
        rng,
        text: String::new(),
        ints: Vec::new(),
        strings: Vec::new(),
        arrays: Vec::new(),
        aggs: Vec::new(),
        site: 0,
        destructive,
        fuel,
    };
    g.declare();
    for _ in 0..1 + g.rng.below(4) {
        g.clause();
    }
    g.text
}

impl Gen {
    fn declare(&mut self) {
        self.text +=
            "struct fz { int a; char b[5]; unsigned c:5; int d:7; uint64_t e; short h; };\n";
        self.text += "struct fz gz; self struct fz sz; this struct fz tz; struct fz az[int]; this char *p;\n";
        for n in 0..self.rng.below(6) {
            let ty = INTS[self.rng.below(INTS.len())];
            let (class, name) =
                [("", "g"), ("self ", "self->s"), ("this ", "this->t")][self.rng.below(3)];
            let plain = name.rsplit('>').next().unwrap_or(name);
            self.text += &format!("{class}{ty} {plain}{n};\n");
            self.ints.push(format!("{name}{n}"));
        }
        for n in 0..self.rng.below(4) {
            let (class, name) =
                [("", "gs"), ("self ", "self->ss"), ("this ", "this->ts")][self.rng.below(3)];
            let plain = name.rsplit('>').next().unwrap_or(name);
            self.text += &format!("{class}string {plain}{n};\n");
            self.strings.push(format!("{name}{n}"));
        }
        for n in 0..self.rng.below(4) {
            let keys = ["i", "s", "ii", "is", "sis"][self.rng.below(5)];
            let string = self.rng.chance(3);
            let ty = if string {
                "string"
            } else {
                INTS[self.rng.below(INTS.len())]
            };
            let (class, name) = [("", "a"), ("self ", "self->sa")][self.rng.below(2)];
            let plain = name.rsplit('>').next().unwrap_or(name);
            let list: Vec<&str> = keys
                .chars()
                .map(|k| if k == 's' { "string" } else { "int" })
                .collect();
            self.text += &format!("{class}{ty} {plain}{n}[{}];\n", list.join(", "));
            self.arrays.push((format!("{name}{n}"), keys, string));
        }
        for n in 0..1 + self.rng.below(4) {
            let (func, rest) = AGGS[self.rng.below(AGGS.len())];
            let keys: String = (0..self.rng.below(4))
                .map(|_| ['i', 's', 'k', 'i', 'y', 'p', 'e'][self.rng.below(7)])
                .collect();
            self.aggs
                .push((format!("@g{n}"), func, format!("{keys};{rest}")));
        }
        // printa() and its like need a use before them in the text.
        self.text += "dtrace:::END\n/pid == 0/\n{\n";
        for n in 0..self.aggs.len() {
            let s = self.aggregate(n);
            self.text += &format!("\t{s};\n");
        }
        self.text += "}\n";
    }

    fn clause(&mut self) {
        self.site = self.rng.below(SITES.len());
        self.text += SITES[self.site].spec;
        self.text += "\n";
        if self.rng.chance(3) {
            let e = self.int(3);
            self.text += &format!("/{e}/\n");
        }
        self.text += "{\n";
        for _ in 0..self.rng.below(7) {
            let s = self.statement(0);
            self.text += &s;
        }
        self.text += "}\n";
    }

    fn statement(&mut self, depth: u32) -> String {
        let tabs = "\t".repeat(depth as usize + 1);
        if depth < 3 && self.rng.chance(7) {
            let c = self.int(2);
            let t: String = (0..1 + self.rng.below(3))
                .map(|_| self.statement(depth + 1))
                .collect();
            if self.rng.chance(2) {
                return format!("{tabs}if ({c}) {{\n{t}{tabs}}}\n");
            }
            let e: String = (0..1 + self.rng.below(2))
                .map(|_| self.statement(depth + 1))
                .collect();
            return format!("{tabs}if ({c}) {{\n{t}{tabs}}} else {{\n{e}{tabs}}}\n");
        }
        let s = match self.rng.below(15) {
            12..=14 => self.memory(),
            0..=2 => self.assignment(),
            3..=5 => self.aggregation(),
            6 => self.int(3),
            7 if self.destructive => self.destruction(),
            _ => self.action(),
        };
        format!("{tabs}{s};\n")
    }

    fn assignment(&mut self) -> String {
        if self.rng.chance(3) {
            return match self.str_target() {
                Some(t) if self.rng.chance(6) => format!("{t} = 0"),
                Some(t) => {
                    let e = self.string(3);
                    format!("{t} = {e}")
                }
                None => "this->none = 1".into(),
            };
        }
        match self.int_target() {
            Some(t) => {
                let e = self.int(3);
                match self.rng.below(5) {
                    0 => format!("{t} {} {e}", ASSIGN[self.rng.below(ASSIGN.len())]),
                    1 => format!("{t}{}", if self.rng.chance(2) { "++" } else { "--" }),
                    2 => format!("{t} = 0"),
                    _ => format!("{t} = {e}"),
                }
            }
            None => {
                let e = self.int(3);
                format!("this->x = {e}")
            }
        }
    }

    fn element(&mut self, string: bool) -> Option<String> {
        let fits: Vec<Array> = self
            .arrays
            .iter()
            .filter(|a| a.2 == string)
            .cloned()
            .collect();
        if fits.is_empty() {
            return None;
        }
        let (name, keys, _) = &fits[self.rng.below(fits.len())];
        let keys: Vec<String> = keys
            .chars()
            .map(|k| {
                if k == 's' {
                    self.string(1)
                } else {
                    self.int(1)
                }
            })
            .collect();
        Some(format!("{name}[{}]", keys.join(", ")))
    }

    fn int_target(&mut self) -> Option<String> {
        if self.rng.chance(3) {
            return self.element(false);
        }
        let n = self.rng.below(self.ints.len());
        self.ints.get(n).cloned()
    }

    fn str_target(&mut self) -> Option<String> {
        if self.rng.chance(3) {
            return self.element(true);
        }
        let n = self.rng.below(self.strings.len());
        self.strings.get(n).cloned()
    }

    fn aggregation(&mut self) -> String {
        let n = self.rng.below(self.aggs.len());
        self.aggregate(n)
    }

    fn aggregate(&mut self, n: usize) -> String {
        let (name, func, shape) = self.aggs[n].clone();
        let (keys, rest) = shape.split_once(';').unwrap_or(("", ""));
        let keys: Vec<String> = keys.chars().map(|k| self.key(k)).collect();
        let keys = if keys.is_empty() {
            String::new()
        } else {
            format!("[{}]", keys.join(", "))
        };
        if func == "count" {
            return format!("{name}{keys} = count()");
        }
        let e = self.int(3);
        format!("{name}{keys} = {func}({e}{rest})")
    }

    fn key(&mut self, kind: char) -> String {
        match kind {
            'i' => self.int(2),
            's' => self.string(2),
            'k' => "stack(5)".into(),
            'u' => "ustack(4)".into(),
            'y' => {
                let e = self.int(1);
                format!("sym({e})")
            }
            'p' => "probefunc".into(),
            _ => "execname".into(),
        }
    }

    /// Pointers, structures, scratch memory.
    fn memory(&mut self) -> String {
        let fz = ["gz", "self->sz", "this->tz", "az[1]"][self.rng.below(4)];
        let member = ["a", "e", "b[2]", "h"][self.rng.below(4)];
        let e = self.int(2);
        match self.rng.below(22) {
            0 => format!("{fz}.{member} = {e}"),
            1 => format!("{fz}.{member} += {e}"),
            2 => format!("{fz}.{member}++"),
            3 => format!("trace({fz}.{member} + {fz}.c - {fz}.d)"),
            4 => format!("az[{e}].e = {e}"),
            5 => format!("this->p = (char *)alloca({})", 8 + self.rng.below(100)),
            6 => format!("this->p[{e}] = 1"),
            7 => format!("this->p[3] = {e}"),
            8 => "trace(stringof(this->p))".into(),
            9 => format!("this->p = (char *)copyin({e}, 16); this->p[15] = 0"),
            10 => format!("this->p = (char *)copyin(arg1, {e})"),
            11 => format!("bcopy(curthread, alloca(64), {})", 1 + self.rng.below(64)),
            12 => format!("copyinto({e}, 8, alloca(16))"),
            13 => format!("*(int *)alloca(4) = {e}"),
            14 => "this->tp = curthread; trace(this->tp->pid)".into(),
            15 => "self->tp = curthread; trace(self->tp->comm)".into(),
            16 => format!("print({fz})"),
            17 => format!("trace({fz}.b)"),
            18 => format!("gz = {fz}"),
            19 => format!("this->se = curthread->se; trace(this->se.vruntime + {e})"),
            20 => format!("bcopy(alloca(8), this->p, {e})"),
            _ => format!("tracemem(this->p, 32, {e})"),
        }
    }

    fn destruction(&mut self) -> String {
        match self.rng.below(3) {
            0 => {
                let e = self.int(1);
                format!("raise({e})")
            }
            1 => "stop()".into(),
            _ => "chill(1000)".into(),
        }
    }

    fn action(&mut self) -> String {
        match self.rng.below(16) {
            0 => format!("trace({})", self.int(3)),
            1 | 2 => format!("trace({})", self.string(3)),
            3 => format!(
                "printf(\"%d %x %s\\n\", {}, {}, {})",
                self.int(2),
                self.int(2),
                self.string(2)
            ),
            4 => format!(
                "printf(\"%*d|%-20s|%c %Y\\n\", {}, {}, {}, (char){}, walltimestamp)",
                self.int(1),
                self.int(2),
                self.string(2),
                self.int(1)
            ),
            5 => format!(
                "printf(\"%s %s %s\", {}, {}, {})",
                self.string(2),
                self.string(2),
                self.string(1)
            ),
            6 => "stack()".into(),
            7 => if self.rng.chance(20) {
                "ustack(7)"
            } else {
                "stack(3)"
            }
            .into(),
            8 => format!("print({})", self.int(2)),
            9 => "print(*curthread)".replace(
                "*curthread",
                if self.rng.chance(2) {
                    "curthread->se"
                } else {
                    "curthread"
                },
            ),
            10 => format!(
                "tracemem({}, {})",
                if self.rng.chance(2) {
                    "curthread"
                } else {
                    "&curthread->comm"
                },
                1 + self.rng.below(300)
            ),
            11 => format!(
                "{}({})",
                ["sym", "mod", "func", "usym", "umod", "uaddr", "ufunc"][if self.rng.chance(30) {
                    5
                } else {
                    self.rng.below(3)
                }],
                self.int(1)
            ),
            12 => format!("printa({})", self.aggs[self.rng.below(self.aggs.len())].0),
            13 => match self.rng.below(4) {
                0 => format!("clear({})", self.aggs[0].0),
                1 => format!("trunc({}, 3)", self.aggs[0].0),
                2 => format!("normalize({}, 3)", self.aggs[0].0),
                _ => format!("denormalize({})", self.aggs[0].0),
            },
            14 if self.rng.chance(4) => format!("exit({})", self.int(1)),
            _ => format!("tracemem({}, 64, {})", "curthread", self.int(1)),
        }
    }

    fn site_expr(&mut self, string: bool) -> String {
        let site = &SITES[self.site];
        let list = if string { site.strings } else { site.ints };
        if list.is_empty() {
            return if string {
                "probename".into()
            } else {
                "arg0".into()
            };
        }
        list[self.rng.below(list.len())].into()
    }

    fn int(&mut self, depth: u32) -> String {
        if self.fuel == 0 || depth == 0 || self.rng.chance(5) {
            return self.int_leaf();
        }
        self.fuel -= 1;
        let d = depth - 1;
        match self.rng.below(22) {
            0 => format!("({}{})", ["-", "~", "!"][self.rng.below(3)], self.int(d)),
            1 => format!("(({}){})", INTS[self.rng.below(INTS.len())], self.int(d)),
            2 => format!("({} ? {} : {})", self.int(d), self.int(d), self.int(d)),
            3 => format!(
                "({} {} {})",
                self.string(d),
                BINARY[10 + self.rng.below(6)],
                self.string(d)
            ),
            4 => self.element(false).unwrap_or_else(|| "pid".into()),
            5 => format!("strlen({})", self.string(d)),
            6 => format!("index({}, {})", self.string(d), self.string(d)),
            7 => format!(
                "rindex({}, {}, {})",
                self.string(d),
                self.string(d),
                self.int(d)
            ),
            8 => format!("strtoll({})", self.string(d)),
            9 => format!("htonl({})", self.int(d)),
            10 => format!("ntohs({})", self.int(d)),
            11 => format!("progenyof({})", self.int(d)),
            12 => match self.int_target() {
                Some(t) if self.rng.chance(2) => {
                    format!("({t}{})", if self.rng.chance(2) { "++" } else { "--" })
                }
                Some(t) => format!("({t} = {})", self.int(d)),
                None => "(tid, 3)".into(),
            },
            13 => format!("(*(int *)({}))", self.int(d)),
            14 => format!("((struct task_struct *)({}))->pid", self.int(d)),
            _ => format!(
                "({} {} {})",
                self.int(d),
                BINARY[self.rng.below(BINARY.len())],
                self.int(d)
            ),
        }
    }

    fn int_leaf(&mut self) -> String {
        match self.rng.below(6) {
            0 => LITERALS[self.rng.below(LITERALS.len())].into(),
            1 | 2 if !self.ints.is_empty() => self.ints[self.rng.below(self.ints.len())].clone(),
            3 => self.site_expr(false),
            _ => BUILTINS[self.rng.below(BUILTINS.len())].into(),
        }
    }

    fn string(&mut self, depth: u32) -> String {
        if self.fuel == 0 || depth == 0 || self.rng.chance(3) {
            return self.str_leaf();
        }
        self.fuel -= 1;
        let d = depth - 1;
        match self.rng.below(22) {
            0 => format!("strjoin({}, {})", self.string(d), self.string(d)),
            1 => format!("substr({}, {})", self.string(d), self.int(d)),
            2 => format!(
                "substr({}, {}, {})",
                self.string(d),
                self.int(d),
                self.int(d)
            ),
            3 => format!("basename({})", self.string(d)),
            4 => format!("dirname({})", self.string(d)),
            5 => format!("cleanpath({})", self.string(d)),
            6 => format!("strchr({}, '/')", self.string(d)),
            7 => format!("strrchr({}, {})", self.string(d), self.int(d)),
            8 => format!("strstr({}, {})", self.string(d), self.string(d)),
            9 => format!("strtok({}, {})", self.string(d), self.string(d)),
            10 => format!("lltostr({})", self.int(d)),
            11 => format!(
                "lltostr({}, {})",
                self.int(d),
                [8, 10, 16, 36][self.rng.below(4)]
            ),
            12 => format!("tolower({})", self.string(d)),
            13 => format!("toupper({})", self.string(d)),
            14..=16 => format!("tolower({})", self.string(d)),
            17 => format!(
                "({} ? {} : {})",
                self.int(d),
                self.string(d),
                self.string(d)
            ),
            18 => match self.str_target() {
                Some(t) => format!("({t} = {})", self.string(d)),
                None => "execname".into(),
            },
            19 => format!("stringof({})", self.int(d)),
            20 => self.element(true).unwrap_or_else(|| "execname".into()),
            _ => format!("strtok(NULL, {})", self.string(d)),
        }
    }

    fn str_leaf(&mut self) -> String {
        match self.rng.below(6) {
            0 | 1 => TEXTS[self.rng.below(TEXTS.len())].into(),
            2 if !self.strings.is_empty() => {
                self.strings[self.rng.below(self.strings.len())].clone()
            }
            3 => self.site_expr(true),
            _ => STRINGS[self.rng.below(STRINGS.len())].into(),
        }
    }
}
