//! A place in this program's own code for trying what the kernel makes of breakpoints.

#[cfg(target_arch = "x86_64")]
core::arch::global_asm!(
    ".pushsection .text.dtrace_trial_site, \"ax\", @progbits",
    ".balign 16",
    ".globl dtrace_trial_site",
    ".hidden dtrace_trial_site",
    ".type dtrace_trial_site, @function",
    "dtrace_trial_site:",
    ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00",
    "ret",
    ".size dtrace_trial_site, . - dtrace_trial_site",
    ".popsection",
);

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    fn dtrace_trial_site();
}

/// A function that is a no-op of five bytes.
#[derive(Clone, Copy, Debug)]
pub struct Site {
    function: unsafe extern "C" fn(),
}

impl Site {
    /// The function, where there are such no-ops.
    pub fn get() -> Option<Site> {
        #[cfg(target_arch = "x86_64")]
        return Some(Site {
            function: dtrace_trial_site,
        });
        #[cfg(not(target_arch = "x86_64"))]
        return None;
    }

    fn address(self) -> usize {
        self.function as usize
    }

    /// Where it is in the file of this program.
    pub fn file_offset(self) -> Option<u64> {
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let here = self.address() as u64;
        maps.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            let hex = |text| u64::from_str_radix(text, 16).ok();
            let (start, end) = (hex(start)?, hex(end)?);
            let offset = hex(words.nth(1)?)?;
            (start..end).contains(&here).then(|| here - start + offset)
        })
    }

    /// Runs it.
    pub fn run(self) {
        // SAFETY: it is the function above, which takes nothing, does nothing and returns, whatever probes are there.
        unsafe { (self.function)() }
    }

    /// Whether the no-op has become a call.
    pub fn is_call(self) -> bool {
        // SAFETY: the first byte of a function of this program is readable; the kernel may change it meanwhile, so it is
        // read as it is now.
        let first = unsafe { core::ptr::read_volatile(self.address() as *const u8) };
        first == 0xe8
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn it_is_where_it_is_said_to_be() {
        let site = Site::get().expect("x86-64");
        site.run();
        assert!(!site.is_call());
        let file = std::fs::read("/proc/self/exe").expect("this program");
        let at = site.file_offset().expect("a mapping") as usize;
        assert_eq!(
            file.get(at..at + 6),
            Some(&[0x0f, 0x1f, 0x44, 0, 0, 0xc3][..])
        );
    }
}
