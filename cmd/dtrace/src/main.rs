//! dtrace(1)
fn main() {}
