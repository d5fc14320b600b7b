//! Operators of a library whose loops are in order, or that several loops make up together: parts of a region of their
//! own.
//!
//! ```text
//! for i: x[i] = 0;  for i: { for k < i: b[i] -= a[i][k]*b[k]; b[i] /= a[i][i]; }     a part
//! -> the part of x;  the part of b, which is trsv
//! ```
//! What a schedule makes of such loops (a loop of the host, an expanded array, wavefronts) hides what they are, so they
//! are looked at as they are written, under their dependences. Trees are taken together as long as they make one operator.

use super::analysed::{Analysed, Known, Node, Static};
use crate::ast::{Unit, VarId};
use crate::config::Library;
use crate::facts::{Reason, effects};
use crate::isl::Ctx;
use crate::library::Found;
use crate::library::operator::Operator;
use crate::library::recognise::wish;
use crate::library::triangular::triangular;
use crate::poly::dependence::analyse;
use crate::poly::names::Names;
use crate::poly::{Failure, scop};
use crate::region::pieces::piece;
use crate::region::{StaticPart, StmtId, Tree};
use crate::schedule::parallel::Analysis;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;

/// Most neighbouring trees that are looked at together: what scales, and what is added for each half of a matrix.
const MOST_TREES: usize = 3;

/// Puts what is an operator into parts of its own, and notes there what it is.
///
/// # Errors
/// A fault of isl's.
pub fn find_operators(unit: &Unit, region: &mut Analysed, configured: Library) -> Result<(), Failure> {
    let mut found = vec![];
    for s in region.statics() {
        let live_out = region.live_out(s);
        found.push(operators(&s.as_written(unit, &live_out), configured, &region.device_scalars)?);
    }
    let mut found = found.into_iter();
    let nodes = std::mem::take(&mut region.nodes);
    let Analysed { ctx, names, .. } = region;
    let mut split = Split { unit, ctx, names };
    region.nodes = split.nodes(nodes, &mut found)?;
    Ok(())
}

/// Operators of each part of a region, as text for a person who debugs a conversion.
pub fn text(name: &str, region: &Analysed) -> String {
    let mut out = format!("region {name}\n");
    for s in region.statics() {
        let Known { operator, is_certain, near } = &s.known;
        let what = operator.as_ref().map_or("no operator", |o| o.what.noun());
        let called = if *is_certain { ", called in any case" } else { "" };
        let stmts: Vec<String> = s.part.tree.iter().flat_map(Tree::stmts).map(|id| format!("S{}", id.0)).collect();
        let _ = writeln!(out, "  {}: {what}{called}", stmts.join(", "));
        near.iter().for_each(|reason| _ = writeln!(out, "    not one: {}", reason.message));
    }
    out
}

/// The operators that neighbouring trees of a part make, in order, and what nearly is one.
type Operators = (Vec<(Range<usize>, Operator, bool)>, Vec<Reason>);

fn operators(a: &Analysis, configured: Library, device_scalars: &BTreeSet<VarId>) -> Result<Operators, Failure> {
    // Factors are given by the host.
    let is_on_host = |o: &Operator| {
        let mut read = BTreeSet::new();
        [Some(&o.alpha), o.beta.as_ref()]
            .into_iter()
            .flatten()
            .flat_map(|s| &s.factors)
            .for_each(|f| read.extend(effects::variables(f)));
        read.is_disjoint(device_scalars)
    };
    let (mut out, mut near) = (vec![], vec![]);
    let trees = &a.part.tree;
    let mut from = 0;
    while from < trees.len() {
        let most = trees.len().min(from + MOST_TREES);
        let mut next = from + 1;
        for to in (from + 1..=most).rev() {
            let stmts: Vec<StmtId> = trees[from..to].iter().flat_map(Tree::stmts).collect();
            let (wish, _) = wish(a, &stmts, configured);
            if wish == Library::Never {
                continue;
            }
            match triangular(a, &stmts, &[])? {
                Found::Operators(all) => {
                    let wanted =
                        all.into_iter().filter(|o| (wish == Library::Always || o.is_worth_it()) && is_on_host(o));
                    let before = out.len();
                    out.extend(wanted.map(|o| (from..to, o, wish == Library::Always)));
                    if out.len() > before {
                        next = to;
                        break;
                    }
                }
                Found::Near(reason) if to == from + 1 => near.push(reason),
                _ => {}
            }
        }
        from = next;
    }
    Ok((out, near))
}

struct Split<'a> {
    unit: &'a Unit,
    ctx: &'a Ctx,
    names: &'a mut Names,
}

impl Split<'_> {
    fn nodes(&mut self, nodes: Vec<Node>, found: &mut impl Iterator<Item = Operators>) -> Result<Vec<Node>, Failure> {
        let mut out = vec![];
        for n in nodes {
            match n {
                Node::Static(s) => {
                    let (operators, near) = found.next().unwrap_or_default();
                    out.extend(self.parts(*s, operators, near)?);
                }
                Node::Loop { cond, step, check_first, body } => {
                    out.push(Node::Loop { cond, step, check_first, body: self.nodes(body, found)? });
                }
                Node::If { cond, then, other } => {
                    out.push(Node::If { cond, then: self.nodes(then, found)?, other: self.nodes(other, found)? });
                }
                n => out.push(n),
            }
        }
        Ok(out)
    }

    fn parts(
        &mut self,
        mut s: Static,
        operators: Vec<(Range<usize>, Operator, bool)>,
        near: Vec<Reason>,
    ) -> Result<Vec<Node>, Failure> {
        let n = s.part.tree.len();
        let known = |operator, is_certain| Known { operator: Some(Box::new(operator)), is_certain, near: vec![] };
        match <[_; 1]>::try_from(operators) {
            Ok([(trees, operator, is_certain)]) if trees == (0..n) => {
                s.known = known(operator, is_certain);
                Ok(vec![Node::Static(Box::new(s))])
            }
            Ok(one) => self.apart(&s.part, one.into(), near, known),
            Err(none) if none.is_empty() => {
                s.known.near = near;
                Ok(vec![Node::Static(Box::new(s))])
            }
            Err(several) => self.apart(&s.part, several, near, known),
        }
    }

    fn apart(
        &mut self,
        part: &StaticPart,
        operators: Vec<(Range<usize>, Operator, bool)>,
        near: Vec<Reason>,
        known: impl Fn(Operator, bool) -> Known,
    ) -> Result<Vec<Node>, Failure> {
        let (mut out, mut from) = (vec![], 0);
        let mut near = Some(near);
        for (trees, operator, is_certain) in operators {
            if from < trees.start {
                let known = Known { near: near.take().unwrap_or_default(), ..Known::default() };
                out.push(self.part(part, from..trees.start, known)?);
            }
            from = trees.end;
            out.push(self.part(part, trees, known(operator, is_certain))?);
        }
        if from < part.tree.len() {
            let known = Known { near: near.take().unwrap_or_default(), ..Known::default() };
            out.push(self.part(part, from..part.tree.len(), known)?);
        }
        Ok(out)
    }

    fn part(&mut self, whole: &StaticPart, trees: Range<usize>, known: Known) -> Result<Node, Failure> {
        let mut part = piece(whole, trees);
        // The whole has been held to the shapes stated.
        let scop = scop::build(self.ctx, self.unit, &mut part, self.names, false)?;
        let deps = analyse(&part, &scop)?;
        Ok(Node::Static(Box::new(Static { known, ..Static::new(part, scop, deps) })))
    }
}
