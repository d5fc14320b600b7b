//! Arrays that a region reads, and that may be one that it writes, from the same address on.
//!
//! ```text
//! void add(int n, double *x, double *y, double *z) {     add(n, a, b, a)
//!     for (int i = 0; i < n; i++)                        x is z: each element is read before it is written, so that x
//!         z[i] = x[i] + y[i];                            is another array on the device, with what z held before
//! }
//! ```
//! The device has them apart, and what it reads is what was there at the region's beginning. So it is in the original if no
//! element is read that was written before: as in what compilers call a loop's anti dependences, which renaming removes
//! (Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, section 5.3).

use super::analysed::{Analysed, Node, Static};
use super::tiles;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Storage, Unit, VarId};
use crate::facts::arrays;
use crate::normalize::arrays_of_structures;
use crate::poly::Failure;
use crate::poly::dependence::are_read_first;
use crate::poly::names::identifier;
use crate::poly::scop::is_write;
use crate::region::candidates::Candidate;
use crate::schedule::lower::scalar_type;
use std::collections::BTreeSet;

/// Operations that isl may spend on a pair: many times what elements at the same subscripts take.
const PAIR_OPERATIONS: u64 = 100_000;

/// Pairs that are looked at in a region.
const MAX_PAIRS: usize = 64;

/// A part, where it stands.
struct Placed<'a> {
    part: &'a Static,
    /// Flag: a loop of the host runs it again.
    is_again: bool,
    /// Branches that it is in: conditions by number, and which of their two sides.
    branches: Vec<(usize, usize)>,
}

impl Placed<'_> {
    /// Test that only one of two parts runs: they are on two sides of a condition, and nothing runs them again.
    fn excludes(&self, other: &Placed) -> bool {
        let differs = |(a, b): (&(usize, usize), &(usize, usize))| a.0 == b.0 && a.1 != b.1;
        !(self.is_again && other.is_again) && self.branches.iter().zip(&other.branches).any(differs)
    }
}

/// The pairs of an array that is only read and one that is written, that may be the same; and of two that are written, and
/// are members of one array of structures.
///
/// # Errors
/// A fault of isl's.
pub fn pairs(unit: &Unit, candidate: &Candidate, region: &Analysed) -> Result<Vec<(VarId, VarId)>, Failure> {
    let (mut parts, mut read, mut written) = (vec![], BTreeSet::new(), BTreeSet::new());
    place(&region.nodes, false, &[], &mut parts);
    for s in parts.iter().map(|placed| placed.part) {
        read.extend(s.part.data.iter().filter(|(_, data)| data.shape.c_rank > 0).map(|(v, _)| *v));
        for stmt in &s.part.stmts {
            written.extend(stmt.accesses.iter().filter(|a| is_write(a)).map(|a| a.data));
        }
    }
    let elsewhere = region.read_on_host();
    read.retain(|v| !elsewhere.contains(v) && !region.declared.contains(v));
    let (written, read): (Vec<VarId>, Vec<VarId>) = read.into_iter().partition(|v| written.contains(v));
    let beside: Vec<(VarId, VarId)> =
        pairs_of(&written).filter(|(v, w)| arrays_of_structures::are_of_one_array(unit, *v, *w)).collect();
    let all: Vec<_> = read.iter().flat_map(|r| written.iter().map(move |w| (*r, *w))).collect();
    let (mut out, all): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(r, w)| arrays_of_structures::are_of_one_array(unit, *r, *w));
    out.extend(beside);
    // Tile after tile an element may be written before it is read, where loops in their own order read it first.
    if candidate.rotation.is_some() || tiles::are_in(unit, region) {
        return Ok(out);
    }
    for (r, w) in all.into_iter().filter(|(r, w)| may_be_one(unit, &parts, *r, *w)).take(MAX_PAIRS) {
        match region.ctx.within(PAIR_OPERATIONS, || are_apart_in_time(&parts, r, w)) {
            Ok(true) => out.push((r, w)),
            Ok(false) | Err(Failure::TooHard) => {}
            Err(e) => return Err(e),
        }
    }
    Ok(out)
}

/// Each of a list with each behind it.
fn pairs_of(list: &[VarId]) -> impl Iterator<Item = (VarId, VarId)> {
    list.iter().enumerate().flat_map(|(k, v)| list[k + 1..].iter().map(move |w| (*v, *w)))
}

fn place<'a>(nodes: &'a [Node], is_again: bool, branches: &[(usize, usize)], out: &mut Vec<Placed<'a>>) {
    for n in nodes {
        match n {
            Node::Static(part) => out.push(Placed { part, is_again, branches: branches.to_vec() }),
            Node::Loop { body, .. } => place(body, true, branches, out),
            Node::If { then, other, .. } => {
                // How many parts stand before it: no two conditions at one depth that have parts share it.
                let condition = out.len();
                for (side, nodes) in [then, other].into_iter().enumerate() {
                    place(nodes, is_again, &[branches, &[(condition, side)]].concat(), out);
                }
            }
            Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
        }
    }
}

/// Test that elements at the same subscripts are the same, if their arrays begin at one address: wherever either is touched,
/// it has the same extents, which subscripts may show in one part and not in another.
fn may_be_one(unit: &Unit, parts: &[Placed], read: VarId, written: VarId) -> bool {
    let mut shapes = vec![];
    for s in parts.iter().map(|placed| placed.part) {
        for data in [read, written].iter().filter_map(|v| s.part.data.get(v)) {
            let (Some(ty), shape) = (scalar_type(&data.elem), &data.shape) else { return false };
            let extents: Vec<String> =
                shape.inner[shape.n_pointers..].iter().map(|p| s.scop.spelling.text(p)).collect();
            shapes.push((ty, shape.n_pointers, shape.rank(), extents));
        }
    }
    (is_led_to(unit, read) || is_led_to(unit, written)) && shapes.windows(2).all(|pair| pair[0] == pair[1])
}

/// Reach of an array's elements by another name: through a pointer, as a parameter, or behind a structure.
pub fn is_led_to(unit: &Unit, v: VarId) -> bool {
    let var = unit.var(v);
    arrays::is_behind_pointer(&var.ty) || var.storage == Storage::Param || identifier(&var.name) != var.name
}

/// Test that no element is read that may have been written before.
fn are_apart_in_time(parts: &[Placed], read: VarId, written: VarId) -> Result<bool, Failure> {
    for (at, first) in parts.iter().enumerate() {
        let s = first.part;
        let Some(writes) = s.deps.live.get(&written) else { continue };
        for (after, second) in parts.iter().enumerate().filter(|(_, second)| !first.excludes(second)) {
            let t = second.part;
            let Some(reads) = t.deps.live.get(&read) else { continue };
            let is_again = first.is_again && second.is_again;
            let is_apart = match after == at && !is_again {
                true => are_read_first(&s.part, &s.scop, [read, written], |id| writes_last(&s.part.stmt(id).body))?,
                false => after < at && !is_again || writes.may_write()?.intersect(reads.touched()?)?.is_empty()?,
            };
            if !is_apart {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Test that a statement reads all that it reads before it writes to an array.
fn writes_last(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { target, value, .. }, .. }) => {
            !target.children().into_iter().chain([&**value]).any(changes_memory)
        }
        StmtKind::Block(list) => {
            list.split_last().is_none_or(|(last, before)| writes_last(last) && !before.iter().any(some_change_memory))
        }
        StmtKind::If { cond, then, other } => {
            !changes_memory(cond) && writes_last(then) && other.as_ref().is_none_or(|s| writes_last(s))
        }
        _ => !some_change_memory(s),
    }
}

/// Test that a statement holds an expression that does.
fn some_change_memory(s: &Stmt) -> bool {
    let mut changes = false;
    s.walk(&mut |piece| match piece {
        Piece::Expr(e) => changes |= is_change(e),
        Piece::Stmt(s) => changes |= matches!(s.kind, StmtKind::Unmodelled(_)),
    });
    changes
}

/// Test that an expression changes more than variables.
fn changes_memory(e: &Expr) -> bool {
    let mut changes = false;
    e.walk(&mut |e| changes |= is_change(e));
    changes
}

fn is_change(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => !matches!(target.kind, ExprKind::Var(_)),
        ExprKind::Call { args, .. } => args.iter().any(|a| a.ty.is_pointer_like()),
        ExprKind::Unmodelled(_) => true,
        _ => false,
    }
}
