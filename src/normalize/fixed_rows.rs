//! Rows of a table of pointers that a nest uses one of: `double *in[4]; ... in[g][j*n + i]` for one `g`.
//!
//! ```text
//! for (j = 0; j < n; j++)                              for (j...)
//!     for (i = 0; i < n; i++)                  ->          for (i...)
//!         out[g][j*n + i] = in[g][j*n + i];                    (out[g])[j*n + i] = (in[g])[j*n + i];
//! ```
//! The row is an array of its own, whose rows are found in its subscripts as those of any other
//! ([`delinearise`](crate::region::delinearise)). It is done where these have strides; else a table is seen as a matrix. The
//! call site looks the pointer up, as those of [`super::arrays_in_structures`], also where no iteration runs: so only in tables
//! whose length C says, and in their first row where the subscript is none of theirs.

use super::arrays_in_structures::Members;
use super::form::{Context, Form};
use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::symbolic::same_expr;
use std::collections::BTreeSet;

/// Puts variables in the place of such rows in the nests of a statement.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.rotation.is_some() {
        return;
    }
    let seen = &context.facts.seen;
    // Numbers that are set, and elements behind pointers, which a table keeps.
    let mut changing = &*form.assigned() | &form.declared();
    changing.extend(seen);
    let set = pointers_set(&form.stmt);
    let named = form.mentioned();
    let named = named.iter().filter(|v| !set.contains(v) && !seen.contains(v));
    let tables: Vec<(VarId, i64)> = named.filter_map(|v| Some((*v, length(context.unit, *v)?))).collect();
    for (table, length) in tables {
        inside(context.unit, context.members, &mut form.stmt, (table, length), &changing);
    }
}

/// The variables of which a statement sets pointers: themselves, or in a table.
fn pointers_set(s: &Stmt) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    s.exprs(&mut |e| {
        e.walk(&mut |e| {
            if let ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } = &e.kind
                && target.ty.is_pointer_like()
            {
                out.extend(target.root());
            }
        });
    });
    out
}

/// Number of pointers in a table of the program's own.
fn length(unit: &Unit, v: VarId) -> Option<i64> {
    let var = unit.var(v);
    let Type::Array { of, len: Some(len) } = &var.ty else { return None };
    let is_table = matches!(&**of, Type::Pointer { to, .. } if to.is_scalar()) && !var.is_volatile;
    match len.kind {
        ExprKind::Int(n) if is_table && n > 0 && var.storage != Storage::Param => Some(n),
        _ => None,
    }
}

/// Looks for the outermost loops in which one row alone is used.
fn inside(unit: &mut Unit, members: &mut Members, s: &mut Stmt, table: (VarId, i64), changing: &BTreeSet<VarId>) {
    if !effects::mentioned([&*s]).contains(&table.0) {
        return;
    }
    let is_nest = matches!(s.kind, StmtKind::For { .. });
    let Some(at) = is_nest.then(|| row(unit, s, table.0, changing)).flatten() else {
        s.stmts_mut().into_iter().for_each(|s| inside(unit, members, s, table, changing));
        return;
    };
    let (v, length) = table;
    let span = s.span;
    let is_within = binary(
        BinOp::And,
        binary(BinOp::Ge, at.clone(), integer(0, span)),
        binary(BinOp::Lt, at.clone(), integer(length, span)),
    );
    let kind = ExprKind::Cond(Box::new(is_within), Box::new(at.clone()), Box::new(integer(0, span)));
    let looked_up = Expr { kind, ty: at.ty.clone(), span };
    let base = unit.read(v, span);
    let Type::Array { of, .. } = base.ty.clone() else { return };
    let row = members.variable(unit, &Expr { kind: ExprKind::Index(base.into(), looked_up.into()), ty: *of, span });
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |e| {
            if matches!(&e.kind, ExprKind::Index(base, _) if base.is_var(v)) {
                e.kind = ExprKind::Var(row);
            }
        });
    });
}

/// The subscript of the one row of a table that a nest uses, if it goes through that by strides, and nothing changes which it is.
fn row(unit: &Unit, nest: &Stmt, table: VarId, changing: &BTreeSet<VarId>) -> Option<Expr> {
    let (mut n_named, mut has_strides) = (0, false);
    let mut rows: Vec<Expr> = vec![];
    nest.exprs(&mut |e| {
        e.walk(&mut |e| {
            n_named += usize::from(e.is_var(table));
            let ExprKind::Index(row, subscript) = &e.kind else { return };
            let ExprKind::Index(base, at) = &row.kind else { return };
            if base.is_var(table) {
                rows.push((**at).clone());
                has_strides |= is_strided(subscript);
            }
        });
    });
    let (at, rest) = rows.split_first().filter(|_| n_named == rows.len() && has_strides)?;
    let mut is_fixed = matches!(at.ty, Type::Int(IntKind::Int | IntKind::Long)) && !matches!(at.kind, ExprKind::Int(_));
    at.walk(&mut |e| {
        is_fixed &= match &e.kind {
            ExprKind::Var(v) => {
                !changing.contains(v) && matches!(unit.var(*v).storage, Storage::Local | Storage::Param)
            }
            _ => !effects::reads_memory(e),
        };
    });
    (is_fixed && effects::is_plain(at) && rest.iter().all(|other| same_expr(other, at))).then(|| at.clone())
}

/// Test for a subscript in which numbers are multiplied that are no constants.
fn is_strided(subscript: &Expr) -> bool {
    let is_constant = |e: &Expr| matches!(e.kind, ExprKind::Int(_));
    let mut found = false;
    subscript.walk(&mut |e| {
        found |= matches!(&e.kind, ExprKind::Binary(BinOp::Mul, a, b) if !is_constant(a) && !is_constant(b));
    });
    found
}
