//! Definite assignment: knowledge of a variable that it has a value at a place of its function, or none.
//!
//! On the way from the function's body down to the place stand all statements that have run before it, but for earlier
//! iterations of loops around it. A variable is assigned if one of them sets it for sure (as Java's definite assignment,
//! chapter 16 of its specification); it is not if it is declared without a value and nothing sets it from there on.

use super::function::FunctionFacts;
use super::liveness;
use super::loops::is_loop;
use crate::ast::visit::Piece;
use crate::ast::{ExprKind, Stmt, StmtKind, VarId};
use crate::source::Span;

/// Value of a variable at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assigned {
    Always,
    /// Its value is indeterminate (C17 6.2.4p6).
    Never,
    Perhaps,
}

/// Value of a local variable of a function, whose address is not taken, before a place.
pub fn before(facts: &FunctionFacts, place: Span, v: VarId) -> Assigned {
    let f = facts.function;
    if !facts.is_modelled() && !is_modelled_before(&f.body, place) {
        return Assigned::Perhaps;
    }
    let (mut way, mut last) = (vec![], &f.body);
    loop {
        way.push(last);
        let holds = |s: &&Stmt| s.span.lo <= place.lo && place.hi <= s.span.hi;
        match last.stmts().into_iter().find(|s| holds(s) && s.span != place) {
            Some(next) => last = next,
            None => break,
        }
    }
    let switch = way.iter().rposition(|s| matches!(s.kind, StmtKind::Switch { .. }));
    // What stands behind the head of a `switch` may be jumped over.
    let surely = way.iter().take(switch.unwrap_or(way.len()));
    if surely.rev().find_map(|s| is_set_in(s, place, v)) == Some(true) {
        return Assigned::Always;
    }
    let declares = |s: &&Stmt| declaration(s, v).is_some_and(|(at, has_value)| !has_value && at.hi <= place.lo);
    let Some(at) = way.iter().position(|s| s.stmts().iter().any(declares)) else { return Assigned::Perhaps };
    let is_repeated = way[at + 1..].iter().any(|s| is_loop(s));
    let since = way[at].stmts().into_iter().find(declares).map_or(0, |s| s.span.lo);
    let is_set = facts.assignments(v).iter().any(|at| since <= *at && *at < place.lo);
    if is_repeated || is_set { Assigned::Perhaps } else { Assigned::Never }
}

/// Test that nothing runs before a place but what is modelled: expressions behind it alone are not, and no loop leads back. Jumps
/// and labels are statements that are not modelled.
fn is_modelled_before(body: &Stmt, place: Span) -> bool {
    let mut is_modelled = true;
    body.walk(&mut |piece| {
        is_modelled &= match piece {
            Piece::Stmt(s) if matches!(s.kind, StmtKind::Unmodelled(_)) => false,
            Piece::Stmt(s) => !is_loop(s) || place.lo < s.span.lo || s.span.hi < place.hi || s.span == place,
            Piece::Expr(e) => !matches!(e.kind, ExprKind::Unmodelled(_)) || place.hi <= e.span.lo,
        }
    });
    is_modelled
}

/// Where a statement declares a variable, and whether it gives it a value.
fn declaration(s: &Stmt, v: VarId) -> Option<(Span, bool)> {
    let StmtKind::Decl(ds) = &s.kind else { return None };
    ds.iter().find(|d| d.var == v).map(|d| (s.span, d.init.is_some()))
}

/// Test for a statement on the way to a place that sets a variable before it goes on; `None`: what is around it decides.
fn is_set_in(s: &Stmt, place: Span, v: VarId) -> Option<bool> {
    let decides = |s: &Stmt| match declaration(s, v) {
        Some((_, has_value)) => Some(has_value),
        None => liveness::are_setting(&[s], v).then_some(true),
    };
    match &s.kind {
        StmtKind::Block(list) => list.iter().filter(|s| s.span.hi <= place.lo).rev().find_map(decides),
        StmtKind::For { init: Some(init), .. } if init.span.hi <= place.lo => decides(init),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::liveness::tests::marked;

    /// The value of `v` before the statement `mark();` of a function.
    fn value(body: &str) -> Assigned {
        let (unit, place) = marked(&format!("int i; {body} return 0;"));
        let v = unit.vars.iter().position(|var| var.name == "v").unwrap();
        before(&FunctionFacts::of(&unit, unit.function("f").unwrap()), place, VarId(v as u32))
    }

    #[test]
    fn what_runs_before_a_place_may_set_a_variable() {
        for (body, expected) in [
            ("int v = 1; mark();", Assigned::Always),
            ("int v; mark(); v = 1;", Assigned::Never),
            ("int v; if (n) v = 1; mark();", Assigned::Perhaps),
            ("int v; if (n) v = 1; else v = 2; mark();", Assigned::Always),
            ("int v; for (i = 0; i < n; i++) v = 1; mark();", Assigned::Perhaps),
            ("int v; for (v = 0; v < n; v++) mark();", Assigned::Always),
            ("int v; for (v = 0; v < n; v++) ; mark();", Assigned::Always),
            ("int v; for (i = 0; i < n; i++) { mark(); v = 1; }", Assigned::Perhaps),
            ("for (i = 0; i < n; i++) { int v; mark(); v = 1; }", Assigned::Never),
            ("int v; if (n) { mark(); } v = 1;", Assigned::Never),
            ("int v; if ((v = n) > 1) { mark(); }", Assigned::Perhaps),
            ("int v; switch (n) { case 1: v = 1; mark(); }", Assigned::Perhaps),
            ("int v = 0; switch (n) { case 1: mark(); }", Assigned::Always),
            ("int v; v++; mark();", Assigned::Perhaps),
            ("int v; goto end; v = 1; end: mark();", Assigned::Perhaps),
            ("int v; mark(); v = ({ n; });", Assigned::Never),
            ("int v; again: mark(); v = ({ goto again; n; });", Assigned::Perhaps),
            ("int v; for (i = 0; i < n; i++) { mark(); v = ({ n; }); }", Assigned::Perhaps),
            ("int v; n = ({ v = 1; }); mark();", Assigned::Perhaps),
        ] {
            assert_eq!(value(body), expected, "{body}");
        }
    }
}
