//! Canonical places: one way to write a place in an array, of the many that C has.
//!
//! ```text
//! *p   *(p + k)   (p + k)[i]   (&p[k])[i]   ((double (*)[m])p)[i][j]   (*g).n   (&grid)->n
//! p[0]   p[k]      p[k + i]     p[k + i]              p[i*m + j]          g->n      grid.n
//!
//! ((double *)x)[k] of x[n][m]
//! x[0][k]
//! ```
//! Elements between two places of one array are a number: `&p[k] - (p + i)` is `k - i`.
//!
//! So a pointer that stands for a place (a parameter of an inlined call, `double *row = a + i * n`) is seen through by
//! putting its value where its name was: what comes out is a subscript of the array behind it.

use crate::ast::build::ast_builder::integer;
use crate::ast::build::typing;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Type, UnOp};
use crate::facts::arrays::{self, element_type};
use crate::facts::symbolic::same_expr;
use crate::source::Span;

const LONG: Type = Type::Int(IntKind::Long);

/// Writes every place in an expression that way.
pub fn tidy(e: &mut Expr) {
    e.rewrite(&mut |e| {
        let span = e.span;
        let taken = std::mem::replace(&mut e.kind, ExprKind::Int(0));
        let made = match taken {
            ExprKind::Unary(UnOp::Deref, p) if p.ty.is_pointer_like() => at(*p, integer(0, span), span),
            ExprKind::Index(base, index) if base.ty.is_pointer_like() => at(*base, *index, span),
            ExprKind::Unary(UnOp::AddrOf, x) => address(*x, &e.ty, span),
            ExprKind::Member { base, field, arrow } => member(*base, field, arrow, &e.ty, span),
            ExprKind::Cast(p) if is_same_pointer(&p.ty, &e.ty) => *p,
            ExprKind::Binary(BinOp::Sub, a, b) if a.ty.is_pointer_like() && b.ty.is_pointer_like() => between(&a, &b)
                .unwrap_or_else(|| Expr { kind: ExprKind::Binary(BinOp::Sub, a, b), ty: e.ty.clone(), span }),
            kind => Expr { kind, ty: e.ty.clone(), span },
        };
        *e = made;
    });
}

/// A place in an array: so many elements behind its base.
pub struct Place {
    pub base: Expr,
    pub elements: Expr,
}

impl Place {
    /// Takes a pointer apart.
    pub fn of(e: &Expr) -> Option<Place> {
        let (inner, elements, op) = match &e.kind {
            ExprKind::Binary(BinOp::Add, p, k) if p.ty.is_pointer_like() => (p, k, BinOp::Add),
            ExprKind::Binary(BinOp::Add, k, p) if p.ty.is_pointer_like() => (p, k, BinOp::Add),
            ExprKind::Binary(BinOp::Sub, p, k) if p.ty.is_pointer_like() && k.ty.is_scalar() => (p, k, BinOp::Sub),
            ExprKind::Unary(UnOp::AddrOf, x) => match &x.kind {
                ExprKind::Index(base, k) if base.ty.is_pointer_like() => (base, k, BinOp::Add),
                _ => return None,
            },
            _ => return Some(Place { base: e.clone(), elements: integer(0, e.span) }),
        };
        if typing::element(&inner.ty) != typing::element(&e.ty) {
            return None;
        }
        let Place { base, elements: before } = Place::of(inner)?;
        let elements = match op {
            BinOp::Add => sum(before, (**elements).clone()),
            _ => combined(op, before, (**elements).clone()),
        };
        Some(Place { base, elements })
    }
}

/// `a - b` of two places of one array.
fn between(a: &Expr, b: &Expr) -> Option<Expr> {
    let (a, b) = (Place::of(a)?, Place::of(b)?);
    let elements = || if is_zero(&b.elements) { a.elements } else { combined(BinOp::Sub, a.elements, b.elements) };
    same_expr(&a.base, &b.base).then(elements)
}

/// `base[index]`.
fn at(base: Expr, index: Expr, span: Span) -> Expr {
    match base.kind {
        ExprKind::Binary(BinOp::Add, p, k) if p.ty.is_pointer_like() => at(*p, sum(*k, index), span),
        ExprKind::Binary(BinOp::Add, k, p) if p.ty.is_pointer_like() => at(*p, sum(*k, index), span),
        ExprKind::Binary(BinOp::Sub, p, k) if p.ty.is_pointer_like() && k.ty.is_scalar() => {
            at(*p, combined(BinOp::Sub, index, *k), span)
        }
        ExprKind::Unary(UnOp::AddrOf, x) if matches!(x.kind, ExprKind::Index(..)) => match x.kind {
            ExprKind::Index(inner, k) => at(*inner, sum(*k, index), span),
            _ => unreachable!("matched before"),
        },
        ExprKind::Unary(UnOp::AddrOf, x) if is_zero(&index) => *x,
        ExprKind::Cast(p) if is_of_rows(&p.ty, &base.ty) => at(as_row(*p, &base.ty), index, span),
        _ => {
            let ty = typing::element(&base.ty);
            let element = Expr { kind: ExprKind::Index(Box::new(base), Box::new(index)), ty, span };
            if element.ty.is_scalar() { flattened(&element).unwrap_or(element) } else { element }
        }
    }
}

/// The first row of an array of rows that is taken for one row of all elements, as by `double *`; else what it was.
pub fn as_row(mut e: Expr, ty: &Type) -> Expr {
    while is_of_rows(&e.ty, ty) {
        let (of, span) = (typing::element(&e.ty), e.span);
        e = Expr { kind: ExprKind::Index(Box::new(e), Box::new(integer(0, span))), ty: of, span };
    }
    e
}

/// Test for an array of rows, of the elements that a pointer leads to.
fn is_of_rows(ty: &Type, pointer: &Type) -> bool {
    let is_same = || arrays::rank(pointer) == Some(1) && element_type(ty) == element_type(pointer);
    matches!(typing::element(ty), Type::Array { .. }) && is_same()
}

/// `((double (*)[m])p)[i][j]` as `p[i*m + j]`, if it is that.
fn flattened(element: &Expr) -> Option<Expr> {
    let mut subscripts = vec![];
    let mut base = element;
    while let ExprKind::Index(inner, index) = &base.kind {
        subscripts.insert(0, index);
        base = inner;
    }
    let ExprKind::Cast(p) = &base.kind else { return None };
    let is_flat = arrays::rank(&p.ty) == Some(1) && element_type(&p.ty) == element_type(&base.ty);
    if !is_flat || arrays::rank(&base.ty) != Some(subscripts.len()) || subscripts.len() < 2 {
        return None;
    }
    let mut row = typing::element(&base.ty);
    let mut flat = (**subscripts[0]).clone();
    for s in &subscripts[1..] {
        let Type::Array { of, len: Some(len) } = row else { return None };
        flat = sum(combined(BinOp::Mul, flat, *len), (***s).clone());
        row = *of;
    }
    Some(at((**p).clone(), flat, element.span))
}

/// `&x`.
fn address(x: Expr, ty: &Type, span: Span) -> Expr {
    match x.kind {
        ExprKind::Index(base, index) if is_zero(&index) => *base,
        _ => Expr { kind: ExprKind::Unary(UnOp::AddrOf, Box::new(x)), ty: ty.clone(), span },
    }
}

/// `base.field` or `base->field`.
fn member(base: Expr, field: String, arrow: bool, ty: &Type, span: Span) -> Expr {
    let (base, arrow) = match (base.kind, arrow) {
        (ExprKind::Unary(UnOp::AddrOf, x), true) => (*x, false),
        (kind @ ExprKind::Binary(BinOp::Add | BinOp::Sub, ..), true) => {
            (at(Expr { kind, ty: base.ty, span: base.span }, integer(0, span), span), false)
        }
        (ExprKind::Index(p, i), false) if is_zero(&i) && matches!(p.ty, Type::Pointer { .. }) => (*p, true),
        (kind, arrow) => (Expr { kind, ty: base.ty, span: base.span }, arrow),
    };
    Expr { kind: ExprKind::Member { base: Box::new(base), field, arrow }, ty: ty.clone(), span }
}

/// Test that a cast between pointers changes nothing but qualifiers.
fn is_same_pointer(from: &Type, to: &Type) -> bool {
    let (Type::Pointer { to, .. }, true) = (to, from.is_pointer_like()) else { return false };
    let from = typing::element(from);
    match (&from, &**to) {
        (Type::Pointer { .. }, Type::Pointer { .. }) => is_same_pointer(&from, to),
        (from, to) => from == to,
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(0))
}

fn sum(a: Expr, b: Expr) -> Expr {
    match (&a.kind, &b.kind) {
        (ExprKind::Int(0), _) => b,
        (_, ExprKind::Int(0)) => a,
        _ => combined(BinOp::Add, a, b),
    }
}

/// `a op b` in the width of addresses.
fn combined(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let wide = |e: Expr| match (&e.kind, &e.ty) {
        (ExprKind::Int(_), _) | (_, Type::Int(IntKind::Long)) => e,
        _ => Expr { ty: LONG, span: e.span, kind: ExprKind::Cast(Box::new(e)) },
    };
    Expr { kind: ExprKind::Binary(op, Box::new(wide(a)), Box::new(wide(b))), ty: LONG, span }
}
