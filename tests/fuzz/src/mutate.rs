//! Damaged programs, and text that never was one.

use crate::{Rng, programs};

/// Programs to start from: one of each construct.
pub const CORPUS: [&str; 24] = [
    "syscall::read:entry { @[execname] = count(); }",
    "BEGIN { trace(1); exit(0); }",
    "syscall:::entry /pid == $target && arg0 > 0/ { self->ts = timestamp; }",
    "syscall:::return /self->ts/ { @t[probefunc, pid] = quantize(timestamp - self->ts); self->ts = 0; }",
    "dtrace:::BEGIN { printf(\"%-10s %5d %x\\n\", \"a\\tb\", -3, 0x1fu); }",
    "profile-97 { @[stack(5), cpu] = count(); } tick-1s { printa(@); clear(@); trunc(@, 3); }",
    "struct s { int a; char b[4]; struct s *next; unsigned f:3; }; inline int X = 4; BEGIN { trace(sizeof(struct s) + X); }",
    "enum e { A, B = 7, C }; typedef unsigned long ul; BEGIN { trace((ul)C); }",
    "int a[int, string]; string s; this int t; self uint8_t u; BEGIN { a[1, \"x\"] = 2; s = \"y\"; this->t = a[1, s]++; }",
    "translator struct o < struct task_struct *T > { x = T->pid; }; struct o { int x; }; BEGIN { trace(xlate<struct o>(curthread).x); }",
    "BEGIN { if (pid > 1) { trace(1); } else if (uid) { trace(2); } else { trace(3); } }",
    "sdt:::sched_switch { trace(args[1]->comm); print(*args[2]); }",
    "BEGIN { trace(stringof(curthread->comm)); tracemem(curthread, 16); trace(*(int *)curthread); }",
    "#pragma D option quiet\n#pragma D attributes Stable/Stable/Common x\nBEGIN { }",
    "provider p { probe q(int) : (int); };",
    "BEGIN { trace(strjoin(basename(execname), lltostr(pid, 16))); trace(substr(\"abc\", 1, 1)); }",
    "syscall::open*:entry,syscall::close:return { @a = lquantize(arg0, 0, 10, 1); @b = llquantize(arg0, 10, 0, 6, 20); }",
    "dtrace:::ERROR { trace(arg5); } BEGIN { trace(1 / (pid - pid)); }",
    "BEGIN { x = 'a' ? 1 : (2, 3); y = ~-!x << 3 ^ 4 | 5 & 6; z = x ^^ y && 1 || 0; }",
    "BEGIN { trace(`jiffies); trace((int)`init_task.pid); trace(offsetof(struct task_struct, pid)); }",
    "BEGIN { setopt(\"quiet\"); system(\"echo %s\", execname); freopen(\"/x\"); ftruncate(); }",
    "END { printa(\"%d %@d\\n\", @x); normalize(@x, 10); denormalize(@x); } BEGIN { @x[1] = sum(2); }",
    "BEGIN { this->p = (char *)copyin(arg0, 8); this->p[3] = 0; trace(stringof(this->p)); *(int *)alloca(4) = 1; }",
    "BEGIN { stack(); ustack(3, 10); jstack(); sym(caller); printf(\"%k %a %A %Y %T %i\", stack(), caller, arg0, walltimestamp, timestamp, $1); }",
];

/// Pieces that the lexer knows.
const TOKENS: [&str; 92] = [
    "BEGIN",
    "END",
    "dtrace:::ERROR",
    "syscall:::entry",
    "tick-1ms",
    ":::",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "/",
    "+",
    "-",
    "*",
    "%",
    "&",
    "|",
    "^",
    "~",
    "!",
    "<<",
    ">>",
    "<",
    ">",
    "<=",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "^^",
    "?",
    ":",
    "=",
    "+=",
    "<<=",
    "++",
    "--",
    "->",
    ".",
    "...",
    "self",
    "this",
    "self->x",
    "this->y",
    "x",
    "y",
    "@",
    "@a",
    "args",
    "arg0",
    "$1",
    "$$1",
    "$pid",
    "\"\"",
    "\"%d\"",
    "'a'",
    "'",
    "\"",
    "0",
    "1",
    "-1",
    "0x7fffffffffffffff",
    "18446744073709551615",
    "99999999999999999999",
    "1.5",
    "int",
    "string",
    "char",
    "struct",
    "union",
    "enum",
    "typedef",
    "sizeof",
    "offsetof",
    "stringof",
    "xlate",
    "inline",
    "translator",
    "provider",
    "if",
    "else",
    "count()",
    "printf",
    "trace",
    "/*",
    "*/",
    "#pragma D option",
];

/// A text for a seed: bytes, tokens, or a damaged program.
pub fn text(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let kind = rng.below(8);
    made(seed, &mut rng, kind)
}

/// As [`text`], for millions of them: deep nesting, which takes as long as hundreds of others, is rare.
pub fn brief(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let kind = match rng.below(512) {
        0 => 4,
        1..80 => 1,
        80..112 => 0,
        112..144 => 3,
        144..176 => 6,
        176..340 => 7,
        _ => 5,
    };
    made(seed, &mut rng, kind)
}

fn made(seed: u64, rng: &mut Rng, kind: usize) -> String {
    let text = match kind {
        0 => bytes(rng),
        1 | 2 => soup(rng),
        3 => damaged(rng, &programs::random(seed, true)),
        4 => deep(rng),
        6 => programs::random(seed, true),
        7 => {
            let start = rng.pick(&CORPUS);
            damage(rng, start, 1)
        }
        _ => {
            let start = rng.pick(&CORPUS);
            damaged(rng, start)
        }
    };
    text.replace('\0', " ")
}

fn bytes(rng: &mut Rng) -> String {
    let wild = rng.chance(2);
    let raw: Vec<u8> = (0..rng.below(200))
        .map(|_| {
            if wild {
                rng.word() as u8
            } else {
                32 + (rng.word() % 95) as u8
            }
        })
        .collect();
    String::from_utf8_lossy(&raw).into_owned()
}

fn soup(rng: &mut Rng) -> String {
    let open = if rng.chance(2) { "BEGIN { " } else { "" };
    let tokens: Vec<&str> = (0..rng.below(60)).map(|_| rng.pick(&TOKENS)).collect();
    format!("{open}{}", tokens.join(" "))
}

/// One thing nested many times.
fn deep(rng: &mut Rng) -> String {
    let n = 1 << rng.below(14);
    let pairs = [
        ("(", ")"),
        ("-", ""),
        ("!", ""),
        ("*", ""),
        ("x[", "]"),
        ("1 ? 2 : ", ""),
        ("(1, ", ")"),
        ("strjoin(\"a\", ", ")"),
        ("(int)", ""),
        ("sizeof ", ""),
        ("x = ", ""),
        ("pid + ", ""),
        ("pid && (", ")"),
        ("lltostr(", ")"),
    ];
    let (open, close) = pairs[rng.below(pairs.len())];
    let body = format!("{}pid{}", open.repeat(n), close.repeat(n));
    // Clauses and statements cost more than brackets.
    let few = n.min(512);
    match rng.below(5) {
        0 => format!(
            "BEGIN {}trace(1);{}",
            "{ if (pid) ".repeat(n),
            "}".repeat(n)
        ),
        1 => format!(
            "typedef int {}t{};",
            "*".repeat(n),
            "[2]".repeat(rng.below(9))
        ),
        2 => format!("BEGIN {{ {} }}", "trace(pid);".repeat(few)),
        3 => format!("{} {{ }}", vec!["BEGIN"; few].join(",")),
        _ => format!("BEGIN {{ trace({body}); }}"),
    }
}

/// Cuts a text into words, blanks and signs.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in text.chars() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        match out.last_mut() {
            Some(last) if word(c) && last.chars().all(word) => last.push(c),
            _ => out.push(c.to_string()),
        }
    }
    out
}

fn damaged(rng: &mut Rng, text: &str) -> String {
    let wounds = 1 + rng.below(4);
    damage(rng, text, wounds)
}

fn damage(rng: &mut Rng, text: &str, wounds: usize) -> String {
    let mut list = pieces(text);
    for _ in 0..wounds {
        if list.is_empty() {
            break;
        }
        let at = rng.below(list.len());
        match rng.below(8) {
            0 => drop(list.remove(at)),
            1 => list.insert(at, rng.pick(&TOKENS).to_owned()),
            2 => list[at] = rng.pick(&TOKENS).to_owned(),
            3 => {
                let other = rng.below(list.len());
                list.swap(at, other);
            }
            4 => {
                let again = list[at].clone();
                list.insert(at, again);
            }
            5 => list.truncate(at),
            6 => {
                let other = pieces(rng.pick(&CORPUS));
                let from = rng.below(other.len());
                list.splice(at.., other[from..].iter().cloned());
            }
            _ => list[at] = rng.number().to_string(),
        }
    }
    list.concat()
}
