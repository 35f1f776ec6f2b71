//! Pictures of what was traced: flame graphs and heat maps as SVG, timelines as trace events.
//!
//! Pure: data in, text out. A picture is one file that needs nothing else: it is readable as it is, and where scripts run
//! (a browser, also from `file://`) it can be searched and zoomed.
//!
//! Invariants: the same data make the same text; whatever names hold, the text is well-formed; nothing is left out
//! silently: what is too small to be drawn, and what was lost, is said in the picture.

pub mod flame;
#[cfg(test)]
mod golden;
pub mod heatmap;
mod page;
mod text;
pub mod trace;
mod unit;

pub use page::About;
pub use unit::Unit;
