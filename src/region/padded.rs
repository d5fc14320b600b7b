//! Strides that are variables of their own: rows that need not fill the plane they lie in.
//!
//! ```text
//! x[k*kp + j*jp + i]        x[k][j][i], kp / jp rows of jp in a plane, and behind them what is left of kp
//! ```
//! In subscripts the wide stride is taken for that many of the narrow one, so that strides divide each other; in memory
//! it stays what it is. Elements with different subscripts are different as long as each stays inside its extent, since
//! `kp / jp` rounds down.

use super::StaticPart;
use super::shape::Stride;
use crate::ast::build::ast_builder;
use crate::ast::{BinOp, VarId};
use crate::facts::monomial::{divide, split, value_of, widened};
use crate::facts::symbolic::{Monomial, ParamId, Poly, Sym};
use std::cmp::Reverse;

/// The wide strides of an array's subscripts.
#[derive(Default)]
pub(super) struct Padded {
    found: Vec<Wide>,
}

/// A wide stride, and the multiple of a narrow one that it was taken for.
struct Wide {
    stride: ParamId,
    multiple: Monomial,
    /// Number of narrow ones in the multiple.
    rows: Sym,
}

impl Padded {
    /// Finds the strides of `v` of which neither is a multiple of the other, and puts multiples in the place of the wide
    /// ones.
    pub(super) fn find(part: &mut StaticPart, v: VarId) -> Padded {
        let mut out = Padded::default();
        while let Some((stride, narrow)) = independent(part, v) {
            let divisor = value_of(&out.in_memory(narrow.clone()), &part.params);
            let dividend = widened(part.params.get(stride).expr.clone());
            let rows = Sym::Param(part.params.of_expr(&ast_builder::binary(BinOp::Div, dividend, divisor)));
            if part.accesses_of(v).filter_map(|a| a.index.as_ref()).any(|index| index[0].any(&|s| *s == rows)) {
                break; // the program's own quotient, whose multiple is no stride
            }
            let mut multiple = [narrow, vec![rows.clone()]].concat();
            multiple.sort();
            let whole = Poly::term(multiple.clone(), 1);
            for a in part.accesses_of(v) {
                let Some(mut index) = a.index.take() else { continue };
                let Some(seen) = index[0].with_param(stride, &whole) else { continue };
                index[0] = seen;
                a.index = Some(index);
            }
            out.found.push(Wide { stride, multiple, rows });
        }
        out
    }

    /// Test for a stride that has room for padding behind the rows of the next narrower one.
    pub(super) fn ends(&self, wide: &Stride, narrow: &Stride) -> bool {
        let between = divide(&wide.factor, &narrow.factor).unwrap_or_default();
        self.found.iter().any(|w| between.contains(&w.rows))
    }

    /// Distance in memory of elements that are one stride apart.
    pub(super) fn distance(&self, stride: &Stride) -> Poly {
        Poly::term(self.in_memory(stride.factor.clone()), stride.times)
    }

    /// A factor with the wide strides themselves.
    fn in_memory(&self, mut factor: Monomial) -> Monomial {
        for w in self.found.iter().rev() {
            while let Some(rest) = divide(&factor, &w.multiple) {
                factor = [rest, vec![Sym::Param(w.stride)]].concat();
            }
        }
        factor.sort();
        factor
    }
}

/// Two strides of `v` of which neither is a multiple of the other, the wide one being a variable: `kp` and `jp` of
/// `x[i + j*jp + k*kp]`. The wide one belongs to the loop further out, as rows do where loops go through memory in order.
fn independent(part: &StaticPart, v: VarId) -> Option<(ParamId, Monomial)> {
    let mut found: Vec<(usize, Monomial)> = vec![];
    for (s, a) in part.stmts.iter().flat_map(|s| s.accesses.iter().map(move |a| (s, a))).filter(|(_, a)| a.data == v) {
        let depth = |c: VarId| s.loops.iter().position(|l| part.loops[l.0].var == c);
        for m in a.index.iter().flat_map(|index| index[0].terms.keys()) {
            let (counters, factor) = split(m);
            let [Sym::Counter(c)] = counters[..] else { continue };
            found.extend(depth(c).filter(|_| !factor.is_empty()).map(|depth| (depth, factor)));
        }
    }
    found.sort_by_key(|(depth, _)| Reverse(*depth));
    found.iter().zip(found.iter().skip(1)).find_map(|((inner, narrow), (outer, wide))| match wide[..] {
        [Sym::Param(stride)] if inner > outer && narrow != wide && !narrow.contains(&wide[0]) => {
            Some((stride, narrow.clone()))
        }
        _ => None,
    })
}
