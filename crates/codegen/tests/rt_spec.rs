//! States and buffers of speculations, in the interpreter.

mod rt_common;

use image::layout::spec;
use rt_common::*;

const STRIDE: usize = spec::STATE_STRIDE as usize;

fn word(memory: &[u8], at: usize) -> u64 {
    u64::from_ne_bytes(memory[at..at + 8].try_into().expect("eight bytes"))
}

fn states(words: &[u64]) -> Vec<u8> {
    let mut out = vec![0; words.len() * STRIDE];
    for (n, w) in words.iter().enumerate() {
        out[n * STRIDE..n * STRIDE + 8].copy_from_slice(&w.to_ne_bytes());
    }
    out
}

fn state(generation: u64, state: u32) -> u64 {
    generation << spec::GENERATION_SHIFT | u64::from(state)
}

#[test]
fn take_gives_the_first_that_is_free() {
    let take = |words: &[u64]| {
        let n = words.len() as u64;
        let case = vec![In::Mem(states(words)), In::Num(n), In::Num(0)];
        let (id, memory) = interpret(Local::SpecTake, &case);
        (id as i64, memory[0].clone())
    };
    let (active, closing) = (state(3, spec::ACTIVE), state(1, spec::CLOSING));
    let (id, after) = take(&[active, state(7, spec::INACTIVE), 0]);
    assert_eq!((id, word(&after, STRIDE)), (2, state(7, spec::ACTIVE)));
    assert_eq!(take(&[active, active]).0, 0);
    assert!(take(&[active, closing]).0 < 0);
    assert_eq!(take(&[]).0, 0);
}

#[test]
fn an_id_is_busy_only_while_its_next_slot_is_unread() {
    // Two speculations of four slots.
    let take = |unread: &[usize]| {
        let mut memory = states(&[state(6, spec::INACTIVE), 0, 0, 0, state(3, 1), 0, 0, 0]);
        for slot in unread {
            memory[slot * STRIDE + spec::COMMITTED as usize] = 1;
        }
        let case = vec![In::Mem(memory), In::Num(2), In::Num(3)];
        let (id, memory) = interpret(Local::SpecTake, &case);
        (id as i64, word(&memory[0], 0))
    };
    assert_eq!(take(&[]), (1, state(6, spec::ACTIVE)));
    assert_eq!(take(&[0, 1, 3]), (1, state(6, spec::ACTIVE)));
    let (id, after) = take(&[2]);
    assert!(id < 0);
    assert_eq!(after, state(6, spec::INACTIVE));
}

#[test]
fn only_what_is_active_is_committed_or_discarded() {
    let end = |f, before| {
        let mut case = vec![In::Mem(states(&[before, 0]))];
        if f == Local::SpecCommit {
            case.extend([In::Num(77), In::Num(5), In::Num(1)]);
        }
        interpret(f, &case).1[0].clone()
    };
    let after = end(Local::SpecCommit, state(5, spec::ACTIVE));
    assert_eq!(word(&after, 0), state(6, spec::INACTIVE));
    let slot = |at: u32| word(&after, STRIDE + at as usize);
    assert_eq!((slot(spec::TIME), slot(spec::CLAUSE)), (77, 5));
    assert_eq!(slot(spec::COMMITTED), state(5, 1));
    assert_eq!(word(&after, spec::COMMITTED as usize), 0);
    let after = end(Local::SpecDiscard, state(4, spec::ACTIVE));
    assert_eq!(word(&after, 0), state(5, spec::INACTIVE));
    for other in [spec::INACTIVE, spec::CLOSING] {
        for f in [Local::SpecCommit, Local::SpecDiscard] {
            assert_eq!(word(&end(f, state(4, other)), 0), state(4, other));
        }
    }
}

#[test]
fn reserve_takes_what_fits_its_generation() {
    let reserve_for = |word_seen: u64, now: u64, used: u64, writers: u64, size: u64| {
        let mut buffer = vec![0; spec::DATA as usize];
        buffer[..8].copy_from_slice(&used.to_ne_bytes());
        buffer[8..16].copy_from_slice(&writers.to_ne_bytes());
        let case = vec![
            In::Mem(states(&[now])),
            In::Mem(buffer),
            In::Num(size),
            In::Num(100),
            In::Num(word_seen),
        ];
        let (at, memory) = interpret(Local::SpecReserve, &case);
        (at as i64, word(&memory[1], 0), word(&memory[1], 8))
    };
    let reserve = |now, used, writers, size| reserve_for(now, now, used, writers, size);
    let now = state(2, spec::ACTIVE);
    let used = |n| state(2, n);
    assert_eq!(reserve(now, used(40), 0, 60), (40, used(100), 1));
    assert_eq!(reserve(now, used(40), 1, 24), (40, used(64), 2));
    assert_eq!(reserve(now, used(40), 0, 61), (-2, used(40), 0));
    // The buffer of an earlier generation is empty, unless someone may still be writing for that.
    assert_eq!(reserve(now, state(1, 96), 0, 24), (0, used(24), 1));
    assert_eq!(reserve(now, state(1, 96), 1, 24), (-2, state(1, 96), 1));
    for other in [spec::INACTIVE, spec::CLOSING] {
        assert_eq!(reserve(state(2, other), used(8), 0, 24), (-1, used(8), 0));
    }
    // The buffer was found for a generation that has ended meanwhile.
    let old = state(1, spec::ACTIVE);
    assert_eq!(reserve_for(old, now, used(8), 0, 24), (-1, used(8), 0));
}
