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

use super::accesses;
use super::allocations::Allocation;
use super::plain::values::Changes;
use super::symbolic::same_expr;
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, IntKind, Type, Unit, VarId};
use crate::source::{Source, Span};
use std::collections::HashMap;

/// A call, and the function that it stands in.
struct Call<'a> {
    caller: &'a Function,
    args: &'a [Expr],
    at: Span,
}

/// The shapes of parameters that follow from the calls; `allocated` is known of what functions allocate themselves.
pub fn find(unit: &Unit, source: &Source, allocated: &[Allocation]) -> Vec<Allocation> {
    let mut finder = Finder { unit, allocated, fixed: HashMap::new(), given: vec![] };
    let all: Vec<(&Function, Vec<Call>)> =
        unit.functions.iter().filter(|f| f.is_static).filter_map(|f| Some((f, calls(unit, source, f)?))).collect();
    // What one function hands on to another is known once the calls of the first are.
    loop {
        let before = finder.given.len();
        for (f, calls) in &all {
            finder.parameters(f, calls);
        }
        if finder.given.len() == before {
            return finder.given;
        }
    }
}

/// The calls of a function, if nothing else is done with its name and some call it.
fn calls<'a>(unit: &'a Unit, source: &Source, f: &Function) -> Option<Vec<Call<'a>>> {
    let mut found = vec![];
    for caller in &unit.functions {
        caller.body.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Call { name, args }, span, .. }) = piece
                && *name == f.name
            {
                found.push(Call { caller, args, at: *span });
            }
        });
    }
    let (text, tokens) = (&source.text, source.tokens());
    let places = (0..tokens.len()).filter(|k| tokens[*k].is(text, &f.name));
    let is_known = |k: usize| {
        let at = tokens[k].span.lo;
        let is_called = found.iter().any(|call| call.at.lo == at);
        is_called || k > 0 && unit.functions.iter().all(|g| !holds(g.body.span, at)) && declares(source, k)
    };
    let is_whole = places.into_iter().all(is_known) && found.iter().all(|call| call.args.len() == f.params.len());
    (is_whole && !found.is_empty()).then_some(found)
}

/// Whether the token is a name that is declared as a function: a type stands before it.
fn declares(source: &Source, k: usize) -> bool {
    let (text, tokens) = (&source.text, source.tokens());
    let before = tokens[k - 1].text(text);
    let is_type = before == "*" || before.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_statement = matches!(before, "return" | "else" | "do" | "case" | "goto" | "sizeof");
    is_type && !is_statement && tokens.get(k + 1).is_some_and(|next| next.is(text, "("))
}

struct Finder<'a> {
    unit: &'a Unit,
    allocated: &'a [Allocation],
    /// Whether a function leaves a variable as it was when it was called, by the function's name.
    fixed: HashMap<(&'a str, VarId), bool>,
    given: Vec<Allocation>,
}

impl<'a> Finder<'a> {
    fn parameters(&mut self, f: &'a Function, calls: &[Call<'a>]) {
        for (k, &param) in f.params.iter().enumerate() {
            let ty = &self.unit.var(param).ty;
            let Some(element) = pointee(ty).filter(|_| accesses::n_pointers(ty) == 0) else { continue };
            if self.given.iter().any(|g| g.data == param) || !self.keeps(f, param) {
                continue;
            }
            let mut extents: Option<Vec<Expr>> = None;
            for call in calls {
                let said = self.extents(call, &call.args[k], element).and_then(|e| self.in_callee(f, call, e));
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
        let mut here = known.filter(|a| a.data == v && holds(a.holds, call.at.lo));
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
    fn in_callee(&mut self, f: &'a Function, call: &Call, extents: Vec<Expr>) -> Option<Vec<Expr>> {
        let mut names = HashMap::new();
        for (arg, &param) in call.args.iter().zip(&f.params) {
            if let ExprKind::Var(v) = arg.kind
                && self.unit.var(v).ty == self.unit.var(param).ty
                && matches!(arg.ty, Type::Int(_))
                && self.keeps(f, param)
            {
                names.insert(v, param);
            }
        }
        let mut all = true;
        let mut extents = extents;
        for e in &mut extents {
            e.rewrite(&mut |e| {
                e.span = call.at;
                if let ExprKind::Var(v) = &mut e.kind {
                    all &= names.get(v).is_some_and(|param| {
                        *v = *param;
                        true
                    });
                }
            });
        }
        all.then_some(extents)
    }

    /// Whether a function leaves one of its parameters as it was given.
    fn keeps(&mut self, f: &'a Function, param: VarId) -> bool {
        *self.fixed.entry((&f.name, param)).or_insert_with(|| !Changes::of([&f.body]).assigned.contains(&param))
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

/// Whether arrays of one have the elements of the other.
fn is_alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Array { of: x, len: Some(m) }, Type::Array { of: y, len: Some(n) }) => {
            constant::fold(m).is_some_and(|m| constant::fold(n) == Some(m)) && is_alike(x, y)
        }
        _ => a == b,
    }
}

fn holds(span: Span, at: u32) -> bool {
    span.lo <= at && at < span.hi
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
