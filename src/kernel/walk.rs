//! The parts of expressions and statements, so that an analysis names only the cases it is about.

use super::{Access, ArrayParam, Expr, Kernel, ScalarType, Stmt, StmtKind, Tunable, Usage, WIDE};
use crate::ast::BinOp;
use std::collections::BTreeSet;

/// The same function for `&` and `&mut`: `$iter` is `iter` or `iter_mut`.
macro_rules! parts {
    ($children:ident, $exprs:ident, $bodies:ident, $iter:ident $(, $mut:tt)?) => {
        impl Expr {
            /// The operands, subscripts or arguments, in order.
            pub fn $children(&$($mut)? self) -> Vec<&$($mut)? Expr> {
                match self {
                    Expr::Int(_)
                    | Expr::Float(_)
                    | Expr::Var(_)
                    | Expr::BlockIdx(_)
                    | Expr::ThreadIdx(_)
                    | Expr::GridSize(_)
                    | Expr::GoesOn => Vec::new(),
                    Expr::Load(Access { index: list, .. }) | Expr::Call(_, list) => list.$iter().collect(),
                    Expr::Aligned { access, count } => access.index.$iter().chain([&$($mut)? **count]).collect(),
                    Expr::Unary(_, x) | Expr::Cast(_, x) => vec![x],
                    Expr::Binary(_, a, b)
                    | Expr::Min(a, b)
                    | Expr::Max(a, b)
                    | Expr::FloorDiv(a, b)
                    | Expr::CeilDiv(a, b)
                    | Expr::Mod(a, b) => vec![a, b],
                    Expr::Cond(c, a, b) => vec![c, a, b],
                }
            }
        }

        impl Stmt {
            /// The expressions that stand in this statement itself, not in the statements it holds. Of a store: the
            /// subscripts of its target, then the value; of a product of matrices those of all its targets, then the values.
            /// Those of vectors and copies are subscripts and counts alone: what they load is [`Stmt::source`].
            pub fn $exprs(&$($mut)? self) -> Vec<&$($mut)? Expr> {
                match &$($mut)? self.kind {
                    StmtKind::Let { init: e, .. } | StmtKind::Return(e) => e.$iter().collect(),
                    StmtKind::LocalArray { extents, .. } | StmtKind::Shared { extents, .. } => extents.$iter().collect(),
                    StmtKind::Assign { value: e, .. }
                    | StmtKind::If { cond: e, .. }
                    | StmtKind::While { cond: e, .. } => vec![e],
                    StmtKind::Store { target, value, .. }
                    | StmtKind::Atomic { target, value, .. }
                    | StmtKind::BlockReduce { target, value, .. } => target.index.$iter().chain([value]).collect(),
                    StmtKind::LoadVector { source: access, .. } | StmtKind::StoreVector { target: access, .. } => {
                        access.index.$iter().collect()
                    }
                    StmtKind::CopyAsync { target, source, count } => {
                        target.index.$iter().chain(source.index.$iter()).chain([count]).collect()
                    }
                    StmtKind::WaitCopies { pending: e } | StmtKind::OnChip { of: e, .. } => vec![e],
                    StmtKind::GridWait { across } => across.$iter().collect(),
                    StmtKind::For { lo, hi, step, .. } => vec![lo, hi, step],
                    StmtKind::Join { extent, stride, .. } => vec![extent, stride],
                    StmtKind::ScanBlocks { block, start, .. } => vec![block, start],
                    StmtKind::Mma { c, a, b, .. } => {
                        c.$iter().flat_map(|x| x.index.$iter()).chain(a.$iter()).chain(b.$iter()).collect()
                    }
                    StmtKind::Break
                    | StmtKind::Continue
                    | StmtKind::Barrier
                    | StmtKind::GridBarrier
                    | StmtKind::CommitCopies
                    | StmtKind::WarpScan { .. }
                    | StmtKind::Begin { .. }
                    | StmtKind::Phase { .. } => Vec::new(),
                }
            }

            /// The lists of statements it holds, in the order they are printed.
            pub fn $bodies(&$($mut)? self) -> Vec<&$($mut)? Vec<Stmt>> {
                match &$($mut)? self.kind {
                    StmtKind::If { then: a, other: b, .. } | StmtKind::While { body: a, step: b, .. } => vec![a, b],
                    StmtKind::For { body, .. } | StmtKind::Phase { body, .. } => vec![body],
                    _ => Vec::new(),
                }
            }
        }
    };
}

parts!(children, exprs, bodies, iter);
parts!(children_mut, exprs_mut, bodies_mut, iter_mut, mut);

impl Expr {
    /// Test that this expression or one inside it is such.
    pub fn any(&self, such: &mut dyn FnMut(&Expr) -> bool) -> bool {
        such(self) || self.children().into_iter().any(|child| child.any(such))
    }

    /// Test that the variable `name` is in it.
    pub fn mentions(&self, name: &str) -> bool {
        self.any(&mut |e| matches!(e, Expr::Var(x) if x == name))
    }

    /// How long it is.
    pub fn n_nodes(&self) -> usize {
        1 + self.children().into_iter().map(Expr::n_nodes).sum::<usize>()
    }

    /// A condition that holds where this one does not, if it is made of comparisons alone.
    pub fn negated(&self) -> Option<Expr> {
        let Expr::Binary(op, x, y) = self else { return None };
        let of = |op, x, y| Expr::Binary(op, Box::new(x), Box::new(y));
        Some(match op {
            BinOp::And => of(BinOp::Or, x.negated()?, y.negated()?),
            BinOp::Or => of(BinOp::And, x.negated()?, y.negated()?),
            op => of(op.negated()?, (**x).clone(), (**y).clone()),
        })
    }

    /// Adds the variables in it.
    pub fn variables(&self, out: &mut BTreeSet<String>) {
        self.any(&mut |e| {
            if let Expr::Var(name) = e {
                out.insert(name.clone());
            }
            false
        });
    }
}

impl Kernel {
    /// Every name in it: scalars, arrays, tunables, and what statements declare.
    pub fn names(&self) -> impl Iterator<Item = String> {
        let scalars = self.scalars.iter().map(|s| &s.name);
        let params = scalars.chain(self.arrays.iter().map(|a| &a.name)).map(String::as_str).chain(self.template());
        params.map(str::to_string).chain(declared(&self.body))
    }

    /// The names of its compile-time parameters: its tunables, and what tells its instances apart.
    pub fn template(&self) -> impl Iterator<Item = &str> {
        self.tunables.iter().map(|t| t.name.as_str()).chain(self.wide.iter().map(|_| WIDE))
    }

    /// The tunables that are extents of its blocks, one for each dimension; none where it has one thread.
    pub fn extents(&self) -> Vec<&Tunable> {
        let named = |e: &Expr| self.tunables.iter().find(|t| matches!(e, Expr::Var(name) if *name == t.name));
        self.block.iter().filter_map(named).collect()
    }

    /// The arrays of whose elements it writes some.
    pub fn written(&self) -> impl Iterator<Item = &ArrayParam> {
        self.arrays.iter().filter(|a| a.usage != Usage::Read)
    }

    /// Leaves out the scalars that nothing in the kernel mentions.
    pub fn drop_unused_scalars(&mut self) {
        let mut used = BTreeSet::new();
        let mut note = |e: &Expr| e.variables(&mut used);
        let extents = self.arrays.iter().flat_map(|a| &a.extents);
        self.grid.iter().chain(&self.block).chain(extents).for_each(&mut note);
        self.body.iter().for_each(|s| s.visit(&mut |s| s.exprs().into_iter().for_each(&mut note)));
        self.scalars.retain(|s| used.contains(&s.name));
    }
}

impl Expr {
    /// Puts in the place of an expression what `f` gives for it, from the outside in; what is put in is left alone.
    pub fn replace(&mut self, f: &mut dyn FnMut(&Expr) -> Option<Expr>) {
        match f(self) {
            Some(new) => *self = new,
            None => self.children_mut().into_iter().for_each(|child| child.replace(f)),
        }
    }
}

impl StmtKind {
    /// Flag: blocks wait for each other here.
    pub fn is_of_grid(&self) -> bool {
        matches!(self, StmtKind::GridBarrier | StmtKind::GridWait { .. })
    }
}

/// Function of the runtime that a condition is given to which hardly ever holds.
pub const RARE: &str = "rt_rare";

/// Test for a condition that hardly ever holds.
pub fn is_rare(cond: &Expr) -> bool {
    match cond {
        Expr::Call(name, _) => name == RARE,
        Expr::Binary(BinOp::And, a, b) => is_rare(a) || is_rare(b),
        _ => false,
    }
}

impl Stmt {
    /// A statement that stands on no line of the user's.
    pub fn made(kind: StmtKind) -> Self {
        Stmt { kind, line: 0 }
    }

    /// Flag: blocks wait for each other here.
    pub fn is_of_grid(&self) -> bool {
        self.kind.is_of_grid()
    }

    /// The variable or array that this statement declares, and of which type it or its elements are.
    pub fn declares(&self) -> Option<(&str, ScalarType)> {
        match &self.kind {
            StmtKind::Let { var: name, ty, .. }
            | StmtKind::LocalArray { name, ty, .. }
            | StmtKind::OnChip { name, ty, .. }
            | StmtKind::Shared { name, ty, .. } => Some((name, *ty)),
            StmtKind::For { var, .. } | StmtKind::Begin { var, .. } => Some((var, ScalarType::Index)),
            _ => None,
        }
    }

    /// The variables of the thread that this statement gives another value.
    pub fn assigns(&self) -> Vec<&str> {
        match &self.kind {
            StmtKind::Assign { var, .. } | StmtKind::Join { var, .. } | StmtKind::ScanBlocks { var, .. } => vec![var],
            StmtKind::WarpScan { var, carry, .. } => vec![var, carry],
            _ => vec![],
        }
    }

    /// The element of an array that this statement stores to; of a vector, a copy or a product of matrices the first.
    pub fn target(&self) -> Option<&Access> {
        match &self.kind {
            StmtKind::Store { target, .. }
            | StmtKind::StoreVector { target, .. }
            | StmtKind::CopyAsync { target, .. }
            | StmtKind::Atomic { target, .. }
            | StmtKind::BlockReduce { target, .. } => Some(target),
            StmtKind::Mma { c, .. } => c.first(),
            _ => None,
        }
    }

    /// The first element that a vector or a copy loads.
    pub fn source(&self) -> Option<&Access> {
        match &self.kind {
            StmtKind::LoadVector { source, .. } | StmtKind::CopyAsync { source, .. } => Some(source),
            _ => None,
        }
    }

    /// Test that this is a loop over all values of its counter that reads memory by it and writes none: where it is
    /// unrolled, the loads of several iterations are under way at once.
    pub fn is_reading_loop(&self) -> bool {
        let StmtKind::For { var, step: Expr::Int(1), body, .. } = &self.kind else { return false };
        let computes = |s: &Stmt| {
            use StmtKind::{Assign, Let, LoadVector, LocalArray};
            matches!(s.kind, Let { .. } | Assign { .. } | LocalArray { .. } | LoadVector { .. })
        };
        let by_counter = |x: &Access| x.index.iter().any(|e| e.mentions(var));
        let reads = |e: &Expr| e.any(&mut |e| matches!(e, Expr::Load(x) if by_counter(x)));
        let is_read = |s: &Stmt| s.source().is_some_and(by_counter) || s.exprs().into_iter().any(reads);
        body.iter().all(computes) && body.iter().any(is_read)
    }

    /// Test for phases of a resident kernel, itself or inside it.
    pub fn has_phases(&self) -> bool {
        let mut has = false;
        self.visit(&mut |s| has |= matches!(s.kind, StmtKind::Phase { .. }));
        has
    }

    /// Replaces what `by` has another form of, in the expressions of this statement and of those inside it: see
    /// [`Expr::replace`].
    pub fn replace(&mut self, by: &dyn Fn(&Expr) -> Option<Expr>) {
        self.exprs_mut().into_iter().for_each(|e| e.replace(&mut |e| by(e)));
        self.bodies_mut().into_iter().flatten().for_each(|s| s.replace(by));
    }

    /// Visits this statement and those inside it, outer before inner, in the order they are printed.
    pub fn visit<'a>(&'a self, visit: &mut dyn FnMut(&'a Stmt)) {
        visit(self);
        for stmt in self.bodies().into_iter().flatten() {
            stmt.visit(visit);
        }
    }
}

/// Visits statements and those inside them, outer before inner, in the order they are printed.
pub fn visit<'a>(body: &'a [Stmt], f: &mut dyn FnMut(&'a Stmt)) {
    body.iter().for_each(|s| s.visit(f));
}

/// Test that statements, or those inside them, load from an array.
pub fn loads(body: &[Stmt], array: &str) -> bool {
    let is_load = |e: &Expr| matches!(e, Expr::Load(a) if a.array == array);
    let mut found = false;
    visit(body, &mut |s| {
        found |= s.source().is_some_and(|source| source.array == array);
        found |= s.exprs().into_iter().any(|e| e.any(&mut |e| is_load(e)));
    });
    found
}

/// Test that statements load an array, or store to it.
pub fn touches(body: &[Stmt], array: &str) -> bool {
    loads(body, array) || !all(body, &|s| s.target().is_none_or(|target| target.array != array))
}

/// Test that all statements, and those inside them, are such.
pub fn all(body: &[Stmt], is_such: &dyn Fn(&Stmt) -> bool) -> bool {
    let mut all = true;
    visit(body, &mut |s| all &= is_such(s));
    all
}

/// Test that statements, or those inside them, look whether the program was asked to end.
pub fn look_for_end(body: &[Stmt]) -> bool {
    let mut found = false;
    visit(body, &mut |s| found |= s.exprs().into_iter().any(|e| e.any(&mut |e| *e == Expr::GoesOn)));
    found
}

/// The names that statements declare, those inside them too.
pub fn declared(body: &[Stmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    visit(body, &mut |s| out.extend(s.declares().map(|(name, _)| name.to_string())));
    out
}

/// Test that statements are of one thread, which waits for no other.
pub fn is_of_thread(body: &[Stmt]) -> bool {
    let mut is = true;
    visit(body, &mut |s| {
        is &= matches!(
            s.kind,
            StmtKind::Let { .. }
                | StmtKind::LocalArray { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Store { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
        );
    });
    is
}
