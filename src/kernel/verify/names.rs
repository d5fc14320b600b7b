//! Scopes and kinds of names, use of arrays by their usage, and where jumps may stand.

use super::finding::Findings;
use crate::ast::{BinOp, FloatKind, IntKind};
use crate::kernel::{Access, Expr, Function, Kernel, ScalarType, Stmt, StmtKind, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Scalar { assignable: bool },
    Array(Array),
}

#[derive(Clone, Copy, PartialEq)]
struct Array {
    rank: usize,
    usage: Usage,
    ty: ScalarType,
    home: Home,
}

/// Whose memory an array lies in.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Global,
    Shared,
    Thread,
}

pub(super) fn check_kernel(kernel: &Kernel, functions: &[Function], findings: &mut Findings) {
    let mut check = Check::new(functions, false, findings);
    for name in kernel.scalars.iter().map(|s| s.name.as_str()).chain(kernel.template()) {
        check.declare(None, name, Meaning::Scalar { assignable: false });
    }
    for array in &kernel.arrays {
        let (rank, usage, ty) = (array.extents.len(), array.usage, array.ty);
        check.declare(None, &array.name, Meaning::Array(Array { rank, usage, ty, home: Home::Global }));
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
            StmtKind::LocalArray { name, ty, extents } => {
                self.declare_array(stmt, name, (extents.len(), *ty, Home::Thread));
            }
            StmtKind::OnChip { name, ty, rows, .. } => {
                self.declare_array(stmt, name, (1 + usize::from(rows.is_some()), *ty, Home::Thread));
            }
            StmtKind::Shared { name, ty, extents } => {
                self.declare_array(stmt, name, (extents.len(), *ty, Home::Shared));
            }
            StmtKind::Assign { var, op, .. } => {
                self.assignment(stmt, var);
                self.operator(stmt, *op);
            }
            StmtKind::Store { target, op, .. } => {
                self.target(stmt, target, op.is_some());
                self.operator(stmt, *op);
            }
            StmtKind::LoadVector { array, source, .. } => {
                if let Some(of) = self.access(stmt, source) {
                    self.load(stmt, &source.array, of.usage);
                    self.vector(stmt, array, &source.array, of);
                }
            }
            StmtKind::StoreVector { target, array } => {
                if let Some(of) = self.target(stmt, target, false) {
                    self.vector(stmt, array, &target.array, of);
                }
            }
            StmtKind::CopyAsync { target, source, .. } => self.copy(stmt, target, source),
            StmtKind::Mma { c, .. } => self.product(stmt, c),
            StmtKind::CommitCopies | StmtKind::WaitCopies { .. } => {}
            StmtKind::Join { .. } | StmtKind::WarpScan { .. } => {
                stmt.assigns().into_iter().for_each(|var| self.assignment(stmt, var));
            }
            StmtKind::Begin { var, begun } => {
                self.exchanged(stmt, begun, IntKind::UInt);
                self.declare(Some(stmt), var, Meaning::Scalar { assignable: false });
            }
            StmtKind::ScanBlocks { var, slots, .. } => {
                self.exchanged(stmt, slots, IntKind::ULongLong);
                self.assignment(stmt, var);
            }
            StmtKind::Atomic { target, .. } => {
                self.target(stmt, target, true);
            }
            StmtKind::BlockReduce { target, .. } => {
                self.target(stmt, target, false);
            }
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
            StmtKind::Barrier | StmtKind::GridBarrier | StmtKind::GridWait { .. } => {}
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
            StmtKind::Barrier
            | StmtKind::GridBarrier
            | StmtKind::GridWait { .. }
            | StmtKind::BlockReduce { .. }
            | StmtKind::Join { .. }
            | StmtKind::WarpScan { .. }
            | StmtKind::Begin { .. }
            | StmtKind::ScanBlocks { .. }
            | StmtKind::Mma { .. } => "a barrier",
            StmtKind::Atomic { .. } => "an atomic",
            StmtKind::CopyAsync { .. } | StmtKind::CommitCopies | StmtKind::WaitCopies { .. } => "an asynchronous copy",
            StmtKind::Phase { .. } => "a phase",
            _ => {
                let position =
                    |e: &Expr| matches!(e, Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_) | Expr::GoesOn);
                if !stmt.exprs().into_iter().any(|e| e.any(&mut |e| position(e))) {
                    return;
                }
                "a position"
            }
        };
        self.findings.add(Some(stmt), format!("{foreign} stands in a function"));
    }

    fn declare_array(&mut self, stmt: &Stmt, name: &'a str, (rank, ty, home): (usize, ScalarType, Home)) {
        self.declare(Some(stmt), name, Meaning::Array(Array { rank, usage: Usage::ReadWrite, ty, home }));
    }

    /// `register` holds a vector of elements that lie in the row of an array, which is `of`.
    fn vector(&mut self, stmt: &Stmt, register: &str, name: &str, of: Array) {
        if of.home == Home::Thread || of.rank == 0 {
            self.findings.add(Some(stmt), format!("`{name}` is no row in global or shared memory"));
        }
        match self.names.get(register) {
            Some(Meaning::Array(array)) if array.home == Home::Thread && array.rank == 1 => {
                if array.ty != of.ty {
                    self.findings.add(Some(stmt), format!("`{register}` and `{name}` are of different types"));
                }
            }
            _ => self.findings.add(Some(stmt), format!("`{register}` is no array of the thread of one extent")),
        }
    }

    fn copy(&mut self, stmt: &'a Stmt, target: &'a Access, source: &Access) {
        let (to, from) = (self.target(stmt, target, false), self.access(stmt, source));
        let (Some(to), Some(from)) = (to, from) else { return };
        if to.home != Home::Shared || to.rank == 0 {
            self.findings.add(Some(stmt), format!("`{}` is no row in shared memory", target.array));
        }
        if from.home != Home::Global || from.rank == 0 {
            self.findings.add(Some(stmt), format!("`{}` is no row in global memory", source.array));
        } else if from.usage != Usage::Read {
            let message =
                format!("`{}` is copied from while the kernel may write it: it is not in `reads`", source.array);
            self.findings.add(Some(stmt), message);
        }
        if to.ty != from.ty {
            let message = format!("`{}` and `{}` are of different types", target.array, source.array);
            self.findings.add(Some(stmt), message);
        }
    }

    /// An array in which blocks leave, once, what others read of it.
    fn exchanged(&mut self, stmt: &Stmt, name: &str, kind: IntKind) {
        if self.loops > 0 {
            self.findings.add(Some(stmt), "is for once in a launch, and stands in a loop".into());
        }
        let is_fit = |array: &Array| {
            (array.home, array.rank, array.usage, array.ty)
                == (Home::Global, 1, Usage::ReadWrite, ScalarType::Int(kind))
        };
        if !matches!(self.names.get(name), Some(Meaning::Array(array)) if is_fit(array)) {
            let message = format!("`{name}` is no array of `{}` of one extent in `updates`", kind.c_name());
            self.findings.add(Some(stmt), message);
        }
    }

    /// A product of matrices adds to elements of one array of the thread.
    fn product(&mut self, stmt: &'a Stmt, c: &'a [Access]) {
        for x in c {
            let Some(array) = self.target(stmt, x, true) else { continue };
            if array.home != Home::Thread || array.ty != ScalarType::Float(FloatKind::Double) {
                self.findings.add(Some(stmt), format!("`{}` is no array of `double` of the thread", x.array));
            }
            if c[0].array != x.array {
                self.findings.add(Some(stmt), format!("`{}` and `{}` are two arrays", c[0].array, x.array));
            }
        }
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

    /// Checks what is stored to; its array.
    fn target(&mut self, stmt: &'a Stmt, target: &'a Access, loads: bool) -> Option<Array> {
        let array = self.access(stmt, target)?;
        if array.usage == Usage::Read {
            self.findings.add(Some(stmt), format!("`{}` is stored to, but only in `reads`", target.array));
        }
        if loads {
            self.load(stmt, &target.array, array.usage);
        }
        self.note_store(stmt);
        Some(array)
    }

    /// Remembers the array that a statement stores to.
    fn note_store(&mut self, stmt: &'a Stmt) {
        self.stored.extend(stmt.target().map(|target| target.array.as_str()));
    }

    fn load(&mut self, stmt: &Stmt, array: &str, usage: Usage) {
        if usage == Usage::Write && !self.stored.contains(array) {
            self.findings.add(Some(stmt), format!("`{array}` is loaded before any store, but only in `writes`"));
        }
    }

    /// Checks an access but for its subscripts; its array.
    fn access(&mut self, stmt: &Stmt, access: &Access) -> Option<Array> {
        let name = &access.array;
        match self.names.get(name.as_str()) {
            Some(Meaning::Array(array)) => {
                let (array, rank, n) = (*array, array.rank, access.index.len());
                if rank != n {
                    self.findings.add(Some(stmt), format!("`{name}` has {rank} extents, but {n} subscripts here"));
                }
                Some(array)
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
                Some(Meaning::Array(_)) => {
                    self.findings.add(Some(stmt), format!("`{name}` is an array, but has no subscripts here"));
                }
                None => self.findings.add(Some(stmt), format!("`{name}` is not declared here")),
            },
            Expr::Load(access) => {
                if let Some(array) = self.access(stmt, access) {
                    self.load(stmt, &access.array, array.usage);
                }
            }
            Expr::Aligned { access, .. } => {
                let array = self.access(stmt, access);
                if array.is_some_and(|array| array.home != Home::Global) {
                    self.findings.add(Some(stmt), format!("`{}` is not in global memory", access.array));
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
