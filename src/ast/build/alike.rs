//! Types that are the same to those who use their values.

use super::constant;
use super::typing::decay;
use crate::ast::{Expr, Type};

/// Test for types of the same values: qualifiers are left out, and lengths that are not both known.
pub fn is_alike(a: &Type, b: &Type) -> bool {
    match (&decay(a), &decay(b)) {
        (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => is_laid_out_alike(a, b),
        (a, b) => a == b,
    }
}

fn is_laid_out_alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => is_laid_out_alike(a, b),
        (Type::Array { of: a, len: n }, Type::Array { of: b, len: m }) => {
            let known = |len: &Option<Box<Expr>>| len.as_deref().and_then(constant::fold);
            let differ = matches!((known(n), known(m)), (Some(n), Some(m)) if n != m);
            !differ && is_laid_out_alike(a, b)
        }
        (a, b) => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::build;
    use crate::source::Source;

    #[test]
    fn what_pointers_lead_to_decides() {
        for (a, b, expected) in [
            ("double *a", "const double b[8]", true),
            ("double *a", "float *b", false),
            ("void *a", "double *b", false),
            ("double (*a)[4]", "double b[7][4]", true),
            ("double (*a)[4]", "double b[7][5]", false),
            ("double (*a)[n]", "double b[7][5]", true),
            ("double **a", "double (*b)[4]", false),
            ("int a", "long b", false),
        ] {
            let c = format!("void f(int n, {a}, {b}) {{}}");
            let unit = build::build(&Source::from_text("t.c", &c).unwrap()).unwrap().unit;
            let [_, x, y] = unit.functions[0].params[..] else { panic!("three parameters") };
            assert_eq!(is_alike(&unit.var(x).ty, &unit.var(y).ty), expected, "{a}, {b}");
        }
    }
}
