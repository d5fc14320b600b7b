//! Stores to global arrays that more than one thread makes.
//!
//! Follows each dimension of the grid and of a block through variables to the subscripts and guards of each store.
//! That a dimension arrives there is necessary for one owner, not sufficient: `c[mod(t0, 2)]` passes. So does what a
//! condition on counters narrows within the mapping's own guard: `if (j < n)` around `if (j > n - 2) c[i] = …`, where the
//! dependences know that one `j` is left, or none. A condition on data narrows nothing.

use super::finding::Findings;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Kernel, Stmt, StmtKind, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(kernel: &Kernel, findings: &mut Findings) {
    let n_dimensions = kernel.block.len();
    let n_grid_dimensions = kernel.grid.len();
    let (reach, from_arrays) = (BTreeMap::new(), BTreeSet::new());
    let mut flow = Flow { reach, from_arrays, n_grid_dimensions, n_dimensions, grew: true };
    while flow.grew {
        flow.grew = false;
        flow.body(&kernel.body, &Dims::new());
    }
    let shared_out = |dims: &[Expr]| (0..dims.len()).filter(|&d| dims[d] != Expr::Int(1)).collect::<Vec<_>>();
    let grid: Dims = shared_out(&kernel.grid).into_iter().map(Dim::Block).collect();
    let block: Dims = shared_out(&kernel.block).into_iter().map(Dim::Thread).collect();
    let mut owners = Owners { kernel, flow, grid, block, findings };
    owners.body(&kernel.body, &Held::default());
}

/// A dimension along which the work is shared out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Dim {
    /// Of the grid: differs from block to block.
    Block(usize),
    /// Of a block: differs from thread to thread.
    Thread(usize),
}

type Dims = BTreeSet<Dim>;

/// The dimensions that each variable and each array of the thread or block depends on, by data or by control, and the
/// variables whose values come out of arrays.
struct Flow<'a> {
    reach: BTreeMap<&'a str, Dims>,
    from_arrays: BTreeSet<&'a str>,
    /// Dimensions of the grid, and of a block.
    n_grid_dimensions: usize,
    n_dimensions: usize,
    grew: bool,
}

impl<'a> Flow<'a> {
    fn of(&self, e: &Expr) -> Dims {
        let mut dims = Dims::new();
        e.any(&mut |e| {
            match e {
                Expr::BlockIdx(dim) => dims.extend([Dim::Block(*dim)]),
                Expr::ThreadIdx(dim) => dims.extend([Dim::Thread(*dim)]),
                Expr::Var(name) | Expr::Load(Access { array: name, .. }) => {
                    dims.extend(self.reach.get(name.as_str()).into_iter().flatten());
                }
                _ => (),
            }
            false
        });
        dims
    }

    fn of_all<'e>(&self, list: impl IntoIterator<Item = &'e Expr>) -> Dims {
        list.into_iter().flat_map(|e| self.of(e)).collect()
    }

    /// Test that an expression is over counters and parameters alone.
    fn is_index(&self, e: &Expr) -> bool {
        !e.any(&mut |e| match e {
            Expr::Var(name) => self.from_arrays.contains(name.as_str()),
            e => matches!(e, Expr::Load(_)),
        })
    }

    fn add(&mut self, name: &'a str, dims: Dims) {
        let known = self.reach.entry(name).or_default();
        let before = known.len();
        known.extend(dims);
        self.grew |= known.len() > before;
    }

    /// `control`: what the conditions and bounds around depend on.
    fn body(&mut self, body: &'a [Stmt], control: &Dims) {
        for stmt in body {
            let mut dims = self.of_all(stmt.exprs());
            dims.extend(control);
            stmt.bodies().into_iter().for_each(|inner| self.body(inner, &dims));
            match &stmt.kind {
                StmtKind::Let { var, .. } | StmtKind::Assign { var, .. } | StmtKind::For { var, .. } => {
                    if !stmt.exprs().into_iter().all(|e| self.is_index(e)) {
                        self.grew |= self.from_arrays.insert(var);
                    }
                    self.add(var, dims);
                }
                StmtKind::LoadVector { array, source, .. } => {
                    dims.extend(self.reach.get(source.array.as_str()).into_iter().flatten());
                    self.add(array, dims);
                }
                StmtKind::StoreVector { target, array } => {
                    dims.extend(self.reach.get(array.as_str()).into_iter().flatten());
                    self.add(&target.array, dims);
                }
                StmtKind::WarpScan { .. } | StmtKind::ScanBlocks { .. } => {
                    for name in stmt.assigns() {
                        dims.extend(self.reach.get(name).into_iter().flatten());
                        self.grew |= self.from_arrays.insert(name);
                    }
                    dims.extend((0..self.n_dimensions).map(Dim::Thread));
                    stmt.assigns().into_iter().for_each(|name| self.add(name, dims.clone()));
                }
                StmtKind::Begin { var, .. } => {
                    dims.extend((0..self.n_grid_dimensions).map(Dim::Block));
                    self.add(var, dims);
                }
                _ => {
                    if let Some(target) = stmt.target() {
                        self.add(&target.array, dims);
                    }
                }
            }
        }
    }
}

struct Owners<'a, 'f> {
    kernel: &'a Kernel,
    flow: Flow<'a>,
    grid: Dims,
    block: Dims,
    findings: &'f mut Findings,
}

/// What the conditions and loops around a place say of the dimensions.
#[derive(Clone, Default)]
struct Held {
    /// Held to one value, or so it may be.
    pinned: Dims,
    /// Bounded by what maps the work to threads.
    bounded: Dims,
}

impl Held {
    /// A bound of `dims`: the first is the mapping's, what comes behind it narrows that.
    fn bound(&mut self, dims: Dims) {
        self.pinned.extend(dims.intersection(&self.bounded));
        self.bounded.extend(dims);
    }
}

impl Owners<'_, '_> {
    fn body(&mut self, body: &[Stmt], held: &Held) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { cond, then, other } => {
                    let (mut inside, mut outside) = (held.clone(), held.clone());
                    self.given(cond, &mut inside);
                    if let Some(cond) = cond.negated() {
                        self.given(&cond, &mut outside);
                    }
                    self.body(then, &inside);
                    self.body(other, &outside);
                }
                StmtKind::For { lo, hi, body, .. } => {
                    let mut inside = held.clone();
                    inside.bounded.extend(&self.flow.of(lo) | &self.flow.of(hi));
                    self.body(body, &inside);
                }
                StmtKind::Store { target, .. } | StmtKind::StoreVector { target, .. } => {
                    let all = self.grid.union(&self.block).copied().collect();
                    self.check(stmt, target, &held.pinned, all);
                }
                StmtKind::BlockReduce { target, .. } => self.check(stmt, target, &held.pinned, self.grid.clone()),
                _ => stmt.bodies().into_iter().for_each(|inner| self.body(inner, held)),
            }
        }
    }

    /// What the truth of a condition says.
    fn given(&self, cond: &Expr, held: &mut Held) {
        match cond {
            Expr::Binary(BinOp::And, a, b) => {
                self.given(a, held);
                self.given(b, held);
            }
            Expr::Binary(BinOp::Or, a, b) => {
                let (mut first, mut second) = (held.clone(), held.clone());
                self.given(a, &mut first);
                self.given(b, &mut second);
                held.pinned.extend(first.pinned.intersection(&second.pinned));
            }
            Expr::Binary(BinOp::Eq, ..) | Expr::Unary(UnaryOp::Not, _) => held.pinned.extend(self.flow.of(cond)),
            Expr::Binary(BinOp::Ne, ..) if self.flow.is_index(cond) => held.pinned.extend(self.flow.of(cond)),
            Expr::Binary(BinOp::Le, x, most) if **most == Expr::Int(0) => held.pinned.extend(self.flow.of(x)),
            Expr::Binary(BinOp::Lt, x, most) if **most == Expr::Int(1) => held.pinned.extend(self.flow.of(x)),
            Expr::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge, ..) if self.flow.is_index(cond) => {
                held.bound(self.flow.of(cond));
            }
            _ => (),
        }
    }

    /// Every dimension of `shared_out` is pinned or reaches the target's subscripts.
    fn check(&mut self, stmt: &Stmt, target: &Access, pinned: &Dims, shared_out: Dims) {
        if !self.kernel.arrays.iter().any(|array| array.name == target.array) {
            return;
        }
        let reached = self.flow.of_all(&target.index);
        let lost: Vec<String> = shared_out
            .into_iter()
            .filter(|dim| !reached.contains(dim) && !pinned.contains(dim))
            .map(|dim| match dim {
                Dim::Block(d) => format!("`g{d}`"),
                Dim::Thread(d) => format!("`t{d}`"),
            })
            .collect();
        if !lost.is_empty() {
            let lost = lost.join(", ");
            let message = format!("more than one thread may store this: no subscript or guard depends on {lost}");
            self.findings.add(Some(stmt), message);
        }
    }
}
