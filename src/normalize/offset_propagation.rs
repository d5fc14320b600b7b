//! Offset propagation: numbers that a function sets once, to where an array's interior begins, seen in subscripts.
//!
//! ```text
//! start = 2 * w + 2;                            start = 2 * w + 2;
//! for (i...)                                    for (i...)
//!     for (j...)                        ->          for (j...)
//!         p[start + i*w + j] = 0;                       p[2*w + 2 + i*w + j] = 0;
//! ```
//! Only in the sum the rows before the interior are seen to be rows: a number of which nothing is known would be taken for a column.
//! The value goes to where the rows are as long as in it, if it is computed of what the function does not change any more, by a
//! statement that each way to the loop passes. (Forward substitution across statements: Allen and Kennedy, Optimizing Compilers for
//! Modern Architectures, section 4.3.)

use super::form::{Context, Form};
use super::substitution::{Values, put};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use std::collections::BTreeSet;

/// Puts the values of offsets into the subscripts of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if !form.has_loop() || !context.facts.is_modelled() {
        return;
    }
    let (unit, facts, at) = (&*context.unit, context.facts, form.written.span);
    let changing = &*form.assigned() | &form.declared();
    let visible = facts.visible_at(unit, at);
    let is_meant = |v: VarId| {
        let named = visible.iter().rfind(|x| unit.var(**x).name == unit.var(v).name);
        named == Some(&v) && !changing.contains(&v)
    };
    let mut values = Values::new();
    for v in form.mentioned().iter().filter(|v| !changing.contains(v)) {
        let value = definition(unit, facts, *v, at.lo);
        values.extend(value.filter(|e| effects::variables(e).into_iter().all(is_meant)).map(|e| (*v, e)));
    }
    let mut seen = BTreeSet::new();
    form.stmt.exprs(&mut |e| e.walk(&mut |e| seen.extend(offsets(e, &values))));
    if !seen.is_empty() {
        form.stmt.exprs_mut(&mut |e| in_subscripts(e, &values, &seen));
    }
}

/// Arrays with the offsets that some subscript of theirs is a sum of rows with: one array is seen in the same rows all over.
type Offsets = BTreeSet<(Option<VarId>, VarId)>;

/// The offsets of a subscript whose rows are as long as in the value.
fn offsets(e: &Expr, values: &Values) -> Offsets {
    let ExprKind::Index(_, at) = &e.kind else { return Offsets::new() };
    let lengths = factors(at);
    let has_lengths = |(v, value): &(&VarId, &Expr)| at.mentions(**v) && factors(value).is_subset(&lengths);
    values.iter().filter(has_lengths).map(|(v, _)| (e.root(), *v)).collect()
}

fn in_subscripts(e: &mut Expr, values: &Values, seen: &Offsets) {
    let array = e.root();
    if let ExprKind::Index(_, at) = &mut e.kind {
        let own = values.iter().filter(|(v, _)| seen.contains(&(array, **v)));
        put(at, &own.map(|(v, value)| (*v, value.clone())).collect());
    }
    e.children_mut().into_iter().for_each(|e| in_subscripts(e, values, seen));
}

/// Value that a function of its own gives a number once, on each way to a place behind, if it has the same value there.
fn definition(unit: &Unit, facts: &FunctionFacts, v: VarId, place: u32) -> Option<Expr> {
    let is_own = |v: VarId| {
        let var = unit.var(v);
        let is_known = !facts.addresses().contains(&v) && !facts.function.obscure.contains(&v);
        let is_local = is_known && matches!(var.storage, Storage::Local | Storage::Param);
        is_local && !var.is_volatile && matches!(var.ty, Type::Int(kind) if kind.bits() >= 32 && !kind.is_unsigned())
    };
    if !is_own(v) || unit.var(v).storage != Storage::Local {
        return None;
    }
    let mut body = facts.function.body.listed().iter().take_while(|s| s.span.hi <= place);
    let (s, value) = body.find_map(|s| Some((s, set_to(s, v)?)))?;
    let is_expr = matches!(s.kind, StmtKind::Expr(_));
    let is_once =
        facts.assignments(v).iter().all(|at| is_expr && s.span.contains(*at)) && facts.assignments(v).len() < 2;
    let is_before = |u: &VarId| facts.assignments(*u).iter().all(|at| *at < s.span.lo);
    let is_kept = || effects::variables(value).iter().all(|u| *u != v && is_own(*u) && is_before(u));
    let is_offset = is_sum(value) && value.ty == unit.var(v).ty && !factors(value).is_empty();
    (is_once && is_offset && is_kept()).then(|| value.clone())
}

/// The value that a statement sets a variable to, and does nothing else with it.
fn set_to(s: &Stmt, v: VarId) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Expr(e) => effects::plainly_assigned(e).filter(|(set, _)| *set == v).map(|(_, value)| value),
        StmtKind::Decl(ds) => ds.iter().find(|d| d.var == v)?.init.as_ref(),
        _ => None,
    }
}

/// The variables that something is multiplied by.
fn factors(e: &Expr) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    e.walk(&mut |e| {
        if matches!(e.kind, ExprKind::Binary(BinOp::Mul, ..)) {
            out.extend(effects::variables(e));
        }
    });
    out
}

/// Test for sums and products of variables and numbers of one type.
fn is_sum(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, a, b) => a.ty == b.ty && is_sum(a) && is_sum(b),
        ExprKind::Var(_) | ExprKind::Int(_) => effects::is_scalar(&e.ty),
        _ => false,
    }
}
