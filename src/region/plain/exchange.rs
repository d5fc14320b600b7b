//! Pointers that a loop exchanges after each of its steps.
//!
//! ```text
//! for (t = 0; t < n; t++) {                    for (t = 0; t < n; t++) {
//!     for (i...) un[i] = u[i - 1];                 if (t % 2 == 0) for (i...) un[i] = u[i - 1];
//!     tmp = u; u = un; un = tmp;         ->        if ((t + 1) % 2 == 0) for (i...) u[i] = un[i - 1];
//! }                                            }
//!                                              rt_turn = n > 0 ? n % 2 : 0;
//! ```
//! On the right a name means one array from beginning to end, so that the dependences of the whole loop are seen and the
//! data stay on the device. The body is followed once with the value that each pointer has at its beginning; what the
//! pointers hold at its end must be a permutation of that. After as many steps as the permutation's order everything is
//! as it was: one copy of the body for each step till then. The call site reads from `rt_turn` which buffers the
//! pointers point to after the loop. Where the number of steps is not known beforehand (`while`, `break`), the
//! host counts the turns.

use super::calls::{plain, rename_declared};
use super::places::integer;
use super::values::{self, Changes, Values};
use crate::ast::build::typing;
use crate::ast::{
    BinOp, Declarator, Expr, ExprKind, Function, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId,
};
use crate::region::effects;
use crate::source::Span;
use std::collections::HashMap;

/// The longest period of an exchange.
const MAX_TURNS: usize = 4;

const INT: Type = Type::Int(IntKind::Int);

/// Pointers that a loop permutes.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// How many steps were made, modulo the period.
    pub turn: VarId,
    pub pointers: Vec<VarId>,
    /// For each turn, whose buffer before the loop each pointer holds.
    pub turns: Vec<Vec<usize>>,
}

/// A statement of the body.
struct Item {
    stmt: Stmt,
    /// What pointers hold there, in terms of what they held at the body's beginning.
    holds: HashMap<VarId, VarId>,
    /// Whether it stands behind the last exchange.
    is_after: bool,
}

/// A loop's body, with its exchanges taken out.
struct Body {
    items: Vec<Item>,
    end: HashMap<VarId, VarId>,
}

/// The loop without its exchanges, if there are any in it and nothing stands against it.
pub fn open(unit: &mut Unit, f: &Function, s: &Stmt) -> Option<(Stmt, Exchange)> {
    let (StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. }) = &s.kind else {
        return None;
    };
    let followed = follow(unit, body)?;
    let pointers = exchanged(unit, &followed)?;
    if header(s).into_iter().any(|e| mentions_any(e, &pointers)) {
        return None;
    }
    let outside = effects::wanted_outside(unit, f, s.span);
    let own = effects::declared([s]);
    let seen_outside = |v: &VarId| outside.contains(v) && !own.contains(v);
    if followed.end.keys().any(|v| !pointers.contains(v) && seen_outside(v)) || pointers.iter().any(|v| own.contains(v))
    {
        return None;
    }
    let at = |v: &VarId| pointers.iter().position(|p| p == v);
    let step: Vec<usize> = pointers.iter().map(|p| at(&followed.end[p])).collect::<Option<_>>()?;
    let mut turns = vec![(0..pointers.len()).collect::<Vec<_>>()];
    loop {
        let last = turns.last().expect("one is there");
        let next: Vec<usize> = step.iter().map(|i| last[*i]).collect();
        if next == turns[0] {
            break;
        }
        turns.push(next);
    }
    if turns.len() > MAX_TURNS {
        return None;
    }
    let turn = VarId(unit.vars.len() as u32);
    unit.vars.push(Var {
        name: "rt_turn".into(),
        ty: INT,
        storage: Storage::Local,
        is_const: false,
        is_volatile: false,
        is_register: false,
        span: s.span,
        value: None,
    });
    let exchange = Exchange { turn, pointers, turns };
    let mut w = Writer { unit, exchange: &exchange };
    let opened = match w.counted(s, &followed) {
        Some(opened) => opened,
        None => w.by_turns(s, followed)?,
    };
    Some((opened, exchange))
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

/// Follows a body from its beginning to its end.
fn follow(unit: &Unit, body: &Stmt) -> Option<Body> {
    let mut flat = vec![];
    flatten(body.clone(), &mut flat);
    let mut out = Body { items: vec![], end: HashMap::new() };
    for s in flat {
        if let Some(moves) = moves(unit, &s) {
            out.items.iter_mut().for_each(|item| item.is_after = false);
            for (p, q) in moves {
                let held = out.end.get(&q).copied().unwrap_or(q);
                out.end.insert(p, held);
            }
            continue;
        }
        if Changes::of([&s]).assigned.iter().any(|v| unit.var(*v).ty.is_pointer_like()) || continues(&s) {
            return None;
        }
        out.items.push(Item { stmt: s, holds: out.end.clone(), is_after: !out.end.is_empty() });
    }
    (!out.end.is_empty()).then_some(out)
}

/// The statements one after the other: blocks are opened, `a = b, b = c` is two.
fn flatten(s: Stmt, out: &mut Vec<Stmt>) {
    match s.kind {
        StmtKind::Block(body) => body.into_iter().for_each(|s| flatten(s, out)),
        StmtKind::Empty | StmtKind::Directive(_) => {}
        StmtKind::Expr(Expr { kind: ExprKind::Comma(a, b), .. }) => {
            for e in [a, b] {
                flatten(Stmt { span: e.span, kind: StmtKind::Expr(*e), directives: s.directives.clone() }, out);
            }
        }
        kind => out.push(Stmt { kind, ..s }),
    }
}

/// `p = q;` or `T *p = q;`, between pointers.
fn moves(unit: &Unit, s: &Stmt) -> Option<Vec<(VarId, VarId)>> {
    let pointer = |e: &Expr| match e.kind {
        ExprKind::Var(v) if matches!(unit.var(v).ty, Type::Pointer { .. }) && !unit.var(v).is_volatile => Some(v),
        _ => None,
    };
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
            Some(vec![(pointer(target)?, pointer(value)?)])
        }
        StmtKind::Decl(ds) if ds.iter().any(|d| d.init.is_some()) => {
            let own = |d: &Declarator| matches!(unit.var(d.var).ty, Type::Pointer { .. }).then_some(d.var);
            ds.iter().map(|d| Some((own(d)?, pointer(d.init.as_ref()?)?))).collect()
        }
        _ => None,
    }
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
    (images == pointers && !pointers.is_empty() && is_uniform).then_some(pointers)
}

fn same_elements(a: &Type, b: &Type) -> bool {
    use crate::region::{accesses::same_layout, extract::element_type};
    same_layout(a, b) && element_type(a) == element_type(b)
}

/// Whether a `continue` in it skips the rest of the loop around.
fn continues(s: &Stmt) -> bool {
    leaves(s, &|kind| matches!(kind, StmtKind::Continue))
}

fn leaves(s: &Stmt, by: &dyn Fn(&StmtKind) -> bool) -> bool {
    match &s.kind {
        StmtKind::Block(b) => b.iter().any(|s| leaves(s, by)),
        StmtKind::If { then, other, .. } => leaves(then, by) || other.as_deref().is_some_and(|s| leaves(s, by)),
        kind => by(kind),
    }
}

struct Writer<'u, 'e> {
    unit: &'u mut Unit,
    exchange: &'e Exchange,
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
        let breaks = leaves(whole, &|kind| matches!(kind, StmtKind::Break));
        if !is_counter(left) || !is_fixed(first) || !is_fixed(last) || breaks {
            return None;
        }
        if changes.assigned.contains(&counter) {
            return None;
        }
        let period = self.exchange.turns.len() as i64;
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
        let end = self.set_turn(Expr { kind, ty, span: s.span }, s.span);
        Some(plain(StmtKind::Block(vec![opened, end]), s.span))
    }

    /// Any other loop: the host counts the turns.
    fn by_turns(&mut self, s: &Stmt, body: Body) -> Option<Stmt> {
        let n_items = body.items.len();
        let first_after = body.items.iter().position(|i| i.is_after).unwrap_or(n_items);
        let is_break = |s: &Stmt| leaves(s, &|kind| matches!(kind, StmtKind::Break));
        // Where the loop may be left, all pointers are exchanged or none.
        if body.items[..first_after].iter().any(|i| is_break(&i.stmt) && !i.holds.is_empty()) {
            return None;
        }
        let turn = Expr { kind: ExprKind::Var(self.exchange.turn), ty: INT, span: s.span };
        let n_turns = self.exchange.turns.len();
        let is_turn = |at: usize, is_after: bool| {
            let n = (at + usize::from(is_after)) % n_turns;
            binary(BinOp::Eq, turn.clone(), integer(n as i64, s.span))
        };
        let mut inside = self.body(&body.items[..first_after], &is_turn, true)?;
        let period = integer(n_turns as i64, s.span);
        let next = binary(BinOp::Rem, binary(BinOp::Add, turn.clone(), integer(1, s.span)), period);
        inside.push(self.set_turn(next, s.span));
        inside.extend(self.body(&body.items[first_after..], &is_turn, true)?);
        let mut out = vec![self.set_turn(integer(0, s.span), s.span)];
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
        Some(plain(StmtKind::Block(out), s.span))
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
            for turn in 0..self.exchange.turns.len() {
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
        let at = self.exchange.pointers.iter().position(|p| *p == held)?;
        Some(self.exchange.pointers[self.exchange.turns[turn][at]])
    }

    fn uses(&self, item: &Item) -> bool {
        effects::mentioned([&item.stmt]).into_iter().any(|v| self.meant(item, v, 0).is_some())
    }

    /// A statement as it is in a turn, with variables of its own.
    fn copy(&mut self, s: &Stmt, item: &Item, turn: usize) -> Stmt {
        let mut values = Values::new();
        for v in effects::mentioned([s]) {
            if let Some(meant) = self.meant(item, v, turn) {
                let ty = self.unit.var(meant).ty.clone();
                values.insert(v, Expr { kind: ExprKind::Var(meant), ty, span: s.span });
            }
        }
        let mut renamed = HashMap::new();
        let mut declared: Vec<VarId> = effects::declared([s]).into_iter().filter(|_| turn > 0).collect();
        declared.sort();
        for v in declared {
            let (new, var) = (VarId(self.unit.vars.len() as u32), self.unit.var(v).clone());
            values.insert(v, Expr { kind: ExprKind::Var(new), ty: var.ty.clone(), span: s.span });
            renamed.insert(v, new);
            self.unit.vars.push(var);
        }
        for v in renamed.values() {
            values::put_in_type(&mut self.unit.vars[v.0 as usize].ty, &values);
        }
        let mut copy = s.clone();
        values::put_in(&mut copy, &values);
        rename_declared(&mut copy, &renamed);
        copy
    }

    fn set_turn(&self, value: Expr, span: Span) -> Stmt {
        let target = Expr { kind: ExprKind::Var(self.exchange.turn), ty: INT, span };
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

/// `i = e` or `int i = e`.
fn first_value(init: &Stmt) -> Option<(VarId, &Expr)> {
    match &init.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
            ExprKind::Var(v) => Some((v, value)),
            _ => None,
        },
        StmtKind::Decl(ds) if ds.len() == 1 => Some((ds[0].var, ds[0].init.as_ref()?)),
        _ => None,
    }
}

/// Whether the host can compute it: numbers alone.
fn is_of_numbers(e: &Expr) -> bool {
    let mut is = true;
    e.walk(&mut |x| {
        is &= matches!(x.ty, Type::Int(_));
        is &= matches!(x.kind, ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Binary(..) | ExprKind::Cast(_));
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
