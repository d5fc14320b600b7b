//! The kernel IR of a histogram: from a kernel whose updates are atomic, one whose blocks have copies.
//!
//! Subscripts are compared with what has cells as unsigned numbers of their own width, so that what is negative, or far
//! outside, is updated where it was before: nothing that C leaves open is hidden.

use super::copied::{Copied, for_each, let_index};
use super::together::Together;
use crate::ast::{BinOp, IntKind};
use crate::kernel::types::Types;
use crate::kernel::{Access, Expr, Kernel, ScalarType, Stmt, StmtKind};
use crate::poly::names::Names;
use crate::schedule::frame::block_position;
use crate::schedule::index::{self, binary, var};
use crate::schedule::tile::vector::{Global, Neighbours};
use std::collections::BTreeMap;

/// Rewrites one kernel.
pub struct Code<'c> {
    pub names: &'c mut Names,
    pub arrays: &'c [Copied],
    /// Most copies of an element.
    pub most: i64,
    /// Neighbouring points of a thread.
    pub skew: Option<i64>,
    /// How many axes the band has, and how many iterations the innermost.
    pub axes: usize,
    pub count: Expr,
}

/// The number of points of a kernel whose blocks share out one loop.
pub fn total(kernel: &Kernel) -> Expr {
    match everyone(&kernel.body).map(|s| &s.kind) {
        Some(StmtKind::For { hi, .. }) => hi.clone(),
        _ => unreachable!("a band is a loop"),
    }
}

/// The loop over the points of the band.
fn everyone(body: &[Stmt]) -> Option<&Stmt> {
    let is_shared_out = |e: &Expr| e.any(&mut |e| matches!(e, Expr::GridSize(_)));
    body.iter().find(|s| matches!(&s.kind, StmtKind::For { step, .. } if is_shared_out(step)))
}

impl Code<'_> {
    /// Makes the updates in copies, and the points of a thread neighbours.
    pub fn rewrite(mut self, kernel: &mut Kernel) {
        let types = Types::of(kernel);
        let globals = kernel.arrays.iter().map(|x| (x.name.clone(), x.ty)).collect();
        let mut body = std::mem::take(&mut kernel.body);
        self.updates(&mut body, &types);
        let points = body.pop().expect("a band is a loop");
        let shared =
            |x: &Copied| Stmt::made(StmtKind::Shared { name: x.cells.clone(), ty: x.ty, extents: vec![var("CELLS")] });
        body.extend(self.arrays.iter().map(shared));
        body.extend(self.arrays.iter().flat_map(|x| x.describe(self.most)));
        body.extend(self.arrays.iter().map(|x| x.clear(self.names)));
        body.push(Stmt::made(StmtKind::Barrier));
        body.push(match self.skew {
            Some(count) => self.neighbours(points, count, &globals),
            None => points,
        });
        body.push(Stmt::made(StmtKind::Barrier));
        body.extend(self.arrays.iter().map(|x| x.merge(self.names)));
        kernel.body = body;
    }

    /// Puts updates of copies in the place of those of their arrays.
    fn updates(&mut self, body: &mut Vec<Stmt>, types: &Types) {
        for mut s in std::mem::take(body) {
            s.bodies_mut().into_iter().for_each(|inner| self.updates(inner, types));
            match &s.kind {
                StmtKind::Atomic { target, value, .. } => match self.arrays.iter().find(|x| x.array == target.array) {
                    Some(x) => body.extend(self.update(x, target, value, types, s.line)),
                    None => body.push(s),
                },
                _ => body.push(s),
            }
        }
    }

    /// An update, in a cell where the element has one.
    fn update(&mut self, x: &Copied, target: &Access, value: &Expr, types: &Types, line: u32) -> Vec<Stmt> {
        let mut out = vec![];
        let mut named = |wish: String, ty: ScalarType, value: &Expr, names: &mut Names| {
            if matches!(value, Expr::Int(_) | Expr::Float(_)) {
                return value.clone();
            }
            let name = names.fresh(&wish);
            out.push(Stmt { kind: StmtKind::Let { var: name.clone(), ty, init: Some(value.clone()) }, line });
            var(name)
        };
        let mut subscripts = vec![];
        let mut inside = vec![];
        for (d, e) in target.index.iter().enumerate() {
            let ty = subscript_type(e, types);
            let at = named(format!("rt_{}_at", x.array), ty, e, self.names);
            let limit = if d == 0 { var(&x.covered) } else { x.inner[d - 1].clone() };
            let unsigned = |e: Expr| Expr::Cast(ScalarType::Int(unsigned(ty)), Box::new(e));
            inside.push(binary(BinOp::Lt, unsigned(at.clone()), unsigned(limit)));
            subscripts.push(at);
        }
        let value = named(format!("rt_{}_value", x.array), x.ty, value, self.names);
        let of_row = |at: Expr, (e, size): (Expr, &Expr)| index::add(index::mul(at, size.clone()), e);
        let mut rest = subscripts.iter().cloned();
        let outermost = rest.next().expect("an array has a subscript");
        let bin = rest.zip(&x.inner).fold(outermost, of_row);
        let cell = self.names.fresh(&format!("rt_{}_cell", x.array));
        let at = index::add(binary(BinOp::Mul, bin, var(&x.each)), var(&x.own));
        let atomic = |target: Access| Stmt { kind: StmtKind::Atomic { target, op: x.op, value: value.clone() }, line };
        let int = ScalarType::Int(IntKind::Int);
        let then = vec![
            Stmt { kind: StmtKind::Let { var: cell.clone(), ty: int, init: Some(at) }, line },
            atomic(Access { array: x.cells.clone(), index: vec![var(cell)] }),
        ];
        let other = vec![atomic(Access { array: x.array.clone(), index: subscripts })];
        let cond = index::all(inside).expect("an array has a subscript");
        out.push(Stmt { kind: StmtKind::If { cond, then, other }, line });
        out
    }

    /// The loop over all points with neighbours for each thread: as vectors where they all are, else one by one.
    fn neighbours(&mut self, points: Stmt, count: i64, globals: &BTreeMap<String, ScalarType>) -> Stmt {
        let StmtKind::For { var: flat, hi: total, body, .. } = points.kind else { unreachable!("a band is a loop") };
        let size = || index::size_of("SKEW", 0);
        let first = self.names.fresh("rt_first");
        let end = index::min([index::add(var(&first), size()), total.clone()]).expect("two");
        let one_by_one = vec![for_each(flat.clone(), var(&first), end, Expr::Int(1), body.clone())];
        let (counters, rest) = body.split_at(self.axes);
        let mut together = rest.to_vec();
        let mut before = vec![];
        let mut innermost = None;
        for (position, s) in counters.iter().enumerate() {
            let StmtKind::Let { var: counter, init: Some(init), .. } = &s.kind else {
                unreachable!("a counter is first")
            };
            let mut at = init.clone();
            rename(&mut at, &flat, &first);
            let name = match at {
                Expr::Var(name) => name,
                at => {
                    let name = self.names.fresh(&format!("rt_{counter}"));
                    before.push(let_index(&name, at));
                    name
                }
            };
            if position + 1 < self.axes {
                rename_in(&mut together, counter, &name);
            } else {
                innermost = Some((counter.clone(), name));
            }
        }
        let (counter, origin) = innermost.expect("a band has an axis");
        let skew = self.names.fresh("rt_next");
        let global = |(name, ty): (&String, &ScalarType)| {
            (name.clone(), Global { ty: *ty, extent: None, has_whole_rows: false, is_apart: false })
        };
        let vectors = Neighbours {
            counter: &counter,
            skew: &skew,
            dimension: 0,
            origin: &origin,
            start: Expr::Int(0),
            low: None,
            count,
            globals: &globals.iter().map(global).collect(),
            is_uniform: None,
            edge: None,
        };
        let scalar = one_by_one.clone();
        let mut inside = vectors
            .vectorised(&together, scalar, self.names)
            .map_or(one_by_one, |x| vectors.behind_first(&x.first, x.body));
        let place = match self.axes {
            1 => var(&first),
            _ => Expr::Binary(BinOp::Rem, Box::new(var(&first)), Box::new(self.count.clone())),
        };
        if let Some(Stmt { kind: StmtKind::If { cond, then, .. }, .. }) = inside.last_mut() {
            let whole = binary(BinOp::Le, index::add(place, size()), self.count.clone());
            *cond = binary(BinOp::And, whole, cond.clone());
            Together { names: self.names, arrays: self.arrays }.rewrite(then);
        }
        before.extend(inside);
        let lo = index::mul(block_position(0), size());
        let step = index::mul(binary(BinOp::Mul, Expr::GridSize(0), var("BLOCK_0")), size());
        Stmt { line: points.line, ..for_each(first, lo, total, step, before) }
    }
}

fn rename(e: &mut Expr, from: &str, to: &str) {
    e.replace(&mut |e| matches!(e, Expr::Var(name) if name == from).then(|| var(to)));
}

fn rename_in(body: &mut [Stmt], from: &str, to: &str) {
    for s in body {
        s.exprs_mut().into_iter().for_each(|e| rename(e, from, to));
        s.bodies_mut().into_iter().for_each(|inner| rename_in(inner, from, to));
    }
}

/// The unsigned type of the width of a subscript.
fn unsigned(ty: ScalarType) -> IntKind {
    match ty {
        ScalarType::Int(kind) if kind.bits() <= 32 => IntKind::UInt,
        _ => IntKind::ULong,
    }
}

/// The type that C computes a subscript in; that of positions where counters or sizes are part of it.
fn subscript_type(e: &Expr, types: &Types) -> ScalarType {
    types.value(e).filter(|ty| matches!(ty, ScalarType::Int(_))).unwrap_or(ScalarType::Index)
}
