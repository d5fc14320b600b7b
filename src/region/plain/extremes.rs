//! The place of a largest or smallest value, which a loop finds on the way, as two accumulations: first the value, then
//! the first place that has it.
//!
//! ```text
//! for (i = 0; i < n; i++)                     double rt_best = best;
//!     if (fabs(x[i]) > best) {                int rt_place = INT_MAX;
//!         best = fabs(x[i]);                  for (i = 0; i < n; i++)
//!         at = i;                   ->            if (fabs(x[i]) > rt_best) rt_best = fabs(x[i]);
//!     }                                       for (i = 0; i < n; i++)
//!                                                 rt_place = min(rt_place, fabs(x[i]) == rt_best ? i : INT_MAX);
//!                                             if (rt_best > best) { best = rt_best; at = rt_place; }
//! ```
//! Where `>=` is asked for it is the last place, and where the counter falls, the first place has the largest counter. What
//! is no number is in no comparison, before and after. The values are computed twice, so that both must be the same: a sum
//! with a product in it might be rounded once or twice. They are read twice, too, which a loop in a thread would pay for:
//! only a loop by itself or in a `while` is written so, and one in another `for` where that one stays on the host.
//!
//! There is no call of a library for it: BLAS's iamax knows neither the best value before the loop nor the value that it
//! found, orders what is no number, and reads as much as these kernels do in its first of two.

use super::calls::{own_copy, plain};
use super::values::{Values, put, put_in};
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::region::effects;
use crate::region::header::step_of;
use crate::region::symbolic::same_expr;
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};

const INT: Type = Type::Int(IntKind::Int);

/// Opens such loops, but for those in loops that may be parallel.
pub fn open(unit: &mut Unit, s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| open(unit, s)),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => open(unit, body),
        StmtKind::For { .. } => {
            if let Some(found) = Found::of(unit, s) {
                s.kind = StmtKind::Block(found.opened(unit, s));
            }
        }
        _ => {}
    }
}

/// What such a loop does.
struct Found {
    /// Its counter, and whether the place that is wanted has the smallest of those with the best value.
    counter: VarId,
    is_smallest: bool,
    /// Whether a value that is as good is taken, too.
    takes_equal: bool,
    /// `value > best`, in whichever way it is written.
    cond: Expr,
    best: VarId,
    value: Expr,
    /// What is set beside `best`, in order.
    others: Vec<Expr>,
    /// More than any counter, or less.
    nowhere: i64,
}

impl Found {
    fn of(unit: &Unit, s: &Stmt) -> Option<Found> {
        let StmtKind::For { init: Some(init), cond: Some(header), step: Some(step), body } = &s.kind else {
            return None;
        };
        let counter = effects::header_counter(init)?;
        let ascends = step_of(step, counter)? > 0;
        let (mut cond, mut then) = update(unit, body)?;
        then.iter_mut().chain([&mut cond]).for_each(super::places::tidy);
        let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
        let takes_equal = match op {
            BinOp::Gt | BinOp::Lt => false,
            BinOp::Ge | BinOp::Le => true,
            _ => return None,
        };
        let set: Vec<(VarId, &Expr)> = then.iter().map(assigned).collect::<Option<_>>()?;
        let is_best = |(v, value): &(VarId, &Expr)| {
            (a.is_var(*v) && same_expr(b, value)) || (b.is_var(*v) && same_expr(a, value))
        };
        let at = set.iter().position(is_best)?;
        let (best, value) = (set[at].0, set[at].1.clone());
        let names: Vec<VarId> = set.iter().map(|(v, _)| *v).collect();
        let is_own = |v: &VarId| {
            let var = unit.var(*v);
            let is_local = matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile;
            is_local && effects::is_scalar(&var.ty) && names.iter().filter(|other| *other == v).count() == 1
        };
        let mentioned = effects::mentioned([&**init]);
        let is_free = |e: &Expr| !names.iter().any(|v| e.mentions(*v)) && is_steady(unit, e);
        let is_apart = names.iter().all(|v| is_own(v) && *v != counter && !mentioned.contains(v))
            && [header, step].iter().all(|e| !names.iter().any(|v| e.mentions(*v)))
            && set.iter().all(|(_, value)| is_free(value));
        if names.len() < 2
            || !is_apart
            || value.ty != unit.var(best).ty
            || !rounds_alike(&value)
            || s.directives.iter().any(is_of_loop)
        {
            return None;
        }
        let is_smallest = ascends != takes_equal;
        let nowhere = nowhere(&unit.var(counter).ty, is_smallest)?;
        let mut others = then.clone();
        others.remove(at);
        Some(Found { counter, is_smallest, takes_equal, cond, best, value, others, nowhere })
    }

    fn opened(self, unit: &mut Unit, s: &Stmt) -> Vec<Stmt> {
        let span = s.span;
        let ty = unit.var(self.counter).ty.clone();
        let best = unit.add(Var::new("rt_best", self.value.ty.clone(), Storage::Local, span));
        let place = unit.add(Var::new("rt_place", ty.clone(), Storage::Local, span));
        let read = |v| unit.read(v, span);
        let (old, new, at) = (read(self.best), read(best), read(place));
        let nowhere = Expr { kind: ExprKind::Int(self.nowhere), ty: ty.clone(), span };
        let declared = |v, init| plain(StmtKind::Decl(vec![Declarator { var: v, init: Some(init) }]), span);
        let binary = |op, a: &Expr, b: &Expr| Expr {
            kind: ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())),
            ty: INT,
            span,
        };
        let first = taken_if(renamed(&self.cond, self.best, &new), vec![set(&new, self.value.clone())]);
        let is_best = Box::new(binary(BinOp::Eq, &self.value, &new));
        let here = ExprKind::Cond(is_best, Box::new(read(self.counter)), Box::new(nowhere.clone()));
        let here = Expr { kind: here, ty, span };
        let better = binary(if self.is_smallest { BinOp::Lt } else { BinOp::Gt }, &here, &at);
        let second = taken_if(better, vec![set(&at, here)]);
        let is_found = match self.takes_equal {
            true => binary(BinOp::Ne, &at, &nowhere),
            false => replaced(&self.cond, &self.value, &new),
        };
        let mut then = vec![set(&old, new.clone())];
        then.extend(self.others.iter().map(|e| renamed(e, self.counter, &at)));
        let mut again = [with_body(s, second)];
        let loops = [with_body(s, first)];
        own_copy(unit, &mut again, &mut Values::new());
        let mut out = vec![declared(best, old), declared(place, nowhere)];
        out.extend(loops.into_iter().chain(again));
        out.push(taken_if(is_found, then));
        out
    }
}

/// Whether a directive speaks of the loop as it stands.
fn is_of_loop(d: &Directive) -> bool {
    !matches!(d.kind, DirectiveKind::Shape { .. } | DirectiveKind::Host)
}

/// The condition of a body that is one, and what it sets; values of the iteration stand where they are used.
fn update(unit: &Unit, body: &Stmt) -> Option<(Expr, Vec<Expr>)> {
    let list: &[Stmt] = match &body.kind {
        StmtKind::Block(list) => list,
        _ => std::slice::from_ref(body),
    };
    let (last, before) = list.split_last()?;
    let mut last = last.clone();
    let mut values = Values::new();
    for s in before {
        let StmtKind::Decl(ds) = &s.kind else { return None };
        for d in ds {
            let mut value = d.init.clone()?;
            put(&mut value, &values);
            (value.ty == unit.var(d.var).ty).then(|| values.insert(d.var, value));
            values.contains_key(&d.var).then_some(())?;
        }
    }
    put_in(&mut last, &values);
    let StmtKind::If { cond, then, other: None } = last.kind else { return None };
    let then = match then.kind {
        StmtKind::Block(list) => list,
        _ => vec![*then],
    };
    let mut out = vec![];
    for s in then {
        let StmtKind::Expr(e) = s.kind else { return None };
        in_turn(e, &mut out);
    }
    Some((cond, out))
}

/// The operands of commas, in order.
fn in_turn(e: Expr, out: &mut Vec<Expr>) {
    match e.kind {
        ExprKind::Comma(a, b) => {
            in_turn(*a, out);
            in_turn(*b, out);
        }
        _ => out.push(e),
    }
}

/// `v = value`
fn assigned(e: &Expr) -> Option<(VarId, &Expr)> {
    match &e.kind {
        ExprKind::Assign { op: None, target, value } => match target.kind {
            ExprKind::Var(v) => Some((v, value)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether it may be computed twice, or later: it does nothing but read, and calls what gives the same again.
fn is_steady(unit: &Unit, e: &Expr) -> bool {
    let mut steady = true;
    e.walk(&mut |x| {
        steady &= match &x.kind {
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Index(..) | ExprKind::Cast(_) | ExprKind::Cond(..) => {
                true
            }
            ExprKind::Binary(..) | ExprKind::Unary(UnOp::Neg | UnOp::Plus | UnOp::Not, _) => true,
            ExprKind::Var(v) => !unit.var(*v).is_volatile,
            ExprKind::Call { name, .. } => {
                ["fabs", "fabsf", "sqrt", "sqrtf", "abs", "labs"].contains(&name.trim_start_matches("__builtin_"))
            }
            _ => false,
        }
    });
    steady
}

/// Whether two compilations of it round alike: no product in a sum, which may become one operation.
fn rounds_alike(e: &Expr) -> bool {
    let (mut sums, mut products) = (false, false);
    e.walk(&mut |x| {
        if let (ExprKind::Binary(op, ..), Type::Float(_)) = (&x.kind, &x.ty) {
            sums |= matches!(op, BinOp::Add | BinOp::Sub);
            products |= *op == BinOp::Mul;
        }
    });
    !(sums && products)
}

/// A number of the counter's type that no counter is.
fn nowhere(ty: &Type, is_large: bool) -> Option<i64> {
    let Type::Int(kind) = ty else { return None };
    match (kind.bits(), kind.is_unsigned(), is_large) {
        (32, false, true) => Some(i32::MAX.into()),
        (32, false, false) => Some(i32::MIN.into()),
        (32, true, true) => Some(u32::MAX.into()),
        (64, false, false) => Some(i64::MIN),
        // Beyond this a counter reaches no element.
        (64, _, true) => Some(i64::MAX),
        _ => None,
    }
}

fn set(target: &Expr, value: Expr) -> Expr {
    let kind = ExprKind::Assign { op: None, target: Box::new(target.clone()), value: Box::new(value) };
    Expr { kind, ty: target.ty.clone(), span: target.span }
}

fn taken_if(cond: Expr, then: Vec<Expr>) -> Stmt {
    let span: Span = cond.span;
    let mut then: Vec<Stmt> = then.into_iter().map(|e| plain(StmtKind::Expr(e), span)).collect();
    let then = if then.len() == 1 { then.remove(0) } else { plain(StmtKind::Block(then), span) };
    plain(StmtKind::If { cond, then: Box::new(then), other: None }, span)
}

/// The loop with another body.
fn with_body(s: &Stmt, body: Stmt) -> Stmt {
    let mut out = s.clone();
    if let StmtKind::For { body: old, .. } = &mut out.kind {
        **old = body;
    }
    out
}

fn renamed(e: &Expr, v: VarId, by: &Expr) -> Expr {
    let mut out = e.clone();
    put(&mut out, &Values::from([(v, by.clone())]));
    out
}

/// A comparison with another side in the place of one.
fn replaced(cond: &Expr, side: &Expr, by: &Expr) -> Expr {
    let mut out = cond.clone();
    if let ExprKind::Binary(_, a, b) = &mut out.kind {
        let old = if same_expr(a, side) { a } else { b };
        **old = by.clone();
    }
    out
}
