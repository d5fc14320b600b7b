//! Neighbouring points of a thread some of which may be outside the band.
//!
//! ```text
//! if (rt_j_first + SKEW_1 - 1 >= 1 && max(rt_j_first, 1) < m - 1) {    one of them is inside
//!   load_vector rt_a_vector = a[i, rt_j_first];
//!   rt_a_row[0] = rt_j_first >= 1 ? a[i, rt_j_first - 1] : 0; ..       and loads it
//!   for at in 0 .. SKEW_1 { rt_c_vector[at] = rt_a_row[at] + rt_a_row[at + 2] }
//!   if (rt_j_first >= 1 && rt_j_first + SKEW_1 - 1 < m - 1) { store_vector c[i, rt_j_first] = rt_c_vector; }
//!   else { for at in 0 .. SKEW_1 { if (it is inside) c[i, j] = rt_c_vector[at] } }
//! }
//! ```
//! All lanes of a warp so go one way, but for the stores at the ends of a row: of 512 points they are in half of the warps.
//! Elements are there if a point inside loads them; and so are the others of an aligned vector that has such an element, where
//! rows are whole vectors and begin with one.

use super::stmts::guarded;
use super::vector::{Neighbours, Vector, sum, touches};
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, walk};
use crate::schedule::index;

impl Neighbours<'_> {
    /// Statements of a point, if it is inside: where they touch memory, it has to be.
    pub fn guarded(&self, body: &[Stmt]) -> Vec<Stmt> {
        let at = index::var(self.counter);
        let touches_memory = || body.iter().any(|s| self.globals.keys().any(|array| touches(s, array)));
        let edge = self.edge.filter(|_| touches_memory());
        guarded(edge.map(|edge| edge.holds(&at, &at)), body.to_vec())
    }

    /// Test that what is left of a point's statements may run where the point is outside, on zeros: they compute, from vectors
    /// and from what no neighbour loads for itself, and store to vectors.
    pub fn may_run_outside(&self, body: &[Stmt]) -> bool {
        let own = walk::declared(body);
        let is_own = |e: &Expr| e.mentions(self.counter) || own.iter().any(|name| e.mentions(name));
        let risky = |e: &Expr| match e {
            Expr::Load(x) => self.globals.contains_key(&x.array) && x.index.iter().any(is_own),
            Expr::Binary(BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr, _, by) => {
                !matches!(**by, Expr::Int(_) | Expr::Float(_))
            }
            Expr::Call(..) | Expr::Cast(ScalarType::Int(_) | ScalarType::Index, _) => true,
            _ => false,
        };
        body.iter().all(|s| {
            let stores = |x: &Access| self.globals.contains_key(&x.array);
            let computes = matches!(s.kind, StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::Store { .. });
            computes && !s.target().is_some_and(stores) && s.exprs().into_iter().all(|e| !e.any(&mut |e| risky(e)))
        })
    }

    /// Test that an aligned vector with an element that a point inside loads or stores is there as a whole: its rows are, and it
    /// begins as far behind their begin as some vectors are long.
    pub fn is_there_in_part(&self, v: &Vector) -> bool {
        let array = self.globals.get(&v.access.array);
        let by = v.access.index.last().and_then(|last| sum(last, self.counter)).map(|x| x.by);
        let begins = self.low.zip(by).is_some_and(|(low, by)| low + by == 0);
        self.edge.is_none() || (begins && array.is_some_and(|x| x.has_whole_rows))
    }

    /// Statements for points from one to another, if one of them is inside.
    pub fn if_some_is_inside(&self, (low, high): (Expr, Expr), body: Vec<Stmt>) -> Vec<Stmt> {
        guarded(self.edge.map(|edge| edge.meets(&low, &high)), body)
    }

    /// Statements that store a vector: as far as its points are inside.
    pub fn stored(&self, v: &Vector, first: &str) -> Vec<Stmt> {
        let whole = Stmt::made(StmtKind::StoreVector { target: v.first.clone(), array: v.array.clone() });
        let Some(edge) = self.edge else { return vec![whole] };
        let value = Expr::Load(Access { array: v.array.clone(), index: vec![index::var(self.skew)] });
        let one = Stmt::made(StmtKind::Store { target: v.access.clone(), op: None, value });
        let at = index::var(self.counter);
        let each = self.each(guarded(Some(edge.holds(&at, &at)), vec![one]));
        let (low, high) = self.ends(first);
        vec![Stmt::made(StmtKind::If { cond: edge.holds(&low, &high), then: vec![whole], other: vec![each] })]
    }

    /// The counter at the first and the last of the neighbours.
    pub fn ends(&self, first: &str) -> (Expr, Expr) {
        let last = index::binary(BinOp::Sub, self.size(), Expr::Int(1));
        (index::var(first), index::add(index::var(first), last))
    }
}
