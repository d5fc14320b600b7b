//! Numbers that a loop around nests keeps from step to step by what the host knows: the row of a history that the next
//! state goes to, the buffer whose turn it is. A nest in which they stand has them as parameters where the host runs that loop;
//! else one thread would run the nest in order, as it alone would know them.

use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::loops::{has_loop, is_loop};
use std::collections::BTreeSet;

/// Test that the body of a loop keeps a number which its nests, or conditions of them, ask for. `is_hosts` tests that the host
/// can compute a value.
pub fn keeps_one(unit: &Unit, body: &Stmt, is_hosts: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found =
        Found { unit, is_hosts, set: BTreeSet::new(), refused: BTreeSet::new(), asked_for: BTreeSet::new() };
    found.look(body, true);
    let own = effects::declared([body]);
    found.set.iter().any(|v| !found.refused.contains(v) && !own.contains(v) && found.asked_for.contains(v))
}

struct Found<'a> {
    unit: &'a Unit,
    is_hosts: &'a dyn Fn(&Expr) -> bool,
    /// Whole numbers that the host sets between nests; those that something else sets, too; what stands in nests or decides on them.
    set: BTreeSet<VarId>,
    refused: BTreeSet<VarId>,
    asked_for: BTreeSet<VarId>,
}

impl Found<'_> {
    /// `is_known`: the host knows whether it comes here.
    fn look(&mut self, s: &Stmt, is_known: bool) {
        match &s.kind {
            StmtKind::Block(list) => list.iter().for_each(|s| self.look(s, is_known)),
            StmtKind::If { cond, then, other } => {
                if has_loop(s) {
                    self.ask(cond);
                }
                let is_known = is_known && (self.is_hosts)(cond);
                self.look(then, is_known);
                other.iter().for_each(|s| self.look(s, is_known));
            }
            StmtKind::Expr(e) => self.note(e, is_known),
            _ if is_loop(s) => {
                self.asked_for.extend(effects::mentioned([s]));
                self.refused.extend(effects::assigned([s]));
            }
            _ => self.refused.extend(effects::assigned([s])),
        }
    }

    fn ask(&mut self, cond: &Expr) {
        cond.walk(&mut |e| self.asked_for.extend(variable(e)));
    }

    fn note(&mut self, e: &Expr, is_known: bool) {
        let (target, value) = match &e.kind {
            ExprKind::Assign { target, value, .. } => (target, Some(&**value)),
            ExprKind::IncDec { target, .. } => (target, None),
            ExprKind::Comma(a, b) => {
                self.note(a, is_known);
                return self.note(b, is_known);
            }
            _ => return self.refused.extend(assigned_within(e)),
        };
        let whole = variable(target).filter(|v| matches!(self.unit.var(*v).ty, Type::Int(_)));
        match whole {
            Some(v) if is_known && value.is_none_or(|e| (self.is_hosts)(e) && assigned_within(e).is_empty()) => {
                self.set.insert(v);
            }
            _ => self.refused.extend(assigned_within(e)),
        }
    }
}

fn variable(e: &Expr) -> Option<VarId> {
    match e.kind {
        ExprKind::Var(v) => Some(v),
        _ => None,
    }
}

fn assigned_within(e: &Expr) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    e.walk(&mut |e| out.extend(effects::assigned_by(e)));
    out
}
