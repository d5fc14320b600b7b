//! Conditions that assign, in the order in which C computes them.
//!
//! ```text
//! while ((d = next(d)) > eps) steps++;        ->  do { d = next(d); if (!(d > eps)) break; steps++; } while (1);
//! while (d > eps && it++ < most) S            ->  while (d > eps) { ++it; if (!(it - 1 < most)) break; S }
//! do S while (d > eps && ++it < most);        ->  do { S; if (!(d > eps)) break; ++it; } while (it < most);
//! if (d < eps || ++it >= most) break;         ->  if (d < eps) break; ++it; if (it >= most) break;
//! ```
//! What stands behind `&&` and `||` is computed where what stands before lets C come there, and its assignments become
//! statements there. Others are taken out as of any value ([`nested_assignments`]).

use super::nested_assignments;
use crate::ast::assertion::{failing, opposite};
use crate::ast::build::ast_builder::{binary, converted, integer, plain};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, UnOp, Unit};
use crate::source::Span;

/// A condition of a loop: what is tested first, the statements behind that, some of which leave the loop, and what is
/// tested last.
struct InOrder {
    first: Option<Expr>,
    then: Vec<Stmt>,
    last: Option<Expr>,
}

/// Opens a loop whose condition assigns. Of one that stands in no other, and has none and no call in it (`is_alone`), only what is
/// surely done: nothing is gained by more.
pub fn open_loop(unit: &Unit, s: &mut Stmt, is_alone: &dyn Fn(&Stmt) -> bool) {
    let (StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } | StmtKind::For { cond: Some(cond), .. }) =
        &s.kind
    else {
        return;
    };
    let span = cond.span;
    if !changes(cond) || !is_surely_done(unit, cond) && is_alone(s) {
        return;
    }
    let Some(InOrder { first, then, last }) = in_order(unit, cond) else { return };
    let begun = |body: &Stmt| {
        let tested = last.iter().map(leave);
        block(then.iter().cloned().chain(tested).chain([body.clone()]).collect(), body.span)
    };
    match &mut s.kind {
        StmtKind::While { body, cond } => match first {
            Some(first) => (**body, *cond) = (begun(body), first),
            None => s.kind = StmtKind::DoWhile { body: Box::new(begun(body)), cond: integer(1, span) },
        },
        StmtKind::DoWhile { body, cond } if !body.exits().continues => {
            let behind = first.iter().map(leave).chain(then);
            **body = block(std::iter::once((**body).clone()).chain(behind).collect(), body.span);
            *cond = last.unwrap_or_else(|| integer(1, span));
        }
        StmtKind::For { cond, body, .. } => {
            **body = begun(body);
            *cond = Some(first.unwrap_or_else(|| integer(1, span)));
        }
        _ => {}
    }
}

/// Opens a branch whose condition assigns where it is not sure that this is done, one operand at a time.
pub fn open_branch(unit: &Unit, s: &mut Stmt) {
    let span = s.span;
    let StmtKind::If { cond, then, other: None } = &s.kind else { return };
    if !changes(cond) || failing(s).is_some() || is_surely_done(unit, cond) {
        return;
    }
    let branch = |cond: &Expr, then: &Stmt| {
        plain(StmtKind::If { cond: cond.clone(), then: Box::new(then.clone()), other: None }, span)
    };
    match &cond.kind {
        ExprKind::Binary(BinOp::And, a, b) => s.kind = branch(a, &branch(b, then)).kind,
        ExprKind::Binary(BinOp::Or, a, b) if is_jump(then) => {
            s.kind = StmtKind::Block(vec![branch(a, then), branch(b, then)]);
        }
        _ => {
            let mut cond = cond.clone();
            set_first(&mut cond);
            s.kind = branch(&cond, then).kind;
        }
    }
}

/// A condition in order; `None` where C does not say when some assignment in it is made.
fn in_order(unit: &Unit, cond: &Expr) -> Option<InOrder> {
    let mut operands = vec![];
    conjuncts(cond, &mut operands);
    let n_first = operands.iter().take_while(|e| !changes(e)).count();
    let rest = operands.split_off(n_first);
    let (mut then, mut last) = (vec![], vec![]);
    for e in rest {
        if changes(&e) {
            then.extend(all(std::mem::take(&mut last)).iter().map(leave));
            last.extend(opened(unit, e, &mut then)?);
        } else {
            last.push(e);
        }
    }
    Some(InOrder { first: all(operands), then, last: all(last) })
}

/// Takes the assignments out of an operand, and gives what is left to test.
fn opened(unit: &Unit, mut e: Expr, before: &mut Vec<Stmt>) -> Option<Option<Expr>> {
    set_first(&mut e);
    nested_assignments::take_out(unit, &mut e, before);
    if !changes(&e) {
        return Some(Some(e));
    }
    let ExprKind::Binary(BinOp::Or, a, b) = &e.kind else { return None };
    if changes(a) {
        return None;
    }
    let InOrder { first, then, last } = in_order(unit, b)?;
    let list: Vec<Stmt> = first.iter().map(leave).chain(then).chain(last.iter().map(leave)).collect();
    let then = Box::new(block(list, e.span));
    before.push(plain(StmtKind::If { cond: opposite(a), then, other: None }, e.span));
    Some(None)
}

/// Writes `i++` of an integer as `++i - 1`, but in subscripts, where it is a place that counts on.
fn set_first(e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Index(..) => {}
        ExprKind::IncDec { inc, prefix: prefix @ false, .. } if matches!(e.ty, Type::Int(_)) => {
            *prefix = true;
            let back = if *inc { BinOp::Sub } else { BinOp::Add };
            *e = converted(&binary(back, e.clone(), integer(1, e.span)), &e.ty);
        }
        _ => e.children_mut().into_iter().for_each(set_first),
    }
}

/// Test that all assignments of a condition can be taken out of it as they stand.
fn is_surely_done(unit: &Unit, cond: &Expr) -> bool {
    let mut taken_out = cond.clone();
    nested_assignments::take_out(unit, &mut taken_out, &mut vec![]);
    !changes(&taken_out)
}

/// Test that an expression assigns anything.
fn changes(e: &Expr) -> bool {
    let mut changes = false;
    e.walk(&mut |e| changes |= matches!(e.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. }));
    changes
}

/// The operands of `&&`, in order; `!(a || b)` is `!a && !b`.
fn conjuncts(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::And, a, b) => [a, b].into_iter().for_each(|e| conjuncts(e, out)),
        ExprKind::Unary(UnOp::Not, of) => match &of.kind {
            ExprKind::Binary(BinOp::Or, a, b) => [a, b].into_iter().for_each(|e| conjuncts(&opposite(e), out)),
            ExprKind::Unary(UnOp::Not, of) => conjuncts(of, out),
            _ => out.push(e.clone()),
        },
        _ => out.push(e.clone()),
    }
}

fn all(operands: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    operands.into_iter().reduce(|a, b| binary(BinOp::And, a, b))
}

/// `if (!cond) break;`
fn leave(cond: &Expr) -> Stmt {
    let then = Box::new(plain(StmtKind::Break, cond.span));
    plain(StmtKind::If { cond: opposite(cond), then, other: None }, cond.span)
}

fn block(list: Vec<Stmt>, span: Span) -> Stmt {
    plain(StmtKind::Block(list), span)
}

fn is_jump(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Block(list) => matches!(list.as_slice(), [s] if is_jump(s)),
        kind => matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)),
    }
}
