//! Names in C that is not modelled: the AST has no expression for them, but their variables may be read there, written, or
//! have their address taken.

use super::builder::Builder;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::source::Span;
use crate::source::lex::{TokenKind, tokens};
use std::collections::BTreeSet;

impl Builder<'_> {
    /// Variables of the names that stand in such C, of a function's body and of the lengths in the types that it speaks of.
    /// Scopes are not followed: each variable of such a name counts.
    pub(super) fn obscure(&self, body: &Stmt) -> BTreeSet<VarId> {
        let mut spans: Vec<Span> = vec![];
        self.unit.vars.iter().for_each(|var| in_type(&var.ty, &mut spans));
        body.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), span, .. }) => spans.push(*span),
            Piece::Stmt(_) => {}
            Piece::Expr(e) => {
                in_expression(e, &mut spans);
                in_type(&e.ty, &mut spans);
            }
        });
        spans.sort();
        spans.dedup();
        let words = |at: &Span| {
            let text = self.source.slice(*at);
            tokens(text).into_iter().filter(|t| t.kind == TokenKind::Word).map(|t| t.text(text))
        };
        let names: BTreeSet<&str> = spans.iter().flat_map(words).collect();
        let is_named = |v: &VarId| names.contains(self.unit.var(*v).name.as_str());
        (0..self.unit.vars.len() as u32).map(VarId).filter(|v| !names.is_empty() && is_named(v)).collect()
    }
}

fn in_expression(e: &Expr, spans: &mut Vec<Span>) {
    match &e.kind {
        ExprKind::Unmodelled(_) => spans.push(e.span),
        ExprKind::SizeOfType(ty) => in_type(ty, spans),
        _ => {}
    }
}

fn in_type(ty: &Type, spans: &mut Vec<Span>) {
    match ty {
        Type::Array { of, len } => {
            len.iter().for_each(|len| len.walk(&mut |e| in_expression(e, spans)));
            in_type(of, spans);
        }
        Type::Pointer { to, .. } => in_type(to, spans),
        _ => {}
    }
}
