//! C as kernel IR: expressions, and statements and trees made of them. All of it extends one state, [`Lowering`].

mod expressions;
mod lowering;
mod statements;

pub use lowering::{ByValue, Lowering, Origin, Used, scalar_type};
pub use statements::function;
