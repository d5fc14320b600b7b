//! Histograms: updates of elements that the data choose, made in copies that a block has in shared memory.
//!
//! ```text
//! for at in g0 * BLOCK_0 + t0 .. n step n0 * BLOCK_0 { i = at; atomic h[a[i]] += 1 }
//! ->
//! shared int rt_h_cells[CELLS]
//! clear the cells; barrier
//! for first in (g0 * BLOCK_0 + t0) * SKEW_0 .. n step n0 * BLOCK_0 * SKEW_0 {
//!   for the SKEW_0 points from there, whose elements are loaded as vectors {
//!     rt_at = a[i]
//!     if (rt_at < rt_h_covered) { atomic rt_h_cells[rt_at * rt_h_each + rt_h_own] += 1 }
//!     else { atomic h[rt_at] += 1 }
//!   }
//! }
//! barrier
//! for bin in t0 .. rt_h_covered step BLOCK_0 { sum = the bin's cells; if (sum != 0) atomic h[bin] += sum }
//! ```
//! Updates of few elements of global memory wait for each other: of 256 counts an H200 makes 4 a nanosecond, of one count
//! 1.4. How many elements there are is known at the call, and they share the cells out: few have a copy for each lane of a
//! warp, one beside the other, so that each lane has a bank of its own; the more there are, the
//! fewer copies. Of an array that does not fit the first rows have cells, and the rest, like what lies outside the array,
//! is updated where it is; an array of which that would be most has none. (Podlozhnyuk, "Histogram calculation in CUDA",
//! 2007; Gomez-Luna et al., "An optimized approach to histogram computation on GPU", 2013; Henriksen et al., "Compiling
//! generalized histograms for GPU", SC 2020.)

use super::block::Block;
use super::frame::side;
use super::index::binary;
use super::lowered::{Lowered, Lowers};
use super::map::{Mapper, stride};
use super::mapping::{Axis, Copies, Mapping, Place};
use super::parallel::Analysis;
use super::reduce::shared_updates;
use super::{Nest, extent, index, lower};
use crate::ast::{BinOp, VarId};
use crate::cost::enough;
use crate::facts::Reason;
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::{Expr, Kernel, ReduceOp, ScalarParam, Tunable, simplify};
use crate::poly::Failure;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, Statement, StmtId};
use code::Code;
use copied::Copied;
use std::collections::BTreeMap;

mod code;
mod copied;
mod together;

/// Most copies of an element: one for each lane of a warp.
const MOST_COPIES: i64 = 32;

/// Threads of a block, where the user says nothing: a processor holds three such blocks, where a thread has no more than 40
/// registers (vectors and addresses of 16 points take 32 to 40).
const THREADS: i64 = 512;

/// Bytes of the cells of all arrays, and of those for many elements: of these three blocks have room in a large processor,
/// one in a smaller.
const SHARED: [i64; 2] = [32 * 1024, 72 * 1024];

/// Bytes of the cells of the smallest blocks.
const LEAST_SHARED: i64 = 16 * 1024;

/// Points for each element below which large cells, which all blocks clear and join, do not pay: four in each block.
const POINTS_OF_LARGE: i64 = 1024;

/// Most blocks of fewer threads.
const MOST_BLOCKS: i64 = 1024;

/// Cells are a multiple of so many.
const LEAST_CELLS: i64 = 256;

/// Bytes of a vector.
const VECTOR: i64 = 16;

/// Neighbouring points of a thread: so many vectors of the widest elements are still registers.
const POINTS: [i64; 2] = [8, 16];

impl Mapper<'_> {
    /// The mapping of a nest whose threads meet at elements that the data choose alone, or why it has none, if it has such
    /// elements.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub(super) fn histogram_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
    ) -> Result<Result<Mapping, Option<String>>, Failure> {
        let shared = shared_updates(a, nest, &self.host, &self.private)?;
        let chosen = chosen(a, &shared);
        if chosen.is_empty() {
            return Ok(Err(None));
        }
        let arrays: Vec<String> = chosen.keys().map(|v| self.unit.var(*v).name.clone()).collect();
        let refused = |why: &str| Ok(Err(Some(format!("no copies of {} for each block: {why}", arrays.join(" and ")))));
        if self.is_phase {
            return refused("blocks that go on from phase to phase would clear and join them in each");
        }
        if !self.tiles.stage || self.request.merge.one().is_some_and(|n| n > 1) {
            return refused("what is asked for leaves no room for them");
        }
        if let Some(why) = hindrance(a, nest, &self.host, (&shared, &chosen)) {
            return refused(why);
        }
        let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let data: Vec<VarId> = chosen.into_keys().collect();
        let Some(size) = data.iter().map(|v| size_of(a, *v)).sum::<Option<i64>>() else {
            return refused("elements of 1 or 2 bytes are updated in words that others share");
        };
        let innermost = *axes.last().expect("a band has an axis");
        let skew = match self.request.skew.one() {
            Some(n) => (a.part.get_loop(innermost).step == 1 && n > 1).then_some(n),
            None if self.tiles.skew && self.tiles.vectorize => neighbours(a, nest, innermost),
            None => None,
        };
        let is_usual = matches!(self.request.block, Block::Usual | Block::UsualLong);
        let threads = if is_usual { THREADS } else { self.request.block.threads() };
        let place = Place::Flat { threads, merge: None, skew };
        let copies = |most: i64, bytes: i64| {
            let cells = bytes / size / LEAST_CELLS * LEAST_CELLS;
            Copies { arrays: arrays.clone(), most, cells }
        };
        let usual = (SHARED[0] * threads / THREADS).clamp(LEAST_SHARED, SHARED[0]);
        let (few, many) = (copies(MOST_COPIES, usual), copies(1, SHARED[1]));
        let known = data.iter().map(|v| known_elements(a, *v)).try_fold(0, |most, n| Some(most.max(n?)));
        let copies = match known {
            Some(n) if n > copied::LARGE * many.cells => return refused("it has more elements than there is room for"),
            Some(n) if n <= few.cells => vec![few],
            _ => vec![few, many],
        };
        let axes = axes.iter().map(|id| Axis { name: self.name_of(a, *id), place }).collect();
        Ok(Ok(Mapping { axes, copies, ..Mapping::of(strategy) }))
    }

    /// The kernels of a nest that updates copies: for few elements, and for many.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(super) fn histogram(&mut self, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
        let Some((few, many)) = mapping.copies.split_first() else { unreachable!("a histogram has copies") };
        let names = self.names.clone();
        let mut lowered = match self.with_copies(a, nest, mapping, (name, few))? {
            Ok((lowered, _)) => lowered,
            Err(reason) => return Ok(Err(reason)),
        };
        for many in many {
            let name = format!("{name}_many");
            // Both kernels give the same names.
            let given = std::mem::replace(self.names, names.clone());
            let others = self.with_copies(a, nest, mapping, (&name, many));
            *self.names = given;
            let (others, elements) = match others? {
                Ok(others) => others,
                Err(reason) => return Ok(Err(reason)),
            };
            let total = code::total(&others.kernels[0]);
            let pays = |n: Expr| {
                let too_many = binary(BinOp::Gt, n.clone(), Expr::Int(few.cells));
                let is_part = binary(BinOp::Le, n.clone(), Expr::Int(copied::LARGE * many.cells));
                let is_long = binary(BinOp::Ge, total.clone(), index::mul(Expr::Int(POINTS_OF_LARGE), n));
                index::all([too_many, is_part, is_long]).expect("three")
            };
            let Some(mut cond) = index::max(elements).map(pays) else { continue };
            simplify::index_expr(&mut cond);
            lowered.variants.push((cond, others));
        }
        Ok(Ok(lowered))
    }

    /// The kernel of a nest with certain copies, and how many elements each array has.
    fn with_copies(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        (name, copies): (&str, &Copies),
    ) -> Result<Result<(Lowered, Vec<Expr>), Reason>, Failure> {
        let Some(Place::Flat { threads, skew, .. }) = mapping.axes.first().map(|x| x.place) else {
            unreachable!("a histogram has flat axes")
        };
        let mut lowered = match self.point_by_point(a, nest, mapping, name, None)? {
            Ok(lowered) => lowered,
            Err(reason) => return Ok(Err(reason)),
        };
        let kernel = lowered.kernels.first_mut().expect("a nest has a kernel");
        let arrays = self.copied(a, kernel, copies);
        let inner = nest.axes.last().map(|x| a.part.get_loop(x[0]).clone()).expect("a band has an axis");
        let mut l = self.lowering(a);
        let count = extent::count(&inner, &mut l);
        kernel.tunables.push(Tunable { name: "CELLS".into(), value: copies.cells });
        let code = Code { names: self.names, arrays: &arrays, most: copies.most, skew, axes: nest.axes.len(), count };
        code.rewrite(kernel);
        let elements: Vec<Expr> = arrays.iter().map(Copied::elements).collect();
        let most = Expr::Int((enough::blocks_of_histogram() * THREADS / threads).clamp(1, MOST_BLOCKS));
        kernel.grid = vec![index::min([index::ceil_div(code::total(kernel), side(mapping)), most]).expect("two")];
        let note =
            format!("{}; elements that the data select are updated in copies of a block", self.in_parallel(a, nest));
        kernel.notes = vec![note];
        Ok(Ok((lowered, elements)))
    }

    /// The arrays of a kernel that have copies, with their extents.
    fn copied(&mut self, a: &Analysis, kernel: &mut Kernel, copies: &Copies) -> Vec<Copied> {
        let mut out = vec![];
        for v in a.part.data.keys().filter(|v| copies.arrays.contains(&self.unit.var(**v).name)) {
            let array = self.names.of(self.unit, *v);
            let Some(param) = kernel.arrays.iter().find(|x| x.name == array) else { continue };
            let (ty, inner) = (param.ty, param.extents[1..].to_vec());
            let rows = rows(a, *v).expect("a mapping copies arrays of known extents");
            let mut l = self.lowering(a);
            let rows = l.poly(&rows);
            for (name, by) in std::mem::take(&mut l.used).scalars {
                if kernel.scalars.iter().all(|s| s.name != name) {
                    kernel.scalars.push(ScalarParam { name: name.clone(), ty: by.ty });
                }
                self.used.scalars.entry(name).or_insert(by);
            }
            out.extend(Copied::new(self.names, kernel, array, ty, (rows, inner)));
        }
        out
    }
}

/// The arrays that different threads update at elements that the data choose, and by what.
fn chosen(a: &Analysis, shared: &[StmtId]) -> BTreeMap<VarId, ReduceOp> {
    let all = shared.iter().filter_map(|s| Some((a.part.stmt(*s), a.part.stmt(*s).update()?)));
    let is_chosen = |s: &Statement, v: VarId| s.accesses.iter().any(|x| x.data == v && x.index.is_none());
    all.filter(|(s, r)| is_chosen(s, r.data)).map(|(_, r)| (r.data, r.op)).collect()
}

/// What forbids copies of some arrays: threads meet elsewhere, something else gets at them, how large they are is not known,
/// or a point has loops of its own.
fn hindrance(
    a: &Analysis,
    nest: &Nest,
    host: &[LoopId],
    (shared, chosen): (&[StmtId], &BTreeMap<VarId, ReduceOp>),
) -> Option<&'static str> {
    let axes: Vec<LoopId> = nest.axes.iter().flatten().copied().collect();
    let outermost: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    let stmts: Vec<&Statement> = nest.stmts().into_iter().map(|s| a.part.stmt(s)).collect();
    if stmts.iter().any(|s| s.has_loop || s.loops.iter().any(|l| !axes.contains(l) && !host.contains(l))) {
        return Some("an iteration has loops of its own");
    }
    if !extent::is_box(a, &outermost) {
        return Some("the bounds of its loops depend on each other");
    }
    let is_update = |s: &Statement, v: VarId, op: ReduceOp| {
        let updates = s.update().is_some_and(|r| (r.data, r.op) == (v, op));
        updates && s.accesses.iter().all(|x| x.data != v || x.index.is_none())
    };
    let touches = |s: &Statement, v: VarId| s.accesses.iter().any(|x| x.data == v);
    let is_only_updated = |v, op| stmts.iter().all(|s| !touches(s, v) || is_update(s, v, op));
    if !chosen.iter().all(|(v, op)| is_only_updated(*v, *op)) {
        return Some("something else here reads or writes elements of it");
    }
    if !shared.iter().all(|s| a.part.stmt(*s).update().is_some_and(|r| chosen.contains_key(&r.data))) {
        return Some("iterations accumulate elsewhere, too");
    }
    let is_known = chosen.keys().all(|v| rows(a, *v).is_some());
    (!is_known).then_some("nothing says how many elements it has")
}

/// How many elements an array has, where that is known.
fn known_elements(a: &Analysis, v: VarId) -> Option<i64> {
    let inner = a.part.data[&v].shape.own_inner().iter().map(Poly::as_constant);
    inner.chain([rows(a, v)?.as_constant()]).try_fold(1i64, |all, n| all.checked_mul(n?))
}

/// The outermost extent of an array in memory, where something says it.
fn rows(a: &Analysis, v: VarId) -> Option<Poly> {
    let shape = &a.part.data[&v].shape;
    let stated = shape.stated.as_ref().filter(|_| !shape.is_delinearised());
    let stated = stated.and_then(|(extents, _)| extents.first().cloned());
    stated.or_else(|| shape.outer.clone()).filter(|_| shape.c_rank > 0 && shape.n_pointers == 0)
}

/// Bytes of an element that the device updates at once.
fn size_of(a: &Analysis, v: VarId) -> Option<i64> {
    Some(lower::scalar_type(&a.part.data[&v].elem)?.size(64)).filter(|size| [4, 8].contains(size))
}

/// The neighbouring points of a thread, if each loads elements that lie beside those of the next: a vector of the
/// narrowest.
fn neighbours(a: &Analysis, nest: &Nest, innermost: LoopId) -> Option<i64> {
    let axis = a.part.get_loop(innermost);
    let stmts: Vec<&Statement> = nest.stmts().into_iter().map(|s| a.part.stmt(s)).collect();
    let all = || stmts.iter().flat_map(|s| s.accesses.iter().map(move |x| (s, x)));
    let is_written = |v: VarId| all().any(|(_, x)| x.data == v && is_write(x));
    let serves = |s: &Statement, x: &Access| {
        let last = x.index.as_ref()?.last()?.clone();
        let from = last.plus(&Poly::sym(Sym::Counter(axis.var)), -1)?.plus(&axis.first, 1)?;
        let size = lower::scalar_type(&a.part.data[&x.data].elem)?.size(64);
        let is_aligned = from.as_constant().is_none_or(|c| c.rem_euclid(VECTOR / size.min(VECTOR)) == 0);
        let is_sure = s.guards.is_empty() && x.surely && x.known.is_empty();
        let is_vector = a.part.data[&x.data].shape.c_rank > 0 && stride(x, &[axis.var]) == 1 && !from.uses(axis.var);
        (is_sure && is_vector && is_aligned && !is_written(x.data)).then_some(size)
    };
    let size = all().filter_map(|(s, x)| serves(s, x)).min()?;
    (axis.step == 1).then(|| (VECTOR / size).clamp(POINTS[0], POINTS[1]))
}
