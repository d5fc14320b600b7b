//! Loops that a line of OpenMP or OpenACC calls parallel and that are kept on the host: what forbids it, at that line.
//!
//! What forbids it may lie in a function that the loop calls, or far down in it: there it is said why, and here of what.

use super::context::Context;
use super::file::FileState;
use crate::ast::Stmt;
use crate::ast::independence::words;
use crate::ast::visit::Piece;
use crate::diag::{Diagnostic, Place};
use crate::emit::Site;
use crate::facts::Reason;
use crate::region::candidates;
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};

/// Says of each such loop of a file why no region holds it, unless that was said at its head.
pub fn say(file: &FileState, sites: &[Site], context: &mut Context) {
    let FileState { source, unit, forms, hints, .. } = file;
    for f in &unit.functions {
        let mut loops: Vec<(&Stmt, &Directive)> = vec![];
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece
                && let Some(d) = s.directives.iter().find(|d| is_of_compilers(d, source.slice(d.span)))
            {
                loops.push((s, d));
            }
        });
        loops.retain(|(s, _)| !sites.iter().any(|site| site.region.span.encloses(s.span)));
        for (s, d) in loops {
            let (line, head) = (source.place(d.span), source.place(s.span));
            let is_said =
                |x: &Diagnostic| x.place.as_ref().is_some_and(|at| same_line(at, &line) || same_line(at, &head));
            if context.diagnostics.iter().any(is_said) {
                continue;
            }
            let (message, at, help) = match candidates::refusal(unit, forms, hints, f, s) {
                Some(Reason { message, span, help, .. }) => (message, Some(source.place(span)), help),
                None => match context.diagnostics.iter().find(|x| speaks_of(x, file, s.span)) {
                    Some(x) => (x.message.clone(), x.place.clone(), x.help.clone()),
                    None => continue,
                },
            };
            let words = words(source.slice(d.span));
            let of_line = at.as_ref().filter(|at| !same_line(at, &head)).map_or(String::new(), |at| {
                if at.file == line.file { format!("line {}: ", at.line) } else { format!("{}:{}: ", at.file, at.line) }
            });
            let message = format!("this loop of `{words}` is kept on the host: {of_line}{message}");
            let said = Diagnostic::declined("directive", message, Some(line));
            let said = at
                .filter(|at| !same_line(at, &head))
                .into_iter()
                .fold(said, |d, at| d.note(Some(at), "this forbids it"));
            context.diagnostics.push(help.into_iter().fold(said, Diagnostic::help));
        }
    }
}

/// Test for a line of OpenMP or OpenACC about the next loop.
fn is_of_compilers(d: &Directive, line: &str) -> bool {
    let words = words(line);
    matches!(d.kind, DirectiveKind::Parallel { .. }) && (words.starts_with("omp ") || words.starts_with("acc "))
}

fn same_line(a: &Place, b: &Place) -> bool {
    (&a.file, a.line) == (&b.file, b.line)
}

/// Test that something was said of a place in a statement, or of what keeps it on the host.
fn speaks_of(said: &Diagnostic, file: &FileState, s: Span) -> bool {
    let first = file.source.place(s);
    let last = file.source.place(Span { lo: s.hi - 1, hi: s.hi });
    let places = said.place.iter().chain(said.notes.iter().filter_map(|(place, _)| place.as_ref()));
    places.into_iter().any(|at| at.file == first.file && (first.line..=last.line).contains(&at.line))
}
