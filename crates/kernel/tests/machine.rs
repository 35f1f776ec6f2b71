//! Facts about the running kernel that tracing depends on.

mod common;

use common::*;
use kernel::features::features;
use kernel::kallsyms::Kallsyms;

#[test]
fn this_kernel_has_the_features_that_the_product_is_built_on() -> Outcome {
    if !live("features") {
        return Ok(());
    }
    let f = features();
    f.check()?;
    assert!(f.tp_btf() && f.ring_buffer() && f.batch());
    assert!(f.task_storage() && f.lazy_aggregations() && f.strncmp());
    Ok(())
}

#[test]
fn the_symbol_table_is_read_and_round_trips() -> Outcome {
    let Some(table) = Kallsyms::load() else {
        say("symbol table: skipped: this kernel hides /proc/kallsyms");
        assert!(!features().kallsyms());
        return Ok(());
    };
    assert!(features().kallsyms());
    let schedule = table
        .find("schedule", Some("vmlinux"))
        .ok_or("no schedule")?;
    let inside = table
        .lookup(schedule.address + 5)
        .ok_or("not found by address")?;
    assert_eq!(
        (inside.name, inside.address),
        ("schedule", schedule.address)
    );
    Ok(())
}
