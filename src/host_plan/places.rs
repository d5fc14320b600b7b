//! Scalars that may lie in an array of the region's, or be another scalar.
//!
//! ```text
//! double gain;                                      takes the place of gain
//! void f(double *a, int n)              ->          if (a[0 .. n) and gain overlap) the original loops run
//!     for (i...) a[i] += gain;
//! ```
//! The entry takes scalars by value, once: where one of them is an element that the region writes, the original sees
//! another value after that. It may be one if it is in memory that a pointer can lead to (a global variable, one whose
//! address is taken, a member behind a pointer), and has the type of the elements (C11 6.5p7; bytes may be of anything). A pointer
//! through which a scalar is read, `(*image)->width`, may lie in an array of bytes.

use super::builder::Builder;
use super::ir::{Array, Param};
use crate::analysis::coincide::is_led_to;
use crate::ast::{Expr, ExprKind, IntKind, Storage, StructId, Type, UnOp, Unit, VarId, print};
use crate::kernel::ScalarType;
use crate::normalize::single_structures;
use crate::poly::names::{Names, identifier};
use crate::schedule::lower::{Origin, scalar_type};
use crate::source::Span;
use std::collections::BTreeSet;

/// What may be the same memory as something else.
struct Memory {
    holds: Holds,
    /// `None`: a pointer.
    ty: Option<ScalarType>,
    /// Flag: a pointer leads to it.
    is_led_to: bool,
    is_written: bool,
}

/// Content of memory.
enum Holds {
    Scalar(Expr),
    /// Numbers of an array, of structures of that type.
    Array(Option<StructId>),
}

impl Holds {
    /// Test for members that are apart wherever their structures lie. A member of such structures that is set is a number of the
    /// array wherever it is named: one that is a scalar is another.
    fn is_apart(&self, other: &Holds) -> bool {
        match (self, other) {
            (Holds::Scalar(a), Holds::Scalar(b)) => single_structures::are_known_apart(a, b),
            (Holds::Scalar(e), Holds::Array(of)) | (Holds::Array(of), Holds::Scalar(e)) => {
                of.is_some() && single_structures::outermost(e) == *of
            }
            (Holds::Array(_), Holds::Array(_)) => false,
        }
    }
}

impl Memory {
    /// Test that two may be one, so that one of them is written and the other read.
    fn meets(&self, other: &Memory) -> bool {
        let is_byte = |ty| matches!(ty, ScalarType::Int(IntKind::Char | IntKind::SChar | IntKind::UChar));
        (self.is_led_to || other.is_led_to)
            && !self.holds.is_apart(&other.holds)
            && (self.is_written || other.is_written)
            && match (self.ty, other.ty) {
                (Some(a), Some(b)) => is_alike(a, b) || is_byte(a) || is_byte(b),
                (a, b) => a.or(b).is_some_and(is_byte),
            }
    }
}

impl Builder<'_> {
    /// The places of the scalars among these parameters that may lie in one of the arrays, or in another of them.
    pub(super) fn places(&mut self, arrays: &[Array], params: &[Param]) -> Vec<Param> {
        let mut scalars: Vec<(Expr, bool)> = vec![];
        for (name, by) in &self.used.scalars {
            if !params.iter().any(|p| matches!(p, Param::Scalar { name: n, .. } if n == name)) {
                continue;
            }
            let read = match &by.origin {
                Origin::Var(v) => self.lvalues(&self.unit.read(*v, Span::default())),
                Origin::Expr(e) => self.lvalues(e),
            };
            scalars.extend(read.into_iter().map(|e| (e, false)));
        }
        let is_shared = |v: &VarId, names: &mut Names| {
            let name = names.of(self.unit, *v);
            params.iter().any(|p| matches!(p, Param::ScalarInOut { name: n, .. } if *n == name))
        };
        // In an order of their own: the sets have none, and names depend on it.
        let written: BTreeSet<VarId> = self.region.host_scalars.union(&self.region.device_scalars).copied().collect();
        let written: Vec<VarId> = written.into_iter().filter(|v| is_shared(v, &mut self.names)).collect();
        scalars.extend(written.into_iter().map(|v| (self.lvalue(v), true)));
        scalars.retain(|(e, _)| is_in_memory(self.unit, e));
        let memory = |(e, is_written): &(Expr, bool)| {
            let (is_led_to, holds) = (is_behind_pointer(self.unit, e), Holds::Scalar(e.clone()));
            Memory { holds, ty: scalar_type(&e.ty), is_led_to, is_written: *is_written }
        };
        let arrays = arrays.iter().filter(|a| a.on_host && !a.extents.is_empty());
        let arrays = arrays.filter_map(|a| {
            let v = self.names.var(&a.name)?;
            // Members of structures take home with them what lies between.
            let record = self.unit.records.iter().find(|r| r.var == v);
            let has_others = record.is_some_and(|r| !r.members.is_empty());
            let ty = if has_others { ScalarType::Int(IntKind::Char) } else { a.ty };
            let holds = Holds::Array(record.map(|r| r.of));
            Some(Memory { holds, ty: Some(ty), is_led_to: is_led_to(self.unit, v), is_written: a.live_out.is_some() })
        });
        let others: Vec<Memory> = arrays.chain(scalars.iter().map(memory)).collect();
        scalars.retain(|x| others.iter().any(|other| memory(x).meets(other)));
        let mut out: Vec<Param> = vec![];
        for (e, is_written) in scalars {
            let c_expr = print::expr(self.unit, &e);
            let is_known = |p: &Param| matches!(p, Param::Place { c_expr: c, .. } if *c == c_expr);
            if !out.iter().any(is_known) {
                let ty = scalar_type(&e.ty).unwrap_or(ScalarType::Int(IntKind::ULong));
                let name = self.names.fresh(&format!("{}_place", identifier(&c_expr)));
                out.push(Param::Place { name, ty, c_expr, is_written });
            }
        }
        out
    }

    /// The lvalues that an expression reads.
    fn lvalues(&self, e: &Expr) -> Vec<Expr> {
        if let ExprKind::Var(v) = e.kind
            && let Some(element) = self.unit.element(v)
        {
            return self.lvalues(element);
        }
        // Asking a size or an address of something reads nothing of it.
        match &e.kind {
            ExprKind::SizeOfExpr(_) => return vec![],
            ExprKind::Unary(UnOp::AddrOf, of) => {
                return of.children().into_iter().flat_map(|x| self.lvalues(x)).collect();
            }
            _ => {}
        }
        let is_lvalue = matches!(e.kind, ExprKind::Var(_) | ExprKind::Member { .. } | ExprKind::Index(..))
            || matches!(e.kind, ExprKind::Unary(UnOp::Deref, _));
        let own = is_lvalue && matches!(e.ty, Type::Int(_) | Type::Float(_) | Type::Pointer { .. });
        let inside = e.children().into_iter().flat_map(|x| self.lvalues(x));
        own.then(|| e.clone()).into_iter().chain(inside).collect()
    }
}

/// Test that C lets one type be read as the other: signedness does not matter.
fn is_alike(a: ScalarType, b: ScalarType) -> bool {
    match (a, b) {
        (ScalarType::Int(a), ScalarType::Int(b)) => a.bits() == b.bits(),
        _ => a == b,
    }
}

/// Test that a pointer leads to it.
fn is_behind_pointer(unit: &Unit, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(..) => e.root().is_some_and(|v| is_led_to(unit, v)),
        ExprKind::Member { base, arrow, .. } => *arrow || is_behind_pointer(unit, base),
        _ => false,
    }
}

/// Test that a pointer can lead to it.
fn is_in_memory(unit: &Unit, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(v) => {
            let var = unit.var(*v);
            !var.is_const && !var.is_register && (var.storage == Storage::Global || unit.is_taken(*v))
        }
        ExprKind::Member { base, arrow: false, .. } => is_in_memory(unit, base),
        _ => true,
    }
}
