//! The box of points that a kernel with tiles is launched over.

use super::bounds::{self, Interval};
use super::piece::{Inner, Variable};
use super::reads::Group;
use super::size::{Choice, Sizes, Wanted};
use super::wish::Points;
use crate::ast::{BinOp, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::{Expr, simplify};
use crate::poly::Failure;
use crate::region::LoopId;
use crate::schedule::block::Block;
use crate::schedule::frame::{SECTOR, blocks};
use crate::schedule::index::{self, size_of};
use crate::schedule::lower::Lowering;
use crate::schedule::map::{dimensions, in_grid};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, extent};
use std::collections::BTreeMap;

/// An axis that is a dimension of the grid.
#[derive(Clone)]
pub struct Axis {
    pub var: VarId,
    pub name: String,
    /// The first point of the block.
    pub origin: String,
    /// Where a cell of a tile lies along the axis.
    pub cell: String,
    /// The least value of the counter in the whole grid, how many there are, and one past the greatest.
    pub low: Expr,
    pub count: Expr,
    pub end: Expr,
    /// The loop over the points of the thread that are a block apart, and that over neighbours; `None`: it has one.
    pub merge: Option<String>,
    pub skew: Option<String>,
    /// Neighbours dealt out one by one: each next one is a thread's beside it. There are none a block apart then.
    pub is_dealt: bool,
}

impl Axis {
    /// The loops over the points of the thread, outermost first, with how many they are.
    pub fn loops(&self, d: usize) -> impl DoubleEndedIterator<Item = (&String, Expr)> {
        let loops = [("MERGE", &self.merge), ("SKEW", &self.skew)].into_iter();
        loops.filter_map(move |(size, var)| Some((var.as_ref()?, size_of(size, d))))
    }
}

/// The geometry of a nest.
#[derive(Clone)]
pub struct Shape {
    /// By dimension.
    pub axes: Vec<Axis>,
    /// Further axes, loops of the thread around everything, outermost first.
    pub around: Vec<LoopId>,
    /// Counters of fused loops, as that of the axis.
    pub same: BTreeMap<VarId, Poly>,
    /// Bounds of the points, but for those that the box has.
    pub bounds: Vec<Poly>,
    /// Those: where it begins, and that it has points.
    pub of_box: Vec<Poly>,
    /// Flag: a bound of an axis depends on another.
    pub is_triangular: bool,
    /// Flag: any bound does, of a loop in a point too.
    pub is_uneven: bool,
    /// Dimensions of which a block has more than one point, and those of which a thread may.
    pub spread: Vec<usize>,
    pub merged: Vec<usize>,
}

impl Shape {
    /// The shape of a nest whose axes have step 1 and bounds that are linear in each other; else `None`.
    pub fn of(a: &Analysis, nest: &Nest, host: &[LoopId], l: &mut Lowering) -> Result<Option<Shape>, Failure> {
        let mapped = dimensions(a, nest);
        let mut same = BTreeMap::new();
        for x in &mapped {
            let first = a.part.get_loop(x.id).var;
            let name = l.name(first);
            for id in x.all {
                let var = a.part.get_loop(*id).var;
                l.counters.insert(var, index::var(name.clone()));
                if var != first {
                    same.insert(var, Poly::sym(Sym::Counter(first)));
                }
            }
        }
        let around: Vec<LoopId> = mapped.iter().filter(|x| x.dimension.is_none()).map(|x| x.id).collect();
        let ids: Vec<LoopId> = in_grid(&mapped).into_iter().map(|x| x.id).collect();
        let vars: Vec<VarId> = ids.iter().map(|id| a.part.get_loop(*id).var).collect();
        let outer: Vec<VarId> = around.iter().map(|id| a.part.get_loop(*id).var).collect();
        let uses = |id: &LoopId, vars: &[VarId]| {
            let x = a.part.get_loop(*id);
            bounds::uses_any(&x.first, vars) || x.limits.iter().any(|p| bounds::uses_any(p, vars))
        };
        if around.iter().any(|id| uses(id, &vars)) {
            return Ok(None);
        }
        let mut shape = Shape {
            axes: vec![],
            around,
            same,
            bounds: vec![],
            of_box: vec![],
            is_triangular: false,
            is_uneven: nest.stmts().iter().flat_map(|s| &a.part.stmt(*s).loops).any(|id| uses(id, &vars)),
            spread: vec![],
            merged: vec![],
        };
        for id in &ids {
            let x = a.part.get_loop(*id);
            let Some(mut all) = bounds::of_loop(x, &shape.same).filter(|_| x.step == 1) else { return Ok(None) };
            if !all.iter().all(|p| bounds::is_linear(p, &vars)) {
                return Ok(None);
            }
            shape.is_triangular |= uses(id, &vars);
            let varies = |p: &Poly| bounds::uses_any(p, &vars) || bounds::uses_any(p, &outer);
            let (begins, ends) = (!varies(&x.first), !x.limits.iter().any(varies));
            // Where all points begin at one value, the box does.
            if let (true, true, Some(some)) = (begins, ends, bounds::without(&all, x.var)) {
                shape.of_box.extend(some);
            }
            shape.of_box.extend(all.drain(..usize::from(begins)));
            shape.bounds.extend(all);
            let (low, count) = match (begins, ends) {
                (true, true) => (l.poly(&x.first), extent::count(x, l)),
                (true, false) => (l.poly(&x.first), extent::bounding_count(a, *id, &nest.stmts(), host, l)?),
                (false, _) => extent::bounding_range(a, *id, &nest.stmts(), host, l)?,
            };
            let end = match ends {
                true => index::min(x.limits.iter().map(|p| l.poly(p))).expect("a loop has a limit"),
                false => index::add(low.clone(), count.clone()),
            };
            let name = l.name(x.var);
            let (origin, cell) = (l.names.fresh(&format!("rt_{name}")), l.names.fresh(&format!("rt_{name}_in")));
            shape.axes.push(Axis {
                var: x.var,
                name,
                origin,
                cell,
                low,
                count,
                end,
                merge: None,
                skew: None,
                is_dealt: false,
            });
        }
        Ok(Some(shape))
    }

    /// Begins the box of points, which has so many neighbours along the last dimension, where a vector of them and a sector of
    /// memory may begin: `for (j = 1; …` at 0. What lies before the first point is tested like what lies behind the last. A
    /// warp that stores 32 elements from the second on writes part of a sector at both ends: the nine streams of a
    /// lattice Boltzmann step so take an H200 392 us, not 308.
    pub fn align(&mut self, neighbours: i64) {
        let Some(x) = self.axes.last_mut() else { return };
        let Expr::Int(low) = x.low else { return };
        let whole = if SECTOR % neighbours == 0 { SECTOR } else { neighbours };
        let before = low.rem_euclid(whole);
        let begins = Poly::sym(Sym::Counter(x.var)).plus(&Poly::constant(low), -1);
        if let (1.., Some(begins)) = (before, begins)
            && let Some(k) = self.of_box.iter().position(|p| *p == begins)
        {
            self.bounds.push(self.of_box.remove(k));
            x.low = Expr::Int(low - before);
            x.count = index::add(x.count.clone(), Expr::Int(before));
            simplify::index_expr(&mut x.count);
        }
    }

    /// The same points of the block, of which neighbours along memory are those of neighbouring threads: lanes of a warp so
    /// load and store elements side by side where no vectors serve. `None` where a thread has one.
    pub fn dealt(&self) -> Option<Shape> {
        let mut out = self.clone();
        let last = out.axes.last_mut().filter(|x| x.merge.is_none() && x.skew.is_some())?;
        last.is_dealt = true;
        Some(out)
    }

    /// Points of a block along a dimension.
    pub fn side(&self, d: usize) -> Expr {
        let loops = self.axes[d].loops(d).map(|(_, size)| size);
        loops.fold(size_of("BLOCK", d), |side, size| index::binary(BinOp::Mul, side, size))
    }

    /// Blocks in each dimension.
    pub fn grid(&self) -> Vec<Expr> {
        let n = self.axes.len();
        (0..n).map(|d| blocks(self.axes[d].count.clone(), self.side(d), d + 1 == n)).collect()
    }

    /// The counters of the block's points.
    pub fn tile(&self) -> Vec<Interval> {
        let interval = |(d, x): (usize, &Axis)| {
            let last = index::binary(BinOp::Sub, self.side(d), Expr::Int(1));
            let high = index::binary(BinOp::Add, index::var(&x.origin), last);
            Interval { var: x.var, low: index::var(&x.origin), high }
        };
        self.axes.iter().enumerate().map(interval).collect()
    }

    /// The same of one thread: its points are all inside, or not, whatever others are.
    pub fn tile_of_thread(&self) -> Vec<Interval> {
        let interval = |(d, x): (usize, &Axis)| {
            let (low, high) = self.ends_of_thread(d);
            Interval { var: x.var, low, high }
        };
        self.axes.iter().enumerate().map(interval).collect()
    }

    /// The counter at the first and the last of a thread's points in a dimension.
    pub fn ends_of_thread(&self, d: usize) -> (Expr, Expr) {
        let x = &self.axes[d];
        let at = |merge: Expr, skew: Expr| {
            let mut at = self.position(d);
            at.replace(&mut |e| match e {
                Expr::Var(name) if x.merge.as_ref() == Some(name) => Some(merge.clone()),
                Expr::Var(name) if x.skew.as_ref() == Some(name) => Some(skew.clone()),
                _ => None,
            });
            simplify::index_expr(&mut at);
            index::add(index::var(&x.origin), at)
        };
        let most = |size| index::binary(BinOp::Sub, size_of(size, d), Expr::Int(1));
        (at(Expr::Int(0), Expr::Int(0)), at(most("MERGE"), most("SKEW")))
    }

    /// Where a thread's point lies in the block: `(at * BLOCK + thread) * SKEW + next`.
    pub fn position(&self, d: usize) -> Expr {
        let Axis { merge, skew, is_dealt, .. } = &self.axes[d];
        let times = |x: Expr, size: &str| index::binary(BinOp::Mul, x, size_of(size, d));
        let plus = |x: Expr, y: Expr| index::binary(BinOp::Add, x, y);
        let mut at = Expr::ThreadIdx(d);
        if let Some(merge) = merge {
            at = plus(times(index::var(merge), "BLOCK"), at);
        }
        match skew {
            Some(skew) if *is_dealt => plus(times(index::var(skew), "BLOCK"), at),
            Some(skew) => plus(times(at, "SKEW"), index::var(skew)),
            None => at,
        }
    }

    /// Where the first of a thread's neighbouring points lies in the block.
    pub fn start(&self, d: usize) -> Expr {
        let mut at = self.position(d);
        if let Some(skew) = &self.axes[d].skew {
            at.replace(&mut |e| matches!(e, Expr::Var(name) if name == skew).then_some(Expr::Int(0)));
            simplify::index_expr(&mut at);
        }
        at
    }

    /// The points of a thread in a dimension, of which there are `n`, as a mapping says them. Where it may have points a
    /// block apart and neighbours, these are as many as a load of 16 bytes has elements of so many bytes.
    pub(super) fn points(&self, d: usize, asked: Option<&[Points]>, (n, bytes): (i64, i64)) -> Points {
        let Axis { merge, skew, .. } = &self.axes[d];
        match (asked, merge, skew) {
            (Some(asked), ..) => asked[d],
            (None, Some(_), Some(_)) => {
                let next = (16 / bytes).min((n / 2).max(2)).clamp(1, n);
                [Some(n / next), Some(next)]
            }
            (None, ..) => [merge, skew].map(|x| x.as_ref().map(|_| n)),
        }
    }

    /// Facts on a kernel by which its sizes are chosen.
    pub(super) fn wanted(&self, inner: &[&Inner], variables: &[Variable], points: Option<&[Points]>) -> Wanted<'_> {
        let known = |e: &Expr| {
            let mut e = e.clone();
            simplify::index_expr(&mut e);
            if let Expr::Int(n) = e { Some(n) } else { None }
        };
        let trip = |x: &&Inner| x.limits.iter().filter_map(|p| p.plus(&x.first, -1)?.as_constant()).min();
        let trips: Option<Vec<i64>> = inner.iter().map(trip).collect();
        Wanted {
            counts: self.axes.iter().map(|x| known(&x.count)).collect(),
            spread: &self.spread,
            merged: &self.merged,
            points: points.map(|all| all.iter().map(|x| x.iter().flatten().product()).collect()),
            has_loops: !inner.is_empty(),
            registers: variables.iter().map(|v| (v.ty.size(64) + 3) / 4).sum(),
            further: inner.iter().map(|x| x.groups.len() as i64).max().unwrap_or(0) - 2 * variables.len() as i64,
            trip: trips.and_then(|all| all.into_iter().max()),
            is_triangular: self.is_triangular,
        }
    }

    /// The sizes of the kernel's tiles, of which each byte is there as often as `stages` says; `None` where they do not fit.
    pub(super) fn sizes(
        &self,
        inner: &[&Inner],
        variables: &[Variable],
        (asked, points): (&Block, Option<&[Points]>),
        stages: i64,
    ) -> Option<Choice> {
        Sizes::choice(&self.wanted(inner, variables, points), asked, &|s| stages * bytes(inner, s))
    }
}

/// Bytes of a stage of the shared arrays.
pub(super) fn bytes(inner: &[&Inner], s: &Sizes) -> i64 {
    let of = |g: &Group| {
        let mut extents = g.in_order(s.depth, g.axes.iter().map(|d| s.side(*d)));
        *extents.last_mut().expect("the depth") += padding(g);
        extents.into_iter().product::<i64>() * g.ty.size(64)
    };
    inner.iter().flat_map(|x| &x.groups).map(of).sum()
}

/// Cells that a row of a tile has to spare. A tile that is filled across its rows would have all of a warp's stores in one
/// bank; 16 bytes more a row spread them, and leave the row aligned for wide loads. Of a factor, the lanes of half a warp
/// load four neighbours of four rows: 32 bytes more than a multiple of 64 leave each a bank of its own.
pub fn padding(g: &Group) -> i64 {
    if g.is_factor {
        return 32 / g.ty.size(64);
    }
    if g.along.is_none() && !g.axes.is_empty() { (16 / g.ty.size(64)).max(1) } else { 0 }
}
