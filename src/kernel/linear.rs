//! Linear sums of positions and sizes: how far apart two are.

use super::Expr;
use crate::ast::BinOp;

/// `y - x`, if that is the same number always; `known` tells the values of parts.
pub fn distance(x: &Expr, y: &Expr, known: &dyn Fn(&Expr) -> Option<i64>) -> Option<i64> {
    let mut sum = Sum { known, terms: vec![], constant: 0 };
    sum.add(y, 1)?;
    sum.add(x, -1)?;
    sum.terms.iter().all(|(_, times)| *times == 0).then_some(sum.constant)
}

/// A sum of terms, each so many times, and a number.
struct Sum<'a> {
    known: &'a dyn Fn(&Expr) -> Option<i64>,
    terms: Vec<(Expr, i64)>,
    constant: i64,
}

impl Sum<'_> {
    fn add(&mut self, e: &Expr, times: i64) -> Option<()> {
        if let Some(value) = (self.known)(e) {
            self.constant = self.constant.checked_add(value.checked_mul(times)?)?;
            return Some(());
        }
        match e {
            Expr::Binary(BinOp::Add, a, b) => {
                self.add(a, times)?;
                self.add(b, times)
            }
            Expr::Binary(BinOp::Sub, a, b) => {
                self.add(a, times)?;
                self.add(b, times.checked_neg()?)
            }
            e => {
                match self.terms.iter_mut().find(|(term, _)| term == e) {
                    Some((_, known)) => *known = known.checked_add(times)?,
                    None => self.terms.push((e.clone(), times)),
                }
                Some(())
            }
        }
    }
}
