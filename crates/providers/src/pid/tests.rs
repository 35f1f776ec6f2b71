//! Against this very process.
