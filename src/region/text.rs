//! A candidate region as text: its loops, statements and accesses, for a person who debugs a conversion.

use super::candidates::{Candidate, Declined, Found};
use super::parts::Part;
use super::{Access, AccessKind, Condition, Data, Relation, StaticPart, StmtId, Tree};
use crate::ast::{Unit, VarId, print};
use crate::facts::symbolic::{Poly, Sym};
use crate::source::Span;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Findings in a file: candidates, and loops that belong to none. `line` gives the C line of a place.
pub fn found(found: &Found, line: &dyn Fn(Span) -> u32) -> String {
    let mut out = String::new();
    for c in &found.candidates {
        let Span { lo, hi } = c.span();
        let (first, last) = (line(Span { lo, hi }), line(Span { lo: hi.saturating_sub(1), hi }));
        let _ = writeln!(out, "region {} in {}, lines {first} to {last}", c.name, c.function.name);
    }
    for Declined { reason, .. } in &found.declined {
        let _ = writeln!(out, "none in line {}: {}", line(reason.span), reason.message);
    }
    out
}

/// The whole region. `line` gives the C line of a place.
pub fn candidate(unit: &Unit, c: &Candidate, line: &dyn Fn(Span) -> u32) -> String {
    let mut p = Printer { unit, line, out: String::new() };
    p.put(0, &format!("region {} in {}", c.name, c.function.name));
    p.scalars("scalars of the device", &c.parts.device_scalars);
    p.scalars("scalars of the host", &c.parts.host_scalars);
    p.parts(&c.parts.list, 1);
    p.out
}

/// A static part alone.
pub fn static_part(unit: &Unit, part: &StaticPart, line: &dyn Fn(Span) -> u32) -> String {
    let mut p = Printer { unit, line, out: String::new() };
    p.part(part, 1);
    p.out
}

/// A polynomial in the names of the C program: `i*n + j - 1`.
pub fn poly(unit: &Unit, part: &StaticPart, p: &Poly) -> String {
    let mut out = String::new();
    for (monomial, c) in p.terms.iter().rev() {
        let sign = match (out.is_empty(), *c < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let symbols: Vec<String> = monomial.iter().map(|s| symbol(unit, part, s)).collect();
        let factor = c.unsigned_abs();
        let _ = match (factor, symbols.is_empty()) {
            (_, true) => write!(out, "{sign}{factor}"),
            (1, false) => write!(out, "{sign}{}", symbols.join("*")),
            (_, false) => write!(out, "{sign}{factor}*{}", symbols.join("*")),
        };
    }
    if out.is_empty() { "0".into() } else { out }
}

fn symbol(unit: &Unit, part: &StaticPart, s: &Sym) -> String {
    match s {
        // A subscript that only the data know has no variable.
        Sym::Counter(v) => unit.vars.get(v.0 as usize).map_or("any".to_owned(), |var| var.name.clone()),
        Sym::Param(id) => match part.params.get(*id) {
            p if p.var.is_some() => p.name.clone(),
            p => format!("({})", print::expr(unit, &p.expr)),
        },
        Sym::Floor(p, d) if p.terms.len() == 1 => format!("floor({} / {d})", poly(unit, part, p)),
        Sym::Floor(p, d) => format!("floor(({}) / {d})", poly(unit, part, p)),
    }
}

/// A condition, as C would say it.
pub fn condition(unit: &Unit, part: &StaticPart, c: &Condition) -> String {
    let of = |c: &Condition| condition(unit, part, c);
    match c {
        Condition::Compare(p, relation) => {
            let sign = match relation {
                Relation::Ge => ">=",
                Relation::Gt => ">",
                Relation::Eq => "==",
                Relation::Ne => "!=",
            };
            format!("{} {sign} 0", poly(unit, part, p))
        }
        Condition::And(a, b) => format!("({} && {})", of(a), of(b)),
        Condition::Or(a, b) => format!("({} || {})", of(a), of(b)),
        Condition::Not(a) => format!("!({})", of(a)),
    }
}

struct Printer<'a> {
    unit: &'a Unit,
    line: &'a dyn Fn(Span) -> u32,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, level: usize, text: &str) {
        self.out += &format!("{}{text}\n", "  ".repeat(level));
    }

    fn name(&self, v: VarId) -> &str {
        &self.unit.var(v).name
    }

    fn scalars(&mut self, title: &str, all: &BTreeSet<VarId>) {
        let names: BTreeSet<&str> = all.iter().map(|v| self.name(*v)).collect();
        let names: Vec<&str> = names.into_iter().collect();
        if !names.is_empty() {
            self.put(1, &format!("{title}: {}", names.join(", ")));
        }
    }

    fn parts(&mut self, parts: &[Part], level: usize) {
        for part in parts {
            match part {
                Part::Static(part) => self.part(part, level),
                Part::Compute(s) => {
                    let text = print::stmt(self.unit, s, 0);
                    text.lines().for_each(|text| self.put(level, &format!("host: {text}")));
                }
                Part::Break => self.put(level, "host: break"),
                Part::GiveUp => self.put(level, "host: give up"),
                Part::Print(print, _) => {
                    self.put(level, &format!("host: {}", print::stmt(self.unit, &print.stmt, 0).trim()));
                }
                Part::Loop { cond, body, check_first, .. } => {
                    let cond = cond.as_ref().map_or("1".into(), |e| print::expr(self.unit, e));
                    let word = if *check_first { "while" } else { "do while" };
                    self.put(level, &format!("host: {word} ({cond})"));
                    self.parts(body, level + 1);
                }
                Part::If { cond, then, other } => {
                    self.put(level, &format!("host: if ({})", print::expr(self.unit, cond)));
                    self.parts(then, level + 1);
                    if !other.is_empty() {
                        self.put(level, "host: else");
                        self.parts(other, level + 1);
                    }
                }
            }
        }
    }

    fn part(&mut self, part: &StaticPart, level: usize) {
        self.put(level, "static part");
        for data in part.data.values() {
            let text = self.data(part, data);
            self.put(level + 1, &text);
        }
        for assertion in &part.assertions {
            let text = assertion.guards.iter().map(|c| condition(self.unit, part, c)).collect::<Vec<_>>().join(" && ");
            self.put(level + 1, &format!("asserts that never {text}  line {}", (self.line)(assertion.body.span)));
        }
        self.trees(part, &part.tree, level + 1);
    }

    fn data(&self, part: &StaticPart, data: &Data) -> String {
        let ty = print::type_name(self.unit, &data.elem);
        let mut text = format!("{ty} {}", self.name(data.var));
        if data.shape.c_rank > 0 {
            let outer = data.shape.outer.as_ref().map_or("?".into(), |p| poly(self.unit, part, p));
            text += &format!("[{outer}]");
            text.extend(data.shape.inner.iter().map(|p| format!("[{}]", poly(self.unit, part, p))));
        }
        if data.shape.is_delinearised() {
            text += "  (dimensions seen in its subscripts)";
        }
        if data.is_local {
            text += "  (declared here)";
        }
        text
    }

    fn trees(&mut self, part: &StaticPart, trees: &[Tree], level: usize) {
        for tree in trees {
            match tree {
                Tree::Stmt(id) => self.stmt(part, *id, level),
                Tree::If { cond, body, .. } => {
                    self.put(level, &format!("if {}", condition(self.unit, part, cond)));
                    self.trees(part, body, level + 1);
                }
                Tree::Loop(id, body) => {
                    let l = part.get_loop(*id);
                    let limits: Vec<String> = l.limits.iter().map(|p| poly(self.unit, part, p)).collect();
                    let end = if l.step > 0 { "below" } else { "above" };
                    let (name, first) = (self.name(l.var), poly(self.unit, part, &l.first));
                    let head = format!("for {name} from {first}, step {}, {end} {}", l.step, limits.join(" and "));
                    self.put(level, &format!("{head}  line {}", (self.line)(l.span)));
                    self.trees(part, body, level + 1);
                }
            }
        }
    }

    fn stmt(&mut self, part: &StaticPart, id: StmtId, level: usize) {
        let stmt = part.stmt(id);
        let text = print::stmt(self.unit, &stmt.body, 0);
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        self.put(level, &format!("S{}: {first}  line {}", id.0, (self.line)(stmt.body.span)));
        lines.for_each(|text| self.put(level + 2, text));
        if let Some(r) = &stmt.reduction {
            self.put(level + 2, &format!("accumulates a {} in {}", r.op.noun(), self.name(r.data)));
        }
        for access in &stmt.accesses {
            let text = self.access(part, access);
            self.put(level + 2, &text);
        }
    }

    fn access(&self, part: &StaticPart, a: &Access) -> String {
        let kind = match a.kind {
            AccessKind::Read => "reads",
            AccessKind::MustWrite => "writes",
            AccessKind::MayWrite => "may write",
        };
        let polys =
            |index: &[Poly]| -> String { index.iter().map(|p| format!("[{}]", poly(self.unit, part, p))).collect() };
        let index = match (&a.index, &a.reach) {
            (Some(index), _) => polys(index),
            (None, Some(reach)) if reach.loops.is_empty() && reach.chosen.is_empty() => polys(&reach.index),
            (None, Some(reach)) => format!("{} within its loops", polys(&reach.index)),
            (None, None) => "[any]".to_owned(),
        };
        format!("{kind} {}{index}", self.name(a.data))
    }
}
