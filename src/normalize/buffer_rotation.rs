//! Buffer rotation: pointers that a loop exchanges after each of its steps, and integers that it turns over (which of two
//! buffers is the current one, its module of cyclic integers).
//!
//! ```text
//! for (t = 0; t < n; t++) {                    for (t = 0; t < n; t++) {
//!     for (i...) un[i] = u[i - 1];                 if (t % 2 == 0) for (i...) un[i] = u[i - 1];
//!     tmp = u; u = un; un = tmp;         ->        if ((t + 1) % 2 == 0) for (i...) u[i] = un[i - 1];
//! }                                            }
//!                                              rt_turn = n > 0 ? n % 2 : 0;
//! ```
//! On the right a name means one array from beginning to end, so that the dependences of the whole loop are seen and the data
//! stay on the device. The body is followed once with the value that each pointer has at its beginning; what the pointers hold
//! at its end must be a permutation of that. After as many steps as the permutation's order everything is as it was: one copy
//! of the body for each step till then. The call site reads from `rt_turn` which buffers the pointers point to after the loop;
//! integers are set behind it. Where the number of steps is not known beforehand (`while`, `break`), the host counts the turns.

mod body;
mod cyclic_integers;

use self::body::{Body, Item, flatten, follow, same_elements};
use super::form::{Context, Form, Rotation};
use super::inlining::own_copy;
use super::place_canonicalization;
use super::substitution::{self, Values};
use crate::ast::build::ast_builder::{integer, plain};
use crate::ast::build::typing;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::first_value;
use crate::facts::prints::has_print;
use crate::source::Span;
use cyclic_integers::CyclicIntegers;

/// The longest period of a rotation.
const MAX_TURNS: usize = 4;

const INT: Type = Type::Int(IntKind::Int);

/// Takes the exchanges out of a form that is a loop with some, where nothing stands against it.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.ends.is_empty()
        && let Some(opened) = without_exchanges(context.unit, context.facts, &form.stmt)
    {
        form.stmt = opened.stmt;
        form.rotation = Some(opened.rotation);
        form.conditions.extend(opened.conditions);
    }
}

/// A loop without its exchanges.
struct Opened {
    stmt: Stmt,
    rotation: Rotation,
    /// Values of integers where it begins.
    conditions: Vec<Expr>,
}

fn without_exchanges(unit: &mut Unit, facts: &FunctionFacts, s: &Stmt) -> Option<Opened> {
    let (StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. }) = &s.kind else {
        return None;
    };
    let mut flat = vec![];
    flatten((**body).clone(), &mut flat);
    let own = effects::declared([s]);
    let seen_outside = |v: &VarId| facts.is_wanted_outside(unit, s.span, *v) && !own.contains(v);
    let integers = CyclicIntegers::find(unit, facts, s, &flat, &seen_outside, MAX_TURNS);
    let followed = follow(unit, flat, &integers)?;
    let pointers = exchanged(unit, &followed)?;
    let steered: Vec<VarId> = pointers.iter().copied().chain(integers.all()).chain(followed.chosen.clone()).collect();
    if header(s).into_iter().any(|e| mentions_any(e, &steered)) {
        return None;
    }
    let carried: Vec<VarId> = integers.carried().collect();
    let helpers = followed.end.keys().copied().chain(integers.all()).chain(followed.chosen.iter().copied());
    let is_lost = |v: &VarId| !pointers.contains(v) && !carried.contains(v) && seen_outside(v);
    if helpers.into_iter().any(|v| is_lost(&v)) || pointers.iter().any(|v| own.contains(v)) {
        return None;
    }
    let turns = turns(&pointers, &followed, integers.turns.len().max(1))?;
    let exit_values = carried.into_iter().filter(seen_outside).collect();
    let turn = unit.add(Var::new("rt_turn", INT, Storage::Local, s.span));
    let rotation = Rotation { turn, pointers, turns };
    let mut w = Writer { unit, rotation: &rotation, integers: &integers, exit_values };
    let (stmt, conditions) = match w.counted(s, &followed) {
        Some(stmt) => (stmt, vec![]),
        // In the midst of the loop, where its rest may begin, they may be others.
        None => (w.by_turns(s, followed)?, integers.as_at_first(w.unit, s.span)),
    };
    Some(Opened { stmt, rotation, conditions })
}

/// For each turn, whose buffer before the loop each pointer holds: until they and the integers, which have `n_states`,
/// are what they were at first. `None` where that takes long, or is so at once.
fn turns(pointers: &[VarId], body: &Body, n_states: usize) -> Option<Vec<Vec<usize>>> {
    let at = |v: &VarId| pointers.iter().position(|p| p == v);
    let step: Vec<usize> = pointers.iter().map(|p| at(&body.end[p])).collect::<Option<_>>()?;
    let mut turns = vec![(0..pointers.len()).collect::<Vec<_>>()];
    loop {
        let last = turns.last().expect("one is there");
        let next: Vec<usize> = step.iter().map(|i| last[*i]).collect();
        if next == turns[0] && turns.len() % n_states == 0 {
            return (turns.len() > 1 && turns.len() <= MAX_TURNS).then_some(turns);
        }
        if turns.len() > MAX_TURNS {
            return None;
        }
        turns.push(next);
    }
}

/// The expressions that steer a loop.
fn header(s: &Stmt) -> Vec<&Expr> {
    match &s.kind {
        StmtKind::For { cond, step, .. } => cond.iter().chain(step).collect(),
        StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => vec![cond],
        _ => vec![],
    }
}

fn mentions_any(e: &Expr, of: &[VarId]) -> bool {
    let mut found = false;
    e.walk(&mut |x| found |= matches!(x.kind, ExprKind::Var(v) if of.contains(&v)));
    found
}

/// The pointers that are permuted; the others that are assigned only help in it. `None` where it is no permutation.
fn exchanged(unit: &Unit, body: &Body) -> Option<Vec<VarId>> {
    let mut pointers: Vec<VarId> = vec![];
    for item in &body.items {
        for v in effects::mentioned([&item.stmt]) {
            let held = item.holds.get(&v).copied().unwrap_or(v);
            if body.end.contains_key(&held) {
                pointers.push(held);
            }
        }
    }
    let mut at = 0;
    while at < pointers.len() {
        let next = *body.end.get(&pointers[at])?;
        if !pointers.contains(&next) {
            pointers.push(next);
        }
        at += 1;
    }
    pointers.sort();
    pointers.dedup();
    let mut images: Vec<VarId> = pointers.iter().map(|p| body.end[p]).collect();
    images.sort();
    images.dedup();
    let elem = |v: &VarId| &unit.var(*v).ty;
    let is_uniform = pointers.windows(2).all(|w| same_elements(elem(&w[0]), elem(&w[1])));
    (images == pointers && is_uniform).then_some(pointers)
}

struct Writer<'u, 'e> {
    unit: &'u mut Unit,
    rotation: &'e Rotation,
    integers: &'e CyclicIntegers,
    /// Integers that are read after the loop.
    exit_values: Vec<VarId>,
}

impl Writer<'_, '_> {
    /// A loop whose number of steps its header tells: the counter says whose turn it is.
    fn counted(&mut self, s: &Stmt, body: &Body) -> Option<Stmt> {
        let StmtKind::For { init, cond, step, body: whole } = &s.kind else { return None };
        let (counter, first) = first_value(init.as_deref()?)?;
        let is_counter = |e: &Expr| matches!(e.kind, ExprKind::Var(v) if v == counter);
        let up = match &step.as_ref()?.kind {
            ExprKind::IncDec { inc, target, .. } if is_counter(target) => *inc,
            ExprKind::Assign { op: Some(op @ (BinOp::Add | BinOp::Sub)), target, value }
                if is_counter(target) && matches!(value.kind, ExprKind::Int(1)) =>
            {
                *op == BinOp::Add
            }
            _ => return None,
        };
        let ExprKind::Binary(op, left, last) = &cond.as_ref()?.kind else { return None };
        let including = match (op, up) {
            (BinOp::Lt, true) | (BinOp::Gt, false) | (BinOp::Ne, _) => false,
            (BinOp::Le, true) | (BinOp::Ge, false) => true,
            _ => return None,
        };
        let changes = Changes::of([&**whole]);
        let is_fixed = |e: &Expr| changes.keep(self.unit, e) && is_of_numbers(e);
        // What prints makes it a loop of the host.
        let is_hosts = whole.exits().breaks || has_print(whole);
        if !is_counter(left) || !is_fixed(first) || !is_fixed(last) || is_hosts {
            return None;
        }
        if changes.assigned.contains(&counter) {
            return None;
        }
        let period = self.rotation.turns.len() as i64;
        let is_turn = |turn: usize, _| {
            let passed = distance((**left).clone(), first.clone(), up);
            let phase = integer((period - turn as i64) % period, s.span);
            let phase = if turn == 0 { passed } else { binary(BinOp::Add, passed, phase) };
            binary(BinOp::Eq, binary(BinOp::Rem, phase, integer(period, s.span)), integer(0, s.span))
        };
        let inside = self.body(&body.items, &is_turn, false)?;
        let mut opened = s.clone();
        if let StmtKind::For { body, .. } = &mut opened.kind {
            **body = plain(StmtKind::Block(inside), whole.span);
        }
        let count = distance((**last).clone(), first.clone(), up);
        let count = if including { binary(BinOp::Add, count, integer(1, s.span)) } else { count };
        let (low, high) = if up { (first, &**last) } else { (&**last, first) };
        let some = binary(if including { BinOp::Ge } else { BinOp::Gt }, high.clone(), low.clone());
        let turn = binary(BinOp::Rem, count, integer(period, s.span));
        let ty = turn.ty.clone();
        let kind = ExprKind::Cond(Box::new(some), Box::new(turn), Box::new(integer(0, s.span)));
        let mut out = self.declared_turn(s.span);
        out.push(opened);
        out.push(self.set_turn(Expr { kind, ty, span: s.span }, s.span));
        out.extend(self.final_values(s.span));
        Some(plain(StmtKind::Block(out), s.span))
    }

    /// Any other loop: the host counts the turns.
    fn by_turns(&mut self, s: &Stmt, body: Body) -> Option<Stmt> {
        let n_items = body.items.len();
        let first_after = body.items.iter().position(|i| i.is_after).unwrap_or(n_items);
        // Where the loop may be left, all pointers are exchanged or none.
        if body.items[..first_after].iter().any(|i| i.stmt.exits().breaks && i.is_behind) {
            return None;
        }
        let turn = self.unit.read(self.rotation.turn, s.span);
        let n_turns = self.rotation.turns.len();
        let is_turn = |at: usize, is_after: bool| {
            let n = (at + usize::from(is_after)) % n_turns;
            binary(BinOp::Eq, turn.clone(), integer(n as i64, s.span))
        };
        let mut inside = self.body(&body.items[..first_after], &is_turn, true)?;
        let period = integer(n_turns as i64, s.span);
        let next = binary(BinOp::Rem, binary(BinOp::Add, turn.clone(), integer(1, s.span)), period);
        inside.push(self.set_turn(next, s.span));
        inside.extend(self.body(&body.items[first_after..], &is_turn, true)?);
        let mut out = self.declared_turn(s.span);
        out.push(self.set_turn(integer(0, s.span), s.span));
        let within = |inside: Vec<Stmt>| Box::new(plain(StmtKind::Block(inside), s.span));
        match s.kind.clone() {
            StmtKind::While { cond, .. } => {
                out.push(Stmt { kind: StmtKind::While { cond, body: within(inside) }, ..s.clone() });
            }
            StmtKind::DoWhile { cond, .. } => {
                out.push(Stmt { kind: StmtKind::DoWhile { cond, body: within(inside) }, ..s.clone() });
            }
            StmtKind::For { init, cond, step, .. } => {
                out.extend(init.map(|s| *s));
                inside.extend(step.map(|e| plain(StmtKind::Expr(e), s.span)));
                let cond = cond.unwrap_or_else(|| integer(1, s.span));
                out.push(Stmt { kind: StmtKind::While { cond, body: within(inside) }, ..s.clone() });
            }
            _ => return None,
        }
        out.extend(self.final_values(s.span));
        Some(plain(StmtKind::Block(out), s.span))
    }

    /// Where no pointer is set behind the loop, nobody else has use for the turn.
    fn declared_turn(&self, span: Span) -> Vec<Stmt> {
        let turn = Declarator { var: self.rotation.turn, init: None };
        let is_own = self.rotation.pointers.is_empty();
        is_own.then(|| plain(StmtKind::Decl(vec![turn]), span)).into_iter().collect()
    }

    /// The integers as the loop leaves them: what they are at the beginning of the next turn.
    fn final_values(&self, span: Span) -> Vec<Stmt> {
        let turn = Expr { kind: ExprKind::Var(self.rotation.turn), ty: INT, span };
        let states = &self.integers.turns;
        let value = |v: &VarId| {
            let after = |turn: usize| integer(states[turn % states.len()][v], span);
            (1..self.rotation.turns.len()).fold(after(0), |other, at| {
                let is_turn = binary(BinOp::Eq, turn.clone(), integer(at as i64, span));
                let kind = ExprKind::Cond(Box::new(is_turn), Box::new(after(at)), Box::new(other));
                Expr { kind, ty: INT, span }
            })
        };
        let assign = |v: &VarId| {
            let ty = self.unit.var(*v).ty.clone();
            let target = Box::new(Expr { kind: ExprKind::Var(*v), ty: ty.clone(), span });
            let kind = ExprKind::Assign { op: None, target, value: Box::new(value(v)) };
            plain(StmtKind::Expr(Expr { kind, ty, span }), span)
        };
        self.exit_values.iter().map(assign).collect()
    }

    /// Statements of the body, a copy for each turn of those that use the pointers. `alternatives`: as branches of one
    /// condition.
    fn body(&mut self, items: &[Item], is_turn: &dyn Fn(usize, bool) -> Expr, alternatives: bool) -> Option<Vec<Stmt>> {
        let mut out = vec![];
        let mut at = 0;
        while at < items.len() {
            let n = items[at..].iter().take_while(|i| self.uses(i)).count();
            if n == 0 {
                out.push(items[at].stmt.clone());
                at += 1;
                continue;
            }
            let (group, is_after) = (&items[at..at + n], items[at].is_after);
            at += n;
            let group: Vec<(Stmt, &Item)> =
                group.iter().map(|i| Some((undeclared(self.unit, &i.stmt, &mut out)?, i))).collect::<Option<_>>()?;
            let mut copies: Vec<Stmt> = vec![];
            for turn in 0..self.rotation.turns.len() {
                let copy: Vec<Stmt> = group.iter().map(|(s, item)| self.copy(s, item, turn)).collect();
                let span = copy[0].span;
                let then = Box::new(plain(StmtKind::Block(copy), span));
                copies.push(plain(StmtKind::If { cond: is_turn(turn, is_after), then, other: None }, span));
            }
            if alternatives {
                copies = copies.into_iter().rev().fold(vec![], otherwise);
            }
            out.extend(copies);
        }
        Some(out)
    }

    /// The pointer before the loop whose buffer a name means in a turn.
    fn meant(&self, item: &Item, v: VarId, turn: usize) -> Option<VarId> {
        let held = item.holds.get(&v).copied().unwrap_or(v);
        let at = self.rotation.pointers.iter().position(|p| *p == held)?;
        Some(self.rotation.pointers[self.rotation.turns[turn][at]])
    }

    fn uses(&self, item: &Item) -> bool {
        let is_known = |v: VarId| item.known.iter().any(|k| k.contains_key(&v));
        effects::mentioned([&item.stmt]).into_iter().any(|v| self.meant(item, v, 0).is_some() || is_known(v))
    }

    /// A statement as it is in a turn, with variables of its own.
    fn copy(&mut self, s: &Stmt, item: &Item, turn: usize) -> Stmt {
        let mut values = match item.known.len() {
            0 => Values::new(),
            n => item.known[turn % n].clone(),
        };
        for v in effects::mentioned([s]) {
            if let Some(meant) = self.meant(item, v, turn) {
                values.insert(v, self.unit.read(meant, s.span));
            }
        }
        let mut copy = s.clone();
        match turn {
            0 => substitution::put_in(&mut copy, &values),
            _ => own_copy(self.unit, std::slice::from_mut(&mut copy), &mut values),
        }
        copy.exprs_mut(&mut |e| {
            cyclic_integers::fold_subscripts(e);
            place_canonicalization::tidy(e);
        });
        copy
    }

    fn set_turn(&self, value: Expr, span: Span) -> Stmt {
        let target = self.unit.read(self.rotation.turn, span);
        let kind = ExprKind::Assign { op: None, target: Box::new(target), value: Box::new(value) };
        plain(StmtKind::Expr(Expr { kind, ty: INT, span }), span)
    }
}

/// A branch before the others.
fn otherwise(later: Vec<Stmt>, mut branch: Stmt) -> Vec<Stmt> {
    if let StmtKind::If { then, other, .. } = &mut branch.kind {
        match later.into_iter().next() {
            // The last one needs no condition of its own.
            None => return vec![(**then).clone()],
            Some(later) => *other = Some(Box::new(later)),
        }
    }
    vec![branch]
}

/// A declaration as an assignment, with the declaration itself put out.
fn undeclared(unit: &Unit, s: &Stmt, out: &mut Vec<Stmt>) -> Option<Stmt> {
    let StmtKind::Decl(ds) = &s.kind else { return Some(s.clone()) };
    let bare = ds.iter().map(|d| Declarator { var: d.var, init: None }).collect();
    out.push(plain(StmtKind::Decl(bare), s.span));
    let mut assigned = vec![];
    for d in ds {
        let Some(value) = d.init.clone() else { continue };
        let ty = unit.var(d.var).ty.clone();
        ty.is_scalar().then_some(())?;
        let target = Box::new(Expr { kind: ExprKind::Var(d.var), ty: ty.clone(), span: s.span });
        let kind = ExprKind::Assign { op: None, target, value: Box::new(value) };
        assigned.push(plain(StmtKind::Expr(Expr { kind, ty, span: s.span }), s.span));
    }
    Some(plain(StmtKind::Block(assigned), s.span))
}

/// Test that the host can compute it: numbers alone.
fn is_of_numbers(e: &Expr) -> bool {
    let mut is = true;
    e.walk(&mut |x| {
        is &= matches!(x.ty, Type::Int(_));
        is &= matches!(
            x.kind,
            ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Binary(..) | ExprKind::Cast(_) | ExprKind::Cond(..)
        );
    });
    is
}

/// How far `a` is from where a loop begins that goes up or down.
fn distance(a: Expr, first: Expr, up: bool) -> Expr {
    match (up, &first.kind) {
        (true, ExprKind::Int(0)) => a,
        (true, _) => binary(BinOp::Sub, a, first),
        (false, _) => binary(BinOp::Sub, first, a),
    }
}

fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (typing::binary(op, &a.ty, &b.ty), a.span);
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, span }
}
