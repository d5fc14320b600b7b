//! Windows: elements that a block loads into shared memory in the order of memory, where its threads stand in another.
//!
//! ```text
//! for i, j in parallel: b[j][i] = a[i][j]            threads of a row have neighbouring i, as b has
//! ->
//! barrier; all threads load a[i][j] at the points of the block, neighbours along j; barrier
//! for the thread's points: b[j][i] = a_tile[j][i]
//! ```
//! A window is kept by element: it holds all that the references of one array touch that lie a few points apart (`a[i][j]`,
//! `a[i][j + 1]`), and reaches beyond the points of the block as far as these do. Rows of a tile have an odd number of
//! elements, so that a column lies in different banks. A cell is loaded where some point of the band reads it: no other
//! element need be there.
//!
//! One subscript may count along several axes, as `a[j + 1024 * i]` does where the length of a row is a constant: a cell is
//! the element of its point, whatever the subscripts make of it.
//!
//! Method: tiled transposition of Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", 2009; reference groups
//! by element: Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013, section 7.2.

use super::bounds;
use super::find::{self, Finder};
use super::shape::Shape;
use super::size::Sizes;
use crate::ast::{BinOp, VarId};
use crate::cost::access::SECTOR;
use crate::facts::Reason;
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, Usage, simplify};
use crate::poly::scop::is_write;
use crate::region::Access as Touch;
use crate::schedule::index;
use crate::schedule::lower::scalar_type;
use crate::schedule::mapping::Staged;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Points further apart have windows of their own: the cells between are not worth their room.
const FAR: i64 = 4;

/// Elements of an array that a block keeps.
pub struct Window {
    /// The shared array.
    pub tile: String,
    /// The element of the cell that is first along every axis, in terms of the counters.
    pub first: Access,
    pub ty: ScalarType,
    /// The axes that subscripts count along, by dimension, each with how far the window reaches beyond the points.
    pub axes: Vec<(usize, i64)>,
    /// The one along which elements are neighbours.
    pub along: usize,
    /// Bounds of the points over these axes, and of them those that the box of points has.
    pub bounds: Vec<Poly>,
    pub of_box: Vec<Poly>,
    /// References, each with its distance from the first element along the axes.
    pub refs: Vec<(Access, Vec<i64>)>,
}

/// A reference: the access of the kernel, its type, its subscripts, and the axes that they count along, in their order.
struct Reference {
    data: VarId,
    access: Access,
    ty: ScalarType,
    index: Vec<Poly>,
    counted: Vec<Counted>,
}

/// An axis that a subscript counts along, by so many elements a point.
#[derive(Clone, Copy, PartialEq)]
struct Counted {
    axis: usize,
    subscript: usize,
    times: i64,
}

impl Window {
    /// Bytes of its tile.
    pub fn bytes(&self, s: &Sizes) -> i64 {
        let cells = |(k, (d, reach)): (usize, &(usize, i64))| s.side(*d) + reach + self.padding(k);
        self.axes.iter().enumerate().map(cells).product::<i64>() * self.ty.size(64)
    }

    /// Cells to spare behind those along an axis. Sides are even.
    fn padding(&self, k: usize) -> i64 {
        if k + 1 == self.axes.len() { 1 - self.axes[k].1 % 2 } else { 0 }
    }

    fn extents(&self, shape: &Shape) -> Vec<Expr> {
        let cells =
            |(k, (d, reach)): (usize, &(usize, i64))| index::add(shape.side(*d), Expr::Int(reach + self.padding(k)));
        self.axes.iter().enumerate().map(cells).collect()
    }

    /// The window in a mapping.
    pub fn staged(&self, shape: &Shape) -> Staged {
        let along = self.axes.iter().map(|(d, _)| shape.axes[*d].name.clone()).collect();
        Staged { value: Expr::Load(self.first.clone()).to_string(), along }
    }

    /// Declaration of the tile.
    pub fn declaration(&self, shape: &Shape) -> Stmt {
        Stmt::made(StmtKind::Shared { name: self.tile.clone(), ty: self.ty, extents: self.extents(shape) })
    }

    /// Bounds under which a reference at that distance reads a cell: those of the points, moved.
    pub fn moved(&self, shape: &Shape, distance: &[i64]) -> Vec<Poly> {
        let mut moved = BTreeMap::new();
        for ((d, _), by) in self.axes.iter().zip(distance) {
            let counter = Poly::sym(Sym::Counter(shape.axes[*d].var));
            moved.insert(shape.axes[*d].var, counter.plus(&Poly::constant(*by), -1).expect("a small distance"));
        }
        // The box begins where its first cell does.
        let holds = |p: &&Poly| self.of_box.contains(p) && p.with(&moved).as_ref() == Some(*p);
        self.bounds.iter().filter(|p| !holds(p)).filter_map(|p| p.with(&moved)).collect()
    }
}

impl Finder<'_, '_> {
    /// Finds the windows that serve the order of memory, along the dimension whose points a block has besides those of the
    /// last, and lets a body read them.
    pub fn windows(
        &mut self,
        shape: &Shape,
        body: &mut [Stmt],
        is_wanted: &dyn Fn(&Access) -> bool,
    ) -> Result<Vec<Window>, Reason> {
        let mut groups: Vec<Vec<Reference>> = vec![];
        for r in self.references(shape)? {
            match groups.iter_mut().find(|g| apart(&g[0], &r).is_some_and(|by| by.iter().all(|n| n.abs() <= FAR))) {
                Some(group) if group.iter().any(|x| x.access == r.access) => {}
                Some(group) => group.push(r),
                None => groups.push(vec![r]),
            }
        }
        let mut out = vec![];
        for group in groups {
            let Some(window) = self.window(shape, group) else { continue };
            if !is_wanted(&window.first) {
                continue;
            }
            let cell = |distance: &[i64]| {
                let at =
                    window.axes.iter().zip(distance).map(|((d, _), by)| index::add(shape.position(*d), Expr::Int(*by)));
                Expr::Load(Access { array: window.tile.clone(), index: at.collect() })
            };
            let read = |e: &Expr| {
                let Expr::Load(access) = e else { return None };
                window.refs.iter().find(|(x, _)| x == access).map(|(_, distance)| cell(distance))
            };
            body.iter_mut().for_each(|s| s.replace(&read));
            out.push(window);
        }
        Ok(out)
    }

    /// Elements that every point reads, of arrays that nothing in the nest writes.
    fn references(&mut self, shape: &Shape) -> Result<Vec<Reference>, Reason> {
        let part = self.a.part;
        let mut out = vec![];
        for s in find::direct(&self.nest.body).filter(|s| part.stmt(*s).guards.is_empty()) {
            self.l.name_counters(s);
            let is_fixed = |k: usize, x: &Touch| {
                !is_write(x)
                    && x.surely
                    && x.known.is_empty()
                    && self.unchanged.contains(&(s, k))
                    && !self.l.private.contains(&x.data)
            };
            let all: Vec<&Touch> =
                part.stmt(s).accesses.iter().enumerate().filter(|(k, x)| is_fixed(*k, x)).map(|(_, x)| x).collect();
            for x in all {
                let (Some(index), Some(ty)) = (&x.index, scalar_type(&part.data[&x.data].elem)) else { continue };
                let access = self.l.element(x.data, &x.subscripts, Usage::Read)?;
                let Some(index) = index.iter().map(|p| p.with(&shape.same)).collect::<Option<Vec<Poly>>>() else {
                    continue;
                };
                if let Some(counted) = counted(shape, &index) {
                    out.push(Reference { data: x.data, access, ty, index, counted });
                }
            }
        }
        Ok(out)
    }

    /// The window of some references, where its rows run along the second dimension of the block.
    fn window(&mut self, shape: &Shape, group: Vec<Reference>) -> Option<Window> {
        let last = shape.axes.len() - 1;
        let Reference { index, counted, ty, .. } = &group[0];
        let along = counted.iter().find(|c| c.subscript + 1 == index.len() && c.times == 1)?.axis;
        // Other axes have rows of a sector at least, or subscripts of their own: else cells hold the same elements.
        let is_alone = |c: &Counted| counted.iter().filter(|other| other.subscript == c.subscript).count() == 1;
        let is_row = |c: &Counted| c.subscript + 1 == index.len() && c.times.abs() * ty.size(64) >= SECTOR;
        let is_apart = |c: &Counted| c.axis == along || is_alone(c) || is_row(c);
        let has_last = counted.iter().any(|c| c.axis == last);
        if along == last || !shape.spread.contains(&along) || !has_last || !counted.iter().all(is_apart) {
            return None;
        }
        let by: Vec<Vec<i64>> = group.iter().map(|r| apart(&group[0], r)).collect::<Option<_>>()?;
        let least: Vec<i64> = (0..counted.len()).map(|n| by.iter().map(|by| by[n]).min()).collect::<Option<_>>()?;
        let distance = |by: Vec<i64>| by.iter().zip(&least).map(|(by, least)| by - least).collect::<Vec<i64>>();
        let refs: Vec<(Access, Vec<i64>)> =
            group.iter().map(|r| r.access.clone()).zip(by.into_iter().map(distance)).collect();
        let reach = |n: usize| refs.iter().map(|(_, distance)| distance[n]).max().unwrap_or(0);
        let axes = counted.iter().enumerate().map(|(n, c)| (c.axis, reach(n))).collect();
        // The element of a cell is that of any reference at the point which lies as far before it.
        let (nearest, distance) = refs.iter().min_by_key(|(_, distance)| distance.iter().sum::<i64>())?;
        let mut first = nearest.clone();
        for (c, by) in counted.iter().zip(distance).filter(|(_, by)| **by != 0) {
            let counter = index::var(&shape.axes[c.axis].name);
            let before = index::binary(BinOp::Sub, counter.clone(), Expr::Int(*by));
            first.index.iter_mut().for_each(|e| e.replace(&mut |e| (*e == counter).then(|| before.clone())));
        }
        first.index.iter_mut().for_each(simplify::index_expr);
        let others = || (0..=last).filter(|d| counted.iter().all(|c| c.axis != *d)).map(|d| shape.axes[d].var);
        let of_box = bounds::without_all(&shape.of_box, others())?;
        let bounds = bounds::without_all(&[shape.of_box.as_slice(), &shape.bounds].concat(), others())?;
        let tile = self.l.names.fresh(&format!("rt_{}_tile", first.array));
        Some(Window { tile, first, ty: *ty, axes, along, bounds, of_box, refs })
    }
}

/// The axes that subscripts count along, each in one of them alone, in the order of the axes; `None` where they do otherwise.
fn counted(shape: &Shape, index: &[Poly]) -> Option<Vec<Counted>> {
    let vars: Vec<VarId> = shape.axes.iter().map(|x| x.var).collect();
    if !index.iter().all(|p| bounds::is_linear(p, &vars)) {
        return None;
    }
    let mut out = vec![];
    for (axis, var) in vars.iter().enumerate() {
        let mut subscripts = index.iter().enumerate().filter(|(_, p)| p.uses(*var));
        let Some((subscript, p)) = subscripts.next() else { continue };
        if subscripts.next().is_some() {
            return None;
        }
        out.push(Counted { axis, subscript, times: p.coefficient(*var) });
    }
    Some(out)
}

/// Points from one reference to another along each axis that its subscripts count along, where that is all they differ by.
fn apart(x: &Reference, y: &Reference) -> Option<Vec<i64>> {
    if x.data != y.data || x.counted != y.counted {
        return None;
    }
    let rest = x.index.iter().zip(&y.index).map(|(p, q)| q.plus(p, -1)?.as_constant());
    let mut rest: Vec<i64> = rest.collect::<Option<_>>()?;
    let mut order: Vec<usize> = (0..x.counted.len()).collect();
    order.sort_by_key(|n| Reverse(x.counted[*n].times.abs()));
    let mut out = vec![0; order.len()];
    for n in order {
        let Counted { subscript, times, .. } = x.counted[n];
        // To the nearest: one less than a row is a row on and a point back.
        out[n] = (rest[subscript] + times.abs() / 2).div_euclid(times.abs()) * times.signum();
        rest[subscript] -= out[n] * times;
    }
    rest.iter().all(|n| *n == 0).then_some(out)
}
