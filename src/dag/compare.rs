//! Which of two ranges of positions holds the other, whatever the sizes.
//!
//! What goes out of an array must have come in, also for sizes for which the sets behind the ranges are empty and their
//! ends say anything. `min(0, n + 1), max(n * n, (n - 2) * n + n - 1)` is always right, and hard to read: where one of the
//! two ranges can be shown to hold the other, it stands alone. isl compares what is affine; products compare term by
//! term, once every size is written as its least value and a rest that is not negative.

use super::transfers::Range;
use crate::ast::BinOp;
use crate::isl::{Ctx, Set};
use crate::kernel::{Expr, ScalarType, UnaryOp};
use crate::poly::Failure;
use crate::schedule::index::binary;
use std::collections::{BTreeMap, BTreeSet};

/// Sums of products of sizes, by their factors in order.
type Terms = BTreeMap<Vec<String>, i64>;

/// The sizes for which ranges are compared.
pub struct Sizes {
    ctx: Ctx,
    known: Set,
}

impl Sizes {
    /// The sizes of a context for which these expressions are not negative.
    pub fn new(ctx: &Ctx, context: &Set, nonnegative: &[Expr]) -> Result<Self, Failure> {
        let mut out = Sizes { ctx: ctx.clone(), known: context.clone() };
        for e in nonnegative {
            out = out.where_holds(&binary(BinOp::Ge, e.clone(), Expr::Int(0)))?.unwrap_or(out);
        }
        Ok(out)
    }

    /// Those of the sizes for which a condition holds, as a set; `None` where it is not affine.
    pub fn of(&self, e: &Expr) -> Result<Option<Set>, Failure> {
        Ok(self.where_holds(e)?.map(|sizes| sizes.known))
    }

    /// A range that holds both.
    pub fn around(&self, x: Range, y: Range) -> Result<Range, Failure> {
        if self.holds(&x, &y)? {
            return Ok(x);
        }
        if self.holds(&y, &x)? {
            return Ok(y);
        }
        let first = match (self.at_most(&x.0, &y.0)?, self.at_most(&y.0, &x.0)?) {
            (true, _) => x.0,
            (_, true) => y.0,
            _ => Expr::Min(x.0.into(), y.0.into()),
        };
        let last = match (self.at_most(&y.1, &x.1)?, self.at_most(&x.1, &y.1)?) {
            (true, _) => x.1,
            (_, true) => y.1,
            _ => Expr::Max(x.1.into(), y.1.into()),
        };
        Ok((first, last))
    }

    /// Whether the positions of `y` are all in `x`.
    fn holds(&self, x: &Range, y: &Range) -> Result<bool, Failure> {
        let less = |a: &Expr, b: &Expr| binary(BinOp::Lt, a.clone(), b.clone());
        let outside = binary(BinOp::Or, less(&y.0, &x.0), less(&x.1, &y.1));
        if let Some(outside) = self.where_holds(&binary(BinOp::And, less(&y.0, &y.1), outside))? {
            return Ok(outside.known.is_empty()?);
        }
        // `c ? last : first` is nothing but where c holds.
        let (when, y1) = match &y.1 {
            Expr::Cond(c, last, first) if **first == y.0 => (self.where_holds(c)?, &**last),
            last => (None, last),
        };
        let sizes = when.as_ref().unwrap_or(self);
        Ok(sizes.at_most(&x.0, &y.0)? && sizes.at_most(y1, &x.1)?)
    }

    /// Whether `a <= b` for all these sizes, as far as that is seen.
    fn at_most(&self, a: &Expr, b: &Expr) -> Result<bool, Failure> {
        if a == b || self.known.is_empty()? {
            return Ok(true);
        }
        if let Some(above) = self.where_holds(&binary(BinOp::Gt, a.clone(), b.clone()))? {
            return Ok(above.known.is_empty()?);
        }
        for (e, is_left) in [(a, true), (b, false)] {
            let Expr::Cond(c, then, other) = e else { continue };
            let Some(holds) = self.where_holds(c)? else { return Ok(false) };
            let fails = Sizes { ctx: self.ctx.clone(), known: self.known.subtract(&holds.known)? };
            let test = |sizes: &Sizes, e| if is_left { sizes.at_most(e, b) } else { sizes.at_most(a, e) };
            return Ok(test(&holds, then)? && test(&fails, other)?);
        }
        if let (Expr::Binary(BinOp::Mul, a, x), Expr::Binary(BinOp::Mul, b, y)) = (a, b)
            && x == y
            && self.at_most(&Expr::Int(0), x)?
        {
            return self.at_most(a, b);
        }
        let difference = terms(b).and_then(|b| sum(b, terms(a)?, -1));
        difference.map_or(Ok(false), |difference| self.is_nonnegative(&difference))
    }

    /// Whether every term of the sum is, once each size stands as its least value and a rest.
    fn is_nonnegative(&self, difference: &Terms) -> Result<bool, Failure> {
        let mut bounds = BTreeMap::new();
        for name in difference.keys().flatten() {
            if !bounds.contains_key(name) {
                let Some(bound) = self.least(name)? else { return Ok(false) };
                bounds.insert(name.clone(), bound);
            }
        }
        let shifted = difference.iter().try_fold(Terms::new(), |all, (factors, c)| {
            let mut product = Terms::from([(vec![], *c)]);
            for f in factors {
                product = times(&product, &Terms::from([(vec![f.clone()], 1), (vec![], bounds[f])]))?;
            }
            sum(all, product, 1)
        });
        Ok(shifted.is_some_and(|terms| terms.values().all(|c| *c >= 0)))
    }

    /// A number, not negative, that a size never falls below.
    fn least(&self, name: &str) -> Result<Option<i64>, Failure> {
        let size = Expr::Var(name.to_string());
        for bound in (0..4).rev() {
            if self.known.is_subset(&self.set(&format!("{name} >= {bound}"), &size)?)? {
                return Ok(Some(bound));
            }
        }
        Ok(None)
    }

    /// Those of the sizes for which a condition holds; `None` where it is not affine.
    fn where_holds(&self, e: &Expr) -> Result<Option<Sizes>, Failure> {
        let Some(text) = condition(e) else { return Ok(None) };
        let known = self.known.intersect(&self.set(&text, e)?)?;
        Ok(Some(Sizes { ctx: self.ctx.clone(), known }))
    }

    fn set(&self, condition: &str, over: &Expr) -> Result<Set, Failure> {
        let mut names = BTreeSet::new();
        variables(over, &mut names);
        let names: Vec<&str> = names.into_iter().collect();
        Ok(Set::parse(&self.ctx, &format!("[{}] -> {{ : {condition} }}", names.join(", ")))?)
    }
}

fn variables<'e>(e: &'e Expr, out: &mut BTreeSet<&'e str>) {
    match e {
        Expr::Var(name) => _ = out.insert(name),
        Expr::Unary(_, a) | Expr::Cast(_, a) => variables(a, out),
        Expr::Binary(_, a, b) | Expr::Min(a, b) | Expr::Max(a, b) | Expr::FloorDiv(a, b) => {
            [a, b].into_iter().for_each(|x| variables(x, out));
        }
        Expr::Cond(c, a, b) => [c, a, b].into_iter().for_each(|x| variables(x, out)),
        _ => {}
    }
}

/// The most pieces that an expression is compared by.
const MAX_PIECES: usize = 16;

/// An affine condition in isl's notation.
fn condition(e: &Expr) -> Option<String> {
    let Expr::Binary(op, a, b) = e else { return None };
    let sign = match op {
        BinOp::And => return Some(format!("(({}) and ({}))", condition(a)?, condition(b)?)),
        BinOp::Or => return Some(format!("(({}) or ({}))", condition(a)?, condition(b)?)),
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::Eq => "=",
        _ => return None,
    };
    let pieces = joined(a, b, |a, b| format!("({a} {sign} {b})"))?;
    Some(pieces.iter().map(|(w, c)| format!("({w} and {c})")).collect::<Vec<_>>().join(" or "))
}

/// An affine expression in isl's notation, by pieces: where, and what.
fn pieces(e: &Expr) -> Option<Vec<(String, String)>> {
    let whole = |text: String| Some(vec![("true".to_string(), text)]);
    match e {
        Expr::Int(c) => whole(c.to_string()),
        Expr::Var(name) => whole(name.clone()),
        Expr::Cast(ScalarType::Index, a) => pieces(a),
        Expr::Unary(UnaryOp::Neg, a) => Some(pieces(a)?.into_iter().map(|(w, a)| (w, format!("(-{a})"))).collect()),
        Expr::Min(a, b) => joined(a, b, |a, b| format!("min({a}, {b})")),
        Expr::Max(a, b) => joined(a, b, |a, b| format!("max({a}, {b})")),
        Expr::Binary(BinOp::Add, a, b) => joined(a, b, |a, b| format!("({a} + {b})")),
        Expr::Binary(BinOp::Sub, a, b) => joined(a, b, |a, b| format!("({a} - {b})")),
        Expr::Binary(BinOp::Mul, a, b) if matches!(**a, Expr::Int(_)) || matches!(**b, Expr::Int(_)) => {
            joined(a, b, |a, b| format!("({a} * {b})"))
        }
        // C rounds to zero.
        Expr::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => {
            let Expr::Int(d @ 1..) = **b else { return None };
            let rounded =
                |a: &str| if *op == BinOp::Div { format!("floor(({a})/{d})") } else { format!("(({a}) mod {d})") };
            let a = pieces(a)?;
            let above = a.iter().map(|(w, a)| (format!("({w} and {a} >= 0)"), rounded(a)));
            let below =
                a.iter().map(|(w, a)| (format!("({w} and {a} < 0)"), format!("(-{})", rounded(&format!("-({a})")))));
            Some(above.chain(below).collect()).filter(|all: &Vec<_>| all.len() <= MAX_PIECES)
        }
        Expr::FloorDiv(a, d) => {
            let Expr::Int(d @ 1..) = **d else { return None };
            Some(pieces(a)?.into_iter().map(|(w, a)| (w, format!("floor(({a})/{d})"))).collect())
        }
        Expr::Cond(c, a, b) => {
            let c = condition(c)?;
            let then = pieces(a)?.into_iter().map(|(w, a)| (format!("({w} and {c})"), a));
            let other = pieces(b)?.into_iter().map(|(w, b)| (format!("({w} and not {c})"), b));
            Some(then.chain(other).collect()).filter(|all: &Vec<_>| all.len() <= MAX_PIECES)
        }
        _ => None,
    }
}

fn joined(a: &Expr, b: &Expr, join: impl Fn(&str, &str) -> String) -> Option<Vec<(String, String)>> {
    let (a, b) = (pieces(a)?, pieces(b)?);
    let pairs = a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let all: Vec<_> = pairs.map(|((v, x), (w, y))| (format!("({v} and {w})"), join(x, y))).collect();
    (all.len() <= MAX_PIECES).then_some(all)
}

/// A sum of products; `None` for anything else.
fn terms(e: &Expr) -> Option<Terms> {
    match e {
        Expr::Int(c) => Some(Terms::from([(vec![], *c)])),
        Expr::Var(name) => Some(Terms::from([(vec![name.clone()], 1)])),
        Expr::Cast(ScalarType::Index, a) => terms(a),
        Expr::Unary(UnaryOp::Neg, a) => sum(Terms::new(), terms(a)?, -1),
        Expr::Binary(BinOp::Add, a, b) => sum(terms(a)?, terms(b)?, 1),
        Expr::Binary(BinOp::Sub, a, b) => sum(terms(a)?, terms(b)?, -1),
        Expr::Binary(BinOp::Mul, a, b) => times(&terms(a)?, &terms(b)?),
        _ => None,
    }
}

/// `a + factor * b`; `None` on overflow.
fn sum(mut a: Terms, b: Terms, factor: i64) -> Option<Terms> {
    for (product, c) in b {
        let entry = a.entry(product).or_insert(0);
        *entry = entry.checked_add(c.checked_mul(factor)?)?;
    }
    a.retain(|_, c| *c != 0);
    Some(a)
}

/// `a * b`; `None` on overflow.
fn times(a: &Terms, b: &Terms) -> Option<Terms> {
    let mut out = Terms::new();
    for (x, c) in a {
        for (y, d) in b {
            let mut product: Vec<String> = x.iter().chain(y).cloned().collect();
            product.sort();
            out = sum(out, Terms::from([(product, c.checked_mul(*d)?)]), 1)?;
        }
    }
    Some(out)
}
