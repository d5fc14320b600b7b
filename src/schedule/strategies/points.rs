//! How many points a thread of a pointwise nest has where the user says nothing.
//!
//! One element a thread leaves the memory of a GPU idle: too few bytes are under way. Two points a block apart along
//! memory suffice for the rate of a copy, and where rows above and below are read too, four neighbouring rows a thread
//! read each of them once. Measured on an H100 with CUDA 13.0, in microseconds, one point and these (threads 8 x 32):
//!
//! | nest | 512² | 1024² | 2048² | large |
//! | --- | --- | --- | --- | --- |
//! | sum of two matrices, f32, `merge(j: 2)` | 6.6, 6.0 | 8.8, 7.5 | 24, 21 | 1211, 1045 (16384²) |
//! | 5-point f32, `skew(i: 4) merge(j: 2)` | 6.0, 6.2 | 9.2, 8.4 | 21.6, 14.4 | 289, 204 (8192²) |
//! | 5-point f64, the same | 6.0, 6.0 | 11.1, 11.2 | 30.9, 30.1 | 406, 368 (8192²) |
//! | axpy f32, `merge(2)` | 5.7, 5.5 | 8.4, 7.5 | 16.5, 14.7 | 1164, 1039 (2^28) |
//! | 7-point f32, `skew(k: 2)` | 7.0, 6.5 (64³) | 19.9, 15.9 (128³) | 113, 93 (256³) | 849, 682 (512³) |
//!
//! A 7-point sum of doubles is fastest with one point. In a loop of the host, whose steps may be small and run in one
//! resident kernel, a thread has one point too: jacobi-1d of PolyBench/C takes 0.76 ms so, and 1.00 with two. (Thread
//! merge: Yang et al., PLDI 2010, section 3.5.2; block merge and skew: RT-CUDA, section 3.2.)

use crate::ast::VarId;
use crate::poly::scop::is_write;
use crate::region::symbolic::Poly;
use crate::region::{Access, StmtId, Tree};
use crate::schedule::Nest;
use crate::schedule::block::Block;
use crate::schedule::lower::scalar_type;
use crate::schedule::map::{Mapper, dimensions, in_grid, stride};
use crate::schedule::parallel::Analysis;
use crate::schedule::promote::is_assignment;
use crate::schedule::tile::Points;

/// More accesses of a point keep memory busy by themselves.
const MOST_ACCESSES: usize = 10;

/// Fewer points are worth no thread with several: they would leave processors idle.
const FEW: i64 = 1 << 16;

/// An axis of fewer iterations is not cut up further.
const SHORT: i64 = 64;

/// Neighbouring rows of a thread that reads rows around its own.
const ROWS: i64 = 4;

/// The points of a thread by dimension of the grid; `None` where one is as good, or nobody has measured.
pub fn usual(m: &Mapper, a: &Analysis, nest: &Nest) -> Option<Vec<Points>> {
    let axes = dimensions(a, nest);
    if m.is_repeated || !m.tiles.merge || m.request.block != Block::Usual || axes.iter().any(|x| x.dimension.is_none())
    {
        return None;
    }
    let axes = in_grid(&axes);
    let accesses = plain_accesses(m, a, nest)?;
    let counts: Vec<Option<i64>> = axes.iter().map(|x| a.part.get_loop(x.id).most_iterations()).collect();
    let is_few = counts.iter().try_fold(1i64, |all, n| all.checked_mul((*n)?)).is_some_and(|n| n < FEW);
    let may_have = |d: usize| counts[d].is_none_or(|n| n >= SHORT);
    let last = axes.len() - 1;
    let along: Vec<i64> = accesses.iter().map(|x| stride(x, &axes[last].counters(a))).collect();
    if is_few || !may_have(last) || along.contains(&-1) || !along.contains(&1) {
        return None;
    }
    let size = accesses.iter().filter_map(|x| Some(scalar_type(&a.part.data[&x.data].elem)?.size(64))).max()?;
    let mut points: Vec<Points> = vec![[None, None]; axes.len()];
    let has_rows = (0..last).any(|d| is_reused(&accesses, &axes[d].counters(a)));
    match (axes.len(), has_rows) {
        (3, true) if size > 4 => return None,
        (3, true) => points[last][1] = m.tiles.skew.then_some(2),
        (n, _) => {
            points[last][0] = Some(if size < 4 { 4 } else { 2 });
            points[0][1] = (n == 2 && has_rows && may_have(0) && m.tiles.skew).then_some(ROWS);
        }
    }
    Some(points)
}

/// The accesses of global arrays by statements that are nothing but a few of them; `None` where there is more to a point.
fn plain_accesses<'a>(m: &Mapper, a: &'a Analysis, nest: &Nest) -> Option<Vec<&'a Access>> {
    let stmts: Option<Vec<StmtId>> =
        nest.body.iter().map(|t| if let Tree::Stmt(s) = t { Some(*s) } else { None }).collect();
    let mut out = vec![];
    for s in stmts? {
        let stmt = a.part.stmt(s);
        if stmt.has_loop || !stmt.guards.is_empty() || !is_assignment(&stmt.body) {
            return None;
        }
        for x in stmt.accesses.iter().filter(|x| !m.private.contains(&x.data)) {
            if x.index.is_none() || !x.surely || !x.known.is_empty() {
                return None;
            }
            out.extend((a.part.data[&x.data].shape.c_rank > 0).then_some(x));
        }
    }
    (out.len() <= MOST_ACCESSES && out.iter().any(|x| is_write(x))).then_some(out)
}

/// Whether two reads of an array are of elements that a few steps along an axis lead from one to the other.
fn is_reused(accesses: &[&Access], axis: &[VarId]) -> bool {
    let reads: Vec<&&Access> = accesses.iter().filter(|x| !is_write(x)).collect();
    let differ = |p: &Poly, q: &Poly| p.plus(q, -1).and_then(|d| d.as_constant()).is_none_or(|d| d != 0);
    let leads = |x: &Access, y: &Access| {
        let (Some(x), Some(y)) = (&x.index, &y.index) else { return false };
        let along = x.iter().zip(y).any(|(p, q)| axis.iter().any(|v| p.uses(*v)) && differ(p, q));
        along && x.iter().zip(y).all(|(p, q)| p.plus(q, -1).is_some_and(|d| d.as_constant().is_some()))
    };
    reads.iter().enumerate().any(|(n, x)| reads[n + 1..].iter().any(|y| x.data == y.data && leads(x, y)))
}
