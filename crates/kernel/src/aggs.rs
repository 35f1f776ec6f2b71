//! aggs
/// x
pub struct AggKey;
