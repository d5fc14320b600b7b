//! How a loop of the host around kernels runs: a launch for each kernel and step, a CUDA graph that is replayed, or one
//! resident kernel whose blocks wait for each other between phases.
//!
//! The choice, where `sync` leaves it to the tool, is by what a crossing from one phase to the next costs
//! ([`Crossing`]): a barrier among resident blocks costs a third of a launch, a barrier in one block next to nothing.
//! So a loop becomes a resident kernel where it can; that runs as one block, at the time of the call, where its
//! widest phase is done by one block sooner than blocks could wait for each other. What cannot (a thread has a loop of
//! its own to run, the host takes part) is replayed as a graph if its launches are the same at every step, calls of a
//! library among them, else launched step by step. So is, at the time of the call, a loop whose kernels have so many threads a
//! step that launches under the mappings that nests have by themselves are sooner ([`Crossing::large_step`]). A product with a
//! sparse matrix, which may be a call or a kernel, is a kernel in a resident one.
//!
//! A plan that stands for one kernel whose threads wait for each other (`rtcuda optimize`) is one resident kernel as a whole if it
//! can be: launches in a row are phases, too, and threads may have loops of their own to run, as they had there.
//!
//! ```text
//! for t in 0 .. steps               launch k_steps, resident: one block for n - 2 <= 4096 threads, else blocks of 256
//!   launch k0              ->
//!   launch k1
//! ```

use super::forms::{Form, taken};
use super::resident::{Resident, exclusive, names, resident};
use super::waits::{Counter, shorter};
use crate::ast::BinOp;
use crate::config::Sync;
use crate::cost::{Crossing, Step, host};
use crate::host_plan::ir::{Array, Blocks, HostStmt, Region, launched, visit, visit_mut};
use crate::kernel::{Expr, GridSync, Stmt, StmtKind, simplify, walk};
use crate::library::call::Call;
use crate::schedule::index;
use std::collections::BTreeSet;

/// Chooses for every loop of a region's plan; returns what there is to say about it.
pub fn realise(plan: &mut Region, sync: Sync, is_one_kernel: bool) -> Vec<String> {
    let body = std::mem::take(&mut plan.body);
    plan.body = taken(body.clone(), Form::Phase);
    let mut chooser = Chooser { waits: Counter::new(plan), plan, sync, is_one_kernel, notes: vec![] };
    let whole = if is_one_kernel { chooser.whole(&chooser.plan.body.clone()) } else { None };
    let body = whole.unwrap_or_else(|| chooser.steps(body));
    let Chooser { waits, notes, .. } = chooser;
    if let Some(estimate) = &mut plan.offload {
        estimate.waits = waits.waits;
    }
    plan.body = body;
    drop_unused(plan);
    name_phases(plan);
    notes
}

struct Chooser<'a> {
    waits: Counter,
    plan: &'a mut Region,
    sync: Sync,
    is_one_kernel: bool,
    notes: Vec<String>,
}

/// Steps as a resident kernel that the plan may take.
struct Made {
    resident: Resident,
    steps: Vec<HostStmt>,
    /// Flag: it computes what a call of a library may compute elsewhere.
    has_choice: bool,
    barrier: GridSync,
}

impl Chooser<'_> {
    /// All that the host does between the copies, where kernels wait for others. Its own numbers are the kernel's.
    fn whole(&mut self, body: &[HostStmt]) -> Option<Vec<HostStmt>> {
        let is_copy = |s: &&HostStmt| matches!(s, HostStmt::CopyIn { .. } | HostStmt::CopyOut { .. });
        let is_before = |s: &&HostStmt| is_copy(s) || matches!(s, HostStmt::Compute(_));
        let before = body.iter().take_while(is_before).count();
        let end = body.iter().rposition(|s| !is_copy(&s))? + 1;
        let (copies, numbers): (Vec<_>, Vec<_>) = body[..before].iter().partition(is_copy);
        let between: Vec<HostStmt> = numbers.into_iter().chain(&body[before.min(end)..end]).cloned().collect();
        let is_loop = |s: &HostStmt| matches!(s, HostStmt::For { .. } | HostStmt::While { .. });
        if launched(&between).len() < 2 && !between.iter().any(is_loop) {
            return None;
        }
        let made = self.made(&between)?;
        let steps = self.installed(made);
        Some(copies.into_iter().chain(&steps).chain(&body[end..]).cloned().collect())
    }

    fn steps(&mut self, body: Vec<HostStmt>) -> Vec<HostStmt> {
        body.into_iter().flat_map(|s| self.step(s)).collect()
    }

    fn step(&mut self, s: HostStmt) -> Vec<HostStmt> {
        if let HostStmt::Nest { own, .. } = s {
            return self.steps(own);
        }
        if matches!(s, HostStmt::For { .. } | HostStmt::While { .. }) {
            let [own, phases] = [Form::Own, Form::Phase].map(|form| taken(vec![s.clone()], form));
            if let Some(steps) = self.by_size(&phases, &own) {
                return steps;
            }
            if let Some(replay) = self.replay(&own[0]) {
                self.say_replayed(&replay);
                self.waits.add(&own[0], Crossing::graph_node());
                return vec![replay];
            }
        }
        let n_launches = launches_of_a_step(&s);
        if n_launches > 0 && self.sync != Sync::Relaunch {
            self.notes.push(break_even(n_launches, ("launch", "launches"), Crossing::launch()));
        }
        vec![match s {
            HostStmt::For { var, lo, hi, step, body } => {
                self.waits.enter(&var, &lo, &hi, &step);
                let body = self.steps(body);
                self.waits.leave();
                HostStmt::For { var, lo, hi, step, body }
            }
            HostStmt::While { cond, step, body } => {
                self.waits.enter_unknown();
                let body = self.steps(body);
                self.waits.leave();
                HostStmt::While { cond, step, body }
            }
            HostStmt::If { cond, then, other } => self.either(cond, then, other),
            s => {
                self.waits.add(&s, Crossing::launch());
                return taken(vec![s], Form::Own);
            }
        }]
    }

    /// A choice of two ways: a call waits for the launches of one.
    fn either(&mut self, cond: Expr, then: Vec<HostStmt>, other: Vec<HostStmt>) -> HostStmt {
        let before = self.waits.waits.clone();
        let then_is_shorter = !other.is_empty() && std::ptr::eq(shorter([&then, &other]), &then);
        let then = self.steps(then);
        let after_then = self.waits.waits.clone();
        if !other.is_empty() {
            self.waits.waits = before;
        }
        let other = self.steps(other);
        if then_is_shorter {
            self.waits.waits = after_then;
        }
        HostStmt::If { cond, then, other }
    }

    /// A loop as a resident kernel, or, where its steps are large, as launches under the mappings that its nests have by
    /// themselves: there a step is more than the waits of its launches.
    fn by_size(&mut self, phases: &[HostStmt], own: &[HostStmt]) -> Option<Vec<HostStmt>> {
        let made = self.made(phases)?;
        let is_free = self.sync == Sync::Auto && !self.is_one_kernel;
        let Some(threads) = made.resident.of_step.clone().filter(|_| is_free) else {
            return Some(self.installed(made));
        };
        let replayed = own.iter().map(|s| self.replay(s)).collect::<Option<Vec<_>>>();
        let (launch, how) = match replayed {
            Some(_) => (Crossing::graph_node(), "replayed as a graph"),
            None => (Crossing::launch(), "launched one by one"),
        };
        let wait = |s: &HostStmt| launches_in_loop(s) as i64 * launch + fetches_in(s) as i64 * Crossing::fetch();
        let least = Crossing::large_step(exclusive::chained(own.to_vec()).iter().map(wait).sum());
        let mut cond = index::binary(BinOp::Ge, threads, Expr::Int(least));
        simplify::index_expr(&mut cond);
        match cond {
            Expr::Int(0) => Some(self.installed(made)),
            Expr::Int(_) => None,
            cond => {
                let other = self.installed(made);
                self.notes.push(format!(
                    "where the kernels of a step have {least} threads or more, kernels of its own mappings, {how}, in the place of phases"
                ));
                Some(vec![HostStmt::If { cond, then: replayed.unwrap_or_else(|| own.to_vec()), other }])
            }
        }
    }

    /// The resident kernel of some steps, if they can be one.
    fn made(&self, place: &[HostStmt]) -> Option<Made> {
        let barrier = match self.sync {
            Sync::Auto | Sync::Cooperative => GridSync::Cooperative,
            Sync::LockFree => GridSync::LockFree,
            Sync::Relaxed => GridSync::Relaxed,
            Sync::Asynchronous => GridSync::Asynchronous,
            Sync::Graph | Sync::Relaunch => return None,
        };
        let n_resident = self.plan.kernels.iter().filter(|k| k.resident.is_some()).count();
        let suffix = if n_resident == 0 { String::new() } else { format!("_{}", n_resident + 1) };
        let name = format!("rt_{}_steps{suffix}", self.plan.name);
        let assigned = names::assigned(place);
        let is_idle = |s: &HostStmt| match s {
            HostStmt::Compute(Stmt { kind: StmtKind::Let { var, init: None, .. }, .. }) => !assigned.contains(var),
            _ => false,
        };
        let mut steps: Vec<HostStmt> = place.iter().filter(|s| !is_idle(s)).cloned().collect();
        let has_choice = by_kernels(&mut steps);
        steps = exclusive::chained(steps);
        let is_asked = self.is_one_kernel || self.sync != Sync::Auto;
        let resident = resident(self.plan, place, &steps, name, barrier, is_asked)?;
        Some(Made { resident, steps, has_choice, barrier })
    }

    /// Puts a resident kernel in the plan; the steps of the host with it.
    fn installed(&mut self, Made { resident, steps, has_choice, barrier }: Made) -> Vec<HostStmt> {
        let Resident { kernel, mut work, unit, n_phases, is_near, mut before, after, handed_back, .. } = resident;
        simplify::index_expr(&mut work);
        steps.iter().for_each(|s| self.waits.add(s, Crossing::grid_barrier()));
        let threads = kernel.tunables[0].value;
        let line = first_line(&kernel.body);
        let id = self.plan.kernels.len();
        let how = match barrier {
            GridSync::Cooperative => "whose blocks wait for each other by grid.sync()",
            GridSync::LockFree => "whose blocks wait for each other by a lock-free barrier",
            GridSync::Relaxed if is_near => "whose blocks wait each for those beside it, by flags",
            GridSync::Relaxed => "whose blocks wait each for all others, by flags",
            GridSync::Asynchronous if kernel.never_waits() => {
                "whose blocks do not wait for each other within its counted loops: results differ from run to run, and only \
                 their residual tells whether they are right"
            }
            GridSync::Asynchronous => {
                "whose blocks wait for each other by grid.sync(): there is no counted loop that hands on arrays alone"
            }
        };
        self.notes.push(format!(
            "one resident kernel for all steps of {}, {how}; one block where a step is small",
            if n_phases == 1 { "one kernel".into() } else { format!("{n_phases} kernels") }
        ));
        if has_choice {
            self.notes
                .push("there the product with a sparse matrix is made by the kernel's own phases, and no call".into());
        }
        if !self.is_one_kernel {
            let n_barriers = kernel.body.iter().flat_map(Stmt::bodies).map(|body| n_waits(body)).sum();
            self.notes.push(break_even(n_barriers, ("wait", "waits"), Crossing::grid_barrier()));
        }
        let in_one_block = Crossing::one_block_work(&Step::of(&kernel));
        self.plan.kernels.push(kernel);
        let blocks = match in_one_block {
            0 => Blocks::AsFit { threads },
            in_one_block => Blocks::ByWork { in_one_block, threads },
        };
        before.push(HostStmt::Resident { kernel: id, on_chip: None, line, work, blocks, unit });
        before.extend(after);
        self.plan.arrays.extend(handed_back);
        before
    }

    /// A loop around launches and calls alone that are the same at every step.
    fn replay(&self, s: &HostStmt) -> Option<HostStmt> {
        let HostStmt::For { var, lo, hi, step, body } = s else { return None };
        if !matches!(self.sync, Sync::Auto | Sync::Graph) {
            return None;
        }
        if !body.iter().all(|s| self.is_same(s, var)) {
            return None;
        }
        let mut line = None;
        visit(body, &mut |s| {
            line = line.or(match s {
                HostStmt::Launch { line, .. } => Some(*line),
                HostStmt::Call { call, .. } => Some(call.line()),
                _ => None,
            });
        });
        let line = line?;
        let mut count = index::ceil_div(index::binary(BinOp::Sub, hi.clone(), lo.clone()), step.clone());
        simplify::index_expr(&mut count);
        Some(HostStmt::Replay { count, line, body: body.clone() })
    }

    fn say_replayed(&mut self, replay: &HostStmt) {
        self.notes.push("the launches of a step are made once, as a CUDA graph, and replayed".into());
        let body = || replay.bodies().into_iter().flatten();
        let calls = body().filter(|s| matches!(s, HostStmt::Call { .. })).count();
        let n = body().map(launches_in).sum::<usize>() + calls;
        self.notes.push(break_even(n, ("launch", "launches"), Crossing::graph_node()));
    }

    /// Test that a step does the same whatever the value of a counter around it: a launch or call, or a choice of some.
    fn is_same(&self, s: &HostStmt, var: &str) -> bool {
        match s {
            HostStmt::Launch { kernel, .. } => self.plan.kernels[*kernel].scalars.iter().all(|p| p.name != *var),
            HostStmt::Call { call, otherwise } => {
                otherwise.is_empty() && call.is_recordable() && !call.exprs().iter().any(|e| e.mentions(var))
            }
            HostStmt::Compute(Stmt { kind: StmtKind::Let { init: Some(init), .. }, .. }) => !init.mentions(var),
            HostStmt::If { cond, then, other } => {
                !cond.mentions(var) && then.iter().chain(other).all(|s| self.is_same(s, var))
            }
            _ => false,
        }
    }
}

/// Takes the kernels where there is a choice between them and a call for a sparse matrix; whether there is one.
fn by_kernels(steps: &mut Vec<HostStmt>) -> bool {
    let mut has_choice = false;
    let all = std::mem::take(steps);
    steps.extend(all.into_iter().flat_map(|mut s| match s {
        HostStmt::Call { call, otherwise } if matches!(*call, Call::Sparse(_)) && !otherwise.is_empty() => {
            has_choice = true;
            otherwise
        }
        _ => {
            s.bodies_mut().into_iter().for_each(|body| has_choice |= by_kernels(body));
            vec![s]
        }
    }));
    has_choice
}

/// The launches that a loop of the host makes at each step, but for those of a loop inside it.
fn launches_of_a_step(s: &HostStmt) -> usize {
    match s {
        HostStmt::For { body, .. } | HostStmt::While { body, .. } => body.iter().map(launches_in).sum(),
        _ => 0,
    }
}

/// The launches of a step of a loop of the host, those of loops inside it among them.
fn launches_in_loop(s: &HostStmt) -> usize {
    let within = |s: &HostStmt| match s {
        HostStmt::For { .. } | HostStmt::While { .. } => launches_in_loop(s),
        s => launches_in(s),
    };
    s.bodies().into_iter().flatten().map(within).sum()
}

/// The scalars of the device that the host asks for in a step of a loop.
fn fetches_in(s: &HostStmt) -> usize {
    let mut n = 0;
    s.bodies()
        .into_iter()
        .for_each(|body| visit(body, &mut |s| n += usize::from(matches!(s, HostStmt::CopyOut { .. }))));
    n
}

/// The launches of a step of the host: of a choice, those of the longer way.
fn launches_in(s: &HostStmt) -> usize {
    match s {
        HostStmt::Launch { .. } => 1,
        HostStmt::Nest { own, .. } => own.iter().map(launches_in).sum(),
        HostStmt::If { then, other, .. } => {
            let [then, other] = [then, other].map(|body| body.iter().map(launches_in).sum::<usize>());
            then.max(other)
        }
        _ => 0,
    }
}

/// What there is to say of steps that may be small.
fn break_even(n: usize, (one, several): (&str, &str), ns: i64) -> String {
    let operations = host::operations_in(n as i64 * ns).saturating_add(999) / 1000 * 1000;
    let (what, us) = (if n == 1 { one } else { several }, ns as f64 / 1000.0);
    format!(
        "{n} {what} a step, {us:.1} us each: with fewer than about {operations} operations a step, one core of the host is as \
         fast, and `min-work` keeps a call there"
    )
}

/// The waits for other blocks in statements, but for those in what hardly ever runs.
fn n_waits(body: &[Stmt]) -> usize {
    let of = |s: &Stmt| match &s.kind {
        StmtKind::If { cond, other, .. } if walk::is_rare(cond) => n_waits(other),
        _ => usize::from(s.is_of_grid()) + s.bodies().into_iter().map(|body| n_waits(body)).sum::<usize>(),
    };
    body.iter().map(of).sum()
}

/// Gives phases, which are named as the kernels whose place they take, names of their own.
fn name_phases(plan: &mut Region) {
    let kernels: BTreeSet<String> = plan.kernels.iter().map(|k| k.name.clone()).collect();
    let mut taken = kernels.clone();
    let mut rename = |name: &mut String| {
        let first = if kernels.contains(name) { format!("{name}_phase") } else { name.clone() };
        let mut all = std::iter::once(first.clone()).chain((2..).map(|n| format!("{first}_{n}")));
        *name = all.find(|name| !taken.contains(name)).expect("there are more numbers than phases");
        taken.insert(name.clone());
    };
    plan.kernels.iter_mut().flat_map(|k| &mut k.body).for_each(|s| each_phase(s, &mut rename));
}

fn each_phase(s: &mut Stmt, f: &mut dyn FnMut(&mut String)) {
    if let StmtKind::Phase { name, .. } = &mut s.kind {
        f(name);
    }
    s.bodies_mut().into_iter().flatten().for_each(|s| each_phase(s, f));
}

/// The first C line that a statement comes from.
fn first_line(body: &[Stmt]) -> u32 {
    let mut line = 0;
    body.iter().for_each(|s| s.visit(&mut |s| line = if line == 0 { s.line } else { line }));
    line
}

/// Leaves out kernels that nothing launches any more, and scalars of the device that no kernel has a use for.
fn drop_unused(plan: &mut Region) {
    let mut used = vec![false; plan.kernels.len()];
    launches(&mut plan.body, &mut |k| used[*k] = true);
    let mut moved = vec![0; used.len()];
    for k in 1..used.len() {
        moved[k] = moved[k - 1] + usize::from(used[k - 1]);
    }
    launches(&mut plan.body, &mut |k| *k = moved[*k]);
    plan.unordered.retain(|(x, y)| used[*x] && used[*y]);
    plan.unordered.iter_mut().for_each(|(x, y)| (*x, *y) = (moved[*x], moved[*y]));
    plan.partial_counts.retain(|(_, k)| used[*k]);
    plan.partial_counts.iter_mut().for_each(|(_, k)| *k = moved[*k]);
    plan.by_sizes = plan.by_sizes.iter().filter(|k| used[**k]).map(|k| moved[*k]).collect();
    let mut keep = used.iter();
    plan.kernels.retain(|_| *keep.next().expect("one for each kernel"));
    let kernels = &plan.kernels;
    let is_used = |a: &Array| kernels.iter().any(|k| k.arrays.iter().any(|x| x.name == a.name));
    plan.arrays.retain(|a| !a.extents.is_empty() || a.on_host || is_used(a));
}

fn launches(body: &mut [HostStmt], f: &mut dyn FnMut(&mut usize)) {
    visit_mut(body, &mut |s| {
        if let HostStmt::Launch { kernel, .. } | HostStmt::Resident { kernel, .. } = s {
            f(kernel);
        }
    });
}
