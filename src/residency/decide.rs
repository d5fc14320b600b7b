//! Which regions leave something, and what must come home where.

use super::flow::{self, What};
use super::needs::{FunctionId, Need, Part, Place, Residency};
use super::standard::is_strange;
use super::survey::survey;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Decides for a program, or for a file of one, of which the rest is not known. `can_place` says whether something can stand at
/// a place in the text of a part.
pub fn find(parts: &[Part], is_whole: bool, can_place: &dyn Fn(usize, &Place) -> bool) -> Residency {
    if parts.iter().any(is_beyond) {
        return Residency::default();
    }
    // Functions are numbered as the parts have them.
    let all = parts.iter().flat_map(|p| p.unit.functions.iter().map(move |f| (p.source, &f.body)));
    let odd = all.enumerate().filter(|(_, (source, body))| jumps(source, body));
    let mut refused: BTreeSet<FunctionId> = odd.map(|(f, _)| f).collect();
    let mut leaves: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (part, p) in parts.iter().enumerate() {
        leaves.extend((0..p.regions.len()).filter(|r| p.regions[*r].may_leave()).map(|r| (part, r)));
    }
    loop {
        let program = survey(parts, is_whole, &leaves, &refused);
        for function in refused.iter().map(|f| &program.functions[*f]) {
            function.regions.iter().for_each(|r| _ = leaves.remove(&(function.part, *r)));
        }
        let flow = flow::flow(&program, &refused);
        let is_end = |node: usize| matches!(flow.nodes[node].what, What::Need(k) if flow.needs[k].is_end());
        let behind = |regions: &BTreeSet<(usize, usize)>| {
            let is_one =
                |node: &usize| matches!(flow.nodes[*node].what, What::Region(part, r) if regions.contains(&(part, r)));
            let from = (0..flow.nodes.len()).filter(is_one);
            reached(&flow.nodes, from.flat_map(|node| flow.nodes[node].next.clone()).collect(), &is_end)
        };
        let wanted: BTreeSet<(usize, usize)> = leaves
            .iter()
            .copied()
            .filter(|region| {
                let found = behind(&BTreeSet::from([*region]));
                found
                    .iter()
                    .any(|node| matches!(flow.nodes[*node].what, What::Region(part, r) if leaves.contains(&(part, r))))
            })
            .collect();
        if wanted != leaves {
            leaves = wanted;
            continue;
        }
        let met = behind(&leaves);
        let needs: BTreeMap<usize, &Need> = met
            .iter()
            .filter_map(|node| match flow.nodes[*node].what {
                What::Need(k) if flow.needs[k].is_placed => Some((k, &flow.needs[k])),
                _ => None,
            })
            .collect();
        let misplaced = needs.values().find(|need| !can_place(need.part, &need.place));
        let Some(misplaced) = misplaced else {
            return Residency { leaves, needs: needs.into_values().cloned().collect() };
        };
        if matches!(misplaced.place, Place::Start(_)) {
            return Residency::default();
        }
        refused.insert(misplaced.function);
    }
}

/// The nodes that may follow, through all but those behind which the device has nothing. What the host has read, or has of some
/// elements alone, the device still has.
fn reached(nodes: &[flow::Node], from: Vec<usize>, is_end: &dyn Fn(usize) -> bool) -> BTreeSet<usize> {
    let (mut pending, mut out) = (from, BTreeSet::new());
    while let Some(node) = pending.pop() {
        if out.insert(node) && !is_end(node) {
            pending.extend(&nodes[node].next);
        }
    }
    out
}

/// Test for a file whose work is no sequence of statements.
fn is_beyond(part: &Part) -> bool {
    let mut is_beyond = false;
    for f in &part.unit.functions {
        f.body.walk(&mut |piece| {
            is_beyond |=
                matches!(piece, Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) if is_strange(name));
        });
    }
    is_beyond
}

/// Test for a function that jumps to where nothing was said: by `goto`, or by a `case` inside another statement.
fn jumps(source: &Source, body: &Stmt) -> bool {
    let mut jumps = source.tokens().iter().any(|t| body.span.contains(t.span.lo) && t.text(&source.text) == "goto");
    body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Switch { body, .. }, .. }) = piece {
            let direct = body.stmts().iter().filter(|s| matches!(s.kind, StmtKind::Case(_))).count();
            jumps |= direct != labels(body);
        }
    });
    jumps
}

/// The labels of a `switch`, without those of one in it.
fn labels(s: &Stmt) -> usize {
    match &s.kind {
        StmtKind::Case(_) => 1,
        StmtKind::Switch { .. } => 0,
        _ => s.stmts().into_iter().map(labels).sum(),
    }
}
