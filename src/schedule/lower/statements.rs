//! Statements and trees as kernel IR.

use super::expressions::unsupported;
use super::lowering::{Lowering, scalar_type};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::reduction::{self, Reduction};
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{Reason, arrays, effects, remedy};
use crate::kernel::{self as k, ScalarType, Usage};
use crate::poly::names::Names;
use crate::region::{Condition, Loop, LoopId, Relation, StmtId, Tree};
use crate::schedule::register_promotion::element::PromotedElement;
use crate::schedule::{index, reduce_op};
use crate::source::Span;
use indexmap::IndexSet;
use std::collections::BTreeSet;

impl Lowering<'_> {
    /// A C statement.
    pub fn stmt(&mut self, s: &Stmt) -> Result<Vec<k::Stmt>, Reason> {
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => Ok(vec![]),
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Decl(ds) => {
                let mut out = vec![];
                for d in ds {
                    out.extend(self.declare(d.var, d.init.as_ref(), s.span)?);
                }
                Ok(out)
            }
            StmtKind::Block(body) => self.stmts(body),
            StmtKind::If { cond, then, other } => {
                let cond = self.value(cond)?;
                let cond = if s.is_rare() { k::Expr::Call(k::walk::RARE.into(), vec![cond]) } else { cond };
                let then = self.stmt(then)?;
                let other = other.as_deref().map_or(Ok(vec![]), |s| self.stmt(s))?;
                Ok(vec![self.stmt_at(k::StmtKind::If { cond, then, other }, s.span)])
            }
            StmtKind::For { init, cond, step, body } => {
                self.for_loop(s, (init.as_deref(), cond.as_ref(), step.as_ref()), |l| l.stmt(body))
            }
            StmtKind::While { cond, body } => {
                let (cond, body) = (self.value(cond)?, self.stmt(body)?);
                Ok(vec![self.stmt_at(k::StmtKind::While { cond, step: vec![], body }, s.span)])
            }
            StmtKind::DoWhile { body, cond } => self.do_while(s, body, cond),
            StmtKind::Break => Ok(vec![self.stmt_at(k::StmtKind::Break, s.span)]),
            StmtKind::Continue => Ok(vec![self.stmt_at(k::StmtKind::Continue, s.span)]),
            StmtKind::Return(e) => {
                let value = e.as_ref().map(|e| self.value(e)).transpose()?;
                Ok(vec![self.stmt_at(k::StmtKind::Return(value), s.span)])
            }
            StmtKind::Switch { .. } | StmtKind::Case(_) => {
                Err(Reason::new("switch", "`switch` on the device is not modelled", s.span))
            }
            StmtKind::GiveUp => Err(Reason::new("return", "only the host gives up", s.span)),
            StmtKind::Unmodelled(why) => Err(Reason::new("not-modelled", why.clone(), s.span)),
        }
    }

    /// A loop that only the data bound.
    fn for_loop(
        &mut self,
        s: &Stmt,
        (init, cond, step): (Option<&Stmt>, Option<&Expr>, Option<&Expr>),
        body: impl FnOnce(&mut Self) -> Result<Vec<k::Stmt>, Reason>,
    ) -> Result<Vec<k::Stmt>, Reason> {
        let mut out = init.map_or(Ok(vec![]), |s| self.stmt(s))?;
        let cond = cond.map_or(Ok(k::Expr::Int(1)), |e| self.value(e))?;
        let step = step.map_or(Ok(vec![]), |e| self.effect(e))?;
        let body = body(self)?;
        out.push(self.stmt_at(k::StmtKind::While { cond, step, body }, s.span));
        Ok(out)
    }

    fn stmts(&mut self, body: &[Stmt]) -> Result<Vec<k::Stmt>, Reason> {
        let mut out = vec![];
        for s in body {
            out.extend(self.stmt(s)?);
        }
        Ok(out)
    }

    /// `do` as a `while` with a flag: its step, which `continue` reaches too, decides on the next round.
    fn do_while(&mut self, s: &Stmt, body: &Stmt, cond: &Expr) -> Result<Vec<k::Stmt>, Reason> {
        let again = self.names.fresh("rt_again");
        let int = ScalarType::Int(IntKind::Int);
        let body = self.stmt(body)?;
        let next = k::StmtKind::Assign { var: again.clone(), op: None, value: self.value(cond)? };
        let step = vec![self.stmt_at(next, s.span)];
        let first = k::StmtKind::Let { var: again.clone(), ty: int, init: Some(k::Expr::Int(1)) };
        Ok(vec![
            self.stmt_at(first, s.span),
            self.stmt_at(k::StmtKind::While { cond: index::var(again), step, body }, s.span),
        ])
    }

    fn declare(&mut self, v: VarId, init: Option<&Expr>, span: Span) -> Result<Vec<k::Stmt>, Reason> {
        let ty = self.unit.var(v).ty.clone();
        let init = init.map(|e| self.value(e)).transpose()?;
        if self.is_device_scalar(v) {
            let Some(value) = init else { return Ok(vec![]) };
            self.use_array(v, Usage::Write);
            let target = k::Access { array: self.name(v), index: vec![] };
            return Ok(vec![self.stmt_at(k::StmtKind::Store { target, op: None, value }, span)]);
        }
        self.private.insert(v);
        let var = self.name(v);
        if !self.declares {
            let assign = |value| self.stmt_at(k::StmtKind::Assign { var, op: None, value }, span);
            return Ok(init.map(assign).into_iter().collect());
        }
        let kind = match scalar_type(&ty) {
            Some(ty) => k::StmtKind::Let { var, ty, init },
            None => self.local_array(v)?,
        };
        Ok(vec![self.stmt_at(kind, span)])
    }

    /// The declaration of an array that every thread has a copy of.
    pub fn local_array(&mut self, v: VarId) -> Result<k::StmtKind, Reason> {
        let var = self.unit.var(v);
        let not_constant = || {
            Reason::new(
                "local-array",
                format!("`{}` has no constant size, so a thread cannot have its own", var.name),
                var.span,
            )
            .help(remedy!("give it a constant size"))
        };
        let mut extents = vec![];
        let mut ty = &var.ty;
        while let Type::Array { of, len } = ty {
            match len.as_deref().map(|e| &e.kind) {
                Some(ExprKind::Int(n)) => extents.push(k::Expr::Int(*n)),
                _ => return Err(not_constant()),
            }
            ty = of;
        }
        let ty = scalar_type(ty).ok_or_else(not_constant)?;
        Ok(k::StmtKind::LocalArray { name: self.name(v), ty, extents })
    }

    /// An expression statement.
    pub fn effect(&mut self, e: &Expr) -> Result<Vec<k::Stmt>, Reason> {
        match &e.kind {
            ExprKind::Assign { op, target, value } => match &value.kind {
                // a = b = e: the inner one first, and its target's value goes on.
                ExprKind::Assign { target: inner, .. } => {
                    let mut out = self.effect(value)?;
                    let value = self.value(inner)?;
                    out.push(self.assign(target, *op, value, e.span)?);
                    Ok(out)
                }
                _ => {
                    let value = self.value(value)?;
                    Ok(vec![self.assign(target, *op, value, e.span)?])
                }
            },
            ExprKind::IncDec { inc, target, .. } => {
                let op = if *inc { BinOp::Add } else { BinOp::Sub };
                Ok(vec![self.assign(target, Some(op), k::Expr::Int(1), e.span)?])
            }
            ExprKind::Comma(a, b) => {
                let mut out = self.effect(a)?;
                out.extend(self.effect(b)?);
                Ok(out)
            }
            ExprKind::Cast(a) if e.ty == Type::Void => self.effect(a),
            _ => Ok(vec![]),
        }
    }

    fn assign(&mut self, target: &Expr, op: Option<BinOp>, value: k::Expr, span: Span) -> Result<k::Stmt, Reason> {
        let (v, subscripts) = arrays::subscripts(target).ok_or_else(|| unsupported(target))?;
        let own_scalar = subscripts.is_empty() && !self.is_device_scalar(v);
        let kind = if own_scalar {
            k::StmtKind::Assign { var: self.name(v), op, value }
        } else {
            let usage = if op.is_some() { Usage::ReadWrite } else { Usage::Write };
            k::StmtKind::Store { target: self.access(target, usage)?, op, value }
        };
        Ok(self.stmt_at(kind, span))
    }

    /// Trees, in order.
    pub fn trees(&mut self, trees: &[Tree]) -> Result<Vec<k::Stmt>, Reason> {
        let mut out = vec![];
        for t in trees {
            match t {
                Tree::Stmt(id) => out.extend(self.instance(*id)?),
                Tree::If { cond, expr, negated, body } => {
                    let span = expr.as_ref().map(|e| e.span);
                    let cond = self.test(cond, expr.as_ref(), *negated)?;
                    let then = self.trees(body)?;
                    let kind = k::StmtKind::If { cond, then, other: vec![] };
                    let line = span.or_else(|| self.first_span(body)).map_or(0, self.line);
                    out.push(k::Stmt { kind, line });
                }
                Tree::Loop(id, body) => match self.replaced.remove(id) {
                    Some(stmts) => out.extend(stmts),
                    None => out.extend(self.counted_loop(*id, body)?),
                },
            }
        }
        Ok(out)
    }

    /// An instance of a statement of the part, at the counters in scope. What it declares itself lives and dies in it.
    fn instance(&mut self, id: StmtId) -> Result<Vec<k::Stmt>, Reason> {
        let stmt = self.part.expect("statements belong to a part").stmt(id);
        self.name_counters(id);
        let declares = self.declares;
        if !matches!(stmt.body.kind, StmtKind::Decl(_)) {
            self.private.extend(effects::declared([&stmt.body]));
            self.declares = true;
        }
        let lowered = match stmt.update() {
            Some(r) if self.accumulators.contains_key(&id) || self.atomic.contains(&id) => {
                self.updates(id, r, &stmt.body)
            }
            _ => self.stmt(&stmt.body),
        };
        self.declares = declares;
        lowered
    }

    /// Under other loops than the user's, says what the user's counters are, as far as these loops are in scope.
    pub fn name_counters(&mut self, id: StmtId) {
        for (v, p) in &self.part.expect("statements belong to a part").stmt(id).counters {
            if !p.any(&|s| matches!(s, Sym::Counter(c) if !self.counters.contains_key(c))) {
                let value = self.poly(p);
                self.counters.insert(*v, value);
            }
        }
    }

    /// A condition of the tree, as written where C has it.
    pub fn test(&mut self, cond: &Condition, written: Option<&Expr>, negated: bool) -> Result<k::Expr, Reason> {
        let Some(expr) = written else { return Ok(self.condition(cond)) };
        let cond = self.value(expr)?;
        Ok(if negated { opposite(cond) } else { cond })
    }

    fn condition(&mut self, c: &Condition) -> k::Expr {
        match c {
            Condition::Compare(p, relation) => {
                let op = match relation {
                    Relation::Ge => BinOp::Ge,
                    Relation::Gt => BinOp::Gt,
                    Relation::Eq => BinOp::Eq,
                    Relation::Ne => BinOp::Ne,
                };
                // `a >= b` reads better than `a - b >= 0`.
                let (mut left, mut right) = (Poly::default(), Poly::default());
                for (m, c) in &p.terms {
                    let side = if *c > 0 { &mut left } else { &mut right };
                    side.terms.insert(m.clone(), c.abs());
                }
                index::binary(op, self.poly(&left), self.poly(&right))
            }
            Condition::And(a, b) => index::binary(BinOp::And, self.condition(a), self.condition(b)),
            Condition::Or(a, b) => index::binary(BinOp::Or, self.condition(a), self.condition(b)),
            Condition::Not(a) => opposite(self.condition(a)),
        }
    }

    fn first_span(&self, trees: &[Tree]) -> Option<Span> {
        let part = self.part.expect("trees belong to a part");
        trees.iter().flat_map(Tree::stmts).next().map(|s| part.stmt(s).body.span)
    }

    /// Statement whose updates go elsewhere: the update, or loops and conditions around it.
    fn updates(&mut self, id: StmtId, r: &Reduction, s: &Stmt) -> Result<Vec<k::Stmt>, Reason> {
        match &s.kind {
            StmtKind::For { init, cond, step, body } => {
                self.for_loop(s, (init.as_deref(), cond.as_ref(), step.as_ref()), |l| l.updates(id, r, body))
            }
            StmtKind::Block(body) => {
                let Some((update, before)) = body.split_last() else { return Ok(vec![]) };
                let mut out = self.stmts(before)?;
                out.extend(self.updates(id, r, update)?);
                Ok(out)
            }
            StmtKind::If { cond, then, .. } if reduction::recognise(self.unit, s).is_none() => {
                let (cond, then) = (self.value(cond)?, self.updates(id, r, then)?);
                Ok(vec![self.stmt_at(k::StmtKind::If { cond, then, other: vec![] }, s.span)])
            }
            _ => self.update(id, r, s.span),
        }
    }

    /// An update of an accumulation, into the thread's accumulator or atomically.
    fn update(&mut self, id: StmtId, r: &Reduction, span: Span) -> Result<Vec<k::Stmt>, Reason> {
        let value = self.value(&r.value)?;
        let Some(acc) = self.accumulators.get(&id).cloned() else {
            let target = self.access(&r.target, Usage::ReadWrite)?;
            return Ok(vec![self.stmt_at(k::StmtKind::Atomic { target, op: r.op, value }, span)]);
        };
        let ty = scalar_type(&r.target.ty).expect("accumulations are of numbers");
        Ok(reduce_op::join(self.names, r.op, ty, &acc, value)
            .into_iter()
            .map(|kind| self.stmt_at(kind, span))
            .collect())
    }

    fn counted_loop(&mut self, id: LoopId, body: &[Tree]) -> Result<Vec<k::Stmt>, Reason> {
        let part = self.part.expect("trees belong to a part");
        let l = part.get_loop(id).clone();
        let var = self.name(l.var);
        let first = self.poly(&l.first);
        let limits: Vec<k::Expr> = l.limits.iter().map(|p| self.poly(p)).collect();
        self.counters.insert(l.var, index::var(var.clone()));
        let is_elsewhere = |l: &Self, s: &StmtId| l.accumulators.contains_key(s) || l.atomic.contains(s);
        let (inner, promoted) = match body {
            [Tree::Stmt(s)] if is_elsewhere(self, s) => (self.trees(body)?, None),
            _ => self.with_register(body)?,
        };
        let line = self.around(&l, first, limits, inner);
        let Some(promoted) = promoted else { return Ok(vec![line]) };
        // Without an iteration the element may not even be there.
        let k::StmtKind::For { lo, hi, .. } = &line.kind else { unreachable!("made above") };
        let cond = index::binary(BinOp::Lt, lo.clone(), hi.clone());
        let then = vec![promoted.declared(), line, promoted.emptied()];
        Ok(vec![self.stmt_at(k::StmtKind::If { cond, then, other: vec![] }, l.span)])
    }

    /// Statements for all iterations of a loop, in order.
    pub fn in_order(&mut self, l: &Loop, body: Vec<k::Stmt>) -> k::Stmt {
        let first = self.poly(&l.first);
        let limits = l.limits.iter().map(|p| self.poly(p)).collect();
        self.around(l, first, limits, body)
    }

    /// The same from that first value to those limits.
    fn around(&mut self, l: &Loop, first: k::Expr, limits: Vec<k::Expr>, mut inner: Vec<k::Stmt>) -> k::Stmt {
        let var = self.name(l.var);
        let kind = if l.step > 0 {
            let hi = index::min(limits).expect("a loop has a limit");
            k::StmtKind::counted(var, [first, hi, k::Expr::Int(l.step)], inner)
        } else {
            // Counted upwards from the first value, which the counter is computed back from.
            let low = index::max(limits).expect("a loop has a limit");
            let count = index::ceil_div(index::binary(BinOp::Sub, first.clone(), low), k::Expr::Int(-l.step));
            let down = self.names.fresh(&format!("rt_{var}"));
            let passed = index::mul(index::var(down.clone()), k::Expr::Int(-l.step));
            let init = Some(index::binary(BinOp::Sub, first, passed));
            inner.insert(0, k::Stmt::made(k::StmtKind::Let { var, ty: ScalarType::Index, init }));
            k::StmtKind::counted(down, [k::Expr::Int(0), count, k::Expr::Int(1)], inner)
        };
        self.stmt_at(kind, l.span)
    }

    /// The body of a loop, and the element that is in a register all through it, if one is.
    pub fn with_register(&mut self, body: &[Tree]) -> Result<(Vec<k::Stmt>, Option<PromotedElement>), Reason> {
        let updated = match body {
            [Tree::Stmt(s)] if self.promoted.contains(s) => self.update_of_register(*s)?,
            _ => None,
        };
        Ok(match updated {
            Some((update, promoted)) => (vec![update], Some(promoted)),
            None => (self.trees(body)?, None),
        })
    }

    /// An update of an element that is in a register.
    fn update_of_register(&mut self, id: StmtId) -> Result<Option<(k::Stmt, PromotedElement)>, Reason> {
        let stmt = self.part.expect("statements belong to a part").stmt(id);
        self.name_counters(id);
        let StmtKind::Expr(e) = &stmt.body.kind else { return Ok(None) };
        let ExprKind::Assign { op, target, value } = &e.kind else { return Ok(None) };
        let Some(ty) = scalar_type(&target.ty) else { return Ok(None) };
        let mut value = self.value(value)?;
        let element = self.access(target, Usage::ReadWrite)?;
        let var = self.names.fresh(&format!("rt_{}", element.array));
        value.replace(&mut |e| match e {
            k::Expr::Load(x) if *x == element => Some(index::var(&var)),
            _ => None,
        });
        let update = self.stmt_at(k::StmtKind::Assign { var: var.clone(), op: *op, value }, stmt.body.span);
        let line = update.line;
        Ok(Some((update, PromotedElement { element, var, ty, line })))
    }
}

/// The negation of a condition, without `!` where a comparison has an opposite.
fn opposite(cond: k::Expr) -> k::Expr {
    if let k::Expr::Binary(op, a, b) = &cond
        && let Some(op) = op.negated()
    {
        return k::Expr::Binary(op, a.clone(), b.clone());
    }
    k::Expr::Unary(k::UnaryOp::Not, Box::new(cond))
}

/// Lowers a pure function of the user's.
pub fn function(
    unit: &Unit,
    name: &str,
    names: &mut Names,
    line: &dyn Fn(Span) -> u32,
) -> Result<(k::Function, IndexSet<String>), Reason> {
    let f = unit.function(name).expect("checked when the call was collected");
    let mut private: BTreeSet<VarId> = f.params.iter().copied().collect();
    private.extend(effects::declared([&f.body]));
    let params = f
        .params
        .iter()
        .map(|p| k::ScalarParam { name: names.of(unit, *p), ty: scalar_type(&unit.var(*p).ty).expect("a number") })
        .collect();
    let mut l = Lowering::outside(unit, names, line, private);
    let body = l.stmt(&f.body)?;
    let ret = scalar_type(&f.ret).expect("a number");
    Ok((k::Function { name: name.to_string(), params, ret, body, line: line(f.span) }, l.used.functions))
}
