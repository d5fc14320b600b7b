//! Arg-extremum: the place of a largest or smallest value, which a loop finds on the way, as two accumulations: first the
//! value, then the first place that has it.
//!
//! ```text
//! for (i = 0; i < n; i++)                     double rt_best = best;
//!     if (fabs(x[i]) > best) {                int rt_place = INT_MAX;
//!         best = fabs(x[i]);                  for (i = 0; i < n; i++)
//!         at = i;                   ->            if (fabs(x[i]) > rt_best) rt_best = fabs(x[i]);
//!     }                                       for (i = 0; i < n; i++)
//!                                                 rt_place = min(rt_place, fabs(x[i]) == rt_best ? i : INT_MAX);
//!                                             if (rt_best > best && rt_place >= 0 && rt_place < n) {
//!                                                 best = rt_best;
//!                                                 at = rt_place;
//!                                             }
//! ```
//! Where the best value so far is read at the best place so far (`if (x[i] > x[at]) at = i;`), it begins as what stands at
//! the first one, if there is anything to compare with it. A place that was found is one of the loop's, which is said for
//! those that follow what subscripts may be ([`ranges`](crate::region::ranges)).
//!
//! Where `>=` is asked for it is the last place, and where the counter falls, the first place has the largest counter. What
//! is no number is in no comparison, before and after. The values are computed twice, so that both must be the same: a sum
//! with a product in it might be rounded once or twice. They are read twice, too, which a loop in a thread would pay for:
//! only a loop by itself or in a `while` is written so, and one in another `for` where that one stays on the host, or is kept
//! in order by it: what is searched changes at the place that is found, as in an elimination whose rows change places.
//!
//! There is no call of a library for it: BLAS's iamax knows neither the best value before the loop nor the value that it
//! found, orders what is no number, and reads as much as these kernels do in its first of two.

use super::form::{Context, Form};
use super::inlining::own_copy;
use super::substitution::{Values, put, put_in};
use crate::ast::build::ast_builder::{converted, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, step_of};
use crate::facts::symbolic::same_expr;
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};

const INT: Type = Type::Int(IntKind::Int);

/// Opens such loops, but for those in loops that may be parallel.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, context.facts, &mut form.stmt, &mut vec![]);
}

/// `around`: the counters of the `for` loops around.
fn inside(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt, around: &mut Vec<VarId>) {
    if around.is_empty()
        && let Some(found) = Found::of(unit, facts, s)
    {
        s.kind = StmtKind::Block(found.opened(unit, s));
        return;
    }
    match &mut s.kind {
        StmtKind::Block(list) => list.iter_mut().for_each(|s| inside(unit, facts, s, around)),
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => inside(unit, facts, body, around),
        StmtKind::For { init: Some(init), body, .. } => {
            let Some(counter) = effects::header_counter(init) else { return };
            let whole = body.clone();
            pivots(unit, facts, body, &whole, around);
            around.push(counter);
            inside(unit, facts, body, around);
            around.pop();
        }
        _ => {}
    }
}

/// Opens the searches in a loop's body that keep it in order: of an array that is written there at the place that is
/// found. Where counters of loops further out say what is searched, these are the parallel ones.
fn pivots(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt, body: &Stmt, around: &[VarId]) {
    if let StmtKind::Block(list) = &mut s.kind {
        return list.iter_mut().for_each(|s| pivots(unit, facts, s, body, around));
    }
    let Some(found) = Found::of(unit, facts, s) else { return };
    if found.is_written_at(body) && !around.iter().any(|v| found.value.mentions(*v)) {
        s.kind = StmtKind::Block(found.opened(unit, s));
    }
}

/// What such a loop does.
struct Found {
    /// Its counter, and whether the place that is wanted has the smallest of those with the best value.
    counter: VarId,
    is_smallest: bool,
    /// What the values are compared by, whether the new one stands on the left, and where that is.
    op: BinOp,
    is_left: bool,
    place: Span,
    value: Expr,
    /// What it is compared with, and the variable where that is one: else it stands at the best place so far.
    old: Expr,
    best: Option<VarId>,
    /// What is set beside the best value, in order.
    others: Vec<Expr>,
    /// More than any counter, or less.
    nowhere: i64,
    first: Expr,
    header: Expr,
}

impl Found {
    fn of(unit: &Unit, facts: &FunctionFacts, s: &Stmt) -> Option<Found> {
        let StmtKind::For { init: Some(init), cond: Some(header), step: Some(step), body } = &s.kind else {
            return None;
        };
        let (counter, first) = first_value(init)?;
        let ascends = step_of(step, counter)? > 0;
        let (mut cond, mut then) = update(unit, body)?;
        then.iter_mut().chain([&mut cond]).for_each(super::place_canonicalization::tidy);
        let ExprKind::Binary(op @ (BinOp::Gt | BinOp::Lt | BinOp::Ge | BinOp::Le), a, b) = cond.kind else {
            return None;
        };
        let set: Vec<(VarId, &Expr)> = then.iter().map(effects::plainly_assigned).collect::<Option<_>>()?;
        let names: Vec<VarId> = set.iter().map(|(v, _)| *v).collect();
        let is_own = |v: &VarId| {
            let var = unit.var(*v);
            let is_local = matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile;
            is_local && effects::is_scalar(&var.ty) && names.iter().filter(|other| *other == v).count() == 1
        };
        let is_free = |e: &Expr| !names.iter().any(|v| e.mentions(*v)) && is_steady(unit, e);
        let is_old = |value: &Expr, old: &Expr| compared_with(unit, &set, counter, value, old);
        let is_left = is_old(&a, &b).is_some();
        let (value, mut old) = if is_left { (*a, *b) } else { (*b, *a) };
        let (at, best) = match is_old(&value, &old)? {
            Old::Scalar(at) => (Some(at), Some(names[at])),
            Old::AtPlace(v) => {
                if let Some(start) = start(unit, facts, s, v) {
                    old = renamed(&value, counter, &converted(&start, &unit.var(v).ty));
                }
                (None, None)
            }
        };
        let is_apart = names.iter().all(|v| is_own(v) && *v != counter)
            && !first.mentions(counter)
            && [first, header].into_iter().chain(set.iter().map(|(_, e)| *e)).chain([&value]).all(is_free)
            && !names.iter().any(|v| step.mentions(*v));
        if !is_apart || !rounds_alike(&value) || s.directives.iter().any(is_of_loop) {
            return None;
        }
        let is_smallest = ascends != matches!(op, BinOp::Ge | BinOp::Le);
        let nowhere = nowhere(&unit.var(counter).ty, is_smallest)?;
        let mut others = then.clone();
        at.map(|at| others.remove(at));
        let first = converted(first, &unit.var(counter).ty);
        let header = header.clone();
        (!others.is_empty()).then_some(Found {
            counter,
            is_smallest,
            op,
            is_left,
            place: cond.span,
            value,
            old,
            best,
            others,
            nowhere,
            first,
            header,
        })
    }

    /// Test that a statement writes an array that is searched at a place that comes from what was found.
    fn is_written_at(&self, s: &Stmt) -> bool {
        let found = self.others.iter().filter_map(|e| Some(effects::plainly_assigned(e)?.0));
        let places = effects::computed_from(s, found.collect(), &|_| false);
        let mut found = false;
        s.walk(&mut |piece| {
            let Piece::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) = piece else { return };
            let is_searched = target.ty.is_scalar() && target.root().is_some_and(|v| self.value.mentions(v));
            found |= is_searched && places.iter().any(|v| target.mentions(*v));
        });
        found
    }

    /// That one value is better than another.
    fn better(&self, value: &Expr, old: &Expr) -> Expr {
        let (left, right) = if self.is_left { (value, old) } else { (old, value) };
        Expr { span: self.place, ..binary(self.op, left, right) }
    }

    /// That a value of the counter's type is of an iteration, but for the step.
    fn is_of_iteration(&self, place: &Expr, ascends: bool) -> Expr {
        let goes_on = renamed(&self.header, self.counter, place);
        if ascends && is_zero(&self.first) && matches!(place.ty, Type::Int(kind) if kind.is_unsigned()) {
            return goes_on;
        }
        let begun = binary(if ascends { BinOp::Ge } else { BinOp::Le }, place, &self.first);
        binary(BinOp::And, &begun, &goes_on)
    }

    fn opened(self, unit: &mut Unit, s: &Stmt) -> Vec<Stmt> {
        let span = s.span;
        let ty = unit.var(self.counter).ty.clone();
        let mut out = vec![];
        let mut declared = |unit: &mut Unit, name: &str, init: Expr| {
            let v = unit.add(Var::new(name, init.ty.clone(), Storage::Local, span));
            out.push(plain(StmtKind::Decl(vec![Declarator { var: v, init: Some(init) }]), span));
            unit.read(v, span)
        };
        let old = match self.best {
            Some(v) => unit.read(v, span),
            // Without an iteration, nothing may be there.
            None => {
                let zero = Expr { kind: ExprKind::Cast(Box::new(integer(0, span))), ty: self.old.ty.clone(), span };
                let is_any = renamed(&self.header, self.counter, &self.first);
                let kind = ExprKind::Cond(Box::new(is_any), Box::new(self.old.clone()), Box::new(zero));
                declared(unit, "rt_first", Expr { kind, ty: self.old.ty.clone(), span })
            }
        };
        let nowhere = Expr { kind: ExprKind::Int(self.nowhere), ty: ty.clone(), span };
        let new = declared(unit, "rt_best", old.clone());
        let at = declared(unit, "rt_place", nowhere.clone());
        let first = taken_if(self.better(&self.value, &new), vec![set(&new, self.value.clone())]);
        let is_best = Box::new(binary(BinOp::Eq, &self.value, &new));
        let here = ExprKind::Cond(is_best, Box::new(unit.read(self.counter, span)), Box::new(nowhere.clone()));
        let here = Expr { kind: here, ty, span };
        let lesser = binary(if self.is_smallest { BinOp::Lt } else { BinOp::Gt }, &here, &at);
        let second = taken_if(lesser, vec![set(&at, here)]);
        let takes_equal = matches!(self.op, BinOp::Ge | BinOp::Le);
        let is_found = match takes_equal {
            true => Expr { span: self.place, ..binary(BinOp::Ne, &at, &nowhere) },
            false => self.better(&new, &old),
        };
        let is_found = binary(BinOp::And, &is_found, &self.is_of_iteration(&at, self.is_smallest != takes_equal));
        let mut then: Vec<Expr> = self.best.iter().map(|_| set(&old, new.clone())).collect();
        then.extend(self.others.iter().map(|e| renamed(e, self.counter, &at)));
        let mut again = [with_body(s, second)];
        let loops = [with_body(s, first)];
        own_copy(unit, &mut again, &mut Values::new());
        out.extend(loops.into_iter().chain(again));
        out.push(taken_if(is_found, then));
        out
    }
}

/// What a value is compared with.
enum Old {
    /// The variable that the value is put in, as one of those set.
    Scalar(usize),
    /// The value at the place in this variable, which the counter is put in.
    AtPlace(VarId),
}

fn compared_with(unit: &Unit, set: &[(VarId, &Expr)], counter: VarId, value: &Expr, old: &Expr) -> Option<Old> {
    let is_best = |(v, e): &(VarId, &Expr)| old.is_var(*v) && same_expr(e, value) && value.ty == unit.var(*v).ty;
    let is_place = |(v, e): &&(VarId, &Expr)| {
        e.is_var(counter)
            && unit.var(*v).ty == unit.var(counter).ty
            && value.mentions(counter)
            && same_expr(&renamed(value, counter, &unit.read(*v, value.span)), old)
    };
    let scalar = set.iter().position(is_best).map(Old::Scalar);
    scalar.or_else(|| Some(Old::AtPlace(set.iter().find(is_place)?.0)))
}

/// What a variable holds before a statement, where one just before it in the file says so.
fn start(unit: &Unit, facts: &FunctionFacts, s: &Stmt, v: VarId) -> Option<Expr> {
    let mut found = None;
    facts.function.body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Block(list), .. }) = piece
            && let Some(at) = list.iter().position(|x| x.span == s.span)
        {
            found = Some(&list[..at]);
        }
    });
    let before = found?;
    let is_simple = |s: &&Stmt| matches!(s.kind, StmtKind::Decl(_) | StmtKind::Expr(_) | StmtKind::Directive(_));
    let n_simple = before.iter().rev().take_while(is_simple).count();
    let before = &before[before.len() - n_simple..];
    let at = before.iter().rposition(|s| effects::assigned([s]).contains(&v))?;
    let value = match &before[at].kind {
        StmtKind::Decl(ds) => ds.iter().find(|d| d.var == v)?.init.as_ref()?,
        StmtKind::Expr(e) => effects::plainly_assigned(e).filter(|(target, _)| *target == v)?.1,
        _ => return None,
    };
    let is_kept = Changes::of(&before[at..]).keep(unit, value) && is_steady(unit, value);
    (is_kept && !facts.addresses().contains(&v)).then(|| value.clone())
}

/// Test that a directive speaks of the loop as it stands.
fn is_of_loop(d: &Directive) -> bool {
    !matches!(d.kind, DirectiveKind::Shape { .. } | DirectiveKind::Host)
}

/// The condition of a body that is one, and what it sets; values of the iteration stand where they are used.
fn update(unit: &Unit, body: &Stmt) -> Option<(Expr, Vec<Expr>)> {
    let (last, before) = body.listed().split_last()?;
    let mut last = last.clone();
    let mut values = Values::new();
    let mut own = vec![];
    for s in before {
        let set: Vec<(VarId, Expr)> = match &s.kind {
            StmtKind::Decl(ds) => {
                own.extend(ds.iter().map(|d| d.var));
                ds.iter().filter_map(|d| Some((d.var, d.init.clone()?))).collect()
            }
            StmtKind::Expr(e) => effects::plainly_assigned(e).map(|(v, value)| vec![(v, value.clone())])?,
            _ => return None,
        };
        for (v, mut value) in set {
            put(&mut value, &values);
            (own.contains(&v) && value.ty == unit.var(v).ty).then_some(())?;
            values.insert(v, value);
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

/// Test that it may be computed twice, or later: it does nothing but read, and calls what gives the same again.
fn is_steady(unit: &Unit, e: &Expr) -> bool {
    let mut steady = true;
    e.walk(&mut |x| {
        steady &= match &x.kind {
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::SizeOfType(_) | ExprKind::SizeOfExpr(_) => true,
            ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Cast(_) | ExprKind::Cond(..) => true,
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

/// Test that two compilations of it round alike: no product in a sum, which may become one operation.
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

fn binary(op: BinOp, a: &Expr, b: &Expr) -> Expr {
    let kind = ExprKind::Binary(op, Box::new(a.clone()), Box::new(b.clone()));
    Expr { kind, ty: INT, span: a.span }
}

fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(e) => is_zero(e),
        kind => *kind == ExprKind::Int(0),
    }
}
