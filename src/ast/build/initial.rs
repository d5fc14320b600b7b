//! Initial values of structures (C17 6.7.9): a list with the value of each member, in the order of the members, whatever designators
//! the program uses and braces it leaves out.
//!
//! ```text
//! vec3 a = { .z = 1 };            ->     { 0, 0, 1 }
//! rng s = { 1, 2, 3, 4, 7 };      ->     { { 1, 2, 3, 4 }, 7 }      (of an array of four and a number)
//! (vec3){ x, y }                  ->     (vec3){ x, y, 0 }
//! ```

use tree_sitter::Node;

use super::ast_builder::integer;
use super::builder::{Builder, named_children};
use super::constant;
use crate::ast::{Expr, ExprKind, Type};
use crate::source::Span;
use crate::source::parse::span;

/// The most numbers and pointers in a structure of which lists are made.
const MOST: usize = 64;

impl<'a> Builder<'a> {
    /// The initial value of an object: of a structure, the values of all its members where they are modelled.
    pub(super) fn initial(&mut self, node: Node<'a>, ty: &Type) -> Expr {
        let is_list = node.kind() == "initializer_list" && matches!(ty, Type::Struct(_)) && !ty.is_complex();
        let listed = if is_list { self.nested(|b| b.listed(node, ty)).flatten() } else { None };
        // `P a = (P){1, 2};`
        match listed.unwrap_or_else(|| self.expr(node)) {
            Expr { kind: ExprKind::Cast(list), ty, .. }
                if matches!(list.kind, ExprKind::InitList(_)) && matches!(ty, Type::Struct(_)) =>
            {
                *list
            }
            value => value,
        }
    }

    /// `(T){ ... }` of a structure.
    pub(super) fn compound_literal(&mut self, node: Node<'a>) -> Option<Expr> {
        let ty = self.type_name(node.child_by_field_name("type")?);
        let value = node.child_by_field_name("value")?;
        let is_structure = matches!(ty, Type::Struct(_)) && !ty.is_complex();
        let list = if is_structure { self.nested(|b| b.listed(value, &ty)).flatten()? } else { return None };
        Some(Expr { kind: ExprKind::Cast(Box::new(list)), ty, span: span(node) })
    }

    /// The values in braces.
    fn listed(&mut self, node: Node<'a>, ty: &Type) -> Option<Expr> {
        self.size(ty).filter(|size| *size <= MOST)?;
        let items = named_children(node);
        let mut at = 0;
        let values = self.aggregate(ty, &items, &mut at, true)?;
        (at == items.len()).then_some(Expr { kind: ExprKind::InitList(values), ty: ty.clone(), span: span(node) })
    }

    /// Takes the values of an aggregate's members from those of a list. `is_braced`: the list is its own.
    fn aggregate(&mut self, ty: &Type, items: &[Node<'a>], at: &mut usize, is_braced: bool) -> Option<Vec<Expr>> {
        let members = self.members(ty)?;
        let mut values: Vec<Option<Expr>> = members.iter().map(|_| None).collect();
        let mut next = 0;
        while let Some(item) = items.get(*at) {
            if item.kind() == "initializer_pair" {
                if !is_braced {
                    break;
                }
                next = self.designated(*item, ty)?;
                let value = item.child_by_field_name("value")?;
                let member = members.get(next)?;
                *values.get_mut(next)? = Some(self.whole(value, member)?);
                *at += 1;
            } else if next < members.len() {
                values[next] = Some(self.member_value(&members[next], items, at)?);
            } else if is_braced {
                return None;
            } else {
                break;
            }
            next += 1;
        }
        let span = items.first().map_or_else(Span::default, |item| span(*item));
        let or_zero = |(value, ty): (Option<Expr>, &Type)| value.or_else(|| self.zero(ty, span));
        values.into_iter().zip(&members).map(or_zero).collect()
    }

    /// The value of a member: the next in the list, or as many as the member has where its braces are left out.
    fn member_value(&mut self, ty: &Type, items: &[Node<'a>], at: &mut usize) -> Option<Expr> {
        let item = items[*at];
        let is_aggregate = matches!(ty, Type::Struct(_) | Type::Array { .. }) && !ty.is_complex();
        if let Some(value) = self.whole(item, ty) {
            *at += 1;
            return Some(value);
        }
        if !is_aggregate || item.kind() == "initializer_list" || item.kind().contains("string") {
            return None;
        }
        let values = self.nested(|b| b.aggregate(ty, items, at, false)).flatten()?;
        Some(Expr { kind: ExprKind::InitList(values), ty: ty.clone(), span: span(item) })
    }

    /// A value of all of an object.
    fn whole(&mut self, node: Node<'a>, ty: &Type) -> Option<Expr> {
        match (ty, node.kind()) {
            (Type::Struct(_) | Type::Array { .. }, "initializer_list") if !ty.is_complex() => {
                self.nested(|b| b.listed(node, ty)).flatten()
            }
            (Type::Array { .. }, _) => None,
            (_, "initializer_list") => match named_children(node)[..] {
                [value] if value.kind() != "initializer_pair" => self.whole(value, ty),
                _ => None,
            },
            (Type::Struct(_), _) => Some(self.initial(node, ty)).filter(|e| e.ty == *ty),
            _ => Some(self.expr(node)),
        }
    }

    /// Which member `.x` or `[2]` is.
    fn designated(&mut self, pair: Node<'a>, ty: &Type) -> Option<usize> {
        let mut cursor = pair.walk();
        let designators: Vec<Node<'a>> = pair.children_by_field_name("designator", &mut cursor).collect();
        let [designator] = designators[..] else { return None };
        let inner = named_children(designator).into_iter().next()?;
        match ty {
            Type::Struct(id) => {
                let name = self.text(inner);
                self.unit.structs[id.0 as usize].fields.as_ref()?.iter().position(|field| field.name == name)
            }
            _ => usize::try_from(constant::fold(&self.expr(inner))?).ok(),
        }
    }

    /// The types of the members of a structure, or elements of an array.
    fn members(&self, ty: &Type) -> Option<Vec<Type>> {
        match ty {
            Type::Struct(id) => {
                let fields = self.unit.structs[id.0 as usize].fields.as_ref()?;
                Some(fields.iter().map(|field| field.ty.clone()).collect())
            }
            Type::Array { of, len } => {
                let len = usize::try_from(constant::fold(len.as_deref()?)?).ok()?;
                Some(vec![(**of).clone(); len])
            }
            _ => None,
        }
    }

    /// Numbers and pointers in an object of that type.
    fn size(&self, ty: &Type) -> Option<usize> {
        match ty {
            ty if ty.is_complex() => Some(1),
            Type::Struct(_) => self.members(ty)?.iter().try_fold(0usize, |n, ty| n.checked_add(self.size(ty)?)),
            Type::Array { of, len } => {
                let len = usize::try_from(constant::fold(len.as_deref()?)?).ok()?;
                self.size(of)?.checked_mul(len)
            }
            _ => Some(1),
        }
    }

    fn zero(&self, ty: &Type, span: Span) -> Option<Expr> {
        match ty {
            Type::Int(_) | Type::Float(_) | Type::Pointer { .. } => Some(integer(0, span)),
            ty if ty.is_complex() => None,
            Type::Struct(_) | Type::Array { .. } => {
                let values = self.members(ty)?.iter().map(|ty| self.zero(ty, span)).collect::<Option<_>>()?;
                Some(Expr { kind: ExprKind::InitList(values), ty: ty.clone(), span })
            }
            _ => None,
        }
    }
}
