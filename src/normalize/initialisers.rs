//! Arrays that a loop's body declares with their values: each element is set.
//!
//! ```text
//! double w[3] = {a, b};     ->     double w[3]; w[0] = a; w[1] = b; w[2] = 0;
//! ```
//! As C has it, elements without a value are zero (C11 6.7.9p21).

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, integer, plain};
use crate::ast::build::constant;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit};
use crate::facts::loops::is_loop;

/// The most elements that are set one by one.
const MOST: usize = 64;

/// Opens such declarations in the loops of a statement.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, &mut form.stmt, false);
}

fn inside(unit: &Unit, s: &mut Stmt, in_loop: bool) {
    let in_body = in_loop || is_loop(s);
    if let StmtKind::Block(list) = &mut s.kind
        && in_loop
    {
        *list = std::mem::take(list).into_iter().flat_map(|s| opened(unit, s)).collect();
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, s, in_body));
}

/// The declarations of a statement one by one, each array's followed by what sets its elements.
fn opened(unit: &Unit, s: Stmt) -> Vec<Stmt> {
    let StmtKind::Decl(ds) = &s.kind else { return vec![s] };
    let is_list = |init: &Option<Expr>| matches!(init, Some(Expr { kind: ExprKind::InitList(_), .. }));
    if !ds.iter().any(|d| is_list(&d.init)) {
        return vec![s];
    }
    let mut out = vec![];
    for d in ds {
        let var = unit.var(d.var);
        let mut sets = vec![];
        let is_array = matches!(var.ty, Type::Array { .. }) && var.storage == Storage::Local && is_list(&d.init);
        let mut d = d.clone();
        if is_array && set(unit.read(d.var, s.span), d.init.as_ref(), &mut sets).is_some() {
            d.init = None;
        } else {
            sets.clear();
        }
        out.push(plain(StmtKind::Decl(vec![d]), s.span));
        out.extend(sets);
    }
    out
}

/// Sets what stands at a place, element by element, if the values are written as the extents are.
fn set(target: Expr, value: Option<&Expr>, out: &mut Vec<Stmt>) -> Option<()> {
    let Type::Array { of, len } = &target.ty else {
        let value = match value.map(|e| &e.kind) {
            None => integer(0, target.span),
            Some(ExprKind::InitList(_)) => return None,
            Some(_) => value?.clone(),
        };
        out.push(assigned(None, &target, value, target.span));
        return (target.ty.is_scalar() && out.len() <= MOST).then_some(());
    };
    let n = constant::fold(len.as_deref()?)?;
    let values = match value.map(|e| &e.kind) {
        None => &[][..],
        Some(ExprKind::InitList(values)) => values,
        Some(_) => return None,
    };
    if n < i64::try_from(values.len()).ok()? {
        return None;
    }
    for k in 0..n {
        let (base, at) = (Box::new(target.clone()), Box::new(integer(k, target.span)));
        let element = Expr { kind: ExprKind::Index(base, at), ty: (**of).clone(), span: target.span };
        set(element, values.get(usize::try_from(k).ok()?), out)?;
    }
    Some(())
}
