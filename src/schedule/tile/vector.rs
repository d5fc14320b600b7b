//! Neighbouring points of a thread as vectors: their elements are loaded and stored together.
//!
//! ```text
//! for at in 0 .. SKEW_1 { j = rt_j + (t1 * SKEW_1 + at); c[i, j] = a[i, j] + x[i] }
//! ->
//! if (m % SKEW_1 == 0 && aligned(a[0, rt_j], SKEW_1) && aligned(c[0, rt_j], SKEW_1)) {
//!   rt_j_first = rt_j + t1 * SKEW_1
//!   load_vector rt_a_vector = a[i, rt_j_first];
//!   for at in 0 .. SKEW_1 { j = ..; rt_c_vector[at] = rt_a_vector[at] + x[i] }
//!   store_vector c[i, rt_j_first] = rt_c_vector;
//! } else { for at .. }
//! ```
//! Where rows are whole vectors, all of a tile's begin alike: one test serves them. Else each is tested.
//! Elements on both sides of a point, `a[i, j - 1]` beside `a[i, j + 1]`, are a row of the thread: a vector and the elements
//! at its ends.
//! ```text
//! load_vector rt_a_vector = a[i, rt_j_first];
//! rt_a_row[at + 1] = rt_a_vector[at]; rt_a_row[0] = a[i, rt_j_first - 1]; rt_a_row[SKEW_1 + 1] = a[i, rt_j_first + SKEW_1]
//! for at in 0 .. SKEW_1 { j = ..; rt_c_vector[at] = rt_a_row[at] + rt_a_row[at + 2] }
//! ```
//! Where a loop of the point leads along memory, `for q in 0 .. 7: s += a[i, j + q] * w[q]`, a row has what all its iterations
//! load, in vectors as far as they fit: see [`taps`](super::taps).
//!
//! Right where the points are all inside the band: then each element is loaded or stored by some point. Where some of a
//! thread's points are outside, an aligned vector with an element of a point inside is there all the same, if its array is made of
//! rows that are whole vectors: all points compute, and those inside are stored. What may not be moved stays where it is: what
//! stands under a condition, and loads of an array that the body stores to before them.
//! (Vectorisation of a naive kernel's accesses: Yang et al., PLDI 2010, section 3.1; vector types of CUDA.)

use super::edge::Edge;
use super::stmts::{counted, is_used, let_index, zero};
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, simplify, walk};
use crate::poly::names::Names;
use crate::schedule::index::{self, size_of};
use std::collections::BTreeMap;

/// The neighbouring points of one thread along the last dimension.
#[derive(Clone)]
pub struct Neighbours<'a> {
    /// The counter of their axis, and the loop over them.
    pub counter: &'a str,
    pub skew: &'a str,
    pub dimension: usize,
    /// The counter at a point that the thread counts from, and where the first neighbour lies from there.
    pub origin: &'a str,
    pub start: Expr,
    /// The first value of the counter, where it is known.
    pub low: Option<i64>,
    /// How many they are.
    pub count: i64,
    /// The global arrays.
    pub globals: &'a BTreeMap<String, Global>,
    /// Test that a variable is the same for all points of tiles that begin at multiples of the neighbours; `None`: there are
    /// no such tiles.
    pub is_uniform: Option<&'a dyn Fn(&str) -> bool>,
    /// Where the points end, if some of the neighbours may be outside.
    pub edge: Option<&'a Edge>,
}

/// A global array.
pub struct Global {
    /// The type of its elements.
    pub ty: ScalarType,
    /// Its extent along memory, where it has others too.
    pub extent: Option<Expr>,
    /// That the device has each of its rows from the first element to the last.
    pub has_whole_rows: bool,
    /// Flag: of what the kernel reads of it, it writes nothing.
    pub is_apart: bool,
}

/// A loop of the point around its neighbours, with known ends, which leads along memory.
pub struct Tap {
    pub counter: String,
    pub lo: i64,
    pub hi: i64,
}

/// More elements of a row than these would not stay in registers.
const MOST_OF_ROW: i64 = 32;

/// The work of neighbours by vectors.
pub struct Vectorised {
    /// The test that all points of a tile pass, if any does.
    pub aligned: Option<Expr>,
    /// The name of the counter at the first of the neighbours.
    pub first: String,
    /// Statements of the neighbours together, one of whom is inside.
    pub body: Vec<Stmt>,
}

/// A subscript: a counter, other terms, each added or taken away, and a number.
pub struct Sum {
    pub rest: Vec<(bool, Expr)>,
    pub by: i64,
}

/// A vector: an access at the first point, and the array of the thread that holds it.
#[derive(Clone)]
pub struct Vector {
    /// The access as the body has it, and at the first point.
    pub(super) access: Access,
    pub first: Access,
    pub(super) array: String,
    pub(super) ty: ScalarType,
}

/// Elements of one array along memory of which each point loads several: all that the neighbours load.
pub struct Row {
    /// The first vector among them, and how far from a point it begins; others follow, as many as fit.
    pub vector: Vector,
    at: i64,
    /// An access to it, as the body has it.
    access: Access,
    /// The array of the thread that holds them all.
    array: String,
    /// Distances before and behind a point of the elements that it loads first and last.
    least: i64,
    most: i64,
}

/// A subscript along memory, and how far from its counter and its other terms it leads: in one place, or in an iteration of
/// the tap each.
struct Along {
    rest: Vec<(bool, Expr)>,
    by: i64,
    is_tapped: bool,
}

impl Neighbours<'_> {
    /// The body for all neighbours; `None` where it has no access that they could make together, or where some may be outside
    /// and others may not compute for them. `scalar` is what runs where vectors are not aligned.
    pub fn vectorised(&self, body: &[Stmt], scalar: Vec<Stmt>, names: &mut Names) -> Option<Vectorised> {
        let first = names.fresh(&format!("rt_{}_first", self.counter));
        let stores = self.stores(body, &first, names);
        let found = self.loads(body, &stores);
        let rows = self.rows(body, &found, (&first, None), names);
        let is_in_row = |access: &Access| rows.iter().any(|row| self.in_row(row, access, None).is_some());
        let single = found.iter().filter(|access| !is_in_row(access));
        let loads: Vec<Vector> = single.filter_map(|access| self.vector(access, &first, names)).collect();
        if loads.is_empty() && stores.is_empty() && rows.is_empty() {
            return None;
        }
        let mut each = body.to_vec();
        each.iter_mut().for_each(|s| self.read_rows(s, &rows, None));
        each.iter_mut().for_each(|s| replace(s, self.skew, &loads, &stores));
        let is_harmless = self.edge.is_none() || self.may_run_outside(&each);
        let vectors = || rows.iter().map(|row| &row.vector).chain(&loads).chain(&stores);
        let (mut of_tile, mut of_point): (Vec<Expr>, Vec<Expr>) = (vec![], vec![]);
        for v in vectors() {
            match self.aligned_rows(v).filter(|_| self.is_there_in_part(v)) {
                Some(all) => all.into_iter().for_each(|condition| add(&mut of_tile, condition)),
                None if self.edge.is_some() => return None,
                None => add(&mut of_point, Expr::Aligned { access: v.first.clone(), count: Box::new(self.size()) }),
            }
        }
        // A compound assignment reads its element too.
        let is_update = |v: &&Vector| body.iter().any(|s| is_store_to(s, &v.access) && has_operator(s));
        let mut together: Vec<Stmt> = vectors().map(|v| v.declaration(self.size())).collect();
        let of_rows = rows.iter().filter(|row| self.has_one_vector(row)).map(|row| &row.vector);
        together.extend(of_rows.chain(&loads).map(|v| v.load(self.edge.is_some())));
        together.extend(rows.iter().flat_map(|row| self.filled(row, (&first, true), names)));
        together.extend(stores.iter().filter(is_update).map(|v| v.load(self.edge.is_some())));
        together.push(self.each(each));
        together.extend(stores.iter().flat_map(|v| self.stored(v, &first)));
        let body = match index::all(of_point) {
            Some(cond) => vec![Stmt::made(StmtKind::If { cond, then: together, other: scalar })],
            None => together,
        };
        is_harmless.then(|| Vectorised { aligned: index::all(of_tile), first, body })
    }

    /// Number of the neighbours, as the kernel has it.
    pub(super) fn size(&self) -> Expr {
        size_of("SKEW", self.dimension)
    }

    /// Statements at each of the neighbours.
    pub fn each(&self, mut body: Vec<Stmt>) -> Stmt {
        if is_used(&body, self.counter) {
            let at = index::add(index::var(self.origin), index::add(self.start.clone(), index::var(self.skew)));
            body.insert(0, let_index(self.counter, at));
        }
        counted(self.skew, self.size(), body)
    }

    /// Statements behind the counter at the first of the neighbours.
    pub fn behind_first(&self, first: &str, body: Vec<Stmt>) -> Vec<Stmt> {
        let at = index::add(index::var(self.origin), self.start.clone());
        [let_index(first, at)].into_iter().chain(body).collect()
    }

    /// The conditions under which a vector is aligned at all points of a tile, since rows are whole vectors; `None` where its
    /// place follows from more than such rows.
    pub fn aligned_rows(&self, v: &Vector) -> Option<Vec<Expr>> {
        let size = || self.size();
        let Sum { rest, by } = sum(v.access.index.last()?, self.counter)?;
        let is_scalar = self.is_uniform?;
        let is_uniform = |e: &Expr| {
            !e.any(&mut |e| match e {
                Expr::Var(name) => !is_scalar(name),
                e => !matches!(e, Expr::Int(_) | Expr::Binary(..)),
            })
        };
        let pitch = |e: &Expr| match e {
            Expr::Binary(BinOp::Mul, a, b) => [b, a].into_iter().find(|e| is_uniform(e)).map(|e| (**e).clone()),
            e => Some(e.clone()).filter(|e| is_uniform(e)),
        };
        let mut pitches: Vec<Expr> = rest.iter().map(|(_, e)| pitch(e)).collect::<Option<_>>()?;
        let extent = &self.globals.get(&v.access.array)?.extent;
        if v.access.index.len() > 1 {
            pitches.push(extent.clone().filter(|e| is_uniform(e))?);
        }
        let whole = |e| index::binary(BinOp::Eq, index::binary(BinOp::Rem, e, size()), Expr::Int(0));
        let mut at = index::add(index::var(self.origin), Expr::Int(by));
        simplify::index_expr(&mut at);
        let n = v.access.index.len();
        let index = std::iter::repeat_n(Expr::Int(0), n - 1).chain([at]).collect();
        let access = Access { array: v.access.array.clone(), index };
        let aligned = Expr::Aligned { access, count: Box::new(size()) };
        let known = |e: &Expr| matches!(e, Expr::Int(n) if n % self.count == 0);
        Some(pitches.into_iter().filter(|e| !known(e)).map(whole).chain([aligned]).collect())
    }

    /// The stores that every point makes, of arrays that nothing else in the body stores to.
    fn stores(&self, body: &[Stmt], first: &str, names: &mut Names) -> Vec<Vector> {
        let mut out = vec![];
        for (n, s) in body.iter().enumerate() {
            let StmtKind::Store { target, .. } = &s.kind else { continue };
            let others = body.iter().enumerate().filter(|(m, _)| *m != n);
            let meets = |s: &Stmt| {
                if self.is_apart(&target.array) { stores_to(s, &target.array) } else { touches(s, &target.array) }
            };
            let is_alone = others.clone().all(|(_, s)| !meets(s));
            if is_alone && let Some(vector) = self.vector(target, first, names) {
                out.push(vector);
            }
        }
        out
    }

    /// Test that a kernel writes nothing of what it reads of an array.
    fn is_apart(&self, array: &str) -> bool {
        self.globals.get(array).is_some_and(|global| global.is_apart)
    }

    /// The loads that every point makes before it stores to what it loads.
    pub fn loads(&self, body: &[Stmt], stores: &[Vector]) -> Vec<Access> {
        loads(body, stores, &|array| self.is_apart(array))
    }

    /// The rows among loads: of arrays that the body does not store to, without gaps, one of whose elements may begin a
    /// vector.
    pub fn rows(
        &self,
        body: &[Stmt],
        found: &[Access],
        (first, tap): (&str, Option<&Tap>),
        names: &mut Names,
    ) -> Vec<Row> {
        let mut out: Vec<Row> = vec![];
        for access in found {
            let is_stored = !self.is_apart(&access.array) && body.iter().any(|s| stores_to(s, &access.array));
            if is_stored || out.iter().any(|row| self.same_row(&row.access, access, tap)) {
                continue;
            }
            let all = found.iter().filter(|x| self.same_row(x, access, tap)).filter_map(|x| self.along(x, tap));
            let lengths = |x: Along| {
                let (lo, hi) = tap.filter(|_| x.is_tapped).map_or((0, 1), |tap| (tap.lo, tap.hi));
                (lo..hi).map(move |n| x.by + n)
            };
            let mut shifts: Vec<i64> = all.flat_map(lengths).collect();
            shifts.sort_unstable();
            shifts.dedup();
            let [least, .., most] = shifts[..] else { continue };
            let has_gap = shifts.windows(2).any(|x| x[1] - x[0] > self.count);
            if has_gap || most - least + self.count > MOST_OF_ROW {
                continue;
            }
            if let Some((vector, at)) = self.first_vector(access, (least, most), (first, tap), names) {
                let array = names.fresh(&format!("rt_{}_row", access.array));
                out.push(Row { vector, at, access: access.clone(), array, least, most });
            }
        }
        out
    }

    /// The first vector of a row, and how far from a point it begins.
    fn first_vector(
        &self,
        access: &Access,
        (least, most): (i64, i64),
        (first, tap): (&str, Option<&Tap>),
        names: &mut Names,
    ) -> Option<(Vector, i64)> {
        let own = self.along(access, tap)?.by;
        let moved = |by: i64| {
            let mut x = access.clone();
            let last = x.index.last_mut().expect("a subscript");
            if let Some(tap) = tap {
                last.replace(&mut |e| matches!(e, Expr::Var(name) if *name == tap.counter).then_some(Expr::Int(0)));
            }
            *last = index::add(last.clone(), Expr::Int(by - own));
            simplify::index_expr(last);
            x
        };
        (least..=most).find_map(|by| Some((self.vector(&moved(by), first, names)?, by)))
    }

    /// The subscript along memory of an access; `None` where it does not lead along it, or the tap elsewhere, too.
    fn along(&self, access: &Access, tap: Option<&Tap>) -> Option<Along> {
        let (last, outer) = access.index.split_last()?;
        let Sum { mut rest, by } = sum(last, self.counter)?;
        let Some(tap) = tap else { return Some(Along { rest, by, is_tapped: false }) };
        let n_before = rest.len();
        rest.retain(|(is_added, e)| !(*is_added && matches!(e, Expr::Var(name) if *name == tap.counter)));
        let is_elsewhere = rest.iter().map(|(_, e)| e).chain(outer).any(|e| e.mentions(&tap.counter));
        (!is_elsewhere && n_before - rest.len() <= 1).then_some(Along { is_tapped: rest.len() < n_before, rest, by })
    }

    /// Where the element of an access lies in a row, after the first that a point loads.
    fn in_row(&self, row: &Row, access: &Access, tap: Option<&Tap>) -> Option<Expr> {
        let Along { by, is_tapped, .. } = self.along(access, tap)?;
        let (lo, hi) = tap.filter(|_| is_tapped).map_or((0, 1), |tap| (tap.lo, tap.hi));
        let is_in = self.same_row(&row.access, access, tap) && row.least <= by + lo && by + hi - 1 <= row.most;
        let at = Expr::Int(by - row.least);
        is_in.then(|| match tap.filter(|_| is_tapped) {
            Some(tap) => index::add(index::var(&tap.counter), at),
            None => at,
        })
    }

    /// Test that a row has one vector, whatever the kernel's sizes: it is loaded before the row is filled.
    pub fn has_one_vector(&self, row: &Row) -> bool {
        row.most - row.at < self.count
    }

    /// Statements that fill a row: its vectors, and the elements before and behind them. How many vectors fit follows from the kernel's
    /// sizes. Without vectors, each by itself.
    pub fn filled(&self, row: &Row, (first, by_vectors): (&str, bool), names: &mut Names) -> Vec<Stmt> {
        let size = || self.size();
        let Row { vector, at, array, least, most, .. } = row;
        let length = index::add(size(), Expr::Int(most - least));
        let declared = StmtKind::LocalArray { name: array.clone(), ty: vector.ty, extents: vec![length.clone()] };
        let put = |k: Expr, value: Expr| {
            let target = Access { array: array.clone(), index: vec![k] };
            Stmt::made(StmtKind::Store { target, op: None, value })
        };
        let beside = |by: Expr| shifted(&vector.first, by);
        // An element is there if a point inside loads it: one as far before it as its row goes, or behind. One of the thread's
        // is inside: it loads of each vector, and where the band has begun for an element before these, it has not ended, and the
        // reverse.
        let point = |by: Expr, shift: i64| index::add(index::var(first), index::add(by, Expr::Int(at - shift)));
        let begun = |by: &Expr| self.edge.and_then(|edge| edge.has_begun(&point(by.clone(), *least)));
        let going = |by: &Expr| self.edge.and_then(|edge| edge.goes_on(&point(by.clone(), *most)));
        let element = |by: Expr, cond: Option<Expr>| match (Expr::Load(beside(by)), cond) {
            (value, Some(cond)) => Expr::Cond(cond.into(), value.into(), zero(vector.ty).into()),
            (value, None) => value,
        };
        let before = |by: Expr| element(by.clone(), begun(&by));
        let behind = |by: Expr| element(by.clone(), going(&by));
        let loaded = Access { array: vector.array.clone(), index: vec![index::var(self.skew)] };
        let copied = |before: Expr| {
            let to = index::add(index::var(self.skew), index::add(before, Expr::Int(at - least)));
            counted(self.skew, size(), vec![put(to, Expr::Load(loaded.clone()))])
        };
        let mut out = vec![Stmt::made(declared)];
        if !by_vectors {
            let var = names.fresh("rt_element");
            let by = index::add(index::var(&var), Expr::Int(least - at));
            let (low, high) = (point(by.clone(), *most), point(by.clone(), *least));
            let value = element(by, self.edge.map(|edge| edge.meets(&low, &high)));
            out.push(counted(&var, length, vec![put(index::var(&var), value)]));
            return out;
        }
        let before = (*least..*at).map(|by| put(Expr::Int(by - least), before(Expr::Int(by - at))));
        if self.has_one_vector(row) {
            out.push(copied(Expr::Int(0)));
            out.extend(before);
            let after = |by: i64| index::add(size(), Expr::Int(by));
            out.extend((0..most - at).map(|by| put(after(at - least + by), behind(after(by)))));
            return out;
        }
        out.extend(before);
        let (part, rest) = (names.fresh("rt_part"), names.fresh("rt_rest"));
        let n = index::add(index::binary(BinOp::Div, Expr::Int(most - at), size()), Expr::Int(1));
        let before = index::mul(index::var(&part), size());
        let load = Vector { first: beside(before.clone()), ..vector.clone() }.load(self.edge.is_some());
        out.push(counted(&part, n.clone(), vec![load, copied(before)]));
        let after = index::add(index::mul(n, size()), index::var(&rest));
        let n_behind = index::binary(BinOp::Rem, Expr::Int(most - at), size());
        let put = put(index::add(after.clone(), Expr::Int(at - least)), behind(after));
        out.push(counted(&rest, n_behind, vec![put]));
        out
    }

    /// Test that two accesses are of one array, and differ by a number in the last subscript at most, or by the tap.
    fn same_row(&self, x: &Access, y: &Access, tap: Option<&Tap>) -> bool {
        let (Some((_, before)), Some((_, too))) = (x.index.split_last(), y.index.split_last()) else { return false };
        let rest = |x| self.along(x, tap).map(|x| x.rest);
        x.array == y.array && before == too && rest(x).is_some_and(|all| Some(all) == rest(y))
    }

    /// Puts elements of rows in the places of accesses, in iterations of the tap if there is one.
    pub fn read_rows(&self, s: &mut Stmt, rows: &[Row], tap: Option<&Tap>) {
        for e in s.exprs_mut() {
            e.replace(&mut |e| {
                let Expr::Load(x) = e else { return None };
                let (row, by) = rows.iter().find_map(|row| Some((row, self.in_row(row, x, tap)?)))?;
                let index = vec![index::add(index::var(self.skew), by)];
                Some(Expr::Load(Access { array: row.array.clone(), index }))
            });
        }
        s.bodies_mut().into_iter().flatten().for_each(|s| self.read_rows(s, rows, tap));
    }

    /// Test that the first of some neighbours may begin a vector, as far as numbers say: rows are known to begin at such places
    /// only when they run, but `a[i][j - 1]` beside `a[i][j]` is seen here.
    fn may_be_aligned(&self, last: &Expr, ty: ScalarType) -> bool {
        let (Some(low), Some(shift)) = (self.low, sum(last, self.counter)) else { return true };
        let most = 16 / ty.size(64).max(1);
        (low + shift.by).rem_euclid(self.count.min(most).max(1)) == 0
    }

    /// The vector of an access whose last subscript alone grows with the points, by one.
    fn vector(&self, access: &Access, first: &str, names: &mut Names) -> Option<Vector> {
        let ty = self.globals.get(&access.array)?.ty;
        let (last, outer) = access.index.split_last()?;
        let counter = self.counter;
        if outer.iter().any(|e| e.mentions(counter))
            || sum(last, counter).is_none()
            || !access.index.iter().all(is_plain)
        {
            return None;
        }
        if !self.may_be_aligned(last, ty) {
            return None;
        }
        let mut at = access.clone();
        at.index.iter_mut().for_each(|e| {
            e.replace(&mut |e| matches!(e, Expr::Var(name) if name == counter).then(|| index::var(first)));
        });
        let array = names.fresh(&format!("rt_{}_vector", access.array));
        Some(Vector { access: access.clone(), first: at, array, ty })
    }
}

impl Vector {
    /// Its array, of so many elements.
    pub fn declaration(&self, size: Expr) -> Stmt {
        Stmt::made(StmtKind::LocalArray { name: self.array.clone(), ty: self.ty, extents: vec![size] })
    }

    /// The statement that loads it, maybe in part.
    pub fn load(&self, is_part: bool) -> Stmt {
        Stmt::made(StmtKind::LoadVector { array: self.array.clone(), source: self.first.clone(), is_part })
    }
}

/// The access so many elements further.
fn shifted(access: &Access, by: Expr) -> Access {
    let mut x = access.clone();
    let last = x.index.last_mut().expect("a subscript along memory");
    *last = index::add(last.clone(), by);
    simplify::index_expr(last);
    x
}

/// Adds a condition that is not there yet.
pub fn add(all: &mut Vec<Expr>, condition: Expr) {
    if !all.contains(&condition) {
        all.push(condition);
    }
}

/// The loads that every point makes before it stores to their array, or to what is apart from it.
fn loads(body: &[Stmt], stores: &[Vector], is_apart: &dyn Fn(&str) -> bool) -> Vec<Access> {
    let mut found: Vec<Access> = vec![];
    for (n, s) in body.iter().enumerate() {
        let value = match &s.kind {
            StmtKind::Store { value, .. } | StmtKind::Assign { value, .. } => Some(value),
            StmtKind::Let { init, .. } => init.as_ref(),
            _ => None,
        };
        let mut loaded = vec![];
        value.into_iter().for_each(|e| surely_loaded(e, &mut loaded));
        for access in loaded {
            let is_stored = body.iter().enumerate().any(|(m, s)| stores_to(s, &access.array) && m != n);
            let own = stores.iter().any(|v| v.access.array == access.array);
            let is_before = !is_stored && (own || !stores_to(s, &access.array));
            if !found.contains(access) && (is_before || is_apart(&access.array)) {
                found.push(access.clone());
            }
        }
    }
    found
}

/// Test that a point loads several elements of an array, which its neighbours may share.
pub fn shares(body: &[Stmt], globals: &BTreeMap<String, Global>) -> bool {
    let found = loads(body, &[], &|array| globals.get(array).is_some_and(|global| global.is_apart));
    (1..found.len()).any(|n| found[..n].iter().any(|x| x.array == found[n].array))
}

/// Test that a subscript reads no memory and has no other effect.
fn is_plain(e: &Expr) -> bool {
    !e.any(&mut |e| matches!(e, Expr::Load(_) | Expr::Call(..)))
}

/// The terms of a subscript in which a counter stands once, and is added.
pub fn sum(e: &Expr, counter: &str) -> Option<Sum> {
    let mut out = Sum { rest: vec![], by: 0 };
    let mut n = 0;
    add_terms(e, true, counter, &mut n, &mut out);
    let is_apart = !out.rest.iter().any(|(_, e)| e.mentions(counter));
    (n == 1 && is_apart).then_some(out)
}

fn add_terms(e: &Expr, is_added: bool, counter: &str, n: &mut i64, out: &mut Sum) {
    match e {
        Expr::Var(name) if name == counter => *n += if is_added { 1 } else { -1 },
        Expr::Int(k) => out.by += if is_added { *k } else { -*k },
        Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
            add_terms(a, is_added, counter, n, out);
            add_terms(b, is_added == (*op == BinOp::Add), counter, n, out);
        }
        e => out.rest.push((is_added, e.clone())),
    }
}

/// The elements that an expression loads whatever its conditions give.
fn surely_loaded<'e>(e: &'e Expr, out: &mut Vec<&'e Access>) {
    match e {
        Expr::Load(access) => out.push(access),
        Expr::Cond(cond, ..) => surely_loaded(cond, out),
        Expr::Binary(BinOp::And | BinOp::Or, left, _) => surely_loaded(left, out),
        _ => e.children().into_iter().for_each(|child| surely_loaded(child, out)),
    }
}

fn is_store_to(s: &Stmt, access: &Access) -> bool {
    matches!(&s.kind, StmtKind::Store { target, .. } if target == access)
}

fn has_operator(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Store { op: Some(_), .. })
}

/// Test that something in a statement stores to an array.
fn stores_to(s: &Stmt, array: &str) -> bool {
    let mut found = false;
    s.visit(&mut |s| found |= s.target().is_some_and(|target| target.array == array));
    found
}

/// Test that something in a statement loads from an array or stores to it.
pub fn touches(s: &Stmt, array: &str) -> bool {
    let mut found = stores_to(s, array);
    walk::visit(std::slice::from_ref(s), &mut |s| {
        let loads = |e: &Expr| e.any(&mut |e| matches!(e, Expr::Load(x) if x.array == array));
        found |= s.exprs().into_iter().any(loads) || s.source().is_some_and(|x| x.array == array);
    });
    found
}

/// Puts elements of the vectors in the places of the accesses; those under conditions are the same elements.
fn replace(s: &mut Stmt, skew: &str, loads: &[Vector], stores: &[Vector]) {
    let element = |v: &Vector| Access { array: v.array.clone(), index: vec![index::var(skew)] };
    for e in s.exprs_mut() {
        e.replace(&mut |e| match e {
            Expr::Load(x) => loads.iter().find(|v| v.access == *x).map(|v| Expr::Load(element(v))),
            _ => None,
        });
    }
    if let StmtKind::Store { target, .. } = &mut s.kind
        && let Some(v) = stores.iter().find(|v| v.access == *target)
    {
        *target = element(v);
    }
    s.bodies_mut().into_iter().flatten().for_each(|s| replace(s, skew, loads, stores));
}
