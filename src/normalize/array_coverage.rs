//! Coverage of an array: elements that a nest sets, each of them once, and the iteration that sets the one at another place.
//!
//! ```text
//! for (k = kk; k < kk + t; k++)               b[j - jj][k' - kk], behind it, is what iteration (k', j) sets, where
//!     for (j = jj; j < jj + t; j++)    ->     kk <= k' < kk + t and jj <= j < jj + t are shown
//!         b[j - jj][k - kk] = ...;
//! ```
//! The place follows from the subscripts: each counter of the nest stands in one dimension, so that the other way round it
//! follows from the place. In a row of numbers dimensions are told apart by their strides, `i + (t + 12) * k`, where each
//! stays within the next one's. All of that isl shows, for whatever the parameters are.

use crate::ast::build::ast_builder::{binary, converted, integer};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::header::{self, For, first_value};
use crate::facts::symbolic::{Monomial, ParamId, Params, Poly, Reader, Sym};
use crate::isl::{Ctx, Set};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Work of isl for the places of one statement.
const OPERATIONS: u64 = 200_000;

/// Values of a nest's counters.
pub type Iteration = BTreeMap<VarId, Poly>;

/// Statements in which variables that they do not change have one value each.
pub struct Scope<'a> {
    unit: &'a Unit,
    written: BTreeSet<VarId>,
    moving: &'a BTreeSet<VarId>,
    params: Params,
    ctx: Ctx,
    /// Conditions that could not be shown, and have to hold, in C.
    conditions: Vec<Expr>,
}

/// Counters of the loops around a place, and what is not negative there.
#[derive(Clone, Default)]
pub struct Frame {
    counters: Vec<VarId>,
    bounds: Vec<Poly>,
    /// Its iterations are those within the bounds, each of them.
    is_exact: bool,
}

/// Distance between elements next to each other along a dimension.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Stride {
    factor: Monomial,
    times: i64,
}

/// A place in an array, outermost dimension first, and the lengths of all dimensions but that one.
struct Place {
    at: Vec<Poly>,
    inner: Vec<Poly>,
}

/// Places that a nest sets.
pub struct Cover {
    frame: Frame,
    /// Of the first subscript, smallest first.
    strides: Vec<Stride>,
    place: Place,
}

impl<'a> Scope<'a> {
    /// `taken`: variables that may change in ways that no text shows. `moving`: those that change around the statements.
    pub fn new(unit: &'a Unit, stmts: &[Stmt], taken: &BTreeSet<VarId>, moving: &'a BTreeSet<VarId>) -> Scope<'a> {
        let mut written = effects::assigned(stmts);
        written.extend(taken);
        Scope { unit, written, params: Params::default(), moving, ctx: Ctx::with_limit(OPERATIONS), conditions: vec![] }
    }

    /// Test for an expression whose variables all keep their values, but for those given.
    pub fn keeps(&self, e: &Expr, but: &dyn Fn(VarId) -> bool) -> bool {
        let mut keeps = true;
        e.walk(&mut |x| {
            let ExprKind::Var(v) = x.kind else { return };
            keeps &= but(v) || !self.written.contains(&v) && !self.unit.var(v).is_volatile;
        });
        keeps
    }

    /// The frame in a loop's body. Of a loop that is not understood only the counter is known.
    pub fn inside(&mut self, around: &Frame, s: &Stmt) -> Option<Frame> {
        let StmtKind::For { init: Some(init), cond, step, body } = &s.kind else { return None };
        let (counter, _) = first_value(init)?;
        let counts = matches!(self.unit.var(counter).ty, Type::Int(kind) if kind.bits() >= 32);
        if !counts || around.counters.contains(&counter) || effects::assigned([&**body]).contains(&counter) {
            return None;
        }
        let mut frame = around.clone();
        frame.counters.push(counter);
        let head = For { init: Some(init), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
        frame.is_exact = match self.header(around, &head) {
            Some((bounds, is_dense)) => {
                frame.bounds.extend(bounds);
                around.is_exact && is_dense
            }
            None => false,
        };
        Some(frame)
    }

    /// Polynomials that are not negative in the body of a loop, and a test that no value in between is left out.
    fn header(&mut self, around: &Frame, head: &For) -> Option<(Vec<Poly>, bool)> {
        let mut has_memory = false;
        let mut look = |e: &Expr| e.walk(&mut |x| has_memory |= effects::reads_memory(x));
        head.cond.into_iter().chain(head.step).for_each(&mut look);
        head.init.and_then(first_value).into_iter().for_each(|(_, e)| look(e));
        if has_memory {
            return None;
        }
        let mut reader = self.reader(around.counters.clone());
        let read = header::read(head, &mut reader).ok()?;
        let obligations = std::mem::take(&mut reader.obligations);
        let counter = Poly::sym(Sym::Counter(read.var));
        let (sign, lowest) = (read.step.signum(), [read.first].into_iter().chain(read.also_from));
        let from: Vec<Poly> = lowest.map(|p| difference(&counter, &p, sign)).collect::<Option<_>>()?;
        let mut begun = around.clone();
        begun.counters.push(read.var);
        begun.bounds.extend(from.iter().cloned());
        obligations.iter().all(|p| self.holds(&begun, p)).then_some(())?;
        let below = |p: &Poly| difference(p, &counter, sign)?.plus(&Poly::constant(1), -1);
        let to: Vec<Poly> = read.limits.iter().map(below).collect::<Option<_>>()?;
        Some(([from, to].concat(), read.step.abs() == 1))
    }

    fn reader(&mut self, counters: Vec<VarId>) -> Reader<'_> {
        let Scope { unit, written, params, .. } = self;
        Reader { unit, counters, written, params, obligations: vec![] }
    }

    /// The polynomial that an integer expression is wherever the frame leads.
    fn poly(&mut self, frame: &Frame, e: &Expr) -> Option<Poly> {
        let mut has_memory = false;
        e.walk(&mut |x| has_memory |= effects::reads_memory(x));
        if has_memory {
            return None;
        }
        let mut reader = self.reader(frame.counters.clone());
        let value = reader.poly(e)?;
        let obligations = std::mem::take(&mut reader.obligations);
        obligations.iter().all(|p| self.holds(frame, p)).then_some(value)
    }

    /// Proof that a polynomial is not negative anywhere in a frame.
    fn holds(&mut self, frame: &Frame, p: &Poly) -> bool {
        let Some(fails) = Poly::constant(-1).plus(p, -1) else { return false };
        p.is_affine() && self.is_empty(frame, &fails).unwrap_or(false)
    }

    /// Proof that two polynomials are the same anywhere in a frame.
    fn are_equal(&mut self, frame: &Frame, a: &Poly, b: &Poly) -> bool {
        a == b || [(a, b), (b, a)].into_iter().all(|(a, b)| difference(a, b, 1).is_some_and(|p| self.holds(frame, &p)))
    }

    /// Proof that `p` lies within `[0, length)`.
    fn is_within(&mut self, frame: &Frame, p: &Poly, length: &Poly) -> bool {
        let room = difference(length, p, 1).and_then(|room| room.plus(&Poly::constant(1), -1));
        self.holds(frame, p) && room.is_some_and(|room| self.holds(frame, &room))
    }

    fn is_empty(&mut self, frame: &Frame, also: &Poly) -> Option<bool> {
        let mut all: Vec<Poly> = frame.bounds.iter().filter(|p| p.is_affine()).cloned().collect();
        all.push(also.clone());
        let mut at = 0;
        // Parameters that stand for expressions bring others in.
        while at < self.params.list.len() {
            let expr = self.params.list[at].expr.clone();
            let own = Poly::sym(Sym::Param(ParamId(at as u32)));
            if is_unsigned(&expr.ty) {
                all.push(own.clone());
            }
            let mut reader = self.reader(vec![]);
            let value = reader.poly(&expr).filter(|_| reader.obligations.is_empty());
            if let Some(value) = value.filter(|p| p.is_affine() && *p != own) {
                all.extend([difference(&own, &value, 1)?, difference(&value, &own, 1)?]);
            }
            at += 1;
        }
        let unsigned = frame.counters.iter().filter(|v| is_unsigned(&self.unit.var(**v).ty));
        all.extend(unsigned.map(|v| Poly::sym(Sym::Counter(*v))));
        let name = |s: &Sym| match s {
            Sym::Counter(v) => format!("c{}", v.0),
            Sym::Param(p) => format!("p{}", p.0),
            Sym::Floor(..) => String::new(),
        };
        let params: Vec<String> = (0..self.params.list.len() as u32).map(|p| name(&Sym::Param(ParamId(p)))).collect();
        let counters: Vec<String> = frame.counters.iter().map(|v| name(&Sym::Counter(*v))).collect();
        let all: Vec<String> = all.iter().map(|p| format!("{} >= 0", p.isl(&name))).collect();
        let text = format!("[{}] -> {{ [{}] : {} }}", params.join(", "), counters.join(", "), all.join(" and "));
        Set::parse(&self.ctx, &text).and_then(|set| set.is_empty()).ok()
    }

    /// The subscripts of an element, and the lengths of all dimensions but the first.
    fn subscripts(&mut self, frame: &Frame, e: &Expr) -> Option<Place> {
        let (mut at, mut inner, mut array) = (vec![], vec![], e);
        while let ExprKind::Index(base, index) = &array.kind {
            at.push(self.poly(frame, index)?);
            if matches!(base.kind, ExprKind::Index(..)) {
                let Type::Array { len: Some(len), .. } = &base.ty else { return None };
                inner.push(self.poly(&Frame::default(), len)?);
            }
            array = base;
        }
        (matches!(array.kind, ExprKind::Var(_)) && e.ty.is_scalar()).then_some(())?;
        at.reverse();
        inner.reverse();
        Some(Place { at, inner })
    }

    /// A length within which a polynomial is that grows with a counter, if nothing around changes it.
    fn length(&mut self, frame: &Frame, p: &Poly) -> Option<Poly> {
        let counter = *frame.counters.iter().find(|v| p.coefficient(**v) == 1)?;
        let ends = frame.bounds.iter().filter(|end| end.coefficient(counter) == -1);
        let lengths = ends.filter_map(|end| end.plus(p, 1)?.plus(&Poly::constant(1), 1));
        let lengths: Vec<Poly> = lengths.filter(|p| p.is_parametric() && self.is_fixed(p)).collect();
        lengths.into_iter().find(|length| self.is_within(frame, p, length))
    }

    fn is_fixed(&self, p: &Poly) -> bool {
        let moves = |e: &Expr| self.moving.iter().any(|v| e.mentions(*v));
        !p.any(&|s| matches!(s, Sym::Param(p) if moves(&self.params.get(*p).expr)))
    }

    /// Proof that a subscript stays within a length, or what has to hold for that.
    fn stays(&mut self, frame: &Frame, p: &Poly, length: &Poly, span: Span) -> Option<()> {
        if self.is_within(frame, p, length) {
            return Some(());
        }
        let reached = self.length(frame, p)?;
        self.is_fixed(length).then_some(())?;
        let condition = binary(BinOp::Le, self.spelled(&reached, span)?, self.spelled(length, span)?);
        self.conditions.push(condition);
        Some(())
    }

    /// Conditions of all that was shown.
    pub fn conditions(self) -> Vec<Expr> {
        self.conditions
    }

    /// Proof that two elements of one array are the same one.
    pub fn is_same_place(&mut self, frame: &Frame, a: &Expr, b: &Expr) -> bool {
        let (Some(a_at), Some(b_at)) = (self.subscripts(frame, a), self.subscripts(frame, b)) else { return false };
        a.root() == b.root()
            && a_at.at.len() == b_at.at.len()
            && a_at.at.iter().zip(&b_at.at).all(|(a, b)| self.are_equal(frame, a, b))
    }

    /// A polynomial as C.
    pub fn spelled(&self, p: &Poly, span: Span) -> Option<Expr> {
        let mut sum: Option<Expr> = None;
        let mut terms: Vec<(&Monomial, &i64)> = p.terms.iter().collect();
        terms.sort_by_key(|(m, c)| (**c < 0, m.is_empty()));
        for (m, c) in terms {
            let mut product = (c.abs() != 1 || m.is_empty()).then(|| integer(c.abs(), span));
            for s in m {
                let factor = match s {
                    Sym::Counter(v) => self.unit.read(*v, span),
                    Sym::Param(p) => self.params.get(*p).expr.clone(),
                    Sym::Floor(..) => return None,
                };
                product = Some(match product {
                    Some(product) => binary(BinOp::Mul, product, factor),
                    None => factor,
                });
            }
            let first = sum.take().or_else(|| (*c < 0).then(|| integer(0, span)));
            let op = if *c < 0 { BinOp::Sub } else { BinOp::Add };
            sum = match first {
                Some(first) => Some(binary(op, first, product?)),
                None => product,
            };
        }
        Some(sum.unwrap_or_else(|| integer(0, span)))
    }

    /// An expression of one iteration of a nest, as seen from elsewhere.
    pub fn in_iteration(&self, e: &Expr, of: &Iteration) -> Option<Expr> {
        let mut values = BTreeMap::new();
        for (v, p) in of {
            values.insert(*v, converted(&self.spelled(p, e.span)?, &self.unit.var(*v).ty));
        }
        let mut e = e.clone();
        e.rewrite(&mut |e| {
            if let ExprKind::Var(v) = e.kind
                && let Some(value) = values.get(&v)
            {
                *e = value.clone();
            }
        });
        Some(e)
    }
}

impl Frame {
    /// No loop at all.
    pub fn outside() -> Frame {
        Frame { is_exact: true, ..Frame::default() }
    }

    /// Test for a counter of one of its loops.
    pub fn counts(&self, v: VarId) -> bool {
        self.counters.contains(&v)
    }
}

impl Cover {
    /// The elements that the statement in a nest sets, if it sets each of them once. `is_in_rows`: C's own subscripts stay
    /// in their rows.
    pub fn of(scope: &mut Scope, frame: &Frame, element: &Expr, is_in_rows: bool) -> Option<Cover> {
        let place = scope.subscripts(frame, element)?;
        let strides = strides(place.at.first()?, frame)?;
        let place = split(place, &strides)?;
        let cover = Cover { frame: frame.clone(), strides, place };
        let mut dims = BTreeSet::new();
        for v in &frame.counters {
            let of_counter: Vec<usize> = (0..cover.place.at.len()).filter(|d| cover.place.at[*d].uses(*v)).collect();
            let [dim] = of_counter[..] else { return None };
            let times = cover.place.at[dim].coefficient(*v);
            let rest = cover.place.at[dim].plus(&Poly::sym(Sym::Counter(*v)), -times)?;
            (times.abs() == 1 && rest.is_parametric() && dims.insert(dim)).then_some(())?;
        }
        let n_shown = if is_in_rows { cover.strides.len() - 1 } else { cover.place.inner.len() };
        frame.is_exact.then_some(())?;
        for (p, length) in cover.place.at[1..].iter().zip(&cover.place.inner).take(n_shown) {
            scope.stays(frame, p, length, element.span)?;
        }
        Some(cover)
    }

    /// The iteration that sets an element which stands in another frame, if one does whatever the values there are. Its
    /// subscripts are those of that iteration: they stay within the lengths.
    pub fn find(&self, scope: &mut Scope, frame: &Frame, element: &Expr) -> Option<Iteration> {
        let there = split(scope.subscripts(frame, element)?, &self.strides)?;
        let Place { at, inner } = &self.place;
        (there.at.len() == at.len() && there.inner == *inner).then_some(())?;
        let mut found = Iteration::new();
        for (here, there) in at.iter().zip(&there.at) {
            match self.frame.counters.iter().find(|v| here.uses(**v)) {
                Some(v) => {
                    let sign = here.coefficient(*v);
                    let rest = here.plus(&Poly::sym(Sym::Counter(*v)), -sign)?;
                    found.insert(*v, difference(there, &rest, sign)?);
                }
                None => scope.are_equal(frame, here, there).then_some(())?,
            }
        }
        for bound in &self.frame.bounds {
            let bound = bound.with(&found)?;
            scope.holds(frame, &bound).then_some(())?;
        }
        Some(found)
    }

    /// A number of elements, in C, among which are all that it sets, of an array that is a row of them.
    pub fn extent(&self, scope: &mut Scope, span: Span) -> Option<Expr> {
        let (top, stride) = (&self.place.at[0], self.strides.last()?);
        (self.place.at.len() == self.strides.len()).then_some(())?;
        let length = scope.length(&self.frame, top)?;
        let stride = Poly::term(stride.factor.clone(), stride.times);
        Some(binary(BinOp::Mul, scope.spelled(&length, span)?, scope.spelled(&stride, span)?))
    }
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if kind.is_unsigned() || *kind == IntKind::Bool)
}

/// `a - b`, or `b - a` where `sign` is negative.
fn difference(a: &Poly, b: &Poly, sign: i64) -> Option<Poly> {
    Poly::default().plus(a, sign)?.plus(b, -sign)
}

/// Factors of a frame's counters, smallest first, beginning with 1.
fn strides(p: &Poly, frame: &Frame) -> Option<Vec<Stride>> {
    let mut found = BTreeSet::from([(0, 1, vec![])]);
    for (m, c) in &p.terms {
        let is_counter = |s: &&Sym| matches!(s, Sym::Counter(v) if frame.counts(*v));
        if m.iter().any(|s| is_counter(&s)) {
            let factor: Monomial = m.iter().filter(|s| !is_counter(s)).cloned().collect();
            found.insert((factor.len(), c.checked_abs()?, factor));
        }
    }
    Some(found.into_iter().map(|(_, times, factor)| Stride { factor, times }).collect())
}

/// Factors of a product that are not those of another.
fn without(m: &Monomial, factor: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for s in factor {
        rest.remove(rest.iter().position(|x| x == s)?);
    }
    Some(rest)
}

/// A place with its first subscript taken apart by strides.
fn split(place: Place, strides: &[Stride]) -> Option<Place> {
    let mut digits = vec![Poly::default(); strides.len()];
    for (m, c) in &place.at.first()?.terms {
        let part = |s: &Stride| without(m, &s.factor).filter(|_| c % s.times == 0);
        let (at, rest) = strides.iter().enumerate().rev().find_map(|(k, s)| Some((k, part(s)?)))?;
        digits[at] = digits[at].plus(&Poly::term(rest, c / strides[at].times), 1)?;
    }
    let mut lengths = vec![];
    for w in strides.windows(2) {
        (w[1].times % w[0].times == 0).then_some(())?;
        lengths.push(Poly::term(without(&w[1].factor, &w[0].factor)?, w[1].times / w[0].times));
    }
    digits.reverse();
    lengths.reverse();
    let at = digits.into_iter().chain(place.at.into_iter().skip(1)).collect();
    Some(Place { at, inner: lengths.into_iter().chain(place.inner).collect() })
}
