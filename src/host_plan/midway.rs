//! Regions of one loop of unknown length, entered in its midst: at the beginning of each turn its rest is the same region.
//!
//! ```text
//! for (it = 1; it <= most; it++) { ...; if (change < eps) break; }        takes int rt_from: 1 before it, `it` in its midst
//! while (change > eps) { ... }                                            as it is
//! ```
//! The work of a loop until then is in the variables that are handed over anyway; and the first value of its counter is one of them
//! ([`crate::normalize::open_begins`]).

use super::ir::{Param, Region};
use crate::ast::{Stmt, StmtKind, Unit};
use crate::facts::effects;
use crate::facts::loops::{is_loop, is_open};
use crate::normalize::open_begins::{NAME, enterable};
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
    let body = enterable(s).filter(|_| plan.offload.is_some())?;
    let begin = unit.begins.iter().find(|begin| begin.whole == s.span);
    let is_alike = |form: &&Stmt| is_open(form) && (begin.is_some() || !is_begun(form));
    let forms = candidate.forms.iter().flat_map(|form| form.listed());
    let forms: Vec<&Stmt> = forms.filter(|form| form.span == s.span && is_loop(form)).collect();
    let named = effects::mentioned(candidate.forms.iter().map(|form| &**form));
    let is_handed = match begin {
        Some(begin) => named.contains(&begin.from),
        None => !is_begun(s),
    };
    if forms.is_empty() || !forms.iter().all(is_alike) || !is_handed {
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
