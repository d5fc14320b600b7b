//! From a static control part to nests: which loops run in parallel, in what order, on which side.
//!
//! ```text
//! Tree (loops and statements as written)
//!   -> verdicts    which loop carries what                       [parallel]
//!   -> steps       distribute, swap, collapse into bands         [bands], [distribute], [swap]
//!   -> fewer steps neighbours joined where dependences allow     [fuse]
//!   -> mappings    a band to blocks, threads and points          [strategies], [mapping]
//!   -> kernels     what the mappings say                         [kernels]: [frame], [lower], [tile], [lanes], [reduce],
//!                                                              [scan], [histogram]
//! ```
//! A step list is run by the host in order; a nest in it becomes one kernel (two for a reduction or a scan).
//!
//! A launch picks at the call: among variants, other mappings of the nest with the sizes that call for each
//! ([`strategies`], [`lanes`]); among blocks of several sizes ([`tile`]); and between positions of 32 and 64 bits
//! ([`crate::kernel::positions`]). A thread has points ([`strategies`]) and shares what they load; a block has loops of
//! its own, in steps, pieces that are copied ahead, windows that may slide, matrices of warps (all in [`tile`]), and copies of
//! what the data choose ([`histogram`]).
//!
//! | word | meaning |
//! | --- | --- |
//! | merge, skew | points of a thread a block apart; points that are neighbours |
//! | piece | a stretch of a loop in order, run between two barriers |
//! | staged, window | loaded by a block into shared memory: values for a piece of a loop; elements around its points |
//! | tap | an iteration of a loop whose counter is added to an axis's in a subscript: the next point reads in it what this one reads in the next |
//! | copies | elements in a block's shared memory, updated in the place of an array's and joined to it in the end |
//! | steps | iterations of a loop that a whole block runs, with tiles inside |
//! | instance | a kernel with certain sizes and a certain width of positions |
//! | collapsed | of axes: sharing a dimension of the grid, the last of them fastest |
//! | variant | another mapping of a nest, taken at the call where its sizes call for it |
//! | lane | one of several threads that share the loop of one element |

use crate::ast::{Expr, VarId};
use crate::facts::Reason;
use crate::region::{Condition, LoopId, StmtId, Tree};
use std::collections::BTreeSet;

pub mod apart;
pub mod bands;
pub mod block;
pub mod body_wavefront;
pub mod distribute;
pub mod divide;
pub mod expand;
pub mod extent;
pub mod frame;
pub mod fuse;
pub mod histogram;
pub mod index;
pub mod kernels;
pub mod lanes;
pub mod lower;
pub mod lowered;
pub mod map;
pub mod mapping;
pub mod node_splitting;
pub mod parallel;
pub mod reduce;
pub mod reduce_op;
pub mod register_promotion;
pub mod reorder;
pub mod request;
pub mod rewrite;
mod runs;
pub mod scan;
pub mod scheduler;
pub mod set_bounds;
pub mod strategies;
pub mod swap;
pub mod tile;
pub mod together;
pub mod verify;

/// A step of the host, around nests or what becomes of them.
#[derive(Debug, Clone)]
pub enum Step<N = Nest> {
    Nest(N),
    /// A sequential loop around kernels.
    Loop {
        id: LoopId,
        body: Vec<Step<N>>,
    },
    /// An affine condition around kernels, on parameters and counters of the host's loops.
    If {
        cond: Condition,
        expr: Option<Expr>,
        negated: bool,
        body: Vec<Step<N>>,
    },
}

/// How a nest runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The axes' iterations are independent.
    Parallel,
    /// Independent but for accumulations.
    Reduce,
    /// Each takes over an accumulation of those before it ([`scan`]).
    Scan,
    /// In order, by one thread.
    OneThread,
}

/// A loop nest that becomes a kernel.
#[derive(Debug, Clone)]
pub struct Nest {
    /// The band: parallel loops, outermost first. Each is one loop, or several of the same bounds that were fused.
    pub axes: Vec<Vec<LoopId>>,
    /// What runs inside, in order.
    pub body: Vec<Tree>,
    pub mode: Mode,
}

/// A nest and how its kernel runs it.
#[derive(Debug, Clone)]
pub struct Mapped {
    pub nest: Nest,
    pub mapping: mapping::Mapping,
    /// That of a phase, where it is another: loops of the host around it may be one kernel.
    pub phase: Option<mapping::Mapping>,
    /// The mappings of other strategies that serve it, too.
    pub others: Vec<mapping::Mapping>,
    /// Data of which each thread has its own copy.
    pub private: BTreeSet<VarId>,
    /// Statements of loops whose target is kept in a register (see [`register_promotion`]).
    pub promoted: BTreeSet<StmtId>,
    /// Requests of the user that are not met.
    pub said: Vec<Reason>,
}

impl Mapped {
    /// The same with the mapping of its phase.
    pub fn as_phase(&self) -> Option<Mapped> {
        let mapping = self.phase.clone()?;
        Some(Mapped { mapping, phase: None, others: vec![], said: vec![], ..self.clone() })
    }
}

impl Nest {
    /// The statements of the nest.
    pub fn stmts(&self) -> Vec<StmtId> {
        self.body.iter().flat_map(Tree::stmts).collect()
    }
}
