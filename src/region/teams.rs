//! Threads of OpenMP that come to a candidate of a program that is compiled for them.
//!
//! ```text
//! #pragma omp parallel
//! {
//!     puts("begin");                       keeps the block from being a region: its threads come to what is in it
//!     #pragma omp for
//!     for (i = 0; i < n; i++) ...          shared out: one of them calls the converted version, and all wait for it
//!     for (i = me; i < n; i += all) ...    each runs it with what it has: the original
//! }
//! ```
//! A loop that is shared out may stand in a function that threads call; a team of one thread shares it out, too.

use super::candidates::Candidate;
use crate::ast::independence::words;
use crate::ast::visit::Piece;
use crate::ast::{Stmt, Unit};
use crate::facts::{Reason, remedy};
use crate::source::directive::DirectiveKind;
use crate::source::{Source, Span};

/// Threads around a candidate.
#[derive(Debug, Default)]
pub struct Threads {
    /// Flag: it is one loop that a team shares out.
    pub is_shared_out: bool,
    /// Flag: it holds such loops, of a team that begins outside.
    pub holds_shared_out: bool,
    /// The line that starts threads around it, and its first words.
    pub started: Option<(Span, String)>,
}

impl Threads {
    /// Threads around a candidate of a file.
    pub fn around(unit: &Unit, source: &Source, candidate: &Candidate) -> Threads {
        let span = candidate.span();
        let is_shared_out = matches!(candidate.stmts.as_slice(), [one] if shares_out(source, one));
        let within: Vec<Span> =
            unit.teams.iter().map(|team| team.holds).filter(|holds| span.encloses(*holds)).collect();
        let mut holds_shared_out = false;
        for s in candidate.stmts.iter().filter(|_| !is_shared_out) {
            s.walk(&mut |piece| {
                if let Piece::Stmt(s) = piece {
                    let has_team = || within.iter().any(|holds| holds.encloses(s.span));
                    holds_shared_out |= shares_out(source, s) && !has_team();
                }
            });
        }
        let is_inside = |holds: Span| holds.encloses(span) && holds != span;
        let teams = unit.teams.iter().filter(|team| is_inside(team.holds));
        let mut started: Option<(Span, String)> =
            teams.map(|team| (team.span, team.words.clone())).max_by_key(|t| t.0.lo);
        let mut around = Some(&candidate.function.body);
        while let Some(s) = around {
            for d in
                s.directives.iter().filter(|d| is_inside(s.span) && matches!(d.kind, DirectiveKind::Parallel { .. }))
            {
                let words = words(source.slice(d.span));
                let is_inner = started.as_ref().is_none_or(|(line, _)| line.lo < d.span.lo);
                if words.starts_with("omp ") && is_inner {
                    started = Some((d.span, words));
                }
            }
            around = s.stmts().into_iter().find(|s| s.span.encloses(span));
        }
        Threads { is_shared_out, holds_shared_out, started }
    }

    /// Reason why a candidate is left to the threads that come to it.
    pub fn refusal(&self, source: &Source, candidate: &Candidate) -> Option<Reason> {
        let (line, words) = self.started.as_ref().filter(|_| !self.is_shared_out)?;
        let line = source.line(*line);
        let message = format!(
            "each thread that `{words}` of line {line} starts comes here with variables of its own: in a program that is \
             compiled for OpenMP they run the original"
        );
        let help = remedy!(
            "share the loop out by `#pragma omp for` in the block, or write the block as `#pragma omp parallel for`"
        );
        Some(Reason::new("threads", message, candidate.stmts[0].span).help(help))
    }
}

/// Test for a loop whose iterations the threads of a team share out, all of which come to it.
fn shares_out(source: &Source, s: &Stmt) -> bool {
    let is_for = |words: String| words == "omp for" || words.starts_with("omp for ");
    s.directives.iter().any(|d| {
        let DirectiveKind::Parallel { sharing, .. } = &d.kind else { return false };
        !sharing.starts_threads && is_for(words(source.slice(d.span)))
    })
}
