//! Full expressions whose value nobody uses, as the statements that they are.
//!
//! ```text
//! ((void) sizeof ((x) ? 1 : 0), ({ if (x) ; else __assert_fail(...); }));
//! ((x) ? (void) (0) : __assert_fail(...));                                      ->   if (!(x)) __assert_fail();
//! ((void) ((x) || (__assert_fail(...), 0)));
//! ({ double t = a; a = b; b = t; });                                            ->   { double t = a; a = b; b = t; }
//! ```
//! These are the expansions of `assert` by glibc (twice), musl and BSD, and of macros with GNU's statement expressions.
//! An assertion of several things is one of each. An expression without such a statement stays what it is.

use tree_sitter::Node;

use super::builder::{Builder, MAX_DEPTH, named_children};
use crate::ast::assertion::{is_failing, is_failure, opposite};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type};
use crate::source::Span;
use crate::source::parse::span;

impl<'a> Builder<'a> {
    /// Statements in the place of an expression statement; `None` where it is an expression and no more.
    pub(super) fn discarded(&mut self, node: Node<'a>) -> Option<StmtKind> {
        if !self.holds_statement(node, 0) {
            return None;
        }
        let mut out = vec![];
        self.statements(node, &mut out);
        Some(joined(out))
    }

    /// Test for a statement expression, or the call of a failed assertion, at a place whose value nobody uses.
    fn holds_statement(&self, node: Node<'a>, depth: usize) -> bool {
        if depth == MAX_DEPTH {
            return false;
        }
        let holds = |field: &str| node.child_by_field_name(field).is_some_and(|n| self.holds_statement(n, depth + 1));
        match node.kind() {
            "compound_statement" => true,
            "parenthesized_expression" => named_children(node).into_iter().any(|n| self.holds_statement(n, depth + 1)),
            "cast_expression" => holds("value"),
            "comma_expression" => holds("left") || holds("right"),
            "conditional_expression" => holds("consequence") || holds("alternative"),
            "binary_expression" => matches!(self.operator(node), "||" | "&&") && holds("right"),
            "call_expression" => node.child_by_field_name("function").is_some_and(|f| is_failure(self.text(f))),
            _ => false,
        }
    }

    /// Puts the statements of an expression behind others.
    fn statements(&mut self, node: Node<'a>, out: &mut Vec<Stmt>) {
        if self.nested(|b| b.statements_here(node, out)).is_none() {
            self.evaluated(node, out);
        }
    }

    fn statements_here(&mut self, node: Node<'a>, out: &mut Vec<Stmt>) {
        let at = span(node);
        let part = |field| node.child_by_field_name(field);
        match node.kind() {
            "compound_statement" => {
                let kind = self.block(node);
                let kind = match kind {
                    StmtKind::Block(list) if list.iter().all(|s| !matches!(s.kind, StmtKind::Decl(_))) => joined(list),
                    kind => kind,
                };
                out.push(plain(kind, at));
            }
            "parenthesized_expression" if node.named_child_count() == 1 => {
                named_children(node).into_iter().for_each(|n| self.statements(n, out));
            }
            "cast_expression" if part("type").is_some_and(|ty| self.type_name(ty) == Type::Void) => {
                part("value").into_iter().for_each(|n| self.statements(n, out));
            }
            "comma_expression" => {
                [part("left"), part("right")].into_iter().flatten().for_each(|n| self.statements(n, out));
            }
            "conditional_expression" => {
                let (Some(cond), Some(then), Some(other)) =
                    (part("condition"), part("consequence"), part("alternative"))
                else {
                    return self.evaluated(node, out);
                };
                let cond = self.expr(cond);
                let (then, other) = (self.branch(then), self.branch(other));
                out.push(plain(choice(cond, then, Some(other)), at));
            }
            "binary_expression" => {
                let (Some(left), Some(right)) = (part("left"), part("right")) else {
                    return self.evaluated(node, out);
                };
                match self.operator(node) {
                    "||" => {
                        let (cond, other) = (self.expr(left), self.branch(right));
                        let nothing = Box::new(plain(StmtKind::Empty, at));
                        out.push(plain(choice(cond, nothing, Some(other)), at));
                    }
                    "&&" => {
                        let (cond, then) = (self.expr(left), self.branch(right));
                        out.push(plain(choice(cond, then, None), at));
                    }
                    _ => self.evaluated(node, out),
                }
            }
            _ => self.evaluated(node, out),
        }
    }

    fn branch(&mut self, node: Node<'a>) -> Box<Stmt> {
        let mut out = vec![];
        self.statements(node, &mut out);
        Box::new(plain(joined(out), span(node)))
    }

    /// An expression for its effect, if it may have one.
    fn evaluated(&mut self, node: Node<'a>, out: &mut Vec<Stmt>) {
        let e = self.expr(node);
        let is_number = |e: &Expr| matches!(e.kind, ExprKind::Int(_) | ExprKind::Float(..));
        let has_none = match &e.kind {
            // Only the size of an array of variable length is computed.
            ExprKind::SizeOfType(ty) => ty.is_scalar(),
            ExprKind::Cast(of) => is_number(of),
            _ => is_number(&e),
        };
        if !has_none {
            out.push(plain(StmtKind::Expr(e), span(node)));
        }
    }
}

/// A choice between statements; what fails in its second branch alone is an assertion.
pub(super) fn choice(cond: Expr, then: Box<Stmt>, other: Option<Box<Stmt>>) -> StmtKind {
    let is_nothing = |s: &Stmt| match &s.kind {
        StmtKind::Block(list) => list.is_empty(),
        kind => *kind == StmtKind::Empty,
    };
    match other {
        Some(other) if is_nothing(&then) && is_failing(&other) => {
            let mut all = vec![];
            conjuncts(&cond, &mut all);
            let each = all.into_iter().map(|x| {
                let kind = StmtKind::If { cond: opposite(x), then: other.clone(), other: None };
                plain(kind, x.span)
            });
            joined(each.collect())
        }
        // No text has an `else` behind such a branch.
        Some(other) if matches!(then.kind, StmtKind::If { other: None, .. }) => {
            let at = then.span;
            StmtKind::If { cond, then: Box::new(plain(StmtKind::Block(vec![*then]), at)), other: Some(other) }
        }
        other => StmtKind::If { cond, then, other },
    }
}

/// The conditions that a condition joins by `&&`, in their order, without those that always hold.
fn conjuncts<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::And, a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        // `assert(n > 0 && "no rows")`: a text is somewhere.
        ExprKind::Str(_) => {}
        _ => out.push(e),
    }
}

/// One statement in the place of several.
fn joined(mut list: Vec<Stmt>) -> StmtKind {
    match list.len() {
        0 => StmtKind::Empty,
        1 if list[0].directives.is_empty() && !matches!(list[0].kind, StmtKind::Decl(_)) => list.remove(0).kind,
        _ => StmtKind::Block(list),
    }
}

fn plain(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span, directives: vec![] }
}
