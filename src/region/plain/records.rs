//! Arrays of structures whose members are numbers of one type: `cells[i].speeds[k]`, `p[i].x`.
//!
//! Such an array is an array of those numbers with one more dimension, and is seen as that:
//! ```text
//! struct { double x, y, z; } *p;                p[i].y           ->   p[i][1]
//! struct { float rho, speeds[9]; } *cells;      cells[i].speeds[k]   ->   cells[i][1 + k]
//! ```
//! C lays members of one type out without gaps, unless an attribute asks for them: the entry tests the size of an element
//! at each call. Structures of which a function reaches members in any other way (`p->x`, a structure by itself) stay as
//! they are in it: what a pointer to one structure reads might be an element of the array.

use super::members::Members;
use super::places;
use crate::ast::build::{constant, typing};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, IntKind, Record, StructId, Type, Unit, VarId};
use std::collections::{HashMap, HashSet};

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
    members: HashMap<String, (i64, bool)>,
}

/// The structures that arrays are seen through in a function.
#[derive(Debug)]
pub struct Records {
    layouts: HashMap<StructId, Layout>,
}

impl Records {
    /// Those of a function and of what it calls.
    pub fn of(unit: &Unit, f: &Function) -> Records {
        let ids = (0..unit.structs.len() as u32).map(StructId);
        let mut layouts: HashMap<_, _> = ids.filter_map(|id| Some((id, layout(unit, id)?))).collect();
        let mut known: HashSet<&str> = HashSet::from([f.name.as_str()]);
        let mut pending = vec![f];
        while let Some(g) = pending.pop().filter(|_| !layouts.is_empty()) {
            g.body.walk(&mut |piece| {
                let Piece::Expr(e) = piece else { return };
                e.walk(&mut |e| match &e.kind {
                    ExprKind::Member { base, arrow, .. } => {
                        if let Some(id) = structure(&base.ty).filter(|_| *arrow || element(base).is_none()) {
                            layouts.remove(&id);
                        }
                    }
                    ExprKind::Call { name, .. } => {
                        pending.extend(unit.function(name).filter(|callee| known.insert(callee.name.as_str())));
                    }
                    _ => {}
                });
            });
        }
        Records { layouts }
    }

    /// Puts numbers in the place of members.
    pub fn replace(&self, unit: &mut Unit, members: &mut Members, e: &mut Expr) {
        if self.layouts.is_empty() {
            return;
        }
        e.rewrite(&mut |e| {
            let found = match &e.kind {
                ExprKind::Index(member, k) => self.number(unit, members, member, Some(k)),
                _ => self.number(unit, members, e, None),
            };
            if let Some(number) = found {
                *e = number;
            }
        });
    }

    /// A member, or an element of one, as a number of its array.
    fn number(&self, unit: &mut Unit, members: &mut Members, member: &Expr, k: Option<&Expr>) -> Option<Expr> {
        let ExprKind::Member { base, field, arrow } = &member.kind else { return None };
        let layout = self.layouts.get(&structure(&base.ty)?)?;
        let (first, is_array) = *layout.members.get(field)?;
        if is_array != k.is_some() {
            return None;
        }
        let span = member.span;
        // `p[0].x`, tidied.
        let first_of = Expr {
            kind: ExprKind::Index(base.clone(), Box::new(places::integer(0, span))),
            ty: typing::element(&base.ty),
            span,
        };
        let record = if *arrow { &first_of } else { &**base };
        let numbers = seen(unit, members, record, layout)?;
        let at = places::integer(first, span);
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
        let none = || Layout { number: number.clone(), bytes, count: 0, members: HashMap::new() };
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

/// The variable whose element this is, a structure.
fn element(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Index(base, _) => match &base.kind {
            ExprKind::Var(v) => Some(*v),
            _ => element(base),
        },
        _ => None,
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
            let len = Some(Box::new(places::integer(layout.count, Default::default())));
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
        e = Expr { kind: ExprKind::Index(Box::new(e), Box::new(places::integer(0, span))), ty: ty.clone(), span };
    }
    Expr { span: e.span, kind: ExprKind::SizeOfExpr(Box::new(e)), ty: Type::Int(IntKind::ULong) }
}
