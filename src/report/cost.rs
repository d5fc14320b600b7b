//! Estimate of a kernel by the cost model: which accesses move more than they use.
//!
//! Sizes that nobody knows at conversion are taken for 1024, one of them for half of that where a kernel would else have nothing
//! to do. That changes few of the figures of an access, but may change what limits the kernel, which is told only where all sizes
//! are known.

use crate::cost::{self, AccessCost, Assumption, Device, Estimate, Pattern, Sizes};
use crate::kernel::{self, Function, ScalarType};
use crate::target;
use serde::{Deserialize, Serialize};

/// The machine that the figures are of.
const CAPABILITY: u32 = 90;
/// Sizes that are tried at half of the others.
const MOST_HALVED: usize = 8;

/// Cost of a kernel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The part that limits it on an sm_90.
    pub limit: Option<String>,
    /// Its accesses to global and shared memory, in the order of its text.
    pub accesses: Vec<Access>,
}

/// Memory traffic of an access.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Access {
    /// As the kernel's text has it.
    pub access: String,
    /// Its C line.
    pub line: u32,
    /// `load` or `store`.
    pub does: String,
    /// How the threads of a warp lie: `contiguous`, `strided by 8 bytes` where sizes are known, else `strided`.
    pub pattern: String,
    /// Where it lies, and so what is counted of it.
    pub unit: Unit,
    /// How often a warp makes it, over the whole launch.
    pub requests: f64,
    /// Units that a warp moves at once, in the mean.
    pub sectors: f64,
    /// The least that they could be: if the bytes that are used lay in a row.
    pub least: f64,
    /// Share of the sectors that all of the kernel's accesses to global memory move, of shared memory of its passes, as
    /// often as each runs.
    pub share: f64,
}

impl Access {
    /// The array, as the user calls it.
    pub fn array(&self) -> &str {
        self.access.split('[').next().unwrap_or_default().trim_start_matches('$')
    }
}

/// Traffic of a warp in one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Of global memory, 32 bytes each.
    Sectors,
    /// Over the banks of shared memory.
    Passes,
}

/// Estimate of kernels that are launched one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Launched {
    pub seconds: f64,
    /// Sectors that they move between the processors and the L2 cache: what threads of a block share is in L1.
    pub sectors: f64,
}

/// A user's kernel, and what was made of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BesideUsers {
    /// Value of the sizes that nobody knows.
    pub size: i64,
    pub users: Launched,
    pub made: Option<Launched>,
}

/// Estimates the kernels that usual calls launch, where their sizes are that. Others stand in for these at some calls, under
/// their names and a word more; what joins results of blocks is little. `None` where a kernel has a number that is no size of
/// the user's, or a thread has neighbours one after the other: what it leaves of a sector is in L1, which the model does not see.
pub fn launched(kernels: &[kernel::Kernel], functions: &[Function], size: i64) -> Option<Launched> {
    let device = Device::of(&target::machine(CAPABILITY)?);
    let stands_in = |name: &str| {
        let is_of = |other: &str| name.strip_prefix(other).is_some_and(|rest| rest.starts_with('_'));
        kernels.iter().any(|k| is_of(&k.name))
    };
    let mut all = Launched { seconds: 0.0, sectors: 0.0 };
    for kernel in kernels.iter().filter(|k| !stands_in(&k.name)) {
        let integers = || kernel.scalars.iter().filter(|s| !matches!(s.ty, ScalarType::Float(_)));
        let has_neighbours = kernel.tunables.iter().any(|t| t.name.starts_with("SKEW") && t.value > 1);
        if has_neighbours || integers().any(|s| s.name.starts_with("rt_")) {
            return None;
        }
        let sizes = Sizes::of(integers().map(|s| (s.name.as_str(), size)));
        let picked = cost::picked(kernel, &device, &sizes);
        let e = cost::estimate(&picked, functions, &device, &sizes);
        all.seconds += e.seconds;
        all.sectors += e.l2_bytes / cost::access::SECTOR as f64;
    }
    Some(all)
}

/// Asks the model.
pub fn of(kernel: &kernel::Kernel, functions: &[Function]) -> Cost {
    let Some(machine) = target::machine(CAPABILITY) else { return Cost::default() };
    let device = Device::of(&machine);
    let tried = sizes_tried(kernel);
    let e = usual(kernel, functions, &device, &tried);
    let is_known = !e.assumed.contains(&Assumption::Size);
    let moved = |x: &AccessCost| x.requests * x.sectors;
    let all = |x: &AccessCost| e.accesses.iter().filter(|y| y.is_shared == x.is_shared).map(moved).sum::<f64>();
    let made = e.accesses.iter().filter(|x| x.requests > 0.0);
    Cost {
        limit: e.limit().filter(|_| is_known && e.seconds.is_finite()).map(|part| part.to_string()),
        accesses: made.map(|x| access(x, is_known, moved(x) / all(x))).collect(),
    }
}

/// Sizes that nobody knows: all alike, then one of them half of the others. Threads that go from one size to another, as
/// `i < n - 1 - t`, are none where these are alike.
fn sizes_tried(kernel: &kernel::Kernel) -> Vec<Sizes> {
    let integers = kernel.scalars.iter().filter(|s| !matches!(s.ty, ScalarType::Float(_))).take(MOST_HALVED);
    let halved = integers.map(|s| Sizes::of([(s.name.as_str(), Sizes::UNKNOWN / 2)]));
    std::iter::once(Sizes::default()).chain(halved).collect()
}

/// The estimate for the first sizes under which all accesses of a kernel are made, else for those under which most are.
fn usual<'k>(
    kernel: &'k kernel::Kernel,
    functions: &'k [Function],
    device: &'k Device,
    tried: &'k [Sizes],
) -> Estimate<'k> {
    let n_made = |e: &Estimate| e.accesses.iter().filter(|x| x.requests > 0.0).count();
    let mut best = cost::estimate(kernel, functions, device, &tried[0]);
    for sizes in &tried[1..] {
        if n_made(&best) > 0 && n_made(&best) == best.accesses.len() {
            break;
        }
        let e = cost::estimate(kernel, functions, device, sizes);
        if n_made(&e) > n_made(&best) {
            best = e;
        }
    }
    best
}

fn access(x: &AccessCost, is_known: bool, share: f64) -> Access {
    let rounded = |n: f64| (n * 100.0).round() / 100.0;
    Access {
        access: x.access.to_string(),
        line: x.line,
        does: if x.is_store { "store" } else { "load" }.into(),
        pattern: match x.pattern {
            Pattern::Uniform => "uniform".into(),
            Pattern::Contiguous => "contiguous".into(),
            Pattern::Strided(_) if !is_known => "strided".into(),
            Pattern::Strided(bytes) => format!("strided by {bytes} bytes"),
            Pattern::Mixed => "mixed".into(),
            Pattern::Scattered => "scattered, assumed".into(),
        },
        unit: if x.is_shared { Unit::Passes } else { Unit::Sectors },
        requests: rounded(x.requests),
        sectors: rounded(x.sectors),
        least: rounded(x.least),
        share: rounded(share),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_are_told_and_limits_where_sizes_are_known() {
        let told = |grid: &str, scalars: &str| {
            let text = format!(
                "kernel k({scalars}) reads(float a[0, 4096]) writes(float b[0, 4096]) index(64)
                   grid ({grid}, 128) block (8, 32)
                 {{ b[g1 * 32 + t1, g0 * 8 + t0] = a[g0 * 8 + t0, g1 * 32 + t1]; @7 }}"
            );
            of(&text.parse().unwrap(), &[])
        };
        let cost = told("512", "");
        assert_eq!(cost.limit.as_deref(), Some("L2 cache"));
        let stored = &cost.accesses[1];
        assert_eq!((stored.line, stored.does.as_str(), stored.sectors, stored.least), (7, "store", 32.0, 4.0));
        assert_eq!(stored.pattern, "strided by 16384 bytes");
        assert_eq!(told("ceildiv(n, 8)", "index n").limit, None);
    }

    #[test]
    fn threads_between_two_sizes_that_nobody_knows_are_some() {
        let text = "kernel k(index n, index t) updates(float a[n, n]) index(64) tunable B = 256 grid (ceildiv(n - t - 1, B)) block (B)
                    { let index i = g0 * B + t0; if (i < n - t - 1) { a[i + t + 1, t] = 1.0f; @3 } }";
        let cost = of(&text.parse().unwrap(), &[]);
        let [store] = &cost.accesses[..] else { panic!("{cost:?}") };
        assert!(store.pattern == "strided" && store.sectors > 31.0 && store.least == 4.0, "{store:?}");
    }
}
