//! Signs of zeros: a maximum or minimum of values of which some are 0 and some -0, as two accumulations: of the values, all of
//! whose zeros are 0, and of the place of the zero that C keeps.
//!
//! ```text
//! for (i = 0; i < n; i++)                     long rt_zero = m == 0 ? LONG_MIN : LONG_MAX;
//!     if (a[i] > m) m = a[i];       ->        for (i = 0; i < n; i++) {
//!                                                 rt_zero = min(rt_zero, a[i] == 0 ? 2 * i + signbit(a[i]) : LONG_MAX);
//!                                                 if (a[i] + 0.0 > m) m = a[i] + 0.0;
//!                                             }
//!                                             if (m == 0 && LONG_MIN < rt_zero && rt_zero < LONG_MAX)
//!                                                 m = rt_zero & 1 ? -0.0 : 0.0;
//! ```
//! 0 and -0 compare equal, so that C keeps the first of them where it asks for `>` and the last where it asks for `>=`, or
//! takes the other value where `>` does not hold. Joins in C's order would need each thread to have neighbouring iterations,
//! whose accesses are not coalesced, and atomic updates have no order at all. A place is an integer: its least or greatest is
//! the same in any order, so that all mappings serve as they are, for a few integer operations an iteration. Values that
//! cannot be both (`fabs(x)`, `x * x`, `x + 0.0`) are left alone, as in most tests of convergence ([`Zeros`]).
//!
//! What the row cannot rewrite is no accumulation (`in_order` of [`Reduction`]): its updates are made in order. So are those
//! of a maximum for each element of a matrix, which a thread finds by itself, and those in loops where the place has no
//! number: below more than two loops with bounds that change.

use super::extrema::{self, Head, Update, choice, taken_if};
use super::form::{Context, Form};
use super::inlining::own_copy;
use super::substitution::Values;
use crate::ast::build::ast_builder::{assigned, binary, converted, declared, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::same_expr;
use crate::facts::zeros::Zeros;
use crate::kernel::ReduceOp;
use crate::source::Span;
use std::collections::BTreeMap;

const LONG: Type = Type::Int(IntKind::Long);

/// Factor of the outer counter, which is 0 at least, in the number of a place in two loops over `int`; what the inner one is
/// less than 0 at most. The number and a bit for the sign fill 64 bits.
const OUTER: i64 = 1 << 33;
const INNER: i64 = 1 << 31;

/// Rewrites such accumulations, each in the outermost loop that does nothing else with its target.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let locals = locals(context.unit, context.facts, &form.stmt);
    inside(context.unit, &locals, &mut form.stmt, &mut vec![]);
}

/// `around`: the counters of the loops around.
fn inside(unit: &mut Unit, locals: &Locals, s: &mut Stmt, around: &mut Vec<VarId>) {
    if s.is_rare() {
        return;
    }
    let mut counter = None;
    if let StmtKind::For { init, .. } = &s.kind {
        counter = init.as_deref().and_then(effects::header_counter);
        let found = extrema::updates(unit, s);
        let (mut before, mut behind, mut is_there) = (vec![], vec![], true);
        for of_target in extrema::by_target(&found, &|r| r.in_order) {
            let Some(signs) = Signs::of(unit, locals, s, &of_target, around) else { continue };
            is_there &= of_target[0].is_of_variable();
            let (first, last) = signs.apply(unit, s);
            before.extend(first);
            behind.extend(last);
        }
        if !before.is_empty() {
            return extrema::put_around(unit, s, before, behind, is_there);
        }
    }
    around.extend(counter);
    s.stmts_mut().into_iter().for_each(|s| inside(unit, locals, s, around));
    around.truncate(around.len() - usize::from(counter.is_some()));
}

/// Test that updates in a loop, of which some must come in order as they stand, need not.
pub fn are_freed(unit: &Unit, locals: &Locals, s: &Stmt, updates: &[&Update], around: &[VarId]) -> bool {
    Signs::of(unit, locals, s, updates, around).is_some()
}

/// The zeros that local variables may be.
pub type Locals = BTreeMap<VarId, Zeros>;

/// The zeros that local variables of a statement may be, where they are only ever assigned as a whole.
pub fn locals(unit: &Unit, facts: &FunctionFacts, s: &Stmt) -> Locals {
    let mut values: BTreeMap<VarId, Vec<&Expr>> = BTreeMap::new();
    let mut others = facts.addresses().clone();
    s.walk(&mut |piece| match piece {
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            for d in ds {
                values.entry(d.var).or_default().extend(&d.init);
            }
        }
        Piece::Expr(e) => match &e.kind {
            ExprKind::Assign { op: None, target, value } if matches!(target.kind, ExprKind::Var(_)) => {
                values.entry(target.root().expect("a variable")).or_default().push(value);
            }
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => others.extend(target.root()),
            _ => {}
        },
        _ => {}
    });
    let own = effects::declared([s]);
    values.retain(|v, _| own.contains(v) && !others.contains(v));
    let both = |_| Zeros::BOTH;
    let of = |v: VarId, values: Vec<&Expr>| {
        let zeros = |e: &&Expr| Zeros::of(&converted(e, &unit.var(v).ty), &both);
        values.iter().map(zeros).reduce(Zeros::or).unwrap_or(Zeros::BOTH)
    };
    values.into_iter().map(|(v, values)| (v, of(v, values))).collect()
}

/// Accumulations that an update is rewritten as: of the value, of the place of the zero in a variable, or both.
#[derive(Clone, Copy)]
enum Part {
    Value,
    Place(VarId),
    Both(VarId),
}

/// How the sign of a maximum or minimum in a loop is found.
struct Signs {
    target: Expr,
    op: ReduceOp,
    takes_nan: bool,
    /// Numbers of places in the loops around the updates, in C's order; none where no value is -0.
    place: Option<Vec<Expr>>,
    /// Flag: rows are of any length. A loop over one is an accumulation as a whole, so that each of the two needs its own.
    is_uneven: bool,
    span: Span,
}

impl Signs {
    fn of(unit: &Unit, locals: &Locals, s: &Stmt, updates: &[&Update], around: &[VarId]) -> Option<Signs> {
        let changes = Changes::of([s]);
        let loops = &updates[0].loops;
        let are_within = |x: &&Update| {
            x.loops.len() == loops.len() && x.loops.iter().zip(loops).all(|(a, b)| a.counter == b.counter)
        };
        let is_in_order = || updates.iter().any(|x| x.is_one_of_many(s, around));
        if !updates.iter().all(are_within) || !extrema::are_alone(unit, s, &changes, updates) || is_in_order() {
            return None;
        }
        let of = |v: VarId| locals.get(&v).copied().unwrap_or(Zeros::BOTH);
        let is_minus = updates.iter().any(|x| Zeros::of(&x.r.value, &of).minus);
        let places = Places { unit, loops, changes: &changes, span: s.span };
        let (place, is_uneven) = match places.even() {
            _ if !is_minus => (None, false),
            Some(place) => (Some(places.numbered(&place, updates.len())), false),
            None if extrema::is_whole(unit, s) => (Some(vec![places.uneven()?]), true),
            None => return None,
        };
        let Reduction { target, op, takes_nan, .. } = updates[0].r.clone();
        Some(Signs { target, op, takes_nan, place, is_uneven, span: s.span })
    }

    /// Test that C keeps the last of equal values.
    fn is_last(&self) -> bool {
        matches!(self.op, ReduceOp::MinLast | ReduceOp::MaxLast)
    }

    /// Rewrites the updates in a loop; what is to stand before it and behind it.
    fn apply(self, unit: &mut Unit, s: &mut Stmt) -> (Vec<Stmt>, Vec<Stmt>) {
        let span = self.span;
        let zero = self.place.is_some().then(|| unit.add(Var::new("rt_zero", LONG, Storage::Local, span)));
        let Some(zero) = zero else {
            self.replace(unit, s, Part::Value);
            return (vec![], vec![]);
        };
        let mut alone = vec![];
        if self.is_uneven {
            alone.push(s.clone());
            self.replace(unit, &mut alone[0], Part::Place(zero));
            own_copy(unit, &mut alone, &mut Values::new());
            self.replace(unit, s, Part::Value);
        } else {
            self.replace(unit, s, Part::Both(zero));
        }
        let zero = |unit: &Unit| unit.read(zero, span);
        let (nowhere, edge) = if self.is_last() { (i64::MIN, i64::MAX) } else { (i64::MAX, i64::MIN) };
        let is_zero = || binary(BinOp::Eq, self.target.clone(), self.float(0.0));
        let (nowhere, edge) = (self.key(nowhere), self.key(edge));
        // The value from before comes before all of them.
        let start = if self.is_last() { nowhere.clone() } else { choice(is_zero(), edge, nowhere) };
        let z = zero(unit);
        let is_found = [
            is_zero(),
            binary(BinOp::Lt, self.key(i64::MIN), z.clone()),
            binary(BinOp::Lt, z.clone(), self.key(i64::MAX)),
        ];
        let is_found = is_found.into_iter().reduce(|a, b| binary(BinOp::And, a, b)).expect("three");
        let minus = Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(self.float(0.0))), ..self.float(0.0) };
        let is_minus = binary(BinOp::BitAnd, z.clone(), self.key(1));
        let set = assigned(None, &self.target, choice(is_minus, minus, self.float(0.0)), span);
        let ExprKind::Var(v) = z.kind else { unreachable!("a variable") };
        ([declared(v, start)].into_iter().chain(alone).collect(), vec![taken_if(is_found, set)])
    }

    /// Rewrites the updates in a statement.
    fn replace(&self, unit: &Unit, s: &mut Stmt, part: Part) {
        let mut n = 0;
        extrema::replace(unit, s, &mut |r| {
            same_expr(&r.target, &self.target).then(|| self.update(unit, &r.value, part, &mut n))
        });
    }

    /// The update by a value, and the one of the place of the zero.
    fn update(&self, unit: &Unit, value: &Expr, part: Part, n: &mut usize) -> Vec<Stmt> {
        let (span, m) = (value.span, &self.target);
        let x = binary(BinOp::Add, value.clone(), self.float(0.0));
        let (greater, or_equal) = match self.op {
            ReduceOp::Max => (true, false),
            ReduceOp::MaxLast => (true, true),
            ReduceOp::Min => (false, false),
            _ => (false, true),
        };
        let compare = |a: &Expr, b: &Expr, or_equal: bool| {
            let op = match (greater, or_equal) {
                (true, false) => BinOp::Gt,
                (true, true) => BinOp::Ge,
                (false, false) => BinOp::Lt,
                (false, true) => BinOp::Le,
            };
            binary(op, a.clone(), b.clone())
        };
        let update = match self.takes_nan {
            true => assigned(None, m, choice(compare(m, &x, !or_equal), m.clone(), x), span),
            false => taken_if(compare(&x, m, or_equal), assigned(None, m, x.clone(), span)),
        };
        let (Part::Both(zero) | Part::Place(zero), Some(place)) = (part, &self.place) else { return vec![update] };
        let kind = ExprKind::Call { name: "__builtin_signbit".into(), args: vec![value.clone()] };
        let sign = Expr { kind, ty: Type::Int(IntKind::Int), span };
        let key = binary(BinOp::Add, place[*n].clone(), sign);
        *n += 1;
        let nowhere = self.key(if self.is_last() { i64::MIN } else { i64::MAX });
        let here = choice(binary(BinOp::Eq, value.clone(), self.float(0.0)), key, nowhere);
        let zero = unit.read(zero, span);
        let is_next = binary(if self.is_last() { BinOp::Gt } else { BinOp::Lt }, here.clone(), zero.clone());
        // The value may be what the update writes to.
        let of_place = taken_if(is_next, assigned(None, &zero, here, span));
        if let Part::Place(_) = part { vec![of_place] } else { vec![of_place, update] }
    }

    fn float(&self, x: f64) -> Expr {
        let suffix = if self.target.ty == Type::Float(FloatKind::Float) { "f" } else { "" };
        Expr { kind: ExprKind::Float(x, format!("{x:.1}{suffix}")), ty: self.target.ty.clone(), span: self.span }
    }

    fn key(&self, value: i64) -> Expr {
        long(value, self.span)
    }
}

/// Numbers of places in the loops around updates, in C's order.
struct Places<'a> {
    unit: &'a Unit,
    loops: &'a [Head],
    changes: &'a Changes,
    span: Span,
}

impl Places<'_> {
    fn counter(&self, head: &Head) -> Expr {
        converted(&self.unit.read(head.counter, self.span), &LONG)
    }

    fn times(&self, e: Expr, by: i64) -> Expr {
        binary(BinOp::Mul, e, long(by, self.span))
    }

    /// The number of an iteration, where inner loops have the same bounds in all.
    fn even(&self) -> Option<Expr> {
        let (outermost, inner) = self.loops.split_first()?;
        let mut place = self.counter(outermost);
        if outermost.step < 0 {
            place = Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(place)), ty: LONG, span: self.span };
        }
        for head in inner {
            let own = binary(BinOp::Sub, self.counter(head), converted(&head.first, &LONG));
            place = binary(BinOp::Add, binary(BinOp::Mul, place, self.length(head)?), own);
        }
        Some(place)
    }

    /// Even numbers of `n` updates in an iteration.
    fn numbered(&self, place: &Expr, n: usize) -> Vec<Expr> {
        let n = n as i64;
        let of = |k: i64| match k {
            0 => self.times(place.clone(), 2 * n),
            k => binary(BinOp::Add, self.times(place.clone(), 2 * n), long(2 * k, self.span)),
        };
        (0..n).map(of).collect()
    }

    /// An even number of an iteration of two loops, where the bounds of the inner one are any numbers of 32 bits.
    fn uneven(&self) -> Option<Expr> {
        let [outer, inner] = self.loops else { return None };
        let is_int = |x: &Head| self.unit.var(x.counter).ty == Type::Int(IntKind::Int) && x.step > 0;
        if !is_int(outer) || !is_int(inner) || !matches!(outer.first.kind, ExprKind::Int(0..)) {
            return None;
        }
        let outer = binary(BinOp::Sub, self.counter(outer), long(OUTER >> 3, self.span));
        let inner = binary(BinOp::Add, self.counter(inner), long(INNER, self.span));
        Some(binary(BinOp::Add, self.times(outer, OUTER), self.times(inner, 2)))
    }

    /// How far the counter of a loop gets at most from its first value, where that is the same in all iterations around.
    fn length(&self, head: &Head) -> Option<Expr> {
        let ExprKind::Binary(op, a, b) = &head.cond.kind else { return None };
        let (end, is_strict) = match op {
            BinOp::Lt | BinOp::Le if a.is_var(head.counter) => (b, *op == BinOp::Lt),
            BinOp::Gt | BinOp::Ge if b.is_var(head.counter) => (a, *op == BinOp::Gt),
            _ => return None,
        };
        let is_same = |e: &Expr| matches!(e.ty, Type::Int(_)) && self.changes.keep(self.unit, e);
        if head.step < 0 || !is_same(end) || !is_same(&head.first) {
            return None;
        }
        let (end, first) = (converted(end, &LONG), converted(&head.first, &LONG));
        let length = if matches!(head.first.kind, ExprKind::Int(0)) { end } else { binary(BinOp::Sub, end, first) };
        Some(if is_strict { length } else { binary(BinOp::Add, length, long(1, self.span)) })
    }
}

fn long(value: i64, span: Span) -> Expr {
    Expr { ty: LONG, ..integer(value, span) }
}
