//! Exit values of counters that are read behind their loops: each loop counts with a variable of its own, and what C leaves in
//! the user's one is computed.
//!
//! ```text
//! int i, j;   // of the file                       for (i' = 1; i' < n; i'++)
//! for (i = 1; i < n; i++)                              for (j' = 0; j' < m; j'++)
//!     for (j = 0; j < m; j++)           ->                 a[i'][j'] = 0;
//!         a[i][j] = 0;                             if (1 < n) j = 0 < m ? m : 0;
//! a[i][j] = 1;                                     i = 1 < n ? n : 1;
//!                                                  a[i][j] = 1;
//! ```
//! So old C, whose counters stand at the head of the file, keeps nothing of a nest in order. The final value of an inner
//! loop's counter is set behind the outermost loop around it that always leaves the same there: the last of its iterations
//! decides. Where that cannot be seen, it is set behind the inner loop.

use super::form::{Context, Form};
use super::forward_substitution::is_place;
use super::substitution::{Values, put, put_in};
use crate::ast::build::ast_builder::{self, assigned, converted, declared, integer, plain, surround};
use crate::ast::build::constant;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::callable::check_call;
use crate::facts::changes::Changes;
use crate::facts::effects::{self, plainly_assigned};
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, mirrored, step_of};
use crate::facts::liveness::Live;
use crate::facts::loops::has_loop;
use crate::facts::prints::is_print;
use crate::facts::symbolic::same_expr;
use std::collections::BTreeSet;

/// What a loop leaves in a variable.
struct ExitValue {
    var: VarId,
    /// Where one of these does not hold, what was there before.
    when: Vec<Expr>,
    value: Expr,
}

/// A loop that counts.
struct Counted {
    var: VarId,
    first: Expr,
    /// Flag: it has an iteration.
    runs: Expr,
    /// What the counter comes to if it has.
    end: Expr,
    step: i64,
}

/// Gives such loops in a form counters of their own; notes what is to be set behind the form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if !form.has_loop() {
        return;
    }
    let live = form.live_behind(context);
    let (unit, facts, s) = (&mut *context.unit, context.facts, &mut form.stmt);
    let mut read = facts.counters_read_behind(unit).clone();
    facts.note_read_behind(unit, s, &live, &mut read);
    in_statements(s, false, &mut read);
    let in_types = facts.in_types(unit);
    let mut finals = ExitValues { unit, facts, in_types, read };
    let left = finals.inside(s, &live);
    let named = effects::mentioned([&*s]);
    declare_only(s, &named);
    form.behind.extend(left.into_iter().map(ExitValue::set));
}

/// Leaves out declarations that say nothing, of counters that nothing names any more.
fn declare_only(s: &mut Stmt, named: &BTreeSet<VarId>) {
    if let StmtKind::Decl(ds) = &mut s.kind {
        ds.retain(|d| d.init.is_some() || named.contains(&d.var));
    }
    s.stmts_mut().into_iter().for_each(|s| declare_only(s, named));
}

/// The counters of loops that may become part of one statement: of those in a loop that is not counted, or left early.
fn in_statements(s: &Stmt, is_inside: bool, out: &mut BTreeSet<VarId>) {
    let mut is_whole = is_inside;
    match &s.kind {
        StmtKind::For { init, body, .. } => {
            is_whole |= ends_early(body, false);
            let counter = init.as_deref().and_then(effects::header_counter);
            out.extend(counter.filter(|_| is_whole));
        }
        StmtKind::While { .. } | StmtKind::DoWhile { .. } => is_whole = true,
        _ => {}
    }
    s.stmts().into_iter().for_each(|s| in_statements(s, is_whole, out));
}

/// Lets what sets integers stand between no nests of a run: their values go to where variables of the file are read (of
/// the others that is done already), what is set again before it is read is left out, and the rest comes last.
pub fn settle(unit: &Unit, seen: &BTreeSet<VarId>, run: &mut Vec<Stmt>) {
    let set_by = |s: &Stmt| set_by(s).filter(|v| matches!(unit.var(*v).ty, Type::Int(_)) && !seen.contains(v));
    for at in 0..run.len() {
        let (here, next) = run[at..].split_first_mut().expect("`at` is one of them");
        let StmtKind::Expr(e) = &here.kind else { continue };
        let Some((v, value)) = plainly_assigned(e).filter(|_| set_by(here).is_some()) else { continue };
        if unit.var(v).storage == Storage::Global && is_place(unit.var(v), value) {
            let values = Values::from([(v, value.clone())]);
            let is_other = |n: usize| {
                let changes = Changes::of(&next[..=n]);
                changes.assigned.contains(&v) || !changes.keeps(unit, value)
            };
            let until = (0..next.len()).find(|n| is_other(*n)).unwrap_or(next.len());
            next[..until].iter_mut().for_each(|s| put_in(s, &values));
        }
    }
    for at in (0..run.len()).rev() {
        let Some(v) = set_by(&run[at]) else { continue };
        let next = &run[at + 1..];
        let is_dead = match next.iter().find(|s| effects::mentioned([*s]).contains(&v)) {
            Some(s) if is_set_afresh(s, v) => true,
            None if next.iter().any(has_loop) && keeps_value(unit, next, &run[at]) => false,
            _ => continue,
        };
        let s = run.remove(at);
        if !is_dead {
            run.push(s);
        }
    }
}

/// The variable of `v = e;`, also under a condition.
fn set_by(s: &Stmt) -> Option<VarId> {
    match &s.kind {
        StmtKind::Expr(e) => plainly_assigned(e).filter(|(_, value)| effects::is_plain(value)).map(|(v, _)| v),
        StmtKind::If { cond, then, other: None } if effects::is_plain(cond) => set_by(then),
        _ => None,
    }
}

/// Test that what a statement of that kind sets is the same behind some statements.
fn keeps_value(unit: &Unit, stmts: &[Stmt], s: &Stmt) -> bool {
    let changes = Changes::of(stmts);
    match &s.kind {
        StmtKind::Expr(e) => plainly_assigned(e).is_some_and(|(_, value)| changes.keeps(unit, value)),
        StmtKind::If { cond, then, .. } => changes.keeps(unit, cond) && keeps_value(unit, stmts, then),
        _ => false,
    }
}

/// Test that a statement sets a variable before it reads it.
fn is_set_afresh(s: &Stmt, v: VarId) -> bool {
    let first = match &s.kind {
        StmtKind::Expr(e) => plainly_assigned(e),
        StmtKind::For { init: Some(init), .. } => first_value(init),
        _ => None,
    };
    first.is_some_and(|(set, value)| set == v && !value.mentions(v))
}

struct ExitValues<'a> {
    unit: &'a mut Unit,
    facts: &'a FunctionFacts<'a>,
    in_types: &'a BTreeSet<VarId>,
    /// Counters that are read behind some loop: no other loop counts with them either, so that they are the host's alone.
    read: BTreeSet<VarId>,
}

impl ExitValues<'_> {
    /// What a statement without such counters leaves in them. `live`: behind the statement.
    fn inside(&mut self, s: &mut Stmt, live: &Live) -> Vec<ExitValue> {
        let below = live.behind_children(s);
        match &mut s.kind {
            StmtKind::Block(list) => {
                let pieces = self.pieces(list, &below);
                *list = pieces.into_iter().flat_map(|(s, left)| with(s, left)).collect();
                vec![]
            }
            StmtKind::For { .. } => self.of_loop(s, live),
            _ => {
                for (child, live) in s.stmts_mut().into_iter().zip(&below) {
                    let left = self.inside(child, live);
                    if !left.is_empty() {
                        surround(child, vec![], left.into_iter().map(ExitValue::set).collect());
                    }
                }
                vec![]
            }
        }
    }

    /// The statements of a block, each with what it leaves.
    fn pieces(&mut self, list: &mut Vec<Stmt>, below: &[Live]) -> Vec<(Stmt, Vec<ExitValue>)> {
        let mut out = vec![];
        for (mut s, live) in std::mem::take(list).into_iter().zip(below) {
            let below = live.behind_children(&s);
            let (StmtKind::Block(inner), true) = (&mut s.kind, s.directives.is_empty()) else {
                let left = self.inside(&mut s, live);
                out.push((s, left));
                continue;
            };
            // A block in the block, such as the body of a function that was called, is opened where that helps.
            let pieces = self.pieces(inner, &below);
            if pieces.iter().any(|(_, left)| !left.is_empty()) {
                out.extend(pieces);
            } else {
                *inner = pieces.into_iter().map(|(s, _)| s).collect();
                out.push((s, vec![]));
            }
        }
        out
    }

    fn of_loop(&mut self, s: &mut Stmt, live: &Live) -> Vec<ExitValue> {
        let counted = self.counted(s);
        let afresh = counted.as_ref().map_or(vec![], |counted| self.set_afresh(s, counted.var, live));
        let in_body = live.behind_children(s).pop().expect("a loop has a body");
        let StmtKind::For { body, .. } = &mut s.kind else { return vec![] };
        let is_block = matches!(body.kind, StmtKind::Block(_));
        let below = in_body.behind_children(body);
        let mut pieces = match &mut body.kind {
            StmtKind::Block(list) => self.pieces(list, &below),
            _ => {
                let mut only = std::mem::replace(&mut **body, plain(StmtKind::Empty, s.span));
                let left = self.inside(&mut only, &in_body);
                vec![(only, left)]
            }
        };
        let mut left = vec![];
        let is_straight = |(s, _): &(Stmt, _)| !ends_early(s, true) && self.calls_nobody_else(s);
        if let Some(counted) = &counted
            && pieces.iter().all(is_straight)
        {
            afresh.into_iter().for_each(|v| self.own_in_each(v, &mut pieces));
            left = self.sunk(counted, &mut pieces);
        }
        let mut list: Vec<Stmt> = pieces.into_iter().flat_map(|(s, left)| with(s, left)).collect();
        if is_block {
            body.kind = StmtKind::Block(list);
        } else if list.len() == 1 {
            **body = list.remove(0);
        } else {
            **body = plain(StmtKind::Block(list), s.span);
        }
        left.retain(|x| self.is_wanted(x.var, s, live));
        left.extend(counted.and_then(|counted| self.apart(s, counted, live)));
        left
    }

    /// Lets a loop count with a variable of its own, if the user's is wanted behind it.
    fn apart(&mut self, s: &mut Stmt, counted: Counted, live: &Live) -> Option<ExitValue> {
        let v = counted.var;
        let is_wanted = self.is_wanted(v, s, live);
        let StmtKind::For { init: Some(init), cond, step, body } = &mut s.kind else { return None };
        if !(is_wanted || self.read.contains(&v)) || matches!(init.kind, StmtKind::Decl(_)) {
            return None;
        }
        let var = self.unit.var(v);
        let span = cond.as_ref()?.span;
        let own = Var { storage: Storage::Local, ..var.clone() };
        let own = self.unit.add(own);
        let values = Values::from([(v, self.unit.read(own, span))]);
        let first = if let StmtKind::Expr(e) = &init.kind { plainly_assigned(e) } else { None };
        match first.filter(|(set, _)| *set == v).map(|(_, value)| value.clone()) {
            Some(value) => init.kind = StmtKind::Decl(vec![Declarator { var: own, init: Some(value) }]),
            None => put_in(init, &values),
        }
        cond.iter_mut().chain(step).for_each(|e| put(e, &values));
        put_in(body, &values);
        let value = chosen(counted.runs, counted.end, counted.first);
        is_wanted.then(|| ExitValue { var: v, when: vec![], value })
    }

    /// The numbers that each iteration of a loop sets once, by a statement of its body, before it reads them, and that are wanted
    /// behind it. `live`: behind the loop.
    fn set_afresh(&self, s: &Stmt, counter: VarId, live: &Live) -> Vec<VarId> {
        let StmtKind::For { body, .. } = &s.kind else { return vec![] };
        let StmtKind::Block(list) = &body.kind else { return vec![] };
        let is_once = |at: usize| {
            let StmtKind::Expr(e) = &list[at].kind else { return None };
            let (v, value) = plainly_assigned(e)?;
            let var = self.unit.var(v);
            let is_fit = matches!(var.ty, Type::Int(k) if k.bits() >= 32) && !var.is_volatile && v != counter;
            let is_apart = !self.is_seen_elsewhere(v) && !self.in_types.contains(&v);
            let (before, behind) = (&list[..at], &list[at + 1..]);
            let is_first = !value.mentions(v) && is_sum(value) && !effects::mentioned(before).contains(&v);
            let is_it = is_fit && is_apart && is_first && !Changes::of(behind).assigned.contains(&v);
            (is_it && self.is_wanted(v, s, live)).then_some(v)
        };
        (0..list.len()).filter_map(is_once).collect()
    }

    /// Gives what each iteration sets a variable of its own in the body, and leaves the value in the other one.
    fn own_in_each(&mut self, v: VarId, pieces: &mut [(Stmt, Vec<ExitValue>)]) {
        let set = |(s, _): &(Stmt, _)| match &s.kind {
            StmtKind::Expr(e) => plainly_assigned(e).filter(|(set, _)| *set == v).map(|(_, value)| value.clone()),
            _ => None,
        };
        let Some((at, value)) = pieces.iter().enumerate().find_map(|(at, piece)| Some((at, set(piece)?))) else {
            return;
        };
        let var = self.unit.var(v);
        let own = Var { storage: Storage::Local, ..var.clone() };
        let (ty, own) = (var.ty.clone(), self.unit.add(own));
        let values = Values::from([(v, self.unit.read(own, value.span))]);
        for (s, left) in pieces.iter_mut() {
            put_in(s, &values);
            left.iter_mut().for_each(|x| x.when.iter_mut().chain([&mut x.value]).for_each(|e| put(e, &values)));
        }
        pieces[at].0 = declared(own, value.clone());
        pieces[at].1.push(ExitValue { var: v, when: vec![], value: converted(&value, &ty) });
    }

    /// `live`: behind the statement.
    fn is_wanted(&self, v: VarId, s: &Stmt, live: &Live) -> bool {
        self.is_seen_elsewhere(v) || self.facts.is_read_behind(self.unit, v, s, live)
    }

    /// Test that a variable is read where no path of the function leads.
    fn is_seen_elsewhere(&self, v: VarId) -> bool {
        self.facts.seen.contains(&v) || matches!(self.unit.var(v).storage, Storage::Global | Storage::StaticLocal)
    }

    /// The loop's header, if its counter may be replaced, and its bounds are the same behind it.
    fn counted(&self, s: &Stmt) -> Option<Counted> {
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return None };
        let (var, first) = first_value(init)?;
        let step = step_of(step, var)?;
        let of = self.unit.var(var);
        let is_fit =
            matches!(of.ty, Type::Int(k) if k.bits() >= 32) && !of.is_volatile && !self.in_types.contains(&var);
        let changes = Changes::of([&**body]);
        let is_kept = |e: &Expr| !e.mentions(var) && changes.keep(self.unit, e);
        if !is_fit || changes.assigned.contains(&var) || ends_early(body, false) || !is_kept(first) {
            return None;
        }
        let end = passed(first, limit(cond, var, step, &is_kept)?, step);
        let mut names = effects::mentioned([s]);
        names.retain(|v| *v == var || first.mentions(*v) || end.mentions(*v));
        if names.iter().any(|v| self.is_seen_elsewhere(*v)) && !self.calls_nobody_else(s) {
            return None;
        }
        let first = converted(first, &of.ty);
        let mut runs = cond.clone();
        put(&mut runs, &Values::from([(var, first.clone())]));
        Some(Counted { var, first, runs, end: converted(&end, &of.ty), step })
    }

    /// Test that no function is called that could know a variable of the file.
    fn calls_nobody_else(&self, s: &Stmt) -> bool {
        let mut is_so = true;
        let mut look = |e: &Expr| {
            if let ExprKind::Call { name, .. } = &e.kind {
                is_so &= is_print(name) || check_call(self.unit, name, e.span).is_ok();
            }
        };
        s.exprs(&mut |e| e.walk(&mut look));
        is_so
    }

    /// What the pieces of a loop's body leave behind the loop. It is taken from them.
    fn sunk(&self, of: &Counted, pieces: &mut [(Stmt, Vec<ExitValue>)]) -> Vec<ExitValue> {
        let all: BTreeSet<VarId> = pieces.iter().flat_map(|(_, left)| left).map(|x| x.var).collect();
        let mut out = vec![];
        for v in &all {
            self.read_at_once(*v, pieces);
            if pieces.iter().any(|(s, _)| effects::mentioned([s]).contains(v)) {
                continue;
            }
            let changes = Changes::of(pieces.iter().map(|(s, _)| s));
            let is_kept = |e: &Expr| changes.keep(self.unit, e) && !all.iter().any(|v| e.mentions(*v));
            let (last, others) = {
                let mut each: Vec<&ExitValue> =
                    pieces.iter().flat_map(|(_, left)| left).filter(|x| x.var == *v).collect();
                (each.pop().expect("it is one of theirs"), each)
            };
            let is_last = last.when.is_empty() || others.iter().all(|x| same_all(&x.when, &last.when));
            let is_steady = is_kept(&last.value) && last.when.iter().all(is_kept);
            let Some(behind) = (is_last && is_steady).then(|| last.behind(of)).flatten() else { continue };
            pieces.iter_mut().for_each(|(_, left)| left.retain(|x| x.var != *v));
            out.extend(behind);
        }
        out
    }

    /// Puts the values that a variable is left with to where the same iteration reads them.
    fn read_at_once(&self, v: VarId, pieces: &mut [(Stmt, Vec<ExitValue>)]) {
        for at in 0..pieces.len() {
            let (here, next) = pieces[at..].split_first_mut().expect("`at` is one of them");
            let Some(left) = here.1.iter().rfind(|x| x.var == v && x.when.is_empty()) else { continue };
            let until = next.iter().position(|(_, left)| left.iter().any(|x| x.var == v)).map_or(next.len(), |n| n + 1);
            let changes = Changes::of(next[..until].iter().map(|(s, _)| s));
            if !changes.assigned.contains(&v) && changes.keep(self.unit, &left.value) {
                let values = Values::from([(v, left.value.clone())]);
                next[..until].iter_mut().for_each(|(s, _)| put_in(s, &values));
            }
        }
    }
}

impl ExitValue {
    /// The statement that sets it.
    fn set(self) -> Stmt {
        let span = self.value.span;
        let target = Expr { kind: ExprKind::Var(self.var), ty: self.value.ty.clone(), span };
        let set = assigned(None, &target, self.value, span);
        let ty = Type::Int(IntKind::Int);
        let both = |a, b| Expr { kind: ExprKind::Binary(BinOp::And, Box::new(a), Box::new(b)), ty: ty.clone(), span };
        match self.when.into_iter().reduce(both) {
            Some(cond) => plain(StmtKind::If { cond, then: Box::new(set), other: None }, span),
            None => set,
        }
    }

    /// The same behind a loop at the end of whose iterations it is left: nothing where the loop never leaves it, `None`
    /// where that cannot be said.
    fn behind(&self, of: &Counted) -> Option<Option<ExitValue>> {
        // Conditions on the counter hold from some iteration on, or up to one.
        let of_counter = || self.when.iter().filter(|e| e.mentions(of.var));
        let rising: Option<Vec<bool>> = of_counter().map(|e| rises(e, of.var).map(|up| up == (of.step > 0))).collect();
        let rising = rising?;
        let is_early = rising.contains(&false);
        if is_early && (rising.contains(&true) || self.value.mentions(of.var)) {
            return None;
        }
        let decisive = if is_early { of.first.clone() } else { moved(&of.end, -of.step) };
        let values = Values::from([(of.var, decisive)]);
        let mut value = self.value.clone();
        if let ExprKind::Cond(cond, then, _) = &value.kind
            && same_expr(cond, &of.runs)
        {
            value = (**then).clone();
        }
        put(&mut value, &values);
        let mut when = vec![];
        for e in [&of.runs].into_iter().chain(&self.when) {
            let mut e = e.clone();
            put(&mut e, &values);
            match constant::fold(&e) {
                Some(0) => return Some(None),
                Some(_) => {}
                None if when.iter().any(|known| same_expr(known, &e)) => {}
                None => when.push(e),
            }
        }
        Some(Some(ExitValue { var: self.var, when, value: simplest(value) }))
    }
}

/// Test for a number that is computed of variables alone.
fn is_sum(e: &Expr) -> bool {
    let mut is_so = matches!(e.ty, Type::Int(_));
    e.walk(&mut |e| {
        is_so &= matches!(e.kind, ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::Cast(_))
            || matches!(e.kind, ExprKind::Unary(..) | ExprKind::Binary(..)) && matches!(e.ty, Type::Int(_));
    });
    is_so
}

/// A statement and what sets the values that it leaves.
fn with(s: Stmt, left: Vec<ExitValue>) -> impl Iterator<Item = Stmt> {
    std::iter::once(s).chain(left.into_iter().map(ExitValue::set))
}

/// Test that a loop may end before its condition fails, because of a statement of its body; or (`or_go_on`) an iteration
/// before its last statement.
fn ends_early(s: &Stmt, or_go_on: bool) -> bool {
    let exits = s.exits();
    exits.leaves_loop() || or_go_on && (exits.continues || exits.switches)
}

/// The first value that a counter does not have: the nearest of the limits in its loop's condition.
fn limit(cond: &Expr, v: VarId, step: i64, is_kept: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    if *op == BinOp::And {
        let (x, y) = (limit(a, v, step, is_kept)?, limit(b, v, step, is_kept)?);
        let is_signed = |e: &Expr| matches!(e.ty, Type::Int(k) if !k.is_unsigned());
        let nearer = if step > 0 { BinOp::Lt } else { BinOp::Gt };
        return (is_signed(&x) && is_signed(&y)).then(|| chosen(binary(nearer, x.clone(), y.clone()), x, y));
    }
    let (op, bound) = match () {
        () if a.is_var(v) => (*op, &**b),
        () if b.is_var(v) => (mirrored(*op), &**a),
        () => return None,
    };
    let limit = match (op, step > 0) {
        (BinOp::Lt, true) | (BinOp::Gt, false) | (BinOp::Ne, _) if op != BinOp::Ne || step.abs() == 1 => bound.clone(),
        (BinOp::Le, true) | (BinOp::Ge, false) => moved(bound, step.signum()),
        _ => return None,
    };
    is_kept(bound).then_some(limit)
}

/// What a counter comes to that goes beyond a limit, from a first value on this side of it.
fn passed(first: &Expr, limit: Expr, step: i64) -> Expr {
    if step.abs() == 1 {
        return limit;
    }
    let (near, far) = if step > 0 { (first, &limit) } else { (&limit, first) };
    let by = |e: Expr, op, by: i64| binary(op, e, integer(by, limit.span));
    let way = by(binary(BinOp::Sub, far.clone(), near.clone()), BinOp::Add, step.abs() - 1);
    let way = by(by(way, BinOp::Div, step.abs()), BinOp::Mul, step.abs());
    binary(if step > 0 { BinOp::Add } else { BinOp::Sub }, first.clone(), way)
}

/// An operation on numbers, computed if they are constants.
fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    let e = ast_builder::binary(op, a, b);
    match constant::fold(&e) {
        Some(c) => Expr { kind: ExprKind::Int(c), ..e },
        None => e,
    }
}

/// Test that a comparison that holds for a value of `v` holds for the greater ones (`true`) or for the lesser ones.
fn rises(e: &Expr, v: VarId) -> Option<bool> {
    let ExprKind::Binary(op, a, b) = &e.kind else { return None };
    let by = match op {
        BinOp::Lt | BinOp::Le => coefficient(b, v)? - coefficient(a, v)?,
        BinOp::Gt | BinOp::Ge => coefficient(a, v)? - coefficient(b, v)?,
        _ => return None,
    };
    (by != 0).then_some(by > 0)
}

/// By how much a sum grows with a variable, if it does not wrap.
fn coefficient(e: &Expr, v: VarId) -> Option<i64> {
    let is_signed = matches!(e.ty, Type::Int(k) if !k.is_unsigned());
    match &e.kind {
        _ if !e.mentions(v) => Some(0),
        _ if !is_signed => None,
        ExprKind::Var(_) => Some(1),
        ExprKind::Cast(x) => matches!((&e.ty, &x.ty), (Type::Int(to), Type::Int(from)) if to.bits() >= from.bits())
            .then(|| coefficient(x, v))?,
        ExprKind::Unary(UnOp::Neg, x) => Some(-coefficient(x, v)?),
        ExprKind::Binary(BinOp::Add, a, b) => Some(coefficient(a, v)? + coefficient(b, v)?),
        ExprKind::Binary(BinOp::Sub, a, b) => Some(coefficient(a, v)? - coefficient(b, v)?),
        _ => None,
    }
}

/// `runs ? end : first`, or the one that it is.
fn chosen(runs: Expr, end: Expr, first: Expr) -> Expr {
    let (ty, span) = (end.ty.clone(), runs.span);
    let e = Expr { kind: ExprKind::Cond(Box::new(runs), Box::new(end), Box::new(first)), ty, span };
    simplest(e)
}

/// A choice that constants decide.
fn simplest(e: Expr) -> Expr {
    let ExprKind::Cond(cond, then, other) = &e.kind else { return e };
    match constant::fold(cond) {
        Some(0) => (**other).clone(),
        Some(_) => (**then).clone(),
        None => e,
    }
}

/// `e + by`.
fn moved(e: &Expr, by: i64) -> Expr {
    let op = if by < 0 { BinOp::Sub } else { BinOp::Add };
    // `n - 1 + 1` is `n`.
    if let ExprKind::Binary(was, a, b) = &e.kind
        && matches!((was, op), (BinOp::Add, BinOp::Sub) | (BinOp::Sub, BinOp::Add))
        && constant::fold(b) == Some(by.abs())
    {
        return (**a).clone();
    }
    binary(op, e.clone(), integer(by.abs(), e.span))
}

fn same_all(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_expr(a, b))
}
