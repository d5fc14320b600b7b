//! Scalars of the device that every thread of a resident kernel keeps for itself.
//!
//! What one thread computes from scalars, every thread can compute, and what one block joins, every block can: all of
//! them have the same result, in a register and without a barrier around it. The step of a method that needs two sums is
//! then three phases and not seven.
//!
//! ```text
//! grid_barrier                                       grid_barrier
//! phase join { if g0 == 0: pq = sum of parts }       rt_pq = sum of parts                 every block
//! grid_barrier                                  ->   rt_alpha = rt_rr / rt_pq             every thread
//! phase { if g0 == 0 and t0 == 0: alpha = rr / pq }
//! grid_barrier
//! ```
//! A scalar is kept so if nothing but such statements writes it in the loop, and what hardly ever runs: that is one thread's
//! still, with barriers before and behind it, for which the others wait only when it runs.

use super::build::{Build, Uniform, by_one_thread};
use crate::host_plan::ir::{Array, HostStmt, Region, launched};
use crate::kernel::rename::rename;
use crate::kernel::{Access, ArrayParam, Expr, Kernel, Stmt, StmtKind, THREADS, Usage, walk};
use crate::poly::names::Names;
use crate::schedule::index::var;
use indexmap::IndexMap;

/// Scalars that every thread may have, of those that the kernels in `steps` write, which stand in the region's plan as
/// `place`.
pub(super) fn find(
    region: &Region,
    place: &[HostStmt],
    steps: &[HostStmt],
    names: &mut Names,
) -> IndexMap<String, Uniform> {
    let inside = launched(steps);
    let kernels: Vec<&Kernel> = inside.iter().map(|k| &region.kernels[*k]).collect();
    let is_written = |name: &str| kernels.iter().any(|k| writes(k, name));
    let scalars = region.arrays.iter().filter(|a| a.extents.is_empty() && is_written(&a.name));
    let mut kept: Vec<_> = scalars.filter_map(|a| Some((a, has_start(region, place, &a.name)?))).collect();
    // A kernel that writes something else besides is not for every thread: so none of its scalars is.
    loop {
        let is_kept = |name: &str| kept.iter().any(|(a, _)| a.name == name);
        let is_same = |name: &str| is_kept(name) || !is_written(name);
        let spoilt = |name: &str| kernels.iter().any(|k| writes(k, name) && !is_for_all(k, &is_kept, &is_same));
        let Some(at) = kept.iter().position(|(a, _)| spoilt(&a.name)) else { break };
        kept.remove(at);
    }
    let uniform = |(a, has_start): (&Array, bool)| {
        let is_read = |k: usize| !inside.contains(&k) && region.kernels[k].arrays.iter().any(|x| x.name == a.name);
        let is_wanted = a.on_host || a.live_out.is_some() || launched(&region.body).into_iter().any(is_read);
        let local = names.fresh(&format!("rt_{}", a.name));
        let shared = names.fresh(&format!("rt_{}_joined", a.name));
        let again = names.fresh(&format!("rt_{}_again", a.name));
        (a.name.clone(), Uniform { local, shared, again, ty: a.ty, has_start, is_wanted })
    };
    kept.into_iter().map(uniform).collect()
}

fn writes(kernel: &Kernel, name: &str) -> bool {
    kernel.written().any(|a| a.name == name)
}

/// Test that a scalar has a value before the loop; `None` where that depends on the way there.
fn has_start(region: &Region, steps: &[HostStmt], name: &str) -> Option<bool> {
    let array = region.arrays.iter().find(|a| a.name == name)?;
    let writes_it = |s: &HostStmt| launched(std::slice::from_ref(s)).iter().any(|k| writes(&region.kernels[*k], name));
    // On the way to the loop: what stands before it in its list, and in the lists around.
    let (mut list, mut surely, mut maybe) = (&region.body, array.live_in.is_some(), false);
    loop {
        let at = list.iter().position(|s| holds(s, steps))?;
        surely |= list[..at].iter().any(|s| matches!(s, HostStmt::Launch { .. }) && writes_it(s));
        maybe |= list[..at].iter().any(writes_it);
        let around = &list[at];
        if steps.contains(around) {
            break;
        }
        // In a loop around, what stands behind this one has run before it, too.
        maybe |= !matches!(around, HostStmt::If { .. })
            && list_of(around, steps)?.iter().any(|s| !steps.contains(s) && writes_it(s));
        list = list_of(around, steps)?;
    }
    if surely || !maybe { Some(surely) } else { None }
}

/// Test that a step is, or holds, the first of some.
fn holds(s: &HostStmt, steps: &[HostStmt]) -> bool {
    steps.first() == Some(s) || s.bodies().into_iter().flatten().any(|inner| holds(inner, steps))
}

fn list_of<'a>(around: &'a HostStmt, steps: &[HostStmt]) -> Option<&'a Vec<HostStmt>> {
    around.bodies().into_iter().find(|body| body.iter().any(|s| holds(s, steps)))
}

/// Test that all threads may do what a kernel of one thread, or of one block, does: straight code that leaves nothing but
/// such scalars and, by one thread, elements that it does not read. What one thread alone computes with is the same for all:
/// no array that changes in the loop. What hardly ever runs sets nothing but such scalars.
fn is_for_all(kernel: &Kernel, is_kept: &dyn Fn(&str) -> bool, is_same: &dyn Fn(&str) -> bool) -> bool {
    let n_extents = kernel.extents().len();
    let is_block = n_extents > 0;
    if is_block && (n_extents != 1 || kernel.grid.iter().any(|g| *g != Expr::Int(1))) {
        return false;
    }
    let (mut usual, mut rare) = (kernel.body.clone(), vec![]);
    take_rare(&mut usual, &mut rare);
    let sets_kept = |s: &Stmt| match &s.kind {
        StmtKind::Let { .. } | StmtKind::LocalArray { .. } | StmtKind::Assign { .. } => true,
        StmtKind::If { .. } | StmtKind::For { .. } | StmtKind::While { .. } => true,
        StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Store { target, .. } => is_kept(&target.array),
        _ => false,
    };
    if !rare.is_empty() && (is_block || !walk::all(&rare, &sets_kept)) {
        return false;
    }
    let is_loaded = |name: &str| walk::loads(&usual, name);
    if !is_block && kernel.arrays.iter().any(|a| is_loaded(&a.name) && !is_same(&a.name)) {
        return false;
    }
    let is_join = |s: &Stmt| matches!(s.kind, StmtKind::BlockReduce { .. });
    let mut in_control = false;
    usual.iter().flat_map(Stmt::bodies).for_each(|inner| walk::visit(inner, &mut |s| in_control |= is_join(s)));
    if in_control {
        return false;
    }
    let fits = |s: &Stmt| match &s.kind {
        StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::If { .. } => true,
        StmtKind::For { .. } => is_block,
        StmtKind::BlockReduce { target, .. } => is_kept(&target.array),
        // By every thread, or by one what the others do not see.
        StmtKind::Store { target, .. } if is_kept(&target.array) => !is_block,
        StmtKind::Store { target, op, .. } => !is_block && op.is_none() && !is_loaded(&target.array),
        _ => false,
    };
    walk::all(&usual, &fits)
}

/// Takes what hardly ever runs out of statements.
pub(super) fn take_rare(stmts: &mut [Stmt], rare: &mut Vec<Stmt>) {
    for s in stmts {
        match &mut s.kind {
            StmtKind::If { cond, then, .. } if walk::is_rare(cond) => rare.append(then),
            _ => s.bodies_mut().into_iter().for_each(|body| take_rare(body, rare)),
        }
    }
}

impl Build<'_> {
    /// Test that every thread does what this kernel does: one that writes such scalars.
    pub(super) fn is_everyones(&self, kernel: &Kernel) -> bool {
        kernel.written().any(|a| self.uniform.contains_key(&a.name))
    }

    /// What such a kernel does, by every thread, or every block.
    pub(super) fn by_everyone(&mut self, kernel: &Kernel) -> Vec<Stmt> {
        let mut body = kernel.body.clone();
        for name in walk::declared(&body) {
            let other = self.names.fresh(&name);
            body.iter_mut().for_each(|s| rename(s, &name, &other));
        }
        let is_extent = |name: &str| kernel.extents().iter().any(|t| t.name == name);
        body.iter_mut().for_each(|s| {
            s.replace(&|e| match e {
                Expr::Var(name) if is_extent(name) => Some(var(THREADS)),
                Expr::BlockIdx(_) => Some(Expr::Int(0)),
                Expr::GridSize(_) => Some(Expr::Int(1)),
                e => self.by_thread(e),
            });
        });
        self.with_locals(body)
    }

    /// A variable of the host's that the loop changes, or a scalar that every thread has, in the thread.
    pub(super) fn by_thread(&self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Var(name) => self.changing.get(name).map(|c| var(&c.local)),
            Expr::Load(access) => self.uniform.get(&access.array).map(|u| var(&u.local)),
            _ => None,
        }
    }

    fn with_locals(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = vec![];
        // Values that the block has joined, and what each thread takes over behind the barrier.
        let mut joined: Vec<Stmt> = vec![];
        for mut s in body {
            match &mut s.kind {
                StmtKind::If { cond, then, .. } if walk::is_rare(cond) => *then = self.by_first_thread(then),
                _ => s.bodies_mut().into_iter().for_each(|inner| *inner = self.with_locals(std::mem::take(inner))),
            }
            let line = s.line;
            if !matches!(s.kind, StmtKind::BlockReduce { .. }) {
                out.extend(behind_barrier(&mut joined));
            }
            match s.kind {
                StmtKind::Store { target, op, value } if self.uniform.contains_key(&target.array) => {
                    let var = self.uniform[&target.array].local.clone();
                    out.push(Stmt { kind: StmtKind::Assign { var, op, value }, line });
                }
                StmtKind::Store { .. } => out.push(by_one_thread(vec![s])),
                StmtKind::BlockReduce { op, ty, value, target } => {
                    let Uniform { local, shared, .. } = &self.uniform[&target.array];
                    let target = Access { array: shared.clone(), index: vec![Expr::Int(0)] };
                    let value_of = Expr::Load(target.clone());
                    let assign = StmtKind::Assign { var: local.clone(), op: None, value: value_of };
                    joined.push(Stmt { kind: assign, line });
                    out.push(Stmt { kind: StmtKind::BlockReduce { op, ty, value, target }, line });
                }
                kind => out.push(Stmt { kind, line }),
            }
        }
        out.extend(behind_barrier(&mut joined));
        out
    }

    /// What hardly ever runs, by one thread for all: they wait until nobody writes what it reads, and for what it leaves.
    fn by_first_thread(&self, body: &[Stmt]) -> Vec<Stmt> {
        let sets = |name: &str| walk::all(body, &|s| s.target().is_none_or(|x| x.array != name));
        let set: Vec<(&String, &Uniform)> = self.uniform.iter().filter(|(name, _)| !sets(name)).collect();
        let declared = |u: &Uniform| StmtKind::Let { var: u.again.clone(), ty: u.ty, init: Some(var(&u.local)) };
        let mut own: Vec<Stmt> = set.iter().map(|(_, u)| Stmt::made(declared(u))).collect();
        let mut body = body.to_vec();
        for s in &mut body {
            set.iter().for_each(|(_, u)| s.replace(&|e| (*e == var(&u.local)).then(|| var(&u.again))));
            assign(s, &set);
        }
        own.extend(body);
        let place = |name: &String| Access { array: name.clone(), index: vec![] };
        let left = |name, u: &Uniform| StmtKind::Store { target: place(name), op: None, value: var(&u.again) };
        own.extend(set.iter().map(|(name, u)| Stmt::made(left(name, u))));
        let taken =
            |name, u: &Uniform| StmtKind::Assign { var: u.local.clone(), op: None, value: Expr::Load(place(name)) };
        let barrier = || Stmt::made(StmtKind::GridBarrier);
        let mut out = vec![barrier(), by_one_thread(own), barrier()];
        out.extend(set.iter().map(|(name, u)| Stmt::made(taken(name, u))));
        out.push(barrier());
        out
    }

    /// The thread's own at the start of the kernel.
    pub(super) fn begin_uniform(&mut self) -> Option<Vec<Stmt>> {
        let mut out = vec![];
        let uniform = std::mem::take(&mut self.uniform);
        for (name, u) in &uniform {
            let mut init = Expr::Int(0);
            if u.has_start {
                self.array(&ArrayParam { name: name.clone(), ty: u.ty, extents: vec![], usage: Usage::Read })?;
                out.extend(self.touch(None, std::iter::once((name, Usage::Read))));
                init = Expr::Load(Access { array: name.clone(), index: vec![] });
            }
            out.push(Stmt::made(StmtKind::Let { var: u.local.clone(), ty: u.ty, init: Some(init) }));
        }
        self.uniform = uniform;
        Some(out)
    }

    /// Arrays of the block, for those that blocks join.
    pub(super) fn shared_of_uniform(&self, body: &[Stmt]) -> Vec<Stmt> {
        let is_joined = |u: &&Uniform| walk::loads(body, &u.shared);
        let declare = |u: &Uniform| StmtKind::Shared { name: u.shared.clone(), ty: u.ty, extents: vec![Expr::Int(1)] };
        self.uniform.values().filter(is_joined).map(|u| Stmt::made(declare(u))).collect()
    }

    /// Hands back what is wanted behind the loop.
    pub(super) fn end_uniform(&mut self) -> Option<Vec<Stmt>> {
        let (mut out, mut then) = (vec![], vec![]);
        let uniform = std::mem::take(&mut self.uniform);
        for (name, u) in uniform.iter().filter(|(_, u)| u.is_wanted) {
            self.array(&ArrayParam { name: name.clone(), ty: u.ty, extents: vec![], usage: Usage::Write })?;
            out.extend(self.touch(None, std::iter::once((name, Usage::Write))));
            let target = Access { array: name.clone(), index: vec![] };
            then.push(Stmt::made(StmtKind::Store { target, op: None, value: var(&u.local) }));
        }
        self.uniform = uniform;
        out.extend((!then.is_empty()).then(|| by_one_thread(then)));
        Some(out)
    }
}

/// A barrier of the block, and these statements behind it, if there are any.
fn behind_barrier(statements: &mut Vec<Stmt>) -> Vec<Stmt> {
    let barrier = statements.first().map(|s| Stmt { kind: StmtKind::Barrier, line: s.line });
    barrier.into_iter().chain(std::mem::take(statements)).collect()
}

/// Has a statement set the variables of one thread in the place of such scalars.
fn assign(s: &mut Stmt, set: &[(&String, &Uniform)]) {
    s.bodies_mut().into_iter().flatten().for_each(|s| assign(s, set));
    if let StmtKind::Store { target, op, value } = &s.kind
        && let Some((_, u)) = set.iter().find(|(name, _)| **name == target.array)
    {
        s.kind = StmtKind::Assign { var: u.again.clone(), op: *op, value: value.clone() };
    }
}
