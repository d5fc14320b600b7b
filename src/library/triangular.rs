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
use super::triangle::{Domain, Triangle};
use super::updates::{Equation, Order, Product, equation};
use super::view::{View, is};
use super::{Found, Range, Scale};
use crate::ast::{Type, VarId};
use crate::kernel::Usage;
use crate::poly::Failure;
use crate::region::symbolic::Poly;
use crate::region::{Access, LoopId, Reason, StmtId};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;

/// What these statements are together, below loops of the host.
pub fn triangular(a: &Analysis, stmts: &[StmtId], outer: &[LoopId]) -> Result<Found, Failure> {
    let Some(e) = equation(a, stmts, outer)? else { return Ok(Found::Nothing) };
    let m = Matcher { a, e: &e, outer };
    let Some((shape, found)) = m.shape()? else { return Ok(Found::Nothing) };
    Ok(match found {
        Ok(operator) => Found::Operator(Box::new(operator)),
        Err(differs) => {
            let span = a.part.stmt(e.products[0].0.stmt).body.span;
            let noun = shape.noun();
            Found::Near(Reason::new("library", format!("this is nearly {noun}, but {differs}"), span))
        }
    })
}

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

/// What is multiplied in a piece of a product with a matrix: the matrix along result and sum, the other along sum and the
/// free index. The order of sum and result; `None` on the diagonal.
struct Half {
    matrix: View,
    other: View,
    target: View,
    square: Range,
    free: Option<Range>,
    is_below: Option<bool>,
    is_strict: bool,
    scale: Scale,
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

    /// Whether the operand that is the result too is read where it is written no more.
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

    /// Whether each write is of an element that its loops name, once for all but sums.
    fn is_one_element_each(&self, pieces: &[Piece]) -> Result<bool, Failure> {
        for (stmt, access) in &self.e.writes {
            let Ok(domain) = self.domain(*stmt) else { return Ok(false) };
            let Ok(view) = self.view(&domain, access) else { return Ok(false) };
            let (mut moving, mut n_still) = (vec![], 0);
            for ((l, _), along) in domain.loops.iter().zip(&view.along) {
                if is(along, 0) { n_still += 1 } else { moving.push(*l) }
            }
            // What sums goes on along the sum; what sets or divides does not.
            let sums = pieces.iter().any(|p| p.product.stmt == *stmt);
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

    /// Syrk and syr2k.
    fn rank_update(&self, pieces: &[Piece]) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        Ok(self.rank_update_of(pieces))
    }

    fn rank_update_of(&self, pieces: &[Piece]) -> Outcome {
        if self.e.divisor.is_some() {
            return Err("the result is divided".into());
        }
        let beta = self.beta()?;
        let mut ends = vec![];
        for p in pieces {
            let triangle = p.domain.triangle.ok_or("a part of it is computed for the whole matrix")?;
            ends.push(self.ends(p, triangle)?);
        }
        let first = &ends[0];
        if ends.iter().any(|e| e.target != first.target || e.square != first.square || e.sum != first.sum) {
            return Err("its parts run over different elements".into());
        }
        if ends.iter().any(|e| !e.scale.is_same(&first.scale)) {
            return Err("its two products have different factors".into());
        }
        if ends.iter().any(|e| e.is_strict) {
            return Err("the diagonal is left out".into());
        }
        if let Some((stmt, access)) = self.e.set {
            let domain = self.domain(stmt)?;
            let is_same = domain.triangle.is_some_and(|t| !t.is_strict && *domain.range(t.greater) == first.square)
                && domain.loops.len() == 2 + usize::from(pieces.iter().any(|p| p.product.stmt == stmt));
            let view = self.view(&domain, access)?;
            let places = domain.triangle.map(|t| (along(&view, &domain, t.greater), along(&view, &domain, t.lesser)));
            if !is_same
                || view.first != first.target.first
                || places != Some((first.target.along[0].clone(), first.target.along[1].clone()))
            {
                return Err("what scales the result runs over other elements than the products".into());
            }
        }
        let whats_twice = |x: &View, y: &View| x == y;
        let n = count(&first.square).ok_or("its size is too large a number")?;
        let k = count(&first.sum).ok_or("its size is too large a number")?;
        let ty = self.element(&[first.x.data, first.y.data])?;
        let alpha = first.scale.clone();
        let (what, operands) = match ends.as_slice() {
            [one] if whats_twice(&one.x, &one.y) => (What::Syrk, vec![one.x.clone()]),
            [_] => return Err("the two factors are not the same rows of one matrix".into()),
            [one, two] if whats_twice(&one.x, &two.y) && whats_twice(&one.y, &two.x) => {
                (What::Syr2k, vec![one.x.clone(), one.y.clone()])
            }
            _ => return Err("the products are not each other's mirror images".into()),
        };
        for v in operands.iter().chain([&first.target]) {
            self.is_matrix(v)?;
        }
        let by_columns = |v: &View| is(&v.along[0], 1);
        if operands.iter().any(|v| by_columns(v) != by_columns(&operands[0])) {
            return Err("one of its matrices lies by rows, the other by columns".into());
        }
        let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
        let result = first.target.clone();
        Ok(Operator { what, ty, sizes: vec![n, k], flags: vec![], alpha, operands, beta, result, usage })
    }

    /// A piece of a rank update: the factors along greater and sum, lesser and sum; the target along greater and lesser.
    fn ends(&self, p: &Piece, t: Triangle) -> Result<Ends, String> {
        let still: Vec<LoopId> =
            p.domain.loops.iter().map(|(l, _)| *l).filter(|l| is(&p.along(&p.target, *l), 0)).collect();
        let [sum] = still.as_slice() else { return Err("it has no sum, or more than one".into()) };
        if p.domain.loops.len() != 3 {
            return Err("its operands have more than two dimensions".into());
        }
        let (mut x, mut y) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            let moves = |l: LoopId| !is(&p.along(&v, l), 0);
            match (moves(t.greater), moves(t.lesser), moves(*sum)) {
                (true, false, true) => x = Some(p.pick(&v, [t.greater, *sum])),
                (false, true, true) => y = Some(p.pick(&v, [t.lesser, *sum])),
                _ => return Err("a factor does not go along one side of the result and the sum".into()),
            }
        }
        let (Some(x), Some(y)) = (x, y) else {
            return Err("both factors go along one side of the result".into());
        };
        Ok(Ends {
            x,
            y,
            target: p.pick(&p.target, [t.greater, t.lesser]),
            square: p.domain.range(t.greater).clone(),
            sum: p.domain.range(*sum).clone(),
            is_strict: t.is_strict,
            scale: p.product.scale.clone(),
        })
    }

    fn is_matrix(&self, v: &View) -> Result<(), String> {
        match is(&v.along[0], 1) == is(&v.along[1], 1) {
            true => Err(format!("neither rows nor columns of `{}` are contiguous", self.name(v.data))),
            false => Ok(()),
        }
    }

    fn symmetric(&self, pieces: &[Piece]) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        Ok(self.symmetric_of(pieces))
    }

    fn symmetric_of(&self, pieces: &[Piece]) -> Outcome {
        if self.e.divisor.is_some() {
            return Err("the result is divided".into());
        }
        let beta = self.beta()?;
        let halves = self.halves(pieces)?;
        let of = |below: Option<bool>| {
            let mut all = halves.iter().filter(move |h| h.is_below == below);
            (all.next(), all.next())
        };
        let ((below, None), (above, None), (on, None)) = (of(Some(true)), of(Some(false)), of(None)) else {
            return Err("a half of the matrix is used twice".into());
        };
        let (Some(below), Some(above)) = (below, above) else {
            return Err("only one half of the matrix is used: the bounds of the sum depend on another loop".into());
        };
        let n_diagonals = usize::from(!below.is_strict) + usize::from(!above.is_strict) + usize::from(on.is_some());
        if n_diagonals != 1 {
            return Err(format!("the diagonal is used {n_diagonals} times"));
        }
        let all = [Some(above), on].into_iter().flatten();
        for h in all {
            self.agrees(below, h)?;
            let is_mirrored = match h.is_below {
                None => Some(h.matrix.along[0].clone()) == below.matrix.along[0].plus(&below.matrix.along[1], 1),
                Some(_) => h.matrix.along[0] == below.matrix.along[1] && h.matrix.along[1] == below.matrix.along[0],
            };
            if !is_mirrored || h.matrix.first != below.matrix.first || h.matrix.data != below.matrix.data {
                return Err("its two halves are not each other's mirror images".into());
            }
        }
        self.sets_all(below)?;
        let Some(free) = &below.free else { return Err("it is multiplied by one vector".into()) };
        let [n, m] = self.sizes([&below.square, free])?;
        let ty = self.element(&[below.matrix.data, below.other.data])?;
        for v in [&below.matrix, &below.other, &below.target] {
            self.is_matrix(v)?;
        }
        if is(&below.other.along[0], 1) != is(&below.target.along[0], 1) {
            return Err("what it is multiplied by lies by rows and the result by columns, or the other way".into());
        }
        let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
        Ok(Operator {
            what: What::Symm,
            ty,
            sizes: vec![n, m],
            flags: vec![],
            alpha: below.scale.clone(),
            operands: vec![below.matrix.clone(), below.other.clone()],
            beta,
            result: below.target.clone(),
            usage,
        })
    }

    fn sizes<const N: usize>(&self, ranges: [&Range; N]) -> Result<[Poly; N], String> {
        let all: Vec<Poly> = ranges.into_iter().filter_map(count).collect();
        all.try_into().map_err(|_| "its size is too large a number".to_string())
    }

    /// Whether two halves are of the same result and factor.
    fn agrees(&self, x: &Half, y: &Half) -> Result<(), String> {
        if x.target != y.target || x.square != y.square || x.free != y.free {
            return Err("its parts run over different elements".into());
        }
        if x.other != y.other {
            return Err("its parts are multiplied by different elements".into());
        }
        if !x.scale.is_same(&y.scale) {
            return Err("its parts have different factors".into());
        }
        Ok(())
    }

    /// Whether what scales or divides the result does so for all of it.
    fn sets_all(&self, h: &Half) -> Result<(), String> {
        let others = [self.e.set, self.e.divisor.map(|(stmt, target, _)| (stmt, target))];
        for (stmt, access) in others.into_iter().flatten() {
            let domain = self.domain(stmt)?;
            let view = self.view(&domain, access)?;
            let wanted: Vec<(&Poly, &Range)> =
                h.target.along.iter().zip([Some(&h.square), h.free.as_ref()].into_iter().flatten()).collect();
            let is_there = |(along, range): &(&Poly, &Range)| {
                domain.loops.iter().zip(&view.along).any(|((_, own), x)| x == *along && own == *range)
            };
            let n_moving = view.along.iter().filter(|x| !is(x, 0)).count();
            if domain.triangle.is_some() && n_moving == domain.loops.len()
                || view.first != h.target.first
                || n_moving != wanted.len()
                || !wanted.iter().all(is_there)
            {
                return Err("what scales or divides the result runs over other elements than the sums".into());
            }
        }
        Ok(())
    }

    /// The pieces of a product with a matrix.
    fn halves(&self, pieces: &[Piece]) -> Result<Vec<Half>, String> {
        let off = pieces.iter().find(|p| p.domain.triangle.is_some()).expect("one has a triangle");
        let first = self.half(off)?;
        let mut out = vec![];
        for p in pieces {
            out.push(match p.domain.triangle {
                Some(_) => self.half(p)?,
                None => self.diagonal(p, &first)?,
            });
        }
        Ok(out)
    }

    fn half(&self, p: &Piece) -> Result<Half, String> {
        let t = p.domain.triangle.expect("a triangle");
        let still = |l: LoopId| is(&p.along(&p.target, l), 0);
        let (sum, own) = match (still(t.greater), still(t.lesser)) {
            (true, false) => (t.greater, t.lesser),
            (false, true) => (t.lesser, t.greater),
            _ => return Err("the triangle is not one of the result and the sum".into()),
        };
        let rest: Vec<LoopId> = p.domain.loops.iter().map(|(l, _)| *l).filter(|l| *l != sum && *l != own).collect();
        let free = match rest.as_slice() {
            [] => None,
            [one] if !still(*one) => Some(*one),
            _ => return Err("its operands have more than two dimensions".into()),
        };
        let (mut matrix, mut other) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            let moves = |l: LoopId| !is(&p.along(&v, l), 0);
            match (moves(own), moves(sum), free.is_some_and(moves)) {
                (true, true, false) => matrix = Some(p.pick(&v, [own, sum])),
                (false, true, is_free) if is_free == free.is_some() => other = Some(p.pick_with(&v, sum, free)),
                _ => return Err(format!("`{}` goes along other indices than an operand does", self.name(access.data))),
            }
        }
        let (Some(matrix), Some(other)) = (matrix, other) else {
            return Err("its factors are not a matrix and what that is multiplied by".into());
        };
        Ok(Half {
            matrix,
            other,
            target: p.pick_with(&p.target, own, free),
            square: p.domain.range(own).clone(),
            free: free.map(|l| p.domain.range(l).clone()),
            is_below: Some(sum == t.lesser),
            is_strict: t.is_strict,
            scale: p.product.scale.clone(),
        })
    }

    /// A product on the diagonal: sum and result are one loop.
    fn diagonal(&self, p: &Piece, like: &Half) -> Result<Half, String> {
        let along_own = |x: &&(LoopId, Range)| p.along(&p.target, x.0) == like.target.along[0];
        let own = p.domain.loops.iter().find(along_own).ok_or("its parts run over different elements")?.0;
        let rest: Vec<LoopId> = p.domain.loops.iter().map(|(l, _)| *l).filter(|l| *l != own).collect();
        let free = match rest.as_slice() {
            [] => None,
            [one] => Some(*one),
            _ => return Err("its operands have more than two dimensions".into()),
        };
        let (mut matrix, mut other) = (None, None);
        for access in &p.product.loads {
            let v = self.view(&p.domain, access)?;
            if access.data == like.matrix.data && free.is_none_or(|l| is(&p.along(&v, l), 0)) && matrix.is_none() {
                matrix = Some(p.pick_with(&v, own, None));
            } else {
                other = Some(p.pick_with(&v, own, free));
            }
        }
        let (Some(matrix), Some(other)) = (matrix, other) else {
            return Err("its factors are not a matrix and what that is multiplied by".into());
        };
        let target = p.pick_with(&p.target, own, free);
        let (square, free) = (p.domain.range(own).clone(), free.map(|l| p.domain.range(l).clone()));
        let scale = p.product.scale.clone();
        Ok(Half { matrix, other, target, square, free, is_below: None, is_strict: false, scale })
    }

    /// Trmm, trsm and trsv.
    fn in_place(&self, what: What, pieces: &[Piece], copied: Option<&Piece>) -> Result<Outcome, Failure> {
        if !self.is_one_element_each(pieces)? {
            return Ok(Err("an element of the result is computed more than once".into()));
        }
        let order = self.order();
        for p in pieces {
            for x in p.product.loads.iter().filter(|x| x.data == self.e.data) {
                let read = (p.product.stmt, *x);
                let is_right = match what {
                    What::Trmm => self.each_write(|write| order.never(write, read))?,
                    _ => self.each_write(|write| order.never(read, write))?,
                };
                if !is_right {
                    let when = if what == What::Trmm { "before it is" } else { "after it was" };
                    return Ok(Err(format!(
                        "an element of `{}` is not always read {when} computed",
                        self.name(self.e.data)
                    )));
                }
            }
        }
        Ok(match what {
            What::Trmm if copied.is_some() => Err("what is multiplied is not in place".into()),
            What::Trmm => self.trmm(pieces),
            _ => self.solve(pieces, copied),
        })
    }

    fn off_diagonal(&self, pieces: &[Piece]) -> Result<(Half, Vec<Half>), String> {
        let halves = self.halves(pieces)?;
        let (mut off, rest): (Vec<Half>, Vec<Half>) = halves.into_iter().partition(|h| h.is_below.is_some());
        let (Some(off), true) = (off.pop(), off.is_empty()) else {
            return Err("both halves of the matrix are used".into());
        };
        if off.other.data != self.e.data || off.other != off.target {
            return Err("the sum is not of the elements of the result themselves".into());
        }
        if off.matrix.data == self.e.data {
            return Err(format!("`{}` is read as the matrix as well as written", self.name(self.e.data)));
        }
        self.is_matrix(&off.matrix)?;
        if off.free.is_some() {
            self.is_matrix(&off.target)?;
        }
        Ok((off, rest))
    }

    /// Whether an access is the diagonal of a half's matrix.
    fn is_diagonal(&self, stmt: StmtId, access: &Access, target: &Access, off: &Half) -> Result<(), String> {
        let differs = || format!("`{}` is not taken on its diagonal", self.name(access.data));
        let domain = self.domain(stmt)?;
        let (view, place) = (self.view(&domain, access)?, self.view(&domain, target)?);
        let sum = off.matrix.along[0].plus(&off.matrix.along[1], 1).ok_or_else(differs)?;
        let is_right = domain.loops.iter().enumerate().all(|(at, _)| match place.along[at] == off.target.along[0] {
            true => view.along[at] == sum,
            false => is(&view.along[at], 0),
        });
        let is_it = is_right && view.first == off.matrix.first && view.data == off.matrix.data;
        if is_it { Ok(()) } else { Err(differs()) }
    }

    fn trmm(&self, pieces: &[Piece]) -> Outcome {
        let (off, on) = self.off_diagonal(pieces)?;
        let has_unit = match (&self.e.kept, on.as_slice(), off.is_strict) {
            (None, [], false) => false,
            (Some(kept), [], true) if kept.scale.is_same(&off.scale) => match kept.loads.as_slice() {
                [] => true,
                [x] => {
                    let (stmt, target) = self.e.set.expect("an element is not one");
                    self.is_diagonal(stmt, x, target, &off)?;
                    false
                }
                _ => return Err("what is kept of the result is multiplied by more than the diagonal".into()),
            },
            (None, [one], true) => {
                self.agrees(&off, one)?;
                let sum = off.matrix.along[0].plus(&off.matrix.along[1], 1);
                if Some(&one.matrix.along[0]) != sum.as_ref() || one.matrix.first != off.matrix.first {
                    return Err("the diagonal is not that of the matrix".into());
                }
                false
            }
            (Some(_), [], true) => return Err("what is kept of the result has another factor than the sum".into()),
            (None, [], true) => return Err("the diagonal is left out".into()),
            _ => return Err("the diagonal is used more than once".into()),
        };
        self.sets_all(&off)?;
        let Some(free) = &off.free else { return Err("it is multiplied by one vector (trmv)".into()) };
        let [n, m] = self.sizes([&off.square, free])?;
        let ty = self.element(&[off.matrix.data])?;
        Ok(Operator {
            what: What::Trmm,
            ty,
            sizes: vec![n, m],
            flags: vec![off.is_below == Some(true), has_unit],
            alpha: off.scale.clone(),
            operands: vec![off.matrix.clone()],
            beta: None,
            result: off.target.clone(),
            usage: Usage::ReadWrite,
        })
    }

    fn solve(&self, pieces: &[Piece], copied: Option<&Piece>) -> Outcome {
        let (off, on) = self.off_diagonal(pieces)?;
        let minus_one = Scale { factors: vec![], is_negative: true };
        if !off.scale.is_same(&minus_one) {
            return Err("what is taken away has a factor".into());
        }
        if !on.is_empty() || !off.is_strict {
            return Err("the diagonal is among what is taken away".into());
        }
        let (alpha, from) = match (&self.e.kept, copied) {
            (Some(kept), None) if kept.loads.is_empty() => (kept.scale.clone(), off.target.clone()),
            (None, Some(p)) => (p.product.scale.clone(), self.copied(p, &off)?),
            (None, None) => return Err("nothing is there to solve for".into()),
            _ => return Err("what is kept of the result is multiplied by an element".into()),
        };
        if let Some((stmt, target, by)) = self.e.divisor {
            self.is_diagonal(stmt, by, target, &off)?;
        }
        self.sets_all(&off)?;
        let ty = self.element(&[off.matrix.data, from.data])?;
        let flags = vec![off.is_below == Some(true), self.e.divisor.is_none()];
        let (what, sizes) = match &off.free {
            Some(free) => (What::Trsm, self.sizes([&off.square, free])?.to_vec()),
            None => (What::Trsv, self.sizes([&off.square])?.to_vec()),
        };
        let (operands, result) = (vec![off.matrix.clone(), from], off.target.clone());
        Ok(Operator { what, ty, sizes, flags, alpha, operands, beta: None, result, usage: Usage::ReadWrite })
    }

    /// The elements that the result begins as, along its own indices.
    fn copied(&self, p: &Piece, off: &Half) -> Result<View, String> {
        let access = p.product.loads[0];
        if access.data == self.e.data || access.data == off.matrix.data {
            return Err(format!("the right-hand side is read from other elements of `{}`", self.name(access.data)));
        }
        let v = self.view(&p.domain, access)?;
        let at = |wanted: &Poly| p.domain.loops.iter().map(|(l, _)| *l).find(|l| p.along(&p.target, *l) == *wanted);
        let own = at(&off.target.along[0]).ok_or("its parts run over different elements")?;
        let free = off.free.as_ref().and_then(|_| at(&off.target.along[1]));
        Ok(p.pick_with(&v, own, free))
    }
}

/// A piece of a rank update.
struct Ends {
    x: View,
    y: View,
    target: View,
    square: Range,
    sum: Range,
    is_strict: bool,
    scale: Scale,
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
