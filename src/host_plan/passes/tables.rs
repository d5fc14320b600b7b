//! Small tables that threads look up at places the data say lie in shared memory.
//!
//! Neighbouring threads look at unrelated elements, so that a load of a warp touches many lines of the cache, one after the
//! other; shared memory serves as many elements at once as it has banks. Each block copies the table at its beginning, by
//! all its threads:
//! ```text
//!                                             shared unsigned int rt_table[256];
//!                                             for rt_table_at in t0 .. 256 step BLOCK_0 { rt_table[rt_table_at] = table[rt_table_at]; }
//!                                       ->    barrier;
//! sum[i] = table[a[i] >> 24] ^ ...            sum[i] = rt_table[a[i] >> 24] ^ ...
//! ```
//! Such are the tables of AES (rt-cuda, section 4.7.3), of colours and of materials. A table is an array of known extents
//! that the region only reads and that is copied to the device as a whole, so that every element may be read, looked up or
//! not. It must be small (`MOST_BYTES`), and a block must look up several times what it copies (`LEAST_USE`). Resident
//! kernels are left alone: their phases are functions of their own, and between them arrays change.

use crate::ast::BinOp;
use crate::host_plan::ir::{Array, Region};
use crate::kernel::{
    Access, ArrayParam, Expr, Kernel, ScalarType, Stmt, StmtKind, Usage, exchange, simplify, verify, walk,
};
use crate::poly::names::Names;
use crate::schedule::index::{add, binary, mul, var};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes that the tables of a block may take together.
const MOST_BYTES: i64 = 8 * 1024;
/// Bytes of shared memory that a block may have without asking.
const SHARED: i64 = 48 * 1024;
/// How many times a thread must look up a table, and a block for each element that it copies.
const LEAST_USE: i64 = 4;
/// Iterations of a loop whose number only the run knows.
const USUAL_TRIP: i64 = 8;

/// Puts the tables of every kernel into shared memory.
pub fn tables(plan: &mut Region) {
    let Region { kernels, arrays, .. } = plan;
    for kernel in kernels.iter_mut().filter(|k| k.resident.is_none() && exchange::arrays(&k.body).is_empty()) {
        let mut free = (SHARED - verify::usual_shared(kernel)).min(MOST_BYTES);
        let reads = Lookups::of(kernel).reads;
        let Some(threads) = verify::usual_threads(kernel) else { continue };
        let mut found = vec![];
        for (name, reads) in &reads {
            let Some(table) = arrays.iter().find(|a| a.name == *name).and_then(Table::of) else { continue };
            let rank = table.extents.len();
            let is_read = |a: &ArrayParam| a.name == *name && a.usage == Usage::Read && a.extents.len() == rank;
            let is_used = *reads >= LEAST_USE && reads.saturating_mul(threads) / LEAST_USE >= table.count();
            if is_used && table.bytes() <= free && kernel.arrays.iter().any(is_read) {
                free -= table.bytes();
                found.push(table);
            }
        }
        if !found.is_empty() {
            stage(kernel, &found);
        }
    }
}

/// An array that may be staged.
struct Table {
    name: String,
    ty: ScalarType,
    extents: Vec<i64>,
}

impl Table {
    /// An array of known extents, never written, of which everything is copied in.
    fn of(array: &Array) -> Option<Table> {
        let extents = array.extents.iter().map(where_read).collect::<Option<Vec<_>>>()?;
        let table = Table { name: array.name.clone(), ty: array.ty, extents };
        let (first, last) = array.live_in.as_ref()?;
        let is_whole = known(first) == Some(0) && where_read(last) == Some(table.count());
        let is_input = array.on_host && array.rows.is_none() && array.live_out.is_none();
        (is_whole && is_input && !table.extents.is_empty()).then_some(table)
    }

    fn count(&self) -> i64 {
        self.extents.iter().fold(1, |all: i64, extent| all.saturating_mul(*extent))
    }

    fn bytes(&self) -> i64 {
        self.count().saturating_mul(self.ty.size(64))
    }

    /// The subscripts of the element at a position.
    fn subscripts(&self, cell: &Expr) -> Vec<Expr> {
        let mut behind = self.count();
        let mut out = vec![];
        for (d, extent) in self.extents.iter().enumerate() {
            behind /= extent;
            let at = if behind == 1 { cell.clone() } else { binary(BinOp::Div, cell.clone(), Expr::Int(behind)) };
            out.push(if d == 0 { at } else { binary(BinOp::Rem, at, Expr::Int(*extent)) });
        }
        out
    }
}

/// A number that is none for sizes at which nothing is read, where no block runs.
fn where_read(e: &Expr) -> Option<i64> {
    match e {
        Expr::Cond(_, read, none) if known(none) == Some(0) => known(read),
        _ => known(e),
    }
}

fn known(e: &Expr) -> Option<i64> {
    let mut e = e.clone();
    simplify::index_expr(&mut e);
    match e {
        Expr::Int(value) => Some(value),
        _ => None,
    }
}

/// Copies the tables at the beginning of a kernel, and lets it look them up there.
fn stage(kernel: &mut Kernel, tables: &[Table]) {
    let mut names = Names::beside(kernel.names());
    let copies: BTreeMap<&str, String> =
        tables.iter().map(|t| (t.name.as_str(), names.fresh(&format!("rt_{}_table", t.name)))).collect();
    let mut body = std::mem::take(&mut kernel.body);
    for s in &mut body {
        look_up(s, &copies);
    }
    let mut head: Vec<Stmt> = tables
        .iter()
        .map(|t| {
            let (name, extents) = (copies[t.name.as_str()].clone(), t.extents.iter().map(|e| Expr::Int(*e)).collect());
            Stmt::made(StmtKind::Shared { name, ty: t.ty, extents })
        })
        .collect();
    for t in tables {
        head.push(copy(t, &copies[t.name.as_str()], names.fresh("rt_table_at"), &kernel.block));
        kernel.notes.push(format!("in shared memory, whole: {}, looked up at places that the data say", t.name));
    }
    head.push(Stmt::made(StmtKind::Barrier));
    head.extend(body);
    kernel.body = head;
}

/// `for cell in (position of the thread) .. count step (threads) { to[cell] = table[cell]; }`
fn copy(table: &Table, to: &str, cell: String, block: &[Expr]) -> Stmt {
    let (mut thread, mut threads) = (Expr::Int(0), Expr::Int(1));
    for (d, extent) in block.iter().enumerate() {
        thread = add(if d == 0 { thread } else { mul(thread, extent.clone()) }, Expr::ThreadIdx(d));
        threads = if d == 0 { extent.clone() } else { mul(threads, extent.clone()) };
    }
    let index = table.subscripts(&var(&cell));
    let from = Expr::Load(Access { array: table.name.clone(), index: index.clone() });
    let target = Access { array: to.to_owned(), index };
    let body = vec![Stmt::made(StmtKind::Store { target, op: None, value: from })];
    Stmt::made(StmtKind::counted(cell, [thread, Expr::Int(table.count()), threads], body))
}

fn look_up(s: &mut Stmt, copies: &BTreeMap<&str, String>) {
    s.exprs_mut().into_iter().for_each(|e| look_up_in(e, copies));
    s.bodies_mut().into_iter().flatten().for_each(|s| look_up(s, copies));
}

fn look_up_in(e: &mut Expr, copies: &BTreeMap<&str, String>) {
    if let Expr::Load(access) = e
        && let Some(copy) = copies.get(access.array.as_str())
    {
        access.array.clone_from(copy);
    }
    e.children_mut().into_iter().for_each(|child| look_up_in(child, copies));
}

/// How often a thread looks up which arrays at places that the data say, other data for other threads.
struct Lookups<'a> {
    kernel: &'a Kernel,
    /// Variables, and arrays of the thread or block, that differ among threads; those whose value comes from memory, too.
    varying: BTreeSet<String>,
    scattered: BTreeSet<String>,
    reads: BTreeMap<String, i64>,
}

impl<'a> Lookups<'a> {
    fn of(kernel: &'a Kernel) -> Self {
        let (varying, scattered, reads) = Default::default();
        let mut out = Lookups { kernel, varying, scattered, reads };
        loop {
            let before = (out.varying.len(), out.scattered.len());
            walk::visit(&kernel.body, &mut |s| out.follow(s));
            if before == (out.varying.len(), out.scattered.len()) {
                break;
            }
        }
        out.count(&kernel.body, 1);
        out
    }

    /// What a statement gives its variable or array.
    fn follow(&mut self, s: &Stmt) {
        let (name, values) = match &s.kind {
            StmtKind::Let { var, init: Some(value), .. } | StmtKind::Assign { var, value, .. } => (var, vec![value]),
            StmtKind::Store { target, value, .. } => (&target.array, vec![value]),
            StmtKind::For { var, lo, hi, .. } => (var, vec![lo, hi]),
            _ => return,
        };
        if values.iter().any(|v| self.varies(v)) {
            self.varying.insert(name.clone());
        }
        if values.iter().any(|v| self.scatters(v)) {
            self.scattered.insert(name.clone());
        }
    }

    fn varies(&self, e: &Expr) -> bool {
        e.any(&mut |e| match e {
            Expr::ThreadIdx(_) => true,
            Expr::Var(name) => self.varying.contains(name),
            Expr::Load(access) => self.varying.contains(&access.array),
            _ => false,
        })
    }

    fn scatters(&self, e: &Expr) -> bool {
        e.any(&mut |e| match e {
            Expr::Var(name) => self.scattered.contains(name),
            Expr::Load(access) => {
                self.scattered.contains(&access.array) || access.index.iter().any(|index| self.varies(index))
            }
            _ => false,
        })
    }

    /// Counts what statements look up that run `times` times.
    fn count(&mut self, body: &[Stmt], times: i64) {
        for s in body {
            for e in s.exprs() {
                self.count_in(e, times);
            }
            match &s.kind {
                // A thread takes one of the two.
                StmtKind::If { then, other, .. } => {
                    let before = self.reads.clone();
                    self.count(then, times);
                    let one = std::mem::replace(&mut self.reads, before);
                    self.count(other, times);
                    for (name, reads) in one {
                        let most = self.reads.entry(name).or_default();
                        *most = (*most).max(reads);
                    }
                }
                StmtKind::For { lo, hi, step, body, .. } => {
                    let trip = match [lo, hi, step].map(|e| verify::usual_value(self.kernel, e)) {
                        [Some(lo), Some(hi), Some(step)] if step > 0 => {
                            let n = hi.saturating_sub(lo).max(0);
                            n / step + i64::from(n % step > 0)
                        }
                        _ => USUAL_TRIP,
                    };
                    self.count(body, times.saturating_mul(trip));
                }
                StmtKind::While { body, step, .. } => {
                    self.count(body, times.saturating_mul(USUAL_TRIP));
                    self.count(step, times.saturating_mul(USUAL_TRIP));
                }
                _ => s.bodies().into_iter().for_each(|body| self.count(body, times)),
            }
        }
    }

    fn count_in(&mut self, e: &Expr, times: i64) {
        if let Expr::Load(access) = e
            && access.index.iter().any(|index| self.scatters(index))
        {
            let reads = self.reads.entry(access.array.clone()).or_default();
            *reads = reads.saturating_add(times);
        }
        e.children().into_iter().for_each(|child| self.count_in(child, times));
    }
}
