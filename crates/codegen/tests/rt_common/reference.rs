//! What the functions must do, written plainly.

use super::{Case, In, Local};

/// Bytes before the first NUL.
pub fn length(s: &[u8]) -> usize {
    s.iter().position(|b| *b == 0).unwrap_or(s.len())
}

fn text(s: &[u8]) -> &[u8] {
    &s[..length(s)]
}

fn index(found: Option<usize>) -> u64 {
    found.map_or(u64::MAX, |n| n as u64)
}

fn chr(s: &[u8], byte: u64, last: bool) -> u64 {
    let end = (length(s) + 1).min(s.len());
    let is = |b: &u8| u64::from(*b) == byte;
    index(if last {
        s[..end].iter().rposition(is)
    } else {
        s[..end].iter().position(is)
    })
}

/// The expected result, and memory afterwards.
pub fn reference(f: Local, case: &Case) -> (u64, Vec<Vec<u8>>) {
    let mut memory: Vec<Vec<u8>> = Vec::new();
    let mut numbers = Vec::new();
    for arg in case {
        match arg {
            In::Mem(m) => memory.push(m.clone()),
            In::Num(n) => numbers.push(*n),
        }
    }
    let last = numbers.last().copied().unwrap_or_default();
    let result = match f {
        Local::Strcmp => compare(&memory[0], &memory[1], numbers[0] as usize),
        Local::Chr | Local::Rchr => chr(&memory[0], numbers[0], f == Local::Rchr),
        Local::Find | Local::Rfind => {
            let (s, t) = (text(&memory[0]), text(&memory[1]));
            find(s, t, last as usize, f == Local::Rfind)
        }
        Local::Case => {
            let len = length(&memory[0]);
            change_case(&mut memory[0][..len], last != 0);
            len as u64
        }
        Local::Toll => toll(text(&memory[0]), last as u32) as u64,
        Local::Lltostr => {
            let s = lltostr(numbers[0], last);
            put(&mut memory[0], s.as_bytes())
        }
        Local::Span | Local::Cspan => {
            let (s, set) = (text(&memory[0]), text(&memory[1]));
            last + span(&s[last as usize..], set, f == Local::Cspan)
        }
        Local::Cleanpath => {
            let clean = cleanpath(text(&memory[1]), last as usize);
            put(&mut memory[0], &clean)
        }
        Local::Trim => {
            let s = text(&memory[0]);
            s.iter().rposition(|b| *b != b'/').map_or(0, |n| n + 1) as u64
        }
        other => unreachable!("{other:?} is tested elsewhere"),
    };
    (result, memory)
}

fn span(s: &[u8], set: &[u8], until: bool) -> u64 {
    let stop = |b: &u8| set.contains(b) == until;
    s.iter().position(stop).unwrap_or(s.len()) as u64
}

fn compare(a: &[u8], b: &[u8], cap: usize) -> u64 {
    let order = text(a).cmp(text(b));
    assert_eq!(order, text(&a[..cap]).cmp(text(&b[..cap])));
    order as i64 as u64
}

fn change_case(s: &mut [u8], upper: bool) {
    if upper {
        s.make_ascii_uppercase();
    } else {
        s.make_ascii_lowercase();
    }
}

fn put(dst: &mut [u8], s: &[u8]) -> u64 {
    dst[..s.len()].copy_from_slice(s);
    dst[s.len()] = 0;
    s.len() as u64
}

fn find(s: &[u8], t: &[u8], start: usize, last: bool) -> u64 {
    if t.is_empty() {
        return start.min(s.len()) as u64;
    }
    let at = |i: &usize| s[*i..].starts_with(t);
    index(if last {
        (0..=start.min(s.len())).rev().find(at)
    } else {
        (start..=s.len()).find(at)
    })
}

fn toll(s: &[u8], base: u32) -> i64 {
    let space = |b: &u8| matches!(b, b' ' | 9..=13);
    let mut s = &s[s.iter().position(|b| !space(b)).unwrap_or(s.len())..];
    let negative = s.first() == Some(&b'-');
    if let [b'-' | b'+', rest @ ..] = s {
        s = rest;
    }
    if let ([b'0', b'x' | b'X', rest @ ..], 16) = (s, base) {
        s = rest;
    }
    let mut n = 0i128;
    for b in s {
        let Some(d) = char::from(*b).to_digit(base) else {
            break;
        };
        n = (n * i128::from(base) + i128::from(d)).min(1 << 64);
    }
    let n = if negative { -n } else { n };
    n.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

fn lltostr(v: u64, base: u64) -> String {
    let mut n = if base == 10 {
        (v as i64).unsigned_abs()
    } else {
        v
    };
    let mut digits = Vec::new();
    while n > 0 || digits.is_empty() {
        digits.push(char::from_digit((n % base) as u32, base as u32).expect("a digit"));
        n /= base;
    }
    let prefix = match base {
        10 if (v as i64) < 0 => "-",
        16 => "0x",
        8 if v != 0 => "0",
        _ => "",
    };
    prefix.chars().chain(digits.into_iter().rev()).collect()
}

/// A piece at a time: what a slash begins is looked at as a whole.
fn cleanpath(src: &[u8], cap: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut rest = src;
    while out.len() + 5 < cap {
        let plain = match rest {
            [] => break,
            [b'/', b'/', ..] => {
                rest = &rest[1..];
                continue;
            }
            [b'/', b'.', b'/', ..] => {
                rest = &rest[2..];
                continue;
            }
            [b'/', b'.', b'.', b'/', ..] => {
                rest = &rest[3..];
                while out.pop().is_some_and(|b| b != b'/') {}
                continue;
            }
            [b'/', b'.', b'.', _, ..] => 4,
            [b'/', b'.', ..] => 3.min(rest.len()),
            [b'/', ..] => 2.min(rest.len()),
            _ => 1,
        };
        let (now, later) = rest.split_at(plain);
        out.extend_from_slice(now);
        rest = later;
    }
    out
}
