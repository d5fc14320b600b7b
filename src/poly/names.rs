//! Names that are unique in a region: the user's own, with a number where two variables share one.

use crate::ast::complex::part_in_c;
use crate::ast::wish::prefixed_once;
use crate::ast::{Expr, Unit, VarId};
use crate::facts::symbolic::same_expr;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// What isl's text format reserves.
const ISL_WORDS: &[&str] = &[
    "and", "or", "not", "exists", "implies", "mod", "floor", "floord", "ceil", "ceild", "min", "max", "infty",
    "infinity", "NaN", "true", "false", "rat",
];

/// A C identifier for what a text in C stands for: `g_u` for `g->u`, `u` for `(u - n)`, which leads to the same array, `z_re`
/// for `__real__ z`.
pub fn identifier(text: &str) -> String {
    for field in ["re", "im"] {
        if let Some(of) = text.strip_prefix(part_in_c(field)) {
            return format!("{}_{field}", identifier(of));
        }
    }
    let ahead = text.strip_prefix('(').and_then(|inner| inner.split_once(" - "));
    let text = ahead.map_or(text, |(array, _)| array);
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Names of variables, unique among all variables asked for.
#[derive(Debug, Clone, Default)]
pub struct Names {
    by_var: IndexMap<VarId, String>,
    by_expr: Vec<(Expr, String)>,
    taken: BTreeSet<String>,
}

impl Names {
    /// The name of a variable: given on the first call, the same ever after.
    pub fn of(&mut self, unit: &Unit, v: VarId) -> String {
        if let Some(name) = self.by_var.get(&v) {
            return name.clone();
        }
        let name = self.fresh(&identifier(&unit.var(v).name));
        self.by_var.insert(v, name.clone());
        name
    }

    /// The name of a value that an expression of the call site gives; expressions written the same share one.
    pub fn of_expr(&mut self, wish: &str, e: &Expr) -> String {
        if let Some((_, name)) = self.by_expr.iter().find(|(x, _)| same_expr(x, e)) {
            return name.clone();
        }
        let name = self.fresh(wish);
        self.by_expr.push((e.clone(), name.clone()));
        name
    }

    /// Names beside these.
    pub fn beside(taken: impl IntoIterator<Item = String>) -> Self {
        Names { taken: taken.into_iter().collect(), ..Names::default() }
    }

    /// A name that nothing else has, from a wish; `BLOCK_<d>` and such are a kernel's tunables.
    pub fn fresh(&mut self, base: &str) -> String {
        let base = prefixed_once(base);
        let is_sized = ["BLOCK_", "MERGE_", "SKEW_", "WINDOW_"].iter().any(|kind| base.starts_with(kind));
        let is_tunable = is_sized || ["DEPTH", "UNROLL", "STAGES", "CELLS", "RESIDENT", "STEP", "WIDE"].contains(&base);
        let taken = ISL_WORDS.iter().any(|word| word.eq_ignore_ascii_case(base)) || is_tunable;
        let base = if taken { format!("{base}_") } else { base.to_string() };
        let mut name = base.clone();
        let mut n = 1;
        while !self.taken.insert(name.clone()) {
            n += 1;
            name = format!("{base}_{n}");
        }
        name
    }

    /// Test that all variables and values that have a name here have it in the other, too.
    pub fn are_among(&self, other: &Names) -> bool {
        let is_same =
            |(x, name): &(Expr, String)| other.by_expr.iter().any(|(y, known)| known == name && same_expr(x, y));
        self.by_var.iter().all(|(v, name)| other.by_var.get(v) == Some(name)) && self.by_expr.iter().all(is_same)
    }

    /// The variable of that name.
    pub fn var(&self, name: &str) -> Option<VarId> {
        self.by_var.iter().find(|(_, n)| *n == name).map(|(v, _)| *v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_c_become_identifiers() {
        let all = ["g->u", "(u - n)", "__real__ z", "__imag__ s->z", "x"].map(identifier);
        assert_eq!(all, ["g_u", "u", "z_re", "s_z_im", "x"]);
    }
}
