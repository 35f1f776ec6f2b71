//! A program with probes: counts, and says so.
//!
//! `cargo run --example clock & dtrace -n 'clock*:::tick { printf("%d %s", arg0, copyinstr(arg1)); }'`

use std::time::Duration;

usdt::provider! {
    mod probes = "clock" {
        fn tick(n: u64, text: &std::ffi::CStr, change: i32);
        fn over();
    }
}

fn main() {
    let ticks = std::env::args().nth(1).and_then(|n| n.parse().ok());
    for n in 0..ticks.unwrap_or(100) {
        let text = if n % 2 == 0 { c"even" } else { c"odd" };
        probes::tick(n, text, -1);
        std::thread::sleep(Duration::from_millis(10));
    }
    let seen = if probes::over::enabled() {
        probes::over();
        "traced"
    } else {
        "not traced"
    };
    println!("{seen}");
}
