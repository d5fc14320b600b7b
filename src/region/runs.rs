//! Long runs of assignments as a few statements.
//!
//! ```text
//! for i: 240 assignments to lhs[i][0][0], lhs[i][0][1], ...      ->      for i: { 240 assignments }
//! ```
//! What the analysis is asked grows with the square of the statements, and routines that compute with small matrices for
//! each point of a grid have hundreds in a row. Those that an iteration may run one behind the other, whatever becomes of
//! the loops, are one statement: where they meet, they meet in the same element, and none carries a value from one
//! iteration to another. (The instances of a basic block as one, as in Polly: Grosser, Groesslinger and Lengauer, Parallel
//! Processing Letters 22(4), 2012, section 3.) Fewer keep a statement each, which says more to the user.

use super::{Access, AccessKind, Loop, Statement, StaticPart, StmtId, Tree};
use crate::ast::{Stmt, StmtKind, VarId};
use crate::facts::symbolic::{Poly, Sym};
use std::collections::BTreeMap;

/// The assignments in a row from which on they are joined.
const LONG: usize = 32;

/// Joins what may be joined.
pub fn join(part: &mut StaticPart) {
    let StaticPart { loops, stmts, tree, .. } = part;
    let mut joiner = Joiner { loops, old: stmts, new: vec![] };
    let joined = joiner.body(tree);
    let new = joiner.new;
    (part.tree, part.stmts) = (joined, new);
}

struct Joiner<'a> {
    loops: &'a [Loop],
    old: &'a [Statement],
    new: Vec<Statement>,
}

impl Joiner<'_> {
    fn body(&mut self, body: &[Tree]) -> Vec<Tree> {
        let is_stmt = |t: &Tree| matches!(t, Tree::Stmt(_));
        let mut out = vec![];
        for run in body.chunk_by(|a, b| is_stmt(a) && is_stmt(b)) {
            match &run[0] {
                Tree::Stmt(_) => out.extend(self.run(&run.iter().flat_map(Tree::stmts).collect::<Vec<_>>())),
                Tree::Loop(id, body) => out.push(Tree::Loop(*id, self.body(body))),
                Tree::If { cond, expr, negated, body } => {
                    let (cond, expr, body) = (cond.clone(), expr.clone(), self.body(body));
                    out.push(Tree::If { cond, expr, negated: *negated, body });
                }
            }
        }
        out
    }

    fn run(&mut self, run: &[StmtId]) -> Vec<Tree> {
        let mut groups: Vec<Group> = vec![];
        for s in run {
            let s = &self.old[s.0];
            let joins = run.len() > LONG && groups.last_mut().is_some_and(|group| group.takes(s, self.loops));
            if !joins {
                groups.push(Group::of(s, self.loops));
            }
        }
        let first = self.new.len();
        self.new.extend(groups.iter().map(Group::statement));
        (first..self.new.len()).map(|at| Tree::Stmt(StmtId(at))).collect()
    }
}

/// Statements that may be one.
struct Group<'a> {
    stmts: Vec<&'a Statement>,
    /// Flag: others may join.
    is_open: bool,
    elements: BTreeMap<VarId, Vec<Element<'a>>>,
}

/// An element that each iteration touches.
struct Element<'a> {
    access: &'a Access,
    is_written: bool,
    /// Flag: the first access writes it.
    is_set_first: bool,
}

impl<'a> Group<'a> {
    fn of(s: &'a Statement, loops: &[Loop]) -> Self {
        let mut group = Group { stmts: vec![], is_open: true, elements: BTreeMap::new() };
        group.is_open = group.takes(s, loops);
        group.stmts = vec![s];
        group
    }

    /// Takes a statement in, if it may.
    fn takes(&mut self, s: &'a Statement, loops: &[Loop]) -> bool {
        let is_assignment = matches!(s.body.kind, StmtKind::Expr(_)) && s.body.directives.is_empty();
        let is_known = s.accesses.iter().all(|x| x.index.is_some() && x.known.is_empty());
        if !self.is_open || s.loops.is_empty() || !is_assignment || !is_known {
            return false;
        }
        let counters: Vec<VarId> = s.loops.iter().map(|l| loops[l.0].var).collect();
        let takes = s.accesses.iter().all(|x| self.notes(x, &counters));
        // What it took of one that it does not take leaves nothing to be joined to.
        self.is_open = takes;
        self.stmts.extend(takes.then_some(s));
        takes
    }

    /// Notes an access, unless by it an iteration might wait for another.
    fn notes(&mut self, x: &'a Access, counters: &[VarId]) -> bool {
        let writes = x.kind != AccessKind::Read;
        let known = self.elements.entry(x.data).or_default();
        let is_same = |e: &Element| e.access.is_same_element(x);
        if known.iter().any(|e| (writes || e.is_written) && !is_same(e) && !e.access.is_apart(x)) {
            return false;
        }
        let is_sure = x.kind == AccessKind::MustWrite;
        let at = known.iter().position(is_same).unwrap_or_else(|| {
            known.push(Element { access: x, is_written: false, is_set_first: is_sure });
            known.len() - 1
        });
        let e = &mut known[at];
        e.is_written |= writes;
        !e.is_written || e.is_set_first || is_own(x, counters)
    }

    fn statement(&self) -> Statement {
        let [first, rest @ ..] = self.stmts.as_slice() else { unreachable!("a group has a statement") };
        if rest.is_empty() {
            return (*first).clone();
        }
        let mut accesses: Vec<Access> = vec![];
        for x in self.stmts.iter().flat_map(|s| &s.accesses) {
            let sets = |y: &Access| y.kind == AccessKind::MustWrite && y.is_same_element(x);
            if x.kind != AccessKind::Read || !accesses.iter().any(sets) {
                accesses.push(x.clone());
            }
        }
        let body = StmtKind::Block(self.stmts.iter().map(|s| s.body.clone()).collect());
        let body = Stmt { kind: body, span: first.body.span, directives: vec![] };
        Statement { body, accesses, reduction: None, conditional: None, ..(*first).clone() }
    }
}

/// Test that every iteration of the inner loops has an element of its own: the counter of each alone moves a subscript. The
/// loops around them that do not move it stay in sequence, whatever else is in them.
fn is_own(x: &Access, counters: &[VarId]) -> bool {
    let moves = |p: &Poly, v: VarId| {
        let rest = p.plus(&Poly::sym(Sym::Counter(v)), -p.coefficient(v));
        p.coefficient(v) != 0 && rest.is_some_and(|rest| rest.is_parametric())
    };
    let has_own = |v: &VarId| x.index.iter().flatten().any(|p| moves(p, *v));
    let mut inner = counters.iter().skip_while(|v| !has_own(v)).peekable();
    inner.peek().is_some() && inner.all(has_own)
}
