//! Bytes that a level of caches lets through: what of an array is touched again is moved once, as long as it stays.
//!
//! The nest of loops is looked at from outside. Where all that one iteration touches fits in half of a cache, the next
//! iteration finds it there, and the loop moves each byte once, however often it is used; else each iteration moves its
//! own, and the question is asked of the loops inside (Wolf and Lam, "A Data Locality Optimizing Algorithm", 1991).
//! ```text
//! for i { for k { for j { c[i, j] += a[i, k] * b[k, j] }}}      b of one i does not fit: moved for every i
//! ```
//! L1 sees a block, with its threads at once; L2 sees the blocks that are resident at once, and these waves are its
//! outermost loop. A footprint is a number of runs of bytes in a row, from the strides of the address.

use super::access::reach;
use super::machine::Device;
use super::trace::{Space, Trace, Traced, Use};
use super::value::{Extent, Origin, Symbol};
use std::collections::BTreeMap;

/// Coefficient of what the data scatter.
const FAR: f64 = 1e18;

/// A cache: what is at work at once, and how often that is exchanged.
pub struct Level<'a> {
    /// How many values each position takes at once.
    pub at_once: &'a dyn Fn(Symbol) -> i64,
    /// Bytes that stay.
    pub capacity: f64,
    /// How often the work at once changes.
    pub waves: f64,
    /// Bytes that are moved at least.
    pub unit: f64,
    /// Device memory: scattered bytes take longer, and units that are stored in part are read first.
    pub is_memory: bool,
}

/// An array's accesses that lie a constant apart.
struct Group<'t> {
    terms: &'t [(Symbol, i64)],
    offsets: Vec<i64>,
    width: i64,
    reach: f64,
    /// Bytes that its requests move: what few threads come to is as little as they ask for.
    requested: f64,
}

/// Share of the bytes that a cache lets through.
pub struct Traffic<'t, 'k> {
    pub trace: &'t Trace<'k>,
    /// Of each access: bytes of the units that all its requests move.
    pub requested: &'t [f64],
    pub device: &'t Device,
    pub level: Level<'t>,
}

impl Traffic<'_, '_> {
    /// Bytes of loads or of stores to global memory, for all the work at once, over all waves.
    pub fn bytes(&self, stores: bool) -> f64 {
        let level = &self.level;
        let inside = self.subtree(0);
        if self.footprint(&inside, level.at_once, false) + self.footprint(&inside, level.at_once, true)
            <= level.capacity
        {
            let symbols = &self.trace.symbols;
            let all = |s: Symbol| if matches!(symbols.origin(s), Origin::Block) { symbols.count(s) } else { 1 };
            let is_over_waves = level.waves > 1.0;
            let extent = |s: Symbol| if is_over_waves { all(s).max((level.at_once)(s)) } else { (level.at_once)(s) };
            let whole = Subtree { waves: 1.0, ..inside };
            return self.footprint(&whole, &extent, stores);
        }
        level.waves * self.iteration(0, stores)
    }

    /// Bytes of one iteration of a loop, or of the body.
    fn iteration(&self, node: usize, stores: bool) -> f64 {
        let children = (1..self.trace.nodes.len()).filter(|n| self.trace.nodes[*n].parent == Some(node));
        let inner: f64 = children.map(|n| self.loop_(n, stores)).sum();
        inner
            + self.footprint(
                &Subtree { loops: vec![], nodes: vec![node], waves: self.level.waves },
                self.level.at_once,
                stores,
            )
    }

    /// Bytes of all iterations of a loop.
    fn loop_(&self, node: usize, stores: bool) -> f64 {
        let level = &self.level;
        let mut inside = self.subtree(node);
        let whole = |inside: &Subtree, stores| self.footprint(inside, level.at_once, stores);
        let own = self.trace.nodes[node].symbol;
        let all = std::mem::take(&mut inside.loops);
        inside.loops = all.iter().copied().filter(|s| Some(*s) != own).collect();
        let fits = whole(&inside, false) + whole(&inside, true) <= level.capacity;
        inside.loops = all;
        let unique = whole(&inside, stores);
        if fits {
            return unique;
        }
        // What is touched by the loop cannot be less than what it moves.
        (self.trace.nodes[node].trips * self.iteration(node, stores)).max(unique)
    }

    /// A loop with those inside it.
    fn subtree(&self, node: usize) -> Subtree {
        let all = &self.trace.nodes;
        let mut nodes = vec![node];
        for (n, inner) in all.iter().enumerate().skip(node + 1) {
            if inner.parent.is_some_and(|p| nodes.contains(&p)) {
                nodes.push(n);
            }
        }
        let loops = nodes.iter().filter_map(|n| all[*n].symbol).collect();
        Subtree { loops, nodes, waves: self.level.waves }
    }

    /// Bytes of global memory that the accesses of some loops touch, in whole units.
    fn footprint(&self, inside: &Subtree, at_once: Extent, stores: bool) -> f64 {
        let symbols = &self.trace.symbols;
        let extent = |s: Symbol| match symbols.origin(s) {
            Origin::Loop(_) if inside.loops.contains(&s) => symbols.count(s),
            Origin::Loop(_) => 1,
            _ => at_once(s),
        };
        let mut arrays: BTreeMap<&str, Vec<Group>> = BTreeMap::new();
        let mut limits: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        let wanted = |x: &Traced| x.space == Space::Global && (x.use_ != Use::Load) == stores;
        for (k, x) in self.trace.accesses.iter().enumerate().filter(|(_, x)| wanted(x)) {
            if !inside.nodes.contains(&x.node) || self.requested[k] == 0.0 {
                continue;
            }
            let name = x.access.array.as_str();
            let requested = self.requested[k] / self.turns(inside, x.node);
            let limit = limits.entry(name).or_insert((0.0, f64::MAX));
            limit.0 += requested;
            limit.1 = x.bytes.map_or(limit.1, |n| n as f64 + self.device.unit);
            let groups = arrays.entry(name).or_default();
            let share = reach(&x.state);
            match groups.iter_mut().find(|g| g.terms == x.address.terms) {
                Some(g) => {
                    g.offsets.push(x.address.constant);
                    g.reach = g.reach.max(share);
                    g.requested += requested;
                }
                None => groups.push(Group {
                    terms: &x.address.terms,
                    offsets: vec![x.address.constant],
                    width: x.width,
                    reach: share,
                    requested,
                }),
            }
        }
        let bytes = |(name, groups): (&&str, &Vec<Group>)| {
            let sum: f64 = groups.iter().map(|g| (g.reach * self.runs(g, stores, &extent)).min(g.requested)).sum();
            sum.min(self.hull(groups, &extent)).min(limits[*name].0).min(limits[*name].1)
        };
        arrays.iter().map(bytes).sum()
    }

    /// Turns in which the requests at a node are made for one footprint: in each wave, and each iteration of the loops around.
    fn turns(&self, inside: &Subtree, node: usize) -> f64 {
        let all = &self.trace.nodes;
        let around = std::iter::successors(Some(node), |n| all[*n].parent);
        let is_outside = |n: &usize| match all[*n].symbol {
            Some(s) => !inside.loops.contains(&s),
            None => !inside.nodes.contains(n),
        };
        around.filter(is_outside).map(|n| all[n].trips.max(1.0)).product::<f64>() * inside.waves
    }

    /// From the first to the last byte of an array.
    fn hull(&self, groups: &[Group], extent: Extent) -> f64 {
        let (mut lo, mut hi) = (f64::MAX, f64::MIN);
        for g in groups {
            let form = super::value::Form { constant: 0, terms: g.terms.to_vec() };
            if self.trace.symbols.is_data(&form) {
                return f64::MAX;
            }
            let (a, b) = self.trace.symbols.range(&form, extent);
            let first = g.offsets.iter().min().copied().unwrap_or(0) as f64;
            let last = g.offsets.iter().max().copied().unwrap_or(0) as f64;
            lo = lo.min(a as f64 + first);
            hi = hi.max(b as f64 + last + g.width as f64);
        }
        (hi - lo) + self.device.unit
    }

    /// Bytes of the runs that a group covers.
    fn runs(&self, g: &Group, stores: bool, extent: Extent) -> f64 {
        let unit = self.level.unit;
        let symbols = &self.trace.symbols;
        let step = |(s, c): &(Symbol, i64)| {
            let n = symbols.values(*s, extent);
            match symbols.origin(*s) {
                Origin::Data { values, .. } if values.is_none_or(|all| n < all as f64) => (FAR, n),
                _ => (c.unsigned_abs() as f64, n),
            }
        };
        let mut steps: Vec<(f64, f64)> = g.terms.iter().map(step).collect();
        steps.sort_by(|a, b| a.0.total_cmp(&b.0));
        let apart = spread_out(&g.offsets, &mut steps);
        let elements = apart.len() as f64 * steps.iter().map(|(_, n)| n).product::<f64>();
        let spread = apart.last().unwrap_or(&0.0) - apart.first().unwrap_or(&0.0);
        let is_near = spread <= unit * apart.len() as f64;
        let mut runs = if is_near { 1.0 } else { apart.len() as f64 };
        let mut run = g.width as f64 + if is_near { spread } else { 0.0 };
        let mut is_aligned = g.offsets.iter().min().is_none_or(|first| *first as f64 % unit == 0.0);
        // Rows that the data divide follow each other, and what one iteration leaves of a unit the next one takes.
        let walks = |(s, c): &(Symbol, i64)| matches!(symbols.origin(*s), Origin::Loop(_)) && (c.abs() as f64) < unit;
        let is_walked = g.terms.iter().any(walks);
        let mut is_far = false;
        for (c, n) in steps.into_iter().filter(|(_, n)| *n > 1.0) {
            if c <= run.max(unit) {
                run += c * (n - 1.0);
            } else {
                is_far |= c == FAR;
                is_aligned &= c % unit == 0.0;
                runs *= n;
            }
        }
        if is_far && is_walked {
            return runs * run;
        }
        let units = if is_aligned { (run / unit).ceil() } else { 1.0 + (run - 1.0) / unit };
        let bytes = runs * units * unit;
        let is_partial = stores && elements * (g.width as f64) < 0.75 * bytes;
        let factor = if self.level.is_memory && is_partial { 2.0 } else { 1.0 };
        bytes * factor * if self.level.is_memory && is_far { self.device.scattered } else { 1.0 }
    }
}

/// Moves what lies a constant apart along the steps that lead there, which become longer; what is left, in order.
/// ```text
/// a[i - 1, j], a[i, j], a[i, j + 1]       one more row, one more element
/// a[0, i, j], a[1, i, j]                  planes apart: no step leads there in fewer turns than there are elements
/// ```
fn spread_out(offsets: &[i64], steps: &mut [(f64, f64)]) -> Vec<f64> {
    let first = offsets.iter().min().copied().unwrap_or(0);
    let mut away: Vec<f64> = offsets.iter().map(|o| o.wrapping_sub(first) as f64).collect();
    for (c, n) in steps.iter_mut().rev().filter(|(c, _)| *c < FAR) {
        let turns = |a: &f64| (a / *c).round();
        let least = away.iter().map(turns).fold(0.0, f64::min);
        let most = away.iter().map(turns).fold(0.0, f64::max);
        if most - least > *n * away.len() as f64 {
            continue;
        }
        away.iter_mut().for_each(|a| *a -= turns(a) * *c);
        *n += most - least;
    }
    away.sort_by(f64::total_cmp);
    away.dedup();
    away
}

/// Loops that run over all their iterations, and the nodes whose accesses count.
struct Subtree {
    loops: Vec<Symbol>,
    nodes: Vec<usize>,
    /// Waves that share what all requests move.
    waves: f64,
}
