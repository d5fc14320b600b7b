//! Loops over elements in the place of `memcpy` and `memset`.
//!
//! ```text
//! memcpy(u, v, n * sizeof(double));     ->     for (long k = 0; k < n; k++) u[k] = v[k];
//! memset(a, 0, sizeof a);               ->     for (long i = 0; i < 40; i++) for (long j = 0; j < 60; j++) a[i][j] = 0;
//! ```
//! Both arrays are of one type of numbers, and what is copied is whole elements. Blocks that overlap are no C (C17 7.24.2.1). `memset`
//! writes zeros here: every number of that is zero.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, binary, converted, counted, integer};
use crate::ast::build::{constant, typing};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, Unit};
use crate::facts::allocation;
use crate::facts::loops::is_loop;
use crate::source::Span;

/// Fewer elements than these stay what they are outside loops, where asking for a device would take longer; and so do bytes, of
/// which texts are made.
const FEWEST_ALONE: i64 = 512;

/// Opens such calls in a statement.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, &mut form.stmt, false);
}

fn inside(unit: &mut Unit, s: &mut Stmt, in_loop: bool) {
    let in_body = in_loop || is_loop(s);
    s.stmts_mut().into_iter().for_each(|s| inside(unit, s, in_body));
    let StmtKind::Expr(Expr { kind: ExprKind::Call { name, args }, span, .. }) = &s.kind else { return };
    let [to, value, bytes] = args.as_slice() else { return };
    let to = Block::at(to);
    let opened = match name.as_str() {
        "memcpy" | "__builtin_memcpy" => {
            let from = Block::at(value);
            let is_alike = from.element() == to.element() && (to.extents.is_empty() || from.extents == to.extents);
            is_alike.then(|| to.each(unit, bytes, in_loop, *span, &|at| Some(from.element_at(at)))).flatten()
        }
        "memset" | "__builtin_memset" if constant::fold(value) == Some(0) => {
            to.each(unit, bytes, in_loop, *span, &|_| None)
        }
        _ => None,
    };
    if let Some(opened) = opened {
        s.kind = opened.kind;
    }
}

/// Elements from a place on.
struct Block<'e> {
    /// Their array, or a pointer to the first.
    place: &'e Expr,
    /// Of an array whose extents are known, all.
    extents: Vec<i64>,
    element: Type,
}

impl Block<'_> {
    fn at(pointer: &Expr) -> Block<'_> {
        let mut place = pointer;
        while let ExprKind::Cast(of) = &place.kind
            && of.ty.is_pointer_like()
        {
            place = of;
        }
        let (mut extents, mut ty) = (vec![], &place.ty);
        while let Type::Array { of, len: Some(len) } = ty
            && let Some(n) = constant::fold(len)
        {
            extents.push(n);
            ty = of;
        }
        match ty {
            ty if !extents.is_empty() && ty.is_scalar() => Block { place, extents, element: ty.clone() },
            _ => Block { place, extents: vec![], element: typing::element(&place.ty) },
        }
    }

    fn element(&self) -> Option<&Type> {
        self.element.is_scalar().then_some(&self.element)
    }

    fn element_at(&self, at: &[Expr]) -> Expr {
        at.iter().fold(self.place.clone(), |base, at| {
            let (ty, span) = (typing::element(&base.ty), base.span);
            Expr { kind: ExprKind::Index(Box::new(base), Box::new(at.clone())), ty, span }
        })
    }

    /// Loops that set its elements, as many as lie in so many bytes, to a value; to zero where there is none.
    fn each(
        &self,
        unit: &mut Unit,
        bytes: &Expr,
        in_loop: bool,
        span: Span,
        value: &dyn Fn(&[Expr]) -> Option<Expr>,
    ) -> Option<Stmt> {
        let size = i64::try_from(constant::size_of(self.element()?)?).ok()?;
        let all: i64 = self.extents.iter().product();
        let is_whole = self.extents.len() > 1 && constant::fold(bytes) == all.checked_mul(size);
        let counts = match self.extents.len() {
            0 | 1 => vec![elements(bytes, size)?],
            _ if is_whole => self.extents.iter().map(|n| integer(*n, span)).collect(),
            _ => return None,
        };
        let known = counts.iter().map(constant::fold).try_fold(1i64, |all, n| all.checked_mul(n?));
        if !in_loop && (size == 1 || known.is_some_and(|n| n < FEWEST_ALONE)) {
            return None;
        }
        Some(self.nest(unit, &counts, &mut vec![], span, value))
    }

    fn nest(
        &self,
        unit: &mut Unit,
        counts: &[Expr],
        at: &mut Vec<Expr>,
        span: Span,
        value: &dyn Fn(&[Expr]) -> Option<Expr>,
    ) -> Stmt {
        let Some((count, inner)) = counts.split_first() else {
            let zero = converted(&integer(0, span), &self.element);
            return assigned(None, &self.element_at(at), value(at).unwrap_or(zero), span);
        };
        let name = format!("rt_copied{}", at.len());
        counted(unit, name, (integer(0, span), count.clone()), span, |unit, counter| {
            at.push(counter.clone());
            let body = self.nest(unit, inner, at, span, value);
            at.pop();
            vec![body]
        })
    }
}

/// How many elements of that size so many bytes are: the product of what `sizeof` is multiplied by.
fn elements(bytes: &Expr, size: i64) -> Option<Expr> {
    if let Some(n) = constant::fold(bytes) {
        return (n >= 0 && n % size == 0).then(|| integer(n / size, bytes.span));
    }
    let mut factors = allocation::factors(bytes);
    if size > 1 {
        let whole = |e: &Expr| constant::fold(e).is_some_and(|n| n > 0 && n % size == 0);
        let k = factors.iter().position(whole)?;
        let n = constant::fold(&factors.remove(k))? / size;
        factors.extend((n > 1).then(|| integer(n, bytes.span)));
    }
    factors.into_iter().map(allocation::wide).reduce(|all, next| binary(BinOp::Mul, all, next))
}
