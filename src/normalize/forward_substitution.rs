//! Forward substitution: values of an iteration, computed where they are used instead of once before.
//!
//! ```text
//! for (k...) {                                for (k...)
//!     double f = a[i][k];                         for (j...)
//!     for (j...)                     ->               c[i][j] += a[i][k] * b[k][j];
//!         c[i][j] += f * b[k][j];
//! }
//! ```
//! The loops are nested perfectly then, and may be interchanged; nothing has to be kept for each iteration. A value goes
//! forward if it is short, no part of it changes up to its last use, and nobody reads the variable afterwards; and so does
//! what says where something is (`c = i*n + j; a[c] = b[c];`), in loops or not, because only in a subscript it is seen. In
//! front of loops only integers go, so that what is computed once is not computed again for each iteration. (Forward
//! substitution: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 4.3.)

use super::form::{Context, Form};
use super::substitution::{Values, put_in};
use crate::ast::build::ast_builder::converted;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::liveness::Live;
use crate::facts::loops::has_loop;
use std::collections::BTreeSet;

/// Operations, but for those of subscripts, that a value may have.
const MAX_OPERATIONS: usize = 2;

/// Nodes that a value may have which says where something is.
const MAX_NODES: usize = 64;

/// Puts values forward in every block of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        put_forward(context.unit, context.facts, &mut form.stmt);
    }
}

/// Puts values forward in every block of a statement: a form, or a run of them.
pub fn put_forward(unit: &Unit, facts: &FunctionFacts, s: &mut Stmt) {
    let mut counters = BTreeSet::new();
    s.walk(&mut |p| {
        if let Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) = p {
            counters.extend(effects::header_counter(init));
        }
    });
    let (forward, live) = (Forward { unit, seen: &facts.seen, counters }, facts.live_behind(s.span));
    forward.block(s, &live, false);
    forward.inside(s, &live);
}

struct Forward<'a> {
    unit: &'a Unit,
    /// Variables of the function that may be read in other ways than by name.
    seen: &'a BTreeSet<VarId>,
    /// Those that loops count: what else they are used for would keep them.
    counters: BTreeSet<VarId>,
}

impl Forward<'_> {
    /// `live`: behind the statement.
    fn inside(&self, s: &mut Stmt, live: &Live) {
        let is_loop = matches!(s.kind, StmtKind::For { .. });
        let below = live.behind_children(s);
        for (child, live) in s.stmts_mut().into_iter().zip(below) {
            self.block(child, &live, is_loop);
            self.inside(child, &live);
        }
    }

    fn block(&self, block: &mut Stmt, live: &Live, is_body: bool) {
        if !matches!(block.kind, StmtKind::Block(_)) {
            return;
        }
        let mut below = live.behind_children(block);
        let mut at = 0;
        while at < below.len() {
            let StmtKind::Block(list) = &mut block.kind else { return };
            let Some((v, value, n)) = self.forward(&list[at], &list[at + 1..], &below[at..], is_body) else {
                at += 1;
                continue;
            };
            list.remove(at);
            let values = Values::from([(v, value)]);
            list[at..at + n].iter_mut().for_each(|s| put_in(s, &values));
            below = live.behind_children(block);
        }
    }

    /// The variable that a statement sets, the value that may stand in its place, and in how many of the next
    /// statements: behind them nobody reads it any more. `live`: behind each, this one first. `is_body`: of a loop; in
    /// front of loops only what may say where something is goes forward, and no number is computed again for each iteration.
    fn forward(&self, here: &Stmt, next: &[Stmt], live: &[Live], is_body: bool) -> Option<(VarId, Expr, usize)> {
        let (v, value) = match &here.kind {
            StmtKind::Decl(ds) => match ds.as_slice() {
                [d] if !effects::assigned(next).contains(&d.var) => (d.var, d.init.as_ref()?),
                _ => return None,
            },
            StmtKind::Expr(e) => effects::plainly_assigned(e)?,
            _ => return None,
        };
        let var = self.unit.var(v);
        let is_number =
            matches!(var.ty, Type::Int(_) | Type::Float(_)) && matches!(value.ty, Type::Int(_) | Type::Float(_));
        let is_own = matches!(var.storage, Storage::Local | Storage::Param);
        if !is_number || !is_own || self.seen.contains(&v) {
            return None;
        }
        let n = Live::n_readers(live, next, v)?;
        let users = &next[..n];
        let is_used_in_loop = users.iter().any(|s| has_loop(s) && effects::mentioned([s]).contains(&v));
        let changes = Changes::of(users);
        if changes.assigned.contains(&v) || !changes.keeps(self.unit, value) {
            return None;
        }
        let is_wanted = is_used_in_loop || self.counters.contains(&v);
        let is_cheap = is_body || matches!(var.ty, Type::Int(_));
        let goes = is_place(var, value) || is_cheap && is_wanted && is_short(value);
        if !goes {
            return None;
        }
        Some((v, converted(value, &var.ty), n))
    }
}

/// Test that a value is computed by few operations, none of them long.
pub fn is_short(e: &Expr) -> bool {
    fn count(e: &Expr) -> Option<usize> {
        let sum = |es: &[&Expr]| es.iter().map(|e| count(e)).sum::<Option<usize>>();
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Member { .. } => Some(0),
            ExprKind::Cast(x) => count(x),
            ExprKind::Unary(UnOp::Neg | UnOp::Plus, x) => count(x),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => Some(1 + sum(&[&**a, &**b])?),
            _ => None,
        }
    }
    count(e).is_some_and(|n| n <= MAX_OPERATIONS)
}

/// Test that a value is one of integers that subscripts can be made of: what it says of a place is seen where it is used.
pub fn is_place(var: &Var, value: &Expr) -> bool {
    fn is_number(e: &Expr) -> bool {
        let all = || e.children().into_iter().all(is_number);
        let is_wide = matches!(e.ty, Type::Int(k) if k.bits() >= 32);
        match &e.kind {
            ExprKind::Int(_) => true,
            ExprKind::Var(_) => matches!(e.ty, Type::Int(_)),
            // The length of a row may be kept beside the array: `at = i * m->ny + j; m->data[at] = 0;`.
            ExprKind::Member { .. } => is_wide,
            ExprKind::Cast(_) | ExprKind::Unary(UnOp::Neg | UnOp::Plus, _) => is_wide && all(),
            ExprKind::Binary(op, ..) => {
                (matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) && is_wide || op.is_boolean()) && all()
            }
            ExprKind::Cond(..) => is_wide && all(),
            _ => false,
        }
    }
    matches!(var.ty, Type::Int(k) if k.bits() >= 32) && value.n_nodes() <= MAX_NODES && is_number(value)
}
