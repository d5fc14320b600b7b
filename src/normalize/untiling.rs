//! Untiling: loops over tiles, as the loops that they tile.
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

use super::form::{Context, Form};
use super::tile_heads::{Head, Limit, bare, by_one, head, is_directed_alike, is_same_limit, limits, nest, size_of};
use super::tile_points::{self, IsLost};
use crate::ast::build::ast_builder::{binary, declared, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Tile, TileSequence, Tiling, Type, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, step_of};
use crate::facts::symbolic::same_expr;
use crate::source::Span;

/// Takes the tiles out of the third form, and notes what has to hold for that. Where arrays are gone that held them and some
/// tiles stay, nobody may ask for what has to hold in these: the copies are part of the third form again.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, facts) = (&mut *context.unit, context.facts);
    let conditions = std::mem::take(&mut form.untiled_if);
    if let Some(whole) = &mut form.without_tiles {
        let n_before = unit.tilings.len();
        let is_open = without_tiles_in(unit, facts, whole, true);
        if is_open && (conditions.is_empty() || !may_have_tiles(whole)) {
            let new = unit.tilings[n_before..].iter_mut().flat_map(|t| &mut t.tiles);
            new.for_each(|tile| tile.conditions.extend(conditions.iter().cloned()));
            return;
        }
        if conditions.is_empty() {
            return;
        }
        unit.tilings.truncate(n_before);
    }
    form.without_tiles = may_have_tiles(&form.stmt).then(|| form.stmt.clone());
    form.without_tiles.take_if(|whole| !without_tiles_in(unit, facts, whole, false));
}

/// Takes the tiles out of a statement; gives whether it has some.
///
/// `is_copied`: the program copied the tiles.
fn without_tiles_in(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt, is_copied: bool) -> bool {
    let root = s.clone();
    let named = effects::mentioned([&facts.function.body]);
    let is_lost = |unit: &Unit, s: &Stmt, v: VarId| {
        let is_own = matches!(unit.var(v).storage, Storage::Local | Storage::Param) && !facts.seen.contains(&v);
        let is_within = |place: &Span| s.span.lo <= place.lo && place.hi <= s.span.hi;
        // A variable that calls brought is in no text of this function.
        let is_lost = match named.contains(&v) {
            true => !facts.live_behind(s.span).contains(v),
            false => effects::places([&root], v).iter().all(is_within),
        };
        is_own && is_lost
    };
    inside(unit, s, (&is_lost, is_copied))
}

/// Test for a loop that goes in steps, without which there is no nest to look for.
pub fn may_have_tiles(s: &Stmt) -> bool {
    let mut has_steps = false;
    s.walk(&mut |piece| {
        has_steps |= matches!(piece, Piece::Stmt(s) if head(s).is_some_and(|(head, _)| size_of(&head).is_some()));
    });
    has_steps
}

fn inside(unit: &mut Unit, s: &mut Stmt, (is_lost, is_copied): (IsLost, bool)) -> bool {
    // What runs in order keeps the order of its tiles.
    if s.is_rare() {
        return false;
    }
    let whole = one_nest(unit, s, (is_lost, is_copied)).or_else(|| in_sequence(unit, s, (is_lost, is_copied)));
    if let Some(whole) = whole {
        *s = whole;
        return true;
    }
    let mut some = false;
    for s in s.stmts_mut() {
        some |= inside(unit, s, (is_lost, is_copied));
    }
    some
}

/// A nest without its tiles.
fn one_nest(unit: &mut Unit, s: &Stmt, (is_lost, is_copied): (IsLost, bool)) -> Option<Stmt> {
    let from_0 = |unit: &mut Unit, s: &Stmt| tile_points::open(unit, s, is_lost);
    let own = from_0(unit, s);
    let s_or_own = own.as_ref().unwrap_or(s);
    // A sum that goes through one tile at a time hides the others.
    let summed = sum_in_place(unit, s, &is_lost).map(|summed| from_0(unit, &summed).unwrap_or(summed));
    let n_tiles = |s: &Stmt| pairs(&nest(s).0, is_copied).len();
    let summed = summed.filter(|summed| n_tiles(summed) > n_tiles(s_or_own));
    let summed = summed.and_then(|summed| without_tiles(unit, &summed, (&is_lost, is_copied)));
    summed.or_else(|| without_tiles(unit, s_or_own, (&is_lost, is_copied)))
}

/// Nests that tiles hold together, one behind the other without them.
fn in_sequence(unit: &mut Unit, s: &Stmt, (is_lost, is_copied): (IsLost, bool)) -> Option<Stmt> {
    let (heads, body) = nest(s);
    let StmtKind::Block(list) = &body.kind else { return None };
    let tiles: Vec<VarId> = heads.iter().map(|head| head.counter).collect();
    if heads.is_empty() || list.len() < 2 || !heads.iter().all(|head| size_of(head).is_some()) {
        return None;
    }
    let n_before = unit.tilings.len();
    let (mut out, mut along): (Vec<Stmt>, Vec<Vec<VarId>>) = (vec![], vec![]);
    for one in list {
        let mut alone = s.clone();
        put_innermost(&mut alone, heads.len(), one);
        let whole = one_nest(unit, &alone, (is_lost, is_copied));
        let counters = |tile: &VarId| unit.tilings.last()?.tiles.iter().find(|t| t.tiles == *tile).map(|t| t.counter);
        let counters: Option<Vec<VarId>> = whole.as_ref().and_then(|_| tiles.iter().map(counters).collect());
        let (Some(whole), Some(counters)) = (whole, counters) else {
            unit.tilings.truncate(n_before);
            return None;
        };
        out.push(Stmt { span: one.span, ..whole });
        along.push(counters);
    }
    for (k, first) in along.iter().enumerate() {
        let behind = along[k + 1..].iter().map(|then| TileSequence { first: first.clone(), then: then.clone() });
        unit.tile_sequences.extend(behind);
    }
    Some(plain(StmtKind::Block(out), s.span))
}

/// Makes a statement the body of the innermost of so many loops.
pub(super) fn put_innermost(s: &mut Stmt, n_loops: usize, body: &Stmt) {
    match &mut s.kind {
        _ if n_loops == 0 => *s = body.clone(),
        StmtKind::For { body: inner, .. } => put_innermost(inner, n_loops - 1, body),
        _ => {
            let only = s.stmts_mut().into_iter().find(|s| !matches!(s.kind, StmtKind::Empty));
            only.into_iter().for_each(|s| put_innermost(s, n_loops, body));
        }
    }
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

/// The statement without tiles, where it is a nest with some.
fn without_tiles(unit: &mut Unit, s: &Stmt, (is_lost, is_copied): (IsLost, bool)) -> Option<Stmt> {
    let (heads, body) = nest(s);
    let pairs = pairs(&heads, is_copied);
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
    let covers = pair.is_whole.then_some(length);
    tiling.tiles.push(Tile { counter, tiles: tiles.counter, size: pair.size.clone(), covers, conditions: vec![] });
    counter
}

fn pairs<'s>(heads: &[Head<'s>], is_copied: bool) -> Vec<Pair<'s>> {
    (0..heads.len()).filter_map(|at| pair(heads, at, is_copied)).collect()
}

/// The loop over the points of the tiles that a loop goes through.
fn pair<'s>(heads: &[Head<'s>], tiles: usize, is_copied: bool) -> Option<Pair<'s>> {
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
    // A length that is known is better kept than tested, but for the tiles of a program that copies them.
    let is_known = matches!(bare(size).kind, ExprKind::Int(_)) && !is_copied;
    (ends.iter().any(is_own) && ends.iter().all(|end| is_own(end) || is_last(end)) && !(is_whole && is_known))
        .then_some(Pair { tiles, points, size, limit, is_whole })
}

/// Test for a loop whose counter moves by what no number says.
fn has_tiles(head: &Head) -> bool {
    size_of(head).is_some_and(|size| !matches!(bare(size).kind, ExprKind::Int(_)))
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
    counts && is_own && !var.is_volatile && is_directed_alike(head.stmt)
}

/// The statement with a sum taken up in its place at each step, where the innermost loop is all that stands between the
/// variable for it being set and put back: `s = c[i][j]; for (k...) s += x; c[i][j] = s;` as `for (k...) c[i][j] += x;`.
pub fn sum_in_place(unit: &Unit, s: &Stmt, is_lost: IsLost) -> Option<Stmt> {
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

pub fn is_zero(e: &Expr) -> bool {
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
