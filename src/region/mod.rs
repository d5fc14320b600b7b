//! Candidate regions and what they hold: static control parts with their loops, statements and accesses, and the host
//! control around them.
//!
//! A region is a run of statements of one function ([`candidates`]). [`mod@divide`] divides it into [`parts`]: static
//! control (loops with affine bounds, the polyhedral core's food) and control of the host (a convergence `while`, scalar
//! arithmetic between two nests). [`extract`] turns a run of statements into a [`StaticPart`]: loops and statements as a
//! tree, every access with its subscripts as polynomials; [`delinearise`] sees `a[i*n+j]` as `a[i][j]`. The C that all
//! of it sees is what [`normalize`](crate::normalize) leaves; what is told by the C alone stands in [`facts`](crate::facts).

pub mod accesses;
pub mod alike;
pub mod allocations;
pub mod assertions;
mod bounded;
pub mod callers;
pub mod candidates;
pub mod choices;
pub mod complex;
pub mod copies;
pub mod delinearise;
pub mod divide;
pub mod extract;
mod extractor;
pub mod hints;
pub mod imports;
mod kept_numbers;
mod lazy;
pub mod names;
mod padded;
pub mod parts;
pub mod pieces;
pub mod ranges;
mod reached;
mod row_lengths;
pub mod runs;
pub mod shape;
pub mod shared;
pub mod static_part;
pub mod teams;
pub mod text;
mod tiling;
mod unmodelled;
pub mod unused;

pub use static_part::{
    Access, AccessKind, Condition, Data, Loop, LoopId, Obligation, Reach, Relation, Statement, StaticPart, StmtId,
    Tree, Unknown,
};
