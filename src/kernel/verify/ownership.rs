//! Stores to global arrays that more than one thread makes.
//!
//! Follows each dimension of the grid and of a block through variables to the subscripts and guards of each store.
//! That a dimension arrives there is necessary for one owner, not sufficient: `c[mod(t0, 2)]` passes.

use super::Findings;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Kernel, Stmt, StmtKind, UnaryOp};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(kernel: &Kernel, findings: &mut Findings) {
    let mut flow = Flow { reach: BTreeMap::new(), grew: true };
    while flow.grew {
        flow.grew = false;
        flow.body(&kernel.body, &Dims::new());
    }
    let shared_out = |dims: &[Expr]| (0..dims.len()).filter(|&d| dims[d] != Expr::Int(1)).collect::<Vec<_>>();
    let grid: Dims = shared_out(&kernel.grid).into_iter().map(Dim::Block).collect();
    let block: Dims = shared_out(&kernel.block).into_iter().map(Dim::Thread).collect();
    let mut owners = Owners { kernel, flow, grid, block, findings };
    owners.body(&kernel.body, &Dims::new());
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

/// The dimensions that each variable and each array of the thread or block depends on, by data or by control.
struct Flow<'a> {
    reach: BTreeMap<&'a str, Dims>,
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
                    self.add(var, dims);
                }
                StmtKind::Store { target, .. }
                | StmtKind::Atomic { target, .. }
                | StmtKind::BlockReduce { target, .. } => self.add(&target.array, dims),
                _ => (),
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

impl Owners<'_, '_> {
    /// `pinned`: dimensions that an enclosing condition holds to one value.
    fn body(&mut self, body: &[Stmt], pinned: &Dims) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { cond, then, other } => {
                    let mut inner = self.pins(cond);
                    inner.extend(pinned);
                    self.body(then, &inner);
                    self.body(other, pinned);
                }
                StmtKind::Store { target, .. } => {
                    let all = self.grid.union(&self.block).copied().collect();
                    self.check(stmt, target, pinned, all);
                }
                StmtKind::BlockReduce { target, .. } => self.check(stmt, target, pinned, self.grid.clone()),
                _ => stmt.bodies().into_iter().for_each(|inner| self.body(inner, pinned)),
            }
        }
    }

    fn pins(&self, cond: &Expr) -> Dims {
        match cond {
            Expr::Binary(BinOp::And, a, b) => &self.pins(a) | &self.pins(b),
            Expr::Binary(BinOp::Eq, ..) | Expr::Unary(UnaryOp::Not, _) => self.flow.of(cond),
            Expr::Binary(BinOp::Le, x, most) if **most == Expr::Int(0) => self.flow.of(x),
            Expr::Binary(BinOp::Lt, x, most) if **most == Expr::Int(1) => self.flow.of(x),
            _ => Dims::new(),
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
