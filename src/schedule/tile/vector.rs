//! Neighbouring points of a thread as vectors: their elements are loaded and stored together.
//!
//! ```text
//! for at in 0 .. SKEW_1 { j = rt_j + (t1 * SKEW_1 + at); c[i, j] = a[i, j] + x[i] }
//! ->
//! rt_j_first = rt_j + t1 * SKEW_1
//! if (aligned(a[i, rt_j_first], SKEW_1) && aligned(c[i, rt_j_first], SKEW_1)) {
//!   load_vector rt_a_vector = a[i, rt_j_first];
//!   for at in 0 .. SKEW_1 { j = ..; rt_c_vector[at] = rt_a_vector[at] + x[i] }
//!   store_vector c[i, rt_j_first] = rt_c_vector;
//! } else { for at .. }
//! ```
//! Right where the points are all inside the band: then each element is loaded or stored by some point. What may not be
//! moved stays where it is: what stands under a condition, and loads of an array that the body stores to before them.
//! (Vectorisation of a naive kernel's accesses: Yang et al., PLDI 2010, section 3.1; vector types of CUDA.)

use super::code::{is_used, let_index};
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, walk};
use crate::poly::names::Names;
use crate::schedule::index::{self, size_of};
use std::collections::BTreeMap;

/// The neighbouring points of one thread along the last dimension.
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
    /// The types of the elements of global arrays.
    pub elements: &'a BTreeMap<String, ScalarType>,
}

/// A vector: an access at the first point, and the array of the thread that holds it.
struct Vector {
    /// The access as the body has it, and at the first point.
    access: Access,
    first: Access,
    array: String,
    ty: ScalarType,
}

impl Neighbours<'_> {
    /// The body for all neighbours; `None` where it has no access that they could make together. `scalar` is what runs
    /// where vectors are not aligned.
    pub fn vectorised(&self, body: &[Stmt], scalar: Vec<Stmt>, names: &mut Names) -> Option<Vec<Stmt>> {
        let skew = self.skew;
        let first = names.fresh(&format!("rt_{}_first", self.counter));
        let stores = self.stores(body, &first, names);
        let loads = self.loads(body, &stores, &first, names);
        if loads.is_empty() && stores.is_empty() {
            return None;
        }
        let size = || size_of("SKEW", self.dimension);
        let declare = |v: &Vector| {
            let (name, ty) = (v.array.clone(), v.ty);
            Stmt::made(StmtKind::LocalArray { name, ty, extents: vec![size()] })
        };
        let load = |v: &Vector| Stmt::made(StmtKind::LoadVector { array: v.array.clone(), source: v.first.clone() });
        let mut together: Vec<Stmt> = loads.iter().chain(&stores).map(declare).collect();
        together.extend(loads.iter().map(load));
        // A compound assignment reads its element too.
        let is_update = |v: &&Vector| body.iter().any(|s| is_store_to(s, &v.access) && has_operator(s));
        together.extend(stores.iter().filter(is_update).map(load));
        let mut each = body.to_vec();
        each.iter_mut().for_each(|s| replace(s, skew, &loads, &stores));
        if is_used(&each, self.counter) {
            let at = index::add(index::var(self.origin), index::add(self.start.clone(), index::var(skew)));
            each.insert(0, let_index(self.counter, at));
        }
        let (var, lo, step) = (skew.to_string(), Expr::Int(0), Expr::Int(1));
        together.push(Stmt::made(StmtKind::For { var, lo, hi: size(), step, body: each }));
        let store = |v: &Vector| Stmt::made(StmtKind::StoreVector { target: v.first.clone(), array: v.array.clone() });
        together.extend(stores.iter().map(store));
        let aligned = |v: &Vector| Expr::Aligned { access: v.first.clone(), count: Box::new(size()) };
        let mut conditions: Vec<Expr> = vec![];
        for condition in loads.iter().chain(&stores).map(aligned) {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let cond = index::all(conditions).expect("a vector at least");
        let begin = let_index(&first, index::add(index::var(self.origin), self.start.clone()));
        Some(vec![begin, Stmt::made(StmtKind::If { cond, then: together, other: scalar })])
    }

    /// The stores that every point makes, of arrays that nothing else in the body stores to.
    fn stores(&self, body: &[Stmt], first: &str, names: &mut Names) -> Vec<Vector> {
        let mut out = vec![];
        for (n, s) in body.iter().enumerate() {
            let StmtKind::Store { target, .. } = &s.kind else { continue };
            let others = body.iter().enumerate().filter(|(m, _)| *m != n);
            let is_alone = others.clone().all(|(_, s)| !touches(s, &target.array));
            if is_alone && let Some(vector) = self.vector(target, first, names) {
                out.push(vector);
            }
        }
        out
    }

    /// The loads that every point makes before it stores to their array.
    fn loads(&self, body: &[Stmt], stores: &[Vector], first: &str, names: &mut Names) -> Vec<Vector> {
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
                if !found.contains(access) && !is_stored && (own || !stores_to(s, &access.array)) {
                    found.push(access.clone());
                }
            }
        }
        found.iter().filter_map(|access| self.vector(access, first, names)).collect()
    }

    /// Whether the first of some neighbours may begin a vector, as far as numbers say: rows are known to begin at such places
    /// only when they run, but `a[i][j - 1]` beside `a[i][j]` is seen here.
    fn may_be_aligned(&self, last: &Expr, ty: ScalarType) -> bool {
        let (Some(low), Some(shift)) = (self.low, shift(last, self.counter)) else { return true };
        let most = 16 / ty.size(64).max(1);
        (low + shift).rem_euclid(self.count.min(most).max(1)) == 0
    }

    /// The vector of an access whose last subscript alone grows with the points, by one.
    fn vector(&self, access: &Access, first: &str, names: &mut Names) -> Option<Vector> {
        let ty = *self.elements.get(&access.array)?;
        let (last, outer) = access.index.split_last()?;
        let counter = self.counter;
        if outer.iter().any(|e| e.mentions(counter))
            || !grows_by_one(last, counter)
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

/// Whether a subscript reads no memory and has no other effect.
fn is_plain(e: &Expr) -> bool {
    !e.any(&mut |e| matches!(e, Expr::Load(_) | Expr::Call(..)))
}

/// Whether an expression is a counter and what does not change with it.
fn grows_by_one(e: &Expr, counter: &str) -> bool {
    match e {
        Expr::Var(name) => name == counter,
        Expr::Binary(BinOp::Add, a, b) => {
            grows_by_one(a, counter) && !b.mentions(counter) || grows_by_one(b, counter) && !a.mentions(counter)
        }
        Expr::Binary(BinOp::Sub, a, b) => grows_by_one(a, counter) && !b.mentions(counter),
        _ => false,
    }
}

/// The number that an expression adds to a counter, where it adds one.
fn shift(e: &Expr, counter: &str) -> Option<i64> {
    match e {
        Expr::Var(name) => (name == counter).then_some(0),
        Expr::Binary(BinOp::Add, a, b) => match (&**a, &**b) {
            (a, Expr::Int(n)) | (Expr::Int(n), a) => Some(shift(a, counter)? + n),
            _ => None,
        },
        Expr::Binary(BinOp::Sub, a, b) => match &**b {
            Expr::Int(n) => Some(shift(a, counter)? - n),
            _ => None,
        },
        _ => None,
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

/// Whether something in a statement stores to an array.
fn stores_to(s: &Stmt, array: &str) -> bool {
    let mut found = false;
    s.visit(&mut |s| found |= s.target().is_some_and(|target| target.array == array));
    found
}

/// Whether something in a statement loads from an array or stores to it.
fn touches(s: &Stmt, array: &str) -> bool {
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
