//! From a run of statements to a [`StaticPart`]: counted loops and affine conditions become the tree, everything else a
//! statement with its accesses.
//!
//! Control that only the data knows (a `while` inside a loop nest, an `if` on an element) is kept whole as one
//! statement whose accesses are over-approximated (may instead of must, any element instead of one), as in pet
//! (Verdoolaege and Grosser, IMPACT 2012, section 3).

use super::accesses::Collector;
use super::delinearise::resolve;
use super::extractor::Extractor;
use super::hints::Hints;
use super::shape::Shape;
use super::{
    Access, Condition, Data, Loop, LoopId, Obligation, Relation, Statement, StaticPart, StmtId, Tree, assertions,
    choices, lazy, runs, tiling,
};
use crate::ast::visit::Piece;
use crate::ast::{Declarator, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId, assertion};
use crate::facts::arrays::element_type;
use crate::facts::header::{self, For};
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{Reason, effects, reduction, remedy};
use crate::source::Span;
use std::collections::BTreeSet;

/// Extracts a static control part. `device_scalars` are data even where this part only reads them.
///
/// # Errors
/// The first thing in it that is not modelled, with its place.
pub fn extract(
    unit: &Unit,
    stmts: &[&Stmt],
    hints: &Hints,
    device_scalars: &BTreeSet<VarId>,
) -> Result<StaticPart, Reason> {
    let mut written = effects::changed(unit, stmts);
    written.extend(device_scalars);
    let mut x = Extractor::new(unit, written);
    let tree = x.items(stmts, false)?;
    x.check_counters()?;
    let mut part =
        StaticPart { params: x.params, data: x.data, loops: x.loops, stmts: x.stmts, tree, assertions: x.assertions };
    resolve(unit, &mut part, hints, &x.written)?;
    part.stmts.iter_mut().flat_map(|s| &mut s.accesses).for_each(Access::set_reach_aside);
    lazy::hold(&mut part);
    runs::join(&mut part);
    Ok(part)
}

impl Extractor<'_> {
    /// A sequence; `if (c) continue;` directly in a loop's body guards what follows it.
    fn items(&mut self, stmts: &[&Stmt], in_loop: bool) -> Result<Vec<Tree>, Reason> {
        let mut out = Vec::new();
        for (i, s) in stmts.iter().enumerate() {
            if in_loop && let Some(cond) = skip_condition(s) {
                if let Some(condition) = self.condition(cond) {
                    let negated = Condition::Not(Box::new(condition));
                    let rest = self.guarded(negated.clone(), |x| x.items(&stmts[i + 1..], true))?;
                    out.push(Tree::If { cond: negated, expr: Some(cond.clone()), negated: true, body: rest });
                } else {
                    let message = "`continue` under a condition on data";
                    return Err(Reason::new("continue", message, s.span));
                }
                return Ok(out);
            }
            if let StmtKind::Decl(ds) = &s.kind
                && let [d, others @ ..] = ds.as_slice()
                && let Some(value) = self.constant_value(d, &stmts[i + 1..])
            {
                let mut rest = vec![Stmt { kind: StmtKind::Decl(others.to_vec()), ..(*s).clone() }];
                rest.extend(stmts[i + 1..].iter().map(|s| (*s).clone()));
                rest.iter_mut().for_each(|s| s.replace(d.var, &value));
                out.extend(self.items(&rest.iter().collect::<Vec<_>>(), in_loop)?);
                return Ok(out);
            }
            let trees = self.item(s)?;
            if !matches!(trees.as_slice(), [Tree::Loop(..)]) {
                self.follow(s);
            }
            out.extend(trees);
        }
        Ok(out)
    }

    /// What `int k = i * n + j;` in a loop stands for: an expression of counters and sizes, all through the scope
    /// of `k`. It takes the variable's place, so that subscripts and bounds are seen through it.
    fn constant_value(&mut self, d: &Declarator, scope: &[&Stmt]) -> Option<Expr> {
        let var = self.unit.var(d.var);
        let Type::Int(kind) = var.ty else { return None };
        let init = d.init.as_ref().filter(|_| !self.stack.is_empty() && kind.bits() >= 32)?;
        let mut is_constant = var.storage == Storage::Local && !var.is_volatile;
        is_constant &= !effects::assigned(scope.iter().copied()).contains(&d.var);
        for s in scope {
            s.walk(&mut |piece| {
                let Piece::Expr(Expr { kind: ExprKind::Unary(UnOp::AddrOf, of), .. }) = piece else { return };
                is_constant &= of.root() != Some(d.var);
            });
        }
        let value = match init.ty == var.ty {
            true => init.clone(),
            false => Expr { kind: ExprKind::Cast(Box::new(init.clone())), ty: var.ty.clone(), span: init.span },
        };
        (is_constant && self.is_known(&value)).then_some(value)
    }

    /// Test that counters and sizes tell a value, or choose between such values.
    fn is_known(&mut self, value: &Expr) -> bool {
        let mut reader = self.reader();
        reader.poly(value).is_some()
            || [true, false].into_iter().any(|least| header::extremes(value, least, &mut reader).is_some())
            || match &value.kind {
                ExprKind::Cond(c, a, b) => self.condition(c).is_some() && self.is_known(a) && self.is_known(b),
                _ => false,
            }
    }

    fn item(&mut self, s: &Stmt) -> Result<Vec<Tree>, Reason> {
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => Ok(vec![]),
            StmtKind::Block(body) => self.items(&body.iter().collect::<Vec<_>>(), false),
            StmtKind::Decl(ds) => {
                let mut out = vec![];
                for d in ds {
                    self.declare(d.var, s)?;
                    if d.init.is_some() {
                        let one = Stmt { kind: StmtKind::Decl(vec![d.clone()]), ..s.clone() };
                        out.push(self.leaf(&one)?);
                    }
                }
                Ok(out)
            }
            StmtKind::Expr(_) => Ok(vec![self.leaf(s)?]),
            StmtKind::For { init, cond, step, body } => {
                let header = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
                match self.counted_loop(s, &header, body) {
                    Ok(tree) => Ok(vec![tree]),
                    Err(reason) => match self.leaf(s) {
                        Ok(leaf) => {
                            self.stmts.last_mut().expect("a leaf is a statement").kept_whole = Some(reason);
                            Ok(vec![leaf])
                        }
                        Err(deeper) => Err(worse(reason, deeper)),
                    },
                }
            }
            StmtKind::If { .. } if s.is_rare() => Ok(vec![self.leaf(s)?]),
            StmtKind::If { cond, .. } if assertion::failing(s).is_some() => match self.failure(cond) {
                Some(fails) => {
                    self.assert(s, vec![fails]);
                    Ok(vec![])
                }
                None => Err(assertions::refused(s)),
            },
            StmtKind::If { cond, then, other } => match self.condition(cond) {
                Some(condition) => self.branches(cond, condition, then, other.as_deref()),
                None => Ok(vec![self.leaf(s)?]),
            },
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::Switch { .. } => Ok(vec![self.leaf(s)?]),
            StmtKind::Unmodelled(why) => Err(Reason::new("not-modelled", why.clone(), s.span)),
            StmtKind::Break | StmtKind::Continue | StmtKind::Case(_) | StmtKind::GiveUp => {
                Err(Reason::new("jump", "this jump leaves the loop early", s.span))
            }
            StmtKind::Return(_) => Err(Reason::returns(s.span)),
        }
    }

    fn branches(
        &mut self,
        expr: &Expr,
        cond: Condition,
        then: &Stmt,
        other: Option<&Stmt>,
    ) -> Result<Vec<Tree>, Reason> {
        let body = self.guarded(cond.clone(), |x| x.item(then))?;
        let mut out = vec![Tree::If { cond: cond.clone(), expr: Some(expr.clone()), negated: false, body }];
        if let Some(other) = other {
            let negated = Condition::Not(Box::new(cond));
            let body = self.guarded(negated.clone(), |x| x.item(other))?;
            out.push(Tree::If { cond: negated, expr: Some(expr.clone()), negated: true, body });
        }
        Ok(out)
    }

    /// A statement that must not run where all of these hold; the last says that it fails.
    pub(super) fn assert(&mut self, s: &Stmt, fails: Vec<Condition>) {
        let guards = self.guards.iter().cloned().chain(fails).collect();
        self.assertions.push(Statement {
            body: s.clone(),
            loops: self.stack.clone(),
            guards,
            accesses: vec![],
            reduction: None,
            conditional: None,
            has_loop: false,
            kept_whole: None,
            obligations: self.obligations.clone(),
            counters: vec![],
        });
    }

    fn guarded<T>(&mut self, cond: Condition, f: impl FnOnce(&mut Self) -> T) -> T {
        self.guards.push(cond);
        let ranges = self.ranges.clone();
        let out = f(self);
        self.ranges = ranges;
        self.guards.pop();
        out
    }

    /// A loop of the tree, undone completely when something in it needs it whole.
    fn counted_loop(&mut self, s: &Stmt, header: &For, body: &Stmt) -> Result<Tree, Reason> {
        let n_obligations = self.obligations.len();
        let mut reader = self.reader();
        let h = header::read(header, &mut reader)?;
        let mut obligations = std::mem::take(&mut reader.obligations);
        if let Some(tile) = reader.unit.tilings.iter().flat_map(|t| &t.tiles).find(|tile| tile.counter == h.var) {
            obligations.extend(tiling::obligations(&mut reader, tile, s.span)?);
        }
        obligations.extend(tiling::of_rows(&mut reader, h.var, s.span)?);
        if effects::assigned([body]).contains(&h.var) {
            return Err(Reason::new("counter-assigned", "the loop's counter is assigned in its body", s.span));
        }
        if self.stack.iter().any(|l| self.loops[l.0].var == h.var) {
            return Err(Reason::new("counter-shared", "an enclosing loop has the same counter", s.span));
        }
        let mark = (self.loops.len(), self.stmts.len(), self.data.len(), self.assertions.len());
        let id = LoopId(self.loops.len());
        self.loops.push(Loop {
            var: h.var,
            first: h.first,
            limits: h.limits,
            step: h.step,
            directives: s.directives.clone(),
            span: s.span,
        });
        self.stack.push(id);
        let ranges = self.through(s, id);
        self.ranges.clone_from(&ranges);
        let (n_around, n_guards) = (self.stack.len() - 1, self.guards.len());
        self.obligations.extend(obligations.into_iter().map(|poly| {
            let n_loops = n_around + usize::from(poly.uses(h.var));
            Obligation { poly, n_loops, n_guards }
        }));
        let inner: Vec<&Stmt> = match &body.kind {
            StmtKind::Block(b) => b.iter().collect(),
            _ => vec![body],
        };
        let result = match self.begun(&h.also_from, h.var, h.step) {
            None => self.items(&inner, true),
            Some(cond) => self
                .guarded(cond.clone(), |x| x.items(&inner, true))
                .map(|body| vec![Tree::If { cond, expr: None, negated: false, body }]),
        };
        self.stack.pop();
        self.obligations.truncate(n_obligations);
        self.ranges = ranges;
        if result.is_err() {
            self.loops.truncate(mark.0);
            self.stmts.truncate(mark.1);
            self.data.truncate(mark.2);
            self.assertions.truncate(mark.3);
        }
        result.map(|body| Tree::Loop(id, body))
    }

    /// That a counter has come to all of the values that it begins at the last of.
    fn begun(&self, from: &[Poly], counter: VarId, step: i64) -> Option<Condition> {
        let there = |p: &Poly| {
            let passed = Poly::sym(Sym::Counter(counter)).plus(p, -1)?;
            let passed = if step > 0 { passed } else { Poly::default().plus(&passed, -1)? };
            Some(Condition::Compare(passed, Relation::Ge))
        };
        from.iter().filter_map(there).reduce(|a, b| Condition::And(Box::new(a), Box::new(b)))
    }

    fn declare(&mut self, v: VarId, s: &Stmt) -> Result<(), Reason> {
        if self.unit.var(v).storage == crate::ast::Storage::StaticLocal {
            return Err(Reason::new("static-local", "a static variable is declared here", s.span));
        }
        self.locals.insert(v, self.stack.last().copied());
        Ok(())
    }

    /// One statement of the part, with all it accesses.
    fn leaf(&mut self, s: &Stmt) -> Result<Tree, Reason> {
        let mut opened = s.clone();
        choices::open(&mut opened, &mut |e| self.reader().poly(e).is_some());
        let s = &opened;
        let reduction = reduction::recognise(self.unit, s);
        let conditional = reduction::conditional(self.unit, s).filter(|_| reduction.is_none());
        let accesses = Collector::new(self, s).collect(s, reduction.as_ref())?;
        for a in &accesses {
            self.register(a.data, a.span)?;
        }
        let mut has_loop = false;
        s.walk(&mut |p| {
            if let Piece::Stmt(Stmt {
                kind: StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. },
                ..
            }) = p
            {
                has_loop = true;
            }
        });
        let id = StmtId(self.stmts.len());
        self.stmts.push(Statement {
            body: opened,
            loops: self.stack.clone(),
            guards: self.guards.clone(),
            accesses,
            reduction,
            conditional,
            has_loop,
            kept_whole: None,
            obligations: self.obligations.clone(),
            counters: vec![],
        });
        Ok(Tree::Stmt(id))
    }

    fn register(&mut self, v: VarId, span: Span) -> Result<(), Reason> {
        if self.data.contains_key(&v) {
            return Ok(());
        }
        let var = self.unit.var(v);
        let elem = element_type(&var.ty);
        if !effects::is_scalar(&elem)
            || matches!(elem, Type::Float(crate::ast::FloatKind::LongDouble))
            || var.is_volatile
        {
            return Err(unsupported_element(var, span));
        }
        let declared_in = self.locals.get(&v).copied();
        self.data.insert(
            v,
            Data {
                var: v,
                elem,
                shape: Shape::default(),
                declared_in: declared_in.flatten(),
                is_local: declared_in.is_some(),
            },
        );
        Ok(())
    }

    /// A counter's value must not be wanted outside its loop: there the tree does not keep it.
    fn check_counters(&self) -> Result<(), Reason> {
        let counters: BTreeSet<VarId> = self.loops.iter().map(|l| l.var).collect();
        for s in &self.stmts {
            let own: BTreeSet<VarId> = s.loops.iter().map(|l| self.loops[l.0].var).collect();
            for a in &s.accesses {
                if counters.contains(&a.data) && !own.contains(&a.data) {
                    let name = &self.unit.var(a.data).name;
                    return Err(Reason::new(
                        "counter-used",
                        format!("`{name}` is the counter of a loop and is used outside that loop"),
                        a.span,
                    )
                    .help(remedy!("give the loop a counter of its own")));
                }
            }
        }
        for p in &self.params.list {
            if let Some(v) = p.var.filter(|v| counters.contains(v)) {
                let name = &self.unit.var(v).name;
                let message = format!("`{name}` is the counter of a loop and is used outside that loop");
                return Err(Reason::new("counter-used", message, p.expr.span)
                    .help(remedy!("give the loop a counter of its own")));
            }
        }
        Ok(())
    }
}

/// The innermost reason says most, unless it is only that a jump needed the loop whole.
fn worse(outer: Reason, inner: Reason) -> Reason {
    if inner.code == "jump" { outer } else { inner }
}

/// `c` in `if (c) continue;`.
fn skip_condition(s: &Stmt) -> Option<&Expr> {
    let StmtKind::If { cond, then, other: None } = &s.kind else { return None };
    let only = match &then.kind {
        StmtKind::Block(b) if b.len() == 1 => &b[0].kind,
        kind => kind,
    };
    matches!(only, StmtKind::Continue).then_some(cond)
}

fn unsupported_element(var: &Var, span: Span) -> Reason {
    let what = match element_type(&var.ty) {
        _ if var.is_volatile => "volatile",
        Type::Struct(_) => "of structures",
        Type::Float(_) => "of `long double`, which a GPU does not have",
        _ => "of a type that is not modelled",
    };
    Reason::new("element-type", format!("`{}` is {what}", var.name), span)
}
