//! Causes that are found by their names alone, and all of them in words.

use super::cause::{Cause, Why};
use super::needs::Part;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind};
use crate::facts::callable::is_standard;
use crate::facts::standard::{is_hardware, is_strange};
use std::collections::BTreeSet;

impl Cause {
    /// The cause in words; its place is said beside.
    pub fn in_words(&self, parts: &[Part]) -> String {
        let part = &parts[self.part];
        let text = part.source.text.get(self.span.lo as usize..self.span.hi as usize).unwrap_or_default();
        let callee = || {
            let name = text.trim_start_matches(['(', '*', ' ']);
            name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_string()
        };
        let function = || {
            let is_it = |f: &&Function| f.body.span.contains(self.span.lo);
            part.unit.functions.iter().find(is_it).map_or("a function", |f| f.name.as_str())
        };
        match self.why {
            Why::Unknown => format!("`{}` is called, which no file here has and no list knows", callee()),
            Why::Unmodelled => format!("`{}` is not modelled", short(text)),
            Why::Handed => format!("`{}` is handed memory that may be kept", callee()),
            Why::Freed => format!("`{}` gives memory back", callee()),
            Why::Callee => format!("`{}` is called, which touches memory that may be kept", callee()),
            Why::Read => format!("the host reads `{}`", short(text)),
            Why::Written => format!("the host writes `{}`", short(text)),
            Why::Callers => format!("`{}` returns to callers that are not known", function()),
            Why::Unsayable => format!("`{}` has a jump, a macro or an included file in the way", function()),
            Why::Strange => format!("`{}` is called: statements may run in any order", callee()),
            Why::Hardware => format!("`{}` is called: no closed page holds up what touches memory there", callee()),
        }
    }
}

/// Text of C on one line, and not too much of it.
fn short(text: &str) -> String {
    const MOST: usize = 40;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &words[..end]),
        None => words,
    }
}

/// Calls of functions that the program has not and that are not C's or POSIX', the first of each, and C that is not modelled: of a
/// program with such, not all is known. What they touch is announced for everything, each time.
pub fn unknown(parts: &[Part]) -> Vec<Cause> {
    let own: BTreeSet<&str> = parts.iter().flat_map(|p| &p.unit.functions).map(|f| f.name.as_str()).collect();
    let mut seen = BTreeSet::new();
    causes(parts, &mut |piece| match piece {
        Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) => {
            let is_unknown = !own.contains(name.as_str()) && !is_standard(name);
            (is_unknown && seen.insert(name)).then_some(Why::Unknown)
        }
        Piece::Expr(Expr { kind: ExprKind::Function(_), span, .. }) if span.lo == span.hi => None,
        Piece::Expr(Expr { kind: ExprKind::Unmodelled(_) | ExprKind::Function(_), .. })
        | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), .. }) => Some(Why::Unmodelled),
        _ => None,
    })
}

/// The first call after which the program's statements are no longer one sequence.
pub fn strange(parts: &[Part]) -> Option<Cause> {
    first_call(parts, is_strange, Why::Strange)
}

/// The first call that touches memory where no fault can be answered.
pub fn unseen(parts: &[Part]) -> Option<Cause> {
    first_call(parts, is_hardware, Why::Hardware)
}

fn first_call(parts: &[Part], is_such: fn(&str) -> bool, why: Why) -> Option<Cause> {
    let is_call = |piece| matches!(piece, Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) if is_such(name));
    causes(parts, &mut |piece| is_call(piece).then_some(why)).into_iter().next()
}

/// The pieces of the program's functions that are causes, in order.
fn causes<'a>(parts: &'a [Part<'a>], why: &mut dyn FnMut(Piece<'a>) -> Option<Why>) -> Vec<Cause> {
    let mut out = vec![];
    for (part, p) in parts.iter().enumerate() {
        for f in &p.unit.functions {
            f.body.walk(&mut |piece| {
                let span = match piece {
                    Piece::Stmt(s) => s.span,
                    Piece::Expr(e) => e.span,
                };
                out.extend(why(piece).map(|why| Cause { part, span, why }));
            });
        }
    }
    out
}
