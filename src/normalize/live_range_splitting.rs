//! Live range splitting: values that live in one block alone, in variables of their own there.
//!
//! ```text
//! int i, j;                                   int i, j;
//! for (i...) {                                for (i...) {
//!     j = p[i];                                   int j_2;
//!     p[i] = p[q[i]];                             j_2 = p[i];
//!     p[q[i]] = j;                 ->             p[i] = p[q[i]];
//!     for (j = i + 1; j < n; j++) ...             p[q[i]] = j_2;
//! }                                               for (j = i + 1; j < n; j++) ...
//!                                             }
//! ```
//! A variable that C declares far from where it is used holds now this and now that. Each value that is set by a statement
//! of its own, and that nothing reads behind the block, is a variable by itself: so a counter counts and does nothing else,
//! and what an iteration keeps for itself is seen to be its own. (Live ranges as variables: Cytron, Ferrante, Rosen, Wegman
//! and Zadeck, TOPLAS 1991, but for what joins, which stays.)

use super::form::{Context, Form};
use super::substitution::{Values, put_in};
use crate::ast::build::ast_builder::{assigned, declared, plain};
use crate::ast::{Declarator, Stmt, StmtKind, Storage, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::liveness::Live;
use std::collections::BTreeSet;

/// Gives such values variables, in every block of a form with loops.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if !form.has_loop() {
        return;
    }
    let (live, facts, end) = (form.live_behind(context), context.facts, form.written.span.hi);
    let each = facts.function.body.stmts().into_iter().zip(facts.live_behind_each());
    let later = each.filter(|(s, _)| end <= s.span.lo).map(|(_, live)| live).collect();
    let moved = facts.moved_within();
    LiveRanges { unit: context.unit, seen: &facts.seen, later, moved }.inside(&mut form.stmt, &live);
}

struct LiveRanges<'a> {
    unit: &'a mut Unit,
    seen: &'a BTreeSet<VarId>,
    /// What lives behind the statements that follow: a region may end behind any of them.
    later: Vec<&'a Live>,
    /// Variables that the function assigns within its loops and under its conditions.
    moved: &'a BTreeSet<VarId>,
}

impl LiveRanges<'_> {
    /// `live`: behind the statement.
    fn inside(&mut self, s: &mut Stmt, live: &Live) {
        self.own_counter(s, live);
        let mut below = live.behind_children(s);
        if let StmtKind::Block(list) = &mut s.kind {
            let own = (0..list.len()).filter_map(|at| self.apart(&mut list[at..], &mut below[at..]));
            let own: Vec<Declarator> = own.map(|var| Declarator { var, init: None }).collect();
            list.iter_mut().zip(&below).for_each(|(s, live)| self.inside(s, live));
            if !own.is_empty() {
                list.insert(0, plain(StmtKind::Decl(own), s.span));
            }
            return;
        }
        s.stmts_mut().into_iter().zip(below).for_each(|(s, live)| self.inside(s, &live));
    }

    /// Gives a loop whose end moves a counter of its own, if nothing reads it behind the loop.
    fn own_counter(&mut self, s: &mut Stmt, live: &Live) {
        let StmtKind::For { init: Some(init), cond: Some(cond), .. } = &s.kind else { return };
        let StmtKind::Expr(e) = &init.kind else { return };
        let Some((v, value)) = effects::plainly_assigned(e) else { return };
        let moves = self.moved.iter().any(|end| *end != v && cond.mentions(*end));
        if !moves || live.contains(v) || value.mentions(v) || !self.may_be_apart(v) {
            return;
        }
        let (value, span) = (value.clone(), e.span);
        let own = self.own(v);
        put_in(s, &Values::from([(v, self.unit.read(own, span))]));
        if let StmtKind::For { init: Some(init), .. } = &mut s.kind {
            **init = declared(own, value);
        }
    }

    /// Test that nothing but its name leads to a number.
    fn may_be_apart(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !self.seen.contains(&v);
        is_own && effects::is_scalar(&var.ty)
    }

    /// Another variable like that one.
    fn own(&mut self, v: VarId) -> VarId {
        let var = self.unit.var(v);
        self.unit.add(Var::new(var.name.clone(), var.ty.clone(), Storage::Local, var.span))
    }

    /// Gives what the first statement sets a variable of its own, if the statements behind it are all that reads it. What
    /// these set again is so only where a region may hand on the variable with something else in it: otherwise it is seen
    /// to be private as it is. `live`: behind each.
    fn apart(&mut self, list: &mut [Stmt], live: &mut [Live]) -> Option<VarId> {
        let (here, next) = list.split_first_mut()?;
        let StmtKind::Expr(e) = &here.kind else { return None };
        let (v, value) = effects::plainly_assigned(e)?;
        if !self.may_be_apart(v) {
            return None;
        }
        let n_users = Live::n_readers(live, next, v)?;
        let users = &mut next[..n_users];
        let is_handed_on = || self.later.iter().any(|live| live.contains(v));
        if users.is_empty() || Changes::of(users.iter()).assigned.contains(&v) && !is_handed_on() {
            return None;
        }
        let (value, span) = (value.clone(), e.span);
        let own = self.own(v);
        let target = self.unit.read(own, span);
        let values = Values::from([(v, target.clone())]);
        users.iter_mut().for_each(|s| put_in(s, &values));
        live[..n_users].iter_mut().for_each(|live| live.keep(own));
        here.kind = assigned(None, &target, value, span).kind;
        Some(own)
    }
}
