//! Single returns: functions that return before their end, as functions that do so at their end.
//!
//! ```text
//! for (i...)                              double result; int left = 0;
//!     if (x < share[i])                   for (i...)
//!         return i;                ->         if (x < share[i]) { result = i; left = 1; break; }
//! return n;                               if (!left) result = n;
//!                                         return result;
//! ```
//! A branch that always returns has what follows it as its alternative, without a flag. The transformation is the one
//! that makes programs with jumps structured (Ashcroft and Manna, The translation of `go to` programs to `while`
//! programs, 1971), for the one jump that leads to the end.

use crate::ast::build::ast_builder::{assigned, declared, integer, plain};
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::effects::plainly_assigned;
use crate::facts::loops::is_loop;
use crate::source::Span;

/// The function with one `return`, its last statement, if it has others. A `switch` with one stays as it is.
pub fn at_end(unit: &mut Unit, f: &Function) -> Option<Function> {
    let StmtKind::Block(list) = &f.body.kind else { return None };
    let (last, before) = list.split_last()?;
    let is_early = before.iter().any(|s| s.exits().returns) || !is_return(last) && last.exits().returns;
    if !is_early || in_switch(&f.body) {
        return None;
    }
    let span = last.span;
    let has_value = f.ret != Type::Void;
    let result = has_value.then(|| unit.add(Var::new("result", f.ret.clone(), Storage::Local, span)));
    let left = unit.add(Var::new("left", Type::Int(IntKind::Int), Storage::Local, span));
    let mut body = Leaving { unit, result, left, is_asked: false };
    let mut new = body.list(list, false);
    if body.is_asked {
        new.insert(0, declared(left, integer(0, span)));
    } else {
        new.iter_mut().for_each(|s| without(left, s));
    }
    if let Some(v) = result {
        let declaration = StmtKind::Decl(vec![crate::ast::Declarator { var: v, init: None }]);
        new.insert(0, plain(declaration, span));
        new.push(plain(StmtKind::Return(Some(unit.read(v, span))), span));
    }
    let body = Stmt { kind: StmtKind::Block(new), ..f.body.clone() };
    Some(Function { body, ..f.clone() })
}

fn is_return(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Return(_))
}

fn in_switch(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| {
        found |= matches!(p, Piece::Stmt(s) if matches!(s.kind, StmtKind::Switch { .. }) && s.exits().returns)
    });
    found
}

/// Test that control never comes to the end of a statement.
fn always_returns(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(list) => list.iter().any(always_returns),
        StmtKind::If { then, other: Some(other), .. } => always_returns(then) && always_returns(other),
        _ => false,
    }
}

/// Takes out what sets a flag that nothing asks. It stands in blocks.
fn without(left: VarId, s: &mut Stmt) {
    if let StmtKind::Block(list) = &mut s.kind {
        list.retain(|s| !matches!(&s.kind, StmtKind::Expr(e) if plainly_assigned(e).is_some_and(|(v, _)| v == left)));
    }
    s.stmts_mut().into_iter().for_each(|s| without(left, s));
}

struct Leaving<'a> {
    unit: &'a Unit,
    result: Option<VarId>,
    left: VarId,
    /// Flag: anything asks the flag.
    is_asked: bool,
}

impl Leaving<'_> {
    /// Statements in a row: behind what may return, the rest runs only if it did not.
    fn list(&mut self, stmts: &[Stmt], in_loop: bool) -> Vec<Stmt> {
        let mut out = vec![];
        for (k, s) in stmts.iter().enumerate() {
            let rest = &stmts[k + 1..];
            match &s.kind {
                StmtKind::Return(value) => {
                    self.leave(value.as_ref(), in_loop, s.span, &mut out);
                    return out;
                }
                _ if !s.exits().returns => out.push(s.clone()),
                StmtKind::If { cond, then, other } if !in_loop && always_returns(then) => {
                    let then = self.block(then.listed(), false, s.span);
                    let rest: Vec<Stmt> = other.iter().flat_map(|o| o.listed()).chain(rest).cloned().collect();
                    let other = (!rest.is_empty()).then(|| self.block(&rest, false, s.span));
                    out.push(Stmt { kind: StmtKind::If { cond: cond.clone(), then, other }, ..s.clone() });
                    return out;
                }
                _ => {
                    out.push(self.inside(s, in_loop));
                    if in_loop {
                        // A `break` has left the inner loop alone.
                        if is_loop(s) {
                            out.push(self.ask(false, vec![plain(StmtKind::Break, s.span)], s.span));
                        }
                        continue;
                    }
                    if !rest.is_empty() {
                        let rest = self.list(rest, false);
                        out.push(self.ask(true, rest, s.span));
                    }
                    return out;
                }
            }
        }
        out
    }

    fn block(&mut self, stmts: &[Stmt], in_loop: bool, span: Span) -> Box<Stmt> {
        Box::new(plain(StmtKind::Block(self.list(stmts, in_loop)), span))
    }

    /// A statement with the returns in it.
    fn inside(&mut self, s: &Stmt, in_loop: bool) -> Stmt {
        let mut s = s.clone();
        let in_loop = in_loop || is_loop(&s);
        match &mut s.kind {
            StmtKind::Block(list) => *list = self.list(list, in_loop),
            StmtKind::If { then, other, .. } => {
                let span = then.span;
                *then = self.block(then.listed(), in_loop, span);
                *other = other.as_ref().map(|o| self.block(o.listed(), in_loop, o.span));
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                *body = self.block(body.listed(), true, body.span);
            }
            _ => {}
        }
        s
    }

    /// What stands for a `return`.
    fn leave(&mut self, value: Option<&Expr>, in_loop: bool, span: Span, out: &mut Vec<Stmt>) {
        if let (Some(v), Some(value)) = (self.result, value) {
            out.push(assigned(None, &self.unit.read(v, span), value.clone(), span));
        }
        out.push(assigned(None, &self.unit.read(self.left, span), integer(1, span), span));
        if in_loop {
            out.push(plain(StmtKind::Break, span));
        }
    }

    /// Statements that run only if the function was left, or only if it was not.
    fn ask(&mut self, is_negated: bool, then: Vec<Stmt>, span: Span) -> Stmt {
        self.is_asked = true;
        let left = self.unit.read(self.left, span);
        let ty = left.ty.clone();
        let not = |e: Expr| Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e)), ty, span };
        let cond = if is_negated { not(left) } else { left };
        let then = Box::new(plain(StmtKind::Block(then), span));
        plain(StmtKind::If { cond, then, other: None }, span)
    }
}
