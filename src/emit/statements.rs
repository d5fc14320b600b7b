//! Statements of kernels, device functions and the host as lines of C++.

use super::construct::statements::{
    Assign, Assignment, Atomic, Barrier, BlockReduce, Break, CommitCopies, Continue, CopyAsync, Declaration,
    GridBarrier, GridWait, If, Join, LoadVector, LocalArray, Loop, Mma, OnChip, OnChipRows, Return, ScanBlocks,
    SharedArray, StoreVector, WaitCopies, WarpScan, While,
};
use super::layout::Lines;
use super::scope::{Memory, Scope};
use super::spell::spell;
use super::{bug, names};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::kernel::{Expr, LONGEST, ROWS, SLOTS, ScalarType, Stmt, StmtKind, THREADS, simplify, walk};
use std::collections::{BTreeMap, BTreeSet};

/// Writes statements in a scope.
pub struct Statements<'a> {
    pub scope: Scope<'a>,
    /// The C file.
    pub file: &'a str,
    pub lines: Lines,
    /// The functions that the phases of what is written became.
    pub phases: Vec<String>,
    /// Variables that are assigned after their declaration: the others are `const`.
    assigned: BTreeSet<String>,
    /// Names that are numbers when a kernel is compiled, with their usual values.
    pub tunables: BTreeMap<String, i64>,
    /// Arrays of the thread.
    registers: BTreeSet<String>,
    n_joined: usize,
    /// Flag: the launch asks for shared memory, and the array that was placed there last.
    pub is_launch_shared: bool,
    last_shared: Option<String>,
    /// Bytes that an element takes of all arrays on chip so far, and an entry of the rows there.
    on_chip: i64,
    of_entries: i64,
}

/// Unrolling of a loop.
#[derive(PartialEq)]
enum Unrolled {
    Wholly,
    /// So many iterations: a number, or a tunable.
    By(String),
    /// Left to the compiler.
    AsItIs,
}

/// The tunable that says how many iterations of a loop that reads are unrolled.
const UNROLL: &str = "UNROLL";

/// Iterations of a loop that scans over warps whose shuffles are under way at once. Sums of 5e7 `float` on an H200: 2 of them
/// 158 us, 4 of them 151, 8 of them 160.
const SCANNED: &str = "4";

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

impl<'a> Statements<'a> {
    /// A writer whose scope also holds what `body` declares.
    pub fn new(mut scope: Scope<'a>, file: &'a str, body: &[Stmt]) -> Self {
        let mut assigned = BTreeSet::new();
        walk::visit(body, &mut |s| declare(s, &mut scope, &mut assigned));
        let mut registers = BTreeSet::new();
        walk::visit(body, &mut |s| {
            if let StmtKind::LocalArray { name, .. } = &s.kind {
                registers.insert(name.clone());
            }
        });
        Statements {
            scope,
            file,
            lines: Lines::default(),
            phases: Vec::new(),
            assigned,
            tunables: BTreeMap::new(),
            registers,
            n_joined: 0,
            is_launch_shared: false,
            last_shared: None,
            on_chip: 0,
            of_entries: 0,
        }
    }

    /// Constness of a variable: nothing assigns to it.
    pub fn is_const(&self, name: &str) -> bool {
        !self.assigned.contains(name)
    }

    /// Writes statements one after another.
    ///
    /// # Errors
    /// A kernel that its verifier would refuse.
    pub fn all(&mut self, body: &[Stmt]) -> Result<(), Stop> {
        for run in body.chunk_by(are_joined_together) {
            match run {
                [s] => self.one(s)?,
                sums => {
                    let text = self.block_reduce(sums)?;
                    self.lines.push(&text);
                }
            }
        }
        Ok(())
    }

    /// Statements as the text of a block.
    ///
    /// # Errors
    /// As [`Statements::all`].
    pub fn block(&mut self, body: &[Stmt]) -> Result<String, Stop> {
        Ok(self.apart(body)?.block())
    }

    /// The lines of statements that stand in another construct.
    fn apart(&mut self, body: &[Stmt]) -> Result<Lines, Stop> {
        let outer = std::mem::take(&mut self.lines);
        self.all(body)?;
        Ok(std::mem::replace(&mut self.lines, outer))
    }

    /// Writes one statement.
    ///
    /// # Errors
    /// As [`Statements::all`].
    pub fn one(&mut self, s: &Stmt) -> Result<(), Stop> {
        let text = match &s.kind {
            StmtKind::If { cond, then, other } => {
                let is_chained = matches!(other.as_slice(), [Stmt { kind: StmtKind::If { .. }, .. }]);
                spell(&If {
                    line: s.line,
                    condition: self.scope.condition_text(cond)?,
                    then: self.block(then)?,
                    other: if is_chained { self.apart(other)?.text() } else { self.block(other)? },
                    is_chained,
                })?
            }
            StmtKind::For { .. } => self.counted(s)?,
            StmtKind::While { cond, step, body } => {
                let (steps, tail) = self.while_steps(step, body)?;
                let mut condition = self.scope.condition_text(cond)?;
                // A value read in the place of an element that is not there might never end the loop.
                if !self.scope.held.is_empty() && walk::is_of_thread(body) {
                    condition = format!("({condition}) && !rt_is_outside()");
                }
                let body = self.block(&[body.as_slice(), tail].concat())?;
                spell(&While { line: s.line, condition, steps, body })?
            }
            StmtKind::Phase { name, note, body } => spell(&self.phase(s.line, (name, note), body)?)?,
            _ => self.simple(s)?,
        };
        self.lines.push(&text);
        Ok(())
    }

    /// A counted loop with its body.
    fn counted(&mut self, s: &Stmt) -> Result<String, Stop> {
        let StmtKind::For { var, lo, hi, step, body } = &s.kind else { return Err(bug("a loop that is none")) };
        // Blocks that take turns seldom have a second one: unrolled, the loop would begin with a division.
        let takes_turns = self.scope.ranks.0 > 1 && step.any(&mut |e| matches!(e, Expr::GridSize(_)));
        let (head, unrolled) = (self.head(var, lo, hi, step)?, self.unrolled(s));
        spell(&Loop {
            line: s.line,
            is_unrolled: unrolled == Unrolled::Wholly,
            unrolled_by: match unrolled {
                Unrolled::By(iterations) => Some(iterations),
                Unrolled::Wholly | Unrolled::AsItIs => None,
            },
            takes_turns: takes_turns && !waits(body),
            body: self.block(body)?,
            ..head
        })
    }

    /// Unrolling of a loop. One that runs as often as tunables say is unrolled wholly where it goes over an array of the
    /// thread, whose elements are registers only then, else as far as that does not make too much of it; so is one of a
    /// known number of iterations around such loops, whose points then share what they load in several of them. Not where
    /// each point is tested by itself: such points share nothing, and would only take registers from others (7 points f32 on an
    /// H200: 40 registers and 349 us, or 32 and 295).
    fn unrolled(&self, s: &Stmt) -> Unrolled {
        let StmtKind::For { var, hi, body, .. } = &s.kind else { return Unrolled::AsItIs };
        let is_tuned = |hi: &Expr| hi.any(&mut |e| matches!(e, Expr::Var(name) if self.tunables.contains_key(name)));
        let mut counts_points = is_tuned(hi);
        walk::visit(body, &mut |s| counts_points |= matches!(&s.kind, StmtKind::For { hi, .. } if is_tuned(hi)));
        let Some(trips) = self.trips(&s.kind).filter(|_| counts_points && !waits(body)) else {
            let is_tuned = self.tunables.contains_key(UNROLL) && s.is_reading_loop();
            return match is_tuned {
                true => Unrolled::By(UNROLL.into()),
                false if body.iter().any(|s| matches!(s.kind, StmtKind::WarpScan { .. })) => {
                    Unrolled::By(SCANNED.into())
                }
                false if body.iter().any(|s| self.moves_registers(s)) => Unrolled::By("2".into()),
                false => Unrolled::AsItIs,
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
            return Unrolled::By("1".into());
        }
        let weight = if over_registers { 0 } else { self.weight(&s.kind, &Around::default()) };
        let iterations = MOST_UNROLLED / (weight / trips.max(1)).max(1);
        match iterations {
            _ if weight <= MOST_UNROLLED => Unrolled::Wholly,
            2.. => Unrolled::By((1 << iterations.ilog2()).to_string()),
            _ => Unrolled::AsItIs,
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
            Expr::Var(name) => self.tunables.get(name).map(|value| Expr::Int(*value)),
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

    /// A counted loop without its body.
    ///
    /// # Errors
    /// As [`Statements::all`].
    pub fn head(&self, var: &str, lo: &Expr, hi: &Expr, step: &Expr) -> Result<Loop, Stop> {
        Ok(Loop {
            name: names::spell(var),
            r#type: self.scope.type_name(ScalarType::Index),
            first: self.scope.position_text(lo)?,
            holds: self.scope.position_text(&below(var, hi))?,
            step: if *step == Expr::Int(1) { None } else { Some(self.scope.position_text(step)?) },
            ..Loop::default()
        })
    }

    /// The steps that the head of a loop takes whose end the data decide, and those that it cannot take in.
    ///
    /// # Errors
    /// A step that is not an assignment in a loop that continues.
    pub fn while_steps<'s>(&self, step: &'s [Stmt], body: &[Stmt]) -> Result<(Vec<Assignment>, &'s [Stmt]), Stop> {
        let expressions = step.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Store { .. }));
        if !expressions && continues(body) {
            return Err(bug("a `continue` skips a step that is not an expression"));
        }
        if !expressions {
            return Ok((Vec::new(), step));
        }
        Ok((step.iter().map(|s| self.assignment(&s.kind)).collect::<Result<_, _>>()?, &[]))
    }

    /// A statement without a body.
    fn simple(&mut self, s: &Stmt) -> Result<String, Stop> {
        let (line, scope) = (s.line, &self.scope);
        match &s.kind {
            StmtKind::Let { var, ty, init } => spell(&Declaration {
                line,
                is_const: init.is_some() && self.is_const(var),
                r#type: scope.type_name(*ty),
                name: names::spell(var),
                value: init.as_ref().map(|init| scope.value_text(init, *ty)).transpose()?,
            }),
            StmtKind::LocalArray { name, ty, extents } => {
                let (r#type, extents) = (names::cxx_type(*ty, scope.bits), self.extents(extents)?);
                spell(&LocalArray { line, r#type, name: names::spell(name), extents })
            }
            StmtKind::OnChip { name, ty, rows, .. } => {
                let size = ty.size(scope.bits);
                let of_rows = OnChipRows { kept: ROWS, longest: LONGEST, before: self.of_entries };
                let (before, rows) = (self.on_chip, rows.as_ref().map(|_| of_rows));
                if rows.is_some() {
                    self.of_entries += size;
                } else {
                    self.on_chip += size;
                }
                let (r#type, name) = (names::cxx_type(*ty, scope.bits), names::spell(name));
                spell(&OnChip { line, r#type, name, threads: THREADS, slots: SLOTS, before, rows })
            }
            StmtKind::Shared { name, ty, extents } => {
                let (r#type, extents) = (names::cxx_type(*ty, scope.bits), self.extents(extents)?);
                let (name, is_of_launch) = (names::spell(name), self.is_launch_shared);
                let behind = if is_of_launch { self.last_shared.replace(name.clone()) } else { None };
                spell(&SharedArray { line, r#type, name, extents, is_of_launch, behind })
            }
            StmtKind::Assign { .. } | StmtKind::Store { .. } => {
                spell(&Assign { line, assignment: self.assignment(&s.kind)? })
            }
            StmtKind::Atomic { target, op, value } => spell(&Atomic {
                line,
                operator: names::reduce_op(*op),
                target: scope.element(target)?,
                value: scope.data_text(value)?,
            }),
            StmtKind::Join { op, var, extent, stride } => spell(&Join {
                line,
                name: names::spell(var),
                operator: names::reduce_op(*op),
                extent: scope.data_text(extent)?,
                stride: scope.data_text(stride)?,
            }),
            StmtKind::WarpScan { op, var, carry } => spell(&WarpScan {
                line,
                name: names::spell(var),
                carry: names::spell(carry),
                operator: names::reduce_op(*op),
            }),
            StmtKind::Begin { var, begun } => spell(&Declaration {
                line,
                is_const: true,
                r#type: scope.type_name(ScalarType::Index),
                name: names::spell(var),
                value: Some(format!("rt_begin({})", names::spell(begun))),
            }),
            StmtKind::ScanBlocks { op, var, slots, block, start } => spell(&ScanBlocks {
                line,
                name: names::spell(var),
                operator: names::reduce_op(*op),
                slots: names::spell(slots),
                block: scope.position_text(block)?,
                start: scope.data_text(start)?,
            }),
            StmtKind::Mma { shape, c, a, b } => {
                let targets = c.iter().map(|x| scope.element(x));
                let operands = targets.chain(a.iter().chain(b).map(|e| scope.data_text(e)));
                spell(&Mma { line, shape: shape.to_string(), operands: operands.collect::<Result<_, _>>()? })
            }
            StmtKind::BlockReduce { .. } => self.block_reduce(std::slice::from_ref(s)),
            StmtKind::Break => spell(&Break { line }),
            StmtKind::Continue => spell(&Continue { line }),
            StmtKind::Barrier => spell(&Barrier { line }),
            StmtKind::GridBarrier => spell(&GridBarrier { line }),
            StmtKind::GridWait { across } => {
                let across = across.iter().map(|e| scope.data_text(e)).collect::<Result<_, _>>()?;
                spell(&GridWait { line, across })
            }
            StmtKind::Return(value) => {
                spell(&Return { line, value: value.as_ref().map(|value| scope.data_text(value)).transpose()? })
            }
            _ => self.moved(s),
        }
    }

    /// Vectors and asynchronous copies.
    fn moved(&self, s: &Stmt) -> Result<String, Stop> {
        let (line, scope) = (s.line, &self.scope);
        match &s.kind {
            StmtKind::LoadVector { array, source, is_part } => {
                let (row, at) = scope.row(source)?;
                spell(&LoadVector { line, is_part: *is_part, array: names::spell(array), row, at })
            }
            StmtKind::StoreVector { target, array } => {
                let (row, at) = scope.row(target)?;
                spell(&StoreVector { line, row, at, array: names::spell(array) })
            }
            StmtKind::CopyAsync { target, source, count } => {
                let ((to_row, to_at), (from_row, from_at)) = (scope.row(target)?, scope.row(source)?);
                spell(&CopyAsync { line, count: scope.data_text(count)?, to_row, to_at, from_row, from_at })
            }
            StmtKind::CommitCopies => spell(&CommitCopies { line }),
            StmtKind::WaitCopies { pending } => spell(&WaitCopies { line, pending: scope.data_text(pending)? }),
            _ => Err(bug("a statement with a body where one without is needed")),
        }
    }

    fn assignment(&self, kind: &StmtKind) -> Result<Assignment, Stop> {
        let scope = &self.scope;
        let (target, op, value) = match kind {
            StmtKind::Assign { var, op, value } => {
                let ty = scope.vars.get(var).copied().ok_or_else(|| bug(format!("`{var}` is not declared")))?;
                (names::spell(var), op, scope.value_text(value, ty)?)
            }
            StmtKind::Store { target, op, value } => (scope.element(target)?, op, scope.data_text(value)?),
            _ => return Err(bug("a statement that assigns nothing where an expression is needed")),
        };
        Ok(Assignment { target, operator: op.map_or("", BinOp::symbol), value })
    }

    fn extents(&self, extents: &[Expr]) -> Result<Vec<String>, Stop> {
        extents.iter().map(|e| self.scope.data_text(e)).collect()
    }

    /// Values that the threads of a block join, all at once.
    fn block_reduce(&mut self, all: &[Stmt]) -> Result<String, Stop> {
        let Some(Stmt { kind: StmtKind::BlockReduce { op, ty, .. }, line }) = all.first() else {
            return Err(bug("a sum that is none"));
        };
        self.n_joined += 1;
        let joined = if self.n_joined == 1 { "rt_joined".to_string() } else { format!("rt_joined_{}", self.n_joined) };
        let indices = (0..self.scope.ranks.1).map(|d| self.scope.text(&Expr::ThreadIdx(d)));
        let (mut values, mut targets) = (vec![], vec![]);
        for s in all {
            if let StmtKind::BlockReduce { value, target, .. } = &s.kind {
                values.push(self.scope.data_text(value)?);
                targets.push(self.scope.element(target)?);
            }
        }
        spell(&BlockReduce {
            line: *line,
            r#type: names::cxx_type(*ty, self.scope.bits),
            joined,
            operator: names::reduce_op(*op),
            several: (all.len() > 1).then_some(all.len()),
            values,
            targets,
            indices: indices.collect::<Result<_, _>>()?,
        })
    }
}

/// Takes into the scope what one statement declares.
pub fn declare(s: &Stmt, scope: &mut Scope, assigned: &mut BTreeSet<String>) {
    match &s.kind {
        StmtKind::Let { var, ty, .. } => {
            scope.vars.insert(var.clone(), *ty);
        }
        StmtKind::For { var, .. } | StmtKind::Begin { var, .. } => {
            scope.vars.insert(var.clone(), ScalarType::Index);
        }
        StmtKind::LocalArray { name, ty, .. } | StmtKind::Shared { name, ty, .. } => {
            scope.arrays.insert(name.clone(), (*ty, Memory::Tile));
        }
        StmtKind::OnChip { name, ty, rows, .. } => {
            let memory = if rows.is_some() { Memory::RowsOnChip } else { Memory::OnChip };
            scope.arrays.insert(name.clone(), (*ty, memory));
        }
        _ => assigned.extend(s.assigns().into_iter().map(str::to_owned)),
    }
}

/// Test for neighbours that join values of one type by one operator: the barriers of one serve both.
fn are_joined_together(a: &Stmt, b: &Stmt) -> bool {
    match (&a.kind, &b.kind) {
        (StmtKind::BlockReduce { op, ty, .. }, StmtKind::BlockReduce { op: other_op, ty: other_ty, value, .. }) => {
            op == other_op && ty == other_ty && !value.any(&mut |e| matches!(e, Expr::Load(_)))
        }
        _ => false,
    }
}

fn below(var: &str, hi: &Expr) -> Expr {
    Expr::Binary(BinOp::Lt, Box::new(Expr::Var(var.to_string())), Box::new(hi.clone()))
}

/// Test that a `continue` of this very loop stands in its body.
fn continues(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Continue => true,
        StmtKind::If { then, other, .. } => continues(then) || continues(other),
        _ => false,
    })
}
