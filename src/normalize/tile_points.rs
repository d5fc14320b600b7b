//! Loops over the points of a tile that count from 0, as those that count from where the tile begins.
//!
//! ```text
//! for (ii = 0; ii < n; ii += t)                            for (ii = 0; ii < n; ii += t)
//!     for (i = 0; i < t && i < n - ii; i++)      ->            for (i' = ii; i' < ii + t && i' < n; i'++)
//!         b[ii + i] = a[ii + i];                                   b[i'] = a[i'];
//! ```
//! That is so where both counters are spoken of in their sum alone.

use super::tile_heads::{Head, Limit, bare, is_same_limit, limits, nest, size_of};
use crate::ast::build::ast_builder::{binary, declared};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::header::step_of;
use crate::facts::symbolic::same_expr;
use crate::source::Span;

/// Test that nobody reads a variable behind a statement.
pub type IsLost<'a> = &'a dyn Fn(&Unit, &Stmt, VarId) -> bool;

/// A nest with the loops over points in it that do counting from where their tiles begin; `None` where none does.
pub fn open(unit: &mut Unit, s: &Stmt, is_lost: IsLost) -> Option<Stmt> {
    let (mut out, mut some) = (s.clone(), false);
    while let Some(new) = one(unit, &out, is_lost) {
        (out, some) = (new, true);
    }
    some.then_some(out)
}

fn one(unit: &mut Unit, s: &Stmt, is_lost: IsLost) -> Option<Stmt> {
    let (heads, _) = nest(s);
    for points in 1..heads.len() {
        for tiles in 0..points {
            let Some(ends) = ends(unit, &heads[tiles], &heads[points]) else { continue };
            let is_own = matches!(&heads[points].stmt.kind, StmtKind::For { init: Some(init), .. } if matches!(init.kind, StmtKind::Decl(_)));
            if !is_own && !is_lost(unit, s, heads[points].counter) {
                continue;
            }
            if let Some(new) = moved(unit, s, (&heads[tiles], &heads[points]), ends) {
                return Some(new);
            }
        }
    }
    None
}

/// Ends of a loop over points that counts from 0, if it may be one of those tiles; seen from where the tiles begin.
fn ends(unit: &Unit, tiles: &Head, points: &Head) -> Option<Vec<Expr>> {
    let size = size_of(tiles)?;
    let [last] = limits(tiles.cond, tiles.counter)?[..] else { return None };
    let is_zero = matches!(bare(points.first).kind, ExprKind::Int(0));
    if !is_zero || step_of(points.step, points.counter) != Some(1) {
        return None;
    }
    let end = |limit: Limit| {
        if limit.is_inclusive {
            return None;
        }
        if same_expr(bare(limit.end), bare(size)) {
            let begin = unit.read(tiles.counter, limit.end.span);
            return Some(binary(BinOp::Add, begin, size.clone()));
        }
        let ExprKind::Binary(BinOp::Sub, end, by) = &bare(limit.end).kind else { return None };
        let is_last = bare(by).is_var(tiles.counter) && is_same_limit(&Limit { is_inclusive: false, end }, &last);
        is_last.then(|| (**end).clone())
    };
    limits(points.cond, points.counter)?.into_iter().map(end).collect()
}

/// The nest with another counter in the place of the sum of two.
fn moved(unit: &mut Unit, s: &Stmt, (tiles, points): (&Head, &Head), ends: Vec<Expr>) -> Option<Stmt> {
    let is_signed = |v: VarId| matches!(unit.var(v).ty, Type::Int(kind) if kind.bits() >= 32 && !kind.is_unsigned());
    let counts = |v: VarId| is_signed(v) && !unit.var(v).is_volatile;
    if ![tiles.counter, points.counter].into_iter().all(counts) {
        return None;
    }
    let Var { name, .. } = unit.var(points.counter).clone();
    let sum = unit.read(tiles.counter, points.stmt.span);
    let counter = Var::new(name, sum.ty.clone(), Storage::Local, points.stmt.span);
    let counter = unit.add(counter);
    let value = unit.read(counter, points.stmt.span);
    let mut out = s.clone();
    let both = [tiles.counter, points.counter];
    let is_head = |s: &Stmt| [tiles.stmt, points.stmt].into_iter().any(|x| x == s);
    let is_done = put(&mut out, &is_head, &both, &value);
    let is_moved = is_done && set_head(&mut out, points.counter, (counter, sum, &value), ends);
    if !is_moved {
        unit.vars.pop();
        return None;
    }
    Some(out)
}

/// Puts a value in the place of the sum of two variables everywhere but in some heads; gives whether neither is left.
fn put(s: &mut Stmt, is_head: &dyn Fn(&Stmt) -> bool, both: &[VarId; 2], value: &Expr) -> bool {
    let is_own = is_head(s);
    let mut is_done = true;
    let mut own = |e: &mut Expr| {
        put_in_sums(e, both, value);
        is_done &= both.iter().all(|v| !e.mentions(*v));
    };
    match &mut s.kind {
        StmtKind::For { body, .. } if is_own => put(body, is_head, both, value),
        StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } => {
            init.exprs_mut(&mut own);
            own(cond);
            own(step);
            put(body, is_head, both, value) && is_done
        }
        StmtKind::Block(list) => list.iter_mut().all(|s| put(s, is_head, both, value)),
        StmtKind::If { .. } | StmtKind::Expr(_) | StmtKind::Decl(_) => {
            s.exprs_mut(&mut own);
            is_done
        }
        StmtKind::Empty => true,
        _ => false,
    }
}

fn put_in_sums(e: &mut Expr, both: &[VarId; 2], value: &Expr) {
    let mut terms = vec![];
    added(e, &mut terms);
    let at = both.map(|v| terms.iter().position(|x| bare(x).is_var(v)));
    if let [Some(a), Some(b)] = at {
        let rest = (0..terms.len()).filter(|k| *k != a && *k != b).map(|k| terms[k].clone());
        let ty = e.ty.clone();
        *e = rest.fold(value.clone(), |sum, term| binary(BinOp::Add, sum, term));
        if e.ty != ty {
            *e = Expr { span: e.span, kind: ExprKind::Cast(Box::new(e.clone())), ty };
        }
    }
    e.children_mut().into_iter().for_each(|e| put_in_sums(e, both, value));
}

/// The terms that an integer is the sum of.
fn added<'e>(e: &'e Expr, terms: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::Add, a, b) if matches!(e.ty, Type::Int(_)) => {
            added(a, terms);
            added(b, terms);
        }
        _ => terms.push(e),
    }
}

/// Gives the loop with a counter another one.
fn set_head(s: &mut Stmt, old: VarId, (new, first, value): (VarId, Expr, &Expr), ends: Vec<Expr>) -> bool {
    let span: Span = s.span;
    if let StmtKind::For { init, cond, step, body } = &mut s.kind {
        let is_it = init.as_deref().and_then(crate::facts::header::first_value).is_some_and(|(v, _)| v == old);
        if !is_it {
            return set_head(body, old, (new, first, value), ends);
        }
        let below = ends.into_iter().map(|end| binary(BinOp::Lt, value.clone(), end));
        *cond = below.reduce(|a, b| binary(BinOp::And, a, b));
        **init.as_mut().expect("it has one") = declared(new, first);
        let kind = ExprKind::IncDec { inc: true, prefix: false, target: Box::new(value.clone()) };
        *step = Some(Expr { kind, ty: value.ty.clone(), span });
        return true;
    }
    let mut only = s.stmts_mut().into_iter().filter(|s| !matches!(s.kind, StmtKind::Empty));
    only.next().is_some_and(|s| set_head(s, old, (new, first, value), ends))
}
