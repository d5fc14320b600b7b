//! Divides the instances of a statement where one of its reads meets its own target: index-set splitting (Griebl,
//! Feautrier and Lengauer 2000).
//!
//! ```text
//! for k: for i: for j: d[i][j] = min(d[i][j], d[i][k] + d[k][j])
//! ->
//! for k: for i: for j: if (j < k && i < k) ...; if (j == k && i < k) ...; ... nine pieces
//! ```
//! The target `d[i][j]` is the read `d[i][k]` where `j == k`, and `d[k][j]` where `i == k`. The few instances there are
//! what keeps the many others in order; as statements of their own they can run before or after them.

use super::parallel::Analysis;
use super::rewrite::Rewritten;
use crate::facts::symbolic::{Poly, Sym};
use crate::poly::scop::is_write;
use crate::region::{Condition, Relation, Statement, StaticPart, StmtId, Tree};

/// Most differences of subscripts that a statement is divided by: three pieces for each.
const MAX_DIFFERENCES: usize = 2;

/// Most statements of a part that is divided: the search for an order grows fast with their number.
const MAX_STATEMENTS: usize = 2;

/// The part with its statements divided; `None` where there is nothing to divide.
pub fn divide(a: &Analysis) -> Option<Rewritten> {
    if a.part.stmts.len() > MAX_STATEMENTS {
        return None;
    }
    let mut d = Divider { part: a.part, stmts: vec![], original: vec![] };
    let tree = d.trees(&a.part.tree);
    if d.stmts.len() == a.part.stmts.len() {
        return None;
    }
    let (loops, params, data) = (a.part.loops.clone(), a.part.params.clone(), a.part.data.clone());
    let part = StaticPart { params, data, loops, stmts: d.stmts, tree, assertions: vec![] };
    Some(Rewritten { part, original: d.original })
}

struct Divider<'a> {
    part: &'a StaticPart,
    stmts: Vec<Statement>,
    original: Vec<StmtId>,
}

impl Divider<'_> {
    fn trees(&mut self, trees: &[Tree]) -> Vec<Tree> {
        let mut out = vec![];
        for t in trees {
            match t {
                Tree::Loop(l, body) => out.push(Tree::Loop(*l, self.trees(body))),
                Tree::If { cond, expr, negated, body } => {
                    let (cond, expr, body) = (cond.clone(), expr.clone(), self.trees(body));
                    out.push(Tree::If { cond, expr, negated: *negated, body });
                }
                Tree::Stmt(s) => out.extend(self.pieces(*s)),
            }
        }
        out
    }

    fn pieces(&mut self, s: StmtId) -> Vec<Tree> {
        let mut conditions: Vec<Vec<Condition>> = vec![vec![]];
        for difference in differences(self.part.stmt(s)) {
            let sides = |given: Vec<Condition>| {
                let opposite = Poly::default().plus(&difference, -1).unwrap_or_default();
                let side = [(&opposite, Relation::Gt), (&difference, Relation::Eq), (&difference, Relation::Gt)];
                side.map(|(p, r)| [given.as_slice(), &[Condition::Compare(p.clone(), r)]].concat())
            };
            conditions = conditions.into_iter().flat_map(sides).collect();
        }
        conditions.into_iter().map(|given| self.piece(s, given)).collect()
    }

    fn piece(&mut self, s: StmtId, given: Vec<Condition>) -> Tree {
        let mut stmt = self.part.stmt(s).clone();
        let vars = stmt.loops.iter().map(|l| self.part.get_loop(*l).var);
        stmt.counters = vars.map(|v| (v, Poly::sym(Sym::Counter(v)))).collect();
        stmt.guards.extend(given.iter().cloned());
        let id = StmtId(self.stmts.len());
        self.stmts.push(stmt);
        self.original.push(s);
        let around = |tree, cond| Tree::If { cond, expr: None, negated: false, body: vec![tree] };
        given.into_iter().rev().fold(Tree::Stmt(id), around)
    }
}

/// By how much the subscripts of the target differ from those of reads of the same array that may meet it, where that
/// depends on the counters.
fn differences(stmt: &Statement) -> Vec<Poly> {
    let mut out: Vec<Poly> = vec![];
    let targets = stmt.accesses.iter().filter(|x| is_write(x));
    for target in targets {
        for read in stmt.accesses.iter().filter(|x| !is_write(x) && x.data == target.data) {
            let (Some(at), Some(from)) = (&target.index, &read.index) else { continue };
            let all = at.iter().zip(from).map(|(x, y)| x.plus(y, -1).unwrap_or_default());
            let varying: Vec<Poly> = all.filter(|p| p.as_constant() != Some(0)).collect();
            // Apart in one dimension: where that difference is zero, the two meet.
            if let [difference] = varying.as_slice()
                && difference.is_affine()
                && !difference.is_parametric()
                && !out.contains(difference)
            {
                out.push(difference.clone());
            }
        }
    }
    if out.len() > MAX_DIFFERENCES { vec![] } else { out }
}
