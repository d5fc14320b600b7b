//! Values of helpers that compute a subscript in several statements: what they return, as one expression.
//!
//! ```text
//! int wrap(int i, int n) {              wrap(j - 1, n)
//!     int r = i % n;             ->     (j - 1) % n < 0 ? (j - 1) % n + n : (j - 1) % n
//!     if (r < 0) r += n;
//!     return r;
//! }
//! ```
//! Each way through the statements is followed with what the names hold on it; the conditions on the way choose between the
//! values (symbolic execution: King, "Symbolic execution and program testing", Communications of the ACM, 1976).

use super::substitution::{self, Values};
use crate::ast::build::ast_builder::{converted, integer};
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};

/// The most nodes of a value.
const MAX_NODES: usize = 80;

/// The value that a function of whole numbers returns, of its parameters; `None` where it is another one, or a long one.
pub fn value_of(unit: &Unit, f: &Function) -> Option<Expr> {
    let is_whole = |v: &VarId| matches!(unit.var(*v).ty, Type::Int(_));
    if !matches!(f.ret, Type::Int(_)) || !f.params.iter().all(is_whole) {
        return None;
    }
    let own = f.params.iter().map(|p| (*p, unit.read(*p, f.body.span))).collect();
    Way { unit, f }.follow(vec![&f.body], own)
}

/// Test that a function of one expression computes a whole number as subscripts are computed.
pub fn is_one(f: &Function, result: &Expr) -> bool {
    matches!(f.ret, Type::Int(_)) && (is_index_arithmetic(result) || is_choice(result))
}

/// Test that an expression is made of what subscripts are made of.
fn is_index_arithmetic(e: &Expr) -> bool {
    let mut is = true;
    e.walk(&mut |x| {
        is &= matches!(
            x.kind,
            ExprKind::Int(_)
                | ExprKind::Var(_)
                | ExprKind::Cast(_)
                | ExprKind::Member { .. }
                | ExprKind::Unary(UnOp::Plus | UnOp::Neg, _)
                | ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, ..)
        );
    });
    is
}

/// `a < b ? a : b`, of parameters.
pub(super) fn is_choice(e: &Expr) -> bool {
    let is_name = |e: &Expr| matches!(e.kind, ExprKind::Var(_));
    let ExprKind::Cond(c, a, b) = &e.kind else { return false };
    let ExprKind::Binary(op, x, y) = &c.kind else { return false };
    let compares = matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge);
    compares && [a, b, x, y].into_iter().all(|e| is_name(e))
}

struct Way<'a> {
    unit: &'a Unit,
    f: &'a Function,
}

impl Way<'_> {
    /// The value that these statements return, where names hold these values.
    fn follow(&self, mut list: Vec<&Stmt>, mut held: Values) -> Option<Expr> {
        list.reverse();
        while let Some(s) = list.pop() {
            match &s.kind {
                StmtKind::Empty | StmtKind::Directive(_) => {}
                StmtKind::Block(inner) => list.extend(inner.iter().rev()),
                StmtKind::Decl(ds) => {
                    if ds.iter().any(|d| self.unit.var(d.var).storage != Storage::Local) {
                        return None;
                    }
                    for (v, init) in ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?))) {
                        let value = self.value(init, &held)?;
                        self.hold(v, value, &mut held)?;
                    }
                }
                StmtKind::Expr(e) => self.assign(e, &mut held)?,
                StmtKind::Return(Some(e)) => return self.value(e, &held).map(|e| converted(&e, &self.f.ret)),
                StmtKind::If { cond, then, other } => {
                    let cond = self.value(cond, &held)?;
                    list.reverse();
                    let then: Vec<&Stmt> = std::iter::once(&**then).chain(list.iter().copied()).collect();
                    let other: Vec<&Stmt> = other.as_deref().into_iter().chain(list).collect();
                    let (a, b) = (self.follow(then, held.clone())?, self.follow(other, held)?);
                    let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
                    let chosen = Expr { kind, ty: self.f.ret.clone(), span: s.span };
                    return (chosen.n_nodes() <= MAX_NODES).then_some(chosen);
                }
                _ => return None,
            }
        }
        None
    }

    fn assign(&self, e: &Expr, held: &mut Values) -> Option<()> {
        let (target, op, value) = match &e.kind {
            ExprKind::Assign { target, op, value } => (target, *op, (**value).clone()),
            ExprKind::IncDec { target, inc, .. } => {
                (target, Some(if *inc { BinOp::Add } else { BinOp::Sub }), integer(1, e.span))
            }
            _ => return None,
        };
        let ExprKind::Var(v) = target.kind else { return None };
        let value = self.value(&value, held)?;
        let value = match op {
            None => value,
            // Narrower numbers are computed as `int`.
            Some(_) if target.ty != value.ty || !matches!(value.ty, Type::Int(k) if k.bits() >= 32) => return None,
            Some(op) => {
                let kind = ExprKind::Binary(op, Box::new(held.get(&v)?.clone()), Box::new(value));
                Expr { kind, ty: target.ty.clone(), span: e.span }
            }
        };
        self.hold(v, value, held)
    }

    fn hold(&self, v: VarId, value: Expr, held: &mut Values) -> Option<()> {
        let var = self.unit.var(v);
        let is_number = matches!(var.ty, Type::Int(_)) && !var.is_volatile && !self.unit.is_addressed(v);
        let is_own = is_number && matches!(var.storage, Storage::Local | Storage::Param);
        let is_known = is_own && (held.contains_key(&v) || self.f.body.span.contains(var.span.lo));
        held.insert(v, converted(&value, &var.ty));
        is_known.then_some(())
    }

    /// A value without effects, of parameters.
    fn value(&self, e: &Expr, held: &Values) -> Option<Expr> {
        let mut value = e.clone();
        let mut is_plain = true;
        value.walk(&mut |e| {
            is_plain &= match &e.kind {
                ExprKind::Var(v) => held.contains_key(v),
                ExprKind::Int(_)
                | ExprKind::Cast(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cond(..) => true,
                _ => false,
            } && matches!(e.ty, Type::Int(_));
        });
        substitution::put(&mut value, held);
        (is_plain && value.n_nodes() <= MAX_NODES).then_some(value)
    }
}
