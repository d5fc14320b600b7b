//! Arrays of structures whose members are numbers of one type: `cells[i].speeds[k]`, `p[i].x`.
//!
//! Such an array is an array of those numbers with one more dimension, and is seen as that:
//! ```text
//! struct { double x, y, z; } *p;                p[i].y           ->   p[i][1]
//! struct { float rho, speeds[9]; } *cells;      cells[i].speeds[k]   ->   cells[i][1 + k]
//! ```
//! C lays members of one type out without gaps, unless an attribute asks for them: the entry tests the size of an element
//! at each call. `to->x` beside `p[i].x` is `to[0].x`, an array of its own: whether the two are the same memory is found
//! out at the call, as for other pointers. Where the statements around reach members of such a structure in any other way
//! (one by itself, that others may reach), its arrays stay as they are there: what is read so might be an element.

use super::made;
use super::members::Members;
use crate::ast::build::{constant, typing};
use crate::ast::visit::Piece;
use crate::ast::{
    BinOp, Expr, ExprKind, Function, IntKind, Record, Stmt, StmtKind, Storage, StructId, Type, Unit, VarId,
};
use crate::region::effects;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The most numbers in a structure.
const MOST: i64 = 64;

/// Where the members of a structure lie among its numbers.
#[derive(Debug)]
struct Layout {
    number: Type,
    /// What a number takes.
    bytes: i64,
    count: i64,
    /// The first number of a member, and whether the member is an array.
    members: BTreeMap<String, (i64, bool)>,
}

/// The structures that arrays are seen through, by statement.
#[derive(Debug)]
pub struct Records {
    layouts: BTreeMap<StructId, Layout>,
    seen_through: BTreeMap<Span, BTreeSet<StructId>>,
}

/// The structures of which statements reach members by subscripts, and in a way that stays.
#[derive(Debug, Default, Clone)]
struct Uses {
    subscripted: BTreeSet<StructId>,
    other: BTreeSet<StructId>,
}

impl Records {
    /// For the statements of a function, each with its form in which calls are opened: the same for those of a block,
    /// which may be one region.
    pub fn of<'a>(unit: &Unit, f: &Function, forms: impl Iterator<Item = (&'a Stmt, &'a Stmt)>) -> Records {
        let ids = (0..unit.structs.len() as u32).map(StructId);
        let layouts: BTreeMap<_, _> = ids.filter_map(|id| Some((id, layout(unit, id)?))).collect();
        let mut seen_through = BTreeMap::new();
        if layouts.is_empty() {
            return Records { layouts, seen_through };
        }
        let seen = effects::addresses(f);
        let is_apart = |v: VarId| matches!(unit.var(v).storage, Storage::Local | Storage::Param) && !seen.contains(&v);
        let forms: Vec<_> = forms.map(|(s, plain)| (s, uses(plain, &is_apart))).collect();
        let by_span: BTreeMap<Span, &Uses> = forms.iter().map(|(s, uses)| (s.span, uses)).collect();
        for (s, own) in &forms {
            seen_through.entry(s.span).or_insert_with(|| &own.subscripted - &own.other);
            let StmtKind::Block(body) = &s.kind else { continue };
            let mut all = Uses::default();
            for uses in body.iter().filter_map(|s| by_span.get(&s.span)) {
                all.subscripted.extend(&uses.subscripted);
                all.other.extend(&uses.other);
            }
            let chosen = &all.subscripted - &all.other;
            seen_through.extend(body.iter().map(|s| (s.span, chosen.clone())));
        }
        Records { layouts, seen_through }
    }

    /// Puts numbers in the place of members, in an expression of that statement.
    pub fn replace(&self, s: &Stmt, unit: &mut Unit, members: &mut Members, e: &mut Expr) {
        let Some(chosen) = self.seen_through.get(&s.span).filter(|ids| !ids.is_empty()) else { return };
        e.rewrite(&mut |e| {
            let found = match &e.kind {
                ExprKind::Index(member, k) => self.number(chosen, unit, members, member, Some(k)),
                _ => self.number(chosen, unit, members, e, None),
            };
            if let Some(number) = found {
                *e = number;
            }
        });
    }

    /// Names the arrays that are seen so wherever the statement does: where it exchanges them, too.
    pub fn rename(&self, s: &Stmt, unit: &Unit, members: &Members, e: &mut Expr) {
        if self.seen_through.get(&s.span).is_none_or(BTreeSet::is_empty) {
            return;
        }
        e.rewrite(&mut |e| {
            let is_seen = |(v, x): &&(VarId, Expr)| x.kind == e.kind && unit.records.iter().any(|r| r.var == *v);
            if let (ExprKind::Var(_), Some((v, x))) = (&e.kind, members.list.iter().find(is_seen)) {
                (e.kind, e.ty) = (ExprKind::Var(*v), x.ty.clone());
            }
        });
    }

    /// A member, or an element of one, as a number of its array.
    fn number(
        &self,
        chosen: &BTreeSet<StructId>,
        unit: &mut Unit,
        members: &mut Members,
        member: &Expr,
        k: Option<&Expr>,
    ) -> Option<Expr> {
        let ExprKind::Member { base, field, arrow } = &member.kind else { return None };
        if !arrow && matches!(base.kind, ExprKind::Var(_)) {
            return None;
        }
        let layout = self.layouts.get(&structure(&base.ty).filter(|id| chosen.contains(id))?)?;
        let (first, is_array) = *layout.members.get(field)?;
        if is_array != k.is_some() {
            return None;
        }
        let span = member.span;
        let first_of = Expr {
            kind: ExprKind::Index(base.clone(), Box::new(made::integer(0, span))),
            ty: typing::element(&base.ty),
            span,
        };
        let record = if *arrow { &first_of } else { &**base };
        let numbers = seen(unit, members, record, layout)?;
        let at = made::integer(first, span);
        let index = match k {
            None => at,
            Some(k) if first == 0 => k.clone(),
            Some(k) => {
                Expr { kind: ExprKind::Binary(BinOp::Add, Box::new(at), Box::new(k.clone())), ty: k.ty.clone(), span }
            }
        };
        let ty = layout.number.clone();
        Some(Expr { kind: ExprKind::Index(Box::new(numbers), Box::new(index)), ty, span })
    }
}

/// The numbers of a structure if all are of one type.
fn layout(unit: &Unit, id: StructId) -> Option<Layout> {
    let fields = unit.structs[id.0 as usize].fields.as_ref()?;
    let mut out: Option<Layout> = None;
    for field in fields {
        let (number, count, is_array) = match &field.ty {
            Type::Array { of, len: Some(len) } => match len.kind {
                ExprKind::Int(n) if n > 0 => (&**of, n, true),
                _ => return None,
            },
            ty => (ty, 1, false),
        };
        if !matches!(number, Type::Int(_) | Type::Float(_)) {
            return None;
        }
        let bytes = i64::try_from(constant::size_of(number)?).ok()?;
        let none = || Layout { number: number.clone(), bytes, count: 0, members: BTreeMap::new() };
        let all = out.get_or_insert_with(none);
        if all.number != *number || all.count + count > MOST {
            return None;
        }
        all.members.insert(field.name.clone(), (all.count, is_array));
        all.count += count;
    }
    out
}

/// The structure, or the one that is pointed to.
fn structure(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Struct(id) => Some(*id),
        Type::Pointer { to, .. } => structure(to),
        _ => None,
    }
}

/// How a statement reaches members of structures. `is_apart`: whether a structure is no element of an array.
fn uses(plain: &Stmt, is_apart: &dyn Fn(VarId) -> bool) -> Uses {
    let mut out = Uses::default();
    plain.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        e.walk(&mut |e| {
            let ExprKind::Member { base, arrow, .. } = &e.kind else { return };
            let Some(id) = structure(&base.ty) else { return };
            let is_beside = matches!(base.kind, ExprKind::Var(v) if *arrow || is_apart(v));
            if !arrow && is_element(base) {
                out.subscripted.insert(id);
            } else if !is_beside {
                out.other.insert(id);
            }
        });
    });
    out
}

/// Whether this is an element of a variable, a structure.
fn is_element(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(base, _) => matches!(base.kind, ExprKind::Var(_)) || is_element(base),
        _ => false,
    }
}

/// An element of an array of structures as a row of numbers.
fn seen(unit: &mut Unit, members: &mut Members, e: &Expr, layout: &Layout) -> Option<Expr> {
    match &e.kind {
        ExprKind::Var(v) => {
            let ty = with_numbers(&unit.var(*v).ty, layout)?;
            let known = members.list.len();
            let seen = members.variable(unit, &Expr { ty: ty.clone(), ..e.clone() });
            if members.list.len() > known {
                let size = size_of_element(e, &unit.var(*v).ty);
                unit.records.push(Record { var: seen, size, bytes: layout.count * layout.bytes });
            }
            Some(Expr { kind: ExprKind::Var(seen), ty, span: e.span })
        }
        ExprKind::Index(base, index) => {
            let base = seen(unit, members, base, layout)?;
            let ty = typing::element(&base.ty);
            Some(Expr { kind: ExprKind::Index(Box::new(base), index.clone()), ty, span: e.span })
        }
        _ => None,
    }
}

/// The type of an array with rows of numbers in the place of structures.
fn with_numbers(ty: &Type, layout: &Layout) -> Option<Type> {
    Some(match ty {
        Type::Struct(_) => {
            let len = Some(Box::new(made::integer(layout.count, Default::default())));
            Type::Array { of: Box::new(layout.number.clone()), len }
        }
        Type::Array { of, len } => Type::Array { of: Box::new(with_numbers(of, layout)?), len: len.clone() },
        Type::Pointer { to, is_const, restrict } if !matches!(**to, Type::Pointer { .. }) => {
            Type::Pointer { to: Box::new(with_numbers(to, layout)?), is_const: *is_const, restrict: *restrict }
        }
        _ => return None,
    })
}

/// `sizeof(p[0])`
fn size_of_element(array: &Expr, ty: &Type) -> Expr {
    let (mut e, mut ty) = (array.clone(), ty.clone());
    while !matches!(ty, Type::Struct(_)) {
        ty = typing::element(&ty);
        let span = e.span;
        e = Expr { kind: ExprKind::Index(Box::new(e), Box::new(made::integer(0, span))), ty: ty.clone(), span };
    }
    Expr { span: e.span, kind: ExprKind::SizeOfExpr(Box::new(e)), ty: Type::Int(IntKind::ULong) }
}
