//! Variables whose value is wanted behind a region, a place of a function: what is assigned there and not wanted needs no home.

use super::effects::{header_counter, is_scalar};
use super::liveness::Live;
use super::loops::is_loop;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Unit, VarId};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Where a function names its variables, so far as their values are wanted for it: found in one walk, asked for by each region.
#[derive(Debug, Default)]
pub struct Mentions {
    /// From the first to the last statement that names each, but for the counter of a `for` whose own header sets it first, and for
    /// what is set and not read.
    extents: BTreeMap<VarId, Span>,
    /// The first bytes of the loops around each declaration.
    loops: BTreeMap<VarId, Vec<u32>>,
}

impl Mentions {
    /// Looks at a function.
    pub fn of(function: &Function) -> Mentions {
        let mut out = Mentions::default();
        out.note(&function.body, &mut BTreeSet::new());
        out.note_declared(&function.body, &mut vec![]);
        out
    }

    /// The variables of the function that may be read outside `region`, a span of its body, so that a value assigned inside must
    /// survive it. Over-approximated: any mention outside counts, except of numbers that are set again before they are read. Without
    /// the variables of the file, which always are.
    ///
    /// `live`: behind the region; `seen`: the variables of the function that may be read in other ways than by name.
    pub fn wanted_outside(
        &self,
        unit: &Unit,
        function: &Function,
        region: Span,
        live: &Live,
        seen: &BTreeSet<VarId>,
    ) -> BTreeSet<VarId> {
        let outside = self.extents.iter().filter(|(_, extent)| !region.encloses(**extent)).map(|(v, _)| v);
        let is_wanted = |v: &&VarId| live.contains(**v) || !is_scalar(&unit.var(**v).ty);
        let mut wanted: BTreeSet<VarId> = function.obscure.iter().chain(outside).filter(is_wanted).copied().collect();
        // What an iteration declares ends with it, whoever was handed its address.
        let ends = |v: &VarId| self.loops.get(v).is_some_and(|loops| loops.iter().any(|at| region.contains(*at)));
        wanted.extend(seen.iter().filter(|v| !ends(v)));
        wanted
    }

    fn note_declared(&mut self, s: &Stmt, loops: &mut Vec<u32>) {
        if let StmtKind::Decl(ds) = &s.kind {
            ds.iter().for_each(|d| self.loops.entry(d.var).or_default().extend(loops.iter()));
        }
        let is_loop = is_loop(s);
        if is_loop {
            loops.push(s.span.lo);
        }
        s.stmts().into_iter().for_each(|s| self.note_declared(s, loops));
        if is_loop {
            loops.pop();
        }
    }

    fn note(&mut self, s: &Stmt, set_here: &mut BTreeSet<VarId>) {
        let at = s.span;
        match &s.kind {
            StmtKind::Block(body) => body.iter().for_each(|s| self.note(s, set_here)),
            StmtKind::For { init, cond, step, body } => {
                let counter = init.as_deref().and_then(header_counter);
                let fresh = counter.filter(|v| set_here.insert(*v));
                if let Some(init) = init {
                    init.walk(&mut |p| self.mention(p, at, set_here));
                }
                cond.iter().chain(step).for_each(|e| self.read(e, at, set_here));
                self.note(body, set_here);
                fresh.map(|v| set_here.remove(&v));
            }
            StmtKind::If { cond, then, other } => {
                self.read(cond, at, set_here);
                self.note(then, set_here);
                other.iter().for_each(|s| self.note(s, set_here));
            }
            StmtKind::While { cond: e, body }
            | StmtKind::DoWhile { body, cond: e }
            | StmtKind::Switch { value: e, body } => {
                self.read(e, at, set_here);
                self.note(body, set_here);
            }
            // What is put there is not read.
            StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. })
                if matches!(target.kind, ExprKind::Var(_)) =>
            {
                self.read(value, at, set_here);
            }
            _ => s.walk(&mut |p| self.mention(p, at, set_here)),
        }
    }

    fn read(&mut self, e: &Expr, at: Span, set_here: &BTreeSet<VarId>) {
        e.walk(&mut |e| self.mention(Piece::Expr(e), at, set_here));
    }

    /// Notes a variable that a statement at `at` names.
    fn mention(&mut self, piece: Piece<'_>, at: Span, set_here: &BTreeSet<VarId>) {
        if let Piece::Expr(Expr { kind: ExprKind::Var(v), .. }) = piece
            && !set_here.contains(v)
        {
            let extent = self.extents.entry(*v).or_insert(at);
            *extent = Span { lo: extent.lo.min(at.lo), hi: extent.hi.max(at.hi) };
        }
    }
}
