//! Syrk and syr2k: a triangle of the product of matrices with their transposes.

use super::super::operator::{Operator, What};
use super::super::triangle::Triangle;
use super::super::view::{View, is};
use super::super::{Range, Scale};
use super::{Matcher, Outcome, Piece, along, count};
use crate::kernel::Usage;
use crate::poly::Failure;
use crate::region::LoopId;

/// A piece of a rank update.
struct Ends {
    x: View,
    y: View,
    target: View,
    square: Range,
    sum: Range,
    is_strict: bool,
    scale: Scale,
}

impl Matcher<'_> {
    /// Syrk and syr2k.
    pub(super) fn rank_update(&self, pieces: &[Piece]) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        Ok(self.rank_update_of(pieces))
    }

    fn rank_update_of(&self, pieces: &[Piece]) -> Outcome {
        if self.e.divisor.is_some() {
            return Err("the result is divided".into());
        }
        let beta = self.beta()?;
        let mut ends = vec![];
        for p in pieces {
            let triangle = p.domain.triangle.ok_or("a part of it is computed for the whole matrix")?;
            ends.push(self.ends(p, triangle)?);
        }
        let first = &ends[0];
        if ends.iter().any(|e| e.target != first.target || e.square != first.square || e.sum != first.sum) {
            return Err("its parts run over different elements".into());
        }
        if ends.iter().any(|e| !e.scale.is_same(&first.scale)) {
            return Err("its two products have different factors".into());
        }
        if ends.iter().any(|e| e.is_strict) {
            return Err("the diagonal is left out".into());
        }
        if let Some((stmt, access)) = self.e.set {
            let domain = self.domain(stmt)?;
            let is_same = domain.triangle.is_some_and(|t| !t.is_strict && *domain.range(t.greater) == first.square)
                && domain.loops.len() == 2;
            let view = self.view(&domain, access)?;
            let places = domain.triangle.map(|t| (along(&view, &domain, t.greater), along(&view, &domain, t.lesser)));
            if !is_same
                || view.first != first.target.first
                || places != Some((first.target.along[0].clone(), first.target.along[1].clone()))
            {
                return Err("what scales the result runs over other elements than the products".into());
            }
        }
        let whats_twice = |x: &View, y: &View| x == y;
        let n = count(&first.square).ok_or("its size is too large a number")?;
        let k = count(&first.sum).ok_or("its size is too large a number")?;
        let ty = self.element(&[first.x.data, first.y.data])?;
        let alpha = first.scale.clone();
        let (what, operands) = match ends.as_slice() {
            [one] if whats_twice(&one.x, &one.y) => (What::Syrk, vec![one.x.clone()]),
            [_] => return Err("the two factors are not the same rows of one matrix".into()),
            [one, two] if whats_twice(&one.x, &two.y) && whats_twice(&one.y, &two.x) => {
                (What::Syr2k, vec![one.x.clone(), one.y.clone()])
            }
            _ => return Err("the products are not each other's mirror images".into()),
        };
        for v in operands.iter().chain([&first.target]) {
            self.is_matrix(v)?;
        }
        let by_columns = |v: &View| is(&v.along[0], 1);
        if operands.iter().any(|v| by_columns(v) != by_columns(&operands[0])) {
            return Err("one of its matrices lies by rows, the other by columns".into());
        }
        let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
        let result = first.target.clone();
        Ok(Operator { what, ty, sizes: vec![n, k], flags: vec![], alpha, operands, beta, result, usage })
    }

    /// A piece of a rank update: the factors along greater and sum, lesser and sum; the target along greater and lesser.
    fn ends(&self, p: &Piece, t: Triangle) -> Result<Ends, String> {
        let still: Vec<LoopId> =
            p.domain.loops.iter().map(|(l, _)| *l).filter(|l| is(&p.along(&p.target, *l), 0)).collect();
        let [sum] = still.as_slice() else { return Err("it has no sum, or more than one".into()) };
        if p.domain.loops.len() != 3 {
            return Err("its operands have more than two dimensions".into());
        }
        let (mut x, mut y) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            let moves = |l: LoopId| !is(&p.along(&v, l), 0);
            match (moves(t.greater), moves(t.lesser), moves(*sum)) {
                (true, false, true) => x = Some(p.pick(&v, [t.greater, *sum])),
                (false, true, true) => y = Some(p.pick(&v, [t.lesser, *sum])),
                _ => return Err("a factor does not go along one side of the result and the sum".into()),
            }
        }
        let (Some(x), Some(y)) = (x, y) else {
            return Err("both factors go along one side of the result".into());
        };
        Ok(Ends {
            x,
            y,
            target: p.pick(&p.target, [t.greater, t.lesser]),
            square: p.domain.range(t.greater).clone(),
            sum: p.domain.range(*sum).clone(),
            is_strict: t.is_strict,
            scale: p.product.scale.clone(),
        })
    }
}
