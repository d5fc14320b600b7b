//! A static control part under construction: what is known where a statement of it stands.

use super::{Condition, Data, Loop, LoopId, Obligation, Relation, Statement};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, Type, UnOp, Unit, VarId};
use crate::facts::symbolic::{self, Params, Poly, Reader, Sym};
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};

/// For variables, what they hold: what one of the loops counts through.
pub(super) type Ranges = BTreeMap<VarId, Vec<Loop>>;

pub(super) struct Extractor<'a> {
    pub unit: &'a Unit,
    pub written: BTreeSet<VarId>,
    pub params: Params,
    pub loops: Vec<Loop>,
    pub stmts: Vec<Statement>,
    pub data: IndexMap<VarId, Data>,
    pub(super) stack: Vec<LoopId>,
    pub(super) guards: Vec<Condition>,
    pub(super) obligations: Vec<Obligation>,
    pub(super) assertions: Vec<Statement>,
    pub(super) locals: BTreeMap<VarId, Option<LoopId>>,
    /// Values that variables are known to hold at this place.
    pub(super) ranges: Ranges,
}

impl<'a> Extractor<'a> {
    /// Nothing is known yet. `written`: what no parameter can be.
    pub fn new(unit: &'a Unit, written: BTreeSet<VarId>) -> Self {
        Extractor {
            unit,
            written,
            params: Params::default(),
            loops: vec![],
            stmts: vec![],
            data: IndexMap::new(),
            stack: vec![],
            guards: vec![],
            obligations: vec![],
            assertions: vec![],
            locals: BTreeMap::new(),
            ranges: Ranges::new(),
        }
    }

    pub fn reader(&mut self) -> Reader<'_> {
        let counters = self.stack.iter().map(|l| self.loops[l.0].var).collect();
        Reader { unit: self.unit, counters, written: &self.written, params: &mut self.params, obligations: vec![] }
    }

    /// The affine condition behind a C expression, or `None`.
    pub fn condition(&mut self, e: &Expr) -> Option<Condition> {
        match &e.kind {
            _ if symbolic::tested_pointer(e).is_some() => {
                Some(Condition::Compare(self.reader().poly(e)?, Relation::Gt))
            }
            ExprKind::Unary(UnOp::Not, a) => Some(Condition::Not(Box::new(self.condition(a)?))),
            ExprKind::Binary(BinOp::And, a, b) => {
                Some(Condition::And(Box::new(self.condition(a)?), Box::new(self.condition(b)?)))
            }
            ExprKind::Binary(BinOp::Or, a, b) => {
                Some(Condition::Or(Box::new(self.condition(a)?), Box::new(self.condition(b)?)))
            }
            ExprKind::Binary(op, a, b) => self.comparison(*op, a, b),
            _ => None,
        }
    }

    /// The same of a condition that an assertion fails under: `!n`, of a number, too.
    pub fn failure(&mut self, e: &Expr) -> Option<Condition> {
        match &e.kind {
            ExprKind::Unary(UnOp::Not, a) if matches!(a.ty, Type::Int(_)) && !matches!(a.kind, ExprKind::Cond(..)) => {
                let zero = Expr { kind: ExprKind::Int(0), ty: a.ty.clone(), span: a.span };
                self.condition(e).or_else(|| self.comparison(BinOp::Eq, a, &zero))
            }
            _ => self.condition(e),
        }
    }

    fn comparison(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Option<Condition> {
        let unsigned = |e: &Expr| matches!(e.ty, Type::Int(k) if k.is_unsigned() && k.bits() >= 32);
        // C converts the other number to the unsigned type; one that is natural is the same there.
        let is_natural = |e: &Expr| constant::fold(e).is_some_and(|n| n >= 0);
        let is_converted = unsigned(a) != unsigned(b) && !is_natural(a) && !is_natural(b);
        let mut reader = self.reader();
        let pa = reader.poly(a)?;
        let is_zero_test = matches!(op, BinOp::Eq | BinOp::Ne) && matches!(b.kind, ExprKind::Int(0));
        let divided = |last: &mut Poly| pa.any(&|s| matches!(s, Sym::Floor(inner, _) if **inner == *last));
        if is_zero_test && matches!(a.kind, ExprKind::Binary(BinOp::Rem, ..)) {
            // Whether something is a multiple does not depend on how C rounds.
            reader.obligations.pop_if(divided);
        }
        let pb = reader.poly(b)?;
        let mut obligations = std::mem::take(&mut reader.obligations);
        obligations.extend(is_converted.then(|| if unsigned(a) { pb.clone() } else { pa.clone() }));
        if !obligations.iter().all(|p| self.is_plainly_natural(p)) {
            return None;
        }
        let (difference, relation) = match op {
            BinOp::Lt => (pb.plus(&pa, -1)?, Relation::Gt),
            BinOp::Le => (pb.plus(&pa, -1)?, Relation::Ge),
            BinOp::Gt => (pa.plus(&pb, -1)?, Relation::Gt),
            BinOp::Ge => (pa.plus(&pb, -1)?, Relation::Ge),
            BinOp::Eq => (pa.plus(&pb, -1)?, Relation::Eq),
            BinOp::Ne => (pa.plus(&pb, -1)?, Relation::Ne),
            _ => return None,
        };
        difference.is_affine().then_some(Condition::Compare(difference, relation))
    }

    /// Test for a natural number, without a look at the domain: a sum of counters that begin at one and go up; the last value below
    /// a limit of such a counter, or more.
    fn is_plainly_natural(&self, p: &Poly) -> bool {
        let is_from_limit = |limit: &Poly| {
            let more = p.plus(&Poly::constant(1), 1).and_then(|p| p.plus(limit, -1));
            more.is_some_and(|more| self.is_sum_of_counters(&more))
        };
        let mut around = self.stack.iter().map(|l| &self.loops[l.0]);
        self.is_sum_of_counters(p)
            || around.any(|l| l.step > 0 && self.is_sum_of_counters(&l.first) && l.limits.iter().any(is_from_limit))
    }

    fn is_sum_of_counters(&self, p: &Poly) -> bool {
        let goes_up = |v: VarId| {
            let l = self.stack.iter().map(|l| &self.loops[l.0]).find(|l| l.var == v);
            l.is_some_and(|l| l.step > 0 && self.is_sum_of_counters(&l.first))
        };
        p.terms.iter().all(|(m, c)| *c >= 0 && m.iter().all(|s| matches!(s, Sym::Counter(v) if goes_up(*v))))
    }
}
