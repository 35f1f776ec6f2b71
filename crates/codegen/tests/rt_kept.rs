//! Room in buffers that are read at the end, in the interpreter.

mod rt_common;

use image::layout::kept;
use rt_common::*;

fn head(position: u64, last: u64) -> u64 {
    position << kept::LAST_BITS | last
}

#[test]
fn reserve_takes_words_up_to_the_limit() {
    let reserve = |before: u64, words: u64, limit: u64| {
        let mut buffer = vec![0; kept::DATA as usize];
        buffer[..8].copy_from_slice(&before.to_ne_bytes());
        let case = vec![In::Mem(buffer), In::Num(words), In::Num(limit)];
        let (result, memory) = interpret(Local::KeptReserve, &case);
        let after = memory[0][..8].try_into().expect("eight bytes");
        (result as i64, u64::from_ne_bytes(after))
    };
    assert_eq!(reserve(0, 4, 10), (0, head(4, 4)));
    let some = head(4, 4);
    assert_eq!(reserve(some, 6, 10), (some as i64, head(10, 6)));
    assert_eq!(reserve(some, 7, 10), (-2, some));
    // A ring has no end.
    let far = head(1 << 39, 3);
    assert_eq!(
        reserve(far, 5, u64::MAX >> kept::LAST_BITS),
        (far as i64, head((1 << 39) + 5, 5))
    );
}
