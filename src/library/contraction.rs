//! Nests that are products of matrices: `c = beta c + alpha a b`, with the sum in a loop of the thread.
//!
//! The forms of such a nest differ in where the sum is kept and what is done with it:
//! ```text
//! c[i][j] *= beta;                    double s = 0;
//! for k: c[i][j] += a[i][k]*b[k][j];  for k: s += a[i][k]*b[k][j];
//!                                     c[i][j] = alpha*s + beta*c[i][j];
//! ```
//! Which loop is a row, a column, the sum or the batch follows from which operand moves along it.

use super::factors::{Term, terms};
use super::view::{View, is, load};
use super::{Contraction, Found, Range, Scale, is_known, is_zero};
use crate::ast::{Expr, ExprKind, StmtKind, Type, VarId};
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::kernel::ReduceOp;
use crate::region::{Access, LoopId, Statement, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};
use std::collections::BTreeMap;

/// What the nest is.
pub fn contraction(a: &Analysis, nest: &Nest) -> Found {
    let Some(parts) = Parts::of(a, nest) else { return Found::Nothing };
    let Some((x, y, alpha)) = parts.operands() else { return Found::Nothing };
    match parts.assembled(x, y, alpha) {
        Ok(contraction) => Found::Contraction(Box::new(contraction)),
        Err(differs) => {
            let span = parts.update().body.span;
            Found::Near(Reason::new("library", format!("this is nearly a product of matrices, but {differs}"), span))
        }
    }
}

/// A nest, taken apart.
pub struct Parts<'a> {
    pub a: &'a Analysis<'a>,
    pub nest: &'a Nest,
    pub before: Vec<StmtId>,
    /// The loop that sums, if the part has it: the entries of a sparse row are counted within the update.
    pub sum: Option<LoopId>,
    pub update: StmtId,
    pub after: Vec<StmtId>,
}

impl<'a> Parts<'a> {
    /// A loop with one accumulation, and statements before and behind it.
    fn of(a: &'a Analysis<'a>, nest: &'a Nest) -> Option<Self> {
        if nest.mode != Mode::Parallel {
            return None;
        }
        let at = nest.body.iter().position(|t| !matches!(t, Tree::Stmt(_)))?;
        let stmts = |trees: &[Tree]| -> Option<Vec<StmtId>> {
            let stmt = |t: &Tree| if let Tree::Stmt(s) = t { Some(*s) } else { None };
            trees.iter().map(stmt).collect()
        };
        let Tree::Loop(sum, body) = &nest.body[at] else { return None };
        let [Tree::Stmt(update)] = body.as_slice() else { return None };
        let is_sum = |s: &Statement| !s.has_loop && s.reduction.as_ref().is_some_and(|r| r.op == ReduceOp::Add);
        let (before, after) = (stmts(&nest.body[..at])?, stmts(&nest.body[at + 1..])?);
        is_sum(a.part.stmt(*update)).then_some(Parts { a, nest, before, sum: Some(*sum), update: *update, after })
    }

    pub fn update(&self) -> &'a Statement {
        self.a.part.stmt(self.update)
    }

    /// The two arrays whose products are summed, and what they are multiplied by.
    fn operands(&self) -> Option<(&'a Access, &'a Access, Scale)> {
        let reduction = self.update().reduction.as_ref()?;
        let [term] = terms(&reduction.value).try_into().ok()?;
        let (mut loads, mut alpha) = (vec![], Scale { factors: vec![], is_negative: term.is_negative });
        for f in term.factors {
            match load(self.update(), f) {
                Some(x) => loads.push(x),
                None if self.knows(f) => alpha.factors.push(f.clone()),
                None => return None,
            }
        }
        let [x, y] = loads.try_into().ok()?;
        Some((x, y, alpha))
    }

    /// The contraction, or what differs from one.
    fn assembled(&self, x: &'a Access, y: &'a Access, alpha: Scale) -> Result<Contraction, String> {
        let part = self.a.part;
        let update = self.update();
        let reduction = update.reduction.as_ref().expect("an accumulation");
        let target = update.accesses.iter().find(|t| t.data == reduction.data).expect("it is accessed");
        let (result, alpha, beta) = match self.a.part.data[&target.data].shape.c_rank {
            0 => self.kept_apart(target.data, alpha)?,
            _ => (target, alpha, self.in_place(target)?),
        };
        let element = &part.data[&result.data].elem;
        let is_float = matches!(element, Type::Float(_));
        let ty = scalar_type(element).filter(|_| is_float).ok_or("its elements are not floating-point numbers")?;
        for data in [x.data, y.data, target.data] {
            if part.data[&data].elem != *element {
                return Err(format!("`{}` and `{}` are of different types", self.name(data), self.name(result.data)));
            }
        }
        if reduction.value.ty != *element {
            return Err("the products are computed in another type than they are stored in".into());
        }
        if [x.data, y.data].contains(&result.data) {
            return Err(format!("`{}` is read as well as written", self.name(result.data)));
        }
        self.with_roles([x, y, result], (alpha, beta), ty)
    }

    pub fn name(&self, v: VarId) -> &str {
        &self.a.unit.var(v).name
    }

    /// The sum is kept in the result: what is done to it before. `None` where nothing of it is kept.
    pub fn in_place(&self, target: &Access) -> Result<Option<Scale>, String> {
        if !self.after.is_empty() {
            return Err("more is computed behind the sum".into());
        }
        match self.before.as_slice() {
            [] => Ok(Some(Scale::default())),
            [one] => self.scaled(*one, target),
            _ => Err("more is computed before the sum".into()),
        }
    }

    /// What a statement leaves of the target: `c = 0`, `c *= beta`.
    fn scaled(&self, id: StmtId, target: &Access) -> Result<Option<Scale>, String> {
        let differs = || "what is computed before the sum is no scaling of the result".to_string();
        let stmt = self.a.part.stmt(id);
        if self.view(stmt, stmt.accesses.iter().find(|x| x.data == target.data).ok_or_else(differs)?, None)
            != self.view(self.update(), target, None)
        {
            return Err(differs());
        }
        if let Some(r) = stmt.reduction.as_ref().filter(|r| r.op == ReduceOp::Mul) {
            return self.scale(&r.value).map(Some).ok_or_else(differs);
        }
        let StmtKind::Expr(e) = &stmt.body.kind else { return Err(differs()) };
        match &e.kind {
            ExprKind::Assign { op: None, value, .. } if is_zero(value) => Ok(None),
            _ => Err(differs()),
        }
    }

    /// The factors of a product of known values.
    fn scale(&self, e: &Expr) -> Option<Scale> {
        let [term] = terms(e).try_into().ok()?;
        let Term { factors, is_negative } = term;
        let is_known = factors.iter().all(|f| self.knows(f));
        is_known.then(|| Scale { factors: factors.into_iter().cloned().collect(), is_negative })
    }

    /// Test that the host knows a value, the same for the whole nest.
    pub fn knows(&self, e: &Expr) -> bool {
        is_known(self.a, &self.nest.stmts(), e)
    }

    /// What a variable begins with, if one statement sets it and nothing else is computed before the sum.
    fn first_value(&self, sum: VarId) -> Option<(&'a Statement, &'a Expr)> {
        let part = self.a.part;
        let is_alone =
            |s: &Statement| matches!(&s.body.kind, StmtKind::Decl(ds) if ds.iter().all(|d| d.init.is_none()));
        let mut before = self.before.iter().map(|id| part.stmt(*id)).filter(|s| !is_alone(s));
        let (stmt, None) = (before.next()?, before.next()) else { return None };
        let value = match &stmt.body.kind {
            StmtKind::Decl(ds) if ds.len() == 1 && ds[0].var == sum => ds[0].init.as_ref()?,
            StmtKind::Expr(e) => match &e.kind {
                ExprKind::Assign { op: None, target, value } if target.is_var(sum) => &**value,
                _ => return None,
            },
            _ => return None,
        };
        Some((stmt, value))
    }

    /// What a variable that begins with the result has of it: `s = y[i]`, `s = beta * y[i]`.
    fn begun(&self, (stmt, value): (&'a Statement, &Expr), (after, result): (&Statement, &Access)) -> Option<Scale> {
        let [Term { factors, is_negative }] = terms(value).try_into().ok()?;
        let there = self.view(after, result, None)?;
        let is_result = |f: &&Expr| load(stmt, f).and_then(|x| self.view(stmt, x, None)).is_some_and(|x| x == there);
        let (own, others): (Vec<&Expr>, Vec<&Expr>) = factors.into_iter().partition(is_result);
        let is_scaled = own.len() == 1 && others.iter().all(|f| self.knows(f)) && value.ty == own[0].ty;
        is_scaled.then(|| Scale { factors: others.into_iter().cloned().collect(), is_negative })
    }

    /// The sum is kept in a variable of the thread: what is stored of it, and how.
    pub fn kept_apart(&self, sum: VarId, alpha: Scale) -> Result<(&'a Access, Scale, Option<Scale>), String> {
        let part = self.a.part;
        let elsewhere = || format!("`{}` does not begin at zero, or more is computed before the sum", self.name(sum));
        let first = self.first_value(sum).ok_or_else(elsewhere)?;
        let [after] = self.after.as_slice() else { return Err("not one statement stores the sum".into()) };
        let stmt = part.stmt(*after);
        let StmtKind::Expr(e) = &stmt.body.kind else { return Err("what stores the sum is no assignment".into()) };
        let ExprKind::Assign { op, target, value } = &e.kind else {
            return Err("what stores the sum is no assignment".into());
        };
        let result = load(stmt, target).ok_or("the sum is not stored in an array")?;
        let stored = match (op, &stmt.reduction) {
            (None, _) => &**value,
            (Some(_), Some(r)) if r.op == ReduceOp::Add => &r.value,
            _ => return Err("the sum is not added to the result, nor put there".into()),
        };
        let (mut of_sum, mut kept) = (None, op.is_some().then(Scale::default));
        for Term { factors, is_negative } in terms(stored) {
            let (own, others): (Vec<&Expr>, Vec<&Expr>) = factors.into_iter().partition(|f| {
                f.is_var(sum)
                    || load(stmt, f).is_some_and(|x| x.data == result.data && x.subscripts == result.subscripts)
            });
            let factors: Vec<Expr> = others.iter().map(|f| (*f).clone()).collect();
            let scale = Scale { factors, is_negative };
            let [own] = own.as_slice() else {
                return Err("what is stored is no sum of the result and the products".into());
            };
            let slot = if own.is_var(sum) { &mut of_sum } else { &mut kept };
            if slot.is_some() || !others.iter().all(|f| self.knows(f)) {
                return Err("what is stored is no sum of the result and the products".into());
            }
            *slot = Some(scale);
        }
        let of_sum = of_sum.ok_or("what is stored is not the sum")?;
        if !is_zero(first.1) {
            let begun = self.begun(first, (stmt, result)).filter(|_| kept.is_none()).ok_or_else(elsewhere)?;
            let factors = begun.factors.into_iter().chain(of_sum.factors.iter().cloned()).collect();
            kept = Some(Scale { factors, is_negative: begun.is_negative != of_sum.is_negative });
        }
        let factors = alpha.factors.into_iter().chain(of_sum.factors).collect();
        let alpha = Scale { factors, is_negative: alpha.is_negative != of_sum.is_negative };
        let result_type = &part.data[&result.data].elem;
        if part.stmt(*after).reduction.is_none() && value.ty != *result_type {
            return Err("what is stored is computed in another type".into());
        }
        Ok((result, alpha, kept))
    }

    /// The access along the axes of the nest and `sum`.
    pub fn view(&self, stmt: &Statement, access: &Access, sum: Option<LoopId>) -> Option<View> {
        let part = self.a.part;
        let of_axis = |axis: &Vec<LoopId>| axis.iter().find(|l| stmt.loops.contains(l)).copied();
        let loops: Option<Vec<LoopId>> = self.nest.axes.iter().map(of_axis).chain(sum.map(Some)).collect();
        let loops: Vec<(VarId, Poly)> =
            loops?.into_iter().map(|l| (part.get_loop(l).var, part.get_loop(l).first.clone())).collect();
        View::of(part, access, &loops)
    }

    /// The range of a loop, if it is the same whatever the others count.
    fn range(&self, id: LoopId) -> Result<Range, String> {
        let l = self.a.part.get_loop(id);
        let counters: Vec<VarId> =
            self.nest.axes.iter().flatten().chain(&self.sum).map(|l| self.a.part.get_loop(*l).var).collect();
        let name = self.name(l.var);
        let [end] = l.limits.as_slice() else { return Err(format!("the loop of `{name}` has more than one bound")) };
        if l.step != 1 {
            return Err(format!("the loop of `{name}` goes by {}", l.step));
        }
        if counters.iter().any(|v| l.first.uses(*v) || end.uses(*v)) {
            return Err(format!("the bounds of the loop of `{name}` depend on another loop"));
        }
        Ok(Range { first: l.first.clone(), end: end.clone() })
    }

    /// The ranges of the axes.
    pub fn ranges(&self) -> Result<Vec<Range>, String> {
        let of_axis = |axis: &Vec<LoopId>| {
            let all = axis.iter().map(|l| self.range(*l)).collect::<Result<Vec<_>, _>>()?;
            match all.iter().all(|range| *range == all[0]) {
                true => Ok(all[0].clone()),
                false => Err("loops of different bounds were joined".to_string()),
            }
        };
        self.nest.axes.iter().map(of_axis).collect()
    }

    /// Gives each loop its part, and the operands their order.
    fn with_roles(
        &self,
        [x, y, result]: [&'a Access; 3],
        (alpha, beta): (Scale, Option<Scale>),
        ty: crate::kernel::ScalarType,
    ) -> Result<Contraction, String> {
        if self.nest.stmts().iter().any(|s| !self.a.part.stmt(*s).guards.is_empty()) {
            return Err("a condition stands around it".into());
        }
        let linear = |v: VarId| format!("the elements of `{}` do not lie in rows and columns", self.name(v));
        let of = |access: &'a Access| self.view(self.update(), access, self.sum).ok_or_else(|| linear(access.data));
        let (mut x, mut y) = (of(x)?, of(y)?);
        let home = [self.update].into_iter().chain(self.after.iter().copied()).map(|s| self.a.part.stmt(s));
        let home = home.into_iter().find(|s| s.accesses.iter().any(|access| std::ptr::eq(access, result)));
        let mut c = self.view(home.expect("it is of the nest"), result, None).ok_or_else(|| linear(result.data))?;
        c.along.push(Poly::default());
        let mut ranges = self.ranges()?;
        merge(&mut ranges, &mut [&mut x, &mut y, &mut c]);
        let k = ranges.len();
        let moves = |v: &View, at: usize| !is(&v.along[at], 0);
        if !moves(&x, k) || !moves(&y, k) {
            return Err("only one of the two factors changes along the sum".into());
        }
        let mut roles: BTreeMap<&str, usize> = BTreeMap::new();
        for at in 0..k {
            let role = match (moves(&c, at), moves(&x, at), moves(&y, at)) {
                (true, true, false) => "x",
                (true, false, true) => "y",
                (true, true, true) => "batch",
                _ => return Err("an element of the result is computed more than once".into()),
            };
            if roles.insert(role, at).is_some() {
                return Err("its operands have more than two dimensions".into());
            }
        }
        // A product with a vector has its matrix first.
        let (a, b, row, column) = match (roles.get("x"), roles.get("y")) {
            (Some(row), column) => (x, y, *row, column.copied()),
            (None, Some(row)) => (y, x, *row, None),
            (None, None) => return Err("it is one sum for each element of the batch".into()),
        };
        let batch = roles.get("batch").copied();
        let none = Poly::default();
        let pick = |v: View, at: [Option<usize>; 3]| View {
            along: at.iter().map(|at| at.map_or_else(|| none.clone(), |at| v.along[at].clone())).collect(),
            ..v
        };
        let found = Contraction {
            row: ranges[row].clone(),
            column: column.map(|at| ranges[at].clone()),
            sum: self.range(self.sum.expect("a contraction has one"))?,
            batch: batch.map(|at| ranges[at].clone()),
            a: pick(a, [Some(row), Some(k), batch]),
            b: pick(b, [Some(k), column, batch]),
            c: pick(c, [Some(row), column, batch]),
            alpha,
            beta,
            ty,
        };
        self.has_contiguous_operands(&found)?;
        Ok(found)
    }

    /// A matrix has its rows or its columns in one piece.
    fn has_contiguous_operands(&self, c: &Contraction) -> Result<(), String> {
        let matrices: &[&View] = if c.column.is_some() { &[&c.a, &c.b, &c.c] } else { &[&c.a] };
        for v in matrices {
            if is(&v.along[0], 1) == is(&v.along[1], 1) {
                return Err(format!("neither rows nor columns of `{}` are contiguous", self.name(v.data)));
            }
        }
        if c.column.is_none() && c.batch.is_some() {
            return Err("there is a product with a vector for each of many".into());
        }
        Ok(())
    }
}

/// Joins two loops where all operands go on along one as they do along the other: the rows of `a[i][l][k]` are those of all
/// `i` and `l`.
pub fn merge(ranges: &mut Vec<Range>, views: &mut [&mut View]) {
    let pairs =
        |n: usize| (0..n).flat_map(move |outer| (0..n).filter(move |x| *x != outer).map(move |inner| (outer, inner)));
    let goes_on = |v: &View, (outer, inner): (usize, usize), count: &Poly| {
        v.along[inner].times(count).is_some_and(|end| end == v.along[outer])
    };
    let found = pairs(ranges.len()).find_map(|(outer, inner)| {
        let count = |r: &Range| r.end.plus(&r.first, -1);
        let n = count(&ranges[inner])?;
        let all = n.times(&count(&ranges[outer])?)?;
        views.iter().all(|v| goes_on(v, (outer, inner), &n)).then_some((outer, inner, all))
    });
    if let Some((outer, inner, all)) = found {
        ranges[inner] = Range { first: Poly::default(), end: all };
        ranges.remove(outer);
        views.iter_mut().for_each(|v| _ = v.along.remove(outer));
        merge(ranges, views);
    }
}
