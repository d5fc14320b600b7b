//! Register promotion for the whole life of a thread: elements that it has in registers from its beginning to its end, promotions
//! of loops ([`register_promotion`](crate::schedule::register_promotion)) widened to all pieces of the thread's work.
//!
//! ```text
//! c[i][j] *= beta; for k: rt_c += ...  with  rt_c = c[i][j] before and c[i][j] = rt_c after
//! ->
//! rt_c = c[i][j]; rt_c *= beta; for k: rt_c += ...; c[i][j] = rt_c
//! ```
//! Right where the thread touches no other element of the array, and surely stores to this one (so it is there). Threads
//! are independent: none sees what another does.

use super::piece::{Piece, leaves};
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Stmt, StmtKind};
use crate::region::LoopId;
use crate::schedule::register_promotion::element::PromotedElement;

/// An element that a thread has in a register from its beginning to its end.
pub struct ThreadPromotion {
    pub element: PromotedElement,
    pub wanted: Wanted,
}

/// When a thread wants the value that an element had before. No other time may it load it: where it is only stored to, it
/// may never have been brought to the device.
pub enum Wanted {
    Never,
    Always,
    /// Where one of these loops has an iteration.
    InLoops(Vec<LoopId>),
}

/// What a statement does with an element first.
enum First {
    Read,
    Write,
    Unclear,
}

/// The elements that are stored to outside the tiled loops, whatever the data, that several pieces touch, and that are all
/// that is touched of their arrays.
pub fn candidates(pieces: &[Piece]) -> Vec<Access> {
    let mut out: Vec<Access> = vec![];
    for piece in pieces {
        let Piece::Plain(_, stmts) = piece else { continue };
        for s in stmts {
            if let StmtKind::Store { target, .. } = &s.kind
                && !out.contains(target)
                && pieces.iter().filter(|p| !all(std::slice::from_ref(*p), &target.array).is_empty()).count() > 1
                && all(pieces, &target.array).iter().all(|x| *x == target)
                && !is_touched_in_steps(pieces, &target.array)
            {
                out.push(target.clone());
            }
        }
    }
    out
}

/// When a thread wants the value that the element had before: `None` where that depends on more than loops.
pub fn wanted(pieces: &[Piece], element: &Access) -> Option<Wanted> {
    let mut loops = vec![];
    for piece in pieces {
        let (stmts, id) = match piece {
            Piece::Plain(_, stmts) => (stmts, None),
            Piece::Loop(x) if x.promoted.as_ref().is_some_and(|x| x.element == *element) => {
                loops.push(x.id);
                continue;
            }
            Piece::Loop(x) => (&x.body, Some(x.id)),
            Piece::Steps(_) => continue,
        };
        let Some(s) = stmts.iter().find(|s| !touched(s, &element.array).is_empty()) else { continue };
        match (first(s, &element.array), id) {
            (First::Read, Some(id)) => loops.push(id),
            (First::Read, None) => return Some(Wanted::Always),
            (First::Write, None) if loops.is_empty() => return Some(Wanted::Never),
            (First::Write, None) => return Some(Wanted::InLoops(loops)),
            (First::Write, Some(_)) | (First::Unclear, _) => return None,
        }
    }
    None
}

/// What a statement that touches an array's only element does with it first, whatever the data.
fn first(s: &Stmt, array: &str) -> First {
    let value = match &s.kind {
        StmtKind::Store { target, op: Some(_), .. } if target.array == array => return First::Read,
        StmtKind::Store { value, .. } | StmtKind::Assign { value, .. } => Some(value),
        StmtKind::Let { init, .. } => init.as_ref(),
        _ => None,
    };
    let mut loads = vec![];
    value.into_iter().for_each(|e| loaded(e, array, &mut loads));
    match value {
        Some(value) if surely_loads(value, array) => First::Read,
        Some(_) if loads.is_empty() => First::Write,
        _ => First::Unclear,
    }
}

/// Test that an expression loads from an array whatever its conditions give.
fn surely_loads(e: &Expr, array: &str) -> bool {
    match e {
        Expr::Load(x) if x.array == array => true,
        Expr::Cond(cond, then, other) => {
            surely_loads(cond, array) || surely_loads(then, array) && surely_loads(other, array)
        }
        Expr::Binary(BinOp::And | BinOp::Or, left, _) => surely_loads(left, array),
        _ => e.children().into_iter().any(|child| surely_loads(child, array)),
    }
}

/// Puts the variable in the place of the element, and of variables that loops have for it.
pub fn promote(pieces: &mut [Piece], promoted: &PromotedElement) {
    for piece in pieces {
        let mut names = vec![];
        if let Piece::Loop(x) = piece
            && let Some(of_loop) = x.promoted.take_if(|x| x.element == promoted.element)
        {
            names.push(of_loop.var);
        }
        if !matches!(piece, Piece::Steps(_)) {
            replace(piece.parts().1, promoted, &names);
        }
    }
}

fn replace(body: &mut [Stmt], promoted: &PromotedElement, names: &[String]) {
    for s in body {
        for e in s.exprs_mut() {
            e.replace(&mut |e| match e {
                Expr::Load(x) if *x == promoted.element => Some(Expr::Var(promoted.var.clone())),
                Expr::Var(name) if names.contains(name) => Some(Expr::Var(promoted.var.clone())),
                _ => None,
            });
        }
        if let StmtKind::Assign { var, .. } = &mut s.kind
            && names.contains(var)
        {
            *var = promoted.var.clone();
        }
        if let StmtKind::Store { target, op, value } = &s.kind
            && *target == promoted.element
        {
            s.kind = StmtKind::Assign { var: promoted.var.clone(), op: *op, value: value.clone() };
        }
        s.bodies_mut().into_iter().for_each(|inner| replace(inner, promoted, names));
    }
}

/// Test for a step of the block that touches an array.
fn is_touched_in_steps(pieces: &[Piece], array: &str) -> bool {
    let touches = |p: &Piece| matches!(p, Piece::Steps(x) if !all(&x.pieces, array).is_empty());
    pieces.iter().any(touches)
}

/// Every access of an array.
fn all<'p>(pieces: &'p [Piece], array: &str) -> Vec<&'p Access> {
    let mut out = vec![];
    for piece in leaves(pieces) {
        let (body, promoted) = match piece {
            Piece::Plain(_, stmts) => (stmts, None),
            Piece::Loop(x) => (&x.body, x.promoted.as_ref()),
            Piece::Steps(_) => unreachable!("steps are no leaf"),
        };
        out.extend(body.iter().flat_map(|s| touched(s, array)));
        if let Some(PromotedElement { element, .. }) = promoted {
            out.extend((element.array == array).then_some(element));
            element.index.iter().for_each(|e| loaded(e, array, &mut out));
        }
    }
    out
}

/// The accesses of an array in a statement.
fn touched<'s>(s: &'s Stmt, array: &str) -> Vec<&'s Access> {
    let mut out = vec![];
    s.visit(&mut |s| {
        if let StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } = &s.kind
            && target.array == array
        {
            out.push(target);
        }
        s.exprs().into_iter().for_each(|e| loaded(e, array, &mut out));
    });
    out
}

fn loaded<'e>(e: &'e Expr, array: &str, out: &mut Vec<&'e Access>) {
    if let Expr::Load(x) = e
        && x.array == array
    {
        out.push(x);
    }
    e.children().into_iter().for_each(|child| loaded(child, array, out));
}
