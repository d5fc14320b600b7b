//! Values of an iteration, computed where they are used instead of once before.
//!
//! ```text
//! for (k...) {                                for (k...)
//!     double f = a[i][k];                         for (j...)
//!     for (j...)                     ->               c[i][j] += a[i][k] * b[k][j];
//!         c[i][j] += f * b[k][j];
//! }
//! ```
//! The loops are nested perfectly then, and may be interchanged; nothing has to be kept for each iteration. A value goes
//! forward if it is short, no part of it changes up to its last use, and nobody else sees the variable. (Forward
//! substitution: Allen and Kennedy, Optimizing Compilers for Modern Architectures, section 4.3.)

use super::values::{Changes, Values, put_in};
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::region::effects;
use crate::region::parts::has_loop;
use crate::source::Span;

/// Operations, but for those of subscripts, that a value may have.
const MAX_OPERATIONS: usize = 2;

/// Puts values forward in every loop of a statement.
pub fn open(unit: &Unit, f: &Function, s: &mut Stmt) {
    let whole = s.clone();
    inside(unit, f, &whole, s);
}

fn inside(unit: &Unit, f: &Function, whole: &Stmt, s: &mut Stmt) {
    if let StmtKind::For { body, .. } = &mut s.kind
        && let StmtKind::Block(list) = &mut body.kind
    {
        body_of(unit, f, whole, list);
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, f, whole, s));
}

fn body_of(unit: &Unit, f: &Function, whole: &Stmt, list: &mut Vec<Stmt>) {
    let mut at = 0;
    while at < list.len() {
        let (before, rest) = list.split_at_mut(at);
        let (here, rest) = rest.split_first_mut().expect("`at` is inside");
        match forward(unit, f, whole, (before, here, rest)) {
            Some((v, value)) => {
                let values = Values::from([(v, value)]);
                rest.iter_mut().for_each(|s| put_in(s, &values));
                list.remove(at);
            }
            None => at += 1,
        }
    }
}

/// The variable that a statement sets, and the value that may stand in its place in all the rest.
fn forward(
    unit: &Unit,
    f: &Function,
    whole: &Stmt,
    (before, here, rest): (&[Stmt], &Stmt, &[Stmt]),
) -> Option<(VarId, Expr)> {
    let (v, value) = match &here.kind {
        StmtKind::Decl(ds) => match ds.as_slice() {
            [d] => (d.var, d.init.as_ref()?),
            _ => return None,
        },
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
            ExprKind::Var(v) if is_of_these(f, whole, v, (before, here, rest)) => (v, &**value),
            _ => return None,
        },
        _ => return None,
    };
    let var = unit.var(v);
    let is_number =
        matches!(var.ty, Type::Int(_) | Type::Float(_)) && matches!(value.ty, Type::Int(_) | Type::Float(_));
    if !is_number || var.storage != Storage::Local && var.storage != Storage::Param || var.is_volatile {
        return None;
    }
    let is_used_in_loop = rest.iter().any(|s| has_loop(s) && effects::mentioned([s]).contains(&v));
    let changes = Changes::of(rest);
    if !is_used_in_loop || changes.assigned.contains(&v) || !changes.keep(unit, value) || !is_short(value) {
        return None;
    }
    let is_same = var.ty == value.ty;
    let cast = |e: &Expr| Expr { kind: ExprKind::Cast(Box::new(e.clone())), ty: var.ty.clone(), span: e.span };
    Some((v, if is_same { value.clone() } else { cast(value) }))
}

/// Whether nobody but these statements of one iteration mentions a variable, and `here` is the first.
fn is_of_these(f: &Function, whole: &Stmt, v: VarId, (before, here, rest): (&[Stmt], &Stmt, &[Stmt])) -> bool {
    let here_and_behind = effects::places([here], v).len() + effects::places(rest, v).len();
    let is_outside = |s: &Span| s.lo < whole.span.lo || s.hi > whole.span.hi;
    effects::places(before, v).is_empty()
        && effects::places([here], v).len() == 1
        && effects::places([whole], v).len() == here_and_behind
        && !effects::places([&f.body], v).iter().any(is_outside)
}

/// Whether a value is computed by few operations, none of them long.
fn is_short(e: &Expr) -> bool {
    fn count(e: &Expr) -> Option<usize> {
        let sum = |es: &[&Expr]| es.iter().map(|e| count(e)).sum::<Option<usize>>();
        match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Var(_)
            | ExprKind::Index(..)
            | ExprKind::Member { .. } => Some(0),
            ExprKind::Cast(x) => count(x),
            ExprKind::Unary(UnOp::Neg | UnOp::Plus, x) => count(x),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => Some(1 + sum(&[&**a, &**b])?),
            _ => None,
        }
    }
    count(e).is_some_and(|n| n <= MAX_OPERATIONS)
}
