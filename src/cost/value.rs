//! Integers of a kernel as linear forms over what differs between threads, blocks and iterations, and as the values that
//! some sampled warps have for them.
//!
//! A form says how far an access reaches (ranges, footprints); the values of the lanes say exactly what one warp touches,
//! whatever operations lead there. With sizes known all coefficients are numbers:
//! ```text
//! a[i, k], i = g0 * 8 + t0, k = t1 + 32 * round, n = 1000     8000 g0 + 1000 t0 + t1 + 32 round
//! cell % 16, cell = t0 * 16 + t1 + 128 * round                a symbol of its own, 0 to 15, over t0, t1, round
//! ```

use std::collections::BTreeSet;

/// Warps that are followed through a kernel.
pub const SAMPLES: usize = 32;
/// Threads in a warp.
pub const LANES: usize = crate::target::WARP as usize;

/// One more than the greatest value of an integer of which nothing is known.
const UNKNOWN: i64 = 1 << 40;

/// How many values a position or counter takes; 1 where it stands still.
pub type Extent<'a> = &'a dyn Fn(Symbol) -> i64;

/// A value for each lane of each sampled warp.
pub type Lanes = [[i64; LANES]; SAMPLES];

/// Number that differs between threads, blocks or iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Symbol(pub usize);

/// `constant + sum of coefficient * symbol`, terms by symbol, none of them zero.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Form {
    pub constant: i64,
    pub terms: Vec<(Symbol, i64)>,
}

/// Operations that leave linear forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Mul,
    /// C's division and remainder, towards zero.
    Div,
    Rem,
    FloorDiv,
    CeilDiv,
    Mod,
    Min,
    Max,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
}

/// Where a symbol comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    Thread,
    Block,
    /// Iterations of the loop of that number, from 0.
    Loop(usize),
    Derived(Operation, Form, Form),
    /// 1 in the lanes where a condition over positions and sizes holds, else 0.
    Truth,
    /// A value that only the data know, one of so many, the same for a whole warp or not.
    Data {
        values: Option<i64>,
        is_uniform: bool,
    },
}

struct Info {
    origin: Origin,
    /// The number of its values: threads, blocks, iterations in the mean.
    count: i64,
    /// Most of them: a loop may run longer for some threads than for others.
    most: i64,
    /// The positions and counters that it comes from, itself if it is one.
    bases: BTreeSet<Symbol>,
    lanes: Option<Box<Lanes>>,
}

/// Every symbol of a kernel.
#[derive(Default)]
pub struct Symbols {
    all: Vec<Info>,
}

impl Form {
    pub fn constant(constant: i64) -> Form {
        Form { constant, terms: vec![] }
    }

    pub fn symbol(s: Symbol) -> Form {
        Form { constant: 0, terms: vec![(s, 1)] }
    }

    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`.
    pub fn plus(&self, other: &Form, factor: i64) -> Form {
        let mut terms = self.terms.clone();
        for (s, c) in &other.terms {
            let c = c.wrapping_mul(factor);
            match terms.binary_search_by_key(s, |(s, _)| *s) {
                Ok(k) => terms[k].1 = terms[k].1.wrapping_add(c),
                Err(k) => terms.insert(k, (*s, c)),
            }
        }
        terms.retain(|(_, c)| *c != 0);
        Form { constant: self.constant.wrapping_add(other.constant.wrapping_mul(factor)), terms }
    }

    pub fn times(&self, factor: i64) -> Form {
        Form::default().plus(self, factor)
    }
}

impl Operation {
    /// Its value; that of a division by zero is 0.
    pub fn apply(self, a: i64, b: i64) -> i64 {
        let floor = |a: i64, b: i64| {
            let q = a.wrapping_div(b);
            if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { q.wrapping_sub(1) } else { q }
        };
        match self {
            Operation::Mul => a.wrapping_mul(b),
            Operation::Div | Operation::Rem | Operation::FloorDiv | Operation::CeilDiv | Operation::Mod if b == 0 => 0,
            Operation::Div => a.wrapping_div(b),
            Operation::Rem => a.wrapping_rem(b),
            Operation::FloorDiv => floor(a, b),
            Operation::CeilDiv => floor(a.wrapping_neg(), b).wrapping_neg(),
            Operation::Mod => a.wrapping_sub(floor(a, b).wrapping_mul(b)),
            Operation::Min => a.min(b),
            Operation::Max => a.max(b),
            Operation::Shl => a.wrapping_shl(b as u32),
            Operation::Shr => a.wrapping_shr(b as u32),
            Operation::BitAnd => a & b,
            Operation::BitOr => a | b,
            Operation::BitXor => a ^ b,
        }
    }
}

impl Symbols {
    /// A position, with its value in each lane.
    pub fn base(&mut self, origin: Origin, count: i64, lanes: Box<Lanes>) -> Symbol {
        self.counter(origin, count, count, lanes)
    }

    /// A position or counter of so many values in the mean, and at most.
    pub fn counter(&mut self, origin: Origin, count: i64, most: i64, lanes: Box<Lanes>) -> Symbol {
        let s = Symbol(self.all.len());
        self.all.push(Info { origin, count, most, bases: BTreeSet::from([s]), lanes: Some(lanes) });
        s
    }

    /// Truth of a condition, by the lanes of each sample.
    pub fn truth(&mut self, mask: [u32; SAMPLES]) -> Symbol {
        let s = Symbol(self.all.len());
        let lanes = mask.map(|mask| std::array::from_fn(|lane| i64::from(mask >> lane & 1)));
        let (bases, lanes) = (BTreeSet::new(), Some(Box::new(lanes)));
        self.all.push(Info { origin: Origin::Truth, count: 2, most: 2, bases, lanes });
        s
    }

    /// A value that only the data know, which comes from these symbols.
    pub fn data(&mut self, origin: Origin, bases: BTreeSet<Symbol>) -> Symbol {
        let Origin::Data { values, is_uniform } = origin else { unreachable!("data") };
        let s = Symbol(self.all.len());
        let value = |sample: usize, lane: usize| {
            let lane = if is_uniform { 0 } else { lane };
            let spread = scrambled((s.0 * SAMPLES + sample) * LANES + lane);
            (spread % values.unwrap_or(UNKNOWN).max(1) as u64) as i64
        };
        let lanes = Box::new(std::array::from_fn(|sample| std::array::from_fn(|lane| value(sample, lane))));
        let count = values.unwrap_or(i64::MAX);
        self.all.push(Info { origin, count, most: count, bases, lanes: Some(lanes) });
        s
    }

    /// `a op b`.
    pub fn derived(&mut self, op: Operation, a: &Form, b: &Form) -> Form {
        match (op, a.as_constant(), b.as_constant()) {
            (_, Some(a), Some(b)) => return Form::constant(op.apply(a, b)),
            (Operation::Mul, Some(c), _) => return b.times(c),
            (Operation::Mul, _, Some(c)) => return a.times(c),
            (Operation::Shl, _, Some(c @ 0..=62)) => return a.times(1 << c),
            (Operation::Div | Operation::FloorDiv | Operation::CeilDiv, _, Some(1)) => return a.clone(),
            (Operation::Rem | Operation::Mod, _, Some(1)) => return Form::constant(0),
            (Operation::Min | Operation::Max, ..) => {
                let (lo, hi) = self.bounds(&a.plus(b, -1));
                let is_first = if op == Operation::Min { hi <= 0 } else { lo >= 0 };
                let is_second = if op == Operation::Min { lo >= 0 } else { hi <= 0 };
                if is_first || is_second {
                    return if is_first { a.clone() } else { b.clone() };
                }
            }
            _ => {}
        }
        let origin = Origin::Derived(op, a.clone(), b.clone());
        if let Some(k) = self.all.iter().position(|info| info.origin == origin) {
            return Form::symbol(Symbol(k));
        }
        let bases = self.bases(a).into_iter().chain(self.bases(b)).collect();
        self.all.push(Info { origin, count: 0, most: 0, bases, lanes: None });
        Form::symbol(Symbol(self.all.len() - 1))
    }

    pub fn origin(&self, s: Symbol) -> &Origin {
        &self.all[s.0].origin
    }

    /// Number of values of a position or counter, in the mean.
    pub fn count(&self, s: Symbol) -> i64 {
        self.all[s.0].count
    }

    /// Most values of a position or counter.
    pub fn most(&self, s: Symbol) -> i64 {
        self.all[s.0].most
    }

    /// Bounds of a form over all threads, blocks and iterations, also those that only few threads come to.
    pub fn bounds(&self, f: &Form) -> (i64, i64) {
        self.range(f, &|s| self.most(s))
    }

    /// Upper bound of a form, a minimum's or maximum's operands each taken with the form's other terms.
    /// ```text
    /// min(k + 32, n) - k      32, not n
    /// ```
    pub fn upper(&self, f: &Form) -> i64 {
        let of = |(s, c): &(Symbol, i64)| match (self.origin(*s), c) {
            (Origin::Derived(Operation::Min, a, b), 1) | (Origin::Derived(Operation::Max, a, b), -1) => {
                let others = f.plus(&Form::symbol(*s), -c);
                Some(self.upper(&others.plus(a, *c)).min(self.upper(&others.plus(b, *c))))
            }
            _ => None,
        };
        f.terms.iter().find_map(of).unwrap_or_else(|| self.bounds(f).1)
    }

    /// The positions and counters that a form comes from.
    pub fn bases(&self, f: &Form) -> BTreeSet<Symbol> {
        f.terms.iter().flat_map(|(s, _)| self.all[s.0].bases.iter().copied()).collect()
    }

    /// Symbols of a form that only the data know.
    pub fn data_in(&self, f: &Form) -> Vec<Symbol> {
        let of = |s: Symbol| match self.origin(s) {
            Origin::Data { .. } => vec![s],
            Origin::Derived(_, a, b) => [self.data_in(a), self.data_in(b)].concat(),
            _ => vec![],
        };
        f.terms.iter().flat_map(|(s, _)| of(*s)).collect()
    }

    /// Test that only the data know it.
    pub fn is_data(&self, f: &Form) -> bool {
        !self.data_in(f).is_empty()
    }

    /// The least and the greatest value where each position and counter takes so many of its values; one that takes only
    /// one has it in the middle.
    pub fn range(&self, f: &Form, extent: Extent) -> (i64, i64) {
        let (mut lo, mut hi) = (f.constant, f.constant);
        for (s, c) in &f.terms {
            let (a, b) = self.symbol_range(*s, extent);
            let (a, b) = (a.saturating_mul(*c), b.saturating_mul(*c));
            lo = lo.saturating_add(a.min(b));
            hi = hi.saturating_add(a.max(b));
        }
        (lo, hi)
    }

    fn symbol_range(&self, s: Symbol, extent: Extent) -> (i64, i64) {
        let info = &self.all[s.0];
        match &info.origin {
            Origin::Data { values, .. } => (0, values.unwrap_or(UNKNOWN) - 1),
            Origin::Truth => (0, 1),
            Origin::Derived(op, a, b) => range_of(*op, self.range(a, extent), self.range(b, extent)),
            Origin::Thread | Origin::Block | Origin::Loop(_) => match extent(s) {
                ..=1 => ((info.count - 1).max(0) / 2, (info.count - 1).max(0) / 2),
                n => (0, n - 1),
            },
        }
    }

    /// How many values a symbol has where each position and counter takes so many.
    pub fn values(&self, s: Symbol, extent: Extent) -> f64 {
        let info = &self.all[s.0];
        let together = || info.bases.iter().map(|b| extent(*b).max(1) as f64).product::<f64>();
        match &info.origin {
            Origin::Data { values, .. } => together().min(values.map_or(f64::MAX, |n| n as f64)),
            Origin::Derived(..) | Origin::Truth => {
                let (lo, hi) = self.symbol_range(s, extent);
                together().min(hi.saturating_sub(lo) as f64 + 1.0)
            }
            _ => extent(s).max(1) as f64,
        }
    }

    /// The values of a form in every lane.
    pub fn lanes(&mut self, f: &Form) -> Lanes {
        let mut out = [[f.constant; LANES]; SAMPLES];
        for (s, c) in &f.terms {
            self.fill(*s);
            let of = self.all[s.0].lanes.as_ref().expect("just filled");
            for (to, from) in out.iter_mut().flatten().zip(of.iter().flatten()) {
                *to = to.wrapping_add(from.wrapping_mul(*c));
            }
        }
        out
    }

    fn fill(&mut self, s: Symbol) {
        if self.all[s.0].lanes.is_some() {
            return;
        }
        let Origin::Derived(op, a, b) = self.all[s.0].origin.clone() else { return };
        let (mut a, b) = (Box::new(self.lanes(&a)), self.lanes(&b));
        a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a = op.apply(*a, *b));
        self.all[s.0].lanes = Some(a);
    }
}

/// The range of an operation over two ranges.
fn range_of(op: Operation, a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let apply = |a: i64, b: i64| if op == Operation::Mul { a.saturating_mul(b) } else { op.apply(a, b) };
    let corners = || {
        let all = [apply(a.0, b.0), apply(a.0, b.1), apply(a.1, b.0), apply(a.1, b.1)];
        (all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
    };
    let length = a.1.saturating_sub(a.0);
    match op {
        Operation::Rem | Operation::Mod if b.0 == b.1 && b.0 > 0 => {
            let (lo, hi) = (op.apply(a.0, b.0), op.apply(a.1, b.0));
            let least = if op == Operation::Rem && a.0 < 0 { 1 - b.0 } else { 0 };
            if length < b.0 && lo <= hi { (lo, hi) } else { (least, b.0 - 1) }
        }
        Operation::BitAnd if a.0 >= 0 || b.0 >= 0 => {
            let most = |x: (i64, i64)| if x.0 >= 0 { x.1 } else { i64::MAX };
            (0, most(a).min(most(b)))
        }
        Operation::BitAnd | Operation::BitOr | Operation::BitXor => {
            let of = |n: i64| 64 - if n < 0 { !n } else { n }.leading_zeros();
            let bits = [a.0, a.1, b.0, b.1].map(of).into_iter().max().unwrap_or(0);
            let most = if bits < 63 { (1 << bits) - 1 } else { i64::MAX };
            (if a.0 >= 0 && b.0 >= 0 { 0 } else { -1 - most }, most)
        }
        _ => corners(),
    }
}

/// A number as good as random, the same for the same `k` (the finaliser of SplitMix64).
fn scrambled(k: usize) -> u64 {
    let mut x = (k as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A place in `0 .. 1` for each sample and each of the positions and counters: evenly spread, and for two of these not in
/// step (Kronecker's sequence over the square roots of primes).
pub fn spread(sample: usize, which: usize) -> f64 {
    const PRIMES: [u32; 12] = [5, 2, 3, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    let root = f64::from(PRIMES[which % PRIMES.len()]).sqrt();
    (0.5 + (sample as f64 + (which / PRIMES.len()) as f64 * 0.37) * root).fract()
}
