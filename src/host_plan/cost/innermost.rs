//! Gains and losses of a core in innermost loops: iterations that a compiler does several at a time, and those that wait for
//! the one before them.
//!
//! A compiler does iterations at once in registers of [`host::VECTOR_BYTES`], where each touches the elements beside those of the
//! one before it, takes no jump and waits for none (Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, chapter 5).
//! ```text
//! y[i] = a * x[i] + y[i]      two at once, of doubles
//! y[i] = a * y[i - 1] + x[i]  each waits for a product and a sum
//! ```

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, UnOp};
use crate::cost::host;
use crate::facts::loops;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, Statement, StaticPart};
use crate::schedule::lower::scalar_type;
use std::collections::BTreeMap;

/// Innermost loops of a part, as a compiler makes them.
#[derive(Default)]
pub(super) struct Innermost {
    /// Loops that change places with the one within them.
    interchanged: BTreeMap<LoopId, LoopId>,
    /// Iterations of a loop that are done at once, where that is more than one.
    widths: BTreeMap<LoopId, i64>,
}

impl Innermost {
    pub(super) fn new(part: &StaticPart) -> Self {
        let mut all = Innermost::default();
        let moved = part.stmts.iter().filter_map(|stmt| Some((*stmt.loops.last()?, interchanged(part, stmt)?)));
        all.interchanged.extend(moved);
        let mut widths: BTreeMap<LoopId, i64> = BTreeMap::new();
        for stmt in &part.stmts {
            let Some(inner) = all.of(stmt) else { continue };
            let n = width(part, stmt, inner);
            widths.entry(inner).and_modify(|all| *all = n.min(*all)).or_insert(n);
            stmt.loops.iter().filter(|l| **l != inner).for_each(|l| _ = widths.insert(*l, 1));
        }
        widths.retain(|id, n| *n > 1 && !meets(part, *id));
        Innermost { widths, ..all }
    }

    /// The innermost loop around a statement, as a compiler leaves it.
    pub(super) fn of(&self, stmt: &Statement) -> Option<LoopId> {
        stmt.loops.last().map(|l| self.interchanged.get(l).copied().unwrap_or(*l))
    }

    /// Iterations of it that are done at once.
    pub(super) fn at_once(&self, stmt: &Statement) -> i64 {
        self.of(stmt).and_then(|l| self.widths.get(&l)).copied().unwrap_or(1)
    }
}

/// The loop around the innermost one, where a compiler has it within that, since its iterations lie beside each other (gcc's
/// `-floop-interchange`, a part of `-O3`): `c[i][j] += a[i][k] * b[k][j]` over i, j, k.
fn interchanged(part: &StaticPart, stmt: &Statement) -> Option<LoopId> {
    let [.., outer, inner] = stmt.loops[..] else { return None };
    let l = part.get_loop(inner);
    let is_beside = |id| stmt.accesses.iter().all(|x| step(part, id, x).is_some_and(|step| step.abs() <= 1));
    let is_square = !std::iter::once(&l.first).chain(&l.limits).any(|p| p.uses(part.get_loop(outer).var));
    let mut written = stmt.accesses.iter().filter(|x| is_write(x));
    let is_apart = written.all(|x| !x.subscripts.is_empty() && step(part, outer, x) != Some(0));
    let is_free = stmt.reduction.is_some() && is_apart && is_square && !is_beside(inner) && is_beside(outer);
    (is_free && part.stmts.iter().filter(|s| s.loops.contains(&outer)).count() == 1).then_some(outer)
}

/// Test for iterations of an innermost loop that use what those before them left, or that those behind them leave too early.
fn meets(part: &StaticPart, id: LoopId) -> bool {
    let stmts = part.stmts.iter().enumerate().filter(|(_, s)| s.loops.contains(&id));
    let all: Vec<(usize, &Access)> = stmts.flat_map(|(k, s)| s.accesses.iter().map(move |x| (k, x))).collect();
    let writes = all.iter().filter(|(_, x)| is_write(x));
    let mut pairs = writes.flat_map(|w| all.iter().map(move |x| (w, x))).filter(|(w, x)| w.1.data == x.1.data);
    pairs.any(|((k, w), (m, x))| iterations_ahead(part, id, w, x).is_some_and(|n| n < 0 || n > 0 && m > k))
}

/// Iterations of a loop that another access is ahead of a first one, where it is always as many.
fn iterations_ahead(part: &StaticPart, id: LoopId, first: &Access, other: &Access) -> Option<i64> {
    let l = part.get_loop(id);
    let (first, other) = (first.index.as_ref()?, other.index.as_ref()?);
    let mut ahead = Some(None);
    for (p, q) in first.iter().zip(other) {
        let (apart, step) = (q.plus(p, -1)?.as_constant()?, p.coefficient(l.var).checked_mul(l.step)?);
        let here = match step {
            0 if apart == 0 => continue,
            0 => return None,
            step if apart % step != 0 => return None,
            step => apart / step,
        };
        ahead = ahead.filter(|n| n.is_none_or(|n| n == here)).map(|_| Some(here));
    }
    ahead?
}

/// Iterations that the statement alone could be done for at once.
fn width(part: &StaticPart, stmt: &Statement, inner: LoopId) -> i64 {
    let is_plain = stmt.guards.is_empty() && !stmt.has_loop && part.get_loop(inner).may_exceed(host::NEAR);
    if !is_plain || jumps(&stmt.body) || waits(part, stmt, inner) > 0 {
        return 1;
    }
    let mut bytes = host::NARROWEST_BYTES;
    for x in &stmt.accesses {
        let Some(data) = part.data.get(&x.data) else { continue };
        let may_wrap = |e: &Expr| matches!(e.kind, ExprKind::Binary(..)) && matches!(e.ty, Type::Int(IntKind::UInt));
        let is_beside = x.subscripts.is_empty() || step(part, inner, x).is_some_and(|step| step.abs() <= 1);
        let is_stored_once = is_write(x) && !x.subscripts.is_empty() && step(part, inner, x) == Some(0);
        if !is_beside || !x.surely || is_stored_once || x.subscripts.iter().any(may_wrap) {
            return 1;
        }
        bytes = bytes.max(size(&data.elem));
    }
    stmt.body.exprs(&mut |e| bytes = bytes.max(widest(e)));
    host::VECTOR_BYTES / bytes
}

/// Bytes of the widest number that is computed; those of a vector where there is no instruction for several.
fn widest(e: &Expr) -> i64 {
    let own = match &e.kind {
        ExprKind::Index(..) => return 0,
        ExprKind::Binary(BinOp::Div | BinOp::Rem, ..) if !matches!(e.ty, Type::Float(_)) => host::VECTOR_BYTES,
        ExprKind::Call { name, .. } if host::operations_of_call(name) > host::SQUARE_ROOT => host::VECTOR_BYTES,
        ExprKind::Binary(..) | ExprKind::Call { .. } | ExprKind::Cast(_) => size(&e.ty),
        _ => 0,
    };
    e.children().into_iter().map(widest).max().unwrap_or(0).max(own)
}

fn size(ty: &Type) -> i64 {
    scalar_type(ty).map_or(host::VECTOR_BYTES, |ty| ty.size(64))
}

/// Test that a branch reaches no memory and calls nothing.
pub(super) fn chooses(branch: &Stmt) -> bool {
    let mut does = true;
    branch.exprs(&mut |e| {
        e.walk(&mut |e| {
            does &= !matches!(e.kind, ExprKind::Index(..) | ExprKind::Call { .. } | ExprKind::Unary(UnOp::Deref, _))
        })
    });
    does && !loops::has_loop(branch)
}

/// Test for a jump that data decide.
fn jumps(body: &Stmt) -> bool {
    let mut does = false;
    body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::If { then, other, .. }, .. }) = piece else { return };
        does |= !std::iter::once(then).chain(other).all(|branch| chooses(branch));
    });
    does
}

/// Elements from that of an iteration of a loop to that of the next one, in memory; `None` where that is not known.
pub(super) fn step(part: &StaticPart, id: LoopId, x: &Access) -> Option<i64> {
    let (index, data) = (x.index.as_ref()?, part.data.get(&x.data)?);
    let l = part.get_loop(id);
    let (mut all, mut length) = (0i64, Some(1i64)); // length: of what lies behind a subscript
    for (k, p) in index.iter().enumerate().rev() {
        if p.uses(l.var) {
            let each = p.coefficient(l.var).checked_mul(l.step).filter(|each| *each != 0)?;
            all = all.checked_add(each.checked_mul(length?)?)?;
        }
        let extent = k.checked_sub(1).and_then(|before| data.shape.inner.get(before)?.as_constant());
        length = length.zip(extent).and_then(|(length, extent)| length.checked_mul(extent));
    }
    Some(all)
}

/// Operations of a statement that one of the next iteration of a loop waits for: those between what the iteration
/// before left and what this one leaves, in floating numbers. A short loop is written out, and the next one is under way meanwhile.
pub(super) fn waits(part: &StaticPart, stmt: &Statement, inner: LoopId) -> i64 {
    if !part.get_loop(inner).may_exceed(host::NEAR) {
        return 0;
    }
    let is_float = |x: &Access| part.data.get(&x.data).is_some_and(|data| matches!(data.elem, Type::Float(_)));
    let is_own = |x: &Access| part.data[&x.data].declared_in == Some(inner);
    let written = stmt.accesses.iter().filter(|x| is_write(x) && is_float(x) && !is_own(x));
    let pairs = written.flat_map(|w| stmt.accesses.iter().map(move |r| (w, r)));
    let carried = pairs.filter(|(w, r)| w.data == r.data && !is_write(r) && was_written(part, inner, w, r));
    carried.map(|(_, r)| depth(&stmt.body, r)).max().unwrap_or(0)
}

/// Test that an iteration reads what the one before it wrote.
fn was_written(part: &StaticPart, inner: LoopId, w: &Access, r: &Access) -> bool {
    let is_one = |x: &Access| x.index.iter().flatten().all(|p| !p.uses(part.get_loop(inner).var));
    match iterations_ahead(part, inner, w, r) {
        Some(n) => n == -1,
        None => is_one(w) && is_one(r) && w.index == r.index,
    }
}

/// Operations around an access, at least one.
fn depth(body: &Stmt, x: &Access) -> i64 {
    let mut depth = 1;
    body.exprs(&mut |e| depth = depth.max(depth_within(e, x).unwrap_or(0)));
    depth
}

fn depth_within(e: &Expr, x: &Access) -> Option<i64> {
    if e.span == x.span && !matches!(e.kind, ExprKind::Assign { .. }) {
        return Some(0);
    }
    let deepest = e.children().into_iter().filter_map(|child| depth_within(child, x)).max()?;
    let is_one = match &e.kind {
        ExprKind::Binary(..) => true,
        ExprKind::Assign { op, .. } => op.is_some(),
        _ => false,
    };
    Some(deepest + i64::from(is_one))
}
