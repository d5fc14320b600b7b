//! Interior pointers of an array of an array: what lies before them.
//!
//! ```text
//! for (i = 0; i < n; i++)                      for (i...)
//!     for (j = 0; j < m; j++)           ->         for (j...)
//!         r[i*row + j] = u[i*row + j - row];           r[i*row + j] = (u - row)[i*row + j];
//! ```
//! An array begins at its first element, and no subscript is negative. Where a nest surely reads or writes before the pointer
//! that it has, as those with ghost cells do, a place further ahead takes its place: as far ahead as products of sizes are
//! subtracted in the least subscripts. Its name is its text in C, as that of [`super::arrays_in_structures`], and the call site
//! hands it over. Accesses that a condition may prevent say nothing, and neither do subscripts that may be positive.
//!
//! Where subscripts begin with a number that the program counts by itself ([`super::induction_variables`]), so that `x[at +
//! k*kp + j*jp + i]` is no element of a row `k`, a place further behind takes its place: `(x + at)[k*kp + j*jp + i]`.
//!
//! Where data are subtracted in subscripts, as from the middle of a table (`t[u[i] - u[j]]`), the array goes as far ahead as
//! their types let them lead: by 255 elements for bytes (`back`). What is really there is asked at the call.

use super::arrays_in_structures::Members;
use super::form::{Context, Form};
use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::header::{self, For, Header};
use crate::facts::symbolic::{Monomial, Params, Poly, Reader, Sym};
use crate::facts::{effects, monomial};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use std::collections::{BTreeMap, BTreeSet};

/// Variables that are set to others, one after the other, before the search for bounds ends.
const MAX_VARIABLES: usize = 3;

/// Puts places further ahead where nests need them.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.rotation.is_some() || !form.has_loop() {
        return;
    }
    let seen = &context.facts.seen;
    let is_own = |unit: &Unit, v: VarId| {
        let var = unit.var(v);
        let is_flat = matches!(&var.ty, Type::Pointer { to, .. } if to.is_scalar());
        is_flat && matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile && !seen.contains(&v)
    };
    let changing = &*form.assigned() | &form.declared();
    let pointers: Vec<VarId> = form.mentioned().iter().copied().filter(|v| is_own(context.unit, *v)).collect();
    let mut sets = vec![];
    form.written.exprs(&mut |e| e.walk(&mut |e| sets.extend(set_by(e).map(|v| (v, e.span)))));
    for v in pointers {
        let around = Around { sets: &sets, starts: &form.starts, changing: &changing };
        inside(context.unit, context.members, &mut form.stmt, v, &around);
    }
}

/// Knowledge of the whole statement.
struct Around<'a> {
    /// Variables that the file sets in it, and where.
    sets: &'a [(VarId, Span)],
    /// Variables that tell where numbers begin to walk.
    starts: &'a BTreeSet<VarId>,
    /// Variables that it sets or declares: no name may be made of them, which is looked up before.
    changing: &'a BTreeSet<VarId>,
}

/// Looks for the outermost loops that neither declare nor set `v`.
fn inside(unit: &mut Unit, members: &mut Members, s: &mut Stmt, v: VarId, around: &Around) {
    let is_moved = around.sets.iter().any(|(set, at)| *set == v && s.span.lo <= at.lo && at.hi <= s.span.hi);
    let is_nest = matches!(s.kind, StmtKind::For { .. }) && !is_moved && !effects::declared([&*s]).contains(&v);
    if !is_nest {
        s.stmts_mut().into_iter().for_each(|s| inside(unit, members, s, v, around));
        return;
    }
    if !effects::mentioned([&*s]).contains(&v) || is_told_of(unit, s, v) || !is_only_followed(s, v) {
        return;
    }
    let behind = || Search::of(unit, s, v).start(around.starts, s).map(|start| (BinOp::Add, BinOp::Sub, start));
    let ahead = || Search::of(unit, s, v).ahead(s).map(|ahead| (BinOp::Sub, BinOp::Add, ahead));
    let Some((op, back, by)) = behind().or_else(ahead) else { return };
    if around.changing.iter().any(|x| by.mentions(*x)) {
        return;
    }
    let place = members.variable(unit, &binary(op, unit.read(v, s.span), by.clone()));
    s.exprs_mut(&mut |e| {
        e.rewrite(&mut |e| match &mut e.kind {
            ExprKind::Index(base, index) if base.is_var(v) => {
                base.kind = ExprKind::Var(place);
                **index = binary(back, (**index).clone(), by.clone());
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
    /// Subscripts of the array that are surely reached.
    read: Vec<Poly>,
    /// Products of sizes, and how often each is subtracted, at most.
    subtracted: BTreeMap<Monomial, i64>,
}

impl<'a> Search<'a> {
    /// Looks at a nest.
    fn of(unit: &'a Unit, nest: &Stmt, v: VarId) -> Self {
        let mut search = Search {
            unit,
            v,
            written: effects::assigned([nest]),
            params: Params::default(),
            loops: vec![],
            read: vec![],
            subtracted: BTreeMap::new(),
        };
        search.written.extend(effects::declared([nest]));
        search.stmt(nest);
        search
    }

    /// Sum of those of the `starts` that all subscripts have in common, where counters are multiplied with strides in one of them.
    fn start(self, starts: &BTreeSet<VarId>, nest: &Stmt) -> Option<Expr> {
        let Search { params, read, .. } = self;
        let has_strides = read.iter().flat_map(|p| p.terms.keys()).any(|m| {
            let (counters, factor) = monomial::split(m);
            !counters.is_empty() && !factor.is_empty()
        });
        let is_start = |m: &Monomial| match m[..] {
            [Sym::Param(id)] => params.get(id).var.is_some_and(|v| starts.contains(&v)),
            _ => false,
        };
        let (first, rest) = read.split_first().filter(|_| has_strides)?;
        let is_common = |(m, c): &(&Monomial, &i64)| is_start(m) && rest.iter().all(|p| p.terms.get(*m) == Some(*c));
        let terms = first.terms.iter().filter(is_common).map(|(m, times)| product(m, *times, &params, nest));
        terms.reduce(|a, b| binary(BinOp::Add, a, b))
    }

    /// Distance before its pointer at which the array is surely touched, as a sum of products in C.
    fn ahead(self, nest: &Stmt) -> Option<Expr> {
        let Search { unit, v, params, subtracted, .. } = self;
        let products = subtracted.into_iter().map(|(m, times)| product(&m, times, &params, nest));
        let by_data = || back(unit, nest, v).map(|n| integer(n, nest.span));
        products.reduce(|a, b| binary(BinOp::Add, a, b)).or_else(by_data)
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
                let certain = list.iter().position(|s| s.exits().leaves_iteration()).map_or(list.len(), |at| at + 1);
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
        self.read.push(read.clone());
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

/// Elements before its pointer to which subscripts lead at most, where they subtract data, by the types of these.
fn back(unit: &Unit, nest: &Stmt, v: VarId) -> Option<i64> {
    let mut set: BTreeMap<VarId, Vec<Expr>> = BTreeMap::new();
    let mut subscripts = vec![];
    nest.walk(&mut |piece| match piece {
        Piece::Expr(e) => match &e.kind {
            ExprKind::Index(base, index) if base.is_var(v) => subscripts.push((**index).clone()),
            ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => {
                if let ExprKind::Var(x) = target.kind {
                    let value = effects::plainly_assigned(e).map_or_else(|| e.clone(), |(_, value)| value.clone());
                    set.entry(x).or_default().push(value);
                }
            }
            _ => {}
        },
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
            ds.iter().for_each(|d| set.entry(d.var).or_default().extend(d.init.clone()));
        }
        Piece::Stmt(_) => {}
    });
    let data = Data { unit, set };
    let least = subscripts.iter().filter_map(|e| data.least(e, 1)).filter(|l| l.subtracts).map(|l| l.value).min();
    least.filter(|n| *n < 0).map(|n| -n)
}

/// The least value of a sum, and test that data are subtracted in it.
struct Least {
    value: i64,
    subtracts: bool,
}

/// Bounds of data in a nest, by their types.
struct Data<'a> {
    unit: &'a Unit,
    /// Values that variables are set to.
    set: BTreeMap<VarId, Vec<Expr>>,
}

impl Data<'_> {
    /// The least value of a sum of data, or of its negative.
    fn least(&self, e: &Expr, sign: i64) -> Option<Least> {
        match &e.kind {
            ExprKind::Int(n) => Some(Least { value: n.checked_mul(sign)?, subtracts: false }),
            ExprKind::Cast(a) if matches!(e.ty, Type::Int(IntKind::Int | IntKind::Long)) => self.least(a, sign),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let (a, b) = (self.least(a, sign)?, self.least(b, if *op == BinOp::Add { sign } else { -sign })?);
                Some(Least { value: a.value.checked_add(b.value)?, subtracts: a.subtracts || b.subtracts })
            }
            _ => {
                let (low, high) = self.range(e, MAX_VARIABLES)?;
                Some(Least { value: if sign > 0 { low } else { -high }, subtracts: sign < 0 })
            }
        }
    }

    /// Bounds of a datum: of its type, or of all that its variable is set to.
    fn range(&self, e: &Expr, most: usize) -> Option<(i64, i64)> {
        let Type::Int(kind) = e.ty else { return None };
        match (&e.kind, kind.bits()) {
            (ExprKind::Int(n), _) => Some((*n, *n)),
            (ExprKind::Cast(a), 32 | 64) if a.ty.is_scalar() => self.range(a, most),
            (_, bits @ 1..=16) if kind.is_unsigned() => Some((0, (1 << bits) - 1)),
            (_, bits @ 2..=16) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            (ExprKind::Var(v), _) if self.unit.var(*v).storage == Storage::Local && most > 0 => {
                let ranges = self.set.get(v)?.iter().map(|e| self.range(e, most - 1));
                let ranges: Vec<(i64, i64)> = ranges.collect::<Option<_>>()?;
                ranges.into_iter().reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
            }
            _ => None,
        }
    }
}

/// A number of products of sizes in C.
fn product(m: &Monomial, times: i64, params: &Params, nest: &Stmt) -> Expr {
    let count = integer(times, nest.span);
    match m.is_empty() {
        true => count,
        false if times == 1 => monomial::value_of(m, params),
        false => binary(BinOp::Mul, count, monomial::value_of(m, params)),
    }
}
