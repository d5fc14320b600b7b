//! Nests that a library computes: whether to call it, and with what.
//!
//! Of products of matrices a library does several times what a generated kernel does in the same time, but it takes a
//! tenth of a second to load. So both are there, and the program loads the library once the products that it has computed
//! would have been that much sooner done (the ski-rental rule: never more than twice the least time). A product with a
//! vector reads its matrix once, and a kernel is as fast. Who asks for the library gets it in any case.

use super::builder::Builder;
use super::ir::HostStmt;
use crate::analysis::analysed::Static;
use crate::analysis::no_plan::NoPlan;
use crate::ast::Expr;
use crate::config::Library;
use crate::facts::{Reason, effects, remedy};
use crate::library::call::Call;
use crate::library::operator::Operator;
use crate::library::recognise::{found, is_small, wish};
use crate::library::sparse::Form;
use crate::library::{Found, Scale};
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::Nest;
use crate::schedule::expand::{Expansion, How};
use crate::schedule::parallel::Analysis;
use crate::source::Span;
use std::collections::BTreeSet;

mod blas;
mod operands;
mod product;
mod sparse;

/// The calls that steps become, and whether they are made in any case.
pub type Calls = Option<(Vec<Call>, bool)>;

impl Builder<'_> {
    /// The calls that a nest becomes, below those loops of the host.
    pub(super) fn calls(&mut self, a: &Analysis, nest: &Nest, host: &[LoopId]) -> Result<Calls, NoPlan> {
        let stmts = nest.stmts();
        let (wish, asked_at) = wish(a, &stmts, self.settings.defaults.library);
        if wish == Library::Never || self.has_call || self.makes_copies(a, &stmts) {
            return Ok(None);
        }
        if wish == Library::Auto && self.may_hold_back(a, &stmts)? {
            return Ok(None);
        }
        let found = self.sparse(found(a, nest, host, wish)?);
        self.called(a, &stmts, host, found, (wish, asked_at))
    }

    /// Test that statements make copies of what was there before other loops: these are not the user's to be called.
    fn makes_copies(&self, a: &Analysis, stmts: &[StmtId]) -> bool {
        let written = stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses).filter(|x| is_write(x));
        let said: Vec<&Expansion> = self.region.statics().into_iter().flat_map(|s| &s.expansions).collect();
        let is_copy = |v| said.iter().any(|x| matches!(x.how, How::Before) && x.copy == Some(v));
        written.map(|x| x.data).any(is_copy)
    }

    /// The calls that a whole part becomes.
    pub(super) fn calls_of_part(&mut self, a: &Analysis, s: &Static) -> Result<Calls, NoPlan> {
        let Some(operator) = &s.known.operator else { return Ok(None) };
        let stmts: Vec<StmtId> = a.part.tree.iter().flat_map(Tree::stmts).collect();
        let wish = wish(a, &stmts, self.settings.defaults.library);
        self.called(a, &stmts, &[], Found::Operators(vec![(**operator).clone()]), wish)
    }

    /// Puts what the whole of a part nearly is before what was said since of its nests; not where one of these is called.
    pub(super) fn say_what_is_near(&mut self, a: &Analysis, s: &Static, n_notes: usize) {
        let by_library = std::mem::take(&mut self.by_library);
        let is_called = |at: Span| by_library.iter().any(|s| a.part.stmt(*s).body.span == at);
        let said = self.notes.split_off(n_notes);
        for reason in s.known.near.iter().filter(|r| !is_called(r.span)) {
            self.say_why_not(Found::Near(reason.clone()), None);
        }
        let first = self.notes.split_off(n_notes);
        let rest: Vec<String> = said.into_iter().filter(|note| !first.contains(note)).collect();
        self.notes.extend(first.into_iter().chain(rest));
    }

    fn called(
        &mut self,
        a: &Analysis,
        stmts: &[StmtId],
        host: &[LoopId],
        found: Found,
        (wish, asked_at): (Library, Option<Span>),
    ) -> Result<Calls, NoPlan> {
        let is_known = |(s, other): (&Scale, &Option<Scale>)| {
            s.factors.iter().chain(other.iter().flat_map(|s| &s.factors)).all(|f| self.is_on_host(f))
        };
        let (is_worth_it, is_known) = match &found {
            Found::Contraction(c) => (c.column.is_some() && !is_small(c), is_known((&c.alpha, &c.beta))),
            Found::Operators(all) => {
                (all.iter().all(Operator::is_worth_it), all.iter().all(|o| is_known((&o.alpha, &o.beta))))
            }
            Found::Sparse(s) => (true, is_known((&s.alpha, &s.beta))),
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
        let mut mapper = self.mapper(host, BTreeSet::new());
        let mut l = mapper.lowering(a);
        let mut calls = vec![];
        match found {
            Found::Contraction(c) => calls.push(Call::Product(product::lowered(&c, line, &mut l)?)),
            Found::Sparse(s) => calls.push(Call::Sparse(sparse::lowered(&s, line, &mut l)?)),
            Found::Operators(all) => {
                for o in all {
                    calls.push(Call::Blas(blas::lowered(&o, line, &mut l)?));
                }
            }
            Found::Near(_) | Found::Nothing => {}
        }
        let used = std::mem::take(&mut l.used);
        self.absorb(used);
        self.has_parallel = true;
        if calls.iter().any(|c| matches!(c, Call::Blas(b) if b.is_square())) {
            self.notes.push(format!(
                "line {line}: this sum of squares is computed as it stands, by dot: nrm2 of BLAS scales them, so that its root \
                 is another number where they overflow or vanish"
            ));
        }
        for call in &calls {
            self.notes.push(format!("line {line}: {}, {}", call.noun(), how(call, wish)));
        }
        self.by_library.extend(stmts);
        self.called.extend(stmts.iter().filter(|_| wish == Library::Always));
        Ok(Some((calls, wish == Library::Always)))
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
                self.warnings.push(reason.help(remedy!("these are: {}", RECOGNISED.join(", "))));
            }
            (_, None) => {}
        }
    }

    /// Test that a value that no part changes is not one that the device computes.
    fn is_on_host(&self, e: &Expr) -> bool {
        effects::variables(e).iter().all(|v| !self.region.device_scalars.contains(v))
    }
}

/// Calls as steps; what else there is to do takes the place of one alone.
pub fn made(calls: Vec<Call>, mut otherwise: Vec<HostStmt>) -> impl Iterator<Item = HostStmt> {
    let mut otherwise = move || std::mem::take(&mut otherwise);
    calls.into_iter().map(move |call| HostStmt::Call { call: Box::new(call), otherwise: otherwise() })
}

/// How a call is made.
fn how(call: &Call, wish: Library) -> String {
    let when = if wish == Library::Auto { " once that saves more than loading it takes" } else { "" };
    let by = match call {
        Call::Sparse(s) if wish == Library::Auto && s.form == Form::Rows => {
            "a thread for each row where they are short and even, else blocks of entries; "
        }
        _ => "",
    };
    format!("{by}by {}{when}", call.library())
}

/// Names of what is recognised.
const RECOGNISED: [&str; 19] = [
    "gemm", "gemv", "ger", "symm", "syrk", "syr2k", "trmm", "trsm", "trsv", "axpy", "scal", "copy", "swap", "dot",
    "nrm2", "asum", "geam", "spmv", "spmm",
];
