//! Lifetime of memory that a block allocates: from the allocation to the `free` that every path comes by, once.
//!
//! | a path | must |
//! | --- | --- |
//! | touches the memory | do so before the `free`, by elements: `w[i]`, `w->x` |
//! | copies the pointer | do so in each iteration (`v = w;`): both names are one from there on |
//! | leaves the iteration, or comes to its end | have freed it |
//! | ends the program | do nothing more |
//! | has a loop, or a `switch`, in it | come out of it as it went in |

use crate::ast::build::ast_builder::{integer, plain};
use crate::ast::build::typing;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Stmt, StmtKind, Type, UnOp, VarId};
use crate::facts::effects;
use crate::normalize::error_paths::ENDS;
use std::collections::BTreeSet;

/// State of the memory at a place; at one that no path leads to it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Held,
    Freed,
    Unreachable,
}

/// Surroundings of a statement on its way.
#[derive(Clone, Copy)]
struct Around {
    /// It runs whenever the allocation did.
    is_sure: bool,
    /// State in which the loop or `switch` was come to that a `break`, or a `continue`, is of; none if that leaves the iteration.
    at_break: Option<State>,
    at_continue: Option<State>,
}

/// Lifetime of what one call allocates.
pub struct Lifetime {
    /// Pointers to it.
    names: BTreeSet<VarId>,
    needs_free: bool,
    state: State,
    /// Variables that statements behind the allocation name, so far.
    named: BTreeSet<VarId>,
    /// Flag: nothing but the first element is touched.
    pub is_first_alone: bool,
    /// Number of statements behind the allocation that are its lifetime.
    pub n_followed: usize,
}

impl Lifetime {
    /// Memory that a pointer was just set to.
    pub fn new(v: VarId, needs_free: bool) -> Lifetime {
        let (names, named) = (BTreeSet::from([v]), BTreeSet::new());
        Lifetime { names, needs_free, state: State::Held, named, is_first_alone: true, n_followed: 0 }
    }

    /// The pointers to it.
    pub fn names(&self) -> &BTreeSet<VarId> {
        &self.names
    }

    /// The statements behind the allocation, up to the end of its block or to where its pointer is set anew, without tests for
    /// null, copies of the pointer and `free`. `None` where the memory may be reached in other ways, or outlives them.
    pub fn follow(&mut self, next: &[Stmt]) -> Option<Vec<Stmt>> {
        let around = Around { is_sure: true, at_break: None, at_continue: None };
        let mut out = vec![];
        for s in next {
            if self.state != State::Held && self.is_set(s) {
                break;
            }
            self.n_followed += 1;
            out.push(self.stmt(s.clone(), around)?);
        }
        out.retain(|s| !is_nothing(s));
        self.is_over().then_some(out)
    }

    /// Puts a variable in the place of the memory in a statement that was followed.
    pub fn replace(&self, s: &mut Stmt, stored: &Expr) {
        let is_array = matches!(stored.ty, Type::Array { .. });
        let at = |i: Expr, e: &Expr| match is_array {
            true => ExprKind::Index(Box::new(Expr { span: e.span, ..stored.clone() }), Box::new(i)),
            false => stored.kind.clone(),
        };
        s.exprs_mut(&mut |e| {
            e.rewrite(&mut |e| match &e.kind {
                ExprKind::Index(base, i) if self.is_plain_name(base) => e.kind = at((**i).clone(), e),
                ExprKind::Member { base, field, arrow: true } if self.is_plain_name(base) => {
                    let ty = typing::element(&base.ty);
                    let base = Expr { kind: at(integer(0, e.span), e), ty, span: e.span };
                    e.kind = ExprKind::Member { base: Box::new(base), field: field.clone(), arrow: false };
                }
                _ => {}
            });
        });
    }

    fn is_over(&self) -> bool {
        self.state != State::Held || !self.needs_free
    }

    fn is_name(&self, e: &Expr) -> bool {
        self.is_plain_name(bare(e))
    }

    /// A pointer that leads to such elements as were allocated.
    fn is_plain_name(&self, e: &Expr) -> bool {
        matches!(e.kind, ExprKind::Var(v) if self.names.contains(&v))
    }

    fn mentions(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |e| found |= matches!(e.kind, ExprKind::Var(v) if self.names.contains(&v)));
        found
    }

    fn list(&mut self, list: Vec<Stmt>, around: Around) -> Option<Vec<Stmt>> {
        let mut out: Vec<Stmt> = list.into_iter().map(|s| self.stmt(s, around)).collect::<Option<_>>()?;
        out.retain(|s| !is_nothing(s));
        Some(out)
    }

    fn is_set(&self, s: &Stmt) -> bool {
        let StmtKind::Expr(e) = &s.kind else { return false };
        effects::plainly_assigned(e).is_some_and(|(v, value)| self.names.contains(&v) && !self.mentions(value))
    }

    fn stmt(&mut self, mut s: Stmt, around: Around) -> Option<Stmt> {
        let within = Around { is_sure: false, ..around };
        s.kind = match s.kind {
            StmtKind::Expr(e) => self.effect(e, around)?,
            StmtKind::Decl(ds) => self.declaration(ds, around)?,
            StmtKind::Block(list) => StmtKind::Block(self.list(list, around)?),
            StmtKind::If { mut cond, then, other } => {
                self.condition(&mut cond)?;
                match cond.kind {
                    ExprKind::Int(0) => {
                        return other.map_or(Some(plain(StmtKind::Empty, s.span)), |s| self.stmt(*s, around));
                    }
                    ExprKind::Int(_) => return self.stmt(*then, around),
                    _ => {}
                }
                let before = self.state;
                let then = Box::new(self.stmt(*then, within)?);
                let behind = std::mem::replace(&mut self.state, before);
                let other = match other {
                    Some(s) => Some(Box::new(self.stmt(*s, within)?)),
                    None => None,
                };
                self.state = joined(behind, self.state)?;
                StmtKind::If { cond, then, other }
            }
            StmtKind::For { init, mut cond, mut step, body } => {
                let init = match init {
                    Some(s) => Some(Box::new(self.stmt(*s, within)?)),
                    None => None,
                };
                cond.iter_mut().try_for_each(|e| self.condition(e))?;
                step.iter_mut().try_for_each(|e| self.value(e))?;
                StmtKind::For { init, cond, step, body: self.repeated(body)? }
            }
            StmtKind::While { mut cond, body } => {
                self.condition(&mut cond)?;
                StmtKind::While { cond, body: self.repeated(body)? }
            }
            StmtKind::DoWhile { body, mut cond } => {
                self.condition(&mut cond)?;
                StmtKind::DoWhile { body: self.repeated(body)?, cond }
            }
            StmtKind::Switch { mut value, body } => {
                self.value(&mut value)?;
                let body = self.unchanged(body, Around { is_sure: false, at_break: Some(self.state), ..around })?;
                StmtKind::Switch { value, body }
            }
            StmtKind::Case(value) => StmtKind::Case(value),
            kind @ (StmtKind::Break | StmtKind::Continue) => {
                let at = if matches!(kind, StmtKind::Break) { around.at_break } else { around.at_continue };
                let fits = at.map_or(self.is_over(), |at| self.state == at || self.state == State::Unreachable);
                self.state = State::Unreachable;
                fits.then_some(kind)?
            }
            StmtKind::Return(mut value) => {
                value.iter_mut().try_for_each(|e| self.value(e))?;
                self.is_over().then_some(())?;
                self.state = State::Unreachable;
                StmtKind::Return(value)
            }
            kind @ (StmtKind::Empty | StmtKind::Directive(_)) => kind,
            StmtKind::GiveUp | StmtKind::Unmodelled(_) => return None,
        };
        Some(s)
    }

    /// The body of a loop, which may run any number of times.
    fn repeated(&mut self, body: Box<Stmt>) -> Option<Box<Stmt>> {
        self.unchanged(body, Around { is_sure: false, at_break: Some(self.state), at_continue: Some(self.state) })
    }

    /// A statement behind which the memory is as it was before it, wherever control left it.
    fn unchanged(&mut self, s: Box<Stmt>, around: Around) -> Option<Box<Stmt>> {
        let before = self.state;
        let s = self.stmt(*s, around)?;
        let is_same = self.state == before || self.state == State::Unreachable;
        self.state = before;
        is_same.then(|| Box::new(s))
    }

    /// An expression as a statement.
    fn effect(&mut self, mut e: Expr, around: Around) -> Option<StmtKind> {
        match &e.kind {
            ExprKind::Call { name, args } if name == "free" && args.len() == 1 && self.is_name(&args[0]) => {
                (self.state == State::Held && self.needs_free).then_some(())?;
                self.state = State::Freed;
                return Some(StmtKind::Empty);
            }
            ExprKind::Call { name, .. } if ENDS.contains(&name.as_str()) => {
                self.value(&mut e)?;
                self.state = State::Unreachable;
                return Some(StmtKind::Expr(e));
            }
            // `(void)w;`
            ExprKind::Cast(x) if self.is_name(x) => return Some(StmtKind::Empty),
            _ => {}
        }
        if let Some((v, value)) = effects::plainly_assigned(&e) {
            if self.is_name(value) && self.state == State::Held {
                return self.copy(v, around).map(|()| StmtKind::Empty);
            }
            if self.names.contains(&v) {
                return (is_null(value) && self.is_over()).then_some(StmtKind::Empty);
            }
        }
        self.value(&mut e)?;
        Some(StmtKind::Expr(e))
    }

    fn declaration(&mut self, ds: Vec<Declarator>, around: Around) -> Option<StmtKind> {
        let mut out = vec![];
        for mut d in ds {
            if d.init.as_ref().is_some_and(|e| self.is_name(e)) {
                (self.state == State::Held).then_some(())?;
                self.copy(d.var, around)?;
                continue;
            }
            d.init.iter_mut().try_for_each(|e| self.value(e))?;
            out.push(d);
        }
        Some(if out.is_empty() { StmtKind::Empty } else { StmtKind::Decl(out) })
    }

    /// `v = w;`: from here on both lead to the memory, in each iteration.
    fn copy(&mut self, v: VarId, around: Around) -> Option<()> {
        (around.is_sure && !self.named.contains(&v)).then(|| _ = self.names.insert(v))
    }

    /// An expression that decides.
    fn condition(&mut self, e: &mut Expr) -> Option<()> {
        if self.mentions(e) {
            self.fold(e);
            self.as_truth(e);
        }
        self.value(e)
    }

    /// An expression, in which the memory is only touched.
    fn value(&mut self, e: &mut Expr) -> Option<()> {
        e.walk(&mut |e| self.named.extend(if let ExprKind::Var(v) = e.kind { Some(v) } else { None }));
        if !self.mentions(e) {
            return Some(());
        }
        (self.state == State::Held).then_some(())?;
        self.fold(e);
        self.touches(e)
    }

    /// Takes tests for null for what they come to.
    fn fold(&self, e: &mut Expr) {
        e.rewrite(&mut |e| {
            let span = e.span;
            match &mut e.kind {
                ExprKind::Unary(UnOp::Not, x) => self.as_truth(x),
                ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => [a, b].into_iter().for_each(|x| self.as_truth(x)),
                ExprKind::Cond(c, ..) => self.as_truth(c),
                ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b)
                    if self.is_name(a) && is_null(b) || is_null(a) && self.is_name(b) =>
                {
                    *e = integer(i64::from(*op == BinOp::Ne), span);
                }
                _ => {}
            }
            simplify(e);
        });
    }

    fn as_truth(&self, e: &mut Expr) {
        if self.is_name(e) {
            *e = integer(1, e.span);
        }
    }

    /// `None` where the pointer is named otherwise than to touch an element.
    fn touches(&mut self, e: &Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Var(v) => (!self.names.contains(v)).then_some(()),
            ExprKind::Unary(UnOp::AddrOf, x) if x.root().is_some_and(|v| self.names.contains(&v)) => None,
            ExprKind::SizeOfExpr(x) => (!self.is_name(x)).then_some(()),
            ExprKind::Index(..) | ExprKind::Member { .. } if !matches!(e.ty, Type::Array { .. }) => {
                self.touches_element(e)
            }
            _ => e.children().into_iter().try_for_each(|e| self.touches(e)),
        }
    }

    /// The same of an element, or of a row that a subscript is taken of.
    fn touches_element(&mut self, e: &Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Index(base, i) => {
                self.touches(i)?;
                if !self.is_plain_name(base) {
                    return self.touches_element(base);
                }
                self.is_first_alone &= matches!(i.kind, ExprKind::Int(0));
                Some(())
            }
            ExprKind::Member { base, arrow: true, .. } => {
                if self.is_plain_name(base) {
                    Some(())
                } else {
                    self.touches(base)
                }
            }
            ExprKind::Member { base, arrow: false, .. } => self.touches_element(base),
            _ => self.touches(e),
        }
    }
}

/// State behind two paths.
fn joined(a: State, b: State) -> Option<State> {
    match (a, b) {
        (State::Unreachable, x) | (x, State::Unreachable) => Some(x),
        (a, b) => (a == b).then_some(a),
    }
}

/// Leaves out operands of `&&`, `||`, `!` and `?:` that are known.
fn simplify(e: &mut Expr) {
    let is_truth = |e: &Expr| match &e.kind {
        ExprKind::Binary(op, ..) => op.is_boolean(),
        kind => matches!(kind, ExprKind::Unary(UnOp::Not, _) | ExprKind::Int(0 | 1)),
    };
    let known = |e: &Expr| if let ExprKind::Int(n) = e.kind { Some(n != 0) } else { None };
    let new = match &e.kind {
        ExprKind::Unary(UnOp::Not, x) => known(x).map(|x| integer(i64::from(!x), e.span)),
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            let decides = *op == BinOp::Or;
            match (known(a), known(b)) {
                (Some(x), _) if x == decides => Some(integer(i64::from(x), e.span)),
                (_, Some(x)) if x == decides && effects::is_plain(a) => Some(integer(i64::from(x), e.span)),
                (Some(x), _) if x != decides && is_truth(b) => Some((**b).clone()),
                (_, Some(x)) if x != decides && is_truth(a) => Some((**a).clone()),
                _ => None,
            }
        }
        ExprKind::Cond(c, a, b) => {
            known(c).map(|c| if c { (**a).clone() } else { (**b).clone() }).filter(|x| x.ty == e.ty)
        }
        _ => None,
    };
    if let Some(new) = new {
        *e = new;
    }
}

/// Test for a null pointer.
pub fn is_null(e: &Expr) -> bool {
    matches!(bare(e).kind, ExprKind::Int(0))
}

/// An expression without casts of pointers.
pub fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if e.ty.is_pointer_like() => bare(inner),
        _ => e,
    }
}

/// Test for an empty statement of which nothing is said.
fn is_nothing(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Empty) && s.directives.is_empty()
}
