//! Functions of whose names a file makes more than calls: their addresses may be handed on, so that not all callers are known.
//!
//! One walk over the tokens of a file answers for all functions, however many there are.

use super::needs::Part;
use crate::ast::{Storage, Var};
use crate::region::callers;
use crate::source::lex::TokenKind;
use crate::source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Those of `names` of which a file makes more than calls in its functions and declarations beside these.
pub fn handed_on<'a>(part: &'a Part<'a>, names: &BTreeSet<&'a str>) -> BTreeSet<&'a str> {
    let tokens = part.source.tokens();
    let text = |k: usize| tokens.get(k).map(|t| t.text(&part.source.text));
    let (records, hidden) = (records(part.source), hidden(part, names));
    let bodies = sorted(part.unit.functions.iter().map(|g| g.body.span));
    let is_hidden = |k: usize, name: &str| {
        let at = tokens[k].span.lo;
        let is_member = k > 0 && matches!(text(k - 1), Some("." | "->"));
        let is_variable = || hidden.get(name).is_some_and(|spans| spans.iter().any(|g| g.contains(at)));
        is_member || is_variable() || around(&records, at).is_some()
    };
    let is_strange = |k: usize| {
        let is_outside = || around(&bodies, tokens[k].span.lo).is_none();
        text(k + 1) != Some("(") || (is_outside() && !callers::declares(part.source, k))
    };
    let words = (0..tokens.len()).filter(|k| tokens[*k].kind == TokenKind::Word);
    let named = words.filter_map(|k| Some((k, *names.get(text(k)?)?)));
    named.filter(|(k, name)| !is_hidden(*k, name) && is_strange(*k)).map(|(_, name)| name).collect()
}

/// The functions in which a variable bears one of the names, with their heads, by that name.
fn hidden<'a>(part: &'a Part<'a>, names: &BTreeSet<&'a str>) -> BTreeMap<&'a str, Vec<Span>> {
    let functions = part.unit.functions.iter();
    let all = sorted(functions.map(|g| Span { lo: g.span.lo.min(g.body.span.lo), hi: g.body.span.hi }));
    let is_own = |v: &&Var| v.storage != Storage::Global && names.contains(v.name.as_str());
    let mut out: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for v in part.unit.vars.iter().filter(is_own) {
        if let Some(function) = around(&all, v.span.lo) {
            out.entry(&v.name).or_default().push(function);
        }
    }
    out
}

/// Spans that are apart from each other, in order.
fn sorted(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut out: Vec<Span> = spans.collect();
    out.sort_by_key(|span| span.lo);
    out
}

/// The one of sorted spans that has a byte.
fn around(spans: &[Span], at: u32) -> Option<Span> {
    let before = spans.partition_point(|span| span.lo <= at);
    spans[..before].last().copied().filter(|span| span.contains(at))
}

/// Bodies of structures and unions that are in no other one, between their braces: there names are those of members, and of types.
fn records(source: &Source) -> Vec<Span> {
    let tokens = source.tokens();
    let text = |k: usize| tokens.get(k).map(|t| t.text(&source.text));
    let mut out: Vec<Span> = vec![];
    for k in (0..tokens.len()).filter(|k| matches!(text(*k), Some("struct" | "union"))) {
        let Some(first) = [k + 1, k + 2].into_iter().find(|at| text(*at) == Some("{")) else { continue };
        if out.last().is_some_and(|outer| outer.contains(tokens[first].span.lo)) {
            continue;
        }
        let mut depth = 0;
        let last = (first..tokens.len()).find(|at| {
            depth += i32::from(text(*at) == Some("{")) - i32::from(text(*at) == Some("}"));
            depth == 0
        });
        out.extend(last.map(|last| Span { lo: tokens[first].span.lo, hi: tokens[last].span.hi }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::build;

    /// Those of `f`, `g` and `h` of which a file makes more than calls.
    fn of(c: &str) -> String {
        let c = format!("void f(int x) {{ }} static void g(int x) {{ f(x); }} int h(int x) {{ return x; }} {c}");
        let source = Source::from_text("t.c", &c).unwrap();
        let unit = build::build(&source).unwrap().unit;
        let part = Part { source: &source, unit: &unit, regions: vec![] };
        handed_on(&part, &BTreeSet::from(["f", "g", "h"])).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn calls_and_declarations_hand_nothing_on() {
        assert_eq!(of(""), "");
        assert_eq!(of("void f(int x); int k(void) { f(h(2)); g(1); return 0; }"), "");
    }

    #[test]
    fn an_address_is_handed_on() {
        assert_eq!(of("void (*p)(int) = f;"), "f");
        assert_eq!(of("void k(void) { void (*p)(int) = &g; p(1); f(0); }"), "g");
        assert_eq!(of("void s(int (*)(int)); void k(void) { s(h); h(1); }"), "h");
    }

    #[test]
    fn a_member_and_a_variable_of_the_name_are_others() {
        assert_eq!(
            of("struct s { int f; struct { int g; } in; }; int k(struct s *p) { return (*p).f + (*p).in.g; }"),
            ""
        );
        assert_eq!(of("int k(int f) { int g = f; return f + g; }"), "");
        assert_eq!(of("int k(int f) { return f; } void l(void) { void (*p)(int) = f; p(1); }"), "f");
    }
}
