# A Rust program, optimised: names without hashes, arguments, and returns of functions through which panics go.
# @@needs rustc
# @@timeout 120
. "$(dirname "$0")/lib.bash"
cat >"$dir/target.rs" <<'R'
use std::hint::black_box;
mod shop {
    pub struct Till { pub sum: u64 }
    pub trait Pay { fn pay(&mut self, amount: u64) -> u64; }
    impl Pay for Till {
        #[inline(never)]
        fn pay(&mut self, amount: u64) -> u64 {
            self.sum += amount;
            if amount == 13 { panic!("unlucky"); }
            self.sum
        }
    }
}
use shop::Pay;
#[inline(never)]
fn risky(till: &mut shop::Till, n: u64) -> u64 { black_box(till.pay(n)) + 1 }
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut till = shop::Till { sum: 0 };
    for n in 10..16 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| risky(&mut till, black_box(n))));
        println!("{n} {}", done.is_ok());
    }
}
R
rustc -O -o "$dir/target" "$dir/target.rs" 2>"$dir/.rustc" || fail "rustc: $(cat "$dir/.rustc")"
"$DTRACE" -l -c "$dir/target" -n 'pid$target:target:*risky*:entry' >"$dir/list" || fail "no list"
grep -q 'risky' "$dir/list" || fail "not listed: $(cat "$dir/list")"
run -q -c "$dir/target" -n 'pid$target:target:*risky*:entry { entries++; @n = sum(arg1); }
    pid$target:target:*risky*:return { returns++; @r = max(arg1); }
    pid$target:target:*pay*:entry /!shown/ { shown = 1; printf("[%s]\n", probefunc); ustack(3); }
    END { printf("%d entries, %d returns\n", entries, returns); printa("sum %@d\n", @n); printa("last %@d\n", @r); }'
ended 0
prints '13 false'
prints '15 true'
prints '6 entries, 5 returns'
prints 'sum 75'
prints 'last 76'
prints 'target::risky+0x'
prints 'target::main'
