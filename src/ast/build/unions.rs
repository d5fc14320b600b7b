//! Members of unions, and of structures without a name in others (C17 6.7.2.1): numbers that are read.
//!
//! What is set in a union changes all of its members, and what is at such a place has one of many types. So its types are
//! not modelled ([`Type::Other`]), and neither is a store in it, an address of it, a pointer or an array in it. A number
//! that is read there has its own type: it keeps its value for as long as nothing is set that is not modelled.

use tree_sitter::Node;

use super::builder::{Builder, named_children, unknown};
use super::typing;
use crate::ast::print::MEMBER_OF_UNION;
use crate::ast::{Expr, ExprKind, Field, Type, Unit};
use crate::source::parse::span;

impl<'a> Builder<'a> {
    /// A union's type; notes the members that it is defined with.
    pub(super) fn union(&mut self, node: Node<'a>) -> Type {
        let body = node.child_by_field_name("body").filter(|_| !node.has_error());
        let members = body.map(|body| self.fields_in(body).unwrap_or_default());
        if node.child_by_field_name("name").is_none() {
            return self.nameless("union", node, members.unwrap_or_default());
        }
        let name = self.text(node).split('{').next().unwrap_or_default().trim();
        if let Some(members) = members {
            let known = self.members.entry(name.to_owned()).or_insert_with(|| members.clone());
            // Two unions by one name, in functions: of neither is a member known.
            if *known != members {
                known.clear();
            }
        }
        Type::Other(name.to_owned())
    }

    /// A type without a name: called by its line, and counted where files have several on one.
    pub(super) fn nameless(&mut self, what: &str, node: Node<'a>, members: Vec<Field>) -> Type {
        let first = format!("{what} of line {}", self.source.line(span(node)));
        let is_free = |name: &String| self.members.get(name).is_none_or(|known| *known == members);
        let names = std::iter::once(first.clone()).chain((2..).map(|n| format!("{first} ({n})")));
        let name = names.into_iter().find(is_free).unwrap_or(first);
        self.members.insert(name.clone(), members);
        Type::Other(name)
    }

    /// The members that a body declares; none of one that nests too deeply.
    pub(super) fn fields_in(&mut self, body: Node<'a>) -> Option<Vec<Field>> {
        self.nested(|b| {
            let mut fields = Vec::new();
            named_children(body).into_iter().for_each(|declaration| b.field_declaration(declaration, &mut fields));
            fields
        })
    }

    /// The type of a member of a value: a number's own, also where a union is on the way to it.
    pub(super) fn member_type(&self, node: Node<'a>, base: &Expr, field: &str, arrow: bool) -> Type {
        let Some((ty, is_within)) = self.member_of(&typing::structure(base, arrow), field) else { return unknown() };
        let is_step = node.parent().is_some_and(|parent| parent.kind() == "field_expression");
        match &ty {
            _ if !(is_within || !arrow && is_in_union(&self.unit, base)) => ty,
            Type::Int(_) | Type::Float(_) => ty,
            Type::Struct(_) | Type::Other(_) if is_step => ty,
            _ => no_number(),
        }
    }

    /// The type of a member, and whether it is one of a union, or of a member without a name.
    fn member_of(&self, ty: &Type, field: &str) -> Option<(Type, bool)> {
        let (fields, is_within) = match ty {
            Type::Struct(id) => (self.unit.structs[id.0 as usize].fields.as_deref()?, false),
            Type::Other(name) => (self.members.get(name)?.as_slice(), true),
            _ => return None,
        };
        let own = fields.iter().find(|f| f.name == field).map(|f| (f.ty.clone(), is_within));
        let nameless = || fields.iter().filter(|f| f.name.is_empty()).find_map(|f| self.member_of(&f.ty, field));
        own.or_else(|| nameless().map(|(ty, _)| (ty, true)))
    }

    /// A place whose value is set, or whose address is taken: of no known type where it is part of a union.
    pub(super) fn as_place(&self, mut e: Box<Expr>) -> Box<Expr> {
        if is_in_union(&self.unit, &e) {
            e.ty = no_number();
        }
        e
    }
}

/// Test that a place is part of a union, or of a structure without a name: it has a member that no structure with a name has.
pub fn is_in_union(unit: &Unit, e: &Expr) -> bool {
    let ExprKind::Member { base, field, arrow } = &e.kind else { return false };
    let Type::Struct(id) = typing::structure(base, *arrow) else { return true };
    let mut own = unit.structs[id.0 as usize].fields.iter().flatten();
    !own.any(|f| f.name == *field) || !arrow && is_in_union(unit, base)
}

fn no_number() -> Type {
    Type::Other(MEMBER_OF_UNION.to_owned())
}
