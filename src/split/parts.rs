//! The parts of a loop's body: what is before the statements that cannot leave the host, these, and what is behind them.

use super::touches::{Looker, Touch, Unknown};
use crate::ast::build::constant::fold;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::callable;
use crate::facts::effects::{self, is_plain};
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, mirrored, step_of};
use crate::facts::liveness::are_setting;
use crate::facts::loops::is_loop;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Iterations of a loop that are worth one of its own.
const LEAST_LONG: i64 = 16;

/// A loop of a function that runs as several.
pub struct Parted<'u> {
    pub stmt: &'u Stmt,
    pub body: &'u Stmt,
    /// Its first value, and what it ends by: `last` or, if not `is_inclusive`, the one before.
    pub first: &'u Expr,
    pub last: &'u Expr,
    pub is_inclusive: bool,
    pub counter: VarId,
    pub parts: Vec<Part<'u>>,
}

/// One of the loops.
pub struct Part<'u> {
    /// Declarations that several parts have.
    pub copies: Vec<&'u Stmt>,
    /// Its statements.
    pub stmts: Vec<&'u Stmt>,
    /// Variables that an earlier part has left, each with whether they are declared here.
    pub loads: Vec<(VarId, bool)>,
    /// Variables that a later part wants.
    pub stores: Vec<VarId>,
}

/// Facts of the functions that a program's file calls.
pub struct Callees<'u> {
    unit: &'u Unit,
    stay: BTreeMap<&'u str, bool>,
    loops: BTreeMap<&'u str, bool>,
}

impl<'u> Callees<'u> {
    pub fn new(unit: &'u Unit) -> Self {
        Callees { unit, stay: BTreeMap::new(), loops: BTreeMap::new() }
    }

    /// Test that a statement calls what cannot leave the host, or what keeps a state from call to call.
    fn stays(&mut self, s: &'u Stmt) -> bool {
        s.calls().into_iter().any(|name| self.call_stays(name))
    }

    fn call_stays(&mut self, name: &'u str) -> bool {
        let Some(f) = self.unit.function(name) else { return callable::math(name).is_none() };
        if let Some(known) = self.stay.get(name) {
            return *known;
        }
        // A function that calls itself is one.
        self.stay.insert(&f.name, true);
        let assigned = effects::assigned([&f.body]);
        let keeps = |v: &VarId| {
            let var = self.unit.var(*v);
            matches!(var.storage, Storage::Global | Storage::StaticLocal) && effects::is_scalar(&var.ty)
        };
        let stays = assigned.iter().any(keeps) || self.stays(&f.body);
        self.stay.insert(&f.name, stays);
        stays
    }

    /// Test that a statement takes long enough to be worth a loop of its own.
    fn is_long(&mut self, s: &'u Stmt) -> bool {
        holds_long(s) || s.calls().into_iter().any(|name| self.call_is_long(name))
    }

    fn are_long(&mut self, all: &'u [Stmt]) -> bool {
        all.iter().any(|s| self.is_long(s))
    }

    fn call_is_long(&mut self, name: &'u str) -> bool {
        let Some(f) = self.unit.function(name) else { return false };
        if let Some(known) = self.loops.get(name) {
            return *known;
        }
        self.loops.insert(&f.name, false);
        let is_long = self.is_long(&f.body);
        self.loops.insert(&f.name, is_long);
        is_long
    }
}

/// The loop as several; `None` where it is to stay one.
pub fn parted<'u>(
    unit: &'u Unit,
    function: &'u Function,
    facts: &OnceCell<FunctionFacts<'u>>,
    stmt: &'u Stmt,
    callees: &mut Callees<'u>,
) -> Option<Parted<'u>> {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &stmt.kind else { return None };
    let (counter, first) = first_value(init)?;
    let (last, is_inclusive) = limit(cond, counter)?;
    let StmtKind::Block(stmts) = &body.kind else { return None };
    let stays: Vec<bool> = stmts.iter().map(|s| callees.stays(s)).collect();
    let (from, to) = (stays.iter().position(|s| *s)?, stays.iter().rposition(|s| *s)? + 1);
    let from = if callees.are_long(&stmts[..from]) { from } else { 0 };
    let to = if callees.are_long(&stmts[to..]) { with_next(stmts, from..to, callees) } else { stmts.len() };
    let is_counted =
        step_of(step, counter) == Some(1) && matches!(unit.var(counter).ty, Type::Int(_)) && is_plain(first);
    if from == 0 && to == stmts.len() || !is_counted || !is_straight(unit, stmt, body) {
        return None;
    }
    let facts = facts.get_or_init(|| FunctionFacts::of(unit, function));
    let loop_ = Loop { unit, facts, counter, body, heads: vec![first, cond, last] };
    let copied = loop_.copied(stmts);
    let groups = [&stmts[..from], &stmts[from..to], &stmts[to..]];
    let host = usize::from(from > 0);
    let parts: Vec<Vec<&Stmt>> =
        groups.iter().filter(|g| !g.is_empty()).map(|g| loop_.with_copies(g, &copied)).collect();
    let values = loop_.values(&parts, &copied)?;
    loop_.are_apart(&mut Looker::of_loop(unit, function, body), &parts, (host, &copied)).ok()?.then_some(())?;
    let part = |(all, (loads, stores)): (Vec<&'u Stmt>, Values)| {
        let (copies, stmts) = all.into_iter().partition(|s| is_among(&copied, s));
        Part { copies, stmts, loads, stores }
    };
    let parts = parts.into_iter().zip(values).map(part).collect();
    Some(Parted { stmt, body, first, last, is_inclusive, counter, parts })
}

/// Test for a loop of more than a few iterations.
fn holds_long(s: &Stmt) -> bool {
    let is_short = match &s.kind {
        StmtKind::For { init: Some(init), cond: Some(cond), .. } => {
            first_value(init).is_some_and(|(counter, first)| {
                let last = limit(cond, counter).and_then(|(last, _)| fold(last));
                last.zip(fold(first)).is_some_and(|(last, first)| last.saturating_sub(first) < LEAST_LONG)
            })
        }
        _ => false,
    };
    is_loop(s) && !is_short || s.stmts().into_iter().any(holds_long)
}

/// The end of the host's part with statements behind it that are short and leave it what its next iteration wants.
fn with_next<'u>(stmts: &'u [Stmt], host: Range<usize>, callees: &mut Callees<'u>) -> usize {
    let short = stmts[host.end..].iter().position(|s| callees.is_long(s)).unwrap_or_default();
    let wanted = effects::mentioned(&stmts[host.clone()]);
    let is_wanted = |s: &Stmt| effects::assigned([s]).iter().any(|v| wanted.contains(v));
    let last = stmts[host.end..host.end + short].iter().rposition(is_wanted);
    host.end + last.map_or(0, |at| at + 1)
}

/// The limit of a counter, and whether it is reached.
fn limit(cond: &Expr, counter: VarId) -> Option<(&Expr, bool)> {
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    let (op, limit) = match (a.is_var(counter), b.is_var(counter)) {
        (true, false) => (*op, b),
        (false, true) => (mirrored(*op), a),
        _ => return None,
    };
    let is_plain = is_plain(limit) && matches!(limit.ty, Type::Int(_)) && !limit.mentions(counter);
    let is_inclusive = match op {
        BinOp::Lt => false,
        BinOp::Le => true,
        _ => return None,
    };
    is_plain.then_some((limit, is_inclusive))
}

/// Test for a loop whose iterations all run from their first statement to their last, under no directive.
fn is_straight(unit: &Unit, stmt: &Stmt, body: &Stmt) -> bool {
    let is_volatile = |v: &VarId| unit.var(*v).is_volatile;
    let mut is_straight = stmt.is_modelled() && !body.exits().leaves();
    is_straight &= !effects::mentioned([stmt]).iter().any(is_volatile);
    stmt.walk(&mut |piece| {
        if let Piece::Stmt(s) = piece {
            is_straight &= s.directives.is_empty() && !matches!(s.kind, StmtKind::Directive(_));
        }
    });
    is_straight
}

struct Loop<'a, 'u> {
    unit: &'u Unit,
    facts: &'a FunctionFacts<'a>,
    counter: VarId,
    body: &'u Stmt,
    heads: Vec<&'u Expr>,
}

/// Loads and stores of a part.
type Values = (Vec<(VarId, bool)>, Vec<VarId>);

impl<'u> Loop<'_, 'u> {
    /// Declarations that each part may have for itself: without a value, or with one that nothing changes.
    fn copied(&self, stmts: &'u [Stmt]) -> Vec<&'u Stmt> {
        let assigned = effects::assigned([self.body]);
        let mut known: BTreeSet<VarId> = BTreeSet::new();
        let mut out = vec![];
        for s in stmts {
            let StmtKind::Decl(ds) = &s.kind else { continue };
            let is_fixed = |e: &Expr| {
                let mut is_fixed = is_plain(e);
                e.walk(&mut |x| {
                    if let ExprKind::Var(v) = x.kind {
                        is_fixed &= v == self.counter || known.contains(&v) || !assigned.contains(&v);
                    }
                });
                is_fixed
            };
            // A number is handed on, rather than read again.
            let is_copy = |v: VarId, e: &Expr| {
                let is_pointer = self.unit.var(v).ty.is_pointer_like();
                let is_set_once = self.facts.assignments(v).is_empty() && !self.facts.addresses().contains(&v);
                is_set_once && is_fixed(e) && (is_pointer || !reads(e))
            };
            if ds.iter().all(|d| d.init.as_ref().is_none_or(|e| is_copy(d.var, e))) {
                known.extend(ds.iter().filter(|d| d.init.is_some()).map(|d| d.var));
                out.push(s);
            }
        }
        out
    }

    /// Statements of the body with those declarations that they speak of, in their order.
    fn with_copies(&self, group: &'u [Stmt], copied: &[&'u Stmt]) -> Vec<&'u Stmt> {
        let own: Vec<&Stmt> = group.iter().filter(|s| !is_among(copied, s)).collect();
        let mut wanted = effects::mentioned(own.iter().copied());
        let mut declarations = vec![];
        for s in copied.iter().rev() {
            if effects::declared([*s]).iter().any(|v| wanted.contains(v)) {
                wanted.extend(effects::mentioned([*s]));
                declarations.push(*s);
            }
        }
        declarations.into_iter().rev().chain(own).collect()
    }

    /// Loads and stores of each part; `None` where a value has another way to go.
    fn values(&self, parts: &[Vec<&'u Stmt>], copied: &[&'u Stmt]) -> Option<Vec<Values>> {
        let taken = self.facts.addresses();
        let is_number = |v: VarId| matches!(self.unit.var(v).storage, Storage::Local | Storage::Param);
        let written: Vec<BTreeSet<VarId>> = parts.iter().map(|p| self.written(p, copied)).collect();
        let named: Vec<BTreeSet<VarId>> = parts.iter().map(|p| effects::mentioned(p.iter().copied())).collect();
        let all: BTreeSet<VarId> = written.iter().flatten().copied().collect();
        let heads: BTreeSet<VarId> = self.heads.iter().flat_map(|e| effects::variables(e)).collect();
        if all.contains(&self.counter) || taken.contains(&self.counter) {
            return None;
        }
        let mut out: Vec<Values> = vec![(vec![], vec![]); parts.len()];
        for v in all {
            if heads.contains(&v) {
                return None;
            }
            let by: Vec<usize> =
                (0..parts.len()).filter(|k| named[*k].contains(&v) || written[*k].contains(&v)).collect();
            if by.len() < 2 || !is_number(v) {
                continue;
            }
            let writers: Vec<usize> = by.iter().copied().filter(|k| written[*k].contains(&v)).collect();
            // A declaration that a part has a copy of says nothing of what the iteration has put there.
            let own = |k: usize| parts[k].iter().copied().filter(|s| !is_among(copied, s)).collect::<Vec<_>>();
            let sets = |k: usize| are_setting(&own(k), v);
            // An iteration finds there what the same iteration has left.
            if by[0] != writers[0] || writers.len() > 1 && !sets(writers[0]) {
                return None;
            }
            if !effects::is_scalar(&self.unit.var(v).ty) {
                return None;
            }
            let is_declared = |k: usize| effects::declared(parts[k].iter().copied()).contains(&v);
            let is_local = (0..parts.len()).any(is_declared);
            for k in by {
                if k > writers[0] && !sets(k) {
                    out[k].0.push((v, is_local && !is_declared(k)));
                }
                if written[k].contains(&v) && k + 1 < parts.len() {
                    out[k].1.push(v);
                }
            }
        }
        // A part that declares what it loads would hide it.
        let hides = |(k, (loads, _)): (usize, &Values)| {
            let own = parts[k].iter().filter(|s| !is_among(copied, s));
            let declared: BTreeSet<VarId> = effects::declared(own.copied());
            loads.iter().any(|(v, _)| declared.contains(v))
        };
        (!out.iter().enumerate().any(hides)).then_some(out)
    }

    /// The variables of the function's own that a part gives values.
    fn written(&self, part: &[&'u Stmt], copied: &[&'u Stmt]) -> BTreeSet<VarId> {
        let own = part.iter().filter(|s| !is_among(copied, s));
        let mut out = effects::assigned(own.copied());
        part.iter().for_each(|s| {
            s.exprs(&mut |e| {
                e.walk(&mut |x| {
                    if let ExprKind::Unary(UnOp::AddrOf, a) = &x.kind
                        && let ExprKind::Var(v) = a.kind
                    {
                        out.insert(v);
                    }
                });
            });
        });
        // An element that is assigned is memory, unless the array is the iteration's own.
        let inside = effects::declared([self.body]);
        out.retain(|v| !self.unit.var(*v).ty.is_pointer_like() || inside.contains(v) || self.moves(part, *v));
        out
    }

    /// Test that a pointer itself gets another value.
    fn moves(&self, part: &[&'u Stmt], v: VarId) -> bool {
        part.iter().any(|s| effects::assigned_whole(s).contains(&v))
    }

    /// Test that no part of an iteration touches what a part of another one does that changes places with it, and that the
    /// parts beside that of the host write what an iteration has for itself.
    fn are_apart(
        &self,
        looker: &mut Looker<'u>,
        parts: &[Vec<&'u Stmt>],
        (host, copied): (usize, &[&'u Stmt]),
    ) -> Result<bool, Unknown> {
        let head = looker.of_exprs(self.counter, &self.heads)?;
        // Copies are computed again behind what parts before have written.
        let again = looker.touches(self.counter, copied)?.into_iter().map(Touch::anywhere);
        let fixed: Vec<Touch> = head.into_iter().map(Touch::anywhere).chain(again).collect();
        let touched: Vec<Vec<Touch>> =
            parts.iter().map(|p| looker.touches(self.counter, p)).collect::<Result<_, _>>()?;
        let is_own = |k: usize| k == host || touched[k].iter().all(|t| !t.is_write || t.has_counter);
        if !(0..parts.len()).all(is_own) {
            return Ok(false);
        }
        for k in 0..parts.len() {
            let meets = |t| touched[k].iter().any(|x| looker.meet(t, x));
            if fixed.iter().any(meets) || touched[..k].iter().flatten().any(meets) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Test that an expression reads memory.
fn reads(e: &Expr) -> bool {
    let mut reads = false;
    e.walk(&mut |e| reads |= effects::reads_memory(e));
    reads
}

fn is_among(some: &[&Stmt], s: &Stmt) -> bool {
    some.iter().any(|x| std::ptr::eq(*x, s))
}

/// The outermost loops of a statement.
pub fn loops<'u>(s: &'u Stmt, found: &mut dyn FnMut(&'u Stmt) -> bool) {
    if is_loop(s) && found(s) {
        return;
    }
    s.stmts().into_iter().for_each(|s| loops(s, found));
}
