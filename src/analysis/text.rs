//! Facts of the parts of a region, as text for a person who debugs a conversion: the polyhedral view, orders and
//! copies, the schedule.

use super::analysed::Analysed;
use super::explain::expanded;
use super::scheduled::Scheduled;
use crate::ast::{self, Unit, print};
use crate::isl::Dim;
use crate::poly::Failure;
use crate::poly::order::n_shared;
use crate::region::text::{condition, static_part};
use crate::region::{Condition, LoopId, StaticPart, StmtId, Tree};
use crate::schedule::{Mapped, Mode, Nest, Step};
use crate::source::Span;
use std::fmt::Write;

/// Domains, order, dependences, and what enters and leaves: of each static part.
///
/// # Errors
/// What isl refuses.
pub fn poly(unit: &Unit, name: &str, region: &Analysed) -> Result<String, Failure> {
    let mut out = format!("region {name}\n");
    for s in region.statics() {
        let _ = writeln!(out, "  static part, where {}", s.scop.context);
        let order = s.scop.order(&s.part, &|_| true)?.map(|order| order.map()?.maps()).transpose()?.unwrap_or_default();
        for (i, domain) in s.scop.domains.iter().enumerate() {
            let _ = writeln!(out, "    S{i}: {}", one_line(&print::stmt(unit, &s.part.stmt(StmtId(i)).body, 0)));
            let _ = writeln!(out, "      runs for {domain}");
            for map in &order {
                if map.tuple_name(Dim::In)?.as_deref() == Some(&format!("S{i}")) {
                    let _ = writeln!(out, "      in order {map}");
                }
            }
        }
        for (i, d) in s.deps.list.iter().enumerate() {
            let kind = format!("{:?}", d.kind).to_lowercase();
            let n_shared = n_shared(&s.part, d.src, d.dst);
            let distance = s.deps.distance(&s.scop.ctx, i, n_shared)?;
            let joined = d.reduction.map_or(String::new(), |op| format!(", updates of a {}", op.noun()));
            let data = &unit.var(d.data).name;
            let _ =
                writeln!(out, "    {kind} of {data} from S{} to S{}, distance {distance}{joined}", d.src.0, d.dst.0);
        }
        for (v, live) in &s.deps.live {
            let data = &unit.var(*v).name;
            let _ = writeln!(out, "    {data} enters {}", live.read_first()?);
            let _ = writeln!(out, "    {data} leaves {}", live.may_write()?);
        }
    }
    Ok(out)
}

/// The parts that run in another order than the program's, in that order.
pub fn orders(unit: &Unit, name: &str, region: &Analysed, line: &dyn Fn(Span) -> u32) -> String {
    let new: Vec<_> = region.statics().into_iter().filter_map(|s| s.reordered.as_ref()).collect();
    let texts = new.iter().map(|r| static_part(unit, &r.part, line));
    let unchanged = if new.is_empty() { "  (unchanged)\n" } else { "" };
    format!("region {name}\n{}{unchanged}", texts.collect::<String>())
}

/// The parts in which variables were expanded, and what there is to say of it.
pub fn expansions(unit: &Unit, name: &str, region: &Analysed, line: &dyn Fn(Span) -> u32) -> String {
    let mut out = format!("region {name}\n");
    for s in region.statics() {
        let said = expanded(unit, s, line);
        said.iter().for_each(|text| _ = writeln!(out, "  {text}"));
        if s.expansions.iter().any(|x| x.copy.is_some()) {
            out += &static_part(unit, &s.part, line);
        }
    }
    if out.lines().count() == 1 { out + "  (unchanged)\n" } else { out }
}

/// The schedule: the steps of each static part, each nest with its mapping.
pub fn steps(unit: &Unit, name: &str, region: &Analysed, scheduled: &Scheduled) -> String {
    let mut p = Printer { out: format!("region {name}\n") };
    for (s, steps) in region.statics().into_iter().zip(scheduled) {
        let live_out = region.live_out(s);
        let a = s.as_scheduled(unit, &live_out);
        p.put(1, "static part");
        steps.iter().for_each(|step| p.step(unit, a.part, step, 2));
    }
    p.out
}

/// A condition as written, or as the tool made it.
fn test(unit: &Unit, part: &StaticPart, cond: &Condition, written: Option<&ast::Expr>, negated: bool) -> String {
    let not = if negated { "not " } else { "" };
    written.map_or_else(|| condition(unit, part, cond), |e| format!("{not}({})", print::expr(unit, e)))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Lines of a text, indented by their level.
pub struct Printer {
    pub out: String,
}

impl Printer {
    /// Adds a line.
    pub fn put(&mut self, level: usize, text: &str) {
        self.out += &format!("{}{text}\n", "  ".repeat(level));
    }

    fn step(&mut self, unit: &Unit, part: &StaticPart, step: &Step<Mapped>, level: usize) {
        let counter = |l: &LoopId| unit.var(part.get_loop(*l).var).name.as_str();
        match step {
            Step::Loop { id, body } => {
                self.put(level, &format!("host: for {}", counter(id)));
                body.iter().for_each(|step| self.step(unit, part, step, level + 1));
            }
            Step::If { cond, expr, negated, body } => {
                let test = test(unit, part, cond, expr.as_ref(), *negated);
                self.put(level, &format!("host: if {test}"));
                body.iter().for_each(|step| self.step(unit, part, step, level + 1));
            }
            Step::Nest(Mapped { nest: Nest { axes, body, mode }, mapping, phase, .. }) => {
                let axis = |axis: &Vec<LoopId>| axis.iter().map(counter).collect::<Vec<_>>().join("=");
                let axes: Vec<String> = axes.iter().map(axis).collect();
                let head = match mode {
                    Mode::Parallel => format!("kernel: {} in parallel", axes.join(", ")),
                    Mode::Reduce => format!("kernel: {} in parallel, joined", axes.join(", ")),
                    Mode::Scan => {
                        format!("kernel: {} in parallel, each with what those before it join to", axes.join(", "))
                    }
                    Mode::OneThread => "kernel: one thread".to_owned(),
                };
                self.put(level, &head);
                let text = mapping.to_string();
                text.lines().for_each(|line| self.put(level + 1, line));
                if let Some(phase) = phase {
                    self.put(level + 1, "as a phase");
                    phase.to_string().lines().for_each(|line| self.put(level + 2, line));
                }
                self.trees(unit, part, body, level + 1);
            }
        }
    }

    fn trees(&mut self, unit: &Unit, part: &StaticPart, trees: &[Tree], level: usize) {
        for tree in trees {
            match tree {
                Tree::Stmt(id) => {
                    let text = one_line(&print::stmt(unit, &part.stmt(*id).body, 0));
                    self.put(level, &format!("S{}: {text}", id.0));
                }
                Tree::If { cond, expr, negated, body } => {
                    let test = test(unit, part, cond, expr.as_ref(), *negated);
                    self.put(level, &format!("if {test}"));
                    self.trees(unit, part, body, level + 1);
                }
                Tree::Loop(id, body) => {
                    self.put(level, &format!("for {}", unit.var(part.get_loop(*id).var).name));
                    self.trees(unit, part, body, level + 1);
                }
            }
        }
    }
}
