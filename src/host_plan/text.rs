//! The plan of the host, as text for a person who debugs a conversion.

use super::choice::{Case, Instance, Instances};
use super::ir::{Blocks, HostStmt, Launched, Param, Printed, Reach, Region};
use crate::analysis::text::Printer;
use crate::kernel::{self, Expr};

/// The plan of the host.
pub fn plan(plan: &Region) -> String {
    let mut p = Printer { out: String::new() };
    p.put(0, &format!("region {} in {}", plan.name, plan.function));
    for param in &plan.params {
        p.put(
            1,
            &match param {
                Param::Scalar { name, ty, c_expr, .. } => format!("takes {ty} {name} = {c_expr}"),
                Param::Place { name, c_expr, .. } => format!("takes the place of {c_expr} as {name}"),
                Param::ScalarInOut { name, ty, c_expr, .. } => {
                    format!("takes {ty} {name} = {c_expr}, and gives it back")
                }
                Param::Array { name, c_expr, is_const } => {
                    format!("takes array {name} = {c_expr}{}", if *is_const { ", only read" } else { "" })
                }
            },
        );
    }
    if let Some(cond) = &plan.only_if {
        p.put(1, &format!("is called only if {cond}"));
    }
    for guard in &plan.guards {
        let line = if guard.line > 0 { format!("  # line {}", guard.line) } else { String::new() };
        p.put(1, &format!("needs {}{line}", guard.condition));
    }
    for r in plan.offload.iter().flat_map(|w| &w.runs) {
        let counts: Vec<String> = r.counts.iter().map(ToString::to_string).collect();
        let Some(operations) = r.operations else {
            p.put(1, &format!("runs [{}] times, nobody knows how long", counts.join(", ")));
            continue;
        };
        let share = if r.one_of > 1 { format!(" / {}", r.one_of) } else { String::new() };
        let at_once = if r.at_once > 1 { format!(", {} at once", r.at_once) } else { String::new() };
        let counts = counts.join(", ");
        p.put(1, &format!("weighs {operations} operations, {} accesses, [{counts}]{share} times{at_once}", r.accesses));
    }
    for w in plan.offload.iter().flat_map(|w| &w.waits) {
        let counts: Vec<String> = w.counts.iter().map(ToString::to_string).collect();
        p.put(1, &format!("waits {} ns, [{}] times", w.ns, counts.join(", ")));
    }
    if plan.original_if_too_large {
        p.put(1, "needs room for its arrays");
    }
    for (name, value) in &plan.lengths {
        p.put(1, &format!("computes {name} = {value}"));
    }
    for a in &plan.arrays {
        let extents: String = a.extents.iter().map(|e| format!("[{e}]")).collect();
        let range = |range: &Option<(Expr, Expr)>| range.as_ref().map(|(x, y)| format!("[{x}, {y})"));
        let within = |word: &str, r| range(r).map_or(String::new(), |r| format!(", {word} {r}"));
        let own = if a.on_host { "" } else { ", of the device alone" };
        let (enters, leaves) = (within("enters", &a.live_in), within("leaves", &a.live_out));
        p.put(1, &format!("holds {} {}{extents}{own}{enters}{leaves}", a.ty, a.name));
        match &a.reach {
            None => {}
            Some(Reach::Covers) => p.put(2, "if the memory behind it goes so far"),
            Some(Reach::Whole(held)) => {
                p.put(2, &format!("the {held} elements of the block behind it; accesses beyond are held back"));
            }
        }
        if let Some(rows) = &a.rows {
            let of = rows.subscripts.iter().map(|r| format!("{} in [{}, {})", r.name, r.first, r.last));
            let structures =
                rows.within.as_ref().map_or(String::new(), |w| format!(", {} bytes from one to the next", w.bytes));
            let exchanged = rows.exchanged.as_ref().map_or(String::new(), |x| {
                format!(", changes places in [{}, {}) as {} says", x.first, x.last, x.places)
            });
            let (enters, leaves) = (within("enters", &rows.live_in), within("leaves", &rows.live_out));
            let of = of.collect::<Vec<_>>().join(", ");
            p.put(2, &format!("row behind a pointer, {of}{enters}{leaves}{exchanged}{structures}"));
        }
    }
    p.host(plan, &plan.body, 1);
    p.out
}

/// Choices of a launch, behind the kernel's name.
fn chosen(how: Option<&Launched>) -> String {
    let Some(Launched { sizes, instances }) = how else { return String::new() };
    let sizes: Vec<String> = sizes.iter().map(|t| format!("{} {}", t.name, t.value)).collect();
    let sizes = if sizes.is_empty() { String::new() } else { format!(", {}", sizes.join(", ")) };
    match instances {
        Instances::One(Instance { wide: None, bits: None }) => sizes,
        instances => format!("{sizes}: {instances}"),
    }
}

impl Printer {
    fn host(&mut self, plan: &Region, body: &[HostStmt], level: usize) {
        for s in body {
            match s {
                HostStmt::CopyIn { array } => self.put(level, &format!("copy {array} to the device")),
                HostStmt::CopyOut { array } => self.put(level, &format!("copy {array} to the host")),
                HostStmt::Launch { kernel, how, .. } => {
                    self.put(level, &format!("launch {}{}", plan.kernels[*kernel].name, chosen(how.as_ref())));
                }
                HostStmt::Resident { kernel, on_chip, work, blocks, .. } => {
                    let name = &plan.kernels[*kernel].name;
                    let blocks = match blocks {
                        Blocks::ByWork { in_one_block, threads } => {
                            format!("one block for {work} <= {in_one_block} threads, else blocks of {threads}")
                        }
                        Blocks::One => "one block".into(),
                        Blocks::AsFit { threads } => format!("blocks of {threads}"),
                    };
                    let other = on_chip.map(|kernel| &plan.kernels[kernel].name);
                    let other = other.map_or(String::new(), |name| format!("; where there is room on chip {name}"));
                    self.put(level, &format!("launch {name}, resident: {blocks}{other}"));
                }
                HostStmt::Replay { count, body, .. } => {
                    self.put(level, &format!("replay {count} times"));
                    self.host(plan, body, level + 1);
                }
                HostStmt::Call { call, otherwise } => {
                    self.put(level, &call.to_string());
                    if !otherwise.is_empty() {
                        self.put(level, "or, as long as loading the library does not pay");
                        self.host(plan, otherwise, level + 1);
                    }
                }
                HostStmt::Compute(s) => self.compute(s, level),
                HostStmt::Break => self.put(level, "break"),
                HostStmt::GiveUp { .. } => self.put(level, "give up"),
                HostStmt::Print { function, arguments, .. } => {
                    let one = |a: &Printed| match a {
                        Printed::Text(text) => text.clone(),
                        Printed::Number(e) => e.to_string(),
                    };
                    let arguments: Vec<String> = arguments.iter().map(one).collect();
                    self.put(level, &format!("{function}({})", arguments.join(", ")));
                }
                HostStmt::For { var, lo, hi, step, body } => {
                    self.put(level, &format!("for {var} in {lo} .. {hi} step {step}"));
                    self.host(plan, body, level + 1);
                }
                HostStmt::While { cond, step, body } => {
                    self.put(level, &format!("while {cond}"));
                    self.host(plan, body, level + 1);
                    step.iter().for_each(|s| self.compute(s, level + 1));
                }
                HostStmt::Select(select) => {
                    for Case { when, then } in &select.cases {
                        self.put(level, &when.to_string());
                        self.host(plan, then, level + 1);
                    }
                }
                HostStmt::Nest { own, phase } => {
                    self.host(plan, own, level);
                    self.put(level, "as a phase");
                    self.host(plan, phase, level + 1);
                }
                HostStmt::If { cond, then, other } => {
                    self.put(level, &format!("if {cond}"));
                    self.host(plan, then, level + 1);
                    if !other.is_empty() {
                        self.put(level, "else");
                        self.host(plan, other, level + 1);
                    }
                }
            }
        }
    }

    fn compute(&mut self, s: &kernel::Stmt, level: usize) {
        s.to_string().lines().for_each(|line| self.put(level, line.trim_end()));
    }
}
