//! The method's steps up to one of them, as settings of the conversion: what `optimize = [...]` allows, `skew` and `prefetch` of a
//! region, and `[kernels.NAME]` sizes that hold back what a later step gives.
//!
//! | up to | settings |
//! | --- | --- |
//! | the naive mapping | neither points, vectors nor shared memory are allowed; a block that joins is one warp |
//! | vectors | neighbours of a thread along memory, as many as in the end |
//! | coalescing and sharing | shared memory and shared loops; one point otherwise, blocks that share or join are one warp |
//! | merge | the blocks and points of the end; nothing is fetched ahead |
//! | prefetch | nothing is held back |
//!
//! Of a kernel with blocks of more than one size those for large calls are meant. Kernels for calls with few elements keep
//! their sizes, as does the block of a tile that is turned within it: with one row there is nothing to turn.

use crate::config::{Config, KernelSizes, Optimization, Size, Sizes};
use crate::report::{Kernel, Region, Tunable};
use std::collections::BTreeMap;

/// The last step that is switched on, in the order of Yang et al. (PLDI 2010, Fig. 12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Upto {
    Naive,
    Vectors,
    Sharing,
    Merge,
    Prefetch,
}

impl Upto {
    pub const ALL: [Upto; 5] = [Upto::Naive, Upto::Vectors, Upto::Sharing, Upto::Merge, Upto::Prefetch];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Upto::Naive => "naive mapping",
            Upto::Vectors => "vectorisation",
            Upto::Sharing => "coalescing, sharing",
            Upto::Merge => "block and thread merge",
            Upto::Prefetch => "prefetch",
        }
    }

    /// The names of [`steps`](super::steps) that it stands for.
    pub fn steps(self) -> &'static [&'static str] {
        match self {
            Upto::Naive => &[],
            Upto::Vectors => &["vectorisation"],
            Upto::Sharing => &["coalescing conversion", "data sharing"],
            Upto::Merge => &["thread-block merge", "thread merge"],
            Upto::Prefetch => &["prefetch"],
        }
    }
}

/// Threads of a warp.
const WARP: i64 = 32;

/// Values of sizes by their names.
type Values = BTreeMap<String, i64>;

/// Settings for some of the steps.
#[derive(Debug, Clone)]
pub struct Switched {
    upto: Upto,
    functions: BTreeMap<String, Held>,
}

/// Settings of the region of a function.
#[derive(Debug, Clone)]
struct Held {
    skew: Option<u32>,
    fetches: bool,
    /// Sizes of its kernels, by their names.
    kernels: BTreeMap<String, Values>,
}

impl Switched {
    /// Settings for kernels that became these regions with all steps on.
    pub fn new<'r>(upto: Upto, regions: impl Iterator<Item = &'r Region>) -> Switched {
        let functions = regions.map(|region| (region.function.clone(), Held::new(upto, region))).collect();
        Switched { upto, functions }
    }

    /// Holds a configuration back.
    pub fn restrict(&self, config: &mut Config) {
        if self.upto == Upto::Prefetch {
            return;
        }
        let off: &[Optimization] = match self.upto {
            Upto::Naive => &[Optimization::Merge, Optimization::Skew, Optimization::Vectorize, Optimization::Prefetch],
            Upto::Vectors => &[Optimization::Merge, Optimization::Prefetch],
            _ => &[],
        };
        if !off.is_empty() {
            config.kernels.clear();
        }
        for region in &mut config.regions {
            region.settings.optimize.retain(|x| !off.contains(x));
            let Some(held) = self.functions.get(region.selector.name()) else { continue };
            if !off.is_empty() {
                region.sizes = Sizes { skew: held.skew.map(Size::Fixed), ..Sizes::default() };
            }
            if held.fetches {
                region.sizes.prefetch = Some(Size::Fixed(1));
            }
            for (name, sizes) in &held.kernels {
                let place = region.place.clone();
                let none = KernelSizes { strategy: None, sizes: Default::default(), at: vec![], place };
                let all = &mut config.kernels.entry(name.clone()).or_insert(none).sizes;
                all.extend(sizes.iter().filter_map(|(size, n)| Some((size.clone(), u32::try_from(*n).ok()?))));
            }
        }
    }
}

impl Held {
    fn new(upto: Upto, region: &Region) -> Held {
        let mapped = region.kernels.iter().filter(|k| !k.mapping.is_empty());
        let fetches = mapped.clone().flat_map(|k| &k.mapping).any(|line| line.contains(", fetch "));
        let neighbours = mapped
            .clone()
            .flat_map(|k| k.tunables.iter().rfind(|t| t.name.starts_with("SKEW_")).filter(|t| is_along(k, &t.name)));
        let skew = neighbours.map(|t| t.value).find(|n| *n > 1).and_then(|n| u32::try_from(n).ok());
        let skew = skew.filter(|_| upto == Upto::Vectors);
        let sizes = |k: &Kernel| (k.name.clone(), held(upto, k));
        let kernels = mapped.map(sizes).filter(|(_, sizes)| !sizes.is_empty()).collect();
        Held { skew, fetches: fetches && upto >= Upto::Sharing, kernels }
    }
}

/// Test that a size is of the dimension along memory, the last.
fn is_along(kernel: &Kernel, size: &str) -> bool {
    size.rsplit('_').next() == Some(&(kernel.block.len().saturating_sub(1)).to_string())
}

/// Sizes that a kernel is held to; none where it has its own.
fn held(upto: Upto, kernel: &Kernel) -> Values {
    let is_sum = strategy(kernel) == "reduction";
    let mut sizes = of_large_calls(kernel);
    sizes.retain(|name, _| ["BLOCK", "MERGE", "SKEW", "DEPTH"].iter().any(|word| name.starts_with(word)));
    match upto {
        // A mapping that serves every sum has the same kernel with and without the steps.
        Upto::Naive | Upto::Vectors if !is_sum => return Values::new(),
        Upto::Naive | Upto::Vectors | Upto::Sharing => {}
        // Where nothing is held back, blocks for other calls stay, too.
        Upto::Merge if kernel.mapping.iter().any(|line| line.contains(", fetch ")) => return sizes,
        Upto::Merge | Upto::Prefetch => return Values::new(),
    }
    let is_one_warp = is_sum
        || kernel.mapping.iter().any(|line| ["  lanes ", "    stage "].iter().any(|word| line.starts_with(word)));
    let before = sizes.clone();
    for (name, value) in &mut sizes {
        *value = match name.split('_').next() {
            Some("SKEW") if is_along(kernel, name) => *value,
            Some("MERGE" | "SKEW") => 1,
            Some("BLOCK") if is_one_warp && is_along(kernel, name) => WARP,
            Some("BLOCK") if is_one_warp => 1,
            _ => *value,
        };
    }
    if sizes == before { Values::new() } else { sizes }
}

/// The strategy of a kernel's mapping.
fn strategy(kernel: &Kernel) -> &str {
    kernel.mapping.first().map_or("", String::as_str)
}

/// The sizes of a kernel where its blocks are the largest.
fn of_large_calls(kernel: &Kernel) -> Values {
    let mut sizes: Values = kernel.tunables.iter().map(|Tunable { name, value, .. }| (name.clone(), *value)).collect();
    for line in kernel.mapping.iter().filter_map(|line| line.trim().strip_prefix("larger axis ")) {
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let number = |word: &str| words.windows(2).find(|pair| pair[0] == word).and_then(|pair| pair[1].parse().ok());
        let Some(dimension) = number("grid") else { continue };
        for (word, size) in [("threads", "BLOCK"), ("merge", "MERGE"), ("skew", "SKEW")] {
            let known = sizes.get_mut(&format!("{size}_{dimension}"));
            if let (Some(known), Some(value)) = (known, number(word)) {
                *known = value;
            }
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel of a product as a report has it.
    fn product() -> Region {
        let sizes = [
            ("BLOCK_0", 8),
            ("BLOCK_1", 8),
            ("SKEW_0", 8),
            ("MERGE_1", 2),
            ("SKEW_1", 4),
            ("DEPTH", 16),
            ("STAGES", 2),
        ];
        let lines = [
            "product",
            "  axis i: grid 0, threads 8, skew 8",
            "  axis j: grid 1, threads 8, merge 2, skew 4",
            "  larger axis i: grid 0, threads 8, skew 8",
            "  larger axis j: grid 1, threads 16, merge 2, skew 4",
            "  loop k: pieces of 16, fetch async 2",
            "    stage a[i, k] along i",
        ];
        let kernel = Kernel {
            name: "rt_mm_0_k0".into(),
            block: vec!["BLOCK_0".into(), "BLOCK_1".into()],
            mapping: lines.map(str::to_owned).to_vec(),
            tunables: sizes.map(|(name, value)| Tunable { name: name.into(), value, domain: vec![] }).to_vec(),
            ..Kernel::default()
        };
        Region { function: "mm".into(), kernels: vec![kernel], ..Region::default() }
    }

    /// The configuration of a kernel as it is, and what steps up to one leave of it.
    fn restricted(upto: Upto) -> (Config, Config) {
        let text = "[[region]]\nfunction = \"mm\"\nmerge = 4\n[kernels.rt_mm_0_k0]\nDEPTH = 8\n";
        let config = Config::parse("c.toml", text).unwrap();
        let mut after = config.clone();
        Switched::new(upto, std::iter::once(&product())).restrict(&mut after);
        (config, after)
    }

    fn sizes(config: &Config) -> Vec<(&str, u32)> {
        config.kernels.values().flat_map(|k| &k.sizes).map(|(name, n)| (name.as_str(), *n)).collect()
    }

    #[test]
    fn steps_are_held_back_by_settings() {
        let (whole, naive) = restricted(Upto::Naive);
        assert!(naive.kernels.is_empty() && naive.regions[0].sizes == Sizes::default());
        assert!(!naive.regions[0].settings.optimize.contains(&Optimization::Vectorize));
        let (_, vectors) = restricted(Upto::Vectors);
        assert_eq!(vectors.regions[0].sizes, Sizes { skew: Some(Size::Fixed(4)), ..Sizes::default() });
        let (_, shared) = restricted(Upto::Sharing);
        let one_warp = [("DEPTH", 16), ("BLOCK_0", 1), ("BLOCK_1", 32), ("MERGE_1", 1), ("SKEW_0", 1), ("SKEW_1", 4)];
        assert_eq!(sizes(&shared), one_warp);
        assert_eq!(shared.regions[0].sizes.prefetch, Some(Size::Fixed(1)));
        let (_, merged) = restricted(Upto::Merge);
        let large = [("DEPTH", 16), ("BLOCK_0", 8), ("BLOCK_1", 16), ("MERGE_1", 2), ("SKEW_0", 8), ("SKEW_1", 4)];
        assert_eq!(sizes(&merged), large);
        assert_eq!(restricted(Upto::Prefetch).1, whole);
    }
}
