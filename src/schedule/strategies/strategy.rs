//! Strategy as a value: what it proposes for a nest, or why not, and what realises its mappings.

use crate::poly::Failure;
use crate::schedule::Nest;
use crate::schedule::lowered::{Lowered, Lowers};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;

/// Lowering of a nest under a mapping; the text is the first kernel's name.
pub type Lower = fn(&mut Mapper, &Analysis, &Nest, &Mapping, &str) -> Lowers;

/// The kernel of a nest in tiles, windows or several points of a thread, as more than one strategy has it.
///
/// # Errors
/// The limit on isl's work, or what cannot be lowered.
pub fn tiled(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    Ok(m.tiled(a, nest, mapping, name)?.map(Lowered::from))
}

/// A way to map nests.
pub struct Strategy {
    /// Name of its mappings.
    pub name: &'static str,
    /// The mapping that it proposes.
    pub propose: fn(&mut Mapper, &Analysis, &Nest) -> Result<Proposal, Failure>,
    /// The kernels of a nest under a mapping of its own; the text is the first kernel's name.
    pub lower: Lower,
}

/// Answer of a strategy for a nest.
pub enum Proposal {
    Mapping(Box<Mapping>),
    /// It does not serve the nest: what to say of that, if anything.
    No(Option<String>),
}
