//! Sums of products of scalars that are not negative: what a number is at most, for a call to evaluate.

use std::collections::BTreeMap;
use std::fmt;

/// A sum of products of scalars, each with a coefficient that is not negative.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sum {
    /// By the sorted names of the factors. Coefficients are fractions with small denominators.
    terms: BTreeMap<Vec<String>, f64>,
}

impl Sum {
    pub(super) fn constant(value: f64) -> Self {
        Sum { terms: if value == 0.0 { BTreeMap::new() } else { BTreeMap::from([(vec![], value)]) } }
    }

    pub(super) fn of(name: &str) -> Self {
        Sum { terms: BTreeMap::from([(vec![name.to_string()], 1.0)]) }
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a + b)
    }

    /// Sum that neither of both exceeds.
    pub(super) fn max(&self, other: &Self) -> Self {
        self.joined(other, f64::max)
    }

    fn joined(&self, other: &Self, join: fn(f64, f64) -> f64) -> Self {
        let mut out = self.clone();
        for (factors, c) in &other.terms {
            let mine = out.terms.entry(factors.clone()).or_insert(0.0);
            *mine = join(*mine, *c);
        }
        out
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut out = Sum::default();
        for (x, a) in &self.terms {
            for (y, b) in &other.terms {
                let mut factors = [x.as_slice(), y].concat();
                factors.sort();
                *out.terms.entry(factors).or_insert(0.0) += a * b;
            }
        }
        out
    }

    pub(super) fn over(&self, divisor: f64) -> Self {
        Sum { terms: self.terms.iter().map(|(factors, c)| (factors.clone(), c / divisor)).collect() }
    }

    /// How many products there are.
    pub(super) fn n_terms(&self) -> usize {
        self.terms.len()
    }

    /// Test for a scalar that is a factor of some product.
    pub fn mentions(&self, name: &str) -> bool {
        self.terms.keys().flatten().any(|factor| factor == name)
    }

    fn degree(&self) -> usize {
        self.terms.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// One of two, for what exceeds neither: of a limit that is a number, and a size that is no product, the size.
    pub(super) fn lesser(&self, other: &Self) -> Self {
        let rank = |s: &Sum| match s.degree() {
            0 => 1,
            1 => 0,
            n => n,
        };
        let (mine, others) = ((rank(self), self.terms.len()), (rank(other), other.terms.len()));
        if mine <= others { self.clone() } else { other.clone() }
    }

    /// The products, largest first, each as its coefficient, which is whole, and its factors.
    pub fn products(&self) -> Vec<(i64, &[String])> {
        // Less by what rounding may have added: far less than 1 in what 32 bits hold.
        let whole = |c: f64| (c * (1.0 - 1e-12)).ceil() as i64;
        let mut out: Vec<_> = self.terms.iter().map(|(factors, c)| (whole(*c), factors.as_slice())).collect();
        out.retain(|(c, _)| *c > 0);
        out.sort_by_key(|(_, factors)| std::cmp::Reverse(factors.len()));
        out
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let product = |(c, factors): (i64, &[String])| {
            let number = (c != 1 || factors.is_empty()).then(|| c.to_string());
            number.into_iter().chain(factors.iter().cloned()).collect::<Vec<_>>().join(" * ")
        };
        let products: Vec<String> = self.products().into_iter().map(product).collect();
        f.write_str(if products.is_empty() { "0".into() } else { products.join(" + ") }.as_str())
    }
}
