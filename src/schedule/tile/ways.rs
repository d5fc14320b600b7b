//! Ways to run the statements of points, without a test of each.
//!
//! ```text
//! if (WIDE && the thread's points are inside, but along memory) { neighbours as vectors, as far as they are inside }
//! else if (!WIDE && the block's points are inside) { each point }
//! else { each point, if it is inside }
//! ```
//! The call picks the instance of the kernel for vectors where they are aligned (`WIDE`): ptxas gives a kernel the registers that its
//! hungriest way needs, though it never be gone, and 7 points f64 on an H200 so took 680 us, not 550. What has no
//! vectors deals points out to lanes one by one (5 points f32 of 8191 columns: 192 us, then 160).

use super::bounds::{self, Interval, Of};
use super::branches;
use super::code::Code;
use super::edge::Edge;
use super::points::{merged, neighbours, points};
use super::stmts::{Ways, either, first_of};
use super::sunk::{Segment, sunk, sunk_by_rows};
use super::vector::{self, Global, Neighbours, Vectorised};
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::types::Types;
use crate::kernel::{Access, Expr, Stmt, UnaryOp, WIDE};
use crate::poly::names::Names;
use crate::schedule::index;
use crate::schedule::lower::scalar_type;
use std::collections::BTreeMap;

impl Code<'_, '_> {
    /// Ways to run statements at every point of the thread without a test of each: neighbours as vectors, where they serve,
    /// if need be as far as they are inside; else where the points of the block are, or of the thread.
    pub(super) fn ways(&mut self, body: &[Stmt]) -> Ways {
        let skew = self.shape.axes.last().and_then(|x| x.skew.clone()).filter(|_| self.vectorizes);
        let edge = self.edge();
        let body = &branches::joined(body, self.types(body));
        if let Some(skew) = skew.as_ref().filter(|_| self.variables.is_empty()) {
            for edge in [edge.as_ref(), None] {
                if let Some((mut rows, is_part)) = self.by_rows_of_taps(body, skew, edge) {
                    if let Some((cond, _)) = rows.first_mut().filter(|_| is_part) {
                        *cond = self.if_wide(cond.take());
                    }
                    let inside = self.inside(&self.shape.tile_of_thread(), edge.is_some());
                    return vec![(inside, first_of(rows, vec![]))];
                }
            }
        }
        let whole = self.inside(&self.shape.tile(), false);
        let sunk = self.sunk(body);
        let (Some(skew), None) = (&skew, &sunk) else {
            return vec![(whole, sunk.unwrap_or_else(|| self.points(body.to_vec())))];
        };
        // Values that points keep are of those inside. Of bytes, neighbours that share some share more than lanes load together.
        let globals = self.globals(body);
        let is_wide = !vector::shares(body, &globals) || globals.values().all(|x| x.ty.size(64) >= 4);
        let edge = edge.filter(|_| is_wide && self.variables.is_empty());
        let all = points(self.dealt.as_ref().filter(|_| is_wide).unwrap_or(self.shape), body.to_vec());
        if let Some((aligned, some)) = edge.and_then(|edge| self.by_vectors(body, skew, Some(&edge))) {
            let inside = self.inside(&self.shape.tile_of_thread(), true);
            let wide = self.if_wide(aligned);
            // Code that an instance does not run would cost it registers.
            let narrow = wide.iter().map(|wide| Expr::Unary(UnaryOp::Not, Box::new(wide.clone())));
            let whole = index::all(narrow.chain(whole));
            return vec![(index::all(wide.iter().cloned().chain(inside)), some), (whole, all)];
        }
        match self.by_vectors(body, skew, None) {
            Some((aligned, together)) => vec![(whole, either(aligned, together, all))],
            None => vec![(whole, self.points(body.to_vec()))],
        }
    }

    /// The instance of the kernel for calls in which vectors at the first elements of arrays are aligned, and rows are whole
    /// vectors, as a condition.
    fn if_wide(&mut self, aligned: Option<Expr>) -> Option<Expr> {
        let mut aligned = aligned?;
        aligned.replace(&mut |e| match e {
            Expr::Aligned { access, count } => {
                let index = vec![Expr::Int(0); access.index.len()];
                Some(Expr::Aligned { access: Access { array: access.array.clone(), index }, count: count.clone() })
            }
            _ => None,
        });
        vector::add(&mut self.wide, aligned);
        Some(index::var(WIDE))
    }

    /// The condition under which points are inside the band; `but_along`: but along memory.
    fn inside(&mut self, tile: &[Interval], but_along: bool) -> Option<Expr> {
        let last = self.shape.axes.last().map(|x| x.var);
        let is_open = |p: &&Poly| but_along && last.is_some_and(|var| p.uses(var));
        let closed: Vec<Poly> = self.shape.bounds.iter().filter(|p| !is_open(p)).cloned().collect();
        self.l.hold(&closed, tile, Of::All)
    }

    /// The ends of the band along memory, where they are the same for all points of the block.
    fn edge(&mut self) -> Option<Edge> {
        let (last, others) = self.shape.axes.split_last()?;
        let others: Vec<_> = others.iter().map(|x| x.var).collect();
        let along: Vec<Poly> = self.shape.bounds.iter().filter(|p| p.uses(last.var)).cloned().collect();
        if along.iter().any(|p| bounds::uses_any(p, &others) || p.coefficient(last.var).abs() != 1) {
            return None;
        }
        let at = [Interval { var: last.var, low: index::var(Edge::AT), high: index::var(Edge::AT) }];
        let (begins, ends): (Vec<Poly>, Vec<Poly>) = along.into_iter().partition(|p| p.coefficient(last.var) > 0);
        let at_begin = |p: &Poly| Poly::sym(Sym::Counter(last.var)).plus(p, -1);
        let least: Vec<Poly> = begins.iter().map(at_begin).collect::<Option<_>>()?;
        let least = least.iter().map(|p| self.l.poly(p)).collect();
        let (begins, ends) = (self.l.hold(&begins, &at, Of::All), self.l.hold(&ends, &at, Of::All));
        let edge = Edge { begins, ends, least };
        (edge.begins.is_some() || edge.ends.is_some()).then_some(edge)
    }

    /// Statements for every point of the thread, neighbours as vectors, and the test that these are aligned.
    fn by_vectors(&mut self, body: &[Stmt], skew: &str, edge: Option<&Edge>) -> Option<(Option<Expr>, Vec<Stmt>)> {
        let shape = self.shape;
        let d = shape.axes.len() - 1;
        self.together(body, skew, |vectors, names| {
            let vectors = Neighbours { edge, ..vectors.clone() };
            let scalar = neighbours(shape, d, body.to_vec());
            let Vectorised { aligned, first, body } = vectors.vectorised(body, scalar, names)?;
            let inside = vectors.if_some_is_inside(vectors.ends(&first), body);
            let all = merged(shape, d, vectors.behind_first(&first, inside));
            Some((aligned, (0..d).rev().fold(all, |body, d| merged(shape, d, neighbours(shape, d, body)))))
        })
    }

    /// Statements for every point of the thread in loops of the points that run around them, by rows of what these load.
    fn by_rows_of_taps(&mut self, body: &[Stmt], skew: &str, edge: Option<&Edge>) -> Option<(Ways, bool)> {
        let shape = self.shape;
        self.together(body, skew, |vectors, names| sunk_by_rows(shape, body, vectors, edge, names))
    }

    /// Code that is made of the neighbours along memory.
    fn together<T>(
        &mut self,
        body: &[Stmt],
        skew: &str,
        made: impl FnOnce(&Neighbours, &mut Names) -> Option<T>,
    ) -> Option<T> {
        let shape = self.shape;
        let dimension = shape.axes.len() - 1;
        let axis = &shape.axes[dimension];
        let globals = &self.globals(body);
        let start = shape.start(dimension);
        let low = match axis.low {
            Expr::Int(n) => Some(n),
            _ => None,
        };
        let count = self.skew;
        let (counter, origin) = (&axis.name, &axis.origin);
        let scalars = &self.l.used.scalars;
        let is_uniform: Option<&dyn Fn(&str) -> bool> = Some(&|name| scalars.contains_key(name));
        let vectors =
            Neighbours { counter, skew, dimension, origin, start, low, count, globals, is_uniform, edge: None };
        // Names of what comes to nothing are free again.
        let mut names = self.l.names.clone();
        let made = made(&vectors, &mut names)?;
        *self.l.names = names;
        Some(made)
    }

    /// Types of the global arrays that statements touch, and of scalars.
    fn types(&mut self, body: &[Stmt]) -> Types {
        let arrays = self.globals(body).into_iter().map(|(name, x)| (name, x.ty));
        arrays.chain(self.l.used.scalars.iter().map(|(name, by)| (name.clone(), by.ty))).collect()
    }

    /// The global arrays that statements touch.
    fn globals(&mut self, body: &[Stmt]) -> BTreeMap<String, Global> {
        let part = self.l.part.expect("a nest belongs to a part");
        let mut out = BTreeMap::new();
        for d in part.data.values().filter(|d| d.shape.c_rank > 0) {
            let name = self.l.names.of(self.l.unit, d.var);
            let is_global = !self.l.private.contains(&d.var) && body.iter().any(|s| vector::touches(s, &name));
            if let Some(ty) = scalar_type(&d.elem).filter(|_| is_global) {
                let extent = d.shape.inner.last().map(|p| self.l.poly(p));
                out.insert(
                    name,
                    Global {
                        ty,
                        extent,
                        has_whole_rows: d.shape.has_whole_rows(),
                        is_apart: self.apart.contains(&d.var),
                    },
                );
            }
        }
        out
    }

    /// Statements for every point of the thread, in loops of the points that run around them instead, if there are such.
    fn sunk(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let is_free = self.variables.is_empty();
        let shape = self.shape;
        let mut written = |segment: &Segment, _: &mut Names| match segment {
            Segment::Points(all) => Some(points(shape, all.clone())),
            Segment::Loop(_) => None,
        };
        is_free.then(|| sunk(shape, body, self.l.names, &mut written)).flatten()
    }
}
