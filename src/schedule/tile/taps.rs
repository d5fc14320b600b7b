//! Sums over neighbours in loops of the point, by rows of what all points of a thread load.
//!
//! ```text
//! for p in 0 .. 3: for q in 0 .. 3: for i_at, j_at: sum[i_at][j_at] += w[p][q] * a[i + p][j + q]
//! ->
//! for i_row in 0 .. SKEW_0 + 2 {
//!   rt_a_row[..] = a[the first i + i_row][..], as vectors
//!   for i_at { p = i_row - i_at; if (0 <= p && p < 3) { for q: for j_at: sum[i_at][j_at] += w[p][q] * rt_a_row[j_at + q] } }
//! }
//! ```
//! Unrolled, each element is loaded once, as part of a vector, and a row is done with before the next: a thread holds its sums
//! and one row. A loop goes with the axis to whose counter its own is added; others stay around the rows, as do points along
//! other axes within them. Right since points are independent and each has its terms in the order that it had: its `p` grows
//! with the row. (Unroll and jam with scalar replacement: Carr and Kennedy, TOPLAS 1994; registers along a streamed axis:
//! Holewinski, Pouchet and Sadayappan, ICS 2012.)

use super::points::{merged, neighbours};
use super::shape::Shape;
use super::stmts::{counted, is_used, let_index};
use super::vector::{Neighbours, Row, Tap, add, sum};
use crate::ast::BinOp;
use crate::kernel::{Expr, Stmt, StmtKind, simplify};
use crate::poly::names::Names;
use crate::schedule::index::{self, size_of};

/// A loop of the point around the rows.
struct Around<'a> {
    stmt: &'a Stmt,
    /// Its bounds, and the axis with which it goes, if it does.
    tap: Tap,
    axis: Option<Paired>,
}

/// An axis whose points share rows, with the loop over these.
struct Paired {
    dimension: usize,
    row: String,
    /// The counter of the axis where a row lies.
    place: String,
}

/// Loops of a point whose innermost leads along memory, for all its neighbours, with the test under which rows are vectors in
/// all tiles; `None` where rows do not serve. Without vectors, their elements are loaded one by one.
pub fn by_rows(
    shape: &Shape,
    vectors: &Neighbours,
    outermost: &Stmt,
    by_vectors: bool,
    names: &mut Names,
) -> Option<(Expr, Vec<Stmt>)> {
    let (mut chain, mut s) = (vec![], outermost);
    while let StmtKind::For { body, .. } = &s.kind
        && let [only] = body.as_slice()
        && matches!(only.kind, StmtKind::For { .. })
    {
        chain.push(Around { stmt: s, tap: tap(s)?, axis: None });
        s = only;
    }
    let (innermost, last) = (s, tap(s)?);
    let StmtKind::For { body, .. } = &innermost.kind else { return None };
    if body.iter().any(|s| !s.bodies().is_empty()) {
        return None;
    }
    let first = names.fresh(&format!("rt_{}_first", vectors.counter));
    let mut rows = vectors.rows(body, &vectors.loads(body, &[]), (&first, Some(&last)), names);
    let mut aligned = vec![];
    if by_vectors && !rows.iter().all(|row| vectors.is_there_in_part(&row.vector)) {
        return None;
    }
    for row in &rows {
        vectors.aligned_rows(&row.vector)?.into_iter().for_each(|condition| add(&mut aligned, condition));
    }
    let aligned = index::all(aligned)?;
    for n in 0..chain.len() {
        let is_free = |d: &usize| chain.iter().all(|x| x.axis.as_ref().is_none_or(|axis| axis.dimension != *d));
        let d = (0..vectors.dimension).filter(is_free).find(|d| goes_with(shape, *d, &chain[n].tap, &rows));
        chain[n].axis = d.map(|dimension| Paired {
            dimension,
            row: names.fresh(&format!("rt_{}_row", shape.axes[dimension].name)),
            place: names.fresh(&format!("rt_{}_place", shape.axes[dimension].name)),
        });
    }
    for (x, axis) in chain.iter().filter_map(|x| Some((x, x.axis.as_ref()?))) {
        rows.iter_mut().for_each(|row| lay(row, &shape.axes[axis.dimension].name, x, axis));
    }
    let mut each = body.clone();
    each.iter_mut().for_each(|s| vectors.read_rows(s, &rows, Some(&last)));
    if vectors.edge.is_some() && !vectors.may_run_outside(&each) {
        return None;
    }
    let mut terms = innermost.clone();
    terms.bodies_mut().into_iter().for_each(|inside| *inside = vec![vectors.each(std::mem::take(&mut each))]);
    let out = in_rows(shape, vectors, (&chain, &rows, &first, by_vectors), terms, names);
    Some((aligned, out))
}

/// A loop whose bounds are numbers.
fn tap(s: &Stmt) -> Option<Tap> {
    match &s.kind {
        StmtKind::For { var, lo: Expr::Int(lo), hi: Expr::Int(hi), step: Expr::Int(1), .. } => {
            Some(Tap { counter: var.clone(), lo: *lo, hi: *hi })
        }
        _ => None,
    }
}

/// Test that rows lie where the counters of an axis and of a loop lead together, and nowhere by one of them alone.
fn goes_with(shape: &Shape, d: usize, tap: &Tap, rows: &[Row]) -> bool {
    let axis = &shape.axes[d];
    let mentions = |e: &Expr| e.mentions(&axis.name) || e.mentions(&tap.counter);
    let leads = |e: &Expr| {
        let Some(x) = sum(e, &axis.name) else { return false };
        let is_tap = |(is_added, e): &&(bool, Expr)| *is_added && matches!(e, Expr::Var(name) if *name == tap.counter);
        x.rest.iter().filter(is_tap).count() == 1
            && x.rest.iter().filter(|x| !is_tap(x)).all(|(_, e)| !e.mentions(&tap.counter))
    };
    let outer = |row: &Row| row.vector.first.index.split_last().map_or(vec![], |(_, outer)| outer.to_vec());
    let along = |row: &Row| row.vector.first.index.last().is_some_and(mentions);
    axis.skew.is_some()
        && axis.merge.is_none()
        && rows.iter().all(|row| !along(row) && outer(row).iter().all(|e| !mentions(e) || leads(e)))
        && rows.iter().any(|row| outer(row).iter().any(leads))
}

/// Puts a row where an axis and its loop lead together.
fn lay(row: &mut Row, counter: &str, x: &Around, axis: &Paired) {
    for e in &mut row.vector.first.index {
        e.replace(&mut |e| match e {
            Expr::Var(name) if name == counter => Some(index::var(&axis.place)),
            Expr::Var(name) if *name == x.tap.counter => Some(Expr::Int(0)),
            _ => None,
        });
        simplify::index_expr(e);
    }
}

/// The loops over rows, each with its loads and with the terms that it has for each point.
fn in_rows(
    shape: &Shape,
    vectors: &Neighbours,
    (chain, rows, first, by_vectors): (&[Around], &[Row], &str, bool),
    terms: Stmt,
    names: &mut Names,
) -> Vec<Stmt> {
    let paired = || chain.iter().filter_map(|x| Some((x, x.axis.as_ref()?)));
    let mut of_points = vec![terms];
    for (x, axis) in paired().collect::<Vec<_>>().into_iter().rev() {
        of_points = at_points(shape, x, axis, of_points);
    }
    let mut out = vectors.behind_first(first, vec![]);
    for (x, Paired { dimension, row, place }) in paired() {
        let at = index::add(shape.start(*dimension), index::add(index::var(row), Expr::Int(x.tap.lo)));
        out.push(let_index(place, index::add(index::var(&shape.axes[*dimension].origin), at)));
    }
    for row in rows {
        if by_vectors {
            out.push(row.vector.declaration(size_of("SKEW", vectors.dimension)));
            out.extend(vectors.has_one_vector(row).then(|| row.vector.load(vectors.edge.is_some())));
        }
        out.extend(vectors.filled(row, (first, by_vectors), names));
    }
    out.extend(of_points);
    let others = (0..vectors.dimension).rev().filter(|d| paired().all(|(_, axis)| axis.dimension != *d));
    out = others.fold(merged(shape, vectors.dimension, out), |all, d| merged(shape, d, neighbours(shape, d, all)));
    chain.iter().rev().fold(out, |body, x| match &x.axis {
        None => {
            let mut around = x.stmt.clone();
            around.bodies_mut().into_iter().for_each(|inside| inside.clone_from(&body));
            vec![around]
        }
        Some(axis) => {
            let hi = index::add(size_of("SKEW", axis.dimension), Expr::Int(x.tap.hi - x.tap.lo - 1));
            vec![Stmt { line: x.stmt.line, ..counted(&axis.row, hi, body) }]
        }
    })
}

/// Terms of a row for the points along an axis: those of which it is an iteration of the loop.
fn at_points(shape: &Shape, x: &Around, axis: &Paired, mut body: Vec<Stmt>) -> Vec<Stmt> {
    let (d, tap) = (axis.dimension, &x.tap);
    let of_axis = &shape.axes[d];
    if is_used(&body, &of_axis.name) {
        body.insert(0, let_index(&of_axis.name, index::add(index::var(&of_axis.origin), shape.position(d))));
    }
    let skew = of_axis.skew.clone().expect("it has neighbours");
    let at = index::binary(BinOp::Sub, index::var(&axis.row), index::var(&skew));
    let begun = index::binary(BinOp::Le, Expr::Int(tap.lo), index::var(&tap.counter));
    let going = index::binary(BinOp::Lt, index::var(&tap.counter), Expr::Int(tap.hi));
    let cond = index::binary(BinOp::And, begun, going);
    let inside = vec![
        let_index(&tap.counter, index::add(at, Expr::Int(tap.lo))),
        Stmt::made(StmtKind::If { cond, then: body, other: vec![] }),
    ];
    vec![counted(&skew, size_of("SKEW", d), inside)]
}
