//! Arrays whose rows pointers lead to: lengths that C does not say, and tables of pointers that are members of structures.

use super::{Expr, ExprKind, Unit, VarId};

/// Pointers that are members of the elements of an array, `p[i].row`, as a table of rows.
#[derive(Debug, Clone, Copy)]
pub struct TableInStructures<'u> {
    /// The pointer in the first element: `p[0].row`.
    first: &'u Expr,
}

impl<'u> TableInStructures<'u> {
    /// The pointer in another element.
    pub fn pointer(&self, at: &Expr) -> Expr {
        let mut out = self.first.clone();
        if let Some(subscript) = subscript(&mut out) {
            *subscript = at.clone();
        }
        out
    }

    /// The first element of the array.
    pub fn structure(&self) -> &'u Expr {
        element(self.first)
    }

    /// The array of structures.
    pub fn array(&self) -> &'u Expr {
        match &self.structure().kind {
            ExprKind::Index(array, _) => array,
            _ => self.structure(),
        }
    }
}

/// The element that a member is of.
pub fn element(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Member { base, arrow: false, .. } => element(base),
        _ => e,
    }
}

/// The subscript of the element that a member is of.
pub fn subscript(e: &mut Expr) -> Option<&mut Expr> {
    match &mut e.kind {
        ExprKind::Member { base, arrow: false, .. } => subscript(base),
        ExprKind::Index(_, at) => Some(at),
        _ => None,
    }
}

impl Unit {
    /// Adds what no C says of an array that pointers lead to the rows of.
    pub fn add_row_lengths(&mut self, of: VarId, n_pointers: usize) {
        // Of a table in structures, `(&p[0].row)`, what the address is of.
        let name = self.var(of).name.trim_start_matches("(&").trim_end_matches(')').to_owned();
        let lengths = (1..=n_pointers).map(|k| self.add_number(format!("rt_{name}_extent{k}"))).collect();
        self.row_lengths.insert(of, lengths);
    }

    /// The table that a variable stands for.
    pub fn table(&self, v: VarId) -> Option<TableInStructures<'_>> {
        let (_, first) = self.tables.iter().find(|(stands, _)| *stands == v)?;
        Some(TableInStructures { first })
    }
}
