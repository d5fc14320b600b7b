//! Settings of the user for a region.

use crate::config::{Arch, Defaults, KernelSizes, Optimization, Sizes, Sync, Target};
use crate::schedule::request::Allowed;
use indexmap::IndexMap;

/// Settings of the user for a region.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    pub target: &'a Target,
    pub defaults: &'a Defaults,
    pub sizes: Sizes,
    /// Sizes of kernels, by their names.
    pub kernels: &'a IndexMap<String, KernelSizes>,
}

impl Settings<'_> {
    /// Permission of an optimization.
    pub fn allows(&self, optimization: Optimization) -> bool {
        self.defaults.optimize.contains(&optimization)
    }

    /// Permission of products by matrices that a warp multiplies: they round once where two operations round twice, and
    /// pay from compute capability 9.0 on.
    pub fn multiplies_matrices(&self) -> bool {
        let pays = match self.target.arch {
            Arch::Native => true,
            Arch::Sm(capability) => capability >= 90,
        };
        pays && self.target.fmad
    }

    /// Transformations that are allowed.
    pub fn tiles(&self) -> Allowed {
        Allowed {
            merge: self.allows(Optimization::Merge),
            skew: self.allows(Optimization::Skew),
            vectorize: self.allows(Optimization::Vectorize),
            stage: self.allows(Optimization::Prefetch),
            register_promotion: self.allows(Optimization::RedundantLoads),
            vary: self.defaults.sync != Sync::Relaxed,
        }
    }
}
