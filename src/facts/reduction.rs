//! Accumulations: statements whose many updates of one element may come in any order.
//!
//! Recognised are `s += e`, `s -= e`, `s *= e`, `s &= e`, `s |= e`, `s ^= e`, `s++`, `s = s + e` and `s = e + s` (and the
//! other commutative operators), `s = s + e - f` (and other chains of one operator), `s = fmax(s, e)`, `s = s > e ? s : e`
//! and `if (e > s) s = e;` in all their mirrored forms, and an update of a variable under any condition. `e` must not read
//! what accumulates, but in `s &= s && e`, which is `s &= e != 0`: there `e` may not be evaluated once `s` is 0. Floating-point
//! sums change by rounding when their order does. Maxima and minima would change by the sign of a zero: of equal values `x > m`
//! keeps the first, `x >= m` takes the last. Where the values may be 0 and -0, the order matters (`in_order`).
//!
//! A loop that only the data bound is one too if all that it does is to accumulate:
//! ```text
//! for (k = start[j]; k < start[j + 1]; k++) y[row[k]] += value[k] * x[j];      an accumulation into elements of `y`
//! ```

use super::arrays::subscripts;
use super::symbolic::same_expr;
use super::zeros::Zeros;
use super::{Reason, effects, remedy};
use crate::ast::build::ast_builder::{binary, converted};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Stmt, StmtKind, Type, UnOp, Unit, VarId};
use crate::kernel::ReduceOp;
use crate::source::Span;
use crate::source::directive::DirectiveKind;

/// `target op= value`, where the order of the updates does not matter.
#[derive(Debug, Clone)]
pub struct Reduction {
    pub op: ReduceOp,
    /// The lvalue that accumulates, as written.
    pub target: Expr,
    /// Value that is joined to it.
    pub value: Expr,
    /// The data that accumulates.
    pub data: VarId,
    /// `m = m > x ? m : x` over floating values: where a comparison with NaN fails, C takes `x`, so that the order
    /// matters among values that are not numbers.
    pub takes_nan: bool,
    /// `s &= s && e`: C does not evaluate `e` once the result is decided, so that its elements need not be there.
    pub is_lazy: bool,
    /// A maximum or minimum of values that may be 0 or -0: which of the two it comes to is a matter of the order.
    pub in_order: bool,
}

/// The accumulation that a statement is, if it is one.
pub fn recognise(unit: &Unit, s: &Stmt) -> Option<Reduction> {
    if let StmtKind::For { .. } = s.kind {
        return of_loop(unit, s);
    }
    let (op, target, value) = match &s.kind {
        StmtKind::Expr(e) => from_expr(e)?,
        StmtKind::If { cond, then, other: None } => {
            let then = single(then)?;
            from_if(cond, then).or_else(|| from_guarded(cond, then))?
        }
        _ => return None,
    };
    let takes_nan = is_extreme(op, &target.ty) && takes_otherwise(s);
    let r = accumulation(unit, (op, target, value), takes_nan).filter(|r| !r.value.mentions(r.data))?;
    Some(Reduction { is_lazy: is_lazy(s), ..r })
}

/// The accumulation that an assignment would be if its target were `previous`, which it reads: `b[i] = b[i - 1] + e` of
/// `b[i - 1]`. The value may mention the array.
pub fn recurrence(unit: &Unit, previous: &Expr, s: &Stmt) -> Option<Reduction> {
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { op, target, value }, .. }) = &s.kind else { return None };
    let whole = match op {
        Some(op) => {
            let kind = ExprKind::Binary(*op, target.clone(), value.clone());
            Expr { kind, ty: target.ty.clone(), span: value.span }
        }
        None => (**value).clone(),
    };
    let (op, target, joined) = from_plain_assignment(previous, &whole)?;
    let takes_nan =
        is_extreme(op, &target.ty) && matches!(&whole.kind, ExprKind::Cond(_, kept, _) if same_expr(kept, previous));
    accumulation(unit, (op, target, joined), takes_nan)
}

/// A minimum or maximum of floating values by comparison.
fn is_extreme(op: ReduceOp, ty: &Type) -> bool {
    use ReduceOp::*;
    matches!((op, ty), (Min | Max | MinLast | MaxLast, Type::Float(_)))
}

/// An accumulation of these types, if its order does not matter.
fn accumulation(unit: &Unit, (op, target, value): (ReduceOp, Expr, Expr), takes_nan: bool) -> Option<Reduction> {
    let (data, _) = subscripts(&target)?;
    let exact = matches!(target.ty, Type::Int(_));
    let bitwise = matches!(op, ReduceOp::And | ReduceOp::Or | ReduceOp::Xor);
    if (bitwise && !exact) || unit.var(data).is_volatile || !value.ty.is_scalar() {
        return None;
    }
    // A truth value keeps no sum: only `&` and `|` of it come out the same in any order, and `^` of truth values.
    let is_bool = target.ty == Type::Int(IntKind::Bool);
    let keeps_truth = match op {
        ReduceOp::And | ReduceOp::Or => true,
        ReduceOp::Xor => is_truth(&value),
        _ => false,
    };
    if is_bool && !keeps_truth {
        return None;
    }
    // An integer that accumulates floating values is rounded at every step: the order matters.
    if exact && matches!(value.ty, Type::Float(_)) {
        return None;
    }
    let mut target_reads_itself = false;
    subscripts(&target)?.1.iter().for_each(|s| target_reads_itself |= s.mentions(data));
    let in_order = is_extreme(op, &target.ty) && Zeros::of(&value, &|_| Zeros::BOTH) == Zeros::BOTH;
    (!target_reads_itself).then_some(Reduction { op, target, value, data, takes_nan, is_lazy: false, in_order })
}

/// Test for a value that is 0 or 1, also in another integer type.
pub fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        _ if e.ty == Type::Int(IntKind::Bool) => true,
        ExprKind::Cast(x) => matches!((&e.ty, &x.ty), (Type::Int(_), Type::Int(_))) && is_truth(x),
        ExprKind::Binary(op, ..) => op.is_boolean(),
        ExprKind::Unary(UnOp::Not, _) | ExprKind::Int(0 | 1) => true,
        _ => false,
    }
}

/// Test for `s &= s && e` in a statement.
fn is_lazy(s: &Stmt) -> bool {
    let mut is_lazy = false;
    s.exprs(&mut |e| {
        is_lazy |= matches!(&e.kind, ExprKind::Assign { op: Some(BinOp::BitAnd), target, value }
            if beside(target, value).is_some());
    });
    is_lazy
}

/// `e != 0` in `s && e`, where `e` may be a chain of `&&`.
fn beside(target: &Expr, value: &Expr) -> Option<Expr> {
    let ExprKind::Binary(BinOp::And, a, b) = &value.kind else { return None };
    if let Some(first) = beside(target, a) {
        return Some(binary(BinOp::And, first, (**b).clone()));
    }
    let zero = Expr { kind: ExprKind::Int(0), ty: Type::Int(IntKind::Int), span: b.span };
    let is_joined = same_expr(a, target) && matches!(target.ty, Type::Int(_));
    is_joined.then(|| if is_truth(b) { (**b).clone() } else { binary(BinOp::Ne, (**b).clone(), zero) })
}

/// The accumulation that is all that a loop does, but for values of its iterations: nothing else names what accumulates.
fn of_loop(unit: &Unit, s: &Stmt) -> Option<Reduction> {
    let update = updates_in(s)?;
    let r = recognise(unit, update)?;
    (effects::places([s], r.data).len() == effects::places([update], r.data).len()).then_some(r)
}

/// The accumulation that a statement makes under conditions, also in loops that the data bound: `if (c) h[b] += e;`. The
/// element need not be there where they do not hold. Nothing else in the statement names what accumulates.
pub fn conditional(unit: &Unit, s: &Stmt) -> Option<Reduction> {
    let update = under_conditions(unit, s)?;
    let r = recognise(unit, update)?;
    let is_whole = update.span == s.span && update.kind == s.kind;
    (!is_whole && effects::places([s], r.data).len() == effects::places([update], r.data).len()).then_some(r)
}

/// The same as [`updates_in`], also below conditions without an `else` that are no part of the update.
fn under_conditions<'a>(unit: &Unit, s: &'a Stmt) -> Option<&'a Stmt> {
    let update = updates_in(s)?;
    match &update.kind {
        StmtKind::If { then, other: None, .. } if recognise(unit, update).is_none() => under_conditions(unit, then),
        _ => Some(update),
    }
}

/// The statement at the bottom of nested loops, each around one statement and declarations of scalars before it.
pub fn updates_in(s: &Stmt) -> Option<&Stmt> {
    match &s.kind {
        StmtKind::For { body, .. } => updates_in(body),
        StmtKind::Block(body) => {
            let (last, before) = body.split_last()?;
            let is_value = |s: &Stmt| matches!(&s.kind, StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_some()));
            before.iter().all(is_value).then(|| updates_in(last))?
        }
        StmtKind::Expr(_) | StmtKind::If { .. } => Some(s),
        _ => None,
    }
}

/// `m = m > x ? m : x`: the new value is taken where the comparison does not hold.
fn takes_otherwise(s: &Stmt) -> bool {
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { target, value, .. }, .. }) = &s.kind else { return false };
    matches!(&value.kind, ExprKind::Cond(_, kept, _) if same_expr(kept, target))
}

/// Holds the `reduction` clauses before a loop to what the loop does. What an iteration sets anew is its own, whatever a
/// clause says ([`is_set_anew`]).
///
/// # Errors
/// The first use of a clause's variable that is not the accumulation it promises.
pub fn check_clauses(unit: &Unit, s: &Stmt) -> Result<(), Reason> {
    for d in &s.directives {
        let (DirectiveKind::Parallel { reductions, .. }, StmtKind::For { body, .. }) = (&d.kind, &s.kind) else {
            continue;
        };
        for (symbol, name) in reductions {
            let name = name.split('[').next().unwrap_or(name).trim();
            let used = effects::mentioned([&**body]).into_iter().filter(|v| {
                let var = unit.var(*v);
                // A variable in which rewrites accumulate has the place of the loop.
                var.name == name && var.span.lo < d.span.lo && !is_set_anew(body, *v)
            });
            for v in used {
                if let Some(span) = other_use(unit, body, v, symbol) {
                    let message =
                        format!("the directive promises that `{name}` is only accumulated by `{symbol}`: not so here");
                    return Err(Reason::new("reduction", message, span).help(remedy!(
                        "write the accumulation as one statement, such as `s += e` or `if (e > s) s = e`"
                    )));
                }
            }
        }
    }
    Ok(())
}

/// Test that each run of a body sets a variable before all else that it does with it.
pub fn is_set_anew(body: &Stmt, v: VarId) -> bool {
    let first = body.listed().iter().find(|s| !effects::places([*s], v).is_empty());
    first.and_then(|s| set_to(s, v)).is_some_and(|value| !value.mentions(v))
}

/// Test that a statement is what a `reduction` clause with that operator promises of a variable.
fn is_promised(unit: &Unit, s: &Stmt, v: VarId, symbol: &str) -> bool {
    let is_logical = |of: &[BinOp]| is_logical_join(s, v, of);
    let op = recognise(unit, s).filter(|r| r.data == v).map(|r| r.op);
    match symbol {
        "+" | "-" => op == Some(ReduceOp::Add),
        "*" => op == Some(ReduceOp::Mul),
        "min" => matches!(op, Some(ReduceOp::Min | ReduceOp::MinLast | ReduceOp::Fmin)),
        "max" => matches!(op, Some(ReduceOp::Max | ReduceOp::MaxLast | ReduceOp::Fmax)),
        "&" => op == Some(ReduceOp::And),
        "|" => op == Some(ReduceOp::Or),
        "^" => op == Some(ReduceOp::Xor) || is_logical(&[BinOp::Ne, BinOp::Eq]),
        "&&" => matches!(op, Some(ReduceOp::And | ReduceOp::Mul)) || is_logical(&[BinOp::And]),
        "||" => op == Some(ReduceOp::Or) || is_logical(&[BinOp::Or]),
        _ => false,
    }
}

/// `v = v && c`, by one of some operators, or a constant that is set under a condition: `if (v && c) v = 0;`.
fn is_logical_join(s: &Stmt, v: VarId, of: &[BinOp]) -> bool {
    if let StmtKind::If { then, other: None, .. } = &s.kind {
        return single(then).and_then(|s| set_to(s, v)).is_some_and(|value| constant::fold(value).is_some());
    }
    set_to(s, v).is_some_and(|value| {
        let (mut n_named, mut is_joined) = (0, false);
        value.walk(&mut |x| {
            n_named += usize::from(x.is_var(v));
            is_joined |= matches!(&x.kind, ExprKind::Binary(op, ..) if of.contains(op));
        });
        is_joined && n_named == 1
    })
}

/// Test for a statement that joins truth values in a variable by `&&` or `||`.
pub fn joins_truths(s: &Stmt, v: VarId) -> bool {
    is_lazy(s) || matches!(s.kind, StmtKind::Expr(_)) && is_logical_join(s, v, &[BinOp::And, BinOp::Or])
}

/// The value that a statement sets a variable to.
fn set_to(s: &Stmt, v: VarId) -> Option<&Expr> {
    let StmtKind::Expr(e) = &s.kind else { return None };
    effects::plainly_assigned(e).filter(|(set, _)| *set == v).map(|(_, value)| value)
}

/// Where a statement uses a variable for anything but what a clause with that operator promises.
fn other_use(unit: &Unit, s: &Stmt, v: VarId, symbol: &str) -> Option<Span> {
    if is_promised(unit, s, v, symbol) {
        return None;
    }
    if recognise(unit, s).is_some_and(|r| r.data == v) {
        return Some(s.span);
    }
    let used = |e: &Expr| {
        let mut found = None;
        e.walk(&mut |x| found = found.or(x.is_var(v).then_some(x.span)));
        found
    };
    let inside = |s: &Stmt| other_use(unit, s, v, symbol);
    match &s.kind {
        StmtKind::Block(body) => body.iter().find_map(inside),
        StmtKind::If { cond, then, other } => {
            used(cond).or_else(|| inside(then)).or_else(|| other.as_deref().and_then(inside))
        }
        StmtKind::For { init, cond, step, body } => {
            init.as_deref().and_then(inside).or_else(|| cond.iter().chain(step).find_map(used)).or_else(|| inside(body))
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => used(cond).or_else(|| inside(body)),
        StmtKind::Expr(e) => used(e),
        StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).find_map(used),
        _ => None,
    }
}

fn single(s: &Stmt) -> Option<&Stmt> {
    match &s.kind {
        StmtKind::Block(b) => match b.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        _ => Some(s),
    }
}

fn reduce_op(op: BinOp) -> Option<ReduceOp> {
    match op {
        BinOp::Add => Some(ReduceOp::Add),
        BinOp::Mul => Some(ReduceOp::Mul),
        BinOp::BitAnd => Some(ReduceOp::And),
        BinOp::BitOr => Some(ReduceOp::Or),
        BinOp::BitXor => Some(ReduceOp::Xor),
        _ => None,
    }
}

fn from_expr(e: &Expr) -> Option<(ReduceOp, Expr, Expr)> {
    match &e.kind {
        ExprKind::IncDec { inc, target, .. } => {
            let one =
                Expr { kind: ExprKind::Int(if *inc { 1 } else { -1 }), ty: Type::Int(IntKind::Int), span: e.span };
            Some((ReduceOp::Add, (**target).clone(), one))
        }
        ExprKind::Assign { op: Some(BinOp::Sub), target, value } => {
            Some((ReduceOp::Add, (**target).clone(), negated(value, &target.ty)))
        }
        ExprKind::Assign { op: Some(op), target, value } => {
            let joined = if *op == BinOp::BitAnd { beside(target, value) } else { None };
            Some((reduce_op(*op)?, (**target).clone(), joined.unwrap_or_else(|| (**value).clone())))
        }
        ExprKind::Assign { op: None, target, value } => from_plain_assignment(target, value),
        _ => None,
    }
}

fn from_plain_assignment(target: &Expr, value: &Expr) -> Option<(ReduceOp, Expr, Expr)> {
    let is_target = |e: &Expr| same_expr(e, target);
    match &value.kind {
        ExprKind::Binary(BinOp::Sub, a, b) if is_target(a) => {
            Some((ReduceOp::Add, target.clone(), negated(b, &target.ty)))
        }
        ExprKind::Binary(op, a, b) => {
            let joins = if *op == BinOp::Sub { ReduceOp::Add } else { reduce_op(*op)? };
            let joined = match (is_target(a), is_target(b)) {
                (true, _) => (**b).clone(),
                (_, true) if *op != BinOp::Sub => (**a).clone(),
                _ => others(target, value, joins, &value.ty)??,
            };
            Some((joins, target.clone(), joined))
        }
        ExprKind::Call { name, args } if args.len() == 2 => {
            // Of integers that a `double` holds, it is the comparison.
            let op = match (name.trim_start_matches("__builtin_"), &target.ty) {
                ("fmax" | "fmaxf", Type::Float(_)) => ReduceOp::Fmax,
                ("fmin" | "fminf", Type::Float(_)) => ReduceOp::Fmin,
                ("fmax", Type::Int(kind)) if kind.bits() < 64 => ReduceOp::Max,
                ("fmin", Type::Int(kind)) if kind.bits() < 64 => ReduceOp::Min,
                _ => return None,
            };
            match (is_target(&args[0]), is_target(&args[1])) {
                (true, false) => Some((op, target.clone(), args[1].clone())),
                (false, true) => Some((op, target.clone(), args[0].clone())),
                _ => None,
            }
        }
        ExprKind::Cond(c, a, b) => {
            // `c ? a : b`, where c says that the greater of the two compared is so.
            if is_target(a) {
                chosen(target, b, c, false)
            } else if is_target(b) {
                chosen(target, a, c, true)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Operand that a chain of operators joins with the target: `a - b` of `s + a - b`, computed in the type of the whole chain.
/// `Some(None)`: the target alone.
fn others(target: &Expr, e: &Expr, op: ReduceOp, ty: &Type) -> Option<Option<Expr>> {
    if same_expr(e, target) {
        return Some(None);
    }
    let ExprKind::Binary(by, a, b) = &e.kind else { return None };
    let is_difference = *by == BinOp::Sub && op == ReduceOp::Add;
    let is_alike = e.ty == *ty || matches!((&e.ty, ty), (Type::Float(_), Type::Float(_)));
    if !is_alike || !is_difference && reduce_op(*by) != Some(op) {
        return None;
    }
    let (rest, own) = match others(target, a, op, ty) {
        Some(rest) => (rest, converted(b, ty)),
        None if is_difference => return None,
        None => (others(target, b, op, ty)?, converted(a, ty)),
    };
    Some(Some(match rest {
        Some(rest) => binary(*by, rest, own),
        None if is_difference => negated(&own, ty),
        None => own,
    }))
}

/// `if (e > s) s = e;`
fn from_if(cond: &Expr, then: &Stmt) -> Option<(ReduceOp, Expr, Expr)> {
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) = &then.kind else {
        return None;
    };
    chosen(target, value, cond, true)
}

/// `if (c) s += e;` as `s += c ? e : 0;`, for a variable: an element might not be there where `c` does not hold.
fn from_guarded(cond: &Expr, then: &Stmt) -> Option<(ReduceOp, Expr, Expr)> {
    if let StmtKind::If { cond: inner, then, other: None } = &then.kind {
        let kind = ExprKind::Binary(BinOp::And, Box::new(cond.clone()), Box::new(inner.clone()));
        let both = Expr { kind, ty: Type::Int(IntKind::Int), span: cond.span };
        return from_guarded(&both, single(then)?);
    }
    let StmtKind::Expr(e) = &then.kind else { return None };
    let (op, target, value) = from_expr(e)?;
    let suffix = if value.ty == Type::Float(FloatKind::Float) { "f" } else { "" };
    let float = |x: f64| ExprKind::Float(x, format!("{x:.1}{suffix}"));
    // 0 would make 0 of -0.
    let minus_zero = || {
        let zero = Expr { kind: float(0.0), ty: value.ty.clone(), span: value.span };
        ExprKind::Unary(UnOp::Neg, Box::new(zero))
    };
    let nothing = match (op, &value.ty) {
        _ if !matches!(target.kind, ExprKind::Var(_)) => None,
        (ReduceOp::Add | ReduceOp::Or | ReduceOp::Xor, Type::Int(_)) => Some(ExprKind::Int(0)),
        (ReduceOp::Mul, Type::Int(_)) => Some(ExprKind::Int(1)),
        (ReduceOp::And, ty) if *ty == target.ty => Some(ExprKind::Int(-1)),
        (ReduceOp::Add, Type::Float(_)) => Some(minus_zero()),
        (ReduceOp::Mul, Type::Float(_)) => Some(float(1.0)),
        _ => None,
    }?;
    let (ty, span) = (value.ty.clone(), value.span);
    let nothing = Expr { kind: nothing, ty: ty.clone(), span };
    let kind = ExprKind::Cond(Box::new(cond.clone()), Box::new(value), Box::new(nothing));
    Some((op, target, Expr { kind, ty, span }))
}

/// The two sides of a comparison, the one that is to be greater first.
fn compared(c: &Expr) -> Option<(&Expr, &Expr)> {
    match &c.kind {
        ExprKind::Binary(BinOp::Gt | BinOp::Ge, a, b) => Some((a, b)),
        ExprKind::Binary(BinOp::Lt | BinOp::Le, a, b) => Some((b, a)),
        _ => None,
    }
}

/// `value` replaces the target when the condition holds (or when not, if `!taken`): a maximum or a minimum.
fn chosen(target: &Expr, value: &Expr, cond: &Expr, taken: bool) -> Option<(ReduceOp, Expr, Expr)> {
    let (greater, lesser) = compared(cond)?;
    let value_is_greater = same_expr(greater, value) && same_expr(lesser, target);
    let value_is_lesser = same_expr(lesser, value) && same_expr(greater, target);
    let op = match (value_is_greater, value_is_lesser) {
        (true, false) if taken => ReduceOp::Max,
        (true, false) => ReduceOp::Min,
        (false, true) if taken => ReduceOp::Min,
        (false, true) => ReduceOp::Max,
        _ => return None,
    };
    let is_strict = matches!(cond.kind, ExprKind::Binary(BinOp::Gt | BinOp::Lt, ..));
    let op = match op {
        ReduceOp::Max if is_strict != taken && is_extreme(op, &target.ty) => ReduceOp::MaxLast,
        ReduceOp::Min if is_strict != taken && is_extreme(op, &target.ty) => ReduceOp::MinLast,
        op => op,
    };
    (value.ty == target.ty).then(|| (op, target.clone(), value.clone()))
}

/// `-e`, in a type wide enough that adding it to a `target` is what subtracting `e` was: C would negate an unsigned
/// number in its own width.
fn negated(e: &Expr, target: &Type) -> Expr {
    let wider = match (&e.ty, target) {
        (Type::Int(from), Type::Int(to)) => from.is_unsigned() && to.bits() > from.bits(),
        // The integer 0 has no negative.
        (Type::Int(_), _) => true,
        _ => false,
    };
    if wider {
        let wide = Expr { kind: ExprKind::Cast(Box::new(e.clone())), ty: target.clone(), span: e.span };
        return Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(wide)), ty: target.clone(), span: e.span };
    }
    Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(e.clone())), ty: e.ty.clone(), span: e.span }
}
