//! Copies that threads have and lose: where C and OpenMP see different values behind a loop, it stays as it is.
//!
//! ```text
//! #pragma omp parallel for firstprivate(t)
//! for (i = 0; i < n; i++) {
//!     t = x[i];                  each thread sets its own `t`
//!     y[i] = t * t;
//! }
//! y[0] += t;                     in C alone `x[n - 1]`; with threads what `t` was before the loop
//! ```
//! An array that `omp threadprivate` gives each thread, and that each iteration fills, is one for all iterations in C: these are
//! in order, and what is parallel in one of them is too little for a kernel.

use crate::ast::independence::reach;
use crate::ast::visit::Piece;
use crate::ast::{Copies, Exception, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Unit, VarId};
use crate::facts::function::FunctionFacts;
use crate::facts::loops::is_loop;
use crate::facts::{Reason, effects, remedy};
use crate::source::directive::Role;
use crate::source::{Source, Span};
use std::collections::BTreeSet;

/// Code of the reason why a loop is kept on the host with all that is in it.
pub const THREADPRIVATE: &str = "threadprivate";

/// Why statements stay as they are that set such copies, each by its place.
pub fn lost(unit: &Unit, source: &Source) -> Vec<Reason> {
    unit.copies.iter().filter_map(|c| lost_behind(unit, c, source)).collect()
}

fn lost_behind(unit: &Unit, copies: &Copies, source: &Source) -> Option<Reason> {
    let Exception { words, span, holds, .. } = &copies.line;
    let f = unit.functions.iter().find(|f| f.body.span.encloses(*holds))?;
    let (set, wanted) = (assigned(f, *holds), FunctionFacts::of(unit, f).wanted_outside(unit, *holds));
    let is_local = |v: VarId| matches!(unit.var(v).storage, Storage::Local | Storage::Param);
    let is_lost =
        |v: &&VarId| set.contains(*v) && wanted.contains(*v) && (!is_local(**v) || is_named_behind(f, **v, *holds));
    let name = &unit.var(*copies.vars.iter().find(is_lost)?).name;
    let message = format!(
        "each thread sets a copy of `{name}`, says `#pragma {words}` on line {}: what is read behind this is another \
         value in C alone than with threads",
        source.line(*span)
    );
    let help =
        remedy!("declare inside the loop what each iteration has for itself, or write `lastprivate({name})`, too");
    Some(Reason::new("lost-copy", message, *holds).help(help))
}

/// Reasons why loops are kept on the host whose iterations fill an array that each thread has, each by its place.
pub fn filled(unit: &Unit, source: &Source) -> Vec<Reason> {
    let mut found = vec![];
    for f in &unit.functions {
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                found.extend(filled_in(unit, s, source));
            }
        });
    }
    found
}

fn filled_in(unit: &Unit, s: &Stmt, source: &Source) -> Option<Reason> {
    let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
    let counter = effects::header_counter(init)?;
    let said = unit.assertions.iter().filter(|a| s.directives.iter().any(|d| d.span == a.directive));
    let mut own = said.flat_map(|a| &a.apart).filter(|(_, e)| e.role == Role::OwnGlobals);
    let reach = reach(unit, s);
    let set = effects::assigned(reach.iter().copied());
    let is_filled = |v: VarId| {
        let mut is_selected = false;
        let mut look = |e: &Expr| is_selected |= e.root() == Some(v) && e.mentions(counter);
        s.exprs(&mut |e| {
            e.walk(&mut |x| {
                if matches!(x.kind, ExprKind::Index(..)) {
                    look(x);
                }
            });
        });
        set.contains(&v) && !is_selected
    };
    let (v, line) = own.find(|(v, _)| is_filled(*v))?;
    let name = &unit.var(*v).name;
    let message = format!(
        "each iteration fills `{name}`, of which each thread has a copy, says `#pragma {}` on line {}: C has one for all \
         iterations, which are in order",
        line.words,
        source.line(line.span)
    );
    let help = remedy!("declare `{name}` inside the loop, so that each iteration has its own");
    Some(Reason::new(THREADPRIVATE, message, s.span).help(help))
}

/// Variables that the statement at a place sets.
fn assigned(f: &Function, at: Span) -> BTreeSet<VarId> {
    let mut set = BTreeSet::new();
    f.body.walk(&mut |piece| {
        if let Piece::Stmt(s) = piece
            && s.span == at
        {
            set.extend(effects::assigned([s]));
        }
    });
    set
}

/// Test that a variable is named behind a statement, or in a loop around it.
fn is_named_behind(f: &Function, v: VarId, at: Span) -> bool {
    let mut around: Option<&Stmt> = None;
    f.body.walk(&mut |piece| match piece {
        Piece::Stmt(s) if is_loop(s) && s.span.encloses(at) && s.span != at => around = around.or(Some(s)),
        _ => {}
    });
    let repeated = |p: Span| around.is_some_and(|l| l.span.encloses(p)) && !at.encloses(p);
    effects::places([&f.body], v).into_iter().any(|p| p.lo >= at.hi || repeated(p))
}
