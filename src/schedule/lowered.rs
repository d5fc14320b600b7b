//! Lowered nests: the kernels of a nest under its mapping, with what else is to be known of them.

use crate::facts::Reason;
use crate::kernel::{Expr, Kernel, ScalarType};
use crate::poly::Failure;
use crate::region::LoopId;

/// Result of lowering: kernels, the reason why there are none, or that isl's work has a limit.
pub type Lowers = Result<Result<Lowered, Reason>, Failure>;

/// Kernels, and what else is to be known of them.
#[derive(Default)]
pub struct Lowered {
    /// In the order of their launches.
    pub kernels: Vec<Kernel>,
    /// `(name, type, length)` of each array of partial results.
    pub partials: Vec<(String, ScalarType, i64)>,
    /// Where a second kernel joins partial results: the variable that holds their number, and its value.
    pub n_partials: Option<(String, Expr)>,
    /// The loops of its threads that several of them share.
    pub shared_out: Vec<LoopId>,
    /// Kernels in the place of `kernels` where elements are few and their loops long.
    pub divided: Option<Divided>,
    /// Others in their place, where a condition on the sizes of a call holds: the last that does.
    pub variants: Vec<(Expr, Lowered)>,
    /// The same, as the user gives them, in the place of `kernels` alone: the first that holds.
    pub rows: Vec<(Expr, Lowered)>,
}

/// A kernel that divides the loops of each element among several blocks, and what joins what they leave.
pub struct Divided {
    pub first: Kernel,
    pub second: Box<Lowered>,
    /// The host's variable for the number of blocks of an element, and its value.
    pub n_pieces: (String, Expr),
    /// So many blocks of an element are worth it.
    pub least: i64,
}

impl Lowered {
    /// Test that the host needs no names of its own for the kernels.
    pub fn is_alone(&self) -> bool {
        let Lowered { partials, n_partials, divided, variants, rows, .. } = self;
        partials.is_empty() && n_partials.is_none() && divided.is_none() && variants.is_empty() && rows.is_empty()
    }
}

impl Divided {
    /// Test that the sizes are known, and large enough.
    pub fn is_certain(&self) -> bool {
        is_certain(&self.n_pieces.1, self.least)
    }
}

/// Test that a number of blocks is known, and worth it.
pub fn is_certain(n_pieces: &Expr, least: i64) -> bool {
    matches!(n_pieces, Expr::Int(n) if *n >= least)
}

impl From<Kernel> for Lowered {
    fn from(kernel: Kernel) -> Self {
        Lowered { kernels: vec![kernel], ..Lowered::default() }
    }
}
