//! Loops over tiles, as the loops that they tile.
//!
//! ```text
//! for (ii = 0; ii < n; ii += t)                              for (i' = 0; i' < n; i'++)
//!     for (jj = 0; jj < m; jj += t)                              for (j' = 0; j' < m; j'++)
//!         for (i = ii; i < MIN(ii + t, n); i++)       ->             b[j'][i'] = a[i'][j'];
//!             for (j = jj; j < MIN(jj + t, m); j++)
//!                 b[j][i] = a[i][j];
//! ```
//! The nest is a second plain form of its statement, beside the one with tiles. Where tiles are one after the other its
//! iterations come in another order: the dependences decide on that ([`Tiling`]), and where they forbid it the first form
//! is taken. The same goes for a sum that is kept in a variable while it goes through one tile: it is taken up where it
//! is put down. Only the call knows that a tile has a length, and, where a loop goes to the end of each tile, that the
//! last one is whole: both are tested there.

use super::made::{binary, declared, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Tile, Tiling, Type, Unit, Var, VarId};
use crate::region::effects;
use crate::region::header::{first_value, step_of};
use crate::region::liveness::Live;
use crate::region::symbolic::{same_expr, widens};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

/// Takes the tiles out of a statement, and notes what has to hold for that; gives whether it has some.
///
/// `seen`: the variables of the function that may be read, and set, in other ways than by name.
pub fn open(unit: &mut Unit, f: &Function, seen: &BTreeSet<VarId>, s: &mut Stmt) -> bool {
    let root = s.clone();
    let named = effects::mentioned([&f.body]);
    inside(unit, s, &|unit, s, v| {
        let is_own = matches!(unit.var(v).storage, Storage::Local | Storage::Param) && !seen.contains(&v);
        let is_within = |place: &Span| s.span.lo <= place.lo && place.hi <= s.span.hi;
        // A variable that calls brought is in no text of this function.
        let is_lost = match named.contains(&v) {
            true => !Live::behind(f, s.span).contains(v),
            false => effects::places([&root], v).iter().all(is_within),
        };
        is_own && is_lost
    })
}

/// Test for a loop that goes in steps, without which there is no nest to look for.
pub fn may_have_tiles(s: &Stmt) -> bool {
    let mut has_steps = false;
    s.walk(&mut |piece| {
        has_steps |= matches!(piece, Piece::Stmt(s) if head(s).is_some_and(|(head, _)| size_of(&head).is_some()));
    });
    has_steps
}

/// Test that nobody reads a variable behind a statement.
type IsLost<'a> = &'a dyn Fn(&Unit, &Stmt, VarId) -> bool;

fn inside(unit: &mut Unit, s: &mut Stmt, is_lost: IsLost) -> bool {
    let whole = without_tiles(unit, s, &is_lost).or_else(|| {
        let summed = sum_in_place(unit, s, &is_lost)?;
        without_tiles(unit, &summed, &is_lost)
    });
    if let Some(whole) = whole {
        *s = whole;
        return true;
    }
    let mut some = false;
    for s in s.stmts_mut() {
        some |= inside(unit, s, is_lost);
    }
    some
}

/// A counted loop of a nest.
struct Head<'s> {
    counter: VarId,
    first: &'s Expr,
    cond: &'s Expr,
    step: &'s Expr,
    stmt: &'s Stmt,
}

/// Limit of a counter.
#[derive(Clone, Copy)]
struct Limit<'s> {
    is_inclusive: bool,
    end: &'s Expr,
}

/// A loop over tiles, and the one over the points of a tile.
struct Pair<'s> {
    /// Their levels in the nest.
    tiles: usize,
    points: usize,
    size: &'s Expr,
    limit: Limit<'s>,
    /// Only the tile ends the loop over its points.
    is_whole: bool,
}

/// The loops in each other that a statement is, outermost first, and what stands in the innermost one.
fn nest(s: &Stmt) -> (Vec<Head<'_>>, &Stmt) {
    let (mut heads, mut body) = (vec![], s);
    while let Some((head, inner)) = only(body).and_then(head) {
        heads.push(head);
        body = inner;
    }
    (heads, body)
}

/// The one statement that a body is.
fn only(body: &Stmt) -> Option<&Stmt> {
    match &body.kind {
        StmtKind::Block(list) => {
            let mut some = list.iter().filter(|s| !matches!(s.kind, StmtKind::Empty));
            let first = some.next()?;
            some.next().is_none().then_some(first).and_then(only)
        }
        _ => Some(body),
    }
}

fn head(stmt: &Stmt) -> Option<(Head<'_>, &Stmt)> {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &stmt.kind else { return None };
    let (counter, first) = first_value(init)?;
    Some((Head { counter, first, cond, step, stmt }, body))
}

/// The statement without tiles, where it is a nest with some.
fn without_tiles(unit: &mut Unit, s: &Stmt, is_lost: IsLost) -> Option<Stmt> {
    let (heads, body) = nest(s);
    let pairs: Vec<Pair> = (0..heads.len()).filter_map(|at| pair(&heads, at)).collect();
    // Further in may be the points of more tiles than those of the nest.
    let is_left = |(at, head): (usize, &Head)| has_tiles(head) && pairs.iter().all(|p| p.tiles != at);
    if pairs.first()?.tiles > 0 || heads.iter().enumerate().any(is_left) || !are_apart(unit, s, &heads, &pairs, body) {
        return None;
    }
    let is_theirs = |p: &Pair| [p.tiles, p.points].into_iter().all(|at| is_replaceable(unit, &heads[at], s, is_lost));
    if !pairs.iter().all(is_theirs) {
        return None;
    }
    let last = pairs.iter().map(|p| p.points).max()?;
    let mut tiling = Tiling { nest: vec![], tiles: vec![] };
    let mut out = body.clone();
    for (at, head) in heads.iter().enumerate().rev() {
        if pairs.iter().any(|p| p.tiles == at) {
            continue;
        }
        let counter = match pairs.iter().find(|p| p.points == at) {
            Some(pair) => over_all_points(unit, &heads, pair, &mut out, &mut tiling),
            None => {
                let StmtKind::For { init, cond, step, .. } = head.stmt.kind.clone() else { return None };
                let kind = StmtKind::For { init, cond, step, body: Box::new(out) };
                out = Stmt { kind, ..head.stmt.clone() };
                head.counter
            }
        };
        if at <= last {
            tiling.nest.insert(0, counter);
        }
    }
    out.span = s.span;
    unit.tilings.push(tiling);
    Some(out)
}

/// Puts the loop over all points around a body, with a counter of its own.
fn over_all_points(unit: &mut Unit, heads: &[Head], pair: &Pair, body: &mut Stmt, tiling: &mut Tiling) -> VarId {
    let (tiles, points) = (&heads[pair.tiles], &heads[pair.points]);
    let span = points.stmt.span;
    let Var { name, ty, .. } = unit.var(points.counter).clone();
    let counter = unit.add(Var::new(name, ty.clone(), Storage::Local, span));
    let value = unit.read(counter, span);
    body.replace(points.counter, &value);
    let mut cond = tiles.cond.clone();
    cond.replace(tiles.counter, &value);
    let step = ExprKind::IncDec { inc: true, prefix: false, target: Box::new(value) };
    let inner = std::mem::replace(body, plain(StmtKind::Empty, span));
    body.kind = StmtKind::For {
        init: Some(Box::new(declared(counter, tiles.first.clone()))),
        cond: Some(cond),
        step: Some(Expr { kind: step, ty, span }),
        body: Box::new(inner),
    };
    let length = binary(BinOp::Sub, pair.limit.end.clone(), tiles.first.clone());
    let length = match pair.limit.is_inclusive {
        true => binary(BinOp::Add, length, integer(1, span)),
        false => length,
    };
    tiling.tiles.push(Tile { counter, size: pair.size.clone(), covers: pair.is_whole.then_some(length) });
    counter
}

/// The loop over the points of the tiles that a loop goes through.
fn pair<'s>(heads: &[Head<'s>], tiles: usize) -> Option<Pair<'s>> {
    let head = &heads[tiles];
    let size = size_of(head)?;
    let [limit] = limits(head.cond, head.counter)?[..] else { return None };
    let points = (tiles + 1..heads.len()).find(|at| bare(heads[*at].first).is_var(head.counter))?;
    if step_of(heads[points].step, heads[points].counter) != Some(1) {
        return None;
    }
    let ends = limits(heads[points].cond, heads[points].counter)?;
    let is_own = |end: &Limit| is_end_of_tile(end, head.counter, size);
    let is_last = |end: &Limit| is_same_limit(end, &limit);
    let is_whole = !ends.iter().any(is_last);
    // A length that is known is better kept than tested.
    let is_known = matches!(bare(size).kind, ExprKind::Int(_));
    (ends.iter().any(is_own) && ends.iter().all(|end| is_own(end) || is_last(end)) && !(is_whole && is_known))
        .then_some(Pair { tiles, points, size, limit, is_whole })
}

/// Distance that a loop's counter moves, where that may be the length of a tile.
fn size_of<'s>(head: &Head<'s>) -> Option<&'s Expr> {
    let is_counter = |e: &Expr| bare(e).is_var(head.counter);
    let size = match &head.step.kind {
        ExprKind::Assign { op: Some(BinOp::Add), target, value } if is_counter(target) => value,
        ExprKind::Assign { op: None, target, value } if is_counter(target) => match &value.kind {
            ExprKind::Binary(BinOp::Add, a, b) if is_counter(a) => b,
            ExprKind::Binary(BinOp::Add, a, b) if is_counter(b) => a,
            _ => return None,
        },
        _ => return None,
    };
    (!matches!(bare(size).kind, ExprKind::Int(c) if c < 2)).then_some(size)
}

/// Test for a loop whose counter moves by what no number says.
fn has_tiles(head: &Head) -> bool {
    size_of(head).is_some_and(|size| !matches!(bare(size).kind, ExprKind::Int(_)))
}

/// The limits in a loop's condition, each of two where it is the lesser of them.
fn limits(cond: &Expr, counter: VarId) -> Option<Vec<Limit<'_>>> {
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    let (is_inclusive, end) = match op {
        BinOp::And => return Some([limits(a, counter)?, limits(b, counter)?].concat()),
        BinOp::Lt | BinOp::Le if bare(a).is_var(counter) => (*op == BinOp::Le, b),
        BinOp::Gt | BinOp::Ge if bare(b).is_var(counter) => (*op == BinOp::Ge, a),
        _ => return None,
    };
    let mut ends = vec![];
    lesser(end, &mut ends);
    Some(ends.into_iter().map(|end| Limit { is_inclusive, end }).collect())
}

/// The values that an expression is the least of: of `a < b ? a : b`, both.
fn lesser<'s>(e: &'s Expr, ends: &mut Vec<&'s Expr>) {
    if let ExprKind::Cond(cond, a, b) = &bare(e).kind
        && let ExprKind::Binary(op, x, y) = &bare(cond).kind
    {
        let are = |c: &Expr, d: &Expr| same_expr(bare(x), bare(c)) && same_expr(bare(y), bare(d));
        let is_lesser = match op {
            BinOp::Lt | BinOp::Le => are(a, b),
            BinOp::Gt | BinOp::Ge => are(b, a),
            _ => false,
        };
        if is_lesser {
            [a, b].into_iter().for_each(|e| lesser(e, ends));
            return;
        }
    }
    ends.push(e);
}

/// Test for `ii + t`, or as the last point `ii + t - 1`.
fn is_end_of_tile(limit: &Limit, tiles: VarId, size: &Expr) -> bool {
    let is_sum = |e: &Expr, by: &dyn Fn(&Expr) -> bool| match &bare(e).kind {
        ExprKind::Binary(BinOp::Add, a, b) => {
            bare(a).is_var(tiles) && by(bare(b)) || bare(b).is_var(tiles) && by(bare(a))
        }
        _ => false,
    };
    let is_size = |e: &Expr| same_expr(bare(e), bare(size));
    let is_last = |e: &Expr| match (&e.kind, &bare(size).kind) {
        (ExprKind::Int(last), ExprKind::Int(size)) => last.checked_add(1) == Some(*size),
        _ => by_one(e, BinOp::Sub).is_some_and(is_size),
    };
    match limit.is_inclusive {
        false => is_sum(limit.end, &is_size),
        true => is_sum(limit.end, &is_last) || by_one(limit.end, BinOp::Sub).is_some_and(|e| is_sum(e, &is_size)),
    }
}

fn is_same_limit(a: &Limit, b: &Limit) -> bool {
    let are_same = |a: &Expr, b: &Expr| same_expr(bare(a), bare(b));
    let (last, end) = match (a.is_inclusive, b.is_inclusive) {
        (true, false) => (a.end, b.end),
        (false, true) => (b.end, a.end),
        _ => return are_same(a.end, b.end),
    };
    by_one(last, BinOp::Sub).is_some_and(|e| are_same(e, end))
        || by_one(end, BinOp::Add).is_some_and(|e| are_same(e, last))
}

/// `e` of `e - 1`, or of `e + 1`.
fn by_one(e: &Expr, by: BinOp) -> Option<&Expr> {
    match &bare(e).kind {
        ExprKind::Binary(op, a, b) if *op == by && matches!(bare(b).kind, ExprKind::Int(1)) => Some(a),
        _ => None,
    }
}

/// An expression without casts that keep its value.
fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if widens(&inner.ty, &e.ty) => bare(inner),
        _ => e,
    }
}

/// Test that nothing in a nest but the heads of the loops over points speaks of the tiles, and that the nest changes no
/// length of theirs and no end.
fn are_apart(unit: &Unit, s: &Stmt, heads: &[Head], pairs: &[Pair], body: &Stmt) -> bool {
    let assigned = effects::assigned([s]);
    let is_fixed = |e: &Expr| {
        let mut is_fixed = effects::is_plain(e);
        e.walk(&mut |x| {
            let ExprKind::Var(v) = x.kind else { return };
            is_fixed &=
                !assigned.contains(&v) && heads.iter().all(|head| head.counter != v) && !unit.var(v).is_volatile;
        });
        is_fixed
    };
    pairs.iter().all(|p| {
        let counter = heads[p.tiles].counter;
        let in_heads = heads.iter().enumerate().filter(|(at, _)| *at != p.tiles && *at != p.points);
        let mut speaks = in_heads.flat_map(|(_, h)| [h.first, h.cond, h.step]).any(|e| e.mentions(counter));
        body.exprs(&mut |e| speaks |= e.mentions(counter));
        !speaks && [heads[p.tiles].first, p.limit.end, p.size].into_iter().all(is_fixed)
    })
}

/// Test that a loop may have another counter, and that no directive asks for something that tiles alone can have.
fn is_replaceable(unit: &Unit, head: &Head, s: &Stmt, is_lost: IsLost) -> bool {
    let StmtKind::For { init: Some(init), .. } = &head.stmt.kind else { return false };
    let var = unit.var(head.counter);
    let counts = matches!(var.ty, Type::Int(kind) if kind.bits() >= 32 && (!kind.is_unsigned() || kind.bits() == 64));
    let is_own = matches!(init.kind, StmtKind::Decl(_)) || is_lost(unit, s, head.counter);
    let of_threads =
        |kind: &DirectiveKind| matches!(kind, DirectiveKind::Parallel { .. } | DirectiveKind::Threads { .. });
    counts && is_own && !var.is_volatile && head.stmt.directives.iter().all(|d| of_threads(&d.kind))
}

/// The statement with a sum taken up in its place at each step, where the innermost loop is all that stands between the
/// variable for it being set and put back: `s = c[i][j]; for (k...) s += x; c[i][j] = s;` as `for (k...) c[i][j] += x;`.
fn sum_in_place(unit: &Unit, s: &Stmt, is_lost: IsLost) -> Option<Stmt> {
    let mut out = s.clone();
    let mut body = &mut out;
    while !matches!(body.kind, StmtKind::Block(ref list) if list.len() > 1) {
        body = match &mut body.kind {
            StmtKind::For { body, .. } => body,
            StmtKind::Block(list) => list.first_mut()?,
            _ => return None,
        };
    }
    let StmtKind::Block(list) = &mut body.kind else { return None };
    let [before, looped @ Stmt { kind: StmtKind::For { .. }, .. }, behind] = &mut list[..] else { return None };
    let (sum, start) = first_value(before)?;
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { op, target, value }, .. }) = &behind.kind else { return None };
    let is_start = match op {
        None => same_expr(target, start),
        Some(BinOp::Add) => is_zero(start),
        _ => false,
    };
    let is_own = matches!(before.kind, StmtKind::Decl(_)) || is_lost(unit, s, sum);
    let (place, ty) = ((**target).clone(), &unit.var(sum).ty);
    let array = place.root()?;
    if !is_start || !is_own || !value.is_var(sum) || place.ty != *ty || !effects::is_plain(&place) {
        return None;
    }
    if !is_summed(looped, sum) || !effects::places([&*looped], array).is_empty() {
        return None;
    }
    let changed = effects::assigned([&*looped]);
    let mut is_fixed = matches!(place.kind, ExprKind::Index(..));
    place.walk(&mut |e| is_fixed &= !matches!(e.kind, ExprKind::Var(v) if v == sum || changed.contains(&v)));
    if !is_fixed {
        return None;
    }
    looped.replace(sum, &place);
    *body = looped.clone();
    Some(out)
}

fn is_zero(e: &Expr) -> bool {
    match &bare(e).kind {
        ExprKind::Int(value) => *value == 0,
        ExprKind::Float(value, _) => *value == 0.0,
        _ => false,
    }
}

/// Test that a loop does nothing with a variable but add to it.
fn is_summed(s: &Stmt, sum: VarId) -> bool {
    let (mut n_uses, mut n_sums) = (0, 0);
    s.exprs(&mut |e| {
        e.walk(&mut |x| match &x.kind {
            ExprKind::Var(v) if *v == sum => n_uses += 1,
            ExprKind::Assign { op: Some(BinOp::Add), target, value } if target.is_var(sum) => {
                n_sums += usize::from(!value.mentions(sum));
            }
            _ => {}
        });
    });
    n_sums > 0 && n_uses == n_sums
}
