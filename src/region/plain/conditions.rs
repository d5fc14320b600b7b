//! Conditions on data around several statements: taken once, into a variable, and asked before each of them.
//!
//! ```text
//! for (j...) {                                   for (j...) {
//!     if (solid[i][j])                               int rt_taken = !solid[i][j];
//!         continue;                                  double rho = rt_taken ? f[0][i][j] : 0;
//!     double rho = f[0][i][j];           ->          for (q...)
//!     for (q...)                                         if (rt_taken)
//!         f[q][i][j] += rho;                                 f[q][i][j] += rho;
//! }                                              }
//! ```
//! So the loops below keep their counters, and what they touch its subscripts; as one statement, everything in it would
//! be said to touch any element. A variable that only the conditional statements see has some value either way, so that
//! its first value is sure. A loop whose header reads an element stays under the condition as a whole.

use super::calls::plain;
use super::places::integer;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::region::effects;
use crate::region::parts::has_loop;
use std::collections::HashSet;

const INT: Type = Type::Int(IntKind::Int);

/// Opens the conditions on data in the loops of a statement.
pub fn open(unit: &mut Unit, s: &mut Stmt) {
    if let StmtKind::For { body, .. } = &mut s.kind {
        let mut own = effects::declared([&**body]);
        own.retain(|v| unit.var(*v).storage == Storage::Local);
        let before = listed(body);
        let list = opened(unit, before.clone(), &mut own, true);
        if list != before {
            body.kind = StmtKind::Block(list);
        }
    }
    s.stmts_mut().into_iter().for_each(|s| open(unit, s));
}

/// The statements of a body, its blocks and its conditions opened as far as that changes nothing.
fn listed(body: &Stmt) -> Vec<Stmt> {
    match &body.kind {
        StmtKind::Block(b) => b.clone(),
        _ => vec![body.clone()],
    }
}

/// `own`: variables that nothing outside the iteration sees; `in_body`: the statements are a loop's body.
fn opened(unit: &mut Unit, stmts: Vec<Stmt>, own: &mut HashSet<VarId>, in_body: bool) -> Vec<Stmt> {
    let mut out = vec![];
    let mut rest = stmts.into_iter();
    while let Some(s) = rest.next() {
        let StmtKind::If { cond, then, other } = &s.kind else {
            out.push(s);
            continue;
        };
        if in_body && is_continue(then) && other.is_none() {
            let conditions = alternatives(cond, BinOp::Or);
            if !conditions.iter().any(|c| is_data(c, own)) {
                out.push(s);
                continue;
            }
            // The first of them may guard the others.
            let later: Vec<Stmt> = rest.collect();
            out.extend(skipped(unit, &s, &conditions, later, own));
            return out;
        }
        let loops = has_loop(then) || other.as_deref().is_some_and(has_loop);
        if loops && reads_element(cond) && !jumps(&s) {
            let taken = variable(unit, &s);
            own.insert(taken);
            out.push(set(taken, cond.clone(), false, &s));
            let mut inside = effects::declared([&**then].into_iter().chain(other.as_deref()));
            inside.insert(taken);
            guard(unit, taken, false, listed(then), &inside, &mut out);
            if let Some(other) = other {
                guard(unit, taken, true, listed(other), &inside, &mut out);
            }
            continue;
        }
        out.push(s);
    }
    out
}

/// `if (a || b) continue;` and what follows it.
fn skipped(unit: &mut Unit, s: &Stmt, conditions: &[Expr], later: Vec<Stmt>, own: &mut HashSet<VarId>) -> Vec<Stmt> {
    let mut out = vec![];
    let Some((first, others)) = conditions.split_first() else { return opened(unit, later, own, true) };
    if !is_data(first, own) {
        let then = Box::new(plain(StmtKind::Continue, s.span));
        out.push(plain(StmtKind::If { cond: first.clone(), then, other: None }, s.span));
        out.extend(skipped(unit, s, others, later, own));
        return out;
    }
    let taken = variable(unit, s);
    own.insert(taken);
    out.push(set(taken, first.clone(), true, s));
    let later = skipped(unit, s, others, later, own);
    // A jump of the rest would have to be a jump of every piece.
    if later.iter().any(jumps) {
        let mut whole = out;
        let not = named(taken, s);
        whole.push(plain(
            StmtKind::If { cond: not, then: Box::new(plain(StmtKind::Block(later), s.span)), other: None },
            s.span,
        ));
        return whole;
    }
    guard(unit, taken, false, later, own, &mut out);
    out
}

/// Puts statements under the variable, piece by piece.
fn guard(unit: &Unit, taken: VarId, negated: bool, stmts: Vec<Stmt>, own: &HashSet<VarId>, out: &mut Vec<Stmt>) {
    for s in stmts {
        let name = named(taken, &s);
        let span = s.span;
        let cond = match negated {
            true => Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(name)), ty: INT, span },
            false => name,
        };
        let or_zero = |value: &Expr, ty: &Type| {
            let zero = Expr { kind: ExprKind::Cast(Box::new(integer(0, span))), ty: ty.clone(), span };
            let kind = ExprKind::Cond(Box::new(cond.clone()), Box::new(value.clone()), Box::new(zero));
            Expr { kind, ty: ty.clone(), span }
        };
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => out.push(s),
            StmtKind::Block(body) => guard(unit, taken, negated, body.clone(), own, out),
            StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_none() || unit.var(d.var).ty.is_scalar()) => {
                let mut ds = ds.clone();
                for d in &mut ds {
                    let ty = &unit.var(d.var).ty;
                    let is_number = |e: &Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(..));
                    d.init = d.init.as_ref().map(|e| if is_number(e) { e.clone() } else { or_zero(e, ty) });
                }
                out.push(Stmt { kind: StmtKind::Decl(ds), ..s });
            }
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, ty, span: at })
                if matches!(target.kind, ExprKind::Var(v) if own.contains(&v)) && target.ty.is_scalar() =>
            {
                let value = Box::new(or_zero(value, &target.ty));
                let kind = ExprKind::Assign { op: None, target: target.clone(), value };
                let set = StmtKind::Expr(Expr { kind, ty: ty.clone(), span: *at });
                out.push(Stmt { kind: set, directives: s.directives.clone(), span });
            }
            StmtKind::For { init, cond: header, step, body } if counts(&s) => {
                let mut inside = vec![];
                guard(unit, taken, negated, listed(body), own, &mut inside);
                let body = Box::new(plain(StmtKind::Block(inside), body.span));
                let kind = StmtKind::For { init: init.clone(), cond: header.clone(), step: step.clone(), body };
                out.push(Stmt { kind, directives: s.directives.clone(), span });
            }
            _ => out.push(plain(StmtKind::If { cond: cond.clone(), then: Box::new(s.clone()), other: None }, span)),
        }
    }
}

/// The operands of a chain of `||` or `&&`, as a condition each.
fn alternatives(cond: &Expr, by: BinOp) -> Vec<Expr> {
    match &cond.kind {
        ExprKind::Binary(op, a, b) if *op == by => [alternatives(a, by), alternatives(b, by)].concat(),
        _ => vec![cond.clone()],
    }
}

fn is_continue(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Continue => true,
        StmtKind::Block(b) => matches!(b.as_slice(), [Stmt { kind: StmtKind::Continue, .. }]),
        _ => false,
    }
}

/// Whether only the data know a condition: it reads an element, or what an iteration computes for itself.
fn is_data(e: &Expr, own: &HashSet<VarId>) -> bool {
    let mut found = reads_element(e);
    e.walk(&mut |x| found |= matches!(x.kind, ExprKind::Var(v) if own.contains(&v)));
    found
}

fn reads_element(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        found |= x.ty.is_scalar() && matches!(x.kind, ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _))
    });
    found
}

/// Whether a jump in it leaves it.
fn jumps(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Block(b) => b.iter().any(jumps),
        StmtKind::If { then, other, .. } => jumps(then) || other.as_deref().is_some_and(jumps),
        StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
            let mut returns = false;
            body.walk(&mut |p| returns |= matches!(p, Piece::Stmt(Stmt { kind: StmtKind::Return(_), .. })));
            returns
        }
        kind => matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) | StmtKind::Unmodelled(_)),
    }
}

/// Whether a loop's header may be computed whatever the condition says: it reads no element, and nothing leaves its body.
fn counts(s: &Stmt) -> bool {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return false };
    let mut plain = effects::header_counter(init).is_some() && !jumps(body);
    let mut look = |e: &Expr| {
        e.walk(&mut |x| {
            plain &= !matches!(
                x.kind,
                ExprKind::Index(..)
                    | ExprKind::Unary(UnOp::Deref, _)
                    | ExprKind::Call { .. }
                    | ExprKind::Binary(BinOp::Div | BinOp::Rem, ..)
            );
        });
    };
    init.walk(&mut |p| {
        if let Piece::Expr(e) = p {
            look(e);
        }
    });
    look(cond);
    look(step);
    plain
}

fn variable(unit: &mut Unit, s: &Stmt) -> VarId {
    unit.add(Var::new("rt_taken", INT, Storage::Local, s.span))
}

fn named(v: VarId, s: &Stmt) -> Expr {
    Expr { kind: ExprKind::Var(v), ty: INT, span: s.span }
}

/// `int v = !!cond;`, or `!cond`.
fn set(v: VarId, cond: Expr, negated: bool, s: &Stmt) -> Stmt {
    let span = cond.span;
    let not = |e: Expr| Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e)), ty: INT, span };
    let is_truth = matches!(cond.kind, ExprKind::Binary(op, ..) if op.is_boolean());
    let value = match (negated, is_truth) {
        (true, _) => not(cond),
        (false, true) => cond,
        (false, false) => not(not(cond)),
    };
    plain(StmtKind::Decl(vec![Declarator { var: v, init: Some(value) }]), s.span)
}
