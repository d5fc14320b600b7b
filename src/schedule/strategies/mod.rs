//! Strategies, in the order in which they are asked for a mapping of a nest; the first that serves it is taken, unless a
//! configuration names another of them (`strategy` of `[kernels.NAME]`).
//!
//! A strategy is a row of [`STRATEGIES`]: what it proposes for a nest, or why not. Mappings of all of them are realised by one
//! lowering ([`kernels`](super::kernels)).

mod collapsed;
mod histogram;
mod in_order;
mod narrow;
mod points;
mod pointwise;
mod product;
mod reduction;
mod rows;
mod rows_at;
mod scan;
mod sliding;
mod staged;
mod strategy;
mod table;
mod variants;
mod waiting;

pub use rows_at::{extents, extents_within};
pub use strategy::{Proposal, Strategy};
pub use table::{STRATEGIES, first, proposals};
pub use variants::taken_when;
