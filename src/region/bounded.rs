//! Loops of a statement's own that the data end, where a limit that they test beside that holds their counter all the same.
//!
//! ```text
//! for (j = 0; j < m && y[i * m + j] > 0; j++) ...                  j from 0, below m
//! k = j - 1;
//! while (k >= 0 && x[i * m + k] > v) { ...; k--; }                 k from j - 1 down to 0
//! x[i * m + k + 1] = v;                                            k from j - 1 down to -1
//! for (s = 1; s < m; s *= 2) ...                                   s from 1, below m
//! ```
//! A counter that only the step of its loop moves is, in the body, between its first value and the limits that the condition
//! tests; behind a loop that moves it by one it is the first value, or has come to the limit at most.

use super::Loop;
use super::extractor::Extractor;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::facts::effects;
use crate::facts::header::{first_value, limits_of, step_by, step_of};
use crate::facts::symbolic::{Poly, Reader};
use crate::source::Span;

/// The range of a counter.
#[derive(Clone)]
pub(super) struct Bounded {
    /// In the body of its loop.
    pub inside: Loop,
    /// Behind the limits that the condition tests first, in what it tests after them.
    pub tested: Option<Loop>,
    /// Polynomials that must not be negative for the counter to move away from its first value.
    pub owed: Vec<Poly>,
    /// Flag: it moves by one.
    pub is_by_one: bool,
}

/// A loop as far as it is looked at here.
struct Walk<'a> {
    var: VarId,
    first: Poly,
    cond: &'a Expr,
    step: &'a Expr,
    span: Span,
}

impl Extractor<'_> {
    /// The range of the counter of a `for`, or of a `while` whose counter is known before it. `around`: counters of other loops
    /// of the statement's own.
    pub(super) fn bounded(&mut self, s: &Stmt, around: &[VarId]) -> Option<Bounded> {
        match &s.kind {
            StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } => {
                let (var, first) = first_value(init)?;
                let first = self.around(around).poly(first)?;
                let is_moved = effects::assigned([&**body]).contains(&var);
                let walk = Walk { var, first, cond, step, span: s.span };
                (!is_moved).then(|| self.walk(&walk, around)).flatten()
            }
            StmtKind::While { cond, body } => {
                let StmtKind::Block(list) = &body.kind else { return None };
                let (Stmt { kind: StmtKind::Expr(step), .. }, others) = list.split_last()? else { return None };
                let var = effects::assigned_by(step)?;
                let [Loop { first, limits, step: 1, .. }] = self.ranges.get(&var)?.as_slice() else { return None };
                let is_one = limits.as_slice() == [first.plus(&Poly::constant(1), 1)?];
                let is_moved = effects::assigned(others).contains(&var) || body.exits().continues;
                let walk = Walk { var, first: first.clone(), cond, step, span: s.span };
                (is_one && !is_moved).then(|| self.walk(&walk, around)).flatten()
            }
            _ => None,
        }
    }

    fn around(&mut self, around: &[VarId]) -> Reader<'_> {
        let mut reader = self.reader();
        reader.counters.extend(around);
        reader
    }

    fn walk(&mut self, walk: &Walk, around: &[VarId]) -> Option<Bounded> {
        let var = self.unit.var(walk.var);
        let is_signed = matches!(var.ty, Type::Int(kind) if kind.bits() >= 32 && !kind.is_unsigned());
        let mut reader = self.around(around);
        if !is_signed || var.is_volatile || !walk.first.is_affine() || reader.counters.contains(&walk.var) {
            return None;
        }
        let (sign, mut owed) = direction(walk, &mut reader)?;
        let mut operands = vec![];
        conjuncts(walk.cond, &mut operands);
        let (mut limits, mut n_tested, mut is_first) = (vec![], 0, true);
        for e in operands {
            let n_obligations = reader.obligations.len();
            let mut found = vec![];
            // Of a step by one `!=` would be a limit, too, which holds nothing where the data end the loop.
            let is_limit = limits_of(e, (walk.var, &walk.first), 2 * sign, &mut reader, &mut found).is_ok()
                && found.iter().all(|p| p.is_affine() && !p.uses(walk.var));
            reader.obligations.truncate(if is_limit { reader.obligations.len() } else { n_obligations });
            is_first &= is_limit;
            limits.extend(if is_limit { found } else { vec![] });
            n_tested = if is_first { limits.len() } else { n_tested };
        }
        owed.append(&mut reader.obligations);
        let of = |limits: &[Poly]| {
            let (var, first, limits) = (walk.var, walk.first.clone(), limits.to_vec());
            (!limits.is_empty()).then(|| Loop { var, first, limits, step: sign, directives: vec![], span: walk.span })
        };
        let tested = of(&limits[..n_tested]);
        Some(Bounded { inside: of(&limits)?, tested, owed, is_by_one: step_of(walk.step, walk.var) == Some(sign) })
    }

    /// Values that the counter of a loop may hold behind it.
    pub(super) fn left_by(&mut self, s: &Stmt) -> Option<(VarId, Vec<Loop>)> {
        let Bounded { inside, owed, is_by_one, .. } = self.bounded(s, &[])?;
        let after = |p: &Poly| p.plus(&Poly::constant(1), 1);
        let Loop { var, first, limits, step, .. } = &inside;
        let limit = limits.first().filter(|_| is_by_one && owed.is_empty())?;
        let (low, high) = if *step > 0 { (first, limit) } else { (limit, first) };
        let range = |first: &Poly, last: &Poly| {
            Some(Loop { first: first.clone(), limits: vec![after(last)?], step: 1, ..inside.clone() })
        };
        self.is_plain(*var).then_some((*var, vec![range(first, first)?, range(low, high)?]))
    }
}

/// Sign of what a step does to its counter, and what must not be negative for that.
fn direction(walk: &Walk, reader: &mut Reader) -> Option<(i64, Vec<Poly>)> {
    if let Some(step) = step_of(walk.step, walk.var) {
        return Some((step.signum(), vec![]));
    }
    if let Some((op, by)) = step_by(walk.step, walk.var) {
        let by = reader.poly(by)?;
        return Some((if op == BinOp::Add { 1 } else { -1 }, vec![by]));
    }
    let ExprKind::Assign { op, target, value } = &walk.step.kind else { return None };
    let (op, by) = match (op, &value.kind) {
        (Some(op), _) => (*op, &**value),
        (None, ExprKind::Binary(op, a, b)) if a.is_var(walk.var) => (*op, &**b),
        _ => return None,
    };
    let by = reader.poly(by)?.as_constant().filter(|_| target.is_var(walk.var))?;
    // Nothing below zero is moved.
    match op {
        BinOp::Mul if by >= 1 => Some((1, vec![walk.first.clone()])),
        BinOp::Shl if by >= 0 => Some((1, vec![walk.first.clone()])),
        BinOp::Div if by >= 1 => Some((-1, vec![walk.first.clone()])),
        BinOp::Shr if by >= 0 => Some((-1, vec![walk.first.clone()])),
        _ => None,
    }
}

/// The operands of `&&`, in order.
pub(super) fn conjuncts<'a>(e: &'a Expr, out: &mut Vec<&'a Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::And, a, b) => {
            conjuncts(a, out);
            conjuncts(b, out);
        }
        _ => out.push(e),
    }
}
