//! Makes a kernel shorter without changing any value it computes.
//!
//! Why: code that comes from schedules and from templates of mappings is full of `+ 0`, `* 1`, `if (1)` and guards
//! inside the same guard; a person reads the result.
//!
//! ```text
//! if (i < n + 0) { if (j * 1 < m) { if (i < n) { c[i, j] = 0.0; } } }     before
//! if (i < n && j < m) { c[i, j] = 0.0; }                                  after
//! ```
//!
//! Only signed integers are rewritten, over which C's arithmetic is that of the integers wherever it is defined at
//! all, and never to an expression of another width: `k * 0 + n * m` would compute in `int` what was computed in
//! `long`. Floating-point expressions stay as they are but for subscripts inside them.

use super::types::Types;
use super::{Expr, Kernel, ScalarType, Stmt, StmtKind, Tunable, UnaryOp};
use crate::ast::{BinOp, IntKind};
use std::mem::take;

/// Simplifies a whole kernel.
pub fn kernel(kernel: &mut Kernel) {
    let simplifier = Simplifier { types: Types::of(kernel) };
    let extents = kernel.arrays.iter_mut().flat_map(|array| &mut array.extents);
    for e in extents.chain(&mut kernel.grid).chain(&mut kernel.block) {
        expr(e, &|name| simplifier.width(name));
    }
    simplifier.stmts(&mut kernel.body, &[]);
}

/// Simplifies arithmetic in which every name is a signed integer of one and the same width.
pub fn index_expr(e: &mut Expr) {
    expr(e, &|_| Some(Width::Narrow));
}

/// Simplified arithmetic on positions and sizes, where these have their values.
pub fn with_sizes(e: &Expr, sizes: &[Tunable]) -> Expr {
    let mut out = e.clone();
    put_sizes(&mut out, sizes);
    index_expr(&mut out);
    out
}

/// Puts the values of sizes in their places.
pub fn put_sizes(e: &mut Expr, sizes: &[Tunable]) {
    e.replace(&mut |e| match e {
        Expr::Var(name) => sizes.iter().find(|t| t.name == *name).map(|t| Expr::Int(t.value)),
        _ => None,
    });
}

/// The width of a signed integer after C's promotion: `int`, or wider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Narrow,
    Wide,
}

impl Width {
    fn of(ty: ScalarType) -> Option<Self> {
        match ty {
            ScalarType::Index | ScalarType::Int(IntKind::Long | IntKind::LongLong) => Some(Width::Wide),
            ScalarType::Int(IntKind::UInt | IntKind::ULong | IntKind::ULongLong) | ScalarType::Float(_) => None,
            ScalarType::Int(_) => Some(Width::Narrow),
        }
    }
}

/// The width behind a name; `None` where it is no signed integer.
type Widths<'a> = dyn Fn(&str) -> Option<Width> + 'a;

/// The width of a value; `None` where it is no signed integer, or not known to be one.
fn width(e: &Expr, widths: &Widths) -> Option<Width> {
    match e {
        Expr::Int(value) => Some(if i32::try_from(*value).is_ok() { Width::Narrow } else { Width::Wide }),
        Expr::Var(name) => widths(name),
        Expr::Load(access) => widths(&access.array),
        Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_) | Expr::GoesOn | Expr::Aligned { .. } => {
            Some(Width::Narrow)
        }
        Expr::Float(_) | Expr::Call(..) => None,
        Expr::Cast(ty, _) => Width::of(*ty),
        Expr::Unary(UnaryOp::Not, _) => Some(Width::Narrow),
        Expr::Binary(op, ..) if op.is_boolean() => Some(Width::Narrow),
        Expr::Unary(_, x) | Expr::Binary(BinOp::Shl | BinOp::Shr, x, _) => width(x, widths),
        Expr::Binary(_, a, b)
        | Expr::Cond(_, a, b)
        | Expr::Min(a, b)
        | Expr::Max(a, b)
        | Expr::FloorDiv(a, b)
        | Expr::CeilDiv(a, b)
        | Expr::Mod(a, b) => Some(width(a, widths)?.max(width(b, widths)?)),
    }
}

/// Simplifies an expression from its leaves up.
fn expr(e: &mut Expr, widths: &Widths) {
    let is_side = matches!(e, Expr::Cond(..));
    for (k, child) in e.children_mut().into_iter().enumerate() {
        // `c * 1` has another type than `c`, if that is a narrow one: `?:` is given both sides as they were.
        let before = (is_side && k > 0 && is_of_name(child)).then(|| child.clone());
        expr(child, widths);
        if let Some(before) = before
            && is_name(child)
        {
            *child = before;
        }
    }
    let Some(old) = width(e, widths) else { return };
    while let Some(new) = rewrite(e)
        && width(&new, widths) == Some(old)
    {
        *e = new;
    }
}

/// One step towards a simpler integer of the same value, whose parts are simple already.
fn rewrite(e: &Expr) -> Option<Expr> {
    use Expr::*;
    match e {
        Unary(UnaryOp::Neg, x) => int(x)?.checked_neg().map(Int),
        Unary(UnaryOp::Not, x) => Some(Int(i64::from(int(x)? == 0))),
        Binary(op, a, b) => rewrite_binary(*op, a, b),
        Cond(c, a, b) => Some((**if int(c)? != 0 { a } else { b }).clone()),
        Min(a, b) | Max(a, b) if a == b => Some((**a).clone()),
        Min(a, b) => Some(Int(int(a)?.min(int(b)?))),
        Max(a, b) => Some(Int(int(a)?.max(int(b)?))),
        FloorDiv(a, b) | CeilDiv(a, b) if **b == Int(1) => Some((**a).clone()),
        Mod(_, b) if **b == Int(1) => Some(Int(0)),
        FloorDiv(a, b) => floor_div(int(a)?, int(b)?).map(Int),
        CeilDiv(a, b) => floor_div(int(a)?.checked_neg()?, int(b)?)?.checked_neg().map(Int),
        Mod(a, b) => {
            let (a, b) = (int(a)?, int(b)?);
            a.checked_sub(floor_div(a, b)?.checked_mul(b)?).map(Int)
        }
        _ => None,
    }
}

fn rewrite_binary(op: BinOp, a: &Expr, b: &Expr) -> Option<Expr> {
    use BinOp::*;
    if let (Some(a), Some(b)) = (int(a), int(b)) {
        return fold(op, a, b).map(Expr::Int);
    }
    match (op, int(a), int(b)) {
        (Add | Sub, _, Some(0)) | (Mul | Div, _, Some(1)) => Some(a.clone()),
        (Add, Some(0), _) | (Mul, Some(1), _) => Some(b.clone()),
        (Add | Sub, _, Some(c)) if matches!(a, Expr::Binary(Add | Sub, ..)) => rewrite_sum(op, a, c),
        (Mul, Some(0), _) | (Mul, _, Some(0)) | (Rem, _, Some(1)) => Some(Expr::Int(0)),
        (Add, _, Some(c)) if c < 0 => Some(Expr::Binary(Sub, a.clone().into(), Expr::Int(c.checked_neg()?).into())),
        (Sub, _, Some(c)) if c < 0 => Some(Expr::Binary(Add, a.clone().into(), Expr::Int(c.checked_neg()?).into())),
        (And, Some(0), _) | (And, _, Some(0)) => Some(Expr::Int(0)),
        (Or, Some(c), _) | (Or, _, Some(c)) if c != 0 => Some(Expr::Int(1)),
        (And | Or, Some(_), _) if is_boolean(b) => Some(b.clone()),
        (And | Or, _, Some(_)) if is_boolean(a) => Some(a.clone()),
        _ => None,
    }
}

/// `x + 3 - 1` is `x + 2`: a constant added to or taken from a sum that ends in a constant.
fn rewrite_sum(op: BinOp, sum: &Expr, last: i64) -> Option<Expr> {
    let Expr::Binary(inner, x, first) = sum else { return None };
    let signed = |op, c: i64| if op == BinOp::Sub { c.checked_neg() } else { Some(c) };
    let total = signed(*inner, int(first)?)?.checked_add(signed(op, last)?)?;
    Some(Expr::Binary(BinOp::Add, x.clone(), Expr::Int(total).into()))
}

fn is_name(e: &Expr) -> bool {
    matches!(e, Expr::Var(_) | Expr::Load(_))
}

/// Test that it is an operation on a variable or an element.
fn is_of_name(e: &Expr) -> bool {
    matches!(e, Expr::Binary(_, x, y) if is_name(x) || is_name(y))
}

fn int(e: &Expr) -> Option<i64> {
    if let Expr::Int(value) = e { Some(*value) } else { None }
}

/// Test that a value is 0 or 1.
fn is_boolean(e: &Expr) -> bool {
    match e {
        Expr::Unary(UnaryOp::Not, _) | Expr::Aligned { .. } | Expr::GoesOn => true,
        Expr::Binary(op, ..) => op.is_boolean(),
        _ => false,
    }
}

/// The value of an operator on constants, where it has one. Shifts depend on the width and are left.
fn fold(op: BinOp, a: i64, b: i64) -> Option<i64> {
    use BinOp::*;
    match op {
        Add => a.checked_add(b),
        Sub => a.checked_sub(b),
        Mul => a.checked_mul(b),
        Div => a.checked_div(b),
        Rem => a.checked_rem(b),
        BitAnd => Some(a & b),
        BitXor => Some(a ^ b),
        BitOr => Some(a | b),
        Shl | Shr => None,
        Lt => Some((a < b).into()),
        Gt => Some((a > b).into()),
        Le => Some((a <= b).into()),
        Ge => Some((a >= b).into()),
        Eq => Some((a == b).into()),
        Ne => Some((a != b).into()),
        And => Some((a != 0 && b != 0).into()),
        Or => Some((a != 0 || b != 0).into()),
    }
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Simplification of statements.
struct Simplifier {
    types: Types,
}

impl Simplifier {
    fn width(&self, name: &str) -> Option<Width> {
        Width::of(self.types.get(name)?)
    }

    /// Simplifies statements that run only where each of `facts` holds.
    fn stmts(&self, body: &mut Vec<Stmt>, facts: &[Expr]) {
        for mut stmt in take(body) {
            stmt.exprs_mut().into_iter().for_each(|e| expr(e, &|name| self.width(name)));
            if let StmtKind::If { .. } = stmt.kind {
                self.if_stmt(stmt, facts, body);
                continue;
            }
            stmt.bodies_mut().into_iter().for_each(|inner| self.stmts(inner, facts));
            if !is_empty_loop(&stmt) {
                body.push(stmt);
            }
        }
    }

    /// Appends to `out` what is left of an `if`.
    fn if_stmt(&self, stmt: Stmt, facts: &[Expr], out: &mut Vec<Stmt>) {
        let Stmt { kind: StmtKind::If { cond, mut then, mut other }, mut line } = stmt else { return };
        let mut open: Vec<Expr> = Vec::new();
        for part in conjuncts(cond) {
            if !facts.contains(&part) && !open.contains(&part) && int(&part).is_none_or(|value| value == 0) {
                open.push(part);
            }
        }
        let lasting = open.iter().filter(|part| lasts(part, &then)).cloned();
        let inner_facts: Vec<Expr> = facts.iter().cloned().chain(lasting).collect();
        self.stmts(&mut then, &inner_facts);
        self.stmts(&mut other, facts);
        let never = open.iter().any(|part| int(part) == Some(0));
        if open.is_empty() || never {
            let taken = if never { other } else { then };
            return self.splice(taken, line, out);
        }
        if then.is_empty() {
            if other.is_empty() {
                return;
            }
            open = vec![negated(conjunction(open), &|name| self.width(name))];
            then = take(&mut other);
        }
        if other.is_empty()
            && let [Stmt { kind: StmtKind::If { other: inner_other, .. }, .. }] = &then[..]
            && inner_other.is_empty()
            && let Some(Stmt { kind: StmtKind::If { cond, then: inner, .. }, line: inner_line }) = then.pop()
        {
            open.extend(conjuncts(cond));
            then = inner;
            line = if line == 0 { inner_line } else { line };
        }
        out.push(Stmt { kind: StmtKind::If { cond: conjunction(open), then, other }, line });
    }

    /// Puts statements in the place of the `if` around them, unless a name of theirs would meet its like there.
    fn splice(&self, taken: Vec<Stmt>, line: u32, out: &mut Vec<Stmt>) {
        let stays_inside = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For { .. });
        let unique = |stmt: &Stmt| stmt.declares().is_none_or(|(name, _)| self.types.is_unique(name));
        if taken.iter().all(|stmt| stays_inside(stmt) || unique(stmt)) {
            out.extend(taken);
        } else {
            out.push(Stmt { kind: StmtKind::If { cond: Expr::Int(1), then: taken, other: Vec::new() }, line });
        }
    }
}

/// A `for` that does nothing. (A `while` may do nothing for ever.)
fn is_empty_loop(stmt: &Stmt) -> bool {
    let StmtKind::For { lo, hi, body, .. } = &stmt.kind else { return false };
    body.is_empty() || matches!((lo, hi), (Expr::Int(lo), Expr::Int(hi)) if lo >= hi)
}

/// Test that a condition that holds at the start of `body` holds all through it: it loads and calls nothing, and no
/// variable of it is declared or assigned there.
fn lasts(cond: &Expr, body: &[Stmt]) -> bool {
    let mut lasts = !cond.any(&mut |e| matches!(e, Expr::Load(_) | Expr::Call(..)));
    for stmt in body {
        stmt.visit(&mut |stmt| {
            let mut changed = stmt.assigns().into_iter().chain(stmt.declares().map(|(name, _)| name));
            lasts &= !changed.any(|name| cond.mentions(name));
        });
    }
    lasts
}

/// The parts of `a && b && ...`, in order.
fn conjuncts(cond: Expr) -> Vec<Expr> {
    match cond {
        Expr::Binary(BinOp::And, a, b) => conjuncts(*a).into_iter().chain(conjuncts(*b)).collect(),
        part => vec![part],
    }
}

/// `a && b && ...`; the parts are not empty.
fn conjunction(parts: Vec<Expr>) -> Expr {
    let and = |a: Expr, b: Expr| Expr::Binary(BinOp::And, a.into(), b.into());
    parts.into_iter().reduce(and).unwrap_or(Expr::Int(1))
}

/// A condition that holds where `cond` does not. Only a comparison of integers turns round: a NaN is neither less nor
/// not less.
fn negated(cond: Expr, widths: &Widths) -> Expr {
    match cond {
        Expr::Unary(UnaryOp::Not, x) => *x,
        Expr::Binary(op, a, b) if width(&a, widths).is_some() && width(&b, widths).is_some() => match op.negated() {
            Some(other) => Expr::Binary(other, a, b),
            None => Expr::Unary(UnaryOp::Not, Expr::Binary(op, a, b).into()),
        },
        cond => Expr::Unary(UnaryOp::Not, cond.into()),
    }
}

#[cfg(test)]
mod tests;
