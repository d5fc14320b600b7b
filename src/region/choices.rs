//! Elements that a condition chooses: the choice is taken out of their subscripts.
//!
//! ```text
//! u[x == 0 ? c : c - 1]      ->      x == 0 ? u[c] : u[c - 1]
//! ```
//! Each element then has subscripts that the counters tell, and the condition says where it is read. What is written
//! keeps its subscripts.

use crate::ast::{BinOp, Expr, ExprKind, Stmt, UnOp};

/// How many elements one may become.
const MAX_ELEMENTS: usize = 16;

/// Takes choices out of the subscripts of what a statement reads, but for those that are one value (`is_one`).
pub fn open(s: &mut Stmt, is_one: &mut dyn FnMut(&Expr) -> bool) {
    s.exprs_mut(&mut |e| inside(e, false, is_one));
}

/// `is_place`: what the expression names is written, or is only on the way to an element.
fn inside(e: &mut Expr, is_place: bool, is_one: &mut dyn FnMut(&Expr) -> bool) {
    match &mut e.kind {
        ExprKind::Assign { target, value, .. } => {
            inside(target, true, is_one);
            inside(value, false, is_one);
        }
        ExprKind::IncDec { target, .. } | ExprKind::Unary(UnOp::AddrOf, target) => inside(target, true, is_one),
        ExprKind::Index(base, index) => {
            inside(base, true, is_one);
            inside(index, false, is_one);
        }
        ExprKind::Member { base, .. } => inside(base, true, is_one),
        _ => e.children_mut().into_iter().for_each(|x| inside(x, false, is_one)),
    }
    if !is_place && e.ty.is_scalar() && matches!(e.kind, ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _)) {
        *e = opened(e, MAX_ELEMENTS, is_one);
    }
}

/// The choice between so many elements that an element is, as far as it is one.
fn opened(e: &Expr, most: usize, is_one: &mut dyn FnMut(&Expr) -> bool) -> Expr {
    let mut with = |first: bool| {
        let mut out = e.clone();
        let choice = choice(&mut out, false, is_one)?;
        let ExprKind::Cond(c, a, b) = std::mem::replace(&mut choice.kind, ExprKind::Int(0)) else { return None };
        let value = if first { a } else { b };
        choice.kind = if value.ty == choice.ty { value.kind } else { ExprKind::Cast(value) };
        Some((c, Box::new(opened(&out, most / 2, is_one))))
    };
    let parts = if most > 1 { with(true).zip(with(false)) } else { None };
    match parts {
        Some(((c, a), (_, b))) => Expr { kind: ExprKind::Cond(c, a, b), ty: e.ty.clone(), span: e.span },
        None => e.clone(),
    }
}

/// The first choice in the subscripts of an element.
fn choice<'e>(e: &'e mut Expr, is_subscript: bool, is_one: &mut dyn FnMut(&Expr) -> bool) -> Option<&'e mut Expr> {
    if is_subscript && matches!(e.kind, ExprKind::Cond(..)) && !is_one(e) {
        return Some(e);
    }
    let are_subscripts: &[bool] = match (&e.kind, is_subscript) {
        (ExprKind::Index(..), false) => &[false, true],
        (ExprKind::Binary(BinOp::Add, ..), false) if e.ty.is_pointer_like() => &[false, true],
        (ExprKind::Unary(UnOp::Deref, _), false) => &[false],
        (ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..), true) => &[true, true],
        (ExprKind::Unary(UnOp::Neg | UnOp::Plus, _) | ExprKind::Cast(_), true) => &[true],
        _ => &[],
    };
    e.children_mut().into_iter().zip(are_subscripts).find_map(|(x, is_subscript)| choice(x, *is_subscript, is_one))
}
