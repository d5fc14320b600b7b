//! Rows that a loop exchanges by their pointers: as on the device, which has all rows in one block, their elements change
//! places, and an array keeps whose row each one was.
//!
//! ```text
//! for (k = 0; k < n; k++) {              for (i = 0; i < n; i++) rt_rows[i] = i;
//!     ...                                for (k = 0; k < n; k++) {
//!     t = a[p];                              ...
//!     a[p] = a[k];                ->         for (c = 0; c < m; c++) { t = a[p][c]; a[p][c] = a[k][c]; a[k][c] = t; }
//!     a[k] = t;                              t = rt_rows[p]; rt_rows[p] = rt_rows[k]; rt_rows[k] = t;
//! }                                      }
//! ```
//! Before the rows go back to the host, its pointers change places as `rt_rows` says: each row's elements then lie where
//! the original leaves them, and those that the region does not touch went with their pointer. How many columns change
//! places follows from the subscripts in the loop and the headers of the loops around them (its module `reach`); that
//! they are all that the region touches of a row is asked where the plan is made (`src/host_plan/row_exchange.rs`).

mod reach;
mod swap;

use self::reach::Reach;
use self::swap::Swap;
use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, counted, declared, surround};
use crate::ast::build::typing;
use crate::ast::{Expr, ExprKind, IntKind, RowExchange, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::arrays::element_type;
use crate::facts::function::FunctionFacts;
use crate::facts::{arrays, effects};

const LONG: Type = Type::Int(IntKind::Long);

/// Opens the outermost loops of a statement that exchange rows.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, context.facts, &mut form.stmt);
}

fn inside(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt) {
    let mut found = vec![];
    swaps(s, &mut found);
    if found.is_empty() {
        return;
    }
    let is_opened = matches!(s.kind, StmtKind::For { .. }) && {
        let live = facts.live_behind(s.span);
        let is_free = |(_, held): &(VarId, VarId)| !facts.seen.contains(held) && !live.contains(*held);
        found.iter().all(is_free) && open_loop(unit, s, found[0].0).is_some()
    };
    if !is_opened {
        s.stmts_mut().into_iter().for_each(|s| inside(unit, facts, s));
    }
}

/// Test that a statement exchanges rows; of which matrix, and the variable in between.
fn swaps(s: &Stmt, out: &mut Vec<(VarId, VarId)>) {
    if let StmtKind::Block(list) = &s.kind {
        out.extend(list.windows(3).filter_map(Swap::of).map(|x| (x.matrix, x.held)));
    }
    s.stmts().into_iter().for_each(|s| swaps(s, out));
}

/// Puts others in the place of the statements that exchange rows of a matrix.
fn replace(s: &mut Stmt, matrix: VarId, by: &mut dyn FnMut(Swap) -> Vec<Stmt>) {
    if let StmtKind::Block(list) = &mut s.kind {
        let mut at = 0;
        while at + 3 <= list.len() {
            match Swap::of(&list[at..at + 3]).filter(|swap| swap.matrix == matrix) {
                Some(swap) => {
                    let held = swap.held;
                    list.splice(at..at + 3, by(swap));
                    let is_of_it = |s: &Stmt| matches!(&s.kind, StmtKind::Decl(ds) if matches!(ds.as_slice(), [d] if d.var == held));
                    list.retain(|s| !is_of_it(s));
                }
                None => at += 1,
            }
        }
    }
    s.stmts_mut().into_iter().for_each(|s| replace(s, matrix, by));
}

/// Opens a loop that exchanges the rows of a matrix.
fn open_loop(unit: &mut Unit, s: &mut Stmt, matrix: VarId) -> Option<()> {
    let ty = &unit.var(matrix).ty;
    let is_table = arrays::n_pointers(ty) == 1 && arrays::rank(ty) == Some(2) && unit.table(matrix).is_none();
    let elem = element_type(ty);
    if !is_table || !effects::is_scalar(&elem) {
        return None;
    }
    let (mut rest, mut held) = (s.clone(), vec![]);
    replace(&mut rest, matrix, &mut |swap| {
        held.push(swap.held);
        vec![]
    });
    let others = effects::mentioned([&rest]);
    if held.iter().any(|v| others.contains(v)) {
        return None;
    }
    let Reach { rows, columns } = reach::of(unit, s, matrix)?;
    let places = Type::Array { of: Box::new(LONG), len: Some(Box::new(rows.end.clone())) };
    let name = format!("rt_{}_rows", unit.var(matrix).name);
    let places = unit.add(Var::new(name, places, Storage::Local, s.span));
    let begin = counted(unit, "rt_at".into(), (rows.first.clone(), rows.end.clone()), s.span, |unit, at| {
        vec![assigned(None, &element(unit.read(places, s.span), at), at.clone(), s.span)]
    });
    let mut counters = vec![];
    replace(s, matrix, &mut |swap| {
        let span = swap.span;
        let table = unit.read(matrix, span);
        let elements = counted(unit, "rt_at".into(), (columns.first.clone(), columns.end.clone()), span, |unit, c| {
            counters.extend(c.root());
            let [x, y] = [&swap.p, &swap.q].map(|at| element(element(table.clone(), at), c));
            exchanged(unit, &x, &y, elem.clone())
        });
        let [x, y] = [&swap.p, &swap.q].map(|at| element(unit.read(places, span), at));
        [elements].into_iter().chain(exchanged(unit, &x, &y, LONG)).collect()
    });
    unit.row_exchanges.push(RowExchange { matrix, places, counters });
    surround(s, vec![begin], vec![]);
    Some(())
}

/// `base[at]`
fn element(base: Expr, at: &Expr) -> Expr {
    let (ty, span) = (typing::element(&base.ty), base.span);
    Expr { kind: ExprKind::Index(Box::new(base), Box::new(at.clone())), ty, span }
}

/// `t = x; x = y; y = t;`
fn exchanged(unit: &mut Unit, x: &Expr, y: &Expr, ty: Type) -> Vec<Stmt> {
    let held = unit.add(Var::new("rt_held", ty, Storage::Local, x.span));
    let back = unit.read(held, x.span);
    vec![declared(held, x.clone()), assigned(None, x, y.clone(), x.span), assigned(None, y, back, x.span)]
}
