//! Nests that a library computes: whether to call it, and with what.
//!
//! Of products of matrices a library does several times what a generated kernel does in the same time, but it takes a
//! tenth of a second to load. So both are there, and the program loads the library once the products that it has computed
//! would have been that much sooner done (the ski-rental rule: never more than twice the least time). A product with a
//! vector reads its matrix once, and a kernel is as fast. Who asks for the library gets it in any case.

use super::build::{Builder, NoPlan};
use crate::ast::Expr;
use crate::config::Library;
use crate::library::call::Call;
use crate::library::contraction::contraction;
use crate::library::operator::Operator;
use crate::library::triangular::triangular;
use crate::library::{Contraction, FEW, Found, Range, Scale};
use crate::region::{LoopId, Reason, StmtId, Tree};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::HashSet;

mod blas;
mod operands;
mod product;

impl Builder<'_> {
    /// The call that a nest becomes, below those loops of the host, and whether it is made in any case.
    pub(super) fn call(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        host: &[LoopId],
    ) -> Result<Option<(Box<Call>, bool)>, NoPlan> {
        let stmts = nest.stmts();
        let (wish, asked_at) = wish(a, &stmts, self.settings.defaults.library);
        if wish == Library::Never || self.has_call {
            return Ok(None);
        }
        let found = match contraction(a, nest) {
            Found::Contraction(found) => Found::Contraction(found),
            other if nest.mode == Mode::Parallel => match (other, triangular(a, &stmts, host)?) {
                (_, Found::Operator(found)) => Found::Operator(found),
                (near, Found::Nothing) => near,
                (_, near) => near,
            },
            other => other,
        };
        self.called(a, &stmts, host, found, (wish, asked_at))
    }

    /// The call that a whole part becomes, and whether it is made in any case.
    pub(super) fn call_of_part(
        &mut self,
        a: &Analysis,
        operator: &Operator,
    ) -> Result<Option<(Box<Call>, bool)>, NoPlan> {
        let stmts: Vec<StmtId> = a.part.tree.iter().flat_map(Tree::stmts).collect();
        let wish = wish(a, &stmts, self.settings.defaults.library);
        self.called(a, &stmts, &[], Found::Operator(Box::new(operator.clone())), wish)
    }

    fn called(
        &mut self,
        a: &Analysis,
        stmts: &[StmtId],
        host: &[LoopId],
        found: Found,
        (wish, asked_at): (Library, Option<Span>),
    ) -> Result<Option<(Box<Call>, bool)>, NoPlan> {
        let is_known = |s: &Scale| s.factors.iter().all(|f| self.is_on_host(f));
        let (is_worth_it, is_known) = match &found {
            Found::Contraction(c) => {
                (c.column.is_some() && !is_small(c), is_known(&c.alpha) && c.beta.as_ref().is_none_or(is_known))
            }
            Found::Operator(o) => (o.is_worth_it(), is_known(&o.alpha) && o.beta.as_ref().is_none_or(is_known)),
            Found::Near(_) | Found::Nothing => {
                self.say_why_not(found, asked_at);
                return Ok(None);
            }
        };
        if (wish == Library::Auto && !is_worth_it) || !is_known {
            return Ok(None);
        }
        let first = stmts.iter().flat_map(|s| &a.part.stmt(*s).loops).find(|l| !host.contains(l));
        let line = first.map_or(0, |l| (self.line)(a.part.get_loop(*l).span));
        let mut mapper = self.mapper(host, HashSet::new());
        let mut l = mapper.lowering(a);
        let call = match found {
            Found::Contraction(c) => Call::Product(product::lowered(&c, line, &mut l)?),
            Found::Operator(o) => Call::Blas(blas::lowered(&o, line, &mut l)?),
            Found::Near(_) | Found::Nothing => return Ok(None),
        };
        let used = std::mem::take(&mut l.used);
        self.absorb(used);
        self.has_parallel = true;
        let when = if wish == Library::Auto { " once that saves more than loading it takes" } else { "" };
        self.notes.push(format!("line {line}: {}, by {}{when}", call.noun(), call.library()));
        Ok(Some((Box::new(call), wish == Library::Always)))
    }

    /// What there is to say of a nest that is no operator: where a directive asks for one, or where it nearly is one.
    pub(super) fn say_why_not(&mut self, found: Found, asked_at: Option<Span>) {
        match (found, asked_at) {
            (Found::Near(reason), None) => {
                let note = format!("line {}: {}", (self.line)(reason.span), reason.message);
                if !self.notes.contains(&note) {
                    self.notes.push(note);
                }
            }
            (Found::Near(reason), Some(_)) => self.warnings.push(reason),
            (_, Some(at)) => {
                let reason = Reason::new("library", "a loop here is no operator that is recognised", at);
                self.warnings.push(reason.help("products of matrices (gemm) and of a matrix and a vector (gemv) are"));
            }
            (_, None) => {}
        }
    }

    /// Whether a value that no part changes is not one that the device computes.
    fn is_on_host(&self, e: &Expr) -> bool {
        let mut read = HashSet::new();
        super::analysed::variables(e, &mut read);
        read.iter().all(|v| !self.region.device_scalars.contains(v))
    }
}

/// What the user wants of a library for these statements, and where a directive asks for it: the innermost one speaks
/// before the configuration.
pub fn wish(a: &Analysis, stmts: &[StmtId], configured: Library) -> (Library, Option<Span>) {
    let loops = stmts.iter().flat_map(|s| a.part.stmt(*s).loops.clone());
    let mut said = loops.flat_map(|l| &a.part.get_loop(l).directives).filter_map(|d| match &d.kind {
        DirectiveKind::Library(wish) => Some(match wish.as_str() {
            "never" => (Library::Never, None),
            "auto" => (Library::Auto, None),
            _ => (Library::Always, Some(d.span)),
        }),
        _ => None,
    });
    said.next_back().unwrap_or((configured, None))
}

/// Whether two nests, one of them a product of matrices that a library may compute, would be no such product as one. What
/// joining them spares is a pass over the result, which is little beside the product.
pub(super) fn hides_product(a: &Analysis, pair: [&Nest; 2], joined: &Nest, default: Library) -> bool {
    let is_product = |nest: &Nest| match contraction(a, nest) {
        Found::Contraction(c) => c.column.is_some() && !is_small(&c),
        _ => false,
    };
    let is_wanted = |nest: &&Nest| wish(a, &nest.stmts(), default).0 != Library::Never;
    pair.into_iter().filter(is_wanted).any(is_product) && !is_product(joined)
}

/// Whether the numbers are known and small.
fn is_small(c: &Contraction) -> bool {
    let count = |r: &Range| r.end.plus(&r.first, -1).and_then(|n| n.as_constant());
    [Some(&c.row), c.column.as_ref(), Some(&c.sum)].into_iter().flatten().any(|r| count(r).is_some_and(|n| n < FEW))
}
