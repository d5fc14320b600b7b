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

use super::stmts::is_used;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, walk};
use crate::poly::names::Names;
use std::collections::BTreeSet;

/// The points of a thread.
pub struct Sink<'a> {
    /// Statements at each of them.
    pub points: &'a dyn Fn(Vec<Stmt>) -> Vec<Stmt>,
    /// The counters that differ between points, and the variables of a point.
    pub varying: BTreeSet<String>,
    /// How many points there are along each loop over them, and which one runs.
    pub extents: Vec<Expr>,
    pub at: Vec<Expr>,
    pub names: &'a mut Names,
}

/// Statements of a point in a row, or a loop that all points run alike.
enum Segment {
    Points(Vec<Stmt>),
    Loop(Stmt),
}

impl Segment {
    fn stmts(&self) -> &[Stmt] {
        match self {
            Segment::Points(all) => all,
            Segment::Loop(one) => std::slice::from_ref(one),
        }
    }

    fn stmts_mut(&mut self) -> &mut [Stmt] {
        match self {
            Segment::Points(all) => all,
            Segment::Loop(one) => std::slice::from_mut(one),
        }
    }
}

impl Sink<'_> {
    /// The body for all points, where it has a loop that may run around them.
    pub fn sunk(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
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
                segments.push(Segment::Loop(s));
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
            match segment {
                Segment::Points(all) => out.extend((self.points)(all)),
                Segment::Loop(mut s) => {
                    if let StmtKind::For { body, .. } = &mut s.kind {
                        *body = self.level(std::mem::take(body));
                    }
                    out.push(s);
                }
            }
        }
        out
    }
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
