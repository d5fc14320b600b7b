//! Candidate regions and what they hold: static control parts with their loops, statements and accesses, and the host
//! control around them.
//!
//! A region is a run of statements of one function ([`candidates`]). [`mod@divide`] divides it into [`parts`]: static
//! control (loops with affine bounds, the polyhedral core's food) and control of the host (a convergence `while`, scalar
//! arithmetic between two nests). [`extract`] turns a run of statements into a [`StaticPart`]: loops and statements as a
//! tree, every access with its subscripts as polynomials ([`symbolic`]); [`plain`] is the C that all of it sees;
//! [`delinearise`] sees `a[i*n+j]` as `a[i][j]`; [`reduction`] knows an accumulation when it sees one.

pub mod accesses;
pub mod alike;
pub mod allocations;
pub mod assertions;
pub mod callers;
pub mod candidates;
pub mod choices;
pub mod complex;
pub mod copies;
pub mod definite_assignment;
pub mod delinearise;
pub mod divide;
pub mod effects;
pub mod elements;
pub mod extract;
mod extractor;
pub mod facts;
pub mod functions;
pub mod header;
pub mod hints;
pub mod imports;
pub mod liveness;
pub mod loops;
mod padded;
pub mod parts;
pub mod pieces;
pub mod plain;
pub mod prints;
pub mod ranges;
pub mod reason;
pub mod reduction;
mod row_lengths;
pub mod runs;
pub mod scratch;
pub mod shape;
pub mod shared;
pub mod static_part;
pub mod symbolic;
pub mod text;
mod tiling;
pub mod unused;
pub mod wanted;

pub use reason::Reason;
pub use static_part::{
    Access, AccessKind, Condition, Data, Loop, LoopId, Obligation, Reach, Reduction, Relation, Statement, StaticPart,
    StmtId, Tree,
};
