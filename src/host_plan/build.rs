//! A region's plan: schedules and maps its nests, and lays out the host's steps around them.

use super::builder::Builder;
use super::call::made;
use super::ir::{HostStmt, Printed, Region};
use super::nests::Launches;
use crate::analysis::analysed::{Analysed, Node, Static, read_on_host};
use crate::analysis::explain;
use crate::analysis::no_plan::NoPlan;
use crate::analysis::scheduled::Scheduled;
use crate::analysis::settings::Settings;
use crate::analysis::weight::Weight;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, Unit, VarId};
use crate::config::Sync;
use crate::facts::prints::{Argument, Print};
use crate::facts::{Reason, effects, remedy, symbolic};
use crate::kernel::{self as k, ScalarType};
use crate::poly::scop::is_write;
use crate::region::candidates::Candidate;
use crate::region::{LoopId, StaticPart, StmtId};
use crate::report;
use crate::schedule::apart::Spread;
use crate::schedule::lower::{Lowering, Used, scalar_type};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mapped, Step, extent, index};
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// A region that was planned, and what there is to say about it.
pub struct Planned {
    pub plan: Region,
    /// How each loop runs, and what else there is to say.
    pub loops: Vec<report::Loop>,
    pub notes: Vec<String>,
    /// What the user asked for and does not get.
    pub warnings: Vec<Reason>,
}

/// Plans a scheduled region. `line` gives the C line of a place.
pub fn plan(
    unit: &Unit,
    (mut region, scheduled): (Analysed, Scheduled),
    candidate: &Candidate,
    settings: Settings,
    file: &str,
    line: &dyn Fn(Span) -> u32,
) -> Result<Planned, NoPlan> {
    let names = std::mem::take(&mut region.names);
    let mut b = Builder {
        unit,
        region: &region,
        scheduled: scheduled.into(),
        settings,
        names,
        line,
        prefix: format!("rt_{}_k", candidate.name),
        kernels: vec![],
        unordered: vec![],
        apart: BTreeMap::new(),
        alone: vec![],
        partial_counts: vec![],
        by_sizes: BTreeSet::new(),
        mappings: IndexMap::new(),
        choices: IndexMap::new(),
        n_nests: 0,
        used: Used::default(),
        partials: vec![],
        has_parallel: false,
        weight: Weight::default(),
        stale: BTreeSet::new(),
        sizes: sizes(&region),
        computed: IndexMap::new(),
        loops: vec![],
        shared_out: BTreeSet::new(),
        called: BTreeSet::new(),
        by_library: BTreeSet::new(),
        has_call: false,
        depth: 0,
        warnings: vec![],
        notes: vec![],
        file: Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file),
    };
    b.notes.extend(explain::plainer(unit, candidate, &region));
    let mut body = b.nodes(&region.nodes)?;
    if !b.has_parallel {
        return Err(NoPlan::Declined(explain::why_sequential(unit, &region, candidate, line)?));
    }
    if let Some(reason) = b.weight.mostly_serial().filter(|_| !candidate.is_marked && b.warnings.is_empty()) {
        return Err(NoPlan::Declined(reason));
    }
    if candidate.parts.by_threads && b.weight.is_left_to_few {
        return Err(NoPlan::Declined(explain::left_to_few(candidate)));
    }
    let plan = b.finish(candidate, &mut body)?;
    if settings.defaults.interruptible && !plan.is_interruptible() {
        b.notes.push("interruptible has no effect: no loop of the host ends by what the device computes".into());
    }
    Ok(Planned { plan, loops: b.loops, notes: b.notes, warnings: b.warnings })
}

impl<'a> Builder<'a> {
    fn nodes(&mut self, nodes: &'a [Node]) -> Result<Vec<HostStmt>, NoPlan> {
        let mut out = vec![];
        for n in nodes {
            match n {
                Node::Static(s) => out.extend(self.static_part(s)?),
                Node::Compute(s) => out.extend(self.compute(s)?),
                Node::Break => out.push(HostStmt::Break),
                Node::GiveUp => out.push(HostStmt::GiveUp { reason: "an error leaves the loop before its end".into() }),
                Node::Print { print, reads } => out.extend(self.print(print, reads)?),
                Node::If { cond, then, other } => {
                    out.extend(self.fetch_for(cond));
                    let cond = self.host_value(cond)?;
                    let before = self.stale.clone();
                    let then = self.nodes(then)?;
                    let after = std::mem::replace(&mut self.stale, before);
                    let other = self.nodes(other)?;
                    self.stale.extend(after);
                    out.push(HostStmt::If { cond, then, other });
                }
                Node::Loop { cond, step, check_first, body } => {
                    out.extend(self.host_loop(cond.as_ref(), step.as_ref(), *check_first, body)?);
                }
            }
        }
        Ok(out)
    }

    fn host_loop(
        &mut self,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        check_first: bool,
        body: &'a [Node],
    ) -> Result<Vec<HostStmt>, NoPlan> {
        let before: Vec<HostStmt> = cond.filter(|_| check_first).map_or(vec![], |c| self.fetch_for(c));
        let value = cond.map_or(Ok(k::Expr::Int(1)), |c| self.host_value(c))?;
        let value = if self.settings.defaults.interruptible {
            index::binary(BinOp::And, value, k::Expr::GoesOn)
        } else {
            value
        };
        self.loops.push(explain::host_loop(cond, step.is_some(), check_first, self.line, self.depth));
        let passed_by = self.stale.clone();
        self.depth += 1;
        let mut inside = self.nodes(body)?;
        self.depth -= 1;
        let left = self.stale.clone();
        // Every iteration begins with the host up to date, as the first one does.
        let mut read = BTreeSet::new();
        read_on_host(body, &mut read);
        cond.iter().chain(&step).for_each(|e| read.extend(effects::variables(e)));
        inside.extend(self.fetch(read));
        self.stale.extend(passed_by.into_iter().chain(left));
        let step = match step {
            Some(e) => self.host_lowering(|l| l.effect(e))?,
            None => vec![],
        };
        if leaves(body) {
            self.stale.extend(scalars_written(body));
        }
        if check_first {
            let mut out = before;
            out.push(HostStmt::While { cond: value, step, body: inside });
            return Ok(out);
        }
        let again = self.names.fresh("rt_again");
        let set = |kind| HostStmt::Compute(k::Stmt::made(kind));
        let int = ScalarType::Int(crate::ast::IntKind::Int);
        inside.push(set(k::StmtKind::Assign { var: again.clone(), op: None, value }));
        Ok(vec![
            set(k::StmtKind::Let { var: again.clone(), ty: int, init: Some(k::Expr::Int(1)) }),
            HostStmt::While { cond: index::var(again), step, body: inside },
        ])
    }

    /// Brings the device scalars that a host expression reads to the host.
    fn fetch_for(&mut self, e: &Expr) -> Vec<HostStmt> {
        self.fetch(effects::variables(e))
    }

    /// Brings those variables to the host that are newer on the device.
    fn fetch(&mut self, read: BTreeSet<VarId>) -> Vec<HostStmt> {
        let mut stale: Vec<VarId> = read.into_iter().filter(|v| self.stale.remove(v)).collect();
        stale.sort();
        stale.into_iter().map(|v| HostStmt::CopyOut { array: self.names.of(self.unit, v) }).collect()
    }

    pub(super) fn host_value(&mut self, e: &Expr) -> Result<k::Expr, Reason> {
        self.host_lowering(|l| l.value(e))
    }

    /// Lowers code of the host: every variable in it is the host's own.
    fn host_lowering<T>(&mut self, f: impl FnOnce(&mut Lowering) -> Result<T, Reason>) -> Result<T, Reason> {
        let mut l = Lowering::outside(self.unit, &mut self.names, self.line, BTreeSet::new());
        let out = f(&mut l)?;
        let used = std::mem::take(&mut l.used);
        for (name, by) in used.scalars {
            self.used.scalars.entry(name).or_insert(by);
        }
        Ok(out)
    }

    fn compute(&mut self, s: &Stmt) -> Result<Vec<HostStmt>, NoPlan> {
        let stmts = self.host_lowering(|l| l.stmt(&self.region.without_data(s)))?;
        Ok(stmts.into_iter().map(HostStmt::Compute).collect())
    }

    fn static_part(&mut self, s: &'a Static) -> Result<Vec<HostStmt>, NoPlan> {
        let live_out = self.region.live_out(s);
        let a = s.as_scheduled(self.unit, &live_out);
        let steps = self.scheduled.pop_front().expect("every part is scheduled");
        let mut out = self.refresh(s)?;
        out.extend(self.checked_there(s)?);
        let n_notes = self.notes.len();
        match self.calls_of_part(&a, s)? {
            Some((calls, is_certain)) => {
                self.has_call = true;
                let otherwise = if is_certain { vec![] } else { self.steps(&a, &steps, &mut vec![])? };
                self.has_call = false;
                out.extend(made(calls, otherwise));
            }
            None => {
                self.weight.add(&a, &steps, self.depth as usize, self.line)?;
                out.extend(self.steps(&a, &steps, &mut vec![])?);
            }
        }
        self.find_apart(&a)?;
        self.say_what_is_near(&a, s, n_notes);
        self.check_counters(&s.part)?;
        let scalars = s.part.data.values().filter(|d| d.shape.c_rank == 0).map(|d| d.var);
        let is_written = |v| s.part.stmts.iter().flat_map(|s| &s.accesses).any(|x| x.data == v && is_write(x));
        self.stale.extend(scalars.filter(|v| self.used.arrays.contains_key(v) && is_written(*v)));
        let placed = explain::Placed {
            steps: &steps,
            shared_out: &std::mem::take(&mut self.shared_out),
            called: &std::mem::take(&mut self.called),
        };
        let (loops, in_vain) = explain::loops(&a, &placed, self.line, self.depth)?;
        self.notes.extend(explain::expanded(self.unit, s, self.line));
        self.notes.extend(explain::order(&a, self.line));
        self.loops.extend(loops);
        self.warnings.extend(in_vain);
        Ok(out)
    }

    /// A call that prints: elements and scalars of the device are fetched for it.
    fn print(&mut self, print: &Print, reads: &'a Static) -> Result<Vec<HostStmt>, NoPlan> {
        let live_out = BTreeSet::new();
        let a = reads.as_written(self.unit, &live_out);
        if let Some(v) =
            reads.part.data.keys().find(|v| self.region.statics().iter().all(|s| !s.part.data.contains_key(*v)))
        {
            let message =
                format!("`{}` is printed here, and no loop of the region deals with it", self.unit.var(*v).name);
            return Err(Reason::new("print", message, print.stmt.span)
                .help(remedy!("copy it to a variable before the loop"))
                .into());
        }
        let mut out = vec![];
        let mut arguments = vec![];
        for argument in &print.arguments {
            arguments.push(match argument {
                Argument::Text(text) => Printed::Text(text.clone()),
                Argument::Number(e) => {
                    let mut mapper = self.mapper(&[], BTreeSet::new());
                    let mut l = mapper.lowering(&a);
                    let value = l.value(e)?;
                    let used = std::mem::take(&mut l.used);
                    self.absorb(used);
                    // Counters may be wider here than C has them.
                    let ty = scalar_type(&e.ty).expect("a number");
                    let is_exact = matches!(ty, ScalarType::Float(_)) || matches!(value, k::Expr::Load(_));
                    Printed::Number(if is_exact { value } else { k::Expr::Cast(ty, Box::new(value)) })
                }
            });
        }
        let line = (self.line)(print.stmt.span);
        out.push(HostStmt::Print { function: print.function.clone(), arguments, line });
        Ok(out)
    }

    /// Computes the parameters of a part that depend on what the host changes.
    fn refresh(&mut self, s: &Static) -> Result<Vec<HostStmt>, NoPlan> {
        let mut out = vec![];
        for (p, name) in s.part.params.list.iter().zip(&s.scop.spelling.params) {
            if p.var.is_some() || !self.changes(&p.expr) {
                continue;
            }
            let ty = scalar_type(&p.expr.ty).expect("a number");
            self.computed.insert(name.clone(), ty);
            let value = self.host_value(&p.expr)?;
            let kind = k::StmtKind::Assign { var: name.clone(), op: None, value };
            out.push(HostStmt::Compute(k::Stmt::made(kind)));
        }
        Ok(out)
    }

    fn steps(&mut self, a: &Analysis, steps: &[Step<Mapped>], host: &mut Vec<LoopId>) -> Result<Vec<HostStmt>, NoPlan> {
        let mut out = vec![];
        let mut before: Vec<(Range<usize>, Vec<StmtId>)> = vec![];
        for step in steps {
            match step {
                Step::Nest(mapped) => self.one_nest(a, mapped, host, &mut before, &mut out)?,
                Step::If { cond, expr, negated, body } => {
                    let cond = self.in_part(a, host, |l| l.test(cond, expr.as_ref(), *negated))?;
                    let then = self.steps(a, body, host)?;
                    out.push(HostStmt::If { cond, then, other: vec![] });
                }
                Step::Loop { id, body } => {
                    host.push(*id);
                    let inside = self.steps(a, body, host)?;
                    host.pop();
                    out.push(self.sequential(a, *id, inside, host)?);
                }
            }
        }
        Ok(out)
    }

    /// The steps of a nest; `before` holds the kernels before it, and what each is of.
    fn one_nest(
        &mut self,
        a: &Analysis,
        mapped: &Mapped,
        host: &[LoopId],
        before: &mut Vec<(Range<usize>, Vec<StmtId>)>,
        out: &mut Vec<HostStmt>,
    ) -> Result<(), NoPlan> {
        let n = &mapped.nest;
        if let Some((calls, is_certain)) = self.calls(a, n, host)? {
            let otherwise = if is_certain { vec![] } else { self.nest(a, mapped, host)?.steps };
            out.extend(made(calls, otherwise));
            return Ok(());
        }
        let first = self.kernels.len();
        let Launches { steps, phases } = self.nest(a, mapped, host)?;
        out.extend(steps);
        let (own, stmts) = (first..self.kernels.len(), n.stmts());
        if phases.len() == 1 && self.settings.defaults.sync == Sync::Relaxed {
            self.alone.push((phases.start, mapped.as_phase().unwrap_or_else(|| mapped.clone())));
        }
        // Only where they are started again and again may it matter which kernels wait for which.
        let is_repeated = self.depth > 0 || !host.is_empty();
        for (kernels, earlier) in before.iter().filter(|_| is_repeated) {
            if !a.waits(earlier, &stmts, host)? {
                let pairs = kernels.clone().flat_map(|k| own.clone().map(move |o| (k, o)));
                self.unordered.extend(pairs);
            }
        }
        before.push((own, stmts));
        Ok(())
    }

    /// Finds the distances between iterations of the part's kernels that touch the same element, where these run without a
    /// launch for each and wait for no more than they must.
    fn find_apart(&mut self, a: &Analysis) -> Result<(), NoPlan> {
        let alone = std::mem::take(&mut self.alone);
        if !self.computed.is_empty() {
            return Ok(());
        }
        let spread: Vec<_> = alone.iter().filter_map(|(k, mapped)| Some((*k, Spread::new(mapped)?))).collect();
        for (at, (x, of_x)) in spread.iter().enumerate() {
            for (y, of_y) in &spread[at..] {
                if let Some(found) = a.apart(of_x, of_y)? {
                    self.apart.insert((*x, *y), found);
                }
            }
        }
        Ok(())
    }

    /// Lowers something of a part on the host.
    fn in_part<T>(
        &mut self,
        a: &Analysis,
        host: &[LoopId],
        f: impl FnOnce(&mut Lowering) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let mut mapper = self.mapper(host, BTreeSet::new());
        let mut l = mapper.lowering(a);
        let out = f(&mut l)?;
        let used = std::mem::take(&mut l.used);
        for (name, by) in used.scalars {
            self.used.scalars.entry(name).or_insert(by);
        }
        Ok(out)
    }

    fn sequential(
        &mut self,
        a: &Analysis,
        id: LoopId,
        mut body: Vec<HostStmt>,
        host: &[LoopId],
    ) -> Result<HostStmt, NoPlan> {
        let l = a.part.get_loop(id).clone();
        let var = self.names.of(self.unit, l.var);
        let (first, limits, count) = self.in_part(a, host, |x| {
            let limits: Vec<k::Expr> = l.limits.iter().map(|p| x.poly(p)).collect();
            Ok((x.poly(&l.first), limits, extent::count(&l, x)))
        })?;
        if l.step > 0 {
            let hi = index::min(limits).expect("a loop has a limit");
            return Ok(HostStmt::For { var, lo: first, hi, step: k::Expr::Int(l.step), body });
        }
        let down = self.names.fresh(&format!("rt_{var}"));
        let passed = index::mul(index::var(&down), k::Expr::Int(-l.step));
        let init = Some(index::binary(BinOp::Sub, first, passed));
        let kind = k::StmtKind::Let { var, ty: ScalarType::Index, init };
        body.insert(0, HostStmt::Compute(k::Stmt::made(kind)));
        Ok(HostStmt::For { var: down, lo: k::Expr::Int(0), hi: count, step: k::Expr::Int(1), body })
    }

    /// Variables that the host or other parts of the region read as numbers, but for counters of their own.
    fn read_elsewhere(&self, part: &StaticPart) -> BTreeSet<VarId> {
        let mut read = self.region.read_on_host();
        for other in self.region.statics().into_iter().filter(|s| !std::ptr::eq(&s.part, part)) {
            for s in &other.part.stmts {
                let own: BTreeSet<VarId> = s.loops.iter().map(|l| other.part.get_loop(*l).var).collect();
                // A scalar that is always written first needs nothing from before.
                let wants = |v: &VarId| {
                    !other.part.data.contains_key(v) || other.deps.upward_exposed.get(v).is_some_and(|s| !s.is_empty())
                };
                read.extend(effects::mentioned([&s.body]).difference(&own).copied().filter(wants));
            }
            for p in &other.part.params.list {
                p.expr.walk(&mut |x| {
                    if let ExprKind::Var(v) = x.kind {
                        read.insert(v);
                    }
                });
            }
        }
        read
    }

    /// Counters of the user's have no value behind their loops: where one is read, the plainer form has set it.
    fn check_counters(&self, part: &StaticPart) -> Result<(), NoPlan> {
        let needed = self.read_elsewhere(part);
        let is_read =
            |v: VarId| self.region.wanted.contains(&v) && !self.region.declared.contains(&v) || needed.contains(&v);
        let Some(l) = part.loops.iter().find(|l| is_read(l.var)) else { return Ok(()) };
        let name = &self.unit.var(l.var).name;
        let message = format!("`{name}` is read behind this loop, and what it holds there cannot be told");
        Err(Reason::new("counter-used", message, l.span).help(remedy!("give the loop a counter of its own")).into())
    }
}

/// The parameters of every part of a region.
fn sizes(region: &Analysed) -> Vec<(String, symbolic::Param)> {
    let of = |s: &&Static| s.scop.spelling.params.iter().cloned().zip(s.part.params.list.iter().cloned()).collect();
    region.statics().iter().flat_map(|s| -> Vec<_> { of(s) }).collect()
}

/// The device scalars that parts below write.
fn scalars_written(nodes: &[Node]) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for n in nodes {
        match n {
            Node::Static(s) => {
                let writes = s.part.stmts.iter().flat_map(|s| &s.accesses).filter(|x| is_write(x)).map(|x| x.data);
                out.extend(writes.filter(|v| s.part.data[v].shape.c_rank == 0));
            }
            Node::Loop { body, .. } => out.extend(scalars_written(body)),
            Node::If { then, other, .. } => out.extend(scalars_written(then).union(&scalars_written(other))),
            Node::Compute(_) | Node::Print { .. } | Node::Break | Node::GiveUp => {}
        }
    }
    out
}

/// Test that a `break` of the loop is in its body.
fn leaves(body: &[Node]) -> bool {
    body.iter().any(|n| match n {
        Node::Break => true,
        Node::If { then, other, .. } => leaves(then) || leaves(other),
        _ => false,
    })
}
