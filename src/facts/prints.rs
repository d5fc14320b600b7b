//! Calls in a time loop that print a few values.
//!
//! ```text
//! for (t = 0; t < steps; t++) {
//!     ...                                             loops, on the device
//!     if (t % 100 == 0) printf("%d %g\n", t, u[n / 2]);     the host's: one element is fetched when it is due
//! }
//! ```
//! A call of one of C's own functions for output, given texts and numbers alone, touches nothing that a region deals with
//! but what its arguments read. Such a call may stand between the nests of a loop that the host runs; the entry point
//! makes it itself. What it reads is a statement of a static control part of its own, so that the array is known to be
//! wanted there.
//!
//! An element that the region writes is fetched alone; any other is the host's. Where both versions run, only the
//! original prints. A failure of the device that falls back to the original loops prints again.

use super::{Reason, callable, effects, remedy};
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, FloatKind, Stmt, StmtKind, Type, UnOp, Unit};

/// The functions, each with whether its first or its last argument is the stream.
const FUNCTIONS: &[(&str, Option<usize>)] = &[
    ("printf", None),
    ("fprintf", Some(0)),
    ("puts", None),
    ("putchar", None),
    ("fputs", Some(1)),
    ("fflush", Some(0)),
];

/// A call that prints.
#[derive(Debug, Clone)]
pub struct Print {
    pub function: String,
    pub arguments: Vec<Argument>,
    pub stmt: Stmt,
}

/// What it is given.
#[derive(Debug, Clone)]
pub enum Argument {
    /// As C++ spells it too: a string, a stream.
    Text(String),
    Number(Expr),
}

/// The function's name and what it is given, where the statement is nothing but the call of one that prints.
fn call(s: &Stmt) -> Option<(&str, &[Expr])> {
    let StmtKind::Expr(e) = &s.kind else { return None };
    let e = match &e.kind {
        ExprKind::Cast(inner) if e.ty == Type::Void => inner,
        _ => e,
    };
    let ExprKind::Call { name, args } = &e.kind else { return None };
    is_print(name).then_some((name, args))
}

/// Test that C's own function of that name prints.
pub fn is_print(name: &str) -> bool {
    FUNCTIONS.iter().any(|(f, _)| *f == name)
}

/// Test that it is or holds such a call.
pub fn has_print(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| found |= matches!(p, Piece::Stmt(s) if call(s).is_some()));
    found
}

/// The call of a statement that prints, if it is that.
///
/// # Errors
/// What it is given is more than texts and numbers.
pub fn read(unit: &Unit, s: &Stmt) -> Option<Result<Print, Reason>> {
    let (function, args) = call(s)?;
    let stream = FUNCTIONS.iter().find(|(f, _)| *f == function).and_then(|(_, at)| *at);
    let argument = |(i, e): (usize, &Expr)| {
        match &e.kind {
            // Where strings were joined, a number in hexadecimal might have become longer.
            ExprKind::Str(text) if !text.contains("\\x") => Ok(Argument::Text(format!("\"{text}\""))),
            ExprKind::Var(v) if stream == Some(i) && ["stdout", "stderr"].contains(&unit.var(*v).name.as_str()) => {
                Ok(Argument::Text(unit.var(*v).name.clone()))
            }
            _ if effects::is_scalar(&e.ty) && is_number(unit, e, true) => Ok(Argument::Number(e.clone())),
            _ => Err(Reason::new(
                "print",
                "what is printed here, in a loop of the host, is not made of numbers",
                e.span,
            )
            .help(remedy!(
                "print numbers, and elements by their subscripts, to stdout or stderr; or move the call out of the loop"
            ))),
        }
    };
    let arguments: Result<Vec<Argument>, Reason> = args.iter().enumerate().map(argument).collect();
    Some(arguments.map(|arguments| Print { function: function.to_string(), arguments, stmt: s.clone() }))
}

/// Test that the host can compute it from numbers and elements; `surely`: it is computed whatever the data are, so that an
/// element may be fetched for it.
fn is_number(unit: &Unit, e: &Expr, surely: bool) -> bool {
    if e.ty == Type::Float(FloatKind::LongDouble) {
        return false;
    }
    let all = |surely: bool| e.children().into_iter().all(|x| is_number(unit, x, surely));
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::SizeOfType(_) => true,
        ExprKind::Var(v) => effects::is_scalar(&e.ty) && !unit.var(*v).is_volatile,
        ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => {
            let place = super::arrays::subscripts(e);
            let is_element = effects::is_scalar(&e.ty) && surely;
            is_element && place.is_some_and(|(_, subscripts)| subscripts.iter().all(|s| is_number(unit, s, surely)))
        }
        ExprKind::Member { .. } => effects::is_scalar(&e.ty),
        ExprKind::Unary(UnOp::AddrOf, _) => false,
        ExprKind::Unary(..) | ExprKind::Cast(_) => all(surely),
        ExprKind::Binary(op, ..) => all(surely && !op.is_boolean()),
        ExprKind::Cond(..) => all(false),
        ExprKind::Call { name, .. } => callable::math(name).is_some() && all(surely),
        _ => false,
    }
}

impl Print {
    /// A statement that reads what the call does, and does no more.
    pub fn reads(&self) -> Stmt {
        let numbers = self.arguments.iter().filter_map(|a| match a {
            Argument::Number(e) => Some(e.clone()),
            Argument::Text(_) => None,
        });
        let all = numbers.reduce(|a, b| {
            let (ty, span) = (b.ty.clone(), b.span);
            Expr { kind: ExprKind::Comma(Box::new(a), Box::new(b)), ty, span }
        });
        Stmt { kind: all.map_or(StmtKind::Empty, StmtKind::Expr), ..self.stmt.clone() }
    }
}
