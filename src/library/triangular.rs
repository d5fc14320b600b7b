//! Operators with a triangle: of the result (syrk, syr2k), or of a matrix that is symmetric (symm), multiplied by (trmm) or
//! solved with (trsm, trsv).
//!
//! ```text
//! c[i][j] += a[i][k] a[j][k]              j <= i      syrk
//! c[i][j] += a[i][k] b[k][j]              k <  i  \
//! c[i][j] += a[k][i] b[k][j]              k >= i  /   symm
//! b[i][j] += a[k][i] b[k][j]              k >  i      trmm where each b[k][j] is read before it is written,
//! b[i][j] -= a[i][k] b[k][j]; /= a[i][i]  k <  i      trsm where it is read after that
//! ```
//! Rows and columns are told apart by what moves along them; a result by rows, a triangle from the other side and a
//! transposed matrix are other distances only. The call has, whatever side it is, the index that the triangle pairs with
//! the sum first.

use super::operator::{Operator, What};
use super::triangle::Domain;
use super::updates::{Equation, Order, Product, equation};
use super::view::{View, is};
use super::{Found, Range, Scale};
use crate::ast::{Type, VarId};
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::poly::Failure;
use crate::region::{Access, LoopId, StmtId};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;

/// What these statements are together, below loops of the host.
pub fn triangular(a: &Analysis, stmts: &[StmtId], outer: &[LoopId]) -> Result<Found, Failure> {
    if !has_bounds_of_counters(a, stmts) {
        return Ok(Found::Nothing);
    }
    // What is too hard to ask of isl is not said to be an operator.
    match a.scop.ctx.within(OPERATIONS, || matched(a, stmts, outer)) {
        Err(Failure::TooHard) => Ok(Found::Nothing),
        found => found,
    }
}

/// Operations that isl may spend on the order of some statements.
const OPERATIONS: u64 = 400_000;

/// Test that a loop begins or ends where another counts.
fn has_bounds_of_counters(a: &Analysis, stmts: &[StmtId]) -> bool {
    let loops = || stmts.iter().flat_map(|s| &a.part.stmt(*s).loops).map(|l| a.part.get_loop(*l));
    loops().any(|l| l.limits.iter().chain([&l.first]).any(|p| !p.is_parametric()))
}

fn matched(a: &Analysis, stmts: &[StmtId], outer: &[LoopId]) -> Result<Found, Failure> {
    let Some(e) = equation(a, stmts, outer)? else { return Ok(Found::Nothing) };
    let m = Matcher { a, e: &e, outer };
    let Some((shape, found)) = m.shape()? else { return Ok(Found::Nothing) };
    Ok(match found {
        Ok(operator) => Found::Operators(vec![operator]),
        Err(differs) => {
            let span = a.part.stmt(e.products[0].0.stmt).body.span;
            let noun = shape.noun();
            Found::Near(Reason::new("library", format!("this is nearly {noun}, but {differs}"), span))
        }
    })
}

mod half;
mod in_place;
mod rank_update;
mod symmetric;

struct Matcher<'a> {
    a: &'a Analysis<'a>,
    e: &'a Equation<'a>,
    outer: &'a [LoopId],
}

/// A product in its domain: the target along each loop.
struct Piece<'a> {
    product: &'a Product<'a>,
    domain: Domain,
    target: View,
}

type Outcome = Result<Operator, String>;

impl<'a> Matcher<'a> {
    /// Which operator it may be, and whether it is; `None` where nothing triangular is computed.
    fn shape(&self) -> Result<Option<(What, Outcome)>, Failure> {
        let mut pieces = vec![];
        for (product, target) in &self.e.products {
            match self.piece(product, target) {
                Ok(piece) => pieces.push(piece),
                Err(_) => return Ok(None),
            }
        }
        // What is solved for may be copied to its place first.
        let once = self.e.set.map(|(stmt, _)| self.loops(stmt));
        let is_copy = |p: &Piece| p.product.loads.len() == 1 && once.as_ref() == Some(&self.loops(p.product.stmt));
        let (copies, pieces): (Vec<Piece>, Vec<Piece>) = pieces.into_iter().partition(is_copy);
        if pieces.iter().any(|p| p.product.loads.len() != 2) || copies.len() > 1 {
            return Ok(None);
        }
        let mut triangles = pieces.iter().filter_map(|p| p.domain.triangle.map(|t| (p, t)));
        let Some((first, triangle)) = triangles.next() else { return Ok(None) };
        let moves = |l: LoopId| !is(&first.along(&first.target, l), 0);
        let is_of_result = moves(triangle.greater) && moves(triangle.lesser);
        let is_still = |(l, _): &&(LoopId, Range)| !moves(*l);
        let n_sums = first.domain.loops.iter().filter(is_still).count();
        if is_of_result && (n_sums != 1 || first.domain.loops.len() != 3) {
            return Ok(None);
        }
        let reads_result = first.product.loads.iter().any(|x| x.data == self.e.data);
        let what = match (is_of_result, reads_result, self.e.divisor.is_some()) {
            (true, false, _) if first.product.loads[0].data == first.product.loads[1].data => What::Syrk,
            (true, false, _) => What::Syr2k,
            (false, false, _) => What::Symm,
            (false, true, true) => What::Trsm,
            (false, true, false) if self.is_read_behind(first)? => What::Trsm,
            (false, true, false) => What::Trmm,
            (true, true, _) => return Ok(None),
        };
        let found = match what {
            What::Trmm | What::Trsm => self.in_place(what, &pieces, copies.first())?,
            _ if !copies.is_empty() => Err("an element of another array is added".into()),
            What::Symm => self.symmetric(&pieces)?,
            _ => self.rank_update(&pieces)?,
        };
        Ok(Some((what, found)))
    }

    fn name(&self, v: VarId) -> String {
        self.a.unit.var(v).name.clone()
    }

    fn loops(&self, s: StmtId) -> Vec<LoopId> {
        self.a.part.stmt(s).loops.iter().copied().filter(|l| !self.outer.contains(l)).collect()
    }

    fn domain(&self, s: StmtId) -> Result<Domain, String> {
        Domain::of(self.a.part, &self.loops(s), |v| self.name(v))
    }

    fn view(&self, domain: &Domain, access: &Access) -> Result<View, String> {
        let loops: Vec<_> =
            domain.loops.iter().map(|(l, range)| (self.a.part.get_loop(*l).var, range.first.clone())).collect();
        let differs = || format!("the elements of `{}` do not lie in rows and columns", self.name(access.data));
        View::of(self.a.part, access, &loops).ok_or_else(differs)
    }

    fn piece(&self, product: &'a Product<'a>, target: &Access) -> Result<Piece<'a>, String> {
        let domain = self.domain(product.stmt)?;
        let target = self.view(&domain, target)?;
        Ok(Piece { product, domain, target })
    }

    fn order(&self) -> Order<'a> {
        Order { a: self.a, outer: self.outer }
    }

    /// Test that the operand that is the result too is read where it is written no more.
    fn is_read_behind(&self, p: &Piece) -> Result<bool, Failure> {
        let Some(x) = p.product.loads.iter().find(|x| x.data == self.e.data) else { return Ok(false) };
        self.each_write(|write| self.order().never((p.product.stmt, x), write))
    }

    fn each_write(&self, f: impl Fn((StmtId, &'a Access)) -> Result<bool, Failure>) -> Result<bool, Failure> {
        for write in &self.e.writes {
            if !f(*write)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Test that each write is of an element that its loops name, once for all but sums.
    fn is_one_element_each(&self, pieces: &[Piece]) -> Result<bool, Failure> {
        for (stmt, access) in &self.e.writes {
            let Ok(domain) = self.domain(*stmt) else { return Ok(false) };
            let Ok(view) = self.view(&domain, access) else { return Ok(false) };
            let (mut moving, mut n_still) = (vec![], 0);
            for ((l, _), along) in domain.loops.iter().zip(&view.along) {
                if is(along, 0) { n_still += 1 } else { moving.push(*l) }
            }
            // What sums goes on along the sum; what sets or divides does not.
            let once = [self.e.set.map(|(s, _)| s), self.e.divisor.map(|(s, ..)| s)];
            let sums = pieces.iter().any(|p| p.product.stmt == *stmt) && !once.contains(&Some(*stmt));
            if n_still > usize::from(sums) || !self.order().is_apart((*stmt, access), &moving)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn element(&self, others: &[VarId]) -> Result<crate::kernel::ScalarType, String> {
        let elem = &self.a.part.data[&self.e.data].elem;
        let is_float = matches!(elem, Type::Float(_));
        let ty = scalar_type(elem).filter(|_| is_float).ok_or("its elements are not floating-point numbers")?;
        match others.iter().find(|v| self.a.part.data[*v].elem != *elem) {
            Some(v) => Err(format!("`{}` and `{}` are of different types", self.name(*v), self.name(self.e.data))),
            None => Ok(ty),
        }
    }

    /// What is kept of the result, where that has no element as a factor.
    fn beta(&self) -> Result<Option<Scale>, String> {
        match &self.e.kept {
            Some(kept) if !kept.loads.is_empty() => {
                Err("what is kept of the result is multiplied by an element".into())
            }
            kept => Ok(kept.as_ref().map(|k| k.scale.clone())),
        }
    }

    fn is_matrix(&self, v: &View) -> Result<(), String> {
        match is(&v.along[0], 1) == is(&v.along[1], 1) {
            true => Err(format!("neither rows nor columns of `{}` are contiguous", self.name(v.data))),
            false => Ok(()),
        }
    }

    fn sizes<const N: usize>(&self, ranges: [&Range; N]) -> Result<[Poly; N], String> {
        let all: Vec<Poly> = ranges.into_iter().filter_map(count).collect();
        all.try_into().map_err(|_| "its size is too large a number".to_string())
    }
}

impl Piece<'_> {
    fn along(&self, v: &View, l: LoopId) -> Poly {
        along(v, &self.domain, l)
    }

    fn pick(&self, v: &View, loops: [LoopId; 2]) -> View {
        self.pick_with(v, loops[0], Some(loops[1]))
    }

    fn pick_with(&self, v: &View, first: LoopId, second: Option<LoopId>) -> View {
        let none = Poly::default();
        let of = |l: Option<LoopId>| l.map_or(none.clone(), |l| self.along(v, l));
        View { data: v.data, first: v.first.clone(), along: vec![of(Some(first)), of(second), none.clone()] }
    }
}

fn along(v: &View, domain: &Domain, l: LoopId) -> Poly {
    let at = domain.loops.iter().position(|(x, _)| *x == l).expect("a loop of the domain");
    v.along[at].clone()
}

fn count(r: &Range) -> Option<Poly> {
    r.end.plus(&r.first, -1)
}
