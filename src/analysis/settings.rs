//! Settings of the user for a region.

use crate::config::{Defaults, Optimization, Sizes};
use crate::schedule::tile::Allowed;

/// Settings of the user for a region.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    pub defaults: &'a Defaults,
    pub sizes: Sizes,
}

impl Settings<'_> {
    /// Permission of an optimization.
    pub fn allows(&self, optimization: Optimization) -> bool {
        self.defaults.optimize.contains(&optimization)
    }

    /// Transformations that are allowed.
    pub fn tiles(&self) -> Allowed {
        Allowed {
            merge: self.allows(Optimization::Merge),
            skew: self.allows(Optimization::Skew),
            vectorize: self.allows(Optimization::Vectorize),
            stage: self.allows(Optimization::Prefetch),
            hold: self.allows(Optimization::RedundantLoads),
        }
    }
}
