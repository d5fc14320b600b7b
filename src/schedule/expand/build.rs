//! The part with the variables expanded: the same loops and statements over other data, and, behind them, what brings
//! the last values back into a variable that is wanted afterwards.
//!
//! ```text
//! for r: for q: { for p: sum[p] = ...; for p: a[r][q][p] = sum[p]; }
//! ->
//! for r: for q: { for p: rt_sum[r][q][p] = ...; for p: a[r][q][p] = rt_sum[r][q][p]; }
//! if (nr > 0 && nq > 0) for p: sum[p] = rt_sum[nr - 1][nq - 1][p];
//! ```

use super::super::parallel::Analysis;
use super::webs::{Web, own_loops};
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::region::shape::Shape;
use crate::region::{Access, AccessKind, Condition, Data, Loop, LoopId, Relation, Statement, StaticPart, StmtId, Tree};
use crate::source::Span;
use std::collections::BTreeMap;

/// What brings back what the last iterations leave in a variable: the loops of one of its statements that are not
/// around the whole live range, where the counters of those that are have their last values.
#[derive(Debug, Clone)]
pub struct Back {
    pub data: VarId,
    copy: VarId,
    loops: Vec<Loop>,
    /// On the sizes alone, and on the counters of `loops`.
    outside: Vec<Condition>,
    inside: Vec<Condition>,
    /// Subscripts of the variable, and what comes before them in what took its place.
    index: Vec<Poly>,
    last: Vec<Poly>,
    target: Expr,
    value: Expr,
}

impl Back {
    /// The same for the sizes for which another of the same live range brings something back.
    pub fn where_is(self, other: &Back) -> Back {
        Back { outside: other.outside.clone(), ..self }
    }
}

/// The part over expanded data; the last statements are those of `backs`, in their order.
pub fn expanded(a: &Analysis, unit: &Unit, webs: &[&Web], backs: &[&Back]) -> StaticPart {
    let mut part = a.part.clone();
    for web in webs {
        let data = &a.part.data[&web.data];
        let extents = web.extents();
        let shape = Shape {
            c_rank: extents.len(),
            n_pointers: 0,
            is_open: false,
            inner: extents[1..].to_vec(),
            strides: vec![],
            outer: Some(extents[0].clone()),
            outer_is_known: true,
            outer_is_reached: false,
            stated: None,
        };
        let elem = data.elem.clone();
        part.data.insert(web.copy, Data { var: web.copy, elem, shape, declared_in: None, is_local: false });
        for s in &web.stmts {
            substitute(a, unit, web, &mut part.stmts[s.0]);
        }
    }
    for back in backs {
        let from = back.last.iter().chain(&back.index).cloned().collect();
        append(&mut part, back, back.copy, from);
    }
    part
}

/// The part as written, with reads of what `backs` want at its end: what the expanded part is held to.
pub fn wanted(a: &Analysis, backs: &[&Back]) -> StaticPart {
    let mut part = a.part.clone();
    for back in backs {
        append(&mut part, back, back.data, back.index.clone());
    }
    part
}

/// The copy in the place of the variable, all through a statement.
fn substitute(a: &Analysis, unit: &Unit, web: &Web, stmt: &mut Statement) {
    let counters: Vec<VarId> = web.loops.iter().map(|(l, _)| a.part.get_loop(*l).var).collect();
    let subscripts: Vec<Expr> = counters.iter().map(|v| unit.read(*v, stmt.body.span)).collect();
    let place = element(web.copy, &web.copy_type(unit), &subscripts, stmt.body.span);
    match &stmt.body.kind {
        StmtKind::Decl(ds) if matches!(ds.as_slice(), [Declarator { var, .. }] if *var == web.data) => {
            let init = ds[0].init.clone().expect("a declaration that is a statement has a value");
            let assign = ExprKind::Assign { op: None, target: Box::new(place.clone()), value: Box::new(init) };
            let expr = Expr { kind: assign, ty: place.ty.clone(), span: stmt.body.span };
            stmt.body = Stmt { kind: StmtKind::Expr(expr), ..stmt.body.clone() };
        }
        _ => {}
    }
    stmt.body.replace(web.data, &place);
    for r in stmt.reduction.iter_mut().chain(&mut stmt.conditional) {
        r.target.replace(web.data, &place);
        r.value.replace(web.data, &place);
        if r.data == web.data {
            r.data = web.copy;
        }
    }
    for x in &mut stmt.accesses {
        x.subscripts.iter_mut().for_each(|s| s.replace(web.data, &place));
        if x.data == web.data {
            x.data = web.copy;
            x.subscripts.splice(0..0, subscripts.iter().cloned());
            if let Some(index) = &mut x.index {
                index.splice(0..0, counters.iter().map(|v| Poly::sym(Sym::Counter(*v))));
            }
        }
    }
}

/// `v[a][b]`, where `v` is of type `ty`.
pub fn element(v: VarId, ty: &Type, subscripts: &[Expr], span: Span) -> Expr {
    let whole = Expr { kind: ExprKind::Var(v), ty: ty.clone(), span };
    subscripts.iter().fold(whole, |base, s| {
        let ty = match &base.ty {
            Type::Array { of, .. } | Type::Pointer { to: of, .. } => (**of).clone(),
            _ => Type::Other("no array".into()),
        };
        Expr { kind: ExprKind::Index(Box::new(base), Box::new(s.clone())), ty, span }
    })
}

fn append(part: &mut StaticPart, back: &Back, from: VarId, at: Vec<Poly>) {
    let span = back.target.span;
    let assign =
        ExprKind::Assign { op: None, target: Box::new(back.target.clone()), value: Box::new(back.value.clone()) };
    let expr = Expr { kind: assign, ty: back.target.ty.clone(), span };
    let access = |data, kind, index| Access {
        data,
        kind,
        index: Some(index),
        reach: None,
        observed: vec![],
        subscripts: vec![],
        obligations: vec![],
        known: vec![],
        surely: true,
        span,
    };
    let first = part.loops.len();
    let loops: Vec<LoopId> = (first..first + back.loops.len()).map(LoopId).collect();
    part.loops.extend(back.loops.iter().cloned());
    let id = StmtId(part.stmts.len());
    part.stmts.push(Statement {
        body: Stmt { kind: StmtKind::Expr(expr), span, directives: vec![] },
        loops: loops.clone(),
        guards: back.outside.iter().chain(&back.inside).cloned().collect(),
        accesses: vec![
            access(from, AccessKind::Read, at),
            access(back.data, AccessKind::MustWrite, back.index.clone()),
        ],
        reduction: None,
        conditional: None,
        has_loop: false,
        kept_whole: None,
        obligations: vec![],
        counters: vec![],
    });
    let under = |tree, cond: &Condition| Tree::If { cond: cond.clone(), expr: None, negated: false, body: vec![tree] };
    let tree = back.inside.iter().rev().fold(Tree::Stmt(id), under);
    let tree = loops.iter().rev().fold(tree, |tree, l| Tree::Loop(*l, vec![tree]));
    part.tree.push(back.outside.iter().rev().fold(tree, under));
}

/// What brings the value back that the statement `s` writes last, by the bounds of the loops; whether that is what the
/// program leaves is to be proved. `None` where the bounds do not tell the last iteration.
pub fn back(a: &Analysis, unit: &Unit, web: &Web, s: StmtId) -> Option<Back> {
    let stmt = a.part.stmt(s);
    let is_target = |x: &&Access| x.data == web.data && x.kind == AccessKind::MustWrite && x.known.is_empty();
    let access = stmt.accesses.iter().find(is_target)?;
    let mut last = BTreeMap::new();
    let mut written = BTreeMap::new();
    let mut conditions = vec![];
    for l in &web.around {
        let l = a.part.get_loop(*l);
        let (value, runs) = last_value(l, &last)?;
        written.insert(l.var, as_written(a, unit, &value, access.span)?);
        last.insert(l.var, value);
        conditions.push(Condition::Compare(runs, Relation::Gt));
    }
    let mut loops = vec![];
    for l in own_loops(a, web, s) {
        let l = a.part.get_loop(*l);
        let limits = l.limits.iter().map(|p| p.with(&last)).collect::<Option<_>>()?;
        loops.push(Loop { first: l.first.with(&last)?, limits, directives: vec![], ..l.clone() });
    }
    for g in &stmt.guards {
        conditions.push(g.with(&last)?);
    }
    conditions.retain(|c| !matches!(c, Condition::Compare(p, Relation::Gt) if p.as_constant().is_some_and(|c| c > 0)));
    let inner = |c: &Condition| loops.iter().any(|l| c.uses(l.var));
    let (inside, outside) = conditions.into_iter().partition(inner);
    let index = access.index.as_ref()?.iter().map(|p| p.with(&last)).collect::<Option<_>>()?;
    let mut subscripts = access.subscripts.clone();
    subscripts.iter_mut().for_each(|e| written.iter().for_each(|(v, value)| e.replace(*v, value)));
    let vars = || web.loops.iter().map(|(l, _)| a.part.get_loop(*l).var);
    let at: Vec<Expr> = vars().map(|v| written[&v].clone()).chain(subscripts.iter().cloned()).collect();
    Some(Back {
        data: web.data,
        copy: web.copy,
        loops,
        outside,
        inside,
        index,
        last: vars().map(|v| last[&v].clone()).collect(),
        target: element(web.data, &unit.var(web.data).ty, &subscripts, access.span),
        value: element(web.copy, &web.copy_type(unit), &at, access.span),
    })
}

/// Each of several where the ones behind it bring nothing back; `None` where that is not told by sizes alone.
pub fn in_turns(mut backs: Vec<Back>) -> Option<Vec<Back>> {
    let is_told = |back: &Back| back.loops.is_empty() && back.inside.is_empty() && !back.outside.is_empty();
    for at in 1..backs.len() {
        let runs = backs
            .get(at)
            .filter(|back| is_told(back))?
            .outside
            .clone()
            .into_iter()
            .reduce(|a, b| Condition::And(Box::new(a), Box::new(b)))?;
        for earlier in &mut backs[..at] {
            earlier.outside.push(Condition::Not(Box::new(runs.clone())));
        }
    }
    (backs.len() > 1).then_some(backs)
}

/// The value that a loop's counter has in its last iteration, and what is positive where there is one.
fn last_value(l: &Loop, outer: &BTreeMap<VarId, Poly>) -> Option<(Poly, Poly)> {
    let [limit] = l.limits.as_slice() else { return None };
    let (first, limit) = (l.first.with(outer)?, limit.with(outer)?);
    let sign = l.step.signum();
    let distance = limit.plus(&first, -1)?;
    let distance = Poly::default().plus(&distance, sign)?;
    let before_end = distance.plus(&Poly::constant(1), -1)?;
    let value = match l.step.abs() {
        1 => limit.plus(&Poly::constant(sign), -1)?,
        step => {
            let rounds = match before_end.as_constant() {
                Some(c) => Poly::constant(c.div_euclid(step)),
                None => Poly::sym(Sym::Floor(Box::new(before_end), step)),
            };
            first.plus(&rounds, l.step)?
        }
    };
    Some((value, distance))
}

/// A polynomial of parameters that is never negative as C of 64 bits, where they are C that the device can have.
pub fn as_written(a: &Analysis, unit: &Unit, p: &Poly, span: Span) -> Option<Expr> {
    let long = Type::Int(IntKind::Long);
    let make = |kind| Expr { kind, ty: long.clone(), span };
    let constant = |c: i64| {
        let ty = if i32::try_from(c).is_ok() { Type::Int(IntKind::Int) } else { long.clone() };
        Expr { kind: ExprKind::Int(c), ty, span }
    };
    let binary = |op, x, y| make(ExprKind::Binary(op, Box::new(x), Box::new(y)));
    let mut sum: Option<Expr> = None;
    // What is added first, so that nothing begins with a sign.
    let mut terms: Vec<_> = p.terms.iter().collect();
    terms.sort_by_key(|(_, c)| **c < 0);
    for (m, c) in terms {
        let value = match m.as_slice() {
            [] => None,
            [Sym::Param(id)] => {
                let param = a.part.params.get(*id);
                let is_plain = param.var.is_some() || matches!(param.expr.kind, ExprKind::Member { .. });
                let expr = param.var.map_or_else(|| param.expr.clone(), |v| unit.read(v, span));
                Some(make(ExprKind::Cast(Box::new(is_plain.then_some(expr)?))))
            }
            [Sym::Floor(inner, d)] => Some(binary(BinOp::Div, as_written(a, unit, inner, span)?, constant(*d))),
            _ => return None,
        };
        let size = c.checked_abs()?;
        let term = match (value, size) {
            (None, size) => constant(size),
            (Some(value), 1) => value,
            (Some(value), size) => binary(BinOp::Mul, constant(size), value),
        };
        sum = Some(match (sum, *c > 0) {
            (None, true) => term,
            (None, false) => binary(BinOp::Sub, constant(0), term),
            (Some(sum), true) => binary(BinOp::Add, sum, term),
            (Some(sum), false) => binary(BinOp::Sub, sum, term),
        });
    }
    Some(sum.unwrap_or_else(|| constant(0)))
}
