//! Symm: a product with a matrix of which one triangle stands for the other.

use super::super::operator::{Operator, What};
use super::super::view::is;
use super::{Matcher, Outcome, Piece};
use crate::kernel::Usage;
use crate::poly::Failure;

impl Matcher<'_> {
    pub(super) fn symmetric(&self, pieces: &[Piece]) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        Ok(self.symmetric_of(pieces))
    }

    fn symmetric_of(&self, pieces: &[Piece]) -> Outcome {
        if self.e.divisor.is_some() {
            return Err("the result is divided".into());
        }
        let beta = self.beta()?;
        let halves = self.halves(pieces)?;
        let of = |below: Option<bool>| {
            let mut all = halves.iter().filter(move |h| h.is_below == below);
            (all.next(), all.next())
        };
        let ((below, None), (above, None), (on, None)) = (of(Some(true)), of(Some(false)), of(None)) else {
            return Err("a half of the matrix is used twice".into());
        };
        let (Some(below), Some(above)) = (below, above) else {
            return Err("only one half of the matrix is used: the bounds of the sum depend on another loop".into());
        };
        let n_diagonals = usize::from(!below.is_strict) + usize::from(!above.is_strict) + usize::from(on.is_some());
        if n_diagonals != 1 {
            return Err(format!("the diagonal is used {n_diagonals} times"));
        }
        let all = [Some(above), on].into_iter().flatten();
        for h in all {
            self.agrees(below, h)?;
            let is_mirrored = match h.is_below {
                None => Some(h.matrix.along[0].clone()) == below.matrix.along[0].plus(&below.matrix.along[1], 1),
                Some(_) => h.matrix.along[0] == below.matrix.along[1] && h.matrix.along[1] == below.matrix.along[0],
            };
            if !is_mirrored || h.matrix.first != below.matrix.first || h.matrix.data != below.matrix.data {
                return Err("its two halves are not each other's mirror images".into());
            }
        }
        self.sets_all(below)?;
        let Some(free) = &below.free else { return Err("it is multiplied by one vector".into()) };
        let [n, m] = self.sizes([&below.square, free])?;
        let ty = self.element(&[below.matrix.data, below.other.data])?;
        for v in [&below.matrix, &below.other, &below.target] {
            self.is_matrix(v)?;
        }
        if is(&below.other.along[0], 1) != is(&below.target.along[0], 1) {
            return Err("what it is multiplied by lies by rows and the result by columns, or the other way".into());
        }
        let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
        Ok(Operator {
            what: What::Symm,
            ty,
            sizes: vec![n, m],
            flags: vec![],
            alpha: below.scale.clone(),
            operands: vec![below.matrix.clone(), below.other.clone()],
            beta,
            result: below.target.clone(),
            usage,
        })
    }
}
