//! Operators among other things in one nest: a nest of their own.
//!
//! ```text
//! in parallel i: { for j: x[i] += a[j][i]*y[j];  x[i] += z[i]; }
//! -> in parallel i: for j: ..  (gemv);  in parallel i: x[i] += z[i]  (axpy)
//! ```
//! The iterations of a nest do not depend on each other, so that what its body does first may be done for all of them
//! first, unless a variable that each has for itself carries a value across the cut. Loops in a thread are divided where
//! their statements have nothing to do with each other. This is for who asks for calls: it gives up what fusion gained.

use super::Found;
use super::recognise::{found, wish};
use crate::config::Library;
use crate::poly::Failure;
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};
use std::collections::BTreeSet;

/// The nests that a nest becomes, in order: itself where it is an operator, or none is in it.
pub fn apart(a: &Analysis, nest: &Nest, host: &[LoopId], library: Library) -> Result<Vec<Nest>, Failure> {
    let (asked, _) = wish(a, &nest.stmts(), library);
    let whole = || Ok(vec![nest.clone()]);
    if asked != Library::Always || nest.mode != Mode::Parallel || is_operator(a, nest, host)? {
        return whole();
    }
    let body: Vec<Tree> = nest.body.iter().flat_map(|t| divided(a, t)).collect();
    let private = a.private_to_nest(nest)?;
    let touches = |trees: &[Tree]| -> BTreeSet<_> {
        let stmts = trees.iter().flat_map(Tree::stmts);
        stmts.flat_map(|s| &a.part.stmt(s).accesses).map(|x| x.data).filter(|v| private.contains(v)).collect()
    };
    let may_cut = |at: usize| touches(&body[..at]).is_disjoint(&touches(&body[at..]));
    let cuts: Vec<usize> = (0..=body.len()).filter(|at| may_cut(*at)).collect();
    let (mut out, mut from) = (vec![], 0);
    for (k, first) in cuts.iter().enumerate().filter(|_| body.len() > 1) {
        for last in cuts[k + 1..].iter().rev().filter(|_| *first >= from) {
            let piece = part_of(a, nest, &body[*first..*last]);
            if is_operator(a, &piece, host)? {
                out.extend((from < *first).then(|| part_of(a, nest, &body[from..*first])));
                out.push(piece);
                from = *last;
                break;
            }
        }
    }
    if out.is_empty() {
        return whole();
    }
    out.extend((from < body.len()).then(|| part_of(a, nest, &body[from..])));
    Ok(out)
}

fn is_operator(a: &Analysis, nest: &Nest, host: &[LoopId]) -> Result<bool, Failure> {
    Ok(matches!(found(a, nest, host, Library::Always)?, Found::Contraction(_) | Found::Operators(_) | Found::Sparse(_)))
}

/// The nest of a part of a nest's body, under those of its loops that are around that.
fn part_of(a: &Analysis, nest: &Nest, body: &[Tree]) -> Nest {
    let around: BTreeSet<LoopId> =
        body.iter().flat_map(Tree::stmts).flat_map(|s: StmtId| a.part.stmt(s).loops.clone()).collect();
    let axes = nest.axes.iter().map(|axis| axis.iter().copied().filter(|l| around.contains(l)).collect()).collect();
    Nest { axes, body: body.to_vec(), mode: nest.mode }
}

/// A loop as one for each of its trees, where none writes what another touches.
fn divided(a: &Analysis, t: &Tree) -> Vec<Tree> {
    let Tree::Loop(id, body) = t else { return vec![t.clone()] };
    let accesses = |t: &Tree| t.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses).collect::<Vec<_>>();
    let is_apart = |x: &Tree, y: &Tree| {
        let (x, y) = (accesses(x), accesses(y));
        x.iter().all(|p| y.iter().all(|q| p.data != q.data || !is_write(p) && !is_write(q)))
    };
    let all = body.iter().enumerate().all(|(k, x)| body[k + 1..].iter().all(|y| is_apart(x, y)));
    match all && body.len() > 1 {
        true => body.iter().map(|t| Tree::Loop(*id, vec![t.clone()])).collect(),
        false => vec![t.clone()],
    }
}
