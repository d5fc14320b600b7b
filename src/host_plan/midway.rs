//! Regions of one loop of unknown length, entered in its midst: at the beginning of each turn its rest is the same region.
//!
//! ```text
//! for (it = 1; it <= most; it++) { ...; if (change < eps) break; }        takes int rt_from: 1 before it, `it` in its midst
//! while (change > eps) { ... }                                            as it is
//! ```
//! What a loop has done by then is in the variables that are handed over anyway; and the first value of its counter is one of them
//! ([`crate::normalize::open_begins`]).

use super::ir::{Param, Region};
use crate::ast::{Begin, Stmt, StmtKind, Unit};
use crate::facts::loops::{is_loop, is_open};
use crate::facts::{callable, effects};
use crate::normalize::open_begins::NAME;
use crate::region::candidates::Candidate;
use crate::source::Span;

/// How the rest of a loop is entered.
pub struct Rest {
    /// The loop's body, at the begin of which that is.
    pub body: Span,
    /// The parameter that has its counter's first value, and the counter.
    pub from: Option<(String, String)>,
}

/// How the rest of the one loop is entered that a region is.
pub fn rest(unit: &Unit, plan: &Region, candidate: &Candidate) -> Option<Rest> {
    let [s] = candidate.stmts.as_slice() else { return None };
    let (init, asked, body) = match &s.kind {
        StmtKind::While { cond, body } => (None, Some(cond), body),
        StmtKind::For { init, cond, body, .. } => (init.as_ref(), cond.as_ref(), body),
        // Its condition is not asked where its body begins.
        StmtKind::DoWhile { body, .. } => (None, None, body),
        _ => return None,
    };
    let is_whole = matches!(body.kind, StmtKind::Block(_)) && asked.is_none_or(callable::is_free);
    let mut forms =
        candidate.forms.iter().flat_map(|form| form.listed()).filter(|form| form.span == s.span && is_loop(form));
    let begin = unit.begins.iter().find(|begin| begin.whole == s.span);
    let is_alike = |form: &Stmt| is_open(form) && (begin.is_some() || !is_begun(form));
    let is_handed =
        |begin: &Begin| effects::mentioned(candidate.forms.iter().map(|form| &**form)).contains(&begin.from);
    if !is_whole
        || forms.clone().next().is_none()
        || !forms.all(is_alike)
        || plan.offload.is_none()
        || init.is_some() != begin.is_some()
        || !begin.is_none_or(is_handed)
    {
        return None;
    }
    let is_from = |p: &&Param| matches!(p, Param::Scalar { name, .. } if name == NAME);
    let from = plan.params.iter().find(is_from).zip(begin);
    Some(Rest {
        body: body.span,
        from: from.map(|(p, begin)| (p.name().to_owned(), unit.var(begin.counter).name.clone())),
    })
}

/// Test for a loop that begins with what stood before it.
fn is_begun(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::For { init: Some(_), .. })
}
