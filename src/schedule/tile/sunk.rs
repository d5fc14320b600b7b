//! Loops of a point that run around the points of its thread.
//!
//! ```text
//! for at in 0 .. SKEW_0 { sum = 0; for q in 0 .. 7 { sum += w[q] * a[i + q] } c[i] = sum }
//! ->
//! for at in 0 .. SKEW_0 { rt_sum[at] = 0 }
//! for q in 0 .. 7 { for at in 0 .. SKEW_0 { rt_sum[at] += w[q] * a[i + q] } }
//! for at in 0 .. SKEW_0 { c[i] = rt_sum[at] }
//! ```
//! Elements that are the same for all points of an iteration are loaded once then, and where the loops are unrolled, so are
//! those that points share in different iterations. Right since points are independent, and each does what it did, in its own
//! order. (Thread merge: Yang et al., PLDI 2010, section 3.5.2; unroll and jam: Allen and Kennedy, 2001, section 8.4.)

use super::edge::Edge;
use super::points::{merged, neighbours, points};
use super::shape::Shape;
use super::stmts::{Ways, is_used, let_index};
use super::taps;
use super::vector::{Neighbours, add};
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, walk};
use crate::poly::names::Names;
use crate::schedule::index;
use std::collections::BTreeSet;

/// The points of a thread.
struct Sink<'a> {
    /// A segment at all of them; `None` for a loop whose body is to be cut into segments.
    written: &'a mut dyn FnMut(&Segment, &mut Names) -> Option<Vec<Stmt>>,
    /// The counters that differ between points, and the variables of a point.
    varying: BTreeSet<String>,
    /// How many points there are along each loop over them, and which one runs.
    extents: Vec<Expr>,
    at: Vec<Expr>,
    names: &'a mut Names,
}

/// Statements of a point in a row, or a loop that all points run alike.
pub enum Segment {
    Points(Vec<Stmt>),
    Loop(Box<Stmt>),
}

impl Segment {
    fn stmts(&self) -> &[Stmt] {
        match self {
            Segment::Points(all) => all,
            Segment::Loop(one) => std::slice::from_ref(&**one),
        }
    }

    fn stmts_mut(&mut self) -> &mut [Stmt] {
        match self {
            Segment::Points(all) => all,
            Segment::Loop(one) => std::slice::from_mut(&mut **one),
        }
    }
}

impl Sink<'_> {
    /// The body for all points, where it has a loop that may run around them.
    fn sunk(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        self.varying.extend(walk::declared(body).into_iter().filter(|name| !is_counter(body, name)));
        let mut has_arrays = false;
        walk::visit(body, &mut |s| has_arrays |= matches!(s.kind, StmtKind::LocalArray { .. }));
        (!has_arrays && body.iter().any(|s| self.may_sink(s))).then(|| self.level(body.to_vec()))
    }

    /// Test that a statement is a loop that all points run alike, from its beginning to its end.
    fn may_sink(&self, s: &Stmt) -> bool {
        let StmtKind::For { lo, hi, step, body, .. } = &s.kind else { return false };
        let varies = |e: &Expr| {
            e.any(&mut |e| match e {
                Expr::Var(name) => self.varying.contains(name),
                Expr::Load(_) | Expr::Call(..) => true,
                _ => false,
            })
        };
        let mut leaves = false;
        walk::visit(body, &mut |s| {
            leaves |=
                matches!(s.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::While { .. });
        });
        !leaves && ![lo, hi, step].into_iter().any(varies)
    }

    fn level(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut segments: Vec<Segment> = vec![];
        for s in body {
            if self.may_sink(&s) {
                segments.push(Segment::Loop(Box::new(s)));
                continue;
            }
            match segments.last_mut() {
                Some(Segment::Points(all)) => all.push(s),
                _ => segments.push(Segment::Points(vec![s])),
            }
        }
        let mut out = vec![];
        for (var, ty) in outlasting(&segments) {
            let name = self.names.fresh(&format!("rt_{var}"));
            out.push(Stmt::made(StmtKind::LocalArray { name: name.clone(), ty, extents: self.extents.clone() }));
            let element = Access { array: name, index: self.at.clone() };
            segments.iter_mut().for_each(|s| expand(s, &var, &element));
        }
        for segment in segments {
            match ((self.written)(&segment, self.names), segment) {
                (Some(written), _) => out.extend(written),
                (None, Segment::Points(all)) => out.extend(all),
                (None, Segment::Loop(mut s)) => {
                    if let StmtKind::For { body, .. } = &mut s.kind {
                        *body = self.level(std::mem::take(body));
                    }
                    out.push(*s);
                }
            }
        }
        out
    }
}

/// Statements at each point of a thread, in loops of the points that run around them instead, if there are such.
pub fn sunk(
    shape: &Shape,
    body: &[Stmt],
    names: &mut Names,
    written: &mut dyn FnMut(&Segment, &mut Names) -> Option<Vec<Stmt>>,
) -> Option<Vec<Stmt>> {
    let loops: Vec<(&String, Expr)> = shape.axes.iter().enumerate().flat_map(|(d, x)| x.loops(d)).collect();
    if loops.is_empty() {
        return None;
    }
    let (at, extents) = loops.into_iter().map(|(point, n)| (index::var(point), n)).unzip();
    let varying = shape.axes.iter().map(|x| x.name.clone()).collect();
    let mut out = Sink { written, varying, extents, at, names }.sunk(body)?;
    for (d, x) in shape.axes.iter().enumerate().filter(|(d, x)| x.loops(*d).next().is_none()) {
        forget(&mut out, &x.name);
        if is_used(&out, &x.name) {
            out.insert(0, let_index(&x.name, index::add(index::var(&x.origin), shape.position(d))));
        }
    }
    Some(out)
}

/// Takes away what segments declare, each for itself, though it is the same for all points.
fn forget(body: &mut Vec<Stmt>, name: &str) {
    body.retain(|s| !matches!(&s.kind, StmtKind::Let { var, .. } if var == name));
    body.iter_mut().flat_map(Stmt::bodies_mut).for_each(|inside| forget(inside, name));
}

/// The same with rows of what innermost loops lead along: where these and what is stored are vectors, under the test that they
/// may be; by single elements; and, with an edge, for neighbours some of which are outside. Beside them, whether some may be
/// where vectors are, too.
pub fn sunk_by_rows(
    shape: &Shape,
    body: &[Stmt],
    vectors: &Neighbours,
    edge: Option<&Edge>,
    names: &mut Names,
) -> Option<(Ways, bool)> {
    let some_inside = Neighbours { edge, ..vectors.clone() };
    let (low, high) = shape.ends_of_thread(vectors.dimension);
    let inside = edge.map(|edge| edge.holds(&low, &high));
    // Points a block apart may be inside where those between are not.
    let is_apart = shape.axes[vectors.dimension].merge.is_some();
    let by_parts = edge.filter(|_| !is_apart).and_then(|_| by_vectors(shape, body, &some_inside, names));
    let is_part = by_parts.is_some();
    let by_vectors = match by_parts {
        Some((aligned, all)) => (Some(aligned), some_inside.if_some_is_inside((low, high), all)),
        None => {
            let (aligned, all) = by_vectors(shape, body, vectors, names)?;
            (index::all(inside.iter().cloned().chain([aligned])), all)
        }
    };
    let mut ways = vec![by_vectors, (inside, by_elements(shape, body, vectors, names)?)];
    if edge.is_some() {
        ways.push((None, by_elements(shape, body, &some_inside, names)?));
    }
    Some((ways, is_part))
}

/// All points by vectors, and the test that these are aligned.
fn by_vectors(shape: &Shape, body: &[Stmt], vectors: &Neighbours, names: &mut Names) -> Option<(Expr, Vec<Stmt>)> {
    let d = vectors.dimension;
    let at_others =
        |along| (0..d).rev().fold(merged(shape, d, along), |all, d| merged(shape, d, neighbours(shape, d, all)));
    let (mut aligned, mut has_rows) = (vec![], false);
    let mut written = |segment: &Segment, names: &mut Names| match segment {
        Segment::Points(all) => {
            let scalar = neighbours(shape, d, all.clone());
            Some(match vectors.vectorised(all, scalar, names) {
                Some(x) => {
                    x.aligned.iter().cloned().for_each(|cond| add(&mut aligned, cond));
                    at_others(vectors.behind_first(&x.first, x.body))
                }
                None => points(shape, vectors.guarded(all)),
            })
        }
        Segment::Loop(s) => {
            let (cond, along) = taps::by_rows(shape, vectors, s, true, names)?;
            add(&mut aligned, cond);
            has_rows = true;
            Some(along)
        }
    };
    let all = sunk(shape, body, names, &mut written)?;
    Some((index::all(aligned).filter(|_| has_rows)?, all))
}

/// All points, with rows by single elements; `None` where a loop has none.
fn by_elements(shape: &Shape, body: &[Stmt], vectors: &Neighbours, names: &mut Names) -> Option<Vec<Stmt>> {
    let mut is_whole = true;
    let mut written = |segment: &Segment, names: &mut Names| match segment {
        Segment::Points(all) => Some(points(shape, vectors.guarded(all))),
        Segment::Loop(s) => {
            let along = taps::by_rows(shape, vectors, s, false, names);
            is_whole &= along.is_some();
            along.map(|(_, along)| along)
        }
    };
    sunk(shape, body, names, &mut written).filter(|_| is_whole)
}

/// Test that a declared name is that of a loop's counter.
fn is_counter(body: &[Stmt], name: &str) -> bool {
    let mut found = false;
    walk::visit(body, &mut |s| found |= matches!(&s.kind, StmtKind::For { var, .. } if var == name));
    found
}

/// The variables that one segment declares and another uses.
fn outlasting(segments: &[Segment]) -> Vec<(String, ScalarType)> {
    let mut out = vec![];
    for (n, segment) in segments.iter().enumerate() {
        let Segment::Points(all) = segment else { continue };
        for s in all {
            let StmtKind::Let { var, ty, .. } = &s.kind else { continue };
            if segments.iter().enumerate().any(|(m, other)| m != n && is_used(other.stmts(), var)) {
                out.push((var.clone(), *ty));
            }
        }
    }
    out
}

/// Puts an element in the place of a variable.
fn expand(segment: &mut Segment, var: &str, element: &Access) {
    if let Segment::Points(all) = segment {
        all.retain(|s| !matches!(&s.kind, StmtKind::Let { var: name, init: None, .. } if name == var));
    }
    segment.stmts_mut().iter_mut().for_each(|s| expand_in(s, var, element));
}

fn expand_in(s: &mut Stmt, var: &str, element: &Access) {
    for e in s.exprs_mut() {
        e.replace(&mut |e| matches!(e, Expr::Var(name) if name == var).then(|| Expr::Load(element.clone())));
    }
    match &mut s.kind {
        StmtKind::Let { var: name, init, .. } if name == var => {
            let value = init.take().expect("the others are gone");
            s.kind = StmtKind::Store { target: element.clone(), op: None, value };
        }
        StmtKind::Assign { var: name, op, value } if name == var => {
            s.kind = StmtKind::Store { target: element.clone(), op: *op, value: value.clone() };
        }
        _ => s.bodies_mut().into_iter().flatten().for_each(|s| expand_in(s, var, element)),
    }
}
