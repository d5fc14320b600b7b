//! Arrays that are reached through structures and tables of pointers: `g->u[k]`, `grid.u[i][j]`, `field[2][i]`.
//!
//! What leads to the array (`g->u`) is a variable in all but name: the region assigns no pointer, so it holds one address
//! from its beginning to its end. It becomes a variable of its own, whose name is its text in C: the call site hands that
//! text over, and arrays that are the same memory are found out at the call like those behind other pointers. Pointers that are
//! members of the structures in an array, `points[i].at[k]`, are a table of rows whose pointers lie as far apart as the structures.
//! A pointer to a structure that another pointer leads to is such a variable, too: `(*image)->width` is a member behind `*image`.

use crate::ast::build::ast_builder::integer;
use crate::ast::tables;
use crate::ast::{Expr, ExprKind, Stmt, Storage, Type, UnOp, Unit, Var, VarId, print};
use crate::facts::arrays::element_type;
use crate::facts::symbolic::same_expr;
use crate::facts::{arrays, effects};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// The variables made so far, each with what it stands for.
#[derive(Debug, Default)]
pub struct Members {
    pub list: IndexMap<VarId, Expr>,
    /// The same variables by those that lead to what they stand for.
    by_root: BTreeMap<Option<VarId>, Vec<VarId>>,
    /// Tables of pointers that are subscripted by more than constants: the rows of one matrix.
    matrices: Vec<Expr>,
    /// The same in structures, each by the pointer in the first of them: `p[0].row`, where others have `p[i].row`.
    in_structures: Vec<Expr>,
}

impl Members {
    /// Takes note of the matrices in an expression.
    pub fn note(&mut self, e: &Expr) {
        e.walk(&mut |e| {
            if let ExprKind::Index(base, index) = &e.kind
                && matches!(e.ty, Type::Pointer { .. })
                && !matches!(index.kind, ExprKind::Int(_))
                && !self.is_matrix(base)
            {
                self.matrices.push((**base).clone());
            }
            if let Some((first, at)) = in_structure(e)
                && !matches!(at.kind, ExprKind::Int(_))
                && !self.in_structures.iter().any(|known| same_expr(known, &first))
            {
                self.in_structures.push(first);
            }
        });
    }

    fn is_matrix(&self, e: &Expr) -> bool {
        let stands_for = |v| self.list.get(&v);
        let e = if let ExprKind::Var(v) = e.kind { stands_for(v).unwrap_or(e) } else { e };
        self.matrices.iter().any(|m| same_expr(m, e))
    }

    /// Puts variables in the place of what leads to an array: of `g->u[1]` as a whole, before its part `g->u`.
    pub fn replace(&mut self, unit: &mut Unit, e: &mut Expr) {
        if let Some((first, mut at)) = in_structure(e)
            && self.in_structures.iter().any(|known| same_expr(known, &first))
        {
            let table = self.table(unit, first);
            self.replace(unit, &mut at);
            e.kind = ExprKind::Index(Box::new(table), Box::new(at));
            return;
        }
        if is_array(e) && !matches!(&e.kind, ExprKind::Index(base, _) if self.is_matrix(base)) {
            e.kind = ExprKind::Var(self.variable(unit, e));
            return;
        }
        if leads_to_structure(e) && !matches!(&e.kind, ExprKind::Index(base, _) if self.is_matrix(base)) {
            let (place, v) = (e.clone(), self.variable(unit, e));
            if unit.element(v).is_none() {
                unit.elements.push((v, place));
            }
            e.kind = ExprKind::Var(v);
            return;
        }
        e.children_mut().into_iter().for_each(|child| self.replace(unit, child));
    }

    /// The table of which that is the first pointer.
    fn table(&mut self, unit: &mut Unit, first: Expr) -> Expr {
        let (span, to) = (first.span, Box::new(first.ty.clone()));
        let ty = Type::Pointer { to, is_const: false, restrict: false };
        let kind = ExprKind::Unary(UnOp::AddrOf, Box::new(first.clone()));
        let var = self.variable(unit, &Expr { kind, ty, span });
        if unit.table(var).is_none() {
            unit.tables.push((var, first));
        }
        unit.read(var, span)
    }

    /// The numbers that names of arrays in a statement are made of, and tables of pointers.
    pub fn numbers(&self, unit: &Unit, s: &Stmt) -> BTreeSet<VarId> {
        let named = effects::mentioned([s]);
        let mut out = BTreeSet::new();
        let is_looked_up = |v: &VarId| match &unit.var(*v).ty {
            Type::Int(_) => true,
            Type::Array { of, .. } => matches!(**of, Type::Pointer { .. }),
            _ => false,
        };
        for e in named.iter().filter_map(|v| self.list.get(v)) {
            e.walk(&mut |e| out.extend(e.root().filter(is_looked_up)));
        }
        out
    }

    /// The variable that stands for an expression.
    pub fn variable(&mut self, unit: &mut Unit, e: &Expr) -> VarId {
        let alike = self.by_root.entry(e.root()).or_default();
        let is_same = |v: &&VarId| self.list.get(*v).is_some_and(|x| same_expr(x, e) && x.ty == e.ty);
        if let Some(v) = alike.iter().find(is_same) {
            return *v;
        }
        let text = print::expr(unit, e);
        let name =
            if matches!(e.kind, ExprKind::Binary(..) | ExprKind::Unary(..)) { format!("({text})") } else { text };
        let v = unit.add(Var::new(name, e.ty.clone(), Storage::Global, e.span));
        alike.push(v);
        self.list.insert(v, e.clone());
        v
    }
}

/// Of a pointer to a row that is a member of a structure in an array, `p[i].row`: the one in the first, `p[0].row`, and the
/// subscript.
fn in_structure(e: &Expr) -> Option<(Expr, Expr)> {
    let is_row = matches!(&e.ty, Type::Pointer { .. }) && arrays::n_pointers(&e.ty) == 0;
    if !is_row || !element_type(&e.ty).is_scalar() || !matches!(e.kind, ExprKind::Member { arrow: false, .. }) {
        return None;
    }
    let ExprKind::Index(array, _) = &tables::element(e).kind else { return None };
    if !is_fixed(array) || !array.ty.is_pointer_like() {
        return None;
    }
    let mut first = e.clone();
    let subscript = tables::subscript(&mut first)?;
    let zero = integer(0, subscript.span);
    let at = std::mem::replace(subscript, zero);
    Some((first, at))
}

/// Test that it leads to an array of numbers, always the same one while no pointer and no structure is assigned.
fn is_array(e: &Expr) -> bool {
    let leads = match &e.kind {
        ExprKind::Member { base, .. } => is_fixed(base),
        ExprKind::Index(base, index) => {
            matches!(e.ty, Type::Pointer { .. }) && matches!(index.kind, ExprKind::Int(_)) && is_fixed(base)
        }
        _ => false,
    };
    leads && arrays::rank(&e.ty).is_some_and(|r| r > 0) && element_type(&e.ty).is_scalar()
}

/// Test for a pointer to a structure that is found where another pointer leads, always the same one while no pointer is assigned:
/// `(*image)->width`.
fn leads_to_structure(e: &Expr) -> bool {
    let is_pointer = matches!(&e.ty, Type::Pointer { to, .. } if matches!(**to, Type::Struct(_)));
    is_pointer
        && matches!(&e.kind, ExprKind::Index(base, index) if matches!(index.kind, ExprKind::Int(_)) && is_fixed(base))
}

/// Test that it names one place while no pointer and no structure is assigned.
pub fn is_fixed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Member { base, .. } => is_fixed(base),
        ExprKind::Index(base, index) => matches!(index.kind, ExprKind::Int(_)) && is_fixed(base),
        _ => false,
    }
}
