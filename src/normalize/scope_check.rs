//! Scope check: names of a form, which have to mean the same where the statement stands in the file: there the call of the
//! converted region will name them.

use super::arrays_in_structures::Members;
use super::form::{Context, Form};
use crate::ast::build::ast_builder::assigned;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, Storage, Unit, VarId};
use crate::facts::{effects, elements};

/// Gives a form up that names something else, or sets such behind it.
pub fn check(form: &mut Form<'_>, context: &mut Context<'_>) {
    let known = context.facts.visible_at(context.unit, form.written.span);
    let are_known = |s: &Stmt| names_are_known(context.unit, form.written, s, &known, context.members);
    let mut set_behind = form.ends.iter().map(|end| assigned(None, &end.place, end.place.clone(), form.written.span));
    let functions_are_known = functions(&form.stmt).iter().all(|name| {
        let around = &context.facts.function.name;
        is_function_known(context.unit, around, form.written, &known, name)
    });
    if !functions_are_known || !are_known(&form.stmt) || !set_behind.all(|s| are_known(&s)) {
        form.give_up();
        elements::note(context.unit, form.written);
    }
}

/// Functions whose addresses a statement names.
fn functions(s: &Stmt) -> Vec<&str> {
    let mut out = vec![];
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Function(name), .. }) = piece {
            out.push(name.as_str());
        }
    });
    out
}

/// Test that the call site of a statement, in the function `around`, can name a function.
fn is_function_known(unit: &Unit, around: &str, written: &Stmt, known: &[VarId], name: &str) -> bool {
    let is_declared = unit.addresses.prototypes.get(name).is_some_and(|first| first.at.hi <= written.span.lo);
    let is_hidden = known.iter().any(|v| unit.var(*v).name == name);
    let will_be = || unit.addresses.forward.contains(&(around.to_owned(), name.to_owned()));
    !is_hidden && (is_declared || will_be())
}

/// Test that what `plain` names is what those names mean where the statement `written` stands; `known` are the variables that
/// are visible there.
fn names_are_known(unit: &Unit, written: &Stmt, plain: &Stmt, known: &[VarId], members: &Members) -> bool {
    let own = effects::declared([plain]);
    let before = effects::mentioned([written]);
    let is_meant = |v: VarId| {
        let var = unit.var(v);
        let named = known.iter().rfind(|x| unit.var(**x).name == var.name);
        let is_declared = var.storage != Storage::Global || var.span.hi <= written.span.lo;
        before.contains(&v) || (named == Some(&v) && is_declared)
    };
    let named = effects::mentioned([plain]).into_iter().filter(|v| !own.contains(v));
    let roots = |v: VarId| match (members.list.get(&v), unit.begin(v)) {
        (Some(e), _) => e.root().into_iter().collect(),
        (_, Some(begin)) => effects::variables(&begin.first).into_iter().collect(),
        _ => vec![v],
    };
    named.flat_map(roots).all(is_meant)
}
