//! Integer expressions of the user's, as polynomials over loop counters and parameters.
//!
//! Everything the polyhedral core knows of an integer expression passes through [`Poly`]: bounds, conditions,
//! subscripts. Products of a counter and a parameter stay visible (`i*n + j`), which is what lets a subscript written
//! by hand be seen as several dimensions; division and remainder by constants become floors.
//!
//! C truncates where a floor rounds down, and unsigned arithmetic wraps: what has to be non-negative for the two to
//! agree is collected as an obligation, which the caller proves over the statement's domain or gives up the expression.

use super::pointer_calls;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Storage, Type, UnOp, Unit, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Index of a parameter in [`Params`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParamId(pub u32);

/// What a polynomial is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sym {
    /// A loop counter.
    Counter(VarId),
    /// A value that the static control part does not change.
    Param(ParamId),
    /// `floor(poly / divisor)`, divisor positive.
    Floor(Box<Poly>, i64),
}

/// A product of symbols, sorted; empty for the constant.
pub type Monomial = Vec<Sym>;

/// A polynomial with integer coefficients; no coefficient is zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Poly {
    pub terms: BTreeMap<Monomial, i64>,
}

impl Poly {
    /// The constant `c`.
    pub fn constant(c: i64) -> Poly {
        Poly::term(vec![], c)
    }

    /// One symbol.
    pub fn sym(s: Sym) -> Poly {
        Poly::term(vec![s], 1)
    }

    /// `c` times a monomial.
    pub fn term(m: Monomial, c: i64) -> Poly {
        Poly { terms: if c == 0 { BTreeMap::new() } else { BTreeMap::from([(m, c)]) } }
    }

    /// Its value, if it is a constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Vec::new() as &Monomial).copied(),
            _ => None,
        }
    }

    /// `self + factor * other`; `None` on overflow.
    pub fn plus(&self, other: &Poly, factor: i64) -> Option<Poly> {
        let mut sum = self.clone();
        for (m, c) in &other.terms {
            let entry = sum.terms.entry(m.clone()).or_insert(0);
            *entry = entry.checked_add(c.checked_mul(factor)?)?;
            if *entry == 0 {
                sum.terms.remove(m);
            }
        }
        Some(sum)
    }

    /// The product; `None` on overflow.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut product = Poly::default();
        for (ma, ca) in &self.terms {
            for (mb, cb) in &other.terms {
                let mut m: Monomial = ma.iter().chain(mb).cloned().collect();
                m.sort();
                product = product.plus(&Poly::term(m, ca.checked_mul(*cb)?), 1)?;
            }
        }
        Some(product)
    }

    /// The polynomial with others in the place of counters; `None` on overflow.
    pub fn with(&self, counters: &BTreeMap<VarId, Poly>) -> Option<Poly> {
        let mut out = Poly::default();
        for (m, c) in &self.terms {
            let mut product = Poly::constant(*c);
            for s in m {
                let factor = match s {
                    Sym::Counter(v) => counters.get(v).cloned().unwrap_or_else(|| Poly::sym(s.clone())),
                    Sym::Floor(inner, d) => Poly::sym(Sym::Floor(Box::new(inner.with(counters)?), *d)),
                    Sym::Param(_) => Poly::sym(s.clone()),
                };
                product = product.times(&factor)?;
            }
            out = out.plus(&product, 1)?;
        }
        Some(out)
    }

    /// The polynomial with another in the place of a parameter outside floors; `None` on overflow.
    pub fn with_param(&self, param: ParamId, value: &Poly) -> Option<Poly> {
        self.terms.iter().try_fold(Poly::default(), |sum, (m, c)| {
            let (replaced, kept): (Monomial, Monomial) = m.iter().cloned().partition(|s| *s == Sym::Param(param));
            let product = replaced.iter().try_fold(Poly::term(kept, *c), |product, _| product.times(value))?;
            sum.plus(&product, 1)
        })
    }

    /// Test that no product of symbols is left.
    pub fn is_affine(&self) -> bool {
        self.terms.keys().all(|m| match m.as_slice() {
            [] => true,
            [Sym::Floor(inner, _)] => inner.is_affine(),
            [_] => true,
            _ => false,
        })
    }

    /// Test that a symbol anywhere inside satisfies `f`.
    pub fn any(&self, f: &dyn Fn(&Sym) -> bool) -> bool {
        self.terms.keys().flatten().any(|s| f(s) || matches!(s, Sym::Floor(p, _) if p.any(f)))
    }

    /// Test that it mentions the counter `v`.
    pub fn uses(&self, v: VarId) -> bool {
        self.any(&|s| *s == Sym::Counter(v))
    }

    /// Test that it mentions no counter.
    pub fn is_parametric(&self) -> bool {
        !self.any(&|s| matches!(s, Sym::Counter(_)))
    }

    /// The coefficient of a lone counter.
    pub fn coefficient(&self, v: VarId) -> i64 {
        self.terms.get(&vec![Sym::Counter(v)]).copied().unwrap_or(0)
    }

    /// Text with the names that `name` gives; isl reads it where the polynomial is affine.
    pub fn isl(&self, name: &dyn Fn(&Sym) -> String) -> String {
        if self.terms.is_empty() {
            return "0".into();
        }
        let mut out = String::new();
        for (m, c) in &self.terms {
            let sign = if *c < 0 { "-" } else { "+" };
            let factor = c.unsigned_abs();
            let _ = match m.as_slice() {
                [] => write!(out, " {sign} {factor}"),
                [Sym::Floor(p, d)] => write!(out, " {sign} {factor}*floor(({})/{d})", p.isl(name)),
                [s] => write!(out, " {sign} {factor}*{}", name(s)),
                product => {
                    let factors: Vec<String> = product.iter().map(|s| Poly::sym(s.clone()).isl(name)).collect();
                    write!(out, " {sign} {factor}*{}", factors.join("*"))
                }
            };
        }
        out.trim_start_matches(" +").trim_start().to_string()
    }
}

/// A value that a static control part does not change, given to isl as a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name in isl and in the emitted code: the variable's own, or `rt_p<n>` for an expression.
    pub name: String,
    /// The C expression the region's caller computes it by.
    pub expr: Expr,
    /// The variable, where the expression is just that.
    pub var: Option<VarId>,
}

/// A parameter that is `dividend / divisor`, or `dividend % divisor`, as C rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    pub param: ParamId,
    pub op: BinOp,
    pub dividend: Poly,
    /// Positive.
    pub divisor: i64,
}

/// The parameters of a static control part.
#[derive(Debug, Clone, Default)]
pub struct Params {
    pub list: Vec<Param>,
    /// What is known of those that stand for a quotient or a remainder.
    pub facts: Vec<Fact>,
    by_var: BTreeMap<VarId, ParamId>,
    by_poly: BTreeMap<Poly, ParamId>,
}

impl Params {
    /// The parameter that stands for a variable.
    pub fn of_var(&mut self, expr: &Expr, var: VarId, name: &str) -> ParamId {
        let next = ParamId(self.list.len() as u32);
        *self.by_var.entry(var).or_insert_with(|| {
            self.list.push(Param { name: name.to_string(), expr: expr.clone(), var: Some(var) });
            next
        })
    }

    /// The parameter that stands for a whole expression without counters, such as `n*n` or `n/2`.
    pub fn of_poly(&mut self, poly: Poly, expr: &Expr) -> ParamId {
        let next = ParamId(self.list.len() as u32);
        *self.by_poly.entry(poly).or_insert_with(|| {
            self.list.push(Param { name: format!("rt_p{}", next.0), expr: unfailing(expr), var: None });
            next
        })
    }

    /// A parameter for an opaque expression (a structure's member): equal expressions share one.
    pub fn of_expr(&mut self, expr: &Expr) -> ParamId {
        let expr = &unfailing(expr);
        if let Some(i) = self.list.iter().position(|p| same_expr(&p.expr, expr)) {
            return ParamId(i as u32);
        }
        self.list.push(Param { name: format!("rt_p{}", self.list.len()), expr: expr.clone(), var: None });
        ParamId(self.list.len() as u32 - 1)
    }

    /// The sum that a parameter stands for.
    pub fn sum(&self, id: ParamId) -> Option<&Poly> {
        self.by_poly.iter().find(|(sum, of)| **of == id && sum.terms.len() > 1).map(|(sum, _)| sum)
    }

    /// The parameter's record.
    pub fn get(&self, id: ParamId) -> &Param {
        &self.list[id.0 as usize]
    }
}

/// The expression with every divisor that may be zero tested first: the host computes it even where the program would
/// not have come so far.
fn unfailing(e: &Expr) -> Expr {
    let mut e = e.clone();
    match &mut e.kind {
        ExprKind::Binary(op, a, b) => {
            (**a, **b) = (unfailing(a), unfailing(b));
            if matches!(op, BinOp::Div | BinOp::Rem) && !matches!(b.kind, ExprKind::Int(c) if c != 0) {
                let zero = Expr { kind: ExprKind::Int(0), ty: e.ty.clone(), span: e.span };
                let (divisor, ty, span) = (b.clone(), e.ty.clone(), e.span);
                return Expr { kind: ExprKind::Cond(divisor, Box::new(e), Box::new(zero)), ty, span };
            }
        }
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => **a = unfailing(a),
        ExprKind::Cond(c, a, _) if is_tested(c, a) => {}
        ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|x| **x = unfailing(x)),
        _ => {}
    }
    e
}

/// Test for a quotient behind the test that its divisor is not zero.
fn is_tested(c: &Expr, quotient: &Expr) -> bool {
    matches!(&quotient.kind, ExprKind::Binary(BinOp::Div | BinOp::Rem, _, divisor) if same_expr(c, divisor))
}

/// An expression that the caller computes as a person would write it: without the tests that keep it from failing, and
/// without casts between integers.
pub fn as_written(e: &Expr) -> Expr {
    let mut e = match &e.kind {
        ExprKind::Cond(c, a, _) if is_tested(c, a) => return as_written(a),
        ExprKind::Cast(a) if matches!((&a.ty, &e.ty), (Type::Int(_), Type::Int(_))) => return as_written(a),
        _ => e.clone(),
    };
    match &mut e.kind {
        ExprKind::Binary(_, a, b) => (**a, **b) = (as_written(a), as_written(b)),
        ExprKind::Unary(_, a) => **a = as_written(a),
        ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|x| **x = as_written(x)),
        _ => {}
    }
    e
}

/// Test that two expressions are written the same, wherever they stand.
pub fn same_expr(a: &Expr, b: &Expr) -> bool {
    let (ca, cb) = (a.children(), b.children());
    let same_head = match (&a.kind, &b.kind) {
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::Float(_, x), ExprKind::Float(_, y)) => x == y,
        (ExprKind::Var(x), ExprKind::Var(y)) => x == y,
        (ExprKind::Unary(x, _), ExprKind::Unary(y, _)) => x == y,
        (ExprKind::Binary(x, ..), ExprKind::Binary(y, ..)) => x == y,
        (ExprKind::Call { name: x, .. }, ExprKind::Call { name: y, .. }) => x == y,
        (ExprKind::Member { field: x, arrow: p, .. }, ExprKind::Member { field: y, arrow: q, .. }) => x == y && p == q,
        (ExprKind::Index(..), ExprKind::Index(..)) | (ExprKind::Cond(..), ExprKind::Cond(..)) => true,
        (ExprKind::Cast(_), ExprKind::Cast(_)) => a.ty == b.ty,
        (ExprKind::Function(x), ExprKind::Function(y)) => x == y,
        _ => false,
    };
    same_head && ca.len() == cb.len() && ca.iter().zip(&cb).all(|(x, y)| same_expr(x, y))
}

/// The pointer that is tested to be there, as normal forms have it: `p` of `p != 0`. It leads to numbers: the call site computes
/// members, `p->n`, whether or not the structure is there.
///
/// Or `f` of `f == name`: a pointer that is tested to lead to that function.
pub fn tested_pointer(e: &Expr) -> Option<&Expr> {
    if let Some((pointer, _)) = pointer_calls::tested_place(e) {
        return Some(pointer);
    }
    let ExprKind::Binary(BinOp::Ne, p, zero) = &e.kind else { return None };
    let is_named = matches!(p.kind, ExprKind::Var(_) | ExprKind::Member { .. });
    let is_of_numbers = matches!(&p.ty, Type::Pointer { to: of, .. } | Type::Array { of, .. } if of.is_scalar())
        || p.ty.signature().is_some();
    (is_named && is_of_numbers && matches!(zero.kind, ExprKind::Int(0))).then_some(p)
}

/// Test that a tested pointer is the same throughout a region that writes these variables, or to them: a region that sets a
/// pointer is none, so only members of structures that it changes are not.
pub fn is_fixed_pointer(p: &Expr, written: &BTreeSet<VarId>) -> bool {
    p.root().is_some_and(|v| p.is_var(v) || !written.contains(&v))
}

/// Reads integer expressions in one place of the program: knows the counters in scope and what may change.
pub struct Reader<'a> {
    pub unit: &'a Unit,
    pub counters: Vec<VarId>,
    /// Scalars that the static control part assigns: not parameters.
    pub written: &'a BTreeSet<VarId>,
    pub params: &'a mut Params,
    /// Polynomials that must be non-negative for what was read to hold.
    pub obligations: Vec<Poly>,
}

impl Reader<'_> {
    /// The polynomial of an integer expression, or `None` where it is not one.
    pub fn poly(&mut self, e: &Expr) -> Option<Poly> {
        if !matches!(e.ty, Type::Int(_)) {
            return None;
        }
        match &e.kind {
            ExprKind::Int(c) => Some(Poly::constant(*c)),
            ExprKind::Var(v) if self.counters.contains(v) => Some(Poly::sym(Sym::Counter(*v))),
            ExprKind::Var(v) => self.variable(e, *v),
            ExprKind::Member { .. } if self.is_invariant(e) => Some(Poly::sym(Sym::Param(self.params.of_expr(e)))),
            ExprKind::Binary(..) if tested_pointer(e).is_some_and(|p| is_fixed_pointer(p, self.written)) => {
                Some(Poly::sym(Sym::Param(self.params.of_expr(e))))
            }
            ExprKind::Unary(UnOp::Plus, a) => self.poly(a),
            ExprKind::Unary(UnOp::Neg, a) => {
                let negated = Poly::default().plus(&self.poly(a)?, -1)?;
                self.checked_unsigned(e, negated)
            }
            ExprKind::Cast(a) if widens(&a.ty, &e.ty) => self.poly(a),
            ExprKind::Cast(a) => {
                let inner = self.poly(a)?;
                matches!(e.ty, Type::Int(k) if k != IntKind::Bool && k.bits() >= 32).then_some(())?;
                if e.ty == Type::Int(IntKind::Int) {
                    self.obligations.push(Poly::constant(i64::from(i32::MAX)).plus(&inner, -1)?);
                }
                self.checked_unsigned(e, inner)
            }
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Cond(c, a, b) => {
                let n_obligations = self.obligations.len();
                self.greater(c, a, b).or_else(|| {
                    self.obligations.truncate(n_obligations);
                    self.is_chosen_before(e).then(|| Poly::sym(Sym::Param(self.params.of_expr(e))))
                })
            }
            _ => None,
        }
    }

    /// `first < end ? end : first` of sizes: `end`, where it is not the lesser one.
    fn greater(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Option<Poly> {
        let ExprKind::Binary(op, x, y) = &c.kind else { return None };
        let signed = |e: &&Expr| matches!(e.ty, Type::Int(k) if !k.is_unsigned());
        if ![a, b, x, y].iter().all(signed) {
            return None;
        }
        let (x, y) = (self.poly(x)?, self.poly(y)?);
        let d = margin(*op, &x, &y)?;
        let (end, first) = (self.poly(a)?, self.poly(b)?);
        let more = end.plus(&first, -1)?;
        let is_greater = more.plus(&d, -1)?.as_constant().is_some_and(|k| (-1..=0).contains(&k));
        (is_greater && more.is_parametric()).then_some(())?;
        self.obligations.push(more);
        Some(end)
    }

    /// The value that an expression has all over the code from byte `at` on: the caller computes it before, so that
    /// it may read elements of arrays too.
    pub fn invariant(&mut self, e: &Expr, at: u32) -> Option<Poly> {
        let mut computable = true;
        e.walk(&mut |x| match &x.kind {
            ExprKind::Var(v) => {
                let var = self.unit.var(*v);
                let is_known = matches!(var.storage, Storage::Global | Storage::Param) || var.span.lo < at;
                computable &= is_known && !self.written.contains(v) && !var.is_volatile;
            }
            ExprKind::Call { .. } | ExprKind::Assign { .. } | ExprKind::IncDec { .. } => computable = false,
            _ => {}
        });
        let value = computable.then(|| self.poly(e))?;
        value.or_else(|| matches!(e.ty, Type::Int(_)).then(|| Poly::sym(Sym::Param(self.params.of_expr(e)))))
    }

    fn variable(&mut self, e: &Expr, v: VarId) -> Option<Poly> {
        let var = self.unit.var(v);
        if let Some(c) = var.value {
            return Some(Poly::constant(c));
        }
        if self.written.contains(&v) || var.is_volatile {
            return None;
        }
        Some(Poly::sym(Sym::Param(self.params.of_var(e, v, &var.name))))
    }

    fn binary(&mut self, e: &Expr, op: BinOp, a: &Expr, b: &Expr) -> Option<Poly> {
        match op {
            BinOp::Add => {
                let sum = self.poly(a)?.plus(&self.poly(b)?, 1)?;
                self.checked_wrap(e, a, b, sum)
            }
            BinOp::Sub => {
                let difference = self.poly(a)?.plus(&self.poly(b)?, -1)?;
                self.checked_unsigned(e, difference)
            }
            BinOp::Mul => self.product(a, b),
            BinOp::Shl => {
                let shift = self.poly(b)?.as_constant().filter(|s| (0..31).contains(s))?;
                self.poly(a)?.times(&Poly::constant(1 << shift))
            }
            BinOp::Div | BinOp::Rem => self.division(e, op, a, b),
            BinOp::BitAnd => self.low_bits(e, a, b),
            BinOp::Shr => self.high_bits(e, a, b),
            _ => None,
        }
    }

    /// A product keeps a parametric sum together (`i*(n+1)` has the stride `n+1`, not `n` and `1`).
    fn product(&mut self, a: &Expr, b: &Expr) -> Option<Poly> {
        let (pa, pb) = (self.poly(a)?, self.poly(b)?);
        let whole = |p: &Poly, other: &Poly| p.is_parametric() && p.terms.len() > 1 && !other.is_parametric();
        if whole(&pa, &pb) {
            return Poly::sym(Sym::Param(self.params.of_poly(pa, a))).times(&pb);
        }
        if whole(&pb, &pa) {
            return pa.times(&Poly::sym(Sym::Param(self.params.of_poly(pb, b))));
        }
        pa.times(&pb)
    }

    fn division(&mut self, e: &Expr, op: BinOp, a: &Expr, b: &Expr) -> Option<Poly> {
        let n_obligations = self.obligations.len();
        let (pa, pb) = (self.poly(a)?, self.poly(b)?);
        let divisor = match pb.as_constant() {
            Some(c) if c > 0 => c,
            _ if pa.is_parametric() && pb.is_parametric() => {
                // The host computes it once, by C's own rules.
                return Some(Poly::sym(Sym::Param(self.params.of_expr(e))));
            }
            _ => return None,
        };
        if pa.is_parametric() && pa.as_constant().is_none() {
            let param = self.params.of_expr(e);
            // Where something must hold for the dividend to be what it seems, nothing is known for sure.
            if pa.is_affine() && self.obligations.len() == n_obligations {
                let fact = Fact { param, op, dividend: pa, divisor };
                if !self.params.facts.contains(&fact) {
                    self.params.facts.push(fact);
                }
            }
            return Some(Poly::sym(Sym::Param(param)));
        }
        self.obligations.push(pa.clone());
        let quotient = match pa.as_constant() {
            Some(c) => Poly::constant(c.div_euclid(divisor)),
            None => Poly::sym(Sym::Floor(Box::new(pa.clone()), divisor)),
        };
        match op {
            BinOp::Div => Some(quotient),
            _ => pa.plus(&quotient, -divisor),
        }
    }

    /// `a & 1`, `a & 7`: what is left over a power of two, of negative numbers too (the floor's remainder).
    fn low_bits(&mut self, e: &Expr, a: &Expr, b: &Expr) -> Option<Poly> {
        let mask = self.poly(b)?.as_constant().filter(|m| *m > 0 && m & (m + 1) == 0)?;
        let value = self.poly(a)?;
        if value.is_parametric() {
            return Some(Poly::sym(Sym::Param(self.params.of_expr(e))));
        }
        value.plus(&Poly::sym(Sym::Floor(Box::new(value.clone()), mask + 1)), -(mask + 1))
    }

    /// `a >> 3`: the quotient by a power of two, of negative numbers too (the floor's).
    fn high_bits(&mut self, e: &Expr, a: &Expr, b: &Expr) -> Option<Poly> {
        let shift = self.poly(b)?.as_constant().filter(|s| (0..31).contains(s))?;
        let value = self.poly(a)?;
        if value.is_parametric() {
            return Some(Poly::sym(Sym::Param(self.params.of_expr(e))));
        }
        Some(Poly::sym(Sym::Floor(Box::new(value), 1 << shift)))
    }

    /// A sum of two unknown numbers in 32 unsigned bits may wrap on purpose: `i + off`, where `off` is `-1`.
    fn checked_wrap(&mut self, e: &Expr, a: &Expr, b: &Expr, sum: Poly) -> Option<Poly> {
        let known = [a, b].iter().any(|x| matches!(x.kind, ExprKind::Int(c) if c < 1 << 31));
        if e.ty == Type::Int(IntKind::UInt) && !known && sum.is_affine() {
            self.obligations.push(Poly::constant(i64::from(u32::MAX)).plus(&sum, -1)?);
        }
        Some(sum)
    }

    /// A difference in an unsigned type is the mathematical one only if it is not negative.
    fn checked_unsigned(&mut self, e: &Expr, value: Poly) -> Option<Poly> {
        if !matches!(e.ty, Type::Int(k) if k.is_unsigned()) {
            return Some(value);
        }
        // A sum of products is none if no factor is: nothing more can be asked of what is not affine.
        let is_sum = value.terms.values().all(|c| *c > 0);
        match is_sum && !value.is_affine() {
            true => self.obligations.extend(value.terms.keys().flatten().map(|s| Poly::sym(s.clone()))),
            false => self.obligations.push(value.clone()),
        }
        Some(value)
    }

    /// Test that an opaque expression keeps its value: every variable in it does, and nothing is called or subscripted.
    fn is_invariant(&self, e: &Expr) -> bool {
        let mut invariant = true;
        e.walk(&mut |x| match &x.kind {
            ExprKind::Var(v) => invariant &= !self.written.contains(v) && !self.counters.contains(v),
            ExprKind::Member { .. } | ExprKind::Int(_) => {}
            _ => invariant = false,
        });
        invariant
    }
}

impl Reader<'_> {
    /// Test for a choice among sizes that sizes make: `wide ? n : m + 1`.
    fn is_chosen_before(&self, e: &Expr) -> bool {
        let mut is_fixed = true;
        e.walk(&mut |x| {
            is_fixed &= matches!(x.ty, Type::Int(_) | Type::Pointer { .. } | Type::Struct(_))
                && match &x.kind {
                    ExprKind::Var(_) | ExprKind::Member { .. } | ExprKind::Int(_) => self.is_invariant(x),
                    ExprKind::Unary(op, _) => matches!(op, UnOp::Plus | UnOp::Neg | UnOp::Not),
                    ExprKind::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) || op.is_boolean(),
                    ExprKind::Cast(_) | ExprKind::Cond(..) => true,
                    _ => false,
                };
        });
        is_fixed
    }
}

/// What is positive where `x op y` holds, and not where it fails.
pub fn margin(op: BinOp, x: &Poly, y: &Poly) -> Option<Poly> {
    match op {
        BinOp::Gt => x.plus(y, -1),
        BinOp::Ge => x.plus(y, -1)?.plus(&Poly::constant(1), 1),
        BinOp::Lt => y.plus(x, -1),
        BinOp::Le => y.plus(x, -1)?.plus(&Poly::constant(1), 1),
        _ => None,
    }
}

/// Test that a counter of that type may legally pass its end: unsigned, or narrower than what it is computed in.
pub fn wraps(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if kind.is_unsigned() || kind.bits() < 32)
}

/// The width of an integer type, or 0.
pub fn bits(ty: &Type) -> u32 {
    match ty {
        Type::Int(IntKind::Bool) => 0,
        Type::Int(kind) => kind.bits(),
        _ => 0,
    }
}

/// Test that every value of `from` is one of `to`.
/// Test for a conversion between integers that keeps every value.
pub fn widens(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Int(a), Type::Int(b)) if *b != IntKind::Bool => match (a.is_unsigned(), b.is_unsigned()) {
            (false, true) => false,
            (true, false) => b.bits() > a.bits(),
            _ => b.bits() >= a.bits(),
        },
        _ => false,
    }
}
