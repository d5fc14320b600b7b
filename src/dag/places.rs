//! Scalars that may lie in an array of the region's.
//!
//! ```text
//! double gain;                                      takes the place of gain
//! void f(double *a, int n)              ->          if (a[0 .. n) and gain overlap) the original loops run
//!     for (i...) a[i] += gain;
//! ```
//! The entry takes scalars by value, once: where one of them is an element that the region writes, the original sees
//! another value after that. It may be one if it is in memory that a pointer can lead to (a global variable, one whose
//! address is taken, a member behind a pointer), and has the type of the elements (C11 6.5p7; bytes may be of anything).

use super::build::Builder;
use super::plan::{Array, Param};
use crate::ast::{Expr, ExprKind, IntKind, Storage, Type, UnOp, Unit, VarId, print};
use crate::kernel::ScalarType;
use crate::poly::names::{Names, identifier};
use crate::region::{accesses, effects};
use crate::schedule::lower::{Origin, scalar_type};
use crate::source::Span;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The places of the scalars among these parameters that may lie in one of the arrays.
    pub(super) fn places(&mut self, arrays: &[Array], params: &[Param]) -> Vec<Param> {
        let mut read: Vec<Expr> = vec![];
        for (name, by) in &self.used.scalars {
            if !params.iter().any(|p| matches!(p, Param::Scalar { name: n, .. } if n == name)) {
                continue;
            }
            match &by.origin {
                Origin::Var(v) => read.push(self.unit.read(*v, Span::default())),
                Origin::Expr(e) => read.extend(lvalues(e)),
            }
        }
        let is_shared = |v: &VarId, names: &mut Names| {
            let name = names.of(self.unit, *v);
            params.iter().any(|p| matches!(p, Param::ScalarInOut { name: n, .. } if *n == name))
        };
        // In an order of their own: the sets have none, and names depend on it.
        let scalars: BTreeSet<VarId> = self.region.host_scalars.union(&self.region.device_scalars).copied().collect();
        let shared: Vec<VarId> = scalars.into_iter().filter(|v| is_shared(v, &mut self.names)).collect();
        let places = read.into_iter().map(|e| (e, false));
        let mut places: Vec<(Expr, bool)> =
            places.chain(shared.into_iter().map(|v| (self.unit.read(v, Span::default()), true))).collect();
        places.retain(|(e, is_written)| {
            is_in_memory(self.unit, e) && arrays.iter().any(|a| self.may_hold(a, e, *is_written))
        });
        let mut out: Vec<Param> = vec![];
        for (e, is_written) in places {
            let c_expr = print::expr(self.unit, &e);
            let is_known = |p: &Param| matches!(p, Param::Place { c_expr: c, .. } if *c == c_expr);
            if let (Some(ty), false) = (scalar_type(&e.ty), out.iter().any(is_known)) {
                let name = self.names.fresh(&format!("{}_place", identifier(&c_expr)));
                out.push(Param::Place { name, ty, c_expr, is_written });
            }
        }
        out
    }

    /// Whether a scalar may be an element of an array, so that one of the two is written and the other read.
    fn may_hold(&self, a: &Array, e: &Expr, is_written: bool) -> bool {
        let Some(v) = self.names.var(&a.name).filter(|_| a.on_host && !a.extents.is_empty()) else { return false };
        let is_byte = matches!(a.ty, ScalarType::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
        let is_same = scalar_type(&e.ty).is_some_and(|ty| is_alike(ty, a.ty));
        accesses::is_behind_pointer(&self.unit.var(v).ty)
            && (is_same || is_byte)
            && (is_written || a.live_out.is_some())
    }
}

/// Whether C lets one type be read as the other: signedness does not matter.
fn is_alike(a: ScalarType, b: ScalarType) -> bool {
    match (a, b) {
        (ScalarType::Int(a), ScalarType::Int(b)) => a.bits() == b.bits(),
        _ => a == b,
    }
}

/// The lvalues that an expression reads.
fn lvalues(e: &Expr) -> Vec<Expr> {
    let is_lvalue = matches!(e.kind, ExprKind::Var(_) | ExprKind::Member { .. } | ExprKind::Index(..))
        || matches!(e.kind, ExprKind::Unary(UnOp::Deref, _));
    let own = is_lvalue && matches!(e.ty, Type::Int(_) | Type::Float(_));
    let inside = e.children().into_iter().flat_map(lvalues);
    own.then(|| e.clone()).into_iter().chain(inside).collect()
}

/// Whether a pointer can lead to it.
fn is_in_memory(unit: &Unit, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(v) => {
            let var = unit.var(*v);
            !var.is_const
                && !var.is_register
                && (var.storage == Storage::Global || unit.functions.iter().any(|f| effects::addresses(f).contains(v)))
        }
        ExprKind::Member { base, arrow: false, .. } => is_in_memory(unit, base),
        _ => true,
    }
}
