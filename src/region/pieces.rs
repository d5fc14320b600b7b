//! A static control part, taken apart: its outermost loops in consecutive parts of their own.
//!
//! ```text
//! for i: x[i] = 0;   for i: for k < i: b[i] -= a[i][k] * b[k];      one part of two trees
//! -> a part of the first, a part of the second
//! ```
//! What is said of data that only one of them touches is then said there alone.

use super::{Data, StaticPart, StmtId, Tree};
use crate::ast::VarId;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The part of those of its trees.
pub fn piece(part: &StaticPart, trees: Range<usize>) -> StaticPart {
    let trees = &part.tree[trees];
    let kept: Vec<StmtId> = trees.iter().flat_map(Tree::stmts).collect();
    let places: BTreeMap<StmtId, StmtId> = kept.iter().enumerate().map(|(at, s)| (*s, StmtId(at))).collect();
    let touched: BTreeSet<VarId> = kept.iter().flat_map(|s| &part.stmt(*s).accesses).map(|x| x.data).collect();
    let is_touched = |(v, _): &(&VarId, &Data)| touched.contains(v);
    let data: IndexMap<VarId, Data> = part.data.iter().filter(is_touched).map(|(v, d)| (*v, d.clone())).collect();
    StaticPart {
        params: part.params.clone(),
        data,
        loops: part.loops.clone(),
        stmts: kept.iter().map(|s| part.stmt(*s).clone()).collect(),
        tree: trees.iter().map(|t| moved(t, &places)).collect(),
        // Whatever holds of the part was found for all of it.
        assertions: vec![],
    }
}

fn moved(t: &Tree, places: &BTreeMap<StmtId, StmtId>) -> Tree {
    let all = |body: &[Tree]| body.iter().map(|t| moved(t, places)).collect();
    match t {
        Tree::Stmt(s) => Tree::Stmt(places[s]),
        Tree::Loop(id, body) => Tree::Loop(*id, all(body)),
        Tree::If { cond, expr, negated, body } => {
            Tree::If { cond: cond.clone(), expr: expr.clone(), negated: *negated, body: all(body) }
        }
    }
}
