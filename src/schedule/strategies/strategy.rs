//! Strategy as a value: what it proposes for a nest, or why not.

use crate::poly::Failure;
use crate::schedule::Nest;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;

/// A way to map nests.
pub struct Strategy {
    /// Name of its mappings.
    pub name: &'static str,
    /// The mapping that it proposes.
    pub propose: fn(&mut Mapper, &Analysis, &Nest) -> Result<Proposal, Failure>,
}

/// Answer of a strategy for a nest.
pub enum Proposal {
    Mapping(Box<Mapping>),
    /// It does not serve the nest: what to say of that, if anything.
    No(Option<String>),
}
