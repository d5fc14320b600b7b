//! Variants of a kernel: the ways to fewer registers, and what ptxas makes of each.

use super::{Desired, Fit};
use crate::runtime::ptxas::Resources;
use serde::Serialize;

/// A way to fewer registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// `__launch_bounds__(threads, blocks)`.
    LaunchBounds,
    /// `__maxnreg__`, `-maxrregcount`.
    Maxnreg,
    /// The same, with `.pragma "enable_smem_spilling"` (ptxas 13).
    SmemSpilling,
    /// Rematerialisation.
    Remat,
    /// Rematerialisation under `maxnreg`.
    RematMaxnreg,
    /// Rematerialisation under `maxnreg` with the pragma: what is left is spilled to shared memory by ptxas.
    RematSmem,
    /// Rematerialisation, then spills to shared memory.
    Spill,
    /// Both under `maxnreg`.
    SpillMaxnreg,
}

impl Way {
    /// All of them, the ready-made ones first.
    pub const ALL: [Way; 8] = [
        Way::LaunchBounds,
        Way::Maxnreg,
        Way::SmemSpilling,
        Way::Remat,
        Way::RematMaxnreg,
        Way::RematSmem,
        Way::Spill,
        Way::SpillMaxnreg,
    ];

    /// The way of that name.
    pub fn named(name: &str) -> Option<Way> {
        Way::ALL.into_iter().find(|way| way.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Way::LaunchBounds => "launch-bounds",
            Way::Maxnreg => "maxnreg",
            Way::SmemSpilling => "smem-spilling",
            Way::Remat => "remat",
            Way::RematMaxnreg => "remat-maxnreg",
            Way::RematSmem => "remat-smem",
            Way::Spill => "spill",
            Way::SpillMaxnreg => "spill-maxnreg",
        }
    }

    /// Test that it is a directive for ptxas, and no pass over the PTX.
    pub fn is_ready_made(self) -> bool {
        matches!(self, Way::LaunchBounds | Way::Maxnreg | Way::SmemSpilling)
    }

    /// Test that ptxas is given the goal as a bound, too.
    pub fn is_bounded(self) -> bool {
        matches!(self, Way::Maxnreg | Way::SmemSpilling | Way::RematMaxnreg | Way::RematSmem | Way::SpillMaxnreg)
    }

    /// Test that ptxas is told to spill to shared memory.
    pub fn has_pragma(self) -> bool {
        matches!(self, Way::SmemSpilling | Way::RematSmem)
    }

    /// Test that values may wait in shared memory.
    pub fn spills(self) -> bool {
        matches!(self, Way::Spill | Way::SpillMaxnreg)
    }
}

/// A variant of a kernel: a prediction of ptxas, not timed.
#[derive(Debug, Clone, Serialize)]
pub struct Variant {
    pub way: Way,
    #[serde(flatten)]
    pub resources: Resources,
    pub blocks: u32,
    /// Values that are computed anew, and that wait in shared memory.
    pub rematerialised: usize,
    pub spilled: usize,
    /// Test that as many blocks fit as were wanted.
    pub is_enough: bool,
    /// The kernel with it, from its linkage to its brace.
    #[serde(skip)]
    pub text: String,
}

/// Variants of a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Reduction {
    pub kernel: String,
    /// As in the source.
    pub name: String,
    #[serde(flatten)]
    pub resources: Resources,
    pub fit: Fit,
    /// One more block, and its registers; `None`: registers are not what limits.
    pub goal: Option<Desired>,
    pub variants: Vec<Variant>,
    /// The variant that spills least of those in which enough blocks fit, and of these the simplest: a prediction.
    pub best: Option<Way>,
    /// Reasons for which a way was not tried, or ended.
    pub notes: Vec<String>,
}

impl Reduction {
    /// The variant of a way.
    pub fn variant(&self, way: Way) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.way == way)
    }
}
