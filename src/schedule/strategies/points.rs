//! How many points a thread of a pointwise nest has where the user says nothing.
//!
//! One element a thread leaves the memory of a GPU idle: too few bytes are under way. Two points a block apart along
//! memory suffice for the rate of a copy, four where they are of one array, and where rows above and below are read too,
//! a thread has neighbouring rows, and reads each of them once. Measured on an H100 with CUDA 13.0, in microseconds, with
//! one point and with these:
//!
//! | nest | points | one | these |
//! | --- | --- | --- | --- |
//! | sum of two matrices f32, 16384² | `merge(j: 2)` | 1211 | 1042 |
//! | outer product f32, 16384² | `merge(j: 4)` | 454 | 343 |
//! | lattice Boltzmann f32, 4096², blocks of 2 x 128 threads | `merge(j: 2)` | 662 | 531 |
//! | 5-point f32, 8192² | `skew(i: 2, j: 4)` | 289 | 184 |
//! | 5-point f64, 8192² | `skew(i: 2, j: 2)` | 406 | 362 |
//! | colours of a mosaic f32, 8192² | `skew(i: 2, j: 2)` | 678 | 486 |
//! | cells of bytes, 8 neighbours, 8192² | `skew(i: 4, j: 4)` | 249 | 94 |
//! | 7 x 7 taps f32, 8192² | `skew(i: 4) merge(j: 2)` | 980 | 315 |
//! | 32 x 32 taps f32, 4096² | `skew(i: 4) merge(j: 2)` | 4811 | 2789 |
//! | 7-point f32, f64, 512³ | `skew(j: 2, k: 2)` | 849, 836 | 414, 786 |
//! | wave equation f32, 512³ | `skew(j: 2, k: 2)` | | 560 |
//! | 27-point f32, f64, 512³ | `skew(i: 2, j: 2)` | 1299, 1992 | 682, 1282 |
//!
//! And on an H200, of these and others:
//!
//! | nest | the points of above | these | |
//! | --- | --- | --- | --- |
//! | 7 x 7 taps f32, 8192² | 302 | `skew(i: 4, j: 2)` | 275 |
//! | 7-point f32, f64, 512³ | 367, 637 | `skew(i: 2, j: 2, k: 2)` | 340, 622 |
//! | Yee's fields f32, 512³: three arrays a nest | 2319 | the same | 2383: not taken |
//! | 27-point f32, 512³, taps in loops | 649 | `skew(i: 2, j: 2) merge(k: 2)` | 569 |
//! | 27-point f64, 512³, taps in loops | 1254 | `skew(i: 4, j: 2)` | 1060 |
//!
//! And where loops load rows ([`taps`](crate::schedule::tile)), beside the last of these, with registers for two blocks of a
//! processor (as many as the compiler takes by itself: 250, 505, 1652):
//!
//! | nest | before | these | |
//! | --- | --- | --- | --- |
//! | 7 x 7 taps f32, 8192² | 275 | `skew(i: 8, j: 2)` | 220 |
//! | 27-point f32, 512³, taps in loops | 565 | `skew(i: 4, j: 2, k: 4)` | 430 |
//! | 27-point f64, 512³, taps in loops | 1061 | `skew(i: 4, j: 2, k: 2)` | 894 |
//!
//! And since neighbours at the ends of rows are vectors, too (`schedule/tile/outside.rs`), on an H200, of rows of 512 and of 511:
//!
//! | nest | points | of 512 | of 511 | not taken | of 512 | of 511 |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | 7-point f32 | `skew(i: 2, j: 2, k: 2)` | 299 | 371 | `skew(i: 2, j: 2, k: 4)` | 285 | 389 |
//! | wave equation f32 | `skew(i: 2, j: 2, k: 2)` | 423 | 468 | `skew(i: 2, j: 2, k: 4)` | 389 | 540 |
//! | 27-point f64, taps in loops | `skew(i: 2, j: 4, k: 2)` | 720 | 834 | `skew(i: 4, j: 2, k: 2)` | 766 | 861 |
//!
//! Of nests whose points share nothing but what is the same for whole rows or columns, on an H200, of 8192² points but for the last
//! two, and of rows of 8191 (where a loop only stores one constant, four points a block apart are as good):
//!
//! | nest | before | these | | |
//! | --- | --- | --- | --- | --- |
//! | bytes inverted; a threshold, an `if` | 64; 191 | `skew(j: 16)` | 39; 40 | 61; 64 |
//! | bytes to f32; f32 to bytes | 130; 118 | `skew(j: 4)` | 90; 87 | 94; 91 |
//! | outer product f32, f64, 16384², 8192 x 16384 | 280, 295 | `skew(i: 4, j: 4)`, `skew(i: 4, j: 2)` | 241, 238 | |
//!
//! And with blocks of other threads than 2 x 4 x 32, on an H200, of cubes of 512 and of 511 doubles (of floats neither pays: 7
//! points with four along the first axis take 301 and 371 us, not 299 and 358; 27 points in half blocks 383 and 542, not 354 and
//! 581). Two blocks of half as many threads do not wait for each other, with the registers of one:
//!
//! | nest | before | | these | | |
//! | --- | --- | --- | --- | --- | --- |
//! | 27-point f64, taps in loops | 723 | 863 | 1 x 4 x 32 threads | 668 | 778 |
//! | 7-point f64 | 568 | 674 | `skew(i: 4, j: 2, k: 2)`, 1 x 8 x 32 threads | 552 | 649 |
//!
//! And a column of points, where loops load rows, in blocks of 4 x 32 threads, on an H200, of 8192 columns and of 8191. Such columns
//! do not pay for 3 x 3 taps, nor surely for 5 x 5:
//!
//! | nest | `skew(i: 8, j: 2)` | | `skew(i: 16, j: 2)` | |
//! | --- | --- | --- | --- | --- |
//! | 7 x 7 taps f32 | 201 | 258 | 176 | 222 |
//! | 7 x 7 taps f64 | 391 | 556 | 358 | 398 |
//! | 5 x 5 taps f32 (not taken) | 158 | 199 | 150 | 186 |
//! | 5 x 5 taps f64 (not taken) | 295 | 320 | 316 | 300 |
//! | 3 x 3 taps f32 (not taken) | 132 | 151 | 135 | 166 |
//!
//! In a phase of a resident kernel, whose steps are small, a thread has one point: jacobi-1d of PolyBench/C takes 0.76 ms so,
//! and 1.00 with two. (Thread
//! merge: Yang et al., PLDI 2010, section 3.5.2; block merge and skew: RT-CUDA, section 3.2.)
//!
//! Registers matter as much. A thread that loads a few rows is to load them all at once, and is given all registers: with
//! as few as the compiler thinks of by itself, the 5-point sum of doubles (`skew(i: 4) merge(j: 2)`) takes 403 us, not 369. A thread that loads much, or
//! planes, is not: 7 x 7 taps take 617 us with 244 registers, and 315 with 56; the 7-point sum 549 and 459. On an H200 with rows of
//! taps: 7 x 7 taps f32 take 224 us in two blocks of a processor, 197 in three; of f64 394 and 416; the lattice Boltzmann step
//! takes 340 us in two blocks, 319 in four. Rows of elements narrower than a word are few registers: with as many as the compiler
//! thinks of, cells of bytes take 61 us, and 69 with all (of rows of 8191: 74 and 78), 5 points of bytes 48 and 56 (73 and 75), 9
//! points of bytes 53 and 60 (82 and 76), 5 points of 16 bits 74 and 75; `skew(i: 8, j: 4)` 58, 49, 53 and 75 (84, 81, 94) with as
//! many: not taken.

use crate::ast::{Stmt, StmtKind, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, Tree};
use crate::schedule::Nest;
use crate::schedule::block::Block;
use crate::schedule::lower::scalar_type;
use crate::schedule::map::{Axis, Mapper, dimensions, in_grid, stride};
use crate::schedule::parallel::Analysis;
use crate::schedule::register_promotion::is_assignment;
use crate::schedule::tile::Points;
use std::collections::BTreeSet;

/// More reads of a point that shares none with its neighbours keep memory busy by themselves.
const MOST_ALONE: i64 = 10;

/// Reads of a point that are many: then the loads themselves take longest, and each that points share counts.
const MANY_READS: i64 = 16;

/// Reads of a point in loops over rows, those of its weights among them, with which a thread has a column of points: fewer are
/// as well served by half as many, and more were not measured.
const TAPS_OF_COLUMNS: std::ops::RangeInclusive<i64> = 64..=128;

/// Threads of a usual block.
pub const USUAL_THREADS: i64 = 256;

/// More accesses of a point, none of them shared, take more registers than leave room for other blocks.
const MANY_STREAMS: usize = 8;

/// Fewer points are worth no thread with several: they would leave processors idle.
const FEW: i64 = 1 << 16;

/// An axis of fewer iterations is not cut up further.
const SHORT: i64 = 64;

/// Bytes of a register.
const WORD: i64 = 4;

/// Bytes of a vector of a thread's neighbours that share nothing, where elements are narrower than a word.
const VECTOR: i64 = 16;

/// Rows of a thread's neighbours where all that takes time is to store them.
const ROWS_OF_STORES: i64 = 4;

/// Bytes of memory that a thread has under way at least.
const UNDER_WAY: i64 = 16;

/// The global memory that a point touches.
#[derive(Default)]
struct Touches<'a> {
    /// Each access, with the loops of the point around it.
    accesses: Vec<(&'a Access, Vec<LoopId>)>,
    /// How often a point reads.
    n_reads: i64,
    /// Of these, how often only where the data say so: such loads wait for others.
    n_unsure: i64,
    has_guards: bool,
}

/// The share of a thread where the user says nothing.
pub struct Usual {
    /// Its points by dimension of the grid.
    pub points: Vec<Points>,
    /// Threads of a block by dimension, where they are not those of usual blocks: long along memory where nothing is shared
    /// across it, and lines at its ends are loaded by two blocks; half as many where each has so many registers that a
    /// processor would have few blocks; flat where a thread's own points go far along the first axis.
    pub threads: Option<Vec<i64>>,
    /// A point takes so long that each is to have a thread where there are few.
    pub is_dense: bool,
}

/// The usual blocks of a processor that registers leave room for: one where a thread loads a few rows, all of them at once, and four
/// where they are many and none is shared with neighbours; two where it loads much in loops, row by row, and three of such rows
/// of a plane, but for doubles; where it loads much otherwise, or planes, or rows of elements narrower than a word, other blocks
/// hide its waits, and the compiler chooses (`None`).
pub fn resident(m: &Mapper, a: &Analysis, nest: &Nest) -> Option<i64> {
    let axes = dimensions(a, nest);
    let axes = in_grid(&axes);
    let is_flat = axes.len() <= 2;
    let x = touches(m, a, nest)?;
    if x.n_reads >= MANY_READS {
        return x.has_loops().then_some(if is_flat && *x.sizes(a).iter().max()? <= 4 { 3 } else { 2 });
    }
    let shares = || axes.iter().any(|axis| is_reused(a, &x.accesses, &axis.counters(a)));
    let has_many = m.request.block == Block::Usual && x.accesses.len() > MANY_STREAMS;
    if has_many && !shares() {
        return is_flat.then_some(4);
    }
    let is_narrow = x.sizes(a).iter().max().is_some_and(|size| *size < WORD);
    (is_flat && !(is_narrow && shares())).then_some(1)
}

/// The points of a thread; `None` where one is as good, or nobody has measured.
pub fn usual(m: &Mapper, a: &Analysis, nest: &Nest) -> Option<Usual> {
    let axes = dimensions(a, nest);
    if m.is_phase || !m.tiles.merge || m.request.block != Block::Usual || axes.iter().any(|x| x.dimension.is_none()) {
        return None;
    }
    let axes = in_grid(&axes);
    let touches = touches(m, a, nest)?;
    let counts: Vec<Option<i64>> = axes.iter().map(|x| a.part.get_loop(x.id).most_iterations()).collect();
    let is_few = counts.iter().try_fold(1i64, |all, n| all.checked_mul((*n)?)).is_some_and(|n| n < FEW);
    let may_have = |d: usize| counts[d].is_none_or(|n| n >= SHORT);
    let last = axes.len() - 1;
    let along: Vec<i64> = touches.accesses.iter().map(|(x, _)| stride(x, &axes[last].counters(a))).collect();
    if is_few || !may_have(last) || along.contains(&-1) || !along.contains(&1) {
        return None;
    }
    let sizes = touches.sizes(a);
    let (size, narrowest) = (*sizes.iter().max()?, *sizes.iter().min()?);
    let reused: Vec<bool> =
        (0..last).map(|d| may_have(d) && is_reused(a, &touches.accesses, &axes[d].counters(a))).collect();
    let mut points: Vec<Points> = vec![[None, None]; axes.len()];
    if !reused.contains(&true) {
        if touches.n_reads > MOST_ALONE || touches.has_guards || touches.has_loops() {
            return None;
        }
        let is_shifted = touches.accesses.iter().any(|(x, _)| !is_write(x) && is_shifted(x, &axes[last].counters(a)));
        let next = (!is_shifted && m.tiles.skew && m.tiles.vectorize).then_some((VECTOR / size).max(1));
        let is_stored_alone =
            last > 0 && touches.n_reads > 0 && touches.accesses.iter().all(|(x, _)| is_write(x) || !moves(a, x, &axes));
        match next {
            Some(next) if is_stored_alone && may_have(last - 1) => {
                (points[last - 1][1], points[last][1]) = (Some(ROWS_OF_STORES), Some(next));
            }
            Some(next) if narrowest < 4 => points[last][1] = Some(next),
            _ => points[last][0] = Some(streaming(streams(a, &touches, &axes), size)),
        }
        let threads = (last > 0 && is_shifted).then(|| lengthened(axes.len()));
        return Some(Usual { points, threads, is_dense: false });
    }
    let skew = |n: i64| m.tiles.skew.then_some(n);
    let mut threads = None;
    match (axes.len(), touches.n_reads >= MANY_READS) {
        (2, true) if touches.has_loops() && TAPS_OF_COLUMNS.contains(&touches.n_reads) => {
            (points[0][1], points[1][1]) = (skew(16), skew(2));
            threads = Some(vec![4, 32]);
        }
        (2, true) => (points[0][1], points[1][1]) = (skew(if touches.has_loops() { 8 } else { 4 }), skew(2)),
        (2, false) if touches.has_guards => (points[0][1], points[1][1]) = (skew(2), skew(2)),
        (2, false) => {
            (points[0][1], points[1][1]) = (skew(if size < 4 { 4 } else { 2 }), skew(if size > 4 { 2 } else { 4 }));
        }
        (3, true) => {
            let in_rows = touches.has_loops();
            let (before, along) =
                if size > 4 && in_rows { (2, 4) } else { (if size > 4 || in_rows { 4 } else { 2 }, 2) };
            points[0][1] = skew(before).filter(|_| reused[0]);
            points[1][1] = skew(along).filter(|_| reused[1]);
            points[2][1] = skew(if size > 4 { 2 } else { 4 }).filter(|_| in_rows);
            points[2][0] = Some(2).filter(|_| size <= 4 && !in_rows);
            threads = (size > 4 && in_rows).then(|| vec![1, 4, 32]);
        }
        (3, false) => {
            let (few, is_wide) = (touches.n_arrays() <= 2, size > 4);
            points[0][1] = skew(if is_wide { 4 } else { 2 }).filter(|_| reused[0] && few);
            (points[1][1], points[2][1]) = (skew(2).filter(|_| reused[1]), skew(2));
            threads = (is_wide && points[0][1].is_some()).then(|| vec![1, 8, 32]);
        }
        _ => return None,
    }
    Some(Usual { points, threads, is_dense: touches.n_reads >= MANY_READS })
}

/// Threads of a block of which nearly all are along the last of some dimensions.
fn lengthened(n_dimensions: usize) -> Vec<i64> {
    let mut threads = vec![1; n_dimensions];
    threads[n_dimensions - 1] = USUAL_THREADS / 2;
    threads[n_dimensions - 2] = 2;
    threads
}

/// Test that an access is of a neighbour along memory.
fn is_shifted(x: &Access, last: &[VarId]) -> bool {
    let along = x.index.iter().flatten().find(|p| last.iter().any(|v| p.uses(*v)));
    along.is_some_and(|p| p.terms.get(&vec![]).is_some_and(|n| *n != 0))
}

/// Accesses of a point whose elements no other point touches: those that all axes move.
fn streams(a: &Analysis, touches: &Touches, axes: &[&Axis]) -> i64 {
    touches.accesses.iter().filter(|(x, _)| moves(a, x, axes)).count() as i64
}

/// Test that each axis moves an access.
fn moves(a: &Analysis, x: &Access, axes: &[&Axis]) -> bool {
    axes.iter().all(|axis| {
        let counters = axis.counters(a);
        x.index.iter().flatten().any(|p| counters.iter().any(|v| p.uses(*v)))
    })
}

/// Points a block apart of a thread that shares nothing with its neighbours: enough bytes for memory to be busy.
fn streaming(streams: i64, size: i64) -> i64 {
    let is_little = 2 * streams * size < UNDER_WAY;
    if is_little || size < 4 { 4 } else { 2 }
}

impl Touches<'_> {
    /// Bytes of the elements of each access.
    fn sizes(&self, a: &Analysis) -> Vec<i64> {
        let ty = |x: &Access| scalar_type(&a.part.data[&x.data].elem);
        self.accesses.iter().filter_map(|(x, _)| Some(ty(x)?.size(64))).collect()
    }

    fn n_arrays(&self) -> usize {
        self.accesses.iter().map(|(x, _)| x.data).collect::<BTreeSet<_>>().len()
    }

    fn has_loops(&self) -> bool {
        self.accesses.iter().any(|(_, loops)| !loops.is_empty())
    }
}

/// Accesses of a point that does nothing but assign, in loops that are the same for all points; `None` where there is
/// more to a point, or where the data decide about most reads.
fn touches<'a>(m: &Mapper, a: &'a Analysis, nest: &Nest) -> Option<Touches<'a>> {
    let mut out = Touches::default();
    add(m, a, &nest.body, (&[], 1), &mut out)?;
    let is_plain = out.n_unsure <= out.n_reads / 2;
    (is_plain && out.accesses.iter().any(|(x, _)| is_write(x))).then_some(out)
}

fn add<'a>(m: &Mapper, a: &'a Analysis, trees: &[Tree], around: (&[LoopId], i64), out: &mut Touches<'a>) -> Option<()> {
    let (loops, times) = around;
    for tree in trees {
        let s = match tree {
            Tree::Stmt(s) => a.part.stmt(*s),
            Tree::If { body, .. } => {
                out.has_guards = true;
                add(m, a, body, around, out)?;
                continue;
            }
            Tree::Loop(id, body) => {
                let inner = a.part.get_loop(*id);
                let varies = |p: &Poly| p.terms.keys().flatten().any(|s| !matches!(s, Sym::Param(_)));
                if inner.step != 1 || varies(&inner.first) || inner.limits.iter().any(varies) {
                    return None;
                }
                let times = times.saturating_mul(inner.most_iterations().unwrap_or(MANY_READS));
                add(m, a, body, (&[loops, &[*id]].concat(), times), out)?;
                continue;
            }
        };
        if s.has_loop || !assigns(&s.body) {
            return None;
        }
        // The host tests what its own loops alone decide.
        let decides = |l: &&LoopId| !m.host.contains(l);
        let own = || s.loops.iter().filter(decides).map(|l| a.part.get_loop(*l).var);
        out.has_guards |= s.guards.iter().any(|guard| own().any(|v| guard.uses(v)));
        for x in s.accesses.iter().filter(|x| !m.private.contains(&x.data)) {
            if x.index.is_none() || !x.known.is_empty() || !x.surely && is_write(x) {
                return None;
            }
            let is_known = out.accesses.iter().any(|(y, _)| y.kind == x.kind && y.data == x.data && y.index == x.index);
            if a.part.data[&x.data].shape.c_rank > 0 && !is_known {
                out.n_reads = out.n_reads.saturating_add(if is_write(x) { 0 } else { times });
                out.n_unsure = out.n_unsure.saturating_add(if x.surely { 0 } else { times });
                out.accesses.push((x, loops.to_vec()));
            }
        }
    }
    Some(())
}

/// Test that a statement declares and assigns, be it in branches.
fn assigns(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Decl(_) => true,
        StmtKind::Block(all) => all.iter().all(assigns),
        StmtKind::If { then, other, .. } => assigns(then) && other.iter().all(|s| assigns(s)),
        _ => is_assignment(s),
    }
}

/// Test that reads of an array are of elements that a few steps along an axis lead from one to the other: two reads, or one in
/// several iterations of a loop of the point.
fn is_reused(a: &Analysis, accesses: &[(&Access, Vec<LoopId>)], axis: &[VarId]) -> bool {
    let reads: Vec<&(&Access, Vec<LoopId>)> = accesses.iter().filter(|(x, _)| !is_write(x)).collect();
    let uses_axis = |p: &Poly| axis.iter().any(|v| p.uses(*v));
    let slides = |(x, loops): &(&Access, Vec<LoopId>)| {
        let counters = || loops.iter().map(|id| a.part.get_loop(*id).var);
        x.index.iter().flatten().any(|p| uses_axis(p) && counters().any(|v| p.uses(v)))
    };
    let leads = |x: &Access, y: &Access| {
        let (Some(x), Some(y)) = (&x.index, &y.index) else { return false };
        let apart = |p: &Poly, q: &Poly| p.plus(q, -1).and_then(|d| d.as_constant());
        x.len() == y.len()
            && x.iter().zip(y).all(|(p, q)| apart(p, q).is_some_and(|n| n == 0 || uses_axis(p)))
            && x.iter().zip(y).any(|(p, q)| apart(p, q) != Some(0))
    };
    let is_led_to = |n: usize| reads[n + 1..].iter().any(|y| y.0.data == reads[n].0.data && leads(reads[n].0, y.0));
    reads.iter().any(|x| slides(x)) || (0..reads.len()).any(is_led_to)
}
