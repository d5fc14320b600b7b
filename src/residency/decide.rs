//! Which regions leave something, and what must come home where.

use super::cause::{Cause, Why};
use super::causes::strange;
use super::flow::{self, Flow, Node, What};
use super::needs::{FunctionId, Need, Part, Place, Residency};
use super::survey::survey;
use crate::ast::visit::Piece;
use crate::ast::{Stmt, StmtKind};
use crate::source::Source;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Rounds, each a survey of the program, in which a decision waits for what follows from the one before. Later ones take as many
/// regions and functions out as they may, so that a program of thousands of functions does not need thousands of surveys.
const MAX_ROUNDS: usize = 16;

/// Decides for a program, or for a file of one, of which the rest is not known. `can_place` says whether something can stand at
/// a place in the text of a part.
pub fn find(parts: &[Part], is_whole: bool, can_place: &dyn Fn(usize, &Place) -> bool) -> Residency {
    if let Some(cause) = strange(parts) {
        return none(parts, cause);
    }
    // Functions are numbered as the parts have them.
    let all = parts.iter().flat_map(|p| p.unit.functions.iter().map(move |f| (p.source, &f.body)));
    let odd = all.enumerate().filter(|(_, (source, body))| jumps(source, body));
    let mut refused: BTreeSet<FunctionId> = odd.map(|(f, _)| f).collect();
    let mut leaves: BTreeSet<(usize, usize)> = candidates(parts).collect();
    let mut forbidden = BTreeMap::new();
    for round in 0.. {
        let is_late = round >= MAX_ROUNDS;
        let program = survey(parts, is_whole, &leaves, &refused);
        for function in refused.iter().map(|f| &program.functions[*f]) {
            let cause = Cause { part: function.part, span: function.ast.body.span, why: Why::Unsayable };
            let own = function.regions.iter().map(|r| (function.part, *r));
            forbidden.extend(own.filter(|region| leaves.remove(region)).map(|region| (region, Some(cause))));
        }
        let flow = flow::flow(&program, &refused);
        let before = before(&flow);
        let wanted = wanted(&flow, &before, &leaves);
        if wanted != leaves {
            forbidden.extend(ends(&flow, &before, leaves.difference(&wanted).copied().collect()));
            leaves = wanted;
            if is_late {
                loop {
                    let wanted = self::wanted(&flow, &before, &leaves);
                    if wanted == leaves {
                        break;
                    }
                    forbidden.extend(ends(&flow, &before, leaves.difference(&wanted).copied().collect()));
                    leaves = wanted;
                }
            }
            continue;
        }
        let met = behind(&flow, &leaves);
        let needs: BTreeMap<usize, &Need> = met
            .iter()
            .filter_map(|node| match flow.nodes[*node].what {
                What::Need(k) if flow.needs[k].is_placed => Some((k, &flow.needs[k])),
                _ => None,
            })
            .collect();
        let mut misplaced = needs.values().filter(|need| !can_place(need.part, &need.place)).peekable();
        if misplaced.peek().is_none() {
            let needs = needs.into_values().cloned().collect();
            return Residency { leaves, needs, forbidden, is_searched: true, ..Residency::default() };
        }
        for need in misplaced.take(if is_late { usize::MAX } else { 1 }) {
            if matches!(need.place, Place::Start(_)) {
                return none(parts, need.cause);
            }
            refused.insert(need.function);
        }
    }
    Residency::default()
}

/// The regions that may leave something, by part and place.
fn candidates<'a>(parts: &'a [Part]) -> impl Iterator<Item = (usize, usize)> + 'a {
    let of_part = |(part, p): (usize, &'a Part)| {
        let may_leave = move |r: &usize| p.regions[*r].may_leave();
        (0..p.regions.len()).filter(may_leave).map(move |r| (part, r))
    };
    parts.iter().enumerate().flat_map(of_part)
}

/// Nothing is left by any region, because of that.
fn none(parts: &[Part], cause: Cause) -> Residency {
    let forbidden = candidates(parts).map(|region| (region, Some(cause))).collect();
    Residency { forbidden, is_searched: true, ..Residency::default() }
}

/// Ends of the use of what each region would leave: the nearest, where there are several.
fn ends(flow: &Flow, before: &[Vec<usize>], of: BTreeSet<(usize, usize)>) -> BTreeMap<(usize, usize), Option<Cause>> {
    let end = |node: usize| match flow.nodes[node].what {
        What::Need(k) => Some(flow.needs[k].cause).filter(|_| is_end(flow, node)),
        _ => None,
    };
    let mut nearest: Vec<Option<Cause>> = (0..flow.nodes.len()).map(end).collect();
    let mut pending: VecDeque<usize> = (0..nearest.len()).filter(|node| nearest[*node].is_some()).collect();
    while let Some(node) = pending.pop_front() {
        for from in &before[node] {
            if nearest[*from].is_none() {
                nearest[*from] = nearest[node];
                pending.push_back(*from);
            }
        }
    }
    regions(flow, &of).map(|(node, region)| (region, nearest[node])).collect()
}

/// Those regions that leave something behind which others that do may come.
fn wanted(flow: &Flow, before: &[Vec<usize>], leaves: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize)> {
    let regions: Vec<(usize, (usize, usize))> = regions(flow, leaves).collect();
    // Nodes from which the program may come to a region of `leaves`, that region's own among them.
    let mut leads = vec![false; flow.nodes.len()];
    let mut pending: Vec<usize> = regions.iter().map(|(node, _)| *node).collect();
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut leads[node], true) {
            pending.extend(before[node].iter().filter(|from| !is_end(flow, **from)));
        }
    }
    let is_wanted = |node: usize| flow.nodes[node].next.iter().any(|next| leads[*next]);
    regions.into_iter().filter(|(node, _)| is_wanted(*node)).map(|(_, region)| region).collect()
}

/// The nodes of regions, with these.
fn regions<'f>(
    flow: &'f Flow,
    regions: &'f BTreeSet<(usize, usize)>,
) -> impl Iterator<Item = (usize, (usize, usize))> + 'f {
    flow.nodes.iter().enumerate().filter_map(|(node, Node { what, .. })| match what {
        What::Region(part, region) if regions.contains(&(*part, *region)) => Some((node, (*part, *region))),
        _ => None,
    })
}

/// The nodes that each one may follow.
fn before(flow: &Flow) -> Vec<Vec<usize>> {
    let mut before = vec![vec![]; flow.nodes.len()];
    for (node, Node { next, .. }) in flow.nodes.iter().enumerate() {
        next.iter().for_each(|next| before[*next].push(node));
    }
    before
}

/// Test for a node behind which the device has nothing.
fn is_end(flow: &Flow, node: usize) -> bool {
    matches!(flow.nodes[node].what, What::Need(k) if flow.needs[k].is_end())
}

/// The nodes that may follow regions, through all but those behind which the device has nothing. What the host has read, or has of
/// some elements alone, the device still has.
fn behind(flow: &Flow, leaves: &BTreeSet<(usize, usize)>) -> BTreeSet<usize> {
    let from = regions(flow, leaves).flat_map(|(node, _)| &flow.nodes[node].next);
    let (mut pending, mut out): (Vec<usize>, _) = (from.copied().collect(), BTreeSet::new());
    while let Some(node) = pending.pop() {
        if out.insert(node) && !is_end(flow, node) {
            pending.extend(&flow.nodes[node].next);
        }
    }
    out
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
