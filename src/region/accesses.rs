//! What one statement reads and writes.
//!
//! An access is a list of polynomials over counters and parameters, or any element, or those that the statement's own
//! loops lead to ([`Reach`]). A statement with loops of its own does not read what it surely sets before,
//! and surely writes what it surely sets in the end.

use super::bounded::Bounded;
use super::extractor::{Extractor, Ranges};
use super::unmodelled::{aggregate, member, other_type};
use super::{Access, AccessKind, Condition, Loop, Reach, Relation, Unknown, assertions};
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, Stmt, StmtKind, Type, UnOp, Unit, VarId, assertion};
use crate::facts::arrays::{rank, subscripts};
use crate::facts::header::{self, For, Header};
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::{self, Poly, Reader, Sym};
use crate::facts::{Reason, callable, effects, pointer_calls, remedy};
use crate::source::Span;
use std::collections::BTreeSet;

/// Collects the accesses of one statement.
pub(super) struct Collector<'a, 'b> {
    x: &'a mut Extractor<'b>,
    /// Variables that live and die inside the statement.
    internal: BTreeSet<VarId>,
    /// Scalars that the statement has surely set on the way to the place: what they held before it is not seen.
    set_here: BTreeSet<VarId>,
    /// Inside control of the statement's own: what is written may not be.
    conditional: bool,
    /// Loops of the statement's own around the place.
    n_loops: usize,
    /// Those of them whose counters run through known ranges.
    counted: Vec<Loop>,
    /// Other loops of its own around the place whose counters are held to a range.
    bounded: Vec<Bounded>,
    /// The statement itself as such a loop, whose counter begins before it.
    begun: Option<Bounded>,
    /// Affine conditions of the statement's own that hold at the place.
    known: Vec<Condition>,
    /// What variables hold at the place that the statement does not set.
    ranges: Ranges,
    own: BTreeSet<VarId>,
    out: Vec<Access>,
}

impl<'a, 'b> Collector<'a, 'b> {
    pub fn new(x: &'a mut Extractor<'b>, s: &Stmt) -> Self {
        let internal = match s.kind {
            StmtKind::Decl(_) => BTreeSet::new(),
            _ => effects::declared([s]),
        };
        let (ranges, own) = (x.all_through(s), effects::assigned([s]));
        let begun = if let StmtKind::While { .. } = s.kind { x.bounded(s, &[]) } else { None };
        Collector {
            x,
            internal,
            set_here: BTreeSet::new(),
            conditional: false,
            n_loops: 0,
            counted: vec![],
            bounded: vec![],
            begun,
            known: vec![],
            ranges,
            own,
            out: vec![],
        }
    }

    /// The accesses of `s`, in the order C makes them.
    pub fn collect(mut self, s: &Stmt, reduction: Option<&Reduction>) -> Result<Vec<Access>, Reason> {
        match reduction {
            Some(r) if !matches!(s.kind, StmtKind::For { .. }) => {
                if r.is_lazy {
                    self.perhaps(|c| c.value(&r.value))?;
                } else {
                    self.value(&r.value)?;
                }
                self.place(&r.target, true, true)?;
            }
            _ => self.stmt(s)?,
        }
        // One of the writes of what is surely set behind all of it is made.
        let is_set = |a: &Access| a.subscripts.is_empty() && a.known.is_empty() && self.set_here.contains(&a.data);
        for a in self.out.iter_mut().filter(|a| a.kind == AccessKind::MayWrite && is_set(a)) {
            (a.kind, a.surely) = (AccessKind::MustWrite, true);
        }
        Ok(self.out)
    }

    fn stmt(&mut self, s: &Stmt) -> Result<(), Reason> {
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => Ok(()),
            StmtKind::Break | StmtKind::Continue if self.n_loops > 0 => Ok(()),
            StmtKind::Break | StmtKind::Continue | StmtKind::GiveUp => {
                Err(Reason::new("jump", "this jump, under a condition on data, leaves the iteration early", s.span))
            }
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Decl(ds) => ds.iter().try_for_each(|d| self.declarator(d.var, d.init.as_ref(), s)),
            StmtKind::Block(body) => body.iter().try_for_each(|s| self.stmt(s)),
            StmtKind::If { cond, .. } if assertion::failing(s).is_some() => match self.x.failure(cond) {
                // Other things that decide whether it is made is not asked.
                Some(fails) if self.n_loops == 0 => {
                    let known = self.known.iter().cloned().chain([fails]).collect();
                    self.x.assert(s, known);
                    Ok(())
                }
                _ => Err(assertions::refused(s)),
            },
            StmtKind::If { cond, then, other } => {
                self.value(cond)?;
                self.under(|c| c.branches(cond, |c| c.stmt(then), |c| other.iter().try_for_each(|s| c.stmt(s))))
            }
            StmtKind::For { init, cond, step, body } => {
                cond.iter().try_for_each(header::compares_numbers)?;
                init.iter().try_for_each(|s| self.stmt(s))?;
                let counter = init.as_deref().and_then(effects::header_counter);
                let fresh = counter.filter(|v| self.set_here.insert(*v));
                let header = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
                let counted = self.counted(&header, body);
                let around: Vec<VarId> = self.counted.iter().map(|l| l.var).collect();
                let bounded = if counted.is_none() { self.x.bounded(s, &around) } else { None };
                let out = self.in_loop(|c| {
                    c.tested(bounded.as_ref(), |c| cond.iter().try_for_each(|e| c.value(e)))?;
                    let (n_counted, n_bounded) = (c.counted.len(), c.bounded.len());
                    c.counted.extend(counted);
                    c.bounded.extend(bounded);
                    let set_before = c.set_here.clone();
                    let out =
                        if header.runs() { c.once_at_least(body).map(|_| ()) } else { c.perhaps(|c| c.stmt(body)) };
                    c.counted.truncate(n_counted);
                    c.bounded.truncate(n_bounded);
                    out?;
                    if !header.runs() {
                        c.set_here = set_before;
                    }
                    let set_behind = c.set_here.clone();
                    c.perhaps(|c| step.iter().try_for_each(|e| c.effect(e)))?;
                    c.set_here = set_behind;
                    Ok(())
                });
                fresh.iter().for_each(|v| _ = self.set_here.remove(v));
                out
            }
            StmtKind::While { cond, body } => self.in_loop(|c| {
                header::compares_numbers(cond)?;
                let bounded = c.begun.take();
                c.tested(bounded.as_ref(), |c| c.value(cond))?;
                let (set_before, n_bounded) = (c.set_here.clone(), c.bounded.len());
                c.bounded.extend(bounded);
                c.perhaps(|c| c.stmt(body))?;
                c.bounded.truncate(n_bounded);
                c.set_here = set_before;
                Ok(())
            }),
            // A jump in the body may pass over all else.
            StmtKind::DoWhile { body, cond } => self.in_loop(|c| {
                c.perhaps(|c| {
                    c.once_at_least(body)?;
                    c.value(cond)
                })
            }),
            StmtKind::Switch { .. } | StmtKind::Case(_) => {
                Err(Reason::new("switch", "`switch` inside a parallel loop is not modelled", s.span)
                    .help(remedy!("write it as a chain of `if`")))
            }
            StmtKind::Return(_) => Err(Reason::returns(s.span)),
            StmtKind::Unmodelled(why) => Err(Reason::new("not-modelled", why.clone(), s.span)),
        }
    }

    fn under<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.conditional, true);
        let out = f(self);
        self.conditional = before;
        out
    }

    /// What only the data decides: nothing in it is surely done.
    fn perhaps<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let start = self.out.len();
        let out = f(self);
        self.out[start..].iter_mut().for_each(|a| a.surely = false);
        out
    }

    /// A body that is entered: what stands before all that may leave it is surely done. Says whether something may.
    fn once_at_least(&mut self, body: &Stmt) -> Result<bool, Reason> {
        let mut set_for_sure = None;
        for s in body.listed() {
            if set_for_sure.is_some() {
                self.perhaps(|c| c.stmt(s))?;
                continue;
            }
            let set_before = self.set_here.clone();
            let may_leave = match &s.kind {
                StmtKind::Block(_) => self.once_at_least(s)?,
                _ => self.stmt(s).map(|()| s.exits().leaves_iteration())?,
            };
            set_for_sure = may_leave.then_some(set_before);
        }
        let may_leave = set_for_sure.is_some();
        self.set_here = set_for_sure.unwrap_or_else(|| std::mem::take(&mut self.set_here));
        Ok(may_leave)
    }

    /// Two branches. Where only the data decides between them, what both touch is surely touched.
    fn branches(
        &mut self,
        cond: &Expr,
        then: impl FnOnce(&mut Self) -> Result<(), Reason>,
        other: impl FnOnce(&mut Self) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let start = self.out.len();
        let set_before = self.set_here.clone();
        let is_affine = self.given(cond, true, then)?;
        let middle = self.out.len();
        let set_there = std::mem::replace(&mut self.set_here, set_before);
        self.given(cond, false, other)?;
        self.set_here.retain(|v| set_there.contains(v));
        if !is_affine {
            let (a, b) = self.out[start..].split_at_mut(middle - start);
            let before: Vec<Access> = a.to_vec();
            a.iter_mut().for_each(|x| x.surely &= b.iter().any(|y| y.surely && x.is_same_element(y)));
            b.iter_mut().for_each(|x| x.surely &= before.iter().any(|y| y.surely && x.is_same_element(y)));
        }
        Ok(())
    }

    /// What follows from the truth (or not) of a condition bounds the accesses under it: `i > 0 && a[i - 1] > x`. Whether
    /// that is all that decides.
    fn given(
        &mut self,
        cond: &Expr,
        holds: bool,
        f: impl FnOnce(&mut Self) -> Result<(), Reason>,
    ) -> Result<bool, Reason> {
        let n_known = self.known.len();
        let is_affine = self.learn(cond, holds);
        let ranges = self.ranges.clone();
        if holds {
            let mut within = self.x.within(cond);
            within.retain(|v, _| !self.own.contains(v));
            self.known.extend(within.values().filter_map(|range| some(range)));
            self.ranges.extend(within);
        }
        let out = f(self);
        self.known.truncate(n_known);
        self.ranges = ranges;
        out.map(|()| is_affine)
    }

    fn learn(&mut self, cond: &Expr, holds: bool) -> bool {
        match &cond.kind {
            ExprKind::Unary(UnOp::Not, a) => self.learn(a, !holds),
            ExprKind::Binary(op, a, b) if *op == if holds { BinOp::And } else { BinOp::Or } => {
                let left = self.learn(a, holds);
                self.learn(b, holds) && left
            }
            _ => {
                let affine = self.x.condition(cond);
                let is_affine = affine.is_some();
                self.known.extend(affine.map(|c| if holds { c } else { Condition::Not(Box::new(c)) }));
                is_affine
            }
        }
    }

    /// A loop of the statement's own, where its counter runs through a range that the counters around it tell.
    fn counted(&mut self, header: &For, body: &Stmt) -> Option<Loop> {
        let mut reader = self.reader();
        let h = header::read(header, &mut reader).ok().filter(|_| reader.obligations.is_empty())?;
        let is_taken = reader.counters.contains(&h.var) || reader.unit.var(h.var).is_volatile;
        if is_taken || effects::assigned([body]).contains(&h.var) {
            return None;
        }
        let Header { var, first, limits, step, .. } = h;
        Some(Loop { var, first, limits, step, directives: vec![], span: header.span })
    }

    /// Reads integers, also of the counters of loops of the statement's own.
    fn reader(&mut self) -> Reader<'_> {
        let mut reader = self.x.reader();
        reader.counters.extend(self.counted.iter().map(|l| l.var));
        reader
    }

    /// The condition of a loop, whose first operands hold the counter to a range in the others.
    fn tested<T>(&mut self, bounded: Option<&Bounded>, f: impl FnOnce(&mut Self) -> T) -> T {
        let n_bounded = self.bounded.len();
        let tested = bounded.and_then(|b| Some(Bounded { inside: b.tested.clone()?, ..b.clone() }));
        self.bounded.extend(tested);
        let out = f(self);
        self.bounded.truncate(n_bounded);
        out
    }

    fn in_loop<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.n_loops += 1;
        let out = self.under(f);
        self.n_loops -= 1;
        out
    }

    fn declarator(&mut self, v: VarId, init: Option<&Expr>, s: &Stmt) -> Result<(), Reason> {
        if !effects::is_scalar(&self.x.unit.var(v).ty) {
            if let Some((v, row)) = init.filter(|e| e.ty.is_pointer_like()).and_then(subscripts)
                && !row.is_empty()
            {
                return Err(self.moved(v, "kept in a pointer", s.span));
            }
            return match init {
                None if matches!(self.x.unit.var(v).ty, Type::Array { .. }) => Ok(()),
                _ => Err(aggregate(self.x.unit, v, init, s.span)),
            };
        }
        let Some(init) = init else { return Ok(()) };
        self.value(init)?;
        self.record(v, AccessKind::MustWrite, vec![], s.span);
        self.set_here.insert(v);
        Ok(())
    }

    /// An expression statement: assignments, increments, commas; anything else has no effect.
    fn effect(&mut self, e: &Expr) -> Result<(), Reason> {
        match &e.kind {
            ExprKind::Assign { op, target, value } => {
                let given = match value.kind {
                    ExprKind::Assign { .. } => self.effect(value),
                    _ => self.value(value),
                };
                match given {
                    Err(reason) if reason.code != "pointer-value" => return Err(reason),
                    _ => self.keep_rows(target)?,
                }
                given?;
                self.place(target, op.is_some(), true)
            }
            ExprKind::IncDec { target, .. } => self.place(target, true, true),
            ExprKind::Comma(a, b) => {
                self.effect(a)?;
                self.effect(b)
            }
            ExprKind::Cast(a) if e.ty == Type::Void => self.effect(a),
            _ => self.value(e),
        }
    }

    /// The rows of a matrix of pointers stay where they are.
    fn keep_rows(&self, target: &Expr) -> Result<(), Reason> {
        match subscripts(target) {
            Some((v, row)) if target.ty.is_pointer_like() && !row.is_empty() => {
                Err(self.moved(v, "given another place", target.span))
            }
            _ => Ok(()),
        }
    }

    fn moved(&self, v: VarId, how: &str, span: Span) -> Reason {
        let message = format!("a row of `{}` is {how} here", self.x.unit.var(v).name);
        Reason::new("row-moved", message, span).help(remedy!(
            "move the elements of rows, in a loop over the columns, and use a[i][j] in the place of pointers to rows"
        ))
    }

    /// An expression read for its value: it must have no effect of its own.
    fn value(&mut self, e: &Expr) -> Result<(), Reason> {
        if e.ty == Type::Float(FloatKind::LongDouble) {
            return Err(Reason::new(
                "long-double",
                "`long double` is computed here, which a GPU does not have",
                e.span,
            ));
        }
        let is_fixed = |p: &Expr| symbolic::is_fixed_pointer(p, &self.x.written);
        if let Some(reason) = pointer_calls::refusal(self.x.unit, e, &is_fixed) {
            return Err(reason);
        }
        if let Some(p) = symbolic::tested_pointer(e).filter(|p| symbolic::is_fixed_pointer(p, &self.x.written)) {
            return p.root().map_or(Ok(()), |v| volatile(self.x.unit, v, e.span));
        }
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::SizeOfType(_) | ExprKind::SizeOfExpr(_) => Ok(()),
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => self.place(e, true, false),
            ExprKind::Member { base, .. } => match base.root() {
                Some(v) if effects::is_scalar(&e.ty) && !self.x.written.contains(&v) && is_plain_member(e) => Ok(()),
                _ => Err(member_of_element(e).unwrap_or_else(|| member(self.x.unit, e, &self.x.written))),
            },
            ExprKind::Unary(UnOp::AddrOf, _) => Err(Reason::new("address", "an address is taken here", e.span)),
            ExprKind::Call { name, args } => {
                callable::check_call(self.x.unit, name, e.span)?;
                args.iter().try_for_each(|a| self.value(a))
            }
            ExprKind::Cond(cond, a, b) => {
                self.value(cond)?;
                self.branches(cond, |c| c.value(a), |c| c.value(b))
            }
            ExprKind::Binary(BinOp::And, a, b) => {
                self.value(a)?;
                self.branches(a, |c| c.value(b), |_| Ok(()))
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                self.value(a)?;
                self.branches(a, |_| Ok(()), |c| c.value(b))
            }
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.value(a),
            ExprKind::Binary(_, a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..) => {
                Err(Reason::new("side-effect", "an assignment inside an expression", e.span)
                    .help(remedy!("give it a statement of its own")))
            }
            ExprKind::Str(_) | ExprKind::InitList(_) | ExprKind::Function(_) => {
                Err(Reason::new("value", "a value that is no number", e.span))
            }
            ExprKind::Unmodelled(why) => Err(Reason::new("not-modelled", why.clone(), e.span)),
        }
    }

    /// An lvalue of scalar type: a variable or an element.
    fn place(&mut self, e: &Expr, read: bool, write: bool) -> Result<(), Reason> {
        if let Type::Other(what) = &e.ty {
            return Err(other_type(e, what));
        }
        if !effects::is_scalar(&e.ty) {
            return Err(Reason::new("pointer-value", "a pointer or aggregate is used as a value here", e.span)
                .help(remedy!("use elements here, a[i]; decide before the loop what depends on the pointer itself")));
        }
        let (v, subscripts) = subscripts(e).ok_or_else(|| {
            member_of_element(e).unwrap_or_else(|| {
                if matches!(e.kind, ExprKind::Member { .. }) {
                    return member(self.x.unit, e, &self.x.written);
                }
                Reason::new("place", "this element is reached in a way that is not modelled", e.span)
                    .help(remedy!("write it as a[i] or a[i][j] of one array"))
            })
        })?;
        let rank = rank(&self.x.unit.var(v).ty);
        if rank.is_none() {
            return Err(Reason::new(
                "row-pointers",
                format!("`{}` has pointers behind rows of its own", self.x.unit.var(v).name),
                e.span,
            )
            .help(remedy!("store its rows one behind the other, as `double (*a)[m] = malloc(n * sizeof *a)`")));
        }
        if rank != Some(subscripts.len()) {
            return Err(Reason::new("place", "this is a part of an array, not an element", e.span));
        }
        subscripts.iter().try_for_each(|s| self.value(s))?;
        volatile(self.x.unit, v, e.span)?;
        if self.internal.contains(&v) || (subscripts.is_empty() && self.is_constant_here(v)) {
            return Ok(());
        }
        let is_scalar = subscripts.is_empty();
        let subscripts: Vec<Expr> = subscripts.into_iter().cloned().collect();
        if read && !self.set_here.contains(&v) {
            self.record(v, AccessKind::Read, subscripts.clone(), e.span);
        }
        if write {
            let kind = if self.conditional { AccessKind::MayWrite } else { AccessKind::MustWrite };
            self.record(v, kind, subscripts, e.span);
        }
        if write && is_scalar {
            self.set_here.insert(v);
        }
        Ok(())
    }

    /// Counters in scope and scalars that the part never assigns are values, not data.
    fn is_constant_here(&mut self, v: VarId) -> bool {
        let reader = self.x.reader();
        reader.counters.contains(&v) || !reader.written.contains(&v)
    }

    /// The subscripts over counters of the statement's own loops, values that the data choose and, beside others, subscripts
    /// that only the data know; with what must hold for them. A row is looked for among what loops are held to where it is not
    /// known without that: behind it, C holds subscripts to their row.
    fn reached(&mut self, subscripts: &[Expr]) -> (Option<Vec<Poly>>, Option<Reach>, Vec<Poly>) {
        let (mut known, mut obligations) = self.read(subscripts, &[]);
        let mut bounded = vec![];
        if known.first().is_some_and(Option::is_none) && !self.bounded.is_empty() {
            let all = self.bounded.clone();
            let (found, needed) = self.read(subscripts, &all);
            if found.first().is_some_and(Option::is_some) {
                let is_in = |b: &Bounded| found.iter().flatten().any(|p| p.uses(b.inside.var));
                bounded.extend(all.into_iter().filter(is_in));
                (known, obligations) = (found, needed);
            }
        }
        // Where the row is unknown, columns are apart, but often few: updates of all rows at once are for more threads.
        let has_row = known.first().is_some_and(Option::is_some);
        if known.iter().any(Option::is_none) && (!has_row || may_leave_row(&known)) {
            return (None, None, vec![]);
        }
        let (mut unknown, mut index) = (vec![], vec![]);
        for (k, p) in known.into_iter().enumerate() {
            let symbol = VarId(u32::MAX - k as u32);
            unknown.extend(p.is_none().then_some(Unknown { symbol, length: None }));
            index.push(p.unwrap_or_else(|| Poly::sym(Sym::Counter(symbol))));
        }
        let is_in = |v: &VarId| index.iter().any(|p| p.uses(*v));
        let mut chosen: Vec<Vec<Loop>> =
            self.ranges.iter().filter(|(v, _)| is_in(v)).map(|(_, range)| range.clone()).collect();
        for b in bounded {
            obligations.extend(b.owed);
            chosen.push(vec![b.inside]);
        }
        let reach = Reach { index: vec![], loops: self.counted.clone(), chosen, unknown, obligations: vec![] };
        (Some(index), Some(reach), obligations)
    }

    /// The subscripts that are known, and what must hold for them.
    fn read(&mut self, subscripts: &[Expr], bounded: &[Bounded]) -> (Vec<Option<Poly>>, Vec<Poly>) {
        let mut reader = self.x.reader();
        reader.counters.extend(self.counted.iter().map(|l| l.var).chain(self.ranges.keys().copied()));
        reader.counters.extend(bounded.iter().map(|b| b.inside.var));
        let mut read = |s: &Expr| {
            let n_obligations = reader.obligations.len();
            let p = reader.poly(s);
            // What could not be read needs nothing to hold.
            reader.obligations.truncate(if p.is_some() { reader.obligations.len() } else { n_obligations });
            p
        };
        let known = subscripts.iter().map(&mut read).collect();
        (known, std::mem::take(&mut reader.obligations))
    }

    fn record(&mut self, data: VarId, kind: AccessKind, subscripts: Vec<Expr>, span: Span) {
        let mut reader = self.x.reader();
        let index: Option<Vec<Poly>> = subscripts.iter().map(|s| reader.poly(s)).collect();
        let mut obligations = std::mem::take(&mut reader.obligations);
        let (mut index, mut reach) = (index, None);
        if index.is_none() {
            (index, reach, obligations) = self.reached(&subscripts);
        }
        let known = self.known.clone();
        self.out.push(Access {
            data,
            kind,
            index,
            reach,
            observed: vec![],
            subscripts,
            obligations,
            known,
            surely: true,
            span,
        });
    }
}

/// Subscripts of which the first that are known are all zero: `x[0][k]` may be a way to go through all of `x`.
fn may_leave_row(index: &[Option<Poly>]) -> bool {
    let is_zero = |p: &Option<Poly>| p.as_ref().is_some_and(|p| p.as_constant() == Some(0));
    index.iter().skip_while(|p| is_zero(p)).all(Option::is_none)
}

/// That there is a value in a range.
fn some(range: &[Loop]) -> Option<Condition> {
    let [l] = range else { return None };
    let more = |limit: &Poly| Some(Condition::Compare(limit.plus(&l.first, -1)?, Relation::Gt));
    let all = l.limits.iter().map(more).collect::<Option<Vec<_>>>()?;
    all.into_iter().filter(|_| l.step > 0).reduce(|a, b| Condition::And(Box::new(a), Box::new(b)))
}

/// `s.x`, `p->x`, `p->q.x`: a member that can be handed over by value.
pub(super) fn is_plain_member(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Member { base, .. } => is_plain_member(base),
        ExprKind::Var(_) => true,
        _ => false,
    }
}

/// Why the member of a structure in an array cannot be used, if it is one.
fn member_of_element(e: &Expr) -> Option<Reason> {
    let ty = match &e.kind {
        ExprKind::Member { base, .. } if matches!(base.kind, ExprKind::Index(..)) => &base.ty,
        ExprKind::Index(base, _) | ExprKind::Member { base, .. } => return member_of_element(base),
        _ => return None,
    };
    let message = "this is a member of a structure in an array, which is not modelled here";
    matches!(ty, Type::Struct(_))
        .then(|| Reason::new("structure", message, e.span).help(remedy!("give each member an array of its own")))
}

/// A variable that others may change at any time is none of a region's.
fn volatile(unit: &Unit, v: VarId, at: Span) -> Result<(), Reason> {
    match unit.var(v).is_volatile {
        true => Err(Reason::new("volatile", format!("`{}` is volatile", unit.var(v).name), at)),
        false => Ok(()),
    }
}
