//! What statements do to the elements of one array, as one equation.
//!
//! ```text
//! t = 0;                                              c[i][j] = beta c[i][j]
//! for k < i: { c[k][j] += alpha*b[i][j]*a[i][k];                + alpha b[i][j] a[i][i]
//!              t += b[k][j]*a[i][k]; }           ->             + alpha b[k][j] a[i][k]     for k < i
//! c[i][j] = beta*c[i][j] + alpha*b[i][j]*a[i][i] + alpha*t;     c[k][j] += alpha b[i][j] a[i][k]   for k < i
//! ```
//! A variable that sums within an iteration gives way to what it sums. Sums may be taken in any order; what scales an
//! element has to come before all that is added to it, or behind all of that, and this is asked of the part's own order
//! of instances (`poly::order::later`), so that loop order and distribution do not matter.

use super::factors::{Term, terms};
use super::view::load;
use super::{Scale, is_known, is_zero};
use crate::ast::{BinOp, Expr, ExprKind, StmtKind, VarId};
use crate::isl::Dim;
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::poly::order::later;
use crate::region::{Access, LoopId, StmtId, Tree};
use crate::schedule::parallel::Analysis;

/// A product of elements and known values; `stmt` reads it.
#[derive(Debug, Clone)]
pub struct Product<'a> {
    pub stmt: StmtId,
    pub scale: Scale,
    pub loads: Vec<&'a Access>,
    /// Variables of the statements that are factors of it.
    sums: Vec<VarId>,
}

/// `target = (kept * target + the terms) / divisor`
#[derive(Debug, Clone)]
struct Update<'a> {
    stmt: StmtId,
    target: Target<'a>,
    /// `None` where it is overwritten.
    kept: Option<Product<'a>>,
    terms: Vec<Product<'a>>,
    divisor: Option<&'a Access>,
}

#[derive(Debug, Clone, Copy)]
enum Target<'a> {
    Element(&'a Access),
    Variable(VarId),
}

/// `target = (kept * target + the sum of the products) / divisor`, over all that the statements run for.
#[derive(Debug, Clone)]
pub struct Equation<'a> {
    pub data: VarId,
    /// What is there before has this factor; `None` where nothing of it is kept.
    pub kept: Option<Product<'a>>,
    /// Where that is not one: the statement that scales or sets, by its element.
    pub set: Option<(StmtId, &'a Access)>,
    pub products: Vec<(Product<'a>, &'a Access)>,
    pub divisor: Option<(StmtId, &'a Access, &'a Access)>,
    /// All statements that write the target, with the element.
    pub writes: Vec<(StmtId, &'a Access)>,
}

/// The equation of some statements, below loops that count nothing here; `None` where there is none.
pub fn equation<'a>(a: &'a Analysis, stmts: &[StmtId], outer: &[LoopId]) -> Result<Option<Equation<'a>>, Failure> {
    let reader = Reader { a, stmts, outer };
    let Some(updates) = reader.updates() else { return Ok(None) };
    let Some(updates) = reader.without_variables(&updates) else { return Ok(None) };
    reader.joined(updates)
}

/// Questions to the order of a part's instances.
pub struct Order<'a> {
    pub a: &'a Analysis<'a>,
    pub outer: &'a [LoopId],
}

impl Order<'_> {
    /// Test that no instance of the first touches an element by that access before one of the second does by its own.
    pub fn never(&self, first: (StmtId, &Access), second: (StmtId, &Access)) -> Result<bool, Failure> {
        let (Some(x), Some(y)) = (self.map(first), self.map(second)) else { return Ok(false) };
        let mut pairs = x.apply_range(&y.reverse()?)?;
        for l in self.outer {
            if let (Some(i), Some(j)) = (level_of(self.a.part, first.0, *l), level_of(self.a.part, second.0, *l)) {
                pairs = pairs.equate(Dim::In, i, Dim::Out, j)?;
            }
        }
        Ok(later(self.a.part, &pairs)?.is_empty()?)
    }

    /// Test that two instances that touch the same element count the same in those loops.
    pub fn is_apart(&self, (stmt, access): (StmtId, &Access), loops: &[LoopId]) -> Result<bool, Failure> {
        let Some(map) = self.map((stmt, access)) else { return Ok(false) };
        let mut pairs = map.apply_range(&map.reverse()?)?;
        for l in self.outer.iter().filter_map(|l| level_of(self.a.part, stmt, *l)) {
            pairs = pairs.equate(Dim::In, l, Dim::Out, l)?;
        }
        let mut same = pairs.clone();
        for l in loops.iter().filter_map(|l| level_of(self.a.part, stmt, *l)) {
            same = same.equate(Dim::In, l, Dim::Out, l)?;
        }
        Ok(pairs.is_subset(&same)?)
    }

    fn map(&self, (stmt, access): (StmtId, &Access)) -> Option<&crate::isl::Map> {
        let at = self.a.part.stmt(stmt).accesses.iter().position(|x| std::ptr::eq(x, access))?;
        access.index.as_ref().map(|_| &self.a.scop.accesses[stmt.0][at])
    }
}

struct Reader<'a, 'b> {
    a: &'a Analysis<'a>,
    stmts: &'b [StmtId],
    outer: &'b [LoopId],
}

impl<'a> Reader<'a, '_> {
    fn updates(&self) -> Option<Vec<Update<'a>>> {
        let mut out = vec![];
        for &id in self.stmts {
            let stmt = self.a.part.stmt(id);
            if !stmt.guards.is_empty() || stmt.has_loop {
                return None;
            }
            match &stmt.body.kind {
                StmtKind::Decl(ds) => match ds.as_slice() {
                    [] => {}
                    all if all.iter().all(|d| d.init.is_none()) => {}
                    [d] => out.push(self.set(id, Target::Variable(d.var), d.init.as_ref()?)?),
                    _ => return None,
                },
                StmtKind::Expr(e) => out.push(self.assignment(id, e)?),
                _ => return None,
            }
        }
        Some(out)
    }

    fn assignment(&self, id: StmtId, e: &'a Expr) -> Option<Update<'a>> {
        let ExprKind::Assign { op, target, value } = &e.kind else { return None };
        let place = match &target.kind {
            ExprKind::Var(v) => Target::Variable(*v),
            _ => Target::Element(load(self.a.part.stmt(id), target)?),
        };
        if value.ty != target.ty && !is_zero(value) {
            return None;
        }
        let one = || Product { stmt: id, scale: Scale::default(), loads: vec![], sums: vec![] };
        let mut update = Update { stmt: id, target: place, kept: Some(one()), terms: vec![], divisor: None };
        match op {
            None => return self.set(id, place, value),
            Some(BinOp::Add | BinOp::Sub) => {
                let products = terms(value).into_iter().map(|t| self.product(id, t));
                update.terms = products.collect::<Option<_>>()?;
                let flip = *op == Some(BinOp::Sub);
                update.terms.iter_mut().for_each(|t| t.scale.is_negative ^= flip);
            }
            Some(BinOp::Mul) => {
                let [term] = terms(value).try_into().ok()?;
                update.kept = Some(self.product(id, term)?);
            }
            Some(BinOp::Div) => update.divisor = Some(load(self.a.part.stmt(id), value)?),
            Some(_) => return None,
        }
        Some(update)
    }

    /// `target = value`, where the value may have the target in it.
    fn set(&self, id: StmtId, target: Target<'a>, value: &'a Expr) -> Option<Update<'a>> {
        let stmt = self.a.part.stmt(id);
        let mut update = Update { stmt: id, target, kept: None, terms: vec![], divisor: None };
        let mut value = value;
        if let ExprKind::Binary(BinOp::Div, number, divisor) = &value.kind
            && number.ty == value.ty
            && let Some(divisor) = load(stmt, divisor)
        {
            (value, update.divisor) = (number, Some(divisor));
        }
        if is_zero(value) {
            return Some(update);
        }
        for term in terms(value) {
            let mut product = self.product(id, term)?;
            let is_own = |x: &&Access| match target {
                Target::Element(t) => x.data == t.data && x.subscripts == t.subscripts,
                Target::Variable(_) => false,
            };
            let own = product.loads.iter().position(is_own);
            let own_sum = match target {
                Target::Variable(v) => product.sums.iter().position(|s| *s == v),
                Target::Element(_) => None,
            };
            match (own, own_sum) {
                (None, None) => update.terms.push(product),
                _ if update.kept.is_some() => return None,
                (Some(at), _) => {
                    product.loads.remove(at);
                    update.kept = Some(product);
                }
                (_, Some(at)) => {
                    product.sums.remove(at);
                    update.kept = Some(product);
                }
            }
        }
        Some(update)
    }

    fn product(&self, id: StmtId, term: Term<'a>) -> Option<Product<'a>> {
        let mut out = Product { stmt: id, scale: Scale::default(), loads: vec![], sums: vec![] };
        out.scale.is_negative = term.is_negative;
        for f in term.factors {
            match (&f.kind, load(self.a.part.stmt(id), f)) {
                (_, Some(x)) => out.loads.push(x),
                (ExprKind::Var(v), _) if self.a.part.data.contains_key(v) => out.sums.push(*v),
                _ if is_known(self.a, self.stmts, f) => out.scale.factors.push(f.clone()),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The updates of elements, with what variables sum in the place of these.
    fn without_variables(&self, all: &[Update<'a>]) -> Option<Vec<Update<'a>>> {
        let (mut out, mut opened) = (vec![], vec![]);
        for update in all.iter().filter(|u| matches!(u.target, Target::Element(_))) {
            let mut terms = vec![];
            for term in &update.terms {
                let [v] = term.sums.as_slice() else {
                    terms.push(term.clone());
                    continue;
                };
                // One reader, so that what is added is added once.
                if opened.contains(v) || self.a.live_out.contains(v) {
                    return None;
                }
                opened.push(*v);
                for summed in self.summed(all, *v, update.stmt)? {
                    terms.push(Product {
                        scale: term.scale.times(&summed.scale),
                        loads: term.loads.iter().chain(&summed.loads).copied().collect(),
                        ..summed
                    });
                }
            }
            let is_open = |p: &Product| !p.sums.is_empty();
            if terms.iter().chain(&update.kept).any(is_open) {
                return None;
            }
            let mut update = Update { terms, ..update.clone() };
            self.keep(&mut update);
            out.push(update);
        }
        let is_read = |u: &Update| matches!(u.target, Target::Variable(v) if !opened.contains(&v));
        (!all.iter().any(is_read)).then_some(out)
    }

    /// A variable that begins as the element it is stored to keeps that.
    fn keep(&self, update: &mut Update<'a>) {
        let Target::Element(target) = update.target else { return };
        let loops = |s: StmtId| &self.a.part.stmt(s).loops;
        let is_own = |x: &&Access| x.data == target.data && x.index.is_some() && x.index == target.index;
        let own = |p: &Product<'a>| {
            let at = p.loads.iter().position(is_own)?;
            (p.stmt != update.stmt && loops(p.stmt) == loops(update.stmt)).then_some(at)
        };
        let Some((term, load)) = update.terms.iter().enumerate().find_map(|(i, p)| Some((i, own(p)?))) else { return };
        if update.kept.is_none() {
            let mut kept = update.terms.remove(term);
            kept.loads.remove(load);
            update.kept = Some(kept);
        }
    }

    /// What a variable holds when `reader` reads it: set before in the same iteration, then added to.
    fn summed(&self, all: &[Update<'a>], v: VarId, reader: StmtId) -> Option<Vec<Product<'a>>> {
        let text: Vec<StmtId> = self.a.part.tree.iter().flat_map(Tree::stmts).collect();
        let at = |s: StmtId| text.iter().position(|x| *x == s);
        let loops = |s: StmtId| &self.a.part.stmt(s).loops;
        let own: Vec<&Update> = all.iter().filter(|u| matches!(u.target, Target::Variable(x) if x == v)).collect();
        let (first, adds) = own.split_first()?;
        let is_one = |p: &Product| p.scale == Scale::default() && p.loads.is_empty() && p.sums.is_empty();
        let mut last = at(first.stmt)?;
        if first.kept.is_some() || first.divisor.is_some() || loops(first.stmt) != loops(reader) {
            return None;
        }
        for add in adds {
            let here = at(add.stmt)?;
            let is_sum = add.kept.as_ref().is_some_and(is_one) && add.divisor.is_none();
            if !is_sum || here <= last || !loops(add.stmt).starts_with(loops(reader)) {
                return None;
            }
            last = here;
        }
        let out: Vec<Product> = own.iter().flat_map(|u| u.terms.clone()).collect();
        (at(reader)? > last && out.iter().all(|p| p.sums.is_empty())).then_some(out)
    }

    /// The updates as one equation, if they are of one array and in an order that makes them one.
    fn joined(&self, updates: Vec<Update<'a>>) -> Result<Option<Equation<'a>>, Failure> {
        let order = Order { a: self.a, outer: self.outer };
        let place = |u: &Update<'a>| match u.target {
            Target::Element(x) => (u.stmt, x),
            Target::Variable(_) => unreachable!("variables have given way"),
        };
        let Some(first) = updates.first() else { return Ok(None) };
        let data = place(first).1.data;
        let is_one = |p: &Option<Product>| {
            p.as_ref().is_some_and(|p| p.scale == Scale::default() && p.loads.is_empty() && p.sums.is_empty())
        };
        let one = Product { stmt: first.stmt, scale: Scale::default(), loads: vec![], sums: vec![] };
        let mut out = Equation { data, kept: Some(one), set: None, products: vec![], divisor: None, writes: vec![] };
        out.writes = updates.iter().map(place).collect();
        if out.writes.iter().any(|(_, x)| x.data != data) {
            return Ok(None);
        }
        let is_read_apart = |u: &Update| u.kept.as_ref().is_some_and(|kept| kept.stmt != u.stmt);
        if updates.len() > 1 && updates.iter().any(is_read_apart) {
            return Ok(None);
        }
        let set: Vec<&Update> = updates.iter().filter(|u| !is_one(&u.kept)).collect();
        let divided: Vec<&Update> = updates.iter().filter(|u| u.divisor.is_some()).collect();
        if set.len() > 1 || divided.len() > 1 {
            return Ok(None);
        }
        let rest = |x: &Update| updates.iter().filter(|u| u.stmt != x.stmt).map(place).collect::<Vec<_>>();
        let is_first = |x: &Update<'a>| all(rest(x), |other| order.never(other, place(x)));
        let is_last = |x: &Update<'a>| all(rest(x), |other| order.never(place(x), other));
        let mut factor = Scale::default();
        if let Some(x) = set.first() {
            out.set = Some(place(x));
            out.kept.clone_from(&x.kept);
            if !is_first(x)? {
                let by = x.kept.as_ref().filter(|kept| kept.loads.is_empty() && x.divisor.is_none());
                let Some(by) = by.filter(|_| x.terms.is_empty()) else { return Ok(None) };
                if !is_last(x)? {
                    return Ok(None);
                }
                factor = by.scale.clone();
            }
        }
        if let Some(x) = divided.first() {
            out.divisor = x.divisor.map(|by| (x.stmt, place(x).1, by));
            if !is_last(x)? {
                return Ok(None);
            }
        }
        for u in &updates {
            let own = if set.iter().any(|x| x.stmt == u.stmt) { Scale::default() } else { factor.clone() };
            let products = u.terms.iter().map(|p| Product { scale: own.times(&p.scale), ..p.clone() });
            out.products.extend(products.map(|p| (p, place(u).1)));
        }
        Ok(Some(out))
    }
}

fn all<T>(items: Vec<T>, f: impl Fn(T) -> Result<bool, Failure>) -> Result<bool, Failure> {
    for x in items {
        if !f(x)? {
            return Ok(false);
        }
    }
    Ok(true)
}
