//! Owned safe wrappers over isl, the integer set library: sets of integer tuples and relations between them under
//! affine constraints, computed exactly; schedules; generated loops.
//!
//! For a newcomer, the objects are:
//!
//! | object | is | for example |
//! | --- | --- | --- |
//! | [`Set`] | integer tuples of one named space, with parameters | the iterations of a statement |
//! | [`Map`] | pairs of tuples | which element an iteration reads |
//! | [`USet`], [`UMap`] | unions of those over several spaces | the iterations of all statements |
//! | [`Aff`], [`PwAff`] | an affine expression with integer divisions, alone or in pieces | a subscript, a bound |
//! | [`Mupa`] | several of those over several spaces | the partial schedule of a band |
//! | [`Schedule`] | a tree that orders iterations | the loops of a kernel |
//! | [`Flow`] | who reads what whom wrote, by [`flow()`] | dependences |
//! | [`AstNode`], [`AstExpr`] | generated loops, as plain Rust values, by [`AstBuild`] | what is emitted |
//!
//! **Ownership.** Every method borrows; objects are values that never change, `clone` counts a reference. All objects
//! of a computation live in one [`Ctx`], which they keep alive; objects of two contexts in one call are an error, and
//! nothing crosses threads.
//!
//! **Failure.** What isl refuses comes back as an [`Error`] with its words. Some operations are exponential: set a
//! limit by [`Ctx::set_limit`], and one that exceeds it fails with [`ErrorKind::Limit`] rather than hangs.
//!
//! **Names.** Methods are isl's functions without prefix and `get_`, so isl's manual is theirs too. `isl/*.rs` are
//! tables, one line a function; `isl/ffi`, which reads them, holds all the `unsafe`. The tables hold what is used:
//! another of isl's functions is another line.
//!
//! ```
//! use rtcuda_isl::{Ctx, Dim, Map, Set};
//!
//! # fn main() -> rtcuda_isl::Result<()> {
//! let ctx = Ctx::new();
//! let iterations = Set::parse(&ctx, "[n] -> { S[i] : 0 <= i < n }")?;
//! let reads = Map::parse(&ctx, "{ S[i] -> A[2i + 1] }")?;
//! let elements = iterations.apply(&reads)?;
//! assert_eq!(elements.tuple_name()?.as_deref(), Some("A"));
//! assert_eq!(elements.dim_max(0)?.to_string(), "[n] -> { [(-1 + 2n)] : n > 0 }");
//! assert_eq!(elements.upper_bound(Dim::Param, 0, 4)?.dim_max_val(0)?.to_i64(), Some(7));
//! # Ok(())
//! # }
//! ```
//!
//! **Build.** isl's own build is steered from `.cargo/config.toml`: small integers without allocation, no instructions
//! of the build machine alone, and three faults of isl 0.27 mended (`.cargo/isl.sed` says which): it forgot instances
//! that have no source, wrote in front of an array, and made one loop of a triangle's two where sizes are known. A
//! change there takes `cargo clean -p isl-rs`.

mod aff;
mod ast;
mod ctx;
mod error;
mod ffi;
mod flow;
mod handles;
mod map;
mod options;
mod schedule;
mod set;
mod space;
#[cfg(test)]
mod tests;
mod union;
mod val;

pub use ast::{AstBuild, AstExpr, AstNode, AstOp};
pub use ctx::Ctx;
pub use error::{Error, ErrorKind, Result};
pub use flow::{Flow, flow};
pub use handles::{Aff, BasicMap, BasicSet, Constraint, Map, Mupa, PwAff, Set, Space, UMap, USet, Val};
pub use schedule::{Schedule, ScheduleConstraints};
pub use space::Dim;

use handles::Id;
