//! Induction variables, which walk: which of a statement's may, what they are behind it, and where what they are is put in.
//!
//! Pointers walk along arrays; signed numbers walk as subscripts do that a program counts by itself:
//!
//! ```text
//! for (i = 0; i < n; i++)                      for (i = 0; i < n; i++)
//!     for (j = 0; j < m; j++)          ->          for (j = 0; j < m; j++)
//!         out[k++] = in[i][j];                         out[k + i * m + j] = in[i][j];
//!                                              k = k + (n > 0 ? n : 0) * (m > 0 ? m : 0);
//! ```
//! Sums of a number that only its end is wanted of are no walks: loops that only count, and accumulations, are others' affair.

use super::place_canonicalization::Place;
use super::single_counter::listed;
use crate::ast::build::ast_builder::{converted, integer};
use crate::ast::build::typing;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::function::FunctionFacts;
use crate::facts::loops::has_loop;
use std::collections::BTreeMap;

/// A move of a variable: `p++`, `p -= n`, `p = p + n`.
pub(super) struct Move {
    pub v: VarId,
    pub by: Expr,
    /// One, or minus one where it moves back.
    pub sign: i64,
    /// A move whose value is the pointer as it was before.
    pub is_after: bool,
}

impl Move {
    pub fn of(e: &Expr) -> Option<Move> {
        let root = |target: &Expr| if let ExprKind::Var(v) = target.kind { Some(v) } else { None };
        let (v, by, sign, is_after) = match &e.kind {
            ExprKind::IncDec { inc, prefix, target } => {
                (root(target)?, integer(1, e.span), if *inc { 1 } else { -1 }, !prefix)
            }
            ExprKind::Assign { op: Some(op @ (BinOp::Add | BinOp::Sub)), target, value } => {
                (root(target)?, (**value).clone(), if *op == BinOp::Add { 1 } else { -1 }, false)
            }
            ExprKind::Assign { op: None, target, value } if target.ty.is_pointer_like() => {
                let (v, place) = (root(target)?, Place::of(value)?);
                (place.base.is_var(v) && !value.is_var(v)).then_some((v, place.elements, 1, false))?
            }
            ExprKind::Assign { op: None, target, value } => {
                let (v, ExprKind::Binary(op, a, b)) = (root(target)?, &value.kind) else { return None };
                match op {
                    BinOp::Add if a.is_var(v) && !b.mentions(v) => (v, (**b).clone(), 1, false),
                    BinOp::Add if b.is_var(v) && !a.mentions(v) => (v, (**a).clone(), 1, false),
                    BinOp::Sub if a.is_var(v) && !b.mentions(v) => (v, (**b).clone(), -1, false),
                    _ => return None,
                }
            }
            _ => return None,
        };
        Some(Move { v, by, sign, is_after })
    }
}

/// Numbers of the places where a statement names a variable, and moves it.
#[derive(Default)]
struct Uses {
    named: usize,
    moves: usize,
    /// Of these, in the heads of loops: what counts there is a counter.
    in_heads: usize,
    /// Of `named`, in moves whose value nobody wants.
    in_lone_moves: usize,
}

/// The variables of a statement that may walk in it.
pub(super) fn of(unit: &Unit, facts: &FunctionFacts, s: &Stmt) -> Vec<VarId> {
    let mut uses: BTreeMap<VarId, Uses> = BTreeMap::new();
    s.walk(&mut |piece| match piece {
        Piece::Expr(e) => {
            if let ExprKind::Var(v) = e.kind {
                uses.entry(v).or_default().named += 1;
            }
            if let Some(m) = Move::of(e) {
                uses.entry(m.v).or_default().moves += 1;
            }
        }
        Piece::Stmt(s) => {
            let (moves, is_head) = match &s.kind {
                StmtKind::For { step: Some(step), .. } => (listed(step), true),
                StmtKind::Expr(e) => (listed(e), false),
                _ => return,
            };
            for e in moves {
                let Some(m) = Move::of(e) else { continue };
                let found = uses.entry(m.v).or_default();
                found.in_heads += usize::from(is_head);
                e.walk(&mut |x| found.in_lone_moves += usize::from(x.is_var(m.v)));
            }
        }
    });
    uses.retain(|_, found| found.moves > 0);
    let is_in_loop = has_loop(s);
    let may_walk = |(v, found): &(VarId, Uses)| {
        let var = unit.var(*v);
        let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !facts.seen.contains(v);
        is_own
            && match &var.ty {
                Type::Pointer { to, .. } => to.is_scalar() || matches!(**to, Type::Struct(_)),
                Type::Int(IntKind::Int | IntKind::Long) => {
                    is_in_loop && found.in_heads == 0 && found.named > found.in_lone_moves
                }
                _ => false,
            }
    };
    uses.into_iter().filter(may_walk).map(|(v, _)| v).collect()
}

/// Puts what a variable is in its place; a number that stands in a subscript is one of 64 bits there, where C has the same value
/// for it.
pub(super) fn put(e: &mut Expr, v: VarId, value: &Expr, is_position: bool) {
    if e.is_var(v) {
        *e = if is_position { value.clone() } else { converted(value, &e.ty) };
        return;
    }
    let is_sum = matches!(e.kind, ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..));
    let is_pointer = e.ty.is_pointer_like();
    let is_number = matches!(e.ty, Type::Int(IntKind::Int | IntKind::Long));
    match &mut e.kind {
        ExprKind::Index(base, index) => {
            put(base, v, value, false);
            put(index, v, value, true);
        }
        ExprKind::Binary(op, a, b) if is_sum && (is_pointer || is_number) => {
            put(a, v, value, is_position || is_pointer);
            put(b, v, value, is_position || is_pointer);
            e.ty = typing::binary(*op, &a.ty, &b.ty);
        }
        _ => e.children_mut().into_iter().for_each(|x| put(x, v, value, false)),
    }
}
