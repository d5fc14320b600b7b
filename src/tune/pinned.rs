//! A region as one call takes it, for candidates that only this call runs: compiling them takes a part of the time.
//!
//! A kernel may have several sizes, of which a call picks by the blocks that they give, and an instance for positions of 32 bits
//! beside the one of 64. Of the sizes those stay that the call picks; of the instances, the first. A call that needs the other
//! refuses, and is tuned with both.

use super::build::{Converted, Tuned};
use super::chosen::Chosen;
use super::space::Space;
use crate::config::KernelSizes;
use crate::cost::{self, Device, Sizes};
use crate::kernel::Kernel;

/// A call on a device.
#[derive(Debug, Clone)]
pub struct Call {
    pub device: Device,
    pub sizes: Sizes,
    /// Test that 32 bits hold its positions, as far as is known.
    pub is_short: bool,
}

impl Call {
    /// The sizes that it picks of the kernels that have several.
    pub fn picks(&self, converted: &Converted) -> Vec<(String, KernelSizes)> {
        let has_several = |k: &&Kernel| !k.larger.is_empty() || !k.smaller.is_empty();
        let one = |kernel: &Kernel| {
            let report = converted.report.kernels.iter().find(|r| r.name == kernel.name)?;
            let picked = cost::picked(kernel, &self.device, &self.sizes);
            let space = Space::of(report, &Default::default(), &self.device.machine).from_defaults(&picked);
            Some((kernel.name.clone(), Chosen::sizes(space.untuned()).given()))
        };
        converted.kernels.iter().filter(has_several).filter_map(one).collect()
    }
}

impl Tuned {
    /// The same, with candidates for this call alone. Where what it picks cannot be given, they are for all.
    ///
    /// # Errors
    /// As [`converted`](Tuned::converted).
    pub fn pinned(mut self, call: &Call) -> Result<Tuned, crate::diag::Stop> {
        let picks = call.picks(&self.converted(&[])?);
        self.is_short = call.is_short;
        self.picks = picks;
        if self.candidate(&[]).is_err() {
            self.picks.clear();
        }
        Ok(self)
    }
}
