//! The sites of this very program.

use object::{Object, ObjectSection};

usdt::provider! {
    mod probes = "tests" {
        fn none();
        fn three__args(id: u32, text: &std::ffi::CStr, at: *const u8);
    }
}

#[test]
fn nobody_traces_and_nothing_happens() {
    probes::none();
    probes::three__args(7, c"text", std::ptr::null());
    assert!(!probes::none::enabled());
    assert!(!probes::three__args::enabled());
}

#[test]
fn words_are_what_d_sees() {
    use usdt::Value;
    assert_eq!((-2_i32).word(), u64::MAX - 1);
    assert_eq!(u32::MAX.word(), 0xffff_ffff);
    assert_eq!(true.word(), 1);
    let here = 5_u8;
    assert_eq!((&here).word(), (&raw const here).word());
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn notes_tell_where_and_with_what() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = std::fs::read(std::env::current_exe()?)?;
    let file = object::File::parse(bytes.as_slice())?;
    let notes = file.section_by_name(".note.stapsdt").ok_or("no notes")?;
    let notes = notes.uncompressed_data()?;
    let text = String::from_utf8_lossy(&notes);
    let probe = text.find("tests\0three__args\0").ok_or("no site")?;
    let args = text
        .get(probe..)
        .and_then(|rest| rest.split('\0').nth(2))
        .ok_or("no arguments")?;
    let places: Vec<_> = args.split_whitespace().collect();
    assert_eq!(places.len(), 3, "{args}");
    let register = if cfg!(target_arch = "x86_64") {
        "8@%"
    } else {
        "8@x"
    };
    assert!(places.iter().all(|p| p.starts_with(register)), "{args}");
    assert!(text.contains("tests\0none\0\0"));
    Ok(())
}
