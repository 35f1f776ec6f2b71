//! What can go wrong between recorded bytes and output text.

use std::io;

/// An error of the consumer. Nothing the outside controls makes it panic.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A record or event is shorter than its layout says, or names things the image lacks.
    #[error("malformed record: {0}")]
    Record(&'static str),
    /// The image contradicts itself.
    #[error("malformed program image: {0}")]
    Image(&'static str),
    /// The output could not be written.
    #[error("failed to write output: {0}")]
    Write(#[source] io::Error),
    /// An aggregation's values could not be read, reset or removed.
    #[error("failed to process aggregation @{name}: {source}")]
    Aggregation {
        /// Name without `@`.
        name: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// `normalize()` by zero.
    #[error("Invalid normalization")]
    BadNormal,
}

/// Result of the consumer.
pub type Result<T> = std::result::Result<T, Error>;
