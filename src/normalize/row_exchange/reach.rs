//! How far a loop reaches in the rows of a matrix: from the subscripts, and the headers of the loops around them.

use super::swap::Swap;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::header::{self, For};
use crate::facts::symbolic::{Params, Poly, Reader, Sym};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The most polynomials that a subscript may be bounded by.
const MAX_BOUNDS: usize = 16;

/// From the first to before the end, as the caller computes it.
pub struct Ends {
    pub first: Expr,
    pub end: Expr,
}

/// The rows and the columns that a loop touches, but for rows that only the data know.
pub struct Reach {
    pub rows: Ends,
    pub columns: Ends,
}

/// Where a subscript, or a counter, is: not below any of `least`, not above any of `most`.
struct Bounds {
    least: Vec<Poly>,
    most: Vec<Poly>,
}

/// What a loop touches of a matrix of row pointers. `None` where the matrix is named in it other than by its elements, or
/// where the ends are not seen.
pub fn of(unit: &Unit, s: &Stmt, matrix: VarId) -> Option<Reach> {
    let (written, params) = (effects::assigned([s]), Params::default());
    let mut walk = Walk { unit, matrix, written, params, around: vec![], rows: vec![], columns: vec![] };
    walk.stmt(s)?;
    let (rows, columns) = (walk.ends(&walk.rows, s.span)?, walk.ends(&walk.columns, s.span)?);
    Some(Reach { rows, columns })
}

struct Walk<'u> {
    unit: &'u Unit,
    matrix: VarId,
    written: BTreeSet<VarId>,
    params: Params,
    /// The counters of the loops around.
    around: Vec<(VarId, Bounds)>,
    rows: Vec<Bounds>,
    columns: Vec<Bounds>,
}

impl Walk<'_> {
    fn stmt(&mut self, s: &Stmt) -> Option<()> {
        let mut own = vec![];
        s.own_exprs(&mut |e| own.push(e));
        own.into_iter().try_for_each(|e| self.expr(e))?;
        if let StmtKind::Block(list) = &s.kind {
            return self.block(list);
        }
        let n_around = self.around.len();
        if let StmtKind::For { init, cond, step, .. } = &s.kind {
            let header = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
            if let Ok(h) = header::read(&header, &mut self.reader()) {
                let within = |by| h.limits.iter().filter_map(|p| p.plus(&Poly::constant(by), 1)).collect();
                let bounds = match h.step > 0 {
                    true => Bounds { least: vec![h.first], most: within(-1) },
                    false => Bounds { least: within(1), most: vec![h.first] },
                };
                self.around.push((h.var, bounds));
            }
        }
        s.stmts().into_iter().try_for_each(|s| self.stmt(s))?;
        self.around.truncate(n_around);
        Some(())
    }

    fn block(&mut self, mut list: &[Stmt]) -> Option<()> {
        while let Some((s, rest)) = list.split_first() {
            let swap = list.get(..3).and_then(Swap::of).filter(|swap| swap.matrix == self.matrix);
            match swap {
                Some(swap) => {
                    self.row(&swap.p);
                    self.row(&swap.q);
                    list = &list[3..];
                }
                None => {
                    self.stmt(s)?;
                    list = rest;
                }
            }
        }
        Some(())
    }

    fn row(&mut self, at: &Expr) {
        if let Some(at) = self.reader().poly(at) {
            self.rows.push(self.bounds(&at));
        }
    }

    fn expr(&mut self, e: &Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Var(v) => (*v != self.matrix).then_some(()),
            ExprKind::Index(base, column) if e.ty.is_scalar() => match &base.kind {
                ExprKind::Index(table, row) if table.is_var(self.matrix) => {
                    let at = self.reader().poly(column)?;
                    self.columns.push(self.bounds(&at));
                    self.row(row);
                    self.expr(row)?;
                    self.expr(column)
                }
                _ => e.children().into_iter().try_for_each(|e| self.expr(e)),
            },
            _ => e.children().into_iter().try_for_each(|e| self.expr(e)),
        }
    }

    fn reader(&mut self) -> Reader<'_> {
        let counters = self.around.iter().map(|(v, _)| *v).collect();
        Reader { unit: self.unit, counters, written: &self.written, params: &mut self.params, obligations: vec![] }
    }

    fn bounds(&self, at: &Poly) -> Bounds {
        Bounds { least: self.extremes(at, false), most: self.extremes(at, true) }
    }

    /// What a subscript is never above, or never below, without counters.
    fn extremes(&self, at: &Poly, most: bool) -> Vec<Poly> {
        let mut all = vec![at.clone()];
        for (v, bounds) in self.around.iter().rev() {
            all = all.into_iter().flat_map(|p| without(p, *v, bounds, most)).take(MAX_BOUNDS).collect();
        }
        all.retain(|p| p.is_parametric() && p.is_affine());
        all
    }

    fn ends(&self, all: &[Bounds], span: Span) -> Option<Ends> {
        let first = outermost(all.iter().map(|b| &b.least), -1)?;
        let last = outermost(all.iter().map(|b| &b.most), 1)?;
        let end = last.plus(&Poly::constant(1), 1)?;
        Some(Ends { first: self.text(&first, span)?, end: self.text(&end, span)? })
    }

    /// The C expression of a sum.
    fn text(&self, p: &Poly, span: Span) -> Option<Expr> {
        let long = |kind| Expr { kind, ty: Type::Int(IntKind::Long), span };
        let mut sum = long(ExprKind::Int(p.terms.get(&vec![]).copied().unwrap_or(0)));
        for (m, c) in p.terms.iter().filter(|(m, _)| !m.is_empty()) {
            let [Sym::Param(id)] = m.as_slice() else { return None };
            let value = Box::new(long(ExprKind::Cast(Box::new(self.params.get(*id).expr.clone()))));
            let term = long(ExprKind::Binary(BinOp::Mul, Box::new(long(ExprKind::Int(*c))), value));
            sum = long(ExprKind::Binary(BinOp::Add, Box::new(sum), Box::new(term)));
        }
        Some(sum)
    }
}

/// A polynomial with the ends of a counter in its place; nothing where the counter is more than a summand.
fn without(p: Poly, v: VarId, bounds: &Bounds, most: bool) -> Vec<Poly> {
    if !p.uses(v) {
        return vec![p];
    }
    let factor = p.coefficient(v);
    let is_sum = p.plus(&Poly::sym(Sym::Counter(v)), -factor).is_some_and(|rest| !rest.uses(v));
    let ends = if (factor > 0) == most { &bounds.most } else { &bounds.least };
    let put = |end: &Poly| p.with(&BTreeMap::from([(v, end.clone())]));
    if is_sum { ends.iter().filter_map(put).collect() } else { vec![] }
}

/// The bound that holds for all, where one does, and the tightest of these: from above (`side` is 1) or below (-1).
fn outermost<'p>(all: impl Iterator<Item = &'p Vec<Poly>>, side: i64) -> Option<Poly> {
    let all: Vec<&Vec<Poly>> = all.collect();
    let is_beyond = |x: &Poly, y: &Poly| x.plus(y, -1).and_then(|d| d.as_constant()).is_some_and(|d| d * side >= 0);
    let holds = |p: &&Poly| all.iter().all(|bounds| bounds.iter().any(|b| is_beyond(p, b)));
    let candidates: BTreeSet<&Poly> = all.iter().copied().flatten().filter(holds).collect();
    candidates.iter().copied().find(|p| !candidates.iter().any(|q| q != p && is_beyond(p, q))).cloned()
}
