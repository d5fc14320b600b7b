//! Several blocks for each element, where a call has few elements and their loops are long.
//!
//! ```text
//! for r < 6: s = 0; for i < n: s += a[r][i]; t[r] = s;
//! ->
//! pieces   n_pieces * blocks of r   for i in p * BLOCK_1 + t1 .. n step n_pieces * BLOCK_1: rt_s += a[r, i]
//!                                   join; rt_s_parts[p, r] = rt_s
//! joined   blocks of r              for p in t1 .. n_pieces step BLOCK_1: rt_s += rt_s_parts[p, r]
//!                                   join; t[r] = rt_s
//! ```
//! Threads of one block alone leave a device idle that has more processors than there are blocks of elements. The first
//! kernel writes nothing but partial results, so that it may run before all else that an element does; the second does
//! all of that, with partial results in the place of the loops. Two stages rather than atomics: two runs agree to the
//! bit. Which of the kernels run is decided at each call, by its sizes. (Segmented reduction with several blocks a
//! segment: Larsen and Henriksen, "Strategies for regular segmented reductions on GPU", FHPC 2017.)

use super::body::{Body, Shared};
use super::layout::Layout;
use super::pieces::{self, By, Piece, Sum, leaves, shared_loops, target};
use super::stage::{Arrays, Partials, Stage, is_first, touched};
use crate::ast::{BinOp, VarId};
use crate::cost::enough;
use crate::facts::Reason;
use crate::kernel::{self as k, Access, Expr, ScalarType, StmtKind, simplify};
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::poly::scop::is_write;
use crate::region::{Access as Touch, LoopId, StmtId};
use crate::schedule::lower::Lowering;
use crate::schedule::lowered::Lowered;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Divided, Mapping};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest, extent, index, lowered, reduce_op};
use std::collections::BTreeSet;

/// Iterations of a loop that take a block as long as the second kernel does.
const ITERATIONS: i64 = 1024;

/// With fewer blocks of an element there are enough elements. (300 rows of 200,000 doubles by a vector take 170 us on an H100
/// so, and 1,218 with one block for eight rows; 1,900 rows of 2,100 keep theirs, and take 13.)
const FEWEST: i64 = 16;

/// The data of a thread that only the second kernel needs; `None` where the first would need what only that has, would
/// write what is no partial result, or would do much again that the second does.
fn left_out(
    a: &Analysis,
    pieces: &[Piece],
    around: &[LoopId],
    private: &BTreeSet<VarId>,
) -> Result<Option<BTreeSet<VarId>>, Failure> {
    let sums = || pieces.iter().flat_map(Piece::sums);
    let updates = |s: StmtId, v: VarId| sums().any(|x| x.data == v && x.updates.contains(&s));
    let mut left: BTreeSet<VarId> = sums().map(|x| x.data).filter(|v| private.contains(v)).collect();
    for p in pieces.iter().filter(|p| matches!(p.by, By::Owner | By::Within(_))) {
        left.extend(touched(a, p, private, true));
    }
    let mut grew = true;
    while grew {
        let before = left.len();
        for p in pieces.iter().filter(|p| !is_first(a, p, private, &left)).collect::<Vec<_>>() {
            left.extend(touched(a, p, private, true));
        }
        grew = left.len() > before;
    }
    let first: Vec<&Piece> = pieces.iter().filter(|p| is_first(a, p, private, &left)).collect();
    if first.iter().any(|p| matches!(p.by, By::Everyone) && !loops_in(p.tree).is_empty()) {
        return Ok(None);
    }
    let stmts: Vec<StmtId> = first.iter().flat_map(|p| p.tree.stmts()).collect();
    for s in &stmts {
        let others = a.part.stmt(*s).accesses.iter().filter(|x| !updates(*s, x.data));
        let is_lost = |x: &Touch| if private.contains(&x.data) { left.contains(&x.data) } else { is_write(x) };
        if others.into_iter().any(is_lost) {
            return Ok(None);
        }
    }
    for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| d.kind == Kind::Flow && stmts.contains(&d.dst)) {
        let is_second = !stmts.contains(&d.src) || updates(d.src, d.data);
        let is_early = is_second && !private.contains(&d.data) && !updates(d.dst, d.data);
        let inside = pieces.iter().any(|p| p.tree.stmts().contains(&d.src));
        if is_early && inside && a.is_of_one_iteration(i, around)? {
            return Ok(None);
        }
    }
    Ok(Some(left))
}

/// Test that iterations of the axes add to one and the same element.
fn is_of_all(a: &Analysis, nest: &Nest, x: &Sum, host: &[LoopId]) -> Result<bool, Failure> {
    let within = |s| x.updates.contains(&s);
    for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| d.data == x.data && within(d.src) && within(d.dst)) {
        let mut outer = host.to_vec();
        let has_axis = |l: &&LoopId| a.part.stmt(d.src).loops.contains(*l);
        for axis in nest.axes.iter().flatten().filter(has_axis) {
            if a.carried(i, *axis, &outer)? {
                return Ok(true);
            }
            outer.push(*axis);
        }
    }
    Ok(false)
}

impl Mapper<'_> {
    /// The loops around a thread's body.
    pub(in crate::schedule) fn around(&self, nest: &Nest) -> Vec<LoopId> {
        self.host.iter().chain(nest.axes.iter().flatten()).copied().collect()
    }

    /// How blocks share the loops of an element; `None` where they may not, or calls always have elements enough.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn divided_mapping(&mut self, a: &Analysis, nest: &Nest) -> Result<Option<Divided>, Failure> {
        // Who asks for points has threads of their own in mind; steps of a loop of the host have other kernels beside.
        let is_free = self.tiles.merge && !self.request.wants_points();
        if !is_free || nest.mode == Mode::OneThread || !is_simple_band(a, nest) {
            return Ok(None);
        }
        let Some(pieces) = pieces::pieces(a, nest, &self.host, &self.private, &BTreeSet::new())? else {
            return Ok(None);
        };
        if pieces.iter().any(|p| matches!(p.by, By::Nested(_))) {
            return Ok(None);
        }
        for x in pieces.iter().flat_map(Piece::sums).filter(|x| !self.private.contains(&x.data)) {
            if is_of_all(a, nest, x, &self.host)? {
                return Ok(None);
            }
        }
        let axis = nest.axes.last().expect("a band has an axis");
        let around = self.around(nest);
        let Some(mut layout) = self.layout(a, axis, &pieces) else { return Ok(None) };
        if left_out(a, &pieces, &around, &self.private)?.is_none() {
            return Ok(None);
        }
        if nest.mode == Mode::Reduce && layout.lanes == 1 {
            layout.block = [1, layout.block.iter().product()];
        }
        let [elements, lanes] = [layout.elements, layout.lanes].map(|d| layout.block[d]);
        let iterations = (ITERATIONS / lanes).max(1);
        let divided = Divided {
            elements,
            lanes,
            dimension: layout.lanes,
            blocks: enough::threads_that_fill() / (elements * lanes),
            iterations,
        };
        let lengths = match self.lengths(a, nest, &pieces) {
            Ok(lengths) => lengths,
            Err(Failure::Declined(_)) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        let least = least(nest);
        // Where loops are as long as there are elements, there are enough of these or too little of those.
        let squares =
            least * lanes * least * lanes * iterations > enough::threads_that_fill() && nest.mode == Mode::Parallel;
        let never = squares && index::without_constant(&lengths.0) == index::without_constant(&lengths.1);
        let most = shared_loops(&pieces).iter().map(|l| extent::most_iterations(a, *l)).max().flatten();
        let never = never || most.is_some_and(|n| n / (lanes * iterations) < least);
        let n = n_pieces(nest, lengths, &divided);
        Ok((!never && !matches!(n, Expr::Int(n) if n < least)).then_some(divided))
    }

    /// How many elements there are, and the iterations of the longest loop of one that lanes share; where a loop in order goes around
    /// some, of the longest of these, which take most of the time.
    pub(super) fn lengths(&mut self, a: &Analysis, nest: &Nest, pieces: &[Piece]) -> Result<(Expr, Expr), Failure> {
        let host = self.host.clone();
        let mut l = self.lowering(a);
        let mut lengths = vec![];
        let nested = pieces.iter().filter_map(|p| if let By::Nested(l) = p.by { Some(l) } else { None });
        let around: Vec<LoopId> = nest.axes.iter().flatten().copied().chain(nested).collect();
        let nests = pieces.iter().any(|p| matches!(p.by, By::Nested(_)));
        let counted = pieces.iter().filter(|p| !nests || matches!(p.by, By::Nested(_)));
        for p in counted.flat_map(|p| leaves(std::slice::from_ref(p))) {
            let By::Lanes(shared, _) = &p.by else { continue };
            let mut counters = around.iter().map(|x| a.part.get_loop(*x).var);
            lengths.push(match counters.all(|v| extent::is_free(a.part.get_loop(*shared), v)) {
                true => extent::count(a.part.get_loop(*shared), &mut l),
                false => extent::bounding_count(a, *shared, &p.tree.stmts(), &host, &mut l)?,
            });
        }
        lengths.dedup();
        let lengths = (l.n_elements(a, nest), index::max(lengths).expect("a loop is shared"));
        for (name, by) in std::mem::take(&mut l.used).scalars {
            self.used.scalars.entry(name).or_insert(by);
        }
        Ok(lengths)
    }

    /// Test that the sizes of every call are known, and loops are divided.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn is_certain(&mut self, a: &Analysis, nest: &Nest, divided: &Divided) -> Result<bool, Failure> {
        let pieces =
            pieces::pieces(a, nest, &self.host, &self.private, &BTreeSet::new())?.expect("the mapping divides loops");
        let lengths = self.lengths(a, nest, &pieces)?;
        Ok(lowered::is_certain(&n_pieces(nest, lengths, divided), least(nest)))
    }

    /// Adds the kernels that divide the loops of each element among blocks.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub fn divide(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        name: &str,
        lowered: &mut Lowered,
    ) -> Result<Result<(), Reason>, Failure> {
        let Some(divided) = &mapping.divided else { return Ok(Ok(())) };
        let pieces =
            pieces::pieces(a, nest, &self.host, &self.private, &BTreeSet::new())?.expect("the mapping divides loops");
        let around = self.around(nest);
        let left_out = left_out(a, &pieces, &around, &self.private)?.expect("the mapping divides loops");
        let count = n_pieces(nest, self.lengths(a, nest, &pieces)?, divided);
        let length = (divided.blocks * divided.elements).max(if nest.mode == Mode::Reduce {
            enough::threads_that_load()
        } else {
            0
        });
        let array = |x: &Sum| {
            let base = self.names.of(self.unit, x.data);
            (self.names.fresh(&format!("rt_{base}_parts")), target(a, x).1, length)
        };
        let arrays: Arrays = pieces.iter().flat_map(Piece::sums).map(array).collect();
        let (shared, others): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|p| matches!(p.by, By::Lanes(..)));
        let all = |of: Vec<&Piece>| -> BTreeSet<VarId> {
            of.into_iter().flat_map(|p| touched(a, p, &self.private, false)).collect()
        };
        let is_sum = |v: &VarId| pieces.iter().flat_map(Piece::sums).any(|x| x.data == *v);
        let mut only_first = &all(shared) - &all(others);
        only_first.retain(|v| !is_sum(v));
        let partials = Partials {
            n_pieces: self.names.fresh("rt_n_pieces"),
            piece: self.names.fresh("rt_piece"),
            arrays,
            left_out,
            only_first,
        };
        let (layout, stage) = (Layout::of_divided(divided), Stage::First(&partials));
        let first = match self.shared_kernel(a, nest, &format!("{name}_pieces"), &pieces, layout, &stage)? {
            Ok(first) => first,
            Err(reason) => return Ok(Err(reason)),
        };
        let (name, stage) = (format!("{name}_joined"), Stage::Second(&partials));
        let second = match nest.mode {
            Mode::Reduce => self.point_by_point(a, nest, mapping, &name, Some(&partials))?,
            _ => self.shared_kernel(a, nest, &name, &pieces, layout, &stage)?.map(Lowered::from),
        };
        let second = match second {
            Ok(second) => Box::new(second),
            Err(reason) => return Ok(Err(reason)),
        };
        let n_pieces = (partials.n_pieces, count);
        lowered.shared_out.extend(shared_loops(&pieces));
        lowered.partials.extend(partials.arrays);
        lowered.divided = Some(lowered::Divided { first, second, n_pieces, least: least(nest) });
        Ok(Ok(()))
    }
}

/// Test that a band has one axis, or is a box of few elements, or one that accumulates.
fn is_simple_band(a: &Analysis, nest: &Nest) -> bool {
    let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    let few = || {
        let n = axes.iter().map(|l| a.part.get_loop(*l).most_iterations());
        n.reduce(|n, m| n?.checked_mul(m?)).flatten().is_some_and(|n| n <= enough::threads_that_load())
    };
    axes.len() == 1 || extent::is_box(a, &axes) && (nest.mode == Mode::Reduce || few())
}

/// So many blocks of an element are worth it. A thread that accumulates has no others that help it.
fn least(nest: &Nest) -> i64 {
    if nest.mode == Mode::Reduce { 1 } else { FEWEST }
}

/// How many blocks an element has: as many as fill the device, each with iterations enough.
fn n_pieces(nest: &Nest, (elements, longest): (Expr, Expr), divided: &Divided) -> Expr {
    let at_least_one = |e| index::max([e, Expr::Int(1)]).expect("two numbers");
    let blocks = at_least_one(index::ceil_div(elements.clone(), Expr::Int(divided.elements)));
    let mut wanted = index::binary(BinOp::Div, Expr::Int(divided.blocks), blocks);
    let worth = index::binary(BinOp::Div, longest, Expr::Int(divided.lanes * divided.iterations));
    if nest.mode == Mode::Reduce {
        let few = index::binary(BinOp::Div, Expr::Int(enough::threads_that_load()), at_least_one(elements));
        wanted = index::min([at_least_one(wanted), few]).expect("two numbers");
    }
    let mut n = index::min([wanted, worth]).expect("two numbers");
    simplify::index_expr(&mut n);
    n
}

impl Lowering<'_> {
    /// Where the partial result of an element lies: piece by piece, so that neighbours are so there.
    fn part(&mut self, a: &Analysis, nest: &Nest, array: &str, [piece, element]: [Expr; 2]) -> Access {
        let index = index::add(index::mul(piece, self.n_elements(a, nest)), element);
        Access { array: array.to_string(), index: vec![index] }
    }

    /// Leaves what a block has of a piece's sum as a partial result; in the first kernel alone.
    pub(super) fn leave(&mut self, a: &Analysis, at: &Shared, sum: usize, acc: &str) -> Option<StmtKind> {
        let Stage::First(partials) = at.stage else { return None };
        let place = [index::var(&partials.piece), at.layout.position(at.stage.block())];
        let target = self.part(a, at.nest, &partials.arrays[at.n_sums + sum].0, place);
        Some(StmtKind::Store { target, op: None, value: index::var(acc) })
    }

    /// Joins, lane by lane, the partial results of a sum.
    pub(super) fn join_partials(
        &mut self,
        a: &Analysis,
        x: &Sum,
        acc: &str,
        (from, at): (&(String, ScalarType, i64), &Shared),
        body: &mut Body,
    ) {
        let Stage::Second(partials) = at.stage else { unreachable!("only the second kernel joins partial results") };
        let piece = partials.piece.clone();
        let part = self.part(a, at.nest, &from.0, [index::var(&piece), at.layout.position(at.stage.block())]);
        let (lo, step) = at.stage.lane(at.layout);
        let (line, hi) = (body.line, index::var(&partials.n_pieces));
        let stmt = |kind| k::Stmt { kind, line };
        let inside = reduce_op::join(self.names, x.op, from.1, acc, Expr::Load(part)).into_iter().map(stmt).collect();
        body.pending.push(stmt(StmtKind::counted(piece, [lo, hi, step], inside)));
    }

    /// Puts the sums of partial results in the place of the loops of a band that accumulates; `at` is the variable that has the
    /// position of an element.
    pub(in crate::schedule) fn put_partial_sums(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        (partials, host): (&Partials, &[LoopId]),
        at: &str,
    ) -> Result<Result<(), Reason>, Failure> {
        let axes: Vec<LoopId> = nest.axes.iter().flatten().copied().collect();
        let around = [host, &axes].concat();
        for l in &axes {
            let var = a.part.get_loop(*l).var;
            let name = index::var(self.name(var));
            self.counters.insert(var, name);
        }
        let pieces =
            pieces::pieces(a, nest, host, &self.private, &BTreeSet::new())?.expect("the mapping divides loops");
        let mut arrays = partials.arrays.iter();
        for p in &pieces {
            let By::Lanes(l, sums) = &p.by else { continue };
            let line = (self.line)(a.part.get_loop(*l).span);
            let stmt = |kind| k::Stmt { kind, line };
            let mut stmts = vec![];
            for x in sums {
                let (from, ty, _) = arrays.next().expect("an array for each sum");
                let base = self.name(x.data);
                let (acc, piece) = (self.names.fresh(&format!("rt_{base}")), partials.piece.clone());
                let part = self.part(a, nest, from, [index::var(&piece), index::var(at)]);
                let body =
                    reduce_op::join(self.names, x.op, *ty, &acc, Expr::Load(part)).into_iter().map(stmt).collect();
                let (lo, hi, step) = (Expr::Int(0), index::var(&partials.n_pieces), Expr::Int(1));
                let init = Some(reduce_op::identity(x.op, *ty));
                stmts.push(stmt(StmtKind::Let { var: acc.clone(), ty: *ty, init }));
                stmts.push(stmt(StmtKind::counted(piece, [lo, hi, step], body)));
                match self.added(a, x, &acc, &around)? {
                    Ok((None, add)) => stmts.extend(add),
                    Ok((Some(cond), then)) => stmts.push(stmt(StmtKind::If { cond, then, other: vec![] })),
                    Err(reason) => return Ok(Err(reason)),
                }
            }
            self.replaced.insert(*l, stmts);
        }
        self.private.retain(|v| !partials.only_first.contains(v));
        Ok(Ok(()))
    }
}
