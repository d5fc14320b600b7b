//! The pieces of a product with a matrix: below its diagonal, above it, on it.

use super::super::view::{View, is};
use super::super::{Range, Scale};
use super::{Matcher, Piece};
use crate::facts::symbolic::Poly;
use crate::region::LoopId;

/// What is multiplied in a piece of a product with a matrix: the matrix along result and sum, the other along sum and the
/// free index. The order of sum and result; `None` on the diagonal.
pub(super) struct Half {
    pub matrix: View,
    pub other: View,
    pub target: View,
    pub square: Range,
    pub free: Option<Range>,
    pub is_below: Option<bool>,
    pub is_strict: bool,
    pub scale: Scale,
}

impl Matcher<'_> {
    /// The pieces of a product with a matrix.
    pub(super) fn halves(&self, pieces: &[Piece]) -> Result<Vec<Half>, String> {
        let off = pieces.iter().find(|p| p.domain.triangle.is_some()).expect("one has a triangle");
        let first = self.half(off)?;
        let mut out = vec![];
        for p in pieces {
            out.push(match p.domain.triangle {
                Some(_) => self.half(p)?,
                None => self.diagonal(p, &first)?,
            });
        }
        Ok(out)
    }

    fn half(&self, p: &Piece) -> Result<Half, String> {
        let t = p.domain.triangle.expect("a triangle");
        let still = |l: LoopId| is(&p.along(&p.target, l), 0);
        let (sum, own) = match (still(t.greater), still(t.lesser)) {
            (true, false) => (t.greater, t.lesser),
            (false, true) => (t.lesser, t.greater),
            _ => return Err("the triangle is not one of the result and the sum".into()),
        };
        let rest: Vec<LoopId> = p.domain.loops.iter().map(|(l, _)| *l).filter(|l| *l != sum && *l != own).collect();
        let free = match rest.as_slice() {
            [] => None,
            [one] if !still(*one) => Some(*one),
            _ => return Err("its operands have more than two dimensions".into()),
        };
        let (mut matrix, mut other) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            let moves = |l: LoopId| !is(&p.along(&v, l), 0);
            match (moves(own), moves(sum), free.is_some_and(moves)) {
                (true, true, false) => matrix = Some(p.pick(&v, [own, sum])),
                (false, true, is_free) if is_free == free.is_some() => other = Some(p.pick_with(&v, sum, free)),
                _ => return Err(format!("`{}` goes along other indices than an operand does", self.name(access.data))),
            }
        }
        let (Some(matrix), Some(other)) = (matrix, other) else {
            return Err("its factors are not a matrix and what that is multiplied by".into());
        };
        Ok(Half {
            matrix,
            other,
            target: p.pick_with(&p.target, own, free),
            square: p.domain.range(own).clone(),
            free: free.map(|l| p.domain.range(l).clone()),
            is_below: Some(sum == t.lesser),
            is_strict: t.is_strict,
            scale: p.product.scale.clone(),
        })
    }

    /// A product on the diagonal: sum and result are one loop.
    fn diagonal(&self, p: &Piece, like: &Half) -> Result<Half, String> {
        let along_own = |x: &&(LoopId, Range)| p.along(&p.target, x.0) == like.target.along[0];
        let own = p.domain.loops.iter().find(along_own).ok_or("its parts run over different elements")?.0;
        let rest: Vec<LoopId> = p.domain.loops.iter().map(|(l, _)| *l).filter(|l| *l != own).collect();
        let free = match rest.as_slice() {
            [] => None,
            [one] => Some(*one),
            _ => return Err("its operands have more than two dimensions".into()),
        };
        let (mut matrix, mut other) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            if access.data == like.matrix.data && free.is_none_or(|l| is(&p.along(&v, l), 0)) && matrix.is_none() {
                matrix = Some(p.pick_with(&v, own, None));
            } else {
                other = Some(p.pick_with(&v, own, free));
            }
        }
        let (Some(matrix), Some(other)) = (matrix, other) else {
            return Err("its factors are not a matrix and what that is multiplied by".into());
        };
        let target = p.pick_with(&p.target, own, free);
        let (square, free) = (p.domain.range(own).clone(), free.map(|l| p.domain.range(l).clone()));
        let scale = p.product.scale.clone();
        Ok(Half { matrix, other, target, square, free, is_below: None, is_strict: false, scale })
    }

    /// Test that two halves are of the same result and factor.
    pub(super) fn agrees(&self, x: &Half, y: &Half) -> Result<(), String> {
        if x.target != y.target || x.square != y.square || x.free != y.free {
            return Err("its parts run over different elements".into());
        }
        if x.other != y.other {
            return Err("its parts are multiplied by different elements".into());
        }
        if !x.scale.is_same(&y.scale) {
            return Err("its parts have different factors".into());
        }
        Ok(())
    }

    /// Test that what scales or divides the result does so for all of it.
    pub(super) fn sets_all(&self, h: &Half) -> Result<(), String> {
        let others = [self.e.set, self.e.divisor.map(|(stmt, target, _)| (stmt, target))];
        for (stmt, access) in others.into_iter().flatten() {
            let domain = self.domain(stmt)?;
            let view = self.view(&domain, access)?;
            let wanted: Vec<(&Poly, &Range)> =
                h.target.along.iter().zip([Some(&h.square), h.free.as_ref()].into_iter().flatten()).collect();
            let is_there = |(along, range): &(&Poly, &Range)| {
                domain.loops.iter().zip(&view.along).any(|((_, own), x)| x == *along && own == *range)
            };
            let n_moving = view.along.iter().filter(|x| !is(x, 0)).count();
            if domain.triangle.is_some() && n_moving == domain.loops.len()
                || view.first != h.target.first
                || n_moving != wanted.len()
                || !wanted.iter().all(is_there)
            {
                return Err("what scales or divides the result runs over other elements than the sums".into());
            }
        }
        Ok(())
    }
}
