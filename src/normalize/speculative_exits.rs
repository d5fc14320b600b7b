//! Speculative exits: loops that an error leaves (`return`, or the end of the program, where a pivot is zero) run as if it did
//! not occur.
//!
//! ```text
//! for (k = 0; k < n; k++) {                   int rt_left = 0;
//!     if (a[k][k] == 0)                       for (k = 0; k < n; k++) {
//!         return k;                               if (a[k][k] == 0)
//!     for (i = k + 1; i < n; i++)      ->             rt_left |= 1;
//!         ...                                     for (i = k + 1; i < n; i++)
//! }                                                   ...
//!                                             }
//!                                             if (rt_left) give up
//! ```
//! Nothing has gone to the host by then: where the error occurs, the call is given up and the original loops run, which
//! leave where they do and say what they say. What runs behind the error must do no harm, whatever the data are: no
//! subscript and no bound of a loop is computed from them, and integers are divided by constants alone.
//!
//! So is an assertion about data, in whatever loop, for none is hoped to fail: `assert(a[i] > 0)`.
//!
//! An error is told from an end that is hoped for, such as convergence, by the loop's counter: where an elimination
//! computes it says, what an iteration improves is the same at each step. A loop that computes nothing in arrays
//! is a search, which ends early.

use super::arrays_in_structures;
use super::form::{Context, Form};
use crate::ast::assertion::{self, has_assertion};
use crate::ast::build::ast_builder::{assigned, declared, integer, plain, surround};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::loops::has_loop;
use crate::facts::prints::has_print;
use crate::facts::{callable, effects};
use std::collections::BTreeSet;

/// Opens a form that is a loop which errors leave.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, s) = (&mut *context.unit, &mut form.stmt);
    let is_error = has_exit(s) && is_by_counter(s);
    let asserted = Asserted::of(s);
    let asserts = asserted.holds(s);
    if !is_error && !asserts || !is_harmless(unit, s) || asserts && !calls_are_harmless(unit, s, &mut vec![]) {
        return;
    }
    let left = unit.add(Var::new("rt_left", Type::Int(IntKind::Int), Storage::Local, s.span));
    let is_left = unit.read(left, s.span);
    let mut opened = s.clone();
    if is_error {
        replace(&mut opened, &is_left, &effects::computed_from(s, BTreeSet::new(), &effects::reads_memory));
    }
    asserted.replace(&mut opened, &is_left);
    if has_exit(&opened) || has_print(&opened) || !asserts && !computes(&opened) {
        return;
    }
    let give_up = Box::new(plain(StmtKind::GiveUp, s.span));
    let behind = plain(StmtKind::If { cond: is_left, then: give_up, other: None }, s.span);
    s.kind = opened.kind;
    surround(s, vec![declared(left, integer(0, s.span))], vec![behind]);
}

fn has_exit(s: &Stmt) -> bool {
    let mut has_exit = false;
    s.walk(&mut |piece| has_exit |= matches!(piece, Piece::Stmt(s) if is_exit(s)));
    has_exit
}

/// `return`, `exit(1)`, `abort()`.
fn is_exit(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Return(_) => true,
        StmtKind::Expr(e) => matches!(&e.kind, ExprKind::Call { name, .. } if name == "exit" || name == "abort"),
        _ => false,
    }
}

/// Puts `rt_left |= 1` in the place of what ends in an exit, where a condition on data decides on it: one on sizes may
/// be there because an array ends.
fn replace(s: &mut Stmt, is_left: &Expr, data: &BTreeSet<VarId>) {
    if let StmtKind::If { cond, then, other } = &mut s.kind {
        let branches = [(Some(then), true), (other.as_mut(), false)].into_iter();
        for (branch, holds) in branches.filter_map(|(branch, holds)| Some((branch?, holds))) {
            if !ends_in_exit(branch) || !is_on_data(cond, holds, data) {
                continue;
            }
            **branch = assigned(Some(BinOp::BitOr), is_left, integer(1, branch.span), branch.span);
        }
    }
    s.stmts_mut().into_iter().for_each(|s| replace(s, is_left, data));
}

/// Values that decide on the assertions of a loop.
struct Asserted {
    /// Variables whose value the data choose, or that move otherwise than as the counter of a loop; and all that it sets.
    data: BTreeSet<VarId>,
    set: BTreeSet<VarId>,
}

impl Asserted {
    fn of(s: &Stmt) -> Asserted {
        let is_loop = matches!(s.kind, StmtKind::For { .. }) && has_assertion(s);
        if !is_loop {
            return Asserted { data: BTreeSet::new(), set: BTreeSet::new() };
        }
        let mut moved = effects::assigned_whole(s);
        s.walk(&mut |piece| {
            if let Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) = piece {
                effects::header_counter(init).iter().for_each(|v| _ = moved.remove(v));
            }
        });
        Asserted { data: effects::computed_from(s, moved, &reads_data), set: effects::assigned([s]) }
    }

    fn holds(&self, s: &Stmt) -> bool {
        let mut holds = false;
        s.walk(&mut |piece| holds |= matches!(piece, Piece::Stmt(s) if self.is_one(s)));
        holds
    }

    /// Test for an assertion that no size and no counter decides.
    fn is_one(&self, s: &Stmt) -> bool {
        let (mut of_data, mut is_fixed, mut is_integer) = (false, true, true);
        let Some(cond) = assertion::failing(s) else { return false };
        cond.walk(&mut |e| {
            of_data |= reads_data(e) || matches!(e.kind, ExprKind::Var(v) if self.data.contains(&v));
            is_fixed &= !matches!(e.kind, ExprKind::Var(v) if self.set.contains(&v));
            is_integer &= matches!(e.ty, Type::Int(_)) || !e.ty.is_scalar();
            is_integer &= !matches!(e.kind, ExprKind::Binary(BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor, ..));
        });
        !self.set.is_empty() && (of_data || !is_fixed && !is_integer)
    }

    /// Puts `rt_left |= 1` in the place of what they call where they fail.
    fn replace(&self, s: &mut Stmt, is_left: &Expr) {
        let is_one = self.is_one(s);
        if let StmtKind::If { then, .. } = &mut s.kind
            && is_one
        {
            **then = assigned(Some(BinOp::BitOr), is_left, integer(1, then.span), then.span);
        }
        s.stmts_mut().into_iter().for_each(|s| self.replace(s, is_left));
    }
}

/// Test for a read of memory other than of a structure's own member, which is a size.
fn reads_data(e: &Expr) -> bool {
    effects::reads_memory(e) && !(matches!(e.kind, ExprKind::Member { .. }) && arrays_in_structures::is_fixed(e))
}

/// Test that no function called in a statement may do harm, whatever it is given: it ends, and divides no integers.
fn calls_are_harmless(unit: &Unit, s: &Stmt, callers: &mut Vec<String>) -> bool {
    s.calls().into_iter().all(|name| {
        if callable::math(name).is_some() || assertion::is_failure(name) {
            return true;
        }
        let callee = unit.function(name).filter(|_| !callers.iter().any(|c| c == name));
        callee.is_some_and(|f| {
            callers.push(name.to_owned());
            let is_harmless = !has_loop(&f.body) && is_harmless(unit, &f.body);
            let is_harmless = is_harmless && calls_are_harmless(unit, &f.body, callers);
            callers.pop();
            is_harmless
        })
    })
}

/// Test that it takes the data to make a condition hold, or fail.
fn is_on_data(cond: &Expr, holds: bool, data: &BTreeSet<VarId>) -> bool {
    match &cond.kind {
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            let (a, b) = (is_on_data(a, holds, data), is_on_data(b, holds, data));
            if (*op == BinOp::And) == holds { a || b } else { a && b }
        }
        ExprKind::Unary(UnOp::Not, x) => is_on_data(x, !holds, data),
        ExprKind::Cast(x) => is_on_data(x, holds, data),
        _ => {
            let mut is_read = false;
            cond.walk(&mut |e| {
                is_read |= effects::reads_memory(e) || matches!(e.kind, ExprKind::Var(v) if data.contains(&v));
            });
            is_read
        }
    }
}

fn ends_in_exit(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Block(list) => list.last().is_some_and(ends_in_exit),
        _ => is_exit(s),
    }
}

/// Test that the counter of a loop says where the loops in it compute: it is in their headers or subscripts, and does not
/// only choose one of a few buffers.
fn is_by_counter(s: &Stmt) -> bool {
    let StmtKind::For { init: Some(init), body, .. } = &s.kind else { return false };
    let Some(counter) = effects::header_counter(init) else { return false };
    let mut is_by_counter = false;
    body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::For { init, cond, body, .. }, .. }) = piece else { return };
        init.iter().for_each(|s| s.exprs(&mut |e| is_by_counter |= e.mentions(counter)));
        is_by_counter |= cond.as_ref().is_some_and(|e| e.mentions(counter));
        body.walk(&mut |piece| {
            is_by_counter |=
                matches!(piece, Piece::Expr(Expr { kind: ExprKind::Index(_, at), .. }) if finds(at, counter));
        });
    });
    is_by_counter
}

/// Test that a subscript grows with a counter.
fn finds(at: &Expr, counter: VarId) -> bool {
    let mut turns = false;
    at.walk(&mut |e| turns |= matches!(e.kind, ExprKind::Binary(BinOp::Rem | BinOp::BitAnd, ..)));
    at.mentions(counter) && !turns
}

/// Test that a loop computes in arrays.
fn computes(s: &Stmt) -> bool {
    let mut computes = false;
    s.walk(&mut |piece| {
        let Piece::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) = piece else { return };
        computes |= matches!(target.kind, ExprKind::Index(..));
    });
    computes
}

/// Test that a loop runs to its end without harm whatever its data are.
fn is_harmless(unit: &Unit, s: &Stmt) -> bool {
    let of_data = of_data(s);
    let is_safe = |e: &Expr| {
        let mut is_safe = true;
        e.walk(&mut |x| {
            is_safe &= !effects::reads_memory(x) && !matches!(x.kind, ExprKind::Var(v) if of_data.contains(&v))
        });
        is_safe
    };
    let mut is_harmless = effects::assigned([s]).iter().all(|v| !unit.var(*v).is_volatile);
    s.walk(&mut |piece| {
        is_harmless &= match piece {
            Piece::Stmt(s) => match &s.kind {
                StmtKind::For { cond, step, .. } => cond.iter().chain(step).all(is_safe),
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::Unmodelled(_) => false,
                _ => true,
            },
            Piece::Expr(e) => match &e.kind {
                ExprKind::Index(_, at) => is_safe(at),
                ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by)
                | ExprKind::Assign { op: Some(BinOp::Div | BinOp::Rem), value: by, .. } => {
                    !matches!(by.ty, Type::Int(_)) || matches!(by.kind, ExprKind::Int(by) if by != 0)
                }
                _ => true,
            },
        };
    });
    is_harmless
}

/// Variables whose values the data choose, but those that only ever hold one that a loop counts through: the place of a
/// pivot.
fn of_data(s: &Stmt) -> BTreeSet<VarId> {
    let (mut counters, mut moved, mut values) = (BTreeSet::new(), BTreeSet::new(), vec![]);
    s.walk(&mut |piece| match piece {
        Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) => {
            counters.extend(effects::header_counter(init));
        }
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            values.extend(ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?))));
        }
        Piece::Expr(Expr {
            kind: ExprKind::Assign { op: Some(_), target, .. } | ExprKind::IncDec { target, .. },
            ..
        }) => {
            moved.extend(target.root().filter(|v| target.is_var(*v)));
        }
        Piece::Expr(e) => values.extend(effects::plainly_assigned(e)),
        Piece::Stmt(_) => {}
    });
    moved.retain(|v| !counters.contains(v));
    let of_data = effects::computed_from(s, moved.clone(), &effects::reads_memory);
    let is_count = |e: &Expr| matches!(e.kind, ExprKind::Var(v) if counters.contains(&v));
    let is_place = |v: &VarId| !moved.contains(v) && values.iter().all(|(to, value)| to != v || is_count(value));
    of_data.into_iter().filter(|v| !is_place(v)).collect()
}
