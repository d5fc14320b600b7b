//! Which values that a region leaves may still be read.
//!
//! ```text
//! for (i...) for (j...) a[i][j] = 0;          neither i nor j
//! for (k...) { j = 1; b[j][k] = c[k]; }       sets j before it reads it
//! ```
//! Live variables as compilers know them, backwards over C's structured statements: for the numbers whose address nobody
//! takes. Everything else, and every variable of a function with jumps that have no structure, is wanted where it is
//! mentioned outside the region at all ([`effects::mentioned_outside`]).

use super::effects;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::source::Span;
use std::collections::HashSet;

/// The variables of a function whose value may be read behind `region`, a run of statements of its body, so that what is
/// assigned inside must survive it.
pub fn wanted_after(unit: &Unit, function: &Function, region: Span) -> Set {
    let mut wanted = effects::mentioned_outside(unit, function, region);
    let mut is_structured = true;
    let mut lengths = Set::new();
    function.body.walk(&mut |piece| match piece {
        Piece::Stmt(s) => {
            is_structured &= !matches!(s.kind, StmtKind::Unmodelled(_) | StmtKind::Switch { .. });
            if let StmtKind::Decl(ds) = &s.kind {
                ds.iter().for_each(|d| read_by_type(&unit.var(d.var).ty, &mut lengths));
            }
        }
        Piece::Expr(e) => {
            is_structured &= !matches!(e.kind, ExprKind::Unmodelled(_));
            read_by_type(&e.ty, &mut lengths);
        }
    });
    let mut live = Live { region, after: None, is_inside: false, jumps: vec![] };
    if is_structured {
        live.stmt(&function.body, HashSet::new());
    }
    if let Some(after) = live.after {
        let addresses = effects::addresses(function);
        wanted.retain(|v| {
            let var = unit.var(*v);
            let is_own = matches!(var.storage, Storage::Local | Storage::Param);
            let is_followed = is_own && effects::is_scalar(&var.ty) && !var.is_volatile && !addresses.contains(v);
            !is_followed || after.contains(v)
        });
    }
    wanted.extend(lengths);
    wanted
}

type Set = HashSet<VarId>;

/// The variables in the lengths of a type, which C reads where it meets the type.
fn read_by_type(ty: &Type, out: &mut Set) {
    match ty {
        Type::Array { of, len } => {
            len.iter().for_each(|len| mention(len, out));
            read_by_type(of, out);
        }
        Type::Pointer { to, .. } => read_by_type(to, out),
        _ => {}
    }
}

fn mention(e: &Expr, out: &mut Set) {
    e.walk(&mut |x| {
        if let ExprKind::Var(v) = x.kind {
            out.insert(v);
        }
    });
}

/// What is live where a jump of a loop leads to.
struct Jumps {
    broken: Set,
    continued: Set,
}

struct Live {
    region: Span,
    /// What is live behind the region.
    after: Option<Set>,
    is_inside: bool,
    /// Of the loops around.
    jumps: Vec<Jumps>,
}

impl Live {
    /// What is live before a statement, from what is behind it.
    fn stmt(&mut self, s: &Stmt, live: Set) -> Set {
        let is_last = !self.is_inside && s.span.lo >= self.region.lo && s.span.hi == self.region.hi;
        if is_last {
            self.after.get_or_insert_default().extend(&live);
            self.is_inside = true;
        }
        let before = self.kind(s, live);
        self.is_inside &= !is_last;
        before
    }

    fn kind(&mut self, s: &Stmt, mut live: Set) -> Set {
        match &s.kind {
            StmtKind::Block(body) => body.iter().rev().fold(live, |live, s| self.stmt(s, live)),
            StmtKind::Expr(e) => before(e, live),
            StmtKind::Decl(ds) => ds.iter().rev().fold(live, |mut live, d| {
                live.remove(&d.var);
                d.init.iter().fold(live, |live, e| before(e, live))
            }),
            StmtKind::If { cond, then, other } => {
                let mut both = self.stmt(then, live.clone());
                both.extend(other.as_ref().map_or(live.clone(), |s| self.stmt(s, live)));
                before(cond, both)
            }
            StmtKind::For { init, cond, step, body } => {
                let head = self.repeated(cond.as_ref(), step.as_ref(), body, &live);
                init.iter().fold(head, |live, s| self.stmt(s, live))
            }
            StmtKind::While { cond, body } => self.repeated(Some(cond), None, body, &live),
            StmtKind::DoWhile { body, cond } => {
                // The test is the head, and the body comes once before it.
                let head = self.repeated(Some(cond), None, body, &live);
                self.body(body, live, head)
            }
            StmtKind::Return(e) => e.iter().fold(Set::new(), |live, e| before(e, live)),
            StmtKind::Break => self.jumps.last().map_or(live, |to| to.broken.clone()),
            StmtKind::Continue => self.jumps.last().map_or(live, |to| to.continued.clone()),
            StmtKind::Empty | StmtKind::Directive(_) => live,
            StmtKind::Switch { .. } | StmtKind::Case(_) | StmtKind::Unmodelled(_) => {
                live.extend(effects::mentioned([s]));
                live
            }
        }
    }

    /// What is live where a loop tests its condition.
    fn repeated(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt, live: &Set) -> Set {
        let test = |live: Set| cond.iter().fold(live, |live, e| before(e, live));
        let mut head = test(live.clone());
        loop {
            let next = step.iter().fold(head.clone(), |live, e| before(e, live));
            let mut either = self.body(body, live.clone(), next);
            either.extend(live);
            let wider = &head | &test(either);
            if wider.len() == head.len() {
                return head;
            }
            head = wider;
        }
    }

    /// What is live before the body of a loop: `continued` behind it, `broken` behind the loop.
    fn body(&mut self, body: &Stmt, broken: Set, continued: Set) -> Set {
        self.jumps.push(Jumps { broken, continued: continued.clone() });
        let before = self.stmt(body, continued);
        self.jumps.pop();
        before
    }
}

/// What is live before an expression is evaluated.
fn before(e: &Expr, mut live: Set) -> Set {
    match &e.kind {
        ExprKind::Assign { op: None, target, value } if matches!(target.kind, ExprKind::Var(_)) => {
            live.retain(|v| !target.is_var(*v));
            before(value, live)
        }
        ExprKind::Comma(a, b) => before(a, before(b, live)),
        _ => {
            mention(e, &mut live);
            live
        }
    }
}
