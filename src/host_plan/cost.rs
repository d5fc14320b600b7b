//! What one run of a statement takes a core of the host, in additions and in accesses to memory that lies in a row.
//!
//! The weights are measured ones ([`host`]). What a statement counts is multiplied in the entry by how often it runs, and
//! by what an addition or an access takes there.
//! ```text
//! y[i] = x[i] / s      6 additions (a division is five), 2 accesses
//! t += a[j][i]         over j: 1 addition, 4 accesses: the elements do not lie in a row
//! ```

use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Type, UnOp, Unit};
use crate::cost::host;
use crate::region::symbolic::same_expr;
use crate::region::{Access, LoopId, Statement, StaticPart, functions, loops};
use std::collections::BTreeMap;

/// Elements that an iteration has touched so far: those of statements in the same loops, which run one behind the other.
pub(super) type AtHand<'a> = Vec<&'a Access>;

/// The operations of a statement, but for those of subscripts, and its accesses to arrays beside what is at hand. What is under a
/// condition on data counts by half. There is no number of operations where a function has a loop or calls itself.
pub(super) fn of_statement<'a>(
    unit: &Unit,
    part: &StaticPart,
    stmt: &'a Statement,
    at_hand: &mut AtHand<'a>,
) -> (Option<i64>, i64) {
    let operations = of_body(unit, &stmt.body, &mut BTreeMap::new());
    let accesses = accesses(part, stmt, at_hand);
    let is_sum = sums_up(part, stmt);
    (operations.map(|n| if is_sum { host::of_sum(n, accesses) } else { n }), accesses)
}

/// The operations of functions that were met; none of those that are being counted.
type Functions<'a> = BTreeMap<&'a str, Option<i64>>;

fn of_body<'a>(unit: &'a Unit, body: &'a Stmt, known: &mut Functions<'a>) -> Option<i64> {
    match &body.kind {
        StmtKind::Block(all) => all.iter().try_fold(0i64, |n, s| Some(n.saturating_add(of_body(unit, s, known)?))),
        StmtKind::If { cond, then, other } => {
            let condition = of_exprs(unit, &[cond], known)?;
            let branches: Vec<&Stmt> = std::iter::once(then).chain(other).map(|branch| &**branch).collect();
            let all = branches.iter().try_fold(0i64, |n, s| Some(n.saturating_add(of_body(unit, s, known)?)))?;
            // One that only chooses between numbers is an instruction and no jump; else the data take the one branch or the other.
            let (choice, taken) =
                if branches.iter().all(|branch| chooses(branch)) { (1, all) } else { (host::CONDITION, all / 2) };
            Some(condition.saturating_add(choice).saturating_add(taken))
        }
        _ => {
            let mut exprs = vec![];
            body.exprs(&mut |e| exprs.push(e));
            of_exprs(unit, &exprs, known)
        }
    }
}

/// The operations of some expressions.
fn of_exprs<'a>(unit: &'a Unit, exprs: &[&'a Expr], known: &mut Functions<'a>) -> Option<i64> {
    let (mut operations, mut is_known) = (0, true);
    exprs.iter().for_each(|e| count(unit, e, &mut operations, &mut is_known, known));
    is_known.then_some(operations)
}

fn of_function<'a>(unit: &'a Unit, f: &'a Function, known: &mut Functions<'a>) -> Option<i64> {
    if let Some(operations) = known.get(f.name.as_str()) {
        return *operations;
    }
    known.insert(&f.name, None);
    let operations = if loops::has_loop(&f.body) { None } else { of_body(unit, &f.body, known) };
    known.insert(&f.name, operations);
    operations
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

/// Test that a branch reaches no memory and calls nothing.
fn chooses(branch: &Stmt) -> bool {
    let mut does = true;
    branch.exprs(&mut |e| {
        e.walk(&mut |e| {
            does &= !matches!(e.kind, ExprKind::Index(..) | ExprKind::Call { .. } | ExprKind::Unary(UnOp::Deref, _))
        })
    });
    does && !loops::has_loop(branch)
}

fn count<'a>(unit: &'a Unit, e: &'a Expr, operations: &mut i64, is_known: &mut bool, known: &mut Functions<'a>) {
    match &e.kind {
        ExprKind::Index(..) => return,
        ExprKind::Binary(BinOp::Div | BinOp::Rem, ..) => *operations += host::DIVISION,
        ExprKind::Binary(..) | ExprKind::Assign { .. } | ExprKind::IncDec { .. } => *operations += 1,
        ExprKind::Call { name, .. } => match unit.function(name).map(|f| of_function(unit, f, known)) {
            Some(Some(n)) => *operations = operations.saturating_add(n),
            Some(None) => *is_known = false,
            None => *operations += functions::operations(name),
        },
        _ => {}
    }
    e.children().into_iter().for_each(|x| count(unit, x, operations, is_known, known));
}

/// The accesses to elements that are not at hand, as many in a row as take as long. What lies a constant distance from an element
/// that the iteration touches, as parts of a structure and neighbours in a grid do, is in the core's cache by then.
fn accesses<'a>(part: &StaticPart, stmt: &'a Statement, at_hand: &mut AtHand<'a>) -> i64 {
    let is_short = |l: &&LoopId| !part.get_loop(**l).may_exceed(host::NEAR);
    let short: Vec<_> = stmt.loops.iter().rev().take_while(is_short).map(|l| part.get_loop(*l).var).collect();
    let is_in_window = |x: &Access| x.index.iter().flatten().any(|p| short.iter().any(|v| p.uses(*v)));
    let mut parts = 0;
    for x in stmt.accesses.iter().filter(|x| !x.subscripts.is_empty()) {
        if at_hand.iter().any(|y| x.data == y.data && is_same(&x.subscripts, &y.subscripts)) {
            continue;
        }
        let weight = if is_in_window(x) || at_hand.iter().any(|y| is_at_constant_distance(x, y)) {
            1
        } else if is_near(part, stmt, x) {
            host::CACHED
        } else {
            host::CACHED * host::SCATTERED
        };
        parts += if x.surely { 2 * weight } else { weight };
        at_hand.push(x);
    }
    (parts + host::CACHED) / (2 * host::CACHED)
}

fn is_same(x: &[Expr], y: &[Expr]) -> bool {
    x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same_expr(a, b))
}

/// Test for two accesses that are as far apart in each iteration.
fn is_at_constant_distance(x: &Access, y: &Access) -> bool {
    if x.data != y.data {
        return false;
    }
    if let (Some(x), Some(y)) = (&x.index, &y.index) {
        return x.iter().zip(y).all(|(a, b)| a.plus(b, -1).is_some_and(|d| d.as_constant().is_some()));
    }
    let (Some((last, row)), Some((other, other_row))) = (x.subscripts.split_last(), y.subscripts.split_last()) else {
        return false;
    };
    matches!((&last.kind, &other.kind), (ExprKind::Int(_), ExprKind::Int(_))) && is_same(row, other_row)
}

/// Test for an element beside that of the next iteration: of the innermost loop that a compiler does not write out.
fn is_near(part: &StaticPart, stmt: &Statement, x: &Access) -> bool {
    let is_long = |l: &&LoopId| part.get_loop(**l).may_exceed(host::NEAR);
    let Some(inner) = stmt.loops.iter().rev().find(is_long).or(stmt.loops.last()) else { return true };
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
