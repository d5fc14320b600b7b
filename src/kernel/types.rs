//! Types of a kernel's names, and of the values that are computed from them.
//!
//! A name is its symbol: the verifier holds every use to a declaration before it, so that a table of declarations is all that a
//! type query needs, and the text form reads as C does.

use super::{Access, Expr, Kernel, ScalarType, Stmt, UnaryOp, walk};
use crate::ast::{BinOp, FloatKind, IntKind};
use std::collections::BTreeMap;

/// Declarations of names: scalars, compile-time parameters, variables; arrays as their elements.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The type, `None` where declarations differ in it; and how many there are.
    declared: BTreeMap<String, (Option<ScalarType>, usize)>,
}

impl FromIterator<(String, ScalarType)> for Types {
    fn from_iter<I: IntoIterator<Item = (String, ScalarType)>>(all: I) -> Self {
        let mut types = Types::default();
        all.into_iter().for_each(|(name, ty)| types.declare(&name, ty));
        types
    }
}

impl Types {
    /// All names of a kernel.
    pub fn of(kernel: &Kernel) -> Self {
        let mut types = Types::default();
        kernel.scalars.iter().for_each(|scalar| types.declare(&scalar.name, scalar.ty));
        kernel.arrays.iter().for_each(|array| types.declare(&array.name, array.ty));
        kernel.template().for_each(|name| types.declare(name, ScalarType::Int(IntKind::Int)));
        types.declare_in(&kernel.body);
        types
    }

    /// Takes in what statements declare.
    pub fn declare_in(&mut self, body: &[Stmt]) {
        walk::visit(body, &mut |s| {
            if let Some((name, ty)) = s.declares() {
                self.declare(name, ty);
            }
        });
    }

    /// Takes in a name.
    pub fn declare(&mut self, name: &str, ty: ScalarType) {
        let (known, count) = self.declared.entry(name.to_string()).or_insert((Some(ty), 0));
        *known = known.filter(|known| *known == ty);
        *count += 1;
    }

    /// The type of a name; `None` where it is not known, or declared as several.
    pub fn get(&self, name: &str) -> Option<ScalarType> {
        self.declared.get(name)?.0
    }

    /// Test that a name is declared once.
    pub fn is_unique(&self, name: &str) -> bool {
        self.declared.get(name).is_some_and(|(_, count)| *count == 1)
    }

    /// The type that C computes a value in, after its promotions; `None` where it is not known from names, constants and
    /// operators alone, or where it is another by the width of positions.
    pub fn value(&self, e: &Expr) -> Option<ScalarType> {
        let int = ScalarType::Int(IntKind::Int);
        Some(match e {
            Expr::Int(n) => ScalarType::Int(if i32::try_from(*n).is_ok() { IntKind::Int } else { IntKind::Long }),
            Expr::Float(text) => ScalarType::Float(literal(text)?),
            Expr::Var(name) | Expr::Load(Access { array: name, .. }) => promoted(self.get(name)?),
            Expr::Cast(ty, _) => promoted(*ty),
            Expr::Unary(UnaryOp::Not, _) | Expr::GoesOn => int,
            Expr::Unary(_, x) | Expr::Binary(BinOp::Shl | BinOp::Shr, x, _) => self.value(x)?,
            Expr::Binary(op, ..) if op.is_boolean() => int,
            Expr::Binary(_, x, y) | Expr::Cond(_, x, y) => meeting(self.value(x)?, self.value(y)?)?,
            _ => return None,
        })
    }
}

/// The type of a floating constant; `None` of what C spells by a name.
pub fn literal(text: &str) -> Option<FloatKind> {
    match text.chars().last()? {
        'f' | 'F' => Some(FloatKind::Float),
        'l' | 'L' => Some(FloatKind::LongDouble),
        c if c.is_ascii_digit() || c == '.' => Some(FloatKind::Double),
        _ => None,
    }
}

/// The type that a value is computed in: `int` at least.
fn promoted(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Int(kind) if kind.bits() < IntKind::Int.bits() => ScalarType::Int(IntKind::Int),
        ty => ty,
    }
}

/// The type that two promoted values meet in (C17, 6.3.1.8).
fn meeting(x: ScalarType, y: ScalarType) -> Option<ScalarType> {
    use ScalarType::{Float, Index, Int};
    let rank = |kind| match kind {
        FloatKind::Float => 0,
        FloatKind::Double => 1,
        FloatKind::LongDouble => 2,
    };
    match (x, y) {
        (Float(a), Float(b)) => Some(Float(if rank(a) >= rank(b) { a } else { b })),
        (float @ Float(_), _) | (_, float @ Float(_)) => Some(float),
        (Int(a), Int(b)) => Some(Int(if (a.bits(), a.is_unsigned()) >= (b.bits(), b.is_unsigned()) { a } else { b })),
        (Index, Index | Int(IntKind::Int)) | (Int(IntKind::Int), Index) => Some(Index),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{StmtKind, parse};

    /// The type of a value in a kernel with a name of each kind.
    fn value(text: &str) -> Option<ScalarType> {
        let kernel = format!(
            "kernel k(int i, unsigned int u, long l, short s, float f, double d) reads(unsigned char b[i]) writes(int c[i]) \
             index(64) grid (1) block (1) {{ let index p = 0; c[0] = {text}; }}"
        );
        let kernel = parse::module(&kernel).unwrap_or_else(|e| panic!("{text}: {e}")).1.remove(0);
        let StmtKind::Store { value, .. } = &kernel.body[1].kind else { panic!("{text}: no store") };
        Types::of(&kernel).value(value)
    }

    #[test]
    fn values_are_computed_in_the_types_of_c() {
        use ScalarType::{Float, Index, Int};
        for (text, ty) in [
            ("b[i] + s", Some(Int(IntKind::Int))),
            ("i + u", Some(Int(IntKind::UInt))),
            ("u + l", Some(Int(IntKind::Long))),
            ("i < d", Some(Int(IntKind::Int))),
            ("f * l", Some(Float(FloatKind::Float))),
            ("f + 1.0", Some(Float(FloatKind::Double))),
            ("i > 0 ? f : d", Some(Float(FloatKind::Double))),
            ("p + i", Some(Index)),
            ("p + u", None),
            ("3000000000", Some(Int(IntKind::Long))),
        ] {
            assert_eq!(value(text), ty, "{text}");
        }
    }

    #[test]
    fn a_name_of_two_types_has_none() {
        let (int, float) = (ScalarType::Int(IntKind::Int), ScalarType::Float(FloatKind::Float));
        let types = Types::from_iter([("a".into(), int), ("a".into(), float), ("b".into(), int)]);
        assert_eq!((types.get("a"), types.is_unique("a")), (None, false));
        assert_eq!((types.get("b"), types.is_unique("b")), (Some(int), true));
    }
}
