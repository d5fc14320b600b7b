//! How much memory a pointer leads to, where the function itself allocates it.
//!
//! ```c
//! double *a = malloc(n * m * sizeof *a);      a has n * m elements, up to the end of this block
//! ```
//! That holds for the statements behind the allocation in its block, which all run after it, as long as none of them
//! changes the pointer or the variables that its size is computed from, or gives memory back, and nothing else in the
//! function bears the name of these. It says where a subscript that only the data know may lead to.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::allocation;
use crate::facts::arrays;
use crate::facts::changes::Changes;
use crate::facts::effects::{self, may_change};
use crate::source::Span;
use std::collections::BTreeSet;

/// Memory behind a pointer.
pub struct Allocation {
    pub data: VarId,
    /// The factors of the number of elements.
    pub extents: Vec<Expr>,
    /// The bytes of the source in which it holds.
    pub holds: Span,
}

/// The allocations of a function whose size is known.
pub fn find(unit: &Unit, f: &Function) -> Vec<Allocation> {
    let (mut out, mut is_clear) = (vec![], true);
    let seen = effects::seen_in_other_ways(unit, f);
    f.body.walk(&mut |piece| match piece {
        Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), .. }) => is_clear = false,
        Piece::Stmt(Stmt { kind: StmtKind::Block(list), .. }) => {
            for (at, s) in list.iter().enumerate() {
                for (data, value) in set(s) {
                    let next = s.stmts().into_iter().chain(&list[at + 1..]);
                    out.extend(allocation(unit, f, &seen, data, value, &next.collect::<Vec<_>>()));
                }
            }
        }
        _ => {}
    });
    // A `goto` may lead past an allocation.
    if is_clear { out } else { vec![] }
}

/// What a statement surely puts into variables, and has no other effect on them but in the statements that it holds.
fn set(s: &Stmt) -> Vec<(VarId, &Expr)> {
    let assigned = |e| first(e).into_iter().collect();
    match &s.kind {
        StmtKind::Decl(ds) => {
            let is_plain = |e: &Expr| match allocation::arguments(e) {
                Some(args) => args.iter().all(effects::is_plain),
                None => effects::is_plain(e),
            };
            let inits = || ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?)));
            if inits().all(|(_, e)| is_plain(e)) { inits().collect() } else { vec![] }
        }
        StmtKind::Expr(e) => assigned(e),
        StmtKind::If { cond, .. } => assigned(cond),
        _ => vec![],
    }
}

/// The assignment in `a = ...`, `!(a = ...)`, `(a = ...) == NULL`, `!(a = ...) || !(b = malloc(...))`.
fn first(e: &Expr) -> Option<(VarId, &Expr)> {
    match &e.kind {
        ExprKind::Assign { op: None, target, value } => match target.kind {
            ExprKind::Var(v) => Some((v, value)),
            _ => None,
        },
        ExprKind::Unary(UnOp::Not, x) | ExprKind::Cast(x) => first(x),
        ExprKind::Binary(BinOp::Eq | BinOp::Ne, x, other) if effects::is_plain(other) => first(x),
        ExprKind::Binary(BinOp::Or, x, other) => {
            let allocates =
                |value: &Expr| allocation::arguments(value).is_some_and(|args| args.iter().all(effects::is_plain));
            let is_apart = |v| first(other).is_some_and(|(w, value)| w != v && allocates(value));
            first(x).filter(|(v, _)| effects::is_plain(other) || is_apart(*v))
        }
        _ => None,
    }
}

/// Test that memory may be given back in a statement, or in what it calls.
fn frees<'a>(unit: &'a Unit, s: &'a Stmt, callers: &mut Vec<&'a str>) -> bool {
    let mut frees = false;
    s.walk(&mut |piece| {
        let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) = piece else { return };
        frees |= ["free", "realloc"].contains(&name.as_str());
        if let Some(f) = unit.function(name)
            && !frees
            && !callers.contains(&name.as_str())
        {
            callers.push(name);
            frees |= self::frees(unit, &f.body, callers);
        }
    });
    frees
}

/// `next`: what runs behind it, as far as its block goes.
fn allocation(
    unit: &Unit,
    f: &Function,
    seen: &BTreeSet<VarId>,
    data: VarId,
    value: &Expr,
    next: &[&Stmt],
) -> Option<Allocation> {
    let var = unit.var(data);
    let Type::Pointer { to: element, .. } = &var.ty else { return None };
    let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile && !seen.contains(&data);
    if !is_own || arrays::n_pointers(&var.ty) > 0 {
        return None;
    }
    let extents = allocation::extents(allocation::arguments(value)?, element)?;
    let mut sizes = vec![];
    extents.iter().for_each(|e| e.walk(&mut |e| sizes.extend(e.root())));
    let declared = effects::declared([&f.body]);
    let is_hidden = |v: &VarId| declared.iter().any(|d| d != v && unit.var(*d).name == unit.var(*v).name);
    let keeps = |s: &&&Stmt| {
        let is_jumped_to = matches!(s.kind, StmtKind::Case(_));
        let is_moved = Changes::of([**s]).assigned.contains(&data) || frees(unit, s, &mut vec![&f.name]);
        !is_jumped_to && !is_moved && !sizes.iter().any(|v| may_change(unit, s, *v, 0, &mut vec![&f.name]))
    };
    let hi = next.iter().take_while(keeps).last()?.span.hi;
    (!sizes.iter().any(is_hidden)).then_some(Allocation { data, extents, holds: Span { lo: value.span.hi, hi } })
}
