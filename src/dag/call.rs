//! Nests that a library computes: whether to call it, and with what.
//!
//! Of products of matrices a library does several times what a generated kernel does in the same time, but it takes a
//! tenth of a second to load. So both are there, and the program loads the library once the products that it has computed
//! would have been that much sooner done (the ski-rental rule: never more than twice the least time). A product with a
//! vector reads its matrix once, and a kernel is as fast. Who asks for the library gets it in any case.

use super::build::{Builder, NoPlan};
use crate::ast::Expr;
use crate::config::Library;
use crate::kernel::{self as k, ScalarType, UnaryOp, Usage, simplify};
use crate::library::contraction::contraction;
use crate::library::view::View;
use crate::library::{Contraction, Found, Operand, Product, Range, Scale};
use crate::region::symbolic::Poly;
use crate::region::{LoopId, Reason};
use crate::schedule::lower::Lowering;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, index};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::HashSet;

/// Fewer iterations of each loop than this are not worth a call.
const FEW: i64 = 16;

impl Builder<'_> {
    /// The call that a nest becomes, below those loops of the host, and whether it is made in any case.
    pub(super) fn call(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        host: &[LoopId],
    ) -> Result<Option<(Box<Product>, bool)>, NoPlan> {
        let (wish, asked_at) = self.wish(a, nest);
        if wish == Library::Never {
            return Ok(None);
        }
        let found = match (contraction(a, nest), asked_at) {
            (Found::Contraction(found), _) => found,
            (Found::Near(reason), None) => {
                let line = (self.line)(reason.span);
                self.notes.push(format!("line {line}: {}", reason.message));
                return Ok(None);
            }
            (Found::Near(reason), Some(_)) => {
                self.warnings.push(reason);
                return Ok(None);
            }
            (Found::Nothing, Some(at)) => {
                let reason = Reason::new("library", "a loop here is no operator that is recognised", at);
                self.warnings.push(reason.help("products of matrices (gemm) and of a matrix and a vector (gemv) are"));
                return Ok(None);
            }
            (Found::Nothing, None) => return Ok(None),
        };
        let is_worth_it = found.column.is_some() && !is_small(&found);
        let is_known = |s: &Scale| s.factors.iter().all(|f| self.is_on_host(f));
        if (wish == Library::Auto && !is_worth_it) || ![&found.alpha].into_iter().chain(&found.beta).all(is_known) {
            return Ok(None);
        }
        let line = (self.line)(a.part.get_loop(nest.axes[0][0]).span);
        let mut mapper = self.mapper(host, HashSet::new());
        let mut l = mapper.lowering(a);
        let product = product(&found, line, &mut l)?;
        let used = std::mem::take(&mut l.used);
        self.absorb(used);
        self.has_parallel = true;
        let when = if wish == Library::Auto { " once that saves more than loading it takes" } else { "" };
        self.notes.push(format!("line {line}: {}, by cuBLAS{when}", product.noun()));
        Ok(Some((Box::new(product), wish == Library::Always)))
    }

    /// What the user wants of a library here, and where a directive asks for it: the innermost one speaks before the
    /// configuration.
    fn wish(&self, a: &Analysis, nest: &Nest) -> (Library, Option<Span>) {
        let loops = nest.stmts().into_iter().flat_map(|s| a.part.stmt(s).loops.clone());
        let mut said = loops.flat_map(|l| &a.part.get_loop(l).directives).filter_map(|d| match &d.kind {
            DirectiveKind::Library(wish) => Some(match wish.as_str() {
                "never" => (Library::Never, None),
                "auto" => (Library::Auto, None),
                _ => (Library::Always, Some(d.span)),
            }),
            _ => None,
        });
        said.next_back().unwrap_or((self.settings.defaults.library, None))
    }

    /// Whether a value that no part changes is not one that the device computes.
    fn is_on_host(&self, e: &Expr) -> bool {
        let mut read = HashSet::new();
        super::analysed::variables(e, &mut read);
        read.iter().all(|v| !self.region.device_scalars.contains(v))
    }
}

/// Whether the numbers are known and small.
fn is_small(c: &Contraction) -> bool {
    let count = |r: &Range| r.end.plus(&r.first, -1).and_then(|n| n.as_constant());
    [Some(&c.row), c.column.as_ref(), Some(&c.sum)].into_iter().flatten().any(|r| count(r).is_some_and(|n| n < FEW))
}

/// The contraction in the host's terms.
fn product(c: &Contraction, line: u32, l: &mut Lowering) -> Result<Product, Reason> {
    let count =
        |r: &Range, l: &mut Lowering| plain(index::binary(crate::ast::BinOp::Sub, l.poly(&r.end), l.poly(&r.first)));
    let counted = |r: &Option<Range>, l: &mut Lowering| r.as_ref().map_or(k::Expr::Int(1), |r| count(r, l));
    let (rows, columns, terms, n) = (count(&c.row, l), counted(&c.column, l), count(&c.sum, l), counted(&c.batch, l));
    let alpha = scale(&c.alpha, c.ty, l)?;
    let beta = c.beta.as_ref().map(|b| scale(b, c.ty, l)).transpose()?;
    let (a, b) = (operand(&c.a, Usage::Read, l), operand(&c.b, Usage::Read, l));
    let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
    let c_ = operand(&c.c, usage, l);
    Ok(Product { ty: c.ty, line, rows, columns, terms, count: n, alpha, a, b, beta, c: c_ })
}

fn operand(v: &View, usage: Usage, l: &mut Lowering) -> Operand {
    l.used.arrays.insert(v.data, usage);
    let mut distance = |p: &Poly| plain(l.poly(p));
    let (first, row) = (distance(&v.first), distance(&v.along[0]));
    let (column, batch) = (distance(&v.along[1]), distance(&v.along[2]));
    Operand { array: l.name(v.data), first, row, column, batch }
}

fn scale(s: &Scale, ty: ScalarType, l: &mut Lowering) -> Result<k::Expr, Reason> {
    let mut product: Option<k::Expr> = None;
    for f in &s.factors {
        let own = l.value(f)?;
        let own =
            if crate::schedule::lower::scalar_type(&f.ty) == Some(ty) { own } else { k::Expr::Cast(ty, own.into()) };
        product = Some(match product {
            Some(before) => index::binary(crate::ast::BinOp::Mul, before, own),
            None => own,
        });
    }
    let product = product.unwrap_or(k::Expr::Float("1.0".into()));
    Ok(if s.is_negative { k::Expr::Unary(UnaryOp::Neg, product.into()) } else { product })
}

fn plain(mut e: k::Expr) -> k::Expr {
    simplify::index_expr(&mut e);
    e
}
