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
use crate::library::sparse::{Form, with_sparse};
use crate::library::{Contraction, Found, Range, Scale};
use crate::region::{LoopId, Reason};
use crate::schedule::Nest;
use crate::schedule::parallel::Analysis;
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::HashSet;

mod operands;
mod product;
mod sparse;

/// What is recognised, to who asks for a library where nothing is.
const RECOGNISED: &str = "products of matrices (gemm), of a matrix and a vector (gemv), and of a sparse matrix by rows, by \
                          columns or as triplets with vectors (spmv, spmm) are";

/// Fewer iterations of each loop than this are not worth a call.
const FEW: i64 = 16;

impl Builder<'_> {
    /// The call that a nest becomes, below those loops of the host, and whether it is made in any case.
    pub(super) fn call(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        host: &[LoopId],
    ) -> Result<Option<(Box<Call>, bool)>, NoPlan> {
        let (wish, asked_at) = self.wish(a, nest);
        if wish == Library::Never {
            return Ok(None);
        }
        let found = match contraction(a, nest) {
            Found::Nothing => with_sparse(a, nest),
            found => found,
        };
        let factors = match (&found, asked_at) {
            (Found::Contraction(c), _) => [Some(&c.alpha), c.beta.as_ref()],
            (Found::Sparse(s), _) => [Some(&s.alpha), s.beta.as_ref()],
            (Found::Near(reason), None) => {
                let line = (self.line)(reason.span);
                self.notes.push(format!("line {line}: {}", reason.message));
                return Ok(None);
            }
            (Found::Near(reason), Some(_)) => {
                self.warnings.push(reason.clone());
                return Ok(None);
            }
            (Found::Nothing, Some(at)) => {
                let reason = Reason::new("library", "a loop here is no operator that is recognised", at);
                self.warnings.push(reason.help(RECOGNISED));
                return Ok(None);
            }
            (Found::Nothing, None) => return Ok(None),
        };
        if let Found::Sparse(s) = &found
            && let Some(array) = self.written_pattern(s)
        {
            let message =
                format!("the entries of a sparse matrix are walked through, but `{array}` changes in the region");
            self.notes.push(format!("line {}: {message}", (self.line)(a.part.get_loop(nest.axes[0][0]).span)));
            return Ok(None);
        }
        let is_known = |s: &Scale| s.factors.iter().all(|f| self.is_on_host(f));
        if !factors.into_iter().flatten().all(is_known) || (wish == Library::Auto && !is_worth_it(&found)) {
            return Ok(None);
        }
        let line = (self.line)(a.part.get_loop(nest.axes[0][0]).span);
        let mut mapper = self.mapper(host, HashSet::new());
        let mut l = mapper.lowering(a);
        let call = match &found {
            Found::Contraction(c) => Call::Product(product::lowered(c, line, &mut l)?),
            Found::Sparse(s) => Call::Sparse(sparse::lowered(s, line, &mut l)?),
            Found::Near(_) | Found::Nothing => return Ok(None),
        };
        let used = std::mem::take(&mut l.used);
        self.absorb(used);
        self.has_parallel = true;
        let how = match (&call, wish) {
            (Call::Sparse(s), Library::Auto) if s.form == Form::Rows => {
                "a thread for each row where they are short and even, else blocks of entries; by cuSPARSE once that saves \
                 more than loading it takes"
                    .to_string()
            }
            (_, Library::Auto) => format!("by {} once that saves more than loading it takes", call.library()),
            _ => format!("by {}", call.library()),
        };
        self.notes.push(format!("line {line}: {}, {how}", call.noun()));
        Ok(Some((Box::new(call), wish == Library::Always)))
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

/// Whether a library may do it sooner than a kernel.
fn is_worth_it(found: &Found) -> bool {
    match found {
        Found::Contraction(c) => c.column.is_some() && !is_small(c),
        _ => true,
    }
}

/// Whether the numbers are known and small.
fn is_small(c: &Contraction) -> bool {
    let count = |r: &Range| r.end.plus(&r.first, -1).and_then(|n| n.as_constant());
    [Some(&c.row), c.column.as_ref(), Some(&c.sum)].into_iter().flatten().any(|r| count(r).is_some_and(|n| n < FEW))
}
