//! Variables whose value is wanted behind a region, a place of a function: what is assigned there and not wanted needs no home.

use super::effects::{declared, header_counter, is_scalar, seen_in_other_ways};
use super::liveness::Live;
use super::loops::is_loop;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Unit, VarId};
use crate::source::Span;
use std::collections::BTreeSet;

/// The variables of a function whose value may be read outside `region` (a span of its body), so that a value
/// assigned inside must survive it. Over-approximated: any mention outside counts, except as the counter of a `for`
/// whose own header sets it first, and of numbers that are set again before they are read.
pub fn wanted_outside(unit: &Unit, function: &Function, region: Span) -> BTreeSet<VarId> {
    let (live, seen) = (Live::behind(function, region), seen_in_other_ways(unit, function));
    let mut wanted = wanted_of_function(unit, function, region, &live, &seen);
    for (i, var) in unit.vars.iter().enumerate() {
        if matches!(var.storage, Storage::Global | Storage::StaticLocal) {
            wanted.insert(VarId(i as u32));
        }
    }
    wanted
}

/// The same without the variables of the file, which always are. `live`: behind the region; `seen`: the variables of the
/// function that may be read in other ways than by name.
pub fn wanted_of_function(
    unit: &Unit,
    function: &Function,
    region: Span,
    live: &Live,
    seen: &BTreeSet<VarId>,
) -> BTreeSet<VarId> {
    let mut wanted = function.obscure.clone();
    collect_wanted(&function.body, region, &mut BTreeSet::new(), &mut wanted);
    wanted.retain(|v| live.contains(*v) || !is_scalar(&unit.var(*v).ty));
    // What an iteration declares ends with it, whoever was handed its address.
    let mut ended = BTreeSet::new();
    function.body.walk(&mut |p| {
        if let Piece::Stmt(s) = p
            && is_loop(s)
            && region.contains(s.span.lo)
        {
            s.stmts().into_iter().for_each(|body| ended.extend(declared([body])));
        }
    });
    wanted.extend(seen.iter().filter(|v| !ended.contains(v)));
    wanted
}

fn collect_wanted(s: &Stmt, region: Span, set_here: &mut BTreeSet<VarId>, wanted: &mut BTreeSet<VarId>) {
    let inside = s.span.lo >= region.lo && s.span.hi <= region.hi;
    if inside {
        return;
    }
    match &s.kind {
        StmtKind::Block(body) => body.iter().for_each(|s| collect_wanted(s, region, set_here, wanted)),
        StmtKind::For { init, cond, step, body } => {
            let counter = init.as_deref().and_then(header_counter);
            let fresh = counter.is_some_and(|v| set_here.insert(v));
            if let Some(init) = init {
                init.walk(&mut |p| mention(p, set_here, wanted));
            }
            for e in cond.iter().chain(step) {
                e.walk(&mut |e| mention(Piece::Expr(e), set_here, wanted));
            }
            collect_wanted(body, region, set_here, wanted);
            if fresh {
                set_here.remove(&counter.expect("fresh only with a counter"));
            }
        }
        StmtKind::If { cond, then, other } => {
            cond.walk(&mut |e| mention(Piece::Expr(e), set_here, wanted));
            collect_wanted(then, region, set_here, wanted);
            other.iter().for_each(|s| collect_wanted(s, region, set_here, wanted));
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            cond.walk(&mut |e| mention(Piece::Expr(e), set_here, wanted));
            collect_wanted(body, region, set_here, wanted);
        }
        StmtKind::Switch { value, body } => {
            value.walk(&mut |e| mention(Piece::Expr(e), set_here, wanted));
            collect_wanted(body, region, set_here, wanted);
        }
        // What is put there is not read.
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. })
            if matches!(target.kind, ExprKind::Var(_)) =>
        {
            value.walk(&mut |e| mention(Piece::Expr(e), set_here, wanted));
        }
        _ => s.walk(&mut |p| mention(p, set_here, wanted)),
    }
}

fn mention(piece: Piece<'_>, set_here: &BTreeSet<VarId>, wanted: &mut BTreeSet<VarId>) {
    if let Piece::Expr(e) = piece
        && let ExprKind::Var(v) = e.kind
        && !set_here.contains(&v)
    {
        wanted.insert(v);
    }
}
