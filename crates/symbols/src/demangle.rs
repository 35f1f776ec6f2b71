//! Names of C++ and Rust functions as their authors wrote them.

use std::borrow::Cow;

/// Most characters of an undone name: templates can blow a short one up without end.
const MOST: usize = 4096;
/// How deep a mangled name may nest.
const DEPTH: u32 = 256;

/// The source's name of a function: without parameters, return type and hash. Names of other languages as they are.
///
/// ```
/// use symbols::demangle::name;
/// assert_eq!(name("_ZN3foo3barEi"), "foo::bar");
/// assert_eq!(name("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
/// assert_eq!(name("main"), "main");
/// ```
pub fn name(mangled: &str) -> Cow<'_, str> {
    // Linkers and compilers add suffixes (`.cold`, `.part.0`, `.llvm.123`) that are no part of the mangled name.
    if !mangled.starts_with('_') || mangled.len() > MOST {
        return Cow::Borrowed(mangled);
    }
    if let Some(rust) = rust(mangled) {
        return Cow::Owned(rust);
    }
    match cpp(mangled) {
        Some(text) => Cow::Owned(text),
        None => Cow::Borrowed(mangled),
    }
}

fn rust(mangled: &str) -> Option<String> {
    let symbol = rustc_demangle::try_demangle(mangled).ok()?;
    let mut text = Limited(String::new());
    // `{:#}` leaves the hash out.
    std::fmt::write(&mut text, format_args!("{symbol:#}")).ok()?;
    Some(text.0)
}

fn cpp(mangled: &str) -> Option<String> {
    if !mangled.starts_with("_Z") {
        return None;
    }
    let parse = cpp_demangle::ParseOptions::default().recursion_limit(DEPTH);
    let (plain, suffix) = match mangled.split_once('.') {
        Some((plain, suffix)) => (plain, Some(suffix)),
        None => (mangled, None),
    };
    let symbol = cpp_demangle::Symbol::new_with_options(plain, &parse).ok()?;
    let show = cpp_demangle::DemangleOptions::default()
        .recursion_limit(DEPTH)
        .no_params()
        .no_return_type();
    let mut text = Limited(String::new());
    symbol.structured_demangle(&mut text, &show).ok()?;
    if let Some(suffix) = suffix {
        text.0.push('.');
        text.0.push_str(suffix);
    }
    Some(text.0)
}

/// A text that refuses to grow without end.
struct Limited(String);

impl std::fmt::Write for Limited {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        if self.0.len() + piece.len() > MOST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(piece);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_undone() {
        for (mangled, plain) in [
            ("_ZN2ns5ThingC1Ev", "ns::Thing::Thing"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backEOi",
                "std::vector<int, std::allocator<int> >::push_back",
            ),
            ("_ZL6statici", "static"),
            ("_ZN2ns3runEv.cold", "ns::run.cold"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("__libc_start_main", "__libc_start_main"),
            ("_Z", "_Z"),
            ("operator", "operator"),
        ] {
            assert_eq!(name(mangled), plain, "{mangled}");
        }
    }
}
