//! Exceptions to a directive that calls the iterations of a loop independent.
//!
//! OpenMP and OpenACC say more of a loop than `parallel for`: what stands in it, or around it, is part of what is said.
//! ```text
//! #pragma omp parallel for
//! for (i = 0; i < n; i++) {
//! #pragma omp atomic
//!     h[bin[i]]++;             iterations meet in `h`: the directive above does not speak of it
//!     y[perm[i]] = x[i];       they do not meet in `y`, says the user
//! }
//! ```
//! Left out is data: what is named under `atomic` or `critical`, and what each thread has of its own (by a clause,
//! `threadprivate`, or a declaration inside `omp parallel`), which its iterations share. `ordered`, `barrier`, `single`
//! and the like leave nothing of what is said. A function that the loop calls is looked at as what stands in the loop.
//!
//! An exception is kept beside the tree, by its place in the text: other forms of a statement keep that, and none of
//! them can lose what a directive says of it.
//!
//! Guarded data are what the part names inside the bytes of the guarded text; if it names nothing there, everything.
//! Single numbers are never said to be independent. A guarded update under a condition is atomic.

use super::visit::{Piece, visible};
use super::{Assertion, Copies, Exception, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::source::directive::{Directive, DirectiveKind, OwnNames, Role};
use crate::source::{Source, Span};
use std::collections::BTreeSet;

/// Finds what is left out of the assertion of every loop of the file, and the copies of its threads. `lines` are those about
/// threads, of which the tree knows nothing.
///
/// Beside them the lines of OpenMP that start threads for a statement, loops of their own apart.
pub fn find(unit: &Unit, source: &Source, lines: &[Directive]) -> (Vec<Assertion>, Vec<Copies>, Vec<Exception>) {
    let mut exceptions = vec![];
    for d in lines {
        if let DirectiveKind::Threads { role, own } = &d.kind {
            let holds = statement_behind(unit, d.span.hi).unwrap_or(d.span);
            let words = words(source.slice(d.span));
            exceptions.push((Exception { words, span: d.span, role: *role, holds }, own));
        }
    }
    let (mut out, mut copies) = (vec![], vec![]);
    let mut copy = |f: &Function, names: &OwnNames, line: &Exception| {
        let vars: Vec<VarId> = named(unit, f, &names.first, line.span.lo).into_iter().collect();
        copies.extend((!vars.is_empty()).then(|| Copies { vars, line: line.clone() }));
    };
    for f in &unit.functions {
        let here = exceptions.iter().filter(|(e, _)| e.role == Role::Team && f.body.span.encloses(e.holds));
        here.for_each(|(e, names)| copy(f, names, e));
        f.body.walk(&mut |piece| {
            let Piece::Stmt(s) = piece else { return };
            for d in s.directives.iter().filter(|d| asserts(d)) {
                let words = words(source.slice(d.span));
                let own = Exception { words, span: d.span, role: Role::Team, holds: s.span };
                if let DirectiveKind::Parallel { sharing, .. } = &d.kind {
                    copy(f, &sharing.own, &own);
                }
                let assertion = Finder { unit, f, s, exceptions: &exceptions, reach: reach(unit, s) }.assertion(d, own);
                let is_whole = assertion.void.is_none() && assertion.guards.is_empty() && assertion.apart.is_empty();
                out.extend((!is_whole).then_some(assertion));
            }
        });
    }
    let teams = exceptions.into_iter().map(|(e, _)| e);
    (out, copies, teams.filter(|e| e.role == Role::Team && e.words.starts_with("omp ")).collect())
}

/// The variables of these names at a byte of a function.
fn named(unit: &Unit, f: &Function, names: &[String], at: u32) -> BTreeSet<VarId> {
    let known = visible(unit, f, at);
    let var = |name: &String| known.iter().rfind(|v| unit.var(**v).name == *name).copied();
    names.iter().filter_map(var).collect()
}

fn asserts(d: &Directive) -> bool {
    matches!(d.kind, DirectiveKind::Parallel { asserted: true, .. })
}

/// The first words of a line, up to those with arguments.
pub fn words(line: &str) -> String {
    let (before, cut) = line.split_once('(').map_or((line, false), |(before, _)| (before, true));
    let mut words: Vec<&str> =
        before.split_whitespace().filter(|w| !matches!(*w, "#" | "#pragma" | "pragma")).collect();
    if cut && words.len() > 2 {
        words.pop();
    }
    words.join(" ")
}

/// The outermost of the statements that begin first behind a byte.
fn statement_behind(unit: &Unit, at: u32) -> Option<Span> {
    let f = unit.functions.iter().find(|f| f.body.span.contains(at))?;
    let mut found: Option<Span> = None;
    f.body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { span, .. }) = piece
            && at <= span.lo
            && found.is_none_or(|x| (span.lo, x.hi) < (x.lo, span.hi))
        {
            found = Some(*span);
        }
    });
    found
}

/// A loop, and the bodies of the file's functions that it may come to.
pub fn reach<'a>(unit: &'a Unit, s: &'a Stmt) -> Vec<&'a Stmt> {
    let mut all = vec![s];
    let mut next = 0;
    while let Some(s) = all.get(next).copied() {
        next += 1;
        s.walk(&mut |piece| {
            if let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) = piece
                && let Some(f) = unit.function(name)
                && !all.iter().any(|known| known.span == f.body.span)
            {
                all.push(&f.body);
            }
        });
    }
    all
}

/// Looks at one loop of a function.
struct Finder<'a> {
    unit: &'a Unit,
    f: &'a Function,
    s: &'a Stmt,
    exceptions: &'a [(Exception, &'a OwnNames)],
    reach: Vec<&'a Stmt>,
}

impl Finder<'_> {
    /// Exceptions of the directive `d` before the loop; `own` is itself as an exception.
    fn assertion(&self, d: &Directive, own: Exception) -> Assertion {
        let DirectiveKind::Parallel { sharing, .. } = &d.kind else { unreachable!("an assertion") };
        let inside = self.exceptions.iter().map(|(e, _)| e).filter(|e| {
            let is_there = |s: &&Stmt| s.span.contains(e.span.lo);
            self.reach.iter().any(is_there)
        });
        let (guards, others): (Vec<_>, Vec<_>) = inside.cloned().partition(|e| e.role == Role::Guard);
        let ordered = sharing.ordered.then(|| {
            let words =
                if own.words.ends_with("ordered") { own.words.clone() } else { format!("{} ordered", own.words) };
            Exception { words, role: Role::Order, ..own.clone() }
        });
        let void = others.into_iter().find(|e| matches!(e.role, Role::Order | Role::Team)).or(ordered);
        let mut assertion = Assertion { directive: d.span, void, guards, apart: vec![] };
        self.own_globals(&mut assertion);
        self.leave_out_named(&mut assertion, &sharing.own, &own, BTreeSet::new());
        if !sharing.starts_threads {
            match self.team_around(self.s.span) {
                Some((e, names)) => self.leave_out_named(&mut assertion, names, e, self.declared(e.holds)),
                // Some caller starts the threads: they have all that the function declares for themselves.
                None => {
                    let declared = self.with_elements(self.declared(self.f.body.span));
                    declared.into_iter().for_each(|v| self.leave_out_one(&mut assertion, v, &own));
                    self.leave_out_handed(&mut assertion);
                }
            }
        }
        assertion
    }

    /// Leaves out what the clauses of a line name, and more variables of each thread's own.
    fn leave_out_named(&self, out: &mut Assertion, names: &OwnNames, e: &Exception, more: BTreeSet<VarId>) {
        let copied = self.with_elements(&self.named(&names.copied, e.span.lo) | &more);
        copied.into_iter().for_each(|v| self.leave_out_one(out, v, e));
        let reduced = Exception { role: Role::Guard, ..e.clone() };
        self.named(&names.reduced, e.span.lo).into_iter().for_each(|v| self.leave_out_one(out, v, &reduced));
    }

    /// Variables of a clause.
    fn named(&self, names: &[String], at: u32) -> BTreeSet<VarId> {
        named(self.unit, self.f, names, at)
    }

    /// Variables declared in some bytes of the function, and outside the loop.
    fn declared(&self, within: Span) -> BTreeSet<VarId> {
        let mut out = BTreeSet::new();
        self.f.body.walk(&mut |piece| {
            if let Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), span, .. }) = piece
                && within.encloses(*span)
                && !self.s.span.encloses(*span)
            {
                let is_own = |v: &VarId| self.unit.var(*v).storage == Storage::Local;
                out.extend(ds.iter().map(|d| d.var).filter(is_own));
            }
        });
        out
    }

    /// Leaves out `threadprivate` variables, whatever they are.
    fn own_globals(&self, out: &mut Assertion) {
        for (e, names) in self.exceptions.iter().filter(|(e, _)| e.role == Role::OwnGlobals) {
            for (i, var) in self.unit.vars.iter().enumerate() {
                let is_static = matches!(var.storage, Storage::Global | Storage::StaticLocal);
                if is_static && names.copied.contains(&var.name) {
                    self.leave_out_one(out, VarId(i as u32), e);
                }
            }
        }
    }

    /// Leaves out the parameters by which calls hand the loop's function what a thread of the caller's has for itself.
    fn leave_out_handed(&self, out: &mut Assertion) {
        for f in &self.unit.functions {
            let caller = Finder { f, reach: vec![], ..*self };
            f.body.walk(&mut |piece| {
                let Piece::Expr(Expr { kind: ExprKind::Call { name, args }, span, .. }) = piece else { return };
                let team = if *name == self.f.name { caller.team_around(*span) } else { None };
                let Some((e, names)) = team else { return };
                let own = &caller.declared(e.holds) | &caller.named(&names.copied, e.span.lo);
                let own = caller.with_elements(own);
                for (p, arg) in self.f.params.iter().zip(args) {
                    if own.iter().any(|v| arg.mentions(*v)) {
                        self.leave_out_one(out, *p, e);
                    }
                }
            });
        }
    }

    /// The innermost line that starts threads around some bytes.
    fn team_around(&self, at: Span) -> Option<&(Exception, &OwnNames)> {
        let teams = self.exceptions.iter().filter(|(e, _)| e.role == Role::Team && e.holds.encloses(at));
        teams.max_by_key(|(e, _)| e.span.lo)
    }

    /// Those of a thread's variables that have elements of its own. A pointer leads to what all threads have, but where it is
    /// set to what a call gives, or to such a variable.
    fn with_elements(&self, vars: BTreeSet<VarId>) -> BTreeSet<VarId> {
        let (arrays, others): (BTreeSet<_>, BTreeSet<_>) = vars.into_iter().partition(|v| self.is_array(*v));
        let mut leading = arrays;
        let is_pointer = |v: &&VarId| self.unit.var(**v).ty.is_pointer_like();
        let pointers: Vec<VarId> = others.iter().filter(is_pointer).copied().collect();
        loop {
            let leads = |p: &&VarId| !leading.contains(p) && self.leads_to(**p, &leading);
            let Some(more) = pointers.iter().find(leads).copied() else { break };
            leading.insert(more);
        }
        leading
    }

    /// Leaves out a variable that the loop names, if it has elements: what passes in a number is never set aside. Other forms
    /// of the loop see structures otherwise: with one of these nothing is left of what is said.
    fn leave_out_one(&self, out: &mut Assertion, v: VarId, e: &Exception) {
        let ty = &self.unit.var(v).ty;
        if !(ty.is_pointer_like() || self.has_elements(ty)) || !self.is_mentioned(v) {
            return;
        }
        if has_structures(ty) {
            out.void.get_or_insert_with(|| e.clone());
        }
        out.apart.push((v, e.clone()));
    }

    /// Test that a variable holds elements itself: a parameter written as an array is a pointer.
    fn is_array(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        var.storage != Storage::Param && self.has_elements(&var.ty)
    }

    fn has_elements(&self, ty: &Type) -> bool {
        match ty {
            Type::Array { .. } => true,
            Type::Struct(id) => {
                let mut fields = self.unit.structs[id.0 as usize].fields.iter().flatten();
                fields.any(|f| self.has_elements(&f.ty))
            }
            _ => false,
        }
    }

    /// Test that a pointer is somewhere set to what a call gives, or to what is computed from one of some variables.
    fn leads_to(&self, p: VarId, some: &BTreeSet<VarId>) -> bool {
        let mut found = false;
        let mut look = |e: &Expr| {
            e.walk(&mut |x| match &x.kind {
                ExprKind::Call { .. } => found = true,
                ExprKind::Var(v) => found |= some.contains(v),
                _ => {}
            });
        };
        self.f.body.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                ds.iter().filter(|d| d.var == p).filter_map(|d| d.init.as_ref()).for_each(&mut look);
            }
            Piece::Expr(Expr { kind: ExprKind::Assign { target, value, .. }, .. }) if target.is_var(p) => {
                look(value);
            }
            _ => {}
        });
        found
    }

    /// Test that the loop, or a function that it comes to, names a variable.
    fn is_mentioned(&self, v: VarId) -> bool {
        let mut found = false;
        for s in &self.reach {
            s.walk(&mut |piece| found |= matches!(piece, Piece::Expr(e) if e.is_var(v)));
        }
        found
    }
}

fn has_structures(ty: &Type) -> bool {
    match ty {
        Type::Array { of, .. } => has_structures(of),
        Type::Pointer { to, .. } => has_structures(to),
        Type::Struct(_) => true,
        _ => false,
    }
}
