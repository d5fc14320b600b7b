//! Statements of kernels, device functions and the host as lines of C++.

use super::layout::Lines;
use super::scope::{Memory, Scope};
use super::{bug, names, phase};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::kernel::{Access, Expr, ReduceOp, ScalarType, Stmt, StmtKind, simplify, walk};
use std::collections::{BTreeMap, BTreeSet};

/// Writes statements in a scope.
pub struct Statements<'a> {
    pub scope: Scope<'a>,
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
    /// Whether the launch asks for shared memory, and the array that was placed there last.
    pub is_launch_shared: bool,
    last_shared: Option<String>,
}

/// Operations that a loop may become when it is unrolled: more than these the instruction cache would have to fetch anew.
const MOST_UNROLLED: i64 = 16 * 1024;

/// Whether threads of a block wait for each other in statements: such a loop nvcc leaves as it is.
fn waits(body: &[Stmt]) -> bool {
    let mut found = false;
    walk::visit(body, &mut |s| found |= s.kind == StmtKind::Barrier);
    found
}

impl<'a> Statements<'a> {
    /// A writer whose scope also holds what `body` declares.
    pub fn new(mut scope: Scope<'a>, lines: Lines, body: &[Stmt]) -> Self {
        let mut assigned = BTreeSet::new();
        walk::visit(body, &mut |s| declare(s, &mut scope, &mut assigned));
        let mut registers = BTreeSet::new();
        walk::visit(body, &mut |s| {
            if let StmtKind::LocalArray { name, .. } = &s.kind {
                registers.insert(name.clone());
            }
        });
        let (tunables, phases) = (BTreeMap::new(), Vec::new());
        let (is_launch_shared, last_shared) = (false, None);
        Statements { scope, lines, tunables, phases, assigned, registers, n_joined: 0, is_launch_shared, last_shared }
    }

    /// `const ` where nothing assigns to the variable.
    pub fn constness(&self, name: &str) -> &'static str {
        if self.assigned.contains(name) { "" } else { "const " }
    }

    /// Writes statements one after another.
    ///
    /// # Errors
    /// A kernel that its verifier would refuse.
    pub fn all(&mut self, body: &[Stmt]) -> Result<(), Stop> {
        body.iter().try_for_each(|s| self.one(s))
    }

    /// Writes one statement.
    ///
    /// # Errors
    /// As [`Statements::all`].
    pub fn one(&mut self, s: &Stmt) -> Result<(), Stop> {
        match &s.kind {
            StmtKind::If { cond, then, other } => {
                self.lines.open(&format!("if ({})", self.scope.condition_text(cond)?), s.line);
                self.all(then)?;
                if !other.is_empty() {
                    self.lines.reopen("else");
                    self.all(other)?;
                }
                self.lines.close();
            }
            StmtKind::For { var, lo, hi, step, body } => {
                if self.is_unrolled(&s.kind) {
                    self.lines.push("RT_UNROLL", 0);
                } else if self.tunables.contains_key("UNROLL") && s.is_reading_loop() {
                    self.lines.push("RT_UNROLL_BY(UNROLL)", 0);
                }
                // Blocks that take turns seldom have a second one: unrolled, the loop would begin with a division.
                let takes_turns = self.scope.ranks.0 > 1 && step.any(&mut |e| matches!(e, Expr::GridSize(_)));
                if takes_turns && !waits(body) {
                    self.lines.push("RT_UNROLL_BY(1)", 0);
                }
                let head = self.for_head(var, lo, hi, step)?;
                self.lines.open(&head, s.line);
                self.all(body)?;
                self.lines.close();
            }
            StmtKind::While { cond, step, body } => {
                let (head, tail) = self.while_head(cond, step, body)?;
                self.lines.open(&head, s.line);
                self.all(body)?;
                self.all(tail)?;
                self.lines.close();
            }
            StmtKind::Phase { name, note, body } => {
                let lines = self.lines.fresh();
                let (function, call) = phase::phase((name, note), body, &self.scope, &self.tunables, lines)?;
                self.phases.push(function);
                self.lines.push(&call, s.line);
            }
            StmtKind::Shared { name, ty, extents } if self.is_launch_shared => {
                let (name, ty) = (names::spell(name), names::cxx_type(*ty, self.scope.bits));
                let text = format!("{ty}, {name}, {}", self.extents(extents)?);
                let text = match self.last_shared.replace(name) {
                    Some(before) => format!("RT_SHARED_BEHIND({text}, {before});"),
                    None => format!("RT_SHARED_FIRST({text});"),
                };
                self.lines.push(&text, s.line);
            }
            StmtKind::BlockReduce { op, ty, value, target } => self.block_reduce(*op, *ty, value, target, s.line)?,
            kind => self.lines.push(&format!("{};", self.simple(kind)?), s.line),
        }
        Ok(())
    }

    /// Whether a loop that runs as often as tunables say is unrolled: always where it goes over an array of the thread,
    /// whose elements are registers only then, else where that does not make too much of it.
    fn is_unrolled(&self, kind: &StmtKind) -> bool {
        let StmtKind::For { var, hi, body, .. } = kind else { return false };
        if self.trips(kind).is_none() || !hi.any(&mut |e| matches!(e, Expr::Var(_))) {
            return false;
        }
        let mut over_registers = false;
        walk::visit(body, &mut |s| {
            let mut subscript = |e: &Expr| over_registers |= e.mentions(var);
            if let StmtKind::Store { target, .. } = &s.kind
                && self.registers.contains(&target.array)
            {
                target.index.iter().for_each(&mut subscript);
            }
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
        over_registers || self.weight(kind) <= MOST_UNROLLED
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

    /// Roughly how many operations a statement is when its loops over tunables are unrolled.
    fn weight(&self, kind: &StmtKind) -> i64 {
        let s = Stmt::made(kind.clone());
        let mut n = 0i64;
        s.exprs().into_iter().for_each(|e| {
            e.any(&mut |_| {
                n += 1;
                false
            });
        });
        let inside: i64 = s.bodies().into_iter().flatten().map(|s| self.weight(&s.kind)).sum();
        n + inside.saturating_mul(self.trips(kind).unwrap_or(1))
    }

    /// `for (long i = lo; i < hi; i++)`.
    ///
    /// # Errors
    /// As [`Statements::all`].
    pub fn for_head(&self, var: &str, lo: &Expr, hi: &Expr, step: &Expr) -> Result<String, Stop> {
        let ty = self.scope.type_name(ScalarType::Index);
        let [lo, hi] = [self.scope.position_text(lo)?, self.scope.position_text(&below(var, hi))?];
        let var = names::spell(var);
        let step = match step {
            Expr::Int(1) => format!("{var}++"),
            step => format!("{var} += {}", self.scope.position_text(step)?),
        };
        Ok(format!("for ({ty} {var} = {lo}; {hi}; {step})"))
    }

    /// The head of a loop whose end the data decide, and the steps that it could not take in.
    ///
    /// # Errors
    /// A step that is not an assignment in a loop that continues.
    pub fn while_head<'s>(&self, cond: &Expr, step: &'s [Stmt], body: &[Stmt]) -> Result<(String, &'s [Stmt]), Stop> {
        let cond = self.scope.condition_text(cond)?;
        let expressions = step.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Store { .. }));
        if step.is_empty() || !expressions {
            if !step.is_empty() && continues(body) {
                return Err(bug("a `continue` skips a step that is not an expression"));
            }
            return Ok((format!("while ({cond})"), step));
        }
        let step = step.iter().map(|s| self.simple(&s.kind)).collect::<Result<Vec<_>, _>>()?;
        Ok((format!("for (; {cond}; {})", step.join(", ")), &[]))
    }

    /// A statement without a body, without its semicolon.
    fn simple(&self, kind: &StmtKind) -> Result<String, Stop> {
        let scope = &self.scope;
        Ok(match kind {
            StmtKind::Let { var, ty, init } => {
                let (name, ty_name) = (names::spell(var), scope.type_name(*ty));
                match init {
                    Some(init) => format!("{}{ty_name} {name} = {}", self.constness(var), scope.value_text(init, *ty)?),
                    None => format!("{ty_name} {name}"),
                }
            }
            StmtKind::LocalArray { name, ty, extents } => {
                let (ty, extents) = (names::cxx_type(*ty, scope.bits), self.extents(extents)?);
                format!("RT_LOCAL({ty}, {}, {extents})", names::spell(name))
            }
            StmtKind::Shared { name, ty, extents } => {
                let (ty, extents) = (names::cxx_type(*ty, scope.bits), self.extents(extents)?);
                format!("RT_SHARED({ty}, {}, {extents})", names::spell(name))
            }
            StmtKind::Assign { var, op, value } => {
                let ty = scope.vars.get(var).copied().ok_or_else(|| bug(format!("`{var}` is not declared")))?;
                assignment(&names::spell(var), *op, &scope.value_text(value, ty)?)
            }
            StmtKind::Store { target, op, value } => assignment(&scope.element(target)?, *op, &scope.data_text(value)?),
            StmtKind::Atomic { target, op, value } => {
                let (op, target) = (names::reduce_op(*op), scope.element(target)?);
                format!("rt_atomic<{op}>({target}, {})", scope.data_text(value)?)
            }
            StmtKind::LoadVector { array, source } => {
                let (row, at) = scope.row(source)?;
                format!("rt_load_vector({}, {row}, {at})", names::spell(array))
            }
            StmtKind::StoreVector { target, array } => {
                let (row, at) = scope.row(target)?;
                format!("rt_store_vector({row}, {at}, {})", names::spell(array))
            }
            StmtKind::CopyAsync { target, source, count } => {
                let ((row, at), (from, from_at)) = (scope.row(target)?, scope.row(source)?);
                format!("rt_copy_async<{}>({row}, {at}, {from}, {from_at})", scope.data_text(count)?)
            }
            StmtKind::CommitCopies => "rt_commit_copies()".into(),
            StmtKind::WaitCopies { pending } => format!("rt_wait_copies<{}>()", scope.data_text(pending)?),
            StmtKind::Join { op, var, extent, stride } => {
                let (op, var) = (names::reduce_op(*op), names::spell(var));
                let (extent, stride) = (scope.data_text(extent)?, scope.data_text(stride)?);
                format!("{var} = rt_join<{op}, {extent}, {stride}>({var})")
            }
            StmtKind::Break => "break".into(),
            StmtKind::Continue => "continue".into(),
            StmtKind::Barrier => "__syncthreads()".into(),
            StmtKind::GridBarrier => "RT_GRID_BARRIER(rt_barrier)".into(),
            StmtKind::Return(None) => "return".into(),
            StmtKind::Return(Some(value)) => format!("return {}", scope.data_text(value)?),
            _ => return Err(bug("a statement with a body where an expression is needed")),
        })
    }

    /// `[n][m]`
    fn extents(&self, extents: &[Expr]) -> Result<String, Stop> {
        extents.iter().map(|e| Ok(format!("[{}]", self.scope.data_text(e)?))).collect()
    }

    fn block_reduce(
        &mut self,
        op: ReduceOp,
        ty: ScalarType,
        value: &Expr,
        target: &Access,
        line: u32,
    ) -> Result<(), Stop> {
        self.n_joined += 1;
        let joined = if self.n_joined == 1 { "rt_joined".to_string() } else { format!("rt_joined_{}", self.n_joined) };
        let ty = names::cxx_type(ty, self.scope.bits);
        let value = self.scope.data_text(value)?;
        self.lines
            .push(&format!("const {ty} {joined} = rt_block_reduce<{}, {ty}>({value});", names::reduce_op(op)), line);
        let first = (0..self.scope.ranks.1)
            .map(|d| self.scope.text(&Expr::ThreadIdx(d)).map(|t| format!("{t} == 0")))
            .collect::<Result<Vec<_>, _>>()?;
        let target = self.scope.element(target)?;
        self.lines.push(&format!("if ({}) {target} = {joined};", first.join(" && ")), line);
        Ok(())
    }
}

/// Takes into the scope what one statement declares.
pub fn declare(s: &Stmt, scope: &mut Scope, assigned: &mut BTreeSet<String>) {
    match &s.kind {
        StmtKind::Let { var, ty, .. } => {
            scope.vars.insert(var.clone(), *ty);
        }
        StmtKind::For { var, .. } => {
            scope.vars.insert(var.clone(), ScalarType::Index);
        }
        StmtKind::LocalArray { name, ty, .. } | StmtKind::Shared { name, ty, .. } => {
            scope.arrays.insert(name.clone(), (*ty, Memory::Tile));
        }
        StmtKind::Assign { var, .. } | StmtKind::Join { var, .. } => {
            assigned.insert(var.clone());
        }
        _ => {}
    }
}

fn below(var: &str, hi: &Expr) -> Expr {
    Expr::Binary(BinOp::Lt, Box::new(Expr::Var(var.to_string())), Box::new(hi.clone()))
}

/// Whether a `continue` of this very loop stands in its body.
fn continues(body: &[Stmt]) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Continue => true,
        StmtKind::If { then, other, .. } => continues(then) || continues(other),
        _ => false,
    })
}

fn assignment(target: &str, op: Option<BinOp>, value: &str) -> String {
    format!("{target} {}= {value}", op.map_or("", BinOp::symbol))
}
