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
    /// Second: those that may have their address taken there, behind an `&`.
    pub(super) fn obscure(&self, body: &Stmt) -> [BTreeSet<VarId>; 2] {
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
        let (mut names, mut taken): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
        for at in &spans {
            let text = self.source.slice(*at);
            // Whether by parentheses or as an operator between two numbers: the first name behind it counts.
            let mut is_behind = false;
            for token in tokens(text) {
                let word = token.text(text);
                is_behind |= word == "&";
                if token.kind == TokenKind::Word {
                    names.insert(word);
                    if std::mem::take(&mut is_behind) {
                        taken.insert(word);
                    }
                }
            }
        }
        let variables = |of: BTreeSet<&str>| {
            let is_named = |v: &VarId| of.contains(self.unit.var(*v).name.as_str());
            (0..self.unit.vars.len() as u32).map(VarId).filter(|v| !of.is_empty() && is_named(v)).collect()
        };
        [variables(names), variables(taken)]
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
