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
use crate::kernel::{Expr, LONGEST, ROWS, SLOTS, ScalarType, Stmt, StmtKind, THREADS, Unroll, walk};
use std::collections::BTreeSet;

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
    /// Names that are numbers when a kernel is compiled.
    pub tunables: BTreeSet<String>,
    n_joined: usize,
    /// Flag: the launch asks for shared memory, and the array that was placed there last.
    pub is_launch_shared: bool,
    last_shared: Option<String>,
    /// Bytes that an element takes of all arrays on chip so far, and an entry of the rows there.
    on_chip: i64,
    of_entries: i64,
}

impl<'a> Statements<'a> {
    /// A writer whose scope also holds what `body` declares.
    pub fn new(mut scope: Scope<'a>, file: &'a str, body: &[Stmt]) -> Self {
        let mut assigned = BTreeSet::new();
        walk::visit(body, &mut |s| declare(s, &mut scope, &mut assigned));
        Statements {
            scope,
            file,
            lines: Lines::default(),
            phases: Vec::new(),
            assigned,
            tunables: BTreeSet::new(),
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
                let condition = self.scope.condition_text(cond)?;
                // A value read in the place of an element that is not there might never end the loop.
                let is_watched = !self.scope.held.is_empty() && walk::is_of_thread(body);
                let body = self.block(&[body.as_slice(), tail].concat())?;
                spell(&While { line: s.line, condition, is_watched, steps, body })?
            }
            StmtKind::Phase { name, note, body } => spell(&self.phase(s.line, (name, note), body)?)?,
            _ => self.simple(s)?,
        };
        self.lines.push(&text);
        Ok(())
    }

    /// A counted loop with its body.
    fn counted(&mut self, s: &Stmt) -> Result<String, Stop> {
        let StmtKind::For { var, lo, hi, step, unroll, body } = &s.kind else { return Err(bug("a loop that is none")) };
        let head = self.head(var, lo, hi, step)?;
        spell(&Loop {
            line: s.line,
            is_unrolled: *unroll == Unroll::All,
            unrolled_by: match unroll {
                Unroll::By(Expr::Int(iterations)) => Some(iterations.to_string()),
                Unroll::By(Expr::Var(tunable)) => Some(tunable.clone()),
                Unroll::By(_) => return Err(bug("a loop that is unrolled by neither a number nor a tunable")),
                Unroll::All | Unroll::AsItIs => None,
            },
            body: self.block(body)?,
            ..head
        })
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
