//! A static control part: loops and statements as a tree, every access with its subscripts as polynomials.

use super::shape::Shape;
use crate::ast::{Expr, Stmt, Type, VarId};
use crate::config::seen::Neighbours;
use crate::facts::Reason;
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::{Params, Poly};
use crate::source::Span;
use crate::source::directive::Directive;
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// Index of a loop in [`StaticPart::loops`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub usize);

/// Index of a statement in [`StaticPart::stmts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub usize);

/// A counted loop: from `first`, by `step`, while inside every bound.
#[derive(Debug, Clone)]
pub struct Loop {
    pub var: VarId,
    pub first: Poly,
    /// Exclusive limits in the direction of travel: all must hold.
    pub limits: Vec<Poly>,
    /// Never zero.
    pub step: i64,
    pub directives: Vec<Directive>,
    pub span: Span,
}

impl Loop {
    /// How often it runs at most, where that is known.
    pub fn most_iterations(&self) -> Option<i64> {
        let (sign, stride) = (self.step.signum(), self.step.abs());
        let spans = self.limits.iter().filter_map(|limit| limit.plus(&self.first, -1)?.as_constant());
        spans.map(|n| n.saturating_mul(sign).saturating_add(stride - 1).div_euclid(stride).max(0)).min()
    }

    /// Possibility of more iterations than so many.
    pub fn may_exceed(&self, n: i64) -> bool {
        self.most_iterations().is_none_or(|most| most > n)
    }
}

/// How a comparison of a polynomial with zero goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    Ge,
    Gt,
    Eq,
    Ne,
}

/// An affine condition.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    Compare(Poly, Relation),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

impl Condition {
    /// The condition with polynomials in the place of counters; `None` on overflow.
    pub fn with(&self, counters: &BTreeMap<VarId, Poly>) -> Option<Condition> {
        let of = |c: &Condition| c.with(counters).map(Box::new);
        Some(match self {
            Condition::Compare(p, r) => Condition::Compare(p.with(counters)?, *r),
            Condition::And(a, b) => Condition::And(of(a)?, of(b)?),
            Condition::Or(a, b) => Condition::Or(of(a)?, of(b)?),
            Condition::Not(a) => Condition::Not(of(a)?),
        })
    }

    /// Mention of the counter `v`.
    pub fn uses(&self, v: VarId) -> bool {
        match self {
            Condition::Compare(p, _) => p.uses(v),
            Condition::And(a, b) | Condition::Or(a, b) => a.uses(v) || b.uses(v),
            Condition::Not(a) => a.uses(v),
        }
    }
}

/// Loops and statements in the program's order.
#[derive(Debug, Clone)]
pub enum Tree {
    Loop(LoopId, Vec<Tree>),
    /// `expr`: the condition as written (`cond` is its opposite where `negated`), or none where the tool made it.
    If {
        cond: Condition,
        expr: Option<Expr>,
        negated: bool,
        body: Vec<Tree>,
    },
    Stmt(StmtId),
}

/// A polynomial that must not be negative wherever the first so many loops and guards around a statement lead: there a
/// bound is computed, whether or not the loop then runs at all.
#[derive(Debug, Clone)]
pub struct Obligation {
    pub poly: Poly,
    pub n_loops: usize,
    pub n_guards: usize,
}

/// How a statement touches data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    Read,
    MustWrite,
    MayWrite,
}

/// One access of a statement.
#[derive(Debug, Clone)]
pub struct Access {
    pub data: VarId,
    pub kind: AccessKind,
    /// Subscripts, outermost first, one for each dimension of the data's [`Shape`]; `None` where a
    /// subscript is not affine: any element.
    pub index: Option<Vec<Poly>>,
    /// Where `index` would be one over counters of loops within the statement: which elements these lead to.
    pub reach: Option<Reach>,
    /// Where there is no `index`: neighbours along counters, as a trace saw them.
    pub observed: Vec<(VarId, Neighbours)>,
    /// The subscripts as written.
    pub subscripts: Vec<Expr>,
    /// Polynomials that must not be negative anywhere in the statement's domain for `index` to hold.
    pub obligations: Vec<Poly>,
    /// Conditions of the statement's own under which alone the access is made.
    pub known: Vec<Condition>,
    /// Made whenever the statement runs and `known` holds; otherwise the data decide.
    pub surely: bool,
    pub span: Span,
}

/// The elements that an access within loops of its statement's own, or at a place that the data choose, may be of.
#[derive(Debug, Clone)]
pub struct Reach {
    /// Over the counters of these loops too.
    pub index: Vec<Poly>,
    pub loops: Vec<Loop>,
    /// Over these variables too: each holds what one of its loops counts through.
    pub chosen: Vec<Vec<Loop>>,
    /// Over these too, one for each subscript that only the data know.
    pub unknown: Vec<Unknown>,
    /// Polynomials that must not be negative for any of these values for `index` to hold.
    pub obligations: Vec<Poly>,
}

/// A subscript that only the data know, beside others that are known: `k` of `x[i][k]`.
#[derive(Debug, Clone)]
pub struct Unknown {
    /// Symbol for it, which no variable of the program has.
    pub symbol: VarId,
    /// Length of the row that C holds it to (C11 6.5.6): it is in [0, length). None where C's types say no length.
    pub length: Option<Poly>,
}

impl Access {
    /// Test that another access is of the same element, which both subscripts name, under the same conditions.
    pub fn is_same_element(&self, other: &Access) -> bool {
        self.data == other.data && self.index.is_some() && self.index == other.index && self.known == other.known
    }

    /// Test that another access is of another element wherever either is made: subscripts that do not depend on the loops
    /// differ.
    pub fn is_apart(&self, other: &Access) -> bool {
        let (Some(a), Some(b)) = (&self.index, &other.index) else { return false };
        let differ = |(x, y): (&Poly, &Poly)| {
            x.is_parametric()
                && y.is_parametric()
                && x.plus(y, -1).and_then(|d| d.as_constant()).is_some_and(|d| d != 0)
        };
        a.iter().zip(b).any(differ)
    }

    /// Takes an index over counters of loops within the statement for what it reaches: it is no element for each instance.
    pub(super) fn set_reach_aside(&mut self) {
        let Some(reach) = &mut self.reach else { return };
        let obligations = std::mem::take(&mut self.obligations);
        match self.index.take() {
            Some(index) => (reach.index, reach.obligations) = (index, obligations),
            None => self.reach = None,
        }
    }
}

/// A leaf of the tree: one C statement, simple or (when only the data knows its control) compound.
#[derive(Debug, Clone)]
pub struct Statement {
    pub body: Stmt,
    /// Enclosing loops, outermost first.
    pub loops: Vec<LoopId>,
    pub guards: Vec<Condition>,
    pub accesses: Vec<Access>,
    pub reduction: Option<Reduction>,
    /// The accumulation that it makes under a condition of its own, if it is none as a whole: atomic where iterations meet.
    pub conditional: Option<Reduction>,
    /// Presence of a loop of its own: control that only the data knows.
    pub has_loop: bool,
    /// Why it is one statement, where it is a loop that could have been opened.
    pub kept_whole: Option<Reason>,
    /// Conditions for the bounds of its loops to mean what they say.
    pub obligations: Vec<Obligation>,
    /// Values of the counters that the body was written with, where other loops stand around it.
    pub counters: Vec<(VarId, Poly)>,
}

impl Statement {
    /// The accumulation that it makes, whatever it depends on.
    pub fn update(&self) -> Option<&Reduction> {
        self.reduction.as_ref().or(self.conditional.as_ref())
    }

    /// Test that it hardly ever runs: it is one statement whatever is in it, and no work.
    pub fn is_rare(&self) -> bool {
        self.body.is_rare()
    }
}

/// An array or a scalar that the part writes, or an array that it reads.
#[derive(Debug, Clone)]
pub struct Data {
    pub var: VarId,
    /// The element's type.
    pub elem: Type,
    pub shape: Shape,
    /// Declared inside a loop of the part: every iteration has its own.
    pub declared_in: Option<LoopId>,
    /// Declared inside the part at all.
    pub is_local: bool,
}

/// A static control part.
#[derive(Debug, Clone)]
pub struct StaticPart {
    pub params: Params,
    pub data: IndexMap<VarId, Data>,
    pub loops: Vec<Loop>,
    pub stmts: Vec<Statement>,
    pub tree: Vec<Tree>,
    /// Statements that no call may come to, under the conditions on which they fail: where one would, the original runs.
    pub assertions: Vec<Statement>,
}

impl StaticPart {
    /// The accesses of a datum.
    pub(super) fn accesses_of(&mut self, v: VarId) -> impl Iterator<Item = &mut Access> {
        self.stmts.iter_mut().flat_map(|s| &mut s.accesses).filter(move |a| a.data == v)
    }

    /// The loop behind an id.
    pub fn get_loop(&self, id: LoopId) -> &Loop {
        &self.loops[id.0]
    }

    /// Rewriting: its loops are not those that the statements were written under.
    pub fn is_rewritten(&self) -> bool {
        self.stmts.iter().any(|s| !s.counters.is_empty())
    }

    /// The statement behind an id.
    pub fn stmt(&self, id: StmtId) -> &Statement {
        &self.stmts[id.0]
    }
}

impl Tree {
    /// The statements below, in order.
    pub fn stmts(&self) -> Vec<StmtId> {
        match self {
            Tree::Stmt(s) => vec![*s],
            Tree::Loop(_, body) | Tree::If { body, .. } => body.iter().flat_map(Tree::stmts).collect(),
        }
    }
}
