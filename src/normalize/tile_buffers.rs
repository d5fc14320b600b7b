//! Tiles that a program copies by hand to arrays of its own, as what they are copies of.
//!
//! ```text
//! for (ii...) for (jj...) for (kk...) {                 for (ii...) for (jj...) for (kk...)
//!     for (i...) for (k...) p[i - ii][k - kk] = a[i][k];        for (i...) for (j...) for (k...)
//!     for (i...) for (j...) s[i - ii][j - jj] = 0;                  c[i][j] += a[i][k] * b[k][j];
//!     for (i...) for (j...) for (k...)               ->
//!         s[i - ii][j - jj] += p[i - ii][k - kk] * b[k][j];
//!     for (i...) for (j...) c[i][j] += s[i - ii][j - jj];
//! }
//! ```
//! A copy goes forward to where it is read, as a value does ([`super::forward_substitution`]), where each element that is read
//! was copied in the same iteration of the loops around, and what it is a copy of is not changed in between. Sums that begin
//! with zero, or with what is there, go where they are put down. Which iteration an element comes from is shown by
//! [`super::array_coverage`], that nobody else sees the array by [`super::private_arrays`]. The nest without its copies is a
//! part of the form without tiles ([`super::untiling`]): a cache wants them, a kernel has its own.

use super::array_coverage::{Cover, Frame, Iteration, Scope};
use super::form::{Context, Form};
use super::private_arrays::{Own, elements_alone};
use super::tile_heads;
use super::untiling::{self, may_have_tiles};
use crate::ast::build::ast_builder::{converted, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::function::FunctionFacts;
use crate::facts::{callable, effects};
use std::collections::BTreeSet;

/// Takes the arrays out of the third form that only hold copies or sums of a tile.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if may_have_tiles(&form.stmt) {
        let mut whole = form.without_tiles.as_ref().unwrap_or(&form.stmt).clone();
        if let Some(conditions) = without_buffers(context.unit, context.facts, &mut whole) {
            (form.without_tiles, form.untiled_if) = (Some(whole), conditions);
        }
    }
}

/// Takes such arrays out of a statement. Gives what has to hold for that, of arrays that share memory; `None` where there is
/// no such array, or that cannot be told: the statement is of no use then.
fn without_buffers(unit: &Unit, facts: &FunctionFacts, s: &mut Stmt) -> Option<Vec<Expr>> {
    let own = Own::of(unit, facts.function, s);
    if own.is_empty() {
        return None;
    }
    let mut taken = facts.addresses().clone();
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Unary(UnOp::AddrOf, x), .. }) = piece {
            taken.extend(x.root());
        }
    });
    let mut opener = Opener { unit, own, taken, moving: effects::assigned([&*s]), gone: vec![], conditions: vec![] };
    let mut some = false;
    while opener.step(s) {
        some = true;
    }
    let mut conditions = opener.own.apart(unit, s, &opener.gone)?;
    conditions.extend(opener.conditions);
    some.then_some(conditions)
}

struct Opener<'a> {
    unit: &'a Unit,
    own: Own,
    /// Variables that have an address.
    taken: BTreeSet<VarId>,
    /// Variables that the statement changes.
    moving: BTreeSet<VarId>,
    /// Arrays that are gone, with numbers of elements that they had; `None` where no number is known.
    gone: Vec<(VarId, Option<Expr>)>,
    /// Conditions of that.
    conditions: Vec<Expr>,
}

/// Neighbours without an array.
struct Found {
    list: Vec<Stmt>,
    extent: Option<Expr>,
    conditions: Vec<Expr>,
}

/// A nest of one assignment.
struct Single<'s> {
    frame: Frame,
    op: Option<BinOp>,
    target: &'s Expr,
    value: &'s Expr,
}

impl Opener<'_> {
    /// Takes one array out, somewhere in a statement.
    fn step(&mut self, root: &mut Stmt) -> bool {
        let mut blocks = vec![];
        in_tiles(root, false, &mut blocks);
        for list in blocks.iter().rev() {
            for at in 0..list.len() {
                let Some(array) = set_by(&list[at]).filter(|v| self.own.contains(*v)) else { continue };
                if !self.is_all(root, &list[at..], array) {
                    continue;
                }
                if let Some(found) = self.forward(list, at, array).or_else(|| self.sum(list, at, array)) {
                    put_for(root, list, &found.list);
                    undeclare(root, array);
                    self.gone.push((array, found.extent));
                    self.conditions.extend(found.conditions);
                    return true;
                }
            }
        }
        false
    }

    /// Test that neighbours hold all that a statement says of an array, run whole and call nobody.
    fn is_all(&self, root: &Stmt, list: &[Stmt], array: VarId) -> bool {
        let n_places = |list: &[Stmt]| effects::places(list, array).len();
        let is_known = |name: &str| callable::math(name).is_some() && self.unit.function(name).is_none();
        n_places(std::slice::from_ref(root)) == n_places(list)
            && list.iter().all(|s| s.is_modelled() && !s.is_entered_elsewhere() && s.calls().into_iter().all(is_known))
    }

    /// The neighbours with what is copied to an array in the place of its elements.
    fn forward(&self, list: &[Stmt], at: usize, array: VarId) -> Option<Found> {
        let (before, behind) = list.split_at(at + 1);
        let mut scope = Scope::new(self.unit, &list[at..], &self.taken, &self.moving);
        let copy = single(&mut scope, &before[at]).filter(|x| x.op.is_none() && is_short(x.value))?;
        if copy.value.mentions(array) || effects::assigned(behind).contains(&array) {
            return None;
        }
        let mut fixed = copy.value.clone();
        fixed.rewrite(&mut |e| {
            if matches!(e.kind, ExprKind::Var(v) if copy.frame.counts(v)) {
                *e = converted(&integer(0, e.span), &e.ty);
            }
        });
        let is_pure = scope.keeps(copy.value, &|v| copy.frame.counts(v) || !self.unit.var(v).ty.is_scalar());
        if !is_pure || !Changes::of(behind).keeps(self.unit, &fixed) {
            return None;
        }
        let cover = Cover::of(&mut scope, &copy.frame, copy.target, false)?;
        let mut out = behind.to_vec();
        let mut put = |scope: &mut Scope, frame: &Frame, e: &mut Expr| {
            let from = cover.find(scope, frame, e)?;
            *e = converted(&scope.in_iteration(copy.value, &from)?, &e.ty);
            Some(())
        };
        for s in &mut out {
            read(&mut scope, &Frame::outside(), s, array, &mut put)?;
        }
        let extent = cover.extent(&mut scope, copy.target.span);
        let list = list[..at].iter().cloned().chain(out).collect();
        Some(Found { list, extent, conditions: scope.conditions() })
    }

    /// The neighbours with sums in the place where they are put down, instead of in an array first.
    fn sum(&self, list: &[Stmt], at: usize, array: VarId) -> Option<Found> {
        let to = (at + 1..list.len()).rfind(|k| !effects::places([&list[*k]], array).is_empty())?;
        let between: Vec<Stmt> = list[at + 1..to].iter().map(|s| self.summed(s, array)).collect();
        let mut scope = Scope::new(self.unit, &list[at..=to], &self.taken, &self.moving);
        let (first, last) = (single(&mut scope, &list[at])?, single(&mut scope, &list[to])?);
        let result = last.target.root().filter(|v| *v != array)?;
        let is_changed =
            [&list[at], &list[to]].into_iter().chain(&between).any(|s| effects::assigned_whole(s).contains(&result));
        let is_used = |s: &Stmt| !effects::places([s], result).is_empty();
        let is_last = last.value.root() == Some(array) && matches!(last.value.kind, ExprKind::Index(..));
        let has_array = [first.value, last.target].into_iter().any(|e| e.mentions(array));
        // Sums that are left behind may not be put down.
        let is_left = list[at..=to].iter().map(Stmt::exits).any(|exits| exits.leaves_iteration() || exits.returns);
        if is_left || first.op.is_some() || !is_last || is_changed || has_array || between.iter().any(is_used) {
            return None;
        }
        if last.target.ty != last.value.ty || !scope.keeps(last.target, &|v| last.frame.counts(v) || v == result) {
            return None;
        }
        let (starts, ends) = (
            Cover::of(&mut scope, &first.frame, first.target, false)?,
            Cover::of(&mut scope, &last.frame, last.value, false)?,
        );
        let from = starts.find(&mut scope, &last.frame, last.value)?;
        let begin = self.begin(&mut scope, (&first, &last), (&ends, &from))?;
        let mut out = between;
        let mut put = |scope: &mut Scope, frame: &Frame, e: &mut Expr| {
            starts.find(scope, frame, e)?;
            let from = ends.find(scope, frame, e)?;
            *e = scope.in_iteration(last.target, &from)?;
            Some(())
        };
        for s in &mut out {
            add(&mut scope, &Frame::outside(), s, array, &mut put)?;
        }
        let extent = starts.extent(&mut scope, first.target.span);
        let begin = begin.map(|target| with_target(&list[at], &target));
        let rest = list[to + 1..].iter().cloned();
        let list = list[..at].iter().cloned().chain(begin).chain(out).chain(rest).collect();
        Some(Found { list, extent, conditions: scope.conditions() })
    }

    /// The element that is set before the sums instead of the array's, if any is.
    #[expect(clippy::option_option, reason = "nothing may be set")]
    fn begin(
        &self,
        scope: &mut Scope,
        (first, last): (&Single, &Single),
        (ends, from): (&Cover, &Iteration),
    ) -> Option<Option<Expr>> {
        let is_zero = untiling::is_zero(first.value);
        match last.op {
            Some(BinOp::Add) if is_zero => Some(None),
            // A sum must be put down once.
            None => {
                Cover::of(scope, &last.frame, last.target, true)?;
                if is_zero {
                    let at = ends.find(scope, &first.frame, first.target)?;
                    return scope.in_iteration(last.target, &at).map(Some);
                }
                let is_place = matches!(first.value.kind, ExprKind::Index(..)) && first.value.ty == first.target.ty;
                let taken = is_place.then(|| scope.in_iteration(first.value, from)).flatten()?;
                scope.is_same_place(&last.frame, &taken, last.target).then_some(None)
            }
            _ => None,
        }
    }

    /// A statement with sums of its loops taken up in an array.
    fn summed(&self, s: &Stmt, array: VarId) -> Stmt {
        let is_lost = |_: &Unit, _: &Stmt, _: VarId| false;
        let mut out = match untiling::sum_in_place(self.unit, s, &is_lost) {
            Some(new) if !effects::places([&new], array).is_empty() => new,
            _ => s.clone(),
        };
        out.stmts_mut().into_iter().for_each(|s| *s = self.summed(s, array));
        out
    }
}

/// The blocks in loops over tiles.
fn in_tiles(s: &Stmt, is_in: bool, out: &mut Vec<Vec<Stmt>>) {
    let is_in = is_in || tile_heads::head(s).is_some_and(|(head, _)| tile_heads::size_of(&head).is_some());
    if let StmtKind::Block(list) = &s.kind
        && is_in
    {
        out.push(list.clone());
    }
    s.stmts().into_iter().for_each(|s| in_tiles(s, is_in, out));
}

/// The array of which the one statement of a nest sets elements.
fn set_by(s: &Stmt) -> Option<VarId> {
    let mut body = s;
    while let StmtKind::For { body: inner, .. } = &tile_heads::only(body)?.kind {
        body = inner;
    }
    match &tile_heads::only(body)?.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) => target.root(),
        _ => None,
    }
}

/// A nest of one assignment, of which no directive asks for anything that its loops alone can have.
fn single<'s>(scope: &mut Scope, s: &'s Stmt) -> Option<Single<'s>> {
    let (mut frame, mut body) = (Frame::outside(), tile_heads::only(s)?);
    while let StmtKind::For { body: inner, .. } = &body.kind {
        tile_heads::is_directed_alike(body).then_some(())?;
        frame = scope.inside(&frame, body)?;
        body = tile_heads::only(inner)?;
    }
    let StmtKind::Expr(Expr { kind: ExprKind::Assign { op, target, value }, .. }) = &body.kind else { return None };
    (effects::is_plain(target) && effects::is_plain(value)).then_some(Single { frame, op: *op, target, value })
}

/// Writes something for an element, as seen in a frame.
type Put<'a> = dyn FnMut(&mut Scope, &Frame, &mut Expr) -> Option<()> + 'a;

/// Writes something for each element of an array in a statement that reads it.
fn read(scope: &mut Scope, frame: &Frame, s: &mut Stmt, array: VarId, put: &mut Put) -> Option<()> {
    if effects::places([&*s], array).is_empty() {
        return Some(());
    }
    let frame = &inside(scope, frame, s, array)?;
    match &mut s.kind {
        StmtKind::Expr(e) => elements(scope, frame, e, array, put)?,
        StmtKind::Decl(ds) => {
            ds.iter_mut().filter_map(|d| d.init.as_mut()).try_for_each(|e| elements(scope, frame, e, array, put))?;
        }
        StmtKind::If { cond, .. } => elements(scope, frame, cond, array, put)?,
        _ => {}
    }
    s.stmts_mut().into_iter().try_for_each(|s| read(scope, frame, s, array, put))
}

/// Writes something for each element of an array in a statement that only adds to it.
fn add(scope: &mut Scope, frame: &Frame, s: &mut Stmt, array: VarId, put: &mut Put) -> Option<()> {
    if effects::places([&*s], array).is_empty() {
        return Some(());
    }
    let frame = &inside(scope, frame, s, array)?;
    match &mut s.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign { op: Some(BinOp::Add | BinOp::Sub), target, value }, ..
        }) if !value.mentions(array) && target.root() == Some(array) && effects::is_plain(value) => {
            put(scope, frame, target)
        }
        StmtKind::If { cond, .. } if cond.mentions(array) => None,
        StmtKind::Block(_) | StmtKind::For { .. } | StmtKind::If { .. } => {
            s.stmts_mut().into_iter().try_for_each(|s| add(scope, frame, s, array, put))
        }
        _ => None,
    }
}

/// The frame in a statement that holds others.
fn inside(scope: &mut Scope, frame: &Frame, s: &Stmt, array: VarId) -> Option<Frame> {
    match &s.kind {
        StmtKind::For { init, cond, step, .. } => {
            let in_head = cond.iter().chain(step).any(|e| e.mentions(array))
                || init.as_ref().is_some_and(|s| !effects::places([&**s], array).is_empty());
            if in_head { None } else { scope.inside(frame, s) }
        }
        StmtKind::Expr(_) | StmtKind::Decl(_) | StmtKind::If { .. } | StmtKind::Block(_) => Some(frame.clone()),
        _ => None,
    }
}

fn elements(scope: &mut Scope, frame: &Frame, e: &mut Expr, array: VarId, put: &mut Put) -> Option<()> {
    if !e.mentions(array) {
        return Some(());
    }
    if matches!(e.kind, ExprKind::Index(..)) && elements_alone(e, array) {
        return put(scope, frame, e);
    }
    e.children_mut().into_iter().try_for_each(|e| elements(scope, frame, e, array, put))?;
    (!e.is_var(array)).then_some(())
}

/// Test for a value that is not worth an array.
fn is_short(e: &Expr) -> bool {
    let mut n_places = 0;
    e.walk(&mut |x| n_places += usize::from(matches!(x.kind, ExprKind::Index(..)) && x.ty.is_scalar()));
    n_places <= 1 && super::forward_substitution::is_short(e)
}

/// A nest with another element in the place of the one that it sets.
fn with_target(s: &Stmt, element: &Expr) -> Stmt {
    let mut out = s.clone();
    out.exprs_mut(&mut |e| {
        if let ExprKind::Assign { target, .. } = &mut e.kind
            && matches!(target.kind, ExprKind::Index(..))
        {
            **target = element.clone();
            e.ty = element.ty.clone();
        }
    });
    out
}

/// Puts statements where others are, in the block that holds them.
fn put_for(s: &mut Stmt, old: &[Stmt], new: &[Stmt]) {
    match &mut s.kind {
        StmtKind::Block(list) if list == old => *list = new.to_vec(),
        _ => s.stmts_mut().into_iter().for_each(|s| put_for(s, old, new)),
    }
}

/// Takes the declaration of an array out, and blocks that are empty.
fn undeclare(s: &mut Stmt, array: VarId) {
    s.stmts_mut().into_iter().for_each(|s| undeclare(s, array));
    match &mut s.kind {
        StmtKind::Decl(ds) => {
            ds.retain(|d| d.var != array);
            if ds.is_empty() {
                s.kind = StmtKind::Empty;
            }
        }
        StmtKind::Block(list) => list.retain(|s| !matches!(&s.kind, StmtKind::Empty) || !s.directives.is_empty()),
        _ => {}
    }
}
