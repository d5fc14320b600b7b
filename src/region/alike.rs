//! Statements that see an array alike: those that may be one region.
//!
//! ```text
//! for (k < size) u[k] = 0;                          one dimension
//! for (i < n) for (j < m) u[i*m + j] = ...;         two, which the first loop would leave at its m-th element
//! ```
//! A region gives an array one shape, and each call holds all subscripts to its rows. So it ends before a statement that
//! sees other rows in an array; what only runs along a row, the first or a later one (a boundary), sees the same.

use super::extract::extract;
use super::hints::Hints;
use super::{Access, Statement, StaticPart};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, Unit, VarId, print};
use crate::facts::loops::{has_loop, is_loop};
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{Reason, remedy};
use std::collections::{BTreeMap, BTreeSet};

/// Rows of an array, as a statement sees them.
#[derive(Debug, Clone, PartialEq)]
struct View {
    /// The extents that are found in its strides, outermost first.
    extents: Vec<String>,
    /// Without strides: the run of elements that each of its subscripts is in, as far as that is known.
    run: Option<Run>,
}

/// Elements in a row: what the counter stays below, and the products in the place where they begin.
#[derive(Debug, Clone, PartialEq)]
struct Run {
    limits: BTreeSet<String>,
    starts: BTreeSet<Vec<String>>,
}

impl Run {
    fn is_along(&self, row: &String) -> bool {
        self.limits.iter().all(|limit| limit == row) && self.starts.iter().all(|factors| factors.contains(row))
    }
}

impl View {
    fn is_of_same_rows(&self, other: &View) -> bool {
        let along_a_row = |flat: &View, rows: &View| {
            let row = rows.extents.last();
            flat.extents.is_empty() && row.is_some_and(|row| flat.run.as_ref().is_some_and(|run| run.is_along(row)))
        };
        self.extents == other.extents || along_a_row(self, other) || along_a_row(other, self)
    }
}

/// Test of a run of statements of static control.
///
/// # Errors
/// One sees an array otherwise than those before it.
pub fn check(unit: &Unit, run: &[&Stmt], hints: &Hints, device: &BTreeSet<VarId>) -> Result<(), Reason> {
    if run.iter().filter(|s| has_loop(s)).count() < 2 {
        return Ok(());
    }
    let mut known: BTreeMap<VarId, Vec<View>> = BTreeMap::new();
    for s in run.iter().filter(|s| has_loop(s)) {
        let Ok(part) = extract(unit, &[*s], hints, device) else { continue };
        for (v, views) in views(unit, &part) {
            let before = known.entry(v).or_default();
            if before.iter().any(|x| views.iter().any(|y| !x.is_of_same_rows(y))) {
                let message =
                    format!("`{}` is addressed with other rows here than in the nest before", unit.var(v).name);
                return Err(
                    Reason::new("shape", message, s.span).help(remedy!("mark each nest as a region of its own"))
                );
            }
            before.extend(views);
        }
    }
    Ok(())
}

/// The same of statements in the bodies of loops: a loop of which no nest seems parallel may hold some that are.
///
/// # Errors
/// One sees an array otherwise than those before it.
pub fn check_inside(unit: &Unit, s: &Stmt, hints: &Hints) -> Result<(), Reason> {
    let body = s.stmts();
    if is_loop(s) {
        let listed: Vec<&Stmt> = body.iter().flat_map(|s| s.listed()).collect();
        check(unit, &listed, hints, &BTreeSet::new())?;
    }
    body.into_iter().try_for_each(|s| check_inside(unit, s, hints))
}

fn views(unit: &Unit, part: &StaticPart) -> BTreeMap<VarId, Vec<View>> {
    let mut out: BTreeMap<VarId, Vec<View>> = BTreeMap::new();
    for s in &part.stmts {
        for a in &s.accesses {
            let shape = &part.data[&a.data].shape;
            if shape.c_rank == 0 {
                continue;
            }
            let extents: Vec<String> = shape.found().iter().map(|e| text(unit, part, e)).collect();
            let run = if extents.is_empty() { run(unit, part, s, a) } else { None };
            let view = View { extents, run };
            let views = out.entry(a.data).or_default();
            if !views.contains(&view) {
                views.push(view);
            }
        }
    }
    out
}

/// Elements that the first subscript of an access goes through, one by one.
fn run(unit: &Unit, part: &StaticPart, s: &Statement, a: &Access) -> Option<Run> {
    let index = &a.index.as_ref()?[0];
    let mut out = Run { limits: BTreeSet::new(), starts: BTreeSet::new() };
    for (m, c) in &index.terms {
        match m.as_slice() {
            [] => {}
            [Sym::Counter(v)] if *c == 1 => {
                let l = s.loops.iter().map(|l| &part.loops[l.0]).find(|l| l.var == *v)?;
                let limit = if l.step > 0 { l.limits.first()?.clone() } else { l.first.clone() };
                out.limits.insert(text(unit, part, &limit));
            }
            product => {
                let mut of_start = vec![];
                for s in product {
                    let Sym::Param(id) = s else { return None };
                    factors(unit, &part.params.get(*id).expr, &mut of_start);
                }
                out.starts.insert(of_start);
            }
        }
    }
    (out.limits.len() < 2).then_some(out)
}

/// Factors of a product, each as [`text`] has it.
fn factors(unit: &Unit, e: &Expr, out: &mut Vec<String>) {
    match &e.kind {
        ExprKind::Cast(e) => factors(unit, e, out),
        ExprKind::Binary(BinOp::Mul, a, b) => [a, b].into_iter().for_each(|e| factors(unit, e, out)),
        _ => out.push(format!("1*{}", print::expr(unit, e))),
    }
}

/// A polynomial without its constant, by what its parameters are in C.
fn text(unit: &Unit, part: &StaticPart, p: &Poly) -> String {
    let name = |s: &Sym| match s {
        Sym::Param(id) => print::expr(unit, &part.params.get(*id).expr),
        Sym::Counter(v) => unit.var(*v).name.clone(),
        Sym::Floor(..) => "a quotient".to_owned(),
    };
    let constant = p.terms.get(&vec![]).copied().unwrap_or(0);
    p.plus(&Poly::constant(constant), -1).unwrap_or_default().isl(&name)
}
