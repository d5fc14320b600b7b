//! Mapper of the nests of one part: what strategies propose mappings by, and kernels are made of; and which axis has which
//! dimension.
//!
//! Every axis of a parallel band is a dimension of the grid (three at most; further outer ones stay loops of the thread). The
//! axis along which most accesses are contiguous is the last dimension, so that neighbouring threads touch neighbouring
//! elements.

use super::lower::{Lowering, Used};
use super::parallel::{Analysis, loops_in};
use super::request::{Allowed, Request};
use super::{Nest, index};
use crate::ast::{Unit, VarId};
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::kernel::{self as k, Expr, Kernel, Registers, ScalarType, StmtKind, walk};
use crate::poly::names::Names;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, StaticPart, StmtId, Tree};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Iterations of a loop whose loads are under way at once.
const UNROLL: i64 = 16;

/// Maps the nests of one part.
pub struct Mapper<'a> {
    pub unit: &'a Unit,
    pub names: &'a mut Names,
    pub line: &'a dyn Fn(Span) -> u32,
    /// Loops of the host around the nest.
    pub host: Vec<LoopId>,
    /// Flag: the mapping is for a phase of a kernel that runs all steps of these loops, or of others whose end only the data know.
    pub is_phase: bool,
    /// Permission of asynchronous copies where nobody asks for them.
    pub copies_ahead: bool,
    /// Permission of products by matrices that a warp multiplies.
    pub multiplies_matrices: bool,
    /// Data of which each thread of the nest has its own copy.
    pub private: BTreeSet<VarId>,
    /// See [`register_promotion`](super::register_promotion).
    pub promoted: BTreeSet<StmtId>,
    /// Request for the mapping.
    pub request: Request,
    /// What is allowed of tiles.
    pub tiles: Allowed,
    /// What the kernels called so far.
    pub used: Used,
}

/// An axis on its way to a dimension.
pub struct Axis<'a> {
    pub id: LoopId,
    pub all: &'a [LoopId],
    /// Its dimension in the grid, or `None` for a loop of the thread.
    pub dimension: Option<usize>,
}

impl Axis<'_> {
    /// The counters of its loops.
    pub fn counters(&self, a: &Analysis) -> Vec<VarId> {
        self.all.iter().map(|l| a.part.get_loop(*l).var).collect()
    }
}

/// The axes that are dimensions of the grid, in their order.
pub fn in_grid<'x, 'a>(axes: &'x [Axis<'a>]) -> Vec<&'x Axis<'a>> {
    let mut out: Vec<_> = axes.iter().filter(|x| x.dimension.is_some()).collect();
    out.sort_by_key(|x| x.dimension);
    out
}

impl Mapper<'_> {
    /// A lowering for one kernel of the part.
    pub fn lowering<'s>(&'s mut self, a: &'s Analysis) -> Lowering<'s> {
        let mut counters = BTreeMap::new();
        let mut used = Used::default();
        for l in &self.host {
            let var = a.part.get_loop(*l).var;
            let name = self.names.of(self.unit, var);
            let by = super::lower::ByValue { ty: ScalarType::Index, origin: super::lower::Origin::Var(var) };
            used.scalars.insert(name.clone(), by);
            counters.insert(var, index::var(name));
        }
        Lowering {
            part: Some(a.part),
            param_names: &a.scop.spelling.params,
            counters,
            promoted: self.promoted.clone(),
            used,
            ..Lowering::outside(self.unit, self.names, self.line, self.private.clone())
        }
    }

    /// One dimension of threads is seldom enough of them to hide how long memory takes: each has several loads under way.
    pub fn unroll(&self) -> Option<i64> {
        self.tiles.stage.then_some(UNROLL)
    }

    /// The counter of a loop, as the user named it.
    pub fn name_of(&self, a: &Analysis, l: LoopId) -> String {
        self.unit.var(a.part.get_loop(l).var).name.clone()
    }

    /// Names the counters of a nest's loops in their order, so that a mapping has them as its kernel does, whatever is
    /// lowered before.
    pub fn name_loops(&mut self, a: &Analysis, nest: &Nest) {
        let body = nest.body.iter().flat_map(loops_in);
        for l in nest.axes.iter().flatten().copied().chain(body) {
            self.names.of(self.unit, a.part.get_loop(l).var);
        }
    }

    /// The band of a nest, in a person's words.
    pub fn in_parallel(&self, a: &Analysis, nest: &Nest) -> String {
        let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let accesses = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses);
        let seen: BTreeSet<&str> =
            accesses.filter(|x| !x.observed.is_empty()).map(|x| &*self.unit.var(x.data).name).collect();
        let traced = match seen.is_empty() {
            true => String::new(),
            false => format!(", places of {} as a trace saw them", seen.into_iter().collect::<Vec<_>>().join(", ")),
        };
        format!("loop{} {} in parallel{traced}", if axes.len() == 1 { "" } else { "s" }, self.names_of(a, &axes))
    }

    /// The counters of some loops, as the user named them.
    pub fn names_of(&self, a: &Analysis, ids: &[LoopId]) -> String {
        let names: Vec<&str> = ids.iter().map(|l| self.unit.var(a.part.get_loop(*l).var).name.as_str()).collect();
        names.join(", ")
    }

    /// A kernel of that body, with parameters for all it uses.
    pub fn kernel(&mut self, a: &Analysis, name: &str, used: Used, body: Vec<k::Stmt>) -> Kernel {
        let scalars = used.scalars.iter().map(|(name, by)| k::ScalarParam { name: name.clone(), ty: by.ty }).collect();
        let arrays = used
            .arrays
            .iter()
            .map(|(v, usage)| {
                let data = &a.part.data[v];
                let mut extents = vec![];
                if data.shape.c_rank > 0 {
                    // The outermost extent takes no part in an element's address.
                    extents.push(Expr::Int(0));
                    extents.extend(data.shape.own_inner().iter().map(|p| self.extent(a, p)));
                }
                let ty = super::lower::scalar_type(&data.elem).expect("data are of numbers");
                k::ArrayParam { name: self.names.of(self.unit, *v), ty, extents, usage: *usage }
            })
            .collect();
        let mut kernel = Kernel {
            name: name.to_string(),
            scalars,
            arrays,
            tunables: vec![],
            larger: vec![],
            smaller: vec![],
            is_uneven: false,
            wide: None,
            index_bits: index_bits(a.part),
            resident: None,
            grid: vec![],
            block: vec![],
            body,
            notes: vec![],
            registers: Registers::AsItLikes,
        };
        self.add_extent_scalars(a, &mut kernel, &used);
        self.used.absorb(used);
        kernel
    }

    fn extent(&mut self, a: &Analysis, p: &Poly) -> Expr {
        let mut l = self.lowering(a);
        l.poly(p)
    }

    /// Sizes that only an array's extents mention are parameters of the kernel too.
    fn add_extent_scalars(&mut self, a: &Analysis, kernel: &mut Kernel, used: &Used) {
        let mut l = self.lowering(a);
        l.used = Used::default();
        for v in used.arrays.keys() {
            a.part.data[v].shape.own_inner().iter().for_each(|p| drop(l.poly(p)));
        }
        let extra = std::mem::take(&mut l.used);
        for (name, by) in extra.scalars {
            if kernel.scalars.iter().all(|s| s.name != name) {
                kernel.scalars.push(k::ScalarParam { name: name.clone(), ty: by.ty });
            }
            self.used.scalars.entry(name).or_insert(by);
        }
    }
}

impl Lowering<'_> {
    /// What a thread runs: its own variables, then the trees.
    pub fn thread_body(&mut self, trees: &[Tree]) -> Result<Vec<k::Stmt>, Reason> {
        let part = self.part.expect("a nest belongs to a part");
        // Under other loops than the user's, a declaration need not be in a block around its uses.
        self.declares = !part.is_rewritten();
        let body = self.trees(trees)?;
        let mut out = self.own_data(trees, &body)?;
        out.extend(body);
        Ok(out)
    }

    /// Declares what a thread that runs `body`, lowered from `trees`, has for itself and does not declare there.
    pub fn own_data(&mut self, trees: &[Tree], body: &[k::Stmt]) -> Result<Vec<k::Stmt>, Reason> {
        let part = self.part.expect("a nest belongs to a part");
        let declared = walk::declared(body);
        let touched: BTreeSet<VarId> =
            trees.iter().flat_map(Tree::stmts).flat_map(|s| &part.stmt(s).accesses).map(|a| a.data).collect();
        let mut out = vec![];
        for v in part.data.keys().filter(|v| touched.contains(v)) {
            if !self.private.contains(v) {
                continue;
            }
            let name = self.names.of(self.unit, *v);
            if declared.contains(&name) {
                continue;
            }
            out.push(self.own_declaration(*v)?);
        }
        Ok(out)
    }

    /// The declaration of a variable or array that a thread has for itself.
    pub fn own_declaration(&mut self, v: VarId) -> Result<k::Stmt, Reason> {
        let data = &self.part.expect("a nest belongs to a part").data[&v];
        let kind = if data.shape.c_rank == 0 {
            let ty = super::lower::scalar_type(&data.elem).expect("data are of numbers");
            StmtKind::Let { var: self.names.of(self.unit, v), ty, init: None }
        } else {
            self.local_array(v)?
        };
        Ok(k::Stmt { kind, line: (self.line)(self.unit.var(v).span) })
    }
}

/// Which axis goes to which dimension: the most contiguous to the last, the others in order before it.
pub fn dimensions<'a>(a: &Analysis, nest: &'a Nest) -> Vec<Axis<'a>> {
    let mut axes: Vec<Axis> = nest.axes.iter().map(|all| Axis { id: all[0], all, dimension: None }).collect();
    let n = axes.len();
    let candidates = n - n.min(3)..n;
    for (d, i) in by_memory(a, nest, candidates).into_iter().enumerate() {
        axes[i].dimension = Some(d);
    }
    axes
}

/// The axes of a band in their order, but for the one along which most accesses are contiguous: it is the last.
pub fn in_order_of_memory(a: &Analysis, nest: &Nest) -> Vec<usize> {
    by_memory(a, nest, 0..nest.axes.len())
}

fn by_memory(a: &Analysis, nest: &Nest, of: Range<usize>) -> Vec<usize> {
    let best = of.clone().max_by_key(|i| (contiguity(a, nest, &nest.axes[*i]), *i)).expect("a band has an axis");
    of.filter(|i| *i != best).chain([best]).collect()
}

/// How many times as long a store takes that fills part of a sector only: what loads leave of it waits in a cache.
const PARTIAL: i64 = 4;

/// How many arrays are loaded or stored so that the place steps by one element when the axis does, less those where it
/// jumps; stores count as often as they take longer.
fn contiguity(a: &Analysis, nest: &Nest, axis: &[LoopId]) -> i64 {
    let vars: Vec<VarId> = axis.iter().map(|l| a.part.get_loop(*l).var).collect();
    let accesses = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses);
    let ways: BTreeSet<(VarId, bool, i64)> = accesses.map(|x| (x.data, is_write(x), stride(x, &vars))).collect();
    ways.into_iter().map(|(_, writes, stride)| if writes { PARTIAL * stride } else { stride }).sum()
}

/// Direction in which neighbours lie in memory: along an axis, where each has the next element, or along the loop of a thread, where
/// each has a row of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lean {
    /// Of accesses that both counters move: more than 0 along the axis.
    pub streams: i64,
    /// Of all accesses.
    pub all: i64,
}

impl Lean {
    /// Counts an access in; tells whether both counters move it.
    pub fn add(&mut self, access: &Access, axis: &[VarId], of_loop: VarId) -> bool {
        let (by_axis, by_loop) = (stride(access, axis), stride(access, &[of_loop]));
        let is_stream = by_axis != 0 && by_loop != 0;
        self.all += by_axis - by_loop;
        self.streams += if is_stream { by_axis - by_loop } else { 0 };
        is_stream
    }
}

/// 1 for an access that steps by one element when one of the counters does, -1 for one that jumps, 0 for one that stays. Of a place
/// that the data choose, what a trace saw.
pub fn stride(access: &Access, vars: &[VarId]) -> i64 {
    let Some((last, outer)) = access.index.as_ref().and_then(|index| index.split_last()) else {
        let seen = access.observed.iter().filter(|(counter, _)| vars.contains(counter));
        return seen.map(|(_, neighbours)| neighbours.step()).min().unwrap_or(0);
    };
    let jumps = outer.iter().any(|p| vars.iter().any(|v| p.uses(*v)));
    let step: i64 = vars.iter().map(|v| last.coefficient(*v).abs()).max().unwrap_or(0);
    match (jumps, step) {
        (true, _) => -1,
        (false, 1) => 1,
        (false, 0) => 0,
        (false, _) => -1,
    }
}

/// 32 where every bound and extent is a constant and every array small, else 64.
fn index_bits(part: &StaticPart) -> u8 {
    let constant = |p: &Poly| p.as_constant();
    let bounded = part.loops.iter().all(|l| {
        let parts = std::iter::once(&l.first).chain(&l.limits);
        parts
            .into_iter()
            .all(|p| p.terms.keys().flatten().all(|s| matches!(s, crate::facts::symbolic::Sym::Counter(_))))
    });
    let small = part.data.values().all(|d| {
        let known = d.shape.inner.iter().map(constant).chain(d.shape.outer.iter().map(constant));
        let total = known.into_iter().try_fold(1i64, |n, c| n.checked_mul(c?));
        (d.shape.c_rank == 0 || d.shape.outer.is_some()) && total.is_some_and(|t| t < 1 << 31)
    });
    // The counters of another order are sums of the user's, and may be larger than what they index.
    if bounded && small && part.params.list.is_empty() && !part.is_rewritten() { 32 } else { 64 }
}
