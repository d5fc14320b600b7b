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

use crate::ast::visit::Piece;
use crate::ast::{Copies, Exception, Function, Stmt, Storage, Unit, VarId};
use crate::facts::loops::is_loop;
use crate::facts::wanted::wanted_outside;
use crate::facts::{Reason, effects};
use crate::source::{Source, Span};
use std::collections::BTreeSet;

/// Why statements stay as they are that set such copies, each by its place.
pub fn lost(unit: &Unit, source: &Source) -> Vec<Reason> {
    unit.copies.iter().filter_map(|c| lost_behind(unit, c, source)).collect()
}

fn lost_behind(unit: &Unit, copies: &Copies, source: &Source) -> Option<Reason> {
    let Exception { words, span, holds, .. } = &copies.line;
    let f = unit.functions.iter().find(|f| f.body.span.encloses(*holds))?;
    let (set, wanted) = (assigned(f, *holds), wanted_outside(unit, f, *holds));
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
        format!("declare inside the loop what each iteration has for itself, or write `lastprivate({name})`, too");
    Some(Reason::new("lost-copy", message, *holds).help(help))
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
