//! Ways of a loop that end the program, or that a flag of the program's opens, as assertions: what is on them never runs on a device.
//!
//! ```text
//! if (x != x) { fprintf(stderr, "lost\n"); exit(1); }      assert(!(x != x))
//! if (debug && i == k) printf("%g\n", a[i]);               assert(!debug), in a loop without loops in it
//! ```
//! A call in which one of them would be taken runs the original from its beginning, as where an assertion fails
//! (`region::assertions`). Prints between nests stay what they are (`facts::prints`).

use super::form::{Context, Form};
use crate::ast::assertion::opposite;
use crate::ast::build::ast_builder::{binary, plain};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::loops::{has_loop, is_loop};
use crate::facts::{callable, effects, prints};
use std::collections::BTreeSet;

/// Functions of C that end the program.
pub const ENDS: &[&str] = &["exit", "abort", "_exit", "_Exit", "quick_exit"];

/// Does so in a form.
pub fn close(form: &mut Form, context: &mut Context) {
    let paths = Paths { unit: context.unit, changing: effects::assigned([&form.stmt]) };
    paths.within(&mut form.stmt, None);
}

struct Paths<'a> {
    unit: &'a Unit,
    /// Variables that the form sets.
    changing: BTreeSet<VarId>,
}

impl Paths<'_> {
    /// `is_inner`: the loop around the statement, if there is one, has no loop in it.
    fn within(&self, s: &mut Stmt, is_inner: Option<bool>) {
        let is_inner = if is_loop(s) { Some(!s.stmts().into_iter().any(has_loop)) } else { is_inner };
        s.stmts_mut().into_iter().for_each(|s| self.within(s, is_inner));
        let Some(is_inner) = is_inner else { return };
        let StmtKind::If { cond, then, other } = &s.kind else { return };
        if self.asks_outside(cond) {
            return;
        }
        let (span, nothing) = (s.span, || plain(StmtKind::Empty, s.span));
        let (fails, rest) = match other {
            _ if ends(then) => (cond.clone(), other.as_deref().cloned().unwrap_or_else(nothing)),
            Some(other) if ends(other) => (opposite(cond), (**then).clone()),
            None if is_inner && self.calls_outside(then) => match self.fixed(cond) {
                Some(fixed) => (fixed, nothing()),
                None => return,
            },
            _ => return,
        };
        let fails = StmtKind::If { cond: fails, then: Box::new(failure(s)), other: None };
        let list = vec![plain(fails, span), rest];
        s.kind = StmtKind::Block(list);
    }

    /// Test for a call of a function without a body here, of which no device has a counterpart.
    fn calls_outside(&self, s: &Stmt) -> bool {
        s.calls().into_iter().any(|name| self.is_outside(name))
    }

    fn is_outside(&self, name: &str) -> bool {
        callable::math(name).is_none() && !self.unit.functions.iter().any(|f| f.name == name)
    }

    /// Test for a condition that says whether something outside has come about, as `scanf(...) != 1`: its call is what keeps it here.
    fn asks_outside(&self, cond: &Expr) -> bool {
        let mut asks = false;
        cond.walk(&mut |e| asks |= matches!(&e.kind, ExprKind::Call { name, .. } if self.is_outside(name)));
        asks
    }

    /// The part of a condition that is the same all over the form, and must hold for the whole to hold.
    fn fixed(&self, cond: &Expr) -> Option<Expr> {
        if let ExprKind::Binary(BinOp::And, a, b) = &cond.kind {
            return match (self.fixed(a), self.fixed(b)) {
                (Some(a), Some(b)) => Some(binary(BinOp::And, a, b)),
                (a, b) => a.or(b),
            };
        }
        let mut is_fixed = true;
        cond.walk(&mut |e| {
            is_fixed &= !effects::reads_memory(e) && effects::assigned_by(e).is_none();
            is_fixed &= !matches!(e.kind, ExprKind::Var(v) if self.changing.contains(&v));
        });
        is_fixed.then(|| cond.clone())
    }
}

/// Test for a way to the end of the program, or out of the function with a word on it.
fn ends(s: &Stmt) -> bool {
    let list = s.listed();
    let last = list.iter().rfind(|s| !matches!(s.kind, StmtKind::Empty));
    last.is_some_and(|last| match &last.kind {
        StmtKind::Block(_) => ends(last),
        StmtKind::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) => ENDS.contains(&name.as_str()),
        StmtKind::Return(_) => list.iter().any(prints::has_print),
        _ => false,
    })
}

fn failure(s: &Stmt) -> Stmt {
    let call = ExprKind::Call { name: "__assert_fail".into(), args: vec![] };
    plain(StmtKind::Expr(Expr { kind: call, ty: Type::Void, span: s.span }), s.span)
}
