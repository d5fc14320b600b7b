//! A loop of the host around launches as one resident kernel: its blocks stay on the device from the first step to the
//! last, and wait for each other between the phases of a step.
//!
//! A launch costs three times what a barrier among resident blocks does, and a barrier within one block next to nothing
//! ([`Crossing`](crate::cost::Crossing)). Every launch becomes a *phase*: its blocks are shared out over the resident
//! ones, whatever their number, and a barrier stands before a phase that touches an array which another has written
//! since the last barrier, or writes one that another has read.
//!
//! ```text
//! for t in 0 .. steps                      for t in 0 .. steps step 1 {
//!   launch k0     (a -> b)                   for rt_block in g0 .. ceildiv(n, THREADS) step n0 { k0's body }
//!   launch k1     (b -> a)          ->       grid_barrier
//!                                            for rt_block_2 in g0 .. ceildiv(n, THREADS) step n0 { k1's body }
//!                                            grid_barrier
//!                                          }
//! ```
//! The persistent kernel with a barrier between its steps is rt-cuda's (section 3.3).
//!
//! There is no barrier where the plan knows that two phases do not wait for each other (`Region::unordered`). Scalars
//! that end the loop are computed by every thread, from what all of them see behind a barrier.

use crate::ast::BinOp;
use crate::cost::Crossing;
use crate::host_plan::ir::{Array, HostStmt, NotKept, Param, Region};
use crate::kernel::verify::launch_shared;
use crate::kernel::{
    Access, ArrayParam, Expr, GridSync, Kernel, Registers, ScalarParam, ScalarType, Stmt, StmtKind, THREADS, Tunable,
    Usage, simplify, walk,
};
use crate::schedule::block::resident_threads;
use crate::schedule::index::{add, binary, ceil_div, max, mul, var};
use crate::target::MAX_BLOCK;
use build::{Build, Changing, Rows, Touched, by_one_thread};
use names::{changed, declared_by_host, read};
use share::{iterations, runs_long, strided_blocks, with_numbers};
use std::collections::{BTreeMap, BTreeSet};

mod asynchronous;
mod build;
pub(super) mod exclusive;
pub(super) mod names;
mod near;
mod share;
mod uniform;

/// More threads than any device has, where only the loop knows how many.
const MANY: i64 = i32::MAX as i64;

/// Part of a variable's first value that it has in the mean over a loop that halves it, from some 65,536 on.
const OF_DIVIDED: i64 = 8;

/// A loop as a kernel.
pub struct Resident {
    pub kernel: Kernel,
    /// How many threads its widest phase has use for, about: halfway through each loop.
    pub work: Expr,
    /// How many threads all phases of a step have use for, together, each as often as it is slower in a phase; `None`: nobody knows
    /// before it runs.
    pub of_step: Option<Expr>,
    /// What the threads of its blocks must be a multiple of.
    pub unit: i64,
    /// The launches that it takes the place of.
    pub n_phases: usize,
    /// Flag: blocks wait for those beside them alone.
    pub is_near: bool,
    /// What the host sets before the launch, and takes over after it; arrays of one element for that.
    pub before: Vec<HostStmt>,
    pub after: Vec<HostStmt>,
    pub handed_back: Vec<Array>,
}

/// The resident kernel of a loop of the host, or of some steps in a row; `None` where something there needs the host, or
/// where a thread of some phase has a loop of its own to run, next to which a launch costs nothing, unless the user has asked
/// for it: only he knows that such loops are short (the rows of a sparse matrix). The loop is `steps`, and `place` in the
/// region's plan, where there is a choice of some of its kernels yet.
pub fn resident(
    region: &Region,
    place: &[HostStmt],
    steps: &[HostStmt],
    name: String,
    sync: GridSync,
    is_asked: bool,
) -> Option<Resident> {
    let mut build = Build { is_asked, ..Build::new(region) };
    build.find_changing(steps)?;
    build.growing = names::growing(steps);
    build.divided = names::divided(steps);
    build.begin_divided();
    build.uniform = uniform::find(region, place, steps, &mut build.names);
    build.rows = build.find_rows(sync, steps);
    let mut body = build.rows.as_ref().map_or(vec![], Rows::declared);
    body.extend(build.begin());
    body.extend(build.begin_uniform()?);
    body.extend(build.steps(steps)?);
    body.extend(build.end_uniform()?);
    body.extend(build.end());
    let mut body = [build.shared_of_uniform(&body), body].concat();
    if let Some(rows) = &build.rows {
        rows.wait(&mut body);
    }
    if sync == GridSync::Asynchronous {
        body = asynchronous::without_waits(body);
    }
    let (threads, unit) = build.threads(&build.phases)?;
    let work = widest(std::mem::take(&mut build.work));
    let of_step = of_step(steps, &build.threads);
    let declared = walk::declared(&body);
    let mut needed = BTreeSet::new();
    body.iter().for_each(|s| s.visit(&mut |s| s.exprs().into_iter().for_each(|e| e.variables(&mut needed))));
    work.variables(&mut needed);
    build.arrays.values().flat_map(|a| &a.extents).for_each(|e| e.variables(&mut needed));
    let scalars: Vec<_> = needed.iter().filter(|n| !declared.contains(*n)).filter_map(|n| build.scalar(n)).collect();
    // A scalar of the device, of which the host's own value is wanted besides: one kernel has no two by that name.
    if scalars.iter().any(|s| build.arrays.contains_key(&s.name)) {
        return None;
    }
    let kernels = || build.phases.iter().map(|k| &region.kernels[*k]);
    let between = match build.rows {
        Some(_) => "between which each block waits for those beside it",
        None if sync == GridSync::Asynchronous => "with barriers among the blocks between, but in counted loops",
        None => "with barriers among the blocks between",
    };
    let mut kernel = Kernel {
        name,
        scalars,
        arrays: build.arrays.values().cloned().collect(),
        tunables: vec![Tunable { name: THREADS.into(), value: threads }],
        larger: vec![],
        smaller: vec![],
        is_uneven: false,
        wide: None,
        index_bits: kernels().map(|k| k.index_bits).max()?,
        resident: Some(sync),
        grid: vec![ceil_div(work.clone(), var(THREADS))],
        block: vec![var(THREADS)],
        body,
        notes: vec![match build.phases.len() {
            1 => format!("all steps of one phase, {between}"),
            n => format!("all steps of {n} phases, {between}"),
        }],
        registers: Registers::AsItLikes,
    };
    simplify::kernel(&mut kernel);
    // A small step has one block, of as many threads as there can be: its tiles must find room as well.
    let most = vec![Tunable { name: THREADS.into(), value: i64::from(MAX_BLOCK) }];
    if launch_shared(&Kernel { tunables: most, ..kernel.clone() }).is_some() {
        return None;
    }
    let (before, after, handed_back) = build.handed_over();
    Some(Resident {
        kernel,
        work,
        of_step,
        unit,
        n_phases: build.phases.len(),
        is_near: build.rows.is_some(),
        before,
        after,
        handed_back,
    })
}

/// The steps of a loop in each of the two turns of buffers that change places in every iteration, where they choose by the turn
/// once, and set it once.
fn turns(region: &Region, body: &[HostStmt]) -> Option<[Vec<HostStmt>; 2]> {
    let turn = &region.rotation.as_ref().filter(|x| x.turns.len() == 2)?.turn;
    let is_first = binary(BinOp::Eq, var(turn), Expr::Int(0));
    let is_choice = |s: &HostStmt| matches!(s, HostStmt::If { cond, .. } if *cond == is_first);
    let is_set =
        |s: &HostStmt| matches!(s, HostStmt::Compute(Stmt { kind: StmtKind::Assign { var, .. }, .. }) if var == turn);
    let (mut choices, mut sets) = (body.iter().filter(|s| is_choice(s)), body.iter().filter(|s| is_set(s)));
    let HostStmt::If { then, other, .. } = choices.next()? else { return None };
    sets.next()?;
    let is_set_within = body.iter().any(|s| !is_set(s) && names::assigned(std::slice::from_ref(s)).contains(turn));
    (choices.next().is_none() && sets.next().is_none() && !is_set_within).then(|| {
        [then, other].map(|way| {
            let of = |s: &HostStmt| if is_choice(s) { way.clone() } else { vec![s.clone()] };
            body.iter().flat_map(of).collect()
        })
    })
}

/// Test for a choice both of whose ways have a barrier within, and none for both before.
fn both_ways_wait(made: &[Stmt]) -> bool {
    let is_barrier = |s: &Stmt| s.kind == StmtKind::GridBarrier;
    let waits = |way: &[Stmt]| way.iter().any(is_barrier);
    let is_choice = |s: &Stmt| matches!(&s.kind, StmtKind::If { then, other, .. } if waits(then) && waits(other));
    made.iter().position(is_choice).is_some_and(|at| at == 0 || !is_barrier(&made[at - 1]))
}

/// The most of some numbers of threads, of which those for a block or less do not count where others are not known.
fn widest(all: Vec<Expr>) -> Expr {
    let (known, other): (Vec<_>, Vec<_>) = all.into_iter().partition(|e| matches!(e, Expr::Int(_)));
    let most = known.into_iter().filter_map(|e| if let Expr::Int(n) = e { Some(n) } else { None }).max().unwrap_or(1);
    let most = (other.is_empty() || most > i64::from(MAX_BLOCK)).then_some(Expr::Int(most));
    max(most.into_iter().chain(other)).expect("a phase at least")
}

/// Threads that the phases of a step have use for, together: of a choice, those of the way with more of them.
fn of_step(steps: &[HostStmt], threads: &BTreeMap<usize, Expr>) -> Option<Expr> {
    let mut terms: Vec<(Expr, i64)> = vec![];
    for s in steps {
        let of = match s {
            HostStmt::Launch { kernel, .. } => threads.get(kernel).cloned().unwrap_or(Expr::Int(0)),
            s => {
                let ways = s.bodies().into_iter().map(|body| of_step(body, threads)).collect::<Option<Vec<_>>>()?;
                let mut ways: Vec<Expr> = ways.into_iter().filter(|way| *way != Expr::Int(0)).collect();
                ways.dedup();
                max(ways).unwrap_or(Expr::Int(0))
            }
        };
        if matches!(of, Expr::Int(n) if n >= MANY) {
            return None;
        }
        match terms.iter_mut().find(|(known, _)| *known == of) {
            Some((_, times)) => *times += 1,
            None => terms.push((of, 1)),
        }
    }
    let mut sum = terms.into_iter().map(|(of, times)| mul(Expr::Int(times), of)).reduce(add).unwrap_or(Expr::Int(0));
    simplify::index_expr(&mut sum);
    Some(sum)
}

impl Build<'_> {
    /// The threads of a block, and what they must be a multiple of; every phase must be cut to them.
    fn threads(&self, phases: &[usize]) -> Option<(i64, i64)> {
        let of = |k: &usize| self.region.kernels[*k].extents().iter().map(|t| t.value).collect::<Vec<_>>();
        let all: Vec<Vec<i64>> = phases.iter().map(of).filter(|e| !e.is_empty()).collect();
        let threads = resident_threads(all.iter().map(Vec::as_slice))?;
        // The extents but the outermost stay as they are, whatever the threads: powers of two, or there is one of them.
        let unit = all.iter().map(|e| e.iter().skip(1).product::<i64>()).max()?;
        let fits = |e: &Vec<i64>| unit % e.iter().skip(1).product::<i64>() == 0;
        (threads % unit == 0 && i64::from(MAX_BLOCK) % unit == 0 && all.iter().all(fits)).then_some((threads, unit))
    }

    fn scalar(&self, name: &str) -> Option<ScalarParam> {
        let of_kernels = self.phases.iter().flat_map(|k| &self.region.kernels[*k].scalars).find(|s| s.name == name);
        let started = || self.changing.values().find(|c| c.start == name).map(|c| c.ty);
        let ty = of_kernels.map(|s| s.ty).or_else(started).or_else(|| self.host_type(name))?;
        Some(ScalarParam { name: name.to_string(), ty })
    }

    fn steps(&mut self, body: &[HostStmt]) -> Option<Vec<Stmt>> {
        let mut out = vec![];
        for s in body {
            match s {
                HostStmt::Launch { kernel, .. } => out.extend(self.phase(*kernel)?),
                HostStmt::Compute(Stmt { kind: StmtKind::Let { var, ty, init: Some(init) }, line }) => {
                    let init = self.partials(var).unwrap_or_else(|| init.clone());
                    let halfway = self.at_halfway(&init);
                    self.halfway.insert(var.clone(), self.in_the_mean(var, halfway));
                    let init = self.in_kernel(&init);
                    out.push(Stmt { kind: StmtKind::Let { var: var.clone(), ty: *ty, init: Some(init) }, line: *line });
                }
                HostStmt::Compute(s @ Stmt { kind: StmtKind::Let { init: None, .. }, .. }) => out.push(s.clone()),
                HostStmt::Compute(s) => out.push(self.assigned(s)?),
                HostStmt::CopyOut { array } => out.extend(self.fetched(array)?),
                HostStmt::Break => {
                    self.at_breaks.0.extend(self.since.0.clone());
                    out.push(Stmt::made(StmtKind::Break));
                }
                _ => out.extend(self.step(s)?),
            }
        }
        Some(out)
    }

    fn step(&mut self, s: &HostStmt) -> Option<Vec<Stmt>> {
        match s {
            HostStmt::For { var, lo, hi, step, body } => {
                let middle = binary(BinOp::Div, add(lo.clone(), hi.clone()), Expr::Int(2));
                let middle = self.at_halfway(&middle);
                self.halfway.insert(var.clone(), middle);
                let [lo, hi, step] = [lo, hi, step].map(|e| self.in_kernel(e));
                let body = self.loop_body(body)?;
                Some(vec![Stmt::made(StmtKind::counted(var.clone(), [lo, hi, step], body))])
            }
            HostStmt::While { cond, step, body } => {
                let cond = self.in_kernel(cond);
                let body = self.loop_body(body)?;
                let step = step.iter().map(|s| self.assigned(s)).collect::<Option<_>>()?;
                Some(vec![Stmt::made(StmtKind::While { cond, step, body })])
            }
            HostStmt::If { cond, then, other } => {
                let cond = self.in_kernel(cond);
                let (before, carried) = (self.since.clone(), self.carried.clone());
                let mut then = self.steps(then)?;
                let after_then = std::mem::replace(&mut self.since, before.clone());
                self.carried = carried.clone();
                // A barrier that one way begins with is for both: what follows then needs none again.
                let waits = then.first().is_some_and(|s| s.kind == StmtKind::GridBarrier);
                if waits {
                    then.remove(0);
                    self.since = Touched::default();
                    self.carried = Touched::default();
                }
                let carried = self.carried.clone();
                let other = self.steps(other)?;
                self.carried = carried;
                if !waits {
                    self.since.0.extend(before.0);
                }
                self.since.0.extend(after_then.0);
                let barrier = waits.then(|| Stmt::made(StmtKind::GridBarrier));
                Some(barrier.into_iter().chain([Stmt::made(StmtKind::If { cond, then, other })]).collect())
            }
            _ => None,
        }
    }

    /// The body of a loop, with the barrier that ends an iteration where the next one needs it.
    fn loop_body(&mut self, body: &[HostStmt]) -> Option<Vec<Stmt>> {
        let start = self.clone();
        let outer = std::mem::take(&mut self.at_breaks);
        let mut made = self.steps(body)?;
        // One that an iteration begins with serves the next one, too.
        let is_declared = |s: &&Stmt| matches!(s.kind, StmtKind::Let { .. });
        let begins = made.iter().find(|s| !is_declared(s)).is_some_and(|s| s.kind == StmtKind::GridBarrier);
        let mut left = std::mem::take(&mut self.since);
        if !begins && start.meets_next(&made, &left, body)? {
            made.push(Stmt::made(StmtKind::GridBarrier));
            left = Touched::default();
        }
        // The loop may have had no iteration, and so no barrier; a `break` passes by the last one.
        self.since = start.since;
        self.carried = start.carried;
        self.since.0.extend(left.0);
        self.since.0.extend(std::mem::replace(&mut self.at_breaks, outer).0);
        Some(made)
    }

    /// Test that an iteration conflicts, before its first barrier, with what the one before has left behind its last.
    fn meets(mut self, left: &Touched, body: &[HostStmt]) -> Option<bool> {
        self.carried = left.clone();
        self.meets_carried = false;
        self.steps(body)?;
        Some(self.meets_carried)
    }

    /// Test that an iteration of these steps, which have become `made` and have left what `left` says, conflicts with the next
    /// one. Where two turns share the steps, each with a barrier of its own, an iteration meets what the other turn has left.
    fn meets_next(&self, made: &[Stmt], left: &Touched, body: &[HostStmt]) -> Option<bool> {
        let Some([one, other]) = turns(self.region, body).filter(|_| both_ways_wait(made)) else {
            return self.clone().meets(left, body);
        };
        let left_by = |steps: &[HostStmt]| {
            let mut build = Build { since: Touched::default(), ..self.clone() };
            build.steps(steps)?;
            Some(build.since)
        };
        Some(self.clone().meets(&left_by(&one)?, &other)? || self.clone().meets(&left_by(&other)?, &one)?)
    }

    /// Finds the variables of the host's that steps change; `None` where one has no type here.
    fn find_changing(&mut self, body: &[HostStmt]) -> Option<()> {
        // What the host has fetched before the loop has, as a number in the kernel, another name than where it is fetched
        // from.
        let is_fetched = |name: &String| self.region.arrays.iter().any(|a| a.name == *name && a.extents.is_empty());
        let fetched: Vec<String> = read(body).into_iter().filter(is_fetched).collect();
        for name in changed(body).into_iter().chain(fetched) {
            if self.changing.contains_key(&name) {
                continue;
            }
            let ty = self.host_type(&name)?;
            let local = self.names.fresh(&format!("rt_{name}"));
            let start = self.names.fresh(&format!("rt_{name}_start"));
            let end = self.names.fresh(&format!("rt_{name}_end"));
            self.changing.insert(name, Changing { local, start, end, ty });
        }
        Some(())
    }

    /// The type of a variable in the host's scope.
    fn host_type(&self, name: &str) -> Option<ScalarType> {
        let of_param = self.region.params.iter().find_map(|p| match p {
            Param::Scalar { name: n, ty, .. } | Param::ScalarInOut { name: n, ty, .. } if n == name => Some(*ty),
            _ => None,
        });
        let of_array = || self.region.arrays.iter().find(|a| a.name == name && a.extents.is_empty()).map(|a| a.ty);
        of_param.or_else(of_array).or_else(|| declared_by_host(&self.region.body).get(name).copied())
    }

    /// An expression of the host's, in the kernel.
    fn in_kernel(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        e.replace(&mut |e| self.by_thread(e));
        e
    }

    /// An assignment of the host's, in the kernel: every thread makes it.
    fn assigned(&self, s: &Stmt) -> Option<Stmt> {
        let StmtKind::Assign { var, op, value } = &s.kind else { return None };
        let var = self.changing.get(var).map_or(var, |c| &c.local).clone();
        Some(Stmt { kind: StmtKind::Assign { var, op: *op, value: self.in_kernel(value) }, line: s.line })
    }

    /// A scalar of the device that the host looks at.
    fn fetched(&mut self, array: &str) -> Option<Vec<Stmt>> {
        let a = self.region.arrays.iter().find(|a| a.name == array && a.extents.is_empty())?;
        let local = self.changing.get(array)?.local.clone();
        if let Some(u) = self.uniform.get(array) {
            let kind = StmtKind::Assign { var: local, op: None, value: var(&u.local) };
            return Some(vec![Stmt::made(kind)]);
        }
        self.array(&ArrayParam { name: a.name.clone(), ty: a.ty, extents: vec![], usage: Usage::Read })?;
        let mut out: Vec<Stmt> = self.touch(None, std::iter::once((&a.name, Usage::Read))).into_iter().collect();
        let value = Expr::Load(Access { array: a.name.clone(), index: vec![] });
        out.push(Stmt::made(StmtKind::Assign { var: local, op: None, value }));
        Some(out)
    }

    /// The kernel's own copies of what the loop changes.
    fn begin(&self) -> Vec<Stmt> {
        let copy = |c: &Changing| StmtKind::Let { var: c.local.clone(), ty: c.ty, init: Some(var(&c.start)) };
        self.changing.values().map(|c| Stmt::made(copy(c))).collect()
    }

    /// Hands the last values back.
    fn end(&mut self) -> Vec<Stmt> {
        let mut then = vec![];
        for c in self.changing.values() {
            let target = Access { array: c.end.clone(), index: vec![] };
            then.push(Stmt::made(StmtKind::Store { target, op: None, value: var(&c.local) }));
            let end = ArrayParam { name: c.end.clone(), ty: c.ty, extents: vec![], usage: Usage::Write };
            self.arrays.insert(c.end.clone(), end);
        }
        if then.is_empty() { vec![] } else { vec![by_one_thread(then)] }
    }

    /// What the host does before and after the launch, and the arrays that the last values come back in.
    fn handed_over(&self) -> (Vec<HostStmt>, Vec<HostStmt>, Vec<Array>) {
        let (mut before, mut after, mut arrays) = (vec![], vec![], vec![]);
        for (name, c) in &self.changing {
            let start = StmtKind::Let { var: c.start.clone(), ty: c.ty, init: Some(var(name)) };
            before.push(HostStmt::Compute(Stmt::made(start)));
            after.push(HostStmt::CopyOut { array: c.end.clone() });
            let assign = StmtKind::Assign { var: name.clone(), op: None, value: var(&c.end) };
            after.push(HostStmt::Compute(Stmt::made(assign)));
            arrays.push(Array {
                name: c.end.clone(),
                ty: c.ty,
                extents: vec![],
                on_host: true,
                live_in: None,
                live_out: Some((Expr::Int(0), Expr::Int(1))),
                not_kept: Some(NotKept::Scalar),
                beside: vec![],
                own: None,
                is_scratch: false,
                rows: None,
                reach: None,
            });
        }
        (before, after, arrays)
    }

    /// The number of partial results, if a variable of the host's has it: one for each block that is resident and has work.
    fn partials(&self, name: &str) -> Option<Expr> {
        let (_, kernel) = self.region.partial_counts.iter().find(|(var, _)| var == name)?;
        Some(strided_blocks(&with_numbers(&self.region.kernels[*kernel])))
    }

    /// An expression of the loop's middle, over what stands outside of the loop.
    fn at_halfway(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        e.replace(&mut |e| match e {
            Expr::Var(name) => self.halfway.get(name).cloned(),
            Expr::GridSize(_) => Some(Expr::Int(1)),
            _ => None,
        });
        e
    }

    /// The value of a variable in the mean over a loop that divides it at each step: 2 / log2(n) of the first, `n`.
    fn in_the_mean(&self, var: &String, first: Expr) -> Expr {
        let is_divided = self.divided.contains(var);
        if is_divided { binary(BinOp::Div, first, Expr::Int(OF_DIVIDED)) } else { first }
    }

    /// Means of those variables that have a value before the steps.
    fn begin_divided(&mut self) {
        let before = self.divided.iter().filter(|name| self.changing.contains_key(*name));
        let means: Vec<_> = before.map(|name| (name.clone(), self.in_the_mean(name, var(name)))).collect();
        self.halfway.extend(means);
    }

    /// A launch as a phase, with the barrier that it needs before it.
    fn phase(&mut self, id: usize) -> Option<Vec<Stmt>> {
        let kernel = &with_numbers(&self.region.kernels[id]);
        let may_run_long = self.is_asked || self.region.by_sizes.contains(&id);
        if !may_run_long && runs_long(&kernel.body) || copies_ahead(kernel) || scans(kernel) {
            return None;
        }
        self.phases.push(id);
        let is_everyones = self.is_everyones(kernel);
        let (mut usual, mut rare) = (kernel.body.clone(), vec![]);
        if is_everyones {
            uniform::take_rare(&mut usual, &mut rare);
        }
        let arrays = || kernel.arrays.iter().filter(|a| !self.uniform.contains_key(&a.name));
        let touched = arrays().filter(|a| rare.is_empty() || walk::touches(&usual, &a.name));
        let touched: Vec<_> = touched.map(|a| (a.name.clone(), a.usage)).collect();
        let left = kernel.written().filter(|a| walk::touches(&rare, &a.name));
        let left = left.map(|a| ArrayParam { usage: Usage::ReadWrite, ..a.clone() });
        // What no phase writes of what it reads another phase does.
        let usage = |a: &ArrayParam| if a.usage == Usage::Turns { Usage::ReadWrite } else { a.usage };
        let arrays: Vec<ArrayParam> =
            arrays().map(|a| ArrayParam { usage: usage(a), ..a.clone() }).chain(left).collect();
        let mut out: Vec<Stmt> =
            self.touch(Some(id), touched.iter().map(|(name, usage)| (name, *usage))).into_iter().collect();
        arrays.iter().try_for_each(|a| self.array(a))?;
        if is_everyones {
            out.extend(self.by_everyone(kernel));
            return Some(out);
        }
        // Where a block has more dimensions than the grid, threads share an element's loops.
        let mut threads = match kernel.grid.len() == kernel.block.len() {
            true => kernel.grid.iter().zip(&kernel.block).map(|(g, b)| iterations(g, b)).reduce(mul)?,
            false => kernel.grid.iter().chain(&kernel.block).cloned().reduce(mul)?,
        };
        for t in &kernel.tunables {
            threads.replace(&mut |e| (*e == var(&t.name)).then_some(Expr::Int(t.value)));
        }
        let mut threads = self.at_halfway(&threads);
        if threads.any(&mut |e| matches!(e, Expr::Var(name) if self.growing.contains(name))) {
            threads = Expr::Int(MANY);
        }
        simplify::index_expr(&mut threads);
        let updates = !walk::all(&kernel.body, &|s| !matches!(s.kind, StmtKind::Atomic { .. }));
        let times = if updates { Crossing::update() } else { 1 };
        self.threads.insert(id, mul(Expr::Int(times), threads.clone()));
        if !self.work.contains(&threads) {
            self.work.push(threads);
        }
        let note = kernel.notes.first().cloned().unwrap_or_default();
        let body = self.shared_out(kernel);
        out.push(Stmt::made(StmtKind::Phase { name: kernel.name.clone(), note, body }));
        Some(out)
    }
}

/// Scan in a kernel, whose blocks are as many as its launch says.
fn scans(kernel: &Kernel) -> bool {
    let mut found = false;
    walk::visit(&kernel.body, &mut |s| found |= matches!(s.kind, StmtKind::ScanBlocks { .. }));
    found
}

/// Asynchronous copies of a kernel: of what other phases may write, to more shared memory than a phase has.
fn copies_ahead(kernel: &Kernel) -> bool {
    let mut found = false;
    walk::visit(&kernel.body, &mut |s| found |= matches!(s.kind, StmtKind::CopyAsync { .. }));
    found
}
