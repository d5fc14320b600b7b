//! How far the arrays reach that a `static` function is given, where every call of it is seen.
//!
//! ```c
//! static double x[14003];
//! static void multiply(int n, const int *row, const int *column, const double a[], double x[]) { ... x[column[k]] ... }
//! multiply(n, row, column, a, x);                       in multiply, x has 14003 elements
//! ```
//! The function keeps what it is given if it never changes the parameter. An array of the caller's has the extents of its
//! type, memory that the caller allocates those of the allocation, as far as these are numbers or variables that the
//! function is given too. Of several calls, all must say the same, but for numbers, of which the least holds.

use super::allocations::Allocation;
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, IntKind, Type, Unit, VarId};
use crate::facts::arrays;
use crate::facts::changes::Changes;
use crate::facts::symbolic::same_expr;
use crate::source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A function of which all calls are known.
struct Callee<'a> {
    f: &'a Function,
    calls: Vec<Call<'a>>,
    /// The variables that it may set.
    changed: BTreeSet<VarId>,
}

/// A call, and the function that it stands in.
struct Call<'a> {
    caller: &'a Function,
    args: &'a [Expr],
    at: Span,
}

/// The shapes of parameters that follow from the calls; `allocated` is known of what functions allocate themselves.
pub fn find(unit: &Unit, source: &Source, allocated: &[Allocation]) -> Vec<Allocation> {
    let all = callees(unit, source);
    let mut finder = Finder { unit, allocated, given: vec![] };
    // What one function hands on to another is known once the calls of the first are: every other look goes backwards, so that two
    // follow a chain of calls through, whichever end of it the file begins with.
    loop {
        let before = finder.given.len();
        all.iter().for_each(|callee| finder.parameters(callee));
        if finder.given.len() > before {
            all.iter().rev().for_each(|callee| finder.parameters(callee));
        }
        if finder.given.len() == before {
            return finder.given;
        }
    }
}

/// The static functions with parameters that lead somewhere, of whose names nothing else is made than calls.
fn callees<'a>(unit: &'a Unit, source: &Source) -> Vec<Callee<'a>> {
    let leads = |v: &VarId| unit.var(*v).ty.is_pointer_like();
    let asked = unit.functions.iter().filter(|f| f.is_static && f.params.iter().any(leads));
    let mut calls: BTreeMap<&str, Vec<Call>> = asked.clone().map(|f| (f.name.as_str(), vec![])).collect();
    for caller in &unit.functions {
        caller.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Call { name, args }, span, .. }) = piece
                && let Some(calls) = calls.get_mut(name.as_str())
            {
                calls.push(Call { caller, args, at: *span });
            }
        });
    }
    for (k, token) in source.tokens().iter().enumerate() {
        let (name, at) = (token.text(&source.text), token.span.lo);
        let Some(known) = calls.get(name) else { continue };
        let is_outside = || unit.functions.iter().all(|g| !g.body.span.contains(at));
        if known.iter().all(|call| call.at.lo != at) && !(is_outside() && declares(source, k)) {
            calls.remove(name);
        }
    }
    let callee = |f: &'a Function| {
        let calls = calls.remove(f.name.as_str())?;
        let is_whole = !calls.is_empty() && calls.iter().all(|call| call.args.len() == f.params.len());
        is_whole.then(|| Callee { f, calls, changed: Changes::of([&f.body]).assigned })
    };
    asked.filter_map(callee).collect()
}

/// Test that the token is a name that is declared as a function: a type stands before it.
pub fn declares(source: &Source, k: usize) -> bool {
    let (text, tokens) = (&source.text, source.tokens());
    let Some(before) = k.checked_sub(1).map(|k| tokens[k].text(text)) else { return false };
    let is_type = before == "*" || before.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_statement = matches!(before, "return" | "else" | "do" | "case" | "goto" | "sizeof");
    is_type && !is_statement && tokens.get(k + 1).is_some_and(|next| next.is(text, "("))
}

struct Finder<'a> {
    unit: &'a Unit,
    allocated: &'a [Allocation],
    given: Vec<Allocation>,
}

impl Finder<'_> {
    fn parameters(&mut self, callee: &Callee) {
        let f = callee.f;
        for (k, &param) in f.params.iter().enumerate() {
            let ty = &self.unit.var(param).ty;
            let Some(element) = pointee(ty).filter(|_| arrays::n_pointers(ty) == 0) else { continue };
            if callee.changed.contains(&param) || self.given.iter().any(|g| g.data == param) {
                continue;
            }
            let mut extents: Option<Vec<Expr>> = None;
            for call in &callee.calls {
                let said = self.extents(call, &call.args[k], element).and_then(|e| self.in_callee(callee, call, e));
                extents = match (said, extents) {
                    (Some(new), None) => Some(new),
                    (Some(new), Some(old)) => common(old, new),
                    (None, _) => None,
                };
                if extents.is_none() {
                    break;
                }
            }
            self.given.extend(extents.map(|extents| Allocation { data: param, extents, holds: f.body.span }));
        }
    }

    /// The factors of how many elements an argument leads to, where the call stands.
    fn extents(&self, call: &Call, arg: &Expr, element: &Type) -> Option<Vec<Expr>> {
        let ExprKind::Var(v) = arg.kind else { return None };
        let ty = &self.unit.var(v).ty;
        if !is_alike(pointee(ty)?, element) {
            return None;
        }
        let known = self.allocated.iter().chain(&self.given);
        let mut here = known.filter(|a| a.data == v && a.holds.contains(call.at.lo));
        if let Some(allocation) = here.next_back() {
            return Some(allocation.extents.clone());
        }
        match ty {
            Type::Array { len: Some(len), .. } if !call.caller.params.contains(&v) => {
                Some(vec![integer(constant::fold(len)?, arg.span)])
            }
            _ => None,
        }
    }

    /// Extents in the names that they have in the function called.
    fn in_callee(&self, callee: &Callee, call: &Call, mut extents: Vec<Expr>) -> Option<Vec<Expr>> {
        let mut names = BTreeMap::new();
        for (arg, param) in call.args.iter().zip(&callee.f.params) {
            let is_same = |v: VarId| matches!(arg.ty, Type::Int(_)) && self.unit.var(v).ty == self.unit.var(*param).ty;
            if let ExprKind::Var(v) = arg.kind
                && is_same(v)
                && !callee.changed.contains(param)
            {
                names.insert(v, *param);
            }
        }
        let mut all = true;
        for e in &mut extents {
            e.rewrite(&mut |e| {
                e.span = call.at;
                if let ExprKind::Var(v) = &mut e.kind {
                    match names.get(v) {
                        Some(param) => *v = *param,
                        None => all = false,
                    }
                }
            });
        }
        all.then_some(extents)
    }
}

/// What a parameter leads to, and an array has elements of.
fn pointee(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Pointer { to, .. } => Some(to),
        Type::Array { of, .. } => Some(of),
        _ => None,
    }
}

/// Test that arrays of one have the elements of the other.
fn is_alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array { of: x, len: Some(m) }, Type::Array { of: y, len: Some(n) }) => {
            constant::fold(m).is_some_and(|m| constant::fold(n) == Some(m)) && is_alike(x, y)
        }
        _ => a == b,
    }
}

/// The extents that hold for both of two calls.
fn common(old: Vec<Expr>, new: Vec<Expr>) -> Option<Vec<Expr>> {
    let one = |(a, b): (Expr, Expr)| match (constant::fold(&a), constant::fold(&b)) {
        (Some(x), Some(y)) => Some(integer(x.min(y), a.span)),
        _ => same_expr(&a, &b).then_some(a),
    };
    (old.len() == new.len()).then(|| old.into_iter().zip(new).map(one).collect())?
}

fn integer(value: i64, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: Type::Int(IntKind::Long), span }
}
