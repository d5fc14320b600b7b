//! Waits between the phases of a computation, which decide how a loop of the host around kernels runs, and how long a
//! thread may run in order before a launch more would have been better.

use super::Sizes;
use super::figures::Table;
use crate::kernel::{Expr, Kernel, Stmt, StmtKind, walk};
use crate::target::MAX_BLOCK;

/// Time that passes, beside the work itself, from one phase of a computation to the next that waits for all of it: nanoseconds, and
/// sizes at which ways are as good. Figures are those of the usual machine (`machines/h100.toml`): others differ by less than the
/// ways do.
pub struct Crossing;

impl Crossing {
    /// A kernel launch, back to back on one stream.
    pub fn launch() -> i64 {
        Table::wait("launch")
    }

    /// A barrier among the blocks of a resident kernel.
    pub fn grid_barrier() -> i64 {
        Table::wait("grid_barrier")
    }

    /// A kernel of a graph that is replayed.
    pub fn graph_node() -> i64 {
        Table::wait("graph_node")
    }

    /// A number of the device that the host asks for, and waits for.
    pub fn fetch() -> i64 {
        Table::wait("fetch")
    }

    /// Threads that take as long as one that updates an element where others may meet it.
    pub fn update() -> i64 {
        Table::wait("update")
    }

    /// Elements up to which a kernel with barriers of its own, a thread for each element, is at least as quick as one made of it: that
    /// one, too, waits at each barrier, and has positions to compute behind it.
    pub fn own_threads() -> i64 {
        Table::wait("own_threads")
    }

    /// Threads of which no device holds more at once.
    pub fn most_threads() -> i64 {
        Table::wait("most_threads")
    }

    /// Threads of a step from which on launches that are waited for so many nanoseconds a step take no longer than phases.
    pub fn large_step(wait: i64) -> i64 {
        let more = (wait - Self::grid_barrier()).max(0);
        (more * Table::wait("threads_a_us") / 1000).max(Table::wait("least_large"))
    }

    /// The most elements in a phase that one block goes through sooner than many blocks could wait for each other.
    pub fn one_block_work(step: &Step) -> i64 {
        let pass = step.waits * Table::wait("full_block_barrier") + step.accesses * Table::wait("block_access");
        let passes = 1 + step.waits * Self::grid_barrier() / pass.max(1);
        passes * i64::from(MAX_BLOCK)
    }
}

/// Work of a thread in a step of the loop that a resident kernel is, its own share of each phase: waits for the other blocks, and
/// touches elements of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Step {
    pub waits: i64,
    pub accesses: i64,
}

impl Step {
    /// A phase that loads, computes and stores one element.
    pub const PLAIN: Step = Step { waits: 1, accesses: 2 };

    /// A step of a kernel: of its loops that wait, or of all of it where none does.
    pub fn of(kernel: &Kernel) -> Step {
        let is_memory = |array: &str| kernel.arrays.iter().any(|a| a.name == array);
        let loops = kernel.body.iter().filter(|s| is_loop(s) && waits(s));
        let of_loops = loops.fold(Step::default(), |all, s| all.and(of(s, &is_memory)));
        if of_loops.waits > 0 { of_loops } else { of_all(&kernel.body, &is_memory) }
    }

    fn and(self, other: Step) -> Step {
        Step { waits: self.waits + other.waits, accesses: self.accesses + other.accesses }
    }
}

fn of_all(body: &[Stmt], is_memory: &dyn Fn(&str) -> bool) -> Step {
    body.iter().fold(Step::default(), |all, s| all.and(of(s, is_memory)))
}

fn of(s: &Stmt, is_memory: &dyn Fn(&str) -> bool) -> Step {
    let mut accesses = 0;
    for e in s.exprs() {
        e.any(&mut |e| {
            accesses += i64::from(matches!(e, Expr::Load(x) if is_memory(&x.array)));
            false
        });
    }
    accesses += [s.target(), s.source()].into_iter().flatten().filter(|x| is_memory(&x.array)).count() as i64;
    let own = Step { waits: i64::from(s.is_of_grid()), accesses };
    let inner = match &s.kind {
        StmtKind::If { cond, other, .. } if walk::is_rare(cond) => of_all(other, is_memory),
        StmtKind::If { then, other, .. } => {
            let (then, other) = (of_all(then, is_memory), of_all(other, is_memory));
            if then.accesses > other.accesses { then } else { other }
        }
        StmtKind::While { body, .. } | StmtKind::For { body, .. } => {
            let Step { waits, accesses } = of_all(body, is_memory);
            Step { waits, accesses: accesses * trips(s) }
        }
        _ => s.bodies().into_iter().fold(Step::default(), |all, body| all.and(of_all(body, is_memory))),
    };
    own.and(inner)
}

/// The iterations of a loop in a step: one of those that wait, and of those that all threads share.
fn trips(s: &Stmt) -> i64 {
    match &s.kind {
        _ if waits(s) => 1,
        StmtKind::For { lo, .. } if lo.any(&mut |e| matches!(e, Expr::ThreadIdx(_) | Expr::BlockIdx(_))) => 1,
        StmtKind::For { lo: Expr::Int(lo), hi: Expr::Int(hi), step: Expr::Int(step), .. } if *step > 0 => {
            (hi - lo).max(0) / step
        }
        _ => Sizes::TRIPS as i64,
    }
}

fn is_loop(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. })
}

fn waits(s: &Stmt) -> bool {
    let mut does = false;
    walk::visit(std::slice::from_ref(s), &mut |s| does |= s.is_of_grid());
    does
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_goes_through_as_many_passes_as_a_barrier_takes() {
        assert_eq!(Crossing::one_block_work(&Step::PLAIN), 4 * 1024);
        assert_eq!(Crossing::one_block_work(&Step { waits: 2, accesses: 4 }), 4 * 1024);
        assert_eq!(Crossing::one_block_work(&Step { waits: 2, accesses: 41 }), 1024);
    }
}
