//! Live variables of C's structured statements: those whose value may still be read.
//!
//! One pass from the last statement to the first: what is read joins, what is set for sure leaves. At the head of a loop
//! lives what lives behind it and what an iteration reads before it sets it; that is the least solution already, because
//! a statement only adds and removes (Aho, Lam, Sethi and Ullman, Compilers, section 9.2.5). Before a `break` lives what
//! lives behind its loop, before a `continue` what lives at the end of the body. In a `switch`, everything that it names
//! lives all the while. A loop whose constant bounds give it an iteration surely sets what that sets, and one over all elements of
//! an array may fill it.

use super::effects::{assigned, mentioned};
use super::header::{first_value, step_of};
use super::loops::is_loop;
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Type, VarId};
use crate::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Variables whose value may be read behind a place, by name: one that has an address may be read in other ways.
#[derive(Debug, Clone, Default)]
pub struct Live {
    read: BTreeSet<VarId>,
    /// Wherever control may go from here.
    always: BTreeSet<VarId>,
    /// Where a `break` leads to, and a `continue`.
    at_break: Arc<BTreeSet<VarId>>,
    at_continue: Arc<BTreeSet<VarId>>,
}

impl Live {
    /// Variables that live behind a statement of a function, or behind neighbours that `place` spans. Where the function's control
    /// is not modelled, that is what is named anywhere else, and what the place itself reads when control comes back to it.
    pub fn behind(f: &Function, place: Span) -> Live {
        let found = if f.body.is_modelled() { Live::default().find(&f.body, place) } else { None };
        found.unwrap_or_else(|| {
            let (mut inside, mut read) = (vec![], f.obscure.clone());
            apart(&f.body, place, &mut inside, &mut read);
            let is_entered_elsewhere = inside.iter().any(|s| s.is_entered_elsewhere());
            match is_entered_elsewhere {
                true => read.extend(mentioned(inside)),
                false => read.extend(inside.iter().rev().fold(Live::default(), |live, s| live.before(s)).read),
            }
            Live { always: read.clone(), read, ..Live::default() }
        })
    }

    /// Test that the value of a variable may be read.
    pub fn contains(&self, v: VarId) -> bool {
        self.read.contains(&v) || self.always.contains(&v)
    }

    /// Takes in a variable whose value is read, too.
    pub fn keep(&mut self, v: VarId) {
        self.read.insert(v);
    }

    /// Test that a path is known on which the value of a variable is read, and not only feared because of a jump.
    pub fn is_read(&self, v: VarId) -> bool {
        self.read.contains(&v) && !self.always.contains(&v)
    }

    /// The number of statements, one behind the other, that may read what a variable is set to: behind them nobody does,
    /// wherever control goes from them. `live`: behind what sets it, and behind each of these.
    pub fn n_readers(live: &[Live], next: &[Stmt], v: VarId) -> Option<usize> {
        let n = live.iter().position(|live| !live.contains(v))?;
        let before = &live[0];
        let leads_on = before.at_break.contains(&v) || before.at_continue.contains(&v);
        (!leads_on || !next[..n].iter().any(|s| s.exits().leaves_iteration())).then_some(n)
    }

    fn find(mut self, s: &Stmt, place: Span) -> Option<Live> {
        if place.lo <= s.span.lo && s.span.hi <= place.hi {
            return Some(self);
        }
        let at = Self::child_with_end_of(s, place)?;
        if let StmtKind::Block(list) = &s.kind {
            list[at + 1..].iter().rev().for_each(|s| self.step_over(s));
            return self.find(&list[at], place);
        }
        self.behind_children(s).swap_remove(at).find(s.stmts()[at], place)
    }

    /// The number, in [`Stmt::stmts`], of the statement right below one that has the end of a place: the last one that has a part of it.
    pub fn child_with_end_of(s: &Stmt, place: Span) -> Option<usize> {
        s.stmts().into_iter().rposition(|s| s.span.lo < place.hi && place.lo < s.span.hi)
    }

    /// What lives behind each statement right below one, in the order of [`Stmt::stmts`], if this lives behind it.
    pub fn behind_children(&self, s: &Stmt) -> Vec<Live> {
        match &s.kind {
            StmtKind::Block(list) => {
                let mut live = self.clone();
                let step = |s: &Stmt| {
                    let behind = live.clone();
                    live.step_over(s);
                    behind
                };
                let mut out: Vec<Live> = list.iter().rev().map(step).collect();
                out.reverse();
                out
            }
            StmtKind::For { init, .. } => {
                let head = self.head(s);
                init.iter().map(|_| head.clone()).chain([self.within(head.behind_body(s))]).collect()
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } => vec![self.within(self.head(s).behind_body(s))],
            StmtKind::Switch { .. } => vec![self.wherever(s)],
            _ => s.stmts().into_iter().map(|_| self.clone()).collect(),
        }
    }

    /// What lives before a statement, if this lives behind it.
    pub fn before(&self, s: &Stmt) -> Live {
        let mut live = self.clone();
        live.step_over(s);
        live
    }

    /// The step from what lives behind a statement to what lives before it.
    fn step_over(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Expr(e) => self.evaluate(e),
            StmtKind::Decl(ds) => {
                for d in ds.iter().rev() {
                    self.read.remove(&d.var);
                    d.init.iter().for_each(|e| self.evaluate(e));
                }
            }
            StmtKind::Block(list) => list.iter().rev().for_each(|s| self.step_over(s)),
            StmtKind::If { cond, then, other } => {
                let mut without = self.clone();
                self.step_over(then);
                other.iter().for_each(|other| without.step_over(other));
                self.read.extend(without.read);
                self.evaluate(cond);
            }
            StmtKind::For { init, body, .. } => {
                let head = self.head(s);
                self.read = if surely_runs(s) { self.within(head.behind_body(s)).before(body).read } else { head.read };
                filled(s).iter().for_each(|v| _ = self.read.remove(v));
                init.iter().for_each(|init| self.step_over(init));
            }
            StmtKind::While { .. } => self.read = self.head(s).read,
            StmtKind::DoWhile { body, .. } => self.read = self.within(self.head(s)).before(body).read,
            StmtKind::Break => self.read.clone_from(&self.at_break),
            StmtKind::Continue => self.read.clone_from(&self.at_continue),
            _ => {
                self.read.extend(mentioned([s]));
                if s.exits().leaves_iteration() {
                    self.read.extend(self.at_break.iter().chain(self.at_continue.iter()));
                }
            }
        }
    }

    /// Variables that live at the end of a loop's body, if this lives behind the loop.
    fn within(&self, behind_body: Live) -> Live {
        Live { at_break: Arc::new(self.read.clone()), at_continue: Arc::new(behind_body.read.clone()), ..behind_body }
    }

    /// What lives where a loop decides whether another iteration runs.
    fn head(&self, s: &Stmt) -> Live {
        let (body, cond) = match &s.kind {
            StmtKind::For { cond, body, .. } => (body, cond.as_ref()),
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => (body, Some(cond)),
            _ => return self.clone(),
        };
        let mut live = self.clone();
        live.read.extend(Live::default().behind_body(s).before(body).read);
        cond.into_iter().for_each(|e| live.evaluate(e));
        live
    }

    /// What lives behind the body of a loop at whose head this lives.
    fn behind_body(&self, s: &Stmt) -> Live {
        match &s.kind {
            StmtKind::For { step: Some(step), .. } => self.clone().evaluating(step),
            _ => self.clone(),
        }
    }

    /// What lives anywhere in a statement whose control is not followed.
    fn wherever(&self, s: &Stmt) -> Live {
        let mut live = self.clone();
        live.read.extend(mentioned([s]));
        live.always.extend(&live.read);
        live
    }

    fn evaluating(mut self, e: &Expr) -> Live {
        self.evaluate(e);
        self
    }

    /// What lives before an expression, if this lives behind it. Where C leaves the order open, no operand reads what
    /// another one sets (C11 6.5p2).
    fn evaluate(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(v) => _ = self.read.insert(*v),
            ExprKind::Comma(a, b) => {
                self.evaluate(b);
                self.evaluate(a);
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                // Whatever lives behind them lives before the second, too, which may not run.
                self.read.extend(Live::default().evaluating(b).read);
                self.evaluate(a);
            }
            ExprKind::Cond(cond, a, b) => {
                let other = self.clone().evaluating(b);
                self.evaluate(a);
                self.read.extend(other.read);
                self.evaluate(cond);
            }
            ExprKind::Assign { op: None, target, value } if matches!(target.kind, ExprKind::Var(_)) => {
                target.root().map(|v| self.read.remove(&v));
                self.evaluate(value);
            }
            _ => e.children().into_iter().for_each(|e| self.evaluate(e)),
        }
    }
}

/// The first value and the end of a counter that goes up by one to a constant, with no way out before.
fn counted(s: &Stmt) -> Option<(VarId, i64, i64)> {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return None };
    let (v, first) = first_value(init)?;
    let ExprKind::Binary(op @ (BinOp::Lt | BinOp::Le), a, b) = &cond.kind else { return None };
    let end = constant::fold(b)?.checked_add(i64::from(*op == BinOp::Le))?;
    let is_left = body.exits().leaves_iteration() || assigned([&**body]).contains(&v);
    (a.is_var(v) && step_of(step, v) == Some(1) && !is_left).then_some((v, constant::fold(first)?, end))
}

/// Loops in each other that may stand in a loop that surely runs: its body is looked at twice, and so is that of each of these.
const MOST_WITHIN: usize = 1;

/// Test for a loop that has an iteration whatever the program's data are.
fn surely_runs(s: &Stmt) -> bool {
    counted(s).is_some_and(|(_, first, end)| first < end) && depth(s) <= 1 + MOST_WITHIN
}

/// The most loops in each other in a statement.
fn depth(s: &Stmt) -> usize {
    usize::from(is_loop(s)) + s.stmts().into_iter().map(depth).max().unwrap_or(0)
}

/// The arrays that a loop gives other values, element by element, whose values before it does not read:
/// `for (k = 0; k < 9; k++) { t[k] = x[k]; t[k] += y[k]; }` where `t` has nine elements.
fn filled(s: &Stmt) -> Vec<VarId> {
    let (Some((counter, 0, end)), StmtKind::For { body, .. }) = (counted(s), &s.kind) else { return vec![] };
    let StmtKind::Block(list) = &body.kind else { return vec![] };
    let element = |e: &Expr| match &e.kind {
        ExprKind::Index(base, at) if at.is_var(counter) => match (&base.kind, &base.ty) {
            (ExprKind::Var(v), Type::Array { of, len: Some(len) }) if of.is_scalar() => {
                (constant::fold(len) == Some(end)).then_some(*v)
            }
            _ => None,
        },
        _ => None,
    };
    let is_filled = |at: usize| {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) = &list[at].kind else {
            return None;
        };
        let v = element(target).filter(|v| !value.mentions(*v) && !mentioned(&list[..at]).contains(v))?;
        let (mut n_elements, mut n_named) = (0, 0);
        body.walk(&mut |piece| {
            let Piece::Expr(e) = piece else { return };
            n_elements += usize::from(element(e) == Some(v));
            n_named += usize::from(e.is_var(v));
        });
        (n_elements == n_named).then_some(v)
    };
    (0..list.len()).filter_map(is_filled).collect()
}

/// Test that statements that run one behind the other give a variable a value, whichever way they take, and do not read it
/// before.
pub fn are_setting(stmts: &[&Stmt], v: VarId) -> bool {
    let mut live = Live::default();
    live.keep(v);
    stmts.iter().rev().for_each(|s| live.step_over(s));
    !live.contains(v)
}

/// Tells the statements of a place from the variables that a statement names outside of it.
fn apart<'a>(s: &'a Stmt, place: Span, inside: &mut Vec<&'a Stmt>, outside: &mut BTreeSet<VarId>) {
    if place.lo <= s.span.lo && s.span.hi <= place.hi {
        return inside.push(s);
    }
    s.own_exprs(&mut |e| {
        e.walk(&mut |e| {
            if let ExprKind::Var(v) = e.kind {
                outside.insert(v);
            }
        });
    });
    s.stmts().into_iter().for_each(|s| apart(s, place, inside, outside));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ast::{Unit, build};
    use crate::source::Source;

    /// The function `f` with a body, and the place of its statement `mark();`.
    pub fn marked(body: &str) -> (Unit, Span) {
        let c = format!("void mark(void); int f(int n, int *a) {{ {body} }}");
        let unit = build::build(&Source::from_text("t.c", &c).unwrap()).unwrap().unit;
        let mut place = None;
        unit.function("f").unwrap().body.walk(&mut |p| {
            if let Piece::Stmt(Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Call { .. }, .. }), span, .. }) = p {
                place = Some(*span);
            }
        });
        (unit, place.unwrap())
    }

    /// The names that live behind the statement `mark();` of a function.
    fn live(body: &str) -> String {
        let (unit, place) = marked(&format!("int i, v, w; {body}"));
        let live = Live::behind(unit.function("f").unwrap(), place);
        let lives =
            |name: &&str| unit.vars.iter().enumerate().any(|(k, v)| v.name == *name && live.contains(VarId(k as u32)));
        ["n", "i", "v", "w"].into_iter().filter(lives).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_set_before_it_is_read_does_not_live() {
        assert_eq!(live("mark(); v = n; return v;"), "n");
        assert_eq!(live("mark(); v += n; return v;"), "n v");
        assert_eq!(live("mark(); if (n) v = 1; return v;"), "n v");
        assert_eq!(live("mark(); if (n) v = 1; else v = w; return v;"), "n w");
        assert_eq!(live("mark(); for (i = 0; i < n; i++) v = i; return v;"), "n v");
        assert_eq!(live("mark(); { int v; v = w; a[v] = 1; } return 0;"), "w");
        assert_eq!(live("mark(); if ((v = n) > w) a[v] = 1; return v;"), "n w");
        assert_eq!(live("mark(); if (w && (v = n) > 1) a[v] = 1; return v;"), "n v w");
        assert_eq!(live("mark(); w = n ? (v = 1) : 2; return v + w;"), "n v");
    }

    #[test]
    fn a_loop_that_surely_runs_sets_what_its_iterations_set() {
        assert_eq!(live("mark(); for (i = 0; i < 9; i++) v = w + i; return v;"), "w");
        assert_eq!(live("mark(); for (i = 0; i <= 0; i++) v = w; return v;"), "w");
        assert_eq!(live("mark(); for (i = 9; i < 9; i++) v = w; return v;"), "v w");
        assert_eq!(live("mark(); for (i = 0; i < 9; i++) { a[i] = v; v = w; } return v;"), "v w");
        assert_eq!(live("mark(); for (i = 0; i < 9; i++) { if (a[i]) break; v = w; } return v;"), "v w");
        assert_eq!(live("mark(); for (i = 0; i < 9; i++) { v = w; i = n; } return v;"), "n v w");
    }

    #[test]
    fn a_loop_over_all_elements_fills_an_array() {
        let fills = |body: &str| {
            let (unit, place) =
                marked(&format!("int i, k, t[9]; for (k = 0; k < n; k++) {{ mark(); {body} a[k] = t[k]; }}"));
            let t = unit.vars.iter().position(|v| v.name == "t").unwrap();
            !Live::behind(unit.function("f").unwrap(), place).contains(VarId(t as u32))
        };
        assert!(fills("for (i = 0; i < 9; i++) { t[i] = a[i]; t[i] += i; }"));
        assert!(!fills("for (i = 1; i < 9; i++) { t[i] = a[i]; }"));
        assert!(!fills("for (i = 0; i < 8; i++) { t[i] = a[i]; }"));
        assert!(!fills("for (i = 0; i < 9; i++) { t[i] = a[i] + t[0]; }"));
        assert!(!fills("for (i = 0; i < 9; i++) { t[i] = a[i]; a[i] = t[8 - i]; }"));
        assert!(!fills("for (i = 0; i < 9; i++) { if (a[i]) t[i] = 1; }"));
        assert!(!fills("for (i = 0; i < 9; i++) { if (a[i]) continue; t[i] = 1; }"));
        assert!(!fills("for (i = 0; i < 9; i++) { a[i] = t[i]; t[i] = 1; }"));
    }

    #[test]
    fn the_next_iteration_reads_too() {
        assert_eq!(live("for (i = 0; i < n; i++) { a[i] = v; mark(); v = w; }"), "n i w");
        assert_eq!(live("for (i = 0; i < n; i++) { a[i] = v; v = w; mark(); }"), "n i v w");
        assert_eq!(live("for (i = 0; i < n; i++) { v = i; a[v] = 0; mark(); }"), "n i");
        assert_eq!(live("while (v < n) { mark(); v = w; }"), "n w");
        assert_eq!(live("do { mark(); v = w; } while (v < n);"), "n w");
        assert_eq!(live("mark(); do { v = n; w += v; } while (w < n); return v;"), "n w");
        assert_eq!(live("mark(); do { if (n) break; v = 1; } while (w); return v;"), "n v w");
        assert_eq!(live("mark(); do { if (n) continue; v = 1; } while (v < w); return i;"), "n i v w");
    }

    #[test]
    fn leaving_early_leads_on() {
        assert_eq!(live("for (i = 0; i < n; i++) { mark(); v = w; if (a[v]) break; } return 0;"), "n i w");
        assert_eq!(
            live("for (i = 0; i < n; i++) { v = w; if (a[i]) { mark(); break; } i = v; } w = v; return w;"),
            "v"
        );
        assert_eq!(
            live("for (i = 0; i < n; i++) { v = w; if (a[i]) { mark(); continue; } i = v; } return 0;"),
            "n i w"
        );
        assert_eq!(live("for (;;) { for (i = 0; i < n; i++) { v = i; mark(); } if (a[0]) break; }"), "n i");
        assert_eq!(live("while (n) { switch (i) { case 1: mark(); continue; } v = w; } return v;"), "n i v w");
        assert_eq!(live("for (i = 0; i < n; i++) { mark(); if (a[i]) break; v = 0; } return v;"), "n i v");
        assert_eq!(live("for (i = 0; i < n; i++) { mark(); if (a[i]) continue; v = 0; } w = 0; return v;"), "n i v");
        assert_eq!(live("switch (n) { case 1: mark(); break; case 2: v = 0; } return v;"), "n v");
        assert_eq!(live("mark(); goto end; v = w; end: return v;"), "v w");
    }
}
