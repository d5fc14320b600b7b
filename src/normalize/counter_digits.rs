//! Counters that are taken apart: a loop over one index of rows and columns, as the two loops that it is.
//!
//! ```text
//! for (i = 0; i < w * h; i++)                       for (i_row = 0; i_row < h; i_row++)
//!     b[(i % w) * h + i / w] = a[i];         ->         for (i_column = 0; i_column < w; i_column++)
//!                                                           b[i_column * h + i_row] = a[i_row * w + i_column];
//! ```
//! Each index is one pair, and each pair one index, `i == w * (i / w) + i % w`: two iterations meet only where both are the same,
//! and the iterations come in the same order. Of three coordinates, `i % w`, `i / w % h`, `i / (w * h)`, the loop over rows is
//! taken apart again. Shifts and masks by constants are quotients and remainders.
//!
//! Only the call knows that `w` is positive, and that the rows are whole: `n % w == 0` of a loop that ends at `n`, or, of one
//! whose body is under `i / w < h`, that it goes so far. Both are tested there ([`split_counters`](crate::ast::Unit::split_counters)).

use super::form::{Context, Form};
use super::tile_heads::{Head, bare, head, limits};
use crate::ast::build::ast_builder::{binary, converted, declared, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects::{self, plainly_assigned};
use crate::facts::header::step_of;
use crate::facts::liveness::Live;
use crate::facts::symbolic::same_expr;
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

/// Shorter constant rows are no loop of threads beside each other.
const SHORTEST: i64 = 32;

/// Loops that one counter becomes, at most.
const MOST_DIGITS: usize = 4;

/// Takes counters apart where subscripts do.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        let changing = &*form.assigned() | &form.declared();
        let around = Around { changing, seen: &context.facts.seen };
        let live = form.live_behind(context);
        inside(context.unit, &around, &mut form.stmt, &live);
    }
}

/// Surroundings of the loops of a form.
struct Around<'a> {
    /// Variables that it sets or declares.
    changing: BTreeSet<VarId>,
    /// Variables of the function that may be read in other ways than by name.
    seen: &'a BTreeSet<VarId>,
}

/// `live`: behind the statement.
fn inside(unit: &mut Unit, around: &Around, s: &mut Stmt, live: &Live) {
    for _ in 1..MOST_DIGITS {
        match split(unit, around, s, live) {
            Some(rows) => *s = rows,
            None => break,
        }
    }
    let below = live.behind_children(s);
    s.stmts_mut().into_iter().zip(below).for_each(|(s, live)| inside(unit, around, s, &live));
}

/// A loop as two; `None` where its counter is not taken apart.
fn split(unit: &mut Unit, Around { changing, seen }: &Around, s: &Stmt, live: &Live) -> Option<Stmt> {
    let (Head { counter, first, cond, step, .. }, body) = head(s)?;
    let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
    if !is_taken_apart(body, counter) {
        return None;
    }
    let is_local = unit.var(counter).storage == Storage::Local && !seen.contains(&counter);
    let is_own = matches!(init.kind, StmtKind::Decl(_)) || (is_local && !live.contains(counter));
    let is_said_of_each = s.directives.iter().all(|d| is_of_each_iteration(&d.kind));
    let exits = body.exits();
    let leaves = exits.breaks || exits.returns || exits.jumps || exits.switches;
    let from_0 = matches!(bare(first).kind, ExprKind::Int(0)) && step_of(step, counter) == Some(1);
    let ty = unit.var(counter).ty.clone();
    let counts = matches!(ty, Type::Int(kind) if kind.bits() >= 32) && !unit.var(counter).is_volatile;
    let changes = Changes::of([body]);
    let mut body = with_parts(unit, counter, body, &changes);
    body.exprs_mut(&mut |e| with_constants(unit, e));
    let body = &body;
    if !is_own || !is_said_of_each || leaves || !from_0 || !counts || changes.assigned.contains(&counter) {
        return None;
    }
    let [limit] = limits(cond, counter)?[..] else { return None };
    let is_fixed = |e: &Expr| is_size(e) && changes.keep(unit, e) && !changing.iter().any(|v| e.mentions(*v));
    let size = size(counter, body)?;
    let mut end = limit.end.clone();
    with_constants(unit, &mut end);
    if limit.is_inclusive || !is_fixed(&size) || !is_fixed(&end) {
        return None;
    }
    let rows = rows((counter, body), (&size, &end), &is_fixed)?;
    let [row, column] = ["row", "column"].map(|part| {
        let name = format!("{}_{part}", unit.var(counter).name);
        unit.add(Var::new(name, ty.clone(), Storage::Local, s.span))
    });
    let place = s.span;
    let read = |unit: &Unit, v: VarId| unit.read(v, place);
    let size = match size.kind {
        ExprKind::Int(n) => number(n, &ty, place),
        _ => converted(&size, &ty),
    };
    let mut inner = body.clone();
    let digits = Digits { counter, size: &size, row: read(unit, row), column: read(unit, column) };
    inner.exprs_mut(&mut |e| digits.put(e));
    unit.split_counters.push((counter, [row, column], rows.conditions));
    let counted = |v: VarId, end: &Expr, body: Stmt| {
        let cond = binary(BinOp::Lt, read(unit, v), converted(end, &ty));
        let (target, by) = (Box::new(read(unit, v)), Box::new(number(1, &ty, place)));
        let step =
            Expr { kind: ExprKind::Assign { op: Some(BinOp::Add), target, value: by }, ty: ty.clone(), span: place };
        let init = Some(Box::new(declared(v, number(0, &ty, place))));
        plain(StmtKind::For { init, cond: Some(cond), step: Some(step), body: Box::new(body) }, place)
    };
    let whole = Stmt { directives: s.directives.clone(), ..counted(column, &size, inner) };
    Some(Stmt { directives: s.directives.clone(), ..counted(row, &rows.end, whole) })
}

/// Test for a directive that calls the iterations of the one loop behind it independent: those of both loops are, then.
fn is_of_each_iteration(kind: &DirectiveKind) -> bool {
    matches!(kind, DirectiveKind::Parallel { collapse: 1, reductions, sharing, .. }
        if reductions.is_empty() && sharing.own.reduced.is_empty() && !sharing.ordered)
}

/// A body in which variables that are parts of a counter, `int x = i % w`, stand for them; also those that it sets behind their
/// declaration.
fn with_parts(unit: &Unit, counter: VarId, body: &Stmt, changes: &Changes) -> Stmt {
    let mut known: Vec<(VarId, Expr)> = vec![];
    let set_once = set_once(body);
    let mut note = |v: VarId, value: &Expr| {
        let mut value = value.clone();
        known.iter().for_each(|(v, part)| value.replace(*v, part));
        let ty = &unit.var(v).ty;
        let is_wide = matches!(ty, Type::Int(kind) if kind.bits() >= 32) && !unit.var(v).is_volatile;
        if is_wide && changes.keep(unit, &value) && is_part(&value) && has_digit(&value, counter) {
            known.push((v, converted(&value, ty)));
        }
    };
    body.walk(&mut |piece| match piece {
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            let mut values = ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?)));
            values.by_ref().filter(|(v, _)| !is_changed(body, *v)).for_each(|(v, value)| note(v, value));
        }
        Piece::Stmt(Stmt { kind: StmtKind::Expr(e), .. }) => {
            let set = plainly_assigned(e).filter(|(v, _)| set_once.contains(v));
            set.into_iter().for_each(|(v, value)| note(v, value));
        }
        _ => {}
    });
    let mut out = body.clone();
    stand_for(&mut out, &known);
    out
}

/// The variables that a body declares, and sets once, by a statement of its own before anything names them.
fn set_once(body: &Stmt) -> BTreeSet<VarId> {
    let StmtKind::Block(list) = &body.kind else { return BTreeSet::new() };
    let own = effects::declared(list);
    let is_declared_alone = |s: &Stmt, v: VarId| match &s.kind {
        StmtKind::Decl(ds) => ds.iter().all(|d| !d.init.as_ref().is_some_and(|e| d.var == v || e.mentions(v))),
        _ => false,
    };
    let set = |at: usize| {
        let StmtKind::Expr(e) = &list[at].kind else { return None };
        let (v, _) = plainly_assigned(e).filter(|(v, value)| own.contains(v) && !value.mentions(*v))?;
        let is_named = |s: &Stmt| effects::mentioned([s]).contains(&v) && !is_declared_alone(s, v);
        let is_first = !list[..at].iter().any(is_named);
        (is_first && !list[at + 1..].iter().any(|s| is_changed(s, v))).then_some(v)
    };
    (0..list.len()).filter_map(set).collect()
}

/// Puts the values of constants in their place: where those of a body are, its loops do not see them.
fn with_constants(unit: &Unit, e: &mut Expr) {
    match &e.kind {
        ExprKind::Unary(UnOp::AddrOf, _) => {}
        ExprKind::Var(v) => {
            if let (Some(n), Type::Int(_)) = (unit.var(*v).value, &e.ty) {
                e.kind = ExprKind::Int(n);
            }
        }
        _ => e.children_mut().into_iter().for_each(|e| with_constants(unit, e)),
    }
}

/// Takes out what declares and sets variables, and puts their values where they are read.
fn stand_for(s: &mut Stmt, known: &[(VarId, Expr)]) {
    take_out(s, &|of| known.iter().any(|(v, _)| *v == of));
    known.iter().for_each(|(v, value)| s.replace(*v, value));
}

fn take_out(s: &mut Stmt, is_known: &dyn Fn(VarId) -> bool) {
    match &mut s.kind {
        StmtKind::Decl(ds) => {
            ds.retain(|d| !is_known(d.var));
            if ds.is_empty() {
                s.kind = StmtKind::Empty;
            }
        }
        StmtKind::Expr(e) if plainly_assigned(e).is_some_and(|(v, _)| is_known(v)) => s.kind = StmtKind::Empty,
        _ => {}
    }
    s.stmts_mut().into_iter().for_each(|s| take_out(s, is_known));
}

/// Test that a variable is set but where it is declared, or its address is taken.
fn is_changed(s: &Stmt, v: VarId) -> bool {
    let mut found = false;
    s.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        found |= match &e.kind {
            ExprKind::Unary(UnOp::AddrOf, x) => x.is_var(v),
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => target.is_var(v),
            _ => false,
        };
    });
    found
}

/// Test for an expression of sizes, counters, quotients and remainders.
fn is_part(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(op, a, b) if is_division(*op) || matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) => {
            is_part(a) && is_part(b)
        }
        ExprKind::Cast(a) => matches!(e.ty, Type::Int(_)) && is_part(a),
        _ => is_size(e),
    }
}

/// Test that a quotient or remainder of a counter stands in a body.
fn is_taken_apart(body: &Stmt, counter: VarId) -> bool {
    let mut found = false;
    body.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        found |= matches!(&e.kind, ExprKind::Binary(op, a, _) if is_division(*op) && core(a).is_var(counter));
    });
    found
}

fn is_division(op: BinOp) -> bool {
    matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shr | BinOp::BitAnd)
}

/// End of the loop over rows, and what has to hold for them to be whole.
struct Rows {
    end: Expr,
    conditions: Vec<Expr>,
}

/// The rows of a loop that ends there.
fn rows(
    (counter, body): (VarId, &Stmt),
    (size, end): (&Expr, &Expr),
    is_fixed: &dyn Fn(&Expr) -> bool,
) -> Option<Rows> {
    let is_positive = binary(BinOp::Ge, size.clone(), number(1, &size.ty, size.span));
    let long = Type::Int(IntKind::Long);
    let is_constant = matches!(size.kind, ExprKind::Int(_));
    let [is_read, is_written] = places(body, counter);
    if !is_written && (is_constant || !is_read) {
        return None;
    }
    if let Some(rows) = without_factor(end, size) {
        // Products of unsigned numbers may wrap.
        let mut wraps = false;
        end.walk(&mut |e| wraps |= matches!(e.ty, Type::Int(kind) if kind.is_unsigned()));
        wraps &= !matches!(end.kind, ExprKind::Int(_));
        let all = binary(BinOp::Mul, converted(&rows, &long), converted(size, &long));
        let holds = wraps.then(|| binary(BinOp::Eq, converted(end, &long), all));
        return Some(Rows { end: rows, conditions: std::iter::once(is_positive).chain(holds).collect() });
    }
    if !is_written || is_constant {
        return None;
    }
    let covers = guarded_rows(body, counter, size).filter(|n| is_fixed(n)).map(|n| {
        let all = binary(BinOp::Mul, converted(&n, &long), converted(size, &long));
        Rows { end: n, conditions: vec![is_positive.clone(), binary(BinOp::Ge, converted(end, &long), all)] }
    });
    let rest = binary(BinOp::Rem, end.clone(), size.clone());
    let is_whole = binary(BinOp::Eq, rest, number(0, &end.ty, size.span));
    let end = binary(BinOp::Div, end.clone(), size.clone());
    Some(covers.unwrap_or(Rows { end, conditions: vec![is_positive, is_whole] }))
}

/// Flags: subscripts have parts of a counter, of any place, and of one that is written. What is read is known by constant parts,
/// too, and where nothing is known, what there is is asked at the call: whatever rows there are.
fn places(body: &Stmt, counter: VarId) -> [bool; 2] {
    let has_part = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= matches!(&e.kind, ExprKind::Index(_, at) if has_digit(at, counter)));
        found
    };
    let mut found = [false; 2];
    body.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        found[0] |= matches!(&e.kind, ExprKind::Index(_, at) if has_digit(at, counter));
        found[1] |=
            matches!(&e.kind, ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if has_part(target));
    });
    found
}

/// The bound that all of a body is under: `n` of `if (i / size < n) …`, or of `if (i / size >= n) continue;` before the rest.
fn guarded_rows(body: &Stmt, counter: VarId, size: &Expr) -> Option<Expr> {
    let list = match &body.kind {
        StmtKind::Block(list) => list.as_slice(),
        _ => std::slice::from_ref(body),
    };
    let mut rest = list.iter().filter(|s| !matches!(s.kind, StmtKind::Decl(_) | StmtKind::Empty));
    let first = rest.next()?;
    if let StmtKind::Block(_) = &first.kind {
        return guarded_rows(first, counter, size).filter(|_| rest.next().is_none());
    }
    let StmtKind::If { cond, then, other: None } = &first.kind else { return None };
    let skips = |s: &Stmt| match &s.kind {
        StmtKind::Block(list) => matches!(&list[..], [Stmt { kind: StmtKind::Continue, .. }]),
        kind => matches!(kind, StmtKind::Continue),
    };
    let is_quotient =
        |(op, of, by): (BinOp, &Expr, Expr)| op == BinOp::Div && of.is_var(counter) && same_expr(&by, size);
    let is_row = |e: &Expr| division(bare(e)).is_some_and(is_quotient);
    bound(cond, skips(then), &is_row).filter(|_| skips(then) || rest.next().is_none())
}

/// The end that a condition, or the opposite of it, gives something.
fn bound(cond: &Expr, negated: bool, is_it: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let (both, below, above) = match negated {
        true => (BinOp::Or, BinOp::Ge, BinOp::Le),
        false => (BinOp::And, BinOp::Lt, BinOp::Gt),
    };
    match &bare(cond).kind {
        ExprKind::Binary(op, a, b) if *op == both => bound(a, negated, is_it).or_else(|| bound(b, negated, is_it)),
        ExprKind::Binary(op, a, b) if *op == below && is_it(a) => Some((**b).clone()),
        ExprKind::Binary(op, a, b) if *op == above && is_it(b) => Some((**a).clone()),
        ExprKind::Unary(UnOp::Not, a) => bound(a, !negated, is_it),
        _ => None,
    }
}

/// Test for an expression of sizes: variables, numbers, sums, products and quotients.
fn is_size(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Int(_) => matches!(e.ty, Type::Int(_)),
        ExprKind::Member { .. } => matches!(e.ty, Type::Int(_)),
        ExprKind::Cast(a) => matches!(e.ty, Type::Int(_)) && is_size(a),
        ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div, a, b) => is_size(a) && is_size(b),
        _ => false,
    }
}

/// The size that a counter is taken apart by: of several, that of which all others are multiples.
fn size(counter: VarId, body: &Stmt) -> Option<Expr> {
    let (mut all, mut quotients, mut remainders): (Vec<Expr>, _, _) = (vec![], 0, 0);
    body.walk(&mut |piece| {
        let Piece::Expr(e) = piece else { return };
        let Some((op, _, by)) = division(e).filter(|(_, of, _)| of.is_var(counter)) else { return };
        quotients += usize::from(op == BinOp::Div);
        remainders += usize::from(op == BinOp::Rem);
        if !all.iter().any(|known| same_expr(known, &by)) {
            all.push(by);
        }
    });
    let is_least = |x: &&Expr| all.iter().all(|y| same_expr(x, y) || without_factor(y, x).is_some());
    let least = all.iter().find(is_least)?.clone();
    let is_short = matches!(least.kind, ExprKind::Int(n) if n < SHORTEST || quotients == 0 || remainders == 0);
    (!is_short).then_some(least)
}

/// A quotient or remainder, of what and by what, without casts that keep values: by a power of two also as a shift or a mask.
fn division(e: &Expr) -> Option<(BinOp, &Expr, Expr)> {
    let ExprKind::Binary(op, a, b) = &e.kind else { return None };
    let by = core(b);
    let power = |n: i64| number(n, &b.ty, b.span);
    let (op, by) = match (op, &by.kind) {
        (BinOp::Div | BinOp::Rem, ExprKind::Int(n)) => (*op, power(*n)),
        (BinOp::Div | BinOp::Rem, _) => (*op, by.clone()),
        (BinOp::Shr, ExprKind::Int(n @ 0..31)) => (BinOp::Div, power(1 << n)),
        (BinOp::BitAnd, ExprKind::Int(m @ 1..=0x3fff_ffff)) if m & (m + 1) == 0 => (BinOp::Rem, power(m + 1)),
        _ => return None,
    };
    matches!(e.ty, Type::Int(_)).then_some((op, core(a), by))
}

/// An expression without casts to as many bits or more: counters are not negative, and of sizes a condition says so.
fn core(e: &Expr) -> &Expr {
    match (&e.kind, &e.ty) {
        (ExprKind::Cast(inner), Type::Int(to)) if *to != IntKind::Bool => match inner.ty {
            Type::Int(from) if to.bits() >= from.bits() => core(inner),
            _ => e,
        },
        _ => e,
    }
}

/// The factors of a product.
fn factors<'e>(e: &'e Expr, out: &mut Vec<&'e Expr>) {
    match &core(e).kind {
        ExprKind::Binary(BinOp::Mul, a, b) => {
            factors(a, out);
            factors(b, out);
        }
        _ => out.push(core(e)),
    }
}

/// A product without the factors of another; 1 where these are all.
fn without_factor(e: &Expr, by: &Expr) -> Option<Expr> {
    if let (ExprKind::Int(all), ExprKind::Int(one)) = (&core(e).kind, &core(by).kind) {
        return (*one > 0 && all % one == 0).then(|| number(all / one, &e.ty, e.span));
    }
    let (mut left, mut gone) = (vec![], vec![]);
    factors(e, &mut left);
    factors(by, &mut gone);
    for factor in gone {
        let at = left.iter().position(|x| same_expr(x, factor))?;
        left.remove(at);
    }
    let rest = left.into_iter().cloned().reduce(|a, b| binary(BinOp::Mul, a, b));
    Some(rest.unwrap_or_else(|| number(1, &e.ty, e.span)))
}

/// A number of that type.
fn number(n: i64, ty: &Type, span: Span) -> Expr {
    Expr { ty: ty.clone(), ..integer(n, span) }
}

/// Test for a quotient or remainder of a counter in an expression.
fn has_digit(e: &Expr, counter: VarId) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= division(e).is_some_and(|(_, of, _)| of.is_var(counter)));
    found
}

/// Expression in the place of a counter: `row * size + column`.
struct Digits<'a> {
    counter: VarId,
    size: &'a Expr,
    row: Expr,
    column: Expr,
}

impl Digits<'_> {
    /// Puts the parts of the counter in its place.
    fn put(&self, e: &mut Expr) {
        let value = match division(e) {
            Some((op, of, by)) => self.parts(of).and_then(|(row, column)| {
                let rest = without_factor(&by, self.size)?;
                let is_one = matches!(core(&rest).kind, ExprKind::Int(1));
                match (op, is_one) {
                    (BinOp::Div, true) => Some(row),
                    (BinOp::Div, false) => Some(binary(BinOp::Div, row, rest)),
                    (_, true) => Some(column),
                    (_, false) => Some(self.sum(binary(BinOp::Rem, row, rest), column)),
                }
            }),
            None => e.is_var(self.counter).then(|| self.sum(self.row.clone(), self.column.clone())),
        };
        match value {
            Some(value) => *e = Expr { span: e.span, ..converted(&value, &e.ty) },
            None => e.children_mut().into_iter().for_each(|e| self.put(e)),
        }
    }

    /// The row and column that an expression stands for: the counter, or a remainder of it by rows.
    fn parts(&self, e: &Expr) -> Option<(Expr, Expr)> {
        if e.is_var(self.counter) {
            return Some((self.row.clone(), self.column.clone()));
        }
        let (_, of, by) = division(e).filter(|(op, ..)| *op == BinOp::Rem)?;
        let (row, column) = self.parts(of)?;
        let rest = without_factor(&by, self.size).filter(|rest| !matches!(bare(rest).kind, ExprKind::Int(1)))?;
        Some((binary(BinOp::Rem, row, rest), column))
    }

    fn sum(&self, row: Expr, column: Expr) -> Expr {
        binary(BinOp::Add, binary(BinOp::Mul, row, self.size.clone()), column)
    }
}
