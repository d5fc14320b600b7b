//! The body of a loop that exchanges its buffers, followed once from its beginning to its end.
//!
//! ```text
//! double *old = u[cur];                      `old` stands for u[0] in one turn, for u[1] in the other
//! for (i...) v[i] = old[i] + w[i];           what v and w hold here: what they held at the beginning
//! tmp = v; v = w; w = tmp;                   at the end v holds what w held, and w what v held
//! cur = 1 - cur;
//! ```
//! What is left are the statements that compute, each with what names mean there.

use super::cyclic_integers::{CyclicIntegers, State};
use crate::ast::{Declarator, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::normalize::substitution::{self, Values};
use crate::source::Span;
use std::collections::BTreeMap;

/// A statement of the body.
pub struct Item {
    pub stmt: Stmt,
    /// What pointers hold there, in terms of what they held at the body's beginning.
    pub holds: BTreeMap<VarId, VarId>,
    /// For each turn of the integers, what is known there: their values, and pointers that they choose.
    pub known: Vec<Values>,
    /// Flag: it stands behind an exchange, and behind the last one.
    pub is_behind: bool,
    pub is_after: bool,
}

/// A loop's body, with its exchanges taken out.
pub struct Body {
    pub items: Vec<Item>,
    pub end: BTreeMap<VarId, VarId>,
    /// Pointers that the integers choose a place for.
    pub chosen: Vec<VarId>,
}

/// Follows a body from its beginning to its end.
pub fn follow(unit: &Unit, flat: Vec<Stmt>, integers: &CyclicIntegers) -> Option<Body> {
    let carried: Vec<VarId> = integers.carried().collect();
    let mut states = integers.turns.clone();
    let mut out = Body { items: vec![], end: BTreeMap::new(), chosen: vec![] };
    let mut choices: Vec<Values> = vec![Values::new(); states.len()];
    let changes = Changes::of(&flat);
    let mut is_behind = false;
    for s in flat {
        let assigned = Changes::of([&s]).assigned;
        let is_step = !states.is_empty() && states.iter_mut().all(|state| integers.step(&s, state));
        let moves = if is_step { None } else { moves(unit, &s) };
        if is_step && !assigned.iter().any(|v| carried.contains(v)) {
            continue;
        }
        if is_step || moves.is_some() {
            out.items.iter_mut().for_each(|item| item.is_after = false);
            is_behind = true;
        }
        if is_step {
            continue;
        }
        if let Some(moves) = moves {
            for (p, q) in moves {
                let held = out.end.get(&q).copied().unwrap_or(q);
                out.end.insert(p, held);
            }
            continue;
        }
        let known: Vec<Values> =
            states.iter().zip(&choices).map(|(state, chosen)| values_of(unit, state, chosen, s.span)).collect();
        if let Some(chosen) = choice(unit, &s, &known, &changes, &out) {
            for (p, values) in chosen {
                out.chosen.push(p);
                choices.iter_mut().zip(values).for_each(|(choice, value)| _ = choice.insert(p, value));
            }
            continue;
        }
        if assigned.iter().any(|v| unit.var(*v).ty.is_pointer_like()) || s.exits().continues {
            return None;
        }
        out.items.push(Item { stmt: s, holds: out.end.clone(), known, is_behind, is_after: is_behind });
    }
    let is_used = out
        .items
        .iter()
        .any(|i| effects::mentioned([&i.stmt]).iter().any(|v| i.known.iter().any(|k| k.contains_key(v))));
    (!out.end.is_empty() || is_used).then_some(out)
}

/// What names stand for where the integers have those values.
fn values_of(unit: &Unit, state: &State, chosen: &Values, span: Span) -> Values {
    let mut out = chosen.clone();
    let constant = |v: VarId, x: i64| Expr { kind: ExprKind::Int(x), ty: unit.var(v).ty.clone(), span };
    out.extend(state.iter().map(|(v, x)| (*v, constant(*v, *x))));
    out
}

/// `p = u[cur];` or `T *p = u[cur];`: pointers and what they stand for in each turn. Nothing before uses them.
fn choice(
    unit: &Unit,
    s: &Stmt,
    known: &[Values],
    changes: &Changes,
    before: &Body,
) -> Option<Vec<(VarId, Vec<Expr>)>> {
    let given: Vec<(VarId, &Expr)> = match &s.kind {
        StmtKind::Decl(ds) => ds.iter().map(|d| Some((d.var, d.init.as_ref()?))).collect::<Option<_>>()?,
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
            ExprKind::Var(v) => vec![(v, &**value)],
            _ => return None,
        },
        _ => return None,
    };
    let mut out = vec![];
    for (p, place) in given {
        let var = unit.var(p);
        let is_pointer = matches!(var.ty, Type::Pointer { .. }) && var.storage == Storage::Local && !var.is_volatile;
        let is_new =
            !before.items.iter().any(|i| effects::mentioned([&i.stmt]).contains(&p)) && !before.chosen.contains(&p);
        if known.is_empty() || !is_pointer || !is_new {
            return None;
        }
        let value = |values: &Values| {
            let mut place = place.clone();
            substitution::put(&mut place, values);
            let keeps = substitution::is_place(&place) && changes.keep(unit, &place);
            (keeps && same_elements(&var.ty, &place.ty)).then_some(place)
        };
        out.push((p, known.iter().map(value).collect::<Option<_>>()?));
    }
    Some(out)
}

/// The statements one after the other: blocks are opened, `a = b, b = c` is two.
pub fn flatten(s: Stmt, out: &mut Vec<Stmt>) {
    match s.kind {
        StmtKind::Block(body) => body.into_iter().for_each(|s| flatten(s, out)),
        StmtKind::Empty | StmtKind::Directive(_) => {}
        StmtKind::Expr(Expr { kind: ExprKind::Comma(a, b), .. }) => {
            for e in [a, b] {
                flatten(Stmt { span: e.span, kind: StmtKind::Expr(*e), directives: s.directives.clone() }, out);
            }
        }
        kind => out.push(Stmt { kind, ..s }),
    }
}

/// `p = q;` or `T *p = q;`, between pointers.
fn moves(unit: &Unit, s: &Stmt) -> Option<Vec<(VarId, VarId)>> {
    let pointer = |e: &Expr| match e.kind {
        ExprKind::Var(v) if matches!(unit.var(v).ty, Type::Pointer { .. }) && !unit.var(v).is_volatile => Some(v),
        _ => None,
    };
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
            Some(vec![(pointer(target)?, pointer(value)?)])
        }
        StmtKind::Decl(ds) if ds.iter().any(|d| d.init.is_some()) => {
            let own = |d: &Declarator| matches!(unit.var(d.var).ty, Type::Pointer { .. }).then_some(d.var);
            ds.iter().map(|d| Some((own(d)?, pointer(d.init.as_ref()?)?))).collect()
        }
        _ => None,
    }
}

/// Test that two types have elements of one kind.
pub fn same_elements(a: &Type, b: &Type) -> bool {
    use crate::facts::arrays::element_type;
    use crate::facts::arrays::same_layout;
    same_layout(a, b) && element_type(a) == element_type(b)
}
