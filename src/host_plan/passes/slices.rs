//! Rows of sparse matrices laid out so that the threads of a warp read neighbours.
//!
//! Where each thread has a row in compressed rows, threads of a warp read as far from each other as their rows begin. In
//! slices of 32 rows whose entries lie in turns they read neighbours: a product then runs at the rate of a copy. Entries
//! that a loop of the host only reads are laid out so once before it, on the device; each row keeps its order, so that no
//! result changes. (Sliced ELL: Monakov, Lokhmotov and Avetisyan, "Automatically tuning sparse matrix-vector
//! multiplication for GPU architectures", HiPEAC 2010.)
//!
//! ```text
//! while (..) {                                slices of start[0 .. n) by s: value as v
//!   k = start[i];                             while (..) {
//!   for (; k < start[i + 1]; k += 1)    ->      k = start[i]; at = s[1 + i / 32] + i % 32;
//!     sum += value[k] * ..                      for (; k < start[i + 1]; k += 1, at += 32) sum += v[at] * ..
//! ```
//! Where rows are so uneven that slices take much more room, they stay as they are (`s[0] == 1`): a loop of its own. So do those
//! of resident kernels, which have half as many threads on the device: there a thread that reads its own row from the cache
//! was 7 % faster than one that waits for memory at each entry (CG, 2 and 17 million rows, on an H200).

use super::made_once::{changed, is_list};
use super::row_loop::{RowLoop, row_loop, visit_row_loops};
use crate::ast::{BinOp, IntKind};
use crate::host_plan::ir::{Array, HostStmt, Region, launched};
use crate::kernel::{Access, ArrayParam, Expr, Kernel, ScalarType, Stmt, StmtKind, Usage, walk};
use crate::library::call::Call;
use crate::library::slices::{SLICE, Slices};
use crate::poly::names::Names;
use crate::schedule::index::{add, binary, ceil_div, max, var};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Lays out what loops of the host read again and again; returns what there is to say about it.
pub fn slice_rows(plan: &mut Region) -> Vec<String> {
    let mut body = std::mem::take(&mut plan.body);
    let mut pass = Pass { plan, notes: vec![] };
    pass.steps(&mut body);
    let notes = pass.notes;
    plan.body = body;
    notes
}

struct Pass<'a> {
    plan: &'a mut Region,
    notes: Vec<String>,
}

impl Pass<'_> {
    fn steps(&mut self, body: &mut Vec<HostStmt>) {
        let mut at = 0;
        while at < body.len() {
            if matches!(body[at], HostStmt::For { .. } | HostStmt::While { .. } | HostStmt::Replay { .. })
                && let Some(before) = self.before(&body[at])
            {
                let n = before.len();
                body.splice(at..at, before);
                at += n + 1;
                continue;
            }
            body[at].bodies_mut().into_iter().for_each(|inner| self.steps(inner));
            at += 1;
        }
    }

    /// What is to be done before a loop, whose kernels then read slices; `None` where there is nothing.
    fn before(&mut self, steps: &HostStmt) -> Option<Vec<HostStmt>> {
        let steps = std::slice::from_ref(steps);
        let mut kernels: BTreeSet<usize> = launched(steps).into_iter().collect();
        let written = changed(self.plan, steps);
        kernels.retain(|k| self.plan.kernels[*k].resident.is_none());
        // The rows of one array of starts share their slices.
        let mut found: IndexMap<String, BTreeSet<String>> = IndexMap::new();
        for k in &kernels {
            let kernel = &self.plan.kernels[*k];
            visit_row_loops(kernel, &mut |l| {
                let entries = l.entries.iter().filter(|a| !written.contains(*a) && is_list(self.plan, a)).cloned();
                let entries: Vec<String> = entries.collect();
                if l.is_each_threads
                    && !written.contains(&l.start)
                    && is_list(self.plan, &l.start)
                    && !entries.is_empty()
                {
                    found.entry(l.start).or_default().extend(entries);
                }
            });
        }
        let mut out = vec![];
        for (start, entries) in found {
            out.extend(self.slices(start, entries, &kernels));
        }
        (!out.is_empty()).then_some(out)
    }

    fn slices(&mut self, start: String, entries: BTreeSet<String>, kernels: &BTreeSet<usize>) -> Option<HostStmt> {
        let of = |name: &str| self.plan.arrays.iter().find(|a| a.name == name).cloned();
        let (first, end) = of(&start)?.live_in?;
        let mut names = Names::beside(self.plan.names());
        let long = ScalarType::Int(IntKind::Long);
        let n_slices = ceil_div(binary(BinOp::Sub, end.clone(), first.clone()), Expr::Int(SLICE));
        let n_slices = max([n_slices, Expr::Int(0)]).expect("two numbers");
        let slices = names.fresh("rt_slices");
        let mut arrays = vec![Array::of_device(slices.clone(), long, add(n_slices, Expr::Int(2)))];
        let mut sliced = IndexMap::new();
        for name in &entries {
            let a = of(name)?;
            let quarter = binary(BinOp::Div, a.extents[0].clone(), Expr::Int(4));
            let to = names.fresh(&format!("rt_{name}_sliced"));
            arrays.push(Array::of_device(to.clone(), a.ty, add(a.extents[0].clone(), quarter)));
            sliced.insert(name.clone(), to);
        }
        self.plan.arrays.extend(arrays.iter().cloned());
        let mut line = 0;
        for k in kernels {
            let rewrite = Rewrite { start: &start, first: &first, slices: &arrays[0], sliced: &sliced, all: &arrays };
            line = line.max(rewrite.kernel(&mut self.plan.kernels[*k], &mut names));
        }
        let list: Vec<String> = entries.iter().map(|e| format!("`{e}`")).collect();
        self.notes.push(format!(
            "the rows that begin at `{start}` are laid out in slices of {SLICE} once, for {}: neighbouring threads read \
             neighbours; rows too uneven for that stay as they are",
            list.join(" and ")
        ));
        let last = binary(BinOp::Sub, end, Expr::Int(1));
        let call = Call::Slices(Slices { line, start, first, last, slices, entries: sliced.into_iter().collect() });
        Some(HostStmt::Call { call: Box::new(call), otherwise: vec![] })
    }
}

/// Makes the loops over rows of a kernel read slices.
struct Rewrite<'a> {
    start: &'a str,
    first: &'a Expr,
    slices: &'a Array,
    /// Arrays of entries, and what they become; those with `slices`, as arrays.
    sliced: &'a IndexMap<String, String>,
    all: &'a [Array],
}

impl Rewrite<'_> {
    /// The line of the last loop that it changed.
    fn kernel(&self, kernel: &mut Kernel, names: &mut Names) -> u32 {
        let frozen = kernel.clone();
        let mut line = 0;
        self.list(&frozen, &mut kernel.body, names, &mut line);
        if line > 0 {
            let params = self.all.iter().map(|a| ArrayParam {
                name: a.name.clone(),
                ty: a.ty,
                extents: vec![Expr::Int(0)],
                usage: Usage::Read,
            });
            kernel.arrays.extend(params);
            let body = &kernel.body;
            kernel.arrays.retain(|a| a.usage != Usage::Read || walk::loads(body, &a.name));
        }
        line
    }

    fn list(&self, kernel: &Kernel, body: &mut [Stmt], names: &mut Names, line: &mut u32) {
        for at in 0..body.len() {
            body[at].bodies_mut().into_iter().for_each(|inner| self.list(kernel, inner, names, line));
            let found = (at > 0).then(|| row_loop(kernel, &body[at - 1], &body[at])).flatten();
            let is_sliced = |l: &RowLoop| {
                l.is_each_threads && l.start == self.start && l.entries.iter().any(|e| self.sliced.contains_key(e))
            };
            if let Some(l) = found.filter(is_sliced) {
                *line = body[at].line.max(1);
                self.row(l.row, &mut body[at], names);
            }
        }
    }

    /// A loop in two: over rows as they are, and over slices.
    fn row(&self, row: Expr, s: &mut Stmt, names: &mut Names) {
        let at = names.fresh("rt_entry");
        let line = s.line;
        let made = |kind| Stmt { kind, line };
        let load = |array: &str, index| Expr::Load(Access { array: array.to_string(), index: vec![index] });
        let own = if *self.first == Expr::Int(0) { row } else { binary(BinOp::Sub, row, self.first.clone()) };
        let slice = binary(BinOp::Div, own.clone(), Expr::Int(SLICE));
        let within = binary(BinOp::Rem, own, Expr::Int(SLICE));
        let first = add(load(&self.slices.name, add(slice, Expr::Int(1))), within);
        let first = StmtKind::Let { var: at.clone(), ty: ScalarType::Index, init: Some(first) };
        let next = StmtKind::Assign { var: at.clone(), op: Some(BinOp::Add), value: Expr::Int(SLICE) };
        let StmtKind::While { cond: Expr::Binary(_, k, _), .. } = &s.kind else { return };
        let (mut plain, mut sliced, k) = (s.clone(), s.clone(), (**k).clone());
        for (copy, at) in [(&mut plain, &k), (&mut sliced, &var(&at))] {
            copy.bodies_mut().into_iter().flatten().for_each(|inner| self.entries(inner, &k, at));
        }
        if let StmtKind::While { step, .. } = &mut sliced.kind {
            step.push(made(next));
        }
        let cond = binary(BinOp::Eq, load(&self.slices.name, Expr::Int(0)), Expr::Int(1));
        s.kind = StmtKind::If { cond, then: vec![plain], other: vec![made(first), sliced] };
    }

    fn entries(&self, s: &mut Stmt, k: &Expr, at: &Expr) {
        for e in s.exprs_mut() {
            e.replace(&mut |e| match e {
                Expr::Load(a) if a.index.as_slice() == std::slice::from_ref(k) => {
                    let array = self.sliced.get(&a.array)?.clone();
                    Some(Expr::Load(Access { array, index: vec![at.clone()] }))
                }
                _ => None,
            });
        }
        s.bodies_mut().into_iter().flatten().for_each(|inner| self.entries(inner, k, at));
    }
}
