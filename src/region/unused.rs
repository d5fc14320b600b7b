//! Functions of headers that the file does not use.
//!
//! A header may have a hundred `static` functions, of which a file calls three. The others are not searched for loops: the
//! compiler leaves them out, too.

use super::callers::declares;
use crate::ast::Unit;
use crate::source::lex::TokenKind;
use crate::source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the `static` functions in included files that no function of the file's leads to.
pub fn unused<'a>(unit: &'a Unit, source: &Source) -> BTreeSet<&'a str> {
    let is_of_header = |at: Span| source.line_map.inclusion(at.lo) > 0;
    let ours = unit.functions.iter().filter(|f| f.is_static && is_of_header(f.body.span));
    let mut unused: BTreeSet<&str> = ours.map(|f| f.name.as_str()).collect();
    if unused.is_empty() {
        return unused;
    }
    let mut mentions: BTreeMap<Option<&str>, BTreeSet<&str>> = BTreeMap::new();
    let mut bodies: Vec<(Span, &str)> = unit.functions.iter().map(|f| (f.body.span, f.name.as_str())).collect();
    bodies.sort_by_key(|(span, _)| span.lo);
    for (k, token) in source.tokens().iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Word) {
        let Some(name) = unused.get(token.text(&source.text)) else { continue };
        let before = bodies.partition_point(|(span, _)| span.lo <= token.span.lo);
        let body = before.checked_sub(1).map(|at| bodies[at]).filter(|(span, _)| span.contains(token.span.lo));
        if body.is_some() || !declares(source, k) {
            mentions.entry(body.map(|(_, name)| name)).or_default().insert(name);
        }
    }
    let used = unit.functions.iter().map(|f| f.name.as_str()).filter(|name| !unused.contains(name));
    let mut next: Vec<Option<&str>> = used.map(Some).chain([None]).collect();
    while let Some(by) = next.pop() {
        for name in mentions.remove(&by).into_iter().flatten().filter(|name| unused.remove(name)) {
            next.push(Some(name));
        }
    }
    unused
}
