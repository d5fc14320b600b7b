//! Calls through pointers to functions, as choices among the functions that they may lead to.
//!
//! ```text
//! f(x)     ->     f == lesser ? lesser(x) : f == greater ? greater(x) : f(x)
//! ```
//! Those are the functions of the pointer's very type whose address the program takes and whose bodies are known. So whoever
//! asks what a call does sees all of them, and behind them a function that nobody knows. A region leaves that one out: the call
//! site tests that the pointer leads to one of the others ([`crate::normalize::pointer_calls`]). So no choice need be complete:
//! where the pointer leads elsewhere, the original runs.

use super::{Reason, callable, effects, remedy};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, THROUGH_POINTER, Type, Unit};
use crate::source::Span;
use std::collections::BTreeSet;

/// The most functions that one call is a choice among.
const MOST: usize = 4;

/// The most nodes that the arguments of such a call may have, which stand there once for each function.
const MAX_NODES: usize = 60;

/// The pointer and the arguments of a call through a pointer.
pub fn through(e: &Expr) -> Option<(&Expr, &[Expr])> {
    match &e.kind {
        ExprKind::Call { name, args } if name == THROUGH_POINTER => args.split_first(),
        _ => None,
    }
}

/// The pointer and the function of a test whether the one leads to the other.
pub fn tested(e: &Expr) -> Option<(&Expr, &str)> {
    match &e.kind {
        ExprKind::Binary(BinOp::Eq, pointer, function) => match &function.kind {
            ExprKind::Function(name) => Some((pointer, name)),
            _ => None,
        },
        _ => None,
    }
}

/// The same of a pointer that is one variable, or member, wherever the test stands.
pub fn tested_place(e: &Expr) -> Option<(&Expr, &str)> {
    tested(e).filter(|(pointer, _)| is_place(pointer))
}

/// Test for a pointer to a function that is a variable, or reached through members of structures alone.
pub fn is_place(pointer: &Expr) -> bool {
    let mut is_place = pointer.ty.signature().is_some();
    pointer.walk(&mut |e| is_place &= matches!(e.kind, ExprKind::Var(_) | ExprKind::Member { .. }));
    is_place
}

/// Test that a text declares a function weak: of that name another file may have the one that is called.
pub fn is_weak(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_declared_so = |(at, _): (usize, &str)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let is_name = !before.ends_with(is_part) && !behind.starts_with(is_part);
        let first = before.rfind([';', '}']).map_or(0, |end| end + 1);
        let last = behind.find([';', '{']).unwrap_or(behind.len());
        is_name && (text[first..at].contains("weak") || behind[..last].contains("weak"))
    };
    text.contains("weak") && text.match_indices(name).any(is_declared_so)
}

/// Makes choices of all calls through pointers; tells whether there is one.
pub fn open(unit: &mut Unit) -> bool {
    let (mut functions, mut imported) = (std::mem::take(&mut unit.functions), std::mem::take(&mut unit.imported));
    let names: BTreeSet<String> = functions.iter().chain(&imported).map(|f| f.name.clone()).collect();
    let mut is_there = false;
    for f in functions.iter_mut().chain(&mut imported) {
        f.body.exprs_mut(&mut |e| e.rewrite(&mut |e| is_there |= choose(unit, &|name| names.contains(name), e)));
    }
    (unit.functions, unit.imported) = (functions, imported);
    is_there
}

fn choose(unit: &Unit, known: &dyn Fn(&str) -> bool, e: &mut Expr) -> bool {
    let Some((pointer, args)) = through(e) else { return false };
    if !effects::is_plain(pointer) || args.iter().map(Expr::n_nodes).sum::<usize>() > MAX_NODES {
        return false;
    }
    let targets = targets(unit, known, &pointer.ty);
    if targets.len() > MOST {
        return false;
    }
    let (ty, span) = (e.ty.clone(), e.span);
    let mut out = e.clone();
    for name in targets.into_iter().rev() {
        let test = is_function(pointer, name, unit.addresses.prototypes[name].ty.clone());
        let call = ExprKind::Call { name: name.to_owned(), args: args.to_vec() };
        let call = Expr { kind: call, ty: ty.clone(), span };
        let kind = ExprKind::Cond(Box::new(test), Box::new(call), Box::new(out));
        out = Expr { kind, ty: ty.clone(), span };
    }
    *e = out;
    !matches!(e.kind, ExprKind::Call { .. })
}

/// `pointer == name`
fn is_function(pointer: &Expr, name: &str, ty: Type) -> Expr {
    let span = pointer.span;
    // The program does not name it here.
    let function = Expr { kind: ExprKind::Function(name.to_owned()), ty, span: Span { hi: span.lo, ..span } };
    let kind = ExprKind::Binary(BinOp::Eq, Box::new(pointer.clone()), Box::new(function));
    Expr { kind, ty: Type::Int(IntKind::Int), span }
}

/// The functions of the type that a pointer leads to whose address is taken and which are `known`, or those of math.h.
fn targets<'a>(unit: &'a Unit, known: &dyn Fn(&str) -> bool, pointer: &Type) -> Vec<&'a str> {
    let is_of_type = |name: &&str| {
        let ty = unit.addresses.prototypes.get(*name).map(|declared| &declared.ty);
        matches!(ty, Some(Type::Function(of)) if pointer.signature() == Some(of))
    };
    let is_known = |name: &&str| known(name) != callable::math(name).is_some();
    unit.addresses.taken.iter().map(String::as_str).filter(is_of_type).filter(is_known).collect()
}

/// Chain of a choice: the functions, each with what is computed if the pointer leads to it, and the pointer; where it
/// ends with the call through the pointer.
pub fn chain(e: &Expr) -> Option<(&Expr, Vec<(&Expr, &Expr)>)> {
    let (mut choices, mut rest) = (vec![], e);
    while let ExprKind::Cond(test, chosen, other) = &rest.kind {
        tested(test)?;
        choices.push((&**test, &**chosen));
        rest = other;
    }
    let (pointer, _) = through(rest)?;
    (!choices.is_empty()).then_some((pointer, choices))
}

/// Sees through a test, a choice or a call of a pointer in whose place a function stands.
pub fn see_through(e: &mut Expr) {
    let leads = |e: &Expr| match tested(e) {
        Some((Expr { kind: ExprKind::Function(a), .. }, b)) => Some(a == b),
        _ => None,
    };
    match &e.kind {
        ExprKind::Cond(test, a, b) => {
            if let Some(leads) = leads(test) {
                *e = if leads { (**a).clone() } else { (**b).clone() };
            }
        }
        _ => {
            if let Some((Expr { kind: ExprKind::Function(name), .. }, args)) = through(e) {
                e.kind = ExprKind::Call { name: name.clone(), args: args.to_vec() };
            }
        }
    }
}

/// Why an expression cannot be part of a region that calls through a pointer, or asks which function one leads to; `None` where it
/// does neither. What is asked of a pointer for which `is_fixed` holds is handed over.
pub fn refusal(unit: &Unit, e: &Expr, is_fixed: &dyn Fn(&Expr) -> bool) -> Option<Reason> {
    let (pointer, is_call) = match (through(e).or_else(|| through(end(e))), tested(e)) {
        (Some((pointer, _)), _) => (pointer, true),
        (None, Some((pointer, _))) if !(is_place(pointer) && is_fixed(pointer)) => (pointer, is_made(e)),
        _ => return None,
    };
    let known = |name: &str| unit.function(name).is_some();
    let (why, help) = match targets(unit, &known, &pointer.ty).len() {
        0 if is_call => (
            "none of its type whose body is known here has its address taken in this program".to_owned(),
            remedy!("call the function by its name, or hand over one that this file defines"),
        ),
        n if is_call && n > MOST => (
            format!("{n} functions of its type have their address taken, and a loop is made for {MOST} at most"),
            remedy!("call the functions by their names, in a loop for each"),
        ),
        _ if !is_place(pointer) => (
            "it is reached through more than variables and members".to_owned(),
            remedy!("copy the pointer to a variable before the loop, and call through that"),
        ),
        _ => (
            "it may be another in each iteration, or is not known before the loop".to_owned(),
            remedy!("set the pointer before the loop, and leave it as it is in it"),
        ),
    };
    let what = if is_call { "a call through a pointer" } else { "a test of a pointer" };
    let message = format!("{what}, of which nobody knows the function: {why}");
    let at = if is_call && tested(e).is_none() { e.span } else { pointer.span };
    Some(Reason::new("call", message, at).help(help))
}

/// End of a choice.
fn end(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cond(test, _, other) if tested(test).is_some() => end(other),
        _ => e,
    }
}

/// Test that a test is one of a choice, and none of the program's.
fn is_made(test: &Expr) -> bool {
    matches!(&test.kind, ExprKind::Binary(_, _, function) if function.span.lo == function.span.hi)
}
