//! Trmm, trsm and trsv: what a triangular matrix is multiplied by, or solved for, is the result itself.

use super::super::Scale;
use super::super::operator::{Operator, What};
use super::super::view::{View, is};
use super::half::Half;
use super::{Matcher, Outcome, Piece};
use crate::facts::symbolic::Poly;
use crate::kernel::Usage;
use crate::poly::Failure;
use crate::region::{Access, StmtId};

impl Matcher<'_> {
    /// Trmm, trsm and trsv.
    pub(super) fn in_place(&self, what: What, pieces: &[Piece], copied: Option<&Piece>) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        let order = self.order();
        for p in pieces {
            for x in p.product.loads.iter().filter(|x| x.data == self.e.data) {
                let read = (p.product.stmt, *x);
                let is_right = match what {
                    What::Trmm => self.each_write(|write| order.never(write, read))?,
                    _ => self.each_write(|write| order.never(read, write))?,
                };
                if !is_right {
                    let when = if what == What::Trmm { "before it is" } else { "after it was" };
                    return Ok(Err(format!(
                        "an element of `{}` is not always read {when} computed",
                        self.name(self.e.data)
                    )));
                }
            }
        }
        Ok(match what {
            What::Trmm if copied.is_some() => Err("what is multiplied is not in place".into()),
            What::Trmm => self.trmm(pieces),
            _ => self.solve(pieces, copied),
        })
    }

    fn off_diagonal(&self, pieces: &[Piece]) -> Result<(Half, Vec<Half>), String> {
        let halves = self.halves(pieces)?;
        let (mut off, rest): (Vec<Half>, Vec<Half>) = halves.into_iter().partition(|h| h.is_below.is_some());
        let (Some(off), true) = (off.pop(), off.is_empty()) else {
            return Err("both halves of the matrix are used".into());
        };
        if off.other.data != self.e.data || off.other != off.target {
            return Err("the sum is not of the elements of the result themselves".into());
        }
        if off.matrix.data == self.e.data {
            return Err(format!("`{}` is read as the matrix as well as written", self.name(self.e.data)));
        }
        self.is_matrix(&off.matrix)?;
        if off.free.is_some() {
            self.is_matrix(&off.target)?;
        }
        Ok((off, rest))
    }

    /// Test that an access is the diagonal of a half's matrix.
    fn is_diagonal(&self, stmt: StmtId, access: &Access, target: &Access, off: &Half) -> Result<(), String> {
        let differs = || format!("`{}` is not taken on its diagonal", self.name(access.data));
        let domain = self.domain(stmt)?;
        let (view, place) = (self.view(&domain, access)?, self.view(&domain, target)?);
        let sum = off.matrix.along[0].plus(&off.matrix.along[1], 1).ok_or_else(differs)?;
        let is_right = domain.loops.iter().enumerate().all(|(at, _)| match place.along[at] == off.target.along[0] {
            true => view.along[at] == sum,
            false => is(&view.along[at], 0),
        });
        let is_it = is_right && view.first == off.matrix.first && view.data == off.matrix.data;
        if is_it { Ok(()) } else { Err(differs()) }
    }

    fn trmm(&self, pieces: &[Piece]) -> Outcome {
        let (off, on) = self.off_diagonal(pieces)?;
        let has_unit = match (&self.e.kept, on.as_slice(), off.is_strict) {
            (None, [], false) => false,
            (Some(kept), [], true) if kept.scale.is_same(&off.scale) => match kept.loads.as_slice() {
                [] => true,
                [x] => {
                    let (stmt, target) = self.e.set.expect("an element is not one");
                    self.is_diagonal(stmt, x, target, &off)?;
                    false
                }
                _ => return Err("what is kept of the result is multiplied by more than the diagonal".into()),
            },
            (None, [one], true) => {
                self.agrees(&off, one)?;
                let sum = off.matrix.along[0].plus(&off.matrix.along[1], 1);
                if Some(&one.matrix.along[0]) != sum.as_ref() || one.matrix.first != off.matrix.first {
                    return Err("the diagonal is not that of the matrix".into());
                }
                false
            }
            (Some(_), [], true) => return Err("what is kept of the result has another factor than the sum".into()),
            (None, [], true) => return Err("the diagonal is left out".into()),
            _ => return Err("the diagonal is used more than once".into()),
        };
        self.sets_all(&off)?;
        let Some(free) = &off.free else { return Err("it is multiplied by one vector (trmv)".into()) };
        let [n, m] = self.sizes([&off.square, free])?;
        let ty = self.element(&[off.matrix.data])?;
        Ok(Operator {
            what: What::Trmm,
            ty,
            sizes: vec![n, m],
            flags: vec![off.is_below == Some(true), has_unit],
            alpha: off.scale.clone(),
            operands: vec![off.matrix.clone()],
            beta: None,
            result: off.target.clone(),
            usage: Usage::ReadWrite,
        })
    }

    fn solve(&self, pieces: &[Piece], copied: Option<&Piece>) -> Outcome {
        let (off, on) = self.off_diagonal(pieces)?;
        let minus_one = Scale { factors: vec![], is_negative: true };
        if !off.scale.is_same(&minus_one) {
            return Err("what is taken away has a factor".into());
        }
        if !on.is_empty() || !off.is_strict {
            return Err("the diagonal is among what is taken away".into());
        }
        let (alpha, from) = match (&self.e.kept, copied) {
            (Some(kept), None) if kept.loads.is_empty() => (kept.scale.clone(), off.target.clone()),
            (None, Some(p)) => (p.product.scale.clone(), self.copied(p, &off)?),
            (None, None) => return Err("nothing is there to solve for".into()),
            _ => return Err("what is kept of the result is multiplied by an element".into()),
        };
        if let Some((stmt, target, by)) = self.e.divisor {
            self.is_diagonal(stmt, by, target, &off)?;
        }
        self.sets_all(&off)?;
        let ty = self.element(&[off.matrix.data, from.data])?;
        let flags = vec![off.is_below == Some(true), self.e.divisor.is_none()];
        let (what, sizes) = match &off.free {
            Some(free) => (What::Trsm, self.sizes([&off.square, free])?.to_vec()),
            None => (What::Trsv, self.sizes([&off.square])?.to_vec()),
        };
        let (operands, result) = (vec![off.matrix.clone(), from], off.target.clone());
        Ok(Operator { what, ty, sizes, flags, alpha, operands, beta: None, result, usage: Usage::ReadWrite })
    }

    /// The elements that the result begins as, along its own indices.
    fn copied(&self, p: &Piece, off: &Half) -> Result<View, String> {
        let access = p.product.loads[0];
        if access.data == self.e.data || access.data == off.matrix.data {
            return Err(format!("the right-hand side is read from other elements of `{}`", self.name(access.data)));
        }
        let v = self.view(&p.domain, access)?;
        let at = |wanted: &Poly| p.domain.loops.iter().map(|(l, _)| *l).find(|l| p.along(&p.target, *l) == *wanted);
        let own = at(&off.target.along[0]).ok_or("its parts run over different elements")?;
        let free = off.free.as_ref().and_then(|_| at(&off.target.along[1]));
        Ok(p.pick_with(&v, own, free))
    }
}
