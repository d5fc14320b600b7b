//! Statements that both branches of a condition make, as one of a chosen value.
//!
//! ```text
//! if (j % 2 == 0) { red[i, j] = above; blue[i, j] = beside } if (j % 2 != 0) { red[i, j] = corners; blue[i, j] = a[i, j] }
//! ->
//! red[i, j] = j % 2 == 0 ? above : corners; blue[i, j] = j % 2 == 0 ? beside : a[i, j]
//! ```
//! All lanes of a warp so store together, and neighbours as vectors. Of `if (v > 255) { v = 255 }` the other branch leaves the
//! variable as it is. Right where nothing that the branches write decides which of them runs, once it has been written, and where a
//! choice between two values is of their own type. (If-conversion: Allen, Kennedy, Porterfield and
//! Warren, POPL 1983.)

use crate::kernel::types::Types;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, UnaryOp};

/// Numbers from 0 to below this are the same in every type.
const IN_EVERY_TYPE: i64 = 128;

/// A body with such statements joined. `types` are those of what it does not declare.
pub fn joined(body: &[Stmt], mut types: Types) -> Vec<Stmt> {
    types.declare_in(body);
    level(body, &types)
}

fn level(body: &[Stmt], types: &Types) -> Vec<Stmt> {
    let mut out: Vec<Stmt> = vec![];
    let has_value = |out: &[Stmt], name: &str| {
        out.iter().any(|s| matches!(&s.kind, StmtKind::Let { var, init: Some(_), .. } if var == name))
    };
    for s in body {
        let mut s = s.clone();
        s.bodies_mut().into_iter().for_each(|inside| *inside = level(inside, types));
        if let StmtKind::If { then, other, .. } = &mut s.kind
            && other.is_empty()
            && then.iter().all(|s| matches!(&s.kind, StmtKind::Assign { var, op: None, .. } if has_value(&out, var)))
        {
            *other = then.iter().map(unchanged).collect();
        }
        let both = match (out.last().map(|x| &x.kind), &s.kind) {
            (_, StmtKind::If { cond, then, other }) if !other.is_empty() => Some((false, cond, then, other)),
            (Some(StmtKind::If { cond, then, other: none }), StmtKind::If { cond: not, then: other, .. })
                if none.is_empty() && are_opposite(cond, not, types) =>
            {
                Some((true, cond, then, other))
            }
            _ => None,
        };
        match both.and_then(|(two, cond, then, other)| Some((two, chosen((cond, two), then, other, types)?))) {
            Some((two, all)) => {
                out.truncate(out.len() - usize::from(two));
                out.extend(all);
            }
            None => out.push(s),
        }
    }
    out
}

/// An assignment that leaves its variable as it is.
fn unchanged(s: &Stmt) -> Stmt {
    let mut out = s.clone();
    if let StmtKind::Assign { var, value, .. } = &mut out.kind {
        *value = Expr::Var(var.clone());
    }
    out
}

/// Test that of two conditions one holds. Of comparisons with what is no number none may.
fn are_opposite(x: &Expr, y: &Expr, types: &Types) -> bool {
    let is_not = |x: &Expr, y: &Expr| matches!(x, Expr::Unary(UnaryOp::Not, x) if **x == *y);
    let is_other = |ty: ScalarType| matches!(ty, ScalarType::Float(_));
    let has_others = x.any(&mut |e| match e {
        Expr::Float(_) | Expr::Call(..) => true,
        Expr::Cast(ty, _) => is_other(*ty),
        Expr::Load(Access { array: name, .. }) => types.get(name).is_none_or(is_other),
        Expr::Var(name) => types.get(name).is_some_and(is_other),
        _ => false,
    });
    is_not(x, y) || is_not(y, x) || !has_others && x.negated().is_some_and(|x| x == *y)
}

/// Statements of both branches by their pairs; `None` where they are no such pairs. Two conditions are asked one after the other.
fn chosen((cond, two): (&Expr, bool), then: &[Stmt], other: &[Stmt], types: &Types) -> Option<Vec<Stmt>> {
    let is_written = |e: &Expr| match e {
        Expr::Load(x) => then.iter().any(|s| written(s).is_some_and(|(name, _)| name == x.array)),
        Expr::Var(x) => then.iter().any(|s| written(s).is_some_and(|(name, _)| name == x)),
        Expr::Call(..) => true,
        _ => false,
    };
    let is_asked_once = then.len() == 1 && !two;
    if then.is_empty() || then.len() != other.len() || !is_asked_once && cond.any(&mut |e| is_written(e)) {
        return None;
    }
    then.iter().zip(other).map(|(x, y)| pair(cond, x, y, types)).collect()
}

/// Target that a statement writes, and where in it.
fn written(s: &Stmt) -> Option<(&str, &[Expr])> {
    match &s.kind {
        StmtKind::Store { target: Access { array, index }, .. } => Some((array, index)),
        StmtKind::Assign { var, .. } => Some((var, &[])),
        _ => None,
    }
}

/// One statement for two that write the same.
fn pair(cond: &Expr, x: &Stmt, y: &Stmt, types: &Types) -> Option<Stmt> {
    if written(x)? != written(y)? {
        return None;
    }
    let mut out = x.clone();
    let (StmtKind::Store { op, value, .. } | StmtKind::Assign { op, value, .. }) = &mut out.kind else { return None };
    let (StmtKind::Store { op: too, value: other, .. } | StmtKind::Assign { op: too, value: other, .. }) = &y.kind
    else {
        return None;
    };
    if op != too || !are_alike(value, other, types) {
        return None;
    }
    *value = Expr::Cond(Box::new(cond.clone()), Box::new(value.clone()), Box::new(other.clone()));
    Some(out)
}

/// Test that a choice between two values converts neither of them, but for numbers that every type has.
fn are_alike(x: &Expr, y: &Expr, types: &Types) -> bool {
    let is_exact = |e: &Expr| matches!(e, Expr::Int(n) if (0..IN_EVERY_TYPE).contains(n));
    let (of_x, of_y) = (types.value(x), types.value(y));
    of_x.is_some() && of_y.is_some() && (of_x == of_y || is_exact(x) || is_exact(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{BinOp, FloatKind, IntKind};

    /// A comparison with 1 of a variable of that type.
    fn opposite(op: BinOp, other: BinOp, ty: ScalarType) -> bool {
        let compared = |op| Expr::Binary(op, Expr::Var("x".into()).into(), Expr::Int(1).into());
        are_opposite(&compared(op), &compared(other), &Types::from_iter([("x".into(), ty)]))
    }

    #[test]
    fn of_comparisons_with_no_number_none_may_hold() {
        let (int, float) = (ScalarType::Int(IntKind::Int), ScalarType::Float(FloatKind::Double));
        assert!(opposite(BinOp::Gt, BinOp::Le, int));
        assert!(!opposite(BinOp::Gt, BinOp::Le, float));
        assert!(!opposite(BinOp::Gt, BinOp::Lt, int));
    }
}
