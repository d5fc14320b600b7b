//! Divides a region into static control parts and the host control around them.
//!
//! A convergence `while`, or a time loop that may `break`, is run by the host, with the nests inside it on the device;
//! scalars that no nest computes stay the host's. Everything else is a static control part, as long as it goes.
//!
//! A loop whose end only the data know is run by the host or by a thread. A thread runs it where it has loops in it,
//! stands in counted loops, and one of these is parallel for more than a few threads (a solver in each cell). Else the
//! host does, with the nests in it on the device. Parts are divided both ways: the second is taken where the first is
//! declined.

use super::accesses::is_plain_member;
use super::extract::extract;
use super::extractor::Extractor;
use super::hints::Hints;
use super::parts::{Part, Parts};
use super::unmodelled::{aggregate, member};
use super::{Tree, alike, assertions, complex, kept_numbers, shared};
use crate::ast::assertion::{self, has_assertion};
use crate::ast::build::ast_builder::integer;
use crate::ast::visit::Piece;
use crate::ast::{Declarator, Expr, ExprKind, FloatKind, Stmt, StmtKind, Type, UnOp, Unit, VarId};
use crate::facts::header::{self, For};
use crate::facts::loops::{has_loop, is_loop};
use crate::facts::symbolic::{self, Params, Reader};
use crate::facts::{Reason, callable, effects, elements, pointer_calls, prints, reduction, remedy};
use crate::normalize::{arrays_of_structures, commas};
use crate::source::Span;
use std::cell::Cell;
use std::collections::BTreeSet;

/// Divides a run of statements.
///
/// # Errors
/// The first thing that is not modelled, with its place.
pub fn divide(unit: &Unit, stmts: &[&Stmt], hints: &Hints) -> Result<Parts, Reason> {
    let (by_threads, is_choice) = divided(unit, stmts, hints, Inner::Thread);
    if !is_choice {
        return by_threads;
    }
    let by_host = divided(unit, stmts, hints, Inner::Host).0;
    match by_threads {
        Ok(parts) => Ok(Parts { by_threads: true, otherwise: by_host.ok().map(Box::new), ..parts }),
        // Whoever runs the loops, their nests see an array in two ways.
        Err(reason) if reason.code == "shape" => Err(reason),
        Err(reason) => by_host.map_err(|other| if reason.code == "assertion" { reason } else { other }),
    }
}

/// Who runs a loop that has loops in it and whose end only the data know, where counted loops stand around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    /// Each thread of the loops around runs it to its end: a solver for each cell, a search for each particle.
    Thread,
    /// The host, with the nests in it on the device.
    Host,
}

/// Such parts, and whether another choice might give others.
fn divided(unit: &Unit, stmts: &[&Stmt], hints: &Hints, inner: Inner) -> (Result<Parts, Reason>, bool) {
    let is_choice = Cell::new(false);
    let parts = parts_of(unit, stmts, hints, inner, &is_choice);
    (parts, is_choice.get())
}

fn parts_of(
    unit: &Unit,
    stmts: &[&Stmt],
    hints: &Hints,
    inner: Inner,
    is_choice: &Cell<bool>,
) -> Result<Parts, Reason> {
    arrays_of_structures::check(unit, stmts)?;
    complex::check(unit, stmts)?;
    for s in stmts {
        let mut kept = Ok(());
        s.walk(&mut |p| {
            if let (Piece::Stmt(s), Ok(())) = (p, &kept) {
                kept = reduction::check_clauses(unit, s).and_then(|()| hints.lost(s));
            }
        });
        kept?;
    }
    let asserted = assertions::taken_out(unit, stmts);
    let (stmts, mut only_if) = match &asserted {
        Some((stmts, only_if)) => (&*stmts.iter().collect::<Vec<_>>(), only_if.clone()),
        None => (stmts, vec![]),
    };
    let named = elements::named(unit, stmts);
    let stmts = match &named {
        Some((stmts, under)) => {
            only_if.extend(under.iter().cloned());
            &*stmts.iter().collect::<Vec<_>>()
        }
        None => stmts,
    };
    let written = effects::changed(unit, stmts);
    let mut d = Divider { unit, written, hints, inner, is_choice, device: BTreeSet::new(), depth: Cell::new(0) };
    d.find_device_scalars(stmts);
    let list = d.parts(stmts)?;
    shared::check(unit, &list, &d.device)?;
    check_prints(&list)?;
    let host_scalars =
        d.written.iter().copied().filter(|v| effects::is_scalar(&unit.var(*v).ty) && !d.device.contains(v)).collect();
    Ok(Parts { list, device_scalars: d.device, host_scalars, only_if, by_threads: false, otherwise: None })
}

struct Divider<'a> {
    unit: &'a Unit,
    written: BTreeSet<VarId>,
    hints: &'a Hints,
    inner: Inner,
    is_choice: &'a Cell<bool>,
    device: BTreeSet<VarId>,
    /// Loops of the host around what is divided now.
    depth: Cell<usize>,
}

impl Divider<'_> {
    fn parts(&self, stmts: &[&Stmt]) -> Result<Vec<Part>, Reason> {
        let mut out = vec![];
        let mut run: Vec<&Stmt> = vec![];
        let flat = flatten(stmts);
        for s in flat.iter() {
            if self.is_static(s) {
                run.push(s);
                continue;
            }
            self.close(&mut run, &mut out)?;
            // What sets numbers of both sides is a statement for each.
            let each = one_by_one(s);
            if each.iter().any(|s| self.is_static(s)) {
                out.extend(self.parts(&each.iter().collect::<Vec<_>>())?);
            } else {
                out.extend(self.host(s)?);
            }
        }
        self.close(&mut run, &mut out)?;
        Ok(out)
    }

    fn close(&self, run: &mut Vec<&Stmt>, out: &mut Vec<Part>) -> Result<(), Reason> {
        if run.iter().any(|s| !matches!(s.kind, StmtKind::Empty | StmtKind::Directive(_))) {
            alike::check(self.unit, run, self.hints, &self.device)?;
            let part = extract(self.unit, run, self.hints, &self.device)?;
            if !part.stmts.is_empty() {
                out.push(Part::Static(part));
            } else {
                for s in run.iter().filter(|s| has_assertion(s)) {
                    out.push(self.given_up(s)?);
                }
            }
        }
        run.clear();
        Ok(())
    }

    fn host(&self, s: &Stmt) -> Result<Vec<Part>, Reason> {
        match &s.kind {
            StmtKind::Break if self.depth.get() == 0 => {
                Err(Reason::new("break", "`break` leaves the region: the loop that it ends is around it", s.span))
            }
            StmtKind::Break => Ok(vec![Part::Break]),
            StmtKind::GiveUp => Ok(vec![Part::GiveUp]),
            StmtKind::For { init, cond, step, body } => {
                cond.iter().try_for_each(header::compares_numbers)?;
                let mut out = vec![];
                if let Some(init) = init {
                    out.extend(self.parts(&[&**init])?);
                }
                let body = self.in_loop(body)?;
                cond.iter().chain(step).try_for_each(|e| self.host_value(e))?;
                let cond = cond.clone().unwrap_or_else(|| integer(1, s.span));
                out.push(Part::Loop { cond: Some(cond), step: step.clone(), check_first: true, body });
                Ok(out)
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                header::compares_numbers(cond)?;
                self.host_value(cond)?;
                let check_first = matches!(s.kind, StmtKind::While { .. });
                let body = self.in_loop(body)?;
                Ok(vec![Part::Loop { cond: Some(cond.clone()), step: None, check_first, body }])
            }
            StmtKind::If { .. } if assertion::failing(s).is_some() => Ok(vec![self.given_up(s)?]),
            StmtKind::If { cond, then, other } => {
                self.host_value(cond)?;
                let then = self.parts(&[&**then])?;
                let other = other.as_deref().map_or(Ok(vec![]), |s| self.parts(&[s]))?;
                Ok(vec![Part::If { cond: cond.clone(), then, other }])
            }
            StmtKind::Expr(_) if self.depth.get() > 0 && prints::has_print(s) => self.print(s),
            StmtKind::Expr(e) => {
                self.host_effect(e)?;
                Ok(vec![Part::Compute((*s).clone())])
            }
            StmtKind::Decl(ds) => {
                ds.iter().filter_map(|d| d.init.as_ref()).try_for_each(|e| self.host_value(e))?;
                let is_whole = |d: &&Declarator| d.init.is_some() && !effects::is_scalar(&self.unit.var(d.var).ty);
                if let Some(d) = ds.iter().find(is_whole) {
                    return Err(aggregate(self.unit, d.var, d.init.as_ref(), s.span));
                }
                // Arrays that the region declares are the device's alone.
                let scalars = ds.iter().filter(|d| effects::is_scalar(&self.unit.var(d.var).ty)).cloned().collect();
                Ok(vec![Part::Compute(Stmt { kind: StmtKind::Decl(scalars), ..s.clone() })])
            }
            StmtKind::Continue => Err(Reason::new("continue", "`continue` in a loop that the host runs", s.span)),
            StmtKind::Switch { .. } | StmtKind::Case(_) => {
                Err(Reason::new("switch", "`switch` in a region is not modelled", s.span))
            }
            StmtKind::Return(_) => Err(Reason::returns(s.span)),
            StmtKind::Unmodelled(why) => Err(Reason::new("not-modelled", why.clone(), s.span)),
            StmtKind::Empty | StmtKind::Directive(_) | StmtKind::Block(_) => Ok(vec![]),
        }
    }

    /// An assertion that the host checks between nests.
    fn given_up(&self, s: &Stmt) -> Result<Part, Reason> {
        let cond = assertion::failing(s).filter(|cond| self.host_value(cond).is_ok());
        let cond = cond.ok_or_else(|| assertions::refused(s))?.clone();
        Ok(Part::If { cond, then: vec![Part::GiveUp], other: vec![] })
    }

    fn in_loop(&self, body: &Stmt) -> Result<Vec<Part>, Reason> {
        self.depth.set(self.depth.get() + 1);
        let parts = self.parts(&[body]);
        self.depth.set(self.depth.get() - 1);
        parts
    }

    fn print(&self, s: &Stmt) -> Result<Vec<Part>, Reason> {
        let Some(print) = prints::read(self.unit, s) else { return Ok(vec![]) };
        let print = print?;
        let reads = extract(self.unit, &[&print.reads()], self.hints, &self.device)?;
        Ok(vec![Part::Print(Box::new(print), reads)])
    }

    /// Assignments of the host: to scalars, from scalars.
    fn host_effect(&self, e: &Expr) -> Result<(), Reason> {
        match &e.kind {
            ExprKind::Assign { target, value, .. } => {
                self.host_effect_target(target)?;
                if matches!(value.kind, ExprKind::Assign { .. }) {
                    self.host_effect(value)
                } else {
                    self.host_value(value)
                }
            }
            ExprKind::IncDec { target, .. } => self.host_effect_target(target),
            ExprKind::Comma(a, b) => {
                self.host_effect(a)?;
                self.host_effect(b)
            }
            _ => self.host_value(e),
        }
    }

    fn host_effect_target(&self, e: &Expr) -> Result<(), Reason> {
        match e.kind {
            ExprKind::Var(v) if effects::is_scalar(&e.ty) && !self.unit.var(v).is_volatile => self.host_value(e),
            _ => Err(Reason::new(
                "host-effect",
                "this assignment is between the nests of a region and is not to a number",
                e.span,
            )),
        }
    }

    /// Sources of the host's numbers: numbers, members of structures that the region leaves alone, and functions of `math.h`.
    fn host_value(&self, e: &Expr) -> Result<(), Reason> {
        if is_plain_member(e) && effects::is_scalar(&e.ty) && e.root().is_some_and(|v| !self.written.contains(&v)) {
            return Ok(());
        }
        let is_fixed = |p: &Expr| symbolic::is_fixed_pointer(p, &self.written);
        if let Some(reason) = pointer_calls::refusal(self.unit, e, &is_fixed) {
            return Err(reason);
        }
        if pointer_calls::tested_place(e).is_some() {
            return Ok(());
        }
        let bad = match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } if self.is_of_device(target) => {
                Some(("host-effect", "a number that the loops inside set, too, is set between them here"))
            }
            _ if e.ty == Type::Float(FloatKind::LongDouble) => {
                Some(("long-double", "`long double` is computed here, between nests of one region"))
            }
            ExprKind::Var(v) if self.unit.var(*v).is_volatile => {
                Some(("volatile", "a volatile variable is read here, between nests of one region"))
            }
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => {
                Some(("host-read", "the host reads an element of an array here, between nests of one region"))
            }
            ExprKind::Call { name, .. } if callable::math(name).is_none() => {
                let message = format!("`{name}` is called here, between nests of one region, and is not one of math.h");
                return Err(Reason::new("call", message, e.span));
            }
            ExprKind::Unary(UnOp::AddrOf, _) | ExprKind::Str(_) | ExprKind::InitList(_) | ExprKind::Function(_) => {
                Some(("value", "a value that is no number"))
            }
            ExprKind::Member { .. } => return Err(member(self.unit, e, &self.written)),
            ExprKind::Unmodelled(why) => Some(("not-modelled", why.as_str())),
            ExprKind::Var(v) if !effects::is_scalar(&self.unit.var(*v).ty) => {
                Some(("value", "a value that is no number"))
            }
            _ => None,
        };
        match bad {
            Some((code, message)) => Err(Reason::new(code, message, e.span)),
            // A step or condition may move the host's own scalars: `i++`, `it < n`.
            None => e.children().into_iter().try_for_each(|e| self.host_value(e)),
        }
    }

    /// Test that the host can compute a value between nests, without one that they compute.
    fn is_hosts_value(&self, e: &Expr) -> bool {
        let mut is_of_device = false;
        e.walk(&mut |e| is_of_device |= self.is_of_device(e));
        !is_of_device && self.host_value(e).is_ok()
    }

    fn is_of_device(&self, target: &Expr) -> bool {
        matches!(target.kind, ExprKind::Var(v) if self.device.contains(&v))
    }

    /// Test that a statement belongs to a static control part.
    fn is_static(&self, s: &Stmt) -> bool {
        match &s.kind {
            StmtKind::Empty | StmtKind::Directive(_) => true,
            StmtKind::For { .. } => !self.is_host_loop(s),
            StmtKind::If { .. } => !self.is_host_if(s),
            StmtKind::Decl(ds) => ds.iter().all(|d| {
                let scalar = effects::is_scalar(&self.unit.var(d.var).ty);
                if scalar { self.device.contains(&d.var) } else { d.init.is_none() }
            }),
            StmtKind::Expr(e) => self.is_device_effect(e),
            _ => false,
        }
    }

    fn is_device_effect(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => match target.kind {
                ExprKind::Var(v) => self.device.contains(&v),
                _ => true,
            },
            ExprKind::Comma(a, b) => self.is_device_effect(a) && self.is_device_effect(b),
            _ => false,
        }
    }

    /// A loop that the host must run: control that only the data knows, around other loops.
    fn is_host_loop(&self, s: &Stmt) -> bool {
        let (StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. }) = &s.kind
        else {
            return false;
        };
        let own = self.is_host_loop_shallow(s);
        let mut below = false;
        body.walk(&mut |p| {
            if let Piece::Stmt(inner) = p {
                below |= is_loop(inner) && self.is_host_loop_shallow(inner);
            }
        });
        if below && !own {
            self.is_choice.set(true);
        }
        own || below && self.inner == Inner::Host
    }

    fn is_host_loop_shallow(&self, s: &Stmt) -> bool {
        let (StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. }) = &s.kind
        else {
            return false;
        };
        let is_counted = self.is_counted(s) || self.counts_elements(s);
        let is_steered = || kept_numbers::keeps_one(self.unit, body, &|e| self.is_hosts_value(e));
        has_loop(body) && (!is_counted || body.exits().breaks || prints::has_print(body) || is_steered())
    }

    /// A loop that counts between elements of arrays, which the host does not have: a thread runs it.
    fn counts_elements(&self, s: &Stmt) -> bool {
        let StmtKind::For { init, cond, step, body } = &s.kind else { return false };
        let Some(counter) = init.as_deref().and_then(effects::header_counter) else { return false };
        let is_read = |e: &Expr| self.host_value(e).is_err_and(|why| why.code == "host-read");
        let mut reads = cond.as_ref().is_some_and(is_read);
        init.iter().for_each(|s| s.exprs(&mut |e| reads |= is_read(e)));
        reads && step.is_some() && !effects::assigned([&**body]).contains(&counter)
    }

    fn is_host_if(&self, s: &Stmt) -> bool {
        let StmtKind::If { then, other, cond } = &s.kind else { return false };
        if s.is_rare() {
            return false;
        }
        if assertion::failing(s).is_some() {
            return !self.is_asserted_of_sizes(cond);
        }
        let branches = || std::iter::once(&**then).chain(other.as_deref());
        let mut host = branches()
            .any(|b| b.kind == StmtKind::GiveUp || b.exits().breaks || self.depth.get() > 0 && prints::has_print(b));
        for b in branches() {
            b.walk(&mut |p| {
                if let Piece::Stmt(inner) = p {
                    host |= is_loop(inner)
                        && (self.is_host_loop_shallow(inner) || !matches!(inner.kind, StmtKind::For { .. }));
                }
            });
        }
        // A condition on host scalars decides on the host, unless only device data are assigned under it.
        let writes = effects::assigned(branches());
        let host_only = writes.iter().all(|v| effects::is_scalar(&self.unit.var(*v).ty) && !self.device.contains(v));
        let has_loops = branches().any(has_loop);
        host || (!writes.is_empty() && host_only)
            || (has_loops && self.host_value(cond).is_ok() && (self.mentions_written(cond) || self.is_one(s)))
    }

    fn is_asserted_of_sizes(&self, cond: &Expr) -> bool {
        let written: BTreeSet<VarId> = self.written.union(&self.device).copied().collect();
        Extractor::new(self.unit, written).failure(cond).is_some()
    }

    /// Test that a static part would have it as one statement, in which no loop is parallel: its condition is on a number
    /// that is no size.
    fn is_one(&self, s: &Stmt) -> bool {
        let part = extract(self.unit, &[s], self.hints, &self.device);
        part.is_ok_and(|part| matches!(part.tree.as_slice(), [Tree::Stmt(_)]))
    }

    fn mentions_written(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |x| found |= matches!(x.kind, ExprKind::Var(v) if self.written.contains(&v)));
        found
    }

    fn is_counted(&self, s: &Stmt) -> bool {
        let StmtKind::For { init, cond, step, body } = &s.kind else { return false };
        let header = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
        let mut params = Params::default();
        // Every counter in sight may stand in a bound; what the region assigns otherwise may not.
        let counters: Vec<VarId> = self.written.iter().copied().filter(|v| !self.device.contains(v)).collect();
        let mut reader =
            Reader { unit: self.unit, counters, written: &self.written, params: &mut params, obligations: vec![] };
        header::read(&header, &mut reader).is_ok_and(|h| !effects::assigned([&**body]).contains(&h.var))
    }

    /// Scalars written in a nest, or computed from elements or from such scalars: to a fixed point.
    fn find_device_scalars(&mut self, stmts: &[&Stmt]) {
        loop {
            let before = self.device.len();
            let mut found = BTreeSet::new();
            for s in flatten(stmts) {
                self.device_scalars_in(s, &mut found);
            }
            self.device.extend(found);
            if self.device.len() == before {
                return;
            }
        }
    }

    fn device_scalars_in(&self, s: &Stmt, found: &mut BTreeSet<VarId>) {
        match &s.kind {
            StmtKind::For { init, body, .. } if self.is_host_loop(s) => {
                init.iter().for_each(|s| self.device_scalars_in(s, found));
                flatten(&[&**body]).into_iter().for_each(|s| self.device_scalars_in(s, found));
            }
            StmtKind::For { .. } => self.written_by_device(s, found),
            StmtKind::If { .. } if !self.is_host_if(s) => self.written_by_device(s, found),
            StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                flatten(&[&**body]).into_iter().for_each(|s| self.device_scalars_in(s, found));
            }
            StmtKind::If { then, other, .. } => {
                for b in std::iter::once(&**then).chain(other.as_deref()) {
                    flatten(&[b]).into_iter().for_each(|s| self.device_scalars_in(s, found));
                }
            }
            StmtKind::Expr(_) | StmtKind::Decl(_) if self.reads_device(s) => {
                found.extend(effects::assigned([s]).into_iter().filter(|v| effects::is_scalar(&self.unit.var(*v).ty)));
            }
            _ => {}
        }
    }

    /// All scalars that a statement of a static part assigns, but for its counters.
    fn written_by_device(&self, s: &Stmt, found: &mut BTreeSet<VarId>) {
        let mut counters = BTreeSet::new();
        s.walk(&mut |p| {
            if let Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) = p {
                counters.extend(effects::header_counter(init));
            }
        });
        let is_kept = |v: &VarId| effects::is_scalar(&self.unit.var(*v).ty) && !counters.contains(v);
        found.extend(effects::assigned([s]).into_iter().filter(is_kept));
    }

    fn reads_device(&self, s: &Stmt) -> bool {
        let mut found = false;
        s.walk(&mut |p| {
            if let Piece::Expr(e) = p {
                found |= match &e.kind {
                    ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => true,
                    ExprKind::Var(v) => self.device.contains(v),
                    _ => false,
                };
            }
        });
        found
    }
}

/// Prints, which cannot be taken back where the original runs again from the beginning.
fn check_prints(parts: &[Part]) -> Result<(), Reason> {
    match printed(parts).filter(|_| parts.iter().any(Part::may_give_up)) {
        Some(span) => {
            let message = "this is printed in a region that an error may leave: the original would print it again";
            Err(Reason::new("print", message, span).help(remedy!("mark what prints as a region of its own")))
        }
        None => Ok(()),
    }
}

/// Where parts print first.
fn printed(parts: &[Part]) -> Option<Span> {
    parts.iter().find_map(|p| match p {
        Part::Print(print, _) => Some(print.stmt.span),
        Part::Loop { body, .. } => printed(body),
        Part::If { then, other, .. } => printed(then).or_else(|| printed(other)),
        _ => None,
    })
}

/// The statements with blocks opened: C's scopes are resolved already.
fn flatten<'a>(stmts: &[&'a Stmt]) -> Vec<&'a Stmt> {
    stmts
        .iter()
        .flat_map(|s| match &s.kind {
            StmtKind::Block(b) => flatten(&b.iter().collect::<Vec<_>>()),
            _ => vec![*s],
        })
        .collect()
}

/// `a = 1, b = 2;` and `int a = 1, b = 2;`, one by one.
fn one_by_one(s: &Stmt) -> Vec<Stmt> {
    let one = |d: &Declarator| Stmt { kind: StmtKind::Decl(vec![d.clone()]), ..s.clone() };
    match &s.kind {
        StmtKind::Decl(ds) => ds.iter().map(one).collect(),
        _ => commas::parts(s.clone()),
    }
}
