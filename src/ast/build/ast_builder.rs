//! Builder of the typed C: constructors of statements and expressions that stand in no file.
//!
//! Rewrites make all that they write of these, so that each expression has the type that C gives it, in one place.

use super::typing;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::source::Span;
use crate::source::directive::DirectiveKind;

/// A statement without directives.
pub fn plain(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span, directives: vec![] }
}

/// An integer constant.
pub fn integer(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: Type::Int(IntKind::Int), span }
}

/// `a op b`, of the type that C gives it.
pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (typing::binary(op, &a.ty, &b.ty), a.span);
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}

/// `v = value`, as the declaration of `v`.
pub fn declared(var: VarId, value: Expr) -> Stmt {
    let span = value.span;
    plain(StmtKind::Decl(vec![Declarator { var, init: Some(value) }]), span)
}

/// A value as an assignment to that type converts it.
pub fn converted(e: &Expr, ty: &Type) -> Expr {
    match e.ty == *ty {
        true => e.clone(),
        false => Expr { kind: ExprKind::Cast(Box::new(e.clone())), ty: ty.clone(), span: e.span },
    }
}

/// `target op= value;`
pub fn assigned(op: Option<BinOp>, target: &Expr, value: Expr, span: Span) -> Stmt {
    plain(StmtKind::Expr(assignment(op, target, value, span)), span)
}

/// `target op= value`
pub fn assignment(op: Option<BinOp>, target: &Expr, value: Expr, span: Span) -> Expr {
    let kind = ExprKind::Assign { op, target: Box::new(target.clone()), value: Box::new(value) };
    Expr { kind, ty: target.ty.clone(), span }
}

/// `for (c = first; c < end; c++) { body(c) }`, with a counter of its own, of that name.
pub fn counted(
    unit: &mut Unit,
    counter: String,
    (first, end): (Expr, Expr),
    span: Span,
    body: impl FnOnce(&mut Unit, &Expr) -> Vec<Stmt>,
) -> Stmt {
    let ty = Type::Int(IntKind::Long);
    let counter = unit.add(Var::new(counter, ty.clone(), Storage::Local, span));
    let at = unit.read(counter, span);
    let body = Box::new(plain(StmtKind::Block(body(unit, &at)), span));
    let (low, high) = (Box::new(at.clone()), Box::new(end));
    let cond = Expr { kind: ExprKind::Binary(BinOp::Lt, low, high), ty: Type::Int(IntKind::Int), span };
    let step = ExprKind::IncDec { inc: true, prefix: false, target: Box::new(at) };
    let step = Expr { kind: step, ty, span };
    let init = Some(Box::new(declared(counter, first)));
    plain(StmtKind::For { init, cond: Some(cond), step: Some(step), body }, span)
}

/// Puts statements before and behind a loop, in its place; what directives say of the loop stays with it.
pub fn surround(s: &mut Stmt, before: Vec<Stmt>, behind: Vec<Stmt>) {
    let of_loop = s.directives.extract_if(.., |d| !matches!(d.kind, DirectiveKind::Shape { .. } | DirectiveKind::Host));
    let directives = of_loop.collect();
    let kind = std::mem::replace(&mut s.kind, StmtKind::Empty);
    let own = Stmt { kind, span: s.span, directives };
    s.kind = StmtKind::Block(before.into_iter().chain([own]).chain(behind).collect());
}
