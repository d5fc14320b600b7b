//! Partial accumulators: what a loop that only the data bound adds to a total goes into a variable of its own, and is added to
//! the total behind it.
//!
//! ```text
//! for (i = 0; i < n; i++) {                       for (i = 0; i < n; i++) {
//!     double s = 0;                                   double s = 0;
//!     for (k = 0; k < nn[i]; k++) {                   double e_part = -0.0;
//!         e += u[k];                       ->         for (k = 0; k < nn[i]; k++) {
//!         s += w[k];                                      e_part += u[k];
//!     }                                                   s += w[k];
//!     g[i] = s;                                       }
//! }                                                   e += e_part;
//!                                                     g[i] = s;
//!                                                 }
//! ```
//! Such a loop is one statement to all that follows. If it is no more than an accumulation it is known to be one; beside other
//! things it would keep the loops around it in order. Each part begins with what changes nothing, so that a loop without
//! iterations adds nothing. Where nothing else in the outer loop names the total, the order does not matter
//! ([`reduction`]).

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, binary, converted, declared, integer, surround};
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::header::{first_value, step_of};
use crate::facts::loops::has_loop;
use crate::facts::reduction::{self, Reduction};
use crate::facts::symbolic::same_expr;
use crate::facts::{arrays, effects};
use crate::kernel::ReduceOp;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Gives parts to the totals of a form's outermost loops.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        inside(context.unit, &mut form.stmt);
    }
}

/// Looks for the outermost loops that have totals.
fn inside(unit: &mut Unit, s: &mut Stmt) {
    if let StmtKind::For { body, .. } = &s.kind
        && has_loop(body)
    {
        let totals = totals(unit, s);
        let chosen = effects::computed_from(s, BTreeSet::new(), &reads_element);
        if !totals.is_empty() {
            let StmtKind::For { body, .. } = &mut s.kind else { unreachable!("the loop was looked at") };
            Parts { unit: &mut *unit, totals: &totals, chosen: &chosen }.below(body);
        }
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, s));
}

/// An update of what accumulates, and the statement that makes it.
struct Update<'a> {
    reduction: Reduction,
    stmt: &'a Stmt,
}

/// The variables and arrays that a loop only accumulates in, each by one operator, at places that it does not move.
fn totals(unit: &Unit, s: &Stmt) -> BTreeSet<VarId> {
    let mut found = vec![];
    updates(unit, s, &mut found);
    let mut by_data: BTreeMap<VarId, Vec<&Update>> = BTreeMap::new();
    found.iter().for_each(|u| by_data.entry(u.reduction.data).or_default().push(u));
    let (changes, own) = (Changes::of([s]), effects::declared([s]));
    let is_total = |v: &VarId, updates: &Vec<&Update>| {
        let n_named: usize = updates.iter().map(|u| effects::places([u.stmt], *v).len()).sum();
        let is_alike = |u: &&Update| {
            let index = arrays::subscripts(&u.reduction.target).map(|(_, index)| index).unwrap_or_default();
            let is_fixed = |e: &&Expr| !reads_element(e) && changes.keep(unit, e);
            u.reduction.op == updates[0].reduction.op && !u.reduction.takes_nan && index.iter().all(is_fixed)
        };
        !own.contains(v) && updates.iter().all(is_alike) && effects::places([s], *v).len() == n_named
    };
    by_data.into_iter().filter(|(v, updates)| is_total(v, updates)).map(|(v, _)| v).collect()
}

/// The accumulations in a statement.
fn updates<'a>(unit: &Unit, s: &'a Stmt, found: &mut Vec<Update<'a>>) {
    match reduction::recognise(unit, s) {
        Some(reduction) if !has_loop(s) => found.push(Update { reduction, stmt: s }),
        _ => s.stmts().into_iter().for_each(|s| updates(unit, s, found)),
    }
}

/// Totals of one loop, while parts of them are looked for.
struct Parts<'a> {
    unit: &'a mut Unit,
    totals: &'a BTreeSet<VarId>,
    /// Variables whose value only the data know.
    chosen: &'a BTreeSet<VarId>,
}

impl Parts<'_> {
    /// Gives parts to the loops below that are one statement each.
    fn below(&mut self, s: &mut Stmt) {
        if self.is_whole(s) {
            let parts = self.parts(s);
            if !parts.is_empty() {
                self.open(s, parts);
            }
            return;
        }
        s.stmts_mut().into_iter().for_each(|s| self.below(s));
    }

    /// Test for a loop whose bounds only the data know, or that is left by what they say. A `while` around loops may be one
    /// of the host.
    fn is_whole(&self, s: &Stmt) -> bool {
        let is_data = |e: &Expr| reads_element(e) || self.chosen.iter().any(|v| e.mentions(*v));
        match &s.kind {
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => !has_loop(body),
            StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } => {
                let counted = first_value(init).filter(|(v, _)| step_of(step, *v).is_some());
                counted.is_none_or(|(_, first)| is_data(first) || is_data(cond)) || body.exits().leaves_loop()
            }
            StmtKind::For { .. } => true,
            _ => false,
        }
    }

    /// Updates of totals in a loop, one for each place; none where it is known for an accumulation as it is.
    fn parts(&self, s: &Stmt) -> Vec<(Reduction, Stmt)> {
        if reduction::recognise(self.unit, s).is_some() {
            return vec![];
        }
        let mut found = vec![];
        updates(self.unit, s, &mut found);
        found.retain(|u| self.totals.contains(&u.reduction.data));
        let mut parts: Vec<(Reduction, Stmt)> = vec![];
        let mut refused = BTreeSet::new();
        for Update { reduction: r, stmt } in found {
            let again = parts.iter().any(|(x, _)| same_expr(&x.target, &r.target));
            // Of equal extremes that compare otherwise C may keep another.
            if again && extreme(r.op) || identity(&r, stmt.span).is_none() {
                refused.insert(r.data);
            }
            if !again {
                parts.push((r, stmt.clone()));
            }
        }
        parts.retain(|(r, _)| !refused.contains(&r.data));
        parts
    }

    /// Puts the declarations of its parts before a loop, and what adds them to their totals behind it.
    fn open(&mut self, s: &mut Stmt, parts: Vec<(Reduction, Stmt)>) {
        let (mut before, mut behind) = (vec![], vec![]);
        for (r, update) in parts {
            let Some(first) = identity(&r, s.span) else { continue };
            let name = format!("{}_part", self.unit.var(r.data).name);
            let own = self.unit.add(Var::new(name, r.target.ty.clone(), Storage::Local, s.span));
            let part = self.unit.read(own, s.span);
            before.push(declared(own, converted(&first, &r.target.ty)));
            behind.push(joined(&r, &update, &part));
            put(s, &r.target, &part);
        }
        surround(s, before, behind);
    }
}

/// Puts one expression in the place of another.
fn put(s: &mut Stmt, from: &Expr, to: &Expr) {
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |x| {
            if same_expr(x, from) {
                *x = to.clone();
            }
        });
    });
}

/// Test for an element in an expression, or a call.
fn reads_element(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |x| {
        let is_element = matches!(x.kind, ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _));
        found |= is_element || matches!(x.kind, ExprKind::Call { .. });
    });
    found
}

fn extreme(op: ReduceOp) -> bool {
    use ReduceOp::*;
    matches!(op, Min | Max | MinLast | MaxLast | Fmin | Fmax)
}

/// The update of a total by a part of it, made as the parts were.
fn joined(r: &Reduction, update: &Stmt, part: &Expr) -> Stmt {
    let op = match r.op {
        ReduceOp::Add => BinOp::Add,
        ReduceOp::Mul => BinOp::Mul,
        ReduceOp::And => BinOp::BitAnd,
        ReduceOp::Or => BinOp::BitOr,
        ReduceOp::Xor => BinOp::BitXor,
        _ => {
            let mut join = update.clone();
            put(&mut join, &r.value, part);
            return join;
        }
    };
    assigned(Some(op), &r.target, part.clone(), update.span)
}

/// The value of a total's type that changes nothing; of an extreme only where the values have that type, too.
fn identity(r: &Reduction, span: Span) -> Option<Expr> {
    let ty = &r.target.ty;
    if extreme(r.op) && r.value.ty != *ty {
        return None;
    }
    Some(match (r.op, ty) {
        (ReduceOp::Add, Type::Float(_)) => negated(converted(&integer(0, span), ty)),
        (ReduceOp::Mul, _) => converted(&integer(1, span), ty),
        (ReduceOp::Add | ReduceOp::Or | ReduceOp::Xor, Type::Int(_)) => converted(&integer(0, span), ty),
        (ReduceOp::And, Type::Int(_)) => converted(&integer(-1, span), ty),
        (ReduceOp::Min | ReduceOp::MinLast, Type::Float(kind)) => constant("inf", *kind, span),
        (ReduceOp::Max | ReduceOp::MaxLast, Type::Float(kind)) => negated(constant("inf", *kind, span)),
        (ReduceOp::Fmin | ReduceOp::Fmax, Type::Float(kind)) => constant("nan", *kind, span),
        (ReduceOp::Max, Type::Int(kind)) if kind.is_unsigned() => converted(&integer(0, span), ty),
        (ReduceOp::Min, Type::Int(kind)) if kind.is_unsigned() => converted(&integer(-1, span), ty),
        (ReduceOp::Min, Type::Int(kind)) if kind.bits() <= 32 => integer((1 << (kind.bits() - 1)) - 1, span),
        (ReduceOp::Max, Type::Int(kind)) if kind.bits() <= 32 => {
            binary(BinOp::Sub, integer(1 - (1 << (kind.bits() - 1)), span), integer(1, span))
        }
        _ => return None,
    })
}

fn negated(e: Expr) -> Expr {
    Expr { ty: e.ty.clone(), span: e.span, kind: ExprKind::Unary(UnOp::Neg, Box::new(e)) }
}

/// A constant of `math.h`, by the name that its macro calls.
fn constant(name: &str, kind: FloatKind, span: Span) -> Expr {
    let name = format!("__builtin_{name}{}", if kind == FloatKind::Float { "f" } else { "" });
    Expr { kind: ExprKind::Call { name, args: vec![] }, ty: Type::Float(kind), span }
}
