//! Copies of structures with long arrays in them, member by member: an array by a loop over its elements.
//!
//! ```text
//! struct { double at[115]; int id; } *p, *q;      for (rt_at = 0; rt_at < 115; rt_at++) p[i].at[rt_at] = q[j].at[rt_at];
//! p[i] = q[j];                               ->   p[i].id = q[j].id;
//! ```
//! Those of few numbers are copied number by number ([`super::scalar_replacement`]).

use crate::ast::build::ast_builder::{assigned, counted, integer};
use crate::ast::build::typing;
use crate::ast::{Expr, ExprKind, Field, Stmt, Type, Unit};
use crate::facts::effects;
use crate::source::Span;

/// The copies of the members; `None` where one is anything else than a number, a structure, or an array of such, of a length that C
/// knows.
pub fn by_members(unit: &mut Unit, target: &Expr, value: &Expr, span: Span) -> Option<Vec<Stmt>> {
    let mut out = vec![];
    copy(unit, target, value, (span, 0), &mut out)?;
    Some(out)
}

/// Adds the copies of a part, in so many loops of ours, where the structure stands.
fn copy(unit: &mut Unit, target: &Expr, value: &Expr, (span, depth): (Span, usize), out: &mut Vec<Stmt>) -> Option<()> {
    match &target.ty {
        Type::Struct(id) => {
            let fields = unit.structs[id.0 as usize].fields.clone()?;
            fields.iter().try_for_each(|f| copy(unit, &member(target, f), &member(value, f), (span, depth), out))
        }
        Type::Array { len: Some(len), .. } => {
            let ExprKind::Int(len) = len.kind else { return None };
            let name = if depth == 0 { "rt_at".to_owned() } else { format!("rt_at{}", depth + 1) };
            let mut is_copied = None;
            let all = counted(unit, name, (integer(0, span), integer(len, span)), span, |unit, at| {
                let mut body = vec![];
                let (target, value) = (element(target, at), element(value, at));
                is_copied = copy(unit, &target, &value, (span, depth + 1), &mut body);
                body
            });
            out.push(all);
            is_copied
        }
        ty => {
            out.push(assigned(None, target, value.clone(), span));
            effects::is_scalar(ty).then_some(())
        }
    }
}

fn member(base: &Expr, field: &Field) -> Expr {
    let kind = ExprKind::Member { base: Box::new(base.clone()), field: field.name.clone(), arrow: false };
    Expr { kind, ty: field.ty.clone(), span: base.span }
}

fn element(array: &Expr, at: &Expr) -> Expr {
    let ty = typing::element(&array.ty);
    Expr { kind: ExprKind::Index(Box::new(array.clone()), Box::new(at.clone())), ty, span: array.span }
}
