//! Copies of one array in the shared memory of a block: how its elements share the cells out, and what becomes of them.

use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Kernel, ReduceOp, ScalarType, Stmt, StmtKind, UnaryOp, walk};
use crate::poly::names::Names;
use crate::schedule::index::{self, binary, var};
use crate::schedule::reduce_op::{identity, join};

/// An array of more than so many times the elements that there are cells has none: most updates would pass them by.
pub const LARGE: i64 = 4;

/// An array of which a block has copies.
pub struct Copied {
    pub array: String,
    pub ty: ScalarType,
    pub op: ReduceOp,
    /// Its outermost extent, and the others.
    rows: Expr,
    pub inner: Vec<Expr>,
    /// The shared array.
    pub cells: String,
    /// Variables: rows and elements that have cells, copies of each, and the copy of the thread.
    pub covered: String,
    bins: String,
    pub each: String,
    pub own: String,
}

impl Copied {
    /// The copies of an array that a kernel updates atomically; `None` where it does something else with it, too.
    pub fn new(
        names: &mut Names,
        kernel: &Kernel,
        array: String,
        ty: ScalarType,
        (rows, inner): (Expr, Vec<Expr>),
    ) -> Option<Copied> {
        let (mut op, mut is_alone) = (None, !walk::loads(&kernel.body, &array));
        walk::visit(&kernel.body, &mut |s| match &s.kind {
            StmtKind::Atomic { target, op: own, .. } if target.array == array => {
                is_alone &= *op.get_or_insert(*own) == *own;
            }
            _ => is_alone &= s.target().is_none_or(|target| target.array != array),
        });
        let op = op.filter(|_| is_alone)?;
        let mut fresh = |what: &str| names.fresh(&format!("rt_{array}_{what}"));
        let [cells, covered, each, own] = ["cells", "covered", "each", "own"].map(&mut fresh);
        let bins = if inner.is_empty() { covered.clone() } else { fresh("bins") };
        Some(Copied { array, ty, op, rows, inner, cells, covered, bins, each, own })
    }

    /// How many elements the array has.
    pub fn elements(&self) -> Expr {
        index::mul(self.rows.clone(), self.row())
    }

    /// Elements of a row.
    fn row(&self) -> Expr {
        self.inner.iter().cloned().reduce(index::mul).unwrap_or(Expr::Int(1))
    }

    fn at_least_one(e: Expr) -> Expr {
        if e == Expr::Int(1) { e } else { Expr::Max(Box::new(e), Box::new(Expr::Int(1))) }
    }

    /// Declares what describes the copies, after the cells themselves.
    pub fn describe(&self, most: i64) -> Vec<Stmt> {
        let quotient = |a: Expr, b: Expr| match b {
            Expr::Int(1) => a,
            b => Expr::FloorDiv(Box::new(a), Box::new(b)),
        };
        let room = quotient(var("CELLS"), Self::at_least_one(self.row()));
        let is_small = binary(BinOp::Le, self.rows.clone(), index::mul(Expr::Int(LARGE), room.clone()));
        let covered = index::min([self.rows.clone(), room]).expect("two");
        let covered = Expr::Cond(Box::new(is_small), Box::new(covered), Box::new(Expr::Int(0)));
        let bins = (!self.inner.is_empty()).then(|| (&self.bins, index::mul(var(&self.covered), self.row())));
        let each = quotient(var("CELLS"), Self::at_least_one(var(&self.bins)));
        let each = if most == 1 { Expr::Int(1) } else { index::min([Expr::Int(most), each]).expect("two") };
        let own = Expr::Mod(Box::new(Expr::ThreadIdx(0)), Box::new(var(&self.each)));
        let all = [Some((&self.covered, covered)), bins, Some((&self.each, each)), Some((&self.own, own))];
        all.into_iter().flatten().map(|(name, value)| let_index(name, value)).collect()
    }

    /// Clears all cells.
    pub fn clear(&self, names: &mut Names) -> Stmt {
        let at = names.fresh("rt_cell");
        let target = Access { array: self.cells.clone(), index: vec![var(&at)] };
        let body = vec![Stmt::made(StmtKind::Store { target, op: None, value: identity(self.op, self.ty) })];
        for_each(at, Expr::ThreadIdx(0), var("CELLS"), var("BLOCK_0"), body)
    }

    /// Joins the copies of each element to the array.
    pub fn merge(&self, names: &mut Names) -> Stmt {
        let mut fresh = |what: &str| names.fresh(&format!("rt_{what}"));
        let [bin, sum, from, copy, turn] = ["bin", "total", "from", "copy", "turn"].map(&mut fresh);
        let each = || var(&self.each);
        // Threads begin at different copies, which lie in different banks.
        let wrapped = Expr::Cond(
            Box::new(binary(BinOp::Lt, var(&turn), each())),
            Box::new(var(&turn)),
            Box::new(binary(BinOp::Sub, var(&turn), each())),
        );
        let cell = index::add(binary(BinOp::Mul, var(&bin), each()), wrapped);
        let part = Expr::Load(Access { array: self.cells.clone(), index: vec![cell] });
        let mut of_copy = vec![let_index(&turn, index::add(var(&from), var(&copy)))];
        of_copy.extend(join(names, self.op, self.ty, &sum, part).into_iter().map(Stmt::made));
        let target = Access { array: self.array.clone(), index: self.subscripts(&bin) };
        let update = Stmt::made(StmtKind::Atomic { target, op: self.op, value: var(&sum) });
        let is_changed = self.is_changed(&sum);
        let body = vec![
            Stmt::made(StmtKind::Let { var: sum, ty: self.ty, init: Some(identity(self.op, self.ty)) }),
            let_index(&from, Expr::Mod(Box::new(var(&bin)), Box::new(each()))),
            for_each(copy, Expr::Int(0), each(), Expr::Int(1), of_copy),
            Stmt::made(StmtKind::If { cond: is_changed, then: vec![update], other: vec![] }),
        ];
        for_each(bin, Expr::ThreadIdx(0), var(&self.bins), var("BLOCK_0"), body)
    }

    /// Test that joining a value may change something: a floating 0 makes 0 of -0, and -0 nothing.
    fn is_changed(&self, value: &str) -> Expr {
        let identity = identity(self.op, self.ty);
        if (self.op, matches!(self.ty, ScalarType::Float(_))) != (ReduceOp::Add, true) {
            return binary(BinOp::Ne, var(value), identity);
        }
        let is_positive = Expr::Unary(UnaryOp::Not, Box::new(Expr::Call("rt_signbit".into(), vec![var(value)])));
        binary(BinOp::Or, binary(BinOp::Ne, var(value), identity), is_positive)
    }

    /// The subscripts of the element of a number, in the order of memory.
    fn subscripts(&self, bin: &str) -> Vec<Expr> {
        let n = self.inner.len();
        let behind = |d: usize| self.inner[d..].iter().cloned().reduce(index::mul);
        let of = |d: usize| {
            let at = match behind(d) {
                Some(size) => Expr::FloorDiv(Box::new(var(bin)), Box::new(size)),
                None => var(bin),
            };
            if d == 0 { at } else { Expr::Mod(Box::new(at), Box::new(self.inner[d - 1].clone())) }
        };
        (0..=n).map(of).collect()
    }
}

/// Declares a position.
pub fn let_index(name: &str, value: Expr) -> Stmt {
    Stmt::made(StmtKind::Let { var: name.to_string(), ty: ScalarType::Index, init: Some(value) })
}

/// A loop.
pub fn for_each(var: String, lo: Expr, hi: Expr, step: Expr, body: Vec<Stmt>) -> Stmt {
    Stmt::made(StmtKind::counted(var, [lo, hi, step], body))
}
