//! Accesses of a thread at one of its points, with subscripts in terms of the point.

use super::share::{Map, POINT, leaves};
use crate::ast::BinOp;
use crate::host_plan::passes::row_loop::{RowLoop, row_loop};
use crate::kernel::{Access, Expr, Kernel, Stmt, StmtKind, simplify};
use std::collections::BTreeSet;

/// An access.
pub(super) struct Touch {
    /// Its subscripts, where nothing that the thread declares is left but the point, if that can be.
    pub index: Vec<Expr>,
    /// Flag: no other point has that element, and no other thread.
    pub is_own: bool,
    /// Flag: it is made at each point.
    pub is_certain: bool,
    /// Flag: it stores, and what was there is not asked for.
    pub is_overwrite: bool,
}

/// A loop over a row of a sparse matrix.
pub(super) struct RowAt {
    pub found: RowLoop,
    /// The row's number in terms of the point.
    pub row: Expr,
    /// Flag: it is run at each point.
    pub is_certain: bool,
}

/// Shows `f` each loop over a row of a sparse matrix.
pub(super) fn each_row(kernel: &Kernel, body: &mut [Stmt], var: &str, map: &Map, f: &mut dyn FnMut(&mut Stmt, RowAt)) {
    walk(body, var, map, &mut |_, _| {}, Some((kernel, f)));
}

/// Shows `f` each access of a loop's body in the order in which they are made; none of what is more than an element.
pub(super) fn each_access(body: &mut [Stmt], var: &str, map: &Map, f: &mut dyn FnMut(&mut Access, Option<Touch>)) {
    walk(body, var, map, f, None);
}

/// A kernel, and who is shown the loops over rows in it.
type Rows<'a> = (&'a Kernel, &'a mut dyn FnMut(&mut Stmt, RowAt));

fn walk<'a>(
    body: &mut [Stmt],
    var: &str,
    map: &'a Map,
    f: &'a mut dyn FnMut(&mut Access, Option<Touch>),
    rows: Option<Rows<'a>>,
) {
    let mut assigned = BTreeSet::new();
    for s in &*body {
        s.visit(&mut |s| assigned.extend(s.assigns().into_iter().map(str::to_string)));
    }
    let known = vec![(var.to_string(), Expr::Var(POINT.into()))];
    Walk { map, assigned, is_before_guard: map.guard.is_some(), known, f, rows }.body(body, true);
}

struct Walk<'a> {
    map: &'a Map,
    assigned: BTreeSet<String>,
    /// Flag: a condition around all that is done at a point does not hold yet.
    is_before_guard: bool,
    /// Variables, in terms of the point.
    known: Vec<(String, Expr)>,
    f: &'a mut dyn FnMut(&mut Access, Option<Touch>),
    rows: Option<Rows<'a>>,
}

impl Walk<'_> {
    fn body(&mut self, body: &mut [Stmt], mut is_certain: bool) {
        let n_known = self.known.len();
        for at in 0..body.len() {
            self.row(&mut body[at..], is_certain);
            self.stmt(&mut body[at], is_certain);
            is_certain &= !leaves(&body[at]);
        }
        self.known.truncate(n_known);
    }

    /// A loop over a row, which begins with the declaration of its counter.
    fn row(&mut self, body: &mut [Stmt], is_certain: bool) {
        let Some((kernel, _)) = &self.rows else { return };
        let [before, s, ..] = body else { return };
        let Some(found) = row_loop(kernel, before, s).filter(|_| !self.is_before_guard) else { return };
        let row = self.inlined(&found.row);
        if let Some((_, f)) = &mut self.rows {
            f(s, RowAt { found, row, is_certain });
        }
    }

    fn stmt(&mut self, s: &mut Stmt, is_certain: bool) {
        match &mut s.kind {
            StmtKind::Let { var, init, .. } => {
                let Some(init) = init else { return };
                self.expr(init, is_certain);
                let is_number = !init.any(&mut |e| matches!(e, Expr::Load(_) | Expr::Call(..)));
                if is_number && !self.assigned.contains(var) {
                    let value = self.inlined(init);
                    self.known.push((var.clone(), value));
                }
            }
            StmtKind::Assign { value, .. } => self.expr(value, is_certain),
            StmtKind::Store { target, op, value } => {
                self.expr(value, is_certain);
                target.index.iter_mut().for_each(|e| self.expr(e, is_certain));
                self.note(target, is_certain, op.is_none());
            }
            StmtKind::If { cond, then, other } => {
                self.expr(cond, is_certain);
                let is_guard = self.map.guard.as_ref().is_some_and(|guard| *guard == self.inlined(cond));
                let is_before_guard = self.is_before_guard;
                self.is_before_guard &= !is_guard;
                self.body(then, is_certain && is_guard);
                self.is_before_guard = is_before_guard;
                self.body(other, false);
            }
            StmtKind::For { lo, hi, step, body, .. } => {
                [lo, hi, step].into_iter().for_each(|e| self.expr(e, is_certain));
                self.body(body, false);
            }
            StmtKind::While { cond, step, body } => {
                self.expr(cond, is_certain);
                self.body(body, false);
                self.body(step, false);
            }
            StmtKind::Atomic { target, value, .. } => {
                self.expr(value, false);
                target.index.iter_mut().for_each(|e| self.expr(e, false));
                (self.f)(target, None);
            }
            // A thread that waits for no other has no more ways to come to an element.
            _ => s.exprs_mut().into_iter().for_each(|e| self.expr(e, false)),
        }
    }

    fn expr(&mut self, e: &mut Expr, is_certain: bool) {
        match e {
            Expr::Cond(cond, a, b) => {
                self.expr(cond, is_certain);
                self.expr(a, false);
                self.expr(b, false);
            }
            Expr::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.expr(a, is_certain);
                self.expr(b, false);
            }
            Expr::Load(access) => {
                access.index.iter_mut().for_each(|e| self.expr(e, is_certain));
                self.note(access, is_certain, false);
            }
            Expr::Aligned { access, .. } => (self.f)(access, None),
            e => e.children_mut().into_iter().for_each(|e| self.expr(e, is_certain)),
        }
    }

    fn note(&mut self, access: &mut Access, is_certain: bool, is_overwrite: bool) {
        if self.is_before_guard {
            return (self.f)(access, None);
        }
        let index: Vec<Expr> = access.index.iter().map(|e| self.inlined(e)).collect();
        let is_own = self.map.is_own(&index);
        (self.f)(access, Some(Touch { index, is_own, is_certain, is_overwrite }));
    }

    /// An expression in terms of the point.
    fn inlined(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        e.replace(&mut |e| match e {
            Expr::Var(name) => self.known.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.clone()),
            _ => None,
        });
        simplify::index_expr(&mut e);
        e
    }
}
