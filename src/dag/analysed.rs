//! A region's parts with their polyhedral analysis.

use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, Unit, VarId};
use crate::isl::Ctx;
use crate::poly::dependence::{Dependences, analyse};
use crate::poly::names::Names;
use crate::poly::scop::{self, Scop};
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::StaticPart;
use crate::region::candidates::Candidate;
use crate::region::effects;
use crate::region::parts::Part;
use std::collections::HashSet;

/// A static control part and all that is known of it.
pub struct Static {
    pub part: StaticPart,
    pub scop: Scop,
    pub deps: Dependences,
}

/// A piece of a region.
pub enum Node {
    Static(Box<Static>),
    Compute(Stmt),
    Loop { cond: Option<Expr>, step: Option<Expr>, check_first: bool, body: Vec<Node> },
    If { cond: Expr, then: Vec<Node>, other: Vec<Node> },
    Break,
}

/// A region, analysed.
pub struct Analysed {
    pub ctx: Ctx,
    pub nodes: Vec<Node>,
    pub names: Names,
    pub device_scalars: HashSet<VarId>,
    pub host_scalars: HashSet<VarId>,
    /// Variables whose value may be read after the region.
    pub wanted: HashSet<VarId>,
    /// Variables declared inside the region.
    pub declared: HashSet<VarId>,
}

/// Analyses a candidate.
///
/// # Errors
/// The limit on isl's work.
pub fn analyse_region(unit: &Unit, candidate: &Candidate) -> Result<Analysed, Failure> {
    let ctx = Ctx::with_limit(MAX_OPERATIONS);
    let mut names = Names::default();
    let nodes = nodes(&ctx, unit, &candidate.parts.list, &mut names)?;
    Ok(Analysed {
        ctx,
        nodes,
        names,
        device_scalars: candidate.parts.device_scalars.clone(),
        host_scalars: candidate.parts.host_scalars.clone(),
        wanted: effects::wanted_outside(unit, candidate.function, candidate.span()),
        declared: effects::declared(candidate.stmts.iter().copied()),
    })
}

fn nodes(ctx: &Ctx, unit: &Unit, parts: &[Part], names: &mut Names) -> Result<Vec<Node>, Failure> {
    let node = |part: &Part| {
        Ok(match part {
            Part::Static(part) => {
                let mut part = part.clone();
                let scop = scop::build(ctx, unit, &mut part, names)?;
                let deps = analyse(&part, &scop)?;
                Node::Static(Box::new(Static { part, scop, deps }))
            }
            Part::Compute(s) => Node::Compute(s.clone()),
            Part::Loop { cond, step, check_first, body } => Node::Loop {
                cond: cond.clone(),
                step: step.clone(),
                check_first: *check_first,
                body: nodes(ctx, unit, body, names)?,
            },
            Part::If { cond, then, other } => Node::If {
                cond: cond.clone(),
                then: nodes(ctx, unit, then, names)?,
                other: nodes(ctx, unit, other, names)?,
            },
            Part::Break => Node::Break,
        })
    };
    parts.iter().map(node).collect()
}

impl Analysed {
    /// Every static control part, in order.
    pub fn statics(&self) -> Vec<&Static> {
        fn collect<'a>(nodes: &'a [Node], out: &mut Vec<&'a Static>) {
            for n in nodes {
                match n {
                    Node::Static(s) => out.push(s),
                    Node::Loop { body, .. } => collect(body, out),
                    Node::If { then, other, .. } => {
                        collect(then, out);
                        collect(other, out);
                    }
                    Node::Compute(_) | Node::Break => {}
                }
            }
        }
        let mut out = vec![];
        collect(&self.nodes, &mut out);
        out
    }

    /// Data of a part that someone else reads: after the region, in another part, or on the host.
    pub fn live_out(&self, s: &Static) -> HashSet<VarId> {
        let mut out = self.wanted.clone();
        for other in self.statics() {
            if !std::ptr::eq(other, s) {
                out.extend(other.part.data.keys());
            }
        }
        out.extend(self.read_on_host());
        out
    }

    /// Variables that expressions of the host read.
    pub fn read_on_host(&self) -> HashSet<VarId> {
        let mut out = HashSet::new();
        read_on_host(&self.nodes, &mut out);
        out
    }
}

/// Variables that expressions of the host read.
pub fn read_on_host(nodes: &[Node], out: &mut HashSet<VarId>) {
    for n in nodes {
        match n {
            Node::Static(_) | Node::Break => {}
            Node::Compute(s) => s.walk(&mut |p| {
                if let Piece::Expr(e) = p {
                    variables(e, out);
                }
            }),
            Node::Loop { cond, step, body, .. } => {
                cond.iter().chain(step).for_each(|e| variables(e, out));
                read_on_host(body, out);
            }
            Node::If { cond, then, other } => {
                variables(cond, out);
                read_on_host(then, out);
                read_on_host(other, out);
            }
        }
    }
}

/// The variables of an expression.
pub fn variables(e: &Expr, out: &mut HashSet<VarId>) {
    e.walk(&mut |x| {
        if let ExprKind::Var(v) = x.kind {
            out.insert(v);
        }
    });
}
