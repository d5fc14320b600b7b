//! Conditions: in which lanes they hold, exactly where positions and sizes decide, likely where the data do.

use super::Walker;
use crate::ast::BinOp;
use crate::cost::Assumption;
use crate::cost::value::{LANES, SAMPLES};
use crate::kernel::{Expr, UnaryOp};

/// Lanes where a condition holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub mask: [u32; SAMPLES],
    /// How likely it is there: below 1 where only the data know.
    pub probability: f64,
    /// Over positions in the block alone.
    pub is_of_threads: bool,
    /// Whether sizes alone decide it.
    pub decided: Option<bool>,
}

impl Condition {
    fn unknown(probability: f64) -> Self {
        Condition { mask: [u32::MAX; SAMPLES], probability, is_of_threads: false, decided: None }
    }

    fn always(holds: bool) -> Self {
        let mask = [if holds { u32::MAX } else { 0 }; SAMPLES];
        Condition { mask, probability: 1.0, is_of_threads: holds, decided: Some(holds) }
    }

    pub fn negated(self) -> Self {
        if self.probability < 1.0 {
            return Condition::unknown(1.0 - self.probability);
        }
        Condition { mask: self.mask.map(|m| !m), decided: self.decided.map(|holds| !holds), ..self }
    }

    fn joined(self, other: Self, op: BinOp) -> Self {
        let (p, q) = (self.probability, other.probability);
        let both = |f: fn(u32, u32) -> u32| std::array::from_fn(|s| f(self.mask[s], other.mask[s]));
        let is_of_threads = self.is_of_threads && other.is_of_threads;
        let ends = Some(op != BinOp::And);
        let decided = match (self.decided, other.decided) {
            (x, y) if x == ends || y == ends => ends,
            (x, y) if x == y => x,
            _ => None,
        };
        match op {
            BinOp::And => Condition { mask: both(|a, b| a & b), probability: p * q, is_of_threads, decided },
            _ if p < 1.0 && q < 1.0 => Condition::unknown(p + q - p * q),
            _ if p < 1.0 || q < 1.0 => Condition::unknown(p.min(q)),
            _ => Condition { mask: both(|a, b| a | b), probability: 1.0, is_of_threads, decided },
        }
    }
}

impl<'k> Walker<'k> {
    /// Where a condition holds.
    pub(super) fn condition(&mut self, e: &'k Expr) -> Condition {
        match e {
            Expr::Int(n) => Condition::always(*n != 0),
            Expr::Unary(UnaryOp::Not, x) => self.condition(x).negated(),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (x, y) = (self.condition(a), self.condition(b));
                x.joined(y, *op)
            }
            Expr::Binary(op, a, b) if op.is_boolean() => self.comparison(*op, a, b),
            _ => {
                let v = self.value(e);
                match v.form.and_then(|f| f.as_constant()) {
                    Some(n) => Condition::always(n != 0),
                    None => self.by_data(BinOp::Lt),
                }
            }
        }
    }

    fn comparison(&mut self, op: BinOp, a: &'k Expr, b: &'k Expr) -> Condition {
        let (x, y) = (self.value(a), self.value(b));
        let kind = x.kind.max(y.kind);
        let (Some(x), Some(y), false) = (x.form, y.form, kind.is_float()) else {
            self.spend(kind.work(1.0));
            return self.by_data(op);
        };
        let difference = x.plus(&y, -1);
        self.spend_integer(kind.work(1.0), Some(&difference));
        if self.out.symbols.is_data(&difference) {
            return self.by_data(op);
        }
        let holds = |d: i64| match op {
            BinOp::Lt => d < 0,
            BinOp::Le => d <= 0,
            BinOp::Gt => d > 0,
            BinOp::Ge => d >= 0,
            BinOp::Eq => d == 0,
            _ => d != 0,
        };
        let symbols = &mut self.out.symbols;
        let (lo, hi) = symbols.bounds(&difference);
        let is_decided = match op {
            BinOp::Eq | BinOp::Ne => lo > 0 || hi < 0 || lo == hi,
            _ => holds(lo) == holds(hi),
        };
        if is_decided {
            return Condition::always(holds(lo));
        }
        let threads = &self.out.thread_symbols;
        let is_of_threads = symbols.bases(&difference).iter().all(|s| threads.contains(s));
        let lanes = symbols.lanes(&difference);
        let warp = |s: usize| (0..LANES).fold(0u32, |m, lane| m | u32::from(holds(lanes[s][lane])) << lane);
        Condition { mask: std::array::from_fn(warp), probability: 1.0, is_of_threads, decided: None }
    }

    /// A comparison of what only the data know: two values are seldom the same.
    fn by_data(&mut self, op: BinOp) -> Condition {
        self.out.assumed.insert(Assumption::Condition);
        Condition::unknown(match op {
            BinOp::Eq => 0.1,
            BinOp::Ne => 0.9,
            _ => 0.5,
        })
    }

    /// Goes on where a condition holds.
    pub(super) fn restrict(&mut self, c: Condition) {
        for s in 0..SAMPLES {
            self.state.mask[s] &= c.mask[s];
            self.state.weight[s] *= c.probability;
            self.state.reach[s] *= c.probability;
            if self.state.mask[s] == 0 && !c.is_of_threads {
                self.state.reach[s] = 0.0;
            }
        }
    }
}
