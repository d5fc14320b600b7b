//! How large the positions of a kernel become: what must fit in 32 bits before a call may compute them so.
//!
//! A position is a sum of products of counters and sizes, and counters lie between bounds that are such sums too. So for
//! each integer that a kernel computes as a position, on the way to a subscript, a bound or a comparison, this finds a sum
//! of products of the kernel's scalars that neither it nor its negative exceeds, where no scalar is negative; and one sum
//! that none of these exceeds, which a call can evaluate:
//! ```text
//! for i in 1 + (g0 * 8 + t0) .. n - 1 step n0 * 8        i at most n, and at most 2 n + 7 where the loop ends
//!   a[i + 1, j]   of extents (n, m)                      (i + 1) * m + j at most n * m + 2 * m
//! ```
//! Intervals are kept as two such sums, what a number is at most and what its negative is at most. Within a loop and
//! under a condition, counters are held to the bounds that are tested there.

use super::types::Types;
use super::{Access, ArrayParam, Expr, Kernel, ScalarType, Stmt, StmtKind, UnaryOp, walk};
use crate::ast::{BinOp, IntKind};
use std::collections::BTreeMap;

mod sum;
#[cfg(test)]
mod tests;

pub use sum::Sum;

/// Products of a sum beyond which nobody could read it.
const MOST_TERMS: usize = 12;

/// Knowledge of an integer.
#[derive(Debug, Clone, PartialEq)]
enum Range {
    /// It is at most `above`, and its negative at most `below`.
    Between {
        below: Sum,
        above: Sum,
    },
    /// 32 bits hold it, and nothing that is computed from it is known to fit.
    Int,
    Unknown,
}

impl Range {
    fn number(value: i64) -> Self {
        let (below, above) = if value < 0 { (-(value as f64), 0.0) } else { (0.0, value as f64) };
        Range::Between { below: Sum::constant(below), above: Sum::constant(above) }
    }

    fn up_to(above: Sum) -> Self {
        Range::Between { below: Sum::default(), above }
    }

    /// Range of a C type in 32 bits.
    fn of(ty: Option<ScalarType>) -> Self {
        use IntKind::*;
        match ty {
            Some(ScalarType::Int(Bool | Char | SChar | UChar | Short | UShort | Int)) => Range::Int,
            _ => Range::Unknown,
        }
    }
}

/// Sum that no position of a kernel exceeds, if 32 bits suffice for them where the scalars of a call are small: no
/// scalar is negative, and 32 bits hold the sum. `None`: nothing is known of some position, or all are of 32 bits already.
pub fn most(kernel: &Kernel) -> Option<Sum> {
    if kernel.index_bits != 64 || kernel.resident.is_some() {
        return None;
    }
    let is_known = kernel.arrays.iter().all(|a| a.ty != ScalarType::Index);
    let mut positions = Positions { kernel, types: Types::of(kernel), most: Sum::default(), is_known };
    for p in kernel.scalars.iter().filter(|p| p.ty == ScalarType::Index) {
        positions.note(&Range::up_to(Sum::of(&p.name)));
    }
    for e in kernel.grid.iter().chain(&kernel.block) {
        positions.range(e, &BTreeMap::new());
    }
    positions.body(&kernel.body, &BTreeMap::new());
    let Positions { most, is_known, .. } = positions;
    let is_small = most.products().iter().all(|(c, _)| i32::try_from(*c).is_ok());
    (is_known && is_small && most.n_terms() <= MOST_TERMS).then_some(most)
}

/// Variables of the kernel's own.
type Ranges = BTreeMap<String, Known>;

/// Knowledge of a variable.
#[derive(Debug, Clone)]
struct Known {
    range: Range,
    /// It is less than that, as a test says.
    limit: Option<Expr>,
}

impl From<Range> for Known {
    fn from(range: Range) -> Self {
        Known { range, limit: None }
    }
}

/// Factors of a product.
fn factors(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Binary(BinOp::Mul, a, b) => [factors(a), factors(b)].concat(),
        // What of it is negative stands for nothing at all.
        Expr::Max(a, b) if **b == Expr::Int(0) => factors(a),
        e => vec![e],
    }
}

/// `x` of `x * y` and `y`.
fn without_factors<'e>(product: &'e Expr, divisor: &Expr) -> Option<Vec<&'e Expr>> {
    let mut left = factors(product);
    for factor in factors(divisor) {
        let at = left.iter().position(|x| *x == factor)?;
        left.remove(at);
    }
    Some(left)
}

struct Positions<'a> {
    kernel: &'a Kernel,
    types: Types,
    most: Sum,
    is_known: bool,
}

impl Positions<'_> {
    /// Takes in an integer that is computed.
    fn note(&mut self, range: &Range) {
        match range {
            Range::Between { below, above } => self.most = self.most.max(below).max(above),
            Range::Int => {}
            Range::Unknown => self.is_known = false,
        }
    }

    fn body(&mut self, body: &[Stmt], outer: &Ranges) {
        let mut ranges = outer.clone();
        for (k, s) in body.iter().enumerate() {
            let before = k.checked_sub(1).map(|k| &body[k].kind);
            match (before, &s.kind) {
                (Some(StmtKind::Let { var, init: Some(lo), .. }), StmtKind::While { cond, step, body }) => {
                    self.counting((var, lo), (cond, step, body), &ranges);
                }
                _ => self.statement(s, &mut ranges),
            }
        }
    }

    fn statement(&mut self, s: &Stmt, ranges: &mut Ranges) {
        match &s.kind {
            StmtKind::Let { var, ty, init } => {
                let range = match init {
                    Some(init) if *ty == ScalarType::Index => self.range(init, ranges),
                    Some(init) => {
                        self.value(init, ranges);
                        Range::of(Some(*ty))
                    }
                    None => Range::of(Some(*ty)),
                };
                if *ty == ScalarType::Index {
                    self.note(&range);
                }
                ranges.insert(var.clone(), range.into());
            }
            StmtKind::LocalArray { ty, .. } | StmtKind::OnChip { ty, .. } | StmtKind::Shared { ty, .. } => {
                self.is_known &= *ty != ScalarType::Index;
            }
            // A position that changes may grow.
            StmtKind::Assign { var, value, .. } => {
                self.is_known &= self.types.get(var) != Some(ScalarType::Index);
                self.value(value, ranges);
            }
            StmtKind::Begin { var, .. } => {
                ranges.insert(var.clone(), self.size(self.kernel.grid.first()).into());
            }
            StmtKind::Join { .. } | StmtKind::WarpScan { .. } | StmtKind::ScanBlocks { .. } => {
                let is_index = |var: &&str| self.types.get(var) == Some(ScalarType::Index);
                self.is_known &= !s.assigns().iter().any(is_index);
                s.exprs().into_iter().for_each(|e| self.value(e, ranges));
            }
            StmtKind::Store { target, value, .. } | StmtKind::Atomic { target, value, .. } => {
                self.element(target, ranges);
                self.value(value, ranges);
            }
            StmtKind::BlockReduce { ty, target, value, .. } => {
                self.is_known &= *ty != ScalarType::Index;
                self.element(target, ranges);
                self.value(value, ranges);
            }
            StmtKind::LoadVector { source: access, .. } | StmtKind::StoreVector { target: access, .. } => {
                self.element(access, ranges);
            }
            StmtKind::CopyAsync { target, source, .. } => {
                self.element(target, ranges);
                self.element(source, ranges);
            }
            StmtKind::Mma { c, a, b, .. } => {
                c.iter().for_each(|x| self.element(x, ranges));
                a.iter().chain(b).for_each(|e| self.value(e, ranges));
            }
            StmtKind::If { cond, then, other } => {
                self.condition(cond, ranges);
                let mut inside = ranges.clone();
                self.tested(cond, ranges, &mut inside);
                self.body(then, &inside);
                self.body(other, ranges);
            }
            StmtKind::For { var, lo, hi, step, body, .. } => self.counted((var, body), (lo, hi, step), ranges),
            StmtKind::While { cond, step, body } => {
                self.condition(cond, ranges);
                self.body(body, ranges);
                self.body(step, ranges);
            }
            StmtKind::Return(Some(value)) => self.value(value, ranges),
            // Of resident kernels only.
            StmtKind::Phase { .. } => self.is_known = false,
            StmtKind::CommitCopies
            | StmtKind::WaitCopies { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Barrier
            | StmtKind::GridBarrier
            | StmtKind::GridWait { .. }
            | StmtKind::Return(None) => {}
        }
    }

    /// A loop: its counter ends at most a step behind the last value that the body sees.
    fn counted(&mut self, (var, body): (&str, &[Stmt]), (lo, hi, step): (&Expr, &Expr, &Expr), ranges: &Ranges) {
        let [from, to, by] = [lo, hi, step].map(|e| self.range(e, ranges));
        let range = match (from, to, by) {
            (Range::Between { below, .. }, Range::Between { above, .. }, Range::Between { above: by, .. }) => {
                if *step != Expr::Int(1) {
                    self.note(&Range::up_to(above.plus(&by)));
                }
                Range::Between { below, above }
            }
            (Range::Unknown, _, _) | (_, Range::Unknown, _) => Range::Unknown,
            _ if *step == Expr::Int(1) => Range::Int,
            _ => Range::Unknown,
        };
        self.note(&range);
        let mut inside = ranges.clone();
        inside.insert(var.to_string(), Known { range, limit: Some(hi.clone()) });
        self.body(body, &inside);
    }

    /// A loop in C's own order, behind a declaration: of its counter, if it counts up to a bound.
    fn counting(&mut self, (var, lo): (&str, &Expr), (cond, step, body): (&Expr, &[Stmt], &[Stmt]), ranges: &Ranges) {
        self.condition(cond, ranges);
        let mut inside = ranges.clone();
        if let Expr::Binary(op @ (BinOp::Lt | BinOp::Le), a, hi) = cond
            && **a == Expr::Var(var.to_string())
            && let [Stmt { kind: StmtKind::Assign { var: moved, op: Some(BinOp::Add), value: Expr::Int(1..) }, .. }] =
                step
            && moved == var
            && walk::all(body, &|s| !s.assigns().contains(&var))
            && let [Range::Between { below, .. }, Range::Between { above, .. }] =
                self.ranges_of_values([lo, hi], ranges)
        {
            let limit = (*op == BinOp::Lt).then(|| (**hi).clone());
            inside.insert(var.to_string(), Known { range: Range::Between { below, above }, limit });
        }
        self.body(body, &inside);
        self.body(step, ranges);
    }

    /// Ranges of numbers that are computed in their C types.
    fn ranges_of_values(&mut self, values: [&Expr; 2], ranges: &Ranges) -> [Range; 2] {
        let known = (self.most.clone(), self.is_known);
        let found = values.map(|e| self.range(e, ranges));
        (self.most, self.is_known) = known;
        found
    }

    /// Holds variables to what a condition that is true says of them.
    fn tested(&mut self, cond: &Expr, ranges: &Ranges, inside: &mut Ranges) {
        use BinOp::{And, Ge, Gt, Le, Lt};
        match cond {
            Expr::Binary(And, a, b) => {
                self.tested(a, ranges, inside);
                self.tested(b, ranges, inside);
            }
            Expr::Binary(op @ (Lt | Le | Gt | Ge), a, b) if self.is_of_numbers(cond) => {
                let (small, large) = if matches!(op, Lt | Le) { (a, b) } else { (b, a) };
                let bounds = [small, large].map(|e| self.range(e, ranges));
                if let (Expr::Var(name), Range::Between { above: most, .. }) = (&**small, &bounds[1])
                    && let Some(Known { range: Range::Between { above, .. }, limit }) = inside.get_mut(name)
                {
                    above.clone_from(most);
                    *limit = matches!(op, Lt | Gt).then(|| (**large).clone());
                }
                if let (Expr::Var(name), Range::Between { below: limit, .. }) = (&**large, &bounds[0])
                    && let Some(Known { range: Range::Between { below, .. }, .. }) = inside.get_mut(name)
                {
                    below.clone_from(limit);
                }
            }
            _ => {}
        }
    }

    /// A condition: comparisons of numbers are made between positions.
    fn condition(&mut self, e: &Expr, ranges: &Ranges) {
        match e {
            Expr::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.condition(a, ranges);
                self.condition(b, ranges);
            }
            Expr::Unary(UnaryOp::Not, a) => self.condition(a, ranges),
            Expr::Binary(_, a, b) if self.is_of_numbers(e) => {
                for side in [a, b] {
                    let range = self.range(side, ranges);
                    self.note(&range);
                }
            }
            e => self.value(e, ranges),
        }
    }

    /// Test that the operands of a comparison are made of integers alone, which are no elements: what is emitted compares
    /// positions then, if one counts.
    fn is_of_numbers(&self, e: &Expr) -> bool {
        let Expr::Binary(BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne, a, b) = e else {
            return false;
        };
        self.is_number(a) && self.is_number(b)
    }

    fn is_number(&self, e: &Expr) -> bool {
        use BinOp::{Add, Div, Mul, Rem, Sub};
        match e {
            Expr::Int(_) | Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_) => true,
            Expr::Var(name) => !matches!(self.types.get(name), Some(ScalarType::Float(_))),
            Expr::Binary(Add | Sub | Mul | Div | Rem, a, b)
            | Expr::Min(a, b)
            | Expr::Max(a, b)
            | Expr::FloorDiv(a, b)
            | Expr::CeilDiv(a, b)
            | Expr::Mod(a, b) => self.is_number(a) && self.is_number(b),
            Expr::Unary(UnaryOp::Neg, a) => self.is_number(a),
            _ => false,
        }
    }

    /// A value of the user's: what is computed in it is of its C types, but for the subscripts of what it loads.
    fn value(&mut self, e: &Expr, ranges: &Ranges) {
        match e {
            Expr::Load(access) | Expr::Aligned { access, .. } => self.element(access, ranges),
            Expr::Cond(c, a, b) => {
                self.condition(c, ranges);
                self.value(a, ranges);
                self.value(b, ranges);
            }
            e => e.children().into_iter().for_each(|child| self.value(child, ranges)),
        }
    }

    /// An element's place, as the sum that [`crate::kernel::Access`] means in a row-major array.
    fn element(&mut self, access: &Access, ranges: &Ranges) {
        let subscripts: Vec<Range> = access.index.iter().map(|e| self.range(e, ranges)).collect();
        subscripts.iter().for_each(|r| self.note(r));
        let Some(ArrayParam { extents, .. }) = self.kernel.arrays.iter().find(|a| a.name == access.array) else {
            return;
        };
        let inner: Vec<Range> = extents.iter().skip(1).map(|e| self.range(e, ranges)).collect();
        let mut subscripts = subscripts.into_iter();
        let Some(mut at) = subscripts.next() else { return };
        for (subscript, extent) in subscripts.zip(inner) {
            at = self.product(at, extent);
            at = self.sum(at, subscript);
        }
    }

    fn sum(&mut self, a: Range, b: Range) -> Range {
        self.combined(a, b, |below_a, a, below_b, b| (below_a.plus(below_b), a.plus(b)))
    }

    fn product(&mut self, a: Range, b: Range) -> Range {
        self.combined(a, b, |below_a, a, below_b, b| {
            (below_a.times(b).plus(&a.times(below_b)), a.times(b).plus(&below_a.times(below_b)))
        })
    }

    /// Range of an operation on two integers, of each of which both sums are known.
    fn combined(&mut self, a: Range, b: Range, f: impl Fn(&Sum, &Sum, &Sum, &Sum) -> (Sum, Sum)) -> Range {
        let range = match (a, b) {
            (Range::Between { below: below_a, above: a }, Range::Between { below: below_b, above: b }) => {
                let (below, above) = f(&below_a, &a, &below_b, &b);
                let is_short = below.n_terms() <= 4 * MOST_TERMS && above.n_terms() <= 4 * MOST_TERMS;
                if is_short { Range::Between { below, above } } else { Range::Unknown }
            }
            _ => Range::Unknown,
        };
        self.note(&range);
        range
    }

    /// Range of a position; those of its operands are noted.
    fn range(&mut self, e: &Expr, ranges: &Ranges) -> Range {
        let kernel = self.kernel;
        match e {
            Expr::Int(v) => Range::number(*v),
            Expr::Var(name) => {
                let range = self.variable(name, ranges);
                if range != Range::Unknown {
                    self.note(&range);
                }
                range
            }
            Expr::BlockIdx(d) | Expr::GridSize(d) => self.size(kernel.grid.get(*d)),
            Expr::ThreadIdx(d) => self.size(kernel.block.get(*d)),
            Expr::GoesOn => Range::number(1),
            Expr::Load(access) => {
                self.element(access, ranges);
                Range::of(self.types.get(&access.array))
            }
            Expr::Aligned { access, .. } => {
                self.element(access, ranges);
                Range::number(1)
            }
            Expr::Unary(UnaryOp::Neg, a) => {
                let a = self.range(a, ranges);
                self.combined(a, Range::number(0), |below, above, _, _| (above.clone(), below.clone()))
            }
            Expr::Unary(UnaryOp::Not, _) | Expr::Binary(BinOp::And | BinOp::Or, ..) => {
                self.condition(e, ranges);
                Range::number(1)
            }
            Expr::Binary(op, a, b) => self.arithmetic(*op, e, (a, b), ranges),
            Expr::Min(a, b) => self.either(a, b, ranges, |x, y, a, b| (x.max(y), a.lesser(b))),
            Expr::Max(a, b) => self.either(a, b, ranges, |x, y, a, b| (x.lesser(y), a.max(b))),
            Expr::FloorDiv(a, b) | Expr::CeilDiv(a, b) => self.quotient(a, b, ranges),
            Expr::Mod(a, b) => {
                self.quotient(a, b, ranges);
                let divisor = self.constant(b).filter(|d| *d > 0);
                let [a, b] = [a, b].map(|e| self.range(e, ranges));
                match divisor {
                    Some(d) => Range::number(d - 1),
                    None => self.combined(a, b, |_, _, below, above| (below.clone(), above.clone())),
                }
            }
            Expr::Cond(c, a, b) => {
                self.condition(c, ranges);
                self.either(a, b, ranges, |x, y, a, b| (x.max(y), a.max(b)))
            }
            Expr::Cast(ScalarType::Index, a) if matches!(**a, Expr::Var(_) | Expr::Load(_)) => {
                let range = self.range(a, ranges);
                self.note(&range);
                range
            }
            Expr::Cast(ty, a) => {
                self.value(a, ranges);
                Range::of(Some(*ty))
            }
            Expr::Float(_) | Expr::Unary(UnaryOp::BitNot, _) | Expr::Call(..) => {
                self.value(e, ranges);
                Range::Unknown
            }
        }
    }

    fn variable(&self, name: &str, ranges: &Ranges) -> Range {
        if let Some(known) = ranges.get(name) {
            return known.range.clone();
        }
        if let Some(t) = self.kernel.tunables.iter().find(|t| t.name == name) {
            return Range::number(t.value);
        }
        match self.kernel.scalars.iter().find(|p| p.name == name) {
            Some(p) if !matches!(p.ty, ScalarType::Float(_)) => Range::up_to(Sum::of(name)),
            _ => Range::Unknown,
        }
    }

    /// An extent of the grid or of a block, or a place in it.
    fn size(&mut self, extent: Option<&Expr>) -> Range {
        match extent.map(|e| self.range(e, &BTreeMap::new())) {
            Some(Range::Between { above, .. }) => Range::up_to(above),
            _ => Range::Unknown,
        }
    }

    fn arithmetic(&mut self, op: BinOp, e: &Expr, (a, b): (&Expr, &Expr), ranges: &Ranges) -> Range {
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem => {}
            BinOp::Lt | BinOp::Gt | BinOp::Le | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                [a, b].into_iter().for_each(|e| drop(self.range(e, ranges)));
                return Range::number(1);
            }
            _ => {
                self.value(e, ranges);
                return Range::Unknown;
            }
        }
        if op == BinOp::Div {
            return self.quotient(a, b, ranges);
        }
        let divisor = self.constant(b);
        let [a, b] = [a, b].map(|e| self.range(e, ranges));
        match op {
            BinOp::Add => self.sum(a, b),
            BinOp::Sub => self.combined(a, b, |below_a, a, below_b, b| (below_a.plus(b), a.plus(below_b))),
            BinOp::Mul => self.product(a, b),
            _ => self.combined(a, b, |below, above, _, _| {
                // Of a known divisor no rest is as large; it has the dividend's sign.
                let rest = |dividend: &Sum| match divisor {
                    Some(d) if *dividend != Sum::default() => Sum::constant(d.unsigned_abs().saturating_sub(1) as f64),
                    _ => dividend.clone(),
                };
                (rest(below), rest(above))
            }),
        }
    }

    /// A quotient, however it is rounded; what it is tested by is as large as the dividend and a divisor.
    fn quotient(&mut self, a: &Expr, b: &Expr, ranges: &Ranges) -> Range {
        let divisor = self.constant(b).filter(|d| *d > 0).map(|d| d as f64);
        let most = self.limited(a, b, ranges);
        let [a, b] = [a, b].map(|e| self.range(e, ranges));
        self.combined(a.clone(), b, |below_a, a, below_b, b| {
            let tested = below_a.plus(a).plus(below_b).plus(b);
            (tested.clone(), tested)
        });
        if let Some(above) = most {
            return Range::up_to(above);
        }
        self.combined(a, Range::number(0), |below, above, _, _| match divisor {
            Some(d) => {
                let rest = Sum::constant((d - 1.0) / d);
                (below.over(d).plus(&rest), above.over(d).plus(&rest))
            }
            None => {
                let all = below.plus(above);
                (all.clone(), all)
            }
        })
    }

    /// What a quotient is at most whose dividend is not negative and less than a multiple of the divisor: `at / m`, where
    /// `at < n * m`.
    fn limited(&mut self, a: &Expr, b: &Expr, ranges: &Ranges) -> Option<Sum> {
        let Expr::Var(name) = a else { return None };
        let Known { range: Range::Between { below, .. }, limit: Some(limit) } = ranges.get(name)? else { return None };
        let left = without_factors(limit, b).filter(|_| *below == Sum::default())?;
        left.into_iter().try_fold(Sum::constant(1.0), |all, x| match self.range(x, ranges) {
            Range::Between { above, .. } => Some(all.times(&above)),
            _ => None,
        })
    }

    /// A number, or a tunable's.
    fn constant(&self, e: &Expr) -> Option<i64> {
        match e {
            Expr::Int(v) => Some(*v),
            Expr::Var(name) => self.kernel.tunables.iter().find(|t| t.name == *name).map(|t| t.value),
            Expr::Binary(BinOp::Mul, a, b) => self.constant(a)?.checked_mul(self.constant(b)?),
            Expr::Binary(BinOp::Div, a, b) => self.constant(a)?.checked_div(self.constant(b)?),
            _ => None,
        }
    }

    /// One of two integers.
    fn either(
        &mut self,
        a: &Expr,
        b: &Expr,
        ranges: &Ranges,
        f: impl Fn(&Sum, &Sum, &Sum, &Sum) -> (Sum, Sum),
    ) -> Range {
        match [a, b].map(|e| self.range(e, ranges)) {
            [Range::Between { below: x, above: a }, Range::Between { below: y, above: b }] => {
                let (below, above) = f(&x, &y, &a, &b);
                Range::Between { below, above }
            }
            [Range::Unknown, _] | [_, Range::Unknown] => Range::Unknown,
            _ => Range::Int,
        }
    }
}
