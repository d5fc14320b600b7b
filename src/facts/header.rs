//! Headers of `for` loops, in whatever shape C allows: counter, first value, limits, step.
//!
//! A condition is solved for the counter: `i + l <= n` is `i < n - l + 1`, `2 * i < n` is `i < floor((n - 1) / 2) + 1`. A
//! limit that is the lesser of two (`i < (a < b ? a : b)`) is two limits; a first value that is the greater of two is one
//! of them, and a condition on the body, or, where the step or a later read wants it exactly, a number that the caller
//! computes.

use super::effects::plainly_assigned;
use super::symbolic::{self, Poly, Reader, Sym};
use super::{Reason, remedy};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::source::Span;
use std::collections::BTreeMap;

/// A header that counts.
pub struct Header {
    pub var: VarId,
    pub first: Poly,
    /// Where else the counter must have come to before the body runs: not below (or, counting down, above) these.
    pub also_from: Vec<Poly>,
    pub limits: Vec<Poly>,
    pub step: i64,
}

/// The parts of a `for` as the tree has them.
pub struct For<'a> {
    pub init: Option<&'a Stmt>,
    pub cond: Option<&'a Expr>,
    pub step: Option<&'a Expr>,
    pub span: Span,
}

impl For<'_> {
    /// Test that the numbers in it show that the body is entered: C's own condition, with the first value as it is stored.
    pub fn runs(&self) -> bool {
        let (Some((var, first)), Some(cond)) = (self.init.and_then(first_value), self.cond) else { return false };
        let mut begun = cond.clone();
        begun.rewrite(&mut |e| {
            if e.is_var(var) {
                e.kind = ExprKind::Cast(Box::new(first.clone()));
            }
        });
        constant::fold(&begun).is_some_and(|holds| holds != 0)
    }
}

/// Reads a header, or says why the loop is not a counted one with affine bounds.
pub fn read(f: &For, reader: &mut Reader) -> Result<Header, Reason> {
    let not = |what: &str| Reason::new("not-counted", format!("this loop is not a counted one: {what}"), f.span);
    let (var, first) = f.init.and_then(first_value).ok_or_else(|| not("its first part does not set one counter"))?;
    let step = f.step.and_then(|e| step_of(e, var)).ok_or_else(|| not("its counter does not move by a constant"))?;
    let cond = f.cond.ok_or_else(|| not("it has no condition"))?;
    let read_after = !matches!(f.init, Some(Stmt { kind: StmtKind::Decl(_), .. }));
    let (first, also_from) = match extremes(first, step < 0, reader) {
        Some(mut several) if several.len() == 1 || step.abs() == 1 && !read_after => (several.remove(0), several),
        // The counter must begin at the greater one itself, which the caller finds if no counter is in it.
        Some(several) if several.iter().all(Poly::is_parametric) => {
            (Poly::sym(Sym::Param(reader.params.of_expr(first))), vec![])
        }
        Some(_) => return Err(not("it begins at the greater of two, and moves by more than one or is read behind it")),
        None => (affine(first, reader)?, vec![]),
    };
    let mut limits = Vec::new();
    limits_of(cond, (var, &first), step, reader, &mut limits)?;
    if limits.iter().chain(&also_from).any(|l| l.uses(var)) {
        return Err(not("its bound depends on its own counter"));
    }
    Ok(Header { var, first, also_from, limits, step })
}

/// Refuses a condition that compares where in arrays two pointers lead to.
pub fn compares_numbers(cond: &Expr) -> Result<(), Reason> {
    let is_place = |e: &Expr| e.ty.is_pointer_like() && e.root().is_some();
    match &cond.kind {
        ExprKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Ne, a, b)
            if is_place(a) && is_place(b) =>
        {
            Err(Reason::new("pointer-loop", "this loop counts by a pointer", cond.span)
                .help(remedy!("subscript the array by a counter: for (int i = 0; i < n; i++) a[i] = 0;")))
        }
        _ => Ok(()),
    }
}

/// A bound. Without counters it may be any product: the caller computes it.
fn affine(e: &Expr, reader: &mut Reader) -> Result<Poly, Reason> {
    let bound = reader.poly(e).and_then(|p| match p.is_affine() {
        true => Some(p),
        false => p.is_parametric().then(|| Poly::sym(Sym::Param(reader.params.of_poly(p, e)))),
    });
    bound.ok_or_else(|| {
        let (mut has_element, mut changed) = (false, None);
        e.walk(&mut |x| match &x.kind {
            ExprKind::Index(..) => has_element = true,
            ExprKind::Var(v) if x.ty.is_scalar() && reader.written.contains(v) && !reader.counters.contains(v) => {
                changed = changed.or(Some(*v));
            }
            _ => {}
        });
        let message = match changed {
            Some(v) => format!("this bound depends on `{}`, which the loops change", reader.unit.var(v).name),
            None => "this bound is not an affine expression of the counters and the sizes".into(),
        };
        let reason = Reason::new("not-affine", message, e.span);
        if !has_element {
            return reason;
        }
        reason.help(remedy!("copy the element to a variable before the loop"))
    })
}

/// `a < b ? a : b` as `a` and `b`, if it is the lesser (or, if not `least`, the greater) of them; also of more.
pub fn extremes(e: &Expr, least: bool, reader: &mut Reader) -> Option<Vec<Poly>> {
    let signed = |e: &Expr| matches!(e.ty, Type::Int(k) if !k.is_unsigned() || k.bits() < 32);
    let (c, a, b) = match &e.kind {
        ExprKind::Cond(c, a, b) => (c, a, b),
        ExprKind::Cast(inner) if signed(e) && signed(inner) && symbolic::bits(&e.ty) >= symbolic::bits(&inner.ty) => {
            return extremes(inner, least, reader);
        }
        _ => return Some(vec![affine(e, reader).ok()?]),
    };
    let ExprKind::Binary(op, x, y) = &c.kind else { return None };
    if ![a, b, x, y].into_iter().all(|e| signed(e)) {
        return None;
    }
    let (mut below, mut above) = (extremes(a, least, reader)?, extremes(b, least, reader)?);
    if let ([a], [b]) = (below.as_slice(), above.as_slice()) {
        let (x, y) = (reader.poly(x)?, reader.poly(y)?);
        // The first branch is taken where `d` is positive.
        let d = symbolic::margin(*op, &x, &y)?;
        let more = a.plus(b, -1)?;
        let fits = match least {
            true => more.plus(&d, 1)?.as_constant().is_some_and(|k| (0..=1).contains(&k)),
            false => more.plus(&d, -1)?.as_constant().is_some_and(|k| (-1..=0).contains(&k)),
        };
        fits.then_some(())?;
        if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
            return Some(vec![Poly::constant(if least { a.min(b) } else { a.max(b) })]);
        }
    } else {
        // Of more than two: the condition compares what the branches are.
        let less = match op {
            BinOp::Lt | BinOp::Le => true,
            BinOp::Gt | BinOp::Ge => false,
            _ => return None,
        };
        let first_is_lesser = match () {
            () if symbolic::same_expr(a, x) && symbolic::same_expr(b, y) => less,
            () if symbolic::same_expr(a, y) && symbolic::same_expr(b, x) => !less,
            () => return None,
        };
        (first_is_lesser == least).then_some(())?;
    }
    below.append(&mut above);
    Some(below)
}

/// The variable that a statement sets, and nothing else, with its value: `i = e` or `int i = e`. In the head of a loop, its counter
/// and what that begins with.
pub fn first_value(s: &Stmt) -> Option<(VarId, &Expr)> {
    match &s.kind {
        StmtKind::Expr(e) => plainly_assigned(e),
        StmtKind::Decl(ds) => match ds.as_slice() {
            [d] => Some((d.var, d.init.as_ref()?)),
            _ => None,
        },
        _ => None,
    }
}

fn constant(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Int(c) => Some(*c),
        ExprKind::Unary(crate::ast::UnOp::Neg, a) => constant(a)?.checked_neg(),
        ExprKind::Cast(a) => constant(a),
        _ => None,
    }
}

/// By how much an expression moves a variable: `i++`, `i -= 2`, `i = i + 3`, `i = 3 + i`.
pub fn step_of(e: &Expr, v: VarId) -> Option<i64> {
    let step = match &e.kind {
        ExprKind::IncDec { inc, target, .. } if target.is_var(v) => Some(if *inc { 1 } else { -1 }),
        _ => match step_by(e, v)? {
            (BinOp::Add, value) => constant(value),
            (_, value) => constant(value)?.checked_neg(),
        },
    }?;
    (step != 0 && step.abs() < 1 << 30).then_some(step)
}

/// Step that an expression adds to a variable, or takes from it: `i += s`, `i = i - s`.
pub fn step_by(e: &Expr, v: VarId) -> Option<(BinOp, &Expr)> {
    let ExprKind::Assign { op, target, value } = &e.kind else { return None };
    if !target.is_var(v) {
        return None;
    }
    match (op, &value.kind) {
        (Some(op @ (BinOp::Add | BinOp::Sub)), _) => Some((*op, value)),
        (None, ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b)) if a.is_var(v) => Some((*op, b)),
        (None, ExprKind::Binary(BinOp::Add, a, b)) if b.is_var(v) => Some((BinOp::Add, a)),
        _ => None,
    }
}

/// The exclusive limits in a condition: comparisons of the counter, joined by `&&`.
///
/// # Errors
/// The operand that is no limit of a counter that moves so.
pub fn limits_of(
    cond: &Expr,
    (v, first): (VarId, &Poly),
    step: i64,
    reader: &mut Reader,
    out: &mut Vec<Poly>,
) -> Result<(), Reason> {
    let ExprKind::Binary(op, a, b) = &cond.kind else {
        return Err(Reason::new("not-counted", "this condition is not a comparison of the loop's counter", cond.span));
    };
    if *op == BinOp::And {
        limits_of(a, (v, first), step, reader, out)?;
        return limits_of(b, (v, first), step, reader, out);
    }
    let (op, counter, bound) = match (is_counter(a, v), is_counter(b, v)) {
        (true, _) if !b.mentions(v) => (*op, a, b),
        (_, true) if !a.mentions(v) => (mirrored(*op), b, a),
        _ => return solved(cond, (v, first), step, reader, out),
    };
    let least = matches!((op, step > 0), (BinOp::Lt | BinOp::Le, true) | (BinOp::Gt | BinOp::Ge, false));
    if matches!(bound.kind, ExprKind::Cond(..))
        && least
        && let Some(bounds) = extremes(bound, step > 0, reader)
    {
        let by = i64::from(matches!(op, BinOp::Le)) - i64::from(matches!(op, BinOp::Ge));
        out.extend(bounds.iter().map(|p| shifted(p, by)));
        return Ok(());
    }
    let bound_poly = affine(bound, reader)?;
    // In unsigned arithmetic a negative counter or bound would be a huge one.
    if matches!(counter.ty, Type::Int(k) if k.is_unsigned()) || matches!(bound.ty, Type::Int(k) if k.is_unsigned()) {
        reader.obligations.push(bound_poly.clone());
        reader.obligations.push(Poly::sym(Sym::Counter(v)));
    }
    let limit = match (op, step > 0) {
        (BinOp::Lt, true) | (BinOp::Gt, false) => bound_poly,
        (BinOp::Le, true) => shifted(&bound_poly, 1),
        (BinOp::Ge, false) => shifted(&bound_poly, -1),
        (BinOp::Ne, _) if step.abs() == 1 => {
            // From beyond the bound the counter would have to wrap to reach it.
            let (from, to) = if step > 0 { (first, &bound_poly) } else { (&bound_poly, first) };
            if symbolic::wraps(&counter.ty) {
                reader.obligations.extend(to.plus(from, -1));
            }
            bound_poly
        }
        _ => {
            let message = "this condition does not stop a counter that moves this way";
            return Err(Reason::new("not-counted", message, cond.span));
        }
    };
    out.push(limit);
    Ok(())
}

/// The limit in a comparison of expressions that hold the counter: `c * i < rest`, with `c` a constant.
fn solved(
    cond: &Expr,
    (v, first): (VarId, &Poly),
    step: i64,
    reader: &mut Reader,
    out: &mut Vec<Poly>,
) -> Result<(), Reason> {
    let not = || Reason::new("not-counted", "this condition does not compare the loop's counter", cond.span);
    let ExprKind::Binary(op, a, b) = &cond.kind else { return Err(not()) };
    let (n_obligations, known) = (reader.obligations.len(), reader.counters.contains(&v));
    if !known {
        reader.counters.push(v);
    }
    let sides = reader.poly(a).zip(reader.poly(b));
    if !known {
        reader.counters.pop();
    }
    let (left, right) = sides.ok_or_else(not)?;
    let unsigned = |e: &Expr| matches!(e.ty, Type::Int(k) if k.is_unsigned() && k.bits() >= 32);
    if unsigned(a) || unsigned(b) {
        // A counter that passes its end by more than one may wrap there, unless only a number is added to it.
        let beside = left.plus(&Poly::sym(Sym::Counter(v)), -1).and_then(|p| p.as_constant());
        let is_sum = matches!(op, BinOp::Lt | BinOp::Le) && beside.is_some_and(|c| c >= 0) && !right.uses(v);
        if step.abs() != 1 && !is_sum {
            return Err(not());
        }
        reader.obligations.extend([left.clone(), right.clone()]);
    }
    // Where the body never runs, the condition was computed all the same.
    let at_first = BTreeMap::from([(v, first.clone())]);
    let new: Vec<Poly> = reader.obligations[n_obligations..].iter().filter_map(|p| p.with(&at_first)).collect();
    reader.obligations.extend(new);
    let (lesser, greater, or_equal) = match op {
        BinOp::Lt => (left, right, 0),
        BinOp::Le => (left, right, 1),
        BinOp::Gt => (right, left, 0),
        BinOp::Ge => (right, left, 1),
        _ => return Err(not()),
    };
    // `lesser < room`, where `room` is `greater` or one more: `rest - c * i` is positive.
    let room = greater.plus(&Poly::constant(or_equal), 1).and_then(|p| p.plus(&lesser, -1)).ok_or_else(not)?;
    let c = -room.coefficient(v);
    let rest = room.plus(&Poly::sym(Sym::Counter(v)), c).filter(|p| p.is_affine() && !p.uses(v)).ok_or_else(not)?;
    let limit = match (c, step > 0) {
        (0, _) => return Err(not()),
        (1.., true) | (..=-1, false) => {
            let inside = rest.plus(&Poly::constant(1), -1).ok_or_else(not)?;
            let most = if c.abs() == 1 { inside } else { Poly::sym(Sym::Floor(Box::new(inside), c.abs())) };
            // Counting down, `-c * i < rest` leaves `i > -(rest - 1) / -c - 1`.
            if c > 0 { shifted(&most, 1) } else { Poly::default().plus(&shifted(&most, 1), -1).ok_or_else(not)? }
        }
        _ => {
            let message = "this condition does not stop a counter that moves this way";
            return Err(Reason::new("not-counted", message, cond.span));
        }
    };
    out.push(limit);
    Ok(())
}

fn is_counter(e: &Expr, v: VarId) -> bool {
    match &e.kind {
        // A narrower type would wrap before the counter does.
        ExprKind::Cast(a) => symbolic::bits(&e.ty) >= symbolic::bits(&a.ty) && is_counter(a, v),
        _ => e.is_var(v),
    }
}

/// The comparison with its sides exchanged.
pub fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

fn shifted(p: &Poly, by: i64) -> Poly {
    p.plus(&Poly::constant(1), by).unwrap_or_default()
}
