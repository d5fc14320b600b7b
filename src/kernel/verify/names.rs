//! Scopes and kinds of names, use of arrays by their usage, and where jumps may stand.

use super::Findings;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Function, Kernel, Stmt, StmtKind, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Scalar { assignable: bool },
    Array { rank: usize, usage: Usage },
}

pub(super) fn check_kernel(kernel: &Kernel, functions: &[Function], findings: &mut Findings) {
    let mut check = Check::new(functions, false, findings);
    for name in kernel.scalars.iter().map(|s| &s.name).chain(kernel.tunables.iter().map(|t| &t.name)) {
        check.declare(None, name, Meaning::Scalar { assignable: false });
    }
    for array in &kernel.arrays {
        check.declare(None, &array.name, Meaning::Array { rank: array.extents.len(), usage: array.usage });
    }
    check.body(&kernel.body);
}

pub(super) fn check_function(function: &Function, functions: &[Function], findings: &mut Findings) {
    let mut check = Check::new(functions, true, findings);
    for param in &function.params {
        check.declare(None, &param.name, Meaning::Scalar { assignable: true });
    }
    check.body(&function.body);
}

struct Check<'a> {
    functions: &'a [Function],
    in_function: bool,
    /// Names in scope; a block's own are undone at its end.
    names: BTreeMap<&'a str, Meaning>,
    /// `writes` arrays that some store before this point may have filled.
    stored: BTreeSet<&'a str>,
    loops: usize,
    findings: &'a mut Findings,
}

impl<'a> Check<'a> {
    fn new(functions: &'a [Function], in_function: bool, findings: &'a mut Findings) -> Self {
        Check { functions, in_function, names: BTreeMap::new(), stored: BTreeSet::new(), loops: 0, findings }
    }

    fn declare(&mut self, at: Option<&Stmt>, name: &'a str, meaning: Meaning) {
        if self.names.insert(name, meaning).is_some() {
            self.findings.add(at, format!("`{name}` is declared twice"));
        }
    }

    fn body(&mut self, body: &'a [Stmt]) {
        let outer = self.names.clone();
        body.iter().for_each(|stmt| self.stmt(stmt));
        self.names = outer;
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        if self.in_function {
            self.check_fits_function(stmt);
        }
        // Uses come before the declaration that this statement makes; a loop's stores count before its condition.
        if matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }) {
            stmt.visit(&mut |inner| self.note_store(inner));
        }
        stmt.exprs().into_iter().for_each(|e| self.expr(stmt, e));
        match &stmt.kind {
            StmtKind::Let { var, .. } => self.declare(Some(stmt), var, Meaning::Scalar { assignable: true }),
            StmtKind::LocalArray { name, extents, .. } => self.declare_array(stmt, name, extents.len()),
            StmtKind::Shared { name, extents, .. } => self.declare_array(stmt, name, extents.len()),
            StmtKind::Assign { var, op, .. } => {
                self.assignment(stmt, var);
                self.operator(stmt, *op);
            }
            StmtKind::Store { target, op, .. } => {
                self.target(stmt, target, op.is_some());
                self.operator(stmt, *op);
            }
            StmtKind::Join { var, .. } => self.assignment(stmt, var),
            StmtKind::Atomic { target, .. } => self.target(stmt, target, true),
            StmtKind::BlockReduce { target, .. } => self.target(stmt, target, false),
            StmtKind::If { then, other, .. } => {
                self.body(then);
                self.body(other);
            }
            StmtKind::For { var, body, .. } => {
                let outer = self.names.clone();
                self.declare(Some(stmt), var, Meaning::Scalar { assignable: false });
                self.loop_body(body);
                self.names = outer;
            }
            StmtKind::While { step, body, .. } => {
                self.loop_body(body);
                self.body(step);
            }
            StmtKind::Phase { body, .. } => {
                let loops = std::mem::take(&mut self.loops);
                self.body(body);
                self.loops = loops;
            }
            StmtKind::Break | StmtKind::Continue if self.loops == 0 => {
                self.findings.add(Some(stmt), "stands in no loop".into());
            }
            StmtKind::Return(_) if !self.in_function => {
                self.findings.add(Some(stmt), "a kernel does not return early: its barriers need every thread".into());
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => {}
            StmtKind::Barrier | StmtKind::GridBarrier => {}
        }
    }

    fn loop_body(&mut self, body: &'a [Stmt]) {
        self.loops += 1;
        self.body(body);
        self.loops -= 1;
    }

    fn check_fits_function(&mut self, stmt: &Stmt) {
        let foreign = match stmt.kind {
            StmtKind::Shared { .. } => "shared memory",
            StmtKind::Barrier | StmtKind::GridBarrier | StmtKind::BlockReduce { .. } | StmtKind::Join { .. } => {
                "a barrier"
            }
            StmtKind::Atomic { .. } => "an atomic",
            StmtKind::Phase { .. } => "a phase",
            _ => {
                let position = |e: &Expr| matches!(e, Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_));
                if !stmt.exprs().into_iter().any(|e| e.any(&mut |e| position(e))) {
                    return;
                }
                "a position"
            }
        };
        self.findings.add(Some(stmt), format!("{foreign} stands in a function"));
    }

    fn declare_array(&mut self, stmt: &Stmt, name: &'a str, rank: usize) {
        self.declare(Some(stmt), name, Meaning::Array { rank, usage: Usage::ReadWrite });
    }

    fn operator(&mut self, stmt: &Stmt, op: Option<BinOp>) {
        if let Some(op) = op.filter(|op| op.is_boolean()) {
            self.findings.add(Some(stmt), format!("`{}` has no compound assignment", op.symbol()));
        }
    }

    fn assignment(&mut self, stmt: &Stmt, var: &str) {
        match self.names.get(var) {
            Some(Meaning::Scalar { assignable: true }) => (),
            Some(_) => self.findings.add(Some(stmt), format!("`{var}` is no `let` variable")),
            None => self.findings.add(Some(stmt), format!("`{var}` is not declared here")),
        }
    }

    fn target(&mut self, stmt: &'a Stmt, target: &'a Access, loads: bool) {
        let Some(usage) = self.access(stmt, target) else { return };
        if usage == Usage::Read {
            self.findings.add(Some(stmt), format!("`{}` is stored to, but only in `reads`", target.array));
        }
        if loads {
            self.load(stmt, &target.array, usage);
        }
        self.note_store(stmt);
    }

    /// Remembers the array that a statement stores to.
    fn note_store(&mut self, stmt: &'a Stmt) {
        if let StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } =
            &stmt.kind
        {
            self.stored.insert(&target.array);
        }
    }

    fn load(&mut self, stmt: &Stmt, array: &str, usage: Usage) {
        if usage == Usage::Write && !self.stored.contains(array) {
            self.findings.add(Some(stmt), format!("`{array}` is loaded before any store, but only in `writes`"));
        }
    }

    /// Checks an access but for its subscripts; the usage of its array.
    fn access(&mut self, stmt: &Stmt, access: &Access) -> Option<Usage> {
        let name = &access.array;
        match self.names.get(name.as_str()) {
            Some(Meaning::Array { rank, usage }) => {
                if *rank != access.index.len() {
                    let n = access.index.len();
                    self.findings.add(Some(stmt), format!("`{name}` has {rank} extents, but {n} subscripts here"));
                }
                Some(*usage)
            }
            Some(Meaning::Scalar { .. }) => {
                self.findings.add(Some(stmt), format!("`{name}` is a scalar, but has subscripts here"));
                None
            }
            None => {
                self.findings.add(Some(stmt), format!("`{name}` is not declared here"));
                None
            }
        }
    }

    fn expr(&mut self, stmt: &Stmt, e: &Expr) {
        match e {
            Expr::Var(name) => match self.names.get(name.as_str()) {
                Some(Meaning::Scalar { .. }) => (),
                Some(Meaning::Array { .. }) => {
                    self.findings.add(Some(stmt), format!("`{name}` is an array, but has no subscripts here"));
                }
                None => self.findings.add(Some(stmt), format!("`{name}` is not declared here")),
            },
            Expr::Load(access) => {
                if let Some(usage) = self.access(stmt, access) {
                    self.load(stmt, &access.array, usage);
                }
            }
            Expr::Call(name, args) => {
                let arity = self.functions.iter().find(|f| f.name == *name).map_or(args.len(), |f| f.params.len());
                if arity != args.len() {
                    let n = args.len();
                    self.findings.add(Some(stmt), format!("`{name}` has {arity} parameters, but is passed {n} values"));
                }
            }
            _ => (),
        }
        e.children().into_iter().for_each(|child| self.expr(stmt, child));
    }
}
