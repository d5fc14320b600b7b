//! What integers may hold that the data choose, where the code says it: the place of a pivot is a row that was searched.
//!
//! ```text
//! p = k;                                               k
//! ...
//! if (best > first && at >= k + 1 && at < n) p = at;   k, or one of [k + 1, n)
//! for (j...) { t = a[p][j]; ... }                      an element in column `j`, of one of those rows
//! ```
//! A value is known from where a variable is set, by a statement of its own, to the end of the block or to where it is set
//! otherwise; a condition says it of what stands under it. Such a variable in a subscript is what a counter of the
//! statement's own is: an access reaches whatever it may lead to.

use super::extractor::{Extractor, Ranges};
use super::{Loop, LoopId};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::facts::effects::plainly_assigned;
use crate::facts::symbolic::Poly;
use crate::source::Span;
use std::collections::BTreeMap;

impl Extractor<'_> {
    /// Follows what a statement does to what is known.
    pub(super) fn follow(&mut self, s: &Stmt) {
        let news: Vec<(VarId, Vec<Loop>)> = match &s.kind {
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| self.held(d.var, d.init.as_ref()?)).collect(),
            StmtKind::Expr(e) => plainly_assigned(e).and_then(|(v, value)| self.held(v, value)).into_iter().collect(),
            StmtKind::If { cond, then, other: None } => self.chosen(cond, then),
            StmtKind::For { .. } | StmtKind::While { .. } => self.left_by(s).into_iter().collect(),
            // Its statements were followed one by one.
            StmtKind::Block(_) => return,
            _ => vec![],
        };
        self.ranges = self.all_through(s);
        self.ranges.extend(news);
    }

    /// What is known in all iterations of a loop, and behind it: of a variable that only its counter is put in, that it
    /// holds one of its values, or what it held.
    pub(super) fn through(&self, s: &Stmt, id: LoopId) -> Ranges {
        let counted = &self.loops[id.0];
        let puts = puts(s);
        let mut out = self.ranges.clone();
        out.retain(|v, range| {
            let mut values = puts.iter().filter(|(target, _)| target == v).map(|(_, value)| value).peekable();
            if values.peek().is_some() {
                range.push(Loop { var: *v, directives: vec![], ..counted.clone() });
            }
            values.all(|e| e.is_some_and(|e| e.is_var(counted.var) && e.ty == self.unit.var(*v).ty))
        });
        out
    }

    /// What is known all through a statement, which may be in loops that were seen to put their counters in variables.
    pub(super) fn all_through(&self, s: &Stmt) -> Ranges {
        let puts = puts(s);
        let mut out = self.ranges.clone();
        out.retain(|v, range| {
            let is_one = |e: &Expr| {
                let around = self.stack.iter().map(|l| &self.loops[l.0]).find(|l| e.is_var(l.var));
                let is_in =
                    |l: &Loop| range.iter().any(|r| (&r.first, &r.limits, r.step) == (&l.first, &l.limits, l.step));
                e.ty == self.unit.var(*v).ty && around.is_some_and(is_in)
            };
            puts.iter().filter(|(target, _)| target == v).all(|(_, value)| value.is_some_and(is_one))
        });
        out
    }

    /// What a variable holds that is set to a value.
    fn held(&mut self, v: VarId, value: &Expr) -> Option<(VarId, Vec<Loop>)> {
        if !self.is_plain(v) || value.ty != self.unit.var(v).ty {
            return None;
        }
        if let ExprKind::Var(q) = value.kind
            && let Some(range) = self.ranges.get(&q)
        {
            return Some((v, renamed(range, v)));
        }
        let first = self.bound(value)?;
        let end = first.plus(&Poly::constant(1), 1)?;
        Some((v, vec![range(v, first, vec![end], value.span)]))
    }

    /// `if (q >= low && q < high) v = q;`, or another value that is known.
    fn chosen(&mut self, cond: &Expr, then: &Stmt) -> Vec<(VarId, Vec<Loop>)> {
        let within = self.within(cond);
        let set = puts(then);
        let n_sets = |v: VarId| set.iter().filter(|(target, _)| *target == v).count();
        let mut out: Vec<(VarId, Vec<Loop>)> = vec![];
        for (v, value) in &set {
            let (Some(value), Some(before), 1) = (value, self.ranges.get(v).cloned(), n_sets(*v)) else { continue };
            let bounded = match value.kind {
                ExprKind::Var(q) if value.ty == self.unit.var(*v).ty && n_sets(q) == 0 => within.get(&q),
                _ => None,
            };
            let is_kept = !set.iter().any(|(target, _)| value.mentions(*target));
            let now = match bounded {
                Some(range) => Some(renamed(range, *v)),
                None => self.held(*v, value).filter(|_| is_kept).map(|(_, range)| range),
            };
            out.extend(now.map(|now| (*v, before.into_iter().chain(now).collect())));
        }
        out
    }

    /// What holds of variables where a condition does.
    pub(super) fn within(&mut self, cond: &Expr) -> Ranges {
        if let ExprKind::Binary(BinOp::Ne, a, b) = &cond.kind {
            return self.without(a, b).into_iter().collect();
        }
        let mut bounds: BTreeMap<VarId, (Vec<Poly>, Vec<Poly>)> = BTreeMap::new();
        self.bounds(cond, &mut bounds);
        let one = |(v, (lows, limits)): (VarId, (Vec<Poly>, Vec<Poly>))| {
            let [first] = <[Poly; 1]>::try_from(lows).ok()?;
            (!limits.is_empty()).then(|| (v, vec![range(v, first, limits, cond.span)]))
        };
        bounds.into_iter().filter_map(one).collect()
    }

    /// What a variable holds that is not one of the values that it is known to hold.
    fn without(&mut self, a: &Expr, b: &Expr) -> Option<(VarId, Vec<Loop>)> {
        let ExprKind::Var(v) = a.kind else { return None };
        let mut range = self.ranges.get(&v)?.clone();
        let not = self.bound(b).filter(|_| a.ty == b.ty)?;
        let end = not.plus(&Poly::constant(1), 1)?;
        range.retain(|l| l.first != not || l.limits != [end.clone()] || l.step != 1);
        (!range.is_empty()).then_some((v, range))
    }

    /// Lowest values and ends of variables from comparisons joined by `&&`.
    fn bounds(&mut self, cond: &Expr, out: &mut BTreeMap<VarId, (Vec<Poly>, Vec<Poly>)>) {
        let ExprKind::Binary(op, a, b) = &cond.kind else { return };
        if *op == BinOp::And {
            self.bounds(a, out);
            return self.bounds(b, out);
        }
        let (ExprKind::Var(v), Some(bound)) = (&a.kind, self.bound(b)) else { return };
        let is_unsigned = |e: &Expr| matches!(e.ty, Type::Int(k) if k.is_unsigned() && k.bits() >= 32);
        let is_compared = is_unsigned(a) == is_unsigned(b) || bound.as_constant().is_some_and(|c| c >= 0);
        if !is_compared || !self.is_plain(*v) {
            return;
        }
        let after = |p: &Poly| p.plus(&Poly::constant(1), 1);
        let (lows, limits) = out.entry(*v).or_default();
        match op {
            BinOp::Ge => lows.push(bound),
            BinOp::Gt => lows.extend(after(&bound)),
            BinOp::Lt => limits.push(bound),
            BinOp::Le => limits.extend(after(&bound)),
            _ => {}
        }
    }

    /// An affine expression of counters and sizes, whatever these are.
    fn bound(&mut self, e: &Expr) -> Option<Poly> {
        let mut reader = self.reader();
        let bound = reader.poly(e)?;
        let holds = |p: &Poly| p.as_constant().is_some_and(|c| c >= 0);
        (reader.obligations.iter().all(holds) && bound.is_affine()).then_some(bound)
    }

    /// Test that it is an integer that the part sets, but no counter here.
    pub(super) fn is_plain(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        matches!(var.ty, Type::Int(kind) if kind.bits() >= 32)
            && !var.is_volatile
            && self.written.contains(&v)
            && self.stack.iter().all(|l| self.loops[l.0].var != v)
    }
}

fn range(var: VarId, first: Poly, limits: Vec<Poly>, span: Span) -> Loop {
    Loop { var, first, limits, step: 1, directives: vec![], span }
}

/// What a statement sets, and the value of a variable that is set as a whole.
fn puts(s: &Stmt) -> Vec<(VarId, Option<&Expr>)> {
    let mut out = vec![];
    s.walk(&mut |piece| match piece {
        Piece::Expr(e) => match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => {
                out.extend(target.root().map(|v| (v, plainly_assigned(e).map(|(_, value)| value))));
            }
            _ => {}
        },
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => out.extend(ds.iter().map(|d| (d.var, d.init.as_ref()))),
        Piece::Stmt(_) => {}
    });
    out
}

/// The range of another variable.
fn renamed(range: &[Loop], var: VarId) -> Vec<Loop> {
    range.iter().map(|l| Loop { var, ..l.clone() }).collect()
}
