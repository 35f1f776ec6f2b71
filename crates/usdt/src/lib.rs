//! Statically defined probes for Rust applications, seen by `dtrace`, perf, bpftrace and SystemTap.
//!
//! ```
//! usdt::provider! {
//!     /// What the server tells about itself.
//!     pub mod probes = "myserver" {
//!         /// A request came: its number and path.
//!         fn request__start(id: u64, path: &std::ffi::CStr);
//!         /// It was answered.
//!         fn request__done(id: u64, status: i32);
//!     }
//! }
//!
//! probes::request__start(7, c"/index.html");
//! if probes::request__done::enabled() {
//!     // Work that only somebody who traces needs.
//!     probes::request__done(7, 200);
//! }
//! ```
//!
//! ```text
//! dtrace -n 'myserver*:::request-start { printf("%d %s", arg0, copyinstr(arg1)); }'
//! ```
//!
//! A site costs a no-op while nobody traces. Arguments are integers and pointers, passed as 64-bit words; text that D is
//! to read with `copyinstr()` must end with NUL ([`core::ffi::CStr`]). `enabled()` reads a counter that the kernel raises
//! while the probe is enabled. A double underscore in a name is a dash in D.
//!
//! Without support for the machine (anything but 64-bit x86 and Arm Linux) everything compiles to nothing.
//!
//! Facts: the layout of SystemTap's notes (`UserSpaceProbeImplementation` in the SystemTap wiki).

#![no_std]

use core::ffi::CStr;

/// What can be passed to a probe: one word.
pub trait Value {
    /// The word as D sees it: integers are extended by their sign, pointers are addresses in this process.
    fn word(self) -> u64;
}

macro_rules! integers {
    ($($ty:ty)*) => {
        $(impl Value for $ty {
            #[inline(always)]
            fn word(self) -> u64 {
                self as i64 as u64
            }
        })*
    };
}

integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool);

impl<T> Value for *const T {
    #[inline(always)]
    fn word(self) -> u64 {
        self as usize as u64
    }
}

impl<T> Value for *mut T {
    #[inline(always)]
    fn word(self) -> u64 {
        self as usize as u64
    }
}

impl<T> Value for &T {
    #[inline(always)]
    fn word(self) -> u64 {
        core::ptr::from_ref(self) as usize as u64
    }
}

impl Value for &CStr {
    #[inline(always)]
    fn word(self) -> u64 {
        self.as_ptr() as usize as u64
    }
}

/// Defines a module with one function for each probe of a provider, and for each probe a module of the same name with
/// `enabled()`. See the crate's documentation.
#[macro_export]
macro_rules! provider {
    (
        $(#[$attribute:meta])*
        $vis:vis mod $module:ident = $provider:literal {
            $($(#[$doc:meta])* fn $probe:ident($($arg:ident: $ty:ty),* $(,)?);)*
        }
    ) => {
        $(#[$attribute])*
        $vis mod $module {
            #[allow(unused_imports, reason = "types of arguments may come from around the module")]
            use super::*;
            $(
                $(#[$doc])*
                #[inline(always)]
                #[allow(non_snake_case, clippy::too_many_arguments, reason = "D names the probe")]
                pub fn $probe($($arg: $ty),*) {
                    $crate::__site!($provider, $probe, $($arg),*);
                }

                /// The probe's semaphore.
                #[allow(non_snake_case, reason = "D names the probe")]
                pub mod $probe {
                    #[used]
                    // SAFETY: the section holds nothing but semaphores, which the kernel finds by their notes.
                    #[allow(unsafe_code, reason = "a section of its own")]
                    #[unsafe(link_section = ".probes")]
                    pub(super) static SEMAPHORE: ::core::sync::atomic::AtomicU16 =
                        ::core::sync::atomic::AtomicU16::new(0);

                    /// Whether somebody traces the probe.
                    #[inline(always)]
                    pub fn enabled() -> bool {
                        SEMAPHORE.load(::core::sync::atomic::Ordering::Relaxed) != 0
                    }
                }
            )*
        }
    };
}

/// A site: a no-op and its note.
#[doc(hidden)]
#[macro_export]
macro_rules! __site {
    ($provider:literal, $probe:ident, $($arg:ident),*) => {
        $crate::__asm!($provider, $probe, $($arg),*)
    };
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __asm {
    ($provider:literal, $probe:ident, $($arg:ident),*) => {
        $crate::__note!(
            "nop; .byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00",
            [options(att_syntax, nostack, preserves_flags)],
            $provider, $probe, $($arg),*
        )
    };
}

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __asm {
    ($provider:literal, $probe:ident, $($arg:ident),*) => {
        $crate::__note!(
            "nop",
            [options(nostack, preserves_flags)],
            $provider, $probe, $($arg),*
        )
    };
}

#[cfg(not(all(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    target_os = "linux"
)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __asm {
    ($provider:literal, $probe:ident, $($arg:ident),*) => {{
        $(let _ = $crate::Value::word($arg);)*
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __note {
    ($nop:literal, [$($options:tt)*], $provider:literal, $probe:ident, $($arg:ident),*) => {
        // SAFETY: the code is a no-op; the rest goes into sections that are not loaded or that nobody else uses. What reads
        // the arguments while the process stands here is the tracer's, which cannot change them.
        #[allow(unsafe_code, reason = "inline assembly")]
        unsafe {
            ::core::arch::asm!(
                concat!(
                    "990: ", $nop, "\n",
                    ".pushsection .note.stapsdt, \"?\", \"note\"\n",
                    ".balign 4\n",
                    ".4byte 992f - 991f, 994f - 993f, 3\n",
                    "991: .asciz \"stapsdt\"\n",
                    "992: .balign 4\n",
                    "993: .8byte 990b, _.stapsdt.base, {semaphore}\n",
                    ".asciz \"", $provider, "\"\n",
                    ".asciz \"", stringify!($probe), "\"\n",
                    ".asciz \"", $("8@{", stringify!($arg), "} ",)* "\"\n",
                    "994: .balign 4\n",
                    ".popsection\n",
                    ".ifndef _.stapsdt.base\n",
                    ".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n",
                    ".weak _.stapsdt.base\n",
                    ".hidden _.stapsdt.base\n",
                    "_.stapsdt.base: .space 1\n",
                    ".size _.stapsdt.base, 1\n",
                    ".popsection\n",
                    ".endif\n",
                ),
                $($arg = in(reg) $crate::Value::word($arg),)*
                semaphore = sym $probe::SEMAPHORE,
                $($options)*
            );
        }
    };
}
