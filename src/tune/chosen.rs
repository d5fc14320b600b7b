//! Choice for a kernel: the strategy of its mapping, where it is not the usual one, and its sizes; for a region as a whole
//! its settings.

use super::build::nowhere;
use super::settings::Settings;
use crate::config::KernelSizes;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Settings of a region, or a strategy and sizes of a kernel; none where it is what nobody tunes.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Chosen {
    /// The settings of the region that are not the usual ones.
    #[serde(default, skip_serializing_if = "Settings::is_empty")]
    pub settings: Settings,
    /// The strategy, where it is not the one that is usual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Each size, by its name in the emitted file.
    pub sizes: BTreeMap<String, i64>,
}

impl Chosen {
    /// These sizes under the usual strategy.
    pub fn sizes(sizes: BTreeMap<String, i64>) -> Chosen {
        Chosen { sizes, ..Chosen::default() }
    }

    /// Test that nothing is chosen.
    pub fn is_none(&self) -> bool {
        self.settings.is_empty() && self.strategy.is_none() && self.sizes.is_empty()
    }

    /// The same, as the configuration gives it.
    pub fn given(&self) -> KernelSizes {
        let sizes = self.sizes.iter().filter_map(|(name, n)| Some((name.clone(), u32::try_from(*n).ok()?)));
        KernelSizes { strategy: self.strategy.clone(), sizes: sizes.collect(), at: vec![], place: nowhere() }
    }
}

impl From<&KernelSizes> for Chosen {
    fn from(given: &KernelSizes) -> Chosen {
        let sizes = given.sizes.iter().map(|(name, n)| (name.clone(), i64::from(*n)));
        Chosen { strategy: given.strategy.clone(), ..Chosen::sizes(sizes.collect()) }
    }
}

/// `pointwise, BLOCK_0 = 8, BLOCK_1 = 32`; `sync = relaunch`.
impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let sizes = self.sizes.iter().map(|(name, n)| format!("{name} = {n}"));
        let settings = self.settings.iter().map(|(key, name)| format!("{key} = {name}"));
        f.write_str(&settings.chain(self.strategy.iter().cloned()).chain(sizes).collect::<Vec<_>>().join(", "))
    }
}
