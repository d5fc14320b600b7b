//! Statements (C17 6.8), with the directives before them.

use tree_sitter::Node;

use super::builder::{Builder, NOT_C, Scope, children, named_children};
use super::discarded::choice;
use super::words;
use crate::ast::{Expr, Stmt, StmtKind};
use crate::source::directive::{Directive, DirectiveKind};
use crate::source::parse::span;

impl<'a> Builder<'a> {
    /// The statements of a block, in a scope of their own.
    pub(super) fn block(&mut self, node: Node<'a>) -> StmtKind {
        self.scopes.push(Scope::default());
        let mut stmts = Vec::new();
        for item in named_children(node) {
            self.block_item(item, &mut stmts);
        }
        let left = self.directives_before(span(node).hi);
        for hint in self.stand_alone(left, &mut stmts) {
            self.misplaced(&hint);
        }
        if let Some((at, _)) = self.regions.pop_if(|(_, scopes)| *scopes == self.scopes.len()) {
            let help =
                "put `#pragma rt end` (or `#pragma endscop`) after the region's last statement, in the same block";
            self.fail("region-without-end", "this region has no end in its block", at, help);
        }
        self.scopes.pop();
        StmtKind::Block(stmts)
    }

    /// A statement or declaration of a block, with the directives before it.
    fn block_item(&mut self, node: Node<'a>, stmts: &mut Vec<Stmt>) {
        let before = self.directives_before(span(node).lo);
        let directives = self.stand_alone(before, stmts);
        match node.kind() {
            // A statement behind a label stands by itself.
            word @ ("case_statement" | "labeled_statement") if !node.has_error() => {
                let is_case = word == "case_statement";
                let value = node.child_by_field_name(if is_case { "value" } else { "label" });
                let kind = match is_case {
                    true => StmtKind::Case(value.map(|v| self.expr(v))),
                    false => StmtKind::Unmodelled("a label".to_owned()),
                };
                let label = children(node).into_iter().find(|c| c.kind() == ":").unwrap_or(node);
                stmts.push(Stmt { kind, span: span(node).to(span(label)), directives });
                for item in named_children(node).into_iter().filter(|n| Some(*n) != value) {
                    self.block_item(item, stmts);
                }
            }
            _ => {
                let kind = self.stmt_kind(node);
                stmts.push(Stmt { kind, span: span(node), directives });
            }
        }
        self.drop_directives(span(node).hi);
    }

    /// Puts the bounds of regions among the statements; gives back the hints.
    fn stand_alone(&mut self, directives: Vec<Directive>, stmts: &mut Vec<Stmt>) -> Vec<Directive> {
        let mut hints = Vec::new();
        for directive in directives {
            match directive.kind {
                DirectiveKind::RegionBegin { .. } => self.open_region(&directive),
                DirectiveKind::RegionEnd => self.close_region(&directive),
                _ => {
                    hints.push(directive);
                    continue;
                }
            }
            let span = directive.span;
            stmts.push(Stmt { kind: StmtKind::Directive(directive), span, directives: Vec::new() });
        }
        hints
    }

    fn open_region(&mut self, begin: &Directive) {
        if !self.regions.is_empty() {
            let help = "end the region before this one first; regions do not nest";
            self.fail("nested-region", "a region begins inside another", begin.span, help);
        }
        self.regions.push((begin.span, self.scopes.len()));
    }

    fn close_region(&mut self, end: &Directive) {
        let help = "a region begins with `#pragma rt region` (or `#pragma scop`) and ends in the same block";
        match self.regions.pop() {
            Some((_, scopes)) if scopes == self.scopes.len() => {}
            Some(_) => {
                self.fail("region-end-elsewhere", "this region ends in another block than it begins", end.span, help)
            }
            None => self.fail("end-without-region", "no region begins before this end", end.span, help),
        }
    }

    /// A statement that is part of another one.
    fn stmt(&mut self, node: Node<'a>) -> Box<Stmt> {
        let mut directives = self.directives_before(span(node).lo);
        directives.retain(|d| {
            let bounds = matches!(d.kind, DirectiveKind::RegionBegin { .. } | DirectiveKind::RegionEnd);
            if bounds {
                self.misplaced(d);
            }
            !bounds
        });
        let kind = self.stmt_kind(node);
        self.drop_directives(span(node).hi);
        Box::new(Stmt { kind, span: span(node), directives })
    }

    fn stmt_kind(&mut self, node: Node<'a>) -> StmtKind {
        self.nested(|b| b.stmt_kind_here(node))
            .unwrap_or_else(|| StmtKind::Unmodelled("statements nest too deeply".to_owned()))
    }

    fn stmt_kind_here(&mut self, node: Node<'a>) -> StmtKind {
        if !head_is_c(node) {
            return StmtKind::Unmodelled(NOT_C.to_owned());
        }
        match node.kind() {
            "expression_statement" => match named_children(node)[..] {
                [] => StmtKind::Empty,
                [e] => self.discarded(e).unwrap_or_else(|| StmtKind::Expr(self.expr(e))),
                _ => StmtKind::Unmodelled(NOT_C.to_owned()),
            },
            "declaration" => StmtKind::Decl(self.declaration(node, false)),
            "type_definition" => {
                self.type_definition(node);
                StmtKind::Empty
            }
            "struct_specifier" | "union_specifier" | "enum_specifier" => {
                self.specifier(node);
                StmtKind::Empty
            }
            "compound_statement" => self.block(node),
            "if_statement" => self.if_statement(node),
            "for_statement" => self.for_statement(node),
            "while_statement" => {
                let cond = self.part(node, "condition");
                StmtKind::While { cond, body: self.body(node) }
            }
            "do_statement" => {
                let body = self.body(node);
                StmtKind::DoWhile { body, cond: self.part(node, "condition") }
            }
            "switch_statement" => {
                let value = self.part(node, "condition");
                StmtKind::Switch { value, body: self.body(node) }
            }
            "break_statement" => StmtKind::Break,
            "continue_statement" => StmtKind::Continue,
            "return_statement" => StmtKind::Return(named_children(node).first().map(|e| self.expr(*e))),
            "function_definition" => StmtKind::Unmodelled("a function inside a function".to_owned()),
            kind => StmtKind::Unmodelled(words::of(kind).to_owned()),
        }
    }

    fn part(&mut self, node: Node<'a>, field: &str) -> Expr {
        match node.child_by_field_name(field) {
            Some(part) => self.expr(part),
            None => super::builder::unmodelled(NOT_C, super::builder::unknown(), span(node)),
        }
    }

    fn body(&mut self, node: Node<'a>) -> Box<Stmt> {
        self.stmt(node.child_by_field_name("body").unwrap_or(node))
    }

    fn if_statement(&mut self, node: Node<'a>) -> StmtKind {
        let cond = self.part(node, "condition");
        let then = self.stmt(node.child_by_field_name("consequence").unwrap_or(node));
        let other = node
            .child_by_field_name("alternative")
            .and_then(|clause| named_children(clause).into_iter().next())
            .map(|stmt| self.stmt(stmt));
        choice(cond, then, other)
    }

    fn for_statement(&mut self, node: Node<'a>) -> StmtKind {
        self.scopes.push(Scope::default());
        let init = node.child_by_field_name("initializer").map(|init| {
            let kind = match init.kind() {
                "declaration" => StmtKind::Decl(self.declaration(init, false)),
                _ => StmtKind::Expr(self.expr(init)),
            };
            Box::new(Stmt { kind, span: span(init), directives: Vec::new() })
        });
        let cond = node.child_by_field_name("condition").map(|c| self.expr(c));
        let step = node.child_by_field_name("update").map(|s| self.expr(s));
        let body = self.body(node);
        self.scopes.pop();
        StmtKind::For { init, cond, step, body }
    }
}

/// Test that a statement is C, apart from the statements inside it, which answer for themselves.
fn head_is_c(node: Node<'_>) -> bool {
    if !node.has_error() {
        return true;
    }
    let bodies = match node.kind() {
        "compound_statement" => return true,
        "if_statement" | "for_statement" | "while_statement" | "do_statement" | "switch_statement" => {
            ["body", "consequence", "alternative"].map(|field| node.child_by_field_name(field))
        }
        _ => return false,
    };
    children(node).iter().all(|child| {
        let is_body = bodies.contains(&Some(*child)) && !child.is_missing();
        is_body || !(child.has_error() || child.is_missing() || child.is_error())
    }) && bodies[2].is_none_or(|clause| children(clause).iter().all(|c| !c.is_error() && !c.is_missing()))
}
