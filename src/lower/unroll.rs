//! Unrolling: for each counted loop of a kernel, how many iterations the compiler writes out in a row.
//!
//! ```text
//! for p in 0 .. MERGE step 1 { s[p] += a[k]; }              ->   for p in 0 .. MERGE step 1 unrolled { ... }
//! for k in 0 .. n step 1 { s += a[k]; }   // UNROLL = 16    ->   for k in 0 .. n step 1 unrolled(UNROLL) { ... }
//! ```
//! Elements of an array of the thread are registers only where the loops over them are written out; loops that read have
//! several loads under way. The last pass that looks at statements: it counts operations of what stands there then.

use crate::kernel::{Expr, Function, Kernel, Stmt, StmtKind, Tunable, Unroll, simplify, walk};
use std::collections::{BTreeMap, BTreeSet};

/// The tunable that says how many iterations of a loop that reads are unrolled.
const UNROLL: &str = "UNROLL";

/// Iterations of a loop that scans over warps whose shuffles are under way at once. Sums of 5e7 `float` on an H200: 2 of them
/// 158 us, 4 of them 151, 8 of them 160.
const SCANNED: i64 = 4;

/// Operations that a loop may become when it is unrolled: more than these the instruction cache would have to fetch anew.
const MOST_UNROLLED: i64 = 16 * 1024;

/// Iterations that are looked at for whether a condition holds in them.
const MOST_TRIED: i64 = 4096;

/// Names of loops and of values around a statement: how often the loops run, and what the values are.
#[derive(Clone, Default)]
struct Around {
    counters: Vec<(String, i64)>,
    lets: Vec<(String, Expr)>,
}

/// Decides it for the loops of a region's kernels and device functions.
pub fn all(kernels: &mut [Kernel], functions: &mut [Function]) {
    kernels.iter_mut().for_each(kernel);
    functions.iter_mut().for_each(function);
}

/// Decides it for the loops of a kernel.
pub fn kernel(kernel: &mut Kernel) {
    let is_of_rows = kernel.grid.len() > 1;
    let body = std::mem::take(&mut kernel.body);
    kernel.body = Unroller::new(&kernel.tunables, &body, is_of_rows).all(body);
}

/// The same for a device function.
pub fn function(function: &mut Function) {
    let body = std::mem::take(&mut function.body);
    function.body = Unroller::new(&[], &body, false).all(body);
}

/// Test that points are nothing but tested, each by itself, in the loops over them that these statements are in: such points
/// are at an edge, and share nothing. With several neighbours in a row, or loops of their own then.
fn tests_points(body: &[Stmt], counts_points: &dyn Fn(&Expr) -> bool, n_loops: usize) -> bool {
    let inside = || body.iter().filter(|s| !matches!(s.kind, StmtKind::Let { .. }));
    match inside().map(|s| &s.kind).collect::<Vec<_>>()[..] {
        [StmtKind::For { body, hi, .. }] if counts_points(hi) => tests_points(body, counts_points, n_loops + 1),
        [StmtKind::If { then, other, .. }] if other.is_empty() => {
            n_loops > 0 || then.iter().any(|s| matches!(&s.kind, StmtKind::For { hi, .. } if !counts_points(hi)))
        }
        _ => false,
    }
}

/// Test that threads of a block wait for each other in statements: such a loop nvcc leaves as it is.
fn waits(body: &[Stmt]) -> bool {
    let mut found = false;
    walk::visit(body, &mut |s| found |= s.kind == StmtKind::Barrier);
    found
}

/// So many iterations.
fn by(iterations: i64) -> Unroll {
    Unroll::By(Expr::Int(iterations))
}

/// Surroundings of loops.
struct Unroller<'a> {
    /// Names that are numbers when the kernel is compiled, with their usual values.
    tunables: BTreeMap<&'a str, i64>,
    /// Arrays of the thread.
    registers: BTreeSet<String>,
    /// Blocks stand in rows.
    is_of_rows: bool,
}

impl<'a> Unroller<'a> {
    fn new(tunables: &'a [Tunable], body: &[Stmt], is_of_rows: bool) -> Self {
        let tunables = tunables.iter().map(|t| (t.name.as_str(), t.value)).collect();
        Unroller { tunables, registers: registers(body), is_of_rows }
    }

    fn all(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        body.into_iter().map(|s| self.one(s)).collect()
    }

    fn one(&self, mut s: Stmt) -> Stmt {
        let decided = self.of(&s);
        if let StmtKind::For { unroll, .. } = &mut s.kind {
            *unroll = decided;
        }
        // A phase is a function of its own, with its own registers.
        let of_phase = match &s.kind {
            StmtKind::Phase { body, .. } => {
                Some(Unroller { tunables: self.tunables.clone(), registers: registers(body), ..*self })
            }
            _ => None,
        };
        let inner = of_phase.as_ref().unwrap_or(self);
        for body in s.bodies_mut() {
            *body = inner.all(std::mem::take(body));
        }
        s
    }

    /// Unrolling of a loop. One that runs as often as tunables say is unrolled wholly where it goes over an array of the
    /// thread, whose elements are registers only then, else as far as that does not make too much of it; so is one of a
    /// known number of iterations around such loops, whose points then share what they load in several of them. Not where
    /// each point is tested by itself: such points share nothing, and would only take registers from others (7 points f32 on an
    /// H200: 40 registers and 349 us, or 32 and 295).
    fn of(&self, s: &Stmt) -> Unroll {
        let StmtKind::For { var, hi, step, body, .. } = &s.kind else { return Unroll::AsItIs };
        // Blocks that take turns seldom have a second one: unrolled, the loop would begin with a division.
        if self.is_of_rows && step.any(&mut |e| matches!(e, Expr::GridSize(_))) && !waits(body) {
            return by(1);
        }
        let is_tuned =
            |hi: &Expr| hi.any(&mut |e| matches!(e, Expr::Var(name) if self.tunables.contains_key(name.as_str())));
        let mut counts_points = is_tuned(hi);
        walk::visit(body, &mut |s| counts_points |= matches!(&s.kind, StmtKind::For { hi, .. } if is_tuned(hi)));
        let Some(trips) = self.trips(&s.kind).filter(|_| counts_points && !waits(body)) else {
            let is_tuned = self.tunables.contains_key(UNROLL) && s.is_reading_loop();
            return match is_tuned {
                true => Unroll::By(Expr::Var(UNROLL.into())),
                false if body.iter().any(|s| matches!(s.kind, StmtKind::WarpScan { .. })) => by(SCANNED),
                false if body.iter().any(|s| self.moves_registers(s)) => by(2),
                false => Unroll::AsItIs,
            };
        };
        let mut over_registers = false;
        walk::visit(body, &mut |s| {
            let mut subscript = |e: &Expr| over_registers |= e.mentions(var);
            let targets = match &s.kind {
                StmtKind::Store { target, .. } => std::slice::from_ref(target),
                StmtKind::Mma { c, .. } => c,
                _ => &[],
            };
            let registers = targets.iter().filter(|x| self.registers.contains(&x.array));
            registers.flat_map(|x| &x.index).for_each(&mut subscript);
            let mut loads = |e: &Expr| {
                if let Expr::Load(x) = e
                    && self.registers.contains(&x.array)
                {
                    x.index.iter().for_each(&mut subscript);
                }
                false
            };
            s.exprs().into_iter().for_each(|e| _ = e.any(&mut loads));
        });
        if !over_registers && tests_points(body, &is_tuned, 0) {
            return by(1);
        }
        let weight = if over_registers { 0 } else { self.weight(&s.kind, &Around::default()) };
        let iterations = MOST_UNROLLED / (weight / trips.max(1)).max(1);
        match iterations {
            _ if weight <= MOST_UNROLLED => Unroll::All,
            2.. => by(1 << iterations.ilog2()),
            _ => Unroll::AsItIs,
        }
    }

    /// Test that a statement moves elements of an array of the thread to other places in it, for the next iteration of the
    /// loop around it: of two iterations in a row, the second finds them where they are.
    fn moves_registers(&self, s: &Stmt) -> bool {
        let StmtKind::For { body, .. } = &s.kind else { return false };
        let [Stmt { kind: StmtKind::Store { target, op: None, value: Expr::Load(x) }, .. }] = body.as_slice() else {
            return false;
        };
        x.array == target.array && self.registers.contains(&x.array)
    }

    /// How often a loop runs whose bounds are numbers and tunables.
    fn trips(&self, kind: &StmtKind) -> Option<i64> {
        let StmtKind::For { lo: Expr::Int(0), hi, step: Expr::Int(1), .. } = kind else { return None };
        let mut hi = hi.clone();
        hi.replace(&mut |e| match e {
            Expr::Var(name) => self.tunables.get(name.as_str()).map(|value| Expr::Int(*value)),
            _ => None,
        });
        simplify::index_expr(&mut hi);
        if let Expr::Int(n) = hi { Some(n) } else { None }
    }

    /// Roughly how many operations a statement is when its loops over tunables are unrolled, as those around it are.
    fn weight(&self, kind: &StmtKind, around: &Around) -> i64 {
        let s = Stmt::made(kind.clone());
        let is_register = s.target().is_some_and(|x| self.registers.contains(&x.array));
        let computed =
            s.exprs().into_iter().filter(|e| !is_register || !s.target().is_some_and(|x| x.index.contains(e)));
        let n: i64 = computed.map(|e| self.operations(e)).sum();
        let trips = self.trips(kind);
        let mut around = around.clone();
        if let (StmtKind::For { var, .. }, Some(trips)) = (kind, trips) {
            around.counters.push((var.clone(), trips));
        }
        let mut inside = 0i64;
        for s in s.bodies().into_iter().flatten() {
            inside = inside.saturating_add(self.weight(&s.kind, &around));
            if let StmtKind::Let { var, init: Some(value), .. } = &s.kind {
                around.lets.push((var.clone(), value.clone()));
            }
        }
        if let StmtKind::If { cond, .. } = kind {
            inside = (inside as f64 * self.share(cond, &around)) as i64;
        }
        n.saturating_add(inside.saturating_mul(trips.unwrap_or(1)))
    }

    /// Operations of an expression; which register an element is in is decided by the compiler.
    fn operations(&self, e: &Expr) -> i64 {
        match e {
            Expr::Load(x) if self.registers.contains(&x.array) => 1,
            e => 1 + e.children().into_iter().map(|child| self.operations(child)).sum::<i64>(),
        }
    }

    /// The share of iterations in which a condition holds that their counters decide: code is there in these alone. Half of
    /// them, where anything else decides.
    fn share(&self, cond: &Expr, around: &Around) -> f64 {
        let mut cond = cond.clone();
        let known = |cond: &mut Expr, name: &str, value: &Expr| {
            cond.replace(&mut |e| matches!(e, Expr::Var(x) if x == name).then(|| value.clone()));
        };
        around.lets.iter().rev().for_each(|(name, value)| known(&mut cond, name, value));
        self.tunables.iter().for_each(|(name, value)| known(&mut cond, name, &Expr::Int(*value)));
        let used: Vec<_> = around.counters.iter().filter(|(name, n)| cond.mentions(name) && *n > 0).collect();
        let all = used.iter().try_fold(1i64, |all, (_, n)| all.checked_mul(*n)).filter(|all| *all <= MOST_TRIED);
        let mut holding = 0;
        for mut at in 0..all.unwrap_or(0) {
            let mut cond = cond.clone();
            for (name, n) in &used {
                known(&mut cond, name, &Expr::Int(at % n));
                at /= n;
            }
            simplify::index_expr(&mut cond);
            match cond {
                Expr::Int(holds) => holding += i64::from(holds != 0),
                _ => return 0.5,
            }
        }
        all.map_or(0.5, |all| holding as f64 / all as f64)
    }
}

/// Arrays of the thread that statements declare.
fn registers(body: &[Stmt]) -> BTreeSet<String> {
    let mut registers = BTreeSet::new();
    walk::visit(body, &mut |s| {
        if let StmtKind::LocalArray { name, .. } = &s.kind {
            registers.insert(name.clone());
        }
    });
    registers
}
