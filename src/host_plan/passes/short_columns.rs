//! Columns of sparse matrices in 16 bits, for resident kernels that read them at each step.
//!
//! Most of what a step of an iterative solver moves are the entries of a matrix, and a third of those are numbers of columns. In
//! a row these lie near each other: the distance of each from the one before it takes half of the room. It is found once,
//! on the device, before the kernel runs. (Kourtis, Goumas and Koziris, "Optimizing sparse matrix-vector multiplication using
//! index and value compression", Computing Frontiers 2008.)
//!
//! ```text
//!                                               rt_fit = columns column of rows start[0 .. n) in 16 bits as s ..
//!                                               if (rt_fit > 0)
//! while (..) {                                    while (..) {
//!   k = start[i];                                   k = start[i]; at = max(i - rt_reach, 0) - rt_least;
//!   for (; k < start[i + 1]; k += 1)       ->       for (; k < start[i + 1]; k += 1) { at += rt_least + s[k];
//!     sum += value[k] * x[column[k]];                 sum += value[k] * x[at]; }
//! }                                               }
//!                                               else .. as it was
//! ```
//! The first entry of a row is counted from the row's own number less how far before it any row begins, the others from the entry
//! before and the least distance that there is. So a grid of 256 points a side fits, whose neighbours are 65,536 apart
//! (numbers relative to the row's first entry, or to the row, end at 181), and so do rows whose diagonal stands first.
//!
//! A column that is read elsewhere too stays, since then both would have to be there.

use super::made_once::{changed, is_list};
use super::row_loop::{RowLoop, row_loop, visit_row_loops};
use crate::ast::{BinOp, IntKind};
use crate::facts::{Remedy, remedy};
use crate::host_plan::ir::{Array, Blocks, HostStmt, Param, Region, visit};
use crate::kernel::{Access, ArrayParam, Expr, Kernel, ScalarParam, ScalarType, Stmt, StmtKind, Usage, simplify, walk};
use crate::library::call::Call;
use crate::library::short_columns::ShortColumns;
use crate::poly::names::Names;
use crate::schedule::index::{add, all, binary, ceil_div, max, mul, var};
use std::collections::{BTreeMap, BTreeSet};

/// Entries of a matrix, and steps of a loop, from which on it pays: distances are found in the time of 10 to 60 steps' gain on an
/// H200, and steps of 8,000 to 110,000 rows of 7 entries, which the L2 cache holds, gain 5 % at most.
const FEWEST_ENTRIES: i64 = 1_500_000;
const FEWEST_STEPS: i64 = 32;

/// Type of the distances.
const SHORT: ScalarType = ScalarType::Int(IntKind::UShort);

/// Outcome for a region: what there is to say about it, and why nothing came of a wish, with a remedy.
#[derive(Debug, Default)]
pub struct Said {
    pub notes: Vec<String>,
    pub refused: Option<(String, Remedy)>,
}

/// Gives resident kernels another form that reads columns in 16 bits; of small matrices and few steps too, if `always`.
pub fn short_columns(plan: &mut Region, always: bool) -> Said {
    // What the runtime knows of rows holds for the whole region, in which copies come first.
    let others = plan.body.iter().filter(|s| !matches!(s, HostStmt::CopyIn { .. }));
    let changed = others.flat_map(|s| changed(plan, std::slice::from_ref(s))).collect();
    let mut body = std::mem::take(&mut plan.body);
    let names = Names::beside(plan.names());
    let mut pass = Pass { plan, names, always, changed, done: BTreeSet::new(), notes: vec![] };
    pass.steps(&mut body);
    let notes = pass.notes;
    plan.body = body;
    let refused = if always && notes.is_empty() { refusal(plan) } else { None };
    Said { notes, refused }
}

struct Pass<'a> {
    plan: &'a mut Region,
    names: Names,
    always: bool,
    /// Arrays that the region changes.
    changed: BTreeSet<String>,
    /// Resident kernels that have been looked at.
    done: BTreeSet<usize>,
    notes: Vec<String>,
}

/// An array of columns, and the array that tells where its rows begin.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Columns {
    start: String,
    column: String,
}

/// Names of columns in 16 bits.
#[derive(Clone)]
struct Table {
    of: Columns,
    ty: ScalarType,
    short: String,
    fit: String,
    reach: String,
    least: String,
}

impl Pass<'_> {
    fn steps(&mut self, body: &mut Vec<HostStmt>) {
        let mut at = 0;
        while at < body.len() {
            if matches!(body[at], HostStmt::For { .. } | HostStmt::While { .. } | HostStmt::Resident { .. }) {
                let before = self.before(&mut body[at]);
                let n = before.len();
                body.splice(at..at, before);
                at += n;
            }
            body[at].bodies_mut().into_iter().for_each(|inner| self.steps(inner));
            at += 1;
        }
    }

    /// Steps to be done once before a step of the host, in which resident kernels then have two forms.
    fn before(&mut self, step: &mut HostStmt) -> Vec<HostStmt> {
        let steps = std::slice::from_mut(step);
        let changed = changed(self.plan, steps);
        let mut found: BTreeMap<usize, Vec<Columns>> = BTreeMap::new();
        visit(steps, &mut |s| {
            if let HostStmt::Resident { kernel, .. } = s
                && !self.done.contains(kernel)
            {
                let columns = columns(self.plan, &self.plan.kernels[*kernel]);
                let is_same = |c: &Columns| !self.changed.contains(&c.start) && !changed.contains(&c.column);
                if !columns.is_empty() && columns.iter().all(is_same) {
                    found.insert(*kernel, columns);
                }
            }
        });
        let wanted: BTreeSet<Columns> = found.values().flatten().cloned().collect();
        let (mut out, mut tables) = (vec![], vec![]);
        for of in wanted {
            let kernels: Vec<usize> = found.iter().filter(|(_, c)| c.contains(&of)).map(|(k, _)| *k).collect();
            let (table, steps) = self.table(of, &kernels);
            tables.push(table);
            out.extend(steps);
        }
        for (kernel, columns) in found {
            self.done.insert(kernel);
            let used: Vec<&Table> = tables.iter().filter(|t| columns.contains(&t.of)).collect();
            let form = form(&self.plan.kernels[kernel], &used, &mut self.names);
            let cond = all(used.iter().map(|t| binary(BinOp::Lt, Expr::Int(0), var(&t.fit))));
            self.plan.kernels.push(form);
            choose(steps, kernel, self.plan.kernels.len() - 1, &cond.expect("a table at least"));
        }
        out
    }

    /// Columns in 16 bits for some kernels, and the steps that make them.
    fn table(&mut self, of: Columns, kernels: &[usize]) -> (Table, Vec<HostStmt>) {
        let array = |name: &str| self.plan.arrays.iter().find(|a| a.name == name).expect("a list").clone();
        let (start, column) = (array(&of.start), array(&of.column));
        let [fit, reach, least] = ["rt_fit", "rt_reach", "rt_least"].map(|name| self.names.fresh(name));
        let short = self.names.fresh(&format!("rt_{}_short", of.column));
        let count = column.extents[0].clone();
        let count = match self.pays(&count, kernels) {
            Some(pays) => Expr::Cond(Box::new(pays), Box::new(count), Box::new(Expr::Int(0))),
            None => count,
        };
        self.plan.arrays.push(Array::of_device(short.clone(), SHORT, count));
        let large = if self.always { "" } else { "; of matrices and loops so large that it pays" };
        self.notes.push(format!(
            "where they fit, `{}` is read in 16 bits an entry, as distances from the entry before, which are found once{large}",
            of.column
        ));
        let table = Table { of, ty: column.ty, short, fit, reach, least };
        let (first, end) = start.live_in.expect("the host has it");
        let line = kernels.iter().map(|k| line_of(&self.plan.kernels[*k], &table.of)).max().unwrap_or_default();
        let steps = table.made(line, first, end);
        (table, steps)
    }

    /// Condition, known when the region begins, without which finding distances takes longer than it saves; `None`: it pays anyway.
    fn pays(&self, entries: &Expr, kernels: &[usize]) -> Option<Expr> {
        if self.always {
            return None;
        }
        let are_many = binary(BinOp::Le, Expr::Int(FEWEST_ENTRIES), entries.clone());
        let [kernel] = kernels else { return Some(are_many) };
        let is_param = |p: &Param, name: &str| matches!(p, Param::Scalar { name: n, .. } if n == name);
        let is_known = |name: &str| self.plan.params.iter().any(|p| is_param(p, name));
        let steps = steps_of(&self.plan.kernels[*kernel].body, &is_known);
        let counted = steps.map(|steps| binary(BinOp::Le, Expr::Int(FEWEST_STEPS), steps));
        all([Some(are_many), counted].into_iter().flatten())
    }
}

impl Table {
    /// The steps of the host that make it.
    fn made(&self, line: u32, first: Expr, end: Expr) -> Vec<HostStmt> {
        let declared = [(&self.fit, ScalarType::Index), (&self.reach, ScalarType::Index), (&self.least, self.ty)];
        let declare = |(name, ty): (&String, ScalarType)| {
            HostStmt::Compute(Stmt::made(StmtKind::Let { var: name.clone(), ty, init: None }))
        };
        let call = Call::ShortColumns(ShortColumns {
            line,
            start: self.of.start.clone(),
            first,
            last: binary(BinOp::Sub, end, Expr::Int(1)),
            column: self.of.column.clone(),
            short: self.short.clone(),
            fit: self.fit.clone(),
            reach: self.reach.clone(),
            least: self.least.clone(),
        });
        let call = HostStmt::Call { call: Box::new(call), otherwise: vec![] };
        declared.map(declare).into_iter().chain([call]).collect()
    }
}

/// Steps of a resident kernel, where its loops around phases count by what is known before it.
fn steps_of(body: &[Stmt], is_known: &dyn Fn(&str) -> bool) -> Option<Expr> {
    let is_around_phases = |s: &&Stmt| s.has_phases() && !matches!(s.kind, StmtKind::Phase { .. });
    let mut loops = body.iter().filter(is_around_phases);
    let (Some(outer), None) = (loops.next(), loops.next()) else { return None };
    let StmtKind::For { lo, hi, step, body, .. } = &outer.kind else { return None };
    let mut used = BTreeSet::new();
    [lo, hi, step].into_iter().for_each(|e| e.variables(&mut used));
    let mut count = ceil_div(binary(BinOp::Sub, hi.clone(), lo.clone()), step.clone());
    simplify::index_expr(&mut count);
    let count = used.iter().all(|name| is_known(name)).then_some(count)?;
    match body.iter().any(|s| is_around_phases(&s)) {
        true => Some(mul(count, steps_of(body, is_known)?)),
        false => Some(count),
    }
}

/// Columns that a kernel reads in loops over rows alone, at the own entry, each by one array of starts.
fn columns(plan: &Region, kernel: &Kernel) -> Vec<Columns> {
    let mut found: BTreeSet<Columns> = BTreeSet::new();
    let subscripts = subscripts(kernel);
    visit_row_loops(kernel, &mut |l| {
        let is_column = |name: &&String| {
            subscripts.contains(*name)
                && is_list(plan, name)
                && plan
                    .arrays
                    .iter()
                    .any(|a| a.name == **name && matches!(a.ty, ScalarType::Int(kind) if kind.bits() >= 32))
        };
        if is_list(plan, &l.start) {
            let all = l.entries.iter().filter(is_column);
            found.extend(all.map(|column| Columns { start: l.start.clone(), column: column.clone() }));
        }
    });
    let is_once = |c: &&Columns| found.iter().filter(|other| other.column == c.column).count() == 1;
    found.iter().filter(is_once).filter(|c| is_read_there_alone(kernel, c)).cloned().collect()
}

/// Arrays whose elements are subscripts of others.
fn subscripts(kernel: &Kernel) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut look = |e: &Expr| {
        e.any(&mut |e| {
            if let Expr::Load(access) = e {
                for e in &access.index {
                    e.any(&mut |e| {
                        out.extend(if let Expr::Load(inner) = e { Some(inner.array.clone()) } else { None });
                        false
                    });
                }
            }
            false
        });
    };
    walk::visit(&kernel.body, &mut |s| s.exprs().into_iter().for_each(&mut look));
    out
}

/// Test that loops over the rows that begin at `start` read columns, and nothing else in the kernel does.
fn is_read_there_alone(kernel: &Kernel, of: &Columns) -> bool {
    let name = String::new;
    let table = Table { of: of.clone(), ty: SHORT, short: name(), fit: name(), reach: name(), least: name() };
    let mut body = kernel.body.clone();
    Rewrite { kernel, tables: &[&table], at: vec![name()] }.list(&mut body);
    !walk::loads(&body, &of.column)
}

/// The last line of a loop that reads columns.
fn line_of(kernel: &Kernel, of: &Columns) -> u32 {
    let mut line = 0;
    walk::visit(&kernel.body, &mut |s| {
        let reads = |e: &Expr| e.any(&mut |e| matches!(e, Expr::Load(a) if a.array == of.column));
        if s.exprs().into_iter().any(reads) {
            line = line.max(s.line);
        }
    });
    line
}

/// The form of a kernel that reads such tables.
fn form(kernel: &Kernel, tables: &[&Table], names: &mut Names) -> Kernel {
    let mut form = Kernel { name: names.fresh(&format!("{}_short", kernel.name)), ..kernel.clone() };
    let at = tables.iter().map(|_| names.fresh("rt_column")).collect();
    Rewrite { kernel, tables, at }.list(&mut form.body);
    walk_phases(&mut form.body, names);
    for t in tables {
        let scalars = [(&t.reach, ScalarType::Index), (&t.least, t.ty)];
        form.scalars.extend(scalars.map(|(name, ty)| ScalarParam { name: name.clone(), ty }));
        let (name, extents, usage) = (t.short.clone(), vec![Expr::Int(0)], Usage::Read);
        form.arrays.push(ArrayParam { name, ty: SHORT, extents, usage });
        form.notes.push(format!("in 16 bits, as distances from the entry before: {}", t.of.column));
    }
    form.arrays.retain(|a| !tables.iter().any(|t| t.of.column == a.name));
    simplify::kernel(&mut form);
    form
}

/// Gives phases names of their own: they are functions of what is emitted.
fn walk_phases(body: &mut [Stmt], names: &mut Names) {
    for s in body {
        if let StmtKind::Phase { name, .. } = &mut s.kind {
            *name = names.fresh(&format!("{name}_short"));
        }
        s.bodies_mut().into_iter().for_each(|inner| walk_phases(inner, names));
    }
}

/// Launches of a resident kernel as a choice of its two forms. The other one is for matrices that are no one block's work.
fn choose(steps: &mut [HostStmt], plain: usize, form: usize, cond: &Expr) {
    for s in steps {
        if let HostStmt::Resident { kernel, .. } = s
            && *kernel == plain
        {
            let mut short = s.clone();
            if let HostStmt::Resident { kernel, blocks, .. } = &mut short {
                *kernel = form;
                if let Blocks::ByWork { threads, .. } = *blocks {
                    *blocks = Blocks::AsFit { threads };
                }
            }
            *s = HostStmt::If { cond: cond.clone(), then: vec![short], other: vec![s.clone()] };
        } else {
            s.bodies_mut().into_iter().for_each(|inner| choose(inner, plain, form, cond));
        }
    }
}

/// Makes the loops over rows of a kernel read tables.
struct Rewrite<'a> {
    kernel: &'a Kernel,
    tables: &'a [&'a Table],
    /// The variables for a column, one a table.
    at: Vec<String>,
}

impl Rewrite<'_> {
    fn list(&self, body: &mut Vec<Stmt>) {
        for at in (0..body.len()).rev() {
            body[at].bodies_mut().into_iter().for_each(|inner| self.list(inner));
            let Some(found) = (at > 0).then(|| row_loop(self.kernel, &body[at - 1], &body[at])).flatten() else {
                continue;
            };
            let mut first = vec![];
            for (table, name) in self.tables.iter().zip(&self.at) {
                if table.of.start == found.start && found.entries.contains(&table.of.column) {
                    first.push(self.row(&found, table, name, &mut body[at]));
                }
            }
            body.splice(at - 1..at - 1, first);
        }
    }

    /// A loop that reads a table; the declaration before it and its counter.
    fn row(&self, found: &RowLoop, table: &Table, at: &str, s: &mut Stmt) -> Stmt {
        let line = s.line;
        let made = |kind| Stmt { kind, line };
        let begin = max([binary(BinOp::Sub, found.row.clone(), var(&table.reach)), Expr::Int(0)]).expect("two numbers");
        let first = binary(BinOp::Sub, begin, var(&table.least));
        let StmtKind::While { cond: Expr::Binary(_, k, _), body, .. } = &mut s.kind else {
            unreachable!("a row's loop")
        };
        let distance = Expr::Load(Access { array: table.short.clone(), index: vec![(**k).clone()] });
        let is_column = |e: &Expr| matches!(e, Expr::Load(a) if a.array == table.of.column).then(|| var(at));
        body.iter_mut().for_each(|inner| inner.replace(&is_column));
        let value = add(var(&table.least), distance);
        body.insert(0, made(StmtKind::Assign { var: at.into(), op: Some(BinOp::Add), value }));
        made(StmtKind::Let { var: at.into(), ty: table.ty, init: Some(first) })
    }
}

/// The reason why no kernel reads columns in 16 bits, and what would help; `None` where nothing is subscripted by what arrays hold.
fn refusal(plan: &Region) -> Option<(String, Remedy)> {
    if plan.kernels.iter().all(|k| subscripts(k).is_empty()) {
        return None;
    }
    let resident: Vec<&Kernel> = plan.kernels.iter().filter(|k| k.resident.is_some()).collect();
    if resident.is_empty() {
        let help =
            remedy!("`sync = \"cooperative\"` asks for one, where each step of the loop is made of kernels alone");
        return Some(("no loop of the host is one kernel for all of its steps".into(), help));
    }
    let written = resident.iter().find_map(|k| {
        let subscripts = subscripts(k);
        k.written().find(|a| subscripts.contains(&a.name)).map(|a| a.name.clone())
    });
    if let Some(name) = written {
        let help = remedy!("they would have to be found anew at each step: leave `short-columns` out for this region");
        return Some((format!("the time loop changes `{name}`"), help));
    }
    let help = remedy!(
        "a loop over the entries of a row reads them, `for (k = start[i]; k < start[i + 1]; k++)`, each as a subscript \
                `column[k]`, and nothing else of the time loop does; the region leaves `start` as it is; the numbers of `column` have 32 \
                bits or more"
    );
    Some(("the time loop reads none by the rows of a sparse matrix alone".into(), help))
}
