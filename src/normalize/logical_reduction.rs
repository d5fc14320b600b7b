//! Logical reductions: truth values that a loop joins by `&&`, `||` or `!=`, as accumulations.
//!
//! ```text
//! for (i = 0; i < n; i++)                     int rt_all = -1;
//!     all = all && v[i] > 0;                  for (i = 0; i < n; i++)
//!                                  ->             rt_all &= rt_all && v[i] > 0;
//!                                             if (rt_all >= 0) all = all && rt_all;
//! ```
//! The variable joins 0 and 1 by `&`, and is -1 where no iteration comes to it: a variable of C may hold any number before the
//! loop, and keeps it then. `any = any || c` accumulates whether every `c` was false, and so does `if (!any && c) any = 1;`.
//!
//! C does not evaluate the right operand once the result is decided. An iteration does not know what others decided, so that
//! it may be evaluated where C would not: it changes nothing, and divides integers by constants alone. Its elements are ones
//! that may be touched ([`is_lazy`](crate::facts::reduction::Reduction::is_lazy)): whether they are there is tested at the call.
//!
//! Parity (`odd = odd != c`, `if (c) odd = !odd;`) is an accumulation by `^` of variables that hold truth values alone.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, binary, converted, declared, integer, plain, surround};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::function::FunctionFacts;
use crate::facts::reduction::is_truth;
use crate::facts::{callable, effects};

const INT: Type = Type::Int(IntKind::Int);

/// Opens the outermost loops of a statement that join truth values.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, context.facts, &mut form.stmt);
}

fn inside(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt) {
    let is_whole = matches!(&s.kind, StmtKind::For { body, .. } if !body.exits().leaves_loop());
    let (mut before, mut behind) = (vec![], vec![]);
    if is_whole {
        let own = effects::declared([&*s]);
        for v in effects::assigned([&*s]) {
            let var = unit.var(v);
            let is_number = matches!(var.storage, Storage::Local | Storage::Param) && matches!(var.ty, Type::Int(_));
            if !is_number || var.is_volatile || own.contains(&v) || facts.seen.contains(&v) {
                continue;
            }
            let name = var.name.clone();
            let Some(join) = joins(unit, facts, s, v) else { continue };
            // It is reported under the name that the user knows.
            let joined = unit.add(Var::new(name, INT, Storage::Local, s.span));
            before.push(declared(joined, integer(join.first(), s.span)));
            let joined = unit.read(joined, s.span);
            replace(s, v, &joined);
            behind.push(join.behind(&unit.read(v, s.span), &joined));
        }
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, facts, s));
    if !before.is_empty() {
        surround(s, before, behind);
    }
}

/// How a loop joins truth values in a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Join {
    /// `v = v && c`, and `v = v || c`.
    And,
    Or,
    /// `if (v && c) v = 0;` or `if (!v && c) v = 1;`, with what it is set to.
    Set(i64),
    /// `v = v != c`.
    Parity,
}

impl Join {
    /// First value of the joining variable.
    fn first(self) -> i64 {
        if self == Join::Parity { 0 } else { -1 }
    }

    /// Value that the loop leaves in the variable of the program.
    fn behind(self, v: &Expr, joined: &Expr) -> Stmt {
        let span = v.span;
        let set = |value: Expr| Box::new(assigned(None, v, converted(&value, &v.ty), span));
        let came = || binary(BinOp::Ge, joined.clone(), integer(0, span));
        let (cond, then) = match self {
            Join::And => (came(), set(binary(BinOp::And, v.clone(), joined.clone()))),
            Join::Or => (came(), set(binary(BinOp::Or, v.clone(), not(joined.clone())))),
            Join::Set(value) => (not(joined.clone()), set(integer(value, span))),
            Join::Parity => (joined.clone(), set(not(v.clone()))),
        };
        plain(StmtKind::If { cond, then, other: None }, span)
    }
}

/// How a loop joins truth values in a variable, if that is all that it does with it.
fn joins(unit: &Unit, facts: &FunctionFacts, s: &Stmt, v: VarId) -> Option<Join> {
    let mut found: Vec<(Join, usize)> = vec![];
    collect(s, v, &mut found);
    let (first, _) = found.first()?;
    let n_named: usize = found.iter().map(|(_, n)| n).sum();
    let is_all = found.iter().all(|(join, _)| join == first) && effects::places([s], v).len() == n_named;
    let is_known = *first != Join::Parity || holds_truth(unit, facts, v);
    (is_all && is_known).then_some(*first)
}

/// The joins in a statement, each with the number of times that it names the variable.
fn collect(s: &Stmt, v: VarId, found: &mut Vec<(Join, usize)>) {
    match joined_by(s, v) {
        Some((join, _)) => found.push((join, effects::places([s], v).len())),
        None => s.stmts().into_iter().for_each(|s| collect(s, v, found)),
    }
}

/// Join of a truth value that a statement makes: how, and the condition that must hold for `&` to keep 1, or that `^` adds.
fn joined_by(s: &Stmt, v: VarId) -> Option<(Join, Expr)> {
    let (join, cond) = match &s.kind {
        StmtKind::Expr(e) => {
            let (target, value) = effects::plainly_assigned(e)?;
            (target == v).then_some(())?;
            let value = uncast(value);
            match &value.kind {
                ExprKind::Binary(BinOp::And, ..) => (Join::And, others(value, BinOp::And, v)?),
                ExprKind::Binary(BinOp::Or, ..) => (Join::Or, not(others(value, BinOp::Or, v)?)),
                ExprKind::Binary(op @ (BinOp::Ne | BinOp::Eq), a, b) => {
                    let c = if uncast(a).is_var(v) { b } else { a };
                    if !(uncast(a).is_var(v) || uncast(b).is_var(v)) || !is_truth(c) {
                        return None;
                    }
                    (Join::Parity, if *op == BinOp::Ne { (**c).clone() } else { not((**c).clone()) })
                }
                ExprKind::Unary(UnOp::Not, x) if uncast(x).is_var(v) => (Join::Parity, integer(1, value.span)),
                _ => return None,
            }
        }
        StmtKind::If { cond, then, other: None } => {
            let [Stmt { kind: StmtKind::Expr(e), .. }] = then.listed() else { return None };
            let (target, value) = effects::plainly_assigned(e)?;
            let ExprKind::Int(set) = uncast(value).kind else { return None };
            let (guard, rest) = first_of(cond)?;
            let is_guard = match &guard.kind {
                ExprKind::Unary(UnOp::Not, x) => set != 0 && uncast(x).is_var(v),
                _ => set == 0 && uncast(&guard).is_var(v),
            };
            (target == v && is_guard).then_some((Join::Set(set), not(rest)))?
        }
        _ => return None,
    };
    (!cond.mentions(v) && (join == Join::Parity || is_harmless(&cond))).then_some((join, cond))
}

/// `a` and the rest of `a && b && ...`.
fn first_of(e: &Expr) -> Option<(Expr, Expr)> {
    let ExprKind::Binary(BinOp::And, a, b) = &e.kind else { return None };
    Some(match first_of(a) {
        Some((first, rest)) => (first, binary(BinOp::And, rest, (**b).clone())),
        None => ((**a).clone(), (**b).clone()),
    })
}

/// The operands of a chain of `&&` or `||` but for the variable, which is one of them, in their order.
fn others(e: &Expr, op: BinOp, v: VarId) -> Option<Expr> {
    let mut operands = vec![];
    operands_of(e, op, &mut operands);
    let at = operands.iter().position(|x| uncast(x).is_var(v))?;
    operands.remove(at);
    operands.into_iter().cloned().reduce(|a, b| binary(op, a, b))
}

fn operands_of<'a>(e: &'a Expr, op: BinOp, out: &mut Vec<&'a Expr>) {
    match &e.kind {
        ExprKind::Binary(by, a, b) if *by == op => {
            operands_of(a, op, out);
            operands_of(b, op, out);
        }
        _ => out.push(e),
    }
}

/// A value without the conversions among integers that a truth value keeps.
fn uncast(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(x) if matches!((&e.ty, &x.ty), (Type::Int(_), Type::Int(_))) => uncast(x),
        _ => e,
    }
}

/// Test that a function sets a variable to nothing but 0 and 1.
fn holds_truth(unit: &Unit, facts: &FunctionFacts, v: VarId) -> bool {
    if unit.var(v).ty == Type::Int(IntKind::Bool) {
        return true;
    }
    let mut holds = unit.var(v).storage == Storage::Local;
    facts.function.body.exprs(&mut |e| {
        e.walk(&mut |x| match &x.kind {
            ExprKind::Assign { op, target, value } if target.is_var(v) => {
                holds &= op.is_none() && is_truth(value);
            }
            ExprKind::IncDec { target, .. } => holds &= !target.is_var(v),
            _ => {}
        });
    });
    facts.function.body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) = piece {
            let mut own = ds.iter().filter(|d| d.var == v).filter_map(|d| d.init.as_ref());
            holds &= own.all(is_truth);
        }
    });
    holds
}

/// Test that a condition may be computed where C would not: it changes nothing, calls nobody but functions of numbers, follows
/// no pointer that it reads, and has a value whatever the data are.
fn is_harmless(e: &Expr) -> bool {
    let mut is_harmless = true;
    e.walk(&mut |x| {
        is_harmless &= match &x.kind {
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Unmodelled(_) => false,
            ExprKind::Call { name, .. } => callable::math(name).is_some(),
            ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => {
                matches!(by.ty, Type::Float(_)) || matches!(by.kind, ExprKind::Int(1..))
            }
            ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => {
                !matches!(x.ty, Type::Pointer { .. })
            }
            _ => true,
        };
    });
    is_harmless
}

fn not(e: Expr) -> Expr {
    let span = e.span;
    Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e)), ty: INT, span }
}

/// Puts the joins of a variable of the tool's in the place of those of the program's.
fn replace(s: &mut Stmt, v: VarId, joined: &Expr) {
    let Some((join, cond)) = joined_by(s, v) else {
        return s.stmts_mut().into_iter().for_each(|s| replace(s, v, joined));
    };
    let (op, value) = match join {
        Join::Parity => (BinOp::BitXor, cond),
        _ => (BinOp::BitAnd, binary(BinOp::And, joined.clone(), cond)),
    };
    *s = assigned(Some(op), joined, value, s.span);
}
