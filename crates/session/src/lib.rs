//! session

pub mod world;
