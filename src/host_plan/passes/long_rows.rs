//! Long rows of sparse matrices cut in pieces, each of which a warp sums up, in loops of the host.
//!
//! Where each thread has a row in compressed rows, all wait for the thread with the longest. Where a matrix has rows that are
//! much longer than others, a kernel before sums up pieces of the long ones, and a thread adds up those of its row. Which of the
//! two ways a call takes is known once the lengths of its rows are, which are looked at once before the loop.
//!
//! ```text
//!                                             pieces = long rows of start[0 .. n) ..
//! while (..)                                  while (..)
//!   launch k                             ->     if (0 < pieces)
//!                                                 launch k_row_pieces   a warp a piece: parts[piece] = sum of value[k] * ..
//!                                                 launch k_long_rows    a long row is the sum of its parts
//!                                               else
//!                                                 launch k
//! ```
//! Where the loop of the host is asked to be one resident kernel, the choice stands around it, so that a call with even rows has
//! the kernel that it had: with both ways in one kernel CG took 1 to 3 % longer on an H200. A product with a sparse matrix may be a call
//! that is better than both: so it is left alone where the loop is not asked to be such a kernel.
//!
//! All of a piece is computed before anything of the kernel's: what its loop reads is not stored to by the same iteration ahead
//! of the loop, and other iterations, which are independent, store to nothing that it reads.

use crate::ast::{BinOp, IntKind};
use crate::config::Sync;
use crate::host_plan::ir::{Array, HostStmt, Param, Region};
use crate::host_plan::passes::made_once::is_written;
use crate::kernel::{
    Access, ArrayParam, Expr, Kernel, ReduceOp, Registers, ScalarParam, ScalarType, Stmt, StmtKind, Tunable, Usage,
    simplify, walk,
};
use crate::library::call::Call;
use crate::library::long_rows::{LongRows, ROW_OF_THREAD};
use crate::poly::names::Names;
use crate::schedule::index::{add, all, binary, ceil_div, mul, var};
use crate::schedule::reduce_op::identity;
use std::collections::BTreeSet;
use sums::{RowSum, Rows, row_sums};

mod sums;

/// Warps of a block, and their threads.
const WARPS: [i64; 2] = [8, 32];

const INT: ScalarType = ScalarType::Int(IntKind::Int);

/// Cuts the long rows that loops of the host sum up again and again; returns what there is to say about it.
pub fn cut_long_rows(plan: &mut Region, sync: Sync) -> Vec<String> {
    let mut body = std::mem::take(&mut plan.body);
    let is_for_calls = !matches!(sync, Sync::Auto | Sync::Graph | Sync::Relaunch);
    let names = Names::beside(plan.names());
    let mut pass = Pass { plan, names, is_for_calls, tables: vec![], of_loop: 0 };
    pass.steps(&mut body);
    let tables = pass.tables;
    plan.body = body;
    let note = |t: &Table| {
        format!(
            "where some of the rows that begin at `{}` are far longer than others, rows of more than {ROW_OF_THREAD} entries \
             are summed up by warps",
            t.rows.start
        )
    };
    tables.iter().map(note).collect()
}

struct Pass<'a> {
    plan: &'a mut Region,
    names: Names,
    /// Kernels beside a call of a library are cut, too.
    is_for_calls: bool,
    tables: Vec<Table>,
    /// The first table of the loop that is looked at: those before are of others.
    of_loop: usize,
}

/// Names of what is made once of rows before a loop of the host.
struct Table {
    rows: Rows,
    line: u32,
    /// Type of the numbers that tell where rows begin.
    ty: ScalarType,
    /// The most pieces that there may be.
    most: Expr,
    count: String,
    before: String,
    from: String,
    to: String,
    /// Sums of pieces, one array for each sum of a kernel.
    parts: Vec<(String, ScalarType)>,
}

impl Pass<'_> {
    fn steps(&mut self, body: &mut Vec<HostStmt>) {
        let mut at = 0;
        while at < body.len() {
            if matches!(body[at], HostStmt::For { .. } | HostStmt::While { .. }) {
                self.of_loop = self.tables.len();
                let plain = body[at].clone();
                self.cut(std::slice::from_mut(&mut body[at]), true);
                if self.is_for_calls && self.tables.len() > self.of_loop {
                    self.divide(&mut body[at], plain);
                }
                let first = self.cut_beside(body).unwrap_or(at).min(at);
                let before: Vec<HostStmt> = self.tables[self.of_loop..].iter().flat_map(Table::made).collect();
                at += before.len();
                body.splice(first..first, before);
            } else {
                body[at].bodies_mut().into_iter().for_each(|inner| self.steps(inner));
            }
            at += 1;
        }
    }

    /// A loop that is to be one kernel as two, of which one is as it was: it has the registers that it had.
    fn divide(&mut self, cut: &mut HostStmt, plain: HostStmt) {
        let conditions: Vec<Expr> = self.tables[self.of_loop..].iter().map(Table::is_there).collect();
        if let [only] = conditions.as_slice() {
            cut.bodies_mut().into_iter().for_each(|body| take_first_way(body, only));
        }
        let cond = conditions.into_iter().reduce(|a, b| binary(BinOp::Or, a, b)).expect("a table at least");
        let then = std::mem::replace(cut, HostStmt::Break);
        *cut = HostStmt::If { cond, then: vec![then], other: vec![plain] };
    }

    /// Cuts, too, what the list around a loop launches once and has a table for; the first place of such.
    fn cut_beside(&mut self, body: &mut [HostStmt]) -> Option<usize> {
        let mut first = None;
        for (at, s) in body.iter_mut().enumerate() {
            if matches!(s, HostStmt::Launch { .. }) {
                self.cut(std::slice::from_mut(s), false);
                first = first.or((!matches!(s, HostStmt::Launch { .. })).then_some(at));
            }
        }
        first
    }

    /// Launches of kernels with such loops, in two ways; those alone that have a table, or any.
    fn cut(&mut self, body: &mut [HostStmt], may_make: bool) {
        for s in body {
            match s {
                HostStmt::Launch { kernel, line, .. } => {
                    let (kernel, line) = (*kernel, *line);
                    if let Some(two_ways) = self.two_ways(kernel, line, may_make) {
                        *s = two_ways;
                    }
                }
                HostStmt::Call { .. } if !self.is_for_calls => {}
                s => s.bodies_mut().into_iter().for_each(|inner| self.cut(inner, may_make)),
            }
        }
    }

    fn two_ways(&mut self, id: usize, line: u32, may_make: bool) -> Option<HostStmt> {
        let kernel = self.plan.kernels[id].clone();
        let mut found = row_sums(&kernel);
        let rows = found.first()?.rows.clone();
        found.retain(|sum| sum.rows == rows);
        let known = self.tables.iter().skip(self.of_loop).position(|t| t.rows == rows).map(|at| self.of_loop + at);
        let table = if may_make { known.or_else(|| self.table(&found[0], line))? } else { known? };
        let mut long = kernel.clone();
        long.name = self.names.fresh(&format!("{}_long_rows", kernel.name));
        long.notes.push("rows of many entries are the sums of their pieces".into());
        let (mut then, mut n_sums) = (vec![], 0);
        // From the last on, so that positions of those before stay what they are.
        for sum in found.iter().rev() {
            let parts: Vec<String> = sum.sums.iter().map(|(_, ty)| self.parts(table, &mut n_sums, *ty)).collect();
            let pieces = self.pieces(&kernel, sum, table, &parts);
            then.insert(0, self.launch(id, pieces, line));
            self.add_up(&mut long, sum, table, &parts);
        }
        then.push(self.launch(id, long, line));
        let cond = self.tables[table].is_there();
        Some(HostStmt::If { cond, then, other: vec![HostStmt::launch(id, line)] })
    }

    /// A kernel that stands where another does, of which the plan knows something.
    fn launch(&mut self, like: usize, kernel: Kernel, line: u32) -> HostStmt {
        let id = self.plan.kernels.len();
        self.plan.kernels.push(kernel);
        if self.plan.by_sizes.contains(&like) {
            self.plan.by_sizes.insert(id);
        }
        HostStmt::launch(id, line)
    }

    /// A table of a kernel's rows; `None` where the region changes where rows begin, or where nothing says how
    /// many entries there may be.
    fn table(&mut self, sum: &RowSum, line: u32) -> Option<usize> {
        let is_list = |a: &&Array| a.extents.len() == 1 && a.rows.is_none();
        let of = |name: &str| self.plan.arrays.iter().find(|a| a.name == name).filter(is_list);
        let (start, entries) = (of(&sum.rows.start)?, of(&sum.entries)?);
        let is_param =
            |name: &String| self.plan.params.iter().any(|p| matches!(p, Param::Scalar { name: n, .. } if n == name));
        let mut used = BTreeSet::new();
        [&sum.rows.first, &sum.rows.last].into_iter().for_each(|e| e.variables(&mut used));
        if is_written(self.plan, &start.name) || !used.iter().all(is_param) {
            return None;
        }
        let ty = start.ty;
        let most = add(binary(BinOp::Div, entries.extents[0].clone(), Expr::Int(ROW_OF_THREAD)), Expr::Int(1));
        let mut n_rows = add(binary(BinOp::Sub, sum.rows.last.clone(), sum.rows.first.clone()), Expr::Int(1));
        simplify::index_expr(&mut n_rows);
        let [count, before, from, to] =
            ["rt_pieces", "rt_pieces_before", "rt_piece_start", "rt_piece_end"].map(|name| self.names.fresh(name));
        let lists = [(&before, INT, n_rows), (&from, ty, most.clone()), (&to, ty, most.clone())];
        self.plan.arrays.extend(lists.map(|(name, ty, extent)| Array::of_device(name.clone(), ty, extent)));
        let rows = sum.rows.clone();
        self.tables.push(Table { rows, line, ty, most, count, before, from, to, parts: vec![] });
        Some(self.tables.len() - 1)
    }

    /// The array for the next of a kernel's sums, which the kernels of the loop share.
    fn parts(&mut self, table: usize, n_sums: &mut usize, ty: ScalarType) -> String {
        let table = &mut self.tables[table];
        let known = table.parts.iter().enumerate().skip(*n_sums).find(|(_, (_, of))| *of == ty);
        let (at, name) = match known {
            Some((at, (name, _))) => (at, name.clone()),
            None => {
                let name = self.names.fresh("rt_piece_sums");
                self.plan.arrays.push(Array::of_device(name.clone(), ty, table.most.clone()));
                table.parts.push((name.clone(), ty));
                (table.parts.len() - 1, name)
            }
        };
        *n_sums = at + 1;
        name
    }

    /// The kernel in which a warp sums up a piece.
    fn pieces(&mut self, kernel: &Kernel, sum: &RowSum, table: usize, parts: &[String]) -> Kernel {
        let table = &self.tables[table];
        let [piece, end] = ["rt_piece", "rt_end"].map(|name| self.names.fresh(name));
        let [warps, lanes] = ["BLOCK_0", "BLOCK_1"];
        let (lane, (k, ty)) = (Expr::ThreadIdx(1), &sum.counter);
        let let_ = |name: &str, ty, init| StmtKind::Let { var: name.to_string(), ty, init: Some(init) };
        let made = |kind| Stmt { kind, line: sum.line };
        let of_piece = |array: &str| load(array, var(&piece));
        let next = StmtKind::Assign { var: k.clone(), op: Some(BinOp::Add), value: var(lanes) };
        let inner = StmtKind::While {
            cond: binary(BinOp::Lt, var(k), var(&end)),
            step: vec![made(next)],
            body: sum.body.clone(),
        };
        let share =
            [let_(k, *ty, add(of_piece(&table.from), lane.clone())), let_(&end, *ty, of_piece(&table.to)), inner];
        let is_piece = binary(BinOp::Lt, var(&piece), var(&table.count));
        let first = binary(BinOp::Eq, lane, Expr::Int(0));
        let store = |((name, _), array): (&(String, ScalarType), &String)| {
            let target = Access { array: array.clone(), index: vec![var(&piece)] };
            made(StmtKind::Store { target, op: None, value: var(name) })
        };
        let join = |(name, _): &(String, ScalarType)| {
            let (extent, stride) = (var(lanes), Expr::Int(1));
            made(StmtKind::Join { op: ReduceOp::Add, var: name.clone(), extent, stride })
        };
        let at = add(mul(Expr::BlockIdx(0), var(warps)), Expr::ThreadIdx(0));
        let mut body = vec![made(let_(&piece, ScalarType::Index, at))];
        body.extend(sum.sums.iter().map(|(name, ty)| made(let_(name, *ty, identity(ReduceOp::Add, *ty)))));
        body.push(made(StmtKind::If { cond: is_piece.clone(), then: share.map(made).into(), other: vec![] }));
        body.extend(sum.sums.iter().map(join));
        let cond = all([is_piece, first]).expect("two conditions");
        let then = sum.sums.iter().zip(parts).map(store).collect();
        body.push(made(StmtKind::If { cond, then, other: vec![] }));
        let read = |a: &&ArrayParam| walk::loads(&sum.body, &a.name);
        let mut arrays: Vec<ArrayParam> =
            kernel.arrays.iter().filter(read).map(|a| ArrayParam { usage: Usage::Read, ..a.clone() }).collect();
        arrays.extend([&table.from, &table.to].map(|name| of_device(name, table.ty, Usage::Read)));
        arrays.extend(sum.sums.iter().zip(parts).map(|((_, ty), name)| of_device(name, *ty, Usage::Write)));
        let mut out = Kernel {
            name: self.names.fresh(&format!("{}_row_pieces", kernel.name)),
            scalars: [kernel.scalars.clone(), vec![ScalarParam { name: table.count.clone(), ty: ScalarType::Index }]]
                .concat(),
            arrays,
            tunables: vec![
                Tunable { name: warps.into(), value: WARPS[0] },
                Tunable { name: lanes.into(), value: WARPS[1] },
            ],
            larger: vec![],
            smaller: vec![],
            is_uneven: false,
            wide: None,
            index_bits: kernel.index_bits,
            resident: None,
            grid: vec![ceil_div(var(&table.count), var(warps))],
            block: vec![var(warps), var(lanes)],
            body,
            notes: vec![format!("pieces of the rows that begin at `{}`, a warp each", sum.rows.start)],
            registers: Registers::AsItLikes,
        };
        out.drop_unused_scalars();
        out
    }

    /// Adds up the pieces of long rows in the place of their entries.
    fn add_up(&mut self, kernel: &mut Kernel, sum: &RowSum, table: usize, parts: &[String]) {
        let table = &self.tables[table];
        let [piece, end] = ["rt_piece", "rt_end"].map(|name| self.names.fresh(name));
        let made = |kind| Stmt { kind, line: sum.line };
        let mut row = binary(BinOp::Sub, sum.row.clone(), sum.rows.first.clone());
        simplify::index_expr(&mut row);
        let let_ = |name: &String, init| made(StmtKind::Let { var: name.clone(), ty: INT, init: Some(init) });
        let add_part = |((name, _), array): (&(String, ScalarType), &String)| {
            made(StmtKind::Assign { var: name.clone(), op: Some(BinOp::Add), value: load(array, var(&piece)) })
        };
        let pieces = made(StmtKind::While {
            cond: binary(BinOp::Lt, var(&piece), var(&end)),
            step: vec![made(StmtKind::Assign { var: piece.clone(), op: Some(BinOp::Add), value: Expr::Int(1) })],
            body: sum.sums.iter().zip(parts).map(add_part).collect(),
        });
        let has_pieces = binary(BinOp::Lt, var(&piece), var(&end));
        let first = let_(&piece, load(&table.before, row.clone()));
        let last = let_(&end, load(&table.before, add(row, Expr::Int(1))));
        if let Some(list) = kernel.body[sum.share].bodies_mut().into_iter().next() {
            let entries: Vec<Stmt> = list.drain(sum.at..sum.at + 2).collect();
            let either = made(StmtKind::If { cond: has_pieces, then: vec![pieces], other: entries });
            list.splice(sum.at..sum.at, [first, last, either]);
        }
        kernel.arrays.push(of_device(&table.before, INT, Usage::Read));
        kernel.arrays.extend(sum.sums.iter().zip(parts).map(|((_, ty), name)| of_device(name, *ty, Usage::Read)));
    }
}

/// Steps of which it is known that this condition holds.
fn take_first_way(body: &mut Vec<HostStmt>, holds: &Expr) {
    let all = std::mem::take(body);
    body.extend(all.into_iter().flat_map(|mut s| match s {
        HostStmt::If { cond, then, .. } if cond == *holds => then,
        _ => {
            s.bodies_mut().into_iter().for_each(|inner| take_first_way(inner, holds));
            vec![s]
        }
    }));
}

impl Table {
    /// Condition: there are pieces.
    fn is_there(&self) -> Expr {
        binary(BinOp::Lt, Expr::Int(0), var(&self.count))
    }

    /// The steps of the host that make it.
    fn made(&self) -> [HostStmt; 2] {
        let count = StmtKind::Let { var: self.count.clone(), ty: ScalarType::Index, init: None };
        let call = Call::LongRows(LongRows {
            line: self.line,
            start: self.rows.start.clone(),
            first: self.rows.first.clone(),
            last: self.rows.last.clone(),
            count: self.count.clone(),
            before: self.before.clone(),
            from: self.from.clone(),
            to: self.to.clone(),
        });
        let call = HostStmt::Call { call: Box::new(call), otherwise: vec![] };
        [HostStmt::Compute(Stmt::made(count)), call]
    }
}

fn load(array: &str, at: Expr) -> Expr {
    Expr::Load(Access { array: array.to_string(), index: vec![at] })
}

fn of_device(name: &str, ty: ScalarType, usage: Usage) -> ArrayParam {
    ArrayParam { name: name.to_string(), ty, extents: vec![Expr::Int(0)], usage }
}
