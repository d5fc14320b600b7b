//! Pointer propagation: pointers that statements set to places in arrays, seen through.
//!
//! ```text
//! double *row;                              double *row;
//! for (i...) {                              for (i...) {
//!     row = a + i * n;            ->
//!     for (j...) row[j] = 0;                    for (j...) (a + i * n)[j] = 0;
//! }                                         }
//! ```
//! C from before 1999 declares pointers at the top of a function; those that a block declares are seen through in any case
//! ([`super::substitution::open_pointers`]). Here, as there, the place must stay what it was, and the pointer point to it, as
//! far as it is used; and nothing may want the pointer behind that.

use super::form::{Context, Form};
use super::substitution::{Values, is_place_of, put_in};
use crate::ast::{Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::liveness::Live;
use std::collections::BTreeSet;

/// Sees through such pointers in the blocks of a form with loops.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let is_pointer = |v: &VarId| matches!(context.unit.var(*v).ty, Type::Pointer { .. });
    if form.has_loop() && form.assigned().iter().any(is_pointer) {
        let live = form.live_behind(context);
        inside(context.unit, &context.facts.seen, &mut form.stmt, &live);
    }
}

/// `seen`: the variables of the function that may be read in other ways than by name; `live`: behind the statement.
fn inside(unit: &Unit, seen: &BTreeSet<VarId>, s: &mut Stmt, live: &Live) {
    let below = live.behind_children(s);
    if let StmtKind::Block(list) = &mut s.kind {
        for at in 0..list.len() {
            through(unit, seen, &mut list[at..], &below[at..]);
        }
    }
    s.stmts_mut().into_iter().zip(below).for_each(|(s, live)| inside(unit, seen, s, &live));
}

/// Sees through what the first statement sets, in those behind it. `live`: behind each.
fn through(unit: &Unit, seen: &BTreeSet<VarId>, list: &mut [Stmt], live: &[Live]) -> Option<()> {
    let (here, next) = list.split_first_mut()?;
    let StmtKind::Expr(e) = &here.kind else { return None };
    let (v, value) = effects::plainly_assigned(e)?;
    let var = unit.var(v);
    let is_own = matches!(var.ty, Type::Pointer { .. }) && var.storage == Storage::Local && !var.is_volatile;
    if !is_own || seen.contains(&v) || !here.directives.is_empty() || !is_place_of(value, &var.ty) || value.mentions(v)
    {
        return None;
    }
    let n_users = Live::n_readers(live, next, v)?;
    let users = &mut next[..n_users];
    let changes = Changes::with_calls(unit, users.iter());
    if changes.assigned.contains(&v) || !changes.keep(unit, value) {
        return None;
    }
    let values = Values::from([(v, value.clone())]);
    users.iter_mut().for_each(|s| put_in(s, &values));
    here.kind = StmtKind::Empty;
    Some(())
}
