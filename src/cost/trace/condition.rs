//! Conditions: in which lanes they hold, exactly where positions and sizes decide, likely where the data do.

use super::Walker;
use crate::ast::BinOp;
use crate::cost::value::{Form, LANES, Operation, Origin, SAMPLES};
use crate::cost::{Assumption, Sizes};
use crate::kernel::{Expr, UnaryOp};

/// Least likelihood of what no sampled value shows.
const SELDOM: f64 = 1.0 / (LANES * SAMPLES) as f64;

/// Lanes where a condition holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub mask: [u32; SAMPLES],
    /// How likely it is there: below 1 where only the data know.
    pub probability: f64,
    /// Over positions in the block alone.
    pub is_of_threads: bool,
    /// Over counters of loops: it may hold in one iteration alone.
    pub is_of_loops: bool,
    /// Flag: sizes alone decide it.
    pub decided: Option<bool>,
}

impl Condition {
    fn unknown(probability: f64) -> Self {
        Condition { mask: [u32::MAX; SAMPLES], probability, is_of_threads: false, is_of_loops: false, decided: None }
    }

    fn always(holds: bool) -> Self {
        let mask = [if holds { u32::MAX } else { 0 }; SAMPLES];
        Condition { mask, probability: 1.0, is_of_threads: holds, is_of_loops: false, decided: Some(holds) }
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
        let is_of_loops = self.is_of_loops || other.is_of_loops;
        let ends = Some(op != BinOp::And);
        let decided = match (self.decided, other.decided) {
            (x, y) if x == ends || y == ends => ends,
            (x, y) if x == y => x,
            _ => None,
        };
        match op {
            BinOp::And => {
                Condition { mask: both(|a, b| a & b), probability: p * q, is_of_threads, is_of_loops, decided }
            }
            _ if p < 1.0 && q < 1.0 => Condition::unknown(p + q - p * q),
            _ if p < 1.0 || q < 1.0 => Condition::unknown(p.min(q)),
            _ => Condition { mask: both(|a, b| a | b), probability: 1.0, is_of_threads, is_of_loops, decided },
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
            Expr::Var(name) if self.conjunctions.get(name.as_str()).is_some_and(|(_, p)| *p < 1.0) => {
                self.out.assumed.insert(Assumption::Condition);
                Condition::unknown(self.conjunctions[name.as_str()].1)
            }
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
        if symbols.is_data(&difference) {
            let is_known = hi.saturating_sub(lo) <= Sizes::MOST / 2;
            if !is_known || matches!(op, BinOp::Eq | BinOp::Ne) {
                return self.by_data(op);
            }
            let lanes = symbols.lanes(&difference);
            let share = lanes.iter().flatten().filter(|d| holds(**d)).count() as f64 / (LANES * SAMPLES) as f64;
            self.out.assumed.insert(Assumption::Condition);
            return Condition::unknown(share.clamp(SELDOM, 1.0 - SELDOM));
        }
        let is_decided = match op {
            BinOp::Eq | BinOp::Ne => lo > 0 || hi < 0 || lo == hi,
            _ => holds(lo) == holds(hi),
        };
        if is_decided {
            return Condition::always(holds(lo));
        }
        let threads = &self.out.thread_symbols;
        let is_of_threads = symbols.bases(&difference).iter().all(|s| threads.contains(s));
        let is_of_loops = symbols.bases(&difference).iter().any(|s| matches!(symbols.origin(*s), Origin::Loop(_)));
        let lanes = symbols.lanes(&difference);
        let warp = |s: usize| (0..LANES).fold(0u32, |m, lane| m | u32::from(holds(lanes[s][lane])) << lane);
        Condition { mask: std::array::from_fn(warp), probability: 1.0, is_of_threads, is_of_loops, decided: None }
    }

    /// Takes note of how likely a variable still holds behind `var &= value`, in as many iterations as are around.
    pub(super) fn conjoin(&mut self, var: &'k str, op: Option<BinOp>, value: &'k Expr) {
        let Some((depth, before)) = self.conjunctions.remove(var) else { return };
        let is_condition = matches!(value, Expr::Binary(op, ..) if op.is_boolean());
        if op != Some(BinOp::BitAnd) || !is_condition {
            return;
        }
        // Its costs are counted where its value is.
        let (state, work) = (self.state, self.out.work);
        let p = self.condition(value).probability;
        (self.state, self.out.work) = (state, work);
        let trips: f64 = self.scopes[depth.min(self.scopes.len())..].iter().map(|s| mean(&s.trips)).product();
        let likely = (before * p.powf(trips)).clamp(SELDOM, 1.0);
        self.conjunctions.insert(var, (depth, likely));
    }

    /// A variable's value, no more than an array has elements where it is a subscript of it.
    pub(super) fn within(&mut self, var: &str, form: Form) -> Form {
        let array = self.subscripts.get(var).and_then(|name| self.arrays.get(name));
        let elements = array.filter(|a| a.strides.len() == 1).and_then(|a| Some(a.bytes? / a.strides[0].max(1)));
        match elements {
            Some(n) if n > 0 && self.out.symbols.is_data(&form) && self.out.symbols.bounds(&form).1 >= n => {
                self.out.symbols.derived(Operation::Mod, &form, &Form::constant(n))
            }
            _ => form,
        }
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

fn mean(trips: &[f64; SAMPLES]) -> f64 {
    trips.iter().sum::<f64>() / SAMPLES as f64
}
