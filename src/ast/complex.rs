//! Complex numbers of C99: structures of two numbers, the first three of every unit.
//!
//! C gives an array of complex numbers the memory of one of pairs (C17 6.2.5p13), so that a place that holds one is a
//! structure with members `re` and `im`. Variables and values are taken apart when the AST is built (`build/complex.rs`).

use super::{Expr, ExprKind, Field, FloatKind, Struct, StructId, Type, Var};

/// The kinds of complex numbers, in the order of their structures.
const KINDS: [FloatKind; 3] = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble];

/// The structures that every unit begins with.
pub fn structures() -> Vec<Struct> {
    let field = |name: &str, kind| Field { name: name.to_owned(), ty: Type::Float(kind) };
    let structure = |kind: FloatKind| Struct {
        name: Some(format!("{} _Complex", kind.c_name())),
        fields: Some(vec![field("re", kind), field("im", kind)]),
    };
    KINDS.map(structure).to_vec()
}

impl StructId {
    /// The real type that a complex structure has two of; none of a structure of the program.
    pub fn complex_of(self) -> Option<FloatKind> {
        KINDS.get(self.0 as usize).copied()
    }

    /// Number of a structure among those of the program.
    pub fn own_number(self) -> usize {
        self.0 as usize - KINDS.len()
    }
}

impl Type {
    /// The type of complex numbers over a real one.
    pub fn complex(of: FloatKind) -> Type {
        Type::Struct(StructId(KINDS.iter().position(|kind| *kind == of).unwrap_or_default() as u32))
    }

    /// The real type that a complex one has two of.
    pub fn complex_of(&self) -> Option<FloatKind> {
        if let Type::Struct(id) = self { id.complex_of() } else { None }
    }

    /// Test for complex numbers.
    pub fn is_complex(&self) -> bool {
        self.complex_of().is_some()
    }
}

/// The real (`re`) or imaginary (`im`) part of a place that holds a complex number.
pub fn member(base: &Expr, field: &str) -> Expr {
    let ty = base.ty.complex_of().map_or_else(|| base.ty.clone(), Type::Float);
    let kind = ExprKind::Member { base: Box::new(base.clone()), field: field.to_owned(), arrow: false };
    Expr { kind, ty, span: base.span }
}

/// Operator of GNU C that gives a part: of `z.re`, which no C has, `__real__ z` is the text.
pub fn part_in_c(field: &str) -> &'static str {
    if field == "re" { "__real__" } else { "__imag__" }
}

/// Names of the pointers behind which a function leaves its complex result.
pub const RESULTS: [&str; 2] = ["rt_result_re", "rt_result_im"];

/// Test for such a pointer: no C has it, and it leads to no memory of the program's.
pub fn is_result(var: &Var) -> bool {
    RESULTS.contains(&var.name.as_str())
}
