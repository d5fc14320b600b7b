//! How an array is laid out, as the analysis sees it.

use crate::diag::Place;
use crate::facts::monomial::divide;
use crate::facts::symbolic::{Monomial, Poly};

/// How an array is laid out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shape {
    /// Subscripts that C needs to reach an element.
    pub c_rank: usize,
    /// How many of them lead through pointers to a row (`double **a`: 1). What the analysis sees, and the device has, is
    /// one block all the same: different rows are taken for different memory, which the entry point makes sure of.
    pub n_pointers: usize,
    /// Flag: neither C nor the user says how long those rows are: the extents are symbols.
    pub is_open: bool,
    /// Extents behind the outermost dimension, outermost first: from the type, or from strides when there are more
    /// of them than C subscripts.
    pub inner: Vec<Poly>,
    /// Distance of neighbours in each of the dimensions that were found, outermost first and without the last one;
    /// none where the extents behind them multiply to that.
    pub strides: Vec<Poly>,
    /// The outermost extent as declared (of one C dimension), if it is.
    pub outer: Option<Poly>,
    /// Flag: `outer` is a fact and not a parameter's decoration.
    pub outer_is_known: bool,
    /// Flag: `outer` is what subscripts reach at most: nothing says yet that the memory goes so far.
    pub outer_is_reached: bool,
    /// What the user states, where that is affine: extents, outermost first, and where they stand.
    pub stated: Option<(Vec<Poly>, Place)>,
}

impl Shape {
    /// Number of dimensions that the analysis sees.
    pub fn rank(&self) -> usize {
        if self.c_rank == 0 { 0 } else { 1 + self.inner.len() }
    }

    /// Test that the device has each row from its first element to its last, whatever of it is used: C says how rows lie, and
    /// nothing is between them.
    pub fn has_whole_rows(&self) -> bool {
        self.c_rank > 1 && self.c_rank == self.rank() && self.strides.is_empty()
    }

    /// The outermost extent that the analysis sees, if the type or the user says it and it is affine.
    pub fn rows(&self) -> Option<Poly> {
        let mut row = Stride::default();
        for (m, c) in self.found().iter().flat_map(|p| &p.terms) {
            row.factor.extend(m.iter().cloned());
            row.times = row.times.checked_mul(*c)?;
        }
        let mut rows = Poly::default();
        for (m, c) in &self.outer.as_ref()?.terms {
            let is_whole = c % row.times == 0;
            rows = rows.plus(&Poly::term(divide(m, &row.factor).filter(|_| is_whole)?, c / row.times), 1)?;
        }
        rows.is_affine().then_some(rows)
    }

    /// The extents that were found in hand-written strides.
    pub fn found(&self) -> &[Poly] {
        &self.inner[..self.rank() - self.c_rank]
    }

    /// Gives up the dimensions that were found in hand-written strides, where no access is known to keep to them.
    pub fn give_up_found(&mut self) {
        let n = self.found().len();
        self.inner.drain(..n);
        self.strides.clear();
    }

    /// The extents of C's own dimensions behind the outermost.
    pub fn own_inner(&self) -> &[Poly] {
        &self.inner[self.rank() - self.c_rank..]
    }

    /// The position of an element; `None` on overflow.
    pub fn position(&self, index: &[Poly]) -> Option<Poly> {
        let n = self.strides.len();
        let (spread, dense) = index.split_at(n);
        let mut spread = spread.iter().zip(&self.strides);
        let first =
            spread.try_fold(Poly::default(), |at, (subscript, stride)| at.plus(&subscript.times(stride)?, 1))?;
        let mut dense = dense.to_vec();
        if let (Some(next), true) = (dense.first_mut(), n > 0) {
            *next = next.plus(&first, 1)?;
        }
        in_rows(&self.inner[n..], &dense)
    }

    /// The position of an element by the subscripts that C has for it.
    pub fn position_in_c(&self, subscripts: &[Poly]) -> Option<Poly> {
        in_rows(self.own_inner(), subscripts)
    }

    /// The last subscript of those that were found and its extent, for an access whose others are all 0: it goes along the
    /// first row.
    pub fn first_row<'a>(&'a self, index: &'a [Poly]) -> Option<(&'a Poly, &'a Poly)> {
        let n = self.found().len();
        let is_first = index.iter().take(n).all(|p| p.as_constant() == Some(0));
        (n > 0 && is_first).then(|| (&index[n], &self.inner[n - 1]))
    }

    /// Test that dimensions were found in hand-written strides.
    pub fn is_delinearised(&self) -> bool {
        self.rank() > self.c_rank
    }
}

/// The position of an element in rows that follow each other, where the extents behind the outermost are `inner`.
fn in_rows(inner: &[Poly], index: &[Poly]) -> Option<Poly> {
    let Some((first, rest)) = index.split_first() else { return Some(Poly::default()) };
    rest.iter().zip(inner).try_fold(first.clone(), |at, (subscript, extent)| at.times(extent)?.plus(subscript, 1))
}

/// How far apart neighbours in a dimension are.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stride {
    /// A product of parameters.
    pub(super) factor: Monomial,
    pub(super) times: i64,
}

impl Default for Stride {
    fn default() -> Stride {
        Stride { factor: vec![], times: 1 }
    }
}

impl Stride {
    /// The extent of the dimension that has `self` around it and `inner` in it.
    pub(super) fn over(&self, inner: &Stride) -> Poly {
        let factor = divide(&self.factor, &inner.factor).expect("strides divide each other");
        Poly::term(factor, self.times / inner.times)
    }
}
