//! The header of a `for` loop, in whatever shape C allows: counter, first value, limits, step.

use super::Reason;
use super::symbolic::{self, Poly, Reader};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::source::Span;

/// A header that counts.
pub struct Header {
    pub var: VarId,
    pub first: Poly,
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

/// Reads a header, or says why the loop is not a counted one with affine bounds.
pub fn read(f: &For, reader: &mut Reader) -> Result<Header, Reason> {
    let not = |what: &str| Reason::new("not-counted", format!("this loop is not a counted one: {what}"), f.span);
    let (var, first) = f.init.and_then(first_value).ok_or_else(|| not("its first part does not set one counter"))?;
    let step = f.step.and_then(|e| step_of(e, var)).ok_or_else(|| not("its counter does not move by a constant"))?;
    let cond = f.cond.ok_or_else(|| not("it has no condition"))?;
    let affine = |e: &Expr| {
        Reason::new("not-affine", "this bound is not an affine expression of the counters and the sizes", e.span)
    };
    let first = reader.poly(first).filter(Poly::is_affine).ok_or_else(|| affine(first))?;
    let mut limits = Vec::new();
    limits_of(cond, (var, &first), step, reader, &mut limits)?;
    if limits.iter().any(|l| l.uses(var)) {
        return Err(not("its bound depends on its own counter"));
    }
    Ok(Header { var, first, limits, step })
}

/// `i = e` or `int i = e`.
fn first_value(init: &Stmt) -> Option<(VarId, &Expr)> {
    match &init.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
            ExprKind::Var(v) => Some((v, value)),
            _ => None,
        },
        StmtKind::Decl(ds) => match ds.as_slice() {
            [d] => Some((d.var, d.init.as_ref()?)),
            _ => None,
        },
        _ => None,
    }
}

fn is_var(e: &Expr, v: VarId) -> bool {
    matches!(e.kind, ExprKind::Var(x) if x == v)
}

fn constant(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Int(c) => Some(*c),
        ExprKind::Unary(crate::ast::UnOp::Neg, a) => constant(a)?.checked_neg(),
        ExprKind::Cast(a) => constant(a),
        _ => None,
    }
}

/// `i++`, `i -= 2`, `i = i + 3`, `i = 3 + i`.
fn step_of(e: &Expr, v: VarId) -> Option<i64> {
    let step = match &e.kind {
        ExprKind::IncDec { inc, target, .. } if is_var(target, v) => Some(if *inc { 1 } else { -1 }),
        ExprKind::Assign { op: Some(BinOp::Add), target, value } if is_var(target, v) => constant(value),
        ExprKind::Assign { op: Some(BinOp::Sub), target, value } if is_var(target, v) => constant(value)?.checked_neg(),
        ExprKind::Assign { op: None, target, value } if is_var(target, v) => match &value.kind {
            ExprKind::Binary(BinOp::Add, a, b) if is_var(a, v) => constant(b),
            ExprKind::Binary(BinOp::Add, a, b) if is_var(b, v) => constant(a),
            ExprKind::Binary(BinOp::Sub, a, b) if is_var(a, v) => constant(b)?.checked_neg(),
            _ => None,
        },
        _ => None,
    }?;
    (step != 0 && step.abs() < 1 << 30).then_some(step)
}

/// The exclusive limits in a condition: comparisons of the counter, joined by `&&`.
fn limits_of(
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
    let (op, counter, bound) = if is_counter(a, v) { (*op, a, b) } else { (mirrored(*op), b, a) };
    if !is_counter(counter, v) {
        return Err(Reason::new("not-counted", "this condition does not compare the loop's counter", cond.span));
    }
    let bound_poly = reader.poly(bound).filter(Poly::is_affine).ok_or_else(|| {
        Reason::new("not-affine", "this bound is not an affine expression of the counters and the sizes", bound.span)
    })?;
    // In unsigned arithmetic a negative counter or bound would be a huge one.
    if matches!(counter.ty, Type::Int(k) if k.is_unsigned()) || matches!(bound.ty, Type::Int(k) if k.is_unsigned()) {
        reader.obligations.push(bound_poly.clone());
        reader.obligations.push(Poly::sym(super::symbolic::Sym::Counter(v)));
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

fn is_counter(e: &Expr, v: VarId) -> bool {
    match &e.kind {
        // A narrower type would wrap before the counter does.
        ExprKind::Cast(a) => symbolic::bits(&e.ty) >= symbolic::bits(&a.ty) && is_counter(a, v),
        _ => is_var(e, v),
    }
}

fn mirrored(op: BinOp) -> BinOp {
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
