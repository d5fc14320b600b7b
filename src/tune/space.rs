//! Sizes that a kernel may have: the domain of each, and which go together.
//!
//! A point is one value for each size, in their order. What no device launches ([`Space::is_launchable`]) is excluded by
//! arithmetic, before anything is converted or compiled.

use super::chosen::Chosen;
use crate::config::{MOST_MERGE, Size, Sizes};
use crate::kernel::{Kernel, RESIDENT};
use crate::report;
use crate::schedule::Mode;
use crate::schedule::mapping::Mapping;
use crate::schedule::strategies::STRATEGIES;
use crate::schedule::verify::of_sizes;
use crate::target::{MAX_BLOCK, Machine};
use std::collections::BTreeMap;

/// One value for each size of a space.
pub type Point = Vec<i64>;

/// A size of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name in the emitted file: `BLOCK_0`.
    pub name: String,
    /// The values that it may have, ascending.
    pub domain: Vec<i64>,
    /// The value where nobody tunes it.
    pub default: i64,
}

/// The sizes of a kernel that are searched.
#[derive(Debug, Clone, PartialEq)]
pub struct Space {
    /// Name of the kernel.
    pub kernel: String,
    /// The strategy of its mapping, where it is not the usual one.
    pub strategy: Option<String>,
    pub params: Vec<Param>,
    limits: Limits,
    machine: Machine,
    /// The kernel's mapping, and how its nest runs: what its strategy asks of sizes is theirs to say.
    mapping: Option<(Mapping, Mode)>,
}

/// Limits that all sizes together keep to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Limits {
    /// Threads of a block, points of a thread a block apart, and neighbours: the first and the last.
    threads: [i64; 2],
    merge: [i64; 2],
    skew: [i64; 2],
}

/// The least pieces and the most stages that are tried: beyond these nothing was ever gained.
const LEAST_DEPTH: i64 = 4;
const MOST_STAGES: i64 = 5;

impl Space {
    /// The space of a kernel as the report has it, within the ranges that the configuration gives its region.
    pub fn of(kernel: &report::Kernel, ranges: &Sizes, machine: &Machine) -> Space {
        let mapping = mapping(kernel);
        // Some sizes follow from others, and a configuration cannot give them.
        let is_given = |t: &&report::Tunable| {
            mapping.as_ref().is_none_or(|(mapping, _)| mapping.with_sizes([(t.name.as_str(), t.value)]).is_ok())
        };
        let is_usual = |t: &report::Tunable| ["BLOCK", "MERGE", "SKEW", RESIDENT].contains(&word(&t.name));
        let has_others = !kernel.tunables.iter().all(is_usual);
        let params = kernel.tunables.iter().filter(is_given).map(|t| {
            let is_in_use = |n: &i64| match word(&t.name) {
                "DEPTH" => *n >= LEAST_DEPTH,
                "STAGES" => *n <= MOST_STAGES && within(ranges.prefetch, *n),
                // One block is what kernels with further sizes leave room for, where nobody asks for more.
                RESIDENT => *n != 1 || !has_others,
                _ => true,
            };
            let domain = t.domain.iter().copied().filter(|n| *n == t.value || is_in_use(n)).collect();
            Param { name: t.name.clone(), domain, default: t.value }
        });
        let limits = Limits {
            threads: ends(ranges.block, MAX_BLOCK),
            merge: ends(ranges.merge, MOST_MERGE),
            skew: ends(ranges.skew, MOST_MERGE),
        };
        let (name, params) = (kernel.name.clone(), params.collect());
        Space { kernel: name, strategy: None, params, limits, machine: *machine, mapping }
    }

    /// The same as that of another strategy than the usual one.
    pub fn under(self, strategy: &str) -> Space {
        Space { strategy: Some(strategy.to_owned()), ..self }
    }

    /// The same with the sizes of this kernel as those that nobody tunes: a call may pick others than the usual ones.
    pub fn from_defaults(mut self, kernel: &Kernel) -> Space {
        for t in &kernel.tunables {
            if let Some(param) = self.params.iter_mut().find(|p| p.name == t.name) {
                param.default = t.value;
                param.domain.push(t.value);
                param.domain.sort_unstable();
                param.domain.dedup();
            }
        }
        self
    }

    /// The sizes that the kernel has where nobody tunes it.
    pub fn default(&self) -> Point {
        self.params.iter().map(|p| p.default).collect()
    }

    /// The same, by name.
    pub fn untuned(&self) -> BTreeMap<String, i64> {
        self.named(&self.default()).map(|(name, n)| (name.to_owned(), n)).collect()
    }

    /// Each size of a point, by name.
    pub fn named<'s>(&'s self, point: &'s Point) -> impl Iterator<Item = (&'s str, i64)> {
        self.params.iter().map(|p| p.name.as_str()).zip(point.iter().copied())
    }

    /// A point as a choice.
    pub fn chosen(&self, point: &Point) -> Chosen {
        let sizes = self.named(point).map(|(name, n)| (name.to_owned(), n)).collect();
        Chosen { strategy: self.strategy.clone(), ..Chosen::sizes(sizes) }
    }

    /// The point of a choice that was made elsewhere, if it is one of this space; what it does not say is as nobody tunes it.
    pub fn point(&self, Chosen { settings, strategy, sizes }: &Chosen) -> Option<Point> {
        if !settings.is_empty() {
            return None;
        }
        let own = self.strategy.as_deref().or(self.mapping.as_ref().map(|(m, _)| m.strategy));
        if strategy.is_some() && strategy.as_deref() != own || strategy.is_none() && self.strategy.is_some() {
            return None;
        }
        let is_known = |name: &String| self.params.iter().any(|p| p.name == *name);
        let value = |p: &Param| sizes.get(&p.name).copied().unwrap_or(p.default);
        let point: Point = self.params.iter().map(value).collect();
        (sizes.keys().all(is_known) && self.is_launchable(&point)).then_some(point)
    }

    /// Test that a block of these sizes can be launched, within the ranges that are asked for. The kernel as it is always is.
    pub fn is_launchable(&self, point: &Point) -> bool {
        if *point == self.default() {
            return true;
        }
        let [threads, merge, skew] = ["BLOCK", "MERGE", "SKEW"].map(|kind| self.product(point, kind));
        let is_within = |n: i64, [first, last]: [i64; 2]| n >= first && n <= last;
        let Limits { threads: block, merge: merged, skew: skewed } = self.limits;
        is_within(threads, block)
            && is_within(merge, merged)
            && is_within(skew, skewed)
            && merge * skew <= i64::from(MOST_MERGE)
            && self.is_room(point, threads)
            && self.fits(point)
    }

    /// The value that bounds the registers of a point's threads, and that of nobody's tuning; `None` where they have none.
    pub fn resident(&self, point: &Point) -> Option<[i64; 2]> {
        let at = self.params.iter().position(|p| p.name == RESIDENT)?;
        Some([point[at], self.params[at].default])
    }

    /// The point with registers that leave room for so many blocks; none: that is left to the compiler.
    pub fn bounded(&self, point: &Point, blocks: i64) -> Point {
        let value = |(p, n): (&Param, &i64)| if p.name == RESIDENT { blocks } else { *n };
        self.params.iter().zip(point).map(value).collect()
    }

    /// Test that a processor has room for the blocks that registers are to leave room for, and that they ask for other
    /// registers than one block more would.
    fn is_room(&self, point: &Point, threads: i64) -> bool {
        let Some([blocks, default]) = self.resident(point) else { return true };
        if blocks <= 1 || blocks == default {
            return true;
        }
        let registers = |blocks: i64| {
            let fits =
                blocks <= i64::from(self.machine.blocks) && blocks * threads <= i64::from(self.machine.threads());
            self.machine.registers_for(u32::try_from(blocks).ok().filter(|_| fits)?, u32::try_from(threads).ok()?)
        };
        registers(blocks).is_some_and(|n| Some(n) < registers(1) && Some(n) != registers(blocks + 1))
    }

    /// Test that the strategy of the kernel's mapping can have these sizes.
    fn fits(&self, point: &Point) -> bool {
        let Some((mapping, mode)) = &self.mapping else { return true };
        mapping.with_sizes(self.named(point)).is_ok_and(|sized| of_sizes(*mode, &sized).is_empty())
    }

    /// The product of all sizes of a kind.
    pub fn product(&self, point: &Point, kind: &str) -> i64 {
        self.named(point).filter(|(name, _)| word(name) == kind).map(|(_, n)| n).product()
    }

    /// The points one step away: a size is the next of its domain, or one grows as another of its kind shrinks. Bounds on
    /// registers stay: see [`bounds`](Space::bounds).
    pub fn neighbours(&self, point: &Point) -> Vec<Point> {
        let step = |point: &Point, at: usize, by: isize| -> Option<Point> {
            let domain = &self.params[at].domain;
            let here = domain.iter().position(|n| *n == point[at])?;
            let mut next = point.clone();
            next[at] = *domain.get(here.checked_add_signed(by)?)?;
            Some(next)
        };
        let n = self.params.len();
        let sizes = (0..n).filter(|at| self.params[*at].name != RESIDENT);
        let alone = sizes.flat_map(|at| [step(point, at, -1), step(point, at, 1)]);
        let is_pair = |x: usize, y: usize| x != y && word(&self.params[x].name) == word(&self.params[y].name);
        let pairs = (0..n).flat_map(|x| (0..n).map(move |y| (x, y))).filter(|(x, y)| is_pair(*x, *y));
        let exchanged = pairs.map(|(x, y)| step(&step(point, x, 1)?, y, -1));
        alone.chain(exchanged).flatten().filter(|p| self.is_launchable(p)).collect()
    }

    /// The points with other bounds on registers.
    pub fn bounds(&self, point: &Point) -> Vec<Point> {
        let domain = self.params.iter().find(|p| p.name == RESIDENT).map_or(&[][..], |p| &p.domain);
        let others = domain.iter().map(|n| self.bounded(point, *n)).filter(|p| p != point);
        others.filter(|p| self.is_launchable(p)).collect()
    }

    /// Every point that can be launched, the first size slowest; at most so many.
    pub fn points(&self, most: usize) -> Vec<Point> {
        let mut out = vec![];
        self.extend(&mut vec![], most, &mut out);
        out
    }

    fn extend(&self, begun: &mut Point, most: usize, out: &mut Vec<Point>) {
        if out.len() >= most || self.product_so_far(begun, "BLOCK") > self.limits.threads[1] {
            return;
        }
        let Some(param) = self.params.get(begun.len()) else {
            if self.is_launchable(begun) {
                out.push(begun.clone());
            }
            return;
        };
        for n in &param.domain {
            begun.push(*n);
            self.extend(begun, most, out);
            begun.pop();
        }
    }

    fn product_so_far(&self, begun: &Point, kind: &str) -> i64 {
        self.params.iter().zip(begun).filter(|(p, _)| word(&p.name) == kind).map(|(_, n)| n).product()
    }

    /// Distance of two points, in doublings of sizes. Of nothing to one it is a doubling.
    pub fn distance(&self, x: &Point, y: &Point) -> f64 {
        let doublings = |n: i64| if n == 0 { -1.0 } else { (n as f64).log2() };
        let steps = x.iter().zip(y).map(|(x, y)| doublings(*x) - doublings(*y));
        steps.map(|d| d * d).sum::<f64>().sqrt()
    }
}

/// The mapping of a kernel in the report, with the mode in which it has no fault; `None` where it does not read back.
fn mapping(kernel: &report::Kernel) -> Option<(Mapping, Mode)> {
    let strategies: Vec<&'static str> = STRATEGIES.iter().map(|s| s.name).collect();
    let mapping = Mapping::parse(&kernel.mapping.join("\n"), &strategies).ok()?;
    let mode =
        [Mode::Parallel, Mode::Reduce, Mode::Scan].into_iter().find(|mode| of_sizes(*mode, &mapping).is_empty())?;
    Some((mapping, mode))
}

/// The kind of a size: `BLOCK` of `BLOCK_0`.
pub fn word(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn within(range: Option<Size>, n: i64) -> bool {
    match range {
        Some(Size::Range(first, last)) => n >= i64::from(first) && n <= i64::from(last),
        Some(Size::Fixed(_)) | None => true,
    }
}

/// Both ends of a range. A figure that is fixed is part of the mapping already.
fn ends(range: Option<Size>, most: u32) -> [i64; 2] {
    match range {
        Some(Size::Range(first, last)) => [i64::from(first), i64::from(last)],
        Some(Size::Fixed(_)) | None => [1, i64::from(most)],
    }
}

/// A space of two block extents and the points along one of them.
#[cfg(test)]
pub fn small(ranges: &Sizes) -> Space {
    let tunable = |name: &str, value: i64, most: i64| report::Tunable {
        name: name.into(),
        value,
        domain: (0..).map(|k| 1 << k).take_while(|n| *n <= most).collect(),
    };
    let kernel = report::Kernel {
        name: "rt_f_0_k0".into(),
        tunables: vec![tunable("BLOCK_0", 8, 1024), tunable("BLOCK_1", 32, 1024), tunable("MERGE_0", 4, 16)],
        ..report::Kernel::default()
    };
    Space::of(&kernel, ranges, &crate::target::machine(90).expect("it is described"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_those_that_can_be_launched() {
        let space = small(&Sizes::default());
        let all = space.points(usize::MAX);
        assert!(all.iter().all(|p| p[0] * p[1] <= 1024));
        // 66 pairs of powers of two with a product of at most 1024, and five numbers of points.
        assert_eq!(all.len(), 66 * 5);
        assert_eq!(space.points(7).len(), 7);
        assert!(all.contains(&space.default()));
    }

    #[test]
    fn ranges_of_the_configuration_bound_the_space() {
        let ranges = Sizes { block: Some(Size::Range(128, 256)), merge: Some(Size::Range(2, 4)), ..Sizes::default() };
        let space = small(&ranges);
        let all = space.points(usize::MAX);
        assert!(all.iter().all(|p| [128, 256].contains(&(p[0] * p[1])) && [2, 4].contains(&p[2])));
        assert_eq!(all.len(), (8 + 9) * 2);
    }

    #[test]
    fn sizes_are_those_that_the_strategy_of_the_mapping_can_have() {
        let mapping = "product\n  axis i: grid 0, threads 16, merge 4\n  axis j: grid 1, threads 4, merge 8, skew 2\n  \
                       loop k: pieces of 16, fetch async 2, mma 16x8x4\n    stage a[i, k] along i\n    stage b[k, j] along j";
        let tunable = |name: &str, value: i64| report::Tunable {
            name: name.into(),
            value,
            domain: (0..6).map(|k| 1 << k).collect(),
        };
        let names = [("BLOCK_0", 16), ("BLOCK_1", 4), ("MERGE_0", 4), ("MERGE_1", 8), ("SKEW_1", 2), ("CELLS", 8)];
        let kernel = report::Kernel {
            name: "rt_f_0_k0".into(),
            tunables: names.map(|(name, n)| tunable(name, n)).to_vec(),
            mapping: mapping.lines().map(str::to_owned).collect(),
            ..report::Kernel::default()
        };
        let space = Space::of(&kernel, &Sizes::default(), &crate::target::machine(90).expect("it is described"));
        assert!(space.params.iter().all(|p| p.name != "CELLS"), "nobody can give it");
        let all = space.points(usize::MAX);
        // A warp's threads hold the rows eight at a time, and columns by fours with two neighbours each.
        assert!(all.len() > 8 && all.iter().all(|p| p[0] % 8 == 0 && p[1] == 4 && p[2] % 2 == 0 && p[4] == 2));
    }

    #[test]
    fn registers_are_bounded_by_blocks_that_make_a_difference() {
        let domain = |most: i64| (0..=most).collect::<Vec<i64>>();
        let tunable = |name: &str, value: i64, domain| report::Tunable { name: name.into(), value, domain };
        let kernel = report::Kernel {
            name: "rt_f_0_k0".into(),
            tunables: vec![tunable("BLOCK_0", 256, vec![64, 256]), tunable(RESIDENT, 0, domain(16))],
            ..report::Kernel::default()
        };
        let space = Space::of(&kernel, &Sizes::default(), &crate::target::machine(90).expect("it is described"));
        let bounds = |block: i64| {
            let all = space.points(usize::MAX).into_iter().filter(|p| p[0] == block);
            all.map(|p| p[1]).collect::<Vec<i64>>()
        };
        // 255, 128, 80, 64, 48, 40 and 32 registers; of 64 threads, 4 blocks have room for all of them, and 6 for 168 each.
        assert_eq!(bounds(256), [0, 1, 2, 3, 4, 5, 6, 8]);
        assert_eq!(bounds(64), [0, 1, 6, 8, 10, 12, 14, 16]);
        // Any of them is a step away.
        assert_eq!(space.bounds(&vec![256, 0]).iter().filter(|p| p[0] == 256 && p[1] > 1).count(), 6);
        assert!(space.neighbours(&vec![256, 2]).is_empty(), "2 blocks of 64 threads have all registers");
        assert!(space.distance(&vec![256, 0], &vec![256, 1]) == 1.0);
    }

    #[test]
    fn neighbours_are_a_step_away_and_keep_to_the_limits() {
        let space = small(&Sizes::default());
        let near = space.neighbours(&vec![8, 32, 4]);
        assert!(near.contains(&vec![16, 32, 4]) && near.contains(&vec![16, 16, 4]) && near.contains(&vec![8, 32, 2]));
        assert!(near.iter().all(|p| space.is_launchable(p) && space.distance(p, &vec![8, 32, 4]) < 1.5));
        assert!(!space.neighbours(&vec![32, 32, 4]).contains(&vec![64, 32, 4]));
    }
}
