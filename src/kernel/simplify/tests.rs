//! Values before and after, under a small interpreter.

use super::*;
use crate::kernel::arbitrary;
use proptest::prelude::*;

/// The value of an integer expression, where C defines it; `a`, `b`, `c` are given.
fn value(e: &Expr, given: [i64; 3]) -> Option<i64> {
    let of = |e: &Expr| value(e, given);
    match e {
        Expr::Int(value) => Some(*value),
        Expr::Var(name) => Some(given[["a", "b", "c"].iter().position(|known| known == name)?]),
        Expr::Unary(UnaryOp::Neg, x) => of(x)?.checked_neg(),
        Expr::Unary(UnaryOp::Not, x) => Some((of(x)? == 0).into()),
        Expr::Unary(UnaryOp::BitNot, x) => Some(!of(x)?),
        Expr::Binary(BinOp::And, a, b) => Some((of(a)? != 0 && of(b)? != 0).into()),
        Expr::Binary(BinOp::Or, a, b) => Some((of(a)? != 0 || of(b)? != 0).into()),
        Expr::Binary(op, a, b) => fold(*op, of(a)?, of(b)?),
        Expr::Cond(c, a, b) => of(if of(c)? != 0 { a } else { b }),
        Expr::Min(a, b) => Some(of(a)?.min(of(b)?)),
        Expr::Max(a, b) => Some(of(a)?.max(of(b)?)),
        Expr::FloorDiv(a, b) => Some((of(a)? as f64 / positive(of(b)?)? as f64).floor() as i64),
        Expr::CeilDiv(a, b) => Some((of(a)? as f64 / positive(of(b)?)? as f64).ceil() as i64),
        Expr::Mod(a, b) => Some(of(a)?.rem_euclid(positive(of(b)?)?)),
        _ => None,
    }
}

fn positive(divisor: i64) -> Option<i64> {
    (divisor > 0).then_some(divisor)
}

/// Integer expressions over three variables, small constants and all operators.
fn index_expressions() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![(-3..4i64).prop_map(Expr::Int), "[a-c]".prop_map(Expr::Var)];
    leaf.prop_recursive(5, 32, 3, |inner| {
        let pair = (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            inner.clone().prop_map(|x| Expr::Unary(UnaryOp::Neg, x.into())),
            inner.clone().prop_map(|x| Expr::Unary(UnaryOp::Not, x.into())),
            (proptest::sample::select(BinOp::ALL.to_vec()), pair.clone())
                .prop_map(|(op, (a, b))| Expr::Binary(op, a, b)),
            (inner, pair.clone()).prop_map(|(c, (a, b))| Expr::Cond(c.into(), a, b)),
            (0..5usize, pair)
                .prop_map(|(i, (a, b))| { [Expr::Min, Expr::Max, Expr::FloorDiv, Expr::CeilDiv, Expr::Mod][i](a, b) }),
        ]
    })
}

proptest! {
    #[test]
    fn keeps_the_value(e in index_expressions(), given in [-9..9i64, -9..9i64, -9..9i64]) {
        let mut simple = e.clone();
        index_expr(&mut simple);
        if let Some(expected) = value(&e, given) {
            prop_assert_eq!(value(&simple, given), Some(expected), "{} became {}", e, simple);
        }
    }

    #[test]
    fn leaves_what_is_not_known_to_be_integer(e in arbitrary::expr()) {
        // Every name is a float: only subscripts, conditions and constants are left to simplify.
        let mut simple = e.clone();
        expr(&mut simple, &|_| None);
        if width(&e, &|_| None).is_none() {
            prop_assert_eq!(std::mem::discriminant(&e), std::mem::discriminant(&simple));
        }
    }
}

#[test]
fn computes_in_the_same_width() {
    let widths = |name: &str| Some(if name == "k" { Width::Wide } else { Width::Narrow });
    let simplified = |text: &str| {
        let mut e = text.parse().unwrap();
        expr(&mut e, &widths);
        e.to_string()
    };
    assert_eq!(simplified("k * 0 + n * m"), "k * 0 + n * m");
    assert_eq!(simplified("n * 0 + k * 1"), "k");
    assert_eq!(simplified("2000000000 + 2000000000"), "2000000000 + 2000000000");
    assert_eq!(simplified("i + -1 - -2"), "i + 1");
    assert_eq!(simplified("i + 2000000000 + 2000000000"), "i + 2000000000 + 2000000000");
}
