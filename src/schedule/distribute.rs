//! Loop distribution: one loop over several things becomes several loops over one thing each.
//!
//! Legal where no dependence runs backwards among the pieces: pieces that depend on each other both ways (strongly
//! connected in the dependence graph) stay together, the rest follow in a topological order (Allen and Kennedy 1987).
//! Pieces that hand each other a private variable stay together too: it has one value an iteration.

use super::parallel::Analysis;
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::region::{LoopId, StmtId, Tree};

/// The body with each loop in it distributed as far as it may be: loop by loop from the inside.
pub fn distributed_inside(a: &Analysis, body: &[Tree], around: &[LoopId]) -> Result<Vec<Tree>, Failure> {
    let mut out = vec![];
    for t in body {
        let Tree::Loop(id, inner) = t else {
            out.push(t.clone());
            continue;
        };
        let below: Vec<LoopId> = around.iter().copied().chain([*id]).collect();
        let inner = distributed_inside(a, inner, &below)?;
        let pieces = distribute(a, *id, &inner, around)?;
        out.extend(pieces.into_iter().map(|piece| Tree::Loop(*id, piece)));
    }
    Ok(out)
}

/// The pieces of a loop's body, each a maximal group that must stay in one loop, in a legal order.
pub fn distribute(a: &Analysis, l: LoopId, body: &[Tree], outer: &[LoopId]) -> Result<Vec<Vec<Tree>>, Failure> {
    let n = body.len();
    let members: Vec<Vec<StmtId>> = body.iter().map(Tree::stmts).collect();
    let all: Vec<StmtId> = members.concat();
    let piece_of = |s: StmtId| members.iter().position(|m| m.contains(&s));
    let around: Vec<LoopId> = outer.iter().copied().chain([l]).collect();
    let mut reaches = vec![vec![false; n]; n];
    for (i, d) in a.deps.list.iter().enumerate() {
        let (Some(from), Some(to)) = (piece_of(d.src), piece_of(d.dst)) else { continue };
        if from == to || d.reduction.is_some() {
            continue;
        }
        if a.is_private(d.data, &all, &around)? {
            if d.kind == Kind::Flow {
                (reaches[from][to], reaches[to][from]) = (true, true);
            }
            continue;
        }
        // Forwards in the text is kept by any order that is kept here; backwards only by the loop itself.
        if from < to || a.carried(i, l, outer)? {
            reaches[from][to] = true;
        }
    }
    for k in 0..n {
        let through = reaches[k].clone();
        for row in reaches.iter_mut().filter(|row| row[k]) {
            row.iter_mut().zip(&through).for_each(|(reached, further)| *reached |= further);
        }
    }
    let in_cycle = |i: usize, j: usize| reaches[i][j] && reaches[j][i];
    let mut groups: Vec<Vec<usize>> = vec![];
    for i in 0..n {
        match groups.iter_mut().find(|group| in_cycle(group[0], i)) {
            Some(group) => group.push(i),
            None => groups.push(vec![i]),
        }
    }
    let mut ordered = vec![];
    while !groups.is_empty() {
        // The first group that nothing left over must precede: one exists, for cycles are inside groups.
        let ready = (0..groups.len())
            .find(|g| (0..groups.len()).all(|h| h == *g || !reaches[groups[h][0]][groups[*g][0]]))
            .unwrap_or(0);
        ordered.push(groups.remove(ready).into_iter().map(|i| body[i].clone()).collect());
    }
    Ok(ordered)
}
