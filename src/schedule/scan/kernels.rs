//! The kernels of a scan: reduce, then scan (Dotsenko, Govindaraju, Sloan, Boyd and Manferdelli, "Fast scan algorithms on
//! graphics processors", 2008).
//!
//! ```text
//! first    each block joins the values of a stretch of iterations, and leaves a partial result
//! starts   one block scans the partial results: what each stretch begins with, and what the last one leaves
//! last     each block runs its stretch, as many iterations at once as it has threads; a scan of their values gives
//!          each what it takes over
//! ```
//! Stretches depend on the number of iterations alone, so that two runs agree to the bit. Neighbouring threads have
//! neighbouring iterations: what the loop reads and writes in order is coalesced.

use super::find::{Carried, Scan, find};
use crate::ast::{self, BinOp};
use crate::kernel::{self as k, Access, Expr, Kernel, ScalarType, StmtKind, Tunable, Usage};
use crate::region::{Loop, Reason, StmtId, Tree};
use crate::schedule::lower::{Lowering, Used};
use crate::schedule::lowered::{Lowered, Lowers};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Mapping, Place};
use crate::schedule::parallel::Analysis;
use crate::schedule::reduce_op::{identity, join};
use crate::schedule::{Nest, extent, index};

/// Least iterations of a stretch for each thread of a block, where the user says nothing of `merge`.
const ROWS: i64 = 4;

/// Most stretches: several times the blocks that are resident at once, so that the last ones keep few processors idle.
const MAX_STRETCHES: i64 = 4096;

/// Threads of the one block that finds what stretches begin with.
const THREADS_OF_STARTS: i64 = 1024;

/// What is to be lowered.
struct Work<'a, 'b> {
    a: &'a Analysis<'b>,
    nest: &'a Nest,
    counted: &'a Loop,
    scan: &'a Scan,
    words: &'a Words,
    threads: i64,
    /// Least iterations of a stretch for each thread.
    rows: i64,
}

/// Names in the kernels of a scan.
struct Words {
    /// Number of stretches, of which each has a partial result.
    n_stretches: String,
    partials: String,
    /// Iterations of a stretch, the first of those that run at once, and the thread's.
    stretch: String,
    first: String,
    at: String,
    /// The value of an iteration, what it takes over, and what the block carries on.
    value: String,
    before: String,
    carry: String,
}

impl Mapper<'_> {
    /// The kernels of a nest that is a scan.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(in crate::schedule) fn scan(&mut self, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
        let Some(Place::Flat { threads, merge, .. }) = mapping.axes.first().map(|x| x.place) else {
            unreachable!("a scan has a flat axis")
        };
        let l = nest.axes[0][0];
        let scan = find(a, l, &nest.body, &self.host)?.expect("the nest is a scan");
        let of = match &scan.carried {
            Carried::Scalar(target) | Carried::Element { target, .. } => target.root(),
        };
        let of = of.map_or_else(|| "scan".to_string(), |v| self.names.of(self.unit, v));
        let mut fresh = |name: &str| self.names.fresh(&format!("rt_{name}"));
        let words = Words {
            n_stretches: fresh("n_stretches"),
            partials: fresh(&format!("{of}_parts")),
            stretch: fresh("stretch"),
            first: fresh("first"),
            at: fresh("at"),
            value: fresh("value"),
            before: fresh("before"),
            carry: fresh("carry"),
        };
        let counted = a.part.get_loop(l);
        Ok(self
            .three(&Work { a, nest, counted, scan: &scan, words: &words, threads, rows: merge.unwrap_or(ROWS) }, name))
    }

    fn three(&mut self, work: &Work, name: &str) -> Result<Lowered, Reason> {
        let Work { scan, words, .. } = work;
        let total = extent::count(work.counted, &mut self.lowering(work.a));
        let kernels = vec![
            self.first(work, name)?,
            self.starts(work, &format!("{name}_starts"))?,
            self.last(work, &format!("{name}_scan"))?,
        ];
        let blocks = index::ceil_div(total, Expr::Int(work.threads * work.rows));
        let blocks = Expr::Min(Box::new(blocks), Box::new(Expr::Int(MAX_STRETCHES)));
        Ok(Lowered {
            kernels,
            partials: vec![(words.partials.clone(), scan.ty, MAX_STRETCHES)],
            n_partials: Some((words.n_stretches.clone(), blocks)),
            ..Lowered::default()
        })
    }

    /// Joins the values of each stretch.
    fn first(&mut self, work: &Work, name: &str) -> Result<Kernel, Reason> {
        let Work { scan, words, counted, .. } = work;
        let mut l = self.lowering(work.a);
        l.declares = false;
        let total = extent::count(counted, &mut l);
        let line = (l.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let fed = l.feeders(work)?;
        let mut body = vec![l.counter(work)];
        body.extend(l.own_data(&trees_of(&scan.feeders), &fed)?);
        body.extend(fed);
        body.extend(l.joined_value(work)?);
        let (begin, end) = words.bounds(&total);
        let everyone = StmtKind::For {
            var: words.at.clone(),
            lo: index::add(begin, Expr::ThreadIdx(0)),
            hi: end,
            step: index::var("BLOCK_0"),
            body,
        };
        let target = Access { array: words.partials.clone(), index: vec![Expr::BlockIdx(0)] };
        let value = index::var(&words.value);
        let stmts = [
            words.stretch(&total),
            StmtKind::Let { var: words.value.clone(), ty: scan.ty, init: Some(identity(scan.op, scan.ty)) },
            everyone,
            StmtKind::BlockReduce { op: scan.op, ty: scan.ty, value, target },
        ];
        let used = std::mem::take(&mut l.used);
        let note =
            format!("loop {}: the {} of each stretch", self.name_of(work.a, work.nest.axes[0][0]), scan.op.noun());
        Ok(self.of_scan(work, (name, used), (stmts.map(stmt).to_vec(), Usage::Write), note))
    }

    /// What each stretch begins with, and what the last one leaves.
    fn starts(&mut self, work: &Work, name: &str) -> Result<Kernel, Reason> {
        let Work { scan, words, counted, .. } = work;
        let mut l = self.lowering(work.a);
        let line = (l.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let (before, after) = match &scan.carried {
            Carried::Scalar(target) => {
                let element = l.access(target, Usage::ReadWrite)?;
                (Expr::Load(element.clone()), Some(element))
            }
            Carried::Element { previous, .. } => (l.at_first(work, previous)?, None),
        };
        let shared = l.names.fresh("rt_start");
        let start = Access { array: shared.clone(), index: vec![Expr::Int(0)] };
        let by_first = |target, value| {
            let cond = index::binary(BinOp::Eq, Expr::ThreadIdx(0), Expr::Int(0));
            let store = stmt(StmtKind::Store { target, op: None, value });
            stmt(StmtKind::If { cond, then: vec![store], other: vec![] })
        };
        let n = index::var(&words.n_stretches);
        let part = Access { array: words.partials.clone(), index: vec![index::var(&words.at)] };
        let load = StmtKind::Assign { var: words.value.clone(), op: None, value: Expr::Load(part.clone()) };
        let store = StmtKind::Store { target: part, op: None, value: index::var(&words.value) };
        let inside = |then| {
            let cond = index::binary(BinOp::Lt, index::var(&words.at), n.clone());
            stmt(StmtKind::If { cond, then: vec![stmt(then)], other: vec![] })
        };
        let body = vec![
            stmt(words.position()),
            stmt(StmtKind::Let { var: words.value.clone(), ty: scan.ty, init: Some(identity(scan.op, scan.ty)) }),
            inside(load),
            stmt(StmtKind::Scan { op: scan.op, var: words.value.clone(), carry: words.carry.clone() }),
            inside(store),
        ];
        let everyone = StmtKind::For {
            var: words.first.clone(),
            lo: Expr::Int(0),
            hi: n.clone(),
            step: index::var("BLOCK_0"),
            body,
        };
        let mut then = vec![
            by_first(start.clone(), before),
            stmt(StmtKind::Barrier),
            stmt(StmtKind::Let { var: words.carry.clone(), ty: scan.ty, init: Some(Expr::Load(start)) }),
            stmt(everyone),
        ];
        then.extend(after.map(|element| by_first(element, index::var(&words.carry))));
        let stmts = vec![
            stmt(StmtKind::Shared { name: shared, ty: scan.ty, extents: vec![Expr::Int(1)] }),
            // Without a stretch the element may not even be there.
            stmt(StmtKind::If { cond: index::binary(BinOp::Gt, n.clone(), Expr::Int(0)), then, other: vec![] }),
        ];
        let used = std::mem::take(&mut l.used);
        let note = "what each stretch begins with".to_string();
        let mut kernel = self.of_scan(work, (name, used), (stmts, Usage::ReadWrite), note);
        kernel.grid = vec![Expr::Int(1)];
        kernel.tunables[0].value = THREADS_OF_STARTS;
        Ok(kernel)
    }

    /// Runs each stretch, from what it begins with.
    fn last(&mut self, work: &Work, name: &str) -> Result<Kernel, Reason> {
        let Work { a, nest, scan, words, counted, .. } = work;
        let mut l = self.lowering(a);
        l.declares = false;
        if let Carried::Scalar(target) = &scan.carried {
            l.private.extend(target.root());
        }
        let total = extent::count(counted, &mut l);
        let line = (l.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let mut fed = l.feeders(work)?;
        fed.extend(l.joined_value(work)?);
        let then = l.behind(work)?;
        let lowered: Vec<k::Stmt> = fed.iter().chain(&then).cloned().collect();
        let inside = |then| {
            let cond = index::binary(BinOp::Lt, index::var(&words.at), total.clone());
            stmt(StmtKind::If { cond, then, other: vec![] })
        };
        let mut body = vec![stmt(words.position()), l.counter(work)];
        body.extend(l.own_data(&nest.body, &lowered)?);
        body.extend([
            stmt(StmtKind::Let { var: words.value.clone(), ty: scan.ty, init: Some(identity(scan.op, scan.ty)) }),
            inside(fed),
            stmt(StmtKind::Let { var: words.before.clone(), ty: scan.ty, init: Some(index::var(&words.value)) }),
            stmt(StmtKind::Scan { op: scan.op, var: words.before.clone(), carry: words.carry.clone() }),
            inside(then),
        ]);
        let (begin, end) = words.bounds(&total);
        let start = Expr::Load(Access { array: words.partials.clone(), index: vec![Expr::BlockIdx(0)] });
        let var = words.first.clone();
        let stmts = [
            words.stretch(&total),
            StmtKind::Let { var: words.carry.clone(), ty: scan.ty, init: Some(start) },
            StmtKind::For { var, lo: begin, hi: end, step: index::var("BLOCK_0"), body },
        ];
        let used = std::mem::take(&mut l.used);
        let counter = self.name_of(a, nest.axes[0][0]);
        let note = format!("loop {counter} in parallel, each iteration with the {} of those before it", scan.op.noun());
        Ok(self.of_scan(work, (name, used), (stmts.map(stmt).to_vec(), Usage::Read), note))
    }

    /// A kernel with a block for each stretch.
    fn of_scan(
        &mut self,
        Work { a, words, scan, threads, .. }: &Work,
        (name, used): (&str, Used),
        (body, usage): (Vec<k::Stmt>, Usage),
        note: String,
    ) -> Kernel {
        let mut kernel = self.kernel(a, name, used, body);
        kernel.scalars.push(k::ScalarParam { name: words.n_stretches.clone(), ty: ScalarType::Index });
        kernel.arrays.push(k::ArrayParam {
            name: words.partials.clone(),
            ty: scan.ty,
            extents: vec![Expr::Int(MAX_STRETCHES)],
            usage,
        });
        kernel.tunables = vec![Tunable { name: "BLOCK_0".into(), value: *threads }];
        kernel.grid = vec![index::var(&words.n_stretches)];
        kernel.block = vec![index::var("BLOCK_0")];
        kernel.notes.push(note);
        kernel
    }
}

impl Words {
    /// Declares how many iterations a stretch has: whole rows of a block.
    fn stretch(&self, total: &Expr) -> StmtKind {
        let rows = index::ceil_div(total.clone(), index::var("BLOCK_0"));
        let rows = index::ceil_div(rows, index::var(&self.n_stretches));
        let init = Some(index::mul(rows, index::var("BLOCK_0")));
        StmtKind::Let { var: self.stretch.clone(), ty: ScalarType::Index, init }
    }

    /// Where the stretch of a block begins and ends.
    fn bounds(&self, total: &Expr) -> (Expr, Expr) {
        let begin = index::mul(Expr::BlockIdx(0), index::var(&self.stretch));
        let end = index::add(begin.clone(), index::var(&self.stretch));
        (begin, Expr::Min(Box::new(end), Box::new(total.clone())))
    }

    /// Declares the thread's place among those that run at once.
    fn position(&self) -> StmtKind {
        let init = Some(index::add(index::var(&self.first), Expr::ThreadIdx(0)));
        StmtKind::Let { var: self.at.clone(), ty: ScalarType::Index, init }
    }
}

impl Lowering<'_> {
    /// Declares the loop's counter, of the iteration at the thread's place.
    fn counter(&mut self, Work { words, counted, .. }: &Work) -> k::Stmt {
        let first = self.poly(&counted.first);
        let moved = index::mul(index::var(&words.at), Expr::Int(counted.step.abs()));
        let value = if counted.step > 0 { index::add(first, moved) } else { index::binary(BinOp::Sub, first, moved) };
        k::Stmt::made(StmtKind::Let { var: self.name(counted.var), ty: ScalarType::Index, init: Some(value) })
    }

    /// The statements that the value is made by.
    fn feeders(&mut self, Work { scan, counted, .. }: &Work) -> Result<Vec<k::Stmt>, Reason> {
        let counter = index::var(self.name(counted.var));
        self.counters.insert(counted.var, counter);
        self.trees(&trees_of(&scan.feeders))
    }

    /// Joins the value of an iteration to the thread's.
    fn joined_value(&mut self, Work { a, scan, words, .. }: &Work) -> Result<Vec<k::Stmt>, Reason> {
        self.name_counters(scan.update);
        let value = self.value(&scan.value)?;
        let line = (self.line)(a.part.stmt(scan.update).body.span);
        Ok(stmts(join(self.names, scan.op, scan.ty, &words.value, value), line))
    }

    /// What runs once it is known what an iteration takes over.
    fn behind(&mut self, Work { a, nest, scan, words, .. }: &Work) -> Result<Vec<k::Stmt>, Reason> {
        let mut out = vec![];
        let own = match &scan.carried {
            Carried::Scalar(target) => {
                let var = target.root().map_or_else(String::new, |v| self.name(v));
                let kind = StmtKind::Assign { var: var.clone(), op: None, value: index::var(&words.before) };
                out.push(k::Stmt::made(kind));
                var
            }
            Carried::Element { .. } => words.before.clone(),
        };
        for s in nest.stmts().into_iter().filter(|s| !scan.feeders.contains(s)) {
            if s != scan.update {
                out.extend(self.trees(&[Tree::Stmt(s)])?);
                continue;
            }
            let line = (self.line)(a.part.stmt(s).body.span);
            out.extend(stmts(join(self.names, scan.op, scan.ty, &own, index::var(&words.value)), line));
            if let Carried::Element { target, .. } = &scan.carried {
                self.name_counters(s);
                let target = self.access(target, Usage::Write)?;
                out.push(k::Stmt { kind: StmtKind::Store { target, op: None, value: index::var(&own) }, line });
            }
        }
        Ok(out)
    }

    /// The value of an expression in the first iteration.
    fn at_first(&mut self, Work { scan, counted, .. }: &Work, e: &ast::Expr) -> Result<Expr, Reason> {
        let first = self.poly(&counted.first);
        self.counters.insert(counted.var, first);
        self.name_counters(scan.update);
        self.value(e)
    }
}

fn stmts(kinds: Vec<StmtKind>, line: u32) -> Vec<k::Stmt> {
    kinds.into_iter().map(|kind| k::Stmt { kind, line }).collect()
}

fn trees_of(stmts: &[StmtId]) -> Vec<Tree> {
    stmts.iter().map(|s| Tree::Stmt(*s)).collect()
}
