//! Cyclic integers: small ones that a loop changes in turn: which of two buffers is the current one.
//!
//! ```text
//! int cur = 0;
//! for (t...) { ... u[1 - cur][i] = u[cur][i]; ... cur = 1 - cur; }        cur: 0, 1, 0, 1 ...
//! ```
//! Where their values before the loop are constants, and each step computes them from themselves alone, they are known in
//! every step. After a few steps all are what they were at first: so many turns there are, and in each of them the
//! integers are constants (module [`buffer_rotation`](crate::normalize::buffer_rotation) writes the copies of the body).

use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::function::FunctionFacts;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Values of integers at a place.
pub type State = BTreeMap<VarId, i64>;

/// Nothing larger is computed with: C's arithmetic cannot overflow then.
const MOST: i64 = 1 << 15;

/// The integers that a loop changes in turn.
#[derive(Debug, Default)]
pub struct CyclicIntegers {
    /// Every integer that they are computed from, and what only helps in it.
    known: BTreeSet<VarId>,
    /// At the beginning of each turn.
    pub turns: Vec<State>,
}

impl CyclicIntegers {
    /// Those of a loop whose body is `body`, one statement behind the other; `seen` are variables that are read behind it.
    pub fn find(
        unit: &Unit,
        facts: &FunctionFacts,
        s: &Stmt,
        body: &[Stmt],
        seen: &dyn Fn(&VarId) -> bool,
        most_turns: usize,
    ) -> CyclicIntegers {
        let taken = facts.addresses();
        let begun = match &s.kind {
            StmtKind::For { init: Some(init), .. } => Changes::of([&**init]).assigned,
            _ => Default::default(),
        };
        let is_number = |v: &VarId| {
            let var = unit.var(*v);
            let is_own = var.storage == Storage::Local && !var.is_volatile && !taken.contains(v) && !begun.contains(v);
            is_own && matches!(var.ty, Type::Int(k) if k.bits() >= 32)
        };
        let mut known: BTreeSet<VarId> = body.iter().flat_map(targets).filter(is_number).collect();
        let mut first: State = known.iter().filter_map(|v| Some((*v, value_before(facts.function, s, *v)?))).collect();
        loop {
            for s in body {
                let own: BTreeSet<VarId> = targets(s).into_iter().collect();
                let spoilt = Changes::of([s]).assigned;
                let is_kept = |v: &VarId| !spoilt.contains(v) || (own.contains(v) && own.is_subset(&known));
                known = known.iter().copied().filter(is_kept).collect();
            }
            first.retain(|v, _| known.contains(v));
            let lost = match run(body, &known, &first, most_turns) {
                Ok(turns) => {
                    let lost: BTreeSet<VarId> =
                        known.iter().copied().filter(|v| seen(v) && !first.contains_key(v)).collect();
                    if lost.is_empty() {
                        return CyclicIntegers { known, turns };
                    }
                    lost
                }
                Err(lost) => lost,
            };
            // What does not come back to its first value may still be computed anew in each step.
            let n_carried = first.len();
            first.retain(|v, _| !lost.contains(v));
            if first.len() == n_carried {
                known.retain(|v| !lost.contains(v));
            }
        }
    }

    /// Test that a statement only changes such integers; then the state is the one behind it.
    pub fn step(&self, s: &Stmt, state: &mut State) -> bool {
        let targets = targets(s);
        let is_step = !targets.is_empty() && targets.iter().all(|v| self.known.contains(v));
        is_step && step(s, state).is_ok()
    }

    /// Those whose values pass from step to step, as they are at the beginning of each turn.
    pub fn carried(&self) -> impl Iterator<Item = VarId> {
        self.turns.first().into_iter().flat_map(|first| first.keys().copied())
    }

    /// The carried ones being what the first turn begins with, as C asks for it.
    pub fn as_at_first(&self, unit: &Unit, span: Span) -> Vec<Expr> {
        let is_at_first = |(v, x): (&VarId, &i64)| binary(BinOp::Eq, unit.read(*v, span), integer(*x, span));
        self.turns.first().into_iter().flatten().map(is_at_first).collect()
    }

    /// Those that are computed in each step, or pass between steps.
    pub fn all(&self) -> impl Iterator<Item = VarId> {
        self.known.iter().copied()
    }
}

/// The states at the beginning of each turn, or what never comes back to its first value or has none.
fn run(
    body: &[Stmt],
    known: &BTreeSet<VarId>,
    first: &State,
    most_turns: usize,
) -> Result<Vec<State>, BTreeSet<VarId>> {
    let mut state = first.clone();
    let mut turns = vec![];
    let mut returned: BTreeSet<VarId> = BTreeSet::new();
    for _ in 0..most_turns {
        let begin: State = first.keys().filter_map(|v| Some((*v, *state.get(v)?))).collect();
        turns.push(begin);
        for s in body {
            if targets(s).iter().any(|v| known.contains(v)) {
                step(s, &mut state).map_err(|v| BTreeSet::from([v]))?;
            }
        }
        returned.extend(first.iter().filter(|(v, x)| state.get(v) == Some(x)).map(|(v, _)| *v));
        if first.iter().all(|(v, x)| state.get(v) == Some(x)) {
            return Ok(turns);
        }
    }
    let lost: BTreeSet<VarId> = first.keys().copied().filter(|v| !returned.contains(v)).collect();
    Err(if lost.is_empty() { first.keys().copied().collect() } else { lost })
}

/// What a statement gives values to, where it does nothing else.
fn targets(s: &Stmt) -> Vec<VarId> {
    match &s.kind {
        StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_some()) => ds.iter().map(|d| d.var).collect(),
        StmtKind::Expr(Expr { kind: ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }, .. }) => {
            match target.kind {
                ExprKind::Var(v) => vec![v],
                _ => vec![],
            }
        }
        _ => vec![],
    }
}

/// Follows a statement; the variable whose new value is not known.
fn step(s: &Stmt, state: &mut State) -> Result<(), VarId> {
    match &s.kind {
        StmtKind::Decl(ds) => ds.iter().try_for_each(|d| {
            let new = d.init.as_ref().and_then(|e| value(e, state)).ok_or(d.var)?;
            state.insert(d.var, new);
            Ok(())
        }),
        StmtKind::Expr(e) => {
            let (ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. }) = &e.kind else { return Ok(()) };
            let ExprKind::Var(v) = target.kind else { return Ok(()) };
            let new = match &e.kind {
                ExprKind::Assign { op, value: given, .. } => {
                    let given = value(given, state);
                    match op {
                        None => given,
                        Some(op) => state.get(&v).zip(given).and_then(|(a, b)| combined(*op, *a, b)),
                    }
                }
                ExprKind::IncDec { inc, .. } => state.get(&v).map(|x| if *inc { x + 1 } else { x - 1 }),
                _ => None,
            };
            let new = new.filter(|x| is_small(*x, &target.ty)).ok_or(v)?;
            state.insert(v, new);
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Writes subscripts that are constants as such: `u[1 - 0]` is `u[1]`.
pub fn fold_subscripts(e: &mut Expr) {
    e.rewrite(&mut |e| {
        let ExprKind::Index(_, index) = &mut e.kind else { return };
        if let Some(x) = value(index, &State::new()) {
            index.kind = ExprKind::Int(x);
        }
    });
}

/// The value of an expression of known integers, as C computes it.
fn value(e: &Expr, state: &State) -> Option<i64> {
    let found = match &e.kind {
        ExprKind::Int(c) => Some(*c),
        ExprKind::Var(v) => state.get(v).copied(),
        ExprKind::Cast(a) => value(a, state),
        ExprKind::Unary(op, a) => {
            let a = value(a, state)?;
            match op {
                UnOp::Plus => Some(a),
                UnOp::Neg => Some(-a),
                UnOp::Not => Some(i64::from(a == 0)),
                UnOp::BitNot => Some(!a),
                UnOp::Deref | UnOp::AddrOf => None,
            }
        }
        ExprKind::Binary(op, a, b) => combined(*op, value(a, state)?, value(b, state)?),
        ExprKind::Cond(c, a, b) => value(if value(c, state)? != 0 { a } else { b }, state),
        _ => None,
    };
    found.filter(|x| is_small(*x, &e.ty))
}

/// Test that a value is itself in a type, and far from that type's ends.
fn is_small(x: i64, ty: &Type) -> bool {
    matches!(ty, Type::Int(k) if k.bits() >= 32 && x > if k.is_unsigned() { -1 } else { -MOST }) && x < MOST
}

fn combined(op: BinOp, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Mul => a * b,
        BinOp::Div => a.checked_div(b)?,
        BinOp::Rem => a.checked_rem(b)?,
        BinOp::BitAnd => a & b,
        BinOp::BitOr => a | b,
        BinOp::BitXor => a ^ b,
        BinOp::Eq => i64::from(a == b),
        BinOp::Ne => i64::from(a != b),
        BinOp::Lt => i64::from(a < b),
        BinOp::Le => i64::from(a <= b),
        BinOp::Gt => i64::from(a > b),
        BinOp::Ge => i64::from(a >= b),
        BinOp::And => i64::from(a != 0 && b != 0),
        BinOp::Or => i64::from(a != 0 || b != 0),
        BinOp::Shl | BinOp::Shr => return None,
    })
}

/// The constant that a variable holds where the statement begins: it was given it in the same block, and nothing in
/// between says otherwise.
fn value_before(f: &Function, s: &Stmt, v: VarId) -> Option<i64> {
    let mut found = None;
    f.body.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::Block(body), .. }) = piece else { return };
        let Some(at) = body.iter().position(|x| x.span == s.span) else { return };
        for before in body[..at].iter().rev() {
            let is_given = match &before.kind {
                StmtKind::Decl(ds) => ds.iter().any(|d| d.var == v && d.init.is_some()),
                _ => targets(before) == [v],
            };
            if is_given {
                let mut state = State::new();
                // Only what is computed from constants alone.
                found = match &before.kind {
                    StmtKind::Decl(ds) => ds.iter().find(|d| d.var == v).and_then(|d| value(d.init.as_ref()?, &state)),
                    _ => step(before, &mut state).ok().and_then(|()| state.get(&v).copied()),
                };
                return;
            }
            if Changes::of([before]).assigned.contains(&v) || before.is_entered_elsewhere() {
                return;
            }
        }
    });
    found
}
