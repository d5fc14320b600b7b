//! Members of single structures that loops set: `t->sum += x[i]`, `while (sim->t < sim->end) { ...; sim->t += sim->dt; }`.
//!
//! Such a member, a number, is a variable in all but name: a region assigns no pointer and no structure as a whole, so that
//! what leads to it is one place all the while. It becomes a variable, whose name is its text in C: the call site hands over its
//! address, as that of a global variable, and a nest may sum up in it or the host's loops count by it. Members of one structure are
//! distinct objects. Whether two pointers lead to one structure, or an array holds the member, is found out at the call
//! (`src/host_plan/places.rs`).

use super::arrays_in_structures::{self, Members};
use crate::ast::{Expr, ExprKind, StructId, Type, UnOp, Unit, VarId};
use crate::facts::arrays::structure;
use crate::facts::symbolic::same_expr;

/// A member of a structure, by its name.
pub(super) type MemberName = (StructId, String);

/// Test for a structure whose address may be handed over.
pub(super) fn can_be_handed(unit: &Unit, v: VarId) -> bool {
    let var = unit.var(v);
    !var.is_register && !var.is_volatile
}

/// The structure and the member of it that a place is in, if it is in a single structure.
pub(super) fn single(unit: &Unit, e: &Expr) -> Option<MemberName> {
    match &e.kind {
        ExprKind::Member { base, field, arrow } if is_single(base, *arrow) => {
            let is_handed = !matches!(base.kind, ExprKind::Var(v) if !can_be_handed(unit, v));
            structure(&base.ty).filter(|_| is_handed && !base.ty.is_complex()).map(|id| (id, field.clone()))
        }
        // Arrays in structures are arrays by themselves.
        ExprKind::Member { base, arrow: false, .. } => single(unit, base),
        _ => None,
    }
}

/// Test for a structure by itself: a variable, or what one pointer leads to all the while.
fn is_single(base: &Expr, arrow: bool) -> bool {
    if arrow { is_array(base) } else { matches!(base.kind, ExprKind::Var(_)) }
}

/// Test that it leads to an array of structures, always the same one while no pointer and no structure is assigned.
pub(super) fn is_array(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Unary(UnOp::AddrOf, of) => matches!(of.kind, ExprKind::Var(_)),
        ExprKind::Member { .. } => arrays_in_structures::is_fixed(e),
        ExprKind::Index(..) => matches!(e.ty, Type::Pointer { .. }) && arrays_in_structures::is_fixed(e),
        _ => false,
    }
}

/// The structure, a variable, that a member is a part of.
pub(super) fn variable_around(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Member { base, arrow: false, .. } => variable_around(base),
        ExprKind::Var(v) => Some(*v),
        _ => None,
    }
}

/// The variable that stands for a member.
pub(super) fn variable(unit: &mut Unit, members: &mut Members, e: &Expr) -> VarId {
    let v = members.variable(unit, e);
    if unit.element(v).is_none() {
        unit.elements.push((v, e.clone()));
    }
    v
}

/// Test that nobody need ask whether two members are one object: different ones of structures of one type never are, wherever these
/// lie, and the same one of the same structure always is.
pub fn are_known_apart(a: &Expr, b: &Expr) -> bool {
    let ((base, path), (other, other_path)) = (path(a), path(b));
    let is_one_sort = structure(&base.ty).is_some() && structure(&base.ty) == structure(&other.ty);
    is_one_sort && (path != other_path || same_expr(base, other))
}

/// Where a member is looked for, and the names that lead to it there.
fn path(e: &Expr) -> (&Expr, Vec<&str>) {
    match &e.kind {
        ExprKind::Member { base, field, arrow: true } => (base, vec![field]),
        ExprKind::Member { base, field, .. } => {
            let (base, mut names) = path(base);
            names.push(field);
            (base, names)
        }
        _ => (e, vec![]),
    }
}

/// The structure that a member is of, through all structures around it but those that pointers lead from.
pub fn outermost(e: &Expr) -> Option<StructId> {
    let (base, names) = path(e);
    structure(&base.ty).filter(|_| !names.is_empty())
}
