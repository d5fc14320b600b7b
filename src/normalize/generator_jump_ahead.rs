//! Jump-ahead of linear congruential generators that a loop draws from a fixed number of times an iteration: each iteration
//! jumps ahead to the state that it begins with.
//!
//! ```text
//! for (i = 0; i < n; i++) {                   for (i = 0; i < n; i++) {
//!     s = (a * s + c) % m;                        int rt_s = rt_lcg(s, i, a, c, m);
//!     x[i] = s;                     ->            rt_s = (a * rt_s + c) % m;
//! }                                               x[i] = rt_s;
//!                                             }
//!                                             s = rt_lcg(s, n, a, c, m);
//! ```
//! A state after any number of steps is an affine function of the first one, whose numbers are found by repeated squaring (F.
//! B. Brown, Random number generation with arbitrary strides, Trans. Am. Nucl. Soc. 71, 1994; `rt_random.h`). Draws are counted
//! through loops whose bounds nothing in the outermost one changes. Which laws are read says
//! [`generator_laws`](super::generator_laws). Where a condition or a loop with an end that the data decide draws, nobody knows
//! how far to jump, and the loop stays. Numbers that move by the same at each step jump alike ([`linear_recurrences`]).

use super::form::{Context, Form};
use super::generator_laws::{Law, learn, sets, value_of, whole};
use super::linear_recurrences;
use crate::ast::build::ast_builder::{assigned, binary, converted, integer, plain, surround};
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::header::{first_value, step_of};
use crate::facts::loops::has_loop;
use crate::facts::symbolic::same_expr;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

const WIDE: Type = Type::Int(IntKind::LongLong);

/// Opens the outermost loops of a statement that draw from such generators.
///
/// `seen`: the variables of the function that may be set in other ways than by name.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        let constants = context.facts.constants(context.unit, |e| whole(e).is_some());
        inside(context.unit, constants, &mut form.stmt, true);
    }
}

/// `draws`: whether generators are looked for, which is done in the outermost loops; numbers that move steadily are in the
/// innermost ones.
fn inside(unit: &mut Unit, constants: &BTreeMap<VarId, Expr>, s: &mut Stmt, draws: bool) {
    if !matches!(s.kind, StmtKind::For { .. }) {
        return s.stmts_mut().into_iter().for_each(|s| inside(unit, constants, s, draws));
    }
    let (mut loops, mut behind) = (s.clone(), vec![]);
    let is_innermost = !s.stmts().into_iter().any(has_loop);
    for place in places(unit, s) {
        if let Some((opened, last)) = opened(unit, constants, &loops, &place, (draws, is_innermost)) {
            loops = opened;
            behind.push(last);
        }
    }
    if !behind.is_empty() {
        *s = loops;
        surround(s, vec![], behind);
    } else if !is_innermost {
        s.stmts_mut().into_iter().for_each(|s| inside(unit, constants, s, false));
    }
}

/// Variables and elements that a loop assigns, and that may be the state of a generator outside it.
fn places(unit: &Unit, s: &Stmt) -> Vec<Expr> {
    let own = effects::declared([s]);
    let assigned = effects::assigned_whole(s);
    let mut out: Vec<Expr> = vec![];
    s.walk(&mut |piece| {
        let Piece::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) = piece else { return };
        let is_state = match &target.kind {
            ExprKind::Var(v) => !own.contains(v) && effects::places([s], *v).len() > 1,
            ExprKind::Index(base, at) => {
                let root = base.root().filter(|v| base.is_var(*v) && !own.contains(v) && !assigned.contains(v));
                matches!(at.kind, ExprKind::Int(_)) && root.is_some_and(|v| is_only(s, v, target))
            }
            _ => false,
        };
        let is_number = matches!(target.ty, Type::Int(k) if k.bits() >= 32) || matches!(target.ty, Type::Float(_));
        let is_volatile = target.root().is_none_or(|v| unit.var(v).is_volatile);
        if is_state && is_number && !is_volatile && !out.iter().any(|known| same_expr(known, target)) {
            out.push((**target).clone());
        }
    });
    out
}

/// Test for a statement that names an array for one of its elements alone.
fn is_only(s: &Stmt, array: VarId, element: &Expr) -> bool {
    effects::places([s], array).len() == times_named(s, element)
}

/// Number of times that a statement names a place.
fn times_named(s: &Stmt, place: &Expr) -> usize {
    let mut n = 0;
    s.walk(&mut |piece| n += usize::from(matches!(piece, Piece::Expr(e) if same_expr(e, place))));
    n
}

/// Test for a loop that names a place for more than to set it.
fn is_used(s: &Stmt, place: &Expr) -> bool {
    let mut set = 0;
    s.walk(&mut |piece| {
        if let Piece::Stmt(s @ Stmt { kind: StmtKind::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }), .. }) =
            piece
            && same_expr(target, place)
        {
            set += times_named(s, place);
        }
    });
    times_named(s, place) > set
}

/// A number of draws: products of trip counts, with a factor each.
#[derive(Clone, Default)]
struct Count(Vec<(i64, Vec<Expr>)>);

impl Count {
    fn plus(&mut self, other: &Count) {
        for (factor, trips) in &other.0 {
            match self.0.iter_mut().find(|(_, known)| known == trips) {
                Some((known, _)) => *known += factor,
                None => self.0.push((*factor, trips.clone())),
            }
        }
    }

    fn times(&self, trips: &Expr) -> Count {
        let longer = |(factor, known): &(i64, Vec<Expr>)| (*factor, known.iter().chain([trips]).cloned().collect());
        Count(self.0.iter().map(longer).collect())
    }

    fn expr(&self, span: Span) -> Expr {
        let product = |(factor, trips): &(i64, Vec<Expr>)| {
            let whole = trips.iter().cloned().reduce(|a, b| binary(BinOp::Mul, a, b));
            match (whole, factor) {
                (Some(whole), 1) => whole,
                (Some(whole), factor) => binary(BinOp::Mul, whole, wide(*factor, span)),
                (None, factor) => wide(*factor, span),
            }
        };
        let terms = self.0.iter().map(product);
        terms.reduce(|a, b| binary(BinOp::Add, a, b)).unwrap_or_else(|| wide(0, span))
    }
}

fn wide(value: i64, span: Span) -> Expr {
    Expr { ty: WIDE, ..integer(value, span) }
}

/// The loop with jumps in it, and what is left in the state behind it. `sought`: whether by a generator, or steadily.
fn opened(
    unit: &mut Unit,
    constants: &BTreeMap<VarId, Expr>,
    s: &Stmt,
    place: &Expr,
    sought: (bool, bool),
) -> Option<(Stmt, Stmt)> {
    let mut jumps = Jumps { unit, constants, place, fixed: effects::assigned([s]), sought, law: None };
    jumps.fixed.extend(effects::declared([s]));
    jumps.fixed.extend(place.root());
    let mut total = Count::default();
    jumps.counted(s, &mut total)?;
    let law = jumps.law.clone()?;
    if law.is_steady() && (!is_used(s, place) || law.rounds() && linear_recurrences::decides(s, place)) {
        return None;
    }
    let loops = jumps.with_jumps(s, &Count::default())?;
    let value = law.jump(place, total.expr(s.span), s.span);
    Some((loops, assigned(None, place, value, s.span)))
}

struct Jumps<'a> {
    unit: &'a mut Unit,
    constants: &'a BTreeMap<VarId, Expr>,
    /// The state of the generator.
    place: &'a Expr,
    /// Variables that no trip count may have in it: the outermost loop changes them.
    fixed: BTreeSet<VarId>,
    sought: (bool, bool),
    law: Option<Law>,
}

/// Body of a loop on the way through it.
struct Iteration {
    /// Its own copy of the state, and whether that is up to date.
    state: VarId,
    is_begun: bool,
    drawn: Count,
}

impl Jumps<'_> {
    /// Adds the draws of a loop.
    fn counted(&mut self, s: &Stmt, total: &mut Count) -> Option<()> {
        let (trips, _) = self.header(s)?;
        let StmtKind::For { body, .. } = &s.kind else { return None };
        // Where an iteration may be left, nobody knows what is drawn.
        if body.exits().any() {
            return None;
        }
        let mut drawn = Count::default();
        self.drawn(body.listed(), &mut self.constants.clone(), &mut drawn)?;
        total.plus(&drawn.times(&trips));
        Some(())
    }

    /// Adds the draws of statements. `known`: the values that variables have from here on, in terms of the state.
    fn drawn(&mut self, list: &[Stmt], known: &mut BTreeMap<VarId, Expr>, drawn: &mut Count) -> Option<()> {
        let mut at = 0;
        while let Some(s) = list.get(at) {
            at += 1;
            if !sets(s, self.place) {
                learn(s, self.place, known);
                continue;
            }
            match &s.kind {
                StmtKind::Block(inner) => self.drawn(inner, known, drawn)?,
                StmtKind::For { .. } => {
                    self.counted(s, drawn)?;
                    known.clone_from(self.constants);
                }
                _ => {
                    let law = self.law_of(&list[at - 1..], known)?;
                    if self.law.get_or_insert_with(|| law.clone()) != &law {
                        return None;
                    }
                    at += law.n_statements - 1;
                    drawn.plus(&Count(vec![(1, vec![])]));
                    known.clone_from(self.constants);
                }
            }
        }
        Some(())
    }

    /// The law of what the first of some statements sets.
    fn law_of(&self, list: &[Stmt], known: &BTreeMap<VarId, Expr>) -> Option<Law> {
        let (draws, steady) = self.sought;
        let law = if draws { Law::of(list, self.place, known) } else { None };
        law.or_else(|| {
            let value = steady.then(|| value_of(list.first()?, self.place, known))??;
            linear_recurrences::law(&value, self.place, &|e| self.is_fixed(e))
        })
    }

    /// Test for a value that the outermost loop does not change.
    fn is_fixed(&self, e: &Expr) -> bool {
        let mut is_fixed = effects::is_plain(e) && !effects::reads_memory(e);
        e.walk(&mut |e| is_fixed &= !matches!(e.kind, ExprKind::Var(v) if self.fixed.contains(&v)));
        is_fixed
    }

    /// A loop whose iterations jump. `before`: the draws before the loop.
    fn with_jumps(&mut self, s: &Stmt, before: &Count) -> Option<Stmt> {
        let (_, index) = self.header(s)?;
        let mut out = s.clone();
        let StmtKind::For { body, .. } = &mut out.kind else { return None };
        let mut each = Count::default();
        self.drawn(body.listed(), &mut self.constants.clone(), &mut each)?;
        let mut drawn = before.clone();
        drawn.plus(&each.times(&index));
        let name = self.place.root().map_or("state", |v| &self.unit.var(v).name).to_owned();
        let state = self.unit.add(Var::new(name, self.place.ty.clone(), Storage::Local, s.span));
        let mut iteration = Iteration { state, is_begun: false, drawn };
        let mut list = self.statements(body.listed(), &mut iteration)?;
        if list.iter().any(|s| effects::mentioned([s]).contains(&state)) {
            list.insert(0, plain(StmtKind::Decl(vec![Declarator { var: state, init: None }]), s.span));
        }
        body.kind = StmtKind::Block(list);
        Some(out)
    }

    fn statements(&mut self, list: &[Stmt], iteration: &mut Iteration) -> Option<Vec<Stmt>> {
        let mut out = vec![];
        let mut at = 0;
        while let Some(s) = list.get(at) {
            at += 1;
            match &s.kind {
                StmtKind::Block(inner) => {
                    let kind = StmtKind::Block(self.statements(inner, iteration)?);
                    out.push(Stmt { kind, ..s.clone() });
                }
                StmtKind::For { .. } if sets(s, self.place) => {
                    out.push(self.with_jumps(s, &iteration.drawn)?);
                    self.counted(s, &mut iteration.drawn)?;
                    iteration.is_begun = false;
                }
                _ => {
                    let is_draw = sets(s, self.place);
                    let n = if is_draw { self.law.as_ref()?.n_statements } else { 1 };
                    for s in &list[at - 1..at - 1 + n] {
                        self.begin(s, iteration, &mut out);
                        out.push(self.renamed(s, iteration.state));
                    }
                    at += n - 1;
                    if is_draw {
                        iteration.drawn.plus(&Count(vec![(1, vec![])]));
                    }
                }
            }
        }
        Some(out)
    }

    /// Brings the iteration's own state up to date before a statement that names it.
    fn begin(&self, s: &Stmt, iteration: &mut Iteration, out: &mut Vec<Stmt>) {
        if let (Some(law), false, true) = (&self.law, iteration.is_begun, times_named(s, self.place) > 0) {
            let value = law.jump(self.place, iteration.drawn.expr(s.span), s.span);
            out.push(assigned(None, &self.unit.read(iteration.state, s.span), value, s.span));
            iteration.is_begun = true;
        }
    }

    fn renamed(&self, s: &Stmt, state: VarId) -> Stmt {
        let mut out = s.clone();
        out.exprs_mut(&mut |e| {
            e.rewrite(&mut |e| {
                if same_expr(e, self.place) {
                    *e = self.unit.read(state, e.span);
                }
            });
        });
        out
    }

    /// Number of times that a loop runs, and the number of the iteration that it is in.
    fn header(&self, s: &Stmt) -> Option<(Expr, Expr)> {
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return None };
        let (v, first) = first_value(init)?;
        let by = step_of(step, v)?;
        let ExprKind::Binary(op, counter, limit) = &cond.kind else { return None };
        let is_narrow = |ty: &Type| matches!(ty, Type::Int(k) if k.bits() <= 32 || !k.is_unsigned());
        let types = [&self.unit.var(v).ty, &first.ty, &limit.ty];
        let is_counted = counter.is_var(v) && !effects::assigned([&**body]).contains(&v);
        if !is_counted || !types.into_iter().all(is_narrow) || !self.is_fixed(first) || !self.is_fixed(limit) {
            return None;
        }
        let at = s.span;
        let of = |e: &Expr| converted(e, &WIDE);
        let (low, high) = if by > 0 { (of(first), of(limit)) } else { (of(limit), of(first)) };
        let is_inclusive = match (op, by > 0) {
            (BinOp::Lt, true) | (BinOp::Gt, false) => false,
            (BinOp::Le, true) | (BinOp::Ge, false) => true,
            _ => return None,
        };
        let by = by.abs();
        let distance = difference(high.clone(), low.clone());
        let rounded = if is_inclusive { by } else { by - 1 };
        let moved = if rounded == 0 { distance } else { binary(BinOp::Add, distance, wide(rounded, at)) };
        let trips = over(moved, by, at);
        let runs = binary(if is_inclusive { BinOp::Le } else { BinOp::Lt }, low, high);
        let kind = ExprKind::Cond(Box::new(runs), Box::new(trips), Box::new(wide(0, at)));
        let (now, first) = (of(&self.unit.read(v, at)), of(first));
        let passed = if matches!(op, BinOp::Lt | BinOp::Le) { (now, first) } else { (first, now) };
        let trips = Expr { kind, ty: WIDE, span: at };
        let trips = constant::fold(&trips).map_or(trips, |n| wide(n, at));
        Some((trips, over(difference(passed.0, passed.1), by, at)))
    }
}

fn over(e: Expr, by: i64, at: Span) -> Expr {
    if by == 1 { e } else { binary(BinOp::Div, e, wide(by, at)) }
}

fn difference(a: Expr, b: Expr) -> Expr {
    if constant::fold(&b) == Some(0) { a } else { binary(BinOp::Sub, a, b) }
}
