//! The entries of a sparse matrix as C walks through them, and where what is read of them lies.
//!
//! ```text
//! int end = start[i + 1];                           counter p, from start[i] up to start[i + 1];
//! for (int p = start[i]; p < end; p++) {     ->     s += value[p] * x[column[p]]
//!     double v = value[p]; s += v * x[column[p]]; }
//! x[column[p] * ld + c - 1]                         first -1, ld along the element of `column` at p, 1 along c
//! ```
//! An element of an index array in a subscript stands for a number of its own: the position of what is subscripted is a
//! polynomial in it.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::symbolic::{Poly, Reader, Sym};
use crate::facts::{arrays, effects, reduction};
use crate::library::contraction::Parts;
use crate::library::view::{View, is};
use crate::region::{Access, Loop, Statement, StaticPart};
use std::collections::BTreeSet;

/// Where the entries of a row begin and end.
pub struct Bounds {
    counter: VarId,
    begin: Expr,
    end: Expr,
    /// Flag: the last one is `end` itself.
    is_closed: bool,
}

/// A loop over entries, or one entry.
pub struct Entries {
    bounds: Option<Bounds>,
    /// What is done for each.
    body: Stmt,
    /// Variables that stand for a value, with it.
    values: Vec<(VarId, Expr)>,
    /// Variables that the loop sets.
    own: BTreeSet<VarId>,
}

impl Entries {
    /// A loop whose bounds are not those of counters and sizes.
    pub fn of_loop(unit: &Unit, s: &Stmt) -> Option<Entries> {
        let StmtKind::For { init, cond, step, body } = &s.kind else { return None };
        let (counter, begin) = match &init.as_deref()?.kind {
            StmtKind::Decl(ds) if ds.len() == 1 => (ds[0].var, ds[0].init.clone()?),
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
                ExprKind::Var(v) => (v, (**value).clone()),
                _ => return None,
            },
            _ => return None,
        };
        let ExprKind::Binary(op, a, b) = &cond.as_ref()?.kind else { return None };
        let (end, is_closed) = match (op, uncast(a).is_var(counter), uncast(b).is_var(counter)) {
            (BinOp::Lt | BinOp::Le, true, false) => (b, *op == BinOp::Le),
            (BinOp::Gt | BinOp::Ge, false, true) => (a, *op == BinOp::Ge),
            _ => return None,
        };
        if !goes_up(step.as_ref()?, counter) || effects::assigned([&**body]).contains(&counter) {
            return None;
        }
        let bounds = Bounds { counter, begin, end: uncast(end).clone(), is_closed };
        let values = values_in(unit, body);
        let own = effects::assigned([s]).union(&effects::declared([s])).copied().collect();
        Some(Entries { bounds: Some(bounds), body: (**body).clone(), values, own })
    }

    /// One entry, where the entries are counted by a loop of the nest.
    pub fn of_statement(s: &Statement) -> Option<Entries> {
        s.reduction.as_ref()?;
        Some(Entries { bounds: None, body: s.body.clone(), values: vec![], own: BTreeSet::new() })
    }

    /// Takes a value that is computed before for the bounds of the loop, or for the one entry; whether it is one.
    pub fn see_through(&mut self, unit: &Unit, s: &Statement) -> bool {
        let (v, value) = match &s.body.kind {
            StmtKind::Decl(ds) if ds.len() == 1 => match &ds[0].init {
                Some(value) => (ds[0].var, value),
                None => return false,
            },
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => match target.kind {
                ExprKind::Var(v) => (v, &**value),
                _ => return false,
            },
            _ => return false,
        };
        let value = converted(unit, v, value);
        let Some(Bounds { begin, end, .. }) = &mut self.bounds else {
            self.values.push((v, value));
            return true;
        };
        if !begin.mentions(v) && !end.mentions(v) || !effects::places([&self.body], v).is_empty() {
            return false;
        }
        begin.replace(v, &value);
        end.replace(v, &value);
        true
    }

    /// The bounds of the loop, if it is one.
    pub fn bounds(&self) -> Option<&Bounds> {
        self.bounds.as_ref()
    }

    /// The counter of the loop.
    pub fn counter(&self) -> Option<VarId> {
        self.bounds.as_ref().map(|b| b.counter)
    }

    /// An expression of the body, seen through the variables that the body sets.
    pub fn seen(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        self.values.iter().rev().for_each(|(v, value)| e.replace(*v, value));
        e
    }

    /// Test that a variable that the loop sets is in an expression.
    pub fn sets_any_of(&self, e: &Expr) -> bool {
        self.own.iter().any(|v| e.mentions(*v))
    }

    /// Test that it looks like products with a sparse matrix: elements of arrays are multiplied, and the bounds of the loop,
    /// or a subscript, are elements of an array of integers.
    pub fn seem_sparse(&self, part: &StaticPart) -> bool {
        let mut multiplies = false;
        self.body.walk(&mut |piece| {
            if let Piece::Expr(e) = piece {
                multiplies |=
                    matches!(&e.kind, ExprKind::Assign { value, .. } if multiplies_elements(&self.seen(value)));
            }
        });
        let is_by_element = |e: &Expr| {
            let mut found = false;
            e.walk(&mut |x| found |= is_index_element(x, part));
            found
        };
        let mut by_index = self.bounds.as_ref().is_some_and(|b| is_by_element(&b.begin) && is_by_element(&b.end));
        if self.bounds.is_none() {
            self.body.exprs(&mut |e| by_index |= is_by_element(&self.seen(e)));
        }
        multiplies && by_index
    }
}

/// Scalars that a body declares before its last statement, with their values.
fn values_in(unit: &Unit, body: &Stmt) -> Vec<(VarId, Expr)> {
    let list = match &body.kind {
        StmtKind::For { body, .. } => return values_in(unit, body),
        StmtKind::Block(list) => list,
        _ => return vec![],
    };
    let Some(update) = reduction::updates_in(body) else { return vec![] };
    let assigned = effects::assigned([update]);
    let declarators = list.iter().flat_map(|s| match &s.kind {
        StmtKind::Decl(ds) => ds.as_slice(),
        _ => &[],
    });
    let value = |d: &Declarator| Some((d.var, converted(unit, d.var, d.init.as_ref()?)));
    let own = declarators.filter(|d| !assigned.contains(&d.var)).filter_map(value);
    own.chain(list.last().into_iter().flat_map(|s| values_in(unit, s))).collect()
}

/// A value as a variable holds it.
fn converted(unit: &Unit, v: VarId, e: &Expr) -> Expr {
    match &unit.var(v).ty {
        ty if *ty == e.ty => e.clone(),
        ty => Expr { kind: ExprKind::Cast(Box::new(e.clone())), ty: ty.clone(), span: e.span },
    }
}

/// Test that the counter moves by one.
fn goes_up(step: &Expr, counter: VarId) -> bool {
    let is_one = |e: &Expr| matches!(uncast(e).kind, ExprKind::Int(1));
    match &step.kind {
        ExprKind::IncDec { inc: true, target, .. } => target.is_var(counter),
        ExprKind::Assign { op: Some(BinOp::Add), target, value } => target.is_var(counter) && is_one(value),
        ExprKind::Assign { op: None, target, value } => match &uncast(value).kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                let is_next = |a: &Expr, b: &Expr| uncast(a).is_var(counter) && is_one(b);
                target.is_var(counter) && (is_next(a, b) || is_next(b, a))
            }
            _ => false,
        },
        _ => false,
    }
}

/// What a conversion to a wider integer is of.
fn uncast(e: &Expr) -> &Expr {
    match (&e.kind, &e.ty) {
        (ExprKind::Cast(inner), Type::Int(to)) => match inner.ty {
            Type::Int(from) if from.bits() <= to.bits() && from.is_unsigned() == to.is_unsigned() => uncast(inner),
            _ => e,
        },
        _ => e,
    }
}

/// Test that it is an element of an array of integers.
fn is_index_element(e: &Expr, part: &StaticPart) -> bool {
    let is_array = |v: VarId| part.data.get(&v).is_some_and(|d| d.shape.c_rank > 0);
    matches!(e.ty, Type::Int(_)) && arrays::subscripts(e).is_some_and(|(v, at)| !at.is_empty() && is_array(v))
}

/// An element, by its position.
#[derive(Debug, Clone)]
pub struct Place {
    pub data: VarId,
    /// Over the counters, and the variable of the index array in the place of its element.
    at: Poly,
    /// The element of an index array that its position depends on.
    pub index: Option<Box<Place>>,
}

/// Reads places in a nest.
pub struct Places<'p> {
    part: &'p StaticPart,
    parts: &'p Parts<'p>,
    /// The counters of the nest's axes, and of the loop within, and what they begin at.
    axes: Vec<(VarId, Poly)>,
    entry: Option<VarId>,
}

impl<'p> Places<'p> {
    /// Of that nest, whose entries are counted by that variable, if not by one of its axes, around a loop of its own.
    pub fn new(parts: &'p Parts<'p>, entry: Option<VarId>, own: Option<&Loop>) -> Self {
        let part = parts.a.part;
        let loops = parts.nest.axes.iter().map(|x| part.get_loop(x[0])).chain(own);
        Places { part, parts, axes: loops.map(|l| (l.var, l.first.clone())).collect(), entry }
    }

    /// Where an element lies; `None` where its subscripts are no polynomials, or of more than one index.
    pub fn of(&self, e: &Expr) -> Option<Place> {
        let (data, subscripts) = arrays::subscripts(e)?;
        let mut found: Vec<Place> = vec![];
        let mut opaque = false;
        let mut at = vec![];
        for s in subscripts {
            let mut s = s.clone();
            s.rewrite(&mut |x| {
                if is_index_element(x, self.part) {
                    match self.of(x) {
                        Some(place) if found.is_empty() => {
                            *x = Expr { kind: ExprKind::Var(place.data), ty: x.ty.clone(), span: x.span };
                            found.push(place);
                        }
                        _ => opaque = true,
                    }
                }
            });
            at.push(self.poly(&s, found.last().map(|p| p.data))?);
        }
        let shape = &self.part.data.get(&data)?.shape;
        let at = (at.len() == shape.c_rank).then(|| shape.position_in_c(&at))??;
        (!opaque).then(|| Place { data, at, index: found.pop().map(Box::new) })
    }

    /// Where an access of the nest's own loops lies.
    pub fn of_access(&self, x: &Access) -> Option<Place> {
        let at = self.part.data[&x.data].shape.position(x.index.as_ref()?)?;
        Some(Place { data: x.data, at, index: None })
    }

    /// The polynomial of an integer expression over counters, entry, sizes that the part knows already, and an index.
    fn poly(&self, e: &Expr, index: Option<VarId>) -> Option<Poly> {
        let written: BTreeSet<VarId> = self.part.data.keys().copied().collect();
        let mut params = self.part.params.clone();
        let counters = self.axes.iter().map(|(v, _)| *v).chain(self.entry).chain(index).collect();
        let unit = self.parts.a.unit;
        let mut reader = Reader { unit, counters, written: &written, params: &mut params, obligations: vec![] };
        let poly = reader.poly(e)?;
        let is_known = reader.obligations.is_empty() && params.list.len() == self.part.params.list.len();
        is_known.then_some(poly)
    }

    /// Its distances along the axes, the entries of a row, and the numbers in its index array.
    pub fn view(&self, place: &Place) -> Option<View> {
        let stands = [self.entry, place.index.as_ref().map(|i| i.data)];
        let begun: Vec<_> = stands.iter().flatten().map(|v| (*v, Poly::default())).collect();
        let mut view = View::along(place.data, place.at.clone(), &[self.axes.clone(), begun].concat())?;
        let n = self.axes.len();
        for (k, _) in stands.iter().enumerate().filter(|(_, s)| s.is_none()) {
            view.along.insert(n + k, Poly::default());
        }
        Some(view)
    }

    /// Test that an element belongs to the entry itself: there is no index in its subscripts, and it moves with the entry.
    pub fn is_by_entry(&self, place: &Place) -> bool {
        let has_entry = |v: VarId| place.at.uses(v);
        match (&place.index, self.entry) {
            (Some(_), _) => false,
            (None, Some(entry)) => has_entry(entry),
            // Of triplets, what is read beside it has an index of its own.
            (None, None) => true,
        }
    }

    /// The element of the first pointer, and the number that is added to a pointer to get to its entry.
    pub fn pointers(&self, b: &Bounds) -> Result<(View, Poly), String> {
        let differs = "its bounds are not neighbouring elements of one array";
        let bound = |e: &Expr| -> Option<(View, Poly)> {
            let mut e = e.clone();
            let mut found: Vec<Place> = vec![];
            let mut opaque = false;
            e.rewrite(&mut |x| {
                if is_index_element(x, self.part) {
                    match self.of(x) {
                        Some(place) => {
                            *x = Expr { kind: ExprKind::Var(place.data), ty: x.ty.clone(), span: x.span };
                            found.push(place);
                        }
                        None => opaque = true,
                    }
                }
            });
            let [place] = found.as_slice() else { return None };
            let offset = self.poly(&e, Some(place.data))?.plus(&Poly::sym(Sym::Counter(place.data)), -1)?;
            let is_free = !offset.uses(place.data) && self.axes.iter().all(|(v, _)| !offset.uses(*v));
            let view = self.view(place).filter(|_| is_free && !opaque && place.index.is_none())?;
            Some((view, offset))
        };
        let (first, offset) = bound(&b.begin).ok_or(differs)?;
        let (last, mut end) = bound(&b.end).ok_or(differs)?;
        if b.is_closed {
            end = end.plus(&Poly::constant(1), 1).ok_or(differs)?;
        }
        let is_next = last.first.plus(&first.first, -1).is_some_and(|d| is(&d, 1));
        if first.data != last.data || first.along != last.along || !is_next || end != offset {
            return Err(differs.into());
        }
        Ok((first, offset))
    }
}

/// Test for a product of two elements of arrays.
fn multiplies_elements(e: &Expr) -> bool {
    let is_element = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |x| found |= matches!(x.kind, ExprKind::Index(..)));
        found
    };
    let mut found = false;
    e.walk(&mut |x| {
        if let ExprKind::Binary(crate::ast::BinOp::Mul, a, b) = &x.kind {
            found |= matches!(x.ty, Type::Float(_)) && is_element(a) && is_element(b);
        }
    });
    found
}
