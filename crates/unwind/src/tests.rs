//! Tests of whole tables.

use image::layout::unwind as layout;

use crate::cfi::Range;
use crate::{Cfa, Error, Link, Machine, Rbp, Rule, Table, read};

fn frame(distance: i64) -> Rule {
    Rule::Frame(Cfa::Sp(distance), Rbp::Same)
}

/// Ranges of the given lengths with different rules, and gaps.
fn ranges(start: u64, lengths: &[u64]) -> Vec<Range> {
    let mut at = start;
    let mut out = Vec::new();
    for (n, length) in lengths.iter().enumerate() {
        if n % 7 != 3 {
            out.push(Range {
                start: at,
                end: at + length,
                rule: frame(8 + 8 * (n as i64 % 5)),
            });
        }
        at += length;
    }
    out
}

/// The look-up as the BPF program does it.
fn find(words: &[u64], address: u64, table: &Table, offset: u64) -> u32 {
    let rule = |row: u32| row >> layout::ROW_RULE;
    let page = (offset >> layout::PAGE_SHIFT).wrapping_sub(u64::from(table.first()));
    if page >= u64::from(table.pages()) {
        return layout::UNKNOWN;
    }
    let entry = words[page as usize];
    let (low, n) = (entry as u32, entry >> layout::ROWS);
    if n == 0 {
        return low;
    }
    let row = |k: u64| {
        let at = u64::from(low) + k - address * 2;
        (words[at as usize / 2] >> (32 * (at % 2))) as u32
    };
    assert_eq!(
        u64::from(low) * 4 / u64::from(layout::ELEMENT),
        (u64::from(low) + n - 1) * 4 / u64::from(layout::ELEMENT)
    );
    let mut k = 0;
    for step in [128, 64, 32, 16, 8, 4, 2, 1] {
        if k + step < n && u64::from(row(k + step) & 0xff) <= offset & 0xff {
            k += step;
        }
    }
    rule(row(k))
}

#[test]
fn what_is_placed_is_found() {
    let dense = vec![1; 3000];
    let mixed: Vec<u64> = (0..4000).map(|n| (n * n) % 97 + 1).collect();
    let sparse = vec![5000, 1, 700, 256, 256, 20_000, 3];
    for lengths in [dense, mixed, sparse] {
        for (start, address) in [(0, 0), (0x1234, 512 * 77), (0x2_0000, 13)] {
            let all = ranges(start, &lengths);
            let end = all.last().map_or(0, |r| r.end);
            let table = Table::new(&all.iter().copied().collect());
            let words = table.place(address);
            for offset in (start.saturating_sub(300)..end + 600).step_by(7) {
                let next = all.partition_point(|r| r.end <= offset);
                let covers = all.get(next).filter(|r| r.start <= offset);
                let right = covers.map_or(Rule::Unknown, |r| r.rule);
                assert_eq!(table.rule(offset), right, "at {offset:#x}");
                let found = find(&words, address, &table, offset);
                assert_eq!(Rule::unpack(found), right, "at {offset:#x}");
            }
        }
    }
}

fn own() -> Vec<u8> {
    std::env::current_exe()
        .and_then(std::fs::read)
        .unwrap_or_default()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn functions_begin_with_nothing_but_a_return_address() {
    let table = read(&own(), Machine::HOST).expect("a table of the test itself");
    assert!(table.rows() > 1000);
    // File offset of a function by its address: the text segment's mapping.
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let here = functions_begin_with_nothing_but_a_return_address as *const () as u64;
    let offset = maps.lines().find_map(|line| {
        let mut fields = line.split_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let start = u64::from_str_radix(start, 16).ok()?;
        let end = u64::from_str_radix(end, 16).ok()?;
        let offset = u64::from_str_radix(fields.nth(1)?, 16).ok()?;
        (start..end).contains(&here).then(|| here - start + offset)
    });
    assert_eq!(table.rule(offset.expect("a mapping")), frame(8));
}

#[test]
fn any_bytes_end_in_a_table_or_an_error() {
    assert!(matches!(
        read(&b"#!/bin/sh".to_vec(), Machine::HOST),
        Err(Error::Foreign)
    ));
    let good = own();
    let mut random: u64 = 88172645463325252;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    // Headers first: 64 bytes of file header, then segments; then the tail, where section headers are.
    let Ok(image) = crate::elf::Image::open(&good, Machine::HOST) else {
        return;
    };
    for _ in 0..200 {
        let mut bytes = good.get(..4096).unwrap_or_default().to_vec();
        for _ in 0..4 {
            let at = next() as usize % 1024;
            if let Some(b) = bytes.get_mut(at) {
                *b = next() as u8;
            }
        }
        let _ = read(&bytes, Machine::HOST);
    }
    for _ in 0..5 {
        let mut broken = image.clone();
        broken.frames.truncate(20_000);
        for _ in 0..50 {
            let at = next() as usize % broken.frames.len().max(1);
            if let Some(b) = broken.frames.get_mut(at) {
                *b = next() as u8;
            }
        }
        let table = Table::new(&crate::cfi::code(&broken));
        let _ = table.place(0);
    }
}

/// `.eh_frame` of one function of 64-bit Arm: the CIE of its compilers (code in 4 bytes, data in -8, `x30`, `sp`), and an FDE
/// with these instructions for 64 bytes at 0x1000.
fn arm_frames(instructions: &[u8]) -> Vec<u8> {
    let entry = |id: u32, body: &[u8]| {
        let mut out = id.to_le_bytes().to_vec();
        out.extend(body);
        out.resize(out.len().next_multiple_of(4), 0);
        let mut framed = (out.len() as u32).to_le_bytes().to_vec();
        framed.extend(out);
        framed
    };
    // Version, augmentation, alignments, return address column, pointers relative to themselves, CFA = sp + 0.
    let cie = *b"\x01zR\0\x04\x78\x1e\x01\x1b\x0c\x1f\0";
    let mut out = entry(0, &cie);
    let at = out.len() as u32;
    let mut fde = (0x1000_u32.wrapping_sub(ARM_FRAMES + at + 8))
        .to_le_bytes()
        .to_vec();
    fde.extend(64_u32.to_le_bytes());
    fde.push(0);
    fde.extend(instructions);
    out.extend(entry(at + 4, &fde));
    out.extend([0; 4]);
    out
}

/// Where the unwind data of [`arm_frames`] are.
const ARM_FRAMES: u32 = 0x4000;

#[test]
fn frames_of_arm() {
    let cases: [(&[u8], Rule); 8] = [
        (&[], Rule::Linked(Cfa::Sp(0), Link::Register)),
        // stp x29, x30, [sp, -48]!
        (
            &[0x0e, 48, 0x9d, 6, 0x9e, 5],
            Rule::Linked(Cfa::Sp(48), Link::Pair(-48)),
        ),
        // The same, and the return address is signed.
        (
            &[0x2d, 0x0e, 48, 0x9d, 6, 0x9e, 5],
            Rule::Linked(Cfa::Sp(48), Link::Pair(-48)),
        ),
        // add x29, sp, 16: the frame begins at x29 + 32.
        (
            &[0x9d, 4, 0x9e, 3, 0x0c, 29, 32],
            Rule::Linked(Cfa::Fp(32), Link::Pair(-32)),
        ),
        // str x30, [sp, -16]!
        (
            &[0x0e, 16, 0x9e, 2],
            Rule::Linked(Cfa::Sp(16), Link::Only(-16)),
        ),
        // The first function of a thread.
        (&[0x07, 30], Rule::End),
        // The frame begins at x9.
        (&[0x0c, 9, 0], Rule::Unknown),
        // What the kernel says of the return from a signal handler.
        (&[0x0c, 29, 0, 0x9d, 0, 0x11, 30, 0x7f], Rule::Signal),
    ];
    for (instructions, rule) in cases {
        let image = crate::elf::Image::arm(arm_frames(instructions), ARM_FRAMES);
        let table = Table::new(&crate::cfi::code(&image));
        assert_eq!(table.rule(0x1000), rule, "{instructions:x?}");
        assert_eq!(table.rule(0x103c), rule, "{instructions:x?}");
        assert_eq!(table.rule(0x1040), Rule::Unknown);
    }
}
