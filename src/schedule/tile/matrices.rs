//! Products by matrices that a warp multiplies, in the place of products by each thread.
//!
//! ```text
//! for k in the piece: for the thread's points: c += a_tile[i, k] * b_tile[k, j]
//! ->
//! for part in 0 .. DEPTH / 4 {
//!   for at in 0 .. MERGE_0 { a_part[at] = a_tile[at * BLOCK_0 + t0, part * 4 + t1] }
//!   for at in 0 .. MERGE_1 { b_part[at] = b_tile[part * 4 + t1, at * 8 + t0 % 8] }
//!   for the thread's points, two rows of two neighbours at a time:
//!     mma(16, 8, 4) (c[2 * f, at, 0], c[2 * f, at, 1], c[2 * f + 1, at, 0], c[2 * f + 1, at, 1])
//!       += (a_part[2 * f], a_part[2 * f + 1]) * (b_part[at])
//! }
//! ```
//! The points of a thread are those that any mapping would deal out to it: `at * BLOCK_0 + t0` along the rows, and
//! `(at * 4 + t1) * 2 + next` along the columns, of blocks of 8 n x 4 threads. A thread's place in its warp is then `g = t0
//! % 8` and `q = t1`, and its points are the elements of `c` that it holds (see [`mma`](crate::kernel::mma)): columns `2 *
//! q + next` of the matrix `at`, in its row `g` and, a block further, the row `g + 8`. Which rows of points a matrix has for
//! its own makes no difference to what it comes to.
//!
//! Iterations behind the last one of a loop are of cells that hold zero in both tiles; what is computed from such a cell
//! (`alpha * a_tile[i, k]`) is zero there in its place. Where some points leave out an
//! iteration that others run, each thread adds for itself, as without matrices.

use super::code::Code;
use super::piece::{Inner, Variable};
use super::reads::Group;
use super::shape::{self, Shape};
use super::size::{Choice, Sizes};
use super::stmts::{counted, depth, zero};
use super::taken_apart::Tile;
use super::wish::Points;
use crate::ast::{BinOp, FloatKind};
use crate::kernel::mma::{LANES_OF_ROW, MmaShape, ROWS_OF_LANES};
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, UnaryOp};
use crate::schedule::index::{self, size_of};

/// The type of the factors and of what their products are added to.
const TYPE: ScalarType = ScalarType::Float(FloatKind::Double);

/// The body of a loop that adds a product of two tiles' cells to a variable of each point.
pub(super) struct Factors<'x> {
    variable: &'x str,
    /// The product is taken away.
    is_negative: bool,
    rows: Factor<'x>,
    columns: Factor<'x>,
}

/// A factor that depends on one axis of those along which a block has several points: a cell of a tile, or what is computed
/// from one and values that are the same all over the block.
struct Factor<'x> {
    group: &'x Group,
    value: &'x Expr,
    axis: usize,
}

impl<'x> Factors<'x> {
    /// The factors of a loop's body, if that is what it computes for points that have these variables.
    pub fn of(x: &'x Inner, shape: &Shape, variables: &[Variable]) -> Option<Factors<'x>> {
        let [Stmt { kind: StmtKind::Assign { var: variable, op: Some(op), value }, .. }] = x.body.as_slice() else {
            return None;
        };
        let (BinOp::Add | BinOp::Sub, Expr::Binary(BinOp::Mul, a, b)) = (op, value) else { return None };
        let is_own = |name: &str| {
            name == x.counter || shape.axes.iter().any(|a| a.name == name) || variables.iter().any(|v| v.name == name)
        };
        let factor = |value: &'x Expr| {
            let group = only_cell(value, &is_own)
                .and_then(|cell| x.groups.iter().find(|g| g.tile == cell.array && g.ty == TYPE))?;
            let mut axes = group.axes.iter().filter(|d| shape.spread.contains(d));
            let axis = *axes.next()?;
            axes.next().is_none().then_some(Factor { group, value, axis })
        };
        let (a, b) = (factor(a)?, factor(b)?);
        let (rows, columns) = if a.axis < b.axis { (a, b) } else { (b, a) };
        let is_negative = *op == BinOp::Sub;
        (rows.axis != columns.axis).then_some(Factors { variable, is_negative, rows, columns })
    }

    fn axes(&self) -> [usize; 2] {
        [self.rows.axis, self.columns.axis]
    }
}

/// The sizes of a kernel all of whose loops are products of matrices with these dimensions as rows and columns; `None`
/// where they are something else, or too small. Each byte of the tiles is there as often as `stages` says.
pub(super) fn choice(tile: &Tile, stages: i64) -> Option<(Choice, [usize; 2])> {
    let mut inner: Vec<Inner> = tile.inner().into_iter().cloned().collect();
    let spread = &tile.shape.spread;
    let factors = |x| Factors::of(x, &tile.shape, &tile.variables);
    let axes = factors(inner.first()?)?.axes();
    let [variable] = tile.variables.as_slice() else { return None };
    let are_products = inner.iter().all(|x| factors(x).is_some_and(|f| f.axes() == axes));
    if !are_products || variable.ty != TYPE || *spread != axes || tile.shape.merged != axes {
        return None;
    }
    inner.iter_mut().flat_map(|x| &mut x.groups).for_each(|g| g.is_factor = true);
    let inner: Vec<&Inner> = inner.iter().collect();
    let wanted = tile.shape.wanted(&inner, &tile.variables, None);
    Some((Sizes::of_matrices(&wanted, axes, &|s| stages * shape::bytes(&inner, s))?, axes))
}

/// So many points of a thread in a dimension, as a mapping says them.
pub(super) fn points(d: usize, [rows, columns]: [usize; 2], n: i64) -> Points {
    match d {
        d if d == rows => [Some(n), None],
        d if d == columns => [Some(n / 2), Some(2)],
        _ => [None, None],
    }
}

impl Factor<'_> {
    /// Makes a value zero where there is no such iteration: a cell holds that, but what is computed from one may not be.
    fn zero_behind(&self, value: &mut Expr, is_iteration: Expr) {
        if !matches!(self.value, Expr::Load(_)) {
            let of_cell = Box::new(value.clone());
            *value = Expr::Cond(Box::new(is_iteration), of_cell, Box::new(zero(TYPE)));
        }
    }
}

impl Code<'_, '_> {
    /// Iterations of a piece by matrices; `None` where the points of a thread are not dealt out for that.
    pub(super) fn by_matrices(&mut self, x: &Inner, shape: MmaShape, n: &Expr) -> Option<Vec<Stmt>> {
        let factors = Factors::of(x, self.shape, self.variables)?;
        let [r, c] = factors.axes();
        let (rows, columns) = (&self.shape.axes[r], &self.shape.axes[c]);
        let (Some(row), Some(column), Some(_)) = (&rows.merge, &columns.merge, &columns.skew) else { return None };
        let [a, b] = [&factors.rows, &factors.columns].map(|x| self.part_name(x.group));
        let part = self.l.names.fresh(&format!("rt_{}_part", x.counter));
        let fragment = self.l.names.fresh(&format!("rt_{}_pair", rows.name));
        let place = index::add(index::mul(index::var(&part), Expr::Int(shape.depth)), Expr::ThreadIdx(c));
        let [mut of_rows, mut of_columns] = [&factors.rows, &factors.columns].map(|x| x.value.clone());
        let own = self.shape.position(c);
        let of_lane = index::binary(BinOp::Rem, Expr::ThreadIdx(r), Expr::Int(ROWS_OF_LANES));
        let of_lane = index::add(index::mul(index::var(column), Expr::Int(shape.columns)), of_lane);
        for e in [&mut of_rows, &mut of_columns] {
            e.replace(&mut |e| match e {
                Expr::Var(name) if *name == x.at => Some(place.clone()),
                e if *e == own => Some(of_lane.clone()),
                _ => None,
            });
        }
        if *n != depth() {
            for (value, factor) in [(&mut of_rows, &factors.rows), (&mut of_columns, &factors.columns)] {
                factor.zero_behind(value, index::binary(BinOp::Lt, place.clone(), n.clone()));
            }
        }
        let value = if factors.is_negative { Expr::Unary(UnaryOp::Neg, Box::new(of_rows)) } else { of_rows };
        let (n_rows, n_columns) = (size_of("MERGE", r), size_of("MERGE", c));
        let element = |name: &str, index| Access { array: name.to_owned(), index };
        let local = |name: &str, n: &Expr| {
            let (name, extents) = (name.to_owned(), vec![n.clone()]);
            Stmt::made(StmtKind::LocalArray { name, ty: TYPE, extents })
        };
        let load = |name: &str, at: &str, n: &Expr, value: Expr| {
            let target = element(name, vec![index::var(at)]);
            counted(at, n.clone(), vec![Stmt::made(StmtKind::Store { target, op: None, value })])
        };
        let pair = |s: i64| index::add(index::mul(index::var(&fragment), Expr::Int(2)), Expr::Int(s));
        let each_row: Vec<Expr> = (0..shape.rows / ROWS_OF_LANES).map(pair).collect();
        let neighbours = 0..shape.columns / LANES_OF_ROW;
        let of_row = |row: &Expr, next| vec![row.clone(), index::var(column), Expr::Int(next)];
        let points = each_row.iter().flat_map(|row| neighbours.clone().map(move |next| (row, next)));
        let mma = StmtKind::Mma {
            shape,
            c: points.map(|(row, next)| element(factors.variable, of_row(row, next))).collect(),
            a: each_row.iter().map(|row| Expr::Load(element(&a, vec![row.clone()]))).collect(),
            b: vec![Expr::Load(element(&b, vec![index::var(column)]))],
        };
        let mma = Stmt { kind: mma, line: x.body[0].line };
        let pairs = index::binary(BinOp::Div, n_rows.clone(), Expr::Int(2));
        let body = vec![
            load(&a, row, &n_rows, value),
            load(&b, column, &n_columns, of_columns),
            counted(&fragment, pairs, vec![counted(column, n_columns.clone(), vec![mma])]),
        ];
        let parts = match *n == depth() {
            true => index::binary(BinOp::Div, n.clone(), Expr::Int(shape.depth)),
            false => index::ceil_div(n.clone(), Expr::Int(shape.depth)),
        };
        Some(vec![local(&a, &n_rows), local(&b, &n_columns), counted(&part, parts, body)])
    }

    /// The name of an array of what a thread holds of a factor.
    fn part_name(&mut self, g: &Group) -> String {
        let array = if let Expr::Load(x) = &g.value { &x.array } else { &g.tile };
        self.l.names.fresh(&format!("rt_{array}_part"))
    }
}

/// The cell in a value that is computed from one and from what is no point's own.
fn only_cell<'x>(value: &'x Expr, is_own: &dyn Fn(&str) -> bool) -> Option<&'x Access> {
    let is_of_block = |e: &Expr| !e.any(&mut |e| matches!(e, Expr::Load(_)) || matches!(e, Expr::Var(x) if is_own(x)));
    match value {
        Expr::Load(cell) => Some(cell),
        Expr::Unary(UnaryOp::Neg, x) => only_cell(x, is_own),
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, x, y) if is_of_block(x) => only_cell(y, is_own),
        Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, x, y) if is_of_block(y) => only_cell(x, is_own),
        _ => None,
    }
}
