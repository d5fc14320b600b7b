//! Laws of linear congruential generators, read from the statements that draw.
//!
//! | C | law |
//! | --- | --- |
//! | `s = (a * s + c) % m`, `t = a * s + c; s = t - m * (t / m)` | remainder |
//! | `k = s / q; s = a * (s - k * q) - k * r; if (s < 0) s += m`, with `m == a * q + r`, `r < q` | Schrage's |
//! | `s = (a * s + c) & (m - 1)`, `s = a * s + c` where `s` is unsigned | bits |
//! | `s = fmod(a * s + c, m)`, `s` a `double` that holds whole numbers | of reals |
//!
//! The numbers are constants. What unsigned arithmetic might wrap, other than the law says, is none; signed overflow has no
//! meaning in C. `s` may hold anything before the loop: the functions of `rt_random.h` step until the law holds. (L. Schrage,
//! A more portable Fortran random number generator, ACM Trans. Math. Softw. 5(2), 1979.)

use super::substitution::put_converted;
use crate::ast::build::ast_builder::{binary, converted};
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Stmt, StmtKind, Type, UnOp, VarId};
use crate::facts::effects;
use crate::facts::symbolic::same_expr;
use crate::source::Span;
use std::collections::BTreeMap;

pub const DOUBLE: Type = Type::Float(FloatKind::Double);
const WIDE: Type = Type::Int(IntKind::LongLong);
/// Largest whole number of a `double` up to which all are.
const EXACT: i128 = 1 << 53;
/// Nodes up to which a value is followed.
const MAX_NODES: usize = 64;

/// Rule by which a state follows from the one before.
#[derive(Debug, Clone, PartialEq)]
pub struct Law {
    rule: Rule,
    /// Number of statements that it takes.
    pub n_statements: usize,
}

#[derive(Debug, Clone, PartialEq)]
enum Rule {
    /// A function of the runtime that jumps, and what it takes behind the state and the number of steps.
    Jumps(&'static str, Vec<i64>),
    /// `s + step`, or `s - step`.
    Adds { step: Expr, is_less: bool },
    /// `-s`
    Negates,
    /// A function of the runtime for places in a ring, whose step and size the loop does not change.
    Turns { function: &'static str, step: Expr, size: Expr },
}

impl Law {
    /// The law of the draw with which a list of statements begins. `known`: values of variables, in terms of the state.
    pub fn of(list: &[Stmt], place: &Expr, known: &BTreeMap<VarId, Expr>) -> Option<Law> {
        let value = value_of(list.first()?, place, known)?;
        let is_small = value.n_nodes() <= MAX_NODES;
        let corrected = list.get(1).and_then(|s| correction(s, place, known));
        let law = match (corrected, &place.ty) {
            (Some(m), Type::Int(kind)) if !kind.is_unsigned() => schrage(&value, place, m),
            (None, Type::Int(kind)) => remainder(&value, place).or_else(|| bits(&value, place, *kind)),
            (None, Type::Float(_)) => of_reals(&value, place),
            _ => None,
        };
        law.filter(|_| is_small)
    }

    fn jumps(function: &'static str, numbers: Vec<i64>, n_statements: usize) -> Law {
        Law { rule: Rule::Jumps(function, numbers), n_statements }
    }

    /// The law of `s = s + step`, or (`is_less`) of `s = s - step`.
    pub fn adds(step: Expr, is_less: bool) -> Law {
        Law { rule: Rule::Adds { step, is_less }, n_statements: 1 }
    }

    /// The law of `s = -s`.
    pub fn negates() -> Law {
        Law { rule: Rule::Negates, n_statements: 1 }
    }

    /// The law of `s = (s + step) & size`, or (`function`) of another place in a ring.
    pub fn turns(function: &'static str, step: Expr, size: Expr) -> Law {
        Law { rule: Rule::Turns { function, step, size }, n_statements: 1 }
    }

    /// Test for a law of numbers that move by the same at each step: no generator's.
    pub fn is_steady(&self) -> bool {
        !matches!(self.rule, Rule::Jumps(..))
    }

    /// Test for a law by which C rounds at each step.
    pub fn rounds(&self) -> bool {
        matches!(self.rule, Rule::Adds { .. })
    }

    /// The state that many steps behind the one at a place.
    pub fn jump(&self, place: &Expr, steps: Expr, span: Span) -> Expr {
        let is_real = matches!(place.ty, Type::Float(_));
        let number = |value: i64| Expr { kind: ExprKind::Int(value), ty: WIDE, span };
        let jumped = match &self.rule {
            Rule::Jumps(name, numbers) => {
                let args = [place.clone(), steps].into_iter().chain(numbers.iter().map(|n| number(*n))).collect();
                let ty = if is_real { DOUBLE } else { WIDE };
                Expr { kind: ExprKind::Call { name: (*name).to_owned(), args }, ty, span }
            }
            Rule::Adds { step, is_less } => {
                let moved = binary(BinOp::Mul, converted(&steps, &DOUBLE), step.clone());
                binary(if *is_less { BinOp::Sub } else { BinOp::Add }, place.clone(), moved)
            }
            Rule::Turns { function, step, size } => {
                let args = vec![converted(place, &WIDE), steps, converted(step, &WIDE), converted(size, &WIDE)];
                Expr { kind: ExprKind::Call { name: (*function).to_owned(), args }, ty: WIDE, span }
            }
            Rule::Negates => {
                let is_even = binary(BinOp::Eq, binary(BinOp::Rem, steps, number(2)), number(0));
                let kind = ExprKind::Unary(UnOp::Neg, Box::new(place.clone()));
                let negated = Expr { kind, ty: place.ty.clone(), span };
                let kind = ExprKind::Cond(Box::new(is_even), Box::new(place.clone()), Box::new(negated));
                Expr { kind, ty: place.ty.clone(), span }
            }
        };
        converted(&jumped, &place.ty)
    }
}

/// Test for a statement that assigns a place, or might.
pub fn sets(s: &Stmt, place: &Expr) -> bool {
    let mut sets = false;
    s.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        sets |= match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => same_expr(target, place),
            ExprKind::Unary(UnOp::AddrOf, x) => same_expr(x, place),
            _ => false,
        };
    });
    sets
}

/// Notes what a statement that does not set the state puts into variables.
pub fn learn(s: &Stmt, place: &Expr, known: &mut BTreeMap<VarId, Expr>) {
    let put = |v: VarId, value: &Expr, known: &mut BTreeMap<VarId, Expr>| {
        let mut value = value.clone();
        put_converted(&mut value, known);
        known.retain(|_, e| !e.mentions(v));
        let is_own = !value.mentions(v) && !place.mentions(v);
        if is_own && effects_free(&value) && value.n_nodes() <= MAX_NODES {
            known.insert(v, value);
        }
    };
    let changed = effects::assigned([s]);
    known.retain(|v, _| !changed.contains(v));
    match &s.kind {
        StmtKind::Decl(ds) => {
            ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?))).for_each(|(v, value)| put(v, value, known));
        }
        StmtKind::Expr(e) => {
            if let Some((v, value)) = effects::plainly_assigned(e) {
                put(v, value, known);
            }
        }
        _ => {}
    }
    known.retain(|_, e| !changed.iter().any(|v| e.mentions(*v)));
}

/// The value that a statement puts at a place, in terms of what was there.
pub fn value_of(s: &Stmt, place: &Expr, known: &BTreeMap<VarId, Expr>) -> Option<Expr> {
    let mut value = assigned_value(s, place)?;
    put_converted(&mut value, known);
    Some(value)
}

/// The value that a statement puts at a place.
fn assigned_value(s: &Stmt, place: &Expr) -> Option<Expr> {
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { op, target, value }, .. }) = &s.kind else { return None };
    let value = match op {
        None => (**value).clone(),
        Some(op) => binary(*op, place.clone(), (**value).clone()),
    };
    (same_expr(target, place) && effects_free(&value)).then_some(value)
}

/// Number that `if (s < 0) s = s + m;` adds.
fn correction(s: &Stmt, place: &Expr, known: &BTreeMap<VarId, Expr>) -> Option<i64> {
    let StmtKind::If { cond, then, other: None } = &s.kind else { return None };
    let ExprKind::Binary(BinOp::Lt, a, b) = &cond.kind else { return None };
    let [then] = then.listed() else { return None };
    let mut value = assigned_value(then, place)?;
    // Values computed from the state before are none of this one's.
    let constants = known.iter().filter_map(|(v, e)| whole(e).map(|_| (*v, e.clone())));
    put_converted(&mut value, &constants.collect());
    let Form { state: 1, quotient: 0, constant } = Form::of(&value, place, None)? else { return None };
    let is_below_zero = same_expr(a, place) && constant::fold(b) == Some(0);
    i64::try_from(constant).ok().filter(|m| is_below_zero && *m > 1)
}

/// `state * s + quotient * (s / q) + constant`
#[derive(Debug, Clone, Copy, PartialEq)]
struct Form {
    state: i128,
    quotient: i128,
    constant: i128,
}

impl Form {
    /// Reads a value as one. `q`: by what the state may be divided.
    fn of(e: &Expr, place: &Expr, q: Option<i64>) -> Option<Form> {
        let number = |constant| Form { state: 0, quotient: 0, constant };
        if same_expr(e, place) {
            return Some(Form { state: 1, ..number(0) });
        }
        if let Some(value) = whole(e) {
            return Some(number(value));
        }
        let of = |e| Form::of(e, place, q);
        match &e.kind {
            ExprKind::Cast(x) => of(x).filter(|_| is_number(&x.ty)),
            ExprKind::Binary(BinOp::Add, a, b) => of(a)?.plus(of(b)?, 1),
            ExprKind::Binary(BinOp::Sub, a, b) => of(a)?.plus(of(b)?, -1),
            ExprKind::Binary(BinOp::Mul, a, b) => match (of(a)?, of(b)?) {
                (a, Form { state: 0, quotient: 0, constant }) => number(0).plus(a, constant),
                (Form { state: 0, quotient: 0, constant }, b) => number(0).plus(b, constant),
                _ => None,
            },
            ExprKind::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => {
                let is_state = of(a)? == (Form { state: 1, ..number(0) }) && matches!(a.ty, Type::Int(_));
                let q = q.filter(|q| is_state && constant::fold(b) == Some(*q))?;
                let quotient = Form { quotient: 1, ..number(0) };
                if *op == BinOp::Div { Some(quotient) } else { of(a)?.plus(quotient, -i128::from(q)) }
            }
            _ => None,
        }
    }

    fn plus(self, other: Form, factor: i128) -> Option<Form> {
        let sum = |a: i128, b: i128| a.checked_add(b.checked_mul(factor)?).filter(|x| x.abs() < 1 << 100);
        let (state, quotient) = (sum(self.state, other.state)?, sum(self.quotient, other.quotient)?);
        Some(Form { state, quotient, constant: sum(self.constant, other.constant)? })
    }
}

fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Int(_)) || *ty == DOUBLE
}

/// A constant that is whole; as its type reads it.
pub fn whole(e: &Expr) -> Option<i128> {
    match (&e.kind, &e.ty) {
        (ExprKind::Float(value, _), _) => {
            (value.fract() == 0.0 && value.abs() < EXACT as f64).then_some(*value as i128)
        }
        (ExprKind::Cast(x), Type::Float(_)) => whole(x).filter(|value| value.abs() < EXACT),
        (_, Type::Int(kind)) => {
            let value = constant::fold(e)?;
            Some(if kind.is_unsigned() { i128::from(value as u64) } else { i128::from(value) })
        }
        _ => None,
    }
}

/// Bits of the narrowest number that is computed on the way, and of the narrowest unsigned one.
fn widths(e: &Expr) -> (u32, Option<u32>) {
    let (mut all, mut unsigned) = (64, None::<u32>);
    e.walk(&mut |e| {
        let is_computed = matches!(e.kind, ExprKind::Binary(..) | ExprKind::Cast(_));
        if let (Type::Int(kind), true, None) = (&e.ty, is_computed, constant::fold(e)) {
            all = all.min(kind.bits());
            if kind.is_unsigned() {
                unsigned = Some(unsigned.unwrap_or(64).min(kind.bits()));
            }
        }
    });
    (all, unsigned)
}

/// Test for a cast on the way that might lose a part of a whole number.
fn narrows(e: &Expr) -> bool {
    let mut narrows = false;
    e.walk(&mut |e| {
        if let (ExprKind::Cast(x), Type::Int(to)) = (&e.kind, &e.ty) {
            narrows |= !matches!(x.ty, Type::Int(of) if of.bits() <= to.bits()) && constant::fold(e).is_none();
        }
    });
    narrows
}

/// Multiplier and increment of a value that is affine in the state, where both are possible for that modulus.
fn affine(e: &Expr, place: &Expr, m: i128) -> Option<(i64, i64)> {
    let Form { state, quotient: 0, constant } = Form::of(e, place, None)? else { return None };
    // With a factor of one it is a place in a ring, which others see through.
    let is_law = state > 1 && constant >= 0 && state < m && constant < m;
    is_law.then_some((state as u64 as i64, constant as u64 as i64))
}

/// `(a * s + c) % m`, and `t - m * (t / m)`.
fn remainder(value: &Expr, place: &Expr) -> Option<Law> {
    let Type::Int(state) = place.ty else { return None };
    let value = match (&value.kind, &value.ty) {
        (ExprKind::Cast(x), Type::Int(to)) if to.bits() >= state.bits() => x,
        _ => value,
    };
    let (sum, m) = match &bare(value).kind {
        ExprKind::Binary(BinOp::Rem, sum, m) => (&**sum, constant::fold(m)?),
        ExprKind::Binary(BinOp::Sub, sum, product) => {
            let ExprKind::Binary(BinOp::Mul, a, b) = &bare(product).kind else { return None };
            let (m, quotient) = match constant::fold(a) {
                Some(m) => (m, b),
                None => (constant::fold(b)?, a),
            };
            let ExprKind::Binary(BinOp::Div, of, by) = &bare(quotient).kind else { return None };
            let is_whole = matches!(of.ty, Type::Int(_)) && constant::fold(by) == Some(m);
            (same_expr(bare(of), bare(sum)) && is_whole).then_some((&**sum, m))?
        }
        _ => return None,
    };
    let (a, c) = affine(sum, place, i128::from(m)).filter(|_| (2..=1 << 32).contains(&m))?;
    // Unsigned numbers must be wide enough for whatever the state holds, signed ones are.
    let largest = i128::from(a).checked_mul((1 << state.bits()) - 1)?.checked_add(i128::from(c))?;
    let (narrowest, unsigned) = widths(value);
    let never_wraps = unsigned.is_none_or(|bits| largest < 1 << bits);
    let is_law = narrowest >= 32 && !narrows(value) && never_wraps && i128::from(m - 1) < 1 << (state.bits() - 1);
    is_law.then(|| Law::jumps("rt_lcg", vec![a, c, m], 1))
}

/// `(a * s + c) & (m - 1)`, and what unsigned numbers wrap.
fn bits(value: &Expr, place: &Expr, kind: IntKind) -> Option<Law> {
    let value = bare(value);
    let (sum, mask) = match &value.kind {
        ExprKind::Binary(BinOp::BitAnd, a, b) => match constant::fold(b) {
            Some(mask) => (&**a, mask as u64),
            None => (&**b, constant::fold(a)? as u64),
        },
        ExprKind::Binary(BinOp::Rem, sum, m) if is_unsigned(&value.ty) => {
            (&**sum, (constant::fold(m)? as u64).checked_sub(1)?)
        }
        _ if kind.is_unsigned() => (value, u64::MAX >> (64 - kind.bits())),
        _ => return None,
    };
    let n_bits = u64::BITS - mask.leading_zeros();
    let is_mask = mask > 0 && mask == u64::MAX >> (64 - n_bits) && n_bits <= kind.bits();
    let m = i128::from(mask) + 1;
    let (a, c) = affine(sum, place, m)?;
    (is_mask && widths(sum).0 >= n_bits).then(|| Law::jumps("rt_lcg_bits", vec![a, c, mask as i64], 1))
}

/// `a * (s - k * q) - k * r` with `k == s / q`, made positive by `m`.
fn schrage(value: &Expr, place: &Expr, m: i64) -> Option<Law> {
    let mut divisor = None;
    value.walk(&mut |e| {
        if let ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) = &e.kind {
            divisor = divisor.or(constant::fold(by));
        }
    });
    let q = divisor?;
    let Form { state, quotient, constant: 0 } = Form::of(value, place, Some(q))? else { return None };
    let a = i64::try_from(state).ok().filter(|a| *a > 1 && *a < m)?;
    let (narrowest, unsigned) = widths(value);
    let is_exact = narrowest >= 32 && unsigned.is_none() && !narrows(value) && m < 1 << 32;
    let is_law = quotient == -i128::from(m) && q == m / a && m % a < q && is_exact;
    is_law.then(|| Law::jumps("rt_lcg_schrage", vec![a, m], 2))
}

/// `fmod(a * s + c, m)`
fn of_reals(value: &Expr, place: &Expr) -> Option<Law> {
    let ExprKind::Call { name, args } = &value.kind else { return None };
    let [sum, m] = &args[..] else { return None };
    let m = whole(m).filter(|m| name == "fmod" && place.ty == DOUBLE && (2..=1 << 32).contains(m))?;
    let (a, c) = affine(sum, place, m)?;
    let mut is_double = true;
    sum.walk(&mut |e| is_double &= e.ty == DOUBLE || whole(e).is_some());
    // Numbers that are not whole are rounded in the order that C says.
    is_double &= bare(sum).n_nodes() <= 5;
    let largest = i128::from(a) * (m - 1) + i128::from(c);
    (is_double && largest < EXACT).then(|| Law::jumps("rt_lcg_real", vec![a, c, m as i64], 1))
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if kind.is_unsigned())
}

/// A value without casts that keep every bit of it.
fn bare(e: &Expr) -> &Expr {
    match (&e.kind, &e.ty) {
        (ExprKind::Cast(x), Type::Int(to)) if matches!(x.ty, Type::Int(of) if of.bits() <= to.bits()) => bare(x),
        _ => e,
    }
}

/// Test for a value that changes nothing and calls none but `fmod`.
fn effects_free(e: &Expr) -> bool {
    let mut is_free = true;
    e.walk(&mut |e| {
        is_free &= match &e.kind {
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } => false,
            ExprKind::Call { name, .. } => name == "fmod",
            _ => true,
        };
    });
    is_free
}
