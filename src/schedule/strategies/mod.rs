//! The strategies, in the order in which they are asked for a mapping of a nest; the first that serves it is taken.
//!
//! A strategy is a row of [`STRATEGIES`]: what it proposes for a nest, or why not, and what realises its mappings. What is
//! common to all stands in [`Mapper`].

use super::Nest;
use super::map::Mapper;
use super::mapping::Mapping;
use super::parallel::Analysis;
use crate::kernel::{Expr, Kernel, ScalarType};
use crate::poly::Failure;
use crate::region::{LoopId, Reason};

mod collapsed;
mod histogram;
mod in_order;
mod points;
mod pointwise;
mod product;
mod reduction;
mod rows;
mod scan;
mod sliding;
mod staged;
mod variants;

/// A way to map nests.
pub struct Strategy {
    /// Name of its mappings.
    pub name: &'static str,
    /// The mapping that it proposes.
    pub propose: fn(&mut Mapper, &Analysis, &Nest) -> Result<Proposal, Failure>,
    /// The kernels of a nest under a mapping of its own; the text is the first kernel's name.
    pub lower: fn(&mut Mapper, &Analysis, &Nest, &Mapping, &str) -> Lowers,
}

/// Result of lowering: kernels, the reason why there are none, or that isl's work has a limit.
pub type Lowers = Result<Result<Lowered, Reason>, Failure>;

/// Answer of a strategy for a nest.
pub enum Proposal {
    Mapping(Box<Mapping>),
    /// It does not serve the nest: what to say of that, if anything.
    No(Option<String>),
}

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
    /// Others in their place, where a condition on the sizes of a call holds.
    pub variants: Vec<(Expr, Lowered)>,
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

impl Divided {
    /// Whether the sizes are known, and large enough.
    pub fn is_certain(&self) -> bool {
        is_certain(&self.n_pieces.1, self.least)
    }
}

/// Whether a number of blocks is known, and worth it.
pub fn is_certain(n_pieces: &Expr, least: i64) -> bool {
    matches!(n_pieces, Expr::Int(n) if *n >= least)
}

impl From<Kernel> for Lowered {
    fn from(kernel: Kernel) -> Self {
        Lowered { kernels: vec![kernel], ..Lowered::default() }
    }
}

/// The strategies: special ones before those that serve every nest of their mode.
pub const STRATEGIES: [Strategy; 10] = [
    in_order::STRATEGY,
    histogram::STRATEGY,
    reduction::STRATEGY,
    scan::STRATEGY,
    sliding::STRATEGY,
    rows::STRATEGY,
    product::STRATEGY,
    collapsed::STRATEGY,
    staged::STRATEGY,
    pointwise::STRATEGY,
];

/// The mapping of a nest.
///
/// # Errors
/// The limit on isl's work.
pub fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Mapping, Failure> {
    m.name_loops(a, nest);
    let mut notes = vec![];
    for strategy in &STRATEGIES {
        match (strategy.propose)(m, a, nest)? {
            Proposal::Mapping(mut mapping) => {
                mapping.notes.splice(0..0, notes);
                mapping.divided = m.divided_mapping(a, nest)?;
                mapping.variants = variants::usual(m, a, nest, &mapping)?;
                return Ok(*mapping);
            }
            Proposal::No(why) => notes.extend(why),
        }
    }
    unreachable!("a strategy serves every nest of each mode")
}

/// The kernels of a nest under its mapping.
///
/// # Errors
/// The limit on isl's work, or what cannot be lowered.
pub fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    m.name_loops(a, nest);
    let strategy = STRATEGIES.iter().find(|s| s.name == mapping.strategy).expect("a mapping has a strategy");
    let is_never_whole = match &mapping.divided {
        Some(divided) => m.is_certain(a, nest, divided)?,
        None => false,
    };
    let mut lowered = match is_never_whole {
        true => Lowered::default(),
        false => match (strategy.lower)(m, a, nest, mapping, name)? {
            Ok(lowered) => lowered,
            Err(reason) => return Ok(Err(reason)),
        },
    };
    match variants::lower(m, a, nest, mapping, name)? {
        Ok(variants) => lowered.variants.extend(variants),
        Err(reason) => return Ok(Err(reason)),
    }
    Ok(m.divide(a, nest, mapping, name, &mut lowered)?.map(|()| lowered))
}
