//! Loops that isl generates for a schedule, as a static part: the same statements under other loops.
//!
//! ```text
//! for (c0 = 0; c0 <= 2n + m; c0 += 1)               Loop c0
//!   for (c1 = max(0, c0 - n); c1 <= c0; c1 += 1)      Loop c1 from 0
//!     S3(c0 - c1, c1)                                   If c1 >= c0 - n
//!                                                         S, whose i is c0 - c1 and whose j is c1
//! ```
//! A statement that isl writes in several places becomes several. What the generator may write and a static part cannot
//! say (a bound that is neither a minimum nor a maximum) gives no part.

use crate::ast::{Unit, VarId};
use crate::facts::symbolic::{ParamId, Poly, Sym};
use crate::isl::{AstExpr, AstNode, AstOp};
use crate::poly::scop::Spelling;
use crate::region::{Condition, Loop, LoopId, Relation, Statement, StaticPart, StmtId, Tree};
use crate::source::Span;
use std::collections::BTreeMap;

/// A part under other loops.
pub struct Rewritten {
    pub part: StaticPart,
    /// Which statement of the original each one is.
    pub original: Vec<StmtId>,
}

/// Neighbouring trees that are moved together.
pub struct Group {
    /// The first statement, which stands for all.
    pub lead: StmtId,
    /// The loops around them that are replaced, outermost first.
    pub loops: Vec<LoopId>,
    pub trees: Vec<Tree>,
}

/// Other loops around one group.
pub struct Ordered {
    pub node: AstNode,
    pub group: Group,
    /// What the counters of the loops that stay around it are called in `node`.
    pub around: Vec<(String, VarId)>,
}

/// The statements of `part` under the loops of `node`, which runs the lead of each group and means all of it; `spelling`
/// knows the new counters too.
pub fn rewrite(
    unit: &Unit,
    part: &StaticPart,
    spelling: &Spelling,
    groups: &[Group],
    node: &AstNode,
) -> Option<Rewritten> {
    let mut w = Writer::new(unit, part, spelling, groups.iter().map(|g| (g.lead, g)).collect());
    let tree = w.node(node)?;
    Some(w.rewritten(tree))
}

/// `part` as `tree` has it, with other loops in the place of some of its loops and of those directly inside them.
pub fn rewrite_nests(
    unit: &Unit,
    part: &StaticPart,
    spelling: &Spelling,
    tree: &[Tree],
    ordered: &BTreeMap<LoopId, Ordered>,
) -> Option<Rewritten> {
    let mut w = Writer::new(unit, part, spelling, ordered.values().map(|x| (x.group.lead, &x.group)).collect());
    w.ordered = Some(ordered);
    let tree = w.moved(tree, &BTreeMap::new())?;
    Some(w.rewritten(tree))
}

struct Writer<'a> {
    from: &'a StaticPart,
    spelling: &'a Spelling,
    /// By their leads.
    groups: BTreeMap<StmtId, &'a Group>,
    /// What takes the place of a loop.
    ordered: Option<&'a BTreeMap<LoopId, Ordered>>,
    /// The new counters, by name.
    counters: BTreeMap<String, VarId>,
    /// What stands for a counter: itself, or the one value it has.
    values: BTreeMap<String, Poly>,
    loops: Vec<Loop>,
    stmts: Vec<Statement>,
    original: Vec<StmtId>,
    stack: Vec<LoopId>,
    guards: Vec<Condition>,
}

impl<'a> Writer<'a> {
    fn new(unit: &Unit, from: &'a StaticPart, spelling: &'a Spelling, groups: BTreeMap<StmtId, &'a Group>) -> Self {
        let counters = unit.counters.iter().filter_map(|v| Some((spelling.counters.get(v)?.clone(), *v))).collect();
        Writer {
            from,
            spelling,
            groups,
            ordered: None,
            counters,
            values: BTreeMap::new(),
            loops: vec![],
            stmts: vec![],
            original: vec![],
            stack: vec![],
            guards: vec![],
        }
    }

    fn rewritten(self, tree: Vec<Tree>) -> Rewritten {
        let (params, mut data) = (self.from.params.clone(), self.from.data.clone());
        // An iteration of another loop is not what they were declared in.
        data.values_mut().for_each(|d| d.declared_in = None);
        let part = StaticPart { params, data, loops: self.loops, stmts: self.stmts, tree, assertions: vec![] };
        Rewritten { part, original: self.original }
    }

    fn node(&mut self, node: &AstNode) -> Option<Vec<Tree>> {
        match node {
            AstNode::Block(nodes) => {
                let mut out = vec![];
                for n in nodes {
                    out.extend(self.node(n)?);
                }
                Some(out)
            }
            AstNode::Mark { node, .. } => self.node(node),
            AstNode::If { cond, then, other } => {
                let cond = self.condition(cond)?;
                let mut out = vec![self.guarded(cond.clone(), |w| w.node(then))?];
                if let Some(other) = other {
                    out.push(self.guarded(Condition::Not(Box::new(cond)), |w| w.node(other))?);
                }
                Some(out)
            }
            AstNode::For { iterator, init, body, degenerate: true, .. } => {
                let value = self.poly(init)?;
                self.values.insert(iterator.clone(), value);
                self.node(body)
            }
            AstNode::For { iterator, init, cond, inc, body, .. } => self.counted(iterator, init, cond, inc, body),
            AstNode::User { stmt, args } => {
                let lead = StmtId(stmt.strip_prefix('S')?.parse().ok()?);
                let group = *self.groups.get(&lead)?;
                let mut counters = BTreeMap::new();
                for (l, value) in group.loops.iter().zip(args) {
                    counters.insert(self.from.get_loop(*l).var, self.poly(value)?);
                }
                self.moved(&group.trees, &counters)
            }
        }
    }

    fn guarded(&mut self, cond: Condition, body: impl FnOnce(&mut Self) -> Option<Vec<Tree>>) -> Option<Tree> {
        self.guards.push(cond.clone());
        let body = body(self);
        self.guards.pop();
        Some(Tree::If { cond, expr: None, negated: false, body: body? })
    }

    fn counted(
        &mut self,
        iterator: &str,
        init: &AstExpr,
        cond: &AstExpr,
        inc: &AstExpr,
        body: &AstNode,
    ) -> Option<Vec<Tree>> {
        let AstExpr::Int(step @ 1..) = inc else { return None };
        let var = *self.counters.get(iterator)?;
        let counter = Poly::sym(Sym::Counter(var));
        let mut firsts = self.each(init, AstOp::Max)?;
        if firsts.len() > 1 && *step != 1 {
            return None;
        }
        let limits = self.limits(iterator, cond)?;
        // One bound where the loop begins, the others as conditions inside it: rather one that other counters shift.
        let at = firsts.iter().position(|p| !p.is_parametric()).unwrap_or(0);
        let first = firsts.swap_remove(at);
        let id = LoopId(self.loops.len());
        self.loops.push(Loop { var, first, limits, step: *step, directives: vec![], span: Span::default() });
        self.values.insert(iterator.to_string(), counter.clone());
        self.stack.push(id);
        let mut inside = vec![];
        for first in firsts {
            inside.push(Condition::Compare(counter.plus(&first, -1)?, Relation::Ge));
        }
        let n_guards = self.guards.len();
        self.guards.extend(inside.iter().cloned());
        let tree = self.node(body);
        self.guards.truncate(n_guards);
        self.stack.pop();
        let mut tree = tree?;
        for cond in inside.into_iter().rev() {
            tree = vec![Tree::If { cond, expr: None, negated: false, body: tree }];
        }
        self.loops[id.0].span = self.span_below(&tree)?;
        Some(vec![Tree::Loop(id, tree)])
    }

    /// The limits that `iterator` stays below.
    fn limits(&self, iterator: &str, cond: &AstExpr) -> Option<Vec<Poly>> {
        let AstExpr::Op(op, args) = cond else { return None };
        match (op, args.as_slice()) {
            (AstOp::And | AstOp::AndThen, both) => {
                let all: Option<Vec<Vec<Poly>>> = both.iter().map(|c| self.limits(iterator, c)).collect();
                Some(all?.concat())
            }
            (AstOp::Le | AstOp::Lt, [AstExpr::Id(name), limit]) if name == iterator => {
                let beyond = Poly::constant(i64::from(*op == AstOp::Le));
                self.each(limit, AstOp::Min)?.iter().map(|p| p.plus(&beyond, 1)).collect()
            }
            _ => None,
        }
    }

    /// The expressions that a minimum or maximum is taken of.
    fn each(&self, e: &AstExpr, of: AstOp) -> Option<Vec<Poly>> {
        match e {
            AstExpr::Op(op, args) if *op == of => {
                let all: Option<Vec<Vec<Poly>>> = args.iter().map(|x| self.each(x, of)).collect();
                Some(all?.concat())
            }
            e => Some(vec![self.poly(e)?]),
        }
    }

    /// Trees of the original where the counters around them are these.
    fn moved(&mut self, trees: &[Tree], counters: &BTreeMap<VarId, Poly>) -> Option<Vec<Tree>> {
        let mut out = vec![];
        for t in trees {
            match t {
                Tree::Stmt(s) => out.push(self.instance(*s, counters)?),
                Tree::If { cond, body, .. } => {
                    out.push(self.guarded(cond.with(counters)?, |w| w.moved(body, counters))?);
                }
                Tree::Loop(l, body) => match self.ordered.and_then(|all| all.get(l)) {
                    Some(Ordered { node, around, .. }) => {
                        let value = |v: &VarId| Poly::sym(Sym::Counter(*v));
                        self.values.extend(around.iter().map(|(name, v)| (name.clone(), value(v))));
                        out.extend(self.node(node)?);
                    }
                    None => out.push(self.moved_loop(*l, body, counters)?),
                },
            }
        }
        Some(out)
    }

    fn moved_loop(&mut self, l: LoopId, body: &[Tree], counters: &BTreeMap<VarId, Poly>) -> Option<Tree> {
        let old = self.from.get_loop(l);
        let limits = old.limits.iter().map(|p| p.with(counters)).collect::<Option<_>>()?;
        let id = LoopId(self.loops.len());
        self.loops.push(Loop { first: old.first.with(counters)?, limits, ..old.clone() });
        self.stack.push(id);
        let body = self.moved(body, counters);
        self.stack.pop();
        Some(Tree::Loop(id, body?))
    }

    fn instance(&mut self, original: StmtId, counters: &BTreeMap<VarId, Poly>) -> Option<Tree> {
        let mut stmt = self.from.stmt(original).clone();
        for a in &mut stmt.accesses {
            a.obligations.clear();
            if let Some(index) = &mut a.index {
                *index = index.iter().map(|p| p.with(counters)).collect::<Option<_>>()?;
            }
            if let Some(reach) = &mut a.reach {
                let of = |polys: &[Poly]| polys.iter().map(|p| p.with(counters)).collect::<Option<Vec<_>>>();
                reach.index = of(&reach.index)?;
                reach.obligations.clear();
                for l in reach.loops.iter_mut().chain(reach.chosen.iter_mut().flatten()) {
                    (l.first, l.limits) = (l.first.with(counters)?, of(&l.limits)?);
                }
            }
            a.known = a.known.iter().map(|c| c.with(counters)).collect::<Option<_>>()?;
        }
        let now = |v: VarId| counters.get(&v).cloned().unwrap_or_else(|| Poly::sym(Sym::Counter(v)));
        stmt.counters = stmt.loops.iter().map(|l| self.from.get_loop(*l).var).map(|v| (v, now(v))).collect();
        stmt.loops = self.stack.clone();
        stmt.guards = self.guards.clone();
        stmt.obligations.clear();
        let id = StmtId(self.stmts.len());
        self.stmts.push(stmt);
        self.original.push(original);
        Some(Tree::Stmt(id))
    }

    /// The C that a loop stands for: the outermost loop around its first statement that counts as it does.
    fn span_below(&self, tree: &[Tree]) -> Option<Span> {
        let first = tree.iter().flat_map(Tree::stmts).next()?;
        let loops = &self.from.stmt(self.original[first.0]).loops;
        let at = self.stack.len().min(loops.len().saturating_sub(1));
        Some(loops.get(at).map_or(self.stmts[first.0].body.span, |l| self.from.get_loop(*l).span))
    }

    fn condition(&self, e: &AstExpr) -> Option<Condition> {
        let AstExpr::Op(op, args) = e else { return None };
        let [first, rest @ ..] = args.as_slice() else { return None };
        let difference = |a: &AstExpr, b: &AstExpr| self.poly(a)?.plus(&self.poly(b)?, -1);
        let compare = |p: Poly, r| Some(Condition::Compare(p, r));
        match (op, rest) {
            (AstOp::And | AstOp::AndThen | AstOp::Or | AstOp::OrElse, rest) => {
                let all = matches!(op, AstOp::And | AstOp::AndThen);
                let join = if all { Condition::And } else { Condition::Or };
                rest.iter()
                    .try_fold(self.condition(first)?, |c, x| Some(join(Box::new(c), Box::new(self.condition(x)?))))
            }
            (AstOp::Eq, [b]) => compare(difference(first, b)?, Relation::Eq),
            (AstOp::Ge, [b]) => compare(difference(first, b)?, Relation::Ge),
            (AstOp::Gt, [b]) => compare(difference(first, b)?, Relation::Gt),
            (AstOp::Le, [b]) => compare(difference(b, first)?, Relation::Ge),
            (AstOp::Lt, [b]) => compare(difference(b, first)?, Relation::Gt),
            _ => None,
        }
    }

    fn poly(&self, e: &AstExpr) -> Option<Poly> {
        match e {
            AstExpr::Int(c) => Some(Poly::constant(*c)),
            AstExpr::Id(name) => {
                if let Some(value) = self.values.get(name) {
                    return Some(value.clone());
                }
                let param = self.spelling.params.iter().position(|p| p == name)?;
                Some(Poly::sym(Sym::Param(ParamId(param as u32))))
            }
            AstExpr::Op(op, args) => {
                let args: Vec<Poly> = args.iter().map(|x| self.poly(x)).collect::<Option<_>>()?;
                operation(*op, &args)
            }
        }
    }
}

fn operation(op: AstOp, args: &[Poly]) -> Option<Poly> {
    let floor = |p: &Poly, d: &Poly| {
        let d = d.as_constant().filter(|d| *d > 0)?;
        Some((Poly::sym(Sym::Floor(Box::new(p.clone()), d)), d))
    };
    match (op, args) {
        (AstOp::Minus, [a]) => Poly::default().plus(a, -1),
        (AstOp::Add, [a, b]) => a.plus(b, 1),
        (AstOp::Sub, [a, b]) => a.plus(b, -1),
        (AstOp::Mul, [a, b]) => a.times(b),
        (AstOp::FdivQ | AstOp::PdivQ | AstOp::Div, [a, b]) => Some(floor(a, b)?.0),
        (AstOp::PdivR | AstOp::ZdivR, [a, b]) => {
            let (quotient, d) = floor(a, b)?;
            a.plus(&quotient, -d)
        }
        _ => None,
    }
}
