//! What one run of a statement takes a core of the host, in additions and in accesses to memory that lies in a row.
//!
//! The weights are measured ones ([`host`]). What a statement counts is multiplied in the entry by how often it runs, and
//! by what an addition or an access takes there.
//! ```text
//! y[i] = x[i] / s      6 additions (a division is five), 2 accesses
//! t += a[j][i]         over j: 1 addition, 4 accesses: the elements do not lie in a row
//! ```
//! What a compiler finds is not counted twice: an expression whose value an iteration has already, one of numbers that a loop does
//! not change, the condition that several statements are under (common subexpressions and invariants: Aho, Lam, Sethi and
//! Ullman, *Compilers*, chapter 9).

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, UnOp, Unit, VarId};
use crate::cost::host;
use crate::facts::loops;
use crate::facts::symbolic::same_expr;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, Statement, StaticPart};
use std::collections::{BTreeMap, BTreeSet};

use innermost::Innermost;

mod innermost;

/// Costs of the statements of a part, one behind the other: what an iteration has touched and computed, it need not again.
pub(super) struct Costs<'a> {
    unit: &'a Unit,
    part: &'a StaticPart,
    /// Numbers that are conditions alone.
    flags: BTreeSet<VarId>,
    innermost: Innermost,
    /// Elements and values that an iteration of these loops has at hand.
    at_hand: BTreeMap<&'a [LoopId], AtHand<'a>>,
}

#[derive(Default)]
struct AtHand<'a> {
    elements: Vec<&'a Access>,
    values: Vec<&'a Expr>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(unit: &'a Unit, part: &'a StaticPart) -> Self {
        Costs { unit, part, flags: flags(part), innermost: Innermost::new(part), at_hand: BTreeMap::new() }
    }

    /// The operations of a statement, but for those of subscripts, and its accesses to arrays beside what is at hand. What is under a
    /// condition on data counts by half. There is no number of operations where a function has a loop or calls itself.
    pub(super) fn of_statement(&mut self, stmt: &'a Statement) -> (Option<i64>, i64) {
        let at_hand = self.at_hand.entry(&stmt.loops).or_default();
        let inner = self.innermost.of(stmt);
        let within = Within { part: self.part, inner, values: &mut at_hand.values };
        let mut operations = Operations { unit: self.unit, within: Some(within), known: &mut BTreeMap::new() };
        let all = operations.of_body(&stmt.body);
        let sets_flag = |x: &Access| is_write(x) && x.subscripts.is_empty() && self.flags.contains(&x.data);
        let all = all.map(|n| if stmt.accesses.iter().any(sets_flag) { n + host::CONDITION } else { n });
        for x in stmt.accesses.iter().filter(|x| is_write(x)) {
            self.at_hand.values_mut().for_each(|hand| hand.values.retain(|e| !e.mentions(x.data)));
        }
        let at_hand = self.at_hand.entry(&stmt.loops).or_default();
        let accesses = accesses(self.part, stmt, inner, &mut at_hand.elements);
        let waits = inner.map_or(0, |inner| innermost::waits(self.part, stmt, inner));
        (all.map(|n| host::waiting(n, accesses, waits)), accesses)
    }

    /// Iterations of a statement's innermost loop that a compiler does at once.
    pub(super) fn at_once(&self, stmt: &Statement) -> i64 {
        self.innermost.at_once(stmt)
    }
}

/// Numbers that some condition of a part is alone: a core guesses once, where it is set.
fn flags(part: &StaticPart) -> BTreeSet<VarId> {
    let mut flags = BTreeSet::new();
    for stmt in &part.stmts {
        stmt.body.walk(&mut |piece| {
            if let Piece::Stmt(Stmt { kind: StmtKind::If { cond, .. }, .. }) = piece {
                flags.extend(flag(cond));
            }
        });
    }
    flags
}

/// The number that a condition is, or is not.
fn flag(cond: &Expr) -> Option<VarId> {
    match &cond.kind {
        ExprKind::Var(v) => Some(*v),
        ExprKind::Unary(UnOp::Not, e) => flag(e),
        _ => None,
    }
}

/// The operations of functions that were met; none of those that are being counted.
type Functions<'a> = BTreeMap<&'a str, Option<i64>>;

/// Surroundings of a statement.
struct Within<'w, 'a> {
    part: &'a StaticPart,
    inner: Option<LoopId>,
    /// Values that the iteration has computed.
    values: &'w mut Vec<&'a Expr>,
}

impl<'a> Within<'_, 'a> {
    /// Test for a value of numbers alone that no statement of the part sets.
    fn is_told(&self, e: &Expr) -> bool {
        let mut is_told = true;
        e.walk(&mut |e| {
            is_told &= match &e.kind {
                ExprKind::Var(v) => !self.part.data.contains_key(v),
                ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Cast(_) | ExprKind::Binary(..) => true,
                ExprKind::Unary(op, _) => !matches!(op, UnOp::Deref | UnOp::AddrOf),
                _ => false,
            }
        });
        is_told
    }

    /// Test for what a compiler computes once, before the innermost loop or in an iteration.
    fn is_at_hand(&self, e: &Expr) -> bool {
        let is_constant = |l: LoopId| self.is_told(e) && !e.mentions(self.part.get_loop(l).var);
        self.inner.is_some_and(is_constant) || self.values.iter().any(|known| same_expr(known, e))
    }
}

/// The operations of statements of a part, or of a function's, which nothing is known around.
struct Operations<'w, 'a> {
    unit: &'a Unit,
    within: Option<Within<'w, 'a>>,
    known: &'w mut Functions<'a>,
}

impl<'a> Operations<'_, 'a> {
    fn of_body(&mut self, body: &'a Stmt) -> Option<i64> {
        match &body.kind {
            StmtKind::Block(all) => all.iter().try_fold(0i64, |n, s| Some(n.saturating_add(self.of_body(s)?))),
            StmtKind::If { cond, then, other } => {
                let condition = self.of_exprs(&[cond])?;
                let branches: Vec<&Stmt> = std::iter::once(then).chain(other).map(|branch| &**branch).collect();
                let all = branches.iter().try_fold(0i64, |n, s| Some(n.saturating_add(self.of_body(s)?)))?;
                // One that only chooses between numbers is an instruction and no jump; else the data take the one branch or the other.
                let chooses = branches.iter().all(|branch| innermost::chooses(branch));
                let is_known = |w: &Within| w.is_told(cond) || flag(cond).is_some();
                let choice = if chooses || self.within.as_ref().is_some_and(is_known) { 1 } else { host::CONDITION };
                Some(condition.saturating_add(choice).saturating_add(if chooses { all } else { all / 2 }))
            }
            _ => {
                let mut exprs = vec![];
                body.exprs(&mut |e| exprs.push(e));
                self.of_exprs(&exprs)
            }
        }
    }

    /// The operations of some expressions.
    fn of_exprs(&mut self, exprs: &[&'a Expr]) -> Option<i64> {
        exprs.iter().try_fold(0i64, |n, e| Some(n.saturating_add(self.of_expr(e)?)))
    }

    fn of_expr(&mut self, e: &'a Expr) -> Option<i64> {
        let own = match &e.kind {
            ExprKind::Index(..) => return Some(0),
            ExprKind::Binary(..) if self.within.as_ref().is_some_and(|w| w.is_at_hand(e)) => return Some(0),
            ExprKind::Binary(BinOp::Div | BinOp::Rem, ..) => host::DIVISION,
            ExprKind::Binary(..) | ExprKind::Assign { .. } | ExprKind::IncDec { .. } => 1,
            ExprKind::Call { name, .. } => match self.unit.function(name) {
                Some(f) => self.of_function(f)?,
                None => host::operations_of_call(name),
            },
            _ => 0,
        };
        let all = self.of_exprs(&e.children())?;
        if let (Some(within), ExprKind::Binary(..)) = (&mut self.within, &e.kind) {
            within.values.push(e);
        }
        Some(all.saturating_add(own))
    }

    fn of_function(&mut self, f: &'a Function) -> Option<i64> {
        if let Some(operations) = self.known.get(f.name.as_str()) {
            return *operations;
        }
        self.known.insert(&f.name, None);
        let mut within = Operations { unit: self.unit, within: None, known: self.known };
        let operations = if loops::has_loop(&f.body) { None } else { within.of_body(&f.body) };
        self.known.insert(&f.name, operations);
        operations
    }
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

/// The accesses to elements that are not at hand, as many in a row as take as long. What lies a constant distance from an element
/// that the iteration touches, as parts of a structure and neighbours in a grid do, is in the core's cache by then, as is what the
/// iteration before it touched.
fn accesses<'a>(part: &StaticPart, stmt: &'a Statement, inner: Option<LoopId>, at_hand: &mut Vec<&'a Access>) -> i64 {
    let is_short = |l: &&LoopId| !part.get_loop(**l).may_exceed(host::NEAR);
    let short: Vec<_> = stmt.loops.iter().rev().take_while(is_short).map(|l| part.get_loop(*l).var).collect();
    let is_in_window = |x: &Access| x.index.iter().flatten().any(|p| short.iter().any(|v| p.uses(*v)));
    let mut parts = 0;
    for x in stmt.accesses.iter().filter(|x| !x.subscripts.is_empty()) {
        if at_hand.iter().any(|y| x.data == y.data && is_same(&x.subscripts, &y.subscripts)) {
            continue;
        }
        let stays = stmt.loops.last().is_some_and(|l| innermost::step(part, *l, x) == Some(0));
        let weight = if stays || is_in_window(x) || at_hand.iter().any(|y| is_at_constant_distance(x, y)) {
            1
        } else if is_near(part, stmt, inner, x) || at_hand.iter().any(|y| are_looked_up(x, y)) {
            host::CACHED
        } else {
            host::CACHED * host::SCATTERED
        };
        parts += if x.surely { 2 * weight } else { weight };
        at_hand.push(x);
    }
    (parts + host::CACHED) / (2 * host::CACHED)
}

/// Test for two accesses to one array at places that the data choose: a core waits for both at once, and tables are short.
fn are_looked_up(x: &Access, y: &Access) -> bool {
    x.data == y.data && x.index.is_none() && y.index.is_none()
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
fn is_near(part: &StaticPart, stmt: &Statement, inner: Option<LoopId>, x: &Access) -> bool {
    let is_long = |l: &&LoopId| part.get_loop(**l).may_exceed(host::NEAR);
    let inner = inner.iter().chain(stmt.loops.iter().rev()).find(is_long).or(stmt.loops.last());
    let Some(inner) = inner else { return true };
    innermost::step(part, *inner, x).is_some_and(|step| step.abs() <= host::NEAR)
}
