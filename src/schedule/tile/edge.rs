//! The ends of a band along memory, and which points are between them.

use crate::kernel::{Expr, simplify};
use crate::schedule::index;

/// The ends of a band along memory, as conditions on the counter: `1 <= AT` and `AT < n - 1`.
pub struct Edge {
    pub begins: Option<Expr>,
    pub ends: Option<Expr>,
    /// The values that the counter is not less than: the greatest of them is the first, if there are points.
    pub least: Vec<Expr>,
}

impl Edge {
    /// The counter in the conditions.
    pub const AT: &str = "rt_at_edge";

    /// That the band has begun at a point, and so at all behind it.
    pub fn has_begun(&self, at: &Expr) -> Option<Expr> {
        self.begins.as_ref().map(|x| with(x, at))
    }

    /// That it has not ended at a point, nor at any before it.
    pub fn goes_on(&self, at: &Expr) -> Option<Expr> {
        self.ends.as_ref().map(|x| with(x, at))
    }

    /// That all points from one to another are inside.
    pub fn holds(&self, low: &Expr, high: &Expr) -> Expr {
        let both = self.goes_on(high).into_iter().chain(self.has_begun(low));
        index::all(both).expect("an edge is an end")
    }

    /// That one at least of them is inside, be there any point at all.
    pub fn meets(&self, low: &Expr, high: &Expr) -> Expr {
        let first = index::max([low.clone()].into_iter().chain(self.least.iter().cloned()));
        self.holds(high, &first.expect("a point"))
    }
}

fn with(condition: &Expr, at: &Expr) -> Expr {
    let mut out = condition.clone();
    out.replace(&mut |e| matches!(e, Expr::Var(name) if name == Edge::AT).then(|| at.clone()));
    simplify::index_expr(&mut out);
    out
}
