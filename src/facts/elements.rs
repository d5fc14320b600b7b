//! Elements of arrays that are sizes: `i < grid[0] - 1`, `j < d[1]`, `a[i * dims[0][1] + j]`.
//!
//! An integer that stands in a header, a condition or a subscript, or is given to a variable, and that the region does not
//! change, is a variable in all but name where an array holds it: it becomes one, whose name is its text in C, and the call
//! site hands its value over. That no array that the region writes holds it too is tested at the call, as for other numbers in
//! memory.
//!
//! The call site reads it before anything else, so it must be there. Within the lengths that C states it is. Behind a
//! pointer it is where the program comes to read it, seen from the first iterations of the loops around it:
//!
//! ```text
//! for (k = 0; k < d[2]; k++)           d[2]: is read
//!     for (j = 0; j < d[1]; j++)       d[1]: is read if 0 < d[2]
//! ```
//! The call is made under that condition, and where it fails the original loops run.

use super::symbolic::same_expr;
use super::{arrays, effects, header};
use crate::ast::assertion::is_failing;
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId, print};
use std::collections::BTreeSet;

/// Gives variables to the elements in a statement that may be sizes.
pub fn note(unit: &mut Unit, s: &Stmt) {
    let changing = changing(&[s]);
    let mut found: Vec<Expr> = vec![];
    sizes(s, &mut |e| {
        let is_known = found.iter().chain(unit.elements.iter().map(|(_, x)| x)).any(|x| same_expr(x, e));
        if !is_known && is_fixed(unit, e, &changing) {
            found.push(e.clone());
        }
    });
    for e in found {
        let v = unit.add(Var::new(print::expr(unit, &e), e.ty.clone(), Storage::Global, e.span));
        unit.elements.push((v, e));
    }
}

/// The statements of a region with variables in the place of elements that are sizes of it, and the conditions under
/// which all of these are there; `None` where there is none.
pub fn named(unit: &Unit, stmts: &[&Stmt]) -> Option<(Vec<Stmt>, Vec<Expr>)> {
    let changing = changing(stmts);
    let mut wanted: Vec<&(VarId, Expr)> = vec![];
    for s in stmts.iter().filter(|_| !unit.elements.is_empty()) {
        sizes(s, &mut |e| {
            let known = unit.elements.iter().find(|(v, x)| same_expr(x, e) && wanted.iter().all(|(w, _)| w != v));
            wanted.extend(known.filter(|_| is_fixed(unit, e, &changing)));
        });
    }
    let mut first = First { unit, changing: &changing, firsts: vec![], under: vec![], read: vec![] };
    let _ = stmts.iter().all(|s| first.stmt(s));
    let mut only_if: Vec<Expr> = vec![];
    wanted.retain(|(_, e)| {
        let read = first.read.iter().find(|(x, _)| same_expr(x, e));
        let is_there = is_within(unit, e);
        if let Some((_, under)) = read.filter(|_| !is_there) {
            let new = under.iter().filter(|c| !only_if.iter().any(|x| same_expr(x, c))).cloned();
            only_if.extend(new.collect::<Vec<_>>());
        }
        is_there || read.is_some()
    });
    let name = |s: &&Stmt| {
        let mut s = (*s).clone();
        s.exprs_mut(&mut |e| replace(e, &wanted));
        s
    };
    (!wanted.is_empty()).then(|| (stmts.iter().map(name).collect(), only_if))
}

fn replace(e: &mut Expr, elements: &[&(VarId, Expr)]) {
    match elements.iter().find(|(_, x)| same_expr(x, e)) {
        Some((v, _)) => e.kind = ExprKind::Var(*v),
        None => e.children_mut().into_iter().for_each(|x| replace(x, elements)),
    }
}

/// What does not keep its value in the statements, or has none before them.
fn changing(stmts: &[&Stmt]) -> BTreeSet<VarId> {
    let mut out = effects::assigned(stmts.iter().copied());
    out.extend(effects::declared(stmts.iter().copied()));
    out
}

/// The integer elements where sizes stand: in headers, conditions and subscripts, and where a variable gets one.
fn sizes<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Expr)) {
    let mut elements = |e: &'a Expr| {
        e.walk(&mut |e| {
            if is_element(e) {
                f(e)
            }
        })
    };
    s.walk(&mut |piece| match piece {
        Piece::Stmt(s) => match &s.kind {
            StmtKind::For { init, cond, .. } => {
                init.iter().for_each(|s| s.exprs(&mut elements));
                cond.iter().for_each(&mut elements);
            }
            StmtKind::Decl(ds) => {
                ds.iter().filter_map(|d| d.init.as_ref()).filter(|e| is_integer(e)).for_each(&mut elements)
            }
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } => elements(cond),
            _ => {}
        },
        Piece::Expr(Expr { kind: ExprKind::Index(_, e) | ExprKind::Cond(e, ..), .. }) => elements(e),
        Piece::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
            if is_integer(target) && matches!(target.kind, ExprKind::Var(_)) {
                elements(value);
            }
        }
        Piece::Expr(_) => {}
    });
}

fn is_element(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Index(..)) && is_integer(e)
}

fn is_integer(e: &Expr) -> bool {
    matches!(e.ty, Type::Int(_))
}

/// Test that it is an element of a variable that keeps its value, at a place that does.
fn is_fixed(unit: &Unit, e: &Expr, changing: &BTreeSet<VarId>) -> bool {
    // A number of an array of structures has no such name in C.
    let is_of_record = |v: VarId| unit.records.iter().any(|r| r.var == v);
    let keeps =
        |v: VarId| !changing.contains(&v) && !unit.var(v).is_volatile && !unit.var(v).is_register && !is_of_record(v);
    let mut fixed = arrays::subscripts(e).is_some();
    e.walk(&mut |x| {
        fixed &= match &x.kind {
            ExprKind::Var(v) => keeps(*v),
            ExprKind::Index(..) | ExprKind::Int(_) | ExprKind::Cast(_) => true,
            ExprKind::Unary(op, _) => matches!(op, UnOp::Plus | UnOp::Neg),
            ExprKind::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul),
            _ => false,
        };
    });
    fixed
}

/// Test that it lies within the lengths that C states of an array that is there.
fn is_within(unit: &Unit, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(v) => unit.var(*v).storage != Storage::Param,
        ExprKind::Index(base, at) => match (&base.ty, &at.kind) {
            (Type::Array { len: Some(len), .. }, ExprKind::Int(at)) => {
                constant::fold(len).is_some_and(|len| (0..len).contains(at)) && is_within(unit, base)
            }
            _ => false,
        },
        _ => false,
    }
}

/// What the first iterations of loops read for sure.
struct First<'a> {
    unit: &'a Unit,
    changing: &'a BTreeSet<VarId>,
    /// What the counters of the loops around begin with.
    firsts: Vec<(VarId, Expr)>,
    /// The conditions under which the loops around run.
    under: Vec<Expr>,
    /// Elements, each with the conditions under which it is read.
    read: Vec<(Expr, Vec<Expr>)>,
}

impl First<'_> {
    /// Goes through a statement; whether the program surely comes to the next one.
    fn stmt(&mut self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::If { cond: e, .. } | StmtKind::While { cond: e, .. } => self.expr(e),
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).for_each(|e| self.expr(e)),
            StmtKind::Block(body) => return body.iter().all(|s| self.stmt(s)),
            StmtKind::For { init, cond, body, .. } => {
                init.iter().for_each(|s| _ = self.stmt(s));
                cond.iter().for_each(|e| self.expr(e));
                if let (Some(init), Some(cond)) = (init, cond) {
                    self.body(init, cond, body);
                }
            }
            _ => {}
        }
        let mut stays = true;
        s.walk(&mut |piece| {
            let Piece::Stmt(s) = piece else { return };
            let leaves = [StmtKind::Break, StmtKind::Continue].contains(&s.kind) || is_failing(s);
            stays &= !leaves && !matches!(s.kind, StmtKind::Return(_) | StmtKind::Unmodelled(_));
        });
        stays
    }

    /// The first iteration of a loop, if the call site can tell whether there is one.
    fn body(&mut self, init: &Stmt, cond: &Expr, body: &Stmt) {
        let Some((counter, first)) = header::first_value(init) else { return };
        let at_first = |e: &Expr, firsts: &[(VarId, Expr)]| {
            let mut e = e.clone();
            firsts.iter().for_each(|(v, first)| e.replace(*v, first));
            e
        };
        let first = at_first(first, &self.firsts);
        self.firsts.push((counter, first));
        let runs = at_first(cond, &self.firsts);
        let value = constant::fold(&runs);
        if value != Some(0) && self.is_computable(&runs) && !effects::assigned([body]).contains(&counter) {
            let n_under = self.under.len();
            self.under.extend(value.is_none().then_some(runs));
            self.stmt(body);
            self.under.truncate(n_under);
        }
        self.firsts.pop();
    }

    /// Test that the call site can compute it as the program would.
    fn is_computable(&self, e: &Expr) -> bool {
        let mut computable = true;
        e.walk(&mut |x| {
            computable &= match &x.kind {
                ExprKind::Var(v) => !self.changing.contains(v) && !self.unit.var(*v).is_volatile,
                ExprKind::Unary(op, _) => !matches!(op, UnOp::Deref | UnOp::AddrOf),
                ExprKind::Int(_) | ExprKind::Cast(_) | ExprKind::Binary(..) | ExprKind::Cond(..) => true,
                ExprKind::Index(..) | ExprKind::Member { .. } => true,
                _ => false,
            };
        });
        computable
    }

    /// The elements in an expression that are read whenever it is evaluated.
    fn expr(&mut self, e: &Expr) {
        if is_element(e) && !self.read.iter().any(|(x, _)| same_expr(x, e)) {
            self.read.push((e.clone(), self.under.clone()));
        }
        match &e.kind {
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) | ExprKind::Cond(a, ..) => self.expr(a),
            ExprKind::SizeOfExpr(_) | ExprKind::Unary(UnOp::AddrOf, _) => {}
            _ => e.children().into_iter().for_each(|x| self.expr(x)),
        }
    }
}
