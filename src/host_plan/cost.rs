//! What one run of a statement takes a core of the host, in additions and in accesses to memory that lies in a row.
//!
//! The weights are measured ones ([`host`]). What a statement counts is multiplied in the entry by how often it runs, and
//! by what an addition or an access takes there.
//! ```text
//! y[i] = x[i] / s      6 additions (a division is five), 2 accesses
//! t += a[j][i]         over j: 1 addition, 4 accesses: the elements do not lie in a row
//! ```

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, Unit};
use crate::cost::host;
use crate::region::symbolic::same_expr;
use crate::region::{Access, LoopId, Statement, StaticPart, functions};

/// The operations of a statement, but for those of subscripts, and its accesses to arrays. There is no number of
/// operations where it calls functions of the user's.
pub(super) fn of_statement(unit: &Unit, part: &StaticPart, stmt: &Statement) -> (Option<i64>, i64) {
    let (mut operations, mut is_known) = (conditions(&stmt.body), true);
    stmt.body.exprs(&mut |e| count(unit, e, &mut operations, &mut is_known));
    let accesses = accesses(part, stmt);
    if sums_up(part, stmt) {
        operations = host::of_sum(operations, accesses);
    }
    (is_known.then_some(operations), accesses)
}

/// Into how many parts like it the box around the iterations of a statement falls: where a loop begins or ends at the
/// counter of one around it, half of a square is left, a sixth of a cube.
pub(super) fn corners(part: &StaticPart, stmt: &Statement) -> i64 {
    let mut depths: Vec<(LoopId, i64)> = vec![];
    for id in &stmt.loops {
        let l = part.get_loop(*id);
        let deepest =
            |bound: &dyn Fn(&LoopId) -> bool| depths.iter().filter(|(x, _)| bound(x)).map(|(_, depth)| *depth).max();
        let first = deepest(&|x| l.first.uses(part.get_loop(*x).var));
        let last = deepest(&|x| l.limits.iter().any(|limit| limit.uses(part.get_loop(*x).var)));
        let depth = match (first, last) {
            (Some(depth), None) | (None, Some(depth)) => depth + 1,
            _ => 1,
        };
        depths.push((*id, depth));
    }
    depths.iter().map(|(_, depth)| depth).product()
}

fn conditions(body: &Stmt) -> i64 {
    let mut n = 0;
    body.walk(&mut |piece| n += i64::from(matches!(piece, Piece::Stmt(s) if matches!(s.kind, StmtKind::If { .. }))));
    n * host::CONDITION
}

fn count(unit: &Unit, e: &Expr, operations: &mut i64, is_known: &mut bool) {
    match &e.kind {
        ExprKind::Index(..) => return,
        ExprKind::Binary(BinOp::Div | BinOp::Rem, ..) => *operations += host::DIVISION,
        ExprKind::Binary(..) | ExprKind::Assign { .. } | ExprKind::IncDec { .. } => *operations += 1,
        ExprKind::Call { name, .. } => {
            *is_known &= unit.function(name).is_none();
            *operations += functions::operations(name);
        }
        _ => {}
    }
    e.children().into_iter().for_each(|x| count(unit, x, operations, is_known));
}

fn accesses(part: &StaticPart, stmt: &Statement) -> i64 {
    let is_same = |x: &Access, y: &Access| {
        let mut subscripts = x.subscripts.iter().zip(&y.subscripts);
        x.data == y.data && subscripts.len() == y.subscripts.len() && subscripts.all(|(a, b)| same_expr(a, b))
    };
    let mut seen: Vec<&Access> = vec![];
    for x in stmt.accesses.iter().filter(|x| !x.subscripts.is_empty()) {
        if !seen.iter().any(|y| is_same(x, y)) {
            seen.push(x);
        }
    }
    seen.iter().map(|x| if is_near(part, stmt, x) { 1 } else { host::SCATTERED }).sum()
}

/// Whether one iteration's element lies beside the next one's.
fn is_near(part: &StaticPart, stmt: &Statement, x: &Access) -> bool {
    let Some(inner) = stmt.loops.last() else { return true };
    let (Some(index), Some(data)) = (&x.index, part.data.get(&x.data)) else { return false };
    let v = part.get_loop(*inner).var;
    let mut length = Some(1i64); // of what lies behind a subscript
    for (k, p) in index.iter().enumerate().rev() {
        let step = length.and_then(|length| p.coefficient(v).abs().checked_mul(length));
        if p.uses(v) && !step.is_some_and(|step| (1..=host::NEAR).contains(&step)) {
            return false;
        }
        let extent = k.checked_sub(1).and_then(|before| data.shape.inner.get(before)?.as_constant());
        length = length.zip(extent).and_then(|(length, extent)| length.checked_mul(extent));
    }
    true
}

/// Whether each iteration of the innermost loop adds to what the one before it left, in floating numbers.
fn sums_up(part: &StaticPart, stmt: &Statement) -> bool {
    let (Some(r), Some(inner)) = (&stmt.reduction, stmt.loops.last()) else { return false };
    let v = part.get_loop(*inner).var;
    let stays = |x: &Access| x.index.as_ref().is_some_and(|index| index.iter().all(|p| !p.uses(v)));
    matches!(r.target.ty, Type::Float(_)) && stmt.accesses.iter().filter(|x| x.data == r.data).all(stays)
}
