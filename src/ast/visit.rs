//! Walks over statements and expressions: what a piece of C reads, writes and calls.
//!
//! One walker serves every question: [`Stmt::walk`] visits each statement and each full expression,
//! [`Expr::walk`] each subexpression, both in source order, outermost first.

use super::{Expr, ExprKind, Function, Signature, Stmt, StmtKind, Type, UnOp, Unit, VarId};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// What [`Stmt::walk`] meets.
#[derive(Clone, Copy)]
pub enum Piece<'a> {
    Stmt(&'a Stmt),
    Expr(&'a Expr),
}

impl Expr {
    /// Calls `f` on this expression and every one below it.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        f(self);
        self.each_child(&mut |e| e.walk(f));
    }

    /// Number of expressions in this one, itself included.
    pub fn n_nodes(&self) -> usize {
        let mut n_nodes = 0;
        self.walk(&mut |_| n_nodes += 1);
        n_nodes
    }

    /// The direct operands.
    pub fn children(&self) -> Vec<&Expr> {
        let mut out = vec![];
        self.each_child(&mut |e| out.push(e));
        out
    }

    /// Calls `f` on the direct operands: without a list of them, as every pass over a program comes through here.
    fn each_child<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Str(_)
            | ExprKind::Var(_)
            | ExprKind::SizeOfType(_)
            | ExprKind::Function(_)
            | ExprKind::Unmodelled(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::SizeOfExpr(a) => f(a),
            ExprKind::IncDec { target, .. } => f(target),
            ExprKind::Member { base, .. } => f(base),
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Comma(a, b) => {
                f(a);
                f(b);
            }
            ExprKind::Assign { target, value, .. } => {
                f(target);
                f(value);
            }
            ExprKind::Cond(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            ExprKind::Call { args, .. } | ExprKind::InitList(args) => args.iter().for_each(f),
        }
    }

    /// The direct operands, to change.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Str(_)
            | ExprKind::Var(_)
            | ExprKind::SizeOfType(_)
            | ExprKind::Function(_)
            | ExprKind::Unmodelled(_) => vec![],
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::SizeOfExpr(a) => vec![a],
            ExprKind::IncDec { target, .. } => vec![target],
            ExprKind::Member { base, .. } => vec![base],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Comma(a, b) => vec![a, b],
            ExprKind::Assign { target, value, .. } => vec![target, value],
            ExprKind::Cond(a, b, c) => vec![a, b, c],
            ExprKind::Call { args, .. } | ExprKind::InitList(args) => args.iter_mut().collect(),
        }
    }

    /// Puts a value in the place of a variable.
    pub fn replace(&mut self, v: VarId, value: &Expr) {
        if matches!(self.kind, ExprKind::Var(x) if x == v) {
            *self = value.clone();
        } else {
            self.children_mut().into_iter().for_each(|e| e.replace(v, value));
        }
    }

    /// Calls `f` on every expression below this one, operands first, and on this one last.
    pub fn rewrite(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.children_mut().into_iter().for_each(|e| e.rewrite(f));
        f(self);
    }

    /// Test that it is that variable.
    pub fn is_var(&self, v: VarId) -> bool {
        matches!(self.kind, ExprKind::Var(u) if u == v)
    }

    /// Test that that variable is in it.
    pub fn mentions(&self, v: VarId) -> bool {
        let mut found = false;
        self.walk(&mut |e| found |= e.is_var(v));
        found
    }

    /// The variable at the root of an lvalue or pointer expression: `a` in `a[i][j]`, `*(a + i)`, `a->f`.
    pub fn root(&self) -> Option<VarId> {
        match &self.kind {
            ExprKind::Var(v) => Some(*v),
            ExprKind::Index(base, _) => base.root(),
            ExprKind::Member { base, .. } => base.root(),
            ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, e) | ExprKind::Cast(e) => e.root(),
            ExprKind::Binary(_, a, b) => match (a.ty.is_pointer_like(), b.ty.is_pointer_like()) {
                (true, false) => a.root(),
                (false, true) => b.root(),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Type {
    /// Pointer or array: something a subscript applies to.
    pub fn is_pointer_like(&self) -> bool {
        matches!(self, Type::Pointer { .. } | Type::Array { .. })
    }

    /// The functions that a pointer of this type leads to.
    pub fn signature(&self) -> Option<&Signature> {
        match self {
            Type::Pointer { to, .. } => match &**to {
                Type::Function(signature) => Some(signature),
                _ => None,
            },
            _ => None,
        }
    }

    /// A number: integer or floating.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Float(_))
    }
}

impl Function {
    /// The variables whose address it takes, or that of a part of them; perhaps in C that is not modelled.
    pub fn addresses(&self) -> BTreeSet<VarId> {
        &self.taken() | &self.obscure
    }

    /// The variables whose address it takes for certain, or in C that is not modelled, where an `&` stands before them.
    pub fn taken(&self) -> BTreeSet<VarId> {
        let mut out = self.obscure_taken.clone();
        self.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Unary(UnOp::AddrOf, x), .. }) = piece {
                out.extend(x.root());
            }
        });
        out
    }
}

impl Unit {
    /// Writes the values of constants (`const int n = 8;`) for their names, but where one's address is taken.
    pub fn put_constants(&self, e: &mut Expr) {
        match &e.kind {
            ExprKind::Unary(UnOp::AddrOf, _) => {}
            // An assignment to a constant is no C, and stays as it is.
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if self.is_constant(target) => {}
            ExprKind::Var(v) => e.kind = self.var(*v).value.map_or_else(|| e.kind.clone(), ExprKind::Int),
            _ => e.children_mut().into_iter().for_each(|x| self.put_constants(x)),
        }
    }

    fn is_constant(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Var(v) if self.var(*v).value.is_some())
    }

    /// Looks through all functions for variables whose address one takes. Each region asks for some, so that it is found once.
    pub fn note_addresses(&mut self) {
        let taken: BTreeSet<u32> = self.functions.iter().flat_map(Function::taken).map(|v| v.0).collect();
        let obscure = self.functions.iter().flat_map(|f| &f.obscure).map(|v| v.0);
        self.known.addressed = Arc::new(obscure.chain(taken.iter().copied()).collect());
        self.known.taken = Arc::new(taken);
    }

    /// Outcome of `f` for the names of the functions that are known to be pure, to which it may add.
    pub fn with_pure<T>(&self, f: impl FnOnce(&mut BTreeSet<String>) -> T) -> T {
        f(&mut self.known.pure.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Test for a variable whose address a function takes.
    pub fn is_addressed(&self, v: VarId) -> bool {
        self.known.addressed.contains(&v.0)
    }

    /// The same of [`Function::taken`].
    pub fn is_taken(&self, v: VarId) -> bool {
        self.known.taken.contains(&v.0)
    }
}

impl Stmt {
    /// Calls `f` on this statement, every statement below it, and every subexpression in them.
    pub fn walk<'a>(&'a self, f: &mut dyn FnMut(Piece<'a>)) {
        f(Piece::Stmt(self));
        let each = |e: &'a Expr, f: &mut dyn FnMut(Piece<'a>)| e.walk(&mut |e| f(Piece::Expr(e)));
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::Case(Some(e)) => each(e, f),
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).for_each(|e| each(e, f)),
            StmtKind::Block(body) => body.iter().for_each(|s| s.walk(f)),
            StmtKind::If { cond, then, other } => {
                each(cond, f);
                then.walk(f);
                if let Some(other) = other {
                    other.walk(f);
                }
            }
            StmtKind::For { init, cond, step, body } => {
                if let Some(init) = init {
                    init.walk(f);
                }
                cond.iter().for_each(|e| each(e, f));
                body.walk(f);
                step.iter().for_each(|e| each(e, f));
            }
            StmtKind::While { cond, body } => {
                each(cond, f);
                body.walk(f);
            }
            StmtKind::DoWhile { body, cond } => {
                body.walk(f);
                each(cond, f);
            }
            StmtKind::Switch { value, body } => {
                each(value, f);
                body.walk(f);
            }
            _ => {}
        }
    }
}

impl Stmt {
    /// Calls `f` on every full expression in it, as [`Stmt::exprs_mut`] does.
    pub fn exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        self.walk(&mut |piece| {
            if let Piece::Stmt(s) = piece {
                s.own_exprs(f);
            }
        });
    }

    /// Calls `f` on every full expression in it that is in no statement of its.
    pub fn own_exprs<'a>(&'a self, f: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::Case(Some(e)) => f(e),
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).for_each(&mut *f),
            StmtKind::If { cond: e, .. }
            | StmtKind::While { cond: e, .. }
            | StmtKind::DoWhile { cond: e, .. }
            | StmtKind::Switch { value: e, .. } => f(e),
            StmtKind::For { cond, step, .. } => cond.iter().chain(step).for_each(&mut *f),
            _ => {}
        }
    }

    /// Calls `f` on every full expression in it.
    pub fn exprs_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::Case(Some(e)) => f(e),
            StmtKind::Decl(ds) => ds.iter_mut().filter_map(|d| d.init.as_mut()).for_each(&mut *f),
            StmtKind::If { cond: e, .. }
            | StmtKind::While { cond: e, .. }
            | StmtKind::DoWhile { cond: e, .. }
            | StmtKind::Switch { value: e, .. } => f(e),
            StmtKind::For { cond, step, .. } => cond.iter_mut().chain(step).for_each(&mut *f),
            _ => {}
        }
        self.stmts_mut().into_iter().for_each(|s| s.exprs_mut(f));
    }

    /// Names of the functions that are called in it.
    pub fn calls(&self) -> BTreeSet<&str> {
        let mut out = BTreeSet::new();
        self.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) = piece {
                out.insert(name.as_str());
            }
        });
        out
    }

    /// Test that all of it is C that the tool models.
    pub fn is_modelled(&self) -> bool {
        let mut is_modelled = true;
        self.walk(&mut |p| {
            is_modelled &= match p {
                Piece::Stmt(s) => !matches!(s.kind, StmtKind::Unmodelled(_)),
                Piece::Expr(e) => !matches!(e.kind, ExprKind::Unmodelled(_)),
            };
        });
        is_modelled
    }

    /// Test that control may come into the middle of it from elsewhere: by a `case` of a `switch` around it, or by a label.
    pub fn is_entered_elsewhere(&self) -> bool {
        let mut is_entered = false;
        self.walk(&mut |p| {
            is_entered |= matches!(p, Piece::Stmt(s) if matches!(s.kind, StmtKind::Case(_) | StmtKind::Unmodelled(_)));
        });
        is_entered
    }

    /// The statements of a block, or the only one.
    pub fn listed(&self) -> &[Stmt] {
        if let StmtKind::Block(list) = &self.kind { list } else { std::slice::from_ref(self) }
    }

    /// The statements directly in it.
    pub fn stmts(&self) -> Vec<&Stmt> {
        match &self.kind {
            StmtKind::Block(body) => body.iter().collect(),
            StmtKind::If { then, other, .. } => std::iter::once(then).chain(other).map(|s| &**s).collect(),
            StmtKind::For { init, body, .. } => init.iter().chain([body]).map(|s| &**s).collect(),
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => vec![body],
            _ => vec![],
        }
    }

    /// The statements directly in it, to change.
    pub fn stmts_mut(&mut self) -> Vec<&mut Stmt> {
        match &mut self.kind {
            StmtKind::Block(body) => body.iter_mut().collect(),
            StmtKind::If { then, other, .. } => std::iter::once(then).chain(other).map(|s| &mut **s).collect(),
            StmtKind::For { init, body, .. } => init.iter_mut().chain([body]).map(|s| &mut **s).collect(),
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => vec![body],
            _ => vec![],
        }
    }

    /// Puts a value in the place of a variable.
    pub fn replace(&mut self, v: VarId, value: &Expr) {
        self.exprs_mut(&mut |e| e.replace(v, value));
    }
}

/// The variables in scope at a byte of a function (C17 6.2.1); a later one hides an earlier one of its name.
pub fn visible(unit: &Unit, function: &Function, at: u32) -> Vec<VarId> {
    let mut out = [unit.globals.as_slice(), function.params.as_slice()].concat();
    declared_before(&function.body, at, &mut out);
    out
}

fn declared_before(s: &Stmt, at: u32, out: &mut Vec<VarId>) {
    if let StmtKind::Decl(ds) = &s.kind {
        if s.span.hi <= at {
            out.extend(ds.iter().map(|d| d.var));
        }
        return;
    }
    if at < s.span.lo || s.span.hi <= at {
        return;
    }
    match &s.kind {
        StmtKind::Block(body) => body.iter().for_each(|s| declared_before(s, at, out)),
        StmtKind::For { init, body, .. } => {
            init.iter().for_each(|s| declared_before(s, at, out));
            declared_before(body, at, out);
        }
        StmtKind::If { then, other, .. } => {
            declared_before(then, at, out);
            other.iter().for_each(|s| declared_before(s, at, out));
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
            declared_before(body, at, out);
        }
        _ => {}
    }
}
