//! Rows of a sparse matrix that stay on chip: the entries that each thread reads at its own points, in all steps the same.
//!
//! ```text
//! k = start[i];                                   k = rt_own_start[rt_slot];
//! for (; k < start[i + 1]; k += 1)        ->      if (rt_slot < rt_rows_kept) {
//!   sum += value[k] * x[column[k]];                 first = k;
//!                                                   for (; k < ..; k += 1)
//!                                                     sum += rt_own_value[rt_slot][k - first] * x[rt_own_column[rt_slot][k - first]];
//!                                                 } else { the loop as it was }
//! ```
//! What holds for other elements holds for them: the steps do not write them, and each step reads the row at each point. One
//! matrix is kept, that of most loops. The launch finds room for the rows of a thread's first points, where elements of all
//! points have found theirs, and rows are about as long as each other: each has room for the longest.

use super::accesses::RowAt;
use super::found::{Found, RowUse, Rows};
use crate::ast::BinOp;
use crate::host_plan::ir::Region;
use crate::host_plan::passes::made_once::{is_list, is_written};
use crate::kernel::{Access, Expr, Kernel, LONGEST, ROWS, ScalarParam, ScalarType, Stmt, StmtKind};
use crate::poly::names::Names;
use crate::schedule::index::{add, binary, var};

/// Rows that are kept, and the arrays of their entries: (array, type, array on chip).
pub(super) struct KeptRows {
    rows: Rows,
    /// The type of the entries' numbers.
    numbers: ScalarType,
    own: Vec<(String, ScalarType, String)>,
}

/// The rows that the steps of a kernel read most often at the points of a map, if there are any.
pub(super) fn worth_keeping(
    plan: &Region,
    kernel: &Kernel,
    found: &Found,
    map: usize,
    names: &mut Names,
) -> Option<KeptRows> {
    let may_stay = |u: &&RowUse| {
        let Rows { start, row, entries } = &u.rows;
        let is_own = found.maps[map].is_own(std::slice::from_ref(row));
        u.map == map && is_own && is_list(plan, start) && !is_written(plan, start) && !entries.is_empty()
    };
    let certain = found.rows.iter().filter(|u| u.is_certain).filter(may_stay);
    let rows = &certain.max_by_key(|u| found.rows.iter().filter(|other| other.is_like(u)).count())?.rows;
    let type_of = |name: &String| kernel.arrays.iter().find(|a| a.name == *name).map(|a| a.ty);
    let own = |a: &String| {
        let own = names.fresh(&format!("rt_own_{}", a.trim_start_matches("rt_")));
        type_of(a).map(|ty| (a.clone(), ty, own))
    };
    let mut own: Vec<_> = rows.entries.iter().filter_map(own).collect();
    // Those of many bytes first, so that each begins where it may.
    own.sort_by_key(|(_, ty, _)| -ty.size(kernel.index_bits));
    Some(KeptRows { rows: rows.clone(), numbers: type_of(&rows.start)?, own })
}

impl KeptRows {
    /// Arrays on chip, of `count` points.
    pub fn declared(&self, count: &Expr) -> impl Iterator<Item = Stmt> {
        self.own.iter().map(|(_, ty, own)| {
            let rows = Some(self.rows.start.clone());
            Stmt::made(StmtKind::OnChip { name: own.clone(), ty: *ty, of: count.clone(), rows })
        })
    }

    /// What the launch tells the kernel of them.
    pub fn scalars() -> [ScalarParam; 2] {
        [ROWS, LONGEST].map(|name| ScalarParam { name: name.into(), ty: ScalarType::Index })
    }

    /// A person's words for them.
    pub fn told(&self) -> String {
        let entries: Vec<&str> = self.own.iter().map(|(array, ..)| array.as_str()).collect();
        format!("rows of {}", entries.join(" and "))
    }

    /// Loads of a point's row, before the steps.
    pub fn loads(&self, slot: &str, names: &mut Names) -> Vec<Stmt> {
        let (k, first) = (names.fresh("rt_entry"), names.fresh("rt_first"));
        let Rows { start, row, .. } = &self.rows;
        let begin = |row: Expr| Expr::Load(Access { array: start.clone(), index: vec![row] });
        let ty = self.numbers;
        let load = |(array, _, own): &(String, ScalarType, String)| {
            let value = Expr::Load(Access { array: array.clone(), index: vec![var(&k)] });
            Stmt::made(StmtKind::Store { target: entry(own, slot, &k, &first), op: None, value })
        };
        let declare = |name: &str, init| Stmt::made(StmtKind::Let { var: name.into(), ty, init: Some(init) });
        let body = self.own.iter().map(load).collect();
        let step = vec![Stmt::made(StmtKind::Assign { var: k.clone(), op: Some(BinOp::Add), value: Expr::Int(1) })];
        let cond = binary(BinOp::Lt, var(&k), begin(add(row.clone(), Expr::Int(1))));
        let all = StmtKind::While { cond, step, body };
        vec![declare(&first, begin(row.clone())), declare(&k, var(&first)), Stmt::made(all)]
    }

    /// Makes a loop over a row, if it is one of these, read what is on chip.
    pub fn rewrite(&self, s: &mut Stmt, at: &RowAt, slot: &str, names: &mut Names) {
        let is_one = at.found.start == self.rows.start && at.row == self.rows.row;
        let StmtKind::While { cond: Expr::Binary(_, k, _), .. } = &s.kind else { return };
        let Expr::Var(k) = (**k).clone() else { return };
        if !is_one || !self.own.iter().any(|(array, ..)| at.found.entries.contains(array)) {
            return;
        }
        let first = names.fresh("rt_first");
        let begin =
            Stmt { kind: StmtKind::Let { var: first.clone(), ty: self.numbers, init: Some(var(&k)) }, line: s.line };
        let mut on_chip = s.clone();
        let of_entry = |e: &Expr| match e {
            Expr::Load(a) if a.index == [var(&k)] => {
                let (_, _, own) = self.own.iter().find(|(array, ..)| *array == a.array)?;
                Some(Expr::Load(entry(own, slot, &k, &first)))
            }
            _ => None,
        };
        on_chip.replace(&of_entry);
        let cond = binary(BinOp::Lt, var(slot), var(ROWS));
        let is_kept = StmtKind::If { cond, then: vec![begin, on_chip], other: vec![s.clone()] };
        *s = Stmt { kind: is_kept, line: s.line };
    }
}

/// The entry `k` of a row that begins at `first`.
fn entry(own: &str, slot: &str, k: &str, first: &str) -> Access {
    Access { array: own.into(), index: vec![var(slot), binary(BinOp::Sub, var(k), var(first))] }
}
