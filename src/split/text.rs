//! The text of a loop that runs as several.

use super::parts::{Part, Parted};
use crate::ast::{ExprKind, Unit, VarId, print};
use crate::source::lex::TokenKind;
use crate::source::{Source, Span};
use std::collections::BTreeSet;

/// Iterations below which the loop runs as it is.
const LEAST: i64 = 64;

/// The text before the loop and behind it, on its first and its last line; `None` where its text cannot be repeated.
/// `number` tells it from others.
pub fn around(unit: &Unit, source: &Source, parted: &Parted, number: usize) -> Option<[String; 2]> {
    let of = |span| plain(source, span);
    let head = of(Span { lo: parted.stmt.span.lo, hi: parted.body.span.lo })?;
    let (first, last) = (of(parted.first.span)?, of(parted.last.span)?);
    let kept: BTreeSet<VarId> = parted.parts.iter().flat_map(|p| p.stores.iter().copied()).collect();
    let name = |v: VarId| format!("rt_{}_{number}", unit.var(v).name);
    let (n, is_done) = (format!("rt_n_{number}"), format!("rt_is_done_{number}"));
    let counter = &unit.var(parted.counter).name;
    let at = match parted.first.kind {
        ExprKind::Int(0) => counter.clone(),
        _ => format!("{counter} - ({first})"),
    };
    let one_more = if parted.is_inclusive { " + 1" } else { "" };
    let mut out =
        format!("{{ int {is_done} = 0; long {n} = (long)({last}) - (long)({first}){one_more}; if ({n} >= {LEAST}) {{ ");
    for v in &kept {
        let (ty, name) = (print::type_name(unit, &unit.var(*v).ty), name(*v));
        out += &format!("{ty} *{name} = ({ty} *)__builtin_malloc({n} * sizeof({ty})); ");
    }
    let is_there: Vec<String> = kept.iter().map(|v| name(*v)).collect();
    let is_there = if is_there.is_empty() { "1".to_owned() } else { is_there.join(" && ") };
    out += &format!("if ({is_there}) {{ ");
    for Part { copies, stmts, loads, stores } in &parted.parts {
        out += &format!("{head} {{ ");
        for s in copies {
            out += &format!("{} ", of(s.span)?);
        }
        for (v, is_declared) in loads {
            let var = unit.var(*v);
            let declared = if *is_declared { print::type_name(unit, &var.ty) + " " } else { String::new() };
            out += &format!("{declared}{} = {}[{at}]; ", var.name, name(*v));
        }
        for s in stmts {
            out += &format!("{} ", of(s.span)?);
        }
        for v in stores {
            out += &format!("{}[{at}] = {}; ", name(*v), unit.var(*v).name);
        }
        out += "} ";
    }
    out += &format!("{is_done} = 1; }} ");
    for v in &kept {
        out += &format!("__builtin_free({}); ", name(*v));
    }
    out += &format!("}} if (!{is_done}) ");
    Some([out, " }".to_owned()])
}

/// A span of the preprocessed text on one line; `None` where a pragma is in it.
fn plain(source: &Source, span: Span) -> Option<String> {
    let mut out = String::new();
    let mut end = span.lo;
    let from = source.all_tokens().partition_point(|t| t.span.lo < span.lo);
    for token in source.all_tokens()[from..].iter().take_while(|t| t.span.hi <= span.hi) {
        let text = token.text(&source.text);
        if token.kind == TokenKind::Directive {
            let is_marker = text.trim_start_matches(['#', ' ', '\t']).starts_with(|c: char| c.is_ascii_digit());
            is_marker.then_some(())?;
            continue;
        }
        if token.span.lo > end && !out.is_empty() {
            out.push(' ');
        }
        out += text;
        end = token.span.hi;
    }
    (!out.contains('\n')).then_some(out)
}
