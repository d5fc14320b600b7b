//! Operands of `&&` and `||` that are evaluated together, whatever the first of them says.
//!
//! ```text
//! v > in[i-1][j] && v > in[i+1][j]   ->   (v > in[i-1][j]) & (v > in[i+1][j])
//! ```
//! One after the other, each load waits for the comparison before it, and no thread of several points may load for two of
//! them at once. Right where an operand only loads and compares, and its elements are there for every point of the nest,
//! whatever the data: the extents that a call is tested for were computed without the condition. Worth it where the
//! elements are neighbours of some that the point loads anyway: they are in a cache, or in a register, already.

use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, UnOp};
use crate::facts::symbolic::Poly;
use crate::region::{Access, AccessKind, Statement, StaticPart};
use crate::source::Span;

/// Has the statements of a part load together what lies together.
pub fn load_together(part: &mut StaticPart) {
    let near: Vec<Vec<Access>> = part.stmts.iter().map(|s| loaded_anyway(part, s)).collect();
    for (stmt, near) in part.stmts.iter_mut().zip(near) {
        let mut rewriting = Rewriting { accesses: &stmt.accesses, near: &near, sure: vec![] };
        rewriting.stmt(&mut stmt.body, true);
        let sure = rewriting.sure;
        let is_sure = |x: &&mut Access| sure.iter().any(|span: &Span| span.encloses(x.span));
        stmt.accesses.iter_mut().filter(is_sure).for_each(|x| x.surely = true);
    }
}

/// The elements that a point of a statement's loops surely loads.
fn loaded_anyway(part: &StaticPart, of: &Statement) -> Vec<Access> {
    let same_points =
        part.stmts.iter().filter(|s| s.loops == of.loops && s.guards.iter().all(|g| of.guards.contains(g)));
    let loads = same_points.flat_map(|s| &s.accesses).filter(|x| x.kind == AccessKind::Read && x.surely);
    loads.filter(|x| x.known.is_empty() && x.index.is_some()).cloned().collect()
}

struct Rewriting<'a> {
    accesses: &'a [Access],
    near: &'a [Access],
    /// The operands that are evaluated whenever the statement runs.
    sure: Vec<Span>,
}

impl Rewriting<'_> {
    fn stmt(&mut self, s: &mut Stmt, is_sure: bool) {
        match &mut s.kind {
            StmtKind::Expr(e) => self.expr(e, is_sure),
            StmtKind::Decl(all) => all.iter_mut().filter_map(|d| d.init.as_mut()).for_each(|e| self.expr(e, is_sure)),
            StmtKind::If { cond, then, other } => {
                self.expr(cond, is_sure);
                self.stmt(then, false);
                other.iter_mut().for_each(|other| self.stmt(other, false));
            }
            StmtKind::Block(body) => body.iter_mut().for_each(|s| self.stmt(s, is_sure)),
            _ => s.exprs_mut(&mut |e| self.expr(e, false)),
        }
    }

    fn expr(&mut self, e: &mut Expr, is_sure: bool) {
        let (op, a, b) = match &mut e.kind {
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => (op, a, b),
            ExprKind::Cond(cond, a, b) => {
                self.expr(cond, is_sure);
                self.expr(a, false);
                return self.expr(b, false);
            }
            _ => return e.children_mut().into_iter().for_each(|e| self.expr(e, is_sure)),
        };
        let is_together = self.is_safe(b) && self.is_near(b);
        self.expr(a, is_sure);
        self.expr(b, is_sure && is_together);
        if is_together {
            *op = if *op == BinOp::And { BinOp::BitAnd } else { BinOp::BitOr };
            self.sure.extend(is_sure.then_some(b.span));
            [a, b].into_iter().for_each(|e| as_truth(e));
        }
    }

    /// Test that an operand may be evaluated at every point: it loads elements that are there, and nothing else happens.
    fn is_safe(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Var(_) => true,
            ExprKind::Binary(BinOp::Div | BinOp::Rem, ..) if matches!(e.ty, Type::Int(_)) => false,
            ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, _) => false,
            ExprKind::Unary(..) | ExprKind::Cast(_) | ExprKind::Binary(..) => {
                e.children().into_iter().all(|e| self.is_safe(e))
            }
            ExprKind::Index(..) => self.accesses.iter().any(|x| x.span == e.span && is_there(x)),
            _ => false,
        }
    }

    /// Test that an operand loads, and each element beside one that is loaded anyway.
    fn is_near(&self, e: &Expr) -> bool {
        let mut loads = self.accesses.iter().filter(|x| e.span.encloses(x.span) && !x.subscripts.is_empty()).peekable();
        loads.peek().is_some() && loads.all(|x| self.near.iter().any(|y| is_beside(x, y)))
    }
}

/// Test that a call's extents hold an element for every point of the nest.
fn is_there(x: &Access) -> bool {
    x.kind == AccessKind::Read && x.known.is_empty() && x.index.is_some()
}

/// Test that the subscripts of two elements differ by numbers.
fn is_beside(x: &Access, y: &Access) -> bool {
    let (Some(a), Some(b)) = (&x.index, &y.index) else { return false };
    let differs_by_number = |(a, b): (&Poly, &Poly)| a.plus(b, -1).is_some_and(|d| d.as_constant().is_some());
    x.data == y.data && a.len() == b.len() && a.iter().zip(b).all(differs_by_number)
}

/// Makes a condition 0 or 1.
fn as_truth(e: &mut Expr) {
    if is_truth(e) {
        return;
    }
    let zero = Expr { kind: ExprKind::Int(0), ty: Type::Int(IntKind::Int), span: e.span };
    let (ty, span) = (Type::Int(IntKind::Int), e.span);
    let value = std::mem::replace(e, zero.clone());
    *e = Expr { kind: ExprKind::Binary(BinOp::Ne, value.into(), zero.into()), ty, span };
}

fn is_truth(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(BinOp::BitAnd | BinOp::BitOr, a, b) => is_truth(a) && is_truth(b),
        ExprKind::Binary(op, ..) => op.is_boolean(),
        ExprKind::Unary(UnOp::Not, _) => true,
        _ => false,
    }
}
