//! The kernels of a scan: one pass over memory (Merrill and Garland, "Single-pass parallel prefix scan with decoupled
//! look-back", 2016).
//!
//! ```text
//! first    stores what the first iteration takes over, and empties what blocks tell each other by
//! scan     each block joins the values of a stretch of iterations, tells it to the others and learns from them what its
//!          stretch begins with; then it runs the stretch, a warp as many iterations at once as it has threads
//! ```
//! A block takes the next stretch when it begins, so that those it waits for have begun too. Stretches depend on the number
//! of iterations alone, and so does what is joined with what: two runs agree to the bit. A stretch is short enough for what
//! its block has read to be found in a cache when it is read again. Neighbouring threads have neighbouring iterations: what
//! the loop reads and writes in order is coalesced.

use super::find::{Carried, Scan, find};
use crate::ast::{self, BinOp, IntKind};
use crate::facts::Reason;
use crate::kernel::rename::rename;
use crate::kernel::{
    self as k, Access, ArrayParam, Expr, Kernel, ScalarType, StmtKind, Tunable, Usage, slots_of_block,
};
use crate::region::{Loop, StmtId, Tree};
use crate::schedule::frame::block_position;
use crate::schedule::lower::{Lowering, Used};
use crate::schedule::lowered::{Lowered, Lowers};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Mapping, Place};
use crate::schedule::parallel::Analysis;
use crate::schedule::reduce_op::{identity, join};
use crate::schedule::{Nest, extent, index};
use crate::target::WARP;

/// Least iterations of a stretch for each thread of a block, where the user says nothing of `merge`: of values of up to 4
/// bytes, and of larger ones. Sums of 5e7 on an H200: of `float` 172 us with 16, 151 with 24, 155 with 32; of `double` 290 with
/// 16, 310 with 24.
const ROWS: [i64; 2] = [24, 16];

/// Most stretches, of which each has its slots: there are no more of one to a few thousand iterations in 268 million.
const MAX_STRETCHES: i64 = 65536;

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
    n_stretches: String,
    /// Names: of what the first iteration takes over, of the words that blocks tell each other by, of the count of those that began.
    start: String,
    slots: String,
    begun: String,
    /// Number of a block's stretch, and how often a warp runs as many iterations at once as it has threads.
    stretch: String,
    rows: String,
    /// First iteration of a thread, number of the row, and the iteration that is the thread's in it.
    first: String,
    row: String,
    at: String,
    /// The value of an iteration, what it takes over, what it hands on, and what the warp carries on.
    value: String,
    before: String,
    own: String,
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
            start: fresh(&format!("{of}_start")),
            slots: fresh(&format!("{of}_slots")),
            begun: fresh(&format!("{of}_begun")),
            stretch: fresh("stretch"),
            rows: fresh("rows"),
            first: fresh("first"),
            row: fresh("row"),
            at: fresh("at"),
            value: fresh("value"),
            before: fresh("before"),
            own: fresh(&of),
            carry: fresh("carry"),
        };
        let counted = a.part.get_loop(l);
        let rows = merge.unwrap_or(ROWS[usize::from(scan.ty.size(64) > 4)]);
        let work = Work { a, nest, counted, scan: &scan, words: &words, threads, rows };
        Ok(self.two(&work, mapping, name))
    }

    fn two(&mut self, work: &Work, mapping: &Mapping, name: &str) -> Result<Lowered, Reason> {
        let Work { scan, words, .. } = work;
        let total = extent::count(work.counted, &mut self.lowering(work.a));
        let kernels = vec![self.first(work, name)?, self.in_one_pass(work, mapping, &format!("{name}_scan"))?];
        let blocks = index::ceil_div(total, Expr::Int(work.threads * work.rows));
        let blocks = Expr::Min(Box::new(blocks), Box::new(Expr::Int(MAX_STRETCHES)));
        let partials = words.arrays(scan.ty).map(|(name, ty, length)| (name.clone(), ty, length));
        Ok(Lowered {
            kernels,
            partials: partials.to_vec(),
            n_partials: Some((words.n_stretches.clone(), blocks)),
            ..Lowered::default()
        })
    }

    /// Stores what the first iteration takes over, and empties what blocks tell each other by.
    fn first(&mut self, work: &Work, name: &str) -> Result<Kernel, Reason> {
        let Work { scan, words, counted, .. } = work;
        let mut l = self.lowering(work.a);
        let line = (l.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let before = match &scan.carried {
            Carried::Scalar(target) => Expr::Load(l.access(target, Usage::Read)?),
            Carried::Element { previous, .. } => l.at_first(work, previous)?,
        };
        let at = || index::var(&words.at);
        let store = |array: &String, at: Expr, value: Expr| {
            let target = Access { array: array.clone(), index: vec![at] };
            stmt(StmtKind::Store { target, op: None, value })
        };
        let only = |cond: Expr, then: Vec<k::Stmt>| stmt(StmtKind::If { cond, then, other: vec![] });
        let n_slots = index::mul(index::var(&words.n_stretches), Expr::Int(slots_of_block(scan.ty)));
        let stmts = vec![
            stmt(StmtKind::Let { var: words.at.clone(), ty: ScalarType::Index, init: Some(block_position(0)) }),
            only(index::binary(BinOp::Lt, at(), n_slots.clone()), vec![store(&words.slots, at(), Expr::Int(0))]),
            only(
                index::binary(BinOp::Eq, at(), Expr::Int(0)),
                vec![store(&words.start, Expr::Int(0), before), store(&words.begun, Expr::Int(0), Expr::Int(0))],
            ),
        ];
        let used = std::mem::take(&mut l.used);
        let note = "what the first iteration takes over; nothing is told yet".to_string();
        let usages = [Usage::Write, Usage::Write, Usage::Write];
        let mut kernel = self.of_scan(work, (name, used), (stmts, usages), note);
        kernel.grid = vec![index::ceil_div(n_slots, index::var("BLOCK_0"))];
        Ok(kernel)
    }

    /// Runs each stretch, from what those before it join to.
    fn in_one_pass(&mut self, work: &Work, mapping: &Mapping, name: &str) -> Result<Kernel, Reason> {
        let Work { a, nest, scan, words, counted, .. } = work;
        let mut l = self.lowering(a);
        l.declares = false;
        let total = extent::count(counted, &mut l);
        let line = (l.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let variable = |var: &String, init| stmt(StmtKind::Let { var: var.clone(), ty: scan.ty, init: Some(init) });
        let mut stmts = vec![stmt(StmtKind::Begin { var: words.stretch.clone(), begun: words.begun.clone() })];
        stmts.extend(words.rows(&total).map(stmt));
        stmts.push(variable(&words.carry, identity(scan.op, scan.ty)));
        stmts.push(stmt(match scan.in_order {
            true => words.each_row(index::var(&words.rows), l.scanned_values(work, &total)?),
            false => words.each_row(words.rows_of_thread(&total), l.joined_values(work)?),
        }));
        let start = Expr::Load(Access { array: words.start.clone(), index: vec![Expr::Int(0)] });
        let (var, slots, block) = (words.carry.clone(), words.slots.clone(), index::var(&words.stretch));
        stmts.push(stmt(StmtKind::ScanBlocks { op: scan.op, var, slots, block, start }));
        let after = match &scan.carried {
            Carried::Scalar(target) => Some((l.access(target, Usage::Write)?, words.of_last())),
            Carried::Element { .. } => None,
        };
        let mut run = l.run(work, &total)?;
        if let Some((target, _)) = &after {
            // The value that the loop carries on is the thread's own in it, and the array's behind it.
            run.iter_mut().for_each(|s| rename(s, &target.array, &words.own));
        }
        stmts.push(stmt(words.each_row(index::var(&words.rows), run)));
        stmts.extend(after.map(|(target, cond)| {
            let store = stmt(StmtKind::Store { target, op: None, value: index::var(&words.carry) });
            stmt(StmtKind::If { cond, then: vec![store], other: vec![] })
        }));
        let used = std::mem::take(&mut l.used);
        let counter = self.name_of(a, nest.axes[0][0]);
        let note = format!("loop {counter} in parallel, each iteration with the {} of those before it", scan.op.noun());
        let usages = [Usage::Read, Usage::ReadWrite, Usage::ReadWrite];
        let mut kernel = self.of_scan(work, (name, used), (stmts, usages), note);
        kernel.tunables.extend(mapping.unroll_of(&kernel));
        Ok(kernel)
    }

    /// A kernel with a block for each stretch; `usages`: of what it has beside the region's arrays.
    fn of_scan(
        &mut self,
        Work { a, words, scan, threads, .. }: &Work,
        (name, used): (&str, Used),
        (body, usages): (Vec<k::Stmt>, [Usage; 3]),
        note: String,
    ) -> Kernel {
        let mut kernel = self.kernel(a, name, used, body);
        kernel.scalars.push(k::ScalarParam { name: words.n_stretches.clone(), ty: ScalarType::Index });
        for ((name, ty, length), usage) in words.arrays(scan.ty).into_iter().zip(usages) {
            kernel.arrays.push(ArrayParam { name: name.clone(), ty, extents: vec![Expr::Int(length)], usage });
        }
        kernel.tunables = vec![Tunable { name: "BLOCK_0".into(), value: *threads }];
        kernel.grid = vec![index::var(&words.n_stretches)];
        kernel.block = index::block(1);
        kernel.notes.push(note);
        kernel
    }
}

impl Words {
    /// The arrays that a scan has beside the region's, with their types and lengths.
    fn arrays(&self, ty: ScalarType) -> [(&String, ScalarType, i64); 3] {
        [
            (&self.start, ty, 1),
            (&self.slots, ScalarType::Int(IntKind::ULongLong), MAX_STRETCHES * slots_of_block(ty)),
            (&self.begun, ScalarType::Int(IntKind::UInt), 1),
        ]
    }

    /// Test that a thread is the last of the last stretch.
    fn of_last(&self) -> Expr {
        let is_last = |e, n| index::binary(BinOp::Eq, e, index::binary(BinOp::Sub, n, Expr::Int(1)));
        let stretch = is_last(index::var(&self.stretch), index::var(&self.n_stretches));
        index::binary(BinOp::And, stretch, is_last(Expr::ThreadIdx(0), index::var("BLOCK_0")))
    }

    /// Declares how many rows a warp has, and a thread's first iteration.
    fn rows(&self, total: &Expr) -> [StmtKind; 2] {
        let warp = || Expr::Int(i64::from(WARP));
        let warps = || index::binary(BinOp::Div, index::var("BLOCK_0"), warp());
        let rows = index::ceil_div(total.clone(), warp());
        let rows = index::ceil_div(rows, index::mul(index::var(&self.n_stretches), warps()));
        let of_thread = index::binary(BinOp::Div, Expr::ThreadIdx(0), warp());
        let number = index::add(index::mul(index::var(&self.stretch), warps()), of_thread);
        let first = index::mul(number, index::mul(index::var(&self.rows), warp()));
        let first = index::add(first, index::binary(BinOp::Rem, Expr::ThreadIdx(0), warp()));
        let of = |var: &String, init| StmtKind::Let { var: var.clone(), ty: ScalarType::Index, init: Some(init) };
        [of(&self.rows, rows), of(&self.first, first)]
    }

    /// Rows in which a thread has an iteration.
    fn rows_of_thread(&self, total: &Expr) -> Expr {
        let left = index::binary(BinOp::Sub, total.clone(), index::var(&self.first));
        let rows = index::ceil_div(left, Expr::Int(i64::from(WARP)));
        Expr::Min(Box::new(index::var(&self.rows)), Box::new(rows))
    }

    /// Iteration of a thread in a row.
    fn in_row(&self) -> Expr {
        index::add(index::var(&self.first), index::mul(index::var(&self.row), Expr::Int(i64::from(WARP))))
    }

    /// A loop over rows of a warp.
    fn each_row(&self, hi: Expr, body: Vec<k::Stmt>) -> StmtKind {
        StmtKind::counted(self.row.clone(), [Expr::Int(0), hi, Expr::Int(1)], body)
    }
}

impl Lowering<'_> {
    /// Joins the value of a thread's iteration to what the warp carries on.
    fn joined_values(&mut self, work: &Work) -> Result<Vec<k::Stmt>, Reason> {
        // Written out, so that the loop is seen to read by its counter and is unrolled.
        let counter = self.value_at(work.counted, work.words.in_row());
        let fed = self.feeders(work, counter)?;
        let mut body = vec![];
        body.extend(self.own_data(&trees_of(&work.scan.feeders), &fed)?);
        body.extend(fed);
        body.extend(self.joined_value(work, &work.words.carry)?);
        Ok(body)
    }

    /// Joins the values of a warp's row to what it carries on, in the order of its threads: all have the same then.
    fn scanned_values(&mut self, work: &Work, total: &Expr) -> Result<Vec<k::Stmt>, Reason> {
        let Work { scan, words, counted, .. } = work;
        let (at, counter) = (index::var(&words.at), self.name(counted.var));
        let mut fed = self.feeders(work, index::var(&counter))?;
        fed.extend(self.joined_value(work, &words.value)?);
        let position = |var, init| k::Stmt::made(StmtKind::Let { var, ty: ScalarType::Index, init: Some(init) });
        let mut body = vec![position(words.at.clone(), words.in_row()), position(counter, self.value_at(counted, at))];
        body.extend(self.own_data(&trees_of(&scan.feeders), &fed)?);
        let init = Some(identity(scan.op, scan.ty));
        let scanned = StmtKind::WarpScan { op: scan.op, var: words.value.clone(), carry: words.carry.clone() };
        body.extend([
            k::Stmt::made(StmtKind::Let { var: words.value.clone(), ty: scan.ty, init }),
            self.inside(work, total, fed),
            k::Stmt::made(scanned),
        ]);
        Ok(body)
    }

    /// Runs a thread's iteration, from what the warp carries on.
    fn run(&mut self, work: &Work, total: &Expr) -> Result<Vec<k::Stmt>, Reason> {
        let Work { nest, scan, words, counted, .. } = work;
        if let Carried::Scalar(target) = &scan.carried {
            self.private.extend(target.root());
        }
        let line = (self.line)(counted.span);
        let stmt = |kind| k::Stmt { kind, line };
        let variable = |var: &String, init| stmt(StmtKind::Let { var: var.clone(), ty: scan.ty, init: Some(init) });
        let (at, counter) = (index::var(&words.at), self.name(counted.var));
        let mut fed = self.feeders(work, index::var(&counter))?;
        fed.extend(self.joined_value(work, &words.value)?);
        let then = self.behind(work)?;
        let lowered: Vec<k::Stmt> = fed.iter().chain(&then).cloned().collect();
        let position = |var, init| k::Stmt::made(StmtKind::Let { var, ty: ScalarType::Index, init: Some(init) });
        let mut body = vec![position(words.at.clone(), words.in_row()), position(counter, self.value_at(counted, at))];
        body.extend(self.own_data(&nest.body, &lowered)?);
        body.extend([
            variable(&words.value, identity(scan.op, scan.ty)),
            self.inside(work, total, fed),
            variable(&words.before, index::var(&words.value)),
            stmt(StmtKind::WarpScan { op: scan.op, var: words.before.clone(), carry: words.carry.clone() }),
            self.inside(work, total, then),
        ]);
        Ok(body)
    }

    /// Statements for threads that have an iteration.
    fn inside(&self, Work { words, counted, .. }: &Work, total: &Expr, then: Vec<k::Stmt>) -> k::Stmt {
        let cond = index::binary(BinOp::Lt, index::var(&words.at), total.clone());
        k::Stmt { kind: StmtKind::If { cond, then, other: vec![] }, line: (self.line)(counted.span) }
    }

    /// The statements that the value is made by.
    fn feeders(&mut self, Work { scan, counted, .. }: &Work, counter: Expr) -> Result<Vec<k::Stmt>, Reason> {
        self.counters.insert(counted.var, counter);
        self.trees(&trees_of(&scan.feeders))
    }

    /// Joins the value of an iteration to a variable.
    fn joined_value(&mut self, Work { a, scan, .. }: &Work, to: &str) -> Result<Vec<k::Stmt>, Reason> {
        self.name_counters(scan.update);
        let value = self.value(&scan.value)?;
        let line = (self.line)(a.part.stmt(scan.update).body.span);
        Ok(stmts(join(self.names, scan.op, scan.ty, to, value), line))
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
