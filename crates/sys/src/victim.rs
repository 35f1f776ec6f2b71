//! victims
