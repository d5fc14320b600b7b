//! Role of a nest for a library, and its user's wish for the call.

use super::contraction::contraction;
use super::sparse::recognise::with_sparse;
use super::triangular::triangular;
use super::vectors::vectors;
use super::{Contraction, FEW, Found, Range};
use crate::config::Library;
use crate::poly::Failure;
use crate::region::{LoopId, StmtId};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};
use crate::source::Span;
use crate::source::directive::DirectiveKind;

/// Wish of the user for a library's call of these statements, and where a directive asks for it: the innermost one speaks
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

/// Test of two nests, one of them a product of matrices that a library may compute, would be no such product as one. What
/// joining them spares is a pass over the result, which is little beside the product.
pub fn hides_product(a: &Analysis, pair: [&Nest; 2], joined: &Nest, default: Library) -> bool {
    let is_product = |nest: &Nest| match contraction(a, nest) {
        Found::Contraction(c) => c.column.is_some() && !is_small(&c),
        _ => false,
    };
    let is_wanted = |nest: &&Nest| wish(a, &nest.stmts(), default).0 != Library::Never;
    pair.into_iter().filter(is_wanted).any(is_product) && !is_product(joined)
}

/// Role of a nest for a library.
pub fn found(a: &Analysis, nest: &Nest, host: &[LoopId], wish: Library) -> Result<Found, Failure> {
    let stmts = nest.stmts();
    let triangle = || if nest.mode == Mode::Parallel { triangular(a, &stmts, host) } else { Ok(Found::Nothing) };
    // Of those a kernel is as fast, and may do more.
    let vector = || if wish == Library::Always { vectors(a, nest, host) } else { Ok(Found::Nothing) };
    let sparse = || Ok(with_sparse(a, nest));
    first_of(contraction(a, nest), [&triangle, &vector, &sparse])
}

/// Wish for another operator where the first is none.
type Question<'a> = &'a dyn Fn() -> Result<Found, Failure>;

/// The first operator of those, or the last thing that nearly is one.
fn first_of<const N: usize>(mut found: Found, others: [Question; N]) -> Result<Found, Failure> {
    for other in others {
        if matches!(found, Found::Contraction(_) | Found::Operators(_) | Found::Sparse(_)) {
            break;
        }
        match other()? {
            Found::Nothing => {}
            better => found = better,
        }
    }
    Ok(found)
}

/// Test that the numbers are known and small.
pub fn is_small(c: &Contraction) -> bool {
    let count = |r: &Range| r.end.plus(&r.first, -1).and_then(|n| n.as_constant());
    [Some(&c.row), c.column.as_ref(), Some(&c.sum)].into_iter().flatten().any(|r| count(r).is_some_and(|n| n < FEW))
}
