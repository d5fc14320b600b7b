//! Which values that a loop of the thread reads are worth a place in shared memory.
//!
//! The unit is a *group*: all places of the loop's body that compute one and the same value from elements that nothing in
//! the kernel writes, such as `alpha * a[i][k]`. Its value depends on the loop's counter `k` and on some of the axes; the
//! threads along every other axis share it (reuse). Where no axis is left over, it may still be that neighbouring threads
//! read far apart and `k` runs along the row: then the block reads the rows together (coalescing). These are the two
//! criteria of Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013, section 7.3; groups of
//! references that only overlap (section 7.2) are left to the cache.
//!
//! A group is kept by iteration, not by element: the cell `[k, i]` of its tile holds the value at `k` and `i`, so that any
//! affine subscript will do.

use super::bounds;
use crate::ast::{BinOp, FloatKind, VarId};
use crate::facts::symbolic::Poly;
use crate::kernel::{Access, Expr, ScalarType, Stmt, UnaryOp};
use std::collections::BTreeSet;

/// Operations that are repeated wherever a staged element is used, and not done once where it is staged.
const MOST_OPERATIONS: usize = 1;

/// An element that every iteration reads and nothing in the kernel writes.
#[derive(Debug, Clone)]
pub struct Read {
    pub access: Access,
    pub ty: ScalarType,
    /// Subscripts as polynomials.
    pub index: Vec<Poly>,
}

/// A value that is kept in shared memory for some iterations of the loop.
#[derive(Debug, Clone)]
pub struct Group {
    /// The shared array.
    pub tile: String,
    /// What is kept, in terms of the counters.
    pub value: Expr,
    pub ty: ScalarType,
    /// The axes that it depends on, as positions in the list of axes.
    pub axes: Vec<usize>,
    /// Of those the one along which elements are neighbours; `None`: they are along the loop.
    pub along: Option<usize>,
    /// Kept for coalescing alone.
    pub is_for_order: bool,
    /// A factor of matrices that a warp multiplies: rows of the tile are those of memory.
    pub is_factor: bool,
    /// Where a cell of the tile is read by some iteration: not negative there.
    pub bounds: Vec<Poly>,
}

impl Group {
    /// Something of the loop, and of each axis, in the order of the tile's extents.
    pub fn in_order<T>(&self, of_loop: T, of_axes: impl IntoIterator<Item = T>) -> Vec<T> {
        let axes = of_axes.into_iter();
        if self.has_rows_of_loop() {
            axes.chain([of_loop]).collect()
        } else {
            [of_loop].into_iter().chain(axes).collect()
        }
    }

    /// Test that neighbouring cells are of neighbouring iterations, not of neighbouring points.
    pub fn has_rows_of_loop(&self) -> bool {
        self.is_factor && self.along.is_none()
    }
}

/// A loop of the thread as its reads are looked at.
pub struct Reads<'a> {
    pub list: Vec<Read>,
    /// The loop's counter, and its name.
    pub var: VarId,
    pub counter: String,
    /// Counters of the axes, by dimension, and their names.
    pub axes: Vec<(VarId, String)>,
    /// Axes along which a block has more than one point.
    pub spread: Vec<usize>,
    /// The type of a scalar that is the same all over the block.
    pub uniform: &'a dyn Fn(&str) -> Option<ScalarType>,
    /// Bounds of the loop and of the axes, but for those that the box of points has.
    pub bounds: Vec<Poly>,
    /// Those.
    pub of_box: &'a [Poly],
    /// Test that a warp multiplies what is staged, as matrices.
    pub has_factors: bool,
    /// Test that an element is staged as it is, so that it can be copied ahead, and what little is computed from it alone
    /// (`alpha * a[i][k]`) where it is used.
    pub stages_elements: bool,
    /// That one of the loop where its first piece begins: for the point of the tile of which it asks least.
    pub begin: Poly,
}

/// What an expression depends on.
struct Part {
    ty: ScalarType,
    axes: BTreeSet<usize>,
    uses_counter: bool,
    /// The elements that it reads.
    reads: Vec<usize>,
}

impl Reads<'_> {
    /// Finds the groups in a body, of those that are wanted, and puts in their places what `cell` gives for each; `name`
    /// gives a tile its name.
    pub fn stage(
        &self,
        body: &mut [Stmt],
        groups: &mut Vec<Group>,
        is_wanted: &dyn Fn(&Expr) -> bool,
        name: &mut dyn FnMut(&str) -> String,
        cell: &dyn Fn(&Group) -> Access,
    ) {
        for stmt in body {
            for e in stmt.exprs_mut() {
                e.replace(&mut |e| {
                    if let Some(group) = groups.iter().find(|g| g.value == *e) {
                        return Some(Expr::Load(cell(group)));
                    }
                    let group = if is_wanted(e) { self.group(e, name)? } else { return None };
                    let access = cell(&group);
                    groups.push(group);
                    Some(Expr::Load(access))
                });
            }
            stmt.bodies_mut().into_iter().for_each(|inner| self.stage(inner, groups, is_wanted, name, cell));
        }
    }

    /// Elements that a body still reads anew in every iteration, wherever they are.
    pub fn left(&self, body: &[Stmt], groups: &[Group]) -> BTreeSet<String> {
        let mut out = BTreeSet::new();
        let mut look = |e: &Expr| {
            e.any(&mut |e| {
                if let Expr::Load(access) = e
                    && access.index.iter().any(|x| x.mentions(&self.counter))
                    && groups.iter().all(|g| g.tile != access.array)
                {
                    out.insert(access.array.clone());
                }
                false
            });
        };
        body.iter().for_each(|stmt| stmt.visit(&mut |stmt| stmt.exprs().into_iter().for_each(&mut look)));
        out
    }

    /// Test that some element read in every iteration is the same along an axis of the block.
    pub fn is_any_shared(&self) -> bool {
        let parts = self.list.iter().filter_map(|read| self.element(&read.access));
        parts.filter(|p| p.uses_counter).any(|p| self.spread.iter().any(|x| !p.axes.contains(x)))
    }

    fn group(&self, e: &Expr, name: &mut dyn FnMut(&str) -> String) -> Option<Group> {
        let part = self.part(e)?;
        if self.stages_elements && part.reads.len() == 1 && !matches!(e, Expr::Load(_)) && is_little(e) {
            return None;
        }
        // Several are loaded in the order of the one that is spread widest.
        let width = |r: &&Read| self.axes.iter().filter(|(v, _)| r.index.iter().any(|p| p.uses(*v))).count();
        let read = part.reads.iter().map(|r| &self.list[*r]).max_by_key(width)?;
        let reuse = self.spread.iter().any(|x| !part.axes.contains(x));
        let along_loop = self.is_along(read, self.var);
        let along = part.axes.iter().copied().find(|x| self.is_along(read, self.axes[*x].0));
        let is_alone = self.axes.len() == 1 && part.reads.len() == 1;
        let is_for_order = !reuse && is_alone && along_loop && along.is_none();
        if !part.uses_counter || !(reuse || is_for_order) {
            return None;
        }
        Some(Group {
            tile: name(&read.access.array),
            value: e.clone(),
            ty: part.ty,
            axes: part.axes.iter().copied().collect(),
            along: along.or_else(|| part.axes.last().copied().filter(|_| !along_loop)),
            is_for_order,
            is_factor: self.has_factors,
            bounds: self.cell_bounds(&part.axes)?,
        })
    }

    /// Where a cell at these axes is read by some point: what does not hold of every cell that a block has.
    fn cell_bounds(&self, axes: &BTreeSet<usize>) -> Option<Vec<Poly>> {
        let (own, others): (Vec<_>, Vec<_>) = (0..self.axes.len()).partition(|x| axes.contains(x));
        let var = |x: &usize| self.axes[*x].0;
        let without_others = |all: &[Poly]| bounds::without_all(all, others.iter().map(var));
        let own: Vec<VarId> = own.iter().map(var).collect();
        let mut held = self.of_box.to_vec();
        held.extend((!bounds::uses_any(&self.begin, &own)).then(|| self.begin.clone()));
        let (held, mut bounds) = (without_others(&held)?, without_others(&[self.of_box, &self.bounds].concat())?);
        bounds.retain(|p| !held.contains(p));
        Some(bounds)
    }

    /// Test that neighbouring values of a counter read neighbouring elements.
    fn is_along(&self, read: &Read, v: VarId) -> bool {
        let Some((last, outer)) = read.index.split_last() else { return false };
        last.coefficient(v).abs() == 1 && outer.iter().all(|p| !p.uses(v))
    }

    fn part(&self, e: &Expr) -> Option<Part> {
        let plain = |ty| Part { ty, axes: BTreeSet::new(), uses_counter: false, reads: vec![] };
        match e {
            Expr::Load(access) => self.element(access),
            Expr::Float(text) if text != "INFINITY" && text != "NAN" => {
                let kind = if text.ends_with(['f', 'F']) { FloatKind::Float } else { FloatKind::Double };
                Some(plain(ScalarType::Float(kind)))
            }
            Expr::Var(name) => (self.uniform)(name).map(plain),
            Expr::Unary(UnaryOp::Neg, x) => self.part(x).filter(|x| is_float(x.ty)),
            Expr::Cast(ty, x) if is_float(*ty) => Some(Part { ty: *ty, ..self.part(x)? }),
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, x, y) => {
                let (x, y) = (self.part(x)?, self.part(y)?);
                if x.ty != y.ty || !is_float(x.ty) {
                    return None;
                }
                Some(Part {
                    ty: x.ty,
                    axes: &x.axes | &y.axes,
                    uses_counter: x.uses_counter || y.uses_counter,
                    reads: [x.reads, y.reads].concat(),
                })
            }
            _ => None,
        }
    }

    fn element(&self, access: &Access) -> Option<Part> {
        let at = self.list.iter().position(|r| r.access == *access)?;
        let mut part = Part { ty: self.list[at].ty, axes: BTreeSet::new(), uses_counter: false, reads: vec![at] };
        let mut is_known = true;
        for e in &access.index {
            e.any(&mut |e| {
                match e {
                    Expr::Var(name) if *name == self.counter => part.uses_counter = true,
                    Expr::Var(name) => match self.axes.iter().position(|(_, axis)| axis == name) {
                        Some(axis) => _ = part.axes.insert(axis),
                        None => is_known &= (self.uniform)(name).is_some(),
                    },
                    Expr::Load(_) | Expr::Call(..) => is_known = false,
                    _ => {}
                }
                false
            });
        }
        is_known.then_some(part)
    }
}

/// Test that a value takes one operation to compute from what is loaded for it, and none that takes long.
fn is_little(e: &Expr) -> bool {
    let mut n = 0;
    e.any(&mut |e| {
        n += match e {
            Expr::Binary(BinOp::Div, ..) => MOST_OPERATIONS + 1,
            Expr::Binary(..) | Expr::Unary(..) | Expr::Cast(..) => 1,
            _ => 0,
        };
        false
    });
    n <= MOST_OPERATIONS
}

fn is_float(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::Float(_))
}
