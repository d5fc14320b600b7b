//! If-conversion of conditions on data around several statements: taken once, into a variable, and asked before each of them.
//!
//! ```text
//! for (j...) {                                   for (j...) {
//!     if (solid[i][j])                               int rt_taken = !solid[i][j];
//!         continue;                                  double rho = rt_taken ? f[0][i][j] : 0;
//!     double rho = f[0][i][j];           ->          for (q...)
//!     for (q...)                                         if (rt_taken)
//!         f[q][i][j] += rho;                                 f[q][i][j] += rho;
//! }                                              }
//! ```
//! So the loops below keep their counters, and what they touch its subscripts; as one statement, everything in it would be said
//! to touch any element. A comparison of integers that stay is asked as it stands. A variable that only the conditional
//! statements see has some value either way, so that its first value is sure. A loop whose header reads an element stays under
//! the condition as a whole. What follows `if (c) { ...; continue; }` is its `else`.
//!
//! What is accumulated beside other things under a condition gets a statement of its own, too, so that it is seen to be
//! accumulated: `if (x[i] > t) { x[i] = t; n++; }`, `if (inside) { a[k[i]] += x; b[l[i]] += y; }`. So does what counts the
//! places of others, `if (x[i] > t) { y[n] = x[i]; n++; }`, and what `omp atomic` or `omp critical` stands before. A product of
//! what loops move (`i * step >= w`) counts as data: no condition of the model has one.

use super::form::{Context, Form};
use crate::ast::assertion::opposite;
use crate::ast::build::ast_builder::{integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::function::FunctionFacts;
use crate::facts::loops::has_loop;
use crate::facts::{effects, reduction};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

const INT: Type = Type::Int(IntKind::Int);

/// Opens the conditions on data in the loops of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let moved = effects::assigned([&form.stmt]);
    inside(context.unit, context.facts, &mut form.stmt, &moved, &BTreeSet::new());
}

/// `moved`: variables that something in the form sets; `around`: those around that only the data know.
fn inside(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt, moved: &BTreeSet<VarId>, around: &BTreeSet<VarId>) {
    let mut around = around.clone();
    if let StmtKind::For { body, .. } = &mut s.kind {
        let mut own = effects::declared([&**body]);
        own.retain(|v| unit.var(*v).storage == Storage::Local);
        let before = listed(body);
        let is_of_data = |e: &Expr| reads_element(e) || multiplies(e, moved);
        let chosen = effects::computed_from(body, around.clone(), &is_of_data);
        let accumulates = sums(unit, body, &own);
        let mut scope = Scope { facts, own, chosen, accumulates };
        let list = opened(unit, without_continue(before.clone(), &scope.own), &mut scope, true);
        around = if list == before {
            scope.chosen
        } else {
            body.kind = StmtKind::Block(list);
            effects::computed_from(body, around, &is_of_data)
        };
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, facts, s, moved, &around));
}

/// Test for a product of something that loops move and of what is no constant: no condition that the model has.
fn multiplies(e: &Expr, moved: &BTreeSet<VarId>) -> bool {
    let is_open = |x: &Expr| has(x, &|x| matches!(x.kind, ExprKind::Var(_) | ExprKind::Member { .. }));
    let moves = |x: &Expr| has(x, &|x| matches!(x.kind, ExprKind::Var(v) if moved.contains(&v)));
    has(e, &|x| match &x.kind {
        ExprKind::Binary(BinOp::Mul, a, b) => is_open(a) && is_open(b) && (moves(a) || moves(b)),
        _ => false,
    })
}

/// What is known of the variables in a loop's body.
struct Scope<'a> {
    facts: &'a FunctionFacts<'a>,
    /// Those that nothing outside the iteration sees.
    own: BTreeSet<VarId>,
    /// Those whose value only the data know.
    chosen: BTreeSet<VarId>,
    /// Statements that accumulate in a variable or an array which nothing else in the loop names, or that alone count one on.
    accumulates: BTreeSet<Span>,
}

/// The statements of a body that do.
fn sums(unit: &Unit, body: &Stmt, own: &BTreeSet<VarId>) -> BTreeSet<Span> {
    let mut found: BTreeMap<VarId, Vec<Span>> = BTreeMap::new();
    let mut n_uses = BTreeMap::new();
    body.walk(&mut |piece| {
        let Piece::Stmt(s) = piece else { return };
        if matches!(s.kind, StmtKind::Expr(_))
            && let Some(r) = reduction::recognise(unit, s)
            && !own.contains(&r.data)
        {
            found.entry(r.data).or_default().push(s.span);
            *n_uses.entry(r.data).or_insert(0) += effects::places([s], r.data).len();
        }
    });
    found.retain(|v, updates| {
        effects::places([body], *v).len() == n_uses[v] || updates.len() == 1 && counts_on(body, *v)
    });
    found.into_values().flatten().collect()
}

/// Test that all that changes a variable in a loop's body is one statement that adds a constant.
fn counts_on(body: &Stmt, v: VarId) -> bool {
    let (mut n_counts, mut n_others) = (0, 0);
    body.exprs(&mut |e| {
        e.walk(&mut |x| match &x.kind {
            ExprKind::IncDec { inc: true, target, .. } if target.is_var(v) => n_counts += 1,
            ExprKind::Assign { op: Some(BinOp::Add), target, value } if target.is_var(v) => {
                *(if matches!(value.kind, ExprKind::Int(1..)) { &mut n_counts } else { &mut n_others }) += 1;
            }
            ExprKind::IncDec { target, .. } | ExprKind::Assign { target, .. } if target.is_var(v) => n_others += 1,
            _ => {}
        });
    });
    (n_counts, n_others) == (1, 0)
}

/// Test that one of several statements of a branch accumulates.
fn is_beside_a_sum(branch: &Stmt, accumulates: &BTreeSet<Span>) -> bool {
    let list = listed(branch);
    let nested = |s: &Stmt| match &s.kind {
        StmtKind::If { then, other, .. } => {
            std::iter::once(then).chain(other).any(|branch| is_beside_a_sum(branch, accumulates))
        }
        _ => false,
    };
    list.len() > 1 && list.iter().any(|s| accumulates.contains(&s.span)) || list.iter().any(nested)
}

/// Test that one of several statements of a branch is under `omp atomic` or the like: alone, it may be an accumulation.
fn is_beside_a_guarded_one(unit: &Unit, branch: &Stmt) -> bool {
    let (mut n_effects, mut is_guarded) = (0, false);
    branch.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Expr(_), span, .. }) = piece {
            n_effects += 1;
            let mut guards = unit.assertions.iter().flat_map(|a| &a.guards);
            is_guarded |= guards.any(|e| e.holds.encloses(*span));
        }
    });
    n_effects > 1 && is_guarded
}

/// The statements of a body, its blocks and its conditions opened as far as that changes nothing.
fn listed(body: &Stmt) -> Vec<Stmt> {
    match &body.kind {
        StmtKind::Block(b) => b.clone(),
        _ => vec![body.clone()],
    }
}

/// `in_body`: the statements are a loop's body.
fn opened(unit: &mut Unit, stmts: Vec<Stmt>, scope: &mut Scope<'_>, in_body: bool) -> Vec<Stmt> {
    let mut out = vec![];
    let mut rest = stmts.into_iter();
    while let Some(s) = rest.next() {
        let StmtKind::If { cond, then, other } = &s.kind else {
            out.push(s);
            continue;
        };
        if in_body && is_continue(then) && other.is_none() {
            let conditions = alternatives(cond, BinOp::Or);
            if !conditions.iter().any(|c| is_data(c, &scope.own)) {
                out.push(s);
                continue;
            }
            // The first of them may guard the others.
            let later: Vec<Stmt> = rest.collect();
            out.extend(skipped(unit, &s, &conditions, later, scope));
            return out;
        }
        let is_of_several =
            |s: &Stmt| has_loop(s) || is_beside_a_sum(s, &scope.accumulates) || is_beside_a_guarded_one(unit, s);
        let opens = is_of_several(then) || other.as_deref().is_some_and(is_of_several);
        if opens && is_data(cond, &scope.chosen) && !s.exits().leaves() {
            let branches = || [&**then].into_iter().chain(other.as_deref());
            let mut inside = effects::declared(branches());
            inside.extend(effects::assigned(branches()).into_iter().filter(|v| is_apart(unit, scope.facts, &s, *v)));
            // Integers that stay may be compared again, which says more of them.
            let taken = if is_of_integers(cond) && Changes::of(branches()).keep(unit, cond) {
                cond.clone()
            } else {
                let taken = variable(unit, &s);
                scope.own.insert(taken);
                inside.insert(taken);
                out.push(set(taken, cond.clone(), false, &s));
                named(taken, &s)
            };
            let then = opened(unit, listed(then), scope, false);
            guard(unit, &taken, then, &inside, &mut out);
            if let Some(other) = other {
                let other = opened(unit, listed(other), scope, false);
                guard(unit, &negated(taken), other, &inside, &mut out);
            }
            continue;
        }
        out.push(s);
    }
    out
}

/// `if (c) { ...; continue; }` and what follows it: as `else`, if only the data know the condition.
fn without_continue(mut stmts: Vec<Stmt>, own: &BTreeSet<VarId>) -> Vec<Stmt> {
    let leaves = |s: &Stmt| match &s.kind {
        StmtKind::If { cond, then, other: None } if is_data(cond, own) => match listed(then).as_slice() {
            [first @ .., Stmt { kind: StmtKind::Continue, .. }] => {
                !first.is_empty() && !first.iter().any(|s| s.exits().leaves())
            }
            _ => false,
        },
        _ => false,
    };
    let Some(at) = stmts.iter().position(leaves) else { return stmts };
    let later = without_continue(stmts.split_off(at + 1), own);
    if later.iter().any(|s| s.exits().leaves()) {
        stmts.extend(later);
    } else if let StmtKind::If { then, other, .. } = &mut stmts[at].kind {
        let (mut list, span) = (listed(then), then.span);
        list.pop();
        **then = plain(StmtKind::Block(list), span);
        *other = Some(Box::new(plain(StmtKind::Block(later), span)));
    }
    stmts
}

/// `if (a || b) continue;` and what follows it.
fn skipped(unit: &mut Unit, s: &Stmt, conditions: &[Expr], later: Vec<Stmt>, scope: &mut Scope<'_>) -> Vec<Stmt> {
    let mut out = vec![];
    let Some((first, others)) = conditions.split_first() else { return opened(unit, later, scope, true) };
    if !is_data(first, &scope.own) {
        let then = Box::new(plain(StmtKind::Continue, s.span));
        out.push(plain(StmtKind::If { cond: first.clone(), then, other: None }, s.span));
        out.extend(skipped(unit, s, others, later, scope));
        return out;
    }
    if later.is_empty() {
        return out;
    }
    // Conditions of counters alone are asked where they say what subscripts may be.
    let is_of_counters = is_of_integers(first) && !is_data(first, &scope.chosen);
    let goes_on = if is_of_counters && Changes::of(&later).keep(unit, first) {
        opposite(first)
    } else {
        let taken = variable(unit, s);
        scope.own.insert(taken);
        out.push(set(taken, first.clone(), true, s));
        named(taken, s)
    };
    let later = skipped(unit, s, others, later, scope);
    // A jump of the rest would have to be a jump of every piece.
    if later.iter().any(|s| s.exits().leaves()) {
        let then = Box::new(plain(StmtKind::Block(later), s.span));
        out.push(plain(StmtKind::If { cond: goes_on, then, other: None }, s.span));
        return out;
    }
    guard(unit, &goes_on, later, &scope.own, &mut out);
    out
}

fn negated(e: Expr) -> Expr {
    let span = e.span;
    Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e)), ty: INT, span }
}

/// Test that a variable is of a statement alone: nothing else reads what it sets, and there, too, a value is only read
/// where it was set.
fn is_apart(unit: &Unit, facts: &FunctionFacts, s: &Stmt, v: VarId) -> bool {
    let var = unit.var(v);
    matches!(var.storage, Storage::Local | Storage::Param)
        && !var.is_volatile
        && var.ty.is_scalar()
        && !facts.addresses().contains(&v)
        && is_set_first(&facts.function.body, v, false, Some(s.span))
        && is_set_first(s, v, false, None)
}

/// Test that each statement that names a variable stands behind one that sets it, in its list or in one around; `hole` is
/// left out, and stands behind none.
fn is_set_first(s: &Stmt, v: VarId, is_set: bool, hole: Option<Span>) -> bool {
    if hole == Some(s.span) {
        return !is_set;
    }
    let names = |e: &Expr| !is_set && e.mentions(v);
    let inside = |s: &Stmt| is_set_first(s, v, is_set, hole);
    match &s.kind {
        StmtKind::Block(list) => {
            let mut is_set = is_set;
            list.iter().all(|s| {
                let held = is_set_first(s, v, is_set, hole);
                is_set |= sets(s, v);
                held
            })
        }
        _ if sets(s, v) => true,
        StmtKind::If { cond, then, other } => !names(cond) && inside(then) && other.as_deref().is_none_or(inside),
        StmtKind::For { init, cond, step, body } => {
            init.as_deref().is_none_or(inside) && !cond.iter().chain(step).any(names) && inside(body)
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => !names(cond) && inside(body),
        _ => is_set || effects::places([s], v).is_empty(),
    }
}

/// `v = e;`, where `v` is not in `e`.
fn sets(s: &Stmt, v: VarId) -> bool {
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
            target.is_var(v) && !value.mentions(v)
        }
        StmtKind::Decl(ds) => {
            matches!(ds.as_slice(), [d] if d.var == v && d.init.as_ref().is_some_and(|e| !e.mentions(v)))
        }
        _ => false,
    }
}

/// Puts statements under a condition, piece by piece.
fn guard(unit: &Unit, cond: &Expr, stmts: Vec<Stmt>, own: &BTreeSet<VarId>, out: &mut Vec<Stmt>) {
    let mut stmts = stmts.into_iter();
    while let Some(s) = stmts.next() {
        let span = s.span;
        let or_zero = |value: &Expr, ty: &Type| {
            let zero = Expr { kind: ExprKind::Cast(Box::new(integer(0, span))), ty: ty.clone(), span };
            let kind = ExprKind::Cond(Box::new(cond.clone()), Box::new(value.clone()), Box::new(zero));
            Expr { kind, ty: ty.clone(), span }
        };
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => out.push(s),
            StmtKind::Block(body) => guard(unit, cond, body.clone(), own, out),
            StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_none() || unit.var(d.var).ty.is_scalar()) => {
                let mut ds = ds.clone();
                for d in &mut ds {
                    let ty = &unit.var(d.var).ty;
                    d.init = d.init.as_ref().map(|e| if is_value(e) { e.clone() } else { or_zero(e, ty) });
                }
                out.push(Stmt { kind: StmtKind::Decl(ds), ..s });
            }
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, ty, span: at })
                if matches!(target.kind, ExprKind::Var(v) if own.contains(&v)) && target.ty.is_scalar() =>
            {
                let value = Box::new(if is_value(value) { (**value).clone() } else { or_zero(value, &target.ty) });
                let kind = ExprKind::Assign { op: None, target: target.clone(), value };
                let set = StmtKind::Expr(Expr { kind, ty: ty.clone(), span: *at });
                out.push(Stmt { kind: set, directives: s.directives.clone(), span });
            }
            StmtKind::For { init, cond: header, step, body } if counts(&s) => {
                let mut inside = vec![];
                guard(unit, cond, listed(body), own, &mut inside);
                let body = Box::new(plain(StmtKind::Block(inside), body.span));
                let kind = StmtKind::For { init: init.clone(), cond: header.clone(), step: step.clone(), body };
                out.push(Stmt { kind, directives: s.directives.clone(), span });
            }
            // Statements behind are in the scope of other variables that are declared.
            StmtKind::Decl(_) => {
                let then = Box::new(plain(StmtKind::Block([s].into_iter().chain(stmts).collect()), span));
                return out.push(plain(StmtKind::If { cond: cond.clone(), then, other: None }, span));
            }
            _ => out.push(plain(StmtKind::If { cond: cond.clone(), then: Box::new(s.clone()), other: None }, span)),
        }
    }
}

/// The operands of a chain of `||` or `&&`, as a condition each.
fn alternatives(cond: &Expr, by: BinOp) -> Vec<Expr> {
    match &cond.kind {
        ExprKind::Binary(op, a, b) if *op == by => [alternatives(a, by), alternatives(b, by)].concat(),
        _ => vec![cond.clone()],
    }
}

fn is_continue(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Continue => true,
        StmtKind::Block(b) => matches!(b.as_slice(), [Stmt { kind: StmtKind::Continue, .. }]),
        _ => false,
    }
}

/// Test that only the data know a condition: it reads an element, or one of these variables.
fn is_data(e: &Expr, of: &BTreeSet<VarId>) -> bool {
    reads_element(e) || has(e, &|x| matches!(x.kind, ExprKind::Var(v) if of.contains(&v)))
}

/// Test that it is computed from variables that are integers alone: so that no two compilations round it.
fn is_of_integers(e: &Expr) -> bool {
    let mut is = true;
    e.walk(&mut |x| {
        is &= matches!(x.kind, ExprKind::Int(_) | ExprKind::Var(_) | ExprKind::Binary(..))
            && matches!(x.ty, Type::Int(_));
    });
    is
}

fn reads_element(e: &Expr) -> bool {
    has(e, &|x| x.ty.is_scalar() && matches!(x.kind, ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _)))
}

/// Test that a loop's header may be computed whatever the condition says: it reads no element, and nothing leaves its body.
fn counts(s: &Stmt) -> bool {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return false };
    let mut plain = effects::header_counter(init).is_some() && !body.exits().leaves();
    init.walk(&mut |p| {
        if let Piece::Expr(e) = p {
            plain &= is_harmless(e);
        }
    });
    plain && is_harmless(cond) && is_harmless(step)
}

/// Test for a value that changes nothing, either.
fn is_value(e: &Expr) -> bool {
    is_harmless(e) && effects::is_plain(e)
}

/// Test for a value that may be computed whatever a condition says: it reads no element, calls nothing, and divides nothing.
fn is_harmless(e: &Expr) -> bool {
    !has(e, &|x| {
        matches!(
            x.kind,
            ExprKind::Index(..)
                | ExprKind::Unary(UnOp::Deref, _)
                | ExprKind::Call { .. }
                | ExprKind::Binary(BinOp::Div | BinOp::Rem, ..)
        )
    })
}

/// Test that some part of an expression is such.
fn has(e: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    e.walk(&mut |x| found |= is(x));
    found
}

fn variable(unit: &mut Unit, s: &Stmt) -> VarId {
    unit.add(Var::new("rt_taken", INT, Storage::Local, s.span))
}

fn named(v: VarId, s: &Stmt) -> Expr {
    Expr { kind: ExprKind::Var(v), ty: INT, span: s.span }
}

/// `int v = !!cond;`, or `!cond`.
fn set(v: VarId, cond: Expr, negated: bool, s: &Stmt) -> Stmt {
    let span = cond.span;
    let not = |e: Expr| Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e)), ty: INT, span };
    let is_truth = matches!(cond.kind, ExprKind::Binary(op, ..) if op.is_boolean());
    let value = match (negated, is_truth) {
        (true, _) => not(cond),
        (false, true) => cond,
        (false, false) => not(not(cond)),
    };
    plain(StmtKind::Decl(vec![Declarator { var: v, init: Some(value) }]), s.span)
}
