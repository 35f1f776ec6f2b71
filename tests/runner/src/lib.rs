//! The test suite of D programs: what a file's name and its `@@` directives say, and how it is run and judged.
//!
//! `tests/d/<area>/tst.NAME.d` must exit 0 (and print `tst.NAME.d.out`, if there is one); `tst.NAME.sh` likewise;
//! `err.D_TAG.NAME.d` must fail to compile with that tag; `drp.TAG.NAME.d` must report that drop.
//! Directives stand anywhere in the first 40 lines: `@@flags`, `@@args`, `@@trigger`, `@@timeout`, `@@needs`, `@@status`.

pub mod case;
pub mod host;
pub mod run;
