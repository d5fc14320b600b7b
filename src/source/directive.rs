//! `#pragma` lines that speak to this tool: `rt`, `scop`, and the OpenMP and OpenACC hints.
//!
//! What is wrong in a `#pragma rt` is an error at the word. OpenMP and OpenACC are the business of other compilers:
//! clauses that say nothing to this tool are skipped, and a line that cannot be read is no hint.

pub(super) mod line;
mod mapping;
pub mod read;

use super::Span;
use crate::config::Asked;

/// A directive with its clauses, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    pub kind: DirectiveKind,
    pub span: Span,
}

/// A piece of a directive's text, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    pub text: String,
    pub span: Span,
}

/// A size of a mapping, with the counter of the loop that it is for, if it is for one.
pub type NamedSize = (Option<String>, u32);

/// What a directive says.
#[derive(Debug, Clone, PartialEq)]
pub enum DirectiveKind {
    /// `#pragma rt region [name(N)] [sync(S)] [min-work(N)] [check-every(N)]`; `#pragma scop` has none of them.
    RegionBegin { name: Option<String>, asked: Asked },
    /// `#pragma rt end`, `#pragma endscop`.
    RegionEnd,
    /// The next loop's iterations are independent, says the user: `rt parallel`, `omp parallel for`,
    /// `acc parallel loop`, `acc kernels`. `asserted` is false for `acc kernels`, which asks only for analysis;
    /// `collapse` is the number of nested loops that it speaks of.
    /// `sharing` is what other clauses say of who has which variables.
    Parallel {
        asserted: bool,
        collapse: usize,
        reductions: Vec<(String, String)>,
        private: Vec<String>,
        sharing: Sharing,
    },
    /// A line of OpenMP or OpenACC about threads that is no loop's.
    Threads { role: Role, own: OwnNames },
    /// `#pragma rt shape(a: n, m)`: the extents behind a pointer, as C expressions in text.
    Shape { array: Phrase, extents: Vec<Phrase> },
    /// `#pragma rt library(gemm|never|...)`.
    Library(String),
    /// `merge(16) skew(2) block(32,8) prefetch(3)`: mapping parameters of the next loop nest. `block` is in CUDA's order:
    /// the extent in x, then y, then z. Of a figure for one loop, `merge(i: 8, j: 4)`, the loop's counter is named.
    /// `prefetch` says how many pieces of a loop a block has at once.
    Mapping { merge: Vec<NamedSize>, skew: Vec<NamedSize>, block: Vec<u32>, prefetch: Option<u32> },
    /// `#pragma rt host`: the next statement stays on the host.
    Host,
    /// No line of the user's: the next statement hardly ever runs, says the rewrite that wrote it.
    Rare,
}

/// Clauses of an OpenMP or OpenACC loop beside [`DirectiveKind::Parallel`]'s own fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sharing {
    pub own: OwnNames,
    /// The line itself starts the threads that share the loop out: `omp parallel for` and `rt parallel`, not `omp for`.
    pub starts_threads: bool,
    /// The clause `ordered`.
    pub ordered: bool,
}

/// The names in clauses by which threads have variables of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnNames {
    /// `private(x)`, `firstprivate(x)` and the like: of a pointer, the pointer itself.
    pub copied: Vec<String>,
    /// Those of them that begin as what is outside, and do not come back: `firstprivate(x)` without `lastprivate(x)`.
    pub first: Vec<String>,
    /// `reduction(+ : h[:n])`: of a pointer, what is behind it.
    pub reduced: Vec<String>,
}

/// Effect of a line of OpenMP or OpenACC about threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `atomic`, `critical`: no two threads are in the next statement at once.
    Guard,
    /// `parallel`, `teams`: each thread has its own of what the next statement declares.
    Team,
    /// `threadprivate`: each thread has its own of these variables.
    OwnGlobals,
    /// `ordered`, `barrier`, `single`, `task` and the rest: a loop with one inside is not of independent iterations.
    Order,
}
