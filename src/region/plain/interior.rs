//! Pointers into the interior of an array: what lies before them.
//!
//! ```text
//! for (i = 0; i < n; i++)                      for (i...)
//!     for (j = 0; j < m; j++)           ->         for (j...)
//!         r[i*row + j] = u[i*row + j - row];           r[i*row + j] = (u - row)[i*row + j];
//! ```
//! An array begins at its first element, and no subscript is negative. Where a nest surely reads or writes before the pointer
//! that it has, as those with ghost cells do, a place further ahead takes its place: as far ahead as products of sizes are
//! subtracted in the least subscripts. Its name is its text in C, as that of [`super::members`], and the call site hands it
//! over. Accesses that a condition may prevent say nothing, and neither do subscripts that may be positive.

use super::members::Members;
use crate::ast::build::made::{binary, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::region::header::{self, For, Header};
use crate::region::loops::has_loop;
use crate::region::symbolic::{Monomial, Params, Poly, Reader, Sym};
use crate::region::{effects, padded};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use std::collections::{BTreeMap, BTreeSet};

/// Puts places further ahead where nests need them.
///
/// `written`: the statement as it stands in the file; `seen`: the variables of the function that may be set in other ways than by
/// name.
pub fn open(unit: &mut Unit, written: &Stmt, seen: &BTreeSet<VarId>, members: &mut Members, s: &mut Stmt) {
    if !has_loop(s) {
        return;
    }
    let is_own = |unit: &Unit, v: VarId| {
        let var = unit.var(v);
        let is_flat = matches!(&var.ty, Type::Pointer { to, .. } if to.is_scalar());
        is_flat && matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile && !seen.contains(&v)
    };
    let pointers: Vec<VarId> = effects::mentioned([&*s]).into_iter().filter(|v| is_own(unit, *v)).collect();
    let mut sets = vec![];
    written.exprs(&mut |e| e.walk(&mut |e| sets.extend(set_by(e).map(|v| (v, e.span)))));
    for v in pointers {
        inside(unit, members, s, v, &sets);
    }
}

/// Looks for the outermost loops that neither declare nor set `v`.
fn inside(unit: &mut Unit, members: &mut Members, s: &mut Stmt, v: VarId, sets: &[(VarId, Span)]) {
    let is_moved = sets.iter().any(|(set, at)| *set == v && s.span.lo <= at.lo && at.hi <= s.span.hi);
    let is_nest = matches!(s.kind, StmtKind::For { .. }) && !is_moved && !effects::declared([&*s]).contains(&v);
    if !is_nest {
        s.stmts_mut().into_iter().for_each(|s| inside(unit, members, s, v, sets));
        return;
    }
    if !effects::mentioned([&*s]).contains(&v) || is_told_of(unit, s, v) || !is_only_followed(s, v) {
        return;
    }
    let Some(ahead) = Search::ahead(unit, s, v) else { return };
    let place = members.variable(unit, &binary(BinOp::Sub, unit.read(v, s.span), ahead.clone()));
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |e| match &mut e.kind {
            ExprKind::Index(base, index) if base.is_var(v) => {
                base.kind = ExprKind::Var(place);
                **index = binary(BinOp::Add, (**index).clone(), ahead.clone());
            }
            _ => {}
        });
    });
}

/// The variable that an expression sets as a whole, and not an element behind it.
fn set_by(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => match target.kind {
            ExprKind::Var(v) => Some(v),
            _ => None,
        },
        _ => None,
    }
}

/// Test that a directive says something of a variable.
fn is_told_of(unit: &Unit, s: &Stmt, v: VarId) -> bool {
    let name = &unit.var(v).name;
    let mut is_told = false;
    s.walk(&mut |piece| {
        let Piece::Stmt(s) = piece else { return };
        let own = if let StmtKind::Directive(d) = &s.kind { Some(d) } else { None };
        let names = |d: &Directive| match &d.kind {
            DirectiveKind::Shape { array, .. } => array.text == *name,
            DirectiveKind::Parallel { private, sharing, .. } => {
                private.contains(name) || sharing.own.copied.contains(name)
            }
            _ => false,
        };
        is_told |= s.directives.iter().chain(own).any(names);
    });
    is_told
}

/// Test that a pointer stands nowhere but before a subscript.
fn is_only_followed(s: &Stmt, v: VarId) -> bool {
    let (mut n_followed, mut n_named) = (0, 0);
    s.exprs(&mut |e| {
        e.walk(&mut |e| {
            n_named += usize::from(e.is_var(v));
            n_followed += usize::from(matches!(&e.kind, ExprKind::Index(base, _) if base.is_var(v)));
        });
    });
    n_named == n_followed
}

/// Search for what a nest subtracts in the subscripts of an array.
struct Search<'a> {
    unit: &'a Unit,
    v: VarId,
    written: BTreeSet<VarId>,
    params: Params,
    /// Loops around the place, outermost first; the counters of others are not known.
    loops: Vec<Header>,
    /// Products of sizes, and how often each is subtracted, at most.
    subtracted: BTreeMap<Monomial, i64>,
}

impl Search<'_> {
    /// Distance before its pointer at which the array is surely touched, as a sum of products in C.
    fn ahead(unit: &Unit, nest: &Stmt, v: VarId) -> Option<Expr> {
        let mut search = Search {
            unit,
            v,
            written: effects::assigned([nest]),
            params: Params::default(),
            loops: vec![],
            subtracted: BTreeMap::new(),
        };
        search.written.extend(effects::declared([nest]));
        search.stmt(nest);
        let Search { params, subtracted, .. } = search;
        let products = subtracted.into_iter().map(|(m, times)| product(&m, times, &params, nest));
        products.reduce(|a, b| binary(BinOp::Add, a, b))
    }

    fn reader(&mut self) -> Reader<'_> {
        let counters = self.loops.iter().map(|l| l.var).collect();
        let Search { unit, written, params, .. } = self;
        Reader { unit, counters, written, params, obligations: vec![] }
    }

    /// Goes through what is surely done.
    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Block(list) => {
                let certain = list.iter().position(Stmt::leaves_iteration).map_or(list.len(), |at| at + 1);
                list[..certain].iter().for_each(|s| self.stmt(s));
            }
            StmtKind::For { init, cond, step, body } => {
                let head = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
                let Ok(header) = header::read(&head, &mut self.reader()) else { return };
                if header.also_from.is_empty() && !effects::assigned([&**body]).contains(&header.var) {
                    self.loops.push(header);
                    self.stmt(body);
                    self.loops.pop();
                }
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Decl(ds) => ds.iter().filter_map(|d| d.init.as_ref()).for_each(|e| self.expr(e)),
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Cond(c, ..) => self.expr(c),
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) => self.expr(a),
            ExprKind::Index(base, index) if base.is_var(self.v) => {
                self.expr(index);
                self.access(index);
            }
            _ => e.children().into_iter().for_each(|e| self.expr(e)),
        }
    }

    /// Takes note of a subscript whose least value is surely negative.
    fn access(&mut self, index: &Expr) {
        let mut reader = self.reader();
        let Some(read) = reader.poly(index) else { return };
        let Some(least) = self.least(read) else { return };
        let is_subtracted = |(m, c): (&Monomial, &i64)| *c < 0 && m.iter().all(|s| matches!(s, Sym::Param(_)));
        if !least.terms.iter().all(is_subtracted) {
            return;
        }
        for (m, c) in least.terms {
            let most = self.subtracted.entry(m).or_insert(0);
            *most = (*most).max(-c);
        }
    }

    /// A subscript where the loops around it have it least, if all products of sizes are positive.
    fn least(&self, mut p: Poly) -> Option<Poly> {
        for l in self.loops.iter().rev() {
            let of_counter = p.terms.iter().filter(|(m, _)| m.contains(&Sym::Counter(l.var)));
            let signs: BTreeSet<bool> = of_counter.map(|(_, c)| *c > 0).collect();
            let [grows] = signs.into_iter().collect::<Vec<_>>()[..] else {
                if p.uses(l.var) {
                    return None;
                }
                continue;
            };
            let at = match (grows == (l.step > 0), &l.limits[..]) {
                (true, _) => l.first.clone(),
                (false, [limit]) if l.step.abs() == 1 => limit.plus(&Poly::constant(-l.step), 1)?,
                _ => return None,
            };
            p = p.with(&BTreeMap::from([(l.var, at)]))?;
        }
        Some(p)
    }
}

/// A number of products of sizes in C.
fn product(m: &Monomial, times: i64, params: &Params, nest: &Stmt) -> Expr {
    let count = integer(times, nest.span);
    match m.is_empty() {
        true => count,
        false if times == 1 => padded::value_of(m, params),
        false => binary(BinOp::Mul, count, padded::value_of(m, params)),
    }
}
