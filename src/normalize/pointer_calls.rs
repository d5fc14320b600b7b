//! Calls through pointers: of what these may lead to ([`facts::pointer_calls`](crate::facts::pointer_calls)), the functions are left.
//!
//! ```text
//! a[i] = f == cube ? cube(x[i]) : f == square ? square(x[i]) : f(x[i]);
//! a[i] = f == cube ? cube(x[i]) : square(x[i]);                          if (f == cube || f == square), at the call site
//! ```
//! The pointer must be one all over the statement. A function must be declared where the statement stands, or be one whose
//! declaration may stand before the function around ([`emit::forward_text`](crate::emit::forward_text)); others are left out.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{binary, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, THROUGH_POINTER, Unit, VarId};
use crate::facts::pointer_calls::{chain, is_place, tested, through};
use crate::facts::symbolic::same_expr;
use crate::facts::{callable, effects};
use std::collections::BTreeSet;

/// Leaves them in a form.
pub fn settle(form: &mut Form<'_>, context: &mut Context<'_>) {
    let visible = context.facts.visible_at(context.unit, form.written.span);
    let mut settler = Settler {
        unit: context.unit,
        visible: &visible,
        written: form.written,
        function: &context.facts.function.name,
        changing: &effects::assigned_whole(&form.stmt) | &effects::declared([&form.stmt]),
        fields: fields(&form.stmt),
        conditions: vec![],
        forward: BTreeSet::new(),
    };
    let mut stmt = form.stmt.clone();
    stmt.exprs_mut(&mut |e| settler.value(e));
    settler.stmt(&mut stmt);
    let Settler { conditions, forward, .. } = settler;
    if !conditions.is_empty() {
        (form.stmt, form.conditions) = (stmt, conditions);
        let around = context.facts.function.name.clone();
        context.unit.addresses.forward.extend(forward.into_iter().map(|name| (around.clone(), name)));
    }
}

struct Settler<'a> {
    unit: &'a Unit,
    visible: &'a [VarId],
    written: &'a Stmt,
    /// Name of the function around.
    function: &'a str,
    /// Variables that the form sets or declares, and members.
    changing: BTreeSet<VarId>,
    fields: BTreeSet<String>,
    /// Condition that the call site tests.
    conditions: Vec<Expr>,
    /// Functions that it names before they are declared.
    forward: BTreeSet<String>,
}

impl Settler<'_> {
    /// Choices that are values, the inner ones first.
    fn value(&mut self, e: &mut Expr) {
        let Some(mut choices) = value_choices(e) else {
            return e.children_mut().into_iter().for_each(|e| self.value(e));
        };
        choices.iter_mut().for_each(|(_, value)| self.value(value));
        let ty = e.ty.clone();
        let chosen = self.kept(choices).into_iter().flatten().rev().reduce(|(last, other), (cond, value)| {
            let (span, kind) = (value.span, ExprKind::Cond(Box::new(cond), Box::new(value), Box::new(other)));
            (last, Expr { kind, ty: ty.clone(), span })
        });
        if let Some((_, chosen)) = chosen {
            *e = chosen;
        }
    }

    /// Choices that are statements, the inner ones first.
    fn stmt(&mut self, s: &mut Stmt) {
        let Some(mut choices) = statement_choices(s) else {
            return s.stmts_mut().into_iter().for_each(|s| self.stmt(s));
        };
        choices.iter_mut().for_each(|(_, then)| self.stmt(then));
        let chosen = self.kept(choices).into_iter().flatten().rev().reduce(|(last, other), (cond, then)| {
            let (span, other) = (then.span, Some(Box::new(other)));
            (last, plain(StmtKind::If { cond, then: Box::new(then), other }, span))
        });
        if let Some((_, chosen)) = chosen {
            s.kind = chosen.kind;
        }
    }

    /// The choices, each behind its test, that are left of those which end with a call through the pointer; makes it a condition that
    /// one of them is taken.
    fn kept<T: Code>(&mut self, mut choices: Vec<(Expr, T)>) -> Option<Vec<(Expr, T)>> {
        let pointer = tested(&choices.first()?.0)?.0.clone();
        let is_one = |(test, _): &(Expr, T)| tested(test).is_some_and(|(p, _)| same_expr(p, &pointer));
        if !choices.iter().all(is_one) || !self.keeps(&pointer) {
            return None;
        }
        choices.retain(|(test, x)| tested(test).is_some_and(|(_, name)| self.can_name(name)) && self.can_run(x));
        let tests = choices.iter().map(|(test, _)| test.clone());
        let condition = tests.reduce(|a, b| binary(BinOp::Or, a, b))?;
        if !self.conditions.iter().any(|known| same_expr(known, &condition)) {
            self.conditions.push(condition);
        }
        let before = choices.iter().filter_map(|(test, _)| tested(test)).map(|(_, name)| name);
        let before: Vec<String> = before.filter(|name| !self.is_declared(name)).map(str::to_owned).collect();
        self.forward.extend(before);
        Some(choices)
    }

    /// Test that a pointer is the same before the form and all over it, and that its names mean the same there.
    fn keeps(&self, pointer: &Expr) -> bool {
        let Some(root) = pointer.root().filter(|_| is_place(pointer)) else { return false };
        let var = self.unit.var(root);
        let mut is_set = false;
        pointer
            .walk(&mut |e| is_set |= matches!(&e.kind, ExprKind::Member { field, .. } if self.fields.contains(field)));
        let named = self.visible.iter().rfind(|v| self.unit.var(**v).name == var.name);
        let is_known = named == Some(&root) && (var.storage != Storage::Global || var.span.hi <= self.written.span.lo);
        is_known && !is_set && !var.is_volatile && !self.changing.contains(&root)
    }

    /// Test that the call site can name a function.
    fn can_name(&self, name: &str) -> bool {
        let is_hidden = self.visible.iter().any(|v| self.unit.var(*v).name == name);
        let known = &self.unit.addresses;
        let can_be_declared = known.movable.contains(name) && known.open.contains(self.function);
        !is_hidden && (self.is_declared(name) || can_be_declared)
    }

    /// Test that nothing is called that no device can call.
    fn can_run(&self, choice: &impl Code) -> bool {
        let mut can_run = true;
        choice.each(&mut |e| {
            if let ExprKind::Call { name, .. } = &e.kind {
                can_run &= name == THROUGH_POINTER || callable::check_call(self.unit, name, e.span).is_ok();
            }
        });
        can_run
    }

    fn is_declared(&self, name: &str) -> bool {
        self.unit.addresses.prototypes.get(name).is_some_and(|declared| declared.at.hi <= self.written.span.lo)
    }
}

/// Statement that runs if a pointer leads to one function.
trait Code {
    /// Calls `f` on every expression in it.
    fn each(&self, f: &mut dyn FnMut(&Expr));
}

impl Code for Expr {
    fn each(&self, f: &mut dyn FnMut(&Expr)) {
        self.walk(&mut |e| f(e));
    }
}

impl Code for Stmt {
    fn each(&self, f: &mut dyn FnMut(&Expr)) {
        self.walk(&mut |piece| {
            if let Piece::Expr(e) = piece {
                f(e);
            }
        });
    }
}

/// The tests of a value that chooses, each with the value then, if it ends with a call through the pointer.
fn value_choices(e: &Expr) -> Option<Vec<(Expr, Expr)>> {
    let (_, choices) = chain(e)?;
    Some(choices.into_iter().map(|(test, value)| (test.clone(), value.clone())).collect())
}

/// The tests of a statement that chooses, each with what is done then, if it ends with a call through the pointer.
fn statement_choices(s: &Stmt) -> Option<Vec<(Expr, Stmt)>> {
    let (mut choices, mut rest) = (vec![], s);
    while let StmtKind::If { cond, then, other: Some(other) } = &rest.kind {
        tested(cond)?;
        choices.push((cond.clone(), (**then).clone()));
        rest = other;
    }
    (!choices.is_empty() && ends_through(rest)).then_some(choices)
}

/// Test for a statement that ends with a call through a pointer, which does nothing before but to prepare it.
fn ends_through(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Block(list) => list.iter().rfind(|s| s.kind != StmtKind::Empty).is_some_and(ends_through),
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, value, .. }, .. }) => through(value).is_some(),
        StmtKind::Expr(e) => through(e).is_some(),
        _ => false,
    }
}

/// Members of structures that a statement sets, by their names.
fn fields(s: &Stmt) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }, .. }) = piece
            && let ExprKind::Member { field, .. } = &target.kind
        {
            out.insert(field.clone());
        }
    });
    out
}
