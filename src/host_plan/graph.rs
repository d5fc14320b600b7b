//! The kernel DAG of a plan: launches and host steps as nodes, in the order they run, and the data that one hands to
//! another as edges.

use super::ir::{HostStmt, Printed, Region};
use crate::kernel::{Expr, Usage};
use crate::report::{Edge, HOST};
use std::collections::BTreeMap;

/// The edges of a plan, each once. The body of a loop is passed twice, so that an iteration's reads see the writes of
/// the one before.
pub fn edges(plan: &Region) -> Vec<Edge> {
    let mut walk = Walk { plan, writer: BTreeMap::new(), edges: vec![] };
    walk.steps(&plan.body);
    walk.edges
}

struct Walk<'a> {
    plan: &'a Region,
    /// Who wrote each array last.
    writer: BTreeMap<&'a str, &'a str>,
    edges: Vec<Edge>,
}

impl<'a> Walk<'a> {
    fn steps(&mut self, steps: &'a [HostStmt]) {
        for s in steps {
            match s {
                HostStmt::CopyIn { array } => {
                    self.writer.insert(array, HOST);
                }
                HostStmt::CopyOut { array } => self.reads(HOST, array),
                HostStmt::Launch { kernel, .. } | HostStmt::Resident { kernel, .. } => self.launch(*kernel),
                HostStmt::Call { call, otherwise } => {
                    self.steps(otherwise);
                    call.reads().into_iter().for_each(|array| self.reads(call.library(), array));
                    self.writer.extend(call.writes().into_iter().map(|array| (array, call.library())));
                }
                HostStmt::Print { arguments, .. } => {
                    for e in arguments.iter().filter_map(Printed::number) {
                        e.any(&mut |e| {
                            if let Expr::Load(access) = e {
                                self.reads(HOST, &access.array);
                            }
                            false
                        });
                    }
                }
                HostStmt::Select(_) => self.either(s.bodies()),
                HostStmt::If { .. } => s.bodies().into_iter().for_each(|body| self.steps(body)),
                // What an iteration writes the next one reads.
                _ => s.bodies().into_iter().for_each(|body| (0..2).for_each(|_| self.steps(body))),
            }
        }
    }

    /// Ways of which one is taken: each finds what was there before, and what the first writes is read behind them.
    fn either(&mut self, ways: Vec<&'a Vec<HostStmt>>) {
        let before = self.writer.clone();
        for way in ways.into_iter().rev() {
            self.writer = before.clone();
            self.steps(way);
        }
    }

    fn launch(&mut self, kernel: usize) {
        let kernel = &self.plan.kernels[kernel];
        for a in kernel.arrays.iter().filter(|a| a.usage != Usage::Write) {
            self.reads(&kernel.name, &a.name);
        }
        for a in kernel.written() {
            self.writer.insert(&a.name, &kernel.name);
        }
    }

    fn reads(&mut self, to: &str, data: &str) {
        let Some(from) = self.writer.get(data) else { return };
        let edge = Edge { from: (*from).to_string(), to: to.to_string(), data: data.to_string() };
        if !self.edges.contains(&edge) {
            self.edges.push(edge);
        }
    }
}
