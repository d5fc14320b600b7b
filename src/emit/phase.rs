//! A phase of a resident kernel as a function of its own.
//!
//! In the kernel, arrays that threads exchange are plain pointers: the compiler must read anew what it has read before a
//! barrier. Within a phase nobody else writes what a thread reads, but for what its own block barriers hand on, and the
//! parameters of a function can say so.
//! ```text
//! phase rt_k0 "a.c:4  loop i in parallel" { ... }   ->   template <int THREADS>
//!                                                        RT_DEVICE void rt_k0(const long n, const rt_in<double> a, ...)
//! ```

use super::construct::definitions::{ArrayParameter, OnChipParameter, Phase, ScalarParameter};
use super::construct::statements::PhaseCall;
use super::scope::{Memory, Scope};
use super::spell::spell;
use super::statements::Statements;
use super::{layout, names};
use crate::diag::Stop;
use crate::kernel::{Expr, Stmt, StmtKind, THREADS, Usage, exchange, walk};
use std::collections::BTreeSet;

impl Statements<'_> {
    /// Makes a phase a function, and returns the call of it.
    ///
    /// # Errors
    /// A kernel that its verifier would refuse.
    pub(super) fn phase(&mut self, line: u32, (name, note): (&str, &str), body: &[Stmt]) -> Result<PhaseCall, Stop> {
        let (function, call) = phase((name, note), body, &self.scope, &self.tunables, self.file)?;
        self.phases.push(function);
        Ok(PhaseCall { line, ..call })
    }
}

/// The function, and the call of it, which comes from no line yet. `tunables` are the kernel's.
///
/// # Errors
/// A kernel that its verifier would refuse.
fn phase(
    (name, note): (&str, &str),
    body: &[Stmt],
    scope: &Scope,
    tunables: &BTreeSet<String>,
    file: &str,
) -> Result<(String, PhaseCall), Stop> {
    let uses = Uses::of(body, scope);
    let own = Scope {
        bits: scope.bits,
        is_of_call: scope.is_of_call,
        vars: scope.vars.clone(),
        arrays: scope.arrays.clone(),
        functions: scope.functions,
        ranks: scope.ranks,
        sizes: scope.sizes.clone(),
        held: scope.held.clone(),
    };
    let mut out = Statements::new(own, file, body);
    out.tunables.clone_from(tunables);
    let (mut parameters, mut arguments) = (Vec::new(), Vec::new());
    for name in uses.scalars.iter().filter(|name| !tunables.contains(*name)) {
        let (r#type, name) = (names::cxx_type(scope.vars[name], scope.bits), names::spell(name));
        parameters.push(spell(&ScalarParameter { is_const: true, r#type, name: name.clone() })?);
        arguments.push(name);
    }
    let exchanged = exchange::arrays(body);
    for (name, usage) in uses.arrays() {
        let (ty, memory) = &scope.arrays[name];
        let (r#type, is_held) = (names::cxx_type(*ty, scope.bits), scope.held.contains(name));
        let (usage, name) = (names::array_usage(usage, exchanged.contains(name)), names::spell(name));
        arguments.push(name.clone());
        parameters.push(match memory {
            Memory::OnChip | Memory::RowsOnChip => {
                let are_rows = *memory == Memory::RowsOnChip;
                spell(&OnChipParameter { r#type, threads: THREADS, name, are_rows })?
            }
            _ => spell(&ArrayParameter { usage, is_held, r#type, name })?,
        });
    }
    let tunables: Vec<_> = tunables.iter().map(|t| names::spell(t)).collect();
    let function = spell(&Phase {
        note: names::one_line(note),
        position: None,
        tunables: tunables.clone(),
        name: names::spell(name),
        parameters,
        body: out.block(body)?,
    })?;
    Ok((layout::laid_out(&function, file), PhaseCall { line: 0, name: names::spell(name), tunables, arguments }))
}

/// What a phase uses of the kernel's.
#[derive(Default)]
struct Uses {
    scalars: BTreeSet<String>,
    loaded: BTreeSet<String>,
    stored: BTreeSet<String>,
    /// Of whose elements it asks the addresses.
    addressed: BTreeSet<String>,
}

impl Uses {
    fn of(body: &[Stmt], scope: &Scope) -> Self {
        let (mut uses, own) = (Uses::default(), walk::declared(body));
        for s in body {
            s.visit(&mut |s| {
                match &s.kind {
                    StmtKind::Store { target, op, .. } => {
                        uses.stored.insert(target.array.clone());
                        uses.loaded.extend(op.map(|_| target.array.clone()));
                    }
                    StmtKind::Atomic { target, .. } => {
                        uses.stored.insert(target.array.clone());
                        uses.loaded.insert(target.array.clone());
                    }
                    _ => {
                        uses.stored.extend(s.target().map(|target| target.array.clone()));
                        uses.loaded.extend(s.source().map(|source| source.array.clone()));
                    }
                }
                s.exprs().into_iter().for_each(|e| uses.expr(e));
            });
        }
        for name in uses.loaded.iter().chain(&uses.stored).chain(&uses.addressed) {
            if let Some((_, Memory::Global(extents))) = scope.arrays.get(name) {
                extents.iter().for_each(|e| e.variables(&mut uses.scalars));
            }
        }
        uses.scalars.retain(|name| !own.contains(name));
        uses.loaded.retain(|name| !own.contains(name));
        uses.stored.retain(|name| !own.contains(name));
        uses
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Var(name) => drop(self.scalars.replace(name.clone())),
            Expr::Load(access) => drop(self.loaded.replace(access.array.clone())),
            Expr::Aligned { access, .. } => drop(self.addressed.replace(access.array.clone())),
            _ => {}
        }
        e.children().into_iter().for_each(|child| self.expr(child));
    }

    fn arrays(&self) -> impl Iterator<Item = (&String, Usage)> {
        let all: BTreeSet<_> = self.loaded.iter().chain(&self.stored).chain(&self.addressed).collect();
        all.into_iter().map(|name| {
            let usage = match (self.loaded.contains(name), self.stored.contains(name)) {
                (_, false) => Usage::Read,
                (false, true) => Usage::Write,
                (true, true) => Usage::ReadWrite,
            };
            (name, usage)
        })
    }
}
